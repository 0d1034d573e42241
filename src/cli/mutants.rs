//! The verb `mutants`: which invariant kills which mutant, after how many cases, and how small the proof is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;
use wirebench::campaign::draw::{Dice, Drawn};
use wirebench::campaign::interrupt::Interrupt;
use wirebench::finding::Evidence;
use wirebench::oracle::kill::{self, Kill};
use wirebench::subject::mutant::{self, Mutant};

use super::exit::{Code, interrupt};
use super::out::Out;
use super::{fuzz, tell};

const EXAMPLES: &str = "\
Each mutant is the codec with one fault that really happened; each names the invariant that must see it.

Examples:
  wirebench mutants
  wirebench mutants --seed 7 --cases 50000 --format ndjson
  wirebench mutants era.header-wins";

/// What `mutants` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Which mutants; all by default.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Where the draws come from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many draws a mutant may live through.
    #[arg(long, default_value_t = 20_000)]
    cases: u64,
}

#[derive(Serialize)]
struct Row {
    mutant: &'static str,
    killed: bool,
    by: Option<&'static str>,
    cases: u64,
    bytes: Option<usize>,
}

/// Hunts each mutant and prints the matrix in the order in which mutants are listed.
pub fn run(args: &Args, out: &mut Out) -> Code {
    if let Some(unknown) = args.ids.iter().find(|id| mutant::by_id(id).is_none()) {
        tell(format!("mutants: there is no mutant {unknown:?}; `wirebench mutants` without an id shows all"));
        return Code::Usage;
    }
    let wanted: Vec<&Mutant> =
        mutant::all().filter(|mutant| args.ids.is_empty() || args.ids.iter().any(|id| id == mutant.id)).collect();
    if args.cases == 0 {
        tell("mutants: no draws, so nothing was tested; give --cases 1 or more");
        return Code::Unreadable;
    }
    let interrupt = match interrupt() {
        Ok(interrupt) => interrupt,
        Err(code) => return code,
    };
    tell(format!("seed {}", args.seed));
    let kills = hunted(&wanted, args.seed, args.cases, &interrupt);
    let rows: Vec<Row> =
        kills.iter().zip(&wanted).filter_map(|(kill, mutant)| Some(row(kill.as_ref()?, mutant))).collect();
    for row in &rows {
        out.result(row, |row, _| match (row.by, row.bytes) {
            (Some(by), Some(bytes)) => format!("{:<40} {by:<46} {:>6} cases {bytes:>5} bytes", row.mutant, row.cases),
            _ => format!("{:<40} {:<46} {:>6} cases", row.mutant, "ALIVE", row.cases),
        });
    }
    summary(&rows);
    if rows.len() < wanted.len() {
        tell(format!(
            "mutants: interrupted, {} of {} were not hunted to the end",
            wanted.len() - rows.len(),
            wanted.len()
        ));
    }
    tell(format!("seed {}", args.seed));
    let interrupted = if rows.len() < wanted.len() { Code::Interrupted } else { Code::Clean };
    interrupted.max(if rows.iter().all(|row| row.killed) { Code::Clean } else { Code::Findings })
}

/// Draws between two looks at the interrupt.
const STRETCH: u64 = 256;

/// One hunt a mutant, on as many threads as the machine has; the draws of each are its own. `None` for a hunt that was
/// interrupted.
fn hunted(wanted: &[&Mutant], seed: u64, cases: u64, interrupt: &Interrupt) -> Vec<Option<Kill>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![None; wanted.len()]);
    let work = || {
        let mut dice = Dice::new(seed);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = wanted.get(at) else { return };
            let kill = hunt(mutant, cases, &mut dice, interrupt);
            done.lock().unwrap_or_else(PoisonError::into_inner)[at] = kill;
        }
    };
    thread::scope(|scope| {
        // This thread works as well, so a system that gives no other slows the hunts and changes nothing in them.
        for _ in 1..fuzz::cores() {
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The hunt in stretches: no draw depends on the one before it.
fn hunt(mutant: &Mutant, cases: u64, dice: &mut Dice, interrupt: &Interrupt) -> Option<Kill> {
    let mut before = 0;
    while before < cases {
        if interrupt.is_set() {
            return None;
        }
        let kill = kill::hunt(mutant, STRETCH.min(cases - before), |index| evidence(dice.draw(before + index, &[])));
        before += kill.cases;
        if kill.finding.is_some() {
            return Some(Kill { cases: before, ..kill });
        }
    }
    Some(Kill { cases, finding: None })
}

fn evidence(drawn: Drawn) -> Evidence {
    match drawn {
        Drawn::Case(generated) => Evidence::Case(generated.value),
        Drawn::Changed(case) => Evidence::Case(case),
        Drawn::Session(session) => Evidence::Session(session),
    }
}

fn row(kill: &Kill, mutant: &Mutant) -> Row {
    let by = kill.finding.as_ref().map(|finding| finding.invariant);
    Row { mutant: mutant.id, killed: by.is_some(), by, cases: kill.cases, bytes: kill.bytes() }
}

fn summary(rows: &[Row]) {
    let mut cases: Vec<u64> = rows.iter().filter(|row| row.killed).map(|row| row.cases).collect();
    cases.sort_unstable();
    let bytes: Vec<usize> = rows.iter().filter_map(|row| row.bytes).collect();
    let mean = bytes.iter().sum::<usize>() / bytes.len().max(1);
    let median = cases.get(cases.len() / 2).copied().unwrap_or(0);
    tell(format!(
        "{} of {} killed, median {median} cases, most {}, mean {mean} bytes, most {}",
        cases.len(),
        rows.len(),
        cases.last().copied().unwrap_or(0),
        bytes.iter().max().copied().unwrap_or(0),
    ));
}
