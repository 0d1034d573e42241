//! Which invariants spoke of at least one input of a night, and held.
//!
//! An engine does not tell, so the working corpus is shown to the subject once more, in process. What the engine executed
//! and did not keep reached nothing that a kept input does not reach, as far as the engine can see; a rule that only such
//! an input would exercise is told as not exercised.

use std::fs;
use std::io;
use std::path::Path;

use super::artifacts::shapes;
use crate::campaign::interrupt::Interrupt;
use crate::oracle::{Oracle, Row};
use crate::report::End;
use crate::triage::{Bench, Make};

/// Inputs of a target at most: a bound on time, some seconds.
const INPUTS: usize = 20_000;

/// Fills in what the inputs of those targets exercise: for each target the folders of its inputs, with what it was seeded
/// with.
///
/// # Errors
///
/// When a folder or a file cannot be read.
pub fn tell<'a>(
    make: &Make<'_>,
    folders: impl Iterator<Item = (&'a str, &'a Path)>,
    interrupt: &Interrupt,
    end: &mut End,
) -> io::Result<()> {
    let (mut bench, mut oracle) = (Bench::new(make), Oracle::new());
    for (target, folder) in folders.filter(|(_, folder)| folder.is_dir()) {
        let mut files: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
        files.sort_by_key(fs::DirEntry::file_name);
        for file in files.iter().take(INPUTS) {
            if interrupt.is_set() {
                return Ok(());
            }
            for evidence in shapes(target, &fs::read(file.path())?) {
                // What it finds was found by the target before, or is no fault of an input alone.
                bench.ask(|subject| oracle.check_evidence(subject, &evidence));
            }
        }
    }
    let (spoke, silent): (Vec<&Row>, Vec<&Row>) = oracle.rows().iter().partition(|row| row.tally.exercised > 0);
    end.exercised = spoke.len() as u64;
    end.unexercised = silent.iter().map(|row| row.invariant.id.into()).collect();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invariant;
    use crate::subject;

    #[test]
    fn what_the_corpus_does_not_meet_is_named_and_nothing_is_told_without_one() {
        let folder = tempfile::tempdir().unwrap();
        let make = || subject::by_name("codec").unwrap();
        let mut end = End::default();
        let case = folder.path().join("case");
        let of_case = || [("case", case.as_path())].into_iter();
        tell(&make, of_case(), &Interrupt::default(), &mut end).unwrap();
        assert_eq!((end.exercised, end.unexercised.len()), (0, invariant::all().count()));
        fs::create_dir(&case).unwrap();
        fs::write(case.join("a"), "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}").unwrap();
        tell(&make, of_case(), &Interrupt::default(), &mut end).unwrap();
        assert!(end.exercised > 0);
        assert_eq!(end.exercised as usize + end.unexercised.len(), invariant::all().count());
    }
}
