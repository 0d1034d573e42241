//! The verb `mutants`: which invariant kills which mutant, after how many cases, and how small the proof is.

use wirebench::campaign::hunt::{self, Row};
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
    let rows = hunt::all(&wanted, args.seed, args.cases, fuzz::cores(), &|| interrupt.is_set());
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
