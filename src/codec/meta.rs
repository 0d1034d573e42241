//! `_meta`: the version and the capabilities of a request, and the grammar of its keys.
//!
//! This module observes. What a wrong type or a missing key means is said in [`super::judge`] and
//! [`super::conclusion`].

use super::document::{Text, Value};
use super::envelope::{Envelope, Kind};
use super::era::{Era, KnownRevision};

/// The `_meta` key of the protocol version.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The `_meta` key of the client capabilities.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The `_meta` key of the client's own name and version.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The `_meta` key of the server's own name and version.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The identifier of the tasks extension.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";

/// The metadata observation of a request. Anything else than a request has [`Metadata::default`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Metadata<'a> {
    /// What the protocol version key says.
    pub version: BodyVersion<'a>,
    /// `_meta`, when it is an object.
    pub meta: Option<Value<'a>>,
    /// The value of the capabilities key.
    pub capabilities: Option<Value<'a>>,
}

/// What the body of a request says of its revision.
#[derive(Clone, Copy, Debug, Default)]
pub enum BodyVersion<'a> {
    /// No params, no `_meta`, or no such key.
    #[default]
    Absent,
    /// Params or `_meta` are no object; the value that is not.
    NoObject(Value<'a>),
    /// The key's value is no string.
    NoString(Value<'a>),
    /// The key's value.
    Text(Value<'a>, Text<'a>),
}

/// What a request declared beyond the core, and what of it we understand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Advertised {
    /// `io.modelcontextprotocol/tasks` with an object as its value.
    pub tasks: bool,
    /// `io.modelcontextprotocol/tasks` with a value that is no object.
    pub tasks_without_object: bool,
    /// An extension that we do not know.
    pub other_extension: bool,
    /// A non-empty `experimental` map or an unknown top-level member.
    pub other_member: bool,
}

/// The kinds of input that a request lets a server ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Inputs {
    /// `roots`
    pub roots: bool,
    /// `sampling`
    pub sampling: bool,
    /// `sampling.context`
    pub sampling_context: bool,
    /// `sampling.tools`
    pub sampling_tools: bool,
    /// `elicitation` with `form`, or without a mode.
    pub elicitation_form: bool,
    /// `elicitation.url`
    pub elicitation_url: bool,
}

/// The capability observation of a request. `advertised` says more about [`CapabilityState::ExtensionNotUnderstood`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capabilities {
    /// One of the five states.
    pub state: CapabilityState,
    /// What stands beyond the core; all false in any other state.
    pub advertised: Advertised,
    /// The kinds of input that may be asked for; `None` where the declaration itself was not seen.
    pub inputs: Option<Inputs>,
}

/// The five states of the capability observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapabilityState {
    /// There is nothing to observe: no params or no `_meta`, or an orphan response.
    None,
    /// A readable `_meta` without the key.
    Absent,
    /// Nothing beyond the core.
    CoreOnly,
    /// Something beyond the core.
    ExtensionNotUnderstood,
    /// A wrong type.
    Malformed,
}

impl CapabilityState {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Absent => "absent",
            Self::CoreOnly => "core-only",
            Self::ExtensionNotUnderstood => "extension-not-understood",
            Self::Malformed => "malformed",
        }
    }
}

impl Capabilities {
    /// A state with nothing advertised.
    pub const fn of(state: CapabilityState) -> Self {
        let nothing =
            Advertised { tasks: false, tasks_without_object: false, other_extension: false, other_member: false };
        Self { state, advertised: nothing, inputs: None }
    }
}

/// Observes the metadata of a message.
pub fn observe<'a>(envelope: &Envelope<'a>) -> Metadata<'a> {
    if envelope.kind != Kind::Request {
        return Metadata::default();
    }
    let no_object = |value| Metadata { version: BodyVersion::NoObject(value), ..Metadata::default() };
    let Some(params) = envelope.params else { return Metadata::default() };
    if !params.is_object() {
        return no_object(params);
    }
    let Some(meta) = params.get("_meta") else { return Metadata::default() };
    if !meta.is_object() {
        return no_object(meta);
    }
    let version = match meta.get(PROTOCOL_VERSION) {
        None => BodyVersion::Absent,
        Some(value) => value.as_text().map_or(BodyVersion::NoString(value), |text| BodyVersion::Text(value, text)),
    };
    Metadata { version, meta: Some(meta), capabilities: meta.get(CLIENT_CAPABILITIES) }
}

/// Observes the capabilities of a request from its metadata.
pub fn capabilities(metadata: &Metadata<'_>) -> Capabilities {
    match (metadata.version, metadata.meta, metadata.capabilities) {
        (BodyVersion::NoObject(_), ..) => Capabilities::of(CapabilityState::Malformed),
        (_, None, _) => Capabilities::of(CapabilityState::None),
        (_, Some(_), None) => Capabilities::of(CapabilityState::Absent),
        (_, Some(_), Some(value)) => declared(value),
    }
}

fn declared(value: Value<'_>) -> Capabilities {
    if malformed_capability(value).is_some() {
        return Capabilities::of(CapabilityState::Malformed);
    }
    let mut advertised = Advertised::default();
    for (name, member) in value.members() {
        if name.is("extensions") {
            for (extension, settings) in member.members() {
                match extension {
                    extension if !extension.is(TASKS) => advertised.other_extension = true,
                    _ if settings.is_object() => advertised.tasks = true,
                    _ => advertised.tasks_without_object = true,
                }
            }
        } else if name.is("experimental") {
            advertised.other_member |= member.members().next().is_some();
        } else if !CORE_CAPABILITIES.iter().any(|core| name.is(core)) {
            advertised.other_member = true;
        }
    }
    let beyond = advertised != Advertised::default();
    let state = if beyond { CapabilityState::ExtensionNotUnderstood } else { CapabilityState::CoreOnly };
    Capabilities { state, advertised, inputs: Some(inputs(value)) }
}

/// What the core members allow. An elicitation without a mode is one by form (and by form alone).
fn inputs(value: Value<'_>) -> Inputs {
    let within = |holder: Option<Value<'_>>, name: &str| holder.is_some_and(|holder| holder.get(name).is_some());
    let (sampling, elicitation) = (value.get("sampling"), value.get("elicitation"));
    let (form, url) = (within(elicitation, "form"), within(elicitation, "url"));
    Inputs {
        roots: value.get("roots").is_some(),
        sampling: sampling.is_some(),
        sampling_context: within(sampling, "context"),
        sampling_tools: within(sampling, "tools"),
        elicitation_form: elicitation.is_some() && (form || !url),
        elicitation_url: url,
    }
}

const CORE_CAPABILITIES: [&str; 3] = ["elicitation", "roots", "sampling"];

/// The first value that makes client capabilities malformed: the whole when it is no object, else a known member or
/// open map that is none.
pub fn malformed_capability(value: Value<'_>) -> Option<Value<'_>> {
    if !value.is_object() {
        return Some(value);
    }
    let known =
        |name: Text<'_>| CORE_CAPABILITIES.iter().chain(&["experimental", "extensions"]).any(|known| name.is(known));
    value.members().find(|(name, member)| known(*name) && !member.is_object()).map(|(_, member)| member)
}

/// Which rule of the key grammar a `_meta` key breaks, if any. A key is an optional prefix, dotted labels ended by one
/// slash, and a name; the whole may be empty.
pub fn key_fault(key: &str) -> Option<&'static str> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    if let Some(prefix) = prefix {
        if prefix.contains('/') {
            return Some("meta-key-single-slash");
        }
        if let Some(fault) = prefix.split('.').find_map(label_fault) {
            return Some(fault);
        }
    }
    let alphanumeric = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    if bytes.is_empty() {
        return None;
    }
    if !alphanumeric(bytes.first()) || !alphanumeric(bytes.last()) {
        return Some("meta-key-name-edges-alphanumeric");
    }
    let interior = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!bytes.iter().all(interior)).then_some("meta-key-name-interior-charset")
}

/// The rule that reserves the prefix of a key, when it is reserved and not that of the specification itself. By
/// 2025-06-18 the label before the last one reserves as well, by later revisions the second alone.
pub fn reserved_prefix(key: &str, era: Era) -> Option<&'static str> {
    let (prefix, _) = key.rsplit_once('/').filter(|(prefix, _)| *prefix != "io.modelcontextprotocol")?;
    let reserved = |label: &str| matches!(label, "modelcontextprotocol" | "mcp");
    let legacy = matches!(era, Era::Known(KnownRevision::V2025_06_18));
    if legacy {
        let before_last = prefix.rsplit('.').nth(1);
        return before_last.is_some_and(reserved).then_some("meta-prefix-reserved-legacy-rule");
    }
    let applies = !matches!(era, Era::Known(known) if known < KnownRevision::V2025_11_25);
    (applies && prefix.split('.').nth(1).is_some_and(reserved)).then_some("meta-prefix-second-label-reserved")
}

fn label_fault(label: &str) -> Option<&'static str> {
    let bytes = label.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return Some("meta-key-prefix-is-dotted-labels-slash");
    };
    if !first.is_ascii_alphabetic() {
        return Some("meta-key-label-starts-with-letter");
    }
    if !last.is_ascii_alphanumeric() {
        return Some("meta-key-label-ends-alphanumeric");
    }
    let interior = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    (!interior).then_some("meta-key-label-interior-charset")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_grammar_names_the_rule_that_is_broken() {
        for (key, fault) in [
            ("", None),
            ("progressToken", None),
            ("com.example/", None),
            ("io.modelcontextprotocol/protocolVersion", None),
            ("mcp/x", None),
            ("a-b.c9/x_y.z-1", None),
            ("a/b/c", Some("meta-key-single-slash")),
            ("/x", Some("meta-key-prefix-is-dotted-labels-slash")),
            ("a..b/x", Some("meta-key-prefix-is-dotted-labels-slash")),
            ("1a/x", Some("meta-key-label-starts-with-letter")),
            ("a-/x", Some("meta-key-label-ends-alphanumeric")),
            ("a_b/x", Some("meta-key-label-interior-charset")),
            ("é/x", Some("meta-key-label-starts-with-letter")),
            ("_x", Some("meta-key-name-edges-alphanumeric")),
            ("x_", Some("meta-key-name-edges-alphanumeric")),
            ("x y", Some("meta-key-name-interior-charset")),
        ] {
            assert_eq!(key_fault(key), fault, "{key:?}");
        }
    }
}
