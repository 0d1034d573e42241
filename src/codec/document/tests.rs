//! Which limit or fault is told for which document, and where?

use super::Decoder;
use crate::codec::refusal::Reason;
use crate::limits::Limits;

fn refusal(bytes: &[u8], limits: &Limits) -> Option<(Reason, usize)> {
    let mut decoder = Decoder::new();
    decoder.read(bytes, limits).err().map(|refusal| (refusal.reason, refusal.offset.expect("it has a place")))
}

/// A document that uses exactly `limit` of one bound, and where one with `limit + 1` goes wrong.
fn filled(limit: &str, by: usize) -> (Vec<u8>, usize) {
    match limit {
        "bytes" => (format!("\"{}\"", "x".repeat(by - 2)).into(), by - 1),
        "depth" => ("[".repeat(by).into_bytes().into_iter().chain("]".repeat(by).into_bytes()).collect(), by - 1),
        "nodes" => (format!("[{}0]", "0,".repeat(by - 2)).into(), 2 * by - 3),
        "members" => {
            let names: Vec<_> = (0..by).map(|i| format!("\"{i:04}\":0")).collect();
            (format!("{{{}}}", names.join(",")).into(), 1 + (by - 1) * 9)
        }
        "string" => (format!("[\"{}\"]", "x".repeat(by)).into(), 1 + by),
        "number" => (format!("[{}]", "7".repeat(by)).into(), by),
        other => panic!("no document for the limit {other}"),
    }
}

#[test]
fn each_limit_is_inclusive_and_refuses_with_its_own_reason_where_it_is_passed() {
    for by in [3, 16, 17, 40, 200] {
        let limits = Limits { bytes: by, depth: by, nodes: by, members: by, string: by, number: by };
        for (name, limit, reason) in limits.rows() {
            let alone = match name {
                "bytes" => Limits { bytes: limit, ..Limits::raised() },
                "depth" => Limits { depth: limit, ..Limits::raised() },
                "nodes" => Limits { nodes: limit, ..Limits::raised() },
                "members" => Limits { members: limit, ..Limits::raised() },
                "string" => Limits { string: limit, ..Limits::raised() },
                _ => Limits { number: limit, ..Limits::raised() },
            };
            assert_eq!(refusal(&filled(name, by).0, &alone), None, "{name} {by}");
            let (document, place) = filled(name, by + 1);
            assert_eq!(refusal(&document, &alone), Some((reason, place)), "{name} {by}");
        }
    }
}

#[test]
fn every_fault_is_told_with_the_byte_where_it_is() {
    use Reason::*;
    let rows: &[(&[u8], Reason, usize)] = &[
        (b"", UnexpectedEnd, 0),
        (b" \t\r\n", UnexpectedEnd, 4),
        (b"\xEF\xBB\xBF{}", ByteOrderMark, 0),
        (b"\xEF\xBB", UnexpectedByte, 0),
        (b"{\0}", UnexpectedByte, 1),
        (b"[1 2]", UnexpectedByte, 3),
        (b"[1,]", UnexpectedByte, 3),
        (b"[,1]", UnexpectedByte, 1),
        (b"[", UnexpectedEnd, 1),
        (b"[1", UnexpectedEnd, 2),
        (b"[1}", UnexpectedByte, 2),
        (b"]", UnexpectedByte, 0),
        (b"{1:2}", UnexpectedByte, 1),
        (b"{\"a\"}", UnexpectedByte, 4),
        (b"{\"a\":}", UnexpectedByte, 5),
        (b"{\"a\":1,}", UnexpectedByte, 7),
        (b"{\"a\":1", UnexpectedEnd, 6),
        (b"{\"a\":1]", UnexpectedByte, 6),
        (b"{\"a\" 1}", UnexpectedByte, 5),
        (b"{", UnexpectedEnd, 1),
        (b"nul", UnexpectedEnd, 3),
        (b"nuLl", UnexpectedByte, 2),
        (b"truex", TrailingData, 4),
        (b"{} x", TrailingData, 3),
        (b"1 1", TrailingData, 2),
        (b"+1", UnexpectedByte, 0),
        (b".5", UnexpectedByte, 0),
        (b"-", UnexpectedEnd, 1),
        (b"-x", InvalidNumber, 1),
        (b"-01", InvalidNumber, 2),
        (b"00", InvalidNumber, 1),
        (b"[1.]", InvalidNumber, 3),
        (b"[1.e1]", InvalidNumber, 3),
        (b"1e", UnexpectedEnd, 2),
        (b"[1e+]", InvalidNumber, 4),
        (b"\"a", UnexpectedEnd, 2),
        (b"\"a\\", UnexpectedEnd, 3),
        (b"\"a\\u00", UnexpectedEnd, 6),
        (b"\"\\q\"", InvalidEscape, 2),
        (b"\"\\u00g0\"", InvalidEscape, 5),
        (b"\"\\u00\"", InvalidEscape, 5),
        (b"\"\t\"", ControlCharacter, 1),
        (b"\"ab\x1F\"", ControlCharacter, 3),
        (b"\"a\xFF\"", InvalidUtf8, 2),
        (b"\"\xC3\"", InvalidUtf8, 1),
        (b"\"\xC3", InvalidUtf8, 1),
        (b"\"\xC0\x80\n\"", InvalidUtf8, 1),
        (b"\"\xED\xA0\x80\"", InvalidUtf8, 1),
        (b"\"\xC3\xA9\n\"", ControlCharacter, 3),
        (b"\"x\\ud800\"", LoneSurrogate, 2),
        (b"\"\\ud800\\n\"", LoneSurrogate, 1),
        (b"\"\\ud800\\u0041\"", LoneSurrogate, 1),
        (b"\"\\udc00\\ud800\"", LoneSurrogate, 1),
        (b"\"\\ud800\\u", UnexpectedEnd, 9),
        (b"{\"a\":1,\"a\":2}", DuplicateMember, 7),
        (b"{\"a\":1,\"\\u0061\":x", DuplicateMember, 7),
        (b"[{\"x\":{\"\\u0062\":1,\"b\":2}}]", DuplicateMember, 18),
        (b"{\"\":1,\"\":2}", DuplicateMember, 6),
    ];
    for &(bytes, reason, at) in rows {
        let text = String::from_utf8_lossy(bytes);
        assert_eq!(refusal(bytes, &Limits::message()), Some((reason, at)), "{text}");
        // White space before it moves the fault and changes nothing else.
        if reason != ByteOrderMark {
            let moved = [&b" \n                                  "[..], bytes].concat();
            assert_eq!(refusal(&moved, &Limits::message()), Some((reason, at + moved.len() - bytes.len())), "{text}");
        }
    }
}

#[test]
fn the_first_fault_is_told_when_a_limit_is_passed_too() {
    let limits = Limits { string: 3, number: 3, nodes: 2, ..Limits::message() };
    assert_eq!(refusal(b"\"ab\xFFcd\"", &limits), Some((Reason::InvalidUtf8, 3)));
    assert_eq!(refusal(b"\"abcd\xFFe\"", &limits), Some((Reason::StringLimit, 4)));
    assert_eq!(refusal("\"ab\u{e9}\"".as_bytes(), &limits), Some((Reason::StringLimit, 4)));
    assert_eq!(refusal(b"\"abc\\q\"", &limits), Some((Reason::StringLimit, 4)));
    assert_eq!(refusal(b"\"a\\q", &limits), Some((Reason::InvalidEscape, 3)));
    assert_eq!(refusal(b"[1.x", &limits), Some((Reason::InvalidNumber, 3)));
    assert_eq!(refusal(b"[123.x", &limits), Some((Reason::NumberLimit, 4)));
    assert_eq!(refusal(b"[1,x", &limits), Some((Reason::UnexpectedByte, 3)));
    assert_eq!(refusal(b"[1,1", &limits), Some((Reason::NodeLimit, 3)));
    assert_eq!(refusal(b"{\"a\":1", &limits), Some((Reason::NodeLimit, 5)));
    assert_eq!(refusal(b"{\"a\":x", &limits), Some((Reason::UnexpectedByte, 5)));
}

#[test]
fn a_refused_document_leaves_nothing_behind_for_the_next() {
    let mut decoder = Decoder::new();
    let names: Vec<_> = (0..100).map(|i| format!("\"{i}\":{{")).collect();
    for bytes in [names.join("").as_bytes(), format!("{{{}", names.join("},")).as_bytes(), b"{\"a\":[{\"b\":"] {
        assert!(decoder.read(bytes, &Limits::raised()).is_err());
        assert_eq!(decoder.read(b"{\"a\":[1,{\"b\":2}]}", &Limits::message()).map(|read| read.nodes()), Ok(7));
    }
}

#[test]
fn a_dense_document_is_read_however_small_the_first_tape_was() {
    for document in [
        "[".repeat(3000) + &"]".repeat(3000),
        format!("[{}1]", "1,".repeat(5000)),
        format!("[{}[]]", "[],".repeat(5000)),
        format!("{}1{}", "{\"\":".repeat(3000), "}".repeat(3000)),
    ] {
        assert_eq!(refusal(document.as_bytes(), &Limits::raised()), None);
    }
    assert_eq!(refusal("[".repeat(5000).as_bytes(), &Limits::raised()), Some((Reason::UnexpectedEnd, 5000)));
    assert_eq!(refusal("[".repeat(5000).as_bytes(), &Limits::message()), Some((Reason::DepthLimit, 64)));
}
