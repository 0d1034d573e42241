//! The verb `fuzz`: a generative run on stable, no other tool needed.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use indicatif::{ProgressBar, ProgressStyle};
use wirebench::campaign::generative::{self, Progress, Settings};
use wirebench::campaign::interrupt::Interrupt;
use wirebench::campaign::journal::{Entry, Journal, Start};
use wirebench::campaign::unready::Unready;
use wirebench::campaign::{budget, nightly};
use wirebench::report::{Found, Run, own};
use wirebench::triage::store;

use super::exit::{Code, interrupt};
use super::nightly::unready;
use super::out::Out;
use super::{folder, found, subject, tell};

const EXAMPLES: &str = "\
The same seed and --cases, without --time, print the same bytes for any number of workers.

Examples:
  wirebench fuzz --cases 1000000 --seed 7
  wirebench fuzz --resume --out target/fuzz
  wirebench fuzz --time 10m --subject mutant:front.last-duplicate-wins --out target/last-wins
  wirebench fuzz --subject 'exec:python3 shim.py'
    one line of JSON a case; WIREBENCH_WORKER_SECONDS (2) and WIREBENCH_WORKER_MIB (512) bound what a case may take";

/// What `fuzz` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How many cases; 200,000 when no time is given either.
    #[arg(long)]
    cases: Option<u64>,
    /// How long, such as 90s, 10m or 8h.
    #[arg(long, value_parser = budget::duration)]
    time: Option<Duration>,
    /// Where the draws come from; printed first and last.
    #[arg(long)]
    seed: Option<u64>,
    /// How many threads; all cores by default.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Which subject: a name of `list subjects`, or `exec:COMMAND`, a program of its own.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
    /// Go on with the run in the folder that was killed or interrupted, to the end that it was asked for: its cases, time,
    /// seed and subject are in its journal and are not given again. One that counts cases finds what it would have found.
    #[arg(long, conflicts_with_all = ["cases", "time", "seed", "subject", "workers"])]
    resume: bool,
    /// Where findings and the report go.
    #[arg(long, default_value = store::FOLDERS[0], value_name = "DIR", value_parser = folder())]
    out: PathBuf,
}

const CASES: u64 = 200_000;

const VERB: &str = "fuzz";

/// Runs the draws and prints what was found.
pub fn run(args: &Args, out: &mut Out) -> Code {
    match journal(args) {
        Ok((journal, start, past)) => campaign(args, (&journal, start, past), out),
        Err(code) => code,
    }
}

/// The journal and what is asked, of a new run or of one that goes on.
fn journal(args: &Args) -> Result<(Journal, Start, Vec<Entry>), Code> {
    own(&args.out)?;
    if args.resume {
        return Journal::resume(&args.out, VERB).map_err(unready);
    }
    let _ = subject::named(&args.subject)?;
    let start = Start {
        verb: VERB.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        subject: args.subject.clone(),
        seed: args.seed.unwrap_or_else(fresh_seed),
        cases: args.cases.or(args.time.is_none().then_some(CASES)),
        millis: args.time.map(|time| time.as_millis() as u64),
        workers: args.workers.map_or_else(cores, usize::from).clamp(1, 256),
    };
    let (journal, unfinished) = Journal::begin(&args.out, start.clone()).map_err(unready)?;
    if unfinished {
        tell("the run before this one did not end; what it found stands in findings/");
    }
    Ok((journal, start, Vec::new()))
}

/// Leaves a folder alone in which a report that is none of ours would be replaced.
pub fn own(folder: &Path) -> Result<(), Code> {
    let what = match own::stranger(folder) {
        Ok(None) => return Ok(()),
        Ok(Some(path)) => format!("{} is no report of wirebench, and stays", path.display()),
        Err(error) => format!("the reports in {} cannot be read: {error}", folder.display()),
    };
    tell(format!("wirebench: {what}: name another folder with --out"));
    Err(Code::Usage)
}

fn campaign(args: &Args, (journal, start, past): (&Journal, Start, Vec<Entry>), out: &mut Out) -> Code {
    let make = match subject::named(&start.subject) {
        Ok(make) => make,
        Err(code) => return code,
    };
    let interrupt = match prepare(&args.out) {
        Ok(interrupt) => interrupt,
        Err(code) => return code,
    };
    let settings = Settings {
        seed: start.seed,
        cases: start.cases,
        time: start.millis.map(Duration::from_millis),
        workers: start.workers,
        out: args.out.display().to_string(),
    };
    tell(format!("seed {}", settings.seed));
    let meter = Meter::new(settings.cases);
    let mut show = |at, new: Option<&Found>| meter.show(at, new);
    let ran = generative::run(&make, &settings, &interrupt, &args.out, (journal, past), &mut show);
    meter.end();
    let code = match ran {
        Ok(run) => match nightly::report(&run, &args.out).and_then(|()| end(journal, &run)) {
            Ok(()) => found::print(&run, out),
            Err(error) => found::print(&run, out).max(unwritable(&args.out, &error)),
        },
        Err(error) => unwritable(&args.out, &error),
    };
    tell(format!("seed {}", settings.seed));
    code
}

/// A run that was interrupted has not come to its end: it can be resumed.
fn end(journal: &Journal, run: &Run) -> std::io::Result<()> {
    if run.end.interrupted { Ok(()) } else { journal.append(&Entry::End) }
}

/// A folder that takes findings, and the flag that ends the run.
fn prepare(folder: &Path) -> Result<Interrupt, Code> {
    let probe = folder.join("findings");
    let writable = std::fs::create_dir_all(&probe).and_then(|()| store::replace(&probe.join(".probe"), b""));
    if let Err(error) = writable.and_then(|()| std::fs::remove_file(probe.join(".probe"))) {
        return Err(unwritable(folder, &error));
    }
    interrupt()
}

fn unwritable(folder: &Path, error: &std::io::Error) -> Code {
    unready(Unready::unwritable(folder, error))
}

/// A seed that nobody chose.
pub fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(32)
}

/// How many threads this machine runs at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Progress on standard error: a bar on a terminal, a line now and then elsewhere.
struct Meter {
    bar: Option<ProgressBar>,
    told: std::cell::Cell<Duration>,
}

/// How often a line is written where no bar can be drawn.
const EVERY: Duration = Duration::from_secs(10);

impl Meter {
    fn new(cases: Option<u64>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| match cases {
            Some(cases) => ProgressBar::new(cases).with_style(style("{wide_bar} {pos}/{len} {per_sec} {msg}")),
            None => ProgressBar::new_spinner().with_style(style("{spinner} {pos} {per_sec} {elapsed} {msg}")),
        });
        Self { bar, told: std::cell::Cell::new(Duration::ZERO) }
    }

    fn show(&self, at: Progress, new: Option<&Found>) {
        if let Some(found) = new {
            let line = format!("found {} {} {}: {}", found.id, found.invariant, found.kind, found.file);
            match &self.bar {
                Some(bar) => bar.suspend(|| tell(&line)),
                None => tell(&line),
            }
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(at.done);
                bar.set_message(format!("{} combinations, {} findings", at.reached, at.findings));
            }
            None if at.elapsed >= self.told.get() + EVERY || Some(at.done) == at.of && new.is_none() => {
                self.told.set(at.elapsed);
                let rate = at.done as f64 / at.elapsed.as_secs_f64().max(1e-9);
                let Progress { done, reached, findings, .. } = at;
                tell(format!("{done} cases, {rate:.0} a second, {reached} combinations, {findings} findings"));
            }
            None => {}
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is a constant")
}
