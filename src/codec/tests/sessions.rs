//! Rules over several messages, a session a row: what stands before the last message is lawful, and the last one breaks
//! the rule beside it, or none.

use crate::case::{Case, Party, Session};
use crate::codec::Reader;
use crate::codec::reading::{Profile, Weight};
use crate::codec::session::Tracker;
use crate::limits::Limits;
use crate::requirement::judge::is_finding;

const NONE: &str = "{}";
const ALL: &str = r#"{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}"#;

fn ask_with(capabilities: &str, more: &str, id: &str, method: &str, params: &str) -> Case {
    let comma = if params.is_empty() { "" } else { "," };
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}{more}}}{comma}{params}}}}}"#
    );
    Case::stdio(Party::Client, body)
}

/// A modern request that declares every kind of input.
pub fn ask(id: &str, method: &str, params: &str) -> Case {
    ask_with(ALL, "", id, method, params)
}

/// The same over HTTP with the headers that it owes.
fn post(id: &str, method: &str, name: Option<&str>, params: &str) -> Case {
    let body = ask(id, method, params).body;
    let case = Case::http(Party::Client, body)
        .with_header("MCP-Protocol-Version", "2026-07-28")
        .with_header("Mcp-Method", method);
    name.into_iter().fold(case, |case, name| case.with_header("Mcp-Name", name))
}

/// A request that asks for progress.
fn ask_progress(id: &str, token: &str) -> Case {
    ask_with(ALL, &format!(r#","progressToken":{token}"#), id, "tools/call", r#""name":"a""#)
}

fn reply(id: &str, members: &str) -> Case {
    Case::stdio(
        Party::Server,
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete"{members}}}}}"#),
    )
}

fn interim(id: &str, members: &str) -> Case {
    Case::stdio(
        Party::Server,
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required",{members}}}}}"#),
    )
}

fn over_http(status: u16, mut case: Case) -> Case {
    case.transport = crate::case::Transport::Http;
    case.status = Some(status);
    case
}

fn fail(id: &str, code: i32) -> Case {
    let id = if id.is_empty() { String::new() } else { format!(r#""id":{id},"#) };
    Case::stdio(Party::Server, format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":{code},"message":"m"}}}}"#))
}

/// A notification.
pub fn tell(from: Party, method: &str, params: &str) -> Case {
    Case::stdio(from, format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{params}}}}}"#))
}

const DONE: &str = r#","content":[]"#;

/// Every breach of the last message as `reason rule`, in both profiles; earlier messages break nothing.
pub fn last(cases: &[Case]) -> Option<(String, bool)> {
    let session = Session { cases: cases.to_vec() };
    assert_eq!(Session::decode(&session.encode()).unwrap(), session);
    let (mut reader, mut tracker) = (Reader::new(Limits::message()), Tracker::new());
    let mut found = None;
    for (at, case) in session.cases.iter().enumerate() {
        let reading = tracker.read(&mut reader, case);
        let breach = reading.breach(Profile::Strict).copied();
        found = breach.map(|breach| {
            let words = format!("{} {}", breach.refusal.reason.word(), breach.refusal.requirement);
            (words, is_finding(&breach, Profile::Spec) && breach.weight == Weight::Full)
        });
        let earlier = at + 1 < session.cases.len();
        assert!(!earlier || found.is_none(), "message {at}: {found:?}\n{}", String::from_utf8_lossy(&session.encode()));
    }
    found
}

/// Each session breaks what stands beside it with its last message, as a finding in `spec` or not.
pub fn check(rows: Vec<(&str, bool, Vec<Case>)>) {
    for (expected, by_spec, cases) in rows {
        let text = || String::from_utf8_lossy(&Session { cases: cases.clone() }.encode()).into_owned();
        let owed = (!expected.is_empty()).then(|| (expected.to_owned(), by_spec));
        assert_eq!(last(&cases), owed, "{}", text());
    }
}

/// A call of tool `a` that was answered with a request for input, and what a client sends next.
fn retried(asks: &str, id: &str, params: &str) -> Vec<Case> {
    let call = r#""name":"a","arguments":{"x":1,"y":[true]}"#;
    vec![ask("1", "tools/call", call), interim("1", asks), ask(id, "tools/call", params)]
}

#[test]
fn a_retry_repeats_its_call_under_a_new_id_with_the_state_it_was_handed() {
    const STATE: &str = r#""requestState":"s""#;
    const ROOTS: &str = r#""inputRequests":{"r":{"method":"roots/list","params":{}}}"#;
    const ANSWER: &str = r#""inputResponses":{"r":{"roots":[]}}"#;
    let call = |more: &str| format!(r#""arguments":{{"y":[true],"x":1.0}},"name":"a",{more}"#);
    check(vec![
        ("", false, retried(STATE, "2", &call(STATE))),
        ("", false, retried(STATE, "\"1\"", &call(STATE))),
        ("", false, retried(r#""requestState":"""#, "0", &call(r#""requestState":"""#))),
        ("", false, retried(ROOTS, "2", &call(ANSWER))),
        ("", false, retried(r#""requestState":"\u00e9""#, "2", &call(r#""requestState":"é""#))),
        ("retry-id mrtr-retry-uses-new-id", true, retried(STATE, "1", &call(STATE))),
        ("retry-state mrtr-request-state-echoed-exactly", true, retried(STATE, "2", &call(r#""requestState":"S""#))),
        (
            "retry-state mrtr-request-state-echoed-exactly",
            true,
            retried(&format!("{STATE},{ROOTS}"), "2", &call(ANSWER)),
        ),
        (
            "retry-state mrtr-request-state-absent-not-sent",
            true,
            retried(ROOTS, "2", &call(&format!("{STATE},{ANSWER}"))),
        ),
        ("retry-responses mrtr-responses-cover-all-keys", false, retried(ROOTS, "2", &call(r#""inputResponses":{}"#))),
        (
            "retry-responses mrtr-response-kind-matches-request",
            true,
            retried(ROOTS, "2", &call(r#""inputResponses":{"r":{"action":"cancel"}}"#)),
        ),
        (
            "retry-params mrtr-retry-repeats-original-params",
            false,
            retried(STATE, "2", &format!(r#""name":"a","arguments":{{"x":2}},{STATE}"#)),
        ),
        ("retry-params mrtr-fields-scoped-to-retry", true, retried(STATE, "2", &format!(r#""name":"b",{STATE}"#))),
        ("", false, vec![ask("1", "tools/call", &call(STATE))]),
        (
            "retry-unasked mrtr-fields-scoped-to-retry",
            false,
            vec![ask("1", "tools/list", ""), ask("2", "tools/call", &call(STATE))],
        ),
        ("retry-unasked mrtr-params-only-on-supported-methods", false, vec![ask("1", "tools/list", STATE)]),
    ]);
}

#[test]
fn a_hop_is_concluded_by_itself_whatever_its_retry_does() {
    let cases = retried(r#""requestState":"s""#, "2", r#""name":"a","requestState":"t""#);
    let (mut reader, mut tracker) = (Reader::new(Limits::message()), Tracker::new());
    let conclusions: Vec<_> =
        cases.iter().map(|case| tracker.read(&mut reader, case).conclusion.map(|of| of.state())).collect();
    assert_eq!(conclusions, [Some("valid"), Some("non-terminal"), Some("valid")]);
}

#[test]
fn pages_lead_on_and_cursors_come_from_the_list() {
    let page = |id: &str, cursor: &str| ask(id, "tools/list", cursor);
    let listed = |id: &str, next: &str| reply(id, &format!(r#","tools":[],"ttlMs":0,"cacheScope":"public"{next}"#));
    let two = |next: &str| {
        vec![page("1", ""), listed("1", r#","nextCursor":"""#), page("2", r#""cursor":"""#), listed("2", next)]
    };
    check(vec![
        ("", false, two("")),
        ("", false, two(r#","nextCursor":"b""#)),
        ("cursor-repeated pagination-stable-cursors", false, two(r#","nextCursor":"""#)),
        ("", false, vec![page("1", ""), listed("1", r#","nextCursor":"a""#), page("2", r#""cursor":"\u0061""#)]),
        (
            "cursor-unknown pagination-cursor-opaque",
            false,
            vec![page("1", ""), listed("1", r#","nextCursor":"a""#), page("2", r#""cursor":"A""#)],
        ),
    ]);
    let mut circle = two(r#","nextCursor":"b""#);
    circle.extend([page("3", r#""cursor":"b""#), listed("3", r#","nextCursor":"""#)]);
    check(vec![("cursor-repeated pagination-stable-cursors", false, circle)]);
}

#[test]
fn a_subscription_is_acknowledged_first_keeps_its_id_and_delivers_what_was_asked_for() {
    let id = |id: &str| format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#);
    let listen = |id: &str| ask(id, "subscriptions/listen", r#""notifications":{"toolsListChanged":true}"#);
    let acknowledged = |of: &str, kinds: &str| {
        let params = format!(r#""notifications":{{{kinds}}},{}"#, id(of));
        tell(Party::Server, "notifications/subscriptions/acknowledged", &params)
    };
    let changed = |of: &str, kind: &str| tell(Party::Server, &format!("notifications/{kind}/list_changed"), &id(of));
    let tools = r#""toolsListChanged":true"#;
    let open = |next: Case| vec![listen("0"), acknowledged("0", tools), next];
    let closed = |of: &str| {
        Case::stdio(
            Party::Server,
            format!(r#"{{"jsonrpc":"2.0","id":0,"result":{{"resultType":"complete",{}}}}}"#, id(of)),
        )
    };
    let over = vec![listen("0"), acknowledged("0", tools), closed("0"), changed("0", "tools")];
    let cancelled = vec![
        listen("0"),
        acknowledged("0", tools),
        tell(Party::Client, "notifications/cancelled", r#""requestId":0"#),
        changed("0", "tools"),
    ];
    check(vec![
        ("", false, open(changed("0", "tools"))),
        ("", false, vec![listen("\"\""), acknowledged("\"\"", tools), changed("\"\"", "tools")]),
        ("", false, vec![listen("1"), listen("2"), acknowledged("2", tools), changed("2", "tools")]),
        ("", false, open(closed("0"))),
        ("", false, vec![listen("0"), acknowledged("0", "")]),
        ("subscription-order subscriptions-ack-first", true, vec![listen("0"), changed("0", "tools")]),
        (
            "subscription-order subscriptions-ack-first",
            true,
            vec![listen("1"), listen("2"), acknowledged("2", tools), changed("1", "tools")],
        ),
        ("subscription-id subscriptions-id-is-listen-request-id", true, open(changed("\"0\"", "tools"))),
        ("subscription-id subscriptions-id-is-listen-request-id", false, open(changed("7", "tools"))),
        (
            "subscription-id subscriptions-id-on-every-message",
            true,
            open(tell(Party::Server, "notifications/tools/list_changed", "")),
        ),
        ("subscription-id subscriptions-result-has-subscription-id", true, open(closed("\"0\""))),
        ("subscription-kind subscriptions-only-requested-types", true, open(changed("0", "prompts"))),
        (
            "subscription-kind subscriptions-ack-is-subset",
            true,
            vec![listen("0"), acknowledged("0", r#""promptsListChanged":true"#)],
        ),
        (
            "subscription-kind subscriptions-ack-limits-delivery",
            false,
            vec![listen("0"), acknowledged("0", ""), changed("0", "tools")],
        ),
        ("after-final subscriptions-nothing-after-result", false, over),
        ("after-final subscriptions-stop-after-client-cancel", false, cancelled),
    ]);
}

#[test]
fn progress_reports_on_an_active_request_and_moves_on() {
    let report = |token: &str, value: &str| {
        tell(Party::Server, "notifications/progress", &format!(r#""progressToken":{token},"progress":{value}"#))
    };
    let asked = |token: &str, reports: Vec<Case>| [vec![ask_progress("1", token)], reports].concat();
    check(vec![
        ("", false, asked("\"\"", vec![report("\"\"", "0"), report("\"\"", "0.5")])),
        ("", false, asked("0", vec![report("0", "-1"), report("0", "1e1")])),
        ("", false, vec![ask_progress("1", "0"), reply("1", DONE), ask_progress("2", "0"), report("0", "1")]),
        ("progress-value progress-strictly-increasing", false, asked("0", vec![report("0", "2"), report("0", "2.0")])),
        ("progress-value progress-strictly-increasing", false, asked("0", vec![report("0", "2"), report("0", "1")])),
        ("progress-token progress-token-echo-exact", true, asked("0", vec![report("\"0\"", "1")])),
        ("progress-token progress-only-when-requested", false, vec![ask("1", "ping", ""), report("5", "1")]),
        ("progress-token progress-token-unique", true, vec![ask_progress("1", "0"), ask_progress("2", "0")]),
        (
            "after-final progress-stops-after-completion",
            true,
            vec![ask_progress("1", "0"), reply("1", DONE), report("0", "1")],
        ),
    ]);
}

#[test]
fn a_record_from_the_start_holds_against_a_server_what_was_never_asked() {
    let mut opening = ask("1", "server/discover", "");
    let stray = tell(Party::Server, "notifications/progress", r#""progressToken":5,"progress":1"#);
    check(vec![("progress-token progress-only-when-requested", true, vec![opening.clone(), stray.clone()])]);
    opening.restart = true;
    check(vec![("progress-token progress-only-when-requested", true, vec![opening, stray])]);
}

#[test]
fn a_cancellation_names_a_request_that_its_sender_may_cancel() {
    let cancel = |from, id: &str| tell(from, "notifications/cancelled", &format!(r#""requestId":{id}"#));
    let call = |id: &str| ask(id, "tools/call", r#""name":"a""#);
    let (client, server) = (Party::Client, Party::Server);
    let listen = ask("0", "subscriptions/listen", r#""notifications":{}"#);
    let initialize = Case::stdio(
        client,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
    );
    check(vec![
        ("", false, vec![call("0"), cancel(client, "0")]),
        ("", false, vec![call("\"\""), cancel(client, "\"\"")]),
        ("", false, vec![call("1"), reply("1", DONE), cancel(client, "1")]),
        ("", false, vec![listen, cancel(server, "0")]),
        ("cancel-target cancellation-server-only-listen", true, vec![call("0"), cancel(server, "0")]),
        ("cancel-target cancellation-only-own-inflight", true, vec![call("0"), cancel(client, "\"0\"")]),
        ("cancel-target cancellation-only-own-inflight", false, vec![call("0"), cancel(client, "7")]),
        ("cancel-target cancellation-initialize-not-cancelled", true, vec![initialize, cancel(client, "1")]),
    ]);
}

#[test]
fn a_request_has_one_answer_and_a_notification_none() {
    let call = |id: &str| ask(id, "tools/call", r#""name":"a""#);
    let note = tell(Party::Client, "notifications/cancelled", r#""requestId":1"#);
    let noted = |mut answer: Case, status: Option<u16>| {
        let mut note = note.clone();
        let mut first = post("1", "tools/call", Some("a"), r#""name":"a""#);
        if let Some(status) = status {
            note.transport = crate::case::Transport::Http;
            answer = over_http(status, answer);
        } else {
            first = call("1");
        }
        vec![first, note, answer]
    };
    let early = || {
        let handshake = |body: &str, from| Case::stdio(from, body.to_owned());
        vec![
            handshake(
                r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
                Party::Client,
            ),
            handshake(
                r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"a","version":"1"}}}"#,
                Party::Server,
            ),
            handshake(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, Party::Client),
        ]
    };
    check(vec![
        ("", false, vec![call("1"), reply("1", DONE), call("1")]),
        ("", false, vec![call("1"), call("\"1\""), reply("\"1\"", DONE)]),
        ("", false, noted(fail("", -32600), Some(400))),
        ("second-response envelope-one-response-per-request", true, vec![call("1"), reply("1", DONE), fail("1", -1)]),
        ("response-id id-type-preserved-on-echo", true, vec![call("1"), fail("\"1\"", -1)]),
        ("notification-answered envelope-request-has-id", true, noted(fail("9", -1), Some(200))),
        ("notification-answered envelope-request-has-id", false, noted(fail("", -32600), None)),
        ("id-reused id-never-reused-in-session", true, early()),
    ]);
}

#[test]
fn a_header_mismatch_is_answered_as_one() {
    let wrong = || post("1", "tools/call", Some("b"), r#""name":"a""#);
    // The request itself is refused, so only what follows is looked at.
    let answered = |answer: Case| {
        let (mut reader, mut tracker) = (Reader::new(Limits::message()), Tracker::new());
        let request = wrong();
        let reading = tracker.read(&mut reader, &request);
        assert_eq!(reading.refusal(Profile::Spec).unwrap().reason.word(), "name-mismatch");
        let reading = tracker.read(&mut reader, &answer);
        reading.refusal(Profile::Spec).map(|refusal| refusal.reason.word())
    };
    assert_eq!(answered(over_http(400, fail("1", -32020))), None);
    assert_eq!(answered(over_http(404, fail("1", -32601))), None, "the method may be looked for first");
    assert_eq!(answered(over_http(403, fail("1", -1))), None, "access may be denied first");
    assert_eq!(answered(over_http(400, fail("1", -32602))), Some("mismatch-answered"));
    assert_eq!(answered(over_http(200, reply("1", DONE))), Some("mismatch-answered"));
}

#[test]
fn a_server_asks_only_for_the_kinds_of_input_that_the_call_declared() {
    let asks = |method: &str, params: &str| {
        format!(r#""inputRequests":{{"r":{{"method":"{method}","params":{{{params}}}}}}}"#)
    };
    let roots = asks("roots/list", "");
    let sampling = asks("sampling/createMessage", r#""messages":[],"maxTokens":1"#);
    let tools = asks("sampling/createMessage", r#""messages":[],"maxTokens":1,"tools":[]"#);
    let form = asks(
        "elicitation/create",
        r#""mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}"#,
    );
    let url = asks("elicitation/create", r#""mode":"url","message":"m","url":"https://a.example/""#);
    let answered = |capabilities: &str, asks: &str| {
        vec![ask_with(capabilities, "", "1", "tools/call", r#""name":"a""#), interim("1", asks)]
    };
    let undeclared = "undeclared-input mrtr-capability-gated";
    check(vec![
        ("", false, answered(ALL, &roots)),
        ("", false, answered(ALL, &tools)),
        ("", false, answered(ALL, &url)),
        ("", false, answered(r#"{"elicitation":{}}"#, &form)),
        ("", false, answered(r#"{"sampling":{}}"#, &sampling)),
        (undeclared, true, answered(NONE, &roots)),
        (undeclared, true, answered(r#"{"roots":{}}"#, &sampling)),
        (undeclared, true, answered(NONE, &form)),
        (undeclared, true, answered(r#"{"elicitation":{"url":{}}}"#, &form)),
        ("undeclared-input capabilities-elicitation-empty-means-form", true, answered(r#"{"elicitation":{}}"#, &url)),
        ("undeclared-input capabilities-client-declares-sampling-tools", true, answered(r#"{"sampling":{}}"#, &tools)),
    ]);
}

#[test]
fn tasks_are_asked_about_only_by_who_declares_them() {
    const TASKS: &str = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let listen = r#""notifications":{"taskIds":["t"]}"#;
    let owed = "missing-client-capability extension-tasks-methods-undeclaring-client";
    let asked = |capabilities: &str, method: &str, params: &str| vec![ask_with(capabilities, "", "1", method, params)];
    let one = r#""taskId":"t""#;
    check(vec![
        ("", false, asked(TASKS, "tasks/get", one)),
        ("", false, asked(TASKS, "subscriptions/listen", listen)),
        (owed, true, asked(NONE, "tasks/get", one)),
        (owed, true, asked(NONE, "tasks/cancel", one)),
        (owed, true, asked(r#"{"extensions":{"a.b/c":{}}}"#, "tasks/update", r#""taskId":"t","inputResponses":{}"#)),
        (
            "missing-client-capability extension-tasks-subscribe-undeclaring-client",
            false,
            asked(NONE, "subscriptions/listen", listen),
        ),
    ]);
}

#[test]
fn parameters_in_headers_are_compared_with_the_arguments_of_a_listed_tool() {
    let tool = |schema: &str| {
        format!(r#","ttlMs":0,"cacheScope":"public","tools":[{{"name":"a","description":"","inputSchema":{schema}}}]"#)
    };
    let schema = r#"{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region"},"o":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean","x-mcp-header":"B"}}}}}"#;
    let called = |headers: &[(&str, &str)], arguments: &str| {
        let params = format!(r#""name":"a","arguments":{{{arguments}}}"#);
        let call = post("2", "tools/call", Some("a"), &params);
        let call = headers.iter().fold(call, |call, (name, value)| call.with_header(*name, *value));
        vec![post("1", "tools/list", None, ""), over_http(200, reply("1", &tool(schema))), call]
    };
    let differs = "param-mismatch param-header-value-matches-body";
    let n = |value: &str| format!(r#""o":{{"n":{value}}}"#);
    check(vec![
        ("", false, called(&[], "")),
        ("", false, called(&[], r#""r":null"#)),
        ("", false, called(&[("Mcp-Param-Region", "eu")], r#""r":"eu""#)),
        ("", false, called(&[("mcp-param-REGION", "=?base64?w6k=?=")], r#""r":"é""#)),
        ("", false, called(&[("Mcp-Param-Region", "")], r#""r":"""#)),
        ("", false, called(&[("Mcp-Param-N", "42")], &n("42.0"))),
        ("", false, called(&[("Mcp-Param-N", "100")], &n("1e2"))),
        ("", false, called(&[("Mcp-Param-N", "0")], &n("-0"))),
        ("", false, called(&[("Mcp-Param-B", "true")], r#""o":{"b":true}"#)),
        ("", false, called(&[("Mcp-Param-Other", "x")], "")),
        (differs, true, called(&[("Mcp-Param-Region", "EU")], r#""r":"eu""#)),
        (differs, true, called(&[("Mcp-Param-N", "43")], &n("42"))),
        (differs, true, called(&[("Mcp-Param-B", "false")], r#""o":{"b":true}"#)),
        (
            "param-mismatch param-header-boolean-lower-case",
            true,
            called(&[("Mcp-Param-B", "True")], r#""o":{"b":true}"#),
        ),
        ("param-mismatch param-header-integer-decimal", true, called(&[("Mcp-Param-N", "0x2a")], &n("42"))),
        ("param-mismatch param-header-integer-decimal", false, called(&[("Mcp-Param-N", "42.0")], &n("42"))),
        (
            "param-mismatch param-header-integer-safe-range",
            false,
            called(&[("Mcp-Param-N", "9007199254740992")], &n("9007199254740992")),
        ),
        ("param-mismatch param-header-present-without-body-value", false, called(&[("Mcp-Param-N", "1")], "")),
        ("header-missing param-header-omitted-with-body-value-rejected", true, called(&[], r#""r":"eu""#)),
        (
            "header-characters param-header-invalid-characters-rejected",
            true,
            called(&[("Mcp-Param-Region", "\u{e9}")], r#""r":"é""#),
        ),
        (
            "sentinel-malformed sentinel-bad-padding-rejected",
            false,
            called(&[("Mcp-Param-Region", "=?base64?YQ?=")], r#""r":"a""#),
        ),
    ]);
    for (annotation, rule) in [
        (r#""type":"number","x-mcp-header":"N""#, "param-header-number-type-forbidden"),
        (r#""type":"array","x-mcp-header":"N""#, "param-header-primitive-only"),
        (r#""type":"string","x-mcp-header":"""#, "param-header-name-not-empty"),
        (r#""type":"string","x-mcp-header":1"#, "param-header-name-is-string"),
        (r#""type":"string","x-mcp-header":"a b""#, "param-header-name-is-token"),
        (r#""type":"string","x-mcp-header":"a\tb""#, "param-header-name-no-controls"),
        (r#""items":{"x-mcp-header":"N"}"#, "param-header-statically-reachable"),
        (
            r#""properties":{"b":{"type":"string","x-mcp-header":"n"},"c":{"type":"string","x-mcp-header":"N"}}"#,
            "param-header-name-unique-case-insensitive",
        ),
    ] {
        let broken = tool(&format!(r#"{{"type":"object","properties":{{"a":{{{annotation}}}}}}}"#));
        let found = last(&[ask("1", "tools/list", ""), reply("1", &broken)]);
        let reason = if rule == "param-header-name-is-string" { "wrong-type" } else { "wrong-value" };
        assert_eq!(found.map(|(words, _)| words), Some(format!("{reason} {rule}")), "{annotation}");
    }
}

#[test]
fn what_is_remembered_is_bounded_and_the_next_message_is_still_read() {
    let (mut reader, mut tracker) = (Reader::new(Limits::message()), Tracker::new());
    for id in 0..100_000 {
        let case = Case::stdio(Party::Client, format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"a"}}"#));
        assert!(tracker.read(&mut reader, &case).breaches.is_empty(), "{id}");
    }
    // Whatever was forgotten may be what is meant now.
    let stray = tell(Party::Client, "notifications/cancelled", r#""requestId":99999"#);
    assert!(tracker.read(&mut reader, &stray).breaches.is_empty());
    let twice = Case::stdio(Party::Client, r#"{"jsonrpc":"2.0","id":5,"method":"a"}"#);
    assert_eq!(tracker.read(&mut reader, &twice).refusal(Profile::Spec).unwrap().reason.word(), "id-reused");
}
