//! Which rules a message breaks from its metadata to its payload, told apart from the codec.
//!
//! An operator compares what was broken before its edit and after, so its record is exact in any context; the predicted
//! oracle asks again about the final case, so two edits that meet are told together. It speaks of lawful JSON with a
//! lawful envelope; the faults of bytes, JSON and envelope stand in the records of the operators alone.
//!
//! The reading is the strict one. Where the rules of judgement leave a question open it says so and nothing is predicted.

pub(crate) use super::kind::{Kind, REQUEST_ONLY, kind, method};
use super::layout::{Layout, Shape};
use super::payload::Standing;
use super::sentinel;
use crate::case::{Case, Party, Revision, StatedCapabilities, Transport};
use crate::codec::refusal::{Reason, Stage};
use crate::generate::dictionary::{
    CAPABILITIES_KEY, LEGACY, METHOD_HEADER, MODERN, NAME_HEADER, TASKS, VERSION_HEADER, VERSION_KEY,
};
use crate::generate::envelope::METHODS;
use crate::mutation::RequirementId;

/// One broken rule, in the order in which a careful receiver meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub requirement: RequirementId,
    /// Why it is refused; nothing when it is worth a note and no more.
    pub reason: Option<Reason>,
}

/// The rules that a message breaks in the order of the stages, or that it cannot be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub broken: Vec<Broken>,
    /// How many of them are told before the first question that the rules of judgement leave open.
    pub doubt: Option<usize>,
    /// Whether the payload of a method is of a form that is not told here.
    pub open: bool,
}

/// The rules of judgement do not say which rule is broken first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecided;

const CONTENT: RequirementId = "payload-tools-call-content-required";

/// Methods whose params may carry input on, a task's among them.
const RETRIED: [&[u8]; 4] = [b"tools/call", b"prompts/get", b"resources/read", b"tasks/update"];

/// The first member that a plain result of a method holds.
fn first_member(method: &[u8]) -> Option<&'static str> {
    METHODS.iter().find(|row| row.name.as_bytes() == method)?.result.split('"').nth(1)
}

/// The rule that a request for input breaks in answer to the method of the case. Methods of an extension that was not
/// advertised have results of their own.
fn interim_fault(case: &Case) -> Option<RequirementId> {
    let method = case.stated.method.as_deref()?;
    let row = METHODS.iter().find(|row| row.name.as_bytes() == method && !row.asks)?;
    let tasks = match &case.stated.capabilities {
        Some(StatedCapabilities::Extensions(ids)) => ids.iter().any(|id| id == TASKS.as_bytes()),
        _ => false,
    };
    match row.name.starts_with("tasks/") {
        true => tasks.then_some("extension-tasks-get-result-complete"),
        false => Some("mrtr-only-on-three-methods"),
    }
}

/// The member of `params` that a method's `Mcp-Name` mirrors.
pub(crate) fn source(method: &[u8]) -> Option<&'static str> {
    METHODS.iter().find(|row| row.name.as_bytes() == method)?.source
}

/// A header value without space and tab at its ends.
pub(crate) fn trimmed(value: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().position(|byte| !blank(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    &value[start..end]
}

impl Facts {
    /// The facts of a case; nothing can be told of a body without structure.
    pub fn of(case: &Case) -> Self {
        let mut facts = Self::default();
        match Layout::of(&case.body) {
            Some(layout) if layout.nodes[0].shape == Shape::Object => match (kind(&case.body, &layout), case.from) {
                (Kind::Request, Party::Client) => facts.request(case, &layout),
                (Kind::Result, Party::Server) => facts.result(case, &layout),
                (Kind::Error, Party::Server) => facts.error(case, &layout),
                (Kind::Notification, _) => facts.notification(case, &layout),
                // Only legacy revisions have requests of servers, and those say nothing of an era.
                (Kind::Request, Party::Server) if stated_legacy(case) => {
                    facts.doubt_if(layout.find(&case.body, &["params", "_meta"]).is_some());
                }
                _ => facts.doubt(),
            },
            _ => facts.doubt(),
        }
        facts
    }

    /// The rules that are broken here and were not broken in the other.
    pub fn beyond(&self, before: &Self) -> Vec<RequirementId> {
        let new = self.broken.iter().filter(|broken| !before.broken.contains(broken));
        new.map(|broken| broken.requirement).collect()
    }

    /// The first reason to refuse, with what the records say of the payload: `Ok(None)` when there is none, `Err` when
    /// it cannot be told.
    pub fn first(&self, payload: Standing) -> Result<Option<Reason>, Undecided> {
        let told = &self.broken[..self.doubt.unwrap_or(self.broken.len())];
        let first = told.iter().find_map(|broken| broken.reason);
        match (first, payload) {
            (Some(reason), _) if reason.stage() < Stage::Payload => Ok(Some(reason)),
            (None, _) if self.doubt.is_some() => Err(Undecided),
            (None | Some(Reason::RetryUnasked), Standing::Nothing) if self.open => Err(Undecided),
            (_, Standing::Undecided) => Err(Undecided),
            (first, Standing::Nothing) => Ok(first),
            (Some(own), Standing::Refused(other)) if own != other => Err(Undecided),
            (_, Standing::Refused(reason)) => Ok(Some(reason)),
        }
    }

    /// From here on the rules of judgement leave open what comes first.
    fn doubt(&mut self) {
        self.doubt.get_or_insert(self.broken.len());
    }

    fn doubt_if(&mut self, open: bool) {
        if open {
            self.doubt();
        }
    }

    fn breaks(&mut self, requirement: RequirementId, reason: Reason) {
        self.broken.push(Broken { requirement, reason: Some(reason) });
    }

    fn notification(&mut self, case: &Case, layout: &Layout) {
        self.metadata_types(case, layout);
        let mirrored = [VERSION_HEADER, METHOD_HEADER, NAME_HEADER];
        self.doubt_if(mirrored.iter().any(|name| case.headers_named(name).next().is_some()));
    }

    fn request(&mut self, case: &Case, layout: &Layout) {
        let body = &case.body[..];
        let version = layout.find(body, &["params", "_meta", VERSION_KEY]);
        let text = version.and_then(|index| layout.text(body, index));
        let stated = text.as_deref();
        let http = case.transport == Transport::Http;
        let headers: Vec<&[u8]> = if http {
            case.headers_named(VERSION_HEADER).map(|header| mirrored(case, &header.value)).collect()
        } else {
            Vec::new()
        };
        let header = headers.first().copied();
        let shaped = self.metadata_types(case, layout);
        let legacy = |value: Option<&[u8]>| value.is_some_and(is_legacy);
        let known_legacy = match (header, stated) {
            (Some(header), Some(body)) => header == body && is_legacy(header),
            (one, other) => legacy(one.or(other)) || (one.or(other).is_none() && stated_legacy(case)),
        };
        if !known_legacy || version.is_some() && stated.is_none() {
            self.capability_types(case, layout);
        }
        let claims_modern = version.is_some() || header.is_some_and(|value| !is_legacy(value));
        let method = method(body, layout).unwrap_or_default();
        let source = source(&method);
        if http {
            let required = claims_modern && !case.partial_headers;
            self.characters(case, claims_modern && source.is_some());
            if header.is_none() && required {
                self.breaks("header-protocol-version-required", Reason::HeaderMissing);
            }
            if let (Some(header), Some(stated)) = (header, stated)
                && header != stated
            {
                self.breaks("header-protocol-version-equals-meta", Reason::VersionMismatch);
            }
            self.method_header(case, &method, required);
            if let (Some(source), true) = (source, claims_modern) {
                self.name_header(case, layout, source, required);
            }
        }
        if shaped && (claims_modern || (header.is_none() && stated_modern(case))) {
            let at = |path: &[&str]| layout.find(body, path).is_some();
            if version.is_none() {
                let rule = match (at(&["params"]), at(&["params", "_meta"])) {
                    (false, _) => "envelope-params-required-on-modern-requests",
                    (true, false) => "meta-object-required-on-request",
                    (true, true) => "meta-protocol-version-required",
                };
                self.breaks(rule, Reason::MissingRequestMetadata);
            }
            if !at(&["params", "_meta", CAPABILITIES_KEY]) && !stated.is_some_and(is_legacy) {
                self.breaks("meta-client-capabilities-required", Reason::MissingCapabilities);
            }
        }
        if stated.is_some_and(|value| !is_known(value)) {
            self.breaks("negotiation-unsupported-version-error", Reason::UnsupportedRevision);
        }
        if shaped && claims_modern && !known_legacy {
            self.tasks(case, layout, &method);
        }
        self.payload(case, layout, source);
        let retries =
            ["requestState", "inputResponses"].iter().any(|name| layout.find(body, &["params", name]).is_some());
        if retries && claims_modern && !known_legacy && !RETRIED.contains(&&method[..]) {
            self.breaks("mrtr-params-only-on-supported-methods", Reason::RetryUnasked);
        }
    }

    /// Methods of the tasks extension, and tasks in a filter, need the extension on that request.
    fn tasks(&mut self, case: &Case, layout: &Layout, method: &[u8]) {
        let body = &case.body[..];
        let of = |path: &[&str]| layout.find(body, path).map(|index| layout.nodes[index].shape);
        let declared = |more: &[&str]| of(&[&["params", "_meta", CAPABILITIES_KEY], more].concat());
        let typed = self.broken.iter().all(|broken| broken.reason != Some(Reason::MalformedCapabilities));
        if declared(&[]).is_none() || !typed || declared(&["extensions", TASKS]) == Some(Shape::Object) {
            return;
        }
        match method {
            b"tasks/get" | b"tasks/update" | b"tasks/cancel" => {
                self.breaks("extension-tasks-methods-undeclaring-client", Reason::MissingClientCapability);
            }
            b"subscriptions/listen" if of(&["params", "notifications", "taskIds"]).is_some() => {
                self.breaks("extension-tasks-subscribe-undeclaring-client", Reason::MissingClientCapability);
            }
            _ => {}
        }
    }

    /// The member that `Mcp-Name` mirrors; what else a method's params hold is not told here.
    fn payload(&mut self, case: &Case, layout: &Layout, source: Option<&str>) {
        let (body, Some(source)) = (&case.body[..], source) else { return };
        let rule = match method(body, layout).as_deref() {
            Some(b"tools/call") => "payload-tools-call-name-required",
            Some(b"prompts/get") => "payload-prompts-get-name-required",
            Some(b"resources/read") => "payload-resources-read-uri-required",
            _ => "extension-tasks-update-fields",
        };
        match layout.find(body, &["params", source]).map(|index| layout.nodes[index].shape) {
            None => self.breaks(rule, Reason::MissingMember),
            Some(Shape::Text) => {}
            Some(_) => self.breaks(rule, Reason::WrongType),
        }
    }

    /// What is present in `params` and `_meta` has its type; says whether the keys of `_meta` can be looked for.
    fn metadata_types(&mut self, case: &Case, layout: &Layout) -> bool {
        let body = &case.body[..];
        let Some(params) = layout.member(body, 0, "params") else { return true };
        if layout.nodes[params].shape != Shape::Object {
            self.breaks("envelope-params-is-object", Reason::MalformedRequestMetadata);
            return false;
        }
        let Some(meta) = layout.member(body, params, "_meta") else { return true };
        if layout.nodes[meta].shape != Shape::Object {
            self.breaks("meta-is-object", Reason::MalformedRequestMetadata);
            return false;
        }
        if let Some(version) = layout.member(body, meta, VERSION_KEY)
            && layout.nodes[version].shape != Shape::Text
        {
            self.breaks("meta-protocol-version-is-string", Reason::MalformedRequestMetadata);
        }
        true
    }

    fn capability_types(&mut self, case: &Case, layout: &Layout) {
        let body = &case.body[..];
        let Some(capabilities) = layout.find(body, &["params", "_meta", CAPABILITIES_KEY]) else { return };
        if layout.nodes[capabilities].shape != Shape::Object {
            return self.breaks("meta-client-capabilities-is-object", Reason::MalformedCapabilities);
        }
        let typed = ["elicitation", "roots", "sampling", "experimental", "extensions"];
        let wrong = typed
            .iter()
            .filter_map(|name| layout.member(body, capabilities, name))
            .any(|index| layout.nodes[index].shape != Shape::Object);
        if wrong {
            self.breaks("capabilities-values-are-objects", Reason::MalformedCapabilities);
        }
    }

    /// Headers that are there twice or hold a byte that no header may hold.
    fn characters(&mut self, case: &Case, name_counts: bool) {
        let legal = |value: &[u8]| value.iter().all(|byte| matches!(byte, 0x09 | 0x20..=0x7E));
        for name in [VERSION_HEADER, METHOD_HEADER, NAME_HEADER] {
            let values: Vec<&[u8]> = case.headers_named(name).map(|header| &header.value[..]).collect();
            let version = name == VERSION_HEADER;
            if name == NAME_HEADER && !name_counts {
                continue;
            }
            if !values.iter().all(|value| legal(value)) {
                let reason = if version { Reason::UnreadableHeaders } else { Reason::HeaderCharacters };
                self.breaks("header-invalid-characters-rejected", reason);
            } else if values.len() > 1 {
                let differ = version && values.iter().any(|value| trimmed(value) != trimmed(values[0]));
                let reason = if differ { Reason::UnreadableHeaders } else { Reason::HeaderRepeated };
                self.breaks("header-repeated-field-rejected", reason);
            }
        }
    }

    fn method_header(&mut self, case: &Case, method: &[u8], required: bool) {
        match case.headers_named(METHOD_HEADER).next() {
            Some(header) if mirrored(case, &header.value) != method => {
                self.breaks("header-mcp-method-equals-body", Reason::MethodMismatch);
            }
            None if required => self.breaks("header-mcp-method-required", Reason::HeaderMissing),
            _ => {}
        }
    }

    fn name_header(&mut self, case: &Case, layout: &Layout, source: &str, required: bool) {
        let body = &case.body[..];
        let text = layout.find(body, &["params", source]).and_then(|index| layout.text(body, index));
        match case.headers_named(NAME_HEADER).next() {
            None if required && text.is_some() => self.breaks("header-mcp-name-required", Reason::HeaderMissing),
            None => {}
            Some(header) => match (sentinel::read(&header.value), text) {
                // A forbidden byte is told once, with those of the other headers.
                (Err(broken), _) if broken.reason == Some(Reason::HeaderCharacters) => {}
                (Err(broken), _) => self.broken.push(broken),
                (Ok(decoded), Some(text)) if decoded != text => {
                    self.breaks("header-mcp-name-equals-body", Reason::NameMismatch);
                }
                (Ok(_), _) => {}
            },
        }
    }

    fn result(&mut self, case: &Case, layout: &Layout) {
        let body = &case.body[..];
        // The header of a lone response is a signal of its own.
        if let Some(header) = case.headers_named(VERSION_HEADER).next() {
            if Revision::parse(trimmed(&header.value)).is_none() {
                self.breaks("project-malformed-era-signal", Reason::MalformedEraSignal);
            }
            self.doubt();
        }
        let Some(result) = layout.member(body, 0, "result") else { return };
        let modern = stated_modern(case);
        if modern && case.stated.capabilities == Some(StatedCapabilities::Malformed) {
            self.breaks("capabilities-values-are-objects", Reason::MalformedCapabilities);
        }
        if layout.nodes[result].shape != Shape::Object {
            return self.breaks("envelope-result-is-object", Reason::MalformedResultType);
        }
        let token = layout.member(body, result, "resultType");
        let text = token.map(|index| layout.text(body, index));
        let state = |name, shape| match layout.member(body, result, name) {
            Some(index) if layout.value(body, index) == b"null" => None,
            Some(index) => Some(layout.nodes[index].shape == shape),
            None => None,
        };
        let members = [state("inputRequests", Shape::Object), state("requestState", Shape::Text)];
        let continues = members.iter().any(Option::is_some);
        let stated = case.stated.revision.as_ref().map(Revision::as_str);
        let legacy = stated.is_some_and(|stated| LEGACY.contains(&stated));
        // The answer that starts a core task holds nothing else.
        let starts = stated == Some(LEGACY[0])
            && layout.member(body, result, "task").is_some_and(|index| layout.nodes[index].shape == Shape::Object);
        let lacks_content = case.stated.method.as_deref() == Some(b"tools/call")
            && layout.member(body, result, "content").is_none()
            && !starts;
        let asks = modern && text.as_ref().is_some_and(|text| text.as_deref() == Some(b"input_required"));
        match text {
            Some(None) => self.breaks("result-type-is-string", Reason::MalformedResultType),
            None if legacy && lacks_content => self.breaks(CONTENT, Reason::MissingMember),
            Some(Some(text)) if legacy && lacks_content && !continues && text.as_ref() == b"complete" => {
                self.breaks(CONTENT, Reason::MissingMember);
            }
            _ if !modern => {}
            None => self.breaks("result-type-required", Reason::MissingResultType),
            Some(Some(text)) => match text.as_ref() {
                // It licenses nothing, but whoever sent it broke no rule that could be named.
                b"complete" if continues => {
                    self.broken.push(Broken { requirement: "result-complete-for-final", reason: None });
                }
                // A task that claims to be finished has nothing of what the call owes.
                b"complete" if lacks_content => self.breaks(CONTENT, Reason::MissingMember),
                b"complete" => {}
                b"input_required" if members.contains(&Some(false)) => {
                    let requirement = if members[1] == Some(false) {
                        "mrtr-request-state-is-string"
                    } else {
                        "mrtr-input-requests-is-map"
                    };
                    self.breaks(requirement, Reason::MalformedContinuation);
                }
                b"input_required" if !continues => {
                    self.breaks("mrtr-at-least-one-field", Reason::UncontinuableInputRequired);
                }
                b"input_required" => {}
                other => self.token(case, other == b"task", layout.member(body, result, "taskId").is_some()),
            },
        }
        // What the payload of another method lacks is not told.
        let owed = case.stated.method.as_deref().filter(|method| *method != b"tools/call").and_then(first_member);
        self.open |= owed.is_some_and(|member| layout.member(body, result, member).is_none()) && !asks;
        self.open |= legacy && holds_new_blocks(body, layout, result);
        if let (true, Some(rule)) = (asks, interim_fault(case)) {
            self.breaks(rule, Reason::WrongValue);
        }
    }

    /// A token outside the core two, in the modern era.
    fn token(&mut self, case: &Case, task: bool, has_id: bool) {
        let understood = |ids: &[Vec<u8>]| ids.iter().any(|id| id == TASKS.as_bytes());
        match &case.stated.capabilities {
            Some(StatedCapabilities::Malformed) => {}
            Some(StatedCapabilities::CoreOnly) => {
                self.breaks("result-type-unknown-is-invalid", Reason::UnrecognizedResultType);
            }
            Some(StatedCapabilities::Extensions(ids)) if task && understood(ids) => match &case.stated.method {
                Some(method) if method == b"tools/call" && has_id => {}
                Some(method) if method == b"tools/call" => {
                    self.breaks("extension-tasks-task-fields", Reason::MissingMember);
                }
                Some(_) => self.breaks("extension-tasks-only-for-tools-call", Reason::IneligibleExtensionResult),
                None => {}
            },
            Some(StatedCapabilities::Extensions(_)) if task => {
                self.breaks("result-type-set-from-core-and-extensions", Reason::ExtensionNotAdvertised);
            }
            _ => self.breaks("result-type-set-from-core-and-extensions", Reason::RecognitionUndeterminable),
        }
    }

    fn error(&mut self, case: &Case, layout: &Layout) {
        let body = &case.body[..];
        self.doubt_if(case.headers_named(VERSION_HEADER).next().is_some());
        if !stated_modern(case) {
            return;
        }
        let code = layout.find(body, &["error", "code"]).map(|index| layout.value(body, index));
        let (owed, rule) = match code {
            Some(b"-32020") => (400, "header-mismatch-status-and-code"),
            Some(b"-32021") => (400, "capabilities-missing-client-capability-error"),
            Some(b"-32022") => (400, "negotiation-unsupported-version-error"),
            Some(b"-32601") => (404, "envelope-unknown-method-rejected"),
            _ => return,
        };
        if case.transport == Transport::Http && case.status.is_some_and(|status| status != owed) {
            self.breaks(rule, Reason::ErrorStatus);
        }
    }
}

/// A value of the version or method header. Where header lines may be missing it was recorded by somebody else and is
/// taken as it stands.
fn mirrored<'a>(case: &Case, value: &'a [u8]) -> &'a [u8] {
    if case.partial_headers { value } else { trimmed(value) }
}

/// Whether some block is of a kind that not every legacy revision has.
fn holds_new_blocks(body: &[u8], layout: &Layout, result: usize) -> bool {
    let Some(content) = layout.member(body, result, "content") else { return false };
    let kind = |block| layout.member(body, block, "type").and_then(|kind| layout.text(body, kind));
    layout
        .children(content)
        .any(|block| kind(block).is_none_or(|kind| kind.as_ref() != b"text" && kind.as_ref() != b"image"))
}

fn is_legacy(value: &[u8]) -> bool {
    LEGACY.iter().any(|known| known.as_bytes() == value)
}

fn is_known(value: &[u8]) -> bool {
    is_legacy(value) || value == MODERN.as_bytes()
}

fn stated_modern(case: &Case) -> bool {
    case.stated.revision == Revision::parse(MODERN.as_bytes())
}

fn stated_legacy(case: &Case) -> bool {
    case.stated.revision.is_some_and(|revision| is_legacy(revision.as_str().as_bytes()))
}
