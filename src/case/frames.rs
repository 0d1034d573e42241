//! A recorded byte stream and where it was cut into chunks, and its text form.

use super::Transport;
use super::text::{self, DecodeError, DecodeReason};

/// The bytes of one direction of a stdio connection, or of the body of one event stream, as they came.
///
/// ```
/// use wirebench::case::{Frames, Transport};
///
/// let text = b":transport: stdio\n:splits: 1,3\n\n{}\n";
/// assert!(Frames::decode(text).is_err(), "the last split is the length");
/// let text = b":transport: stdio\n:splits: 1,2\n\n{}\n";
/// let frames = Frames::decode(text).unwrap();
/// assert_eq!(frames.transport(), Transport::Stdio);
/// assert_eq!(frames.chunks().collect::<Vec<_>>(), [b"{", b"}", b"\n"]);
/// assert_eq!(frames.encode(), text);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frames {
    transport: Transport,
    splits: Vec<usize>,
    stream: Vec<u8>,
}

impl Frames {
    /// A stream that is cut at these bytes. Order and repetition of the splits do not count, and neither do those that
    /// cut nothing: zero, and what is not below the length.
    pub fn new(transport: Transport, stream: impl Into<Vec<u8>>, splits: impl IntoIterator<Item = usize>) -> Self {
        let stream = stream.into();
        let mut splits: Vec<usize> = splits.into_iter().filter(|&at| at > 0 && at < stream.len()).collect();
        splits.sort_unstable();
        splits.dedup();
        Self { transport, splits, stream }
    }

    /// What kind of stream it is: lines over stdio, events over HTTP.
    pub fn transport(&self) -> Transport {
        self.transport
    }

    /// Where it is cut: ascending, above zero, below the length.
    pub fn splits(&self) -> &[usize] {
        &self.splits
    }

    /// The whole stream.
    pub fn stream(&self) -> &[u8] {
        &self.stream
    }

    /// The stream in pieces; an empty stream is one empty piece.
    pub fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.splits.iter().copied());
        let ends = self.splits.iter().copied().chain(std::iter::once(self.stream.len()));
        starts.zip(ends).map(|(start, end)| &self.stream[start..end])
    }

    /// The text form.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = format!(":transport: {}\n", self.transport.word()).into_bytes();
        for (index, split) in self.splits.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b":splits: " } else { b"," });
            out.extend_from_slice(split.to_string().as_bytes());
        }
        if !self.splits.is_empty() {
            out.push(b'\n');
        }
        out.push(b'\n');
        out.extend_from_slice(&self.stream);
        out
    }

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// Whatever [`Frames::encode`] would not have written, with the byte at which it stands.
    pub fn decode(text: &[u8]) -> Result<Self, DecodeError> {
        let mut at = 0;
        let line = line(text, at)?;
        let transport = match value(line, at, "transport")? {
            b"http" => Transport::Http,
            b"stdio" => Transport::Stdio,
            _ => return Err(DecodeError { reason: DecodeReason::PseudoHeaderValue, offset: at }),
        };
        at += line.len() + 1;
        let mut splits = None;
        loop {
            let line = self::line(text, at)?;
            if line.is_empty() {
                break;
            }
            let value = value(line, at, "splits")?;
            if splits.replace((at, value)).is_some() {
                return Err(DecodeError { reason: DecodeReason::PseudoHeaderOrder, offset: at });
            }
            at += line.len() + 1;
        }
        let stream = &text[at + 1..];
        let splits = match splits {
            None => Vec::new(),
            Some((at, value)) => parse_splits(value, stream.len())
                .ok_or(DecodeError { reason: DecodeReason::PseudoHeaderValue, offset: at })?,
        };
        Ok(Self { transport, splits, stream: stream.to_vec() })
    }
}

/// The line that starts here, without its line feed.
fn line(text: &[u8], at: usize) -> Result<&[u8], DecodeError> {
    let end = text[at..].iter().position(|&byte| byte == b'\n');
    end.map(|length| &text[at..at + length])
        .ok_or(DecodeError { reason: DecodeReason::UnexpectedEnd, offset: text.len() })
}

/// The value of a line that must be this pseudo-header.
fn value<'a>(line: &'a [u8], at: usize, expected: &str) -> Result<&'a [u8], DecodeError> {
    let fail = |reason| Err(DecodeError { reason, offset: at });
    let Some(rest) = line.strip_prefix(b":") else {
        return fail(if line.is_empty() { DecodeReason::MalformedLine } else { DecodeReason::NotApplicable });
    };
    let Some(colon) = rest.windows(2).position(|pair| pair == b": ") else { return fail(DecodeReason::MalformedLine) };
    match &rest[..colon] {
        name if name == expected.as_bytes() => Ok(&rest[colon + 2..]),
        b"transport" | b"splits" => fail(DecodeReason::PseudoHeaderOrder),
        _ => fail(DecodeReason::UnknownPseudoHeader),
    }
}

fn parse_splits(value: &[u8], length: usize) -> Option<Vec<usize>> {
    let splits: Vec<usize> = value.split(|&byte| byte == b',').map(text::decimal).collect::<Option<_>>()?;
    let ascending = splits.windows(2).all(|pair| pair[0] < pair[1]);
    let inside = splits.first() > Some(&0) && splits.last() < Some(&length);
    (ascending && inside).then_some(splits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transport_is_always_written_and_no_splits_are_not() {
        let empty = Frames::new(Transport::Stdio, "", [0, 1]);
        assert_eq!(empty.encode(), b":transport: stdio\n\n");
        assert_eq!(Frames::decode(&empty.encode()), Ok(empty));
    }

    #[test]
    fn splits_are_put_in_order_and_those_that_cut_nothing_dropped() {
        let frames = Frames::new(Transport::Http, "abcd", [9, 3, 1, 3, 0, 4]);
        assert_eq!(frames.encode(), b":transport: http\n:splits: 1,3\n\nabcd");
        assert_eq!(frames.chunks().collect::<Vec<_>>(), [b"a".as_slice(), b"bc", b"d"]);
        assert_eq!(Frames::decode(&frames.encode()), Ok(frames));
    }

    #[test]
    fn what_is_not_canonical_is_refused_with_its_reason() {
        for (text, reason, offset) in [
            ("", DecodeReason::UnexpectedEnd, 0),
            (":transport: http\n", DecodeReason::UnexpectedEnd, 17),
            ("\nab", DecodeReason::MalformedLine, 0),
            ("ab\n\n", DecodeReason::NotApplicable, 0),
            (":transport: tcp\n\n", DecodeReason::PseudoHeaderValue, 0),
            (":transport:http\n\n", DecodeReason::MalformedLine, 0),
            (":splits: 1\n:transport: http\n\nab", DecodeReason::PseudoHeaderOrder, 0),
            (":transport: http\n:transport: http\n\nab", DecodeReason::PseudoHeaderOrder, 17),
            (":transport: http\n:splits: 1\n:splits: 1\n\nab", DecodeReason::PseudoHeaderOrder, 28),
            (":transport: http\n:from: server\n\nab", DecodeReason::UnknownPseudoHeader, 17),
            (":transport: http\nA: b\n\nab", DecodeReason::NotApplicable, 17),
            (":transport: http\n:splits: \n\nab", DecodeReason::PseudoHeaderValue, 17),
            (":transport: http\n:splits: 0\n\nab", DecodeReason::PseudoHeaderValue, 17),
            (":transport: http\n:splits: 2\n\nab", DecodeReason::PseudoHeaderValue, 17),
            (":transport: http\n:splits: 01\n\nab", DecodeReason::PseudoHeaderValue, 17),
            (":transport: http\n:splits: 1,1\n\nabc", DecodeReason::PseudoHeaderValue, 17),
            (":transport: http\n:splits: 2,1\n\nabc", DecodeReason::PseudoHeaderValue, 17),
            (":transport: http\n:splits: 1, 2\n\nabc", DecodeReason::PseudoHeaderValue, 17),
            (":transport: http\r\n\r\nab", DecodeReason::PseudoHeaderValue, 0),
        ] {
            assert_eq!(Frames::decode(text.as_bytes()), Err(DecodeError { reason, offset }), "{text:?}");
        }
    }
}
