//! What do the bytes between two quotes stand for?
//!
//! Escapes are validated when a document is read and decoded here, on demand. Nothing is compared byte by byte unless
//! one side is escaped.

use std::borrow::Cow;

/// The text of a string or member name, as written between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    raw: &'a [u8],
    escaped: bool,
}

impl<'a> Text<'a> {
    /// The text that those bytes between quotes spell; they must be the inside of a valid JSON string.
    ///
    /// Bytes that are no such thing are no error: they stand for some text, which one is not said.
    pub fn of_raw(raw: &'a [u8]) -> Self {
        Self { raw, escaped: raw.contains(&b'\\') }
    }

    /// The same where it is known whether anything is escaped.
    #[inline(always)]
    pub(super) fn of_node(raw: &'a [u8], escaped: bool) -> Self {
        Self { raw, escaped }
    }

    /// The bytes between the quotes, escapes as written.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Whether any character is written as an escape.
    pub fn is_escaped(self) -> bool {
        self.escaped
    }

    /// The characters that it stands for; borrowed when nothing is escaped.
    pub fn decode(self) -> Cow<'a, str> {
        if !self.is_escaped() {
            return String::from_utf8_lossy(self.raw);
        }
        let mut out = vec![0; self.raw.len()];
        let length = unescape(self.raw, &mut out);
        out.truncate(length);
        // Taken over without a copy whenever it is UTF-8, which a read document guarantees.
        Cow::Owned(String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
    }

    /// Whether it stands for exactly this text.
    #[inline]
    pub fn is(self, text: &str) -> bool {
        if !self.escaped {
            return self.raw == text.as_bytes();
        }
        pieces(self.raw).eq(text.bytes())
    }

    /// Whether two spellings stand for the same text.
    pub fn eq_text(self, other: Text<'_>) -> bool {
        same(self.raw, other.raw)
    }
}

/// Whether two spellings stand for the same bytes.
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    if !a.contains(&b'\\') && !b.contains(&b'\\') {
        return a == b;
    }
    pieces(a).eq(pieces(b))
}

/// Writes what `raw` stands for to the start of `out`, as far as there is room; gives how long it is. No spelling in a
/// document is shorter than what it stands for.
pub(super) fn unescape(raw: &[u8], out: &mut [u8]) -> usize {
    let (mut at, mut end) = (0, 0);
    while let (Some(&byte), Some(room)) = (raw.get(at), out.get_mut(end)) {
        if byte != b'\\' {
            *room = byte;
            (at, end) = (at + 1, end + 1);
            continue;
        }
        let (character, length) = escape(&raw[at..]);
        at += length;
        if character.is_ascii() {
            *room = character as u8;
            end += 1;
        } else if let Some(room) = out.get_mut(end..end + character.len_utf8()) {
            end += character.encode_utf8(room).len();
        }
    }
    end
}

/// The bytes that `raw` stands for, one after another.
fn pieces(raw: &[u8]) -> impl Iterator<Item = u8> {
    let mut rest = raw;
    let mut held = [0u8; 4];
    let (mut next, mut end) = (0, 0);
    std::iter::from_fn(move || {
        if next < end {
            next += 1;
            return Some(held[next - 1]);
        }
        let (&first, tail) = rest.split_first()?;
        if first != b'\\' {
            rest = tail;
            return Some(first);
        }
        let (character, length) = escape(rest);
        rest = &rest[length..];
        end = character.encode_utf8(&mut held).len();
        next = 1;
        Some(held[0])
    })
}

/// The character of the escape at the start of `raw` and how many bytes spell it; never more than there are.
#[inline(always)]
fn escape(raw: &[u8]) -> (char, usize) {
    let simple = match raw.get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(raw),
        Some(&other) => char::from(other),
        None => return (char::REPLACEMENT_CHARACTER, 1),
    };
    (simple, 2)
}

fn unicode(raw: &[u8]) -> (char, usize) {
    let Some(first) = raw.get(2..6).and_then(hex) else { return (char::REPLACEMENT_CHARACTER, 2) };
    if let Some(character) = char::from_u32(first) {
        return (character, 6);
    }
    let second = match raw.get(6..8) {
        Some(b"\\u") => raw.get(8..12).and_then(hex),
        _ => None,
    };
    let pair = second.filter(|low| (0xDC00..0xE000).contains(low)).filter(|_| first < 0xDC00);
    match pair.and_then(|low| char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00))) {
        Some(character) => (character, 12),
        None => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// The value of four hexadecimal digits.
#[inline(always)]
pub(super) fn hex(digits: &[u8]) -> Option<u32> {
    let &[a, b, c, d] = digits.first_chunk::<4>()?;
    let digit = |byte: u8| DIGITS[usize::from(byte)];
    let value = digit(a) << 12 | digit(b) << 8 | digit(c) << 4 | digit(d);
    (value < NO_DIGIT).then_some(value)
}

/// A bit that no four digits reach, wherever the byte that is none stands among them.
const NO_DIGIT: u32 = 1 << 16;

const DIGITS: [u32; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        let digit = b"0123456789abcdef"[value as usize];
        digits[digit as usize] = value;
        digits[digit.to_ascii_uppercase() as usize] = value;
        value += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_stands_for_its_character() {
        let text = Text::of_raw(br#"\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00z"#);
        assert_eq!(text.decode(), "\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{1F600}z");
        assert!(text.is("\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{1F600}z"));
        assert!(!text.is("\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{1F600}"));
    }

    #[test]
    fn text_without_escapes_is_borrowed() {
        assert!(matches!(Text::of_raw("caf\u{e9}".as_bytes()).decode(), Cow::Borrowed("caf\u{e9}")));
    }

    #[test]
    fn spellings_of_one_text_are_the_same_text() {
        let of = |raw: &'static str| Text::of_raw(raw.as_bytes());
        assert!(of("a").eq_text(of(r"\u0061")));
        assert!(of(r"\uD83D\ude00").eq_text(of("\u{1F600}")));
        assert!(!of("ab").eq_text(of(r"\u0061")));
        assert!(!of(r"a\u0000").eq_text(of("a")));
    }

    #[test]
    fn bytes_that_are_no_string_do_no_harm() {
        for raw in [&b"\\"[..], b"\\u", b"\\u12", b"\\ud800", b"\\ud800\\u0041", b"\\udc00", b"\xff\\n", b"\\\xff"] {
            let text = Text::of_raw(raw);
            let _ = text.decode();
            let _ = text.is("x");
        }
    }
}
