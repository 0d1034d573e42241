//! What the codec saw in one message: observations, conclusion, broken rules and notes.
//!
//! Both profiles share one reading. A profile only chooses which broken rules refuse ([`Reading::refusal`]).

use super::conclusion::Conclusion;
use super::document::Value;
use super::envelope::{Envelope, Kind};
use super::era::Era;
use super::id::Id;
use super::meta::Capabilities;
use super::refusal::Refusal;
use super::result::ResultObservation;
use crate::observation::{Cost, Observation};

/// Which broken rules count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Rules that the text, its schema or a standard states.
    Spec,
    /// Those, inferred rules, those that only the official suite pins, and this project's own.
    #[default]
    Strict,
}

impl Profile {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Strict => "strict",
        }
    }
}

/// How much a broken rule weighs in the two profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Refused in both; a finding as the level and the basis of its rule say.
    Full,
    /// Refused in both, but a finding in `strict` only.
    Unproven,
    /// Refused in `strict`; a note in `spec`.
    StrictOnly,
}

/// One broken rule and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breach {
    /// The rule.
    pub refusal: Refusal,
    /// Its weight.
    pub weight: Weight,
}

/// Something worth telling that changes neither conclusion nor refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// The requirement that it is about.
    pub requirement: &'static str,
    /// What it says, as a kebab-case word.
    pub reason: &'static str,
    /// Where in the body, in bytes.
    pub offset: Option<usize>,
}

/// What the codec saw in one message.
#[derive(Clone, Debug, Default)]
pub struct Reading<'a> {
    /// The JSON-RPC shape, once it is readable.
    pub envelope: Option<Envelope<'a>>,
    /// What the signals resolve to.
    pub era: Option<Era>,
    /// What the client declared; of requests and responses.
    pub capabilities: Option<Capabilities>,
    /// What a success response says about itself.
    pub result: Option<ResultObservation>,
    /// What the message licenses; of requests and success responses.
    pub conclusion: Option<Conclusion>,
    /// Every broken rule in stage order.
    pub breaches: Vec<Breach>,
    /// Everything worth telling besides.
    pub notes: Vec<Note>,
    /// What it cost.
    pub cost: Cost,
}

impl<'a> Reading<'a> {
    /// A reading that ended at a fault of bytes, JSON or envelope.
    pub(super) fn ended(refusal: Refusal, cost: Cost) -> Self {
        Self { breaches: vec![Breach { refusal, weight: Weight::Full }], cost, ..Self::default() }
    }

    /// What the message is.
    pub fn kind(&self) -> Option<Kind> {
        self.envelope.as_ref().map(|envelope| envelope.kind)
    }

    /// The id as spelled; `None` also for the null id of an error.
    pub fn id(&self) -> Option<Id> {
        self.id_value().map(|id| Id::new(id.raw()))
    }

    /// The id as a value of the document.
    pub fn id_value(&self) -> Option<Value<'a>> {
        self.envelope.as_ref().and_then(|envelope| envelope.id)
    }

    /// The first broken rule in stage order that this profile refuses.
    pub fn breach(&self, profile: Profile) -> Option<&Breach> {
        self.breaches.iter().find(|breach| profile == Profile::Strict || breach.weight != Weight::StrictOnly)
    }

    /// The refusal that goes with [`Reading::breach`].
    pub fn refusal(&self, profile: Profile) -> Option<Refusal> {
        self.breach(profile).map(|breach| breach.refusal)
    }

    /// The reading as any subject would show it.
    pub fn observation(&self, profile: Profile) -> Observation {
        let tolerated = self
            .breaches
            .iter()
            .filter(|breach| profile == Profile::Spec && breach.weight == Weight::StrictOnly)
            .map(|breach| breach.refusal.requirement);
        Observation {
            kind: self.kind(),
            id: self.id(),
            era: self.era,
            capabilities: self.capabilities,
            result: self.result,
            conclusion: self.conclusion,
            refusal: self.refusal(profile),
            notes: tolerated.chain(self.notes.iter().map(|note| note.requirement)).collect(),
            steps: Vec::new(),
            cost: self.cost,
        }
    }
}
