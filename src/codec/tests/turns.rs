//! What one message leaves behind for the next where the two sides, the codes and the kinds differ.

use crate::case::{Case, Party};

use super::sessions::{ask, check, last, tell};

fn client(body: &str) -> Case {
    Case::stdio(Party::Client, body)
}

fn server(body: &str) -> Case {
    Case::stdio(Party::Server, body)
}

#[test]
fn what_a_server_asks_is_answered_once_as_well() {
    let asked = server(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let answer = client(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    let twin = client(r#"{"jsonrpc":"2.0","id":"1","result":{}}"#);
    let start = || {
        vec![
            client(
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#,
            ),
            server(
                r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"a","version":"1"}}}"#,
            ),
            asked.clone(),
        ]
    };
    check(vec![
        ("", false, [start(), vec![answer.clone()]].concat()),
        (
            "second-response envelope-one-response-per-request",
            true,
            [start(), vec![answer.clone(), answer.clone()]].concat(),
        ),
        ("response-id id-type-preserved-on-echo", true, [start(), vec![twin]].concat()),
    ]);
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;

#[test]
fn only_an_unsupported_version_hands_out_a_choice_of_legacy_revisions() {
    const LISTED: &str = r#"{"requested":"2026-07-28","supported":["2025-11-25"]}"#;
    let refused = |code: i32, data: &str| {
        server(&format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m","data":{data}}}}}"#))
    };
    let after = |answer: Case| vec![ask("1", "server/discover", ""), answer, client(INITIALIZE)];
    const ALSO_MODERN: &str = r#"{"requested":"2026-07-28","supported":["2026-07-28","2025-11-25"]}"#;
    assert_eq!(last(&after(refused(-32022, LISTED))), None);
    for (code, data) in [(-32020, LISTED), (-32022, ALSO_MODERN)] {
        let (words, full) = last(&after(refused(code, data))).expect("it is a step back");
        assert!(full && words.starts_with("legacy-step "), "{code} {data}: {words}");
    }
}

#[test]
fn a_discovery_proves_what_another_typed_result_only_suggests() {
    const DISCOVERED: &str = r#""resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public""#;
    let answer = server(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{{DISCOVERED}}}}}"#));
    let typed = server(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}"#);
    for (first, answer, proven) in
        [(ask("1", "server/discover", ""), answer, true), (ask("1", "tools/call", r#""name":"a""#), typed, false)]
    {
        let (words, full) = last(&[first, answer, client(INITIALIZE)]).expect("a legacy step after a modern answer");
        assert!(words.starts_with("legacy-step "), "{words}");
        assert_eq!(full, proven);
    }
}

#[test]
fn a_call_that_goes_on_as_a_task_may_report_and_another_notification_reports_nothing() {
    let call = client(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}},"progressToken":"p"}}}"#,
    );
    let task = server(
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null}}"#,
    );
    let done = server(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}"#);
    let report = tell(Party::Server, "notifications/progress", r#""progressToken":"p","progress":1"#);
    let other = tell(Party::Server, "notifications/message", r#""level":"info","data":1,"progressToken":"none""#);
    check(vec![
        ("", false, vec![call.clone(), task, report.clone()]),
        ("after-final progress-stops-after-completion", true, vec![call.clone(), done, report]),
        ("", false, vec![call, other]),
    ]);
}

#[test]
fn each_kind_that_a_subscription_asked_for_is_delivered() {
    const NAMED: &str = r#""_meta":{"io.modelcontextprotocol/subscriptionId":1}"#;
    for (member, method) in [
        ("toolsListChanged", "notifications/tools/list_changed"),
        ("promptsListChanged", "notifications/prompts/list_changed"),
        ("resourcesListChanged", "notifications/resources/list_changed"),
    ] {
        let filter = format!(r#""notifications":{{"{member}":true}}"#);
        let acknowledged =
            tell(Party::Server, "notifications/subscriptions/acknowledged", &format!("{NAMED},{filter}"));
        let listen = ask("1", "subscriptions/listen", &filter);
        check(vec![("", false, vec![listen, acknowledged, tell(Party::Server, method, NAMED)])]);
    }
}

#[test]
fn a_status_below_400_turns_no_notification_down() {
    let over_http = |status: Option<u16>, mut case: Case| {
        case.transport = crate::case::Transport::Http;
        case.status = status;
        case
    };
    let note = || over_http(None, tell(Party::Client, "notifications/cancelled", r#""requestId":"none""#));
    let broken = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}}"#;
    let words = "notification-answered envelope-request-has-id";
    for (status, found) in [(Some(400), ""), (Some(200), words), (None, words)] {
        let mut first = over_http(None, client(r#"{"jsonrpc":"2.0","id":"none","method":"ping"}"#));
        first.partial_headers = true;
        check(vec![(
            found,
            status.is_some() && !found.is_empty(),
            vec![first, note(), over_http(status, server(broken))],
        )]);
    }
}

#[test]
fn a_probe_that_was_turned_down_for_want_of_rights_leads_to_no_handshake() {
    let over_http = |mut case: Case, status: Option<u16>| {
        case.transport = crate::case::Transport::Http;
        case.partial_headers = case.from == Party::Client;
        case.status = status;
        case
    };
    let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#;
    let words = "legacy-step fallback-401-403-not-era-evidence";
    for (status, found) in [(401, words), (403, words), (404, ""), (200, "")] {
        let probe = over_http(ask("1", "server/discover", ""), None);
        let answer = over_http(server(refused), Some(status));
        check(vec![(found, false, vec![probe, answer, over_http(client(INITIALIZE), None)])]);
    }
}

#[test]
fn in_the_modern_era_each_side_sends_its_own_kinds() {
    let lone = |mut case: Case| {
        case.stated.revision = crate::case::Revision::parse(b"2026-07-28");
        case
    };
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#;
    let result = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#;
    let error = r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#;
    for (case, rule) in [
        (server(request), "envelope-server-sends-no-requests"),
        (client(result), "envelope-client-sends-no-responses"),
        (client(error), "envelope-client-sends-no-responses"),
        (tell(Party::Client, "notifications/initialized", ""), "envelope-removed-notifications-not-sent"),
        (tell(Party::Server, "notifications/tasks/status", ""), "envelope-removed-notifications-not-sent"),
        (tell(Party::Client, "notifications/tools/list_changed", ""), "envelope-client-notification-set"),
        (server(result), ""),
        (server(error), ""),
        (tell(Party::Client, "notifications/cancelled", ""), ""),
        (tell(Party::Client, "notifications/unheard", ""), ""),
        (tell(Party::Server, "notifications/tools/list_changed", ""), ""),
        (tell(Party::Server, "notifications/cancelled", ""), ""),
    ] {
        let text = String::from_utf8_lossy(&case.body).into_owned();
        let found = wrong_sender(&lone(case.clone()));
        assert_eq!(found, (!rule.is_empty()).then_some(rule), "{text}");
        assert_eq!(wrong_sender(&case), None, "no era is known for {text}");
    }
}

/// The rule about who sends what that a lone message breaks.
fn wrong_sender(case: &Case) -> Option<&'static str> {
    use crate::codec::Reader;
    use crate::codec::context::Context;
    use crate::codec::refusal::Reason;
    let mut reader = Reader::new(crate::limits::Limits::message());
    let reading = reader.read(case, &Context::of(case));
    let breach = reading.breaches.iter().find(|breach| breach.refusal.reason == Reason::WrongSender)?;
    assert_eq!(breach.refusal.code, None, "nobody answers it");
    Some(breach.refusal.requirement)
}

#[test]
fn a_refusal_of_a_version_names_the_one_that_was_asked_for() {
    let refused = |code: i32, requested: &str| {
        server(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m","data":{{"requested":{requested},"supported":["2027-01-01"]}}}}}}"#
        ))
    };
    let asked = || ask("1", "server/discover", "");
    check(vec![
        ("", false, vec![asked(), refused(-32022, "\"2026-07-28\"")]),
        ("", false, vec![asked(), refused(-32020, "\"2025-06-18\"")]),
        (
            "wrong-value error-unsupported-version-requested-echoes",
            false,
            vec![asked(), refused(-32022, "\"2025-06-18\"")],
        ),
    ]);
}

#[test]
fn only_a_call_of_a_tool_mirrors_its_arguments() {
    const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let post = |id: u8, method: &str, name: Option<&str>, params: &str| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{META}{params}}}}}"#);
        let case = Case::http(Party::Client, body)
            .with_header("MCP-Protocol-Version", "2026-07-28")
            .with_header("Mcp-Method", method);
        name.into_iter().fold(case, |case, name| case.with_header("Mcp-Name", name))
    };
    let listed = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"a","description":"","inputSchema":{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"R"}}}}]}}"#;
    let list =
        || vec![post(1, "tools/list", None, ""), Case { status: Some(200), ..Case::http(Party::Server, listed) }];
    let named = r#","name":"a","arguments":{"r":"eu"}"#;
    check(vec![
        ("", false, [list(), vec![post(2, "prompts/get", Some("a"), named)]].concat()),
        (
            "header-missing param-header-omitted-with-body-value-rejected",
            true,
            [list(), vec![post(2, "tools/call", Some("a"), named)]].concat(),
        ),
    ]);
}
