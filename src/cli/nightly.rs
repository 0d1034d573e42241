//! The verb `nightly`: a coverage-guided campaign over every fuzz target, and the report of the morning.

use std::path::PathBuf;
use std::time::Duration;

use wirebench::campaign::budget;
use wirebench::campaign::journal::{Entry, Journal, Start};
use wirebench::campaign::nightly::tiers::Choice;
use wirebench::campaign::nightly::{self, Settings};
use wirebench::campaign::unready::Unready;
use wirebench::report::{cost, folder, markdown};
use wirebench::triage::store;

use super::exit::{Code, interrupt};
use super::fuzz::{cores, fresh_seed, own};
use super::out::Out;
use super::{found, report, subject, tell};

const VERB: &str = "nightly";

const EXAMPLES: &str = "\
scripts/nightly installs the pinned cargo-fuzz where it is missing and runs this verb.

Two tiers: quick runs everywhere; deep has AddressSanitizer, a quarter of the time, and needs a nightly compiler that is
installed. The report says which ran, what was left out and why, and what the night took.

A night is bounded: each process may take the memory that its .options file says (2 GiB), one for each worker at once;
on disk there are at most 8 MiB of log and 500 artifacts for each target, tier and worker, and a corpus of at most one
input of max_len bytes for each feature, made smallest at the end.

Examples:
  wirebench nightly --time 30m
  wirebench nightly --time 8h --seeds recorded/ --corpus /shared/corpus --out target/night
  wirebench nightly --resume --out target/night";

/// What `nightly` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Fuzzing time over all targets; builds and triage come on top.
    #[arg(long, default_value = "30m", value_parser = budget::duration)]
    time: Duration,
    /// Where the report, the findings, the logs and the working corpus go.
    #[arg(long, default_value = store::FOLDERS[1], value_name = "DIR", value_parser = super::folder())]
    out: PathBuf,
    /// Recorded traffic to start from, beside the committed corpus; again for more.
    #[arg(long, value_name = "DIR")]
    seeds: Vec<PathBuf>,
    /// The working corpus that persists between nights; several machines may share the folder.
    #[arg(long, value_name = "DIR", value_parser = super::folder())]
    corpus: Option<PathBuf>,
    /// How the targets are built.
    #[arg(long, value_enum, default_value_t = TierArg::Auto)]
    tier: TierArg,
    /// Go on with the run in the folder that was killed or interrupted, with the rest of its time.
    #[arg(long, conflicts_with_all = ["time", "subject", "seed", "workers"])]
    resume: bool,
    /// Which subject: a name of `list subjects`, or `exec:COMMAND`, a program of its own.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
    /// What the engine's choices start from; printed first and last.
    #[arg(long)]
    seed: Option<u64>,
    /// How many processes run at once; all cores by default.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TierArg {
    /// The toolchain of the project, no sanitizer.
    Quick,
    /// AddressSanitizer, which needs a nightly compiler that is installed.
    Deep,
    /// Quick, and for a time of a minute or more deep beside it where such a compiler is there.
    Auto,
}

impl From<TierArg> for Choice {
    fn from(asked: TierArg) -> Self {
        match asked {
            TierArg::Quick => Self::Quick,
            TierArg::Deep => Self::Deep,
            TierArg::Auto => Self::Auto,
        }
    }
}

/// Runs the campaign and prints what was found.
pub fn run(args: &Args, out: &mut Out) -> Code {
    match prepared(args) {
        Ok((settings, journal, past)) => campaign(&settings, &journal, past, out),
        Err(code) => code,
    }
}

/// The settings and the journal, of a new run or of one that goes on.
fn prepared(args: &Args) -> Result<(Settings, Journal, Vec<Entry>), Code> {
    let _ = subject::named(&args.subject)?;
    own(&args.out)?;
    let (journal, start, past) = if args.resume {
        Journal::resume(&args.out, VERB).map_err(unready)?
    } else {
        let start = Start {
            verb: VERB.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            subject: args.subject.clone(),
            seed: args.seed.unwrap_or_else(fresh_seed),
            cases: None,
            millis: Some(args.time.as_millis() as u64),
            workers: args.workers.map_or_else(cores, usize::from).clamp(1, 256),
        };
        let (journal, unfinished) = Journal::begin(&args.out, start.clone()).map_err(unready)?;
        if unfinished {
            tell("nightly: the run before this one did not end; its artifacts are triaged by this one");
        }
        (journal, start, Vec::new())
    };
    let time = Duration::from_millis(start.millis.unwrap_or(args.time.as_millis() as u64));
    let settings = Settings {
        time,
        seed: start.seed,
        cores: start.workers,
        seeds: args.seeds.clone(),
        subject: start.subject,
        corpus: args.corpus.clone(),
        tiers: args.tier.into(),
        out: args.out.clone(),
    };
    Ok((settings, journal, past))
}

fn campaign(settings: &Settings, journal: &Journal, past: Vec<Entry>, out: &mut Out) -> Code {
    let make = match subject::named(&settings.subject) {
        Ok(make) => make,
        Err(code) => return code,
    };
    let interrupt = match interrupt() {
        Ok(interrupt) => interrupt,
        Err(code) => return code,
    };
    tell(format!("seed {}", settings.seed));
    let ran = nightly::run(&make, settings, (journal, past), &interrupt, &mut |line| tell(format!("nightly: {line}")));
    let code = match ran {
        Ok(run) => {
            let code = found::print(&run, out);
            report::summarise(&run);
            for (name, value) in cost::facts(&run) {
                tell(format!("nightly: {name}: {value}"));
            }
            let page = settings.out.join(folder::PAGE);
            tell(format!("nightly: {}, see {}", markdown::headline(&run), page.display()));
            code
        }
        Err(error) => unready(error),
    };
    tell(format!("seed {}", settings.seed));
    code
}

/// Says why a run cannot begin.
pub fn unready(error: Unready) -> Code {
    tell(format!("wirebench: {error}"));
    Code::Usage
}
