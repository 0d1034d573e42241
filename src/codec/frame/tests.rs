use super::*;
use crate::codec::refusal::Reason;

type Seen = Vec<(u64, Result<Vec<u8>, Reason>)>;

fn limits(bytes: usize) -> FrameLimits {
    FrameLimits { line: bytes, event: bytes }
}

fn cut(transport: Transport, stream: &[u8], splits: impl IntoIterator<Item = usize>, bytes: usize) -> Seen {
    let mut seen = Vec::new();
    read(&Frames::new(transport, stream, splits), limits(bytes), &mut |frame| {
        seen.push((frame.offset, frame.result.map(<[u8]>::to_vec).map_err(|refusal| refusal.reason)));
    });
    seen
}

fn lines(stream: &str) -> Seen {
    cut(Transport::Stdio, stream.as_bytes(), [], 1 << 20)
}

fn events(stream: &str) -> Seen {
    cut(Transport::Http, stream.as_bytes(), [], 1 << 20)
}

fn ok(offset: u64, message: &str) -> (u64, Result<Vec<u8>, Reason>) {
    (offset, Ok(message.as_bytes().to_vec()))
}

#[test]
fn a_line_feed_ends_a_message_and_blank_lines_pass() {
    assert_eq!(lines("{}\n\n \t\r\n[]\r\n\r\nx\n"), [ok(0, "{}"), ok(8, "[]"), ok(14, "x")]);
    assert_eq!(lines("a\rb\n"), [ok(0, "a\rb")], "a lone carriage return ends nothing");
    assert_eq!(lines("a\r\r\n"), [ok(0, "a\r")], "only one carriage return belongs to the line end");
    assert_eq!(lines(""), []);
    assert_eq!(lines(" \r"), [], "a blank rest is no message that was cut off");
}

#[test]
fn plain_text_and_a_raw_line_feed_cost_only_their_own_lines() {
    let stream = "Server 1.0\n{\"a\":\"b\nc\"}\nContent-Length: 2\r\n\r\n{}\n";
    let seen = [ok(0, "Server 1.0"), ok(11, "{\"a\":\"b"), ok(19, "c\"}"), ok(23, "Content-Length: 2"), ok(44, "{}")];
    assert_eq!(lines(stream), seen);
}

#[test]
fn a_line_without_its_line_feed_is_refused() {
    assert_eq!(lines("{}\n{}"), [ok(0, "{}"), (3, Err(Reason::UnterminatedFrame))]);
}

#[test]
fn event_streams_follow_the_standard() {
    for (stream, seen) in [
        ("data: a\n\n", vec![ok(0, "a")]),
        ("data:a\n\ndata:  b\n\n", vec![ok(0, "a"), ok(8, " b")]),
        ("data: a\r\rdata: b\r\n\r\ndata: c\n\r\n", vec![ok(0, "a"), ok(9, "b"), ok(20, "c")]),
        ("data: a\r\n\rdata: b\n\n", vec![ok(0, "a"), ok(10, "b")]),
        ("data: a\ndata\ndata:b\n\n", vec![ok(0, "a\n\nb")]),
        ("data\ndata\n\n", vec![ok(0, "\n")]),
        ("\u{feff}data: a\n\n\u{feff}data: b\n\n", vec![ok(3, "a")]),
        (" data: a\n\n", vec![]),
        ("Data: a\n\ndatax: b\n\ndat: c\n\n", vec![]),
        ("data : a\n\n", vec![]),
        (": x\n:\n\n:data: y\n\n", vec![]),
        (": x\ndata: a\n: y\nfoo: z\nid: 1\nretry: 5\nid\n\n", vec![ok(4, "a")]),
        ("id: 0\nretry: 1000\ndata:\n\nid: 1\ndata: a\n\n", vec![ok(31, "a")]),
        ("event: message\ndata: a\n\n", vec![ok(15, "a")]),
        ("event: ping\ndata: a\n\ndata: b\n\n", vec![(12, Err(Reason::EventType)), ok(21, "b")]),
        ("event: messages\ndata: a\n\n", vec![(16, Err(Reason::EventType))]),
        ("event: ping\nevent:\ndata: a\n\n", vec![ok(19, "a")]),
        ("event: ping\nevent\ndata: a\n\n", vec![ok(18, "a")]),
        ("event: ping\n\ndata: a\n\n", vec![ok(13, "a")]),
        ("event: ping\ndata:\n\n", vec![]),
        ("data: a\ndata: b", vec![(0, Err(Reason::UnterminatedFrame))]),
        ("data: a\n\ndata: b\n", vec![ok(0, "a"), (9, Err(Reason::UnterminatedFrame))]),
        ("data:", vec![]),
        ("data: \u{0}\u{e9}\n\n", vec![ok(0, "\u{0}\u{e9}")]),
    ] {
        assert_eq!(events(stream), seen, "{stream:?}");
    }
}

/// Cut inside an escape, a character, a line end, a byte order mark, a field name and an event.
const STREAMS: [(Transport, &[u8]); 7] = [
    (Transport::Stdio, b"{\"a\":\"\\u00e9\xC3\xA9\"}\r\n\r\n[]\n\r\r\nlonger than it may be\n{}\n\n12"),
    (Transport::Stdio, b"0123456789\r\n0123456789a\r\n\r0123456789\n0123456789\r"),
    (Transport::Http, b"\xEF\xBB\xBFdata: \"\xF0\x9F\x98\x80\"\r\n\r\nevent: message\rdata\rdata:x\r\rdata: y"),
    (Transport::Http, b"\xEF\xBBdata: a\n\ndata:  {\ndata:}\n: c\r\n\r\nevent:ping\r\ndata: 1\r\n\r\ndata:2\n\n"),
    (
        Transport::Http,
        b"data: longer than it may be\ndata: b\n\ndata:0123\ndata:45678\n\ndata:0123\ndata:456789\n\nid\n\n",
    ),
    (Transport::Http, b"data:\ndata:\r\rdata:\n\nevent: messages\ndata: 1\n\nevent\nevent: message\ndata: 2\n\n"),
    (Transport::Http, b"\r\n\r\n\n\rdata: 1\n\r\n\n\r:\r\n:\rdata: 2\r\n\n"),
];

#[test]
fn one_and_two_cuts_anywhere_change_nothing() {
    for (transport, stream) in STREAMS {
        let whole = cut(transport, stream, [], 10);
        assert!(whole.len() > 1);
        for first in 1..stream.len() {
            for second in first..stream.len() {
                assert_eq!(cut(transport, stream, [first, second], 10), whole, "{first} {second} {stream:?}");
            }
        }
        assert_eq!(cut(transport, stream, 1..stream.len(), 10), whole, "byte by byte: {stream:?}");
    }
}

#[test]
fn the_limit_is_inclusive_and_a_longer_frame_is_refused_once_where_it_starts() {
    let long = |offset| (offset, Err(Reason::FrameLimit));
    let stream = b"0123\r\n01234\n\r0123\n0123456789\n    \n     \n{}\n";
    let seen = [ok(0, "0123"), long(6), long(12), long(18), long(34), ok(40, "{}")];
    assert_eq!(cut(Transport::Stdio, stream, [], 4), seen);
    let stream = b"data:0123\n\ndata:01\ndata:2\n\ndata:01\ndata:23\ndata:4\n\n:too long\ndata:0\n\n";
    let seen = [ok(0, "0123"), ok(11, "01\n2"), long(27), ok(61, "0")];
    assert_eq!(cut(Transport::Http, stream, [], 4), seen);
    assert_eq!(cut(Transport::Stdio, b"a\n\n", [], 0), [long(0)]);
    assert_eq!(cut(Transport::Http, b"data:a\n\ndata:\ndata:\n\n", [], 0), [long(0), long(8)]);
}

#[test]
fn the_limit_is_for_a_frame_and_not_for_a_chunk() {
    let stream = b"{\"a\":\"0123\"}\n{\"b\":\"0123\"}\n";
    assert_eq!(cut(Transport::Stdio, stream, [5], 12).len(), 2);
    assert!(cut(Transport::Stdio, stream, [5], 12).iter().all(|(_, result)| result.is_ok()));
}

#[test]
fn a_line_of_a_hundred_megabytes_is_refused_at_once_and_the_next_is_read() {
    let chunk = vec![b'x'; 1 << 20];
    let mut lines = Lines::new(FrameLimits::message());
    let mut seen = Vec::new();
    for index in 0..100 {
        lines.push(&chunk, &mut |frame| {
            seen.push((index, frame.offset, frame.result.map_err(|refusal| refusal.reason).map(<[u8]>::len)))
        });
        assert!(lines.retained() <= FrameLimits::message().line + 1);
    }
    assert_eq!(seen, [(4, 0, Err(Reason::FrameLimit))]);
    lines.push(b"\n{}\n", &mut |frame| seen.push((100, frame.offset, Ok(frame.result.unwrap().len()))));
    assert_eq!(seen[1], (100, (100 << 20) + 1, Ok(2)));
    assert!(lines.retained() <= 64 << 10);
}

#[test]
fn the_memory_of_a_large_frame_is_given_back() {
    let mut lines = Lines::new(FrameLimits::message());
    let mut lengths = Vec::new();
    let mut events = Events::new(FrameLimits::message());
    let large = vec![b'x'; 3 << 20];
    events.push(b"data:", &mut |_| {});
    for part in large.chunks(1 << 16) {
        lines.push(part, &mut |_| {});
        events.push(part, &mut |_| {});
    }
    assert!(lines.retained() >= large.len() && events.retained() >= large.len());
    lines.push(b"\n", &mut |frame| lengths.push(frame.result.unwrap().len()));
    events.push(b"\n\n", &mut |frame| lengths.push(frame.result.unwrap().len()));
    assert_eq!(lengths, [large.len(), large.len()]);
    assert!(lines.retained() <= 64 << 10 && events.retained() <= 64 << 10);
}

#[test]
fn an_event_without_end_is_refused_at_once_and_the_next_is_read() {
    let mut events = Events::new(limits(1 << 16));
    let mut seen = Vec::new();
    let chunk = b"data: 0123456789\n".repeat(1000);
    for _ in 0..100 {
        events.push(&chunk, &mut |frame| seen.push((frame.offset, frame.result.is_ok())));
        assert!(events.retained() <= 1 << 16);
    }
    assert_eq!(seen, [(0, false)]);
    events.push(b"\ndata: {}\n\n", &mut |frame| seen.push((frame.offset, frame.result.is_ok())));
    assert_eq!(seen[1], (1_700_001, true));
}

#[test]
fn a_comment_and_a_skipped_field_without_end_take_no_memory() {
    for start in [":", "id: ", "event: ", "nonsense"] {
        let mut events = Events::new(limits(16));
        events.push(start.as_bytes(), &mut |_| panic!("nothing ended"));
        for _ in 0..100 {
            events.push(&[b'x'; 10_000], &mut |_| panic!("nothing ended"));
        }
        assert_eq!(events.retained(), 0);
        let mut seen = 0;
        events.push(b"\n\ndata: {}\n\n", &mut |frame| seen += frame.result.unwrap().len());
        assert_eq!(seen, 2);
    }
}

#[test]
fn a_million_comments_and_a_hundred_thousand_frames_are_read_in_bounded_memory() {
    let mut events = Events::new(FrameLimits::message());
    let alive = b":\r\n\r\n".repeat(1000);
    for _ in 0..1000 {
        events.push(&alive, &mut |_| panic!("a comment is no message"));
    }
    let mut lines = Lines::new(FrameLimits::message());
    let (some_lines, some_events) = (b"{\"a\":1}\n".repeat(1001), b"data: {\"a\":1}\n\n".repeat(1001));
    let (mut in_lines, mut in_events) = (0, 0);
    // Chunks that end inside frames.
    for _ in 0..100 {
        for part in some_lines.chunks(4099) {
            lines.push(part, &mut |frame| in_lines += frame.result.unwrap().len());
        }
        for part in some_events.chunks(4099) {
            events.push(part, &mut |frame| in_events += frame.result.unwrap().len());
        }
    }
    assert_eq!((in_lines, in_events), (100_100 * 7, 100_100 * 7));
    assert!(lines.retained() + events.retained() <= 1 << 10);
}

#[test]
fn after_the_end_the_reader_is_at_the_start_of_another_stream() {
    let mut lines = Lines::new(limits(4));
    let mut events = Events::new(limits(4));
    for _ in 0..2 {
        let mut seen = Vec::new();
        let mut out = |frame: Frame<'_>| seen.push((frame.offset, frame.result.is_ok()));
        lines.push(b"{}\n01234567", &mut out);
        lines.finish(&mut out);
        events.push(b"\xEF\xBB\xBFevent: x\ndata: a\n\ndata: 01234567\r", &mut out);
        events.finish(&mut out);
        assert_eq!(seen, [(0, true), (3, false), (12, false), (21, false)]);
    }
}

#[test]
fn refusals_of_a_stream_carry_what_a_server_owes_and_those_of_events_nothing() {
    let refusals = |transport, stream: &str| {
        let mut seen = Vec::new();
        read(&Frames::new(transport, stream, []), limits(4), &mut |frame| seen.extend(frame.result.err()));
        seen
    };
    let [long, cut_off] = refusals(Transport::Stdio, "012345\n{}")[..] else { panic!("two refusals") };
    assert_eq!((long.code, long.http, long.offset), (Some(-32700), None, Some(4)));
    assert_eq!((cut_off.code, cut_off.requirement, cut_off.offset), (Some(-32700), "stdio-newline-delimited", Some(2)));
    let events = refusals(Transport::Http, "data:012345\n\nevent:x\ndata:1\n\ndata:{}");
    assert_eq!(events.len(), 3);
    assert!(events.iter().all(|refusal| refusal.code.is_none() && refusal.http.is_none()));
}
