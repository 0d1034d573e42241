//! An invariant is one named rule that an oracle checks, with the requirement that it comes from.
//!
//! A family a file, each with its own `FAMILY` list. An invariant sees cases and observations and nothing else: it does
//! not know which subject it judges, and it does not know an engine. A check that does not apply says so; it never
//! counts as passed.

use crate::case::{Case, Session};
use crate::finding::Violation;
use crate::observation::Observation;
use crate::requirement::Level;

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

/// How an invariant is checked.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// On one case and what was observed for it.
    Alone(fn(&Case, &Observation) -> Result<Exercise, Violation>),
    /// On a case and variants of it that must be observed alike.
    Relation {
        /// The variants; none when the relation does not apply.
        variants: fn(&Case) -> Vec<Case>,
        /// Compares the observation of the case with that of a variant.
        agree: fn(&Observation, &Observation) -> Result<Exercise, Violation>,
    },
    /// On a whole session.
    Session(fn(&Session, &[Observation]) -> Result<Exercise, Violation>),
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

/// Every family; adding one is a file and a line here.
const FAMILIES: &[&[Invariant]] = &[];

/// Every invariant.
pub fn all() -> impl Iterator<Item = &'static Invariant> {
    FAMILIES.iter().flat_map(|family| family.iter())
}
