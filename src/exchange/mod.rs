//! What recorded traffic holds: the messages of a recording, in order, as cases.
//!
//! A recording comes in one of a few forms (see [`Form`]). This module takes the wrapper off and nothing else: it does
//! not judge a message. The wrapper is read under [`Limits::transcript`]; each message inside is judged afterwards under
//! the ordinary limits. A fault of the wrapper refuses the recording whole, and so do some faults of a message (see
//! [`refuses_whole`]), because nothing behind them can be correlated.
//!
//! Headers of a framed recording and of an archive are partial, and are taken as recorded; its file says how a broken one survives into a
//! case. Those of a capture are complete.

mod capture;
mod framed;
mod har;
mod inspector;
mod lines;
mod outline;
mod sender;
mod slot;
mod stream;

pub use outline::Outline;

use crate::case::{Case, Frames, Session};
use crate::codec::reading::{Breach, Reading};
use crate::codec::refusal::{Reason, Refusal, Stage};
use crate::limits::Limits;

/// Entries, array elements or lines that are not blank, in one recording. Causes [`Reason::EventLimit`].
pub const MAX_EVENTS: usize = 100_000;

/// Bytes of one line of JSON Lines, its line feed not counted. Causes [`Reason::LineLimit`].
pub const MAX_LINE: usize = 1 << 20;

/// How a recording wraps its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// An object with `transport` and `entries`.
    Framed,
    /// One message a line.
    JsonLines,
    /// An array of messages, or an object with an array of `events`.
    Inspector,
    /// An object with the raw bytes of an exchange in Base64.
    Capture,
    /// An HTTP archive: an object with a `log` of entries.
    Har,
}

/// One message of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The index of its entry, element or line; an entry without a message leaves a gap.
    pub index: usize,
    /// Where the message stands in the recording, in bytes.
    pub offset: usize,
    /// The message, its body exactly as it stood in the wrapper.
    pub case: Case,
}

/// A part of a recording that should hold a message and cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The index of its entry.
    pub index: usize,
    /// Where it stands in the recording, in bytes.
    pub offset: usize,
    /// What is wrong with it.
    pub what: &'static str,
}

/// What a recording holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The messages in order.
    pub messages: Vec<Recorded>,
    /// What should be messages as well.
    pub skipped: Vec<Skipped>,
}

/// Takes the wrapper off a recording, all of which must be readable.
///
/// ```
/// use wirebench::exchange::{self, Form};
///
/// let text = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
/// let messages = exchange::read(Form::JsonLines, text).unwrap();
/// assert_eq!(messages.len(), 2);
/// assert_eq!(messages[1].index, 1);
/// ```
///
/// # Errors
///
/// Those of [`recording`], and that of the first part that cannot be read.
pub fn read(form: Form, bytes: &[u8]) -> Result<Vec<Recorded>, Refusal> {
    let recording = recording(form, bytes)?;
    match recording.skipped.first() {
        Some(skipped) => Err(Refusal::at(Reason::TranscriptShape, skipped.offset).unanswered()),
        None => Ok(recording.messages),
    }
}

/// Takes the wrapper off a recording, and says which parts of it cannot be read.
///
/// # Errors
///
/// The refusal of the whole recording: its size, then its depth, the length of its lines, its encoding, the number of
/// its events, and only then its syntax and its shape. Offsets count from the start of the recording.
pub fn recording(form: Form, bytes: &[u8]) -> Result<Recording, Refusal> {
    let limits = Limits::transcript();
    if bytes.len() > limits.bytes {
        return Err(Refusal::at(Reason::ByteLimit, limits.bytes).unanswered());
    }
    check_bounds(form, bytes, &limits).map_err(Refusal::unanswered)?;
    let whole = |messages| Recording { messages, skipped: Vec::new() };
    let recording = match form {
        Form::Framed => framed::read(bytes, &limits).map(whole),
        Form::JsonLines => lines::read(bytes, &limits).map(whole),
        Form::Inspector => inspector::read(bytes, &limits).map(whole),
        Form::Capture => capture::read(bytes, &limits).map(whole),
        Form::Har => har::read(bytes, &limits),
    };
    recording.map_err(Refusal::unanswered)
}

/// The messages as a session.
pub fn session(messages: Vec<Recorded>) -> Session {
    Session { cases: messages.into_iter().map(|message| message.case).collect() }
}

/// The frames of a stream in order: a message each, or the index and the refusal of a frame that holds none. Offsets of
/// messages count from the start of the stream.
///
/// ```
/// use wirebench::case::{Frames, Transport};
///
/// let frames = Frames::new(Transport::Stdio, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n", []);
/// assert_eq!(wirebench::exchange::frames(&frames).len(), 1);
/// ```
pub fn frames(frames: &Frames) -> Vec<Result<Recorded, (usize, Refusal)>> {
    stream::read(frames)
}

/// How the reading of one message refuses the recording that it came in, if it does: the message is no JSON-RPC message,
/// or its id is that of a request that is still unanswered. An id that is no integer refuses its own message alone.
pub fn refuses_whole(reading: &Reading<'_>, message: &Recorded) -> Option<Refusal> {
    let ended = reading.kind().is_none();
    let whole = |breach: &Breach| {
        let reason = match (breach.refusal.reason, breach.refusal.stage) {
            (Reason::IdReused, _) => Reason::TranscriptId,
            (Reason::IdFraction, _) => return None,
            (_, Stage::Envelope) if ended => Reason::TranscriptMessage,
            _ => return None,
        };
        Some(Refusal::at(reason, message.offset).under(breach.refusal.requirement))
    };
    reading.breaches.iter().find_map(whole)
}

/// Whether header lines of that size may stand in that many cases: they are written down once and repeated, so a small
/// recording could otherwise grow without bound.
fn within_expansion(size: usize, cases: usize, limits: &Limits) -> bool {
    const TIMES: usize = 8;
    size.saturating_mul(cases) <= limits.bytes.saturating_mul(TIMES)
}

fn check_bounds(form: Form, bytes: &[u8], limits: &Limits) -> Result<(), Refusal> {
    outline::check_depth(bytes, limits.depth, form == Form::JsonLines)?;
    if form == Form::JsonLines {
        lines::check_lengths(bytes)?;
    }
    if let Err(fault) = std::str::from_utf8(bytes) {
        return Err(Refusal::at(Reason::InvalidUtf8, fault.valid_up_to()));
    }
    let events = match form {
        Form::Framed => Outline::of(bytes).entries,
        Form::Inspector => Outline::of(bytes).events,
        Form::JsonLines => lines::count(bytes),
        // A step of a capture, or an entry of an archive, is far longer than an event.
        Form::Capture | Form::Har => 0,
    };
    if events > MAX_EVENTS { Err(Refusal::new(Reason::EventLimit)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(form: Form, bytes: &[u8]) -> Reason {
        read(form, bytes).expect_err("refused").reason
    }

    #[test]
    fn depth_is_told_before_encoding_and_encoding_before_syntax() {
        let mut deep = b"\xFF".to_vec();
        deep.extend_from_slice(&b"[".repeat(65));
        for form in [Form::Framed, Form::JsonLines, Form::Inspector] {
            assert_eq!(reason(form, &deep), Reason::DepthLimit);
            assert_eq!(reason(form, b"nonsense \xFF"), Reason::InvalidUtf8);
        }
    }

    #[test]
    fn the_number_of_events_is_told_before_syntax() {
        let mut many = b"[".to_vec();
        many.extend_from_slice(&b"1,".repeat(MAX_EVENTS));
        assert_eq!(reason(Form::Inspector, &[many.as_slice(), b"1, nonsense"].concat()), Reason::EventLimit);
        assert_eq!(reason(Form::JsonLines, &b"x\n".repeat(MAX_EVENTS + 1)), Reason::EventLimit);
    }

    #[test]
    fn a_line_past_the_limit_is_refused_and_its_line_feed_is_not_counted() {
        let mut line = vec![b' '; MAX_LINE];
        line.push(b'\n');
        assert_eq!(read(Form::JsonLines, &line), Ok(Vec::new()));
        line.insert(0, b' ');
        assert_eq!(reason(Form::JsonLines, &line), Reason::LineLimit);
    }

    #[test]
    fn a_recording_past_the_limit_is_refused_before_anything_is_read() {
        let long = vec![b' '; Limits::transcript().bytes + 1];
        assert_eq!(reason(Form::Framed, &long), Reason::ByteLimit);
    }

    #[test]
    fn every_prefix_and_every_changed_byte_of_a_recording_ends_in_messages_or_a_refusal() {
        let text = br#"{"transport":"http-sse","headers":{"a":"b"},"entries":[{"request":{"id":1}},{"sse":{"data":"{\"id\":2,\"method\":3}"}}]}"#;
        let mut outcomes = [0, 0];
        for form in [Form::Framed, Form::JsonLines, Form::Inspector] {
            for at in 0..text.len() {
                let _ = read(form, &text[..at]);
                for byte in [b'"', b'{', b'}', b'[', b'\\', b'\n', 0xFF] {
                    let mut changed = text.to_vec();
                    changed[at] = byte;
                    outcomes[usize::from(read(form, &changed).is_err())] += 1;
                }
            }
        }
        assert!(outcomes.iter().all(|&count| count > 100), "{outcomes:?}");
    }
}
