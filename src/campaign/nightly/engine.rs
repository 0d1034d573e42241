//! One fuzz target under libFuzzer: started, watched, started again after a crash, and read by its log.
//!
//! What was found is judged by the artifacts that are left, never by an exit code.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::workspace::{Built, Tier};
use crate::campaign::interrupt::Interrupt;
use crate::report::{Sample, Target, TargetState};

/// Where a target works, below the folder of the run.
#[derive(Clone, Debug)]
pub struct Place {
    /// The working corpus: the first folder that the engine is given, and so the one that it writes to.
    pub corpus: PathBuf,
    /// The seeds in the shape that the target reads; only read by the engine.
    pub seeds: PathBuf,
    /// What earlier nights kept, on this machine or on others; only read by the engine.
    pub kept: Option<PathBuf>,
    /// Values that earned their place, for the engine's own mutations.
    pub dictionary: PathBuf,
    /// What the engine leaves of inputs that failed.
    pub artifacts: PathBuf,
    /// The log of the stretches on one core.
    pub log: PathBuf,
}

/// A log that is longer is begun anew at the next start, so that a night of crashes cannot fill a disk.
const LOG_BYTES: u64 = 8 << 20;

/// Starts in a row that end within a second and leave nothing new, after which a stretch is given up.
const FRUITLESS: u32 = 3;

/// Restarts of one stretch, after which more crashes tell nothing new.
const RESTARTS: u64 = 500;

/// How often the time that a stretch took is noted: what a kill costs of the budget.
const NOTED: Duration = Duration::from_secs(5);

/// How long past its time an engine may take to end before it is killed.
const GRACE: Duration = Duration::from_secs(20);

/// What is asked of one stretch.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The name of the subject.
    pub subject: &'a str,
    /// What the engine's choices start from.
    pub seed: u32,
    /// Its length.
    pub time: Duration,
    /// How long after the begin of the fuzzing it begins.
    pub since: Duration,
}

/// What is told while a stretch runs.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Time went by.
    Spent(Duration),
    /// An engine ended; its counts alone.
    Ran(&'a Target),
}

/// Runs one stretch, with restarts while its time lasts.
///
/// # Errors
///
/// When the folders or the log cannot be written, or the program cannot be started.
pub fn stretch(
    built: &Built,
    place: &Place,
    Asked { subject, seed, time, since }: Asked<'_>,
    interrupt: &Interrupt,
    note: &dyn Fn(Step<'_>),
) -> io::Result<Target> {
    let mut told = row(built);
    let started = Instant::now();
    let mut fruitless = 0;
    let mut run = 0;
    while !interrupt.is_set() {
        let left = time.saturating_sub(started.elapsed());
        if left < Duration::from_secs(1) {
            return Ok(told);
        }
        let before = artifacts(&place.artifacts)?;
        let (offset, log) = open(&place.log)?;
        let mut command = built.command(subject);
        command.args([&place.corpus, &place.seeds]).args(&place.kept).args(&built.options);
        command.arg(format!("-dict={}", place.dictionary.display()));
        command.arg(format!("-artifact_prefix={}/", place.artifacts.display()));
        command.arg(format!("-max_total_time={}", left.as_secs()));
        // Zero would let the engine choose.
        command.arg(format!("-seed={}", seed.wrapping_add(run).max(1)));
        command.args(["-print_final_stats=1", "-reload=1"]).stderr(log);
        let since = since + started.elapsed();
        let began = Instant::now();
        let ended = watch(&mut command, left + GRACE, interrupt, &mut |spent| note(Step::Spent(spent)))?;
        let took = began.elapsed();
        let mut part = Target { seconds: took.as_secs_f64(), ..row(built) };
        read_log(&place.log, offset, since.as_secs(), &mut part)?;
        note(Step::Ran(&part));
        told.add(&part);
        run += 1;
        if ended == Ended::InTime && left.saturating_sub(took) < Duration::from_secs(1) {
            return Ok(told);
        }
        let after = artifacts(&place.artifacts)?;
        let new: Vec<&PathBuf> = after.iter().filter(|path| !before.contains(path)).collect();
        forget(&place.seeds, &new)?;
        forget(&place.corpus, &new)?;
        fruitless = if new.is_empty() && took < Duration::from_secs(1) { fruitless + 1 } else { 0 };
        told.restarts += 1;
        if fruitless >= FRUITLESS || told.restarts >= RESTARTS {
            told.state = TargetState::EndsAtOnce;
            return Ok(told);
        }
    }
    told.state = TargetState::Interrupted;
    Ok(told)
}

/// The row of a target before anything was run.
pub fn row(built: &Built) -> Target {
    Target { target: built.target.clone(), ..row_of(built.tier) }
}

/// The row of a tier without the name of a target.
pub fn row_of(tier: Tier) -> Target {
    Target { tier: Some(tier.word().into()), ..Target::default() }
}

/// The files that an engine left, but those that a slow input left: they are no failures.
///
/// # Errors
///
/// What the file system reports.
pub fn artifacts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("slow-unit-")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// How a program that was watched ended.
#[derive(PartialEq)]
pub(super) enum Ended {
    InTime,
    Killed,
}

/// Waits for the program; kills it when it is late or the run is interrupted. Tells the time that went by now and then
/// and at the end.
pub(super) fn watch(
    command: &mut Command,
    limit: Duration,
    interrupt: &Interrupt,
    spent: &mut dyn FnMut(Duration),
) -> io::Result<Ended> {
    let mut child = command.env("WIREBENCH_PARENT", std::process::id().to_string()).spawn()?;
    let started = Instant::now();
    let mut told = Duration::ZERO;
    loop {
        let ended = child.try_wait()?.is_some();
        let elapsed = started.elapsed();
        if ended || elapsed >= told + NOTED {
            spent(elapsed - told);
            told = elapsed;
        }
        if ended {
            return Ok(Ended::InTime);
        }
        if interrupt.is_set() || elapsed > limit {
            // It may have ended by itself in between.
            let _ = child.kill();
            child.wait()?;
            spent(started.elapsed() - told);
            return Ok(Ended::Killed);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn open(log: &Path) -> io::Result<(u64, File)> {
    let length = fs::metadata(log).map_or(0, |meta| meta.len());
    let whole = length > LOG_BYTES;
    let mut options = OpenOptions::new();
    let file = if whole { options.write(true).truncate(true) } else { options.append(true) }.create(true).open(log)?;
    Ok((if whole { 0 } else { length }, file))
}

/// Removes from the folder what failed, so that the next start gets past it.
fn forget(folder: &Path, failed: &[&PathBuf]) -> io::Result<()> {
    for artifact in failed {
        let bytes = fs::read(artifact)?;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.metadata().is_ok_and(|meta| meta.is_file() && meta.len() == bytes.len() as u64)
                && fs::read(entry.path()).is_ok_and(|other| other == bytes)
            {
                fs::remove_file(entry.path())?;
            }
        }
    }
    Ok(())
}

/// Reads what a start that began after so many seconds of fuzzing wrote to the log.
fn read_log(log: &Path, offset: u64, since: u64, told: &mut Target) -> io::Result<()> {
    let mut file = File::open(log)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let said = Said::of(&String::from_utf8_lossy(&text));
    told.executions = said.executions;
    told.coverage = said.coverage;
    told.memory_mb = said.memory_mb;
    told.features = said.features;
    told.samples = said.samples;
    told.samples.iter_mut().for_each(|sample| sample.seconds += since);
    Ok(())
}

/// What the lines of one start say.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    executions: u64,
    coverage: u64,
    features: u64,
    memory_mb: u64,
    /// At most one a second, counted from the start; each tells the executions since the one before it.
    samples: Vec<Sample>,
}

impl Said {
    fn of(text: &str) -> Self {
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        let mut read = Self::default();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("stat::number_of_executed_units:") => read.executions = number(words.next()).max(read.executions),
                Some("stat::peak_rss_mb:") => read.memory_mb = number(words.next()).max(read.memory_mb),
                Some(first) if first.starts_with('#') => {
                    if let Ok(count) = first[1..].parse::<u64>() {
                        read.executions = read.executions.max(count);
                    }
                    let rest: Vec<&str> = words.collect();
                    let after = |key: &str| {
                        rest.iter().position(|word| *word == key).and_then(|at| rest.get(at + 1)?.parse::<u64>().ok())
                    };
                    read.coverage = read.coverage.max(after("cov:").unwrap_or(0));
                    read.features = read.features.max(after("ft:").unwrap_or(0));
                    // `corp:` tells inputs and bytes as `9/80b`.
                    let rss = rest
                        .iter()
                        .position(|word| *word == "rss:")
                        .and_then(|at| rest.get(at + 1)?.strip_suffix("Mb"));
                    read.memory_mb = number(rss).max(read.memory_mb);
                    let place = rest.iter().position(|word| *word == "corp:");
                    let corpus = place.and_then(|at| rest.get(at + 1)?.split('/').next()?.parse().ok()).unwrap_or(0);
                    // Lines have no time, but the rate is all executions by whole seconds.
                    let rate = after("exec/s:").unwrap_or(0);
                    let seconds = if rate == 0 { 0 } else { (read.executions as f64 / rate as f64).round() as u64 };
                    read.sample(seconds, corpus);
                }
                _ => {}
            }
        }
        read
    }

    /// Takes a sample of what was read so far; a later one of the same second replaces it.
    fn sample(&mut self, seconds: u64, corpus: u64) {
        let seconds = self.samples.last().map_or(seconds, |last| seconds.max(last.seconds));
        self.samples.pop_if(|last| last.seconds == seconds);
        let before: u64 = self.samples.iter().map(|sample| sample.executions).sum();
        let executions = self.executions.saturating_sub(before);
        let Self { coverage, features, .. } = *self;
        self.samples.push(Sample { seconds, executions, coverage, features, corpus });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_of_an_engine_are_understood() {
        let text = "INFO: Seed: 1\n#2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 30Mb\n\
                    #512\tpulse  cov: 12 ft: 40 corp: 9/80b lim: 4096 exec/s: 256 rss: 31Mb\n\
                    #700\tDONE   cov: 12 ft: 41 corp: 9/80b lim: 4096 exec/s: 350 rss: 31Mb\n\
                    stat::number_of_executed_units: 701\nstat::peak_rss_mb: 40\n";
        let said = Said::of(text);
        assert_eq!((said.executions, said.coverage, said.features, said.memory_mb), (701, 12, 41, 40));
        assert_eq!(Said::of("#2\tINITED cov: 1 ft: 1 corp: 1/1b exec/s: 0 rss: 31Mb\n").memory_mb, 31);
        let samples = [
            Sample { seconds: 0, executions: 2, coverage: 10, features: 11, corpus: 1 },
            Sample { seconds: 2, executions: 698, coverage: 12, features: 41, corpus: 9 },
        ];
        assert_eq!(said.samples, samples);
    }
}
