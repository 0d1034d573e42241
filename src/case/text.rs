//! The text form of a case: pseudo-headers, header lines, a blank line, the raw body.

use std::fmt;

use super::{Case, Header, Party, Revision, StatedCapabilities, Transport};

/// Why a text is not a case, a session or a frame stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeReason {
    /// The text ends before its blank line, its length or its last line feed.
    UnexpectedEnd,
    /// A line that is neither a pseudo-header nor a header line.
    MalformedLine,
    /// A pseudo-header that the format does not have.
    UnknownPseudoHeader,
    /// A pseudo-header twice or out of its place.
    PseudoHeaderOrder,
    /// A pseudo-header whose value is not in its list.
    PseudoHeaderValue,
    /// A default that is written out.
    StatedDefault,
    /// A pseudo-header or header line that does not apply to such a message.
    NotApplicable,
    /// A byte that should be escaped, or an escape that should not be there.
    Escape,
    /// The first line does not name the format.
    FormatLine,
    /// A length that is malformed or does not fit.
    Length,
}

/// A text that is not canonical: why, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Why.
    pub reason: DecodeReason,
    /// Where, in bytes from the start.
    pub offset: usize,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.reason {
            DecodeReason::UnexpectedEnd => "the text ends too early",
            DecodeReason::MalformedLine => "neither a pseudo-header nor a header line",
            DecodeReason::UnknownPseudoHeader => "an unknown pseudo-header",
            DecodeReason::PseudoHeaderOrder => "a pseudo-header twice or out of order",
            DecodeReason::PseudoHeaderValue => "a value that this pseudo-header does not have",
            DecodeReason::StatedDefault => "a default is never written",
            DecodeReason::NotApplicable => "a line that does not apply to this message",
            DecodeReason::Escape => "a byte that must be escaped, or an escape that must not",
            DecodeReason::FormatLine => "the first line does not name the format",
            DecodeReason::Length => "a length that is malformed or does not fit",
        };
        write!(f, "{words}, at byte {}", self.offset)
    }
}

impl std::error::Error for DecodeError {}

/// Where a case stands: some pseudo-headers belong in sessions only, some in lone cases only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Alone,
    InSession,
}

const PSEUDO_HEADERS: [&str; 10] = [
    "from",
    "transport",
    "connection",
    "restart",
    "method",
    "headers",
    "status",
    "context-revision",
    "context-capabilities",
    "context-method",
];

const CAPABILITY_WORDS: [(&str, StatedCapabilities); 5] = [
    ("none", StatedCapabilities::None),
    ("absent", StatedCapabilities::Absent),
    ("core-only", StatedCapabilities::CoreOnly),
    ("extension-not-understood", StatedCapabilities::ExtensionNotUnderstood),
    ("malformed", StatedCapabilities::Malformed),
];

impl Case {
    /// The text form. Fields that do not apply to the message (header lines over stdio, say) are not written.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.body.len() + 256);
        self.encode_into(&mut out, Place::Alone);
        out
    }

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// Whatever [`Case::encode`] would not have written, with the byte at which it stands.
    pub fn decode(text: &[u8]) -> Result<Self, DecodeError> {
        decode(text, Place::Alone)
    }

    pub(super) fn encode_into(&self, out: &mut Vec<u8>, place: Place) {
        let mut line = |name: &str, value: &[u8]| {
            out.push(b':');
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(value);
            out.push(b'\n');
        };
        let http = self.transport == Transport::Http;
        if self.from == Party::Server {
            line("from", b"server");
        }
        if http {
            line("transport", b"http");
        }
        if place == Place::InSession {
            if self.connection != 0 {
                line("connection", self.connection.to_string().as_bytes());
            }
            if self.restart {
                line("restart", b"yes");
            }
        }
        if http && self.from == Party::Client {
            if let Some(method) = &self.method {
                line("method", method);
            }
            if self.partial_headers {
                line("headers", b"partial");
            }
        }
        if let (true, Party::Server, Some(status)) = (http, self.from, self.status) {
            line("status", format!("{status:03}").as_bytes());
        }
        if let Some(revision) = &self.stated.revision {
            line("context-revision", revision.as_str().as_bytes());
        }
        if place == Place::Alone {
            if let Some(capabilities) = &self.stated.capabilities {
                line("context-capabilities", &capabilities.text());
            }
            if let Some(method) = &self.stated.method {
                line("context-method", method);
            }
        }
        if http {
            for Header { name, value } in &self.headers {
                escape(name, true, out);
                out.extend_from_slice(b": ");
                escape(value, false, out);
                out.push(b'\n');
            }
        }
        out.push(b'\n');
        out.extend_from_slice(&self.body);
    }
}

impl StatedCapabilities {
    /// The value of the pseudo-header.
    pub(crate) fn text(&self) -> Vec<u8> {
        match self {
            Self::Extensions(ids) => ids.join(&b','),
            word => {
                let row = CAPABILITY_WORDS.iter().find(|(_, value)| value == word);
                row.expect("every other value has a word").0.into()
            }
        }
    }

    /// What a value of the pseudo-header says; `None` where [`Self::text`] would not have written it.
    pub(crate) fn parse(value: &[u8]) -> Option<Self> {
        if let Some((_, word)) = CAPABILITY_WORDS.iter().find(|(word, _)| word.as_bytes() == value) {
            return Some(word.clone());
        }
        let ids: Vec<Vec<u8>> = value.split(|&byte| byte == b',').map(<[u8]>::to_vec).collect();
        let sorted = ids.windows(2).all(|pair| pair[0] < pair[1]);
        (sorted && ids.iter().all(|id| visible(id) && id.contains(&b'/'))).then_some(Self::Extensions(ids))
    }
}

pub(super) fn decode(text: &[u8], place: Place) -> Result<Case, DecodeError> {
    let mut case = Case::default();
    let mut at = 0;
    let mut next_pseudo = 0;
    let mut in_pseudo = true;
    loop {
        let fail = |reason| Err(DecodeError { reason, offset: at });
        let Some(length) = text[at..].iter().position(|&byte| byte == b'\n') else {
            return Err(DecodeError { reason: DecodeReason::UnexpectedEnd, offset: text.len() });
        };
        let line = &text[at..at + length];
        if line.is_empty() {
            case.body = text[at + 1..].to_vec();
            return Ok(case);
        }
        if line[0] == b':' {
            let Some(colon) = line[1..].windows(2).position(|pair| pair == b": ") else {
                return fail(DecodeReason::MalformedLine);
            };
            let (name, value) = (&line[1..1 + colon], &line[colon + 3..]);
            let Some(index) = PSEUDO_HEADERS.iter().position(|known| known.as_bytes() == name) else {
                return fail(DecodeReason::UnknownPseudoHeader);
            };
            if !in_pseudo || index < next_pseudo {
                return fail(DecodeReason::PseudoHeaderOrder);
            }
            next_pseudo = index + 1;
            pseudo_header(&mut case, index, value, place).map_err(|reason| DecodeError { reason, offset: at })?;
        } else {
            in_pseudo = false;
            if case.transport != Transport::Http {
                return fail(DecodeReason::NotApplicable);
            }
            let Some(colon) = line.iter().position(|&byte| byte == b':') else {
                return fail(DecodeReason::MalformedLine);
            };
            if colon == 0 || line.get(colon + 1) != Some(&b' ') {
                return fail(DecodeReason::MalformedLine);
            }
            case.headers.push(Header {
                name: unescape(&line[..colon], true, at)?,
                value: unescape(&line[colon + 2..], false, at + colon + 2)?,
            });
        }
        at += length + 1;
    }
}

fn pseudo_header(case: &mut Case, index: usize, value: &[u8], place: Place) -> Result<(), DecodeReason> {
    use DecodeReason::{NotApplicable, PseudoHeaderValue, StatedDefault};
    let http = case.transport == Transport::Http;
    let ensure = |holds: bool, otherwise: DecodeReason| if holds { Ok(()) } else { Err(otherwise) };
    match PSEUDO_HEADERS[index] {
        "from" => match value {
            b"server" => case.from = Party::Server,
            b"client" => return Err(StatedDefault),
            _ => return Err(PseudoHeaderValue),
        },
        "transport" => match value {
            b"http" => case.transport = Transport::Http,
            b"stdio" => return Err(StatedDefault),
            _ => return Err(PseudoHeaderValue),
        },
        "connection" => {
            ensure(place == Place::InSession, NotApplicable)?;
            case.connection = decimal(value).and_then(|number| u32::try_from(number).ok()).ok_or(PseudoHeaderValue)?;
            ensure(case.connection != 0, StatedDefault)?;
        }
        "restart" => {
            ensure(place == Place::InSession, NotApplicable)?;
            ensure(value == b"yes", PseudoHeaderValue)?;
            case.restart = true;
        }
        "method" => {
            ensure(http && case.from == Party::Client, NotApplicable)?;
            ensure(value != b"POST", StatedDefault)?;
            ensure(visible(value), PseudoHeaderValue)?;
            case.method = Some(value.to_vec());
        }
        "headers" => {
            ensure(http && case.from == Party::Client, NotApplicable)?;
            ensure(value != b"complete", StatedDefault)?;
            ensure(value == b"partial", PseudoHeaderValue)?;
            case.partial_headers = true;
        }
        "status" => {
            ensure(http && case.from == Party::Server, NotApplicable)?;
            ensure(value.len() == 3 && value.iter().all(u8::is_ascii_digit), PseudoHeaderValue)?;
            case.status = Some(value.iter().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0')));
        }
        "context-revision" => {
            case.stated.revision = Some(Revision::parse(value).ok_or(PseudoHeaderValue)?);
        }
        "context-capabilities" => {
            ensure(place == Place::Alone, NotApplicable)?;
            case.stated.capabilities = Some(StatedCapabilities::parse(value).ok_or(PseudoHeaderValue)?);
        }
        _ => {
            ensure(place == Place::Alone, NotApplicable)?;
            ensure(visible(value), PseudoHeaderValue)?;
            case.stated.method = Some(value.to_vec());
        }
    }
    Ok(())
}

/// Bytes 21 to 7E, at least one.
fn visible(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(u8::is_ascii_graphic)
}

/// A decimal number without leading zeros.
pub(super) fn decimal(text: &[u8]) -> Option<usize> {
    let canonical = !text.is_empty() && text.iter().all(u8::is_ascii_digit) && (text[0] != b'0' || text.len() == 1);
    if canonical { std::str::from_utf8(text).ok()?.parse().ok() } else { None }
}

fn must_escape(byte: u8, in_name: bool) -> bool {
    matches!(byte, 0x00..=0x1F | b'%' | 0x7F..=0xFF) || (in_name && byte == b':')
}

fn escape(bytes: &[u8], in_name: bool, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in bytes {
        if must_escape(byte, in_name) {
            out.extend_from_slice(&[b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        } else {
            out.push(byte);
        }
    }
}

fn unescape(text: &[u8], in_name: bool, start: usize) -> Result<Vec<u8>, DecodeError> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let fail = Err(DecodeError { reason: DecodeReason::Escape, offset: start + at });
        if text[at] == b'%' {
            let digit = |index: usize| match text.get(index) {
                Some(byte @ b'0'..=b'9') => Some(byte - b'0'),
                Some(byte @ b'A'..=b'F') => Some(byte - b'A' + 10),
                _ => None,
            };
            let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else { return fail };
            let byte = high << 4 | low;
            if !must_escape(byte, in_name) {
                return fail;
            }
            out.push(byte);
            at += 3;
        } else if must_escape(text[at], in_name) {
            return fail;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> DecodeReason {
        Case::decode(text.as_bytes()).expect_err(text).reason
    }

    #[test]
    fn the_smallest_case_is_one_line_feed() {
        let case = Case::decode(b"\n").unwrap();
        assert_eq!(case, Case::default());
        assert_eq!(case.encode(), b"\n");
        assert_eq!(refused(""), DecodeReason::UnexpectedEnd);
    }

    #[test]
    fn every_field_survives_the_round_trip() {
        let text = ":transport: http\n:method: GET\n:headers: partial\n:context-revision: 2025-06-18\n\
                    Mcp-Name: a%25b%FF: c\nX%3A: \n\n{}\r\n\n";
        assert_eq!(Case::decode(text.as_bytes()).unwrap().encode(), text.as_bytes());
        let text =
            ":from: server\n:transport: http\n:status: 007\n:context-capabilities: a/b,c/d\n:context-method: x\n\nraw";
        assert_eq!(Case::decode(text.as_bytes()).unwrap().encode(), text.as_bytes());
    }

    #[test]
    fn what_is_not_canonical_is_refused_with_its_reason() {
        for (text, reason) in [
            (":from: client\n\n", DecodeReason::StatedDefault),
            (":transport: stdio\n\n", DecodeReason::StatedDefault),
            (":transport: http\n:method: POST\n\n", DecodeReason::StatedDefault),
            (":transport: http\n:from: server\n\n", DecodeReason::PseudoHeaderOrder),
            (":from: server\n:from: server\n\n", DecodeReason::PseudoHeaderOrder),
            (":transport: http\nA: b\n:method: GET\n\n", DecodeReason::PseudoHeaderOrder),
            (":colour: red\n\n", DecodeReason::UnknownPseudoHeader),
            (":from: \n\n", DecodeReason::PseudoHeaderValue),
            (":from:server\n\n", DecodeReason::MalformedLine),
            (":connection: 1\n\n", DecodeReason::NotApplicable),
            (":restart: yes\n\n", DecodeReason::NotApplicable),
            (":status: 200\n\n", DecodeReason::NotApplicable),
            (":method: GET\n\n", DecodeReason::NotApplicable),
            (":from: server\n:transport: http\n:headers: partial\n\n", DecodeReason::NotApplicable),
            ("A: b\n\n", DecodeReason::NotApplicable),
            (":transport: http\nA:b\n\n", DecodeReason::MalformedLine),
            (":transport: http\nAb\n\n", DecodeReason::MalformedLine),
            (":transport: http\nA: %41\n\n", DecodeReason::Escape),
            (":transport: http\nA: %0a\n\n", DecodeReason::Escape),
            (":transport: http\nA: b\r\n\n", DecodeReason::Escape),
            (":transport: http\nA: %3A\n\n", DecodeReason::Escape),
            (":transport: http\nA: b\n", DecodeReason::UnexpectedEnd),
            (":context-revision: 2026-02-31\n\n", DecodeReason::PseudoHeaderValue),
            (":context-capabilities: b/b,a/a\n\n", DecodeReason::PseudoHeaderValue),
            (":context-capabilities: a/a,a/a\n\n", DecodeReason::PseudoHeaderValue),
            (":context-capabilities: plain\n\n", DecodeReason::PseudoHeaderValue),
            (":context-method: a b\n\n", DecodeReason::PseudoHeaderValue),
        ] {
            assert_eq!(refused(text), reason, "{text:?}");
        }
    }
}
