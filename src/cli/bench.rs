//! The verb `bench`: measure this checkout, keep the row, and hold it against another one.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use wirebench::bench::compare::{self, Change, Difference, Verdict};
use wirebench::bench::record::{self, Conditions, Ratio, Row};
use wirebench::bench::{machine, measure};
use wirebench::campaign::unready::Unready;

use super::exit::Code;
use super::out::{Out, Paint};
use super::tell;

const EXAMPLES: &str = "\
scripts/bench installs valgrind where it is missing and may be, and runs these verbs: scripts/bench record.

Examples:
  wirebench bench record                                 measure this checkout and keep the row
  wirebench bench record --runs 0 --out base.ndjson      instructions alone, into a file of your own
  wirebench bench compare base.ndjson                    measure this checkout and hold it against that row
  wirebench bench compare 1a2b3c4 benches/record/1.95.0-some-cpu.ndjson";

const COMPARE: &str = "\
A row is the newest one of a file, or that of a commit in benches/record. Wall time is never judged.

Exit codes: 1 a regression, 3 not comparable (another workload, toolchain, processor, profile or counter, or work that
one side lacks), 2 usage or no valgrind, 0 clean.

Examples:
  wirebench bench compare base.ndjson candidate.ndjson
  wirebench bench compare base.ndjson --threshold 1 --format ndjson
  wirebench bench compare 1a2b3c4                        that commit against this checkout, measured now";

/// What `bench` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Count instructions and take ratios, and append a dated row.
    Record(RecordArgs),
    /// Hold a row against another one: exit code 1 when something got slower.
    Compare(CompareArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
struct RecordArgs {
    #[command(flatten)]
    measuring: Measuring,
    /// The file of the row; below benches/record, by toolchain and processor, when not given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = COMPARE)]
struct CompareArgs {
    /// A file of rows, or a commit with a row in benches/record.
    base: String,
    /// The same; this checkout, measured now, when not given.
    candidate: Option<String>,
    /// By how many percent a number may grow.
    #[arg(long, value_name = "PERCENT", default_value_t = compare::THRESHOLD * 100.0, value_parser = percent)]
    threshold: f64,
    #[command(flatten)]
    measuring: Measuring,
}

#[derive(Debug, clap::Args)]
struct Measuring {
    /// How many processes take the ratios; 0 takes none, and fewer than 6 tell too little.
    #[arg(long, default_value_t = measure::FEWEST_RUNS, value_parser = runs)]
    runs: usize,
    /// How many rounds a process times.
    #[arg(long, default_value_t = 9, value_parser = rounds)]
    rounds: usize,
}

/// Why there is no row, and what the command ends with.
struct Failure(Code, String);

impl From<Unready> for Failure {
    fn from(unready: Unready) -> Self {
        Self(Code::Usage, unready.to_string())
    }
}

/// Measures, or compares.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let outcome = match &args.verb {
        Verb::Record(args) => record(args, out),
        Verb::Compare(args) => compare(args, out),
    };
    outcome.unwrap_or_else(|Failure(code, text)| {
        tell(format!("wirebench: {text}"));
        code
    })
}

fn record(args: &RecordArgs, out: &mut Out) -> Result<Code, Failure> {
    let root = machine::root()?;
    let surroundings = surroundings(&root)?;
    let path = args.out.clone().unwrap_or_else(|| surroundings.path(&root.join(record::FOLDER)));
    let failed = |error| Failure(Code::Unreadable, format!("{}: {error}; nothing was written", path.display()));
    record::appendable(&path).map_err(failed)?;
    let row = measured(&root, surroundings, &args.measuring)?;
    record::append(&path, &row).map_err(failed)?;
    out.result(&row, |row, _| table(row));
    tell(format!("bench: added to {}", path.display()));
    Ok(Code::Clean)
}

fn compare(args: &CompareArgs, out: &mut Out) -> Result<Code, Failure> {
    let base = kept(&args.base)?;
    let candidate = match &args.candidate {
        Some(name) => kept(name)?,
        None => {
            let root = machine::root()?;
            let surroundings = surroundings(&root)?;
            // What is known before the minute of measuring is said before it; the workload only shows in measuring.
            let known = Conditions { workload: base.conditions.workload.clone(), ..surroundings.clone() };
            let differences = compare::differences(&base.conditions, &known);
            if !differences.is_empty() {
                return Ok(incomparable(&differences, out));
            }
            let runs = if base.ratios.is_empty() { 0 } else { args.measuring.runs };
            measured(&root, surroundings, &Measuring { runs, ..args.measuring })?
        }
    };
    match compare::compare(&base, &candidate, args.threshold / 100.0) {
        Err(differences) => Ok(incomparable(&differences, out)),
        Ok(changes) => {
            let code = judged(&changes, out);
            if candidate.ratios.is_empty() || base.ratios.is_empty() {
                tell("bench: ratios were not compared: one of the two rows has none");
            }
            Ok(code)
        }
    }
}

/// The newest row of a file, or the row of a commit.
fn kept(name: &str) -> Result<Row, Failure> {
    let path = Path::new(name);
    if path.exists() {
        let rows = record::read(path).map_err(|error| Failure(Code::Unreadable, format!("{name}: {error}")))?;
        return rows.into_iter().next_back().ok_or_else(|| Failure(Code::Unreadable, format!("{name}: no row")));
    }
    let folder = machine::root().map(|root| root.join(record::FOLDER)).unwrap_or_else(|_| record::FOLDER.into());
    record::find(&folder, name).ok_or_else(|| {
        let text = format!("{name:?} is neither a file nor a commit with a row in {}", record::FOLDER);
        Failure(Code::Unreadable, text)
    })
}

/// All conditions but the workload.
fn surroundings(root: &Path) -> Result<Conditions, Unready> {
    let (counter, toolchain, profile) = (measure::counter()?, machine::toolchain(root)?, machine::profile(root)?);
    Ok(Conditions { workload: String::new(), toolchain, cpu: machine::cpu(), profile, counter })
}

fn measured(root: &Path, surroundings: Conditions, args: &Measuring) -> Result<Row, Unready> {
    let commit = machine::commit(root);
    tell("bench: building, then counting instructions");
    let counted = measure::instructions(root)?;
    Ok(Row {
        date: machine::day(SystemTime::now()),
        commit,
        conditions: Conditions { workload: counted.workload, ..surroundings },
        instructions: counted.counts,
        ratios: ratios(root, args),
    })
}

/// A row without ratios is still a row: the other readers are heavy and not everywhere at hand.
fn ratios(root: &Path, args: &Measuring) -> Vec<Ratio> {
    let mut progress = |run| tell(format!("bench: ratios, run {run} of {}", args.runs));
    measure::ratios(root, args.runs, args.rounds, &mut progress).unwrap_or_else(|unready| {
        tell(format!("bench: no ratios: {unready}"));
        Vec::new()
    })
}

fn table(row: &Row) -> String {
    let of = &row.conditions;
    let commit = row.commit.as_deref().unwrap_or("no commit");
    let mut lines = vec![
        format!("{}  {commit}  workload {}", row.date, of.workload),
        format!("{}, {}, {}, {}", of.toolchain, of.cpu, of.profile, of.counter),
    ];
    lines.push(format!("\n{:<28}{:>16}", "shape", "instructions"));
    lines.extend(row.instructions.iter().map(|of| format!("{:<28}{:>16}", of.shape, of.count)));
    if !row.ratios.is_empty() {
        lines.push(format!("\n{:<28}{:<18}{:>8}  time of wirebench over theirs", "shape", "contender", "ratio"));
    }
    lines.extend(
        row.ratios.iter().map(|of| {
            format!("{:<28}{:<18}{:>8.4}  {:.4} to {:.4}", of.shape, of.contender, of.ratio, of.low, of.high)
        }),
    );
    lines.join("\n")
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Change {
        contender: Option<&'a str>,
        shape: &'a str,
        base: f64,
        /// Nothing where the candidate lacks it.
        candidate: Option<f64>,
        percent: Option<f64>,
        verdict: &'static str,
    },
    Condition {
        condition: &'static str,
        base: &'a str,
        candidate: &'a str,
    },
    End {
        verdict: &'static str,
        compared: usize,
        worse: usize,
        better: usize,
    },
}

fn judged(changes: &[Change], out: &mut Out) -> Code {
    for change in changes {
        let found = change.candidate.is_finite();
        let line = Line::Change {
            contender: change.contender.as_deref(),
            shape: &change.shape,
            base: change.base,
            candidate: found.then_some(change.candidate),
            percent: found.then(|| change.share() * 100.0),
            verdict: change.verdict.word(),
        };
        out.result(&line, |_, paint| line_of(change, paint));
    }
    let count = |verdict| changes.iter().filter(|change| change.verdict == verdict).count();
    let (worse, better, lacking) = (count(Verdict::Worse), count(Verdict::Better), count(Verdict::NotComparable));
    let (verdict, code) = match (worse, lacking) {
        (0, 0) if changes.is_empty() => ("not-comparable", Code::Unreadable),
        (0, 0) => ("clean", Code::Clean),
        (0, _) => ("not-comparable", Code::Unreadable),
        _ => ("regression", Code::Findings),
    };
    let compared = changes.len() - lacking;
    let end = Line::End { verdict, compared, worse, better };
    out.result(&end, |_, _| {
        format!("{verdict}: {compared} compared, {worse} worse, {better} better, {lacking} not comparable")
    });
    code
}

fn line_of(change: &Change, paint: Paint) -> String {
    let colour = match change.verdict {
        Verdict::Worse => AnsiColor::Red,
        Verdict::Better => AnsiColor::Green,
        Verdict::NotComparable => AnsiColor::Yellow,
        Verdict::Same => return format!("{}  same", numbers(change)),
    };
    format!("{}  {}", numbers(change), paint.word(Style::new().fg_color(Some(colour.into())), change.verdict.word()))
}

fn numbers(change: &Change) -> String {
    let places = if change.contender.is_some() { 4 } else { 0 };
    let number = |value: f64| if value.is_finite() { format!("{value:.places$}") } else { "-".to_owned() };
    let share = if change.candidate.is_finite() { format!("{:+.2} %", change.share() * 100.0) } else { "-".to_owned() };
    let contender = change.contender.as_deref().unwrap_or("instructions");
    let (base, candidate) = (number(change.base), number(change.candidate));
    format!("{:<28}{contender:<18}{base:>14}{candidate:>14}{share:>11}", change.shape)
}

fn incomparable(differences: &[Difference], out: &mut Out) -> Code {
    for of in differences {
        let line = Line::Condition { condition: of.condition, base: &of.base, candidate: &of.candidate };
        out.result(&line, |_, _| {
            format!("not comparable: {} is {:?} there and {:?} here", of.condition, of.base, of.candidate)
        });
    }
    if out.is_ndjson() {
        out.result(&Line::End { verdict: "not-comparable", compared: 0, worse: 0, better: 0 }, |_, _| String::new());
    }
    tell("bench: record a base on this machine with this toolchain: `wirebench bench record --out base.ndjson`");
    Code::Unreadable
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    number.filter(|number| (0.0..=1000.0).contains(number)).ok_or_else(|| "a number from 0 to 1000".to_owned())
}

fn runs(text: &str) -> Result<usize, String> {
    let fewest = measure::FEWEST_RUNS;
    let number = text.parse().ok().filter(|runs| *runs == 0 || (fewest..=100).contains(runs));
    number.ok_or_else(|| format!("0, or from {fewest} to 100: fewer enclose no median with 95 % confidence"))
}

fn rounds(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|rounds| (1..=1000).contains(rounds)).ok_or_else(|| "from 1 to 1000".to_owned())
}
