//! How soon is a mutant killed by the invariant that it names, and how small is what killed it?
//!
//! Runs nothing but that invariant, so that a kill means that the rule itself sees the fault. Where the cases come from
//! is the caller's choice; the same draws give the same answer.

use super::Oracle;
use crate::finding::{Evidence, Finding};
use crate::limits::Limits;
use crate::reduce;
use crate::subject::Codec;
use crate::subject::mutant::Mutant;

/// What came of one mutant.
#[derive(Clone, Debug)]
pub struct Kill {
    /// How many draws it took, the fatal one included; all of them when the mutant lived.
    pub cases: u64,
    /// The finding with shrunk evidence; `None` when the mutant lived.
    pub finding: Option<Box<Finding>>,
}

impl Kill {
    /// Bytes of the bodies of the shrunk evidence.
    pub fn bytes(&self) -> Option<usize> {
        self.finding.as_ref().map(|finding| match &finding.evidence {
            Evidence::Case(case) => case.body.len(),
            Evidence::Session(session) => session.cases.iter().map(|case| case.body.len()).sum(),
            Evidence::Frames(stream) => stream.stream().len(),
        })
    }
}

/// A shorter number than that of a message is refused, so that what proves a missing limit stays short as well.
const LIMITS: Limits = Limits { number: 64, ..Limits::message() };

/// Shows the mutant draw after draw until its invariant objects, `most` at the most, and shrinks what it objected to.
pub fn hunt(mutant: &Mutant, most: u64, mut draw: impl FnMut(u64) -> Evidence) -> Kill {
    let mut oracle = Oracle::choosing(|invariant| invariant.id == mutant.killer).under(LIMITS);
    let mut subject = mutant.subject_under(LIMITS);
    for index in 0..most {
        if let Err(finding) = oracle.check_evidence(&mut subject, &draw(index)) {
            return Kill { cases: index + 1, finding: Some(shrunk(&mut oracle, &mut subject, finding)) };
        }
    }
    Kill { cases: most, finding: None }
}

/// The same finding on the smallest evidence that keeps its signature.
fn shrunk(oracle: &mut Oracle, subject: &mut Codec, finding: Box<Finding>) -> Box<Finding> {
    let signature = finding.signature();
    let mut again = |evidence: &Evidence| {
        oracle.check_evidence(subject, evidence).err().filter(|found| found.signature() == signature)
    };
    let smallest = match finding.evidence.clone() {
        Evidence::Case(case) => {
            Evidence::Case(reduce::minimise(case, |smaller| again(&Evidence::Case(smaller.clone())).is_some()))
        }
        Evidence::Session(session) => Evidence::Session(reduce::minimise_session(session, |smaller| {
            again(&Evidence::Session(smaller.clone())).is_some()
        })),
        Evidence::Frames(stream) => Evidence::Frames(reduce::minimise_frames(stream, |smaller| {
            again(&Evidence::Frames(smaller.clone())).is_some()
        })),
    };
    again(&smallest).unwrap_or(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Party};
    use crate::subject::mutant;

    fn draws(index: u64) -> Evidence {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{},"method":"ping"}}"#, index.saturating_sub(5));
        Evidence::Case(Case::stdio(Party::Client, body))
    }

    #[test]
    fn a_mutant_is_hunted_until_its_own_invariant_objects() {
        let mutant = mutant::by_id("front.id-becomes-string").unwrap();
        let kill = hunt(mutant, 10, draws);
        assert_eq!((kill.cases, kill.finding.unwrap().invariant), (1, mutant.killer));
    }

    #[test]
    fn a_mutant_that_lives_took_every_draw() {
        let kill = hunt(mutant::by_id("era.header-wins").unwrap(), 10, draws);
        assert_eq!((kill.cases, kill.bytes()), (10, None));
    }
}
