//! Streams of lines and events: the same frames however they are cut, those of a plain reading of the rules, bounded
//! memory, and the next frame still read.

use crate::case::{Case, Frames, Party, Transport};
use crate::codec::Reader;
use crate::codec::context::Context;
use crate::codec::frame::{Events, Frame, FrameLimits, Lines, read};
use crate::codec::reading::Profile;
use crate::codec::refusal::Reason;
use crate::limits::Limits;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

type Seen = Vec<(u64, Result<Vec<u8>, Reason>)>;

fn own(frame: Frame<'_>) -> (u64, Result<Vec<u8>, Reason>) {
    (frame.offset, frame.result.map(<[u8]>::to_vec).map_err(|refusal| refusal.reason))
}

fn cut(frames: &Frames, limit: usize) -> Seen {
    let mut seen = Vec::new();
    read(frames, FrameLimits { line: limit, event: limit }, &mut |frame| seen.push(own(frame)));
    seen
}

/// What stands in streams, in pieces that meet in every order: line ends, field names, values, and halves of each.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let words: [&[u8]; 34] = [
        b"\n",
        b"\n",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"\r\n\r\n",
        b"\r\r",
        b" ",
        b"\t",
        b":",
        b": x",
        b"data",
        b"data:",
        b"data: ",
        b"data: {}",
        b"data:[",
        b"event",
        b"event:",
        b"event: message",
        b"event:ping",
        b"id: 1",
        b"retry:9",
        b"foo: bar",
        b"{}",
        b"{\"a\":\"\\u00",
        b"e9\"}",
        b"\xC3",
        b"\xA9",
        b"\xEF\xBB\xBF",
        b"\xEF",
        b"\xBB",
        b"\xBF",
        b"\0",
    ];
    prop_oneof![
        12 => proptest::sample::select(words.map(<[u8]>::to_vec).to_vec()),
        1 => vec(any::<u8>(), 0..4),
        1 => (0usize..40).prop_map(|length| vec![b'x'; length]),
    ]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

fn transport() -> impl Strategy<Value = Transport> {
    prop_oneof![Just(Transport::Http), Just(Transport::Stdio)]
}

prop_compose! {
    fn frames()(transport in transport(), stream in stream(), splits in vec(0usize..200, 0..8)) -> Frames {
        Frames::new(transport, stream, splits)
    }
}

/// The rules for lines, read plainly and all at once.
fn lines_by_rule(stream: &[u8], limit: usize) -> Seen {
    let mut seen = Vec::new();
    let mut offset = 0;
    let mut lines: Vec<&[u8]> = stream.split(|&byte| byte == b'\n').collect();
    let rest = lines.pop().unwrap_or_default();
    for line in lines {
        let message = line.strip_suffix(b"\r").unwrap_or(line);
        if message.len() > limit {
            seen.push((offset, Err(Reason::FrameLimit)));
        } else if message.iter().any(|byte| !b" \t\r".contains(byte)) {
            seen.push((offset, Ok(message.to_vec())));
        }
        offset += line.len() as u64 + 1;
    }
    if rest.strip_suffix(b"\r").unwrap_or(rest).len() > limit {
        seen.push((offset, Err(Reason::FrameLimit)));
    } else if rest.iter().any(|byte| !b" \t\r".contains(byte)) {
        seen.push((offset, Err(Reason::UnterminatedFrame)));
    }
    seen
}

/// The standard's rules for events, read plainly and all at once.
fn events_by_rule(stream: &[u8], limit: usize) -> Seen {
    let mut lines = Vec::new();
    let mut at = if stream.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut start = at;
    while at < stream.len() {
        let width = match &stream[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => {
                at += 1;
                continue;
            }
        };
        lines.push((start, &stream[start..at], true));
        at += width;
        start = at;
    }
    lines.push((start, &stream[start..], false));

    let mut seen = Vec::new();
    let (mut data, mut kind): (Option<(u64, Vec<u8>)>, Vec<u8>) = (None, Vec::new());
    for (offset, line, ended) in lines {
        if line.is_empty() && ended {
            match data.take() {
                Some((offset, data)) if data.len() > limit => seen.push((offset, Err(Reason::FrameLimit))),
                Some((_, data)) if data.is_empty() => {}
                Some((offset, _)) if !kind.is_empty() && kind != b"message" => {
                    seen.push((offset, Err(Reason::EventType)));
                }
                Some((offset, data)) => seen.push((offset, Ok(data))),
                None => {}
            }
            kind.clear();
            continue;
        }
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            // A byte behind the colon shows that it is a line of data, even if its end never comes.
            b"data" if ended || line.len() > colon + 1 => match &mut data {
                Some((_, data)) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => data = Some((offset as u64, value.to_vec())),
            },
            b"event" => kind = value.to_vec(),
            _ => {}
        }
    }
    match data {
        Some((offset, data)) if data.len() > limit => seen.push((offset, Err(Reason::FrameLimit))),
        Some((offset, data)) if !data.is_empty() => seen.push((offset, Err(Reason::UnterminatedFrame))),
        _ => {}
    }
    seen
}

/// What each frame of a stream from that party is read as: the kind of the message, or the refusal.
fn readings(from: Party, frames: &Frames) -> Vec<String> {
    let mut reader = Reader::new(Limits::message());
    let mut seen = Vec::new();
    read(frames, FrameLimits { line: 200, event: 200 }, &mut |frame| {
        seen.push(match frame.result {
            Err(refusal) => refusal.to_string(),
            Ok(message) => {
                let case = Case { transport: frames.transport(), ..Case::stdio(from, message) };
                let reading = reader.read(&case, &Context::default());
                match (reading.kind(), reading.refusal(Profile::Spec)) {
                    (Some(kind), _) => kind.word().to_owned(),
                    (None, refusal) => refusal.expect("what is no message is refused").to_string(),
                }
            }
        });
    });
    seen
}

/// Faults that ended sessions of deployed peers. Here each costs its own frame, and the next message is read.
#[test]
fn a_bad_frame_costs_its_own_frame_only() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let result = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let stdio: [(&str, Vec<u8>, &[&str]); 12] = [
        ("a banner", b"Server 1.0\n".to_vec(), &["json: unexpected-byte at byte 0"]),
        ("half a document", b"{\"a\":\n".to_vec(), &["json: unexpected-end at byte 5"]),
        ("cut inside an escape", b"{\"a\":\"\\u00\n".to_vec(), &["json: unexpected-end at byte 10"]),
        ("cut inside a character", b"{\"a\":\"\xC3\n".to_vec(), &["json: invalid-utf8 at byte 6"]),
        ("bytes that are no text", b"{\"a\":\"\xFF\xFE\"}\n".to_vec(), &["json: invalid-utf8 at byte 6"]),
        ("a byte order mark", b"\xEF\xBB\xBF{}\n".to_vec(), &["bytes: byte-order-mark at byte 0"]),
        ("blank lines", b"\n\r\n \t\n".to_vec(), &[]),
        ("carriage returns", format!("{ping}\r\n").into_bytes(), &["request"]),
        ("two messages on one line", format!("{ping}{ping}\n").into_bytes(), &["json: trailing-data at byte 40"]),
        (
            "documents that are no messages",
            b"{\"status\":200}\n42\nnull\n".to_vec(),
            &[
                "envelope: jsonrpc-version at byte 0",
                "envelope: root-not-object at byte 0",
                "envelope: root-not-object at byte 0",
            ],
        ),
        (
            "a header of another framing",
            format!("Content-Length: 40\r\n\r\n{ping}\n").into_bytes(),
            &["json: unexpected-byte at byte 0", "request"],
        ),
        ("a line that is too long", [&[b'x'; 201], b"\n".as_slice()].concat(), &["frame: frame-limit at byte 200"]),
    ];
    let events: [(&str, Vec<u8>, &[&str]); 9] = [
        ("comments", b": alive\n\n:\r\n\r\n".to_vec(), &[]),
        ("an event that opens the stream", b"id: 0\nretry: 1000\ndata:\n\n".to_vec(), &[]),
        (
            "a message over two lines",
            b"data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":2,\"result\":{}}\n\n".to_vec(),
            &["result"],
        ),
        ("carriage returns alone", format!("data:{result}\r\r").into_bytes(), &["result"]),
        (
            "two messages in one event",
            format!("data:{result}\ndata:{result}\n\n").into_bytes(),
            &["json: trailing-data at byte 37"],
        ),
        ("half a message", b"data: {\"a\":\n\n".to_vec(), &["json: unexpected-end at byte 5"]),
        ("a line end inside data", b"data: [\rdata: ]\n\n".to_vec(), &["envelope: batch at byte 0"]),
        ("another type", b"event: endpoint\ndata: /messages\n\n".to_vec(), &["frame: event-type"]),
        (
            "an event that is too long",
            [b"data:".as_slice(), &[b'x'; 201], b"\n\n"].concat(),
            &["frame: frame-limit at byte 200"],
        ),
    ];
    let stdio = stdio.map(|row| (Party::Client, Transport::Stdio, format!("{ping}\n"), "request", row));
    let events = events.map(|row| (Party::Server, Transport::Http, format!("data: {result}\n\n"), "result", row));
    for (from, transport, good, kind, (name, fault, expected)) in stdio.into_iter().chain(events) {
        let stream = [good.as_bytes(), &fault, good.as_bytes()].concat();
        let expected: Vec<&str> = [&[kind], expected, &[kind]].concat();
        assert_eq!(readings(from, &Frames::new(transport, stream, [])), expected, "{name}");
    }
}

/// Every way to cut a stream of these few bytes, in pieces of any length.
#[test]
fn every_split_of_a_short_stream_gives_the_same_frames() {
    let streams: [(Transport, &[u8]); 7] = [
        (Transport::Stdio, b"{}\r\n\n\xC3\xA9\n\r\n{"),
        (Transport::Stdio, b"\"\\u00e9\"\n1\r2\n"),
        (Transport::Http, b"data:1\r\n\r\ndata"),
        (Transport::Http, b"data:a\r\rdata:\n\n"),
        (Transport::Http, b"\xEF\xBB\xBFdata: \xC3\xA9\n\n"),
        (Transport::Http, b":x\n\nid\n\ndata\n\n"),
        (Transport::Http, b"event:m\ndata:1\n\n"),
    ];
    for (transport, stream) in streams {
        for limit in [2, 64] {
            let whole = cut(&Frames::new(transport, stream, []), limit);
            for mask in 0..1u32 << (stream.len() - 1) {
                let cuts = (1..stream.len()).filter(|at| mask & 1 << (at - 1) != 0);
                assert_eq!(cut(&Frames::new(transport, stream, cuts), limit), whole, "{stream:?} {mask:b}");
            }
        }
    }
}

/// The same cases every time; the search for new ones is the fuzz target's.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(0), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn cuts_change_nothing(frames in frames(), limit in 0usize..64) {
        let whole = Frames::new(frames.transport(), frames.stream(), []);
        let bytes = Frames::new(frames.transport(), frames.stream(), 1..frames.stream().len());
        let seen = cut(&whole, limit);
        prop_assert_eq!(&cut(&frames, limit), &seen);
        prop_assert_eq!(&cut(&bytes, limit), &seen);
    }

    #[test]
    fn frames_are_those_of_a_plain_reading_of_the_rules(frames in frames(), limit in 0usize..64) {
        let expected = match frames.transport() {
            Transport::Http => events_by_rule(frames.stream(), limit),
            Transport::Stdio => lines_by_rule(frames.stream(), limit),
        };
        prop_assert_eq!(cut(&frames, limit), expected);
    }

    #[test]
    fn after_anything_and_a_boundary_the_next_message_is_read(frames in frames(), limit in 2usize..64) {
        let tail: &[u8] = if frames.transport() == Transport::Http { b"\n\ndata: {}\n\n" } else { b"\n{}\n" };
        let stream = [frames.stream(), tail].concat();
        let seen = cut(&Frames::new(frames.transport(), stream, frames.splits().to_vec()), limit);
        prop_assert_eq!(&seen.last().expect("the last message").1, &Ok(b"{}".to_vec()));
    }

    #[test]
    fn no_more_is_held_than_a_frame_may_have(frames in frames(), limit in 0usize..64) {
        let limits = FrameLimits { line: limit, event: limit };
        let (mut lines, mut events) = (Lines::new(limits), Events::new(limits));
        for chunk in frames.chunks() {
            lines.push(chunk, &mut |_| {});
            events.push(chunk, &mut |_| {});
            // The one byte is a carriage return that may turn out to belong to the line end.
            prop_assert!(lines.retained() <= limit + 1 && events.retained() <= limit);
        }
    }

    #[test]
    fn the_text_form_is_one(frames in frames(), noise in 0usize..400, byte in any::<u8>()) {
        let text = frames.encode();
        prop_assert_eq!(Frames::decode(&text), Ok(frames));
        let mut spoiled = text;
        let at = noise % spoiled.len();
        spoiled[at] = byte;
        if let Ok(other) = Frames::decode(&spoiled) {
            prop_assert_eq!(other.encode(), spoiled);
        }
    }
}
