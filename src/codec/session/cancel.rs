//! Does a cancellation name a request that its sender may cancel?
//!
//! A cancellation that crosses the answer on its way is nobody's fault, so an answered request may be named.

use super::{Turn, asked, other};
use crate::case::Party;
use crate::codec::envelope::Kind;
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;

/// Judges cancellations of either side.
pub fn judge(turn: &mut Turn<'_, '_>) {
    let (envelope, memory, from) = (turn.envelope, turn.memory, turn.case.from);
    if envelope.kind != Kind::Notification || !envelope.has_method("notifications/cancelled") {
        return;
    }
    let Some(place) = envelope.param("requestId") else { return };
    let Some(key) = asked::key_of(place) else { return };
    let asked = &memory.asked;
    let method = |request: &asked::Request, name: &[u8]| request.answered.method.as_deref() == Some(name);
    if let Some(own) = asked.waiting(from, &key) {
        if method(own, b"initialize") {
            let rule = "cancellation-initialize-not-cancelled";
            turn.refuse(Reason::CancelTarget, rule, Some(place), Weight::Full);
        }
        return;
    }
    if asked.finished(from, &key).is_some() {
        return;
    }
    let rule = match from {
        Party::Client => "cancellation-only-own-inflight",
        Party::Server => "cancellation-server-only-listen",
    };
    if let Some(foreign) = asked.waiting(other(from), &key) {
        let listens = from == Party::Server && method(foreign, b"subscriptions/listen");
        if !listens {
            turn.refuse(Reason::CancelTarget, rule, Some(place), Weight::Full);
        }
        return;
    }
    if from == Party::Server && asked.finished(Party::Client, &key).is_some() {
        return;
    }
    let owner = if from == Party::Server { other(from) } else { from };
    let aliased = asked::twin_of(place).is_some_and(|twin| asked.waiting(owner, &twin).is_some());
    let weight = if aliased { Some(Weight::Full) } else { memory.unknown().filter(|_| !asked.forgot()) };
    if let Some(weight) = weight {
        turn.refuse(Reason::CancelTarget, rule, Some(place), weight);
    }
}
