//! Several messages together: whose answer a response is, and what a connection has established.
//!
//! Compares observations of one session with one another. Ids whose spelling leaves their value to arithmetic, and ids
//! that are outstanding twice, are left alone.

use super::scan::{Sort, unescape};
use super::seen::{Seen, Shape, Signal};
use super::verdict::broken;
use super::{Check, Exercise, Invariant, Verdict};
use crate::case::{Party, Session};
use crate::codec::era::{Era, UnknownEra};
use crate::codec::meta::CapabilityState;
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "session.answer-takes-era-of-request",
        requirements: &["envelope-response-id-equals-request-id", "negotiation-per-request-independent"],
        level: Level::Must,
        rule: "A response has the era of the outstanding request whose typed id it carries, never that of a neighbour.",
        check: Check::Session(|session, observations| walk(session, observations, answer_takes_era)),
    },
    Invariant {
        id: "session.answer-takes-capabilities-of-request",
        requirements: &["meta-capabilities-not-inferred", "envelope-response-id-equals-request-id"],
        level: Level::MustNot,
        rule: "A response has the capabilities of its own request, and an orphan has none.",
        check: Check::Session(|session, observations| walk(session, observations, answer_takes_capabilities)),
    },
    Invariant {
        id: "session.ids-keep-their-type",
        requirements: &["id-type-preserved-on-echo"],
        level: Level::Must,
        rule: "A response whose id is the string of an outstanding number, or the number of a string, is an orphan.",
        check: Check::Session(|session, observations| walk(session, observations, ids_keep_their_type)),
    },
];

/// An id that is compared as it stands: its type and its characters.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    is_string: bool,
    text: String,
}

struct Asked {
    connection: u32,
    key: Key,
    at: usize,
    doubtful: bool,
}

/// What one response looks like beside the requests that were outstanding when it came.
struct Answer<'s> {
    seen: &'s Seen<'s>,
    observation: &'s Observation,
    /// The observation of its request, where it has one.
    request: Option<&'s Observation>,
    /// Whether an id of the other type with the same characters was outstanding.
    twin: bool,
    /// Whether some earlier message may have established a revision.
    established: bool,
}

fn key(seen: &Seen<'_>) -> Option<Key> {
    let id = seen.id()?;
    match id.sort() {
        Sort::String => Some(Key { is_string: true, text: unescape(&id.raw()[1..id.raw().len() - 1]).into_owned() }),
        Sort::Number if id.raw() != b"-0" && id.raw().iter().all(|byte| byte.is_ascii_digit() || *byte == b'-') => {
            Some(Key { is_string: false, text: String::from_utf8_lossy(id.raw()).into_owned() })
        }
        _ => None,
    }
}

fn walk(session: &Session, observations: &[Observation], check: fn(&Answer<'_>) -> Verdict) -> Verdict {
    let mut outstanding: Vec<Asked> = Vec::new();
    let mut verdict = Exercise::Vacuous;
    let mut established = false;
    let mut untracked = false;
    for (at, (case, observation)) in session.cases.iter().zip(observations).enumerate() {
        let seen = Seen::in_session(case);
        if case.restart {
            outstanding.retain(|asked| asked.connection != case.connection);
        }
        established |= seen.method().is_some_and(|method| method.is("initialize"));
        match (seen.shape(), case.from, key(&seen)) {
            (Some(Shape::Request), Party::Client, Some(key)) => {
                let same = |asked: &&mut Asked| asked.connection == case.connection && asked.key == key;
                match outstanding.iter_mut().find(same) {
                    Some(asked) => asked.doubtful = true,
                    None => outstanding.push(Asked { connection: case.connection, key, at, doubtful: false }),
                }
            }
            // A request that the rules leave open may be outstanding or not.
            (Some(Shape::Request), Party::Client, None) => untracked = true,
            (Some(Shape::Broken(_) | Shape::Open), Party::Client, _) if seen.method().is_some() => untracked = true,
            (Some(Shape::Result | Shape::Error), Party::Server, Some(key)) if !untracked => {
                let here = |asked: &Asked| asked.connection == case.connection;
                let found = outstanding.iter().position(|asked| here(asked) && asked.key == key);
                let other = |asked: &Asked| asked.key.text == key.text && asked.key.is_string != key.is_string;
                let twin = outstanding.iter().any(|asked| here(asked) && other(asked));
                let asked = found.map(|index| outstanding.remove(index));
                if asked.as_ref().is_some_and(|asked| asked.doubtful) {
                    continue;
                }
                let request = asked.map(|asked| &observations[asked.at]);
                if check(&Answer { seen: &seen, observation, request, twin, established })? == Exercise::Exercised {
                    verdict = Exercise::Exercised;
                }
            }
            // The same number in another spelling answers as well, and which request that is would be arithmetic.
            (Some(Shape::Result | Shape::Error), Party::Server, None) if seen.id().is_some() => untracked = true,
            _ => {}
        }
    }
    Ok(verdict)
}

fn answer_takes_era(answer: &Answer<'_>) -> Verdict {
    match (answer.request.and_then(|request| request.era), answer.observation.era) {
        (Some(owed), Some(shown)) if owed == shown => Ok(Exercise::Exercised),
        (Some(_), Some(_)) => broken("other-era", "the era of its request", "another era"),
        _ => Ok(Exercise::Vacuous),
    }
}

fn answer_takes_capabilities(answer: &Answer<'_>) -> Verdict {
    let shown = answer.observation.capabilities;
    match answer.request {
        Some(request) if request.era.is_some() => match (request.capabilities, shown) {
            (Some(owed), Some(shown)) if owed == shown => Ok(Exercise::Exercised),
            (Some(_), Some(_)) => broken("other-capabilities", "the capabilities of its request", "others"),
            _ => Ok(Exercise::Vacuous),
        },
        Some(_) => Ok(Exercise::Vacuous),
        None => match shown {
            Some(set) if set.state != CapabilityState::None => {
                broken("orphan-declares", "no capabilities of an orphan", set.state.word())
            }
            Some(_) => Ok(Exercise::Exercised),
            None => Ok(Exercise::Vacuous),
        },
    }
}

fn ids_keep_their_type(answer: &Answer<'_>) -> Verdict {
    let orphan = answer.twin && answer.request.is_none();
    if !orphan
        || answer.established
        || answer.seen.case.stated.revision.is_some()
        || answer.seen.header_signal() != Signal::Absent
    {
        return Ok(Exercise::Vacuous);
    }
    match answer.observation.era {
        None => Ok(Exercise::NotObservable),
        Some(Era::Unknown(UnknownEra::NoSignal)) => Ok(Exercise::Exercised),
        Some(_) => broken("aliased", "an orphan without a signal", "the era of a request with an id of another type"),
    }
}
