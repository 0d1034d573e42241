//! A mutant is the codec with one stage exchanged for a faulty one: proof that a fault of its kind is found.
//!
//! Each mutant models a fault that really happened and names the invariant that must kill it. The codec carries no
//! switches: a mutant is its table of stages, or its rules of start-up, with one entry exchanged; the codec behind a front
//! that changes what arrives, as libraries in front of a codec do; or the codec with another reader of streams.

use super::{Codec, Framing};
use crate::case::Case;
use crate::codec::negotiate::{RULES, Rules};
use crate::codec::{STAGES, Stages};
use crate::limits::Limits;

mod conclusion;
mod document;
mod envelope;
mod era;
mod exchange;
mod frame;
mod front;
mod header;
mod judge;
mod metadata;
mod result;
mod rewrite;
mod session;
mod startup;

/// The codec with one fault.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// `stage.fault-in-words`.
    pub id: &'static str,
    /// What it gets wrong, in one sentence.
    pub wrong: &'static str,
    /// The fault that it is modelled on: an id of the failure list, a CVE, or the requirement that it breaks.
    pub fault: &'static str,
    /// The invariant that must kill it.
    pub killer: &'static str,
    /// What is exchanged.
    pub exchange: Exchange,
}

/// What a mutant has in another form than the codec.
#[derive(Clone, Copy)]
pub enum Exchange {
    /// One stage of a reading.
    Stages(&'static Stages),
    /// One rule of the start-up.
    Startup(&'static Rules),
    /// What stands in front of the codec and changes what arrives.
    Front(fn(&Case) -> Case),
    /// The reader of streams.
    Framing(Framing),
}

impl Mutant {
    /// The mutant as a subject.
    pub fn subject(&self) -> Codec {
        self.subject_under(Limits::message())
    }

    /// The same under other limits than those of a message.
    pub fn subject_under(&self, limits: Limits) -> Codec {
        let name = format!("mutant:{}", self.id);
        match self.exchange {
            Exchange::Stages(stages) => Codec::of(name, stages, &RULES, None, limits),
            Exchange::Startup(rules) => Codec::of(name, &STAGES, rules, None, limits),
            Exchange::Front(change) => Codec::of(name, &STAGES, &RULES, Some(change), limits),
            Exchange::Framing(framing) => Codec::of(name, &STAGES, &RULES, None, limits).framing(framing),
        }
    }
}

/// Every family; adding one is a file and a line here.
static FAMILIES: [&[Mutant]; 13] = [
    document::FAMILY,
    front::FAMILY,
    envelope::FAMILY,
    metadata::FAMILY,
    header::FAMILY,
    era::FAMILY,
    result::FAMILY,
    conclusion::FAMILY,
    judge::FAMILY,
    session::FAMILY,
    exchange::FAMILY,
    startup::FAMILY,
    frame::FAMILY,
];

/// Every mutant.
pub fn all() -> impl Iterator<Item = &'static Mutant> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// The mutant of that id.
pub fn by_id(id: &str) -> Option<&'static Mutant> {
    all().find(|mutant| mutant.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{invariant, requirement};

    #[test]
    fn every_mutant_has_an_id_of_its_own_a_fault_and_a_killer_that_exists() {
        let mut ids = HashSet::new();
        for mutant in all() {
            assert!(ids.insert(mutant.id), "{}", mutant.id);
            assert!(invariant::by_id(mutant.killer).is_some(), "{} names {}", mutant.id, mutant.killer);
            assert!(mutant.wrong.ends_with('.'), "{}", mutant.id);
            let listed = mutant.fault.starts_with("FF-") || mutant.fault.starts_with("CVE-");
            assert!(listed || requirement::find(mutant.fault).is_some(), "{} names {}", mutant.id, mutant.fault);
        }
    }
}
