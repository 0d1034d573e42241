//! Operators on what comes beside the answers: subscriptions, progress, cancellations, and answers to what asks nothing.
//!
//! Each breaks one rule over several messages and leaves every message lawful by itself.

use arbitrary::Unstructured;

use super::facts::Kind;
use super::thread::{Thread, add, cut, other_type, pointer, set};
use super::{Edit, Outcome, operators};
use crate::case::{Case, Party, Session, Transport};
use crate::generate::dictionary::{METHOD_HEADER, VERSION_HEADER, VERSION_KEY};
use crate::mutation::RequirementId;

const SUBSCRIPTION: [&str; 3] = ["params", "_meta", "io.modelcontextprotocol/subscriptionId"];
const FILTER: [&str; 2] = ["params", "notifications"];
const TOKEN: [&str; 2] = ["params", "progressToken"];
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// What a filter asks for, and what delivers it.
const KINDS: [(&str, &str); 3] = [
    ("toolsListChanged", "notifications/tools/list_changed"),
    ("promptsListChanged", "notifications/prompts/list_changed"),
    ("resourcesListChanged", "notifications/resources/list_changed"),
];

operators! { Session;
    /// Names a subscription by an id of the other type.
    RetypeSubscription "retype-subscription" if several => |session, u| edit_delivery(session, u, |session, at, _| {
        let other = other_type(Thread::of(session).raw(at, &SUBSCRIPTION)?)?;
        set(session, at, &SUBSCRIPTION, &other)?;
        Some(Edit::new(pointer(at, &SUBSCRIPTION), &["subscriptions-id-is-listen-request-id"]))
    });
    /// Delivers before the subscription is acknowledged.
    DeliverEarly "deliver-early" if several => |session, u| edit_delivery(session, u, |session, at, listen| {
        let acknowledged = acknowledgement(&Thread::of(session), listen)?;
        if acknowledged + 1 != at { return None; }
        session.cases.swap(acknowledged, at);
        Some(Edit::new(format!("#{acknowledged}"), &["subscriptions-ack-first"]))
    });
    /// Delivers what the subscription did not ask for.
    DeliverUnasked "deliver-unasked" if several => |session, u| edit_delivery(session, u, |session, at, listen| {
        let thread = Thread::of(session);
        let (_, method) = KINDS.iter().find(|(member, _)| !thread.is_there(listen, &[FILTER[0], FILTER[1], member]))?;
        if !KINDS.iter().any(|(_, method)| thread.names(at, method)) { return None; }
        set(session, at, &["method"], format!("\"{method}\"").as_bytes())?;
        Some(Edit::new(pointer(at, &["method"]), &["subscriptions-only-requested-types"]))
    });
    /// Acknowledges nothing of what is then delivered.
    GrantNothing "grant-nothing" if several => |session, u| edit_delivery(session, u, |session, _, listen| {
        let at = acknowledgement(&Thread::of(session), listen)?;
        set(session, at, &FILTER, b"{}")?;
        Some(Edit::new(pointer(at, &FILTER), &["subscriptions-ack-limits-delivery"]))
    });
    /// Acknowledges more than was asked for.
    GrantMore "grant-more" if several => |session, u| edit_delivery(session, u, |session, _, listen| {
        let thread = Thread::of(session);
        let at = acknowledgement(&thread, listen)?;
        let (member, _) = KINDS.iter().find(|(member, _)| !thread.is_there(listen, &[FILTER[0], FILTER[1], member]))?;
        add(session, at, &FILTER, &format!("\"{member}\":true"))?;
        Some(Edit::new(pointer(at, &FILTER), &["subscriptions-ack-is-subset"]))
    });
    /// Delivers after the subscription is over.
    DeliverLate "deliver-late" if several => deliver_late;
    /// Ends a subscription under the name of another.
    EndAnother "end-another" if several => |session, u| {
        let path = ["result", SUBSCRIPTION[1], SUBSCRIPTION[2]];
        let thread = Thread::of(session);
        let Some(at) = thread.places(u)?.find(|&at| thread.is_there(at, &path)) else { return Ok(None) };
        let Some(other) = thread.raw(at, &path).and_then(other_type) else { return Ok(None) };
        let edit = set(session, at, &path, &other);
        Ok(edit.map(|()| Edit::new(pointer(at, &path), &["subscriptions-result-has-subscription-id"])))
    };
    /// Reports progress under a token of the other type.
    RetypeToken "retype-token" if several => |session, u| edit_report(session, u, |session, at, _| {
        let other = other_type(Thread::of(session).raw(at, &TOKEN)?)?;
        set(session, at, &TOKEN, &other)?;
        Some(Edit::new(pointer(at, &TOKEN), &["progress-token-echo-exact"]))
    });
    /// Reports progress under a token that nobody gave.
    StrangeToken "strange-token" if several => |session, u| edit_report(session, u, |session, at, _| {
        set(session, at, &TOKEN, b"\"stranger\"")?;
        Some(Edit::new(pointer(at, &TOKEN), &["progress-only-when-requested"]))
    });
    /// Reports the same progress again.
    StallProgress "stall-progress" if several => |session, u| edit_report(session, u, |session, at, _| {
        let copy = session.cases[at].clone();
        session.cases.insert(at + 1, copy);
        Some(Edit::new(format!("#{}", at + 1), &["progress-strictly-increasing"]))
    });
    /// Reports less progress than before.
    FallBack "progress-falls" if several => |session, u| edit_report(session, u, |session, at, _| {
        let mut copy = session.cases[at].clone();
        let number = Thread::of(session).raw(at, &["params", "progress"])?.to_vec();
        std::mem::swap(&mut session.cases[at], &mut copy);
        session.cases.insert(at + 1, copy);
        set(session, at + 1, &["params", "progress"], &[b"-", &number[..]].concat())?;
        Some(Edit::new(pointer(at + 1, &["params", "progress"]), &["progress-strictly-increasing"]))
    });
    /// Reports progress behind the answer.
    LateProgress "late-progress" if several => |session, u| edit_report(session, u, |session, at, call| {
        let answer = Thread::of(session).answer(call)?;
        let report = session.cases[at].clone();
        session.cases.insert(answer + 1, report);
        Some(Edit::new(format!("#{}", answer + 1), &["progress-stops-after-completion"]))
    });
    /// Cancels what was never asked.
    CancelUnknown "cancel-unknown" if several => |session, u| {
        insert_after(session, u, Party::Client, "cancellation-only-own-inflight", |_, _| Some("\"stranger\"".into()))
    };
    /// Has the server cancel a call.
    CancelByServer "cancel-by-server" if several => |session, u| {
        insert_after(session, u, Party::Server, "cancellation-server-only-listen", |thread, at| {
            let id = thread.raw(at, &["id"])?;
            (thread.asks(at) && !thread.names(at, "subscriptions/listen")).then(|| String::from_utf8_lossy(id).into())
        })
    };
    /// Answers a notification.
    AnswerNotification "answer-notification" if several => |session, u| {
        let thread = Thread::of(session);
        let told = |at: &usize| thread.is(*at, Party::Client, Kind::Notification);
        let Some(at) = thread.places(u)?.find(told) else { return Ok(None) };
        let body = "{\"jsonrpc\":\"2.0\",\"id\":\"stranger\",\"error\":{\"code\":-32603,\"message\":\"m\"}}";
        session.cases.insert(at + 1, beside(&session.cases[at], Party::Server, body.into()));
        Ok(Some(Edit::new(format!("#{}", at + 1), &["envelope-request-has-id"])))
    };
    /// Serves a request whose method header differs from its body.
    ServeMismatch "serve-mismatch" if several => |session, u| served(session, u, |session, at| {
        let field = session.cases[at].headers.iter_mut().find(|header| header.is(METHOD_HEADER))?;
        field.value = b"ping".into();
        Some(vec!["header-mismatch-status-and-code", "header-mcp-method-equals-body"])
    });
    /// Serves a request that names two eras.
    ServeConflict "serve-conflict" if several => |session, u| served(session, u, |session, at| {
        let field = session.cases[at].headers.iter_mut().find(|header| header.is(VERSION_HEADER))?;
        field.value = b"2025-06-18".into();
        Some(vec![
            "header-validation-by-body-processors",
            "header-mismatch-status-and-code",
            "header-protocol-version-equals-meta",
        ])
    });
    /// Serves a request that names its version in a form that cannot be read.
    ServeUnreadable "serve-unreadable" if several => |session, u| served(session, u, |session, at| {
        let path = ["params", "_meta", VERSION_KEY];
        Thread::of(session).raw(at, &path)?;
        set(session, at, &path, b"\"draft\"")?;
        let fields = session.cases[at].headers.iter_mut().filter(|header| header.is(VERSION_HEADER));
        fields.for_each(|field| field.value = b"draft".into());
        Some(vec!["project-malformed-era-signal", "negotiation-unsupported-version-error"])
    });
    /// Answers with a code that modern servers no longer send.
    OldCode "old-code" if several => |session, u| {
        let thread = Thread::of(session);
        let modern = |at: usize| (0..at).any(|before| thread.is_there(before, &["result", "resultType"]));
        let plain = |at: &usize| {
            thread.is(*at, Party::Server, Kind::Error) && !thread.is_there(*at, &["error", "data"]) && modern(*at)
        };
        let Some(at) = thread.places(u)?.find(plain) else { return Ok(None) };
        let edit = set(session, at, &["error", "code"], b"-32002");
        Ok(edit.map(|()| Edit::new(pointer(at, &["error", "code"]), &["error-32002-not-emitted"])))
    };
    /// Delivers without naming the subscription.
    DeliverNameless "deliver-nameless" if several => |session, u| edit_delivery(session, u, |session, at, listen| {
        let thread = Thread::of(session);
        acknowledgement(&thread, listen)?;
        cut(session, at, &SUBSCRIPTION)?;
        Some(Edit::new(pointer(at, &SUBSCRIPTION), &["subscriptions-id-on-every-message"]))
    });
    /// Cancels a handshake.
    CancelHandshake "cancel-handshake" if several => |session, u| {
        insert_after(session, u, Party::Client, "cancellation-initialize-not-cancelled", |thread, at| {
            let id = thread.raw(at, &["id"])?;
            (thread.asks(at) && thread.names(at, "initialize")).then(|| String::from_utf8_lossy(id).into())
        })
    };
    /// Opens a stream as older clients do, after a modern answer.
    OpenStream "open-stream" if several => |session, _| {
        let thread = Thread::of(session);
        let discovered = (0..thread.count()).find(|&at| thread.is_there(at, &["result", "supportedVersions"]));
        let Some(case) = discovered.map(|at| &session.cases[at]) else { return Ok(None) };
        if case.transport == Transport::Stdio || session.cases.iter().any(|case| case.restart || case.connection > 0) {
            return Ok(None);
        }
        session.cases.push(Case { method: Some(b"GET".into()), ..beside(case, Party::Client, String::new()) });
        Ok(Some(Edit::new(format!("#{}", session.cases.len() - 1), &["fallback-http-404-405-to-sse"])))
    };
    /// Spells the id of an answer in another way than its request did.
    RespellId "respell-id" if several => |session, u| {
        let thread = Thread::of(session);
        let place = |at: usize| {
            let raw = thread.raw(at, &["id"])?;
            let response = thread.is(at, Party::Server, Kind::Result) || thread.is(at, Party::Server, Kind::Error);
            thread.asked(at, raw).filter(|_| response)?;
            raw.iter().all(u8::is_ascii_digit).then(|| (at, [raw, b".0"].concat()))
        };
        let Some((at, id)) = thread.places(u)?.find_map(place) else { return Ok(None) };
        let rules = ["envelope-response-id-equals-request-id", "id-integer-valued-float-is-accepted-by-schema"];
        Ok(set(session, at, &["id"], &id).map(|()| Edit::new(pointer(at, &["id"]), &rules)))
    };
    /// Sends a probe again before its answer, with a version that cannot be read.
    BreakProbe "break-probe" if |session| !session.cases.is_empty() => break_probe;
}

fn several(session: &Session) -> bool {
    session.cases.len() > 1
}

/// A message of that party on the connection of another one.
fn beside(case: &Case, from: Party, body: String) -> Case {
    Case { transport: case.transport, connection: case.connection, ..Case::stdio(from, body) }
}

/// The acknowledgement of a subscription.
fn acknowledgement(thread: &Thread<'_>, listen: usize) -> Option<usize> {
    let id = thread.raw(listen, &["id"])?;
    (listen + 1..thread.count()).find(|&at| thread.names(at, ACKNOWLEDGED) && thread.raw(at, &SUBSCRIPTION) == Some(id))
}

/// Applies an edit to the first delivery that it fits, with the request that opened its subscription.
fn edit_delivery(
    session: &mut Session,
    u: &mut Unstructured<'_>,
    edit: fn(&mut Session, usize, usize) -> Option<Edit>,
) -> Outcome {
    let thread = Thread::of(session);
    let delivery = |at: usize| {
        let told = thread.is(at, Party::Server, Kind::Notification) && !thread.names(at, ACKNOWLEDGED);
        let listen = thread.asked(at, thread.raw(at, &SUBSCRIPTION)?)?;
        (told && thread.names(listen, "subscriptions/listen")).then_some((at, listen))
    };
    let places: Vec<_> = thread.places(u)?.filter_map(delivery).collect();
    Ok(places.into_iter().find_map(|(at, listen)| edit(session, at, listen)))
}

/// Applies an edit to the first report of progress that it fits, with the call that it reports on.
fn edit_report(
    session: &mut Session,
    u: &mut Unstructured<'_>,
    edit: fn(&mut Session, usize, usize) -> Option<Edit>,
) -> Outcome {
    let thread = Thread::of(session);
    let report = |at: usize| {
        let told = thread.is(at, Party::Server, Kind::Notification) && thread.names(at, "notifications/progress");
        let token = thread.raw(at, &TOKEN)?;
        let given = |call: &usize| thread.raw(*call, &["params", "_meta", "progressToken"]) == Some(token);
        let call = (0..at).rev().filter(|&call| thread.asks(call)).find(given)?;
        told.then_some((at, call))
    };
    // The last report of a call, so that none behind it is out of order.
    let last =
        |(at, call): &(usize, usize)| !(at + 1..thread.count()).any(|at| report(at).is_some_and(|r| r.1 == *call));
    let places: Vec<_> = thread.places(u)?.filter_map(report).filter(last).collect();
    Ok(places.into_iter().find_map(|(at, call)| edit(session, at, call)))
}

fn deliver_late(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    edit_delivery(session, u, |session, at, listen| {
        let thread = Thread::of(session);
        let id = thread.raw(listen, &["id"])?;
        let cancelled = (at + 1..thread.count()).find(|&other| {
            thread.names(other, "notifications/cancelled") && thread.raw(other, &["params", "requestId"]) == Some(id)
        });
        let (end, rule) = match (thread.answer(listen), cancelled) {
            (Some(answer), None) => (answer, "subscriptions-nothing-after-result"),
            (None, Some(cancelled)) => (cancelled, "subscriptions-stop-after-client-cancel"),
            _ => return None,
        };
        let copy = session.cases[at].clone();
        session.cases.insert(end + 1, copy);
        Some(Edit::new(format!("#{}", end + 1), &[rule]))
    })
}

/// Spoils a request that is answered with a result, so that the answer is a fault of the server.
fn served(
    session: &mut Session,
    u: &mut Unstructured<'_>,
    spoil: fn(&mut Session, usize) -> Option<Vec<RequirementId>>,
) -> Outcome {
    let thread = Thread::of(session);
    let places: Vec<usize> = thread
        .places(u)?
        .filter(|&at| thread.asks(at) && thread.is_there(at, &["params", "_meta", VERSION_KEY]))
        .filter(|&at| {
            thread.answer(at).is_some_and(|answer| thread.is_text(answer, &["result", "resultType"], "complete"))
        })
        .collect();
    Ok(places.into_iter().find_map(|at| Some(Edit { path: format!("#{at}"), breaks: spoil(session, at)? })))
}

/// Puts a cancellation behind the first message that gives an id to name.
fn insert_after(
    session: &mut Session,
    u: &mut Unstructured<'_>,
    from: Party,
    rule: RequirementId,
    id: fn(&Thread<'_>, usize) -> Option<String>,
) -> Outcome {
    let thread = Thread::of(session);
    let Some((at, id)) = thread.places(u)?.find_map(|at| Some((at, id(&thread, at)?))) else { return Ok(None) };
    let params = format!("\"params\":{{\"requestId\":{id}}}");
    let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",{params}}}");
    session.cases.insert(at + 1, beside(&session.cases[at], from, body));
    Ok(Some(Edit::new(format!("#{}", at + 1), &[rule])))
}

fn break_probe(session: &mut Session, _: &mut Unstructured<'_>) -> Outcome {
    let thread = Thread::of(session);
    let path = ["params", "_meta", VERSION_KEY];
    if !thread.names(0, "server/discover") || !thread.is_there(0, &path) {
        return Ok(None);
    }
    let mut copy = session.cases[0].clone();
    copy.restart = false;
    copy.headers
        .iter_mut()
        .filter(|header| header.is(VERSION_HEADER))
        .for_each(|header| header.value = b"draft".into());
    session.cases.insert(1, copy);
    set(session, 1, &path, b"\"draft\"");
    set(session, 1, &["id"], b"\"again\"");
    Ok(Some(Edit::new(pointer(1, &path), &["negotiation-unsupported-version-error"])))
}
