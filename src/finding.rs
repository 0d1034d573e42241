//! A violated invariant, and what makes two findings the same bug.

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

/// One violation of one invariant by one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the subject.
    pub subject: String,
    /// The id of the invariant.
    pub invariant: &'static str,
    /// How it was violated.
    pub violation: Violation,
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
            kind: self.violation.kind.to_owned(),
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
