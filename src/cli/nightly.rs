//! The verb `nightly`: a coverage-guided campaign over every fuzz target, and the report of the morning.

use std::path::PathBuf;
use std::time::Duration;

use wirebench::campaign::budget;
use wirebench::campaign::interrupt::Interrupt;
use wirebench::campaign::nightly::{self, Settings};
use wirebench::report::markdown;
use wirebench::triage::store;

use super::exit::Code;
use super::fuzz::{cores, fresh_seed};
use super::out::Out;
use super::{found, subject, tell};

const EXAMPLES: &str = "\
scripts/nightly installs the pinned cargo-fuzz where it is missing and runs this verb.

Examples:
  wirebench nightly --time 30m
  wirebench nightly --time 8h --seeds recorded/ --out target/night";

/// What `nightly` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Fuzzing time over all targets; builds and triage come on top.
    #[arg(long, default_value = "30m", value_parser = budget::duration)]
    time: Duration,
    /// Where the report, the findings, the logs and the working corpus go.
    #[arg(long, default_value = store::FOLDERS[1], value_name = "DIR")]
    out: PathBuf,
    /// Recorded traffic to start from, beside the committed corpus; again for more.
    #[arg(long, value_name = "DIR")]
    seeds: Vec<PathBuf>,
    /// Which subject.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
    /// What the engine's choices start from; printed first and last.
    #[arg(long)]
    seed: Option<u64>,
    /// How many processes run at once; all cores by default.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
}

/// Runs the campaign and prints what was found.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let make = match subject::named(&args.subject) {
        Ok(make) => make,
        Err(code) => return code,
    };
    let interrupt = match Interrupt::on_signals() {
        Ok(interrupt) => interrupt,
        Err(error) => {
            tell(format!("wirebench: signals cannot be handled: {error}"));
            return Code::Internal;
        }
    };
    let settings = Settings {
        time: args.time,
        seed: args.seed.unwrap_or_else(fresh_seed),
        cores: args.workers.map_or_else(cores, usize::from),
        seeds: args.seeds.clone(),
        subject: args.subject.clone(),
        out: args.out.clone(),
    };
    tell(format!("seed {}", settings.seed));
    let ran = nightly::run(&make, &settings, &interrupt, &mut |line| tell(format!("nightly: {line}")));
    let code = match ran {
        Ok(run) => {
            let code = found::print(&run, out);
            tell(format!("nightly: {}, see {}", markdown::headline(&run), args.out.join("report.md").display()));
            code
        }
        Err(unready) => {
            tell(format!("wirebench: {unready}"));
            Code::Usage
        }
    };
    tell(format!("seed {}", settings.seed));
    code
}
