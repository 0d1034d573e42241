//! What a mirrored header value stands for, worked out a second time and apart from the codec.
//!
//! The strict reading alone: which values are refused for what they are, and which text the others mean. It never
//! compares with a body.

/// What a value means under the strict reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A byte outside tab and 20 to 7E.
    Illegal,
    /// Near a sentinel, or spaced, in a way that only the strict reading refuses.
    Near,
    /// A sentinel that does not decode to text.
    Undecodable,
    /// A sentinel, decoded.
    Decoded(String),
    /// The value itself.
    Literal(String),
}

const PREFIX: &[u8] = b"=?base64?";
const SUFFIX: &[u8] = b"?=";
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Reads a value as it stands behind the colon and one space.
pub fn meaning(raw: &[u8]) -> Meaning {
    let edge = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    if raw.iter().any(|&byte| byte != b'\t' && !(0x20..0x7f).contains(&byte)) {
        return Meaning::Illegal;
    }
    if edge(raw.first()) || edge(raw.last()) {
        return Meaning::Near;
    }
    if raw.starts_with(PREFIX) {
        return match raw[PREFIX.len()..].strip_suffix(SUFFIX) {
            Some(payload) => decode(payload),
            None => Meaning::Near,
        };
    }
    if raw.contains(&b'\t') {
        return Meaning::Near;
    }
    Meaning::Literal(String::from_utf8_lossy(raw).into_owned())
}

/// The sentinel of a text: always wrapped, padded, canonical.
pub fn wrapped(text: &str) -> Vec<u8> {
    let mut out = PREFIX.to_vec();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().enumerate().fold(0u32, |bits, (at, &byte)| bits | u32::from(byte) << (16 - 8 * at));
        for place in 0..4 {
            let symbol = ALPHABET[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() { symbol } else { b'=' });
        }
    }
    out.extend_from_slice(SUFFIX);
    out
}

/// Whether a text goes plain: 20 to 7E, no space at an edge, not starting like a sentinel.
pub fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().all(|byte| (0x20..0x7f).contains(byte))
        && bytes.first() != Some(&b' ')
        && bytes.last() != Some(&b' ')
        && !bytes.starts_with(PREFIX)
}

fn decode(payload: &[u8]) -> Meaning {
    let padding = payload.iter().rev().take_while(|&&byte| byte == b'=').count();
    if !payload.len().is_multiple_of(4) || padding > 2 {
        return Meaning::Undecodable;
    }
    let (mut bits, mut held, mut out) = (0u32, 0, Vec::new());
    for byte in &payload[..payload.len() - padding] {
        let Some(value) = ALPHABET.iter().position(|symbol| symbol == byte) else { return Meaning::Undecodable };
        bits = bits << 6 | value as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    match String::from_utf8(out) {
        Err(_) => Meaning::Undecodable,
        Ok(_) if bits != 0 => Meaning::Near,
        Ok(text) => Meaning::Decoded(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_values_holds() {
        use Meaning::{Illegal, Literal, Near, Undecodable};
        for (value, owed) in [
            (&b"caf\xc3\xa9"[..], Illegal),
            (b" a", Near),
            (b"a\tb", Near),
            (b"=?base64?Y2Fmw6k=?=", Meaning::Decoded("café".to_owned())),
            (b"=?base64?=", Near),
            (b"=?base64?YQ==", Near),
            (b"=?BASE64?YQ==?=", Literal("=?BASE64?YQ==?=".to_owned())),
            (b"YQ==?=", Literal("YQ==?=".to_owned())),
            (b"=?base64??=", Meaning::Decoded(String::new())),
            (b"=?base64?YQ?=", Undecodable),
            (b"=?base64?Y===?=", Undecodable),
            (b"=?base64?Y-_=?=", Undecodable),
            (b"=?base64?YR==?=", Near),
            (b"=?base64?/w==?=", Undecodable),
            (b"", Literal(String::new())),
        ] {
            assert_eq!(meaning(value), owed, "{}", String::from_utf8_lossy(value));
        }
    }

    #[test]
    fn wrapping_and_reading_are_inverse() {
        for text in ["", "a", "ab", "abc", "café", "=?base64?YQ==?=", "\u{10ffff}\0"] {
            assert_eq!(meaning(&wrapped(text)), Meaning::Decoded(text.to_owned()));
        }
    }
}
