//! May this side send a message of this kind at all, in the era that is known for it?
//!
//! The modern era has one direction for requests and few notifications; the handshake era has more of both. What an
//! extension adds is not known here, so a notification of an unheard name is told of at most.

use super::Message;
use crate::case::Party;
use crate::codec::document::Value;
use crate::codec::envelope::Kind;
use crate::codec::reading::Weight;
use crate::codec::refusal::{Reason, Refusal};

/// What a server alone sends.
const OF_SERVER: [&str; 8] = [
    "notifications/message",
    "notifications/progress",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/subscriptions/acknowledged",
    "notifications/tasks",
    "notifications/tools/list_changed",
];
/// What went with the handshake.
const REMOVED: [&str; 4] = [
    "notifications/elicitation/complete",
    "notifications/initialized",
    "notifications/roots/list_changed",
    "notifications/tasks/status",
];

/// Judges a message of a known modern era.
pub(super) fn judge(message: &mut Message<'_, '_>) {
    let envelope = message.envelope;
    if !message.call.era.is_modern() {
        return;
    }
    let named = |names: &[&str]| names.iter().any(|name| envelope.has_method(name));
    let (rule, weight) = match (envelope.kind, message.case.from) {
        (Kind::Request, Party::Server) => ("envelope-server-sends-no-requests", Weight::Full),
        (Kind::Result | Kind::Error, Party::Client) => ("envelope-client-sends-no-responses", Weight::Full),
        (Kind::Notification, _) if named(&REMOVED) => ("envelope-removed-notifications-not-sent", Weight::StrictOnly),
        (Kind::Notification, Party::Client) if named(&OF_SERVER) => ("envelope-client-notification-set", Weight::Full),
        (Kind::Notification, Party::Server) if !named(&OF_SERVER) && !named(&["notifications/cancelled"]) => {
            return message.note("envelope-server-notification-set", "unheard-notification", envelope.method);
        }
        _ => return,
    };
    let place = envelope.method.or(envelope.result).or(envelope.error).map(Value::offset);
    // Nobody answers what should not have been sent this way.
    let refusal = Refusal { offset: place, ..Refusal::new(Reason::WrongSender) }.under(rule).unanswered();
    message.refuse(refusal, weight);
}
