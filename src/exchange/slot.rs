//! How the header slots of a framed recording become header lines.
//!
//! Up to four slots speak about one entry: `transport_context.headers` and `headers` of the recording, and the same two
//! of the entry. They fold into one list of lines: equal values of one name stay one line, different values stay
//! different lines. What cannot be a header line survives as one that no reader accepts:
//!
//! | in the slot | in the case |
//! | --- | --- |
//! | a container that is no object | the version header with a value of one NUL |
//! | a value of a mirrored header that is no string | that header with a value of one NUL |
//! | a version or method with white space at an edge | the value in quotation marks, so that nobody trims it |
//!
//! Values of other headers that are no strings are dropped: no stage reads them.

use std::collections::HashSet;

use crate::case::Header;
use crate::codec::document::Value;

const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";
const PARAM: &[u8] = b"mcp-param-";

/// A value that is no text in any header.
const UNREADABLE: &[u8] = b"\0";

/// Header lines that were folded so far.
#[derive(Clone, Default)]
pub(super) struct Lines {
    lines: Vec<Header>,
    /// Names in lower case with their values, so that many lines fold in proportion to their number.
    seen: HashSet<(Vec<u8>, Vec<u8>)>,
}

impl Lines {
    /// These lines and those of the two slots of `holder`: a recording, or an entry.
    pub(super) fn and(mut self, holder: Value<'_>) -> Self {
        if let Some(context) = holder.get("transport_context") {
            if context.is_object() {
                self.fold(context.get("headers"));
            } else {
                self.push(Header::new(VERSION, UNREADABLE));
            }
        }
        self.fold(holder.get("headers"));
        self
    }

    /// How many bytes they take.
    pub(super) fn size(&self) -> usize {
        size(&self.lines)
    }

    /// The lines in the order in which they were met.
    pub(super) fn into_headers(self) -> Vec<Header> {
        self.lines
    }

    fn fold(&mut self, slot: Option<Value<'_>>) {
        let Some(slot) = slot else { return };
        if !slot.is_object() {
            return self.push(Header::new(VERSION, UNREADABLE));
        }
        for (name, value) in slot.members() {
            let name = name.decode();
            if name.is_empty() {
                continue;
            }
            let mut header = Header::new(name.as_bytes(), UNREADABLE);
            match value.as_text() {
                Some(text) => header.value = as_recorded(&header, text.decode().as_bytes()),
                None if is_mirrored(&header) => {}
                None => continue,
            }
            self.push(header);
        }
    }

    fn push(&mut self, header: Header) {
        if self.seen.insert((header.name.to_ascii_lowercase(), header.value.clone())) {
            self.lines.push(header);
        }
    }
}

/// How many bytes header lines take.
pub(super) fn size(lines: &[Header]) -> usize {
    lines.iter().map(|line| line.name.len() + line.value.len() + size_of::<Header>()).sum()
}

fn is_mirrored(header: &Header) -> bool {
    let param = header.name.len() > PARAM.len() && header.name[..PARAM.len()].eq_ignore_ascii_case(PARAM);
    header.is(VERSION) || header.is(METHOD) || header.is(NAME) || param
}

fn as_recorded(header: &Header, value: &[u8]) -> Vec<u8> {
    let edge = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let trimmed_by_readers = header.is(VERSION) || header.is(METHOD);
    if trimmed_by_readers && (edge(value.first()) || edge(value.last())) {
        [b"\"", value, b"\""].concat()
    } else {
        value.to_vec()
    }
}
