//! Stage *metadata types*: what is present in `params` and `_meta` has its type.

use super::Message;
use crate::codec::envelope::Kind;
use crate::codec::meta::{BodyVersion, CLIENT_CAPABILITIES, malformed_capability};
use crate::codec::reading::Weight;
use crate::codec::refusal::{Reason, Refusal};

/// Judges requests and notifications.
pub fn judge(message: &mut Message<'_, '_>) {
    if message.envelope.kind.is_response() {
        return;
    }
    let Some(params) = message.envelope.params else { return };
    let malformed = |offset, rule| Refusal::at(Reason::MalformedRequestMetadata, offset).under(rule);
    if !params.is_object() {
        return message.refuse(malformed(params.offset(), "envelope-params-is-object"), Weight::Full);
    }
    let Some(meta) = params.get("_meta") else { return };
    if !meta.is_object() {
        return message.refuse(malformed(meta.offset(), "meta-is-object"), Weight::Full);
    }
    if message.envelope.kind == Kind::Notification {
        return;
    }
    if let BodyVersion::NoString(value) = message.metadata.version {
        message.refuse(malformed(value.offset(), "meta-protocol-version-is-string"), Weight::Full);
    }
    // Legacy calls are not held to a contract that their era does not have.
    if message.call.era.is_legacy() {
        return;
    }
    let Some(capabilities) = meta.get(CLIENT_CAPABILITIES) else { return };
    if let Some(value) = malformed_capability(capabilities) {
        let whole = !capabilities.is_object();
        let rule = if whole { "meta-client-capabilities-is-object" } else { "capabilities-values-are-objects" };
        message.refuse(Refusal::at(Reason::MalformedCapabilities, value.offset()).under(rule), Weight::Full);
    }
}
