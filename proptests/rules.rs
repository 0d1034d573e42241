//! Every rule that is named anywhere is one that can be explained.

use wirebench::invariant;
use wirebench::requirement::{self, Level};
use wirebench::subject::mutant;

#[test]
fn every_rule_of_an_invariant_is_listed() {
    let unknown: Vec<_> = invariant::all()
        .flat_map(|invariant| invariant.requirements.iter().map(move |id| (invariant.id, *id)))
        .filter(|(_, id)| requirement::find(id).is_none())
        .collect();
    assert_eq!(unknown, []);
    assert!(invariant::all().all(|invariant| !invariant.requirements.is_empty()));
}

#[test]
fn an_invariant_is_no_stronger_than_its_rules() {
    let stronger: Vec<_> = invariant::all()
        .filter(|invariant| {
            let levels = invariant.requirements.iter().filter_map(|id| requirement::find(id)).map(|rule| rule.level);
            invariant.level != Level::Project && !levels.into_iter().any(|level| level == invariant.level)
        })
        .map(|invariant| (invariant.id, invariant.level))
        .collect();
    assert_eq!(stronger, []);
}

#[test]
fn every_mutant_names_an_invariant_that_is_there() {
    let lost: Vec<_> = mutant::all()
        .filter(|mutant| invariant::all().all(|known| known.id != mutant.killer))
        .map(|mutant| mutant.id)
        .collect();
    assert_eq!(lost, [""; 0]);
}
