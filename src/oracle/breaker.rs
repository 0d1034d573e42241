//! Which operators break a rule and that rule alone, and what does a message look like before and after one did?
//!
//! Found by trying: every operator is applied to a fixed set of drawn cases, and the codec confirms each pair. What comes
//! before breaks nothing; what comes after is refused, or told of, under that rule and no other. A rule that is in no
//! record of an operator, or that no drawn case can show, is not here; nothing is concluded from its absence.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use arbitrary::Unstructured;

use crate::case::{Case, Frames, Session};
use crate::codec::Reader;
use crate::codec::context::Context;
use crate::codec::reading::{Profile, Reading};
use crate::codec::refusal::{Reason, Refusal, Stage};

use crate::codec::session::Tracker;
use crate::exchange;
use crate::generate::{self, Swarm};
use crate::limits::Limits;
use crate::mutate::{self, Mutator};
use crate::mutation::{Mutation, RequirementId};

/// The smallest pair that was found for a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The operator that leads from the one to the other.
    pub operator: &'static str,
    /// Where it changed something.
    pub path: String,
    /// The text of a case, a session or a stream that breaks nothing.
    pub accepted: Vec<u8>,
    /// The text of the same after the operator.
    pub broken: Vec<u8>,
    /// Where and why it is refused; `None` when the codec tells of it and refuses nothing.
    pub refused: Option<(Stage, Reason)>,
}

/// The operators that break this rule and no other, by name.
pub fn operators(requirement: &str) -> impl Iterator<Item = &'static str> {
    FOUND.get(requirement).into_iter().flat_map(|found| found.operators.iter().copied())
}

/// The smallest pair for this rule.
///
/// ```
/// use wirebench::oracle::breaker;
///
/// let example = breaker::example("envelope-jsonrpc-is-2-0").unwrap();
/// assert!(breaker::operators("envelope-jsonrpc-is-2-0").any(|name| name == example.operator));
/// assert!(breaker::example("no-such-rule").is_none());
/// ```
pub fn example(requirement: &str) -> Option<&'static Example> {
    FOUND.get(requirement).map(|found| &found.smallest)
}

/// Every rule that some operator breaks alone.
pub fn rules() -> impl Iterator<Item = RequirementId> {
    FOUND.keys().copied()
}

struct Found {
    operators: BTreeSet<&'static str>,
    smallest: Example,
}

#[derive(Default)]
struct All {
    rules: BTreeMap<RequirementId, Found>,
    /// How often each operator was applied since it last broke another rule alone.
    idle: BTreeMap<&'static str, u32>,
}

/// How many cases, sessions and streams every operator is tried on.
const CASES: u64 = 600;
const SESSIONS: u64 = 1500;
const STREAMS: u64 = 60;

/// How many cases are searched at most for the places of the rules of payloads.
const PAYLOADS: u64 = 6000;

/// Applies an operator on cases to one message of a session, and is none of its own.
const EDIT: &str = "edit-message";

/// Rules that cannot be broken without others: who leaves out an object leaves out the keys inside, a number has one
/// usual spelling alone, who serves a broken request was sent one, and a block of another place is unknown in this one.
const ALONG: [(RequirementId, &[RequirementId]); 7] = [
    ("envelope-params-required-on-modern-requests", &["meta-client-capabilities-required"]),
    ("meta-object-required-on-request", &["meta-client-capabilities-required"]),
    ("envelope-response-id-equals-request-id", &["id-integer-valued-float-is-accepted-by-schema"]),
    ("header-mismatch-status-and-code", &["header-mcp-method-equals-body"]),
    (
        "header-validation-by-body-processors",
        &["header-mismatch-status-and-code", "header-protocol-version-equals-meta"],
    ),
    ("project-malformed-era-signal", &["negotiation-unsupported-version-error"]),
    ("payload-content-tool-use-not-in-tool-results", &["payload-content-block-type-known"]),
];

/// The rule that a record is about, when it is about one.
fn only(breaks: &[RequirementId]) -> Option<RequirementId> {
    if let [one] = *breaks {
        return Some(one);
    }
    let holds = |(one, along): &&(RequirementId, &[RequirementId])| {
        breaks.len() == along.len() + 1 && breaks.contains(one) && along.iter().all(|other| breaks.contains(other))
    };
    ALONG.iter().find(holds).map(|row| row.0)
}

static FOUND: LazyLock<BTreeMap<RequirementId, Found>> = LazyLock::new(|| {
    let mut all = All::default();
    let mut reader = Reader::new(Limits::message());
    let swarm = Swarm { odd_documents: false, documents: false, ..Swarm::all() };
    for seed in 0..CASES {
        let bytes = entropy(seed);
        let Ok(drawn) = generate::case(&mut Unstructured::new(&bytes), &swarm) else { continue };
        for operator in mutate::all_cases() {
            try_one(&mut all, operator, (&drawn.value, Case::encode), seed, |case| vec![judged(&mut reader, case)]);
        }
    }
    let mut missing: BTreeSet<RequirementId> = mutate::payload::rules().collect();
    for seed in 0..PAYLOADS {
        missing.retain(|rule| !all.rules.contains_key(rule));
        if missing.is_empty() {
            break;
        }
        let bytes = entropy(seed);
        let Ok(drawn) = generate::case(&mut Unstructured::new(&bytes), &swarm) else { continue };
        for (changed, mutation) in mutate::payload::edits(&drawn.value, |rule| missing.contains(rule)) {
            let forms = (&drawn.value, &changed, Case::encode as fn(&Case) -> Vec<u8>);
            keep(&mut all, forms, mutation, &mut |case| vec![judged(&mut reader, case)]);
        }
    }
    for seed in 0..SESSIONS {
        let bytes = entropy(seed);
        let Ok(drawn) = generate::session(&mut Unstructured::new(&bytes), &swarm) else { continue };
        for operator in mutate::all_sessions().filter(|operator| operator.name() != EDIT) {
            try_one(&mut all, operator, (&drawn.value, Session::encode), seed, |session| {
                followed(&mut reader, session)
            });
        }
    }
    for seed in 0..STREAMS {
        let bytes = entropy(seed);
        let Ok(drawn) = generate::frame::stream(&mut Unstructured::new(&bytes), &swarm) else { continue };
        for operator in mutate::all_frames() {
            try_one(&mut all, operator, (&drawn.value, Frames::encode), seed, |frames| framed(&mut reader, frames));
        }
    }
    all.rules
});

impl All {
    /// Whether an operator showed nothing new for long, so that it has shown what it breaks.
    fn is_done(&self, operator: &str) -> bool {
        const PATIENCE: u32 = 120;
        self.idle.get(operator).is_some_and(|idle| *idle > PATIENCE)
    }
}

fn try_one<T: Clone>(
    all: &mut All,
    operator: &'static dyn Mutator<T>,
    (plain, encode): (&T, fn(&T) -> Vec<u8>),
    seed: u64,
    mut judge: impl FnMut(&T) -> Vec<Verdict>,
) {
    if all.is_done(operator.name()) || !operator.applies(plain) {
        return;
    }
    let mut changed = plain.clone();
    let bytes = entropy(seed ^ OTHER);
    let Ok(Some(mutation)) = operator.apply(&mut changed, &mut Unstructured::new(&bytes)) else { return };
    keep(all, (plain, &changed, encode), mutation, &mut judge);
}

/// How a value becomes its text.
type Encode<T> = fn(&T) -> Vec<u8>;

/// Keeps a pair that breaks one rule alone, when no operator did so before or none with less.
fn keep<T>(
    all: &mut All,
    (plain, changed, encode): (&T, &T, Encode<T>),
    mutation: Mutation,
    judge: &mut dyn FnMut(&T) -> Vec<Verdict>,
) {
    let (Some(requirement), name) = (only(&mutation.breaks), mutation.operator) else { return };
    *all.idle.entry(name).or_default() += 1;
    let known = all.rules.get(requirement).filter(|found| found.operators.contains(name));
    let broken = encode(changed);
    if known.is_some_and(|found| found.smallest.broken.len() <= broken.len()) {
        return;
    }
    let Some(refused) = alone(&judge(plain), &judge(changed), requirement) else { return };
    let pair = Example { operator: name, path: mutation.path, accepted: encode(plain), broken, refused };
    match all.rules.entry(requirement) {
        Entry::Vacant(entry) => {
            all.idle.insert(name, 0);
            entry.insert(Found { operators: BTreeSet::from([name]), smallest: pair });
        }
        Entry::Occupied(mut entry) => {
            let found = entry.get_mut();
            if found.operators.insert(name) {
                all.idle.insert(name, 0);
            }
            if pair.broken.len() < found.smallest.broken.len() {
                found.smallest = pair;
            }
        }
    }
}

/// What the codec says of one message.
struct Verdict {
    broken: BTreeSet<RequirementId>,
    first: Option<(Stage, Reason)>,
    told: BTreeSet<RequirementId>,
}

/// Whether nothing was broken before and only this rule is after, or, where none is, this alone is newly told of; and how.
fn alone(before: &[Verdict], after: &[Verdict], requirement: RequirementId) -> Option<Option<(Stage, Reason)>> {
    let broken = |verdicts: &[Verdict]| -> BTreeSet<RequirementId> {
        verdicts.iter().flat_map(|verdict| &verdict.broken).copied().collect()
    };
    let told = |verdicts: &[Verdict]| -> BTreeSet<RequirementId> {
        verdicts.iter().flat_map(|verdict| &verdict.told).copied().collect()
    };
    if !broken(before).is_empty() {
        return None;
    }
    let breaks: Vec<RequirementId> = broken(after).into_iter().collect();
    if only(&breaks) == Some(requirement) {
        return Some(after.iter().find_map(|verdict| verdict.first));
    }
    let new = &told(after) - &told(before);
    (breaks.is_empty() && new == BTreeSet::from([requirement])).then_some(None)
}

fn verdict(reading: &Reading<'_>) -> Verdict {
    Verdict {
        broken: reading.breaches.iter().map(|breach| breach.refusal.requirement).collect(),
        first: reading.refusal(Profile::Strict).map(|refusal| (refusal.stage, refusal.reason)),
        told: reading.notes.iter().map(|note| note.requirement).collect(),
    }
}

fn judged(reader: &mut Reader, case: &Case) -> Verdict {
    verdict(&reader.read(case, &Context::of(case)))
}

fn followed(reader: &mut Reader, session: &Session) -> Vec<Verdict> {
    let mut tracker = Tracker::new();
    session.cases.iter().map(|case| verdict(&tracker.read(reader, case))).collect()
}

/// The frames that hold no message, and the messages of the others.
fn framed(reader: &mut Reader, frames: &Frames) -> Vec<Verdict> {
    let refused = |refusal: Refusal| Verdict {
        broken: BTreeSet::from([refusal.requirement]),
        first: Some((refusal.stage, refusal.reason)),
        told: BTreeSet::new(),
    };
    let frames = exchange::frames(frames).into_iter();
    frames.map(|frame| frame.map_or_else(|(_, refusal)| refused(refusal), |one| judged(reader, &one.case))).collect()
}

/// Sets the entropy of an operator apart from that of its case.
const OTHER: u64 = 1 << 40;

/// Bytes that are a function of the seed alone; none for the first, so that the plainest case is among those tried.
fn entropy(seed: u64) -> Vec<u8> {
    const LENGTH: usize = 96;
    if seed == 0 {
        return Vec::new();
    }
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut bytes = Vec::with_capacity(LENGTH);
    while bytes.len() < LENGTH {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bytes.extend((mixed ^ (mixed >> 31)).to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirement;

    #[test]
    fn each_example_is_accepted_before_and_refused_or_told_of_after() {
        let mut reader = Reader::new(Limits::message());
        let mut seen = 0;
        for rule in rules() {
            assert!(requirement::find(rule).is_some(), "{rule}");
            let example = example(rule).expect("it is in the list");
            let streams = mutate::all_frames().any(|operator| operator.name() == example.operator);
            let mut read = |text: &[u8]| match (Case::decode(text), Session::decode(text)) {
                _ if streams => framed(&mut reader, &Frames::decode(text).expect("a stream")),
                (Ok(case), _) => vec![judged(&mut reader, &case)],
                (_, session) => followed(&mut reader, &session.expect("a case or a session")),
            };
            let (before, after) = (read(&example.accepted), read(&example.broken));
            assert!(before.iter().all(|one| one.broken.is_empty()), "{rule}");
            assert_eq!(alone(&before, &after, rule), Some(example.refused), "{rule}");
            seen += 1;
        }
        assert!(seen > 250, "only {seen} rules are broken alone");
    }
}
