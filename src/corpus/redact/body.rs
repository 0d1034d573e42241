//! How the strings and numbers of a body are exchanged while every other byte stays.
//!
//! A lexer and no parser: it walks over broken JSON too, so that a fault stays the same fault. A character is spelled as it
//! was spelled, and what is no character of JSON (a lone surrogate, a byte that is no UTF-8) stays where it is.

use super::Redactor;

/// Rewrites a body.
pub(super) fn rewrite(redactor: &mut Redactor, body: &[u8]) -> Vec<u8> {
    let mut walk = Walk { redactor, body, at: 0, out: Vec::with_capacity(body.len()), open: Vec::new() };
    while let Some(&byte) = body.get(walk.at) {
        walk.step(byte);
    }
    walk.out
}

/// An open container.
struct Open {
    object: bool,
    /// The member that is being read, or for an array the member that holds it.
    name: String,
    expects_name: bool,
}

struct Walk<'a, 'r> {
    redactor: &'r mut Redactor,
    body: &'a [u8],
    at: usize,
    out: Vec<u8>,
    open: Vec<Open>,
}

impl Walk<'_, '_> {
    fn step(&mut self, byte: u8) {
        match byte {
            b'"' => return self.string(),
            b'{' | b'[' => {
                let name = self.open.last().map(|open| open.name.clone()).unwrap_or_default();
                self.open.push(Open { object: byte == b'{', name, expects_name: byte == b'{' });
            }
            b'}' | b']' => drop(self.open.pop()),
            b',' => self.open.iter_mut().last().into_iter().for_each(|open| open.expects_name = open.object),
            b':' => self.open.iter_mut().last().into_iter().for_each(|open| open.expects_name = false),
            byte if byte.is_ascii_whitespace() => {}
            _ => return self.bare(),
        }
        self.out.push(byte);
        self.at += 1;
    }

    fn string(&mut self) {
        let start = self.at + 1;
        let (units, end) = units(self.body, start);
        let is_name = self.open.last().is_some_and(|open| open.expects_name);
        self.out.push(b'"');
        for part in units.chunk_by(|left, right| left.character.is_some() == right.character.is_some()) {
            let text: Option<String> = part.iter().map(|unit| unit.character).collect();
            let Some(text) = text else {
                part.iter().for_each(|unit| self.out.extend_from_slice(unit.raw));
                continue;
            };
            let name = self.open.last().map(|open| open.name.as_str()).unwrap_or_default();
            let new = if is_name { self.redactor.text(&text) } else { self.redactor.value(name, &text) };
            for (unit, new) in part.iter().zip(new.chars()) {
                respell(unit, new, &mut self.out);
            }
        }
        if is_name && let Some(open) = self.open.last_mut() {
            open.name = units.iter().filter_map(|unit| unit.character).collect();
        }
        self.at = end;
        if self.body.get(end) == Some(&b'"') {
            self.out.push(b'"');
            self.at += 1;
        }
    }

    /// A number, a literal, or whatever else stands outside of strings.
    fn bare(&mut self) {
        let rest = &self.body[self.at..];
        let ends =
            |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"') || byte.is_ascii_whitespace();
        let token = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        let number = token[0] == b'-' || token[0].is_ascii_digit();
        let new = match std::str::from_utf8(token) {
            Ok(text) if number => self.redactor.number(text).into_bytes(),
            _ => self.redactor.bytes(token),
        };
        self.out.extend_from_slice(&new);
        self.at += token.len();
    }
}

/// One character of a string as it is spelled, or bytes that spell none.
struct Unit<'a> {
    raw: &'a [u8],
    character: Option<char>,
}

/// What stands between the quotes, and where that ends.
fn units(body: &[u8], start: usize) -> (Vec<Unit<'_>>, usize) {
    let mut units = Vec::new();
    let mut at = start;
    while at < body.len() && body[at] != b'"' {
        let unit = unit(&body[at..]);
        at += unit.raw.len();
        units.push(unit);
    }
    (units, at)
}

fn unit(rest: &[u8]) -> Unit<'_> {
    let of = |length: usize, character| Unit { raw: &rest[..length], character };
    match rest {
        [b'\\', b'u', ..] => match (hex(rest), rest.get(6..).and_then(hex)) {
            (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
                of(12, char::from_u32(0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00))))
            }
            (Some(code), _) => of(6, char::from_u32(code)),
            (None, _) => of(2, None),
        },
        [b'\\', escape, ..] => {
            let character = match escape {
                b'"' | b'\\' | b'/' => Some(char::from(*escape)),
                b'b' => Some('\u{8}'),
                b'f' => Some('\u{C}'),
                b'n' => Some('\n'),
                b'r' => Some('\r'),
                b't' => Some('\t'),
                _ => None,
            };
            of(2, character)
        }
        [b'\\' | ..=0x1F, ..] => of(1, None),
        _ => match crate::corpus::redact::first_character(rest) {
            Some(character) => of(character.len_utf8(), Some(character)),
            None => of(1, None),
        },
    }
}

/// The code unit that `\uXXXX` spells.
fn hex(rest: &[u8]) -> Option<u32> {
    let digits = rest.strip_prefix(b"\\u")?.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn respell(unit: &Unit<'_>, new: char, out: &mut Vec<u8>) {
    match (unit.character == Some(new), unit.raw) {
        (false, [b'\\', b'u', ..]) => {
            for code in new.encode_utf16(&mut [0; 2]) {
                out.extend_from_slice(format!("\\u{code:04x}").as_bytes());
            }
        }
        (false, [first, ..]) if *first != b'\\' => out.extend_from_slice(new.encode_utf8(&mut [0; 4]).as_bytes()),
        // A short escape spells what has no stand-in.
        _ => out.extend_from_slice(unit.raw),
    }
}
