//! The part of a run that takes its time: every core's stretches, then triage of what is left and the merge.
//!
//! Each step is put into the journal, so that a run that was killed does not spend the same time twice and triages no
//! artifact twice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Settings;
use super::artifacts::Collector;
use super::engine::{self, Asked, Place, Step};
use super::schedule::{self, Stretch};
use super::seeds::Seeds;
use super::working::{self, Merged};
use super::workspace::{Built, Tier};
use crate::campaign::interrupt::Interrupt;
use crate::campaign::journal::{Entry, Journal};
use crate::campaign::kept::Kept;
use crate::generate::dictionary;
use crate::report::{Target, series};
use crate::triage::store;

/// What the journal says of the run before it was killed.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// Whether any fuzzing was done.
    pub has_begun: bool,
    /// The findings, oldest first; later ones of the same signature replace earlier ones.
    pub findings: Vec<Kept>,
    spent: BTreeMap<usize, Duration>,
    ran: Vec<Target>,
    triaged: BTreeSet<String>,
}

impl Past {
    /// Reads the entries.
    pub fn of(entries: Vec<Entry>) -> Self {
        let mut past = Self::default();
        for entry in entries {
            match entry {
                Entry::Spent { core, millis } => {
                    past.has_begun = true;
                    *past.spent.entry(core).or_default() += Duration::from_millis(millis);
                }
                Entry::Ran { part } => past.ran.push(part),
                Entry::Found(kept) => past.findings.push(kept),
                Entry::Artifact { path, finding } => {
                    past.triaged.insert(path);
                    past.findings.push(finding);
                }
                Entry::Start(_) | Entry::Round(_) | Entry::End => {}
            }
        }
        past
    }
}

/// A run with its targets.
#[derive(Clone, Copy, Debug)]
pub struct Campaign<'a> {
    /// What is asked.
    pub settings: &'a Settings,
    /// The targets that build.
    pub built: &'a [Built],
    /// The folder of the run.
    pub out: &'a Path,
    /// Where every step is noted.
    pub journal: &'a Journal,
    /// What was done before.
    pub past: &'a Past,
    /// Whether to end.
    pub interrupt: &'a Interrupt,
}

/// The largest seed for a target that states no limit of its own.
const LONGEST: usize = 1 << 20;

/// One part in so many of the budget is for the merge, which executes targets as well.
const MERGE: u32 = 10;

/// The shortest merge of a target that is worth its start; a run of less than a minute takes it on top.
const SHORTEST_MERGE: Duration = Duration::from_secs(2);

/// The longest merge.
const LONGEST_MERGE: Duration = Duration::from_secs(300);

/// What a sanitizer costs is some ten times the speed; what it sees beyond the invariants is worth a quarter of the time.
const fn weight(tier: Tier) -> u64 {
    match tier {
        Tier::Quick => 3,
        Tier::Deep => 1,
    }
}

impl Campaign<'_> {
    /// Fuzzes the targets, triages what they leave and merges what they kept. Tells the rows and which part of the
    /// budget was spent executing.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn run(
        &self,
        seeds: &Seeds,
        collector: &mut Collector<'_>,
        tell: &mut dyn FnMut(String),
    ) -> io::Result<(Vec<Target>, f64)> {
        let (settings, built) = (self.settings, self.built);
        let mut rows = self.prepare(seeds)?;
        if !built.is_empty() {
            tell(format!("fuzzing {} targets on {} cores", built.len(), settings.cores));
            let parts = self.fuzz()?;
            for part in self.past.ran.iter().chain(&parts) {
                if let Some(row) = rows.iter_mut().find(|row| row.label() == part.label()) {
                    row.add(part);
                }
            }
        }
        for (row, target) in rows.iter_mut().zip(built) {
            row.samples = series::merged(std::mem::take(&mut row.samples));
            row.artifacts = self.triage(target, collector, tell)?;
        }
        let merging = if self.interrupt.is_set() { Duration::ZERO } else { self.merge(tell)? };
        for (row, target) in rows.iter_mut().zip(built) {
            row.corpus = fs::read_dir(self.place(target, 0).corpus)?.count() as u64;
        }
        tell(format!("{} findings", collector.count()));
        let executed = rows.iter().map(|row| row.seconds).sum::<f64>() + merging.as_secs_f64();
        let share = executed / (settings.time.as_secs_f64() * settings.cores.max(1) as f64);
        Ok((rows, share))
    }

    /// The targets, one for each shape of input: of two ways to build the quicker one.
    pub fn shapes(&self) -> Vec<&Built> {
        let mut shapes: Vec<&Built> = Vec::new();
        for built in self.built {
            match shapes.iter_mut().find(|other| other.target == built.target) {
                Some(other) if built.tier == Tier::Quick => *other = built,
                Some(_) => {}
                None => shapes.push(built),
            }
        }
        shapes
    }

    fn prepare(&self, seeds: &Seeds) -> io::Result<Vec<Target>> {
        let mut rows = Vec::new();
        for target in self.built {
            let place = self.place(target, 0);
            for folder in [Some(&place.corpus), Some(&place.artifacts), place.kept.as_ref()].into_iter().flatten() {
                fs::create_dir_all(folder)?;
            }
            let longest = target.options.iter().find_map(|flag| flag.strip_prefix("-max_len=")?.parse().ok());
            let seeds = seeds.write(&target.target, longest.unwrap_or(LONGEST), &place.seeds)?;
            store::replace(&place.dictionary, dictionary::libfuzzer().as_bytes())?;
            rows.push(Target { seeds, ..engine::row(target) });
        }
        Ok(rows)
    }

    /// Runs what is left of every core's stretches, one after another.
    fn fuzz(&self) -> io::Result<Vec<Target>> {
        let Self { settings, built, journal, .. } = *self;
        let began = Instant::now();
        let fuzzing = settings.time.saturating_sub(self.merge_time());
        let weights: Vec<u64> = built.iter().map(|target| weight(target.tier)).collect();
        let plan = schedule::plan(&weights, settings.cores, fuzzing.as_secs());
        let core = |(index, stretches): (usize, &Vec<Stretch>)| -> io::Result<Vec<Target>> {
            let note = |step: Step<'_>| {
                let entry = match step {
                    Step::Spent(time) => Entry::Spent { core: index, millis: time.as_millis() as u64 },
                    Step::Ran(part) => Entry::Ran { part: part.clone() },
                };
                // A disk that is full does not end the fuzzing: what is not noted would be spent again, no more.
                let _ = journal.append(&entry);
            };
            let spent = self.past.spent.get(&index).map_or(0, Duration::as_secs);
            let one = |stretch: Stretch| {
                let target = &built[stretch.target];
                let seed = (settings.seed as u32).wrapping_add(index as u32 * 1000).wrapping_add(spent as u32);
                let time = Duration::from_secs(stretch.seconds);
                let since = Duration::from_secs(spent) + began.elapsed();
                let asked = Asked { subject: &settings.subject, seed, time, since };
                engine::stretch(target, &self.place(target, index), asked, self.interrupt, &note)
            };
            schedule::rest(stretches, spent).into_iter().map(one).collect()
        };
        thread::scope(|scope| {
            let cores: Vec<_> = plan.iter().enumerate().map(|at| scope.spawn(move || core(at))).collect();
            let joined = cores.into_iter().map(|core| core.join().expect("a core only reports"));
            joined.collect::<io::Result<Vec<_>>>().map(|parts| parts.into_iter().flatten().collect())
        })
    }

    /// Turns every artifact of a target into a finding and says how many there were.
    fn triage(&self, target: &Built, collector: &mut Collector<'_>, tell: &mut dyn FnMut(String)) -> io::Result<u64> {
        let mut left = engine::artifacts(&self.place(target, 0).artifacts)?;
        left.sort_by_key(|path| fs::metadata(path).map_or(u64::MAX, |meta| meta.len()));
        if !left.is_empty() {
            tell(format!("{}: {} artifacts to triage", target.slug(), left.len()));
        }
        for artifact in &left {
            let path = artifact.strip_prefix(self.out).unwrap_or(artifact).display().to_string();
            if !self.past.triaged.contains(&path) {
                let finding = collector.add_artifact(target, artifact, &Interrupt::default())?;
                self.journal.append(&Entry::Artifact { path, finding })?;
            }
            // Its finding is on disk under its own name by now.
            fs::remove_file(artifact)?;
        }
        let before = self.past.triaged.iter().filter(|path| {
            Path::new(path).parent().is_some_and(|folder| folder.ends_with(target.slug()))
                && !left.contains(&self.out.join(path))
        });
        Ok((left.len() + before.count()) as u64)
    }

    fn merge_time(&self) -> Duration {
        (self.settings.time / MERGE).min(LONGEST_MERGE)
    }

    /// Merges the targets side by side, as many at once as there are cores; what one leaves of its time is for those
    /// after it. Says how long they took together.
    fn merge(&self, tell: &mut dyn FnMut(String)) -> io::Result<Duration> {
        let (cores, shapes) = (self.settings.cores.max(1), self.shapes());
        let (began, next) = (Instant::now(), AtomicUsize::new(0));
        let one = |target: &Built, rounds: u32| {
            let time = (self.merge_time().saturating_sub(began.elapsed()) / rounds.max(1)).max(SHORTEST_MERGE);
            let offered = self.out.join("new-seeds").join(&target.target);
            let began = Instant::now();
            let merged = working::merge(target, &self.place(target, 0), &offered, time, self.interrupt)?;
            Ok((target.target.clone(), merged, began.elapsed()))
        };
        let core = || -> io::Result<Vec<(String, Merged, Duration)>> {
            let turns = std::iter::from_fn(|| {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                Some((shapes.get(turn)?, (shapes.len() - turn).div_ceil(cores) as u32))
            });
            turns.map(|(target, rounds)| one(target, rounds)).collect()
        };
        let mut merged = thread::scope(|scope| {
            let all: Vec<_> = (0..cores).map(|_| scope.spawn(core)).collect();
            let joined = all.into_iter().map(|one| one.join().expect("a merge only reports"));
            joined.collect::<io::Result<Vec<_>>>().map(|parts| parts.concat())
        })?;
        merged.sort_by_key(|(name, ..)| shapes.iter().position(|shape| shape.target == *name));
        for (name, Merged { new, unseen }, _) in &merged {
            let left = match unseen {
                0 => String::new(),
                left => format!("; there was no time for {left}, which stay for the next merge"),
            };
            tell(format!("{name}: {new} inputs with coverage that no seed has{left}"));
        }
        Ok(merged.into_iter().map(|(.., took)| took).sum())
    }

    /// Where a target works. Its corpus is one for all ways to build it.
    pub fn place(&self, built: &Built, core: usize) -> Place {
        let Built { target, .. } = built;
        Place {
            corpus: self.out.join("corpus").join(target),
            seeds: self.out.join("seeds").join(target),
            kept: self.settings.corpus.as_ref().map(|folder| folder.join(target)),
            dictionary: self.out.join("seeds/dictionary.txt"),
            artifacts: self.out.join("artifacts").join(built.slug()),
            log: self.out.join("logs").join(format!("{}.{core}.log", built.slug())),
        }
    }
}
