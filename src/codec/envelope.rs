//! The JSON-RPC shape of a message: what it is, and its id.

use super::document::{Document, Value, ValueKind};
use super::id::{Spelling, spelling};
use super::reading::{Breach, Weight};
use super::refusal::{Reason, Refusal};

/// What a message is by its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A method with an id.
    Request,
    /// A method without an id.
    Notification,
    /// A response that holds a result.
    Result,
    /// A response that holds an error.
    Error,
}

impl Kind {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result => "result",
            Self::Error => "error",
        }
    }

    /// Whether it answers a request.
    pub const fn is_response(self) -> bool {
        matches!(self, Self::Result | Self::Error)
    }
}

/// The members of a readable message.
#[derive(Clone, Copy, Debug)]
pub struct Envelope<'a> {
    /// What it is.
    pub kind: Kind,
    /// The id, a string or a number; `None` in a notification and in an error that cannot name one.
    pub id: Option<Value<'a>>,
    /// Whether an error carries `"id": null`.
    pub null_id: bool,
    /// The method, a string; of requests and notifications.
    pub method: Option<Value<'a>>,
    /// The params, whatever their type.
    pub params: Option<Value<'a>>,
    /// The result, whatever its type.
    pub result: Option<Value<'a>>,
    /// The error, an object with an integer code and a string message.
    pub error: Option<Value<'a>>,
}

/// Methods that are always answered, so that one of them without an id is no notification.
const REQUEST_ONLY: [&str; 22] = [
    "completion/complete",
    "elicitation/create",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "roots/list",
    "sampling/createMessage",
    "server/discover",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tools/call",
    "tools/list",
];

impl<'a> Envelope<'a> {
    /// Whether the method is exactly this one.
    pub fn has_method(&self, name: &str) -> bool {
        self.method.and_then(Value::as_text).is_some_and(|method| method.is(name))
    }

    /// A member of object params.
    pub fn param(&self, name: &str) -> Option<Value<'a>> {
        self.params.and_then(|params| params.get(name))
    }

    /// The code of the error.
    pub fn error_code(&self) -> Option<i64> {
        self.error?.get("code")?.as_number()?.parse().ok()
    }
}

/// Classifies a document. Faults that do not end the reading go to `breaches`.
///
/// # Errors
///
/// The first fault of the shape, which ends the reading.
pub fn observe<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Result<Envelope<'a>, Refusal> {
    let root = document.root();
    match root.kind() {
        ValueKind::Object => {}
        ValueKind::Array => return Err(Refusal::at(Reason::Batch, root.offset())),
        _ => return Err(Refusal::at(Reason::RootNotObject, root.offset())),
    }
    let members = Members::of(root);
    let answers = members.method.is_none() && (members.result.is_some() || members.error.is_some());
    members.classify(root, breaches).map_err(|refusal| if answers { refusal.unanswered() } else { refusal })
}

/// The members that the shape is about, found in one pass over the root.
#[derive(Default)]
struct Members<'a> {
    jsonrpc: Option<Value<'a>>,
    id: Option<Value<'a>>,
    method: Option<Value<'a>>,
    params: Option<Value<'a>>,
    result: Option<Value<'a>>,
    error: Option<Value<'a>>,
}

impl<'a> Members<'a> {
    fn of(root: Value<'a>) -> Self {
        let mut members = Self::default();
        for (name, value) in root.members() {
            let slot = match name {
                name if name.is("jsonrpc") => &mut members.jsonrpc,
                name if name.is("id") => &mut members.id,
                name if name.is("method") => &mut members.method,
                name if name.is("params") => &mut members.params,
                name if name.is("result") => &mut members.result,
                name if name.is("error") => &mut members.error,
                _ => continue,
            };
            *slot = Some(value);
        }
        members
    }

    fn classify(&self, root: Value<'a>, breaches: &mut Vec<Breach>) -> Result<Envelope<'a>, Refusal> {
        match self.jsonrpc {
            Some(version) if version.as_text().is_some_and(|text| text.is("2.0")) => {}
            other => return Err(Refusal::at(Reason::JsonrpcVersion, other.unwrap_or(root).offset())),
        }
        let kind = self.kind(root)?;
        self.judge_shape(kind, breaches);
        Ok(Envelope {
            kind,
            id: self.identify(kind, root, breaches)?,
            null_id: self.id.is_some_and(|id| id.kind() == ValueKind::Null),
            method: self.method,
            params: self.params,
            result: self.result,
            error: self.error,
        })
    }

    fn kind(&self, root: Value<'a>) -> Result<Kind, Refusal> {
        let Some(method) = self.method else { return self.response_kind(root) };
        let Some(name) = method.as_text() else { return Err(Refusal::at(Reason::MethodNotString, method.offset())) };
        if self.id.is_some() {
            return Ok(Kind::Request);
        }
        if REQUEST_ONLY.iter().any(|known| name.is(known)) {
            return Err(Refusal::at(Reason::RequestWithoutId, root.offset()).unanswered());
        }
        Ok(Kind::Notification)
    }

    fn response_kind(&self, root: Value<'a>) -> Result<Kind, Refusal> {
        match (self.result, self.error) {
            (Some(_), None) => Ok(Kind::Result),
            (None, Some(error)) => error_shape(error).map(|()| Kind::Error),
            (Some(_), Some(error)) => Err(Refusal::at(Reason::ResultAndError, error.offset())),
            (None, None) => Err(self.neither(root)),
        }
    }

    /// Nothing says what the message is. With an id it may be a request that lost its method, and a server answers it.
    fn neither(&self, root: Value<'a>) -> Refusal {
        let refusal = Refusal::at(Reason::ResultNorError, root.offset());
        if self.id.is_some() { refusal } else { refusal.unanswered() }
    }

    fn identify(&self, kind: Kind, root: Value<'a>, breaches: &mut Vec<Breach>) -> Result<Option<Value<'a>>, Refusal> {
        let Some(id) = self.id else {
            let missing =
                Refusal::at(Reason::IdType, root.offset()).under("envelope-result-response-has-id").unanswered();
            return if kind == Kind::Result { Err(missing) } else { Ok(None) };
        };
        match id.kind() {
            ValueKind::String => Ok(Some(id)),
            ValueKind::Number => match spelling(id.raw()) {
                Spelling::Plain => Ok(Some(id)),
                Spelling::Unusual => {
                    let refusal = Refusal::at(Reason::IdSpelling, id.offset());
                    let refusal = if kind.is_response() { refusal.unanswered() } else { refusal };
                    breaches.push(Breach { refusal, weight: Weight::StrictOnly });
                    Ok(Some(id))
                }
                Spelling::Fraction => Err(Refusal::at(Reason::IdFraction, id.offset())),
            },
            ValueKind::Null if kind == Kind::Error => Ok(None),
            ValueKind::Null => Err(Refusal::at(Reason::IdType, id.offset()).under("id-not-null")),
            _ => Err(Refusal::at(Reason::IdType, id.offset())),
        }
    }

    /// What is odd about the shape of a request or a notification and yet says clearly which it is.
    fn judge_shape(&self, kind: Kind, breaches: &mut Vec<Breach>) {
        if kind.is_response() {
            return;
        }
        if let Some(extra) = self.result.or(self.error) {
            let refusal = Refusal::at(Reason::HybridMessage, extra.offset());
            let refusal = if kind == Kind::Notification { refusal.unanswered() } else { refusal };
            breaches.push(Breach { refusal, weight: Weight::StrictOnly });
        }
        let notification =
            self.method.and_then(Value::as_text).is_some_and(|name| name.decode().starts_with("notifications/"));
        if let (true, Some(id)) = (notification, self.id) {
            let refusal = Refusal::at(Reason::NotificationWithId, id.offset());
            breaches.push(Breach { refusal, weight: Weight::Full });
        }
    }
}

fn error_shape(error: Value<'_>) -> Result<(), Refusal> {
    let refuse = |value: Value<'_>, rule| Err(Refusal::at(Reason::ErrorShape, value.offset()).under(rule));
    if !error.is_object() {
        return refuse(error, "error-member-not-null");
    }
    let code = error.get("code");
    let integer =
        code.and_then(Value::as_number).is_some_and(|text| text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok());
    if !integer {
        return refuse(code.unwrap_or(error), "error-code-is-integer");
    }
    let message = error.get("message");
    if message.is_none_or(|message| message.as_text().is_none()) {
        return refuse(message.unwrap_or(error), "error-message-is-string");
    }
    Ok(())
}
