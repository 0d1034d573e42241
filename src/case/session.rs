//! The text form of a session: cases in order, each behind its length.

use super::Case;
use super::text::{self, DecodeError, DecodeReason, Place};

/// Messages in the order in which they were seen.
///
/// ```
/// use wirebench::case::{Case, Party, Session};
///
/// let session = Session { cases: vec![Case::stdio(Party::Client, "{}")] };
/// let text = session.encode();
/// assert_eq!(text, b"wirebench-session 1\n--- 3\n\n{}\n");
/// assert_eq!(Session::decode(&text).unwrap(), session);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Session {
    /// The messages.
    pub cases: Vec<Case>,
}

const FORMAT_LINE: &[u8] = b"wirebench-session 1\n";

impl Session {
    /// The text form.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = FORMAT_LINE.to_vec();
        let mut text = Vec::new();
        for case in &self.cases {
            text.clear();
            case.encode_into(&mut text, Place::InSession);
            out.extend_from_slice(format!("--- {}\n", text.len()).as_bytes());
            out.extend_from_slice(&text);
            out.push(b'\n');
        }
        out
    }

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// Whatever [`Session::encode`] would not have written, with the byte at which it stands.
    pub fn decode(text: &[u8]) -> Result<Self, DecodeError> {
        let fail = |reason, offset| Err(DecodeError { reason, offset });
        if !text.starts_with(FORMAT_LINE) {
            return fail(DecodeReason::FormatLine, 0);
        }
        let mut cases = Vec::new();
        let mut at = FORMAT_LINE.len();
        while at < text.len() {
            let Some(line) = text[at..].iter().position(|&byte| byte == b'\n') else {
                return fail(DecodeReason::UnexpectedEnd, text.len());
            };
            let Some(length) = text[at..at + line].strip_prefix(b"--- ").and_then(text::decimal) else {
                return fail(DecodeReason::Length, at);
            };
            let start = at + line + 1;
            let Some(end) = start.checked_add(length).filter(|end| *end < text.len()) else {
                return fail(DecodeReason::Length, at);
            };
            if text[end] != b'\n' {
                return fail(DecodeReason::Length, end);
            }
            let case = text::decode(&text[start..end], Place::InSession)
                .map_err(|error| DecodeError { offset: start + error.offset, ..error })?;
            cases.push(case);
            at = end + 1;
        }
        Ok(Self { cases })
    }

    /// Whether the text names this format in its first line.
    pub fn looks_like(text: &[u8]) -> bool {
        text.starts_with(FORMAT_LINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cases_are_allowed_and_nothing_may_follow() {
        assert_eq!(Session::decode(FORMAT_LINE).unwrap(), Session::default());
        for (text, reason) in [
            ("wirebench-session 2\n", DecodeReason::FormatLine),
            ("wirebench-session 1\n--- 01\n\n\n", DecodeReason::Length),
            ("wirebench-session 1\n--- 2\n\n\n", DecodeReason::Length),
            ("wirebench-session 1\n--- 1\n\n\nx", DecodeReason::UnexpectedEnd),
            ("wirebench-session 1\n--- 1\n\nx", DecodeReason::Length),
            ("wirebench-session 1\n--- 99999999999999999999\n\n\n", DecodeReason::Length),
            ("wirebench-session 1\n--- 18446744073709551615\n\n\n", DecodeReason::Length),
        ] {
            assert_eq!(Session::decode(text.as_bytes()).expect_err(text).reason, reason, "{text:?}");
        }
    }

    #[test]
    fn connections_and_restarts_live_in_sessions() {
        let case = ":connection: 2\n:restart: yes\n\n";
        let text = format!("wirebench-session 1\n--- {}\n{case}\n", case.len());
        let session = Session::decode(text.as_bytes()).unwrap();
        assert_eq!((session.cases[0].connection, session.cases[0].restart), (2, true));
        assert_eq!(session.encode(), text.as_bytes());
    }
}
