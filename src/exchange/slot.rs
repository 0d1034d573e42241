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

use crate::case::Header;
use crate::codec::document::Value;

const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";
const PARAM: &[u8] = b"mcp-param-";

/// A value that is no text in any header.
const UNREADABLE: &[u8] = b"\0";

/// The header lines of an entry. `holders` are the recording and the entry.
pub(super) fn headers(holders: [Value<'_>; 2]) -> Vec<Header> {
    let mut lines = Vec::new();
    for holder in holders {
        if let Some(context) = holder.get("transport_context") {
            if context.is_object() {
                fold(context.get("headers"), &mut lines);
            } else {
                push(Header::new(VERSION, UNREADABLE), &mut lines);
            }
        }
        fold(holder.get("headers"), &mut lines);
    }
    lines
}

fn fold(slot: Option<Value<'_>>, lines: &mut Vec<Header>) {
    let Some(slot) = slot else { return };
    if !slot.is_object() {
        return push(Header::new(VERSION, UNREADABLE), lines);
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
        push(header, lines);
    }
}

fn push(header: Header, lines: &mut Vec<Header>) {
    let same = |other: &Header| other.value == header.value && other.name.eq_ignore_ascii_case(&header.name);
    if !lines.iter().any(same) {
        lines.push(header);
    }
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
