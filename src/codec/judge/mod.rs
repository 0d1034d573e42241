//! Which rules a readable message breaks, stage by stage.
//!
//! A judge compares what was observed with the rules; it changes no observation and no conclusion. Every code that a
//! server owes comes from the raw strings, never from the era.

pub mod capabilities;
pub mod header;
pub mod metadata;
pub mod param;
pub mod request;
pub mod response;
mod sender;

use super::context::Context;
use super::document::Value;
use super::envelope::{Envelope, Kind};
use super::era::{Era, KnownRevision};
use super::header::Mirrored;
use super::id::{Id, Spelling, spelling};
use super::meta::{self, Metadata};
use super::reading::{Breach, Note, Weight};
use super::refusal::{Reason, Refusal};
use super::result::{Call, ResultObservation};
use super::{Conclusion, Stages, trace};
use crate::case::Case;

/// Looks for the broken rules of one stage.
pub type Judge = fn(&mut Message<'_, '_>);

/// Everything observed of one message, and where its broken rules go.
pub struct Message<'m, 'a> {
    /// The stages in use; judges decode sentinels with them.
    pub stages: &'static Stages,
    /// The message on the wire.
    pub case: &'a Case,
    /// What is known around it.
    pub context: &'m Context,
    /// Its shape.
    pub envelope: &'m Envelope<'a>,
    /// The metadata of a request.
    pub metadata: &'m Metadata<'a>,
    /// The mirrored header fields.
    pub mirrored: &'m Mirrored<'a>,
    /// Era, capabilities, and the method of the request that a response answers.
    pub call: &'m Call<'m>,
    /// What a success response says about itself.
    pub result: Option<ResultObservation>,
    /// What the message licenses.
    pub conclusion: Option<Conclusion>,
    /// The broken rules, in stage order.
    pub breaches: &'m mut Vec<Breach>,
    /// Everything worth telling besides.
    pub notes: &'m mut Vec<Note>,
}

impl<'a> Message<'_, 'a> {
    /// Whether it is a request.
    pub fn is_request(&self) -> bool {
        self.envelope.kind == Kind::Request
    }

    /// Records a broken rule. Nobody answers anything but a request, so only there a code is owed.
    pub fn refuse(&mut self, refusal: Refusal, weight: Weight) {
        let refusal = if self.is_request() { refusal } else { refusal.unanswered() };
        self.breaches.push(Breach { refusal, weight });
    }

    /// Records something worth telling.
    pub fn note(&mut self, requirement: &'static str, reason: &'static str, value: Option<Value<'a>>) {
        self.remark(requirement, reason, value.map(Value::offset));
    }

    /// The same for a place that is known by its offset alone.
    pub fn remark(&mut self, requirement: &'static str, reason: &'static str, offset: Option<usize>) {
        self.notes.push(Note { requirement, reason, offset });
    }
}

/// What only the rest of the session can tell.
pub(super) fn session(message: &mut Message<'_, '_>) {
    if let Some(weight) = message.context.downgrade {
        let offset = message.envelope.method.map(Value::offset);
        message.refuse(Refusal { offset, ..Refusal::new(Reason::LegacyStep) }, weight);
    }
    sender::judge(message);
    if message.context.id_in_flight {
        let offset = message.envelope.id.map(Value::offset);
        message.refuse(Refusal { offset, ..Refusal::new(Reason::IdReused) }, Weight::Full);
    }
}

/// Everything worth telling that changes nothing.
pub(super) fn note(message: &mut Message<'_, '_>) {
    if message.envelope.null_id && message.envelope.kind == Kind::Error {
        message.note("envelope-error-id-never-null", "null-error-id", None);
    }
    error_id(message);
    if let Some(method) = message.envelope.method
        && method.as_text().is_some_and(|text| text.decode().starts_with("rpc."))
    {
        message.note("envelope-method-rpc-prefix-reserved", "reserved-method", Some(method));
    }
    if let Some(id) = message.envelope.id {
        let raw = id.raw();
        let large = id.as_number().is_some() && spelling(raw) == Spelling::Plain && !portable(raw);
        if large {
            message.note("json-numbers-not-lossy", "number-beyond-2-53", Some(id));
        }
    }
    for holder in [message.envelope.params, message.envelope.result] {
        if let Some(meta) = holder.and_then(|holder| holder.get("_meta")) {
            note_keys(message, meta);
        }
    }
    if message.is_request()
        && message.call.era.is_modern()
        && message.metadata.meta.is_some_and(|meta| meta.get(meta::CLIENT_INFO).is_none())
    {
        message.note("meta-client-info-included", "client-info-missing", message.metadata.meta);
    }
}

/// Before 2025-11-25 the schema has no error without an id, and both profiles accept one.
fn error_id(message: &mut Message<'_, '_>) {
    let lacks = message.envelope.kind == Kind::Error && message.envelope.id.is_none();
    let owed = matches!(message.call.era, Era::Known(known) if known < KnownRevision::V2025_11_25);
    if lacks && owed {
        message.note("envelope-legacy-error-id-required", "no-error-id", message.envelope.error);
    }
}

fn note_keys<'a>(message: &mut Message<'_, 'a>, meta: Value<'a>) {
    for (name, value) in meta.members() {
        let name = name.decode();
        if let Some(rule) = meta::key_fault(&name) {
            message.note(rule, "meta-key-grammar", Some(value));
        } else if let Some(rule) = meta::reserved_prefix(&name, message.call.era) {
            message.note(rule, "reserved-prefix", Some(value));
        }
    }
    for (rule, value) in trace::faults(meta) {
        message.note(rule, "trace-context-dropped", Some(value));
    }
}

/// Within plus or minus 2^53 - 1, where every JSON library keeps an integer exact.
fn portable(number: &[u8]) -> bool {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    digits.len() < 16 || (digits.len() == 16 && digits <= b"9007199254740991".as_slice())
}

/// Whether a response spells its id as the request did. The key is known to be equal.
pub(super) fn spelled_alike(message: &Message<'_, '_>) -> bool {
    let asked = message.context.answered.as_ref().and_then(|request| request.id.as_deref());
    match (asked, message.envelope.id) {
        (Some(asked), Some(id)) => Id::new(asked).is_string() || asked == id.raw(),
        _ => true,
    }
}
