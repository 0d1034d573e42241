//! Is a response the one answer to a request, under its typed id, and the one that the request calls for?
//!
//! A response whose request was not seen is an orphan and no breach by itself.

use super::asked::{self, Mismatch};
use super::{Last, Turn, other};
use crate::case::{Party, Transport};
use crate::codec::envelope::Kind;
use crate::codec::era::{Era, UnknownEra};
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;

/// Judges responses, and requests that use an id again.
pub fn judge(turn: &mut Turn<'_, '_>) {
    match turn.envelope.kind {
        Kind::Request => reused(turn),
        Kind::Result | Kind::Error => response(turn),
        Kind::Notification => {}
    }
}

/// In a handshake era an id is used once in a session, answered or not.
fn reused(turn: &mut Turn<'_, '_>) {
    let id = turn.envelope.id;
    let used = id.and_then(asked::key_of).is_some_and(|key| turn.memory.asked.finished(turn.case.from, &key).is_some());
    if used && turn.era.is_legacy() && turn.memory.revision.is_some() {
        turn.refuse(Reason::IdReused, "id-never-reused-in-session", id, Weight::Full);
    }
}

fn response(turn: &mut Turn<'_, '_>) {
    let (envelope, memory, party) = (turn.envelope, turn.memory, other(turn.case.from));
    let Some(id) = envelope.id else { return notification(turn) };
    let Some(key) = asked::key_of(id) else { return };
    if let Some(request) = memory.asked.waiting(party, &key) {
        let (mismatched, era) = (request.mismatch, request.answered.era);
        if let Some(owed) = mismatched {
            mismatch(turn, owed);
        }
        return echo(turn, era);
    }
    if memory.asked.finished(party, &key).is_some() {
        return turn.refuse(Reason::SecondResponse, "envelope-one-response-per-request", Some(id), Weight::Full);
    }
    if asked::twin_of(id).is_some_and(|twin| memory.asked.waiting(party, &twin).is_some()) {
        return turn.refuse(Reason::ResponseId, "id-type-preserved-on-echo", Some(id), Weight::Full);
    }
    notification(turn);
}

/// A notification is not answered. Over HTTP it may be turned down with a status and an error without an id; elsewhere
/// an error without an id may be about something that was not recorded.
fn notification(turn: &mut Turn<'_, '_>) {
    let (envelope, case) = (turn.envelope, turn.case);
    if turn.memory.last != Some(Last::Notification(other(case.from))) {
        return;
    }
    let refused = case.transport == Transport::Http && case.status.is_some_and(|status| status >= 400);
    if refused && envelope.id.is_none() {
        return;
    }
    let known = case.transport == Transport::Http && case.status.is_some();
    let weight = if known { Weight::Full } else { Weight::StrictOnly };
    let place = envelope.id.or(envelope.result).or(envelope.error);
    turn.refuse(Reason::NotificationAnswered, "envelope-request-has-id", place, weight);
}

/// A refusal of a version names the one that was asked for.
fn echo(turn: &mut Turn<'_, '_>, era: Option<Era>) {
    let asked = match era {
        Some(Era::Known(known)) => known.as_str().to_owned(),
        Some(Era::Unknown(UnknownEra::UnsupportedRevision(date))) => date.as_str().to_owned(),
        _ => return,
    };
    let data = turn.envelope.error.filter(|_| turn.envelope.error_code() == Some(-32022));
    let Some(requested) = data.and_then(|error| error.get("data")).and_then(|data| data.get("requested")) else {
        return;
    };
    if requested.as_text().is_some_and(|text| !text.is(&asked)) {
        let rule = "error-unsupported-version-requested-echoes";
        turn.refuse(Reason::WrongValue, rule, Some(requested), Weight::StrictOnly);
    }
}

/// Codes and statuses that come before any look at the headers.
fn comes_first(code: Option<i64>, status: Option<u16>) -> bool {
    code == Some(-32601)
        || status.is_some_and(|status| matches!(status, 401 | 403 | 405 | 406 | 413 | 415 | 429 | 500..))
}

fn mismatch(turn: &mut Turn<'_, '_>, owed: Mismatch) {
    let (envelope, case) = (turn.envelope, turn.case);
    if case.from != Party::Server {
        return;
    }
    let code = envelope.error_code();
    let answered = match (envelope.kind, code) {
        (Kind::Result, _) => false,
        (_, Some(-32020)) => case.status.is_none_or(|status| status == 400),
        (_, code) => !owed.alone || comes_first(code, case.status),
    };
    if !answered {
        let place = envelope.error.or(envelope.result);
        turn.refuse(Reason::MismatchAnswered, "header-mismatch-status-and-code", place, Weight::Full);
    }
}
