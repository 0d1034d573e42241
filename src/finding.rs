//! A violated invariant or the death of a subject, and what makes two findings the same bug.

use std::fmt;

use crate::case::{Case, Frames, Session};
use crate::codec::refusal::Refusal;
use crate::mutation::Mutation;

/// How an observation breaks an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which way of breaking it; a kebab-case word from the invariant's own short list. Part of the signature.
    pub kind: &'static str,
    /// What the rule asks for, in our own words.
    pub expected: String,
    /// What was observed, in our own words; never text of the peer.
    pub observed: String,
}

/// What a finding was found with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A single message.
    Case(Case),
    /// Messages in order.
    Session(Session),
    /// A stream and its cuts.
    Frames(Frames),
}

impl Evidence {
    /// The text form that is written to disk.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Case(case) => case.encode(),
            Self::Session(session) => session.encode(),
            Self::Frames(stream) => stream.encode(),
        }
    }

    /// The suffix of the file that holds it.
    pub const fn suffix(&self) -> &'static str {
        match self {
            Self::Case(_) => "case",
            Self::Session(_) => "session",
            Self::Frames(_) => "frames",
        }
    }
}

/// How a subject ended while it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// In which manner.
    pub manner: Manner,
    /// Where and with which words, as far as they are known; masked, since they may hold text of a peer.
    pub trace: String,
}

/// In which manner a subject ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It panicked, was killed by a signal or ended by itself.
    Panic,
    /// It gave no answer in time.
    Timeout,
    /// It took more memory than it may.
    Memory,
}

impl Manner {
    /// The word that is printed, which stands where the id of an invariant would.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
        }
    }
}

/// One violation of one invariant by one subject, or its death.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the subject.
    pub subject: String,
    /// The id of the invariant, or the word of a death.
    pub invariant: &'static str,
    /// How it was violated.
    pub violation: Violation,
    /// How the subject ended, where it did.
    pub death: Option<Death>,
    /// The refusal that the subject showed, if any.
    pub refusal: Option<Refusal>,
    /// What it was found with.
    pub evidence: Evidence,
    /// What had been done to the case, where that is known.
    pub mutations: Vec<Mutation>,
}

/// What makes two findings the same bug.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The name of the subject.
    pub subject: String,
    /// The id of the invariant.
    pub invariant: String,
    /// Which way of breaking it.
    pub kind: String,
    /// The refusal's stage and reason, or nothing.
    pub refusal: Option<(&'static str, &'static str)>,
}

impl Finding {
    /// What makes it the same bug as another.
    pub fn signature(&self) -> Signature {
        Signature {
            subject: self.subject.clone(),
            invariant: self.invariant.to_owned(),
            kind: self.death.as_ref().map_or(self.violation.kind, |death| &death.trace).to_owned(),
            refusal: self.refusal.map(|refusal| (refusal.stage.word(), refusal.reason.word())),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.subject, self.invariant, self.kind)?;
        match self.refusal {
            Some((stage, reason)) => write!(f, " {stage}/{reason}"),
            None => write!(f, " accepted"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} violates {} ({})", self.subject, self.invariant, self.violation.kind)?;
        writeln!(f, "  expected: {}", self.violation.expected)?;
        writeln!(f, "  observed: {}", self.violation.observed)?;
        for mutation in &self.mutations {
            writeln!(f, "  mutation: {} at {}", mutation.operator, mutation.path)?;
        }
        write!(f, "  signature: {}", self.signature())
    }
}

/// The path from the crate's own folder on, so that it is the same on every machine.
pub(crate) fn short_path(file: &str) -> &str {
    match file.rfind("/src/") {
        Some(at) => &file[file[..at].rfind('/').map_or(0, |slash| slash + 1)..],
        None => file,
    }
}

/// The first line, without digits and without anything in quotes or backticks.
pub(crate) fn mask(message: &str) -> String {
    let mut masked = String::new();
    let mut quote = None;
    for character in message.lines().next().unwrap_or("").chars() {
        match (quote, character) {
            (Some(open), close) if close == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => {
                quote = Some(character);
                masked.push('_');
            }
            // A number is one mark, however long.
            (None, '0'..='9') if masked.ends_with('#') => {}
            (None, '0'..='9') => masked.push('#'),
            (None, other) if other.is_ascii_graphic() || other == ' ' => masked.push(other),
            _ => {}
        }
        if masked.len() >= 120 {
            break;
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_same_on_every_machine() {
        assert_eq!(short_path("/home/x/registry/serde-1.0.0/src/de/mod.rs"), "serde-1.0.0/src/de/mod.rs");
        assert_eq!(short_path("src/codec/mod.rs"), "src/codec/mod.rs");
    }

    #[test]
    fn a_masked_message_holds_neither_numbers_nor_what_is_quoted() {
        assert_eq!(mask("index 12 of \"secret\" is `gone`\nmore"), "index # of _ is _");
    }
}
