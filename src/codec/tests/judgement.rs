//! The rules of judgement, row by row: era and request tables, results, ids, the sentinel, sessions.

use crate::case::{Case, Party, Session};
use crate::codec::Reader;
use crate::codec::context::Context;
use crate::codec::reading::Profile;
use crate::codec::session::Tracker;
use crate::limits::Limits;

/// Era, conclusion and refusals in a few words: `era | conclusion | strict refusal | spec refusal`.
fn read(case: &Case) -> String {
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(case, &Context::of(case));
    describe(&reading)
}

fn describe(reading: &crate::codec::reading::Reading<'_>) -> String {
    use crate::codec::era::Era;
    let era = match reading.era {
        None => "-".to_owned(),
        Some(Era::Known(revision)) => revision.as_str().to_owned(),
        Some(Era::Unknown(unknown)) => unknown.word().to_owned(),
        Some(Era::Conflicting { .. }) => "conflicting".to_owned(),
    };
    let conclusion = reading.conclusion.map_or("-".to_owned(), |conclusion| match conclusion.reason() {
        Some(reason) => format!("{}({reason})", conclusion.state()),
        None => conclusion.state().to_owned(),
    });
    let refusal = |profile| match reading.refusal(profile) {
        None => "none".to_owned(),
        Some(refusal) => {
            let owed = match (refusal.code, refusal.http) {
                (Some(code), Some(http)) => format!(" {code}/{http}"),
                (Some(code), None) => format!(" {code}"),
                _ => String::new(),
            };
            format!("{}/{}{owed}", refusal.stage.word(), refusal.reason.word())
        }
    };
    let (strict, spec) = (refusal(Profile::Strict), refusal(Profile::Spec));
    if strict == spec {
        format!("{era} | {conclusion} | {strict}")
    } else {
        format!("{era} | {conclusion} | {strict} | spec: {spec}")
    }
}

fn tools_list(version: Option<&str>) -> String {
    let meta = match version {
        Some(token) => format!(
            r#"{{"io.modelcontextprotocol/protocolVersion":{token},"io.modelcontextprotocol/clientCapabilities":{{}}}}"#
        ),
        None => r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#.to_owned(),
    };
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{meta}}}}}"#)
}

fn over_http(header: Option<&str>, body: Option<&str>) -> Case {
    let mut case = Case::http(Party::Client, tools_list(body));
    if let Some(value) = header {
        case = case.with_header("MCP-Protocol-Version", value);
    }
    case.with_header("Mcp-Method", "tools/list")
}

#[test]
fn the_era_table_holds_over_http() {
    let modern = Some("2026-07-28");
    let body = |text: &str| Some(format!("\"{text}\""));
    for (header, body, expected) in [
        (None, None, "no-signal | incomplete(no-signal) | none"),
        (None, body("2026-07-28"), "2026-07-28 | valid | header/header-missing -32020/400"),
        (
            modern,
            None,
            "2026-07-28 | invalid(missing-request-metadata) | required-keys/missing-request-metadata -32602/400",
        ),
        (Some("2025-06-18"), None, "2025-06-18 | valid | none"),
        (Some("2025-06-18"), body("2025-06-18"), "2025-06-18 | valid | none"),
        (None, body("2025-06-18"), "2025-06-18 | valid | header/header-missing -32020/400"),
        (
            Some("latest"),
            None,
            "malformed-signal | invalid(malformed-era-signal) | required-keys/missing-request-metadata -32602/400",
        ),
        (
            Some(""),
            None,
            "malformed-signal | invalid(malformed-era-signal) | required-keys/missing-request-metadata -32602/400",
        ),
        (
            Some("1900-01-01"),
            None,
            "unsupported-revision | incomplete(unsupported-revision) | required-keys/missing-request-metadata -32602/400",
        ),
        (
            modern,
            Some("7".to_owned()),
            "malformed-signal | invalid(malformed-request-metadata) | metadata/malformed-request-metadata -32602/400",
        ),
        (
            Some("2025-06-18"),
            body("2026-07-28"),
            "conflicting | refused(era-conflicting) | header/version-mismatch -32020/400",
        ),
        (
            modern,
            body("latest"),
            "malformed-signal | invalid(malformed-request-metadata) | header/version-mismatch -32020/400",
        ),
        (
            Some("latest"),
            body("2026-07-28"),
            "malformed-signal | invalid(malformed-era-signal) | header/version-mismatch -32020/400",
        ),
        (
            Some("latest"),
            body("latest"),
            "malformed-signal | invalid(malformed-request-metadata) | revision/unsupported-revision -32022/400",
        ),
        (
            Some("1900-01-01"),
            body("1900-01-01"),
            "unsupported-revision | incomplete(unsupported-revision) | revision/unsupported-revision -32022/400",
        ),
        (modern, body("2026-07-28"), "2026-07-28 | valid | none"),
        (Some(" 2026-07-28\t"), body("2026-07-28"), "2026-07-28 | valid | none"),
        (
            Some("2026-07-28\u{e9}"),
            body("2026-07-28"),
            "malformed-signal | invalid(malformed-era-signal) | header/unreadable-headers -32020/400",
        ),
    ] {
        assert_eq!(read(&over_http(header, body.as_deref())), expected, "{header:?} {body:?}");
    }
}

#[test]
fn a_version_header_twice_is_unreadable_when_it_disagrees_and_odd_when_it_does_not() {
    let twice = |second: &str| {
        over_http(Some("2026-07-28"), Some("\"2026-07-28\"")).with_header("mcp-protocol-version", second)
    };
    assert_eq!(
        read(&twice("2025-06-18")),
        "malformed-signal | invalid(malformed-era-signal) | header/unreadable-headers -32020/400"
    );
    assert_eq!(read(&twice("2026-07-28")), "2026-07-28 | valid | header/header-repeated -32020/400 | spec: none");
}

#[test]
fn stdio_has_the_same_rows_without_the_header() {
    for (body, expected) in [
        (None, "no-signal | incomplete(no-signal) | none"),
        (Some("\"2026-07-28\""), "2026-07-28 | valid | none"),
        (Some("\"2025-06-18\""), "2025-06-18 | valid | none"),
        (
            Some("\"latest\""),
            "malformed-signal | invalid(malformed-request-metadata) | revision/unsupported-revision -32022/400",
        ),
        (
            Some("\"1900-01-01\""),
            "unsupported-revision | incomplete(unsupported-revision) | revision/unsupported-revision -32022/400",
        ),
        (
            Some("null"),
            "malformed-signal | invalid(malformed-request-metadata) | metadata/malformed-request-metadata -32602/400",
        ),
    ] {
        assert_eq!(read(&Case::stdio(Party::Client, tools_list(body))), expected, "{body:?}");
    }
}

#[test]
fn context_makes_an_era_only_where_nothing_else_does_and_then_owes_the_keys() {
    let stated = |text: &str| Case::decode(text.as_bytes()).unwrap();
    let bare = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(
        read(&stated(&format!(":context-revision: 2026-07-28\n\n{bare}"))),
        "2026-07-28 | invalid(missing-request-metadata) | required-keys/missing-request-metadata -32602/400"
    );
    assert_eq!(read(&stated(&format!(":context-revision: 2025-03-26\n\n{bare}"))), "2025-03-26 | valid | none");
    let own = tools_list(Some("\"2025-06-18\""));
    assert_eq!(read(&stated(&format!(":context-revision: 2026-07-28\n\n{own}"))), "2025-06-18 | valid | none");
}

/// Members of the payloads in use here, so that only the result itself can be at fault.
const OWED: &str = r#""content":[],"taskId":"t","status":"working","createdAt":"","lastUpdatedAt":"","ttlMs":null"#;

fn result_of(capabilities: &str, method: &str, revision: &str, result: &str) -> Case {
    let result = match result.strip_prefix('{') {
        Some("}") => format!("{{{OWED}}}"),
        Some(members) => format!("{{{OWED},{members}"),
        None => result.to_owned(),
    };
    let text = format!(
        ":from: server\n:context-revision: {revision}\n:context-capabilities: {capabilities}\n:context-method: {method}\n\n\
         {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}"
    );
    Case::decode(text.as_bytes()).unwrap()
}

#[test]
fn the_result_table_holds_for_the_modern_era() {
    const TASKS: &str = "io.modelcontextprotocol/tasks";
    let undeterminable =
        "2026-07-28 | incomplete(recognition-undeterminable) | result/recognition-undeterminable | spec: none";
    for (capabilities, method, result, expected) in [
        ("core-only", "tools/call", r#"{"resultType":"complete"}"#, "2026-07-28 | terminal | none"),
        ("core-only", "tools/call", r#"{"resultType":"\u0063omplete"}"#, "2026-07-28 | terminal | none"),
        ("core-only", "tools/call", r#"{"resultType":"complete","requestState":null}"#, "2026-07-28 | terminal | none"),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":"complete","requestState":""}"#,
            "2026-07-28 | incomplete(contradictory-result) | none",
        ),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":"complete","inputRequests":3}"#,
            "2026-07-28 | incomplete(contradictory-result) | none",
        ),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":"input_required","inputRequests":{}}"#,
            "2026-07-28 | non-terminal | none",
        ),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":"input_required"}"#,
            "2026-07-28 | invalid(uncontinuable-input-required) | result/uncontinuable-input-required",
        ),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":"input_required","requestState":1,"inputRequests":{}}"#,
            "2026-07-28 | invalid(malformed-continuation) | result/malformed-continuation",
        ),
        ("core-only", "tools/call", "{}", "2026-07-28 | invalid(missing-result-type) | result/missing-result-type"),
        ("core-only", "tools/call", "[]", "2026-07-28 | invalid(malformed-result-type) | result/malformed-result-type"),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":null}"#,
            "2026-07-28 | invalid(malformed-result-type) | result/malformed-result-type",
        ),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":"Complete"}"#,
            "2026-07-28 | incomplete(unrecognized-result-type) | result/unrecognized-result-type",
        ),
        (
            "core-only",
            "tools/call",
            r#"{"resultType":"task"}"#,
            "2026-07-28 | incomplete(unrecognized-result-type) | result/unrecognized-result-type",
        ),
        (TASKS, "tools/call", r#"{"resultType":"task"}"#, "2026-07-28 | non-terminal | none"),
        (
            TASKS,
            "prompts/get",
            r#"{"resultType":"task"}"#,
            "2026-07-28 | invalid(ineligible-extension-result) | result/ineligible-extension-result",
        ),
        (TASKS, "tools/call", r#"{"resultType":"later"}"#, undeterminable),
        (TASKS, "tasks/get", r#"{"resultType":"complete","inputRequests":{}}"#, "2026-07-28 | terminal | none"),
        (
            TASKS,
            "tasks/get",
            r#"{"resultType":"complete","requestState":"x"}"#,
            "2026-07-28 | incomplete(contradictory-result) | none",
        ),
        (
            "com.example/other",
            "tools/call",
            r#"{"resultType":"task"}"#,
            "2026-07-28 | incomplete(recognition-undeterminable) | result/extension-not-advertised",
        ),
        ("com.example/other", "tools/call", r#"{"resultType":"later"}"#, undeterminable),
        ("extension-not-understood", "tools/call", r#"{"resultType":"task"}"#, undeterminable),
        ("absent", "tools/call", r#"{"resultType":"task"}"#, undeterminable),
        ("none", "tools/call", r#"{"resultType":"later"}"#, undeterminable),
        (
            "malformed",
            "tools/call",
            r#"{"resultType":"complete"}"#,
            "2026-07-28 | invalid(malformed-capabilities) | capabilities/malformed-capabilities | spec: none",
        ),
    ] {
        assert_eq!(read(&result_of(capabilities, method, "2026-07-28", result)), expected, "{capabilities} {result}");
    }
}

#[test]
fn an_orphan_task_is_undeterminable_and_refused_by_nobody() {
    let text = ":from: server\n:context-revision: 2026-07-28\n:context-capabilities: io.modelcontextprotocol/tasks\n\n\
                {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"task\"}}";
    let case = Case::decode(text.as_bytes()).unwrap();
    assert_eq!(read(&case), "2026-07-28 | incomplete(recognition-undeterminable) | none");
}

#[test]
fn legacy_results_are_open() {
    for (result, expected) in [
        ("{}", "2025-06-18 | terminal | none"),
        (r#"{"resultType":"complete"}"#, "2025-06-18 | terminal | none"),
        (r#"{"resultType":"task"}"#, "2025-06-18 | incomplete(unrecognized-result-type) | none"),
        (r#"{"resultType":"input_required"}"#, "2025-06-18 | invalid(uncontinuable-input-required) | none"),
        (r#"{"resultType":"input_required","requestState":1}"#, "2025-06-18 | invalid(malformed-continuation) | none"),
        (
            r#"{"resultType":1}"#,
            "2025-06-18 | invalid(malformed-result-type) | result/malformed-result-type | spec: none",
        ),
        ("null", "2025-06-18 | invalid(malformed-result-type) | result/malformed-result-type"),
    ] {
        let case = result_of("io.modelcontextprotocol/tasks", "tools/call", "2025-06-18", result);
        assert_eq!(read(&case), expected, "{result}");
    }
}

#[test]
fn ids_follow_their_table() {
    let request = |id: &str| {
        let body = tools_list(Some("\"2026-07-28\"")).replace("\"id\":1", &format!("\"id\":{id}"));
        read(&Case::stdio(Party::Client, body))
    };
    for id in ["\"\"", "\"1\"", "0", "-7", "18446744073709551616"] {
        assert_eq!(request(id), "2026-07-28 | valid | none", "{id}");
    }
    for id in ["-0", "1.0", "1e0", "10e-1", "1e30"] {
        assert_eq!(request(id), "2026-07-28 | valid | envelope/id-spelling -32600/400 | spec: none", "{id}");
    }
    for id in ["1.5", "1e-1"] {
        assert_eq!(request(id), "- | - | envelope/id-fraction -32600/400", "{id}");
    }
    for id in ["null", "true", "[]", "{}"] {
        assert_eq!(request(id), "- | - | envelope/id-type -32600/400", "{id}");
    }
}

#[test]
fn a_name_header_is_decoded_once_and_compared_exactly() {
    let call = |header: &str, name: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":{name},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        );
        let case = Case::http(Party::Client, body)
            .with_header("MCP-Protocol-Version", "2026-07-28")
            .with_header("Mcp-Method", "tools/call")
            .with_header("Mcp-Name", header);
        read(&case).rsplit_once("valid | ").expect("the call itself is valid").1.to_owned()
    };
    for (header, name, expected) in [
        ("echo", "\"echo\"", "none"),
        ("=?base64?ZWNobw==?=", "\"echo\"", "none"),
        ("=?base64?Y2Fmw6k=?=", "\"caf\\u00e9\"", "none"),
        ("Echo", "\"echo\"", "header/name-mismatch -32020/400"),
        (" echo ", "\"echo\"", "header/header-space -32020/400 | spec: none"),
        ("a\tb", "\"a\\tb\"", "header/header-space -32020/400 | spec: none"),
        ("=?base64?=", "\"=?base64?=\"", "header/sentinel-malformed -32020/400 | spec: none"),
        ("=?base64?YQ==", "\"=?base64?YQ==\"", "header/sentinel-unclosed -32020/400 | spec: none"),
        ("=?BASE64?YQ==?=", "\"=?BASE64?YQ==?=\"", "none"),
        ("=?base64?YR==?=", "\"a\"", "header/sentinel-malformed -32020/400 | spec: none"),
        ("=?base64?YQ?=", "\"a\"", "header/sentinel-malformed -32020/400"),
        ("=?base64?/w==?=", "\"a\"", "header/sentinel-malformed -32020/400"),
        ("=?base64??=", "\"\"", "none"),
        ("", "\"\"", "none"),
        ("caf\u{e9}", "\"caf\u{e9}\"", "header/header-characters -32020/400"),
        ("echo", "7", "payload/wrong-type -32602"),
    ] {
        assert_eq!(call(header, name), expected, "{header:?} {name}");
    }
}

fn session(cases: Vec<Case>) -> Vec<String> {
    let session = Session { cases };
    let mut reader = Reader::new(Limits::message());
    let mut tracker = Tracker::new();
    session.cases.iter().map(|case| describe(&tracker.read(&mut reader, case))).collect()
}

#[test]
fn a_response_takes_era_and_capabilities_from_the_request_with_its_typed_id() {
    let ask = |id: &str| {
        Case::stdio(Party::Client, tools_list(Some("\"2026-07-28\"")).replace("\"id\":1", &format!("\"id\":{id}")))
    };
    let answer = |id: &str| {
        Case::stdio(Party::Server, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"odd"}}}}"#))
    };
    let read = session(vec![ask("1"), answer("\"1\""), answer("1"), answer("1")]);
    assert_eq!(read[1], "no-signal | incomplete(no-signal) | session/response-id");
    assert_eq!(read[2], "2026-07-28 | incomplete(unrecognized-result-type) | result/unrecognized-result-type");
    assert_eq!(read[3], "no-signal | incomplete(no-signal) | session/second-response");
}

#[test]
fn a_conflicting_call_stays_refused_on_the_result_side() {
    let read = session(vec![
        over_http(Some("2025-06-18"), Some("\"2026-07-28\"")),
        Case::http(Party::Server, r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#),
    ]);
    assert_eq!(read[1], "conflicting | refused(era-conflicting) | header/era-conflicting");
}

#[test]
fn no_legacy_step_after_a_modern_refusal() {
    let probe = tools_list(Some("\"2026-07-28\"")).replace("tools/list", "server/discover");
    let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01"],"requested":"2026-07-28"}}}"#;
    let initialize = r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
    let client = |body: &str| Case::stdio(Party::Client, body);
    let server = |body: &str| Case::stdio(Party::Server, body);
    let read = session(vec![client(&probe), server(refused), client(initialize)]);
    assert_eq!(
        read[2],
        "no-signal | incomplete(no-signal) | session/legacy-step -32600/400".replace(" -32600/400", "")
    );
    let listed = refused.replace("2027-01-01", "2025-11-25");
    let read = session(vec![client(&probe), server(&listed), client(initialize)]);
    assert_eq!(read[2], "no-signal | incomplete(no-signal) | none", "the peer itself listed that revision");
    let mut again = client(initialize);
    again.restart = true;
    let read = session(vec![client(&probe), server(refused), again]);
    assert_eq!(read[2], "no-signal | incomplete(no-signal) | none", "another process may be another server");
}
