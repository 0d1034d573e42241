//! Which rules a run exercised, by the layer of a message that they speak of.
//!
//! A rule counts as exercised when an invariant that names it spoke of at least one input and held, or was found
//! broken. What no invariant names is counted apart and never as passed, even where the codec reads it.

use std::collections::BTreeSet;

use super::Run;
use crate::invariant;
use crate::requirement::{
    self,
    disposition::{self, Disposition},
};

/// The rules of one layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// Its name.
    pub name: &'static str,
    /// Rules that were exercised.
    pub exercised: usize,
    /// Rules that an invariant names and no input met.
    pub missed: usize,
    /// Rules that the codec refuses, notes or keeps, and no invariant names.
    pub read: usize,
    /// Rules that nobody looks at in recorded bytes: they need a live peer, or are permissions.
    pub unseen: usize,
}

/// The rules of every layer, in the order of the list; `None` for a run that did not tell which invariants it exercised.
pub fn by_layer(run: &Run) -> Option<Vec<Layer>> {
    if run.end.exercised == 0 {
        return None;
    }
    let quiet: BTreeSet<&str> = run.end.unexercised.iter().map(AsRef::as_ref).collect();
    let (mut spoke, mut silent) = (BTreeSet::new(), BTreeSet::new());
    for rule in invariant::all() {
        let into = if quiet.contains(rule.id) { &mut silent } else { &mut spoke };
        into.extend(rule.requirements.iter().copied());
    }
    spoke.extend(run.findings.iter().flat_map(|found| found.requirements.iter().map(AsRef::as_ref)));
    let mut layers: Vec<Layer> = Vec::new();
    for rule in requirement::all() {
        let place = layers.iter().position(|layer| layer.name == rule.layer).unwrap_or_else(|| {
            layers.push(Layer { name: &rule.layer, ..Layer::default() });
            layers.len() - 1
        });
        let layer = &mut layers[place];
        match rule.id.as_str() {
            id if spoke.contains(id) => layer.exercised += 1,
            id if silent.contains(id) => layer.missed += 1,
            _ => match disposition::of(rule) {
                Disposition::Live | Disposition::Unchecked(_) => layer.unseen += 1,
                Disposition::Codec(_) | Disposition::Note(_) | Disposition::Session(_) | Disposition::Reader(_) => {
                    layer.read += 1;
                }
            },
        }
    }
    Some(layers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::sample;

    #[test]
    fn a_run_that_does_not_tell_claims_nothing() {
        assert_eq!(by_layer(&sample()), None);
    }

    #[test]
    fn every_rule_is_counted_once_and_a_quiet_invariant_exercises_none() {
        let mut run = sample();
        run.end.exercised = 1;
        let sum = |layers: &[Layer], of: fn(&Layer) -> usize| layers.iter().map(of).sum::<usize>();
        let all = by_layer(&run).unwrap();
        assert_eq!(
            sum(&all, |layer| layer.exercised + layer.missed + layer.read + layer.unseen),
            requirement::all().len()
        );
        assert_eq!(sum(&all, |layer| layer.missed), 0);
        run.end.unexercised = invariant::all().map(|rule| rule.id.into()).collect();
        run.findings.clear();
        let none = by_layer(&run).unwrap();
        assert_eq!(sum(&none, |layer| layer.exercised), 0);
        assert_eq!(sum(&none, |layer| layer.missed), sum(&all, |layer| layer.exercised));
    }
}
