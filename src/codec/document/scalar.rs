//! Where does this string, number or word end, and is it spelled as JSON spells one?
//!
//! Nothing is converted: a number stays its digits and an escape is only checked.

use super::scan::{self, Level, Work};
use super::tape::Tag;
use super::text::hex;
use crate::codec::refusal::Reason;

/// What is wrong, and at which byte.
pub(super) type Fault = (Reason, usize);

/// The byte at `at`, or the end of the input, cannot stand there.
#[cold]
pub(super) fn unexpected(bytes: &[u8], at: usize) -> Fault {
    (if at < bytes.len() { Reason::UnexpectedByte } else { Reason::UnexpectedEnd }, at)
}

/// Moves past a word of which the last four letters are `word`.
#[inline(always)]
pub(super) fn literal(bytes: &[u8], at: &mut usize, word: [u8; 4], tag: Tag) -> Result<Tag, Fault> {
    if bytes.get(*at..).and_then(|rest| rest.first_chunk()) == Some(&word) {
        *at += word.len();
        return Ok(tag);
    }
    let matched = bytes[*at..].iter().zip(word).take_while(|&(&byte, letter)| byte == letter).count();
    Err(unexpected(bytes, *at + matched))
}

/// The end of the number at `start`.
#[inline(always)]
pub(super) fn number(bytes: &[u8], start: usize, limit: usize) -> Result<usize, Fault> {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let digits = |mut at: usize| {
        while digit(at) {
            at += 1;
        }
        at
    };
    let owed = |at: usize| {
        let reason = if at < bytes.len() { Reason::InvalidNumber } else { Reason::UnexpectedEnd };
        over(start, limit, at).unwrap_or((reason, at))
    };
    let mut at = start + usize::from(bytes[start] == b'-');
    if bytes.get(at) == Some(&b'0') {
        at += 1;
        if digit(at) {
            return Err(owed(at));
        }
    } else if digit(at) {
        at = digits(at + 1);
    } else {
        return Err(owed(at));
    }
    if bytes.get(at) == Some(&b'.') {
        if !digit(at + 1) {
            return Err(owed(at + 1));
        }
        at = digits(at + 2);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if !digit(at) {
            return Err(owed(at));
        }
        at = digits(at + 1);
    }
    match over(start, limit, at) {
        Some(fault) => Err(fault),
        None => Ok(at),
    }
}

#[inline(always)]
fn over(start: usize, limit: usize, end: usize) -> Option<Fault> {
    (end - start > limit).then(|| (Reason::NumberLimit, start + limit))
}

/// The closing quote of the string whose opening quote is at `open`, and whether anything is escaped.
#[inline(always)]
pub(super) fn string(bytes: &[u8], open: usize, limit: usize) -> Result<(Tag, usize), Fault> {
    let marks = scan::head(bytes, open + 1);
    let at = open + 1 + if marks == 0 { scan::HEAD } else { marks.trailing_zeros() as usize };
    if bytes.get(at) == Some(&b'"') && at - open - 1 <= limit {
        return Ok((Tag::Plain, at));
    }
    long_string(bytes, open, limit, at)
}

/// The same when nothing up to `at` matters.
#[inline(never)]
fn long_string(bytes: &[u8], open: usize, limit: usize, at: usize) -> Result<(Tag, usize), Fault> {
    let start = open + 1;
    // Most strings end plainly within one block, which is not worth asking for wider instructions.
    let marks = scan::Baseline.block(bytes, at);
    let at = at + if marks == 0 { scan::BLOCK } else { marks.trailing_zeros() as usize };
    if bytes.get(at) == Some(&b'"') && at - start <= limit {
        return Ok((Tag::Plain, at));
    }
    let (end, outcome) = scan::at_best_level(StringEnd { bytes, from: at });
    if end - start > limit {
        return Err((Reason::StringLimit, start + limit));
    }
    outcome.map(|tag| (tag, end)).map_err(|reason| (reason, end))
}

/// Where a string ends, well or not, of which the bytes before `from` are read.
struct StringEnd<'a> {
    bytes: &'a [u8],
    from: usize,
}

impl Work for StringEnd<'_> {
    type Done = (usize, Result<Tag, Reason>);

    #[inline(always)]
    fn run(self, level: impl Level) -> Self::Done {
        let bytes = self.bytes;
        let mut base = self.from;
        let mut marks = level.block(bytes, base);
        let mut tag = Tag::Plain;
        // Blocks in a row without a mark; a long run is worth wider steps.
        let mut blank = 0;
        loop {
            while marks == 0 {
                base += scan::BLOCK;
                blank += 1;
                if blank == 3 {
                    blank = 0;
                    base += level.plain(&bytes[base..]);
                }
                marks = level.block(bytes, base);
            }
            let at = base + marks.trailing_zeros() as usize;
            let next = match bytes.get(at) {
                Some(b'"') => return (at, Ok(tag)),
                Some(b'\\') => {
                    tag = Tag::Escaped;
                    match escapes(bytes, at) {
                        Ok(next) => next,
                        Err((reason, at)) => return (at, Err(reason)),
                    }
                }
                Some(0x80..) => match characters(bytes, at) {
                    Ok(next) => next,
                    Err(at) => return (at, Err(Reason::InvalidUtf8)),
                },
                Some(_) => return (at, Err(Reason::ControlCharacter)),
                None => return (bytes.len(), Err(Reason::UnexpectedEnd)),
            };
            let gone = next - base;
            if gone < scan::BLOCK {
                marks &= u64::MAX << gone;
            } else {
                base = next;
                marks = level.block(bytes, base);
            }
            blank = 0;
        }
    }
}

/// The offset after the characters above 7F from `at` on, or where a sequence that is no character starts.
#[inline(always)]
fn characters(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    let follows = |byte: u8| byte & 0xC0 == 0x80;
    while let Some(&[a, b, c, d]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        at += match a {
            0..0x80 => return Ok(at),
            0xC2..0xE0 if follows(b) => 2,
            // Neither longer than need be, nor a surrogate.
            0xE0..0xF0 if follows(b) && follows(c) && (a != 0xE0 || b >= 0xA0) && (a != 0xED || b < 0xA0) => 3,
            // Neither longer than need be, nor past 10FFFF.
            0xF0..0xF5
                if follows(b) && follows(c) && follows(d) && (a != 0xF0 || b >= 0x90) && (a != 0xF4 || b < 0x90) =>
            {
                4
            }
            _ => return Err(at),
        };
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let run = rest.iter().take_while(|byte| !byte.is_ascii()).count();
    match std::str::from_utf8(&rest[..run]) {
        Ok(_) => Ok(at + run),
        Err(error) => Err(at + error.valid_up_to()),
    }
}

/// The offset after the escapes that follow one another from the backslash at `at` on.
#[inline(always)]
fn escapes(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    loop {
        at = match bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at + 2,
            Some(b'u') => unicode_escape(bytes, at)?,
            Some(_) => return Err((Reason::InvalidEscape, at + 1)),
            None => return Err((Reason::UnexpectedEnd, bytes.len())),
        };
        if bytes.get(at) != Some(&b'\\') {
            return Ok(at);
        }
    }
}

#[inline(always)]
fn unicode_escape(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match four(bytes, at + 2)? {
        0xD800..0xDC00 => low_surrogate(bytes, at),
        0xDC00..0xE000 => Err((Reason::LoneSurrogate, at)),
        _ => Ok(at + 6),
    }
}

/// The offset after the second half of a pair whose first half is at `at`.
fn low_surrogate(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match bytes.get(at + 6..).unwrap_or_default() {
        [] | [b'\\'] => return Err((Reason::UnexpectedEnd, bytes.len())),
        [b'\\', b'u', ..] => {}
        _ => return Err((Reason::LoneSurrogate, at)),
    }
    match four(bytes, at + 8) {
        Ok(0xDC00..0xE000) => Ok(at + 12),
        Err((Reason::UnexpectedEnd, end)) => Err((Reason::UnexpectedEnd, end)),
        // The first fault is the surrogate that stays alone, whatever follows it.
        _ => Err((Reason::LoneSurrogate, at)),
    }
}

/// The value of four hexadecimal digits.
#[inline(always)]
fn four(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    match bytes.get(at..at + 4).and_then(hex) {
        Some(value) => Ok(value),
        None => Err(not_four(bytes, at)),
    }
}

#[cold]
fn not_four(bytes: &[u8], at: usize) -> Fault {
    let good = bytes[at..].iter().take(4).take_while(|digit| digit.is_ascii_hexdigit()).count();
    (if at + good < bytes.len() { Reason::InvalidEscape } else { Reason::UnexpectedEnd }, at + good)
}
