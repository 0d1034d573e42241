//! Where does this string, number or word end, and is it spelled as JSON spells one?
//!
//! Nothing is converted: a number stays its digits and an escape is only checked.

use super::marks::Marks;
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
    let owed = |at: usize| {
        let reason = if at < bytes.len() { Reason::InvalidNumber } else { Reason::UnexpectedEnd };
        over(start, limit, at).unwrap_or((reason, at))
    };
    let mut at = start + usize::from(bytes[start] == b'-');
    if !digit(at) {
        return Err(owed(at));
    }
    if digit(at + 1) {
        if bytes[at] == b'0' {
            return Err(owed(at + 1));
        }
        at = digits(bytes, at + 2);
    } else {
        at += 1;
    }
    if bytes.get(at) == Some(&b'.') {
        if !digit(at + 1) {
            return Err(owed(at + 1));
        }
        at = digits(bytes, at + 2);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if !digit(at) {
            return Err(owed(at));
        }
        at = digits(bytes, at + 1);
    }
    match over(start, limit, at) {
        Some(fault) => Err(fault),
        None => Ok(at),
    }
}

/// The offset after the digits from `at` on. Byte by byte, not by a search of bits: where a number ends is then guessed
/// like any branch, and what follows need not wait for it.
#[inline(always)]
fn digits(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

#[inline(always)]
fn over(start: usize, limit: usize, end: usize) -> Option<Fault> {
    (end - start > limit).then(|| (Reason::NumberLimit, start + limit))
}

/// The closing quote of the string whose opening quote is at `open`, and whether anything is escaped. `reach` has a bit
/// for each length below 64 within `limit`.
#[inline(always)]
pub(super) fn string(
    level: impl Level,
    bytes: &[u8],
    marks: &mut Marks,
    open: usize,
    limit: usize,
    reach: u64,
) -> Result<(Tag, usize), Fault> {
    let start = open + 1;
    let near = marks.from(start) & reach;
    let length = near.trailing_zeros() as usize;
    if near != 0 && bytes.get(start + length) == Some(&b'"') {
        return Ok((Tag::Plain, start + length));
    }
    level.run(StringEnd { bytes, marks, start, limit })
}

/// Where a string ends that is not plain, or not short.
struct StringEnd<'a> {
    bytes: &'a [u8],
    marks: &'a mut Marks,
    start: usize,
    limit: usize,
}

impl Work for StringEnd<'_> {
    type Done = Result<(Tag, usize), Fault>;

    #[inline(always)]
    fn run(self, level: impl Level) -> Self::Done {
        let Self { bytes, marks, start, limit } = self;
        let (end, outcome) = string_end(level, bytes, marks, start);
        if end - start > limit {
            return Err((Reason::StringLimit, start + limit));
        }
        outcome.map(|tag| (tag, end)).map_err(|reason| (reason, end))
    }
}

/// Where the string that starts at `start` ends, well or not.
#[inline(always)]
fn string_end(level: impl Level, bytes: &[u8], marks: &mut Marks, start: usize) -> (usize, Result<Tag, Reason>) {
    let mut tag = Tag::Plain;
    let (mut base, mut near) = marks.block(level, bytes, start);
    loop {
        if near == 0 {
            (base, near) = marks.next_block(level, bytes, base);
        }
        let at = base + near.trailing_zeros() as usize;
        let next = match bytes.get(at) {
            Some(b'"') => return (at, Ok(tag)),
            Some(b'\\') => {
                tag = Tag::Escaped;
                match escapes(bytes, at) {
                    Ok(next) => next,
                    Err((reason, at)) => return (at, Err(reason)),
                }
            }
            Some(0x80..) => {
                let many = near.count_ones() >= MANY;
                match if many { text(level, bytes, at) } else { characters(bytes, at) } {
                    Ok(next) => next,
                    Err(at) => return (at, Err(Reason::InvalidUtf8)),
                }
            }
            Some(_) => return (at, Err(Reason::ControlCharacter)),
            None => return (bytes.len(), Err(Reason::UnexpectedEnd)),
        };
        let gone = next - base;
        if gone < scan::BLOCK {
            near &= u64::MAX << gone;
        } else {
            (base, near) = marks.block(level, bytes, next);
        }
    }
}

/// Marks of one block that are better taken together.
const MANY: u32 = 24;

/// The offset of what ends the text that holds `at` or starts an escape in it, or where a sequence that is no character
/// starts. No such byte is part of a longer character, so all before it can be judged at once.
#[inline(always)]
fn text(level: impl Level, bytes: &[u8], at: usize) -> Result<usize, usize> {
    let end = scan::text_end(level, bytes, at);
    if simdutf8::basic::from_utf8(&bytes[at..end]).is_ok() {
        return Ok(end);
    }
    Err(at + std::str::from_utf8(&bytes[at..end]).err().map_or(0, |error| error.valid_up_to()))
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

/// The bytes that are an escape with nothing but a backslash; looked up, because a jump for each is seldom foreseen.
const ESCAPES: [bool; 256] = {
    let mut escapes = [false; 256];
    let mut index = 0;
    while index < 8 {
        escapes[b"\"\\/bfnrt"[index] as usize] = true;
        index += 1;
    }
    escapes
};

/// The offset after the escapes that follow one another from the backslash at `at` on.
#[inline(always)]
fn escapes(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    loop {
        at = match bytes.get(at + 1) {
            Some(&letter) if ESCAPES[usize::from(letter)] => at + 2,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_end_and_fail_where_the_standard_library_says() {
        // The bounds of every range that a second, third or fourth byte may be in, and their neighbours.
        const NEXT: [u8; 10] = [b'"', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF];
        for a in 0x80..=0xFF {
            for (b, c, d) in
                NEXT.iter().flat_map(|b| NEXT.iter().flat_map(move |c| NEXT.iter().map(move |d| (*b, *c, *d))))
            {
                let bytes = [a, b, c, d, b'"', b'x', b'y', b'z'];
                let run = bytes.iter().take_while(|byte| !byte.is_ascii()).count();
                let expected = match std::str::from_utf8(&bytes[..run]) {
                    Ok(_) => Ok(run),
                    Err(error) => Err(error.valid_up_to()),
                };
                assert_eq!(characters(&bytes, 0), expected, "{bytes:x?}");
                // Where less than four bytes are left, another way is taken.
                assert_eq!(characters(&bytes[..run], 0), expected, "{:x?}", &bytes[..run]);
            }
        }
    }

    #[test]
    fn the_second_half_of_a_pair_is_an_escape_of_its_own() {
        for (rest, outcome) in [
            (r"\ude00", Ok(12)),
            (r"\udc00", Ok(12)),
            (r"\udfff", Ok(12)),
            (r"\ue000", Err((Reason::LoneSurrogate, 0))),
            (r"\udbff", Err((Reason::LoneSurrogate, 0))),
            (r"\ude0x", Err((Reason::LoneSurrogate, 0))),
            (r"\n", Err((Reason::LoneSurrogate, 0))),
            (r"x", Err((Reason::LoneSurrogate, 0))),
            ("", Err((Reason::UnexpectedEnd, 6))),
            (r"\", Err((Reason::UnexpectedEnd, 7))),
            (r"\u", Err((Reason::UnexpectedEnd, 8))),
            (r"\ude0", Err((Reason::UnexpectedEnd, 11))),
        ] {
            let text = format!(r"\ud83d{rest}");
            assert_eq!(unicode_escape(text.as_bytes(), 0), outcome, "{text}");
        }
        for (text, outcome) in [
            (r"\ud7ff", Ok(6)),
            (r"\ue000", Ok(6)),
            (r"\udc00", Err((Reason::LoneSurrogate, 0))),
            (r"\udfff", Err((Reason::LoneSurrogate, 0))),
            (r"\u00g0", Err((Reason::InvalidEscape, 4))),
            (r"\u000", Err((Reason::UnexpectedEnd, 5))),
        ] {
            assert_eq!(unicode_escape(text.as_bytes(), 0), outcome, "{text}");
        }
    }
}
