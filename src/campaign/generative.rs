//! A generative run in process, on stable, with any number of workers.
//!
//! Work is cut into rounds. All draws of a round see the same pool; what reached something new and what failed is merged
//! in the order of the draws when the round is over. So neither the number of workers nor their speed shows in the
//! findings. Within a round workers share one counter and nothing else.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::draw::{Dice, Drawn};
use super::interrupt::Interrupt;
use super::journal::{Entry, Journal, Round};
use super::kept::Kept;
use super::reach::{Reach, Watch};
use crate::case::Case;
use crate::finding::{Evidence, Signature};
use crate::invariant;
use crate::mutation::Mutation;
use crate::oracle::Oracle;
use crate::report::{End, Found, Head, Run, Stability};
use crate::triage::{self, Bench, Fault, Make, REPLAYS, cause, store};

/// What is asked of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the draws come from.
    pub seed: u64,
    /// How many draws; without it the run ends by time or signal.
    pub cases: Option<u64>,
    /// How long; the draws of a run that ends by time depend on the machine.
    pub time: Option<Duration>,
    /// How many threads.
    pub workers: usize,
    /// The folder as it stands in replay lines.
    pub out: String,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Draws done.
    pub done: u64,
    /// Draws asked for.
    pub of: Option<u64>,
    /// Distinct combinations reached.
    pub reached: usize,
    /// Signatures found.
    pub findings: usize,
    /// Since the start.
    pub elapsed: Duration,
}

/// How often rounds are put into the journal: what a kill costs is so much work to be done again, and no finding.
const EVERY: Duration = Duration::from_millis(250);

/// Draws between two merges. Large enough that waiting for the slowest worker costs little, small enough that feedback
/// comes several times a second.
const ROUND: u64 = 4096;

/// Draws that a worker takes from the shared counter at once.
const CHUNK: u64 = 64;

/// One draw in so many is checked against the relations as well.
const RELATIONS: u64 = 16;

/// Cases that a pool holds at most; later ones that reach something new are counted and not kept.
const POOL: usize = 4096;

/// Runs until the draws, the time or the interrupt end it. Findings are written below `out` after the round that found
/// them; with `past`, what the journal tells of the run so far, it goes on and finds what it would have found. That the
/// run came to its end is put into the journal by the caller, once the report is written.
///
/// # Errors
///
/// When a finding cannot be written.
pub fn run(
    make: &Make<'_>,
    settings: &Settings,
    interrupt: &Interrupt,
    out: &Path,
    (journal, past): (&Journal, Vec<Entry>),
    progress: &mut dyn FnMut(Progress, Option<&Found>),
) -> io::Result<Run> {
    let mut clock = Clock { started: Instant::now(), before: Duration::ZERO, time: settings.time, interrupt };
    let mut state = State::new(make, settings, out);
    let mut end = End::default();
    let mut next = 0;
    for entry in past {
        state.go_through(entry, &mut end, &mut next, &mut clock.before);
    }
    let mut since = Round::default();
    let mut told = clock.elapsed();
    while settings.cases.is_none_or(|cases| next < cases) && !clock.is_over() {
        let until = next.saturating_add(ROUND).min(settings.cases.unwrap_or(u64::MAX));
        let shares = round(make, settings, &clock, &state, next..until);
        let done = shares.iter().map(|share| share.cases + share.sessions).sum::<u64>();
        let mut part = Round { next: until, ..Round::default() };
        for share in &shares {
            part.cases += share.cases;
            part.sessions += share.sessions;
            part.unreachable += share.unreachable;
            part.exercised.extend(share.oracles.exercised().filter(|id| state.exercised.insert(id)).map(str::to_owned));
        }
        let (new, failed) = merge(shares);
        part.new.extend(new.iter().map(|(index, ..)| *index));
        state.take_new(new);
        let findings = state.found.len();
        let elapsed = clock.elapsed();
        let at = Progress { done: next + done, of: settings.cases, reached: state.seen.len(), findings, elapsed };
        for (signature, hits) in failed.hits {
            let id = triage::id(&signature);
            if !state.found.contains_key(&id) {
                let (_, drawn, fault) = failed
                    .first
                    .iter()
                    .find(|(_, _, fault)| fault.signature == signature)
                    .expect("a signature is counted by the worker that keeps its first draw");
                let found = state.found(drawn, fault)?;
                journal.append(&Entry::Found(Kept::of(&found)))?;
                progress(at, Some(&found));
                state.found.insert(id.clone(), found);
            }
            part.hits.insert(id, hits);
        }
        state.count(&part, &mut end);
        progress(Progress { findings: state.found.len(), ..at }, None);
        if done == until - next {
            since.add(part);
        }
        next = until;
        if clock.elapsed() >= told + EVERY {
            since.millis = (clock.elapsed() - told).as_millis() as u64;
            told = clock.elapsed();
            journal.append(&Entry::Round(std::mem::take(&mut since)))?;
        }
    }
    if since.next > 0 {
        journal.append(&Entry::Round(since))?;
    }
    end.interrupted = interrupt.is_set();
    let exercised = |id: &str| state.exercised.contains(id);
    end.exercised = state.exercised.len() as u64;
    end.unexercised = invariant::all().map(|rule| rule.id).filter(|id| !exercised(id)).map(Into::into).collect();
    end.reached = state.seen.len() as u64;
    let findings = state.joined();
    end.findings = findings.len() as u64;
    Ok(Run {
        head: Head {
            verb: "fuzz".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            subject: state.bench.subject_name().to_owned(),
            seed: Some(settings.seed),
            tier: None,
            budget_seconds: settings.time.map(|time| time.as_secs()),
        },
        targets: Vec::new(),
        findings,
        end,
    })
}

/// What one worker brings home from a round.
#[derive(Default)]
struct Share {
    oracles: Oracles,
    cases: u64,
    sessions: u64,
    unreachable: u64,
    /// The first draws that reached something not seen before the round.
    new: Vec<(u64, Vec<Reach>, Drawn)>,
    failed: Failed,
}

/// Every invariant for some of the draws, and those that need one observation for the rest: a relation asks about many
/// variants of a case and would take most of the time.
struct Oracles {
    every: Oracle,
    single: Oracle,
}

impl Default for Oracles {
    fn default() -> Self {
        Self { every: Oracle::new(), single: Oracle::single() }
    }
}

impl Oracles {
    fn of(&mut self, index: u64) -> &mut Oracle {
        if index.is_multiple_of(RELATIONS) { &mut self.every } else { &mut self.single }
    }

    fn exercised(&self) -> impl Iterator<Item = &'static str> {
        let rows = self.every.rows().iter().chain(self.single.rows());
        rows.filter(|row| row.tally.exercised > 0).map(|row| row.invariant.id)
    }
}

#[derive(Default)]
struct Failed {
    /// The first draw with each signature.
    first: Vec<(u64, Drawn, Fault)>,
    hits: BTreeMap<Signature, u64>,
}

struct Clock<'a> {
    started: Instant,
    /// Spent by the run before it was resumed.
    before: Duration,
    time: Option<Duration>,
    interrupt: &'a Interrupt,
}

impl Clock<'_> {
    fn elapsed(&self) -> Duration {
        self.before.saturating_add(self.started.elapsed())
    }

    fn is_over(&self) -> bool {
        self.interrupt.is_set() || self.time.is_some_and(|time| self.elapsed() >= time)
    }
}

struct State<'a> {
    out: &'a Path,
    settings: &'a Settings,
    bench: Bench<'a>,
    seen: HashSet<Reach>,
    pool: Vec<Case>,
    exercised: BTreeSet<&'static str>,
    found: BTreeMap<String, Found>,
}

fn round(
    make: &Make<'_>,
    settings: &Settings,
    clock: &Clock<'_>,
    state: &State<'_>,
    draws: std::ops::Range<u64>,
) -> Vec<Share> {
    let counter = AtomicU64::new(draws.start);
    let (seen, pool) = (&state.seen, state.pool.as_slice());
    let work = || share(make, settings.seed, clock, &counter, draws.end, seen, pool);
    thread::scope(|scope| {
        // This thread works as well, so a system that gives no other slows the round and changes nothing in it.
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..settings.workers).map_while(spawn).collect();
        let mut shares = vec![work()];
        shares.extend(others.into_iter().map(|other| other.join().expect("panics of the subject are contained")));
        shares
    })
}

fn share(
    make: &Make<'_>,
    seed: u64,
    clock: &Clock<'_>,
    counter: &AtomicU64,
    end: u64,
    seen: &HashSet<Reach>,
    pool: &[Case],
) -> Share {
    let mut share = Share::default();
    let mut bench = Bench::new(make);
    let mut dice = Dice::new(seed);
    let mut own: HashSet<Reach> = HashSet::new();
    let mut reached = Vec::new();
    loop {
        let start = counter.fetch_add(CHUNK, Ordering::Relaxed);
        if start >= end || clock.is_over() {
            return share;
        }
        for index in start..end.min(start + CHUNK) {
            let drawn = dice.draw(index, pool);
            let oracle = share.oracles.of(index);
            let fault = ask(&mut bench, oracle, &drawn, &mut reached, &mut share.unreachable);
            match drawn {
                Drawn::Session(_) => share.sessions += 1,
                Drawn::Case(_) | Drawn::Changed(_) | Drawn::Frames(_) => share.cases += 1,
            }
            if let Some(fault) = fault {
                let hits = share.failed.hits.entry(fault.signature.clone()).or_default();
                *hits += 1;
                if *hits == 1 {
                    share.failed.first.push((index, drawn.clone(), fault));
                }
            }
            if reached.iter().any(|reach| !seen.contains(reach) && !own.contains(reach)) {
                own.extend(reached.iter().copied());
                share.new.push((index, reached.clone(), drawn));
            }
        }
    }
}

fn ask(
    bench: &mut Bench<'_>,
    oracle: &mut Oracle,
    drawn: &Drawn,
    reached: &mut Vec<Reach>,
    unreachable: &mut u64,
) -> Option<Fault> {
    bench.ask(|subject| match drawn {
        Drawn::Case(generated) => oracle.check_generated(&mut Watch::new(subject, 1, reached, unreachable), generated),
        Drawn::Changed(case) => oracle.check(&mut Watch::new(subject, 1, reached, unreachable), case),
        Drawn::Session(session) => {
            oracle.check_session(&mut Watch::new(subject, session.cases.len(), reached, unreachable), session)
        }
        Drawn::Frames(stream) => {
            reached.clear();
            oracle.check_frames(subject, stream)
        }
    })
}

/// Joins the shares in the order of the draws.
fn merge(shares: Vec<Share>) -> (Vec<(u64, Vec<Reach>, Drawn)>, Failed) {
    let mut new = Vec::new();
    let mut failed = Failed::default();
    for share in shares {
        new.extend(share.new);
        failed.first.extend(share.failed.first);
        for (signature, hits) in share.failed.hits {
            *failed.hits.entry(signature).or_default() += hits;
        }
    }
    new.sort_by_key(|(index, ..)| *index);
    failed.first.sort_by_key(|(index, ..)| *index);
    (new, failed)
}

impl<'a> State<'a> {
    fn new(make: &'a Make<'a>, settings: &'a Settings, out: &'a Path) -> Self {
        let (seen, pool) = (HashSet::new(), Vec::new());
        let (exercised, found) = (BTreeSet::new(), BTreeMap::new());
        Self { out, settings, bench: Bench::new(make), seen, pool, exercised, found }
    }

    fn take_new(&mut self, new: Vec<(u64, Vec<Reach>, Drawn)>) {
        for (_, reached, drawn) in new {
            let before = self.seen.len();
            self.seen.extend(reached);
            if self.seen.len() == before || self.pool.len() >= POOL {
                continue;
            }
            match drawn {
                Drawn::Case(generated) => self.pool.push(generated.value),
                Drawn::Changed(case) => self.pool.push(case),
                Drawn::Session(_) | Drawn::Frames(_) => {}
            }
        }
    }

    /// The findings, one for each bug.
    fn joined(&mut self) -> Vec<Found> {
        let rows = std::mem::take(&mut self.found).into_values().map(|row| {
            let text = store::text(self.out, &row.file);
            let evidence = triage::decode_named(Path::new(&row.file), &text).unwrap_or_else(|_| triage::decode(&text));
            (row, evidence)
        });
        cause::join(&mut self.bench, rows.collect())
    }

    fn count(&mut self, part: &Round, end: &mut End) {
        end.cases = end.cases.saturating_add(part.cases);
        end.sessions = end.sessions.saturating_add(part.sessions);
        end.unreachable = end.unreachable.saturating_add(part.unreachable);
        for (id, hits) in &part.hits {
            if let Some(found) = self.found.get_mut(id) {
                found.hits = found.hits.saturating_add(*hits);
            }
        }
    }

    /// Brings the state to where a run that was killed had it. The draws that were new are drawn again, each with the
    /// pool of its round, so that what follows is what would have followed.
    fn go_through(&mut self, entry: Entry, end: &mut End, next: &mut u64, before: &mut Duration) {
        match entry {
            Entry::Found(kept) => {
                let found = kept.row(self.out, &self.settings.out);
                self.found.insert(found.id.clone(), found);
            }
            Entry::Round(part) => {
                let mut dice = Dice::new(self.settings.seed);
                let mut oracle = Oracle::single();
                for round in part.new.chunk_by(|left, right| left / ROUND == right / ROUND) {
                    let mut new = Vec::new();
                    for &index in round {
                        let drawn = dice.draw(index, &self.pool);
                        let mut reached = Vec::new();
                        ask(&mut self.bench, &mut oracle, &drawn, &mut reached, &mut 0);
                        new.push((index, reached, drawn));
                    }
                    self.take_new(new);
                }
                self.exercised.extend(part.exercised.iter().filter_map(|id| Some(invariant::by_id(id)?.id)));
                self.count(&part, end);
                *next = part.next;
                *before = before.saturating_add(Duration::from_millis(part.millis));
            }
            _ => {}
        }
    }

    /// Shrinks a fault that is new, writes it and makes its row.
    fn found(&mut self, drawn: &Drawn, fault: &Fault) -> io::Result<Found> {
        let (evidence, mutations) = evidence(drawn);
        let smaller = self.bench.minimise(&evidence, &fault.signature);
        let minimised = smaller.is_some();
        let evidence = smaller.unwrap_or(evidence);
        let (shown, stability) = match minimised {
            true => self.bench.replay(&evidence, Some(&fault.signature)),
            false => (None, self.replay_drawn(drawn, &fault.signature)),
        };
        let fault = shown.as_ref().unwrap_or(fault);
        store::write(self.out, &fault.id(), &evidence)?;
        let row = fault.row(&evidence, mutations, &self.settings.out);
        // The round that found it counts its hits.
        Ok(Found { hits: 0, minimised, stability, ..row })
    }

    fn replay_drawn(&mut self, drawn: &Drawn, signature: &Signature) -> Stability {
        let mut oracle = Oracle::new();
        let mut again = || ask(&mut self.bench, &mut oracle, drawn, &mut Vec::new(), &mut 0);
        Stability::of_three((0..REPLAYS).filter(|_| again().is_some_and(|fault| fault.signature == *signature)).count())
    }
}

fn evidence(drawn: &Drawn) -> (Evidence, &[Mutation]) {
    match drawn {
        Drawn::Case(generated) => (Evidence::Case(generated.value.clone()), &generated.mutations),
        Drawn::Changed(case) => (Evidence::Case(case.clone()), &[]),
        Drawn::Session(session) => (Evidence::Session(session.clone()), &[]),
        Drawn::Frames(stream) => (Evidence::Frames(stream.clone()), &[]),
    }
}
