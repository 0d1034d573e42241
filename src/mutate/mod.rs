//! A mutator changes a case into a nearby one and records what it did.
//!
//! One small type an operator, one list a family. A record names the rules that the edit breaks in the context of the
//! case; none for a lawful edit. Operators edit the raw bytes and never call the codec.

use arbitrary::{Result, Unstructured};

use crate::case::{Case, Frames, Session};
use crate::generate::{self, Swarm};
use crate::mutation::{Generated, Mutation, RequirementId};

pub mod delivery;
pub mod document;
pub mod engine;
pub mod envelope;
pub(crate) mod facts;
pub mod frame;
pub mod header;
pub(crate) mod kind;
pub(crate) mod layout;
pub mod meta;
pub mod payload;
pub mod result;
pub mod retry;
pub(crate) mod sentinel;
pub mod session;
mod thread;

pub use engine::{crossover, libfuzzer, libfuzzer_crossover, libfuzzer_frames, libfuzzer_session};

/// One operator on a `Case`, a `Session` or a frame stream.
pub trait Mutator<T>: Sync {
    /// The name that is recorded and listed.
    fn name(&self) -> &'static str;

    /// Whether it may apply; cheap, and may say yes wrongly.
    fn applies(&self, value: &T) -> bool;

    /// Applies it. `None` when it turned out not to apply; the value is then unchanged.
    ///
    /// # Errors
    ///
    /// Only what `Unstructured` itself reports.
    fn apply(&self, value: &mut T, u: &mut Unstructured<'_>) -> Result<Option<Mutation>>;
}

/// The families of operators on cases.
const FAMILIES: [&[&dyn Mutator<Case>]; 6] =
    [document::FAMILY, envelope::FAMILY, meta::FAMILY, result::FAMILY, header::FAMILY, payload::FAMILY];

/// How often each is drawn: what breaks a document or an envelope ends a reading, so the later stages get the larger part.
const WEIGHTS: [u8; FAMILIES.len()] = [2, 2, 3, 7, 2, 6];

/// The families of operators on sessions; the last speaks of any session, the others of exchanges alone.
const SESSIONS: [&[&dyn Mutator<Session>]; 3] = [retry::FAMILY, delivery::FAMILY, session::FAMILY];

/// Every operator on a case, family by family.
pub fn all_cases() -> impl Iterator<Item = &'static dyn Mutator<Case>> {
    FAMILIES.into_iter().flatten().copied()
}

/// Every operator on a session.
pub fn all_sessions() -> impl Iterator<Item = &'static dyn Mutator<Session>> {
    SESSIONS.into_iter().flatten().copied()
}

/// Every operator on a stream.
pub fn all_frames() -> impl Iterator<Item = &'static dyn Mutator<Frames>> {
    frame::FAMILY.iter().copied()
}

/// Draws a case and applies up to `swarm.faults` operators to it.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirebench::{generate::Swarm, mutate};
///
/// let entropy: Vec<u8> = (0..=255).collect();
/// let drawn = mutate::drawn(&mut Unstructured::new(&entropy), &Swarm::all()).unwrap();
/// assert!(drawn.mutations.len() <= 4);
/// ```
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn drawn(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Case>> {
    let mut drawn = generate::case(u, swarm)?;
    for _ in 0..faults(u, swarm)? {
        apply_one(&mut drawn, u)?;
    }
    Ok(drawn)
}

/// How many operators are applied: one draw in eight stays lawful, as do all without entropy.
fn faults(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<u8> {
    if swarm.faults == 0 || !u.ratio(7, 8)? { Ok(0) } else { u.int_in_range(1..=swarm.faults) }
}

/// Draws a session and applies up to `swarm.faults` operators to it.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn drawn_session(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Session>> {
    let mut drawn = generate::session(u, swarm)?;
    for _ in 0..if u.is_empty() { 0 } else { faults(u, swarm)? } {
        drawn.mutations.extend(any_session(&mut drawn.value, u)?);
    }
    Ok(drawn)
}

/// Applies the first operator on a session that applies: of a drawn family from a drawn start, else of the others.
fn any_session(session: &mut Session, u: &mut Unstructured<'_>) -> Result<Option<Mutation>> {
    let first = u.int_in_range(0..=SESSIONS.len() - 1)?;
    for offset in 0..SESSIONS.len() {
        let family = SESSIONS[(first + offset) % SESSIONS.len()];
        let start = u.int_in_range(0..=family.len() - 1)?;
        if let Some(mutation) = first_that_applies(family, start, session, u)? {
            return Ok(Some(mutation));
        }
    }
    Ok(None)
}

/// Draws a stream and applies up to `swarm.faults` operators to it.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn drawn_frames(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Frames>> {
    let mut drawn = generate::frame::stream(u, swarm)?;
    for _ in 0..if u.is_empty() { 0 } else { faults(u, swarm)? } {
        let start = u.int_in_range(0..=frame::FAMILY.len() - 1)?;
        drawn.mutations.extend(first_that_applies(frame::FAMILY, start, &mut drawn.value, u)?);
    }
    Ok(drawn)
}

/// Applies one operator of a drawn family: the first that applies, from a drawn start. No entropy changes nothing.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn apply_one(drawn: &mut Generated<Case>, u: &mut Unstructured<'_>) -> Result<()> {
    if u.is_empty() {
        return Ok(());
    }
    drawn.mutations.extend(any_family(&mut drawn.value, u)?);
    Ok(())
}

/// Applies the first operator that applies: of a drawn family from a drawn start, else of the families after it.
fn any_family(case: &mut Case, u: &mut Unstructured<'_>) -> Result<Option<Mutation>> {
    let mut drawn = u.int_in_range(0..=WEIGHTS.iter().sum::<u8>() - 1)?;
    let mut first = 0;
    while let Some(rest) = drawn.checked_sub(WEIGHTS[first]) {
        (drawn, first) = (rest, first + 1);
    }
    for offset in 0..FAMILIES.len() {
        let family = FAMILIES[(first + offset) % FAMILIES.len()];
        let start = u.int_in_range(0..=family.len() - 1)?;
        if let Some(mutation) = first_that_applies(family, start, case, u)? {
            return Ok(Some(mutation));
        }
    }
    Ok(None)
}

fn first_that_applies<T>(
    family: &[&dyn Mutator<T>],
    start: usize,
    value: &mut T,
    u: &mut Unstructured<'_>,
) -> Result<Option<Mutation>> {
    for offset in 0..family.len() {
        let operator = family[(start + offset) % family.len()];
        if operator.applies(value)
            && let Some(mutation) = operator.apply(value, u)?
        {
            return Ok(Some(mutation));
        }
    }
    Ok(None)
}

/// What an operator did, before its name is added.
pub(crate) struct Edit {
    path: String,
    breaks: Vec<RequirementId>,
}

impl Edit {
    fn new(path: impl Into<String>, breaks: &[RequirementId]) -> Self {
        Self { path: path.into(), breaks: breaks.to_vec() }
    }

    /// An edit that breaks nothing.
    fn lawful(path: impl Into<String>) -> Self {
        Self::new(path, &[])
    }
}

/// What the body of an operator gives back.
type Outcome = Result<Option<Edit>>;

/// Runs an edit that gives its path, and records the rules that hold no longer.
fn judged(case: &mut Case, edit: impl FnOnce(&mut Case) -> Result<Option<String>>) -> Outcome {
    let before = facts::Facts::of(case);
    let Some(path) = edit(case)? else { return Ok(None) };
    let breaks = facts::Facts::of(case).beyond(&before);
    Ok(Some(Edit { path, breaks }))
}

/// Declares the operators of a family, each a type of its own, and the list of them.
macro_rules! operators {
    ($target:ty; $($(#[$doc:meta])+ $type:ident $name:literal if $applies:expr => $apply:expr;)+) => {
        $(
            $(#[$doc])+
            #[derive(Clone, Copy, Debug)]
            pub struct $type;

            impl $crate::mutate::Mutator<$target> for $type {
                fn name(&self) -> &'static str {
                    $name
                }

                fn applies(&self, value: &$target) -> bool {
                    let applies: fn(&$target) -> bool = $applies;
                    applies(value)
                }

                fn apply(
                    &self,
                    value: &mut $target,
                    u: &mut arbitrary::Unstructured<'_>,
                ) -> arbitrary::Result<Option<$crate::mutation::Mutation>> {
                    let apply: fn(&mut $target, &mut arbitrary::Unstructured<'_>) -> $crate::mutate::Outcome = $apply;
                    let edit = apply(value, u)?;
                    Ok(edit.map(|edit| $crate::mutation::Mutation {
                        operator: $name,
                        path: edit.path,
                        breaks: edit.breaks,
                    }))
                }
            }
        )+

        /// The operators of this family.
        pub const FAMILY: &[&dyn $crate::mutate::Mutator<$target>] = &[$(&$type),+];
    };
}
use operators;

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies each operator with no entropy to the text of a case and compares the text and the record.
    pub(crate) fn rows(family: &[&dyn Mutator<Case>], rows: &[(&str, &str, &str, &[&str])]) {
        for operator in family {
            assert!(rows.iter().any(|row| row.0 == operator.name()), "no row for {}", operator.name());
        }
        for (name, before, after, breaks) in rows {
            let operator = family.iter().find(|operator| operator.name() == *name).expect(name);
            let mut case = Case::decode(before.as_bytes()).expect(before);
            assert!(operator.applies(&case), "{name} on {before}");
            let mutation = operator.apply(&mut case, &mut Unstructured::new(&[])).unwrap().expect(name);
            assert_eq!(String::from_utf8_lossy(&case.encode()), *after, "{name}");
            assert_eq!(mutation.breaks, *breaks, "{name}");
            assert_eq!(mutation.operator, *name);
        }
    }

    #[test]
    fn names_are_kebab_case_and_distinct() {
        let mut names: Vec<&str> = all_cases()
            .map(Mutator::name)
            .chain(all_sessions().map(Mutator::name))
            .chain(all_frames().map(Mutator::name))
            .collect();
        assert!(
            names.iter().all(|name| name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'))
        );
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn an_operator_that_does_not_apply_changes_nothing() {
        for body in ["", "{", "[]", "1", "{}", "\"", "{\"jsonrpc\":\"2.0\"}"] {
            for operator in all_cases() {
                let case = Case::decode(format!(":transport: http\n\n{body}").as_bytes()).unwrap();
                let mut changed = case.clone();
                if operator.apply(&mut changed, &mut Unstructured::new(&[7; 32])).unwrap().is_none() {
                    assert_eq!(changed, case, "{} on {body}", operator.name());
                }
            }
        }
    }
}
