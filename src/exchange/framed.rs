//! What a framed recording holds: requests, responses and server-sent events of one HTTP exchange.
//!
//! Event names other than `message` carry no message and their data is not read; such an entry leaves a gap.

use super::slot::Lines;
use super::{Recorded, outline, within_expansion};
use crate::case::{Case, Header, Party};
use crate::codec::document::{Decoder, Value, ValueKind};
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

const TRANSPORTS: [&str; 2] = ["streamable-http", "http-sse"];

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Recorded>, Refusal> {
    let mut decoder = Decoder::new();
    let root = decoder.read(bytes, limits)?.root();
    if !root.is_object() {
        return Err(Refusal::at(Reason::TranscriptShape, root.offset()));
    }
    let transport = root.get("transport");
    if !transport.and_then(Value::as_text).is_some_and(|name| TRANSPORTS.iter().any(|known| name.is(known))) {
        return Err(Refusal::at(Reason::TranscriptTransport, transport.unwrap_or(root).offset()));
    }
    let mut messages = Vec::new();
    let Some(entries) = root.get("entries") else { return Ok(messages) };
    if entries.kind() != ValueKind::Array {
        return Err(Refusal::at(Reason::TranscriptShape, entries.offset()));
    }
    let mut events = Events { decoder: Decoder::new(), limits: *limits };
    let default = Lines::default().and(root);
    if !within_expansion(default.size(), entries.elements().count(), limits) {
        return Err(Refusal::at(Reason::ByteLimit, root.offset()));
    }
    for (index, entry) in entries.elements().enumerate() {
        let (slot, from, value) = only_slot(entry)?;
        let body = match slot {
            Slot::Message => value.raw().to_vec(),
            Slot::Event => match events.message(value)? {
                Some(body) => body,
                None => continue,
            },
        };
        let case = case(from, body, default.clone().and(entry).into_headers(), status(entry));
        messages.push(Recorded { index, offset: value.offset(), case });
    }
    Ok(messages)
}

#[derive(Clone, Copy)]
enum Slot {
    Message,
    Event,
}

const SLOTS: [(&str, Slot, Party); 3] = [
    ("request", Slot::Message, Party::Client),
    ("response", Slot::Message, Party::Server),
    ("sse", Slot::Event, Party::Server),
];

fn only_slot(entry: Value<'_>) -> Result<(Slot, Party, Value<'_>), Refusal> {
    let mut found = SLOTS.iter().filter_map(|&(name, slot, from)| Some((slot, from, entry.get(name)?)));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(Refusal::at(Reason::TranscriptEntry, entry.offset())),
    }
}

fn case(from: Party, body: Vec<u8>, headers: Vec<Header>, status: Option<u16>) -> Case {
    let mut case = Case::http(from, body);
    case.headers = headers;
    match from {
        Party::Client => case.partial_headers = true,
        Party::Server => case.status = status,
    }
    case
}

/// The HTTP status: beside the slot, or in the entry's `transport_context`.
fn status(entry: Value<'_>) -> Option<u16> {
    const NAMES: [&str; 3] = ["status", "status_code", "http_status"];
    let holders = [Some(entry), entry.get("transport_context")];
    let stated =
        holders.into_iter().flatten().flat_map(|holder| NAMES.map(|name| holder.get(name))).flatten().next()?;
    stated.as_number()?.parse().ok().filter(|status| (100..=999).contains(status))
}

/// Takes messages out of server-sent events.
struct Events {
    decoder: Decoder,
    limits: Limits,
}

impl Events {
    /// The bytes of the message that the event carries, if it carries one.
    fn message(&mut self, event: Value<'_>) -> Result<Option<Vec<u8>>, Refusal> {
        let refuse = |value: Value<'_>| Err(Refusal::at(Reason::TranscriptEntry, value.offset()));
        if !event.is_object() {
            return refuse(event);
        }
        let Some(data) = event.get("data") else { return refuse(event) };
        let name = match event.get("event") {
            None => None,
            Some(name) if name.kind() == ValueKind::Null => None,
            Some(name) => match name.as_text() {
                Some(text) => Some(text),
                None => return refuse(name),
            },
        };
        if name.is_some_and(|name| !name.is("message")) {
            return Ok(None);
        }
        match data.as_text() {
            Some(text) => {
                let unescaped = text.decode();
                let found = self.unwrap(unescaped.as_bytes(), 1);
                found.map_err(|fault| Refusal { offset: Some(data.offset()), ..fault })
            }
            None => Ok(looks_like_message(data).then(|| data.raw().to_vec())),
        }
    }

    /// The message that stands in a string; a string within it is unwrapped `more` times.
    fn unwrap(&mut self, text: &[u8], more: usize) -> Result<Option<Vec<u8>>, Refusal> {
        outline::check_depth(text, self.limits.depth, false)?;
        let inner = match self.decoder.read(text, &self.limits) {
            Ok(document) => match document.root().as_text() {
                Some(inner) => inner.decode().into_owned(),
                None => return Ok(looks_like_message(document.root()).then(|| text.to_vec())),
            },
            // Keep-alives and end marks are no JSON; a name that is there twice hides one of two messages.
            Err(fault) if matters(fault.reason) => return Err(fault),
            Err(_) => return Ok(None),
        };
        if more == 0 { Ok(None) } else { self.unwrap(inner.as_bytes(), more - 1) }
    }
}

fn matters(reason: Reason) -> bool {
    reason == Reason::DuplicateMember || reason.requirement().starts_with("project-limit-")
}

fn looks_like_message(value: Value<'_>) -> bool {
    ["method", "result", "error", "jsonrpc"].into_iter().any(|name| value.get(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::super::{Form, Recorded, read};
    use crate::case::{Header, Party};
    use crate::codec::refusal::{Reason, Refusal};

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    fn framed(entries: &str) -> Result<Vec<Recorded>, Refusal> {
        read(Form::Framed, format!(r#"{{"transport":"http-sse","entries":[{entries}]}}"#).as_bytes())
    }

    fn reason(text: &str) -> Reason {
        read(Form::Framed, text.as_bytes()).expect_err(text).reason
    }

    #[test]
    fn a_body_is_the_bytes_of_the_recording_and_a_skipped_event_leaves_a_gap() {
        let spaced = r#"{ "jsonrpc" : "2.0",  "id": 1.0, "result": {} }"#;
        let entries = format!(
            r#"{{"request":{PING}}},{{"sse":{{"event":"endpoint","data":{{"a":1}}}}}},{{"response":{spaced},"status":202}}"#
        );
        let messages = framed(&entries).expect("readable");
        assert_eq!(messages.iter().map(|message| message.index).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(messages[0].case.body, PING.as_bytes());
        assert!(messages[0].case.partial_headers);
        assert_eq!(messages[1].case.body, spaced.as_bytes());
        assert_eq!((messages[1].case.from, messages[1].case.status), (Party::Server, Some(202)));
    }

    #[test]
    fn an_event_carries_an_object_or_its_text_unwrapped_once_more_at_most() {
        let text = serde_json::to_string(PING).expect("a string");
        let twice = serde_json::to_string(&text).expect("a string");
        let thrice = serde_json::to_string(&twice).expect("a string");
        for (data, carried) in [(PING, true), (&text, true), (&twice, true), (&thrice, false)] {
            let messages = framed(&format!(r#"{{"sse":{{"data":{data}}}}}"#)).expect("readable");
            assert_eq!(messages.len(), usize::from(carried), "{data}");
            assert!(messages.iter().all(|message| message.case.body == PING.as_bytes()));
            assert!(messages.iter().all(|message| message.case.from == Party::Server));
        }
    }

    #[test]
    fn an_event_that_is_no_message_is_passed_over_but_a_duplicate_in_it_is_not() {
        for data in [r#""[DONE]""#, r#""{\"a\":1""#, "17", "{}", "[]", r#""""#] {
            assert_eq!(framed(&format!(r#"{{"sse":{{"data":{data}}}}}"#)), Ok(Vec::new()), "{data}");
        }
        for (data, why) in [
            (r#""{\"a\":1,\"a\":2""#, Reason::DuplicateMember),
            (&format!("\"{}\"", "[".repeat(65)), Reason::DepthLimit),
        ] {
            let fault = framed(&format!(r#"{{"sse":{{"data":{data}}}}}"#)).expect_err(data);
            assert_eq!(fault.reason, why, "{data}");
        }
    }

    #[test]
    fn an_entry_holds_exactly_one_slot_and_an_event_its_data() {
        for entry in [
            "{}".to_owned(),
            "17".to_owned(),
            format!(r#"{{"request":{PING},"response":{PING}}}"#),
            r#"{"sse":null}"#.to_owned(),
            r#"{"sse":{}}"#.to_owned(),
            r#"{"sse":{"event":1,"data":{}}}"#.to_owned(),
        ] {
            assert_eq!(framed(&entry).expect_err(&entry).reason, Reason::TranscriptEntry, "{entry}");
        }
    }

    #[test]
    fn a_wrapper_of_another_shape_is_refused() {
        assert_eq!(reason("17"), Reason::TranscriptShape);
        assert_eq!(reason(r#"{"entries":[]}"#), Reason::TranscriptTransport);
        assert_eq!(reason(r#"{"transport":"stdio","entries":[]}"#), Reason::TranscriptTransport);
        assert_eq!(reason(r#"{"transport":"http-sse","entries":{}}"#), Reason::TranscriptShape);
        assert_eq!(reason(r#"{"transport":"http-sse","a":1,"\u0061":2}"#), Reason::DuplicateMember);
        assert_eq!(read(Form::Framed, br#"{"transport":"http-sse"}"#), Ok(Vec::new()));
    }

    #[test]
    fn slots_of_recording_and_entry_fold_into_lines_and_other_entries_stay_out() {
        let text = format!(
            r#"{{"transport":"streamable-http","transport_context":{{"headers":{{"MCP-Protocol-Version":"a"}}}},"entries":[
                {{"headers":{{"mcp-protocol-version":"a","X":1,"":"b"}},"request":{PING}}},
                {{"headers":{{"mcp-protocol-version":"b"}},"request":{PING}}},
                {{"headers":null,"request":{PING}}},
                {{"transport_context":17,"request":{PING}}},
                {{"transport_context":{{}},"headers":{{"Mcp-Name":7,"Mcp-Method":" ping"}},"request":{PING}}}]}}"#
        );
        let lines: Vec<Vec<Header>> = read(Form::Framed, text.as_bytes())
            .expect("readable")
            .into_iter()
            .map(|message| message.case.headers)
            .collect();
        let default = Header::new("MCP-Protocol-Version", "a");
        let broken = Header::new("MCP-Protocol-Version", "\0");
        let expected: [&[Header]; 5] = [
            &[],
            &[Header::new("mcp-protocol-version", "b")],
            std::slice::from_ref(&broken),
            std::slice::from_ref(&broken),
            &[Header::new("Mcp-Name", "\0"), Header::new("Mcp-Method", "\" ping\"")],
        ];
        for (lines, own) in lines.iter().zip(expected) {
            assert_eq!(lines[0], default);
            assert_eq!(&lines[1..], own);
        }
    }

    #[test]
    fn a_long_header_of_the_recording_does_not_grow_with_its_entries() {
        let long = "v".repeat(1 << 16);
        let entries = vec![format!(r#"{{"request":{PING}}}"#); 4096].join(",");
        let text = format!(r#"{{"transport":"http-sse","headers":{{"X":"{long}"}},"entries":[{entries}]}}"#);
        assert_eq!(reason(&text), Reason::ByteLimit);
    }

    #[test]
    fn many_members_beside_many_entries_cost_no_more_than_their_sum() {
        let junk: String = (0..60_000).map(|at| format!(r#""k{at}":0,"#)).collect();
        let entries = vec![format!(r#"{{"request":{PING}}}"#); 30_000].join(",");
        let text = format!(r#"{{{junk}"transport":"http-sse","entries":[{entries}]}}"#);
        assert_eq!(read(Form::Framed, text.as_bytes()).map(|messages| messages.len()), Ok(30_000));
        let headers =
            format!(r#"{{"headers":{{{}}},"request":{PING}}}"#, junk.trim_end_matches(',').replace(":0", r#":"0""#));
        let lines = framed(&headers).expect("readable").remove(0).case.headers;
        assert_eq!(lines.len(), 60_000);
    }
}
