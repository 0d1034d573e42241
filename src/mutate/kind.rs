//! What is a message by its members, told apart from the codec?

use std::borrow::Cow;

use super::layout::Layout;

/// What a message is by its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request,
    Notification,
    Result,
    Error,
    Other,
}

/// Methods that are always answered, so that without an id they are no notification.
pub(crate) const REQUEST_ONLY: [&str; 22] = [
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

pub(crate) fn kind(body: &[u8], layout: &Layout) -> Kind {
    let has = |name| layout.member(body, 0, name).is_some();
    match (method(body, layout), has("method"), has("result"), has("error")) {
        (Some(_), _, false, false) if has("id") => Kind::Request,
        (Some(name), _, false, false) if REQUEST_ONLY.iter().any(|known| known.as_bytes() == name.as_ref()) => {
            Kind::Request
        }
        (Some(_), _, false, false) => Kind::Notification,
        (None, false, true, false) => Kind::Result,
        (None, false, false, true) => Kind::Error,
        _ => Kind::Other,
    }
}

pub(crate) fn method<'a>(body: &'a [u8], layout: &Layout) -> Option<Cow<'a, [u8]>> {
    layout.text(body, layout.member(body, 0, "method")?)
}
