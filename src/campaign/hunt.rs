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

/// Draws between two looks at the clock or the interrupt.
const STRETCH: u64 = 256;

/// Hunts each mutant with at most `cases` draws from the seed, on so many threads, in the order of the list. Mutants that
/// are not hunted to the end when `is_over` says so have no row.
pub fn all(wanted: &[&Mutant], seed: u64, cases: u64, threads: usize, is_over: &(dyn Fn() -> bool + Sync)) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        let mut dice = Dice::new(seed);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = wanted.get(index) else { return };
            let Some(kill) = hunt(mutant, cases, &mut dice, is_over) else { return };
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, row(&kill, mutant)));
        }
    };
    thread::scope(|scope| {
        // This thread works as well, so a system that gives no other slows the hunts and changes nothing in them.
        for _ in 1..threads {
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, row)| row).collect()
}

/// The hunt in stretches: no draw depends on the one before it.
fn hunt(mutant: &Mutant, cases: u64, dice: &mut Dice, is_over: &(dyn Fn() -> bool + Sync)) -> Option<Kill> {
    let mut before = 0;
    while before < cases {
        if is_over() {
            return None;
        }
        let kill = kill::hunt(mutant, STRETCH.min(cases - before), |index| evidence(dice.draw(before + index, &[])));
        before += kill.cases;
        if kill.finding.is_some() {
            return Some(Kill { cases: before, ..kill });
        }
    }
    Some(Kill { cases, finding: None })
}

fn evidence(drawn: Drawn) -> Evidence {
    match drawn {
        Drawn::Case(generated) => Evidence::Case(generated.value),
        Drawn::Changed(case) => Evidence::Case(case),
        Drawn::Session(session) => Evidence::Session(session),
        Drawn::Frames(stream) => Evidence::Frames(stream),
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
