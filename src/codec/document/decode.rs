//! Is this one JSON document within the limits, and what is in it?
//!
//! One pass, no recursion: what is open is remembered in the tape itself. The first fault in the bytes is the one that
//! is told. Names are compared by [`names`](super::names), strings searched by [`scan`](super::scan); what a value
//! means is nobody's business here.

use super::names::{Members, Names};
use super::scalar::{Fault, literal, number, string};
use super::scan::{self, Level, Marks, Work};
use super::tape::{Node, Tag};
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

/// Reads one document into `tape`; gives how many nodes it has. Without `UNIQUE`, names are not compared.
pub(super) fn document<const UNIQUE: bool>(
    bytes: &[u8],
    limits: &Limits,
    tape: &mut Vec<Node>,
    names: &mut Names,
    marks: &mut Marks,
) -> Result<usize, Refusal> {
    let most = limits.bytes.min(Limits::MAX_BYTES);
    if bytes.len() > most {
        return Err(Refusal::at(Reason::ByteLimit, most));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(Refusal::at(Reason::ByteOrderMark, 0));
    }
    reserve(tape, bytes.len() * 3 / 8 + 32);
    loop {
        let room = tape.len().min(limits.nodes);
        let nodes = &mut tape[..room];
        match scan::at_best_level(Pass::<UNIQUE> { bytes, limits, tape: nodes, names, marks }) {
            Ok(count) => return Ok(count),
            Err(Stop::Fault(reason, at)) => return Err(Refusal::at(reason, at)),
            Err(Stop::Full(at)) if room == limits.nodes => return Err(Refusal::at(Reason::NodeLimit, at)),
            // A node takes two bytes, with its comma or closing bracket, unless it is an array that stays open.
            Err(Stop::Full(_)) => reserve(tape, (bytes.len() + bytes.len().min(limits.depth)) / 2 + 2),
        }
    }
}

/// Room for `count` nodes. What was there is given back first, so that the old and the new are never there together:
/// few documents are dense enough to be read twice, and a warm decoder reads none twice.
fn reserve(tape: &mut Vec<Node>, count: usize) {
    if tape.len() < count {
        *tape = Vec::new();
        *tape = vec![Node::default(); count];
    }
}

enum Stop {
    Fault(Reason, usize),
    /// The value or name at this offset has no room on the tape.
    Full(usize),
}

impl From<Fault> for Stop {
    fn from((reason, at): Fault) -> Self {
        Self::Fault(reason, at)
    }
}

struct Pass<'a, const UNIQUE: bool> {
    bytes: &'a [u8],
    limits: &'a Limits,
    tape: &'a mut [Node],
    names: &'a mut Names,
    marks: &'a mut Marks,
}

impl<const UNIQUE: bool> Work for Pass<'_, UNIQUE> {
    type Done = Result<usize, Stop>;

    #[inline(always)]
    fn run(self, level: impl Level) -> Self::Done {
        pass::<UNIQUE>(level, self.bytes, self.limits, self.tape, self.names, self.marks)
    }
}

#[inline(always)]
fn pass<const UNIQUE: bool>(
    level: impl Level,
    bytes: &[u8],
    limits: &Limits,
    tape: &mut [Node],
    names: &mut Names,
    marks: &mut Marks,
) -> Result<usize, Stop> {
    names.clear();
    marks.fill(level, bytes, 0);
    let mut count = 0;
    let mut depth = 0;
    let mut open = 0;
    // What closes the open container; no byte of any input closes the document itself.
    let mut closer = 0;
    let mut members = Members::default();
    let (mut at, mut byte) = token(bytes, 0);
    loop {
        if count >= tape.len() {
            return Err(full(bytes, at));
        }
        if byte == b'"' {
            let (tag, end) = string(level, bytes, marks, at, limits.string)?;
            tape[count] = Node::new(tag, at, end - at - 1);
            at = end + 1;
        } else if byte == b'{' || byte == b'[' {
            if depth >= limits.depth {
                return Err(Stop::Fault(Reason::DepthLimit, at));
            }
            // Two past its opening in ASCII, for both.
            let its_closer = byte + 2;
            let tag = if byte == b'{' { Tag::Object } else { Tag::Array };
            let start = at;
            (at, byte) = token(bytes, at + 1);
            if byte == its_closer {
                tape[count] = Node::new(tag, start, count + 1);
                at += 1;
            } else {
                if closer == b'}' {
                    tape[open] = tape[open].with_note(names.leave(members, depth));
                }
                tape[count] = Node::open(tag, start, open);
                depth += 1;
                open = count;
                count += 1;
                closer = its_closer;
                if tag == Tag::Object {
                    members = Members::default();
                    name::<UNIQUE>(
                        level,
                        bytes,
                        limits,
                        tape,
                        names,
                        marks,
                        &mut members,
                        open,
                        &mut count,
                        &mut at,
                        &mut byte,
                    )?;
                }
                continue;
            }
        } else {
            let start = at;
            let tag = match byte {
                b'-' | b'0'..=b'9' => {
                    at = number(bytes, at, limits.number)?;
                    Tag::Number
                }
                b't' => literal(bytes, &mut at, *b"true", Tag::True)?,
                b'f' => {
                    at += 1;
                    literal(bytes, &mut at, *b"alse", Tag::False)?
                }
                b'n' => literal(bytes, &mut at, *b"null", Tag::Null)?,
                _ => return Err(unexpected(bytes, at)),
            };
            tape[count] = Node::new(tag, start, at - start);
        }
        count += 1;
        loop {
            if depth == 0 {
                return end(bytes, at, count);
            }
            (at, byte) = token(bytes, at);
            if byte == b',' {
                (at, byte) = token(bytes, at + 1);
                if closer == b'}' {
                    name::<UNIQUE>(
                        level,
                        bytes,
                        limits,
                        tape,
                        names,
                        marks,
                        &mut members,
                        open,
                        &mut count,
                        &mut at,
                        &mut byte,
                    )?;
                }
                break;
            }
            if byte != closer {
                return Err(unexpected(bytes, at));
            }
            at += 1;
            if closer == b'}' && members.is_wide() {
                names.close_wide();
            }
            let node = tape[open];
            tape[open] = node.closed(count);
            depth -= 1;
            open = node.parent();
            let parent = tape[open];
            closer = b']';
            if parent.tag() == Tag::Object {
                closer = b'}';
                members = names.enter(parent.note(), depth);
            }
        }
    }
}

/// Reads a member name and its colon; leaves off at the value.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "they are the registers of the pass, which this is a part of")]
fn name<const UNIQUE: bool>(
    level: impl Level,
    bytes: &[u8],
    limits: &Limits,
    tape: &mut [Node],
    names: &mut Names,
    marks: &mut Marks,
    members: &mut Members,
    open: usize,
    count: &mut usize,
    at: &mut usize,
    byte: &mut u8,
) -> Result<(), Stop> {
    if *byte != b'"' {
        return Err(unexpected(bytes, *at));
    }
    if members.count >= limits.members {
        return Err(Stop::Fault(Reason::MemberLimit, *at));
    }
    if *count >= tape.len() {
        return Err(Stop::Full(*at));
    }
    let start = *at;
    let (tag, end) = string(level, bytes, marks, start, limits.string)?;
    let node = Node::new(tag, start, end - start - 1);
    tape[*count] = node;
    if !names.insert::<UNIQUE>(bytes, tape, open, *count, members, tag, start + 1, end) {
        return Err(Stop::Fault(Reason::DuplicateMember, start));
    }
    *count += 1;
    (*at, *byte) = token(bytes, end + 1);
    if *byte != b':' {
        return Err(unexpected(bytes, *at));
    }
    (*at, *byte) = token(bytes, *at + 1);
    Ok(())
}

/// The next byte that is no white space, and where; a zero past the end.
#[inline(always)]
fn token(bytes: &[u8], at: usize) -> (usize, u8) {
    let byte = bytes.get(at).copied().unwrap_or(0);
    if byte > b' ' {
        return (at, byte);
    }
    token_after_space(bytes, at)
}

#[inline(never)]
fn token_after_space(bytes: &[u8], at: usize) -> (usize, u8) {
    let at = scan::space(bytes, at);
    (at, bytes.get(at).copied().unwrap_or(0))
}

/// There is no room for what starts at `at`, if a value does.
#[cold]
fn full(bytes: &[u8], at: usize) -> Stop {
    match bytes.get(at) {
        Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => Stop::Full(at),
        _ => unexpected(bytes, at),
    }
}

#[cold]
fn unexpected(bytes: &[u8], at: usize) -> Stop {
    super::scalar::unexpected(bytes, at).into()
}

#[inline(never)]
fn end(bytes: &[u8], at: usize, count: usize) -> Result<usize, Stop> {
    let at = scan::space(bytes, at);
    if at < bytes.len() { Err(Stop::Fault(Reason::TrailingData, at)) } else { Ok(count) }
}

#[cfg(test)]
mod tests {
    use super::super::Decoder;
    use super::*;

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
                assert_eq!(
                    refusal(&moved, &Limits::message()),
                    Some((reason, at + moved.len() - bytes.len())),
                    "{text}"
                );
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
}
