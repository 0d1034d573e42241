//! Which form an input has: by its suffix first, by its content where the suffix does not tell.

use std::path::Path;

use clap::ValueEnum;
use wirebench::exchange::Outline;

/// The form of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Input {
    /// By suffix and content.
    #[default]
    Auto,
    /// The text form of one case.
    Case,
    /// The text form of a session.
    Session,
    /// The text form of a frame stream.
    Frames,
    /// A framed recording: `transport` and `entries`.
    Transcript,
    /// JSON Lines, one message a line.
    Jsonl,
    /// An Inspector export: an array of messages, bare or under `events`.
    Inspector,
    /// A capture: the raw bytes of an exchange in Base64.
    Capture,
    /// An HTTP archive: an object with a `log` of entries.
    Har,
    /// The body of one message, nothing around it.
    Raw,
}

/// The form of these bytes; never [`Input::Auto`].
pub fn of(path: &Path, bytes: &[u8]) -> Input {
    let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
    match suffix.as_deref() {
        Some("case") => Input::Case,
        Some("session") => Input::Session,
        Some("frames") => Input::Frames,
        Some("jsonl" | "ndjson") => Input::Jsonl,
        Some("har") => Input::Har,
        Some("json") => of_json(bytes),
        _ => of_content(bytes),
    }
}

fn of_content(bytes: &[u8]) -> Input {
    if bytes.starts_with(b"wirebench-session ") {
        Input::Session
    } else if bytes.starts_with(b":") {
        Input::Case
    } else {
        of_json(bytes)
    }
}

fn of_json(bytes: &[u8]) -> Input {
    let outline = Outline::of(bytes);
    let recording = !outline.has("jsonrpc");
    match outline.first {
        Some(b'{') if outline.more_follows => Input::Jsonl,
        Some(b'{') if recording && outline.has("request_raw_base64") => Input::Capture,
        Some(b'{') if recording && outline.has("log") => Input::Har,
        Some(b'{') if recording && (outline.has("entries") || outline.has("transport")) => Input::Transcript,
        Some(b'{') if recording && outline.has("events") => Input::Inspector,
        Some(b'[') => Input::Inspector,
        _ => Input::Raw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suffix_tells_first_and_the_content_where_it_does_not() {
        for (name, text, form) in [
            ("a.case", "{}", Input::Case),
            ("a.jsonl", "", Input::Jsonl),
            ("a.json", r#"{"jsonrpc":"2.0","events":[]}"#, Input::Raw),
            ("a.json", r#"{"transport":"streamable-http","entries":[]}"#, Input::Transcript),
            ("a.json", r#"{"entries":[]"#, Input::Transcript),
            ("a.json", r#"{"events":[]}"#, Input::Inspector),
            ("a.json", "[]", Input::Inspector),
            ("a.json", r#"{"transport":"http","request_raw_base64":"eA=="}"#, Input::Capture),
            ("a.json", r#"{"log":{"entries":[]}}"#, Input::Har),
            ("a.har", "", Input::Har),
            ("a.json", "{}\n{}", Input::Jsonl),
            ("-", "wirebench-session 1\n", Input::Session),
            ("-", ":from: server\n\n{}", Input::Case),
            ("-", "17", Input::Raw),
            ("-", "", Input::Raw),
        ] {
            assert_eq!(of(Path::new(name), text.as_bytes()), form, "{name} {text}");
        }
    }
}
