//! The kill matrix of a run: every mutant hunted with drawn cases, on several threads.
//!
//! The draws of each mutant are its own, so that the rows are the same for any number of threads. How a mutant is hunted
//! stands in [`kill`]; here is only who hunts which, and until when.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use super::draw::{Dice, Drawn};
use crate::finding::Evidence;
use crate::oracle::kill::{self, Kill};
use crate::subject::mutant::Mutant;

/// How one mutant fared; one row of the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The id of the mutant.
    pub mutant: &'static str,
    /// Whether its invariant objected.
    pub killed: bool,
    /// That invariant, when it did.
    pub by: Option<&'static str>,
    /// Draws until then, or all of them.
    pub cases: u64,
    /// The size of the smallest proof, in bytes.
    pub bytes: Option<usize>,
}

/// Hunts each mutant with at most `cases` draws from the seed, on so many threads, in the order of the list. Mutants whose
/// turn comes after `is_over` says so are not hunted and have no row.
pub fn all(wanted: &[&Mutant], seed: u64, cases: u64, threads: usize, is_over: &(dyn Fn() -> bool + Sync)) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut dice = Dice::new(seed);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = wanted.get(index).filter(|_| !is_over()) else { return };
                    let kill = kill::hunt(mutant, cases, |index| evidence(dice.draw(index, &[])));
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, row(&kill, mutant)));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, row)| row).collect()
}

fn evidence(drawn: Drawn) -> Evidence {
    match drawn {
        Drawn::Case(generated) => Evidence::Case(generated.value),
        Drawn::Changed(case) => Evidence::Case(case),
        Drawn::Session(session) => Evidence::Session(session),
    }
}

fn row(kill: &Kill, mutant: &Mutant) -> Row {
    let by = kill.finding.as_ref().map(|finding| finding.invariant);
    Row { mutant: mutant.id, killed: by.is_some(), by, cases: kill.cases, bytes: kill.bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::mutant;

    #[test]
    fn the_rows_are_the_same_for_any_number_of_threads_and_end_when_told() {
        let wanted: Vec<&Mutant> = mutant::all().take(6).collect();
        let one = all(&wanted, 1, 200, 1, &|| false);
        assert_eq!(one, all(&wanted, 1, 200, 4, &|| false));
        assert_eq!(
            one.iter().map(|row| row.mutant).collect::<Vec<_>>(),
            wanted.iter().map(|m| m.id).collect::<Vec<_>>()
        );
        assert_eq!(all(&wanted, 1, 200, 2, &|| true), []);
    }
}
