//! Where a stdio message ends: at a line feed.
//!
//! A carriage return before the line feed belongs to the line end. A line of JSON white space alone is no message and
//! passes in silence. A last line without its line feed is refused, because nothing says that it is whole; peers that
//! read lines with their language's line reader serve it.

use memchr::memchr_iter;

use super::held::Held;
use super::{Frame, FrameLimits};
use crate::codec::refusal::{Reason, Refusal};

/// Cuts the stream of a standard input or output into messages.
///
/// ```
/// use wirebench::codec::frame::{FrameLimits, Lines};
///
/// let mut lines = Lines::new(FrameLimits::message());
/// let mut seen = Vec::new();
/// for chunk in ["{\"a\":1}\r", "\n\n[", "]\n{"] {
///     lines.push(chunk.as_bytes(), &mut |frame| seen.push(frame.result.map(<[u8]>::to_vec)));
/// }
/// lines.finish(&mut |frame| seen.push(frame.result.map(<[u8]>::to_vec)));
/// assert_eq!(seen[0].as_deref().unwrap(), b"{\"a\":1}");
/// assert_eq!(seen[1].as_deref().unwrap(), b"[]");
/// assert_eq!(seen[2].as_ref().unwrap_err().to_string(), "frame: unterminated-frame at byte 1");
/// ```
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    /// Bytes of the stream before the next chunk.
    position: u64,
    /// Where the unfinished line starts.
    start: u64,
    held: Held,
    /// The unfinished line was refused, and what is left of it is skipped.
    skipping: bool,
}

impl Lines {
    /// A reader at the start of a stream.
    pub fn new(limits: FrameLimits) -> Self {
        Self { limit: limits.line, position: 0, start: 0, held: Held::default(), skipping: false }
    }

    /// Takes the next chunk and gives every frame that ends in it, in order; a line that is too long as soon as that is
    /// known.
    pub fn push(&mut self, chunk: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        let mut from = 0;
        for end in memchr_iter(b'\n', chunk) {
            let part = &chunk[from..end];
            if self.is_between() {
                give(part, self.position + from as u64, self.limit, out);
            } else {
                self.end(part, out);
            }
            from = end + 1;
        }
        if from < chunk.len() {
            self.hold(&chunk[from..], self.position + from as u64, out);
        }
        self.position += chunk.len() as u64;
    }

    /// Ends the stream: what is left is refused. The reader is then at the start of another stream.
    pub fn finish(&mut self, out: &mut impl FnMut(Frame<'_>)) {
        if !is_blank(self.held.bytes()) {
            let refusal = Refusal::at(Reason::UnterminatedFrame, self.held.len());
            out(Frame { offset: self.start, result: Err(refusal) });
        }
        self.held.clear();
        self.skipping = false;
        self.position = 0;
    }

    /// Bytes of memory held until the next chunk.
    pub fn retained(&self) -> usize {
        self.held.capacity()
    }

    fn is_between(&self) -> bool {
        !self.skipping && self.held.len() == 0
    }

    fn end(&mut self, part: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        if std::mem::take(&mut self.skipping) {
            return;
        }
        // One byte more than the limit may still be the carriage return of the line end.
        if self.exceeds(part) {
            out(Frame { offset: self.start, result: Err(Refusal::at(Reason::FrameLimit, self.limit)) });
        } else {
            self.held.append(part, self.limit.saturating_add(1));
            give(self.held.bytes(), self.start, self.limit, out);
        }
        self.held.clear();
    }

    fn hold(&mut self, part: &[u8], at: u64, out: &mut impl FnMut(Frame<'_>)) {
        if self.skipping {
            return;
        }
        if self.held.len() == 0 {
            self.start = at;
        }
        if self.exceeds(part) {
            out(Frame { offset: self.start, result: Err(Refusal::at(Reason::FrameLimit, self.limit)) });
            self.held.clear();
            self.skipping = true;
        } else {
            self.held.append(part, self.limit.saturating_add(1));
        }
    }

    fn exceeds(&self, part: &[u8]) -> bool {
        let last = part.last().or(self.held.bytes().last());
        let allowed = self.limit.saturating_add(usize::from(last == Some(&b'\r')));
        self.held.len() + part.len() > allowed
    }
}

fn give(line: &[u8], offset: u64, limit: usize, out: &mut impl FnMut(Frame<'_>)) {
    let message = line.strip_suffix(b"\r").unwrap_or(line);
    if message.len() > limit {
        out(Frame { offset, result: Err(Refusal::at(Reason::FrameLimit, limit)) });
    } else if !is_blank(message) {
        out(Frame { offset, result: Ok(message) });
    }
}

/// Nothing but JSON white space (RFC 8259 section 2).
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}
