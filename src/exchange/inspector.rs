//! What an Inspector export holds: an array of messages, bare or under `events`.

use super::Recorded;
use super::sender::Senders;
use crate::case::Case;
use crate::codec::document::{Decoder, ValueKind};
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Recorded>, Refusal> {
    let mut decoder = Decoder::new();
    let root = decoder.read(bytes, limits)?.root();
    let events = match (root.kind(), root.get("events")) {
        (ValueKind::Array, _) => root,
        (ValueKind::Object, Some(events)) if events.kind() == ValueKind::Array => events,
        (ValueKind::Object, None) => return Ok(Vec::new()),
        (_, events) => return Err(Refusal::at(Reason::TranscriptShape, events.unwrap_or(root).offset())),
    };
    let mut senders = Senders::default();
    let recorded = |(index, event): (usize, crate::codec::document::Value<'_>)| Recorded {
        index,
        offset: event.offset(),
        case: Case::stdio(senders.of(event), event.raw()),
    };
    Ok(events.elements().enumerate().map(recorded).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Form, read};
    use crate::case::Party;
    use crate::codec::refusal::Reason;

    #[test]
    fn an_array_is_read_bare_or_under_events_and_nothing_else_is() {
        for (text, events) in [("[{},{}]", 2), (r#"{"a":[1],"events":[{}]}"#, 1), ("{}", 0), ("[]", 0)] {
            let read = read(Form::Inspector, text.as_bytes()).expect(text);
            assert_eq!(read.len(), events, "{text}");
        }
        for text in ["17", "null", r#"{"events":{}}"#] {
            let fault = read(Form::Inspector, text.as_bytes()).expect_err(text);
            assert_eq!(fault.reason, Reason::TranscriptShape, "{text}");
        }
    }

    #[test]
    fn an_answer_to_a_request_of_the_server_comes_from_the_client() {
        let text = r#"[{"id":1,"method":"tools/call"},{"id":1,"method":"roots/list"},{"id":1,"result":{}},{"id":1,"result":{}}]"#;
        let from: Vec<_> = read(Form::Inspector, text.as_bytes())
            .expect("readable")
            .into_iter()
            .map(|message| message.case.from)
            .collect();
        assert_eq!(from, [Party::Client, Party::Server, Party::Client, Party::Server]);
    }
}
