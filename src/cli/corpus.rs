//! The verb `corpus`: which seeds and regressions there are, whether they hold together, and how they come and go.

use std::path::PathBuf;

use clap::Subcommand;
use serde::Serialize;
use wirebench::corpus::add::{self, Said};
use wirebench::corpus::baseline::today;
use wirebench::corpus::harvest::harvest;
use wirebench::corpus::redact::Redactor;
use wirebench::corpus::{self, Malformed, Manifest, check, prune};
use wirebench::finding::Evidence;
use wirebench::triage::{self, Bench};

use super::exit::{Code, interrupt};
use super::out::Out;
use super::{replay, subject, tell};

const ADD: &str = "\
The row of a seed expects what the codec reads now: hold it against the rules before you commit it.

Examples:
  wirebench corpus add odd.case --requirement json-well-formed --why \"A comma behind the last member\"
  wirebench corpus add recorded.session --requirement session-order --why \"Seen at a gateway\" --redact";

const PRUNE: &str = "\
A seed reaches nothing new when smaller ones of its requirement are read as each of its messages is, break the same rules
and exercise the same invariants. How a value is spelled does not count, and may be why it was written: look at the reason
in `wirebench corpus list` before --delete.

Examples:
  wirebench corpus prune
  wirebench corpus prune --delete";

/// What `corpus` is asked.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Every seed and regression with its reason, one line each; manifest and files must agree.
    List(FolderArgs),
    /// Tell everything that does not agree: manifest, files, rules, readings, faults that no baseline lists.
    Check(CheckArgs),
    /// Make seeds of files, each with its row; refuse what is there already, shows a fault or holds a secret.
    Add(AddArgs),
    /// Show the seeds that reach nothing that a smaller one does not, and take them out with --delete.
    Prune(PruneArgs),
    /// Make redacted seeds of recorded traffic.
    Harvest(super::harvest::Args),
}

#[derive(Debug, clap::Args)]
struct FolderArgs {
    /// The folder of the corpus; the one of the checkout by default.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// Which subject.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = ADD)]
struct AddArgs {
    /// Cases and sessions, or bodies of one message each.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The requirement that they speak of.
    #[arg(long, value_name = "ID")]
    requirement: String,
    /// Why they are there, in a few words.
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// The name of the seed; that of the file by default.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The folder below seeds/; by what is read by default.
    #[arg(long, value_name = "NAME")]
    topic: Option<String>,
    /// Write stand-ins for everything that is not of the protocol.
    #[arg(long)]
    redact: bool,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = PRUNE)]
struct PruneArgs {
    /// Take them out, files and rows.
    #[arg(long)]
    delete: bool,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Serialize)]
struct Line<'a> {
    path: &'a str,
    requirement: &'a str,
    invariant: Option<&'a str>,
    why: &'a str,
}

#[derive(Serialize)]
struct Wrong {
    path: String,
    what: String,
}

#[derive(Serialize)]
struct Added {
    source: String,
    seed: Option<String>,
    /// Why there is no seed.
    error: Option<String>,
}

#[derive(Serialize)]
struct Idle<'a> {
    path: &'a str,
    bytes: usize,
}

impl Args {
    /// Whether a signal makes it keep what was done.
    pub fn ends_in_order(&self) -> bool {
        !matches!(self.verb, Verb::List(_))
    }
}

/// Does what is asked of the corpus.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let done = match &args.verb {
        Verb::Harvest(args) => return super::harvest::run(args, out),
        Verb::List(args) => list(args, out),
        Verb::Check(args) => run_check(args, out),
        Verb::Add(args) => run_add(args, out),
        Verb::Prune(args) => run_prune(args, out),
    };
    done.unwrap_or_else(|code| code)
}

fn list(args: &FolderArgs, out: &mut Out) -> Result<Code, Code> {
    for row in &Manifest::load(&args.folder()?).map_err(malformed)?.rows {
        let line =
            Line { path: &row.path, requirement: &row.requirement, invariant: row.invariant.as_deref(), why: &row.why };
        out.result(&line, |line, _| format!("{:<48} {:<48} {}", line.path, line.requirement, line.why));
    }
    Ok(Code::Clean)
}

fn run_check(args: &CheckArgs, out: &mut Out) -> Result<Code, Code> {
    let (folder, make, interrupt) = (args.folder.folder()?, subject::named(&args.subject)?, interrupt()?);
    let mut wrong = 0;
    let mut show = |found: check::Disagreement| {
        wrong += 1;
        let row = Wrong { path: found.path, what: found.what };
        out.result(&row, |row, _| format!("{:<48} {}", row.path, row.what));
        out.flush();
    };
    let stop = || interrupt.is_set();
    let checked = check::check(&folder, &mut Bench::new(&make), &today(), &stop, &mut show).map_err(malformed)?;
    tell(format!("corpus: {checked} files checked, {wrong} disagreements"));
    Ok(match (interrupt.is_set(), wrong, checked) {
        (true, ..) => Code::Interrupted,
        (_, 1.., _) => Code::Findings,
        (_, _, 0) => Code::Unreadable,
        _ => Code::Clean,
    })
}

fn run_add(args: &AddArgs, out: &mut Out) -> Result<Code, Code> {
    if args.name.is_some() && args.files.len() > 1 {
        tell("wirebench: one --name for several files: add them one by one");
        return Err(Code::Usage);
    }
    let (folder, make, interrupt) = (args.folder.folder()?, subject::named("codec")?, interrupt()?);
    let mut bench = Bench::new(&make);
    let mut code = Code::Clean;
    for file in &args.files {
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let said = Said {
            name: args.name.as_deref().unwrap_or(&stem),
            topic: args.topic.as_deref(),
            why: &args.why,
            requirement: &args.requirement,
        };
        let evidence = match interrupt.waiting(|| replay::read(file)) {
            None => return Err(Code::Interrupted),
            Some(Ok(evidence)) => evidence,
            Some(Err(unreadable)) => {
                code = code.max(unreadable);
                continue;
            }
        };
        let evidence = if args.redact { redacted(evidence) } else { Ok(evidence) };
        let (added, ended) = match evidence.map(|evidence| add::add(&mut bench, &evidence, &folder, said)) {
            Ok(Ok(path)) => (Ok(path.display().to_string()), Code::Clean),
            Ok(Err(error)) => (Err(error.to_string()), code_of(&error)),
            Err(why) => (Err(why), Code::Unreadable),
        };
        code = code.max(ended);
        let row = Added { source: file.display().to_string(), seed: added.as_ref().ok().cloned(), error: added.err() };
        out.result(&row, |row, _| match (&row.seed, &row.error) {
            (Some(seed), _) => format!("{:<48} {seed}", row.source),
            (None, error) => format!("{:<48} no seed: {}", row.source, error.as_deref().unwrap_or_default()),
        });
    }
    if code == Code::Clean {
        tell("corpus: each row expects what the codec reads now: hold it against the rules before you commit it");
    }
    Ok(code)
}

/// What was asked cannot be done, or the one input is none.
fn code_of(error: &add::Error) -> Code {
    match error {
        add::Error::Known(_) | add::Error::Fault(_) | add::Error::Secrets(_) => Code::Unreadable,
        _ => Code::Usage,
    }
}

/// The same with stand-ins that nobody can trace back: the key is drawn and thrown away.
fn redacted(evidence: Evidence) -> Result<Evidence, String> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|_| "the system gives no random bytes".to_owned())?;
    let cases = match evidence {
        Evidence::Case(case) => vec![case],
        Evidence::Session(session) => session.cases,
        Evidence::Frames(_) => {
            return Err("stand-ins would move the cuts of a stream: write it without secrets".to_owned());
        }
    };
    let seed = harvest(&mut Redactor::new(&key), cases).map_err(|refused| refused.to_string())?;
    Ok(triage::decode(&seed.text))
}

fn run_prune(args: &PruneArgs, out: &mut Out) -> Result<Code, Code> {
    let (folder, interrupt) = (args.folder.folder()?, interrupt()?);
    let idle = prune::idle(&folder, &|| interrupt.is_set()).map_err(malformed)?;
    if interrupt.is_set() {
        tell("corpus: interrupted, nothing was taken out");
        return Err(Code::Interrupted);
    }
    for seed in &idle {
        out.result(&Idle { path: &seed.path, bytes: seed.bytes }, |row, _| {
            format!("{:<64} {:>8} bytes", row.path, row.bytes)
        });
    }
    if args.delete && !idle.is_empty() {
        prune::remove(&folder, &idle).map_err(|error| {
            tell(format!("wirebench: {} cannot be written: {error}", folder.display()));
            Code::Usage
        })?;
    }
    let done = if args.delete { "taken out" } else { "reach nothing new; --delete takes them out" };
    tell(format!("corpus: {} seeds {done}", idle.len()));
    Ok(Code::Clean)
}

impl FolderArgs {
    fn folder(&self) -> Result<PathBuf, Code> {
        self.corpus.clone().or_else(corpus::find).ok_or_else(|| {
            tell("wirebench: no corpus/MANIFEST.toml here or above: run this inside a checkout, or name one with --corpus");
            Code::Usage
        })
    }
}

fn malformed(error: Malformed) -> Code {
    tell(format!("wirebench: {error}"));
    Code::Usage
}
