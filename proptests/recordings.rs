//! Recordings from wrapper to conclusion: slots, correlation and results, a recording a row.

use wirebench::case::Case;
use wirebench::codec::Reader;
use wirebench::codec::era::Era;
use wirebench::codec::session::Tracker;
use wirebench::exchange::{self, Form};
use wirebench::limits::Limits;

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// `era capabilities result conclusion` of every answer of a recording, in order.
fn answers(recording: &str) -> Vec<String> {
    let messages = exchange::read(Form::Framed, recording.as_bytes()).expect(recording);
    let session = exchange::session(messages);
    let (mut tracker, mut reader) = (Tracker::new(), Reader::new(Limits::message()));
    session.cases.iter().filter_map(|case| answer(&mut tracker, &mut reader, case)).collect()
}

fn answer(tracker: &mut Tracker, reader: &mut Reader, case: &Case) -> Option<String> {
    let reading = tracker.read(reader, case);
    let era = match reading.era? {
        Era::Known(revision) => revision.as_str(),
        Era::Unknown(unknown) => unknown.word(),
        Era::Conflicting { .. } => "conflicting",
    };
    let (result, conclusion) = (reading.result?.word(), reading.conclusion?);
    let reason = conclusion.reason().map(|reason| format!("({reason})")).unwrap_or_default();
    Some(format!("{era} {} {result} {}{reason}", reading.capabilities?.state.word(), conclusion.state()))
}

fn recording(header: Option<&str>, messages: &[String]) -> String {
    let slot =
        header.map(|value| format!(r#""transport_context":{{"headers":{{"MCP-Protocol-Version":"{value}"}}}},"#));
    format!(r#"{{"transport":"streamable-http",{}"entries":[{}]}}"#, slot.unwrap_or_default(), messages.join(","))
}

fn call(id: &str, version: Option<&str>, capabilities: Option<&str>, more: &str) -> String {
    let members = [
        version.map(|value| format!(r#""{VERSION}":"{value}""#)),
        capabilities.map(|value| format!(r#""{CAPABILITIES}":{value}"#)),
    ];
    let mut meta: Vec<String> = members.into_iter().flatten().collect();
    meta.extend((!more.is_empty()).then(|| more.to_owned()));
    let meta = meta.join(",");
    format!(
        r#"{{"request":{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"a","arguments":{{}},"_meta":{{{meta}}}}}}}}}"#
    )
}

fn reply(id: &str, members: &str) -> String {
    format!(r#"{{"response":{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]{members}}}}}}}"#)
}

const MODERN: Option<&str> = Some("2026-07-28");
const LEGACY: Option<&str> = Some("2025-06-18");
const BEYOND: &str = r#"{"extensions":{"com.example/x":{}}}"#;

/// A modern call with core capabilities, and its answer with these members.
fn modern(members: &str) -> Vec<String> {
    answers(&recording(MODERN, &[call("1", MODERN, Some("{}"), ""), reply("1", members)]))
}

#[test]
fn the_answer_of_a_modern_call_concludes_by_its_token_and_continuation() {
    for (members, expected) in [
        (r#","resultType":"complete""#, "complete terminal"),
        (r#","resultType":"input_required","requestState":"s""#, "input-required non-terminal"),
        (r#","resultType":"input_required","inputRequests":{}"#, "input-required non-terminal"),
        ("", "missing invalid(missing-result-type)"),
        (r#","resultType":"Complete""#, "unrecognized incomplete(unrecognized-result-type)"),
        (
            r#","resultType":"complete","inputRequests":{}"#,
            "complete-with-continuation incomplete(contradictory-result)",
        ),
        (
            r#","resultType":"complete","requestState":"""#,
            "complete-with-continuation incomplete(contradictory-result)",
        ),
        (r#","resultType":"complete","requestState":null"#, "complete terminal"),
        (
            r#","resultType":"input_required""#,
            "input-required-without-continuation invalid(uncontinuable-input-required)",
        ),
        (
            r#","resultType":"input_required","requestState":null,"inputRequests":null"#,
            "input-required-without-continuation invalid(uncontinuable-input-required)",
        ),
        (
            r#","resultType":"input_required","requestState":1"#,
            "input-required-with-malformed-continuation invalid(malformed-continuation)",
        ),
        (r#","resultType":1"#, "malformed invalid(malformed-result-type)"),
    ] {
        assert_eq!(modern(members), [format!("2026-07-28 core-only {expected}")], "{members}");
    }
}

#[test]
fn an_era_that_is_unknown_or_conflicting_is_handed_to_the_answer() {
    let bare = |header, version| answers(&recording(header, &[call("1", version, None, ""), reply("1", "")]));
    assert_eq!(bare(LEGACY, None), ["2025-06-18 absent missing terminal"]);
    assert_eq!(bare(None, None), ["no-signal absent missing incomplete(no-signal)"]);
    assert_eq!(bare(LEGACY, MODERN), ["conflicting absent missing refused(era-conflicting)"]);
    assert_eq!(bare(Some("2026-02-31"), MODERN), ["malformed-signal absent missing invalid(malformed-era-signal)"]);
    assert_eq!(
        bare(Some("1900-01-01"), None),
        ["unsupported-revision absent missing incomplete(unsupported-revision)"]
    );
}

#[test]
fn capabilities_bind_to_their_own_call_whatever_the_order_of_the_answers() {
    let unknown = r#","resultType":"x""#;
    let calls = |second: &str| {
        [
            call("1", MODERN, Some("{}"), ""),
            call(second, MODERN, Some(BEYOND), ""),
            reply(second, unknown),
            reply("1", unknown),
        ]
    };
    let expected = [
        "2026-07-28 extension-not-understood unrecognized incomplete(recognition-undeterminable)",
        "2026-07-28 core-only unrecognized incomplete(unrecognized-result-type)",
    ];
    assert_eq!(answers(&recording(MODERN, &calls("2"))), expected);
    assert_eq!(answers(&recording(MODERN, &calls("\"1\""))), expected, "a number and a string are two ids");
    assert_eq!(
        answers(&recording(MODERN, &[call("1", MODERN, None, ""), reply("1", unknown)])),
        ["2026-07-28 absent unrecognized incomplete(recognition-undeterminable)"]
    );
    assert_eq!(
        answers(&recording(MODERN, &[reply("1", unknown)])),
        ["2026-07-28 none unrecognized incomplete(recognition-undeterminable)"],
        "an orphan"
    );
}

#[test]
fn a_trace_and_several_hops_change_no_conclusion() {
    let trace = r#""traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01""#;
    let plain = modern(r#","resultType":"complete""#);
    let traced = [call("1", MODERN, Some("{}"), trace), reply("1", r#","resultType":"complete""#)];
    assert_eq!(answers(&recording(MODERN, &traced)), plain);
    let more = r#","resultType":"input_required","requestState":"s""#;
    let hops = ["1", "2"].map(|id| [call(id, MODERN, Some("{}"), ""), reply(id, more)]).concat();
    assert_eq!(answers(&recording(MODERN, &hops)), ["2026-07-28 core-only input-required non-terminal"; 2]);
}

#[test]
fn a_broken_slot_makes_the_signal_malformed_and_touches_no_other_entry() {
    let complete = reply("1", r#","resultType":"complete""#);
    for slot in [
        r#""headers":null"#,
        r#""headers":[]"#,
        r#""transport_context":1"#,
        r#""transport_context":{"headers":null}"#,
        r#""headers":{"mcp-protocol-version":1}"#,
        r#""headers":{"MCP-PROTOCOL-VERSION":""}"#,
        r#""headers":{"mcp-protocol-version":"2025-06-18"}"#,
        r#""headers":{"mcp-protocol-version":"2026-07-28 "}"#,
        r#""headers":{"mcp-protocol-version":"2026-07-28","Mcp-Protocol-Version":"2025-11-25"}"#,
    ] {
        let broken = call("1", MODERN, Some("{}"), "").replacen('{', &format!("{{{slot},"), 1);
        let whole = call("2", MODERN, Some("{}"), "");
        let found =
            answers(&recording(MODERN, &[broken, complete.clone(), whole, complete.replace("\"id\":1", "\"id\":2")]));
        assert_eq!(
            found,
            [
                "malformed-signal core-only complete invalid(malformed-era-signal)",
                "2026-07-28 core-only complete terminal"
            ],
            "{slot}"
        );
    }
    for slot in [r#""transport_context":{}"#, r#""headers":{"mcp-protocol-version":"2026-07-28"}"#] {
        let fine = call("1", MODERN, Some("{}"), "").replacen('{', &format!("{{{slot},"), 1);
        assert_eq!(
            answers(&recording(MODERN, &[fine, complete.clone()])),
            ["2026-07-28 core-only complete terminal"],
            "{slot}"
        );
    }
}
