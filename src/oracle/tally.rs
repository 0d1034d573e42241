//! How often has each check said what?

use crate::invariant::{Exercise, Invariant, Verdict};

/// One invariant and how often its check said what.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The invariant.
    pub invariant: &'static Invariant,
    /// How often.
    pub tally: Tally,
}

/// How often a check said what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The rule applied and held.
    pub exercised: u64,
    /// The rule did not speak of the case.
    pub vacuous: u64,
    /// The subject did not show what the rule is about.
    pub not_observable: u64,
    /// The rule was broken.
    pub violated: u64,
}

impl Tally {
    pub(super) fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Ok(Exercise::Exercised) => self.exercised += 1,
            Ok(Exercise::Vacuous) => self.vacuous += 1,
            Ok(Exercise::NotObservable) => self.not_observable += 1,
            Err(_) => self.violated += 1,
        }
    }

    /// Adds what another oracle counted.
    pub fn add(&mut self, other: Self) {
        self.exercised += other.exercised;
        self.vacuous += other.vacuous;
        self.not_observable += other.not_observable;
        self.violated += other.violated;
    }
}
