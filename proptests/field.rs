//! Faults that people really had on the wire, each with the answer that it should have got.
//!
//! A fault has a number. Those that one message or one session shows are seeds: the `why` of their row in the manifest
//! starts with it. Those that need a stream, a generated input or a start-up stand here, a test each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use wirebench::case::{Case, Frames, Party, Transport};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::envelope::Envelope;
use wirebench::codec::frame::{Answer, Events, Frame, FrameLimits, Lines, answer_to, read};
use wirebench::codec::header::{self, Sentinel};
use wirebench::codec::negotiate::{Event, Mode, Probe, Startup};
use wirebench::codec::reading::Profile;
use wirebench::codec::refusal::{Reason, Refusal};
use wirebench::corpus::{FOLDER, Manifest};
use wirebench::exchange::{self, Form, MAX_EVENTS, MAX_LINE};
use wirebench::limits::Limits;
use wirebench::observation::Step;

/// Every fault that a codec can show.
const FAULTS: [u32; 72] = [
    1, 3, 4, 6, 7, 9, 14, 16, 17, 19, 22, 23, 26, 27, 28, 30, 31, 32, 35, 37, 38, 41, 42, 47, 48, 50, 51, 52, 54, 55,
    58, 60, 61, 65, 66, 68, 70, 72, 73, 75, 76, 78, 79, 80, 82, 84, 85, 87, 88, 90, 92, 93, 97, 102, 103, 109, 111,
    113, 114, 116, 119, 122, 123, 127, 129, 133, 135, 138, 144, 146, 149, 150,
];

/// Those that a test of this file answers, and no seed can.
const TESTED: [u32; 14] = [72, 75, 76, 78, 80, 82, 84, 85, 87, 111, 113, 114, 116, 119];

/// A good request and a good answer over stdio.
const REQUEST: &str = r#"{"jsonrpc":"2.0","id":21,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
const ANSWER: &str = r#"{"jsonrpc":"2.0","id":21,"result":{"resultType":"complete"}}"#;

fn manifest() -> Manifest {
    Manifest::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER)).unwrap()
}

/// The frames of a stream: what the message of each is read as, or why there is none.
fn told(from: Party, frames: &Frames) -> Vec<String> {
    let mut reader = Reader::new(Limits::message());
    let mut told = Vec::new();
    read(frames, FrameLimits::message(), &mut |frame| {
        told.push(match frame.result {
            Err(refusal) => refusal.reason.word().to_owned(),
            Ok(body) => word(&mut reader, &Case::stdio(from, body)),
        });
    });
    told
}

fn word(reader: &mut Reader, case: &Case) -> String {
    let reading = reader.read(case, &Context::of(case));
    match (reading.refusal(Profile::Strict), reading.kind()) {
        (Some(refusal), _) => refusal.reason.word().to_owned(),
        (None, kind) => kind.map_or("nothing", |kind| kind.word()).to_owned(),
    }
}

fn lines(from: Party, stream: &[u8]) -> Vec<String> {
    told(from, &Frames::new(Transport::Stdio, stream, []))
}

/// The same frames for the whole stream and for every place where it may be cut in two.
fn events(stream: &str) -> Vec<String> {
    let whole = told(Party::Server, &Frames::new(Transport::Http, stream, []));
    for at in 1..stream.len() {
        assert_eq!(told(Party::Server, &Frames::new(Transport::Http, stream, [at])), whole, "cut at {at}");
    }
    whole
}

fn refusal(case: &Case) -> Option<Refusal> {
    Reader::new(Limits::message()).read(case, &Context::of(case)).refusal(Profile::Strict)
}

fn is_seed(why: &str) -> Option<u32> {
    why.strip_prefix("FF-")?.get(..3)?.parse().ok()
}

#[test]
fn every_fault_has_a_seed_or_a_test() {
    let manifest = manifest();
    let seeds: BTreeSet<u32> = manifest.rows.iter().filter_map(|row| is_seed(&row.why)).collect();
    let lacking: Vec<u32> =
        FAULTS.into_iter().filter(|fault| !seeds.contains(fault) && !TESTED.contains(fault)).collect();
    assert_eq!(lacking, [0; 0]);
    let foreign: Vec<&u32> = seeds.iter().chain(&TESTED).filter(|fault| !FAULTS.contains(fault)).collect();
    assert_eq!(foreign, [&0; 0]);
    let twice: Vec<&u32> = TESTED.iter().filter(|fault| seeds.contains(fault)).collect();
    assert_eq!(twice, [&0; 0], "a seed says it already");
}

#[test]
fn ff_014_a_request_whose_id_is_readable_is_answered_under_it() {
    let case = Case::stdio(Party::Client, r#"{"id":73,"method":"prompts/list","params":{}}"#);
    let refusal = refusal(&case).unwrap();
    assert_eq!(answer_to(Party::Server, &refusal, true), Answer::Owed(-32600));
}

#[test]
fn ff_028_ff_031_a_notification_and_a_response_are_never_answered() {
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":[]}}"#,
        r#"{"jsonrpc":"2.0","id":90,"result":{"resultType":4}}"#,
        r#"{"jsonrpc":"2.0","id":[],"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":90,"error":{}}"#,
    ] {
        for revision in ["", ":context-revision: 2026-07-28\n", ":context-revision: 2025-06-18\n"] {
            let case = Case::decode(format!("{revision}\n{body}").as_bytes()).unwrap();
            let answer = refusal(&case).map(|refusal| answer_to(Party::Server, &refusal, true));
            assert!(matches!(answer, None | Some(Answer::Never)), "{revision}{body}: {answer:?}");
        }
    }
}

#[test]
fn ff_032_ff_079_a_client_answers_nothing_that_it_cannot_read() {
    for body in ["WARN cache is cold", "{\"ok\":true}", "17", "null", "[]", "{", "\u{feff}{}", "\"x\""] {
        let refusal = refusal(&Case::stdio(Party::Server, body)).expect(body);
        assert_eq!(answer_to(Party::Client, &refusal, false), Answer::Never, "{body}");
    }
}

/// What a client does about an answer to its probe, in both profiles and on a listed endpoint.
fn after_probe(case: &Case) -> Vec<(Probe, Vec<Step>)> {
    let both = [Profile::Spec, Profile::Strict].into_iter();
    both.map(|profile| {
        let mut reader = Reader::new(Limits::message());
        let reading = reader.read(case, &Context::of(case));
        let (mut startup, _) = Startup::new(Mode::Fallback { listed: true }, profile);
        let envelope: Option<&Envelope<'_>> = reading.envelope.as_ref();
        let event = envelope.map_or(Event::Unreadable { status: case.status }, |envelope| Event::Answer {
            case,
            envelope,
            correlated: true,
        });
        let steps = startup.on(&event);
        (startup.outcome().probe.unwrap(), steps)
    })
    .collect()
}

#[test]
fn ff_037_a_modern_refusal_that_names_revisions_never_leads_back() {
    let body = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2029-02-03"}}}"#;
    let mut case = Case::http(Party::Server, body);
    case.status = Some(400);
    for (probe, steps) in after_probe(&case) {
        assert_eq!((probe, steps), (Probe::ModernRefusal, vec![Step::Fail]));
    }
}

#[test]
fn ff_038_an_answer_of_a_gateway_is_inconclusive() {
    for body in ["", "no", "<html></html>", "[1]", "4", r#"{"error":{"code":"bad_route","message":"nothing"}}"#] {
        let mut case = Case::http(Party::Server, body);
        case.status = Some(400);
        for (probe, steps) in after_probe(&case) {
            assert_eq!((probe, steps), (Probe::Inconclusive, vec![Step::Initialize]), "{body}");
        }
    }
}

#[test]
fn ff_041_the_start_up_and_the_reading_judge_an_untyped_discovery_alike() {
    let untyped = r#"{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"prompts":{}}}}"#;
    for (probe, _) in after_probe(&Case::stdio(Party::Server, untyped)) {
        assert_eq!(probe, Probe::Inconclusive, "the reading says missing-result-type: see the seed");
    }
}

#[test]
fn ff_061_a_name_beyond_visible_ascii_travels_wrapped_and_comes_back() {
    for text in ["\u{7F}", "\u{80}", "\u{FF}", "\u{100}", "\u{10FFFF}", "ős"] {
        let value = header::encode(text);
        assert!(value.starts_with(b"=?base64?") && value.iter().all(u8::is_ascii_graphic), "{text:?}");
        assert_eq!(header::decode(&value), Sentinel::Wrapped { text: text.into(), canonical: true });
    }
}

#[test]
fn ff_072_ff_078_ff_080_a_bad_line_takes_no_other_with_it() {
    let stream = |bad: &[u8], good: &str| [bad, b"\n", good.as_bytes(), b"\n"].concat();
    for (bad, reason) in [
        (b"{not json".as_slice(), "unexpected-byte"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\xFF\xFE\"}}", "invalid-utf8"),
        (b"harbour 3.1 is listening", "unexpected-byte"),
        (b"{} {}", "trailing-data"),
    ] {
        assert_eq!(lines(Party::Client, &stream(bad, REQUEST)), [reason, "request"]);
        assert_eq!(lines(Party::Server, &stream(bad, ANSWER)), [reason, "result"]);
    }
}

#[test]
fn ff_075_another_framing_gives_lines_that_are_no_messages() {
    let stream = format!("Content-Length: {}\r\n\r\n{ANSWER}", ANSWER.len());
    assert_eq!(lines(Party::Server, stream.as_bytes()), ["unexpected-byte", "unterminated-frame"]);
}

#[test]
fn ff_076_a_line_feed_inside_a_string_breaks_both_halves_and_nothing_else() {
    let broken = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"q","arguments":{"a":"b"#;
    let stream = format!("{broken}\nc\"}}}}}}\n{REQUEST}\n");
    assert_eq!(lines(Party::Client, stream.as_bytes()), ["unexpected-end", "unexpected-byte", "request"]);
}

#[test]
fn ff_082_a_long_answer_is_read_up_to_the_limit_and_refused_past_it() {
    let answer = |length: usize| {
        let text = "x".repeat(length);
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"complete","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let limit = Limits::message().string;
    for length in [65_536, 65_537, 1_048_577, limit] {
        assert_eq!(lines(Party::Server, format!("{}\n{ANSWER}\n", answer(length)).as_bytes()), ["result", "result"]);
    }
    let long = format!("{}\n{ANSWER}\n", answer(limit + 1));
    assert_eq!(lines(Party::Server, long.as_bytes()), ["string-limit", "result"]);
    let longest = format!("{}\n{ANSWER}\n", answer(FrameLimits::message().line));
    assert_eq!(lines(Party::Server, longest.as_bytes()), ["frame-limit", "result"]);
}

#[test]
fn ff_084_the_limit_is_of_a_frame_and_not_of_a_chunk() {
    let frame = format!("{:<64}", "{\"a\":1}");
    let stream = format!("{frame}\n{frame}\n");
    let limits = FrameLimits { line: 64, event: 64 };
    for size in 1..stream.len() {
        let mut reader = Lines::new(limits);
        let mut seen = Vec::new();
        for chunk in stream.as_bytes().chunks(size) {
            reader.push(chunk, &mut |frame: Frame<'_>| seen.push(frame.result.map(<[u8]>::len)));
        }
        assert_eq!(seen, [Ok(64), Ok(64)], "chunks of {size}");
    }
}

#[test]
fn ff_085_a_long_line_in_small_chunks_is_held_once() {
    let line = vec![b' '; 1 << 20];
    for size in [1, 64, 4096] {
        let (mut reader, mut most, mut seen) = (Lines::new(FrameLimits::message()), 0, 0);
        for chunk in line.chunks(size).chain([b"{}\n".as_slice()]) {
            reader.push(chunk, &mut |frame| seen += frame.result.unwrap().len());
            most = most.max(reader.retained());
        }
        assert_eq!(seen, line.len() + 2);
        assert!(most <= 2 * (line.len() + 64), "{most} bytes are held for a line of {}", line.len());
    }
}

#[test]
fn ff_087_depth_past_the_limit_is_refused_and_answered() {
    // The root, the params and the arguments are three containers.
    let nested = |depth: usize| {
        let (open, close) = ("{\"a\":".repeat(depth), "}".repeat(depth));
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"t","arguments":{open}1{close}}}}}"#
        )
    };
    let at_most = Limits::message().depth - 2;
    assert_eq!(refusal(&Case::stdio(Party::Client, nested(at_most))), None);
    for depth in [at_most + 1, 127, 128, 129, 200, 201, 1000, 100_000] {
        let refusal = refusal(&Case::stdio(Party::Client, nested(depth))).unwrap();
        assert_eq!((refusal.reason, refusal.code), (Reason::DepthLimit, Some(-32700)), "{depth}");
    }
}

#[test]
fn ff_111_the_lines_of_an_event_are_joined() {
    let (left, right) = ANSWER.split_at(25);
    assert_eq!(events(&format!("data: {left}\ndata: {right}\n\n")), ["result"]);
}

#[test]
fn ff_113_ff_114_comments_and_empty_events_are_no_messages() {
    assert_eq!(events(&format!(": still here\n\n:\r\n\r\ndata: {ANSWER}\n\n")), ["result"]);
    assert_eq!(events(&format!("id: 4\nretry: 900\ndata:\n\nid: 5\ndata:{ANSWER}\n\n")), ["result"]);
    assert_eq!(events(&format!("data\n\nsince: noon\nevent\ndata: {ANSWER}\n\n")), ["result"]);
}

#[test]
fn ff_116_a_notification_goes_before_the_answer() {
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":3}}"#;
    let error = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}"#;
    assert_eq!(events(&format!("data: {progress}\n\ndata: {ANSWER}\n\n")), ["notification", "result"]);
    assert_eq!(events(&format!("data: {error}\n\ndata: {ANSWER}\n\n")), ["error", "result"], "an error without an id");
}

#[test]
fn ff_119_a_carriage_return_ends_a_line_of_an_event() {
    let mut reader = Events::new(FrameLimits::message());
    let mut seen = Vec::new();
    let stream = b"data: one\rdata: two\n\nevent: x\rdata: three\r\r";
    reader.push(stream, &mut |frame| seen.push(frame.result.map(<[u8]>::to_vec).map_err(|refusal| refusal.reason)));
    reader.finish(&mut |frame| seen.push(frame.result.map(<[u8]>::to_vec).map_err(|refusal| refusal.reason)));
    assert_eq!(seen, [Ok(b"one\ntwo".to_vec()), Err(Reason::EventType)], "a writer has to escape it");
}

#[test]
fn ff_144_no_refusal_and_no_finding_repeats_a_header() {
    let secret = "not-to-be-shown-0002";
    let text = format!(":transport: http\nAuthorization: Bearer {secret}\nMcp-Name: {secret}\n\n{REQUEST}");
    let case = Case::decode(text.as_bytes()).unwrap();
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::of(&case));
    assert!(reading.refusal(Profile::Strict).is_some());
    let shown = format!("{:?} {:?} {:?}", reading.breaches, reading.notes, reading.observation(Profile::Strict));
    assert!(!shown.contains(secret));
}

/// Reasons that no reading of messages alone can give, and why.
const UNREACHED: [(&str, &str); 1] = [("contradictory-result", "it concludes incomplete and is noted, never refused")];

#[test]
fn every_reason_has_a_seed_or_is_given_here() {
    let manifest = manifest();
    let mut given: BTreeMap<String, &str> = BTreeMap::new();
    for expect in manifest.rows.iter().flat_map(|row| &row.expect) {
        for refusal in [&expect.refusal, &expect.spec].into_iter().flatten() {
            given.insert(refusal.rsplit('/').next().unwrap_or_default().to_owned(), "a seed");
        }
    }
    for (reason, is) in generated() {
        assert_eq!(is, Some(reason), "{}", reason.word());
        given.insert(reason.word().to_owned(), "this file");
    }
    let lacking: Vec<&str> =
        Reason::ALL.iter().map(|reason| reason.word()).filter(|word| !given.contains_key(*word)).collect();
    assert_eq!(lacking, UNREACHED.map(|(word, _)| word));
}

/// Inputs that are too large for a file, are no case, or are a whole recording; and why each is refused.
fn generated() -> Vec<(Reason, Option<Reason>)> {
    let limits = Limits::message();
    let message = |body: String| refusal(&Case::stdio(Party::Client, body)).map(|refusal| refusal.reason);
    let frame = |transport, stream: String| {
        let mut reason = None;
        read(&Frames::new(transport, stream, []), FrameLimits::message(), &mut |frame| {
            reason = frame.result.err().map(|refusal| refusal.reason);
        });
        reason
    };
    let recording = |form, text: &str| exchange::read(form, text.as_bytes()).err().map(|refusal| refusal.reason);
    let whole = |text: &str| {
        let mut reader = Reader::new(limits);
        let mut tracker = wirebench::codec::session::Tracker::new();
        let messages = exchange::read(Form::JsonLines, text.as_bytes()).unwrap();
        let refused = |message: &exchange::Recorded| {
            exchange::refuses_whole(&tracker.read(&mut reader, &message.case), message).map(|refusal| refusal.reason)
        };
        messages.iter().map(refused).last().flatten()
    };
    let members: Vec<String> = (0..=limits.members).map(|at| format!("\"{at}\":0")).collect();
    vec![
        (Reason::ByteLimit, message(" ".repeat(limits.bytes + 1))),
        (Reason::NodeLimit, message(format!("[{}0]", "0,".repeat(limits.nodes)))),
        (Reason::MemberLimit, message(format!("{{{}}}", members.join(",")))),
        (Reason::StringLimit, message(format!("\"{}\"", "x".repeat(limits.string + 1)))),
        (Reason::FrameLimit, frame(Transport::Stdio, "x".repeat(limits.bytes + 1))),
        (Reason::UnterminatedFrame, frame(Transport::Stdio, "{}".to_owned())),
        (Reason::EventType, frame(Transport::Http, "event: ping\ndata: {}\n\n".to_owned())),
        (Reason::TranscriptShape, recording(Form::Framed, "[]")),
        (Reason::TranscriptTransport, recording(Form::Framed, "{\"transport\":\"pigeon\",\"entries\":[]}")),
        (Reason::TranscriptEntry, recording(Form::Framed, "{\"transport\":\"http-sse\",\"entries\":[{}]}")),
        (Reason::EventLimit, recording(Form::JsonLines, &"1\n".repeat(MAX_EVENTS + 1))),
        (Reason::LineLimit, recording(Form::JsonLines, &" ".repeat(MAX_LINE + 1))),
        (Reason::TranscriptMessage, whole("{\"jsonrpc\":\"1\"}\n")),
        (Reason::TranscriptId, whole(&format!("{REQUEST}\n{REQUEST}\n"))),
    ]
}
