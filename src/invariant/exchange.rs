//! Messages of one connection against one another, the second half: what a retry repeats, what a subscription grants and
//! when it is over, what nobody answers, and what keeps every rule and so must not be refused.
//!
//! Each rule says when the last of several messages is certainly wrong, or certainly right, from its bytes alone.

use super::scan::{Piece, Sort};
use super::seen::{Seen, Shape};
use super::turn::{
    ACKNOWLEDGED, LISTS, Past, asked_by, givers, has_method, interim, is, modern, next_cursor, param, plain, reports,
    request, requests, subscription, tells, twin, waits, walk,
};
use super::verdict::{HELD, HIDDEN, VACUOUS, broken, is_blank, refusal_words};
use super::{Check, Invariant, Verdict};
use crate::case::Party;
use crate::codec::refusal::Stage;
use crate::observation::Observation;
use crate::requirement::Level;

macro_rules! family {
    ($($id:literal, $rules:expr, $level:ident, $rule:literal, $wrong:ident;)*) => {
        /// The invariants of this family.
        pub const FAMILY: &[Invariant] = &[
            $(Invariant {
                id: $id,
                requirements: &$rules,
                level: Level::$level,
                rule: $rule,
                check: Check::Session(|session, observations| walk(session, observations, refused, $wrong)),
            },)*
            Invariant {
                id: "session.lawful-stays-accepted",
                requirements: &["pagination-empty-cursor-is-valid"],
                level: Level::MustNot,
                rule: "What goes on with an exchange and keeps its rules is not refused for what came before.",
                check: Check::Session(|session, observations| walk(session, observations, spared, goes_on)),
            },
        ];
    };
}

family! {
    "session.retry-repeats-its-call", ["mrtr-retry-repeats-original-params"], Must,
    "A retry is refused when it holds a member that its call did not.", retry_adds_member;
    "session.retry-was-asked-for", ["mrtr-fields-scoped-to-retry"], MustNot,
    "The members of a retry are refused where nothing asked for one.", retry_unasked;
    "session.acknowledgement-is-a-subset", ["subscriptions-ack-is-subset"], Must,
    "An acknowledgement of what a subscription did not ask for is refused.", grants_more;
    "session.subscription-ends", ["subscriptions-nothing-after-result", "subscriptions-stop-after-client-cancel"], MustNot,
    "What a subscription delivers after its end is refused.", delivered_late;
    "session.notifications-get-no-answer", ["envelope-request-has-id"], Must,
    "A response behind a notification, under an id that nobody asked with, is refused.", notification_answered;
}

/// The message must be refused.
pub(super) fn refused(observation: &Observation) -> Verdict {
    match observation.refusal {
        None if is_blank(observation) => HIDDEN,
        None => broken("accepted", "a refusal", "no refusal"),
        Some(_) => HELD,
    }
}

/// The message must not be refused for the messages before it.
fn spared(observation: &Observation) -> Verdict {
    match observation.refusal {
        None if is_blank(observation) => HIDDEN,
        Some(refusal) if refusal.stage == Stage::Session => {
            broken("refused", "no refusal for what came before", refusal_words(observation))
        }
        Some(_) => VACUOUS,
        None => HELD,
    }
}

const OF_RETRIES: [&str; 3] = ["_meta", "inputResponses", "requestState"];

fn retry_adds_member(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some((call, _)) = interim(past, now) else { return false };
    let added = |name: Piece<'_>| {
        let name = name.text().unwrap_or_default();
        !OF_RETRIES.contains(&&*name) && param(call, &name).is_none()
    };
    now.params().is_some_and(|params| params.members().any(|(name, _)| added(name)))
}

fn retry_unasked(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let call = is(now, Party::Client, Shape::Request) && has_method(now, "tools/call") && modern(now);
    let carries = OF_RETRIES[1..].iter().any(|name| param(now, name).is_some());
    let asks = |seen: &&Seen<'_>| {
        let token = seen.result().and_then(|result| result.get("resultType"));
        token.is_some_and(|token| token.is("input_required"))
    };
    call && carries && !past.iter().any(asks)
}

const KINDS: [(&str, &str); 3] = [
    ("notifications/tools/list_changed", "toolsListChanged"),
    ("notifications/prompts/list_changed", "promptsListChanged"),
    ("notifications/resources/list_changed", "resourcesListChanged"),
];

/// The one request that opened the subscription which a message names.
fn opened<'p, 's>(past: Past<'p, 's>, now: &Seen<'_>) -> Option<&'p Seen<'s>> {
    request(past, subscription(now)?.raw()).filter(|listen| has_method(listen, "subscriptions/listen"))
}

/// Whether a filter asks for a kind.
fn wants(seen: &Seen<'_>, kind: &str) -> bool {
    let filter = param(seen, "notifications").and_then(|filter| filter.get(kind));
    filter.is_some_and(|wanted| wanted.raw() == b"true")
}

fn grants_more(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(listen) = opened(past, now).filter(|_| has_method(now, ACKNOWLEDGED)) else { return false };
    KINDS.iter().any(|(_, kind)| wants(now, kind) && !wants(listen, kind))
}

/// Whether a cancellation names this id.
fn cancelled(past: Past<'_, '_>, id: &[u8]) -> bool {
    past.iter().any(|seen| {
        let named = param(seen, "requestId").is_some_and(|named| named.raw() == id);
        seen.shape() == Some(Shape::Notification) && has_method(seen, "notifications/cancelled") && named
    })
}

fn delivered_late(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let (Some(listen), Some(id)) = (opened(past, now), subscription(now)) else { return false };
    let after: Vec<_> = past.iter().copied().skip_while(|seen| !std::ptr::eq(*seen, listen)).collect();
    let result =
        |seen: &&Seen<'_>| is(seen, Party::Server, Shape::Result) && seen.id().is_some_and(|own| own.raw() == id.raw());
    after.iter().any(result) || cancelled(&after, id.raw())
}

fn notification_answered(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let response = is(now, Party::Server, Shape::Result) || is(now, Party::Server, Shape::Error);
    let Some(id) = now.id().filter(|id| response && plain(*id)) else { return false };
    let told = past.last().is_some_and(|last| is(last, Party::Client, Shape::Notification));
    let twin = twin(id);
    let unknown = |asked: &&Seen<'_>| {
        asked.id().is_none_or(|other| other.raw() != id.raw() && twin.as_deref() != Some(other.raw()))
    };
    told && requests(past).is_some_and(|asked| asked.iter().all(unknown))
}

/// Whether a message goes on with an exchange and certainly keeps its rules.
fn goes_on(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let by_client = is(now, Party::Client, Shape::Request) && modern(now) && is_new(past, now);
    (by_client && (repeats(past, now) || turns_page(past, now))) || reports_more(past, now) || delivers(past, now)
}

/// Whether neither the id nor the token of a request was used before.
fn is_new(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let (Some(id), Some(asked)) = (now.id().filter(|id| plain(*id)), requests(past)) else { return false };
    let token =
        |seen: &Seen<'_>| seen.meta().and_then(|meta| meta.get("progressToken")).map(|token| token.raw().to_vec());
    let own = token(now);
    let fresh = |seen: &&Seen<'_>| {
        seen.id().is_none_or(|other| other.raw() != id.raw()) && (own.is_none() || token(seen) != own)
    };
    asked.iter().all(fresh)
}

/// A retry of the one call that was asked for input, with the same params, the same state and an answer to each key.
fn repeats(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some((call, answer)) = interim(past, now) else { return false };
    let Some(result) = answer.result() else { return false };
    let members = |seen: &Seen<'_>| -> Vec<(String, Vec<u8>)> {
        let members = seen.params().into_iter().flat_map(Piece::members);
        let rows = members.map(|(name, value)| (name.text().unwrap_or_default().into_owned(), value.raw().to_vec()));
        let mut rows: Vec<_> = rows.filter(|(name, _)| !OF_RETRIES.contains(&name.as_str())).collect();
        rows.sort();
        rows
    };
    let state = |holder: Option<Piece<'_>>| holder.map(|state| state.raw().to_vec());
    let only_roots = result.get("inputRequests").is_none_or(|asks| {
        asks.sort() == Sort::Object
            && asks.members().all(|(key, ask)| {
                let key = key.text().unwrap_or_default();
                let answer = param(now, "inputResponses").and_then(|answers| answers.get(&key));
                ask.get("method").is_some_and(|method| method.is("roots/list"))
                    && answer.is_some_and(|answer| answer.get("roots").is_some())
            })
    });
    only_roots
        && members(call) == members(now)
        && state(result.get("requestState")) == state(param(now, "requestState"))
}

/// A page that an answered request of the same list offered.
fn turns_page(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(method) = LISTS.iter().find(|method| has_method(now, method)) else { return false };
    let Some(cursor) = param(now, "cursor").and_then(Piece::text) else { return false };
    if OF_RETRIES[1..].iter().any(|name| param(now, name).is_some()) {
        return false;
    }
    past.iter().any(|seen| {
        let offered = is(seen, Party::Server, Shape::Result) && next_cursor(seen).is_some_and(|next| next == cursor);
        offered && asked_by(past, seen).is_some_and(|asked| has_method(asked, method))
    })
}

/// Progress on a call that waits, above what was reported before.
fn reports_more(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(token) = reports(now) else { return false };
    let Some(asked) =
        givers(past, token.raw()).and_then(|givers| if let [one] = givers[..] { Some(one) } else { None })
    else {
        return false;
    };
    let Some(id) = asked.id() else { return false };
    let number =
        |seen: &Seen<'_>| -> Option<u64> { std::str::from_utf8(param(seen, "progress")?.raw()).ok()?.parse().ok() };
    let before = past.iter().filter(|seen| reports(seen).is_some_and(|other| other.raw() == token.raw()));
    let rises = |own: u64| before.clone().all(|seen| number(seen).is_some_and(|other| other < own));
    waits(past, id.raw()) && request(past, id.raw()).is_some() && number(now).is_some_and(rises)
}

/// What a subscription asked for and was granted, while it is open.
fn delivers(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let (Some(listen), Some(id)) = (opened(past, now), subscription(now)) else { return false };
    let Some((_, kind)) = KINDS.iter().find(|(method, _)| has_method(now, method)) else { return false };
    let after: Vec<_> = past.iter().copied().skip_while(|seen| !std::ptr::eq(*seen, listen)).collect();
    let named = |seen: &Seen<'_>| subscription(seen).is_some_and(|other| other.raw() == id.raw());
    let mut grants = after.iter().filter(|seen| tells(seen, Party::Server, ACKNOWLEDGED) && named(seen));
    let granted = matches!((grants.next(), grants.next()), (Some(grant), None) if wants(grant, kind));
    wants(listen, kind) && granted && waits(past, id.raw()) && !cancelled(past, id.raw())
}
