//! Is every mutant killed by the invariant that it names, within a fixed number of draws from a fixed seed?

use wirebench::campaign::draw::{Dice, Drawn};
use wirebench::finding::Evidence;
use wirebench::oracle::kill;
use wirebench::subject::mutant;

/// Draws that a mutant may live through.
const MOST: u64 = 20_000;

const SEED: u64 = 1;

/// Bytes of the shrunk bodies: of each, and in the mean. The largest is a retry, which takes three messages.
const LARGEST: usize = 400;

/// Draws until half of the mutants are dead.
const MEDIAN: u64 = 300;
const MEAN: usize = 160;

fn evidence(drawn: Drawn) -> Evidence {
    match drawn {
        Drawn::Case(generated) => Evidence::Case(generated.value),
        Drawn::Changed(case) => Evidence::Case(case),
        Drawn::Session(session) => Evidence::Session(session),
        Drawn::Frames(stream) => Evidence::Frames(stream),
    }
}

#[test]
fn every_mutant_is_killed_by_its_own_invariant_and_shrinks() {
    let mut dice = Dice::new(SEED);
    let mut survivors = Vec::new();
    let (mut sizes, mut draws) = (Vec::new(), Vec::new());
    for mutant in mutant::all() {
        let kill = kill::hunt(mutant, MOST, |index| evidence(dice.draw(index, &[])));
        draws.push(kill.cases);
        match kill.bytes() {
            Some(bytes) => sizes.push((bytes, mutant.id)),
            None => survivors.push((mutant.id, mutant.killer)),
        }
    }
    draws.sort_unstable();
    let median = draws[draws.len() / 2];
    assert!(survivors.is_empty(), "alive: {survivors:#?}");
    assert!(median <= MEDIAN, "median {median} draws");
    let mean = sizes.iter().map(|(bytes, _)| bytes).sum::<usize>() / sizes.len();
    assert!(mean <= MEAN, "mean {mean} bytes");
    let large: Vec<_> = sizes.iter().filter(|(bytes, _)| *bytes > LARGEST).collect();
    assert!(large.is_empty(), "large: {large:?}");
}
