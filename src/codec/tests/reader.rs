//! What a reading tells besides its verdict: whether a code is owed, what is noted, how a profile shows it.

use crate::case::{Case, Party, Revision};
use crate::codec::Reader;
use crate::codec::context::Context;
use crate::codec::reading::{Profile, Weight};
use crate::codec::refusal::Reason;
use crate::limits::Limits;

/// The refusal of a lone message, as `reason code`.
fn refused(case: &Case) -> String {
    let mut reader = Reader::new(Limits::message());
    let refusal = reader.read(case, &Context::of(case)).refusal(Profile::Strict).expect("it is refused");
    format!("{} {}", refusal.reason.word(), refusal.code.map_or("-".to_owned(), |code| code.to_string()))
}

#[test]
fn a_code_is_owed_to_who_asked_and_to_nobody_else() {
    use Party::{Client, Server};
    for (from, body, expected) in [
        (Client, r#"{"jsonrpc":"2.0","id":1}"#, "result-nor-error -32600"),
        (Server, r#"{"jsonrpc":"2.0","id":1}"#, "result-nor-error -"),
        (Client, r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "jsonrpc-version -32600"),
        (Server, r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "jsonrpc-version -32600"),
        (Client, r#"{"jsonrpc":"1.0","id":1,"method":"ping","result":{}}"#, "jsonrpc-version -32600"),
        (Client, r#"{"jsonrpc":"1.0","id":1}"#, "jsonrpc-version -32600"),
        (Client, r#"{"jsonrpc":"1.0","id":1,"result":{}}"#, "jsonrpc-version -"),
        (Server, r#"{"jsonrpc":"1.0","id":1,"error":{"code":1,"message":"m"}}"#, "jsonrpc-version -"),
        (Client, r#"{"jsonrpc":1,"id":1,"method":"ping"}"#, "jsonrpc-version -32600"),
    ] {
        assert_eq!(refused(&Case::stdio(from, body)), expected, "{from:?} {body}");
    }
}

/// A request with these members of `_meta` behind the two that it owes.
fn request(id: &str, meta: &str) -> Case {
    let owed =
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{"_meta":{{{owed}{meta}}}}}}}"#);
    Case::stdio(Party::Client, body)
}

fn notes(case: &Case) -> Vec<&'static str> {
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(case, &Context::of(case));
    assert!(reading.breaches.is_empty(), "{:?}", reading.breaches);
    reading.notes.iter().map(|note| note.reason).collect()
}

#[test]
fn a_trace_context_of_another_form_is_dropped() {
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";
    let (no_trace, no_parent) = ("0".repeat(32), "0".repeat(16));
    for (text, kept) in [
        (format!("00-{TRACE}-{PARENT}-01"), true),
        (format!("cc-{TRACE}-{PARENT}-01"), true),
        (format!("cc-{TRACE}-{PARENT}-01-more"), true),
        (format!("00-{TRACE}-{PARENT}-01-more"), false),
        (format!("ff-{TRACE}-{PARENT}-01"), false),
        (format!("000-{TRACE}-{PARENT}-01"), false),
        (format!("0g-{TRACE}-{PARENT}-01"), false),
        (format!("0A-{TRACE}-{PARENT}-01"), false),
        (format!("00-{TRACE}0-{PARENT}-01"), false),
        (format!("00-{}-{PARENT}-01", TRACE.to_uppercase()), false),
        (format!("00-{no_trace}-{PARENT}-01"), false),
        (format!("00-{TRACE}-{PARENT}0-01"), false),
        (format!("00-{TRACE}-{}-01", PARENT.replace('f', "x")), false),
        (format!("00-{TRACE}-{no_parent}-01"), false),
        (format!("00-{TRACE}-{PARENT}-1"), false),
        (format!("00-{TRACE}-{PARENT}-0x"), false),
        (format!("00-{TRACE}-{PARENT}"), false),
        (String::new(), false),
    ] {
        let dropped = notes(&request("1", &format!(r#","traceparent":"{text}""#))).contains(&"trace-context-dropped");
        assert_eq!(dropped, !kept, "{text}");
    }
    assert!(notes(&request("1", r#","traceparent":1"#)).contains(&"trace-context-dropped"));
}

#[test]
fn a_number_is_told_of_where_a_float_may_lose_it() {
    for (id, told) in [
        ("0", false),
        ("900719925474099", false),
        ("9007199254740991", false),
        ("-9007199254740991", false),
        ("9007199254740992", true),
        ("-9007199254740992", true),
        ("10000000000000000", true),
        ("\"9007199254740992\"", false),
    ] {
        assert_eq!(notes(&request(id, "")).contains(&"number-beyond-2-53"), told, "{id}");
    }
}

#[test]
fn a_client_that_does_not_name_itself_and_a_key_outside_the_grammar_are_told_of() {
    const INFO: &str = r#","io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"}"#;
    assert_eq!(notes(&request("1", "")), ["client-info-missing"]);
    assert_eq!(notes(&request("1", INFO)), [""; 0]);
    assert_eq!(notes(&request("1", &format!(r#"{INFO},"a/b/c":1"#))), ["meta-key-grammar"]);
}

#[test]
fn params_of_another_type_are_one_fault() {
    for params in ["[]", "1", "\"\"", "true"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let case = Case::stdio(Party::Client, body);
        let mut reader = Reader::new(Limits::message());
        let reading = reader.read(&case, &Context::of(&case));
        let rules: Vec<_> = reading.breaches.iter().map(|breach| breach.refusal.requirement).collect();
        assert_eq!(rules, ["envelope-params-is-object"], "{params}");
        // A notification says nothing of its era, so that the one of its session holds.
        let body = format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#);
        let case = Case::stdio(Party::Server, body);
        let context = Context { revision: Revision::parse(b"2026-07-28"), ..Context::default() };
        let reading = reader.read(&case, &context);
        let rules: Vec<_> = reading.breaches.iter().map(|breach| breach.refusal.requirement).collect();
        assert_eq!(rules, ["envelope-params-is-object"], "{params}");
    }
}

#[test]
fn an_observation_has_the_id_and_what_its_profile_tolerates() {
    // A name that starts like a sentinel and is none: only one profile minds.
    let case = request("\"a\"", "");
    let mut case = Case { transport: crate::case::Transport::Http, ..case }
        .with_header("MCP-Protocol-Version", "2026-07-28")
        .with_header("MCP-Protocol-Version", "2026-07-28")
        .with_header("Mcp-Method", "tools/list");
    case.method = Some(b"POST".to_vec());
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::of(&case));
    assert_eq!(reading.breaches.iter().map(|breach| breach.weight).collect::<Vec<_>>(), [Weight::StrictOnly]);
    let (spec, strict) = (reading.observation(Profile::Spec), reading.observation(Profile::Strict));
    assert_eq!(spec.refusal, None);
    assert!(spec.notes.contains(&"header-repeated-field-rejected"), "{:?}", spec.notes);
    assert!(strict.refusal.is_some());
    assert!(!strict.notes.contains(&"header-repeated-field-rejected"), "{:?}", strict.notes);
    assert!(spec.id.is_some_and(|id| id.is_string()));
    // What is refused in full is tolerated by nobody.
    let case = Case { headers: Vec::new(), ..case };
    let reading = reader.read(&case, &Context::of(&case));
    assert!(reading.breaches.iter().all(|breach| breach.weight == Weight::Full));
    let full = reading.breaches[0].refusal.requirement;
    assert!(!reading.observation(Profile::Spec).notes.contains(&full));
}

/// The rules that a message breaks for this reason.
fn rules(case: &Case, reason: Reason) -> Vec<&'static str> {
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(case, &Context::of(case));
    let refusals = reading.breaches.iter().map(|breach| breach.refusal);
    refusals.filter(|refusal| refusal.reason == reason).map(|refusal| refusal.requirement).collect()
}

#[test]
fn an_error_of_a_modern_call_has_the_status_of_its_code() {
    let answer = |revision: &str, code: i64, status: u16| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m"}}}}"#);
        let mut case = Case { status: Some(status), ..Case::http(Party::Server, body) };
        case.stated.revision = Revision::parse(revision.as_bytes());
        case
    };
    for (code, right, rule) in [
        (-32020, 400, "header-mismatch-status-and-code"),
        (-32021, 400, "capabilities-missing-client-capability-error"),
        (-32022, 400, "negotiation-unsupported-version-error"),
        (-32601, 404, "envelope-unknown-method-rejected"),
    ] {
        assert_eq!(rules(&answer("2026-07-28", code, right), Reason::ErrorStatus), [""; 0], "{code}");
        for wrong in [200, 400, 404, 500].into_iter().filter(|status| *status != right) {
            assert_eq!(rules(&answer("2026-07-28", code, wrong), Reason::ErrorStatus), [rule], "{code} {wrong}");
            assert_eq!(rules(&answer("2025-11-25", code, wrong), Reason::ErrorStatus), [""; 0], "{code} {wrong}");
            assert_eq!(rules(&answer("2026-07-28", -code, wrong), Reason::ErrorStatus), [""; 0], "{code} {wrong}");
        }
    }
}

#[test]
fn malformed_capabilities_break_one_rule_as_a_whole_and_another_by_a_member() {
    let request = |capabilities: &str| {
        let meta = format!(
            r#"{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{capabilities}}}"#
        );
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{meta}}}}}"#);
        Case::stdio(Party::Client, body)
    };
    for (capabilities, broken) in [
        ("{}", &[][..]),
        (r#"{"roots":{},"x":1}"#, &[]),
        ("[]", &["meta-client-capabilities-is-object"]),
        ("null", &["meta-client-capabilities-is-object"]),
        (r#"{"roots":[]}"#, &["capabilities-values-are-objects"]),
        (r#"{"extensions":1}"#, &["capabilities-values-are-objects"]),
    ] {
        assert_eq!(rules(&request(capabilities), Reason::MalformedCapabilities), broken, "{capabilities}");
    }
}

#[test]
fn a_request_of_a_handshake_era_declares_no_extension_and_is_not_held_to_one() {
    for (revision, broken) in [("2025-11-25", 0), ("2026-07-28", 1)] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{{"taskId":"t","_meta":{{"io.modelcontextprotocol/protocolVersion":"{revision}","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        );
        let case = Case::stdio(Party::Client, body);
        assert_eq!(rules(&case, Reason::MissingClientCapability).len(), broken, "{revision}");
    }
    // Without capabilities nothing says that they were declared or not; that they are missing is another fault.
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    assert_eq!(rules(&Case::stdio(Party::Client, body), Reason::MissingClientCapability), [""; 0]);
}

#[test]
fn an_unknown_member_at_the_root_changes_no_shape() {
    for (from, body) in [
        (Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":{},"resultType":1}"#),
        (Party::Server, r#"{"jsonrpc":"2.0","id":1,"result":{},"x":{},"Error":1}"#),
        (Party::Server, r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"},"x":1}"#),
    ] {
        let mut reader = Reader::new(Limits::message());
        let kind = |reader: &mut Reader, body: &str| {
            let case = Case::stdio(from, body);
            let reading = reader.read(&case, &Context::of(&case));
            let envelope = reading.envelope.expect("it has a shape");
            let error = envelope.error.map(|error| String::from_utf8(error.raw().to_vec()).unwrap());
            (envelope.kind, error, envelope.result.is_some())
        };
        let plain = body.replace(r#","x":{}"#, "").replace(r#","x":1"#, "").replace(r#","Error":1"#, "");
        assert_eq!(kind(&mut reader, body), kind(&mut reader, &plain), "{body}");
    }
}

#[test]
fn a_result_that_is_final_and_asks_for_more_is_told_of_and_a_status_is_told_of_at_the_error() {
    let body = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","requestState":"s"}}"#;
    let mut case = Case::stdio(Party::Server, body);
    case.stated.revision = Revision::parse(b"2026-07-28");
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::of(&case));
    assert_eq!(reading.refusal(Profile::Strict), None);
    assert!(reading.notes.iter().any(|note| note.reason == "contradictory-result"), "{:?}", reading.notes);

    let body = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"m"}}"#;
    let mut case = Case { status: Some(200), ..Case::http(Party::Server, body) };
    case.stated.revision = Revision::parse(b"2026-07-28");
    let refusal = reader.read(&case, &Context::of(&case)).refusal(Profile::Strict).expect("the status is wrong");
    assert_eq!((refusal.reason, refusal.offset), (Reason::ErrorStatus, body.find(r#"{"code"#)));
}
