//! Stage *header*: repeated or illegal fields, then version, method, name and parameters against the body.

use super::{Message, param, response};
use crate::case::{Party, Transport};
use crate::codec::document::Value;
use crate::codec::envelope::Kind;
use crate::codec::header::{Field, Repeated, Sentinel, SentinelFault, trim};
use crate::codec::meta::BodyVersion;
use crate::codec::reading::Weight;
use crate::codec::refusal::{Reason, Refusal};
use crate::codec::{claims_modern, spelled};

/// Judges what was sent over HTTP, and the era that a response brings along.
pub fn judge(message: &mut Message<'_, '_>) {
    if message.envelope.kind.is_response() {
        return response::era(message);
    }
    if message.case.transport != Transport::Http {
        return;
    }
    let modern = claims_modern(message.mirrored, message.metadata);
    let name_judged = modern && name_source(message).is_some();
    field(message, message.mirrored.version, Reason::UnreadableHeaders, Reason::UnreadableHeaders);
    field(message, message.mirrored.method, Reason::HeaderCharacters, Reason::HeaderRepeated);
    if name_judged {
        field(message, message.mirrored.name, Reason::HeaderCharacters, Reason::HeaderRepeated);
    }
    // Whoever keeps a part of the header lines cannot be held to the others, and no rule asks them of a notification or of
    // a server. One that is there is compared all the same.
    let required = modern
        && message.case.from == Party::Client
        && message.envelope.kind == Kind::Request
        && !message.case.partial_headers;
    version(message, required);
    method(message, required);
    if name_judged {
        name(message, required);
    } else if message.mirrored.name.value.is_some() {
        message.note("header-mcp-name-not-required-elsewhere", "name-header-without-source", None);
    }
    if modern && message.is_request() {
        param::judge(message, required);
    }
}

/// Repeated lines and illegal bytes of one field.
pub(super) fn field(message: &mut Message<'_, '_>, field: Field<'_>, illegal: Reason, different: Reason) {
    let repeated = |reason| Refusal::new(reason).under("header-repeated-field-rejected");
    if field.illegal {
        message.refuse(Refusal::new(illegal), Weight::Full);
    } else {
        match field.repeated {
            Repeated::No => {}
            Repeated::Different => message.refuse(repeated(different), Weight::Full),
            Repeated::Equal => message.refuse(repeated(Reason::HeaderRepeated), Weight::StrictOnly),
        }
    }
}

fn version(message: &mut Message<'_, '_>, required: bool) {
    if message.mirrored.version.value.is_none() {
        if required {
            message.refuse(Refusal::new(Reason::HeaderMissing), Weight::Full);
        }
        return;
    }
    let (Some(header), BodyVersion::Text(value, body)) =
        (message.mirrored.version.readable(), message.metadata.version)
    else {
        return;
    };
    if header != body.decode().as_bytes() {
        message.refuse(Refusal::at(Reason::VersionMismatch, value.offset()), Weight::Full);
    }
}

fn method(message: &mut Message<'_, '_>, required: bool) {
    let Some(value) = message.envelope.method else { return };
    match message.mirrored.method {
        Field { value: None, .. } if required => {
            message.refuse(Refusal::new(Reason::HeaderMissing).under("header-mcp-method-required"), Weight::Full);
        }
        field => {
            let Some(header) = field.readable() else { return };
            let body = value.as_text().map(|text| text.decode());
            if body.is_none_or(|body| header != body.as_bytes()) {
                message.refuse(Refusal::at(Reason::MethodMismatch, value.offset()), Weight::Full);
            }
        }
    }
}

/// Where `Mcp-Name` comes from: the member of params, and the rule that says so.
pub(super) fn name_source(message: &Message<'_, '_>) -> Option<(&'static str, &'static str)> {
    const SOURCES: [(&str, &str, &str); 6] = [
        ("tools/call", "name", "header-mcp-name-source-tools-call"),
        ("prompts/get", "name", "header-mcp-name-source-prompts-get"),
        ("resources/read", "uri", "header-mcp-name-source-resources-read"),
        ("tasks/get", "taskId", "header-mcp-name-source-tasks"),
        ("tasks/update", "taskId", "header-mcp-name-source-tasks"),
        ("tasks/cancel", "taskId", "header-mcp-name-source-tasks"),
    ];
    if message.envelope.kind != Kind::Request {
        return None;
    }
    let row = SOURCES.iter().find(|(method, ..)| message.envelope.has_method(method))?;
    Some((row.1, row.2))
}

fn name(message: &mut Message<'_, '_>, required: bool) {
    let source = name_source(message).and_then(|(member, _)| message.envelope.param(member));
    let source = source.filter(|value| value.as_text().is_some());
    let Some(raw) = message.mirrored.name.value else {
        if required && source.is_some() {
            message.refuse(Refusal::new(Reason::HeaderMissing).under("header-mcp-name-required"), Weight::Full);
        }
        return;
    };
    if message.mirrored.name.is_unreadable() {
        return;
    }
    let value = trim(raw);
    let read = (message.stages.sentinel)(value);
    if raw != value {
        message.refuse(Refusal::new(Reason::HeaderSpace), Weight::StrictOnly);
    }
    oddities(message, value, &read);
    compare(message, source, &read);
}

/// What is odd about the spelling alone.
pub(super) fn oddities(message: &mut Message<'_, '_>, value: &[u8], read: &Sentinel<'_>) {
    let malformed = |rule| Refusal::new(Reason::SentinelMalformed).under(rule);
    match read {
        Sentinel::Malformed(fault) => {
            let rule = match fault {
                SentinelFault::Padding => "sentinel-bad-padding-rejected",
                SentinelFault::Alphabet => "sentinel-bad-alphabet-rejected",
                SentinelFault::Utf8 => "sentinel-payload-is-utf8",
            };
            message.refuse(malformed(rule), Weight::Full);
        }
        Sentinel::Wrapped { canonical: false, .. } => {
            message.refuse(malformed("sentinel-canonical-base64"), Weight::StrictOnly);
        }
        Sentinel::Wrapped { .. } => {}
        Sentinel::Overlapping(_) => {
            message.refuse(malformed("sentinel-encode-overlapping-lookalike"), Weight::StrictOnly);
        }
        Sentinel::Unclosed(_) => message.refuse(Refusal::new(Reason::SentinelUnclosed), Weight::StrictOnly),
        Sentinel::Literal(_) => {}
    }
    let literal = !matches!(read, Sentinel::Wrapped { .. } | Sentinel::Malformed(_));
    if literal && value.contains(&b'\t') {
        let refusal = Refusal::new(Reason::HeaderSpace).under("sentinel-interior-tab-encoded");
        message.refuse(refusal, Weight::StrictOnly);
    }
}

fn compare<'a>(message: &mut Message<'_, 'a>, source: Option<Value<'a>>, read: &Sentinel<'_>) {
    let Some(source) = source else { return };
    let (Some(header), Some(body)) = (spelled(read), source.as_text()) else { return };
    if *header != *body.decode().as_bytes() {
        message.refuse(Refusal::at(Reason::NameMismatch, source.offset()), Weight::Full);
    }
}
