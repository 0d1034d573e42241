//! Where one message of a stream ends and the next begins: stdio lines and SSE events.
//!
//! Both readers take the stream in chunks and give the same frames however it is cut. They hold at most one frame, never
//! more than its limit, and after a bad frame they go on at the next boundary: the next line feed, or the next blank line.
//! What lies whole inside one chunk is not copied.
//!
//! The bytes of a message are not looked at here. Encoding, a byte order mark on stdio and plain text between messages
//! are for the stages of the message to refuse, each at its own byte; a blank stdio line and an event without data are
//! no message and pass in silence.

mod answer;
mod events;
mod held;
mod lines;

pub use answer::{Answer, answer_to};
pub use events::Events;
pub use lines::Lines;

use super::refusal::Refusal;
use crate::case::{Frames, Transport};
use crate::limits::Limits;

/// The bounds under which a stream is cut. Both are inclusive and cause
/// [`Reason::FrameLimit`](super::refusal::Reason::FrameLimit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLimits {
    /// Bytes of one stdio line, its line feed and a carriage return before that not counted.
    pub line: usize,
    /// Bytes of the data of one SSE event, with the line feeds that join its lines. Lines without data are skipped as
    /// they come, so they need no bound; a line of data costs at least its line feed, so their number needs none either.
    pub event: usize,
}

impl FrameLimits {
    /// As much as one message may have.
    pub const fn message() -> Self {
        Self { line: Limits::message().bytes, event: Limits::message().bytes }
    }
}

impl Default for FrameLimits {
    fn default() -> Self {
        Self::message()
    }
}

/// One frame of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Where it starts, in bytes from the start of the stream: its line, or the first line of data of its event.
    pub offset: u64,
    /// The bytes of one message, or why there is none. The offset of a refusal counts from the start of the message.
    pub result: Result<&'a [u8], Refusal>,
}

/// Reads a whole recorded stream, cut where it says.
///
/// ```
/// use wirebench::case::{Frames, Transport};
/// use wirebench::codec::frame::{FrameLimits, read};
///
/// let frames = Frames::new(Transport::Http, "data: {}\r\n\r\n: alive\n\ndata: []\n\n", [9]);
/// let mut seen = Vec::new();
/// read(&frames, FrameLimits::message(), &mut |frame| seen.push((frame.offset, frame.result.unwrap().to_vec())));
/// assert_eq!(seen, [(0, b"{}".to_vec()), (21, b"[]".to_vec())]);
/// ```
pub fn read(frames: &Frames, limits: FrameLimits, out: &mut impl FnMut(Frame<'_>)) {
    match frames.transport() {
        Transport::Http => {
            let mut events = Events::new(limits);
            frames.chunks().for_each(|chunk| events.push(chunk, out));
            events.finish(out);
        }
        Transport::Stdio => {
            let mut lines = Lines::new(limits);
            frames.chunks().for_each(|chunk| lines.push(chunk, out));
            lines.finish(out);
        }
    }
}

#[cfg(test)]
mod tests;
