//! HTTP header fields: what stands in the mirrored ones, and the Base64 sentinel.
//!
//! This module observes. What a value means against the body is said in [`super::judge`].

use std::borrow::Cow;

use crate::case::{Case, Party, Transport};

/// The header that mirrors the protocol version.
pub const VERSION: &str = "MCP-Protocol-Version";
/// The header that mirrors the method.
pub const METHOD: &str = "Mcp-Method";
/// The header that mirrors a name, a URI or a task id.
pub const NAME: &str = "Mcp-Name";

/// One mirrored field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field<'a> {
    /// The first value as sent, without the one space behind the colon.
    pub value: Option<&'a [u8]>,
    /// Whether more lines of the name follow.
    pub repeated: Repeated,
    /// Whether any of its values holds a byte outside 09 and 20 to 7E.
    pub illegal: bool,
}

/// Whether a field is there more than once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeated {
    /// At most once.
    #[default]
    No,
    /// Several times with one value.
    Equal,
    /// Several times with different values.
    Different,
}

/// The mirrored fields of a message; all absent over stdio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mirrored<'a> {
    /// `MCP-Protocol-Version`, without white space at its edges unless the record is a transcript.
    pub version: Field<'a>,
    /// `Mcp-Method`, likewise.
    pub method: Field<'a>,
    /// `Mcp-Name`, as sent.
    pub name: Field<'a>,
}

impl<'a> Field<'a> {
    /// The value, when the field can be read as one: no illegal byte, no second value.
    pub fn readable(&self) -> Option<&'a [u8]> {
        self.value.filter(|_| !self.illegal && self.repeated != Repeated::Different)
    }

    /// Of field lines the space at their edges is no part of the value; of recorded values it is.
    fn add(&mut self, value: &'a [u8], recorded: bool) {
        let same = |first: &[u8]| first == value || (!recorded && trim(first) == trim(value));
        self.illegal |= value.iter().any(|byte| !matches!(byte, b'\t' | 0x20..=0x7E));
        match self.value {
            None => self.value = Some(value),
            Some(first) if same(first) && self.repeated != Repeated::Different => self.repeated = Repeated::Equal,
            Some(_) => self.repeated = Repeated::Different,
        }
    }

    /// Whether the field is there and cannot be read as one value.
    pub fn is_unreadable(&self) -> bool {
        self.value.is_some() && self.readable().is_none()
    }
}

/// Observes the mirrored fields of a message.
pub fn observe(case: &Case) -> Mirrored<'_> {
    let mut mirrored = Mirrored::default();
    if case.transport != Transport::Http {
        return mirrored;
    }
    let recorded = is_recorded(case);
    for header in &case.headers {
        let (field, trimmed) = if header.is(VERSION) {
            (&mut mirrored.version, !recorded)
        } else if header.is(METHOD) {
            (&mut mirrored.method, !recorded)
        } else if header.is(NAME) {
            (&mut mirrored.name, false)
        } else {
            continue;
        };
        let value = if trimmed { trim(&header.value) } else { &header.value[..] };
        field.add(value, recorded);
    }
    mirrored
}

/// Observes the field of one name, as sent.
pub fn observe_named<'a>(case: &'a Case, name: &str) -> Field<'a> {
    let (mut field, recorded) = (Field::default(), is_recorded(case));
    case.headers.iter().filter(|header| header.is(name)).for_each(|header| field.add(&header.value, recorded));
    field
}

/// Whoever recorded a transcript wrote down values, not field lines.
fn is_recorded(case: &Case) -> bool {
    case.from == Party::Client && case.partial_headers
}

/// A value without space and tab at both ends (RFC 9110 section 5.5).
pub fn trim(value: &[u8]) -> &[u8] {
    let blank = |byte: &&u8| matches!(**byte, b' ' | b'\t');
    let start = value.iter().take_while(blank).count();
    let end = value.len() - value[start..].iter().rev().take_while(blank).count();
    &value[start..end]
}

/// How a field value spells its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sentinel<'a> {
    /// The value itself.
    Literal(&'a [u8]),
    /// The value itself, although it starts like a sentinel: prefix and suffix overlap.
    Overlapping(&'a [u8]),
    /// The value itself, although it starts like a sentinel: the suffix is not there.
    Unclosed(&'a [u8]),
    /// The text that was wrapped, and whether its Base64 is the canonical one.
    Wrapped {
        /// The decoded text.
        text: Cow<'a, str>,
        /// Whether the bits behind the last byte are zero.
        canonical: bool,
    },
    /// A sentinel that does not decode.
    Malformed(SentinelFault),
}

/// Why a sentinel does not decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentinelFault {
    /// The length is no multiple of four, or `=` stands where it must not.
    Padding,
    /// A byte outside the standard alphabet.
    Alphabet,
    /// The bytes are not UTF-8.
    Utf8,
}

const PREFIX: &[u8] = b"=?base64?";
const SUFFIX: &[u8] = b"?=";

/// Decodes a value without white space at its edges, once.
///
/// ```
/// use wirebench::codec::header::{decode, Sentinel};
///
/// let Sentinel::Wrapped { text, .. } = decode(b"=?base64?Y2Fmw6k=?=") else { panic!() };
/// assert_eq!(text, "café");
/// assert_eq!(decode(b"=?BASE64?Y2Fmw6k=?="), Sentinel::Literal(b"=?BASE64?Y2Fmw6k=?="));
/// ```
pub fn decode(value: &[u8]) -> Sentinel<'_> {
    let Some(rest) = value.strip_prefix(PREFIX) else { return Sentinel::Literal(value) };
    let Some(payload) = rest.strip_suffix(SUFFIX) else {
        return if value.ends_with(SUFFIX) { Sentinel::Overlapping(value) } else { Sentinel::Unclosed(value) };
    };
    match base64(payload) {
        Err(fault) => Sentinel::Malformed(fault),
        Ok((bytes, canonical)) => match String::from_utf8(bytes) {
            Ok(text) => Sentinel::Wrapped { text: text.into(), canonical },
            Err(_) => Sentinel::Malformed(SentinelFault::Utf8),
        },
    }
}

/// Writes a text as a field value: plain where that is unambiguous, else wrapped.
pub fn encode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let edge = |byte: Option<&u8>| byte == Some(&b' ');
    let plain = bytes.iter().all(|byte| matches!(byte, 0x20..=0x7E))
        && !edge(bytes.first())
        && !edge(bytes.last())
        && !bytes.starts_with(PREFIX);
    if plain {
        return bytes.to_vec();
    }
    let mut out = PREFIX.to_vec();
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, at| word << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let sextet = (word >> (18 - 6 * at)) as usize & 63;
            out.push(if at <= chunk.len() { ALPHABET[sextet] } else { b'=' });
        }
    }
    out.extend_from_slice(SUFFIX);
    out
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(payload: &[u8]) -> Result<(Vec<u8>, bool), SentinelFault> {
    let padding = payload.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = &payload[..payload.len() - padding];
    if digits.iter().any(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'+' | b'/' | b'=')) {
        return Err(SentinelFault::Alphabet);
    }
    if !payload.len().is_multiple_of(4) || padding > 2 || digits.contains(&b'=') {
        return Err(SentinelFault::Padding);
    }
    let mut out = Vec::with_capacity(payload.len() / 4 * 3);
    let (mut word, mut bits) = (0u32, 0);
    for byte in digits {
        word = word << 6 | sextet(*byte);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
            word &= (1 << bits) - 1;
        }
    }
    Ok((out, word == 0))
}

fn sextet(byte: u8) -> u32 {
    u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentinel_table_holds_row_by_row() {
        let wrapped = |text: &'static str, canonical| Sentinel::Wrapped { text: text.into(), canonical };
        for (value, read) in [
            ("=?base64?=", Sentinel::Overlapping(b"=?base64?=")),
            ("=?base64?YQ==", Sentinel::Unclosed(b"=?base64?YQ==")),
            ("=?BASE64?YQ==?=", Sentinel::Literal(b"=?BASE64?YQ==?=")),
            ("YQ==?=", Sentinel::Literal(b"YQ==?=")),
            ("YQ==", Sentinel::Literal(b"YQ==")),
            ("=?base64??=", wrapped("", true)),
            ("=?base64?YQ?=", Sentinel::Malformed(SentinelFault::Padding)),
            ("=?base64?Y===?=", Sentinel::Malformed(SentinelFault::Padding)),
            ("=?base64?YQ=a?=", Sentinel::Malformed(SentinelFault::Padding)),
            ("=?base64?Y-==?=", Sentinel::Malformed(SentinelFault::Alphabet)),
            ("=?base64?Y Q=?=", Sentinel::Malformed(SentinelFault::Alphabet)),
            ("=?base64?YR==?=", wrapped("a", false)),
            ("=?base64?/w==?=", Sentinel::Malformed(SentinelFault::Utf8)),
            ("=?base64?AA==?=", wrapped("\0", true)),
            ("=?base64?PT9iYXNlNjQ/WVE9PT89?=", wrapped("=?base64?YQ==?=", true)),
            ("", Sentinel::Literal(b"")),
        ] {
            assert_eq!(decode(value.as_bytes()), read, "{value}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "",
            "plain",
            " edge",
            "edge ",
            "in side",
            "tab\tin",
            "é",
            "=?base64?",
            "=?base64?=",
            "=?base64?x?=",
            "\u{7f}",
        ] {
            let value = encode(text);
            let read = match decode(trim(&value)) {
                Sentinel::Literal(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
                Sentinel::Wrapped { text, canonical: true } => text.into_owned(),
                other => panic!("{text:?} reads {other:?}"),
            };
            assert_eq!(read, text);
        }
    }

    #[test]
    fn a_field_is_readable_when_it_is_there_with_one_value_of_legal_bytes() {
        for (values, value, readable, repeated, illegal) in [
            (&[][..], None, None, Repeated::No, false),
            (&["a"], Some("a"), Some("a"), Repeated::No, false),
            (&["a", "a "], Some("a"), Some("a"), Repeated::Equal, false),
            (&["a", "b"], Some("a"), None, Repeated::Different, false),
            (&["a", "b", "a"], Some("a"), None, Repeated::Different, false),
            (&["a\u{1}"], Some("a\u{1}"), None, Repeated::No, true),
            (&["a\u{1}", "a"], Some("a\u{1}"), None, Repeated::Different, true),
            (&["a", "\u{7f}"], Some("a"), None, Repeated::Different, true),
            (&["\t ~"], Some("\t ~"), Some("\t ~"), Repeated::No, false),
        ] {
            let case = values.iter().fold(Case::http(Party::Client, ""), |case, value| case.with_header("X", *value));
            let case = case.with_header("Y", "other");
            let field = observe_named(&case, "x");
            let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap());
            assert_eq!(text(field.value).as_deref(), value, "{values:?}");
            assert_eq!(text(field.readable()).as_deref(), readable, "{values:?}");
            assert_eq!((field.repeated, field.illegal), (repeated, illegal), "{values:?}");
            assert_eq!(field.is_unreadable(), value.is_some() && readable.is_none(), "{values:?}");
        }
    }

    #[test]
    fn recorded_values_that_differ_by_space_alone_differ() {
        let case = Case::http(Party::Client, "").with_header(VERSION, "2025-03-26").with_header(VERSION, "2025-03-26 ");
        assert_eq!(observe(&case).version.repeated, Repeated::Equal);
        let transcript = Case { partial_headers: true, ..case };
        assert_eq!(observe(&transcript).version.repeated, Repeated::Different);
        assert_eq!(observe_named(&transcript, VERSION).repeated, Repeated::Different);
    }

    #[test]
    fn mirrored_fields_are_trimmed_but_for_the_name_and_what_a_transcript_holds() {
        let http = Case::http(Party::Client, "")
            .with_header("mcp-protocol-version", " v ")
            .with_header("MCP-METHOD", " m ")
            .with_header("Mcp-Name", " n ")
            .with_header("Mcp-Other", "o");
        let values = |case: &Case| {
            let mirrored = observe(case);
            [mirrored.version, mirrored.method, mirrored.name]
                .map(|field| field.value.map(|value| String::from_utf8(value.to_vec()).unwrap()))
        };
        let owned = |text: [&str; 3]| text.map(|text| Some(text.to_owned()));
        assert_eq!(values(&http), owned(["v", "m", " n "]));
        let transcript = Case { partial_headers: true, ..http.clone() };
        assert_eq!(values(&transcript), owned([" v ", " m ", " n "]));
        assert_eq!(values(&Case { from: Party::Server, ..transcript }), owned(["v", "m", " n "]));
        assert_eq!(values(&Case { transport: Transport::Stdio, ..http }), [None, None, None]);
    }
}
