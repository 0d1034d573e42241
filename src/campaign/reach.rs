//! Which combination of readings a case reached, so that a run can tell something new from more of the same.
//!
//! A [`Watch`] stands between the oracle and the subject and notes what the subject showed for the case itself; the
//! variants that relations ask about come later and are not noted.

use crate::case::{Case, Frames};
use crate::codec::conclusion::Conclusion;
use crate::codec::envelope::Kind;
use crate::codec::era::{Era, KnownRevision};
use crate::codec::meta::CapabilityState;
use crate::codec::refusal::{Reason, Stage};
use crate::codec::result::ResultObservation;
use crate::finding::Death;
use crate::observation::{Framed, Observation};
use crate::subject::{Subject, Unreachable};

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    kind: Option<Kind>,
    era: Option<(&'static str, Option<KnownRevision>)>,
    capabilities: Option<CapabilityState>,
    result: Option<ResultObservation>,
    conclusion: Option<Conclusion>,
    refusal: Option<(Stage, Reason)>,
}

impl Reach {
    /// The combination of an observation; dates that are no known revision count as one.
    pub fn of(observation: &Observation) -> Self {
        Self {
            kind: observation.kind,
            era: observation.era.map(|era| match era {
                Era::Known(revision) => ("known", Some(revision)),
                Era::Unknown(reason) => (reason.word(), None),
                Era::Conflicting { .. } => ("conflicting", None),
            }),
            capabilities: observation.capabilities.map(|capabilities| capabilities.state),
            result: observation.result,
            conclusion: observation.conclusion,
            refusal: observation.refusal.map(|refusal| (refusal.stage, refusal.reason)),
        }
    }
}

/// A subject whose first observations are noted.
pub struct Watch<'a> {
    subject: &'a mut dyn Subject,
    wanted: usize,
    /// What it showed.
    pub reached: &'a mut Vec<Reach>,
    /// How often it could not be asked.
    pub unreachable: &'a mut u64,
    died: Option<Death>,
}

impl<'a> Watch<'a> {
    /// Notes the first `wanted` observations into `reached`, which is cleared.
    pub fn new(
        subject: &'a mut dyn Subject,
        wanted: usize,
        reached: &'a mut Vec<Reach>,
        unreachable: &'a mut u64,
    ) -> Self {
        reached.clear();
        Self { subject, wanted, reached, unreachable, died: None }
    }
}

impl Subject for Watch<'_> {
    fn name(&self) -> &str {
        self.subject.name()
    }

    fn reset(&mut self) {
        self.subject.reset();
    }

    fn death(&mut self) -> Option<Death> {
        self.died.take()
    }

    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
        let observation = self.subject.observe(case);
        if observation.is_err() {
            self.died = self.subject.death();
        }
        if self.wanted > 0 {
            self.wanted -= 1;
            match &observation {
                Ok(observation) => self.reached.push(Reach::of(observation)),
                Err(Unreachable) => *self.unreachable += u64::from(self.died.is_none()),
            }
        }
        observation
    }

    fn cut(&mut self, stream: &Frames) -> Option<Vec<Framed>> {
        self.subject.cut(stream)
    }
}
