//! Header values: what a careful client mirrors, and how it wraps what a header cannot hold.
//!
//! The few lines of Base64 are this module's own, so that a fault of the codec's cannot hide in both.

use arbitrary::{Result, Unstructured};

use super::{dictionary, rare};
use crate::case::Case;

/// The first bytes of a wrapped value.
pub const PREFIX: &[u8] = b"=?base64?";
/// The last bytes of a wrapped value.
pub const SUFFIX: &[u8] = b"?=";

/// Adds the three mirrored headers of a modern request, in any order and letter case.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn mirror(
    case: &mut Case,
    u: &mut Unstructured<'_>,
    odd: bool,
    version: &str,
    method: &str,
    name: Option<&str>,
) -> Result<()> {
    let folded = odd && rare(u, 1, 6)?;
    let mut add = |name: &str, value: Vec<u8>| {
        let name = if folded { name.to_ascii_lowercase() } else { name.to_owned() };
        case.headers.push(crate::case::Header { name: name.into_bytes(), value });
    };
    add(dictionary::VERSION_HEADER, version.as_bytes().to_vec());
    add(dictionary::METHOD_HEADER, method.as_bytes().to_vec());
    if let Some(name) = name {
        let needless = odd && rare(u, 1, 8)?;
        add(dictionary::NAME_HEADER, if needless { wrap(name.as_bytes()) } else { encode(name) });
    }
    if odd && rare(u, 1, 6)? {
        case.headers.reverse();
    }
    if odd && rare(u, 1, 8)? {
        case.headers.push(crate::case::Header::new("Accept", "application/json, text/event-stream"));
    }
    Ok(())
}

/// The header value of a text: plain where it can be, wrapped where it must be.
pub fn encode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let visible = bytes.iter().all(|byte| matches!(byte, 0x20..=0x7E));
    let edges = bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ');
    if visible && !edges && !bytes.starts_with(PREFIX) { bytes.to_vec() } else { wrap(bytes) }
}

/// The bytes as a sentinel.
pub fn wrap(bytes: &[u8]) -> Vec<u8> {
    let mut out = PREFIX.to_vec();
    base64(bytes, &mut out);
    out.extend_from_slice(SUFFIX);
    out
}

fn base64(bytes: &[u8], out: &mut Vec<u8>) {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, index| word << 8 | u32::from(chunk.get(index).copied().unwrap_or(0)));
        for place in 0..4 {
            let digit = ALPHABET[(word >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { digit } else { b'=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_rfc_4648_come_out() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(wrap(plain.as_bytes()), format!("=?base64?{coded}?=").into_bytes());
        }
    }

    #[test]
    fn only_what_a_header_cannot_hold_is_wrapped() {
        for plain in ["echo", "", "a b", "=?BASE64?eA==?=", "eA==", "x?="] {
            assert_eq!(encode(plain), plain.as_bytes(), "{plain}");
        }
        for wrapped in ["café", " a", "a ", "a\tb", "=?base64?=", "=?base64?eA==?=", "=?base64?x", "\u{7f}"] {
            assert!(encode(wrapped).starts_with(PREFIX), "{wrapped}");
        }
    }
}
