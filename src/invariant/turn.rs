//! Messages of one connection against one another: retries, pages, subscriptions, progress, cancellations, answers.
//!
//! Each rule says when the last of several messages is certainly wrong, and then a subject must refuse it. Ids and tokens
//! are compared by their bytes, and only where they are written plainly; sessions that are long are left alone.

use super::exchange::refused;
use super::scan::{Piece, Sort};
use super::seen::{Seen, Shape, trimmed};
use super::verdict::{VACUOUS, owes};
use super::{Check, Exercise, Invariant, Verdict};
use crate::case::{Party, Session, Transport};
use crate::codec::refusal::Stage;
use crate::observation::Observation;
use crate::requirement::Level;

/// Messages of one session that are looked at.
const LONG: usize = 128;

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
                id: "session.tasks-need-their-extension",
                requirements: &["extension-tasks-methods-undeclaring-client"],
                level: Level::Must,
                rule: "A method of the tasks extension is refused with -32021 where the request declares nothing.",
                check: Check::Alone(tasks_need_extension),
            },
        ];
    };
}

family! {
    "session.retry-takes-new-id", ["mrtr-retry-uses-new-id"], Must,
    "A retry is refused under the id of the request that it repeats.", retry_keeps_id;
    "session.retry-echoes-state", ["mrtr-request-state-echoed-exactly", "mrtr-request-state-absent-not-sent"], Must,
    "A retry is refused when it does not give back exactly the state that it was handed.", retry_changes_state;
    "session.retry-answers-every-key", ["mrtr-responses-cover-all-keys"], Must,
    "A retry is refused when it leaves out the answer to a request for input.", retry_leaves_out;
    "session.cursor-was-offered", ["pagination-cursor-opaque"], Must,
    "A cursor that no page offered is refused.", cursor_made_up;
    "session.pages-lead-on", ["pagination-stable-cursors"], Should,
    "A page that names itself as the next one is refused.", page_leads_to_itself;
    "session.acknowledgement-comes-first", ["subscriptions-ack-first"], Must,
    "What a subscription delivers before its acknowledgement is refused.", delivered_early;
    "session.subscription-id-keeps-its-type", ["subscriptions-id-is-listen-request-id"], Must,
    "A subscription id of another type than the id of its request is refused.", subscription_retyped;
    "session.subscription-keeps-to-its-filter", ["subscriptions-only-requested-types"], MustNot,
    "What a filter did not ask for is refused.", delivered_unasked;
    "session.progress-was-asked-for", ["progress-only-when-requested", "progress-token-echo-exact"], MustNot,
    "Progress under a token that no request gave is refused.", progress_unasked;
    "session.progress-moves-on", ["progress-strictly-increasing"], Must,
    "Progress that says the same again is refused.", progress_stands_still;
    "session.progress-ends-with-the-answer", ["progress-stops-after-completion"], Must,
    "Progress on a request that was answered is refused.", progress_late;
    "session.cancellation-names-own-request", ["cancellation-only-own-inflight"], Must,
    "A client that cancels what it never asked is refused.", cancels_unknown;
    "session.server-cancels-subscriptions-alone", ["cancellation-server-only-listen"], MustNot,
    "A server that cancels a call is refused.", server_cancels_call;
    "session.one-answer", ["envelope-one-response-per-request"], Must,
    "A second answer to one request is refused.", answered_twice;
    "session.answer-keeps-the-type-of-its-id", ["id-type-preserved-on-echo"], Must,
    "An answer under the id of a waiting request in another type is refused.", answer_retyped;
    "session.mismatch-is-not-served", ["header-mismatch-status-and-code"], Must,
    "A result in answer to a request whose method header differs from its body is refused.", mismatch_served;
    "session.inputs-were-declared", ["mrtr-capability-gated"], MustNot,
    "A request for roots in answer to a call that did not declare them is refused.", roots_undeclared;
    "session.param-header-equals-argument", ["param-header-value-matches-body"], Must,
    "A header field that differs from the argument which the schema of the tool mirrors in it is refused.", param_differs;
}

/// What came before on the same connection, oldest first.
pub(super) type Past<'p, 's> = &'p [&'p Seen<'s>];

/// Holds every message that a rule speaks of to what it owes.
pub(super) fn walk(
    session: &Session,
    observations: &[Observation],
    owed: fn(&Observation) -> Verdict,
    speaks_of: fn(Past<'_, '_>, &Seen<'_>) -> bool,
) -> Verdict {
    if session.cases.len() > LONG {
        return VACUOUS;
    }
    let seen: Vec<Seen<'_>> = session.cases.iter().map(Seen::in_session).collect();
    let mut verdict = Exercise::Vacuous;
    for (at, (now, observation)) in seen.iter().zip(observations).enumerate() {
        let connection = now.case.connection;
        let here = |other: &&Seen<'_>| other.case.connection == connection;
        let start = seen[..=at].iter().rposition(|other| here(&other) && other.case.restart).unwrap_or(0);
        let past: Vec<&Seen<'_>> = seen[start..at.max(start)].iter().filter(here).collect();
        // A message that the rules leave open may have been remembered or not.
        let open = past.iter().any(|other| matches!(other.shape(), None | Some(Shape::Open | Shape::Broken(_))));
        // A message that stands alone is held to nothing.
        if open || past.is_empty() || !speaks_of(&past, now) {
            continue;
        }
        match owed(observation)? {
            Exercise::Vacuous => {}
            Exercise::NotObservable if verdict == Exercise::Exercised => {}
            other => verdict = other,
        }
    }
    Ok(verdict)
}

/// An id or a token whose bytes say what it is: digits, or a string without escapes.
pub(super) fn plain(piece: Piece<'_>) -> bool {
    let raw = piece.raw();
    match piece.sort() {
        Sort::String => raw.len() < 256 && !raw.contains(&b'\\'),
        Sort::Number => raw.len() < 16 && raw.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// The same characters in the other type.
pub(super) fn twin(piece: Piece<'_>) -> Option<Vec<u8>> {
    let raw = piece.raw();
    match piece.sort() {
        Sort::Number => Some([b"\"", raw, b"\""].concat()),
        Sort::String => {
            let inner = &raw[1..raw.len() - 1];
            let digits = !inner.is_empty() && inner.iter().all(u8::is_ascii_digit);
            (digits && (inner.len() == 1 || inner[0] != b'0')).then(|| inner.to_vec())
        }
        _ => None,
    }
}

pub(super) fn is(seen: &Seen<'_>, from: Party, shape: Shape) -> bool {
    seen.case.from == from && seen.shape() == Some(shape)
}

pub(super) fn has_method(seen: &Seen<'_>, name: &str) -> bool {
    seen.method().is_some_and(|method| method.is(name))
}

pub(super) fn tells(seen: &Seen<'_>, from: Party, method: &str) -> bool {
    is(seen, from, Shape::Notification) && has_method(seen, method)
}

pub(super) fn param<'s>(seen: &'s Seen<'_>, name: &str) -> Option<Piece<'s>> {
    seen.params()?.get(name)
}

/// Whether the bytes name the modern revision alone.
pub(super) fn modern(seen: &Seen<'_>) -> bool {
    let mut fields = seen.case.headers_named("MCP-Protocol-Version");
    let agrees = match (seen.case.transport, fields.next(), fields.next()) {
        (Transport::Stdio, ..) => true,
        (Transport::Http, Some(field), None) => field.value == b"2026-07-28",
        (Transport::Http, ..) => false,
    };
    agrees && seen.version().is_some_and(|version| version.is("2026-07-28"))
}

/// Requests of the client, all of them with plain ids; nothing where one is not.
pub(super) fn requests<'p, 's>(past: Past<'p, 's>) -> Option<Vec<&'p Seen<'s>>> {
    let asked: Vec<_> = past.iter().copied().filter(|seen| is(seen, Party::Client, Shape::Request)).collect();
    asked.iter().all(|seen| seen.id().is_some_and(plain)).then_some(asked)
}

/// The one request of the client under an id.
pub(super) fn request<'p, 's>(past: Past<'p, 's>, id: &[u8]) -> Option<&'p Seen<'s>> {
    let found: Vec<_> =
        requests(past)?.into_iter().filter(|seen| seen.id().is_some_and(|other| other.raw() == id)).collect();
    if let [one] = found[..] { Some(one) } else { None }
}

pub(super) fn answered(past: Past<'_, '_>, id: &[u8]) -> bool {
    past.iter().any(|seen| {
        let response = matches!(seen.shape(), Some(Shape::Result | Shape::Error)) && seen.case.from == Party::Server;
        response && seen.id().is_some_and(|other| other.raw() == id)
    })
}

/// Whether nothing that came back may have answered the request under an id. An id that is not plain may be any other.
pub(super) fn waits(past: Past<'_, '_>, id: &[u8]) -> bool {
    !past.iter().any(|seen| may_answer(seen, id))
}

fn may_answer(seen: &Seen<'_>, id: &[u8]) -> bool {
    let response = matches!(seen.shape(), Some(Shape::Result | Shape::Error)) && seen.case.from == Party::Server;
    response && seen.id().is_some_and(|other| other.raw() == id || !plain(other))
}

/// The one request that a response certainly answers: it stands before it, and nothing between may have answered it.
pub(super) fn asked_by<'p, 's>(past: Past<'p, 's>, answer: &Seen<'_>) -> Option<&'p Seen<'s>> {
    let id = answer.id()?.raw();
    let asked = request(past, id)?;
    let mut after = past.iter().skip_while(|seen| !std::ptr::eq(**seen, asked)).skip(1);
    let first = after.find(|seen| may_answer(seen, id))?;
    std::ptr::addr_eq(*first, answer).then_some(asked)
}

/// The one result that asked for input, and its request, when `now` goes back to it.
pub(super) fn interim<'p, 's>(past: Past<'p, 's>, now: &Seen<'_>) -> Option<(&'p Seen<'s>, &'p Seen<'s>)> {
    let asks = |seen: &Seen<'_>| {
        let token = seen.result().and_then(|result| result.get("resultType"));
        is(seen, Party::Server, Shape::Result) && token.is_some_and(|token| token.is("input_required"))
    };
    let mut found = past.iter().copied().filter(|seen| asks(seen));
    let (result, None) = (found.next()?, found.next()) else { return None };
    let call = asked_by(past, result)?;
    let same = |name: &str| match (param(call, name).and_then(Piece::text), param(now, name).and_then(Piece::text)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    };
    let again =
        is(now, Party::Client, Shape::Request) && has_method(now, "tools/call") && has_method(call, "tools/call");
    let carries = param(now, "requestState").is_some() || param(now, "inputResponses").is_some();
    (again && carries && modern(now) && same("name")).then_some((call, result))
}

fn retry_keeps_id(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let id = now.id().map(Piece::raw);
    interim(past, now).is_some_and(|(call, _)| call.id().map(Piece::raw) == id)
}

fn retry_changes_state(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some((_, result)) = interim(past, now) else { return false };
    let state = |holder: Option<Piece<'_>>| {
        let member = holder.and_then(|holder| holder.get("requestState"));
        (
            member.is_some_and(|member| member.sort() == Sort::String),
            member.and_then(Piece::text).map(|t| t.into_owned()),
        )
    };
    let (owed, given) = (state(result.result()), state(now.params()));
    owed != given
}

fn retry_leaves_out(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some((_, result)) = interim(past, now) else { return false };
    let Some(asked) = result.result().and_then(|result| result.get("inputRequests")) else { return false };
    let given = param(now, "inputResponses");
    asked.members().any(|(key, _)| {
        let key = key.text().unwrap_or_default();
        given.is_none_or(|given| given.get(&key).is_none())
    })
}

pub(super) const LISTS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

pub(super) fn next_cursor<'s>(seen: &'s Seen<'_>) -> Option<std::borrow::Cow<'s, str>> {
    seen.result()?.get("nextCursor")?.text()
}

fn cursor_made_up(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let lists = is(now, Party::Client, Shape::Request) && LISTS.iter().any(|method| has_method(now, method));
    let Some(cursor) = param(now, "cursor").filter(|_| lists).and_then(Piece::text) else { return false };
    past.iter().all(|seen| next_cursor(seen).is_none_or(|offered| offered != cursor))
}

fn page_leads_to_itself(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let (Some(id), Some(next)) = (now.id().filter(|id| plain(*id)), next_cursor(now)) else { return false };
    let page = request(past, id.raw()).filter(|page| LISTS.iter().any(|method| has_method(page, method)));
    let own = page.and_then(|page| param(page, "cursor")).and_then(Piece::text);
    is(now, Party::Server, Shape::Result) && own.is_some_and(|own| own == next)
}

/// The plain subscription id of a notification of the server.
pub(super) fn subscription<'s>(seen: &'s Seen<'_>) -> Option<Piece<'s>> {
    let id = seen.meta()?.get("io.modelcontextprotocol/subscriptionId")?;
    (is(seen, Party::Server, Shape::Notification) && plain(id)).then_some(id)
}

pub(super) const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

fn delivered_early(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(id) = subscription(now).filter(|_| !has_method(now, ACKNOWLEDGED)) else { return false };
    let opened = request(past, id.raw()).is_some_and(|request| has_method(request, "subscriptions/listen"));
    let acknowledges = |seen: &&Seen<'_>| {
        has_method(seen, ACKNOWLEDGED)
            && seen.meta().and_then(|meta| meta.get("io.modelcontextprotocol/subscriptionId")).is_some()
    };
    opened && !past.iter().any(acknowledges)
}

fn subscription_retyped(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(id) = subscription(now) else { return false };
    let Some(asked) = requests(past) else { return false };
    let opens = |raw: &[u8]| {
        asked.iter().any(|seen| has_method(seen, "subscriptions/listen") && seen.id().is_some_and(|id| id.raw() == raw))
    };
    !opens(id.raw()) && twin(id).is_some_and(|twin| opens(&twin))
}

fn delivered_unasked(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    const KINDS: [(&str, &str); 3] = [
        ("notifications/tools/list_changed", "toolsListChanged"),
        ("notifications/prompts/list_changed", "promptsListChanged"),
        ("notifications/resources/list_changed", "resourcesListChanged"),
    ];
    let Some(id) = subscription(now) else { return false };
    let Some((_, member)) = KINDS.iter().find(|(method, _)| has_method(now, method)) else { return false };
    let listen = request(past, id.raw()).filter(|request| has_method(request, "subscriptions/listen"));
    listen.is_some_and(|listen| {
        let wanted = param(listen, "notifications").and_then(|filter| filter.get(member));
        wanted.is_none_or(|wanted| wanted.raw() == b"false")
    })
}

/// The requests that gave this token; nothing where some token is not plain.
pub(super) fn givers<'p, 's>(past: Past<'p, 's>, token: &[u8]) -> Option<Vec<&'p Seen<'s>>> {
    let given = |seen: &Seen<'s>| {
        seen.meta().and_then(|meta| meta.get("progressToken")).map(|token| (plain(token), token.raw().to_vec()))
    };
    let asked = requests(past)?;
    if asked.iter().filter_map(|seen| given(seen)).any(|(plain, _)| !plain) {
        return None;
    }
    Some(asked.into_iter().filter(|seen| given(seen).is_some_and(|(_, raw)| raw == token)).collect())
}

pub(super) fn reports<'s>(seen: &'s Seen<'_>) -> Option<Piece<'s>> {
    let told = tells(seen, Party::Server, "notifications/progress");
    param(seen, "progressToken").filter(|token| told && plain(*token))
}

fn progress_unasked(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    reports(now).is_some_and(|token| givers(past, token.raw()).is_some_and(|givers| givers.is_empty()))
}

fn progress_stands_still(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(token) = reports(now) else { return false };
    let Some(before) = past.iter().rev().find(|seen| reports(seen).is_some_and(|other| other.raw() == token.raw()))
    else {
        return false;
    };
    let (Some(first), Some(second)) = (param(before, "progress"), param(now, "progress")) else { return false };
    let asked = givers(past, token.raw()).is_some_and(|givers| givers.len() == 1);
    // The request must have been there before its first report.
    let ordered = past.iter().take_while(|seen| !std::ptr::eq(**seen, *before)).any(|seen| {
        seen.meta().and_then(|meta| meta.get("progressToken")).is_some_and(|given| given.raw() == token.raw())
    });
    asked && ordered && first.sort() == Sort::Number && first.raw() == second.raw()
}

fn progress_late(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(token) = reports(now) else { return false };
    let Some(givers) = givers(past, token.raw()) else { return false };
    let [asked] = givers[..] else { return false };
    let Some(id) = asked.id() else { return false };
    let task = |seen: &&Seen<'_>| {
        let result = seen.result();
        result.is_some_and(|result| {
            result.get("task").is_some() || result.get("resultType").is_some_and(|t| t.is("task"))
        })
    };
    // The request must stand before its answer.
    let after: Vec<_> = past.iter().copied().skip_while(|seen| !std::ptr::eq(*seen, asked)).collect();
    request(past, id.raw()).is_some() && answered(&after, id.raw()) && !past.iter().any(task)
}

fn cancels_unknown(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let told = tells(now, Party::Client, "notifications/cancelled");
    let Some(id) = param(now, "requestId").filter(|id| told && plain(*id)) else { return false };
    requests(past).is_some_and(|asked| asked.iter().all(|seen| seen.id().is_none_or(|other| other.raw() != id.raw())))
}

fn server_cancels_call(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let told = tells(now, Party::Server, "notifications/cancelled");
    let Some(id) = param(now, "requestId").filter(|id| told && plain(*id)) else { return false };
    let by_server = past.iter().any(|seen| is(seen, Party::Server, Shape::Request));
    let called = request(past, id.raw()).is_some_and(|request| !has_method(request, "subscriptions/listen"));
    called && !by_server && waits(past, id.raw())
}

fn answered_twice(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let response = is(now, Party::Server, Shape::Result) || is(now, Party::Server, Shape::Error);
    let Some(id) = now.id().filter(|id| response && plain(*id)) else { return false };
    let Some(asked) = request(past, id.raw()) else { return false };
    let after: Vec<_> = past.iter().copied().skip_while(|seen| !std::ptr::eq(*seen, asked)).collect();
    answered(&after, id.raw())
}

fn answer_retyped(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let response = is(now, Party::Server, Shape::Result) || is(now, Party::Server, Shape::Error);
    let Some(id) = now.id().filter(|id| response && plain(*id)) else { return false };
    let Some(asked) = requests(past) else { return false };
    let unknown = asked.iter().all(|seen| seen.id().is_none_or(|other| other.raw() != id.raw()));
    unknown && twin(id).is_some_and(|twin| request(past, &twin).is_some() && waits(past, &twin))
}

fn mismatch_served(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(id) = now.id().filter(|id| is(now, Party::Server, Shape::Result) && plain(*id)) else { return false };
    let Some(asked) = request(past, id.raw()).filter(|asked| asked.over_http()) else { return false };
    let mut fields = asked.case.headers_named("Mcp-Method");
    let (Some(field), None) = (fields.next(), fields.next()) else { return false };
    let value = asked.mirrored(&field.value);
    let readable = value.iter().all(|byte| matches!(byte, 0x20..=0x7E));
    let lawful = asked.version().is_some_and(|version| version.is("2026-07-28"));
    let types = asked.capabilities().is_none_or(|set| set.members().all(|(_, value)| value.sort() == Sort::Object));
    let objects = asked.capabilities().is_none_or(|set| set.sort() == Sort::Object);
    let differs = asked.method().and_then(Piece::text).is_some_and(|method| method.as_bytes() != value);
    readable && lawful && types && objects && differs
}

fn roots_undeclared(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let Some(id) = now.id().filter(|id| is(now, Party::Server, Shape::Result) && plain(*id)) else { return false };
    let Some(asked) = request(past, id.raw()).filter(|asked| modern(asked)) else { return false };
    let Some(set) = asked.capabilities().filter(|set| set.sort() == Sort::Object) else { return false };
    let typed = set.members().all(|(_, value)| value.sort() == Sort::Object);
    let asks = now.result().and_then(|result| result.get("inputRequests")).is_some_and(|requests| {
        requests.members().any(|(_, request)| request.get("method").is_some_and(|method| method.is("roots/list")))
    });
    typed && asks && set.get("roots").is_none() && waits(past, id.raw())
}

fn param_differs(past: Past<'_, '_>, now: &Seen<'_>) -> bool {
    let call = is(now, Party::Client, Shape::Request) && now.over_http() && has_method(now, "tools/call");
    let claims = now.version().is_some_and(|version| version.is("2026-07-28"));
    let Some(name) = param(now, "name").filter(|_| call && claims).and_then(Piece::text) else { return false };
    let mut lists =
        past.iter().copied().filter(|seen| seen.result().is_some_and(|result| result.get("tools").is_some()));
    let (Some(list), None) = (lists.next(), lists.next()) else { return false };
    if !asked_by(past, list).is_some_and(|asked| has_method(asked, "tools/list")) {
        return false;
    }
    let mut tools = list.result().into_iter().filter_map(|result| result.get("tools")).flat_map(Piece::elements);
    let tool = tools.find(|tool| tool.get("name").is_some_and(|other| other.is(&name)));
    let properties = tool.and_then(|tool| tool.get("inputSchema")).and_then(|schema| schema.get("properties"));
    let mut marked = properties.into_iter().flat_map(Piece::members).filter(|(_, of)| of.get("x-mcp-header").is_some());
    // Other annotations could make the whole tool invalid.
    let (Some((member, of)), None) = (marked.next(), marked.next()) else { return false };
    let flat = properties.into_iter().flat_map(Piece::members).all(|(_, of)| of.get("properties").is_none());
    let Some(suffix) = of.get("x-mcp-header").and_then(Piece::text) else { return false };
    let token = !suffix.is_empty() && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let field = format!("Mcp-Param-{suffix}");
    let mut fields = now.case.headers_named(&field);
    let (Some(line), None) = (fields.next(), fields.next()) else { return false };
    let value = trimmed(&line.value);
    let literal = value.iter().all(|byte| matches!(byte, 0x20..=0x7E)) && !value.starts_with(b"=?");
    let argument = param(now, "arguments").and_then(|arguments| arguments.get(&member.text().unwrap_or_default()));
    let differs = argument.and_then(Piece::text).is_some_and(|text| text.as_bytes() != value);
    flat && token && literal && differs && of.get("type").is_some_and(|kind| kind.is("string"))
}

fn tasks_need_extension(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let of_tasks = ["tasks/get", "tasks/update", "tasks/cancel"].iter().any(|method| has_method(seen, method));
    let bare = seen.capabilities().is_some_and(|set| set.sort() == Sort::Object && set.members().next().is_none());
    if !is(seen, Party::Client, Shape::Request) || !of_tasks || !bare || !modern(seen) {
        return VACUOUS;
    }
    owes(observation, Stage::Capabilities, Some(-32021))
}
