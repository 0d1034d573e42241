//! A coverage-guided run over every fuzz target: build, replay regressions, fuzz, triage, report.
//!
//! The engine writes into scratch folders below the folder of the run and never into the committed corpus. What counts
//! is the artifacts that it leaves. A target that does not build or cannot run takes only its own share. Findings are
//! files as soon as they are known; artifacts of a run that was killed are triaged by the next one in the same folder.

mod artifacts;
mod engine;
mod schedule;
mod seeds;
pub mod workspace;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::interrupt::Interrupt;
use crate::corpus::{self, Baseline};
use crate::report::{End, Head, Run, Target, TargetState, markdown, ndjson};
use crate::triage::{self, Make, store};

use artifacts::Collector;
use engine::Place;
use schedule::Stretch;
use seeds::Seeds;
use workspace::{Built, Unready, Workspace};

/// What is asked of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Fuzzing time over all targets; builds and triage come on top.
    pub time: Duration,
    /// What the engine's own choices start from.
    pub seed: u64,
    /// How many processes run at once.
    pub cores: usize,
    /// Recorded traffic to start from, beside the committed corpus.
    pub seeds: Vec<PathBuf>,
    /// The name of the subject, for the targets.
    pub subject: String,
    /// The folder of the run.
    pub out: PathBuf,
}

/// The largest seed for a target that states no limit of its own.
const LONGEST: usize = 1 << 20;

/// Runs the campaign and writes `report.md`, `report.ndjson`, `findings/` and `logs/` below the folder of the run. Each
/// step is told to `tell` in a line.
///
/// # Errors
///
/// When the run cannot begin: no engine, no checkout, another run in the folder, a folder that cannot be written.
pub fn run(
    make: &Make<'_>,
    settings: &Settings,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(String),
) -> Result<Run, Unready> {
    let workspace = Workspace::find()?;
    let _lock = lock(&settings.out)?;
    let unwritable = |error: io::Error| Unready(format!("{} cannot be used: {error}", settings.out.display()));
    let out = settings.out.canonicalize().map_err(unwritable)?;
    for folder in ["logs", "findings", "artifacts"] {
        fs::create_dir_all(out.join(folder)).map_err(unwritable)?;
    }
    let baseline = Baseline::load(&workspace.root.join(corpus::FOLDER)).map_err(|error| Unready(error.to_string()))?;
    let seeds = gather(&workspace, settings, tell)?;
    tell(format!("building {} fuzz targets", workspace.targets.len()));
    let (built, failed) = workspace.build(&out.join("logs"))?;
    for target in &failed {
        tell(format!("{target} does not build, see {}", out.join("logs/build.log").display()));
    }
    let shown = settings.out.display().to_string();
    let mut collector = Collector::new(make, &out, &shown, &baseline);
    replay_regressions(&workspace, &mut collector).map_err(unwritable)?;
    let ran = campaign(settings, &built, &seeds, &mut collector, &out, interrupt, tell);
    let mut targets = ran.map_err(unwritable)?;
    targets.extend(failed.into_iter().map(|target| Target {
        target,
        state: TargetState::BuildFailed,
        ..Target::default()
    }));
    targets.sort_by_key(|row| workspace.targets.iter().position(|name| *name == row.target));
    let findings = collector.into_rows();
    let end = End {
        cases: targets.iter().map(|target| target.executions).sum(),
        findings: findings.len() as u64,
        interrupted: interrupt.is_set(),
        ..End::default()
    };
    let head = Head {
        verb: "nightly",
        version: env!("CARGO_PKG_VERSION"),
        subject: settings.subject.clone(),
        seed: Some(settings.seed),
        tier: Some("quick"),
        budget_seconds: Some(settings.time.as_secs()),
    };
    let run = Run { head, targets, findings, end };
    report(&run, &out).map_err(unwritable)?;
    Ok(run)
}

/// Writes the reports of a run below its folder.
///
/// # Errors
///
/// What the file system reports.
pub fn report(run: &Run, out: &Path) -> io::Result<()> {
    let (mut page, mut rows) = (Vec::new(), Vec::new());
    markdown::write(run, &mut page)?;
    ndjson::write(run, &mut rows)?;
    store::replace(&out.join("report.md"), &page)?;
    store::replace(&out.join("report.ndjson"), &rows)
}

/// Holds the folder for this run alone; the hold ends with the process, however it ends.
fn lock(out: &Path) -> Result<File, Unready> {
    let unwritable = |error: io::Error| {
        Unready(format!("{} cannot be written ({error}): name another folder with --out", out.display()))
    };
    fs::create_dir_all(out).map_err(unwritable)?;
    let file = File::create(out.join("lock")).map_err(unwritable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Unready(format!(
            "another run works in {}: wait for it, or name another folder with --out",
            out.display()
        ))),
        Err(TryLockError::Error(error)) => Err(unwritable(error)),
    }
}

fn gather(workspace: &Workspace, settings: &Settings, tell: &mut dyn FnMut(String)) -> Result<Seeds, Unready> {
    let mut seeds = Seeds::default();
    let folder = workspace.root.join(corpus::FOLDER);
    let unreadable = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| Unready(format!("{path} cannot be read: {error}"))
    };
    seeds.add_corpus(&folder).map_err(unreadable(&folder))?;
    for path in &settings.seeds {
        seeds.add_recorded(path).map_err(unreadable(path))?;
    }
    if seeds.unreadable > 0 {
        tell(format!("{} files below --seeds hold no message that can be read and are left out", seeds.unreadable));
    }
    Ok(seeds)
}

/// Shows the committed regressions to the subject.
fn replay_regressions(workspace: &Workspace, collector: &mut Collector<'_>) -> io::Result<()> {
    let regressions = workspace.root.join(corpus::FOLDER).join("regressions");
    if !regressions.is_dir() {
        return Ok(());
    }
    corpus::files(&regressions)?
        .iter()
        .try_for_each(|path| collector.add_evidence("regressions", triage::decode(&fs::read(regressions.join(path))?)))
}

/// Fuzzes the targets and triages what they leave.
fn campaign(
    settings: &Settings,
    built: &[Built],
    seeds: &Seeds,
    collector: &mut Collector<'_>,
    out: &Path,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(String),
) -> io::Result<Vec<Target>> {
    let mut rows = Vec::new();
    for target in built {
        let place = place(out, &target.target, 0);
        fs::create_dir_all(&place.corpus)?;
        fs::create_dir_all(&place.artifacts)?;
        let longest = target.options.iter().find_map(|flag| flag.strip_prefix("-max_len=")?.parse().ok());
        let seeds = seeds.write(&target.target, longest.unwrap_or(LONGEST), &place.seeds)?;
        rows.push(Target { target: target.target.clone(), seeds, ..Target::default() });
    }
    if !built.is_empty() {
        tell(format!("fuzzing {} targets on {} cores", built.len(), settings.cores));
        for part in fuzz(settings, built, out, interrupt)? {
            let row =
                rows.iter_mut().find(|row| row.target == part.target).expect("every stretch is of a built target");
            add(row, part);
        }
    }
    for (row, target) in rows.iter_mut().zip(built) {
        let place = place(out, &target.target, 0);
        row.corpus = fs::read_dir(&place.corpus)?.count() as u64;
        let mut left = engine::artifacts(&place.artifacts)?;
        left.sort_by_key(|path| fs::metadata(path).map_or(u64::MAX, |meta| meta.len()));
        row.artifacts = left.len() as u64;
        if !left.is_empty() {
            tell(format!("{}: {} artifacts to triage", target.target, left.len()));
        }
        for artifact in left {
            collector.add_artifact(target, &artifact, &Interrupt::default())?;
            // Its finding is on disk under its own name by now.
            fs::remove_file(&artifact)?;
        }
    }
    tell(format!("{} findings", collector.count()));
    Ok(rows)
}

/// Runs every core's stretches, one after another.
fn fuzz(settings: &Settings, built: &[Built], out: &Path, interrupt: &Interrupt) -> io::Result<Vec<Target>> {
    let plan = schedule::plan(built.len(), settings.cores, settings.time.as_secs());
    let core = |(index, stretches): (usize, &Vec<Stretch>)| -> io::Result<Vec<Target>> {
        let one = |stretch: &Stretch| {
            let target = &built[stretch.target];
            let place = place(out, &target.target, index);
            let seed = (settings.seed as u32).wrapping_add(index as u32 * 1000);
            let time = Duration::from_secs(stretch.seconds);
            engine::stretch(target, &place, &settings.subject, seed, time, interrupt)
        };
        stretches.iter().map(one).collect()
    };
    thread::scope(|scope| {
        let cores: Vec<_> = plan.iter().enumerate().map(|at| scope.spawn(move || core(at))).collect();
        let joined = cores.into_iter().map(|core| core.join().expect("a core only reports"));
        joined.collect::<io::Result<Vec<_>>>().map(|parts| parts.into_iter().flatten().collect())
    })
}

fn place(out: &Path, target: &str, core: usize) -> Place {
    Place {
        corpus: out.join("corpus").join(target),
        seeds: out.join("seeds").join(target),
        artifacts: out.join("artifacts").join(target),
        log: out.join("logs").join(format!("{target}.{core}.log")),
    }
}

fn add(row: &mut Target, part: Target) {
    row.executions += part.executions;
    row.seconds += part.seconds;
    row.coverage = row.coverage.max(part.coverage);
    row.features = row.features.max(part.features);
    row.restarts += part.restarts;
    if part.state != TargetState::Ran {
        row.state = part.state;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_on_one_folder_refuse() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(folder.path()).unwrap();
        let second = lock(folder.path()).unwrap_err();
        assert!(second.0.contains("another run"), "{second}");
        drop(first);
        assert!(lock(folder.path()).is_ok());
    }

    #[test]
    fn a_folder_that_cannot_be_made_says_what_to_do() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let refused = lock(&file.path().join("below")).unwrap_err();
        assert!(refused.0.contains("--out"), "{refused}");
    }
}
