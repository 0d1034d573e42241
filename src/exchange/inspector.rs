//! What an Inspector export holds: an array of messages, bare or under `events`.

use super::Recorded;
use super::sender::Senders;
use crate::case::Case;
use crate::codec::document::{Decoder, ValueKind};
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Recorded>, Refusal> {
    let mut decoder = Decoder::new();
    let root = decoder.read(bytes, limits)?.root();
    let events = match (root.kind(), root.get("events")) {
        (ValueKind::Array, _) => root,
        (ValueKind::Object, Some(events)) if events.kind() == ValueKind::Array => events,
        (ValueKind::Object, None) => return Ok(Vec::new()),
        (_, events) => return Err(Refusal::at(Reason::TranscriptShape, events.unwrap_or(root).offset())),
    };
    let mut senders = Senders::default();
    let recorded = |(index, event): (usize, crate::codec::document::Value<'_>)| Recorded {
        index,
        offset: event.offset(),
        case: Case::stdio(senders.of(event), event.raw()),
    };
    Ok(events.elements().enumerate().map(recorded).collect())
}
