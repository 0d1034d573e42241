//! What one subject showed for one case.

use crate::codec::conclusion::Conclusion;
use crate::codec::envelope::Kind;
use crate::codec::era::Era;
use crate::codec::id::Id;
use crate::codec::meta::Capabilities;
use crate::codec::refusal::Refusal;
use crate::codec::result::ResultObservation;

/// What one subject showed for one case. `None` means "this subject cannot show it", or that there is nothing of the
/// kind in the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// What the message is.
    pub kind: Option<Kind>,
    /// Its id, as spelled.
    pub id: Option<Id>,
    /// The era that its signals resolve to.
    pub era: Option<Era>,
    /// What the client declared.
    pub capabilities: Option<Capabilities>,
    /// What the result says about itself.
    pub result: Option<ResultObservation>,
    /// What the message licenses.
    pub conclusion: Option<Conclusion>,
    /// The first broken rule in stage order.
    pub refusal: Option<Refusal>,
    /// Ids of the requirements that were noted without changing anything.
    pub notes: Vec<&'static str>,
    /// What the subject did next, where it is a client that starts up.
    pub steps: Vec<Step>,
    /// What the reading cost.
    pub cost: Cost,
}

/// One thing that a client does while it starts up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Sends `server/discover` with modern metadata.
    Probe,
    /// Sends `initialize`: a legacy step.
    Initialize,
    /// Sends `notifications/initialized`: a legacy step.
    Initialized,
    /// Opens an event stream with GET: a legacy step.
    OpenStream,
    /// Sends a request without modern metadata: a legacy step.
    BareRequest,
    /// Settles on the modern era.
    SelectModern,
    /// Settles on a legacy era.
    SelectLegacy,
    /// Gives up and tells the caller.
    Fail,
}

impl Step {
    /// Whether it belongs to a legacy era.
    pub const fn is_legacy(self) -> bool {
        matches!(self, Self::Initialize | Self::Initialized | Self::OpenStream | Self::BareRequest | Self::SelectLegacy)
    }
}

/// One frame that a subject made out of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framed {
    /// Where it starts, in bytes from the start of the stream.
    pub offset: u64,
    /// The bytes of one message, or why there is none.
    pub result: Result<Vec<u8>, Refusal>,
}

/// What a reading cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Nodes that the document reader built.
    pub nodes: usize,
}
