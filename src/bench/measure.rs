//! How many instructions does the checkout need, and how does its time compare with that of others?
//!
//! Instructions are counted by callgrind over the bench `instructions`, one dump a shape: the same counts as a harness
//! around it would give, with nothing to install beside valgrind. Ratios come from `scripts/bench versus`, a process a
//! run; between two processes memory lies elsewhere, which a single one would never show.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::machine::said;
use super::record::{Count, Ratio};
use crate::campaign::unready::Unready;

/// The fewest runs whose smallest and largest ratio enclose the median with 95 % confidence.
pub const FEWEST_RUNS: usize = 6;

/// Realistic messages and both framings. Growth on hostile ones shows in instructions, without noise.
const SHAPES: &[&str] = &["mixed", "tools-30", "frames-"];

const OURS: &str = "wirebench";

/// What was counted.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The digest of all inputs.
    pub workload: String,
    /// Instructions a shape.
    pub counts: Vec<Count>,
}

#[derive(Deserialize)]
struct Done {
    workload: Option<String>,
    shape: Option<String>,
    work: Option<String>,
}

#[derive(Deserialize)]
struct Timed {
    contender: Option<String>,
    shape: Option<String>,
    ns_min: Option<f64>,
}

#[derive(Deserialize)]
struct Artifact {
    executable: Option<PathBuf>,
}

/// Who counts: `callgrind` and the version of valgrind.
///
/// # Errors
///
/// When there is no valgrind: how to get it.
pub fn counter() -> Result<String, Unready> {
    let version = said(Command::new("valgrind").arg("--version"));
    let version = version.and_then(|version| Some(version.trim().strip_prefix("valgrind-")?.to_owned()));
    version.map(|version| format!("callgrind {version}")).ok_or_else(|| {
        Unready(
            "valgrind is not there, and it counts the instructions; nothing was run.\nOn Debian: apt-get install \
             valgrind (scripts/bench does so where it may); else install it and put it on PATH."
                .to_owned(),
        )
    })
}

/// Builds the bench and counts, in `target/instructions-<process>`, which is removed afterwards.
///
/// # Errors
///
/// When the bench does not build or run, or the dumps do not fit its rows.
pub fn instructions(root: &Path) -> Result<Counted, Unready> {
    let program = build(root)?;
    let scratch = root.join("target").join(format!("instructions-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| Unready(format!("{} cannot be made: {error}", scratch.display())))?;
    let counted = count(&program, &scratch);
    // What is left there harms nobody and is overwritten by nobody.
    let _ = fs::remove_dir_all(&scratch);
    counted
}

/// Without the command's own dependencies, so that a change of the command changes no count.
fn build(root: &Path) -> Result<PathBuf, Unready> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["bench", "--quiet", "--locked", "--no-default-features", "--bench", "instructions", "--no-run"]);
    let built = cargo.arg("--message-format=json-render-diagnostics").current_dir(root).stdin(Stdio::null());
    let output = built.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| Unready(format!("cargo cannot be started: {error}")))?;
    let artifacts = output.stdout.split(|byte| *byte == b'\n');
    let mut programs = artifacts.filter_map(|line| serde_json::from_slice::<Artifact>(line).ok()?.executable);
    match programs.next_back() {
        Some(program) if output.status.success() => Ok(program),
        _ => Err(Unready("the bench `instructions` does not build; see above".to_owned())),
    }
}

fn count(program: &Path, scratch: &Path) -> Result<Counted, Unready> {
    // The environment lies on the stack of the program and moves what is aligned there.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut valgrind = Command::new("valgrind");
    valgrind.env_clear().env("PATH", path).current_dir(scratch).stdin(Stdio::null());
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=counts", "--dump-line=no", "--collect-atstart=no"]);
    valgrind.args(["--toggle-collect=wirebench_measured", "--dump-after=wirebench_measured"]);
    let output = valgrind.arg(program).output();
    let output = output.map_err(|error| Unready(format!("valgrind cannot be started: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let end: Vec<_> = said.lines().rev().take(10).collect();
        let end: Vec<_> = end.into_iter().rev().collect();
        return Err(Unready(format!("the bench `instructions` fails under valgrind:\n{}", end.join("\n"))));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut counted = Counted { workload: String::new(), counts: Vec::new() };
    for done in printed.lines().filter_map(|line| serde_json::from_str::<Done>(line).ok()) {
        if let (Some(shape), Some(work)) = (done.shape, done.work) {
            let dump = fs::read_to_string(scratch.join(format!("counts.{}", counted.counts.len() + 1)));
            let count = dump.ok().and_then(|dump| total(&dump));
            let count = count.ok_or_else(|| Unready(format!("valgrind counted nothing for {shape}")))?;
            counted.counts.push(Count { shape, work, count });
        }
        counted.workload = done.workload.unwrap_or(counted.workload);
    }
    if counted.workload.is_empty() {
        return Err(Unready("the bench `instructions` ended without the digest of its workload".to_owned()));
    }
    Ok(counted)
}

fn total(dump: &str) -> Option<u64> {
    let total = dump.lines().find_map(|line| line.strip_prefix("totals:"))?.trim().parse().ok()?;
    (total > 0).then_some(total)
}

/// Times wirebench beside the others, in so many processes of so many rounds; `progress` is told each run.
///
/// # Errors
///
/// When the comparison does not build or run. It stands in a workspace of its own with heavy dependencies.
pub fn ratios(root: &Path, runs: usize, rounds: usize, progress: &mut dyn FnMut(usize)) -> Result<Vec<Ratio>, Unready> {
    let mut samples: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
    for run in 0..runs {
        progress(run + 1);
        for shape in SHAPES {
            let mut versus = Command::new(root.join("scripts/bench"));
            versus.args(["versus", "--format", "ndjson", "--only", shape, "--rounds", &rounds.to_string()]);
            let output = versus.current_dir(root).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
            let output = output.map_err(|error| Unready(format!("scripts/bench cannot be started: {error}")))?;
            if !output.status.success() {
                return Err(Unready("`scripts/bench versus` fails; see above".to_owned()));
            }
            for (key, ratio) in against_ours(&String::from_utf8_lossy(&output.stdout)) {
                samples.entry(key).or_default().push(ratio);
            }
        }
    }
    let whole = samples.into_iter().filter(|(_, samples)| samples.len() == runs);
    Ok(whole.map(|((shape, contender), samples)| summary(contender, shape, samples)).collect())
}

/// The time of wirebench over that of each contender that is not wirebench itself.
fn against_ours(printed: &str) -> Vec<((String, String), f64)> {
    let times = printed.lines().filter_map(|line| {
        let Timed { contender, shape, ns_min } = serde_json::from_str(line).ok()?;
        Some((shape?, contender?, ns_min.filter(|time| *time > 0.0)?))
    });
    let (ours, others): (Vec<_>, Vec<_>) = times.partition(|(_, contender, _)| contender == OURS);
    let ours: BTreeMap<_, _> = ours.into_iter().map(|(shape, _, time)| (shape, time)).collect();
    let others = others.into_iter().filter(|(_, contender, _)| !contender.starts_with(OURS));
    others
        .filter_map(|(shape, contender, time)| {
            let ratio = ours.get(&shape)? / time;
            Some(((shape, contender), ratio))
        })
        .collect()
}

/// The median with the interval of order statistics that holds it with at least 95 % confidence, whatever the
/// distribution of the noise is.
fn summary(contender: String, shape: String, mut samples: Vec<f64>) -> Ratio {
    samples.sort_by(f64::total_cmp);
    let runs = samples.len();
    let cut = cut(runs);
    let ratio = f64::midpoint(samples[(runs - 1) / 2], samples[runs / 2]);
    Ratio { contender, shape, ratio, low: samples[cut], high: samples[runs - 1 - cut], runs }
}

/// How many samples lie outside the interval at each end: the most for which the binomial tail stays below 2.5 %.
fn cut(runs: usize) -> usize {
    let mut term = 0.5f64.powi(i32::try_from(runs).unwrap_or(i32::MAX));
    let (mut tail, mut cut) = (term, 0);
    loop {
        term *= (runs - cut) as f64 / (cut + 1) as f64;
        tail += term;
        if tail > 0.025 || cut + 1 > (runs - 1) / 2 {
            return cut;
        }
        cut += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_sign_test() {
        assert_eq!([1, 5, 6, 8, 9, 12, 20].map(cut), [0, 0, 0, 0, 1, 2, 5]);
        let of = summary("value".into(), "mixed".into(), vec![0.5, 0.1, 0.3, 0.2, 0.4, 0.6]);
        assert_eq!((of.low, of.ratio, of.high, of.runs), (0.1, 0.35, 0.6, 6));
    }

    #[test]
    fn ratios_are_ours_over_theirs_on_the_same_shape() {
        let printed = r#"{"contender":"wirebench","shape":"a","bytes":1,"ns_min":10.0,"mb_s":1}
{"contender":"wirebench-fresh","shape":"a","bytes":1,"ns_min":11.0,"mb_s":1}
{"contender":"value","shape":"a","bytes":1,"ns_min":40.0,"mb_s":1}
{"contender":"value","shape":"b","bytes":1,"ns_min":40.0,"mb_s":1}
{"shape":"a","size":4000,"growth":2.00}
"#;
        assert_eq!(against_ours(printed), [(("a".to_owned(), "value".to_owned()), 0.25)]);
    }

    #[test]
    fn a_dump_without_a_total_counts_nothing() {
        assert_eq!(total("events: Ir\nsummary: 12\n\ntotals: 12\n"), Some(12));
        assert_eq!(total("events: Ir\ntotals: 0\n"), None);
        assert_eq!(total(""), None);
    }
}
