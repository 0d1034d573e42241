//! Is this one JSON document within the limits, and what is in it?
//!
//! One pass, no recursion: what is open is remembered in the tape itself. The first fault in the bytes is the one that
//! is told. Names are compared by [`names`](super::names), strings searched by [`scan`](super::scan); what a value
//! means is nobody's business here.
//!
//! What is usual has a path of few instructions: a name and its colon without escapes, high bytes and white space, and
//! a short string of that kind. Whatever is not takes the long way round, which tells the faults too.

use super::hash::fingerprint;
use super::marks::Marks;
use super::names::{Members, Names, SMALL};
use super::scalar::{Fault, literal, number, string};
use super::scan::{self, Level, Spaces, Work};
use super::tape::{Node, Tag};
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

/// What one document after another is read with, in one place so that one register is enough for it.
#[derive(Debug)]
pub(super) struct Scratch {
    names: Names,
    marks: Marks,
    limits: Limits,
    /// A bit for each length below 64 that a string may have.
    reach: u64,
    /// Members that need no more than a filter, and that no limit forbids.
    few: usize,
}

impl Scratch {
    /// With names whose memory may be older than the document.
    pub(super) fn new(names: Names) -> Self {
        Self { names, marks: Marks::default(), limits: Limits::message(), reach: 0, few: 0 }
    }

    fn begin(&mut self, limits: &Limits) {
        self.limits = *limits;
        self.reach = u64::MAX >> (63 - limits.string.min(63));
        self.few = limits.members.min(SMALL);
    }
}

/// Reads one document into `tape`; gives how many nodes it has. Without `UNIQUE`, names are not compared.
pub(super) fn document<const UNIQUE: bool>(
    bytes: &[u8],
    limits: &Limits,
    tape: &mut Vec<Node>,
    scratch: &mut Scratch,
) -> Result<usize, Refusal> {
    let most = limits.bytes.min(Limits::MAX_BYTES);
    if bytes.len() > most {
        return Err(Refusal::at(Reason::ByteLimit, most));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(Refusal::at(Reason::ByteOrderMark, 0));
    }
    reserve(tape, bytes.len() * 3 / 8 + 32);
    scratch.begin(limits);
    loop {
        let room = tape.len().min(limits.nodes);
        let nodes = &mut tape[..room];
        match scan::at_best_level(Pass::<UNIQUE> { bytes, tape: nodes, scratch }) {
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
    tape: &'a mut [Node],
    scratch: &'a mut Scratch,
}

impl<const UNIQUE: bool> Work for Pass<'_, UNIQUE> {
    type Done = Result<usize, Stop>;

    #[inline(always)]
    fn run(self, level: impl Level) -> Self::Done {
        pass::<UNIQUE>(level, self.bytes, self.tape, self.scratch)
    }
}

#[inline(always)]
fn pass<const UNIQUE: bool>(
    level: impl Level,
    bytes: &[u8],
    tape: &mut [Node],
    scratch: &mut Scratch,
) -> Result<usize, Stop> {
    scratch.names.clear();
    scratch.marks.fill(level, bytes, 0);
    let (mut at, byte) = token(level, bytes, 0);
    if byte != b'{' && byte != b'[' {
        return lone(level, bytes, tape, scratch, at, byte);
    }
    let mut count = 0;
    let mut depth = 0;
    let mut open = 0;
    // What closes the open container.
    let mut closer = 0;
    let mut members = Members::default();
    loop {
        let byte;
        if closer == b'}' {
            (at, byte) = name::<UNIQUE>(level, bytes, tape, scratch, &mut members, open, count, at)?;
            count += 1;
        } else {
            (at, byte) = token(level, bytes, at);
        }
        if count >= tape.len() {
            return Err(full(bytes, at));
        }
        if byte == b'"' {
            let (tag, end) = string(level, bytes, &mut scratch.marks, at, scratch.limits.string, scratch.reach)?;
            tape[count] = Node::new(tag, at, end - at - 1);
            at = end + 1;
        } else if byte == b'{' || byte == b'[' {
            if depth >= scratch.limits.depth {
                return Err(Stop::Fault(Reason::DepthLimit, at));
            }
            // Two past its opening in ASCII, for both.
            let its_closer = byte + 2;
            let tag = if byte == b'{' { Tag::Object } else { Tag::Array };
            let start = at;
            let next;
            (at, next) = token(level, bytes, at + 1);
            if next != its_closer {
                // The root has nothing to note; what this writes is then written over.
                tape[open] = tape[open].with_note(scratch.names.leave(members, depth));
                tape[count] = Node::open(tag, start, open);
                depth += 1;
                open = count;
                count += 1;
                closer = its_closer;
                members = Members::default();
                continue;
            }
            tape[count] = Node::new(tag, start, count + 1);
            at += 1;
            if depth == 0 {
                return end(level, bytes, at, count + 1);
            }
        } else {
            let (tag, end) = word(bytes, at, byte, scratch.limits.number)?;
            tape[count] = Node::new(tag, at, end - at);
            at = end;
        }
        count += 1;
        loop {
            let byte;
            (at, byte) = token(level, bytes, at);
            if byte == b',' {
                at += 1;
                break;
            }
            if byte != closer {
                return Err(unexpected(bytes, at));
            }
            at += 1;
            if members.is_wide() {
                scratch.names.close_wide();
            }
            let node = tape[open];
            tape[open] = node.closed(count);
            depth -= 1;
            if depth == 0 {
                return end(level, bytes, at, count);
            }
            open = node.parent();
            let parent = tape[open];
            closer = if parent.tag() == Tag::Object { b'}' } else { b']' };
            members = scratch.names.enter(parent.note(), depth);
        }
    }
}

/// A document that is no container.
#[inline(never)]
fn lone(
    level: impl Level,
    bytes: &[u8],
    tape: &mut [Node],
    scratch: &mut Scratch,
    at: usize,
    byte: u8,
) -> Result<usize, Stop> {
    let Some(node) = tape.first_mut() else { return Err(full(bytes, at)) };
    if byte == b'"' {
        let (tag, close) = string(level, bytes, &mut scratch.marks, at, scratch.limits.string, scratch.reach)?;
        *node = Node::new(tag, at, close - at - 1);
        return end(level, bytes, close + 1, 1);
    }
    let (tag, after) = word(bytes, at, byte, scratch.limits.number)?;
    *node = Node::new(tag, at, after - at);
    end(level, bytes, after, 1)
}

/// What the number or literal at `at` is, and where it ends.
#[inline(always)]
fn word(bytes: &[u8], at: usize, byte: u8, limit: usize) -> Result<(Tag, usize), Stop> {
    let mut end = at;
    let tag = match byte {
        b'-' | b'0'..=b'9' => {
            end = number(bytes, at, limit)?;
            Tag::Number
        }
        b't' => literal(bytes, &mut end, *b"true", Tag::True)?,
        b'f' => {
            end += 1;
            literal(bytes, &mut end, *b"alse", Tag::False)?
        }
        b'n' => literal(bytes, &mut end, *b"null", Tag::Null)?,
        _ => return Err(unexpected(bytes, at)),
    };
    Ok((tag, end))
}

/// Reads a member name and its colon; gives where its value starts, and with which byte.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "they are the registers of the pass, which this is a part of")]
fn name<const UNIQUE: bool>(
    level: impl Level,
    bytes: &[u8],
    tape: &mut [Node],
    scratch: &mut Scratch,
    members: &mut Members,
    open: usize,
    count: usize,
    at: usize,
) -> Result<(usize, u8), Stop> {
    let near = scratch.marks.from(at + 1) & scratch.reach;
    let length = near.trailing_zeros() as usize;
    if near != 0
        && let Some(rest) = bytes.get(at..)
        && length + 3 < rest.len()
        && rest[0] == b'"'
        && u16::from_le_bytes([rest[length + 1], rest[length + 2]]) == u16::from_le_bytes(*b"\":")
        && rest[length + 3] > b' '
        && count < tape.len()
    {
        tape[count] = Node::new(Tag::Plain, at, length);
        if members.count >= scratch.few {
            one_more::<UNIQUE>(bytes, tape, scratch, members.count, open, count)?;
        } else if UNIQUE && !members.insert(fingerprint(rest[1], rest[length], length), bytes, tape, open, count) {
            return Err(Stop::Fault(Reason::DuplicateMember, at));
        }
        members.count += 1;
        return Ok((at + length + 3, rest[length + 3]));
    }
    let (with_it, at, byte) = unusual_name::<UNIQUE>(level, bytes, tape, scratch, *members, open, count, at)?;
    *members = with_it;
    Ok((at, byte))
}

/// The same for a name of any spelling and what is wrong with it; gives the members with it first.
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "as for `name`")]
fn unusual_name<const UNIQUE: bool>(
    level: impl Level,
    bytes: &[u8],
    tape: &mut [Node],
    scratch: &mut Scratch,
    mut members: Members,
    open: usize,
    count: usize,
    at: usize,
) -> Result<(Members, usize, u8), Stop> {
    let (start, byte) = token(level, bytes, at);
    if byte != b'"' {
        return Err(unexpected(bytes, start));
    }
    if members.count >= scratch.limits.members {
        return Err(Stop::Fault(Reason::MemberLimit, start));
    }
    if count >= tape.len() {
        return Err(Stop::Full(start));
    }
    let (tag, end) = string(level, bytes, &mut scratch.marks, start, scratch.limits.string, scratch.reach)?;
    tape[count] = Node::new(tag, start, end - start - 1);
    if members.count >= scratch.few {
        one_more::<UNIQUE>(bytes, tape, scratch, members.count, open, count)?;
    } else if UNIQUE {
        let bit = match tag {
            Tag::Plain => fingerprint(bytes[start + 1], bytes[end - 1], end - start - 1),
            _ => scratch.names.decoded_fingerprint(&bytes[start + 1..end]),
        };
        if !members.insert(bit, bytes, tape, open, count) {
            return Err(Stop::Fault(Reason::DuplicateMember, start));
        }
    }
    members.count += 1;
    let (at, byte) = token(level, bytes, end + 1);
    if byte != b':' {
        return Err(unexpected(bytes, at));
    }
    let (at, byte) = token(level, bytes, at + 1);
    Ok((members, at, byte))
}

/// Takes the name at `index` into an object that has `count` members, more than a filter is good for or all it may have.
#[inline(never)]
fn one_more<const UNIQUE: bool>(
    bytes: &[u8],
    tape: &[Node],
    scratch: &mut Scratch,
    count: usize,
    object: usize,
    index: usize,
) -> Result<(), Stop> {
    let reason = if count >= scratch.limits.members {
        Reason::MemberLimit
    } else if !scratch.names.insert_wide::<UNIQUE>(bytes, tape, object, index, count) {
        Reason::DuplicateMember
    } else {
        return Ok(());
    };
    Err(Stop::Fault(reason, tape[index].start()))
}

/// The next byte that is no white space, and where; a zero past the end.
#[inline(always)]
fn token(level: impl Level, bytes: &[u8], at: usize) -> (usize, u8) {
    let byte = bytes.get(at).copied().unwrap_or(0);
    if byte > b' ' {
        return (at, byte);
    }
    level.run(Spaces { bytes, at })
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
fn end(level: impl Level, bytes: &[u8], at: usize, count: usize) -> Result<usize, Stop> {
    let (at, _) = token(level, bytes, at);
    if at < bytes.len() { Err(Stop::Fault(Reason::TrailingData, at)) } else { Ok(count) }
}
