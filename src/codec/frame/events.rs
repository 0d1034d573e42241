//! Where a message of an event stream ends: at a blank line, by the parsing rules of the WHATWG HTML standard (9.2.6).
//!
//! Lines end in LF, CR LF or CR; a byte order mark at the start of the stream is dropped; comments, `id`, `retry` and
//! unknown fields are skipped; one space after the colon is dropped; the data lines of an event are joined with LF. An
//! event whose data is empty is no message and passes in silence: older servers open a stream with one.
//!
//! Two things that a browser drops in silence are refused in place, so that nobody waits for a message that was sent: an
//! event of another type than `message`, and an event with data that the end of the stream cuts off. Some peers
//! dispatch the latter.

use super::held::Held;
use super::{Frame, FrameLimits};
use crate::codec::document::line_end;
use crate::codec::refusal::{Reason, Refusal};

/// Cuts the body of a `text/event-stream` response into messages.
///
/// ```
/// use wirebench::codec::frame::{Events, FrameLimits};
///
/// let mut events = Events::new(FrameLimits::message());
/// let mut seen = Vec::new();
/// for chunk in [": alive\n\nevent: message\r", "\ndata: {\ndata", ":}\n\r\n"] {
///     events.push(chunk.as_bytes(), &mut |frame| seen.push((frame.offset, frame.result.unwrap().to_vec())));
/// }
/// assert_eq!(seen, [(25, b"{\n}".to_vec())]);
/// ```
#[derive(Debug)]
pub struct Events {
    limits: FrameLimits,
    /// Bytes of the stream before the next chunk.
    position: u64,
    /// How many bytes of a byte order mark were seen; `None` once the first line has begun.
    mark: Option<usize>,
    /// The last line ended in a carriage return, so a line feed right here belongs to it.
    after_return: bool,
    line: Line,
    /// Where the current line starts.
    line_start: u64,
    event: Event,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How far the current line is understood.
#[derive(Clone, Copy, Debug)]
enum Line {
    /// Its first bytes, too few to name the field.
    Head { bytes: [u8; HEAD], length: usize },
    /// Inside the value of a field.
    Value(Field),
}

/// `event:` and the byte behind it.
const HEAD: usize = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Data,
    Type,
    Skipped,
}

const NEW_LINE: Line = Line::Head { bytes: [0; HEAD], length: 0 };

impl Events {
    /// A reader at the start of a stream.
    pub fn new(limits: FrameLimits) -> Self {
        Self {
            limits,
            position: 0,
            mark: Some(0),
            after_return: false,
            line: NEW_LINE,
            line_start: 0,
            event: Event::default(),
        }
    }

    /// Takes the next chunk and gives every frame that ends in it, in order; an event that is too long as soon as that is
    /// known.
    pub fn push(&mut self, chunk: &[u8], out: &mut impl FnMut(Frame<'_>)) {
        let mut direct = None;
        let mut from = self.skip_mark(chunk, out);
        loop {
            if self.after_return && from < chunk.len() {
                self.after_return = false;
                from += usize::from(chunk[from] == b'\n');
            }
            let rest = &chunk[from..];
            let opens = self.is_at_line_start();
            if opens {
                self.line_start = self.position + from as u64;
            }
            // Most lines but those of data are blank or name the usual type: worth a look before a search.
            let ends = |length| matches!(rest.get(length), Some(b'\n' | b'\r'));
            let blank = opens && ends(0);
            let usual = opens && rest.starts_with(USUAL) && ends(USUAL.len());
            let length = match (blank, usual) {
                (true, _) => Some(0),
                (_, true) => Some(USUAL.len()),
                _ => line_end(rest),
            };
            let Some(length) = length else {
                self.take(rest, false, &mut direct, out);
                break;
            };
            if blank {
                self.event.dispatch(direct.take(), out);
            } else if usual {
                // As good as no type.
                self.event.kind_length = 0;
            } else if opens {
                let (field, start) = field(&rest[..length]);
                self.value(field, &rest[start..length], true, &mut direct, out);
            } else {
                self.take(&rest[..length], true, &mut direct, out);
                self.line = NEW_LINE;
            }
            self.after_return = rest[length] == b'\r';
            from += length + 1;
        }
        if let Some(value) = direct {
            self.event.held.append(value, self.limits.event);
        }
        self.position += chunk.len() as u64;
    }

    /// Ends the stream: an event that is not ended is refused. The reader is then at the start of another stream.
    pub fn finish(&mut self, out: &mut impl FnMut(Frame<'_>)) {
        if self.event.length > 0 && !self.event.refused {
            let refusal = Refusal::at(Reason::UnterminatedFrame, self.event.length).under("sse-data-is-one-message");
            self.event.refuse(refusal, out);
        }
        *self = Self::new(self.limits);
    }

    /// Bytes of memory held until the next chunk.
    pub fn retained(&self) -> usize {
        self.event.held.capacity()
    }

    fn is_at_line_start(&self) -> bool {
        matches!(self.line, Line::Head { length: 0, .. })
    }

    /// How many bytes of the chunk belong to a byte order mark at the start of the stream.
    fn skip_mark(&mut self, chunk: &[u8], out: &mut impl FnMut(Frame<'_>)) -> usize {
        let Some(seen) = self.mark else { return 0 };
        let missing = &BYTE_ORDER_MARK[seen..];
        let matched = missing.iter().zip(chunk).take_while(|(expected, byte)| expected == byte).count();
        let whole = matched == missing.len();
        self.mark = (!whole && matched == chunk.len()).then_some(seen + matched);
        if whole || self.mark.is_some() {
            return matched;
        }
        // No byte order mark after all, so what earlier chunks had of it begins the first line.
        self.take(&BYTE_ORDER_MARK[..seen], false, &mut None, out);
        0
    }

    /// Takes a part of a line that does not lie whole in one chunk, without its line end.
    fn take<'c>(
        &mut self,
        part: &'c [u8],
        ended: bool,
        direct: &mut Option<&'c [u8]>,
        out: &mut impl FnMut(Frame<'_>),
    ) {
        let (field, value, opens) = match &mut self.line {
            Line::Value(field) => (*field, part, false),
            Line::Head { bytes, length } => {
                let before = *length;
                let more = part.len().min(HEAD - before);
                *length += more;
                bytes[before..*length].copy_from_slice(&part[..more]);
                let head = &bytes[..*length];
                if !ended && (b"data:".starts_with(head) || b"event:".starts_with(head)) {
                    return;
                }
                let (field, start) = field(head);
                self.line = Line::Value(field);
                // A value never starts in an earlier chunk: its first byte is what completes the head.
                (field, &part[start.saturating_sub(before)..], true)
            }
        };
        self.value(field, value, opens, direct, out);
    }

    /// Takes a part of a value; `opens` says that it is the first.
    fn value<'c>(
        &mut self,
        field: Field,
        value: &'c [u8],
        opens: bool,
        direct: &mut Option<&'c [u8]>,
        out: &mut impl FnMut(Frame<'_>),
    ) {
        match field {
            Field::Data => self.event.add(value, opens, self.limits.event, self.line_start, direct, out),
            Field::Type => self.event.name(value, opens),
            Field::Skipped => {}
        }
    }
}

/// The field of a line and where its value starts. Without a colon the whole line is the name, and the value is empty.
fn field(line: &[u8]) -> (Field, usize) {
    let (field, length) = if line.starts_with(b"data") {
        (Field::Data, 4)
    } else if line.starts_with(b"event") {
        (Field::Type, 5)
    } else {
        return (Field::Skipped, 0);
    };
    match &line[length..] {
        [] => (field, length),
        [b':', b' ', ..] => (field, length + 2),
        [b':', ..] => (field, length + 1),
        _ => (Field::Skipped, 0),
    }
}

/// What the lines of the current event have said so far.
#[derive(Debug, Default)]
struct Event {
    /// Where the first line of data starts.
    start: u64,
    /// A line of data was seen.
    has_data: bool,
    /// Bytes of data, with the line feeds that join its lines.
    length: usize,
    /// The data of earlier chunks, and whatever does not lie together in this one.
    held: Held,
    /// The event was refused, and what is left of it is skipped.
    refused: bool,
    /// The start of the type: enough to tell `message` from everything else.
    kind: [u8; KIND],
    kind_length: usize,
}

const MESSAGE: &[u8] = b"message";
/// The line that most servers write before their data.
const USUAL: &[u8] = b"event: message";
const KIND: usize = MESSAGE.len() + 1;

impl Event {
    fn add<'c>(
        &mut self,
        value: &'c [u8],
        opens: bool,
        limit: usize,
        line_start: u64,
        direct: &mut Option<&'c [u8]>,
        out: &mut impl FnMut(Frame<'_>),
    ) {
        if self.refused {
            return;
        }
        let joins = opens && self.has_data;
        if !self.has_data {
            self.has_data = true;
            self.start = line_start;
        }
        if usize::from(joins) + value.len() > limit - self.length {
            *direct = None;
            self.refuse(Refusal::at(Reason::FrameLimit, limit), out);
            self.held.clear();
            self.refused = true;
            return;
        }
        let first = self.length == 0 && !joins;
        self.length += usize::from(joins) + value.len();
        if first {
            *direct = Some(value);
            return;
        }
        if let Some(earlier) = direct.take() {
            self.held.append(earlier, limit);
        }
        if joins {
            self.held.append(b"\n", limit);
        }
        self.held.append(value, limit);
    }

    fn name(&mut self, value: &[u8], opens: bool) {
        if opens {
            self.kind_length = 0;
        }
        let more = value.len().min(KIND - self.kind_length);
        self.kind[self.kind_length..self.kind_length + more].copy_from_slice(&value[..more]);
        self.kind_length += more;
    }

    fn dispatch(&mut self, direct: Option<&[u8]>, out: &mut impl FnMut(Frame<'_>)) {
        if self.length > 0 && !self.refused {
            if self.kind_length == 0 || &self.kind[..self.kind_length] == MESSAGE {
                out(Frame { offset: self.start, result: Ok(direct.unwrap_or(self.held.bytes())) });
            } else {
                self.refuse(Refusal::new(Reason::EventType), out);
            }
        }
        self.reset();
    }

    /// Events come from servers only, and nobody answers a server's message that cannot be read.
    fn refuse(&self, refusal: Refusal, out: &mut impl FnMut(Frame<'_>)) {
        out(Frame { offset: self.start, result: Err(refusal.unanswered()) });
    }

    fn reset(&mut self) {
        self.held.clear();
        self.has_data = false;
        self.length = 0;
        self.refused = false;
        self.kind_length = 0;
    }
}
