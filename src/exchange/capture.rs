//! What a capture holds: the raw bytes of one exchange, or of several steps, in Base64.
//!
//! Unlike a recording, a capture has every header line as it was sent, so that missing ones are faults. Answers that are
//! no JSON (a page of HTML, say) are passed over: they are no messages.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::slot::size;
use super::{Recorded, within_expansion};
use crate::case::{Case, Header, Party, Revision};
use crate::codec::document::{Decoder, Value, ValueKind};
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Recorded>, Refusal> {
    let mut decoder = Decoder::new();
    let root = decoder.read(bytes, limits)?.root();
    let transport = root.get("transport");
    let over_http = match transport.and_then(Value::as_text) {
        Some(name) if name.is("http") => true,
        Some(name) if name.is("stdio") => false,
        _ => return Err(Refusal::at(Reason::TranscriptTransport, transport.unwrap_or(root).offset())),
    };
    let mut capture = Capture { over_http, established: established(root), limits: *limits, messages: Vec::new() };
    match root.get("steps").filter(|steps| steps.kind() == ValueKind::Array) {
        Some(steps) => steps.elements().try_for_each(|step| capture.step(step))?,
        None => capture.step(root)?,
    }
    Ok(capture.messages)
}

/// The revision that was negotiated before the capture begins.
fn established(root: Value<'_>) -> Option<Revision> {
    let preamble = root.get("preamble")?.as_text()?.decode();
    Revision::parse(preamble.strip_prefix("legacy:")?.as_bytes())
}

struct Capture {
    over_http: bool,
    established: Option<Revision>,
    limits: Limits,
    messages: Vec<Recorded>,
}

impl Capture {
    fn step(&mut self, step: Value<'_>) -> Result<(), Refusal> {
        for (name, from) in [("request_raw_base64", Party::Client), ("response_raw_base64", Party::Server)] {
            let Some(value) = step.get(name).filter(|value| value.kind() != ValueKind::Null) else { continue };
            let refuse = || Refusal::at(Reason::TranscriptShape, value.offset());
            let text = value.as_text().ok_or_else(refuse)?;
            let raw = STANDARD.decode(text.decode().as_bytes()).map_err(|_| refuse())?;
            if self.over_http {
                self.exchange(from, &raw, value.offset())?;
            } else {
                self.lines(from, &raw, value.offset());
            }
        }
        Ok(())
    }

    fn lines(&mut self, from: Party, raw: &[u8], offset: usize) {
        for line in raw.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            self.push(Case::stdio(from, line), offset);
        }
    }

    fn exchange(&mut self, from: Party, raw: &[u8], offset: usize) -> Result<(), Refusal> {
        let (head, body) = split_at_first(raw, b"\r\n\r\n").unwrap_or((raw, b""));
        let mut lines = head.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let first = lines.next().unwrap_or_default();
        let mut case = Case::http(from, "");
        match from {
            Party::Client => case.method = method(first),
            Party::Server => case.status = status(first),
        }
        case.headers = lines.filter_map(header).collect();
        let body = if says(&case, "Transfer-Encoding", b"chunked") { unchunked(body) } else { body.to_vec() };
        if says(&case, "Content-Type", b"text/event-stream") {
            let events = events(&body);
            if within_expansion(size(&case.headers), events.len(), &self.limits) {
                events.into_iter().for_each(|body| self.push(Case { body, ..case.clone() }, offset));
            } else {
                return Err(Refusal::at(Reason::ByteLimit, offset));
            }
        } else if from == Party::Client || matches!(body.trim_ascii_start().first(), Some(b'{' | b'[')) {
            self.push(Case { body, ..case }, offset);
        }
        Ok(())
    }

    fn push(&mut self, mut case: Case, offset: usize) {
        case.stated.revision = self.established;
        self.messages.push(Recorded { index: self.messages.len(), offset, case });
    }
}

/// The method of a request line, where it is not the usual one.
fn method(line: &[u8]) -> Option<Vec<u8>> {
    let method = line.split(|&byte| byte == b' ').next()?;
    let named = !method.is_empty() && method.iter().all(u8::is_ascii_graphic) && method != b"POST";
    named.then(|| method.to_vec())
}

/// The status of a status line.
fn status(line: &[u8]) -> Option<u16> {
    let word = line.split(|&byte| byte == b' ').nth(1)?;
    std::str::from_utf8(word).ok()?.parse().ok().filter(|status| (100..=999).contains(status))
}

fn header(line: &[u8]) -> Option<Header> {
    let (name, value) = split_at_first(line, b":")?;
    (!name.is_empty()).then(|| Header::new(name, value.strip_prefix(b" ").unwrap_or(value)))
}

pub(super) fn says(case: &Case, name: &str, value: &[u8]) -> bool {
    let starts = |header: &Header| header.value.get(..value.len()).is_some_and(|it| it.eq_ignore_ascii_case(value));
    case.headers_named(name).any(starts)
}

/// The payload of a chunked body (RFC 9112 section 7.1); what cannot be read ends it.
fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some((line, behind)) = split_at_first(rest, b"\r\n") {
        let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
        let size = std::str::from_utf8(digits).ok().and_then(|text| usize::from_str_radix(text.trim(), 16).ok());
        let Some(chunk) = size.filter(|&size| size > 0).and_then(|size| behind.get(..size)) else { break };
        body.extend_from_slice(chunk);
        rest = behind[chunk.len()..].strip_prefix(b"\r\n").unwrap_or(&behind[chunk.len()..]);
    }
    body
}

/// The data of the events of a stream that carry a message: those named `message` or not at all.
pub(super) fn events(stream: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let (mut data, mut named): (Option<Vec<u8>>, bool) = (None, false);
    let lines = stream.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    for line in lines.chain([b"".as_slice()]) {
        let (field, value) = split_at_first(line, b":").unwrap_or((line, b""));
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"" if line.is_empty() => {
                found.extend(data.take().filter(|data| !named && !data.is_empty()));
                named = false;
            }
            b"data" => match &mut data {
                Some(data) => data.extend([b"\n", value].concat()),
                None => data = Some(value.to_vec()),
            },
            b"event" => named = !value.is_empty() && value != b"message",
            _ => {}
        }
    }
    found
}

fn split_at_first<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((&bytes[..at], &bytes[at + mark.len()..]))
}

#[cfg(test)]
mod tests {
    use super::super::{Form, read};
    use super::*;

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

    fn capture(transport: &str, request: &str, response: &str) -> Vec<Case> {
        let [request, response] = [request, response].map(|raw| STANDARD.encode(raw));
        let text = format!(
            r#"{{"transport":"{transport}","preamble":"legacy:2025-06-18","request_raw_base64":"{request}","response_raw_base64":"{response}"}}"#
        );
        read(Form::Capture, text.as_bytes()).expect("readable").into_iter().map(|message| message.case).collect()
    }

    #[test]
    fn an_exchange_over_http_keeps_every_header_line_and_the_payload_of_its_chunks() {
        let request = format!("POST /mcp HTTP/1.1\r\nMcp-Method:  ping\r\nX:\r\n\r\n{PING}");
        let chunks = format!("{:x}\r\n{}\r\n{:X};x=y\r\n{}\r\n0\r\n\r\n", 4, &PONG[..4], PONG.len() - 4, &PONG[4..]);
        let response = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{chunks}");
        let cases = capture("http", &request, &response);
        assert_eq!(cases[0].headers, [Header::new("Mcp-Method", " ping"), Header::new("X", "")]);
        assert_eq!((cases[0].body.as_slice(), cases[0].partial_headers), (PING.as_bytes(), false));
        assert_eq!((cases[1].body.as_slice(), cases[1].status), (PONG.as_bytes(), Some(200)));
        assert_eq!(cases[1].stated.revision, Revision::parse(b"2025-06-18"));
    }

    #[test]
    fn an_event_stream_gives_a_message_an_event_and_a_page_gives_none() {
        let (first, second) = PONG.split_at(1);
        let stream =
            format!(": hello\n\nevent: endpoint\ndata: /x\n\nid: 1\ndata: {first}\ndata: {second}\n\ndata: {PONG}\n");
        let response = format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n{stream}");
        let bodies: Vec<_> =
            capture("http", "GET / HTTP/1.1\r\n\r\n", &response).into_iter().map(|case| case.body).collect();
        assert_eq!(bodies, [Vec::new(), format!("{first}\n{second}").into_bytes(), PONG.into()]);
        assert_eq!(capture("http", PING, "HTTP/1.1 404 Not Found\r\n\r\n<html>").len(), 1);
    }

    #[test]
    fn lines_over_stdio_are_messages_and_bad_base64_is_refused() {
        assert_eq!(capture("stdio", &format!("{PING}\n"), &format!("{PONG}\n\n{PONG}\n")).len(), 3);
        let text = br#"{"transport":"stdio","request_raw_base64":"*"}"#;
        assert_eq!(read(Form::Capture, text).expect_err("refused").reason, Reason::TranscriptShape);
        let text = br#"{"transport":"pigeon","request_raw_base64":""}"#;
        assert_eq!(read(Form::Capture, text).expect_err("refused").reason, Reason::TranscriptTransport);
    }
}
