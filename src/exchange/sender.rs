//! Who sent a message of a recording that does not say so.
//!
//! A guess from the methods that one side alone sends, and from the ids that are outstanding; it never looks further
//! into a message. Where both sides may send a method, the client is taken.

use std::collections::HashSet;

use crate::case::Party;
use crate::codec::document::{Value, ValueKind};
use crate::codec::id::IdKey;

/// Methods that only a server sends.
const OF_SERVERS: [&str; 11] = [
    "elicitation/create",
    "notifications/elicitation/complete",
    "notifications/message",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/subscriptions/acknowledged",
    "notifications/tasks/status",
    "notifications/tools/list_changed",
    "roots/list",
    "sampling/createMessage",
];

/// The requests of the server that are not answered yet.
#[derive(Default)]
pub(super) struct Senders {
    outstanding: HashSet<IdKey>,
}

impl Senders {
    /// Who sent this message, the messages before it having been asked about in order.
    pub(super) fn of(&mut self, message: Value<'_>) -> Party {
        let id = message.get("id").filter(|id| matches!(id.kind(), ValueKind::String | ValueKind::Number));
        let key = id.map(|id| IdKey::of(id.raw()));
        let Some(method) = message.get("method") else {
            let answers_the_server = key.is_some_and(|key| self.outstanding.remove(&key));
            return if answers_the_server { Party::Client } else { Party::Server };
        };
        if !method.as_text().is_some_and(|name| OF_SERVERS.iter().any(|known| name.is(known))) {
            return Party::Client;
        }
        self.outstanding.extend(key);
        Party::Server
    }
}
