//! Operators on streams: cut elsewhere, other line ends, lines that carry no message, and ends that come too soon.

use arbitrary::Unstructured;

use super::{Edit, operators};
use crate::case::{Frames, Transport};
use crate::generate::frame;

operators! { Frames;
    /// Cuts the stream elsewhere: lawful.
    CutElsewhere "cut-elsewhere" if |frames| frames.stream().len() > 1 => |frames, u| {
        let splits = frame::splits(u, frames.stream().len())?;
        *frames = Frames::new(frames.transport(), frames.stream(), splits);
        Ok(Some(Edit::lawful("")))
    };
    /// Cuts the stream behind every byte: lawful.
    CutEverywhere "cut-everywhere" if |frames| frames.stream().len() > 1 => |frames, _| {
        *frames = Frames::new(frames.transport(), frames.stream(), 1..frames.stream().len());
        Ok(Some(Edit::lawful("")))
    };
    /// Puts a line of another kind between two lines: a comment, a blank, a field that nobody knows, another event.
    ForeignLine "foreign-line" if |_| true => |frames, u| {
        let line = *u.choose(&[": comment\n", "\n", "retry: 1\n", "event: ping\n", "data\n", "x\n", "data: \n"])?;
        let breaks: &[&str] = match frames.transport() {
            Transport::Stdio if line != "\n" => &["stdio-newline-delimited"],
            _ => &[],
        };
        let at = line_start(frames, u)?;
        insert(frames, at, line.as_bytes());
        Ok(Some(Edit::new(at.to_string(), breaks)))
    };
    /// Writes a byte order mark before the stream.
    MarkStream "mark-stream" if |_| true => |frames, _| {
        let breaks: &[&str] = if frames.transport() == Transport::Stdio { &["json-no-byte-order-mark"] } else { &[] };
        insert(frames, 0, "\u{feff}".as_bytes());
        Ok(Some(Edit::new("0", breaks)))
    };
    /// Puts an event of another type between two events.
    ForeignEvent "foreign-event" if |frames| frames.transport() == Transport::Http => |frames, u| {
        let stream = frames.stream();
        let behind_blank = |at: &usize| *at == 0 || stream[..*at].ends_with(b"\n\n");
        let places: Vec<usize> = (0..=stream.len()).filter(behind_blank).collect();
        let at = *u.choose(&places)?;
        insert(frames, at, b"event: ping\ndata: {}\n\n");
        Ok(Some(Edit::new(at.to_string(), &["sse-unknown-fields-ignored"])))
    };
    /// Ends the stream in the middle of a line or an event.
    CutStream "cut-stream" if |frames| !frames.stream().is_empty() => |frames, u| {
        let at = u.int_in_range(0..=frames.stream().len() - 1)?;
        let rule = match frames.transport() {
            Transport::Stdio => "stdio-newline-delimited",
            Transport::Http => "sse-data-is-one-message",
        };
        *frames = Frames::new(frames.transport(), &frames.stream()[..at], frames.splits().iter().copied());
        Ok(Some(Edit::new(at.to_string(), &[rule])))
    };
    /// Writes a line end into the middle of a message.
    BreakLine "break-line" if |frames| !frames.stream().is_empty() => |frames, u| {
        let at = u.int_in_range(0..=frames.stream().len() - 1)?;
        let end = *u.choose(&["\n", "\r\n", "\r", "\ndata: "])?;
        insert(frames, at, end.as_bytes());
        Ok(Some(Edit::new(at.to_string(), &["stdio-newline-delimited"])))
    };
}

/// Where some line starts.
fn line_start(frames: &Frames, u: &mut Unstructured<'_>) -> arbitrary::Result<usize> {
    let ends = frames.stream().iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
    u.choose(&starts).copied()
}

/// The cuts behind the place keep their distance from the end.
fn insert(frames: &mut Frames, at: usize, text: &[u8]) {
    let mut stream = frames.stream().to_vec();
    stream.splice(at..at, text.iter().copied());
    let moved = frames.splits().iter().map(|&split| if split > at { split + text.len() } else { split });
    *frames = Frames::new(frames.transport(), stream, moved);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_does_what_its_record_says() {
        for (name, before, after, breaks) in [
            ("cut-elsewhere", ":transport: stdio\n:splits: 1\n\n{}\n", ":transport: stdio\n\n{}\n", &[][..]),
            ("cut-everywhere", ":transport: stdio\n\n{}\n", ":transport: stdio\n:splits: 1,2\n\n{}\n", &[]),
            ("foreign-line", ":transport: http\n\ndata:1\n\n", ":transport: http\n\n: comment\ndata:1\n\n", &[]),
            (
                "mark-stream",
                ":transport: stdio\n\n{}\n",
                ":transport: stdio\n\n\u{feff}{}\n",
                &["json-no-byte-order-mark"],
            ),
            (
                "foreign-event",
                ":transport: http\n\ndata:1\n\n",
                ":transport: http\n\nevent: ping\ndata: {}\n\ndata:1\n\n",
                &["sse-unknown-fields-ignored"],
            ),
            ("cut-stream", ":transport: stdio\n\n{}\n", ":transport: stdio\n\n", &["stdio-newline-delimited"]),
            ("break-line", ":transport: stdio\n\n{}\n", ":transport: stdio\n\n\n{}\n", &["stdio-newline-delimited"]),
        ] {
            let operator = FAMILY.iter().find(|operator| operator.name() == name).expect(name);
            let mut frames = Frames::decode(before.as_bytes()).expect(before);
            let mutation = operator.apply(&mut frames, &mut Unstructured::new(&[])).unwrap().expect(name);
            assert_eq!(String::from_utf8_lossy(&frames.encode()), after, "{name}");
            assert_eq!(mutation.breaks, breaks, "{name}");
        }
    }
}
