//! The verb `list`: what there is, one line each.

use clap::ValueEnum;
use serde::Serialize;
use wirebench::campaign::nightly::workspace::Workspace;
use wirebench::codec::refusal::Reason;
use wirebench::exchange;
use wirebench::generate::dictionary;
use wirebench::invariant;
use wirebench::limits::Limits;
use wirebench::mutate;
use wirebench::subject::{self, mutant};

use super::exit::Code;
use super::out::Out;
use super::rule::{self, Chosen};
use super::tell;

const EXAMPLES: &str = "\
Examples:
  wirebench list reasons
  wirebench list requirements --layer sentinel --level MUST
  wirebench list requirements --disposition unchecked
  wirebench list requirements --era 2025-06-18 --basis schema --format ndjson";

/// What `list` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// What to show.
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    chosen: Chosen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Rules that an oracle checks.
    Invariants,
    /// Rules of the wire, and this project's own.
    Requirements,
    /// Operators that change a case or a session.
    Mutators,
    /// Faulty codecs, with the invariant that must kill each.
    Mutants,
    /// What can be put under test.
    Subjects,
    /// Fuzz targets of this checkout.
    Targets,
    /// Bounds, and the refusal past each.
    Limits,
    /// Reasons of refusals.
    Reasons,
    /// Values worth giving to an engine, as a dictionary of libFuzzer.
    Dictionary,
}

/// Shows the list.
pub fn run(args: &Args, out: &mut Out) -> Code {
    if args.chosen.is_any() && args.what != What::Requirements {
        tell("list: --layer, --level, --era, --basis and --disposition choose among requirements only");
        return Code::Usage;
    }
    match args.what {
        What::Invariants => invariants(out),
        What::Requirements => rule::list(&args.chosen, out),
        What::Mutators => mutators(out),
        What::Mutants => mutants(out),
        What::Subjects => subjects(out),
        What::Targets => return targets(out),
        What::Limits => limits(out),
        What::Reasons => reasons(out),
        What::Dictionary => dictionary::libfuzzer().lines().for_each(|line| out.write(line.as_bytes())),
    }
    Code::Clean
}

#[derive(Serialize)]
struct InvariantRow {
    id: &'static str,
    level: &'static str,
    requirements: &'static [&'static str],
    rule: &'static str,
}

fn invariants(out: &mut Out) {
    for invariant in invariant::all() {
        let row = InvariantRow {
            id: invariant.id,
            level: invariant.level.word(),
            requirements: invariant.requirements,
            rule: invariant.rule,
        };
        out.result(&row, |row, _| format!("{:<48} {:<10} {}", row.id, row.level, row.rule));
    }
}

#[derive(Serialize)]
struct MutatorRow {
    name: &'static str,
    of: &'static str,
}

fn mutators(out: &mut Out) {
    let cases = mutate::all_cases().map(|mutator| MutatorRow { name: mutator.name(), of: "case" });
    let sessions = mutate::all_sessions().map(|mutator| MutatorRow { name: mutator.name(), of: "session" });
    let frames = mutate::all_frames().map(|mutator| MutatorRow { name: mutator.name(), of: "frames" });
    for row in cases.chain(sessions).chain(frames) {
        out.result(&row, |row, _| format!("{:<40} {}", row.name, row.of));
    }
}

#[derive(Serialize)]
struct MutantRow {
    id: &'static str,
    killer: &'static str,
    fault: &'static str,
    wrong: &'static str,
}

fn mutants(out: &mut Out) {
    for mutant in mutant::all() {
        let row = MutantRow { id: mutant.id, killer: mutant.killer, fault: mutant.fault, wrong: mutant.wrong };
        out.result(&row, |row, _| format!("{:<44} {:<40} {}", row.id, row.killer, row.wrong));
    }
}

#[derive(Serialize)]
struct NameRow {
    name: String,
}

fn subjects(out: &mut Out) {
    for name in subject::names() {
        out.result(&NameRow { name }, |row, _| row.name.clone());
    }
}

fn targets(out: &mut Out) -> Code {
    match Workspace::find() {
        Ok(workspace) => {
            workspace.targets.into_iter().for_each(|name| out.result(&NameRow { name }, |row, _| row.name.clone()));
            Code::Clean
        }
        Err(unready) => {
            tell(format_args!("list: {unready}"));
            Code::Usage
        }
    }
}

/// A limit, in messages and in recordings.
#[derive(Serialize)]
pub struct LimitRow {
    /// Its name.
    pub name: &'static str,
    /// The bound for one message; `None` where it bounds recordings alone.
    pub message: Option<usize>,
    /// The bound for a recording.
    pub recording: usize,
    /// The reason that is given past it.
    pub reason: &'static str,
    /// The rule.
    pub requirement: &'static str,
}

/// Every limit.
pub fn limit_rows() -> Vec<LimitRow> {
    let recording = Limits::transcript().rows();
    let mut rows: Vec<_> = Limits::message()
        .rows()
        .into_iter()
        .zip(recording)
        .map(|((name, message, reason), (_, recording, _))| limit_row(name, Some(message), recording, reason))
        .collect();
    rows.push(limit_row("events", None, exchange::MAX_EVENTS, Reason::EventLimit));
    rows.push(limit_row("line", None, exchange::MAX_LINE, Reason::LineLimit));
    rows
}

fn limit_row(name: &'static str, message: Option<usize>, recording: usize, reason: Reason) -> LimitRow {
    LimitRow { name, message, recording, reason: reason.word(), requirement: reason.requirement() }
}

impl LimitRow {
    /// The line for people.
    pub fn line(&self) -> String {
        let message = self.message.map_or("-".to_owned(), |bound| bound.to_string());
        format!("{:<8} message {message:>8}  recording {:>9}  {}", self.name, self.recording, self.reason)
    }
}

fn limits(out: &mut Out) {
    for row in limit_rows() {
        out.result(&row, |row, _| row.line());
    }
}

/// A reason of a refusal.
#[derive(Serialize)]
pub struct ReasonRow {
    /// Its word.
    pub reason: &'static str,
    /// The stage that looks for it.
    pub stage: &'static str,
    /// The code that a server owes.
    pub code: Option<i32>,
    /// The status that a server owes.
    pub http: Option<u16>,
    /// The rule that is broken.
    pub requirement: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

impl From<Reason> for ReasonRow {
    fn from(reason: Reason) -> Self {
        Self {
            reason: reason.word(),
            stage: reason.stage().word(),
            code: reason.code(),
            http: reason.http(),
            requirement: reason.requirement(),
            meaning: reason.meaning(),
        }
    }
}

fn reasons(out: &mut Out) {
    for &reason in Reason::ALL {
        out.result(&ReasonRow::from(reason), |row, _| {
            let code = row.code.map_or("-".to_owned(), |code| code.to_string());
            format!("{:<30} {:<14} {code:>7}  {}", row.reason, row.stage, row.meaning)
        });
    }
}
