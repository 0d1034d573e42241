//! What an HTTP archive holds: the requests and responses of a browser or a proxy, as far as they carry messages.
//!
//! An entry whose request posts no JSON is passed over, and so is a response of another content; one whose content cannot
//! be decoded is told. Whether a recorder wrote every header line down is not known, so those of requests are partial.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::capture::{events, says};
use super::slot::size;
use super::{Recorded, Recording, Skipped, within_expansion};
use crate::case::{Case, Header, Party};
use crate::codec::document::{Decoder, Value, ValueKind};
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Recording, Refusal> {
    let mut decoder = Decoder::new();
    let root = decoder.read(bytes, limits)?.root();
    let entries = root.get("log").and_then(|log| log.get("entries"));
    let entries = entries.filter(|entries| entries.kind() == ValueKind::Array);
    let entries = entries.ok_or_else(|| Refusal::at(Reason::TranscriptShape, root.offset()))?;
    let mut recording = Recording::default();
    for (index, entry) in entries.elements().enumerate() {
        let refuse = || Refusal::at(Reason::TranscriptEntry, entry.offset());
        let request = entry.get("request").filter(|request| request.is_object()).ok_or_else(refuse)?;
        let mut push = |offset: usize, case: Case| recording.messages.push(Recorded { index, offset, case });
        let body = request.get("postData").and_then(|data| text(data, "text")).unwrap_or_default();
        if !is_json(body.as_bytes()) {
            continue;
        }
        let mut case = Case::http(Party::Client, body);
        case.headers = headers(request);
        case.partial_headers = true;
        let method = text(request, "method").unwrap_or_default().into_bytes();
        let named = !method.is_empty() && method.iter().all(u8::is_ascii_graphic) && method != b"POST";
        case.method = named.then_some(method);
        push(request.offset(), case);
        let Some(response) = entry.get("response") else { continue };
        let answer = answer(response);
        let body = match response.get("content").map_or(Ok(Vec::new()), content) {
            Ok(body) => body,
            Err((offset, what)) => {
                recording.skipped.push(Skipped { index, offset, what });
                continue;
            }
        };
        if says(&answer, "Content-Type", b"text/event-stream") {
            let events = events(&body);
            if !within_expansion(size(&answer.headers), events.len(), limits) {
                return Err(Refusal::at(Reason::ByteLimit, response.offset()));
            }
            events.into_iter().for_each(|body| push(response.offset(), Case { body, ..answer.clone() }));
        } else if is_json(&body) {
            push(response.offset(), Case { body, ..answer });
        }
    }
    Ok(recording)
}

fn answer(response: Value<'_>) -> Case {
    let mut case = Case::http(Party::Server, "");
    let status = response.get("status").and_then(|status| status.raw().to_vec().try_into().ok());
    let digits: Option<[u8; 3]> = status;
    case.status = digits.and_then(|digits| std::str::from_utf8(&digits).ok()?.parse().ok()).filter(|code| *code >= 100);
    case.headers = headers(response);
    case
}

/// The header lines of a request or a response; those of HTTP/2 that stand for the first line are none.
fn headers(of: Value<'_>) -> Vec<Header> {
    let list = of.get("headers").filter(|headers| headers.kind() == ValueKind::Array);
    let line = |header: Value<'_>| {
        let name = text(header, "name").filter(|name| !name.is_empty() && !name.starts_with(':'))?;
        Some(Header::new(name, text(header, "value").unwrap_or_default()))
    };
    list.map(|list| list.elements().filter_map(line).collect()).unwrap_or_default()
}

/// The body of a response, or where it stands and why it cannot be read.
fn content(content: Value<'_>) -> Result<Vec<u8>, (usize, &'static str)> {
    let Some(body) = content.get("text").filter(|body| body.kind() != ValueKind::Null) else { return Ok(Vec::new()) };
    let fault = |what| (body.offset(), what);
    let text = body.as_text().ok_or(fault("the content of the response is no text"))?.decode();
    match self::text(content, "encoding").as_deref() {
        None | Some("") => Ok(text.into_owned().into_bytes()),
        Some("base64") => STANDARD
            .decode(text.as_bytes())
            .map_err(|_| fault("the content of the response is not the Base64 that it says")),
        Some(_) => Err(fault("the content of the response has an encoding that is not known")),
    }
}

fn text(of: Value<'_>, name: &str) -> Option<String> {
    Some(of.get(name)?.as_text()?.decode().into_owned())
}

fn is_json(body: &[u8]) -> bool {
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'['))
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::*;
    use crate::exchange;

    #[test]
    fn posted_messages_and_their_answers_are_taken_and_everything_else_is_passed_over() {
        let archive = r#"{"log":{"version":"1.2","entries":[
            {"request":{"method":"GET","url":"/","headers":[]},"response":{"status":200,"content":{"text":"<html>"}}},
            {"request":{"method":"POST","headers":[{"name":":path","value":"/"},{"name":"Mcp-Method","value":"ping"}],
                        "postData":{"mimeType":"application/json","text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}},
             "response":{"status":200,"headers":[{"name":"content-type","value":"text/event-stream"}],
                         "content":{"text":"data: {\"id\":0}\n\ndata: {\"id\":1}\n\n"}}},
            {"request":{"method":"POST","postData":{"text":"[]"}},
             "response":{"status":202,"content":{"encoding":"base64","text":"e30="}}}]}}"#;
        let messages = exchange::read(Form::Har, archive.as_bytes()).unwrap();
        let seen: Vec<_> = messages.iter().map(|message| (message.index, message.case.body.as_slice())).collect();
        let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.as_slice();
        assert_eq!(seen, [(1, ping), (1, b"{\"id\":0}"), (1, b"{\"id\":1}"), (2, b"[]"), (2, b"{}")]);
        assert_eq!(messages[0].case.headers, [Header::new("Mcp-Method", "ping")]);
        assert!(messages[0].case.partial_headers);
        assert_eq!((messages[2].case.status, messages[4].case.status), (Some(200), Some(202)));
    }

    #[test]
    fn a_content_that_cannot_be_decoded_is_told_with_its_place_and_hides_no_other() {
        let entry = |content: &str| {
            format!(
                r#"{{"request":{{"method":"POST","postData":{{"text":"[]"}}}},"response":{{"content":{content}}}}}"#
            )
        };
        let contents = [
            r#"{"encoding":"base64","text":"e30"}"#,
            r#"{"encoding":"base64","text":"*"}"#,
            r#"{"encoding":"gzip","text":"e30="}"#,
            r#"{"text":1}"#,
            r#"{"encoding":"base64","text":"e30="}"#,
        ];
        let entries = contents.map(entry).join(",");
        let archive = format!(r#"{{"log":{{"entries":[{entries}]}}}}"#);
        let recording = exchange::recording(Form::Har, archive.as_bytes()).unwrap();
        let told: Vec<_> =
            recording.skipped.iter().map(|skipped| (skipped.index, &archive[skipped.offset..][..4])).collect();
        assert_eq!(told, [(0, "\"e30"), (1, "\"*\"}"), (2, "\"e30"), (3, "1}}}")]);
        let answers: Vec<_> = recording.messages.iter().filter(|message| message.case.body == b"{}").collect();
        assert_eq!((recording.messages.len(), answers.len(), answers[0].index), (6, 1, 4));
        let refused = exchange::read(Form::Har, archive.as_bytes()).expect_err("not whole");
        assert_eq!((refused.reason, refused.offset), (Reason::TranscriptShape, Some(recording.skipped[0].offset)));
    }

    #[test]
    fn another_shape_is_refused() {
        for (text, reason) in [
            ("{\"log\":{}}", Reason::TranscriptShape),
            ("[]", Reason::TranscriptShape),
            ("{\"log\":{\"entries\":[1]}}", Reason::TranscriptEntry),
        ] {
            assert_eq!(exchange::read(Form::Har, text.as_bytes()).expect_err(text).reason, reason);
        }
    }
}
