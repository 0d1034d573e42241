//! Is one row worse than another?
//!
//! Instructions are worse when they grow by more than the threshold. A ratio is worse when it grows by more than the
//! threshold *and* its interval lies above that of the base: noise alone widens intervals until they meet. Nothing is
//! compared across conditions, and nothing that one row lacks is taken for unchanged.

use super::record::{Conditions, Ratio, Row};

/// The share by which something may grow: 2 %.
pub const THRESHOLD: f64 = 0.02;

/// What has come of one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The other reader, for a ratio; nothing for instructions.
    pub contender: Option<String>,
    /// What was done and to what.
    pub shape: String,
    /// The number of the base.
    pub base: f64,
    /// The number of the candidate.
    pub candidate: f64,
    /// Whether that is for the worse.
    pub verdict: Verdict,
}

/// For better or worse; the later hides the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Within the threshold, or within the noise.
    Same,
    /// The other way round would be worse.
    Better,
    /// The work is not the same, or one row lacks it.
    NotComparable,
    /// A regression.
    Worse,
}

impl Verdict {
    /// As in the rows.
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Better => "better",
            Self::NotComparable => "not-comparable",
            Self::Worse => "worse",
        }
    }
}

/// A condition in which two rows differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name in a row.
    pub condition: &'static str,
    /// What the base says.
    pub base: String,
    /// What the candidate says.
    pub candidate: String,
}

impl Change {
    /// By which share the number grew; below nothing it shrank.
    pub fn share(&self) -> f64 {
        self.candidate / self.base - 1.0
    }
}

/// Every number of the base beside that of the candidate, instructions first. Ratios are left out where one of the two
/// has none at all: they are measured only where the other readers are at hand.
///
/// # Errors
///
/// The conditions that differ, if any does.
pub fn compare(base: &Row, candidate: &Row, threshold: f64) -> Result<Vec<Change>, Vec<Difference>> {
    let differences = differences(&base.conditions, &candidate.conditions);
    if !differences.is_empty() {
        return Err(differences);
    }
    let mut changes: Vec<Change> = base.instructions.iter().map(|of| counts(of, candidate, threshold)).collect();
    if !candidate.ratios.is_empty() {
        changes.extend(base.ratios.iter().map(|of| ratios(of, candidate, threshold)));
    }
    Ok(changes)
}

/// Where conditions differ, in the order of a row.
pub fn differences(base: &Conditions, candidate: &Conditions) -> Vec<Difference> {
    let named = |of: &Conditions| {
        let of = of.clone();
        [
            ("workload", of.workload),
            ("toolchain", of.toolchain),
            ("cpu", of.cpu),
            ("profile", of.profile),
            ("counter", of.counter),
        ]
    };
    let both = named(base).into_iter().zip(named(candidate));
    let differing = both.filter(|(base, candidate)| base != candidate);
    differing.map(|((condition, base), (_, candidate))| Difference { condition, base, candidate }).collect()
}

fn counts(base: &super::record::Count, candidate: &Row, threshold: f64) -> Change {
    let other = candidate.instructions.iter().find(|of| of.shape == base.shape && of.work == base.work);
    let change = Change {
        contender: None,
        shape: base.shape.clone(),
        base: base.count as f64,
        candidate: other.map_or(f64::NAN, |of| of.count as f64),
        verdict: Verdict::NotComparable,
    };
    let verdict = other.map(|_| beyond(&change, threshold));
    Change { verdict: verdict.unwrap_or(change.verdict), ..change }
}

fn ratios(base: &Ratio, candidate: &Row, threshold: f64) -> Change {
    let other = candidate.ratios.iter().find(|of| of.shape == base.shape && of.contender == base.contender);
    let change = Change {
        contender: Some(base.contender.clone()),
        shape: base.shape.clone(),
        base: base.ratio,
        candidate: other.map_or(f64::NAN, |of| of.ratio),
        verdict: Verdict::NotComparable,
    };
    let verdict = other.map(|of| match beyond(&change, threshold) {
        Verdict::Worse if of.low <= base.high => Verdict::Same,
        Verdict::Better if of.high >= base.low => Verdict::Same,
        verdict => verdict,
    });
    Change { verdict: verdict.unwrap_or(change.verdict), ..change }
}

fn beyond(change: &Change, threshold: f64) -> Verdict {
    if change.candidate > change.base * (1.0 + threshold) {
        Verdict::Worse
    } else if change.base > change.candidate * (1.0 + threshold) {
        Verdict::Better
    } else {
        Verdict::Same
    }
}
