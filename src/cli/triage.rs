//! The verb `triage`: artifacts and findings to signed, minimised, reproduced rows; a finding to a regression.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use wirebench::campaign::interrupt::Interrupt;
use wirebench::corpus::{self, Baseline};
use wirebench::files;
use wirebench::triage::bisect::{self, Range};
use wirebench::triage::promote::{self, Promoted};
use wirebench::triage::rows::Rows;
use wirebench::triage::{Bench, history, store};

use super::exit::{Code, interrupt};
use super::out::Out;
use super::{found, replay, subject, tell};

/// What `triage` is asked.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Files, or folders with everything below them; the findings of the last runs by default.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Which subject: a name of `list subjects`, or `exec:COMMAND`, a program of its own.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
    /// Where the minimised findings go.
    #[arg(long, default_value = "target/triage", value_name = "DIR", value_parser = super::folder())]
    out: PathBuf,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Write a finding into the corpus as a regression that `cargo test` replays.
    Promote(PromoteArgs),
    /// Find the commit that brought a finding, in a checkout of its own.
    Bisect(BisectArgs),
}

#[derive(Debug, clap::Args)]
struct BisectArgs {
    /// The id of a finding of the last runs, or its file.
    #[arg(value_name = "ID|PATH")]
    input: String,
    /// A commit without the fault.
    #[arg(long, value_name = "COMMIT")]
    good: String,
    /// A commit with it.
    #[arg(long, default_value = "HEAD", value_name = "COMMIT")]
    bad: String,
    /// The subject that has the fault.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
}

#[derive(Debug, clap::Args)]
struct PromoteArgs {
    /// The id of a finding of the last runs, or its file.
    #[arg(value_name = "ID|PATH")]
    input: String,
    /// The subject that has the fault.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
}

impl Args {
    /// Whether a signal makes it keep what was done.
    pub fn ends_in_order(&self) -> bool {
        !matches!(self.verb, Some(Verb::Promote(_)))
    }
}

/// Triages the inputs, or promotes one.
pub fn run(args: &Args, out: &mut Out) -> Code {
    match &args.verb {
        Some(Verb::Promote(promote)) => run_promote(promote, out),
        Some(Verb::Bisect(bisect)) => interrupt().map_or_else(|code| code, |stop| run_bisect(bisect, &stop, out)),
        None => interrupt().map_or_else(|code| code, |stop| run_triage(args, &stop, out)),
    }
}

fn run_triage(args: &Args, interrupt: &Interrupt, out: &mut Out) -> Code {
    let make = match subject::named(&args.subject) {
        Ok(make) => make,
        Err(code) => return code,
    };
    let mut code = Code::Clean;
    let mut files = Vec::new();
    let standing: Vec<PathBuf> = store::FOLDERS.iter().map(|folder| Path::new(folder).join("findings")).collect();
    let paths: Vec<PathBuf> = match args.paths.is_empty() {
        true => standing.into_iter().filter(|folder| folder.is_dir()).collect(),
        false => args.paths.clone(),
    };
    for path in &paths {
        match files::below(path) {
            Ok(below) => files.extend(below),
            Err(error) => {
                tell(format!("wirebench: {} cannot be read: {error}", path.display()));
                code = Code::Unreadable;
            }
        }
    }
    if files.is_empty() {
        tell("wirebench: nothing to triage");
        return code.max(Code::Unreadable);
    }
    let spelled = args.out.display().to_string();
    let stop = || interrupt.is_set();
    let mut rows = Rows::new(Bench::new(&make).until(&stop), &args.out, &spelled);
    let (mut clean, mut left) = (0, files.len());
    for file in files {
        if interrupt.is_set() {
            break;
        }
        left -= 1;
        let evidence = match replay::read(&file) {
            Ok(evidence) => evidence,
            Err(unreadable) => {
                code = code.max(unreadable);
                continue;
            }
        };
        match rows.add_evidence(None, evidence) {
            Ok(Some(_)) => {}
            Ok(None) => clean += 1,
            Err(error) => {
                tell(format!("wirebench: {} cannot be written: {error}", args.out.display()));
                return Code::Usage;
            }
        }
    }
    if interrupt.is_set() {
        tell(format!("triage: interrupted, {left} inputs were not looked at"));
        code = Code::Interrupted;
    }
    let mut rows = rows.join();
    let baseline = corpus::find().map(|folder| Baseline::load(&folder)).transpose();
    match baseline {
        Ok(baseline) => rows.iter_mut().for_each(|row| row.known = baseline.iter().any(|all| all.lists(row))),
        Err(error) => {
            tell(format!("wirebench: {error}"));
            return Code::Usage;
        }
    }
    let here = Path::new(".");
    if let Err(error) = history::note(&args.out, history::commit(here).as_deref(), &mut rows) {
        tell(format!("wirebench: the history in {} cannot be written: {error}", args.out.display()));
    }
    for row in &rows {
        found::one(row, out);
        if !out.is_ndjson() {
            out.lines(&row.test);
        }
    }
    tell(format!("{} findings, {clean} inputs show no fault", rows.len()));
    if rows.iter().all(|row| row.known) { code } else { code.max(Code::Findings) }
}

fn run_promote(args: &PromoteArgs, out: &mut Out) -> Code {
    let (make, (_, evidence)) = match (subject::named(&args.subject), replay::load(&args.input)) {
        (Ok(make), Ok(loaded)) => (make, loaded),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    let Some(folder) = corpus::find() else {
        tell("wirebench: no corpus/MANIFEST.toml here or above: run this inside a checkout of wirebench");
        return Code::Usage;
    };
    match promote::promote(&mut Bench::new(&make), &evidence, &folder) {
        Ok(Promoted { path, by_hand }) => {
            out.lines(&path.display().to_string());
            if by_hand {
                tell(
                    "the codec itself has this fault: set the row's expect in corpus/MANIFEST.toml to what the rules say",
                );
            }
            Code::Clean
        }
        Err(error) => {
            tell(format!("wirebench: {error}"));
            if matches!(error, promote::Error::NoFault) { Code::Unreadable } else { Code::Usage }
        }
    }
}

fn run_bisect(args: &BisectArgs, interrupt: &Interrupt, out: &mut Out) -> Code {
    let (make, (path, evidence)) = match (subject::named(&args.subject), replay::load(&args.input)) {
        (Ok(make), Ok(loaded)) => (make, loaded),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    let Some(fault) = Bench::new(&make).evidence(&evidence) else {
        tell(format!("wirebench: {} shows no fault of {}: nothing to look for", path.display(), args.subject));
        return Code::Unreadable;
    };
    let question = match path.canonicalize() {
        Ok(path) => bisect::question(&path, &fault.id(), &args.subject),
        Err(error) => {
            tell(format!("wirebench: {} cannot be read: {error}", path.display()));
            return Code::Unreadable;
        }
    };
    let range = Range { good: &args.good, bad: &args.bad };
    match bisect::first_bad(Path::new("."), range, &question, &|| interrupt.is_set()) {
        Ok(commit) => {
            out.lines(&commit);
            Code::Findings
        }
        Err(error) => {
            tell(format!("wirebench: {error}"));
            match error {
                bisect::Error::Unready(_) => Code::Usage,
                bisect::Error::NoCommit(_) => Code::Unreadable,
                bisect::Error::Stopped => Code::Interrupted,
            }
        }
    }
}
