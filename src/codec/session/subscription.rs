//! Is a subscription acknowledged first, named by the id of its request, and kept to what was asked for?
//!
//! Order is judged for each subscription alone: messages of others may stand between. Uris are compared as they are given,
//! and what starts with a subscribed one may be below it: the text fixes neither, so only `strict` minds.

use std::collections::HashMap;

use super::{Turn, asked};
use crate::case::Party;
use crate::codec::document::{Value, ValueKind};
use crate::codec::envelope::{Envelope, Kind};
use crate::codec::id::IdKey;
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;

/// How many subscriptions of one connection are remembered.
pub const SUBSCRIPTIONS: usize = 1 << 10;
/// How many uris of one subscription are remembered, and how many bytes of them.
const URIS: (usize, usize) = (1 << 6, 1 << 12);

const ID: &str = "io.modelcontextprotocol/subscriptionId";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// What a filter asks for, and the notification that delivers it.
const KINDS: [(&str, &str); 5] = [
    ("toolsListChanged", "notifications/tools/list_changed"),
    ("promptsListChanged", "notifications/prompts/list_changed"),
    ("resourcesListChanged", "notifications/resources/list_changed"),
    ("resourceSubscriptions", "notifications/resources/updated"),
    ("taskIds", "notifications/tasks"),
];

/// A set of [`KINDS`].
type Kinds = u8;

/// How a subscription ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With its result.
    Result,
    /// With a cancellation.
    Cancelled,
}

#[derive(Debug)]
struct Listen {
    requested: Kinds,
    /// The uris of its filter; `None` where they are too many to remember.
    uris: Option<Vec<Box<str>>>,
    acknowledged: Option<Kinds>,
    end: Option<End>,
}

/// The subscriptions of one connection, by the id of the request that opened each.
#[derive(Debug, Default)]
pub struct Subscriptions {
    known: HashMap<IdKey, Listen>,
    forgot: bool,
}

impl Subscriptions {
    /// Whether one of them is open.
    fn any_open(&self) -> bool {
        self.known.values().any(|listen| listen.end.is_none())
    }

    /// Remembers a request to listen.
    pub fn open(&mut self, id: IdKey, filter: Option<Value<'_>>) {
        if self.known.len() >= SUBSCRIPTIONS && !self.known.contains_key(&id) {
            self.known.retain(|_, listen| listen.end.is_none());
            self.forgot = true;
        }
        if self.known.len() < SUBSCRIPTIONS {
            let (requested, uris) = filter.map_or((0, Some(Vec::new())), |filter| (kinds(filter), uris(filter)));
            self.known.insert(id, Listen { requested, uris, acknowledged: None, end: None });
        }
    }

    /// Takes note of an acknowledgement.
    pub fn acknowledge(&mut self, id: &IdKey, filter: Option<Value<'_>>) {
        if let Some(listen) = self.known.get_mut(id) {
            listen.acknowledged = Some(filter.map_or(0, kinds));
        }
    }

    /// Takes note of an end.
    pub fn close(&mut self, id: &IdKey, end: End) {
        if let Some(listen) = self.known.get_mut(id) {
            listen.end.get_or_insert(end);
        }
    }
}

/// What a filter asks for; `false` and an empty list ask for nothing.
fn kinds(filter: Value<'_>) -> Kinds {
    KINDS.iter().enumerate().fold(0, |set, (at, (member, _))| {
        let wanted = filter.get(member).is_some_and(|value| match value.kind() {
            ValueKind::Bool => value.as_bool() == Some(true),
            ValueKind::Array => value.elements().next().is_some(),
            _ => false,
        });
        if wanted { set | 1 << at } else { set }
    })
}

/// The uris of a filter, while they are few.
fn uris(filter: Value<'_>) -> Option<Vec<Box<str>>> {
    let mut kept = Vec::new();
    let mut bytes = 0;
    for uri in filter.get("resourceSubscriptions").into_iter().flat_map(Value::elements) {
        let Some(text) = uri.as_text() else { continue };
        bytes += text.raw().len();
        if kept.len() == URIS.0 || bytes > URIS.1 {
            return None;
        }
        kept.push(text.decode().into_owned().into_boxed_str());
    }
    Some(kept)
}

/// The subscription that a notification says it belongs to.
pub fn named<'a>(envelope: &Envelope<'a>) -> Option<Value<'a>> {
    envelope.param("_meta")?.get(ID)
}

/// Whether a notification acknowledges a subscription.
pub fn acknowledges(envelope: &Envelope<'_>) -> bool {
    envelope.has_method(ACKNOWLEDGED)
}

/// Judges what a server sends for its subscriptions.
pub fn judge(turn: &mut Turn<'_, '_>) {
    if turn.case.from != Party::Server {
        return;
    }
    match turn.envelope.kind {
        Kind::Notification => notification(turn),
        Kind::Result => result(turn),
        Kind::Request | Kind::Error => {}
    }
}

fn notification(turn: &mut Turn<'_, '_>) {
    let (envelope, memory) = (turn.envelope, turn.memory);
    let kind = KINDS.iter().position(|(_, method)| envelope.has_method(method)).map(|at| 1 << at);
    let acknowledges = acknowledges(&envelope);
    let subscriptions = &memory.subscriptions;
    let Some(place) = named(&envelope) else {
        // A handshake brings back the notifications of its era, which name nothing.
        if (kind.is_some() || acknowledges) && subscriptions.any_open() && memory.revision.is_none() {
            let rule = "subscriptions-id-on-every-message";
            turn.refuse(Reason::SubscriptionId, rule, envelope.method, Weight::Full);
        }
        return;
    };
    let Some(id) = asked::key_of(place) else { return };
    let Some(listen) = subscriptions.known.get(&id) else {
        let aliased = asked::twin_of(place).is_some_and(|twin| subscriptions.known.contains_key(&twin));
        let weight = if aliased { Some(Weight::Full) } else { memory.unknown().filter(|_| !subscriptions.forgot) };
        if let Some(weight) = weight {
            turn.refuse(Reason::SubscriptionId, "subscriptions-id-is-listen-request-id", Some(place), weight);
        }
        return;
    };
    match listen.end {
        Some(End::Result) => {
            return turn.refuse(Reason::AfterFinal, "subscriptions-nothing-after-result", Some(place), Weight::Full);
        }
        Some(End::Cancelled) => {
            let rule = "subscriptions-stop-after-client-cancel";
            return turn.refuse(Reason::AfterFinal, rule, Some(place), Weight::Full);
        }
        None => {}
    }
    if acknowledges {
        let extra = envelope.param("notifications").map_or(0, kinds) & !listen.requested;
        if extra != 0 {
            let place = envelope.param("notifications");
            turn.refuse(Reason::SubscriptionKind, "subscriptions-ack-is-subset", place, Weight::Full);
        } else if let Some(uri) = unasked(listen, &envelope) {
            turn.refuse(Reason::SubscriptionKind, "subscriptions-ack-is-subset", Some(uri), Weight::StrictOnly);
        }
        return;
    }
    if listen.acknowledged.is_none() {
        turn.refuse(Reason::SubscriptionOrder, "subscriptions-ack-first", envelope.method, Weight::Full);
    }
    let Some(kind) = kind else { return };
    if listen.requested & kind == 0 {
        turn.refuse(Reason::SubscriptionKind, "subscriptions-only-requested-types", envelope.method, Weight::Full);
    } else if listen.acknowledged.is_some_and(|acknowledged| acknowledged & kind == 0) {
        turn.refuse(Reason::SubscriptionKind, "subscriptions-ack-limits-delivery", envelope.method, Weight::Full);
    } else if let Some(uri) = beside(listen, &envelope) {
        turn.refuse(Reason::SubscriptionKind, "subscriptions-only-subscribed-uris", Some(uri), Weight::StrictOnly);
    }
}

/// The first uri of an acknowledgement that was not asked for.
fn unasked<'a>(listen: &Listen, envelope: &Envelope<'a>) -> Option<Value<'a>> {
    let asked = listen.uris.as_ref()?;
    let acknowledged = envelope.param("notifications")?.get("resourceSubscriptions")?;
    acknowledged.elements().find(|uri| uri.as_text().is_some_and(|text| !asked.iter().any(|known| text.is(known))))
}

/// The uri of an update that starts with none of those which were asked for.
fn beside<'a>(listen: &Listen, envelope: &Envelope<'a>) -> Option<Value<'a>> {
    let asked = listen.uris.as_ref().filter(|_| envelope.has_method("notifications/resources/updated"))?;
    let uri = envelope.param("uri")?;
    let text = uri.as_text()?.decode();
    (!asked.iter().any(|known| text.starts_with(&**known))).then_some(uri)
}

/// The closing result names the subscription that it closes.
fn result(turn: &mut Turn<'_, '_>) {
    let envelope = turn.envelope;
    let (Some(id), Some(result)) = (envelope.id.and_then(asked::key_of), envelope.result) else { return };
    if !turn.memory.subscriptions.known.contains_key(&id) {
        return;
    }
    let place = result.get("_meta").and_then(|meta| meta.get(ID));
    if let Some(named) = place.and_then(asked::key_of)
        && named != id
    {
        turn.refuse(Reason::SubscriptionId, "subscriptions-result-has-subscription-id", place, Weight::Full);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::document::Decoder;
    use crate::limits::Limits;

    fn id(number: usize) -> IdKey {
        IdKey::of(number.to_string().as_bytes())
    }

    #[test]
    fn a_filter_asks_for_each_kind_by_true_or_by_a_list_that_is_not_empty() {
        for (filter, expected) in [
            ("{}", 0),
            (r#"{"toolsListChanged":true}"#, 0b1),
            (r#"{"promptsListChanged":true,"resourcesListChanged":true}"#, 0b110),
            (r#"{"resourceSubscriptions":["a"],"taskIds":["t"]}"#, 0b11000),
            (r#"{"toolsListChanged":false,"taskIds":[],"resourceSubscriptions":"a"}"#, 0),
        ] {
            let mut decoder = Decoder::new();
            assert_eq!(
                kinds(decoder.read(filter.as_bytes(), &Limits::message()).unwrap().root()),
                expected,
                "{filter}"
            );
        }
    }

    #[test]
    fn an_ended_subscription_is_known_until_its_room_is_needed() {
        let mut subscriptions = Subscriptions::default();
        assert!(!subscriptions.any_open());
        subscriptions.open(id(0), None);
        assert!(subscriptions.any_open());
        subscriptions.close(&id(0), End::Result);
        subscriptions.close(&id(0), End::Cancelled);
        assert!(!subscriptions.any_open());
        for number in 1..SUBSCRIPTIONS {
            subscriptions.open(id(number), None);
        }
        assert_eq!(subscriptions.known[&id(0)].end, Some(End::Result), "the first end counts");
        assert!(!subscriptions.forgot);
        subscriptions.open(id(1), None);
        assert!(subscriptions.known.contains_key(&id(0)) && !subscriptions.forgot, "asked again, not one more");
        subscriptions.open(id(SUBSCRIPTIONS), None);
        assert!(!subscriptions.known.contains_key(&id(0)) && subscriptions.forgot);
        assert!(subscriptions.known.contains_key(&id(SUBSCRIPTIONS)));
        subscriptions.open(id(SUBSCRIPTIONS + 1), None);
        assert_eq!(subscriptions.known.len(), SUBSCRIPTIONS, "nothing that is open makes room");
    }
}
