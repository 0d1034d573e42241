//! What is known around a message that the message does not say itself.

use std::sync::Arc;

use super::annotation::Annotation;
use super::era::Era;
use super::meta::{Advertised, Capabilities, CapabilityState};
use super::reading::Weight;
use crate::case::{Case, Revision, StatedCapabilities};

/// What is known around a message. Used only where [`super`] says so: a context never overrides a signal of the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The revision that the session established.
    pub revision: Option<Revision>,
    /// The request that a response answers; `None` for an orphan.
    pub answered: Option<Answered>,
    /// Whether the sender proved itself modern earlier in this connection.
    pub peer_is_modern: bool,
    /// How much a legacy step would weigh here: the peer of the sender proved itself modern.
    pub downgrade: Option<Weight>,
    /// Whether the id is that of a request of the same sender that is still unanswered.
    pub id_in_flight: bool,
    /// The annotated parameters of the tool that a request calls, where its definition was seen.
    pub tool: Option<Arc<[Annotation]>>,
}

/// The request that a response answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The era of the request, where it was seen; a lone response states none.
    pub era: Option<Era>,
    /// What the request declared.
    pub capabilities: Capabilities,
    /// The method of the request, where it is known.
    pub method: Option<Vec<u8>>,
    /// The id as the request spelled it, where it was seen.
    pub id: Option<Vec<u8>>,
}

impl Context {
    /// What a lone case states about its surroundings.
    pub fn of(case: &Case) -> Self {
        let stated = &case.stated;
        let answered = (stated.capabilities.is_some() || stated.method.is_some()).then(|| Answered {
            era: None,
            capabilities: stated.capabilities.as_ref().map_or(Capabilities::of(CapabilityState::None), capabilities_of),
            method: stated.method.clone(),
            id: None,
        });
        Self { revision: stated.revision, answered, ..Self::default() }
    }
}

fn capabilities_of(stated: &StatedCapabilities) -> Capabilities {
    let state = |state| Capabilities::of(state);
    match stated {
        StatedCapabilities::None => state(CapabilityState::None),
        StatedCapabilities::Absent => state(CapabilityState::Absent),
        StatedCapabilities::CoreOnly => state(CapabilityState::CoreOnly),
        StatedCapabilities::Malformed => state(CapabilityState::Malformed),
        StatedCapabilities::ExtensionNotUnderstood => Capabilities {
            state: CapabilityState::ExtensionNotUnderstood,
            advertised: Advertised { other_member: true, ..Advertised::default() },
            inputs: None,
        },
        StatedCapabilities::Extensions(ids) => {
            let tasks = ids.iter().any(|id| id == super::meta::TASKS.as_bytes());
            Capabilities {
                state: CapabilityState::ExtensionNotUnderstood,
                advertised: Advertised {
                    tasks,
                    other_extension: ids.len() > usize::from(tasks),
                    ..Advertised::default()
                },
                inputs: None,
            }
        }
    }
}
