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
