//! Every rule that is named anywhere is one that can be explained.

use wirebench::requirement::{self, Level};
use wirebench::subject::mutant;
use wirebench::{invariant, mutate};

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

#[test]
fn what_drawn_mutations_break_is_listed() {
    use arbitrary::Unstructured;
    use wirebench::generate::Swarm;
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..2_000_u32 {
        let entropy: Vec<u8> = (0..2_000_u32)
            .map(|at| {
                ((seed.wrapping_mul(2_654_435) ^ at.wrapping_mul(40_503)).wrapping_mul(2_654_435_761) >> 24) as u8
            })
            .collect();
        let Ok(drawn) = mutate::drawn(&mut Unstructured::new(&entropy), &Swarm::all()) else { continue };
        seen.extend(drawn.mutations.iter().flat_map(|mutation| mutation.breaks.iter().copied()));
    }
    let unknown: Vec<_> = seen.iter().filter(|id| requirement::find(id).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(seen.len() > 30, "only {} rules were broken", seen.len());
}
