//! The part of a run that takes its time: every core's stretches, then triage of what is left and the merge.
//!
//! Each step is put into the journal, so that a run that was killed does not spend the same time twice and triages no
//! artifact twice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::Settings;
use super::artifacts::Collector;
use super::engine::{self, Asked, Place, Step};
use super::schedule::{self, Stretch};
use super::seeds::Seeds;
use super::working;
use super::workspace::Built;
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
const SHORTEST_MERGE: Duration = Duration::from_secs(5);

/// The longest merge.
const LONGEST_MERGE: Duration = Duration::from_secs(300);

impl Campaign<'_> {
    /// Fuzzes the targets, triages what they leave and merges what they kept.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn run(
        &self,
        seeds: &Seeds,
        collector: &mut Collector<'_>,
        tell: &mut dyn FnMut(String),
    ) -> io::Result<Vec<Target>> {
        let (settings, built) = (self.settings, self.built);
        let mut rows = self.prepare(seeds)?;
        if !built.is_empty() {
            tell(format!("fuzzing {} targets on {} cores", built.len(), settings.cores));
            let parts = self.fuzz()?;
            for part in self.past.ran.iter().chain(&parts) {
                if let Some(row) = rows.iter_mut().find(|row| row.target == part.target) {
                    row.add(part);
                }
            }
        }
        for (row, target) in rows.iter_mut().zip(built) {
            row.samples = series::merged(std::mem::take(&mut row.samples));
            row.artifacts = self.triage(target, collector, tell)?;
        }
        if !self.interrupt.is_set() {
            self.merge(tell)?;
        }
        for (row, target) in rows.iter_mut().zip(built) {
            row.corpus = fs::read_dir(self.place(&target.target, 0).corpus)?.count() as u64;
        }
        tell(format!("{} findings", collector.count()));
        Ok(rows)
    }

    fn prepare(&self, seeds: &Seeds) -> io::Result<Vec<Target>> {
        let mut rows = Vec::new();
        for target in self.built {
            let place = self.place(&target.target, 0);
            for folder in [Some(&place.corpus), Some(&place.artifacts), place.kept.as_ref()].into_iter().flatten() {
                fs::create_dir_all(folder)?;
            }
            let longest = target.options.iter().find_map(|flag| flag.strip_prefix("-max_len=")?.parse().ok());
            let seeds = seeds.write(&target.target, longest.unwrap_or(LONGEST), &place.seeds)?;
            store::replace(&place.dictionary, dictionary::libfuzzer().as_bytes())?;
            rows.push(Target { target: target.target.clone(), seeds, ..Target::default() });
        }
        Ok(rows)
    }

    /// Runs what is left of every core's stretches, one after another.
    fn fuzz(&self) -> io::Result<Vec<Target>> {
        let Self { settings, built, journal, .. } = *self;
        let began = Instant::now();
        let fuzzing = settings.time.saturating_sub(self.merge_time());
        let plan = schedule::plan(built.len(), settings.cores, fuzzing.as_secs());
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
                engine::stretch(target, &self.place(&target.target, index), asked, self.interrupt, &note)
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
        let mut left = engine::artifacts(&self.place(&target.target, 0).artifacts)?;
        left.sort_by_key(|path| fs::metadata(path).map_or(u64::MAX, |meta| meta.len()));
        if !left.is_empty() {
            tell(format!("{}: {} artifacts to triage", target.target, left.len()));
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
            Path::new(path).parent().is_some_and(|folder| folder.ends_with(&target.target))
                && !left.contains(&self.out.join(path))
        });
        Ok((left.len() + before.count()) as u64)
    }

    fn merge_time(&self) -> Duration {
        (self.settings.time / MERGE).min(LONGEST_MERGE)
    }

    /// Merges the targets side by side, as many at once as there are cores.
    fn merge(&self, tell: &mut dyn FnMut(String)) -> io::Result<()> {
        let Self { settings, built, .. } = *self;
        let rounds = built.len().div_ceil(settings.cores.max(1)).max(1) as u32;
        let time = (self.merge_time() / rounds).max(SHORTEST_MERGE);
        for group in built.chunks(settings.cores.max(1)) {
            let one = |target: &Built| {
                let place = self.place(&target.target, 0);
                let offered = self.out.join("new-seeds").join(&target.target);
                working::merge(target, &place, &offered, time, self.interrupt)
            };
            let merged = thread::scope(|scope| {
                let all: Vec<_> = group.iter().map(|target| scope.spawn(move || one(target))).collect();
                all.into_iter().map(|one| one.join().expect("a merge only reports")).collect::<io::Result<Vec<_>>>()
            })?;
            for (target, new) in group.iter().zip(merged) {
                match new {
                    Some(new) => tell(format!("{}: {new} inputs with coverage that no seed has", target.target)),
                    None => tell(format!("{}: the merge needs more than {time:?} and is left out", target.target)),
                }
            }
        }
        Ok(())
    }

    fn place(&self, target: &str, core: usize) -> Place {
        Place {
            corpus: self.out.join("corpus").join(target),
            seeds: self.out.join("seeds").join(target),
            kept: self.settings.corpus.as_ref().map(|folder| folder.join(target)),
            dictionary: self.out.join("seeds/dictionary.txt"),
            artifacts: self.out.join("artifacts").join(target),
            log: self.out.join("logs").join(format!("{target}.{core}.log")),
        }
    }
}
