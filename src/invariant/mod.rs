//! An invariant is one named rule that an oracle checks, with the requirement that it comes from.
//!
//! A family a file, each with its own `FAMILY` list. An invariant sees cases and observations and nothing else: it does
//! not know which subject it judges, and it does not know an engine. It restates its rule from the bytes of the case
//! (see [`Seen`]) and never asks the codec. A check that does not apply says so; it never counts as passed.

use crate::case::{Case, Frames, Session};
use crate::finding::Violation;
use crate::observation::{Framed, Observation};
use crate::requirement::Level;

mod bounds;
mod downgrade;
mod envelope;
mod era;
mod escape;
mod exchange;
mod frames;
mod header;
mod meta;
mod refusal;
mod relation;
mod request;
mod result;
mod scan;
mod seen;
mod sentinel;
mod session;
mod task;
mod turn;
mod verdict;

pub use scan::{Piece, Scan, Sort};
pub use seen::{Breach, Breaches, Seen, Shape, Signal, Text};

/// One named rule.
#[derive(Clone, Copy, Debug)]
pub struct Invariant {
    /// `family.rule-in-words`.
    pub id: &'static str,
    /// The requirements that it enforces.
    pub requirements: &'static [&'static str],
    /// The word of those requirements, or `Project`.
    pub level: Level,
    /// What it asks for, in one sentence.
    pub rule: &'static str,
    /// How it is checked.
    pub check: Check,
}

/// What a check says: how far it applied, or how the rule is broken.
pub type Verdict = Result<Exercise, Violation>;

/// What becomes of a stream when a subject reads it; nothing where it reads none.
pub type Cutter<'c> = dyn FnMut(&Frames) -> Option<Vec<Framed>> + 'c;

/// How an invariant is checked.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// On one case and what was observed for it.
    Alone(fn(&Seen<'_>, &Observation) -> Verdict),
    /// On a case and variants of it that must be observed alike.
    Relation {
        /// The variants; none when the relation does not apply.
        variants: fn(&Seen<'_>) -> Vec<Case>,
        /// Compares the observation of the case with that of a variant.
        agree: fn(&Observation, &Observation) -> Verdict,
    },
    /// On a whole session.
    Session(fn(&Session, &[Observation]) -> Verdict),
    /// On a stream, and what becomes of streams when they are read; nothing where the subject reads none.
    Frames(fn(&Frames, &mut Cutter<'_>) -> Verdict),
    /// On a generated case and what its mutations predict, which the oracle knows.
    Predicted,
}

/// Whether a check that passed said anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exercise {
    /// The rule applied and held.
    Exercised,
    /// The subject cannot show what the rule is about.
    NotObservable,
    /// The case is not one that the rule speaks of.
    Vacuous,
}

/// Every family; adding one is a file and a line here. The two promises stand first.
const FAMILIES: &[&[Invariant]] = &[
    era::FAMILY,
    downgrade::FAMILY,
    bounds::FAMILY,
    envelope::FAMILY,
    meta::FAMILY,
    header::FAMILY,
    request::FAMILY,
    result::FAMILY,
    task::FAMILY,
    refusal::FAMILY,
    session::FAMILY,
    turn::FAMILY,
    exchange::FAMILY,
    frames::FAMILY,
    relation::FAMILY,
];

/// Every invariant.
pub fn all() -> impl Iterator<Item = &'static Invariant> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The invariant of that id.
pub fn by_id(id: &str) -> Option<&'static Invariant> {
    all().find(|invariant| invariant.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::requirement;

    #[test]
    fn every_invariant_has_an_id_of_its_own_a_requirement_and_one_sentence() {
        let mut ids = HashSet::new();
        for invariant in all() {
            assert!(ids.insert(invariant.id), "{}", invariant.id);
            assert!(
                invariant.id.split_once('.').is_some_and(|(family, rule)| !family.is_empty() && rule.contains('-'))
            );
            assert!(!invariant.requirements.is_empty(), "{}", invariant.id);
            for id in invariant.requirements {
                assert!(requirement::find(id).is_some(), "{} names {id}", invariant.id);
            }
            assert!(invariant.rule.ends_with('.') && invariant.rule.matches(". ").count() == 0, "{}", invariant.id);
        }
    }
}
