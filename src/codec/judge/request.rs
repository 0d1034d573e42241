//! Stages *required keys* and *revision*: what a request owes by what it claims to be.

use super::Message;
use crate::codec::document::Value;
use crate::codec::era::KnownRevision;
use crate::codec::meta::BodyVersion;
use crate::codec::reading::Weight;
use crate::codec::refusal::{Reason, Refusal};

/// The version key, then the capabilities key.
pub fn required_keys(message: &mut Message<'_, '_>) {
    if !message.is_request() {
        return;
    }
    let by_context = message.mirrored.version.value.is_none()
        && message
            .context
            .revision
            .is_some_and(|revision| KnownRevision::of(revision.as_str()).is_some_and(KnownRevision::is_modern));
    let claims = crate::codec::claims_modern(message.mirrored, message.metadata) || by_context;
    let params = message.envelope.params.filter(|params| params.is_object());
    // Params or `_meta` of a wrong type were judged as such; what they would hold cannot be missed.
    if !claims || matches!(message.metadata.version, BodyVersion::NoObject(_)) {
        return;
    }
    let holder = message.metadata.meta.or(params).or(message.envelope.method).map(Value::offset);
    if matches!(message.metadata.version, BodyVersion::Absent) {
        let rule = match (params, message.metadata.meta) {
            (None, _) => "envelope-params-required-on-modern-requests",
            (Some(_), None) => "meta-object-required-on-request",
            (Some(_), Some(_)) => "meta-protocol-version-required",
        };
        let refusal = Refusal { offset: holder, ..Refusal::new(Reason::MissingRequestMetadata) };
        message.refuse(refusal.under(rule), Weight::Full);
    }
    if message.metadata.capabilities.is_none() && !names_legacy(message.metadata.version) {
        let refusal = Refusal { offset: holder, ..Refusal::new(Reason::MissingCapabilities) };
        message.refuse(refusal, Weight::Full);
    }
}

/// A named revision that is none of the five.
pub fn revision(message: &mut Message<'_, '_>) {
    if let BodyVersion::Text(value, text) = message.metadata.version
        && KnownRevision::of(&text.decode()).is_none()
    {
        message.refuse(Refusal::at(Reason::UnsupportedRevision, value.offset()), Weight::Full);
    }
}

fn names_legacy(version: BodyVersion<'_>) -> bool {
    let BodyVersion::Text(_, text) = version else { return false };
    KnownRevision::of(&text.decode()).is_some_and(|known| !known.is_modern())
}
