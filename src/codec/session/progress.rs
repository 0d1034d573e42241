//! Does progress report on a request that asked for it and is not answered yet, and does it move on?
//!
//! Tokens are compared by type and exact value; `0` and `""` are tokens like any other.

use super::{Turn, asked, other};
use crate::codec::document::Value;
use crate::codec::envelope::{Envelope, Kind};
use crate::codec::id::IdKey;
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;

/// The token that a request asks for progress with.
pub fn token_of(envelope: &Envelope<'_>) -> Option<IdKey> {
    envelope.param("_meta")?.get("progressToken").and_then(asked::key_of)
}

/// What a progress notification says: the token, and how far.
pub fn reported(envelope: &Envelope<'_>) -> Option<(IdKey, (f64, IdKey))> {
    let token = envelope.param("progressToken").and_then(asked::key_of)?;
    let value = envelope.param("progress")?;
    Some((token, (value.as_number()?.parse().ok()?, IdKey::of(value.raw()))))
}

/// Judges the tokens of requests, and progress notifications.
pub fn judge(turn: &mut Turn<'_, '_>) {
    let (envelope, memory) = (turn.envelope, turn.memory);
    match envelope.kind {
        Kind::Request => {
            let place = envelope.param("_meta").and_then(|meta| meta.get("progressToken"));
            let own = envelope.id.and_then(asked::key_of);
            let taken = token_of(&envelope).is_some_and(|token| {
                let id = own.and_then(|own| memory.asked.waiting(turn.case.from, &own)).and_then(|r| r.token.clone());
                memory.asked.reporting(turn.case.from, &token).is_some() && id.as_ref() != Some(&token)
            });
            if taken {
                turn.refuse(Reason::ProgressToken, "progress-token-unique", place, Weight::Full);
            }
        }
        Kind::Notification if envelope.has_method("notifications/progress") => progress(turn),
        _ => {}
    }
}

fn progress(turn: &mut Turn<'_, '_>) {
    let (envelope, memory) = (turn.envelope, turn.memory);
    let party = other(turn.case.from);
    let Some(place) = envelope.param("progressToken") else { return };
    let Some(token) = asked::key_of(place) else { return };
    if let Some(request) = memory.asked.reporting(party, &token) {
        return moves_on(turn, request.progress.as_ref());
    }
    if let Some(finish) = memory.asked.reported(party, &token) {
        if finish.as_task {
            return moves_on(turn, finish.progress.as_ref());
        }
        return turn.refuse(Reason::AfterFinal, "progress-stops-after-completion", Some(place), Weight::Full);
    }
    unknown(turn, place, party);
}

fn moves_on(turn: &mut Turn<'_, '_>, before: Option<&(f64, IdKey)>) {
    let envelope = turn.envelope;
    if let (Some(before), Some((_, now))) = (before, reported(&envelope))
        && stands_still(before, &now)
    {
        turn.refuse(Reason::ProgressValue, "progress-strictly-increasing", envelope.param("progress"), Weight::Full);
    }
}

fn unknown(turn: &mut Turn<'_, '_>, place: Value<'_>, party: crate::case::Party) {
    let memory = turn.memory;
    let aliased = asked::twin_of(place).is_some_and(|twin| memory.asked.reporting(party, &twin).is_some());
    if aliased {
        turn.refuse(Reason::ProgressToken, "progress-token-echo-exact", Some(place), Weight::Full);
    } else if let Some(weight) = memory.unknown().filter(|_| !memory.asked.forgot()) {
        turn.refuse(Reason::ProgressToken, "progress-only-when-requested", Some(place), weight);
    }
}

/// Whether the second value is not above the first. Where rounding hides a difference, nothing is held against it.
fn stands_still(before: &(f64, IdKey), now: &(f64, IdKey)) -> bool {
    now.0 < before.0 || now.1 == before.1
}
