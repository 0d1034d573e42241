//! Where does this string, number or word end, and is it spelled as JSON spells one?
//!
//! Nothing is converted: a number stays its digits and an escape is only checked.

use super::scan;
use super::tape::{Node, Tag};
use super::text::hex;
use crate::codec::refusal::Reason;

/// What is wrong, and at which byte.
pub(super) type Fault = (Reason, usize);

/// The byte at `at`, or the end of the input, cannot stand there.
#[cold]
pub(super) fn unexpected(bytes: &[u8], at: usize) -> Fault {
    (if at < bytes.len() { Reason::UnexpectedByte } else { Reason::UnexpectedEnd }, at)
}

#[inline(always)]
pub(super) fn literal(bytes: &[u8], at: &mut usize, word: &[u8], tag: Tag) -> Result<Node, Fault> {
    let start = *at;
    if bytes[start..].starts_with(word) {
        *at += word.len();
        return Ok(Node::new(tag, start, word.len()));
    }
    let matched = bytes[start..].iter().zip(word).take_while(|(byte, letter)| byte == letter).count();
    Err(unexpected(bytes, start + matched))
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
    let stop = scan::string(bytes, open + 1);
    if bytes.get(stop.at) == Some(&b'"') && !stop.high && stop.at - open <= limit.saturating_add(1) {
        return Ok((Tag::Plain, stop.at));
    }
    string_with_care(bytes, open, limit, stop)
}

/// The same when there are escapes, characters above 7F, or a fault.
#[inline(never)]
fn string_with_care(bytes: &[u8], open: usize, limit: usize, first: scan::Stop) -> Result<(Tag, usize), Fault> {
    let start = open + 1;
    let mut stop = first;
    let mut high = false;
    let mut tag = Tag::Plain;
    let fault = loop {
        high |= stop.high;
        match bytes.get(stop.at) {
            Some(b'"') => break None,
            Some(b'\\') => match escape(bytes, stop.at) {
                Ok(next) => {
                    tag = Tag::Escaped;
                    stop = scan::string(bytes, next);
                }
                Err(fault) => break Some(fault),
            },
            Some(_) => break Some((Reason::ControlCharacter, stop.at)),
            None => break Some((Reason::UnexpectedEnd, bytes.len())),
        }
    };
    let mut end = fault.map_or(stop.at, |(_, at)| at);
    let mut fault = fault;
    if end - start > limit {
        end = start + limit;
        fault = Some((Reason::StringLimit, end));
    }
    if high && let Err(error) = std::str::from_utf8(&bytes[start..end]) {
        // Past the limit nothing is known of the bytes that a cut character would need.
        let cut = error.error_len().is_none() && matches!(fault, Some((Reason::StringLimit, _)));
        if !cut {
            return Err((Reason::InvalidUtf8, start + error.valid_up_to()));
        }
    }
    fault.map_or(Ok((tag, end)), Err)
}

/// The offset after the escape whose backslash is at `at`.
#[inline(always)]
fn escape(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => unicode_escape(bytes, at),
        Some(_) => Err((Reason::InvalidEscape, at + 1)),
        None => Err((Reason::UnexpectedEnd, bytes.len())),
    }
}

fn unicode_escape(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match four(bytes, at + 2)? {
        0xD800..0xDC00 => {}
        0xDC00..0xE000 => return Err((Reason::LoneSurrogate, at)),
        _ => return Ok(at + 6),
    }
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

fn four(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    let digits = &bytes[at..bytes.len().min(at + 4)];
    if let Some(value) = hex(digits).filter(|_| digits.len() == 4) {
        return Ok(value);
    }
    let good = digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count();
    if at + good < bytes.len() && good < 4 {
        return Err((Reason::InvalidEscape, at + good));
    }
    Err((Reason::UnexpectedEnd, bytes.len()))
}
