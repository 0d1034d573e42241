//! A coverage-guided run over every fuzz target: build, replay regressions, fuzz, triage, report.
//!
//! The engine writes into scratch folders below the folder of the run and never into the committed corpus. What counts
//! is the artifacts that it leaves. A target that does not build or cannot run takes only its own share. Findings are
//! files as soon as they are known; artifacts of a run that was killed are triaged by the next one in the same folder, and
//! its journal says where to go on.

mod after;
mod artifacts;
mod cores;
mod cost;
mod engine;
mod exercise;
mod lines;
mod minimise;
mod schedule;
mod seeds;
pub mod tiers;
mod toolchain;
mod working;
pub mod workspace;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::interrupt::Interrupt;
use super::journal::{Entry, Journal};
use super::unready::Unready;
use crate::corpus::{self, Baseline};
use crate::report::{Cost, End, Head, Run, folder};
use crate::triage::{self, Make, history, store};

use artifacts::Collector;
use cores::{Campaign, Past};
use seeds::Seeds;
use workspace::{Built, Workspace};

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
    /// The working corpus that persists between nights, a folder a target; it may be shared by several machines.
    pub corpus: Option<PathBuf>,
    /// How the targets are built.
    pub tiers: tiers::Choice,
    /// The folder of the run.
    pub out: PathBuf,
}

/// Runs the campaign and writes the reports, `findings/`, `new-seeds/` and `logs/` below the folder of
/// the run. Each step is told to `tell` in a line.
///
/// # Errors
///
/// When the run cannot begin: no engine, no checkout, another run in the folder, a folder that cannot be written.
pub fn run(
    make: &Make<'_>,
    settings: &Settings,
    (journal, past): (&Journal, Vec<Entry>),
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(String),
) -> Result<Run, Unready> {
    let workspace = Workspace::find()?;
    let unwritable = |error: io::Error| Unready::unwritable(&settings.out, &error);
    let out = settings.out.canonicalize().map_err(unwritable)?;
    for folder in ["logs", "findings", "artifacts"] {
        fs::create_dir_all(out.join(folder)).map_err(unwritable)?;
    }
    if let Some(corpus) = &settings.corpus {
        writable(corpus).map_err(|error| {
            let corpus = corpus.display();
            Unready(format!(
                "{corpus} cannot be written ({error}): make room there, or name another folder with --corpus"
            ))
        })?;
    }
    let baseline = Baseline::load(&workspace.root.join(corpus::FOLDER)).map_err(|error| Unready(error.to_string()))?;
    let seeds = gather(&workspace, settings, tell)?;
    let (ways, left_out) = tiers::ways(settings.tiers, settings.time, &workspace)?;
    let mut notes: Vec<String> = left_out.into_iter().collect();
    notes.iter().for_each(|note| tell(note.clone()));
    let names: Vec<&str> = ways.iter().rev().map(|way| way.tier().word()).collect();
    tell(format!("tier {}: building {} fuzz targets", names.join(" and "), workspace.targets.len()));
    let began = Instant::now();
    let (built, failed) = tiers::build(&workspace, &ways, &out.join("logs"), interrupt, tell)?;
    let building_seconds = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let shown = settings.out.display().to_string();
    let mut collector = Collector::new(make, &out, &shown, &baseline);
    let past = Past::of(past);
    if past.has_begun {
        past.findings.iter().cloned().for_each(|kept| collector.restore(kept));
    } else {
        replay_regressions(&workspace, &mut collector, journal).map_err(unwritable)?;
    }
    let campaign = Campaign { settings, built: &built, out: &out, journal, past: &past, interrupt };
    let (mut targets, executing) = campaign.run(&seeds, &mut collector, tell).map_err(unwritable)?;
    targets.extend(failed);
    targets.sort_by_key(|row| {
        let tier = names.iter().position(|name| row.tier.as_deref() == Some(name));
        (tier, workspace.targets.iter().position(|name| *name == row.target))
    });
    let stale = collector.stale(&workspace.root.join(corpus::FOLDER));
    let mut findings = collector.into_rows();
    let kept = settings.corpus.as_deref().unwrap_or(&out);
    if let Err(error) = history::note(kept, history::commit(&workspace.root).as_deref(), &mut findings) {
        tell(format!("the history in {} cannot be written: {error}", kept.display()));
    }
    let mut end = End {
        cases: targets.iter().map(|target| target.executions).sum(),
        findings: findings.len() as u64,
        stale,
        ..End::default()
    };
    after::measure(make, &workspace, &campaign, &mut end, &mut notes).map_err(unwritable)?;
    end.interrupted = interrupt.is_set();
    let cost = Cost {
        executing,
        building_seconds,
        running_seconds: began.elapsed().as_secs_f64(),
        memory_mb: cost::memory_mb(),
        folder_bytes: cost::folder_bytes(&out),
    };
    end.notes = notes;
    end.cost = Some(cost);
    let head = Head {
        verb: "nightly".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        subject: settings.subject.clone(),
        seed: Some(settings.seed),
        tier: Some(tiers_of(&names, &built).into()),
        budget_seconds: Some(settings.time.as_secs()),
    };
    let run = Run { head, targets, findings, end };
    report(&run, &out).map_err(unwritable)?;
    if !interrupt.is_set() {
        journal.append(&Entry::End).map_err(unwritable)?;
    }
    Ok(run)
}

/// Writes a file into the folder and removes it, so that a night does not end in what it could have known.
fn writable(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".probe.{}.part", std::process::id()));
    store::replace(&probe, b"\n")?;
    fs::remove_file(probe)
}

/// The tiers that have a target which builds.
fn tiers_of(names: &[&str], built: &[Built]) -> String {
    let ran = names.iter().filter(|name| built.iter().any(|built| built.tier.word() == **name));
    let ran: Vec<&str> = ran.copied().collect();
    if ran.is_empty() { "none".to_owned() } else { ran.join("+") }
}

/// Writes the reports of a run below its folder.
///
/// # Errors
///
/// What the file system reports.
pub fn report(run: &Run, out: &Path) -> io::Result<()> {
    let record = corpus::find().map(|corpus| corpus.with_file_name("benches").join("record"));
    // What lies beside a run is no reason to lose its report.
    let beside = folder::beside(out, record.as_deref()).unwrap_or_default();
    folder::write(run, &beside, out)
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
fn replay_regressions(workspace: &Workspace, collector: &mut Collector<'_>, journal: &Journal) -> io::Result<()> {
    let regressions = workspace.root.join(corpus::FOLDER).join("regressions");
    if !regressions.is_dir() {
        return Ok(());
    }
    for path in corpus::files(&regressions)? {
        let evidence = triage::decode(&fs::read(regressions.join(path))?);
        if let Some(kept) = collector.add_evidence("regressions", evidence)? {
            journal.append(&Entry::Found(kept))?;
        }
    }
    Ok(())
}
