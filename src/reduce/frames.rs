//! Smaller streams: fewer bytes, then fewer cuts. A cut stays where it is between the bytes that are left.

use std::ops::Range;

use super::descend;
use crate::case::{Frames, Transport};

/// The most pieces of one length that are tried.
const PIECES: usize = 256;

/// The smaller neighbours of a stream, the boldest first.
///
/// ```
/// use wirebench::case::{Frames, Transport};
/// use wirebench::reduce;
///
/// let frames = Frames::new(Transport::Stdio, "{}\n", [1, 2]);
/// assert!(reduce::frames_candidates(&frames).contains(&Frames::new(Transport::Stdio, "{}\n", [1])));
/// ```
pub fn frames_candidates(frames: &Frames) -> Vec<Frames> {
    neighbours(frames).collect()
}

/// The smallest stream found for which `keeps` still says yes.
///
/// ```
/// use wirebench::case::{Frames, Transport};
/// use wirebench::reduce;
///
/// let frames = Frames::new(Transport::Http, "data: {\"a\":1}\n\ndata: []\n\n", [3, 9, 20]);
/// let cut_inside = |frames: &Frames| frames.chunks().count() > 1 && frames.stream().contains(&b'[');
/// assert_eq!(reduce::minimise_frames(frames, cut_inside).encode(), b":transport: stdio\n:splits: 1\n\n0[");
/// ```
pub fn minimise_frames(frames: Frames, mut keeps: impl FnMut(&Frames) -> bool) -> Frames {
    let mut tries = 0;
    descend(frames, neighbours, &mut keeps, &mut tries)
}

fn neighbours(frames: &Frames) -> Box<dyn Iterator<Item = Frames> + '_> {
    Box::new(fewer_bytes(frames).chain(fewer_cuts(frames)).chain(plainer_bytes(frames)))
}

fn lengths(count: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(count), |length| (*length > 1).then_some(length / 2)).filter(|length| *length > 0)
}

fn fewer_bytes(frames: &Frames) -> impl Iterator<Item = Frames> + '_ {
    let count = frames.stream().len();
    lengths(count).flat_map(move |length| {
        let starts = (0..count).step_by(length.max(count / PIECES));
        starts.map(move |start| without(frames, start..(start + length).min(count)))
    })
}

fn without(frames: &Frames, span: Range<usize>) -> Frames {
    let stream = [&frames.stream()[..span.start], &frames.stream()[span.end..]].concat();
    let moved = frames.splits().iter().map(|&at| if at < span.start { at } else { at.max(span.end) - span.len() });
    Frames::new(frames.transport(), stream, moved)
}

fn fewer_cuts(frames: &Frames) -> impl Iterator<Item = Frames> + '_ {
    let count = frames.splits().len();
    lengths(count).flat_map(move |length| {
        (0..count).step_by(length).map(move |start| {
            let kept = frames.splits().iter().enumerate().filter(move |(at, _)| !(start..start + length).contains(at));
            Frames::new(frames.transport(), frames.stream(), kept.map(|(_, split)| *split))
        })
    })
}

/// A zero where another byte stood, of the first few; and lines instead of events.
fn plainer_bytes(frames: &Frames) -> impl Iterator<Item = Frames> + '_ {
    let lines = (frames.transport() == Transport::Http)
        .then(|| Frames::new(Transport::Stdio, frames.stream(), frames.splits().iter().copied()));
    let places = frames.stream().iter().enumerate().filter(|(_, byte)| **byte != b'0').map(|(at, _)| at).take(PIECES);
    lines.into_iter().chain(places.map(move |at| {
        let mut stream = frames.stream().to_vec();
        stream[at] = b'0';
        Frames::new(frames.transport(), stream, frames.splits().iter().copied())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_candidate_has_a_text_form_and_none_is_the_stream_itself() {
        let frames = Frames::new(Transport::Http, "data: {}\r\n\r\n", [2, 9, 10]);
        let candidates = frames_candidates(&frames);
        assert!(candidates.len() > 20);
        for candidate in candidates {
            assert_ne!(candidate, frames);
            assert_eq!(Frames::decode(&candidate.encode()).unwrap(), candidate);
        }
    }

    #[test]
    fn bytes_and_cuts_that_do_not_matter_are_gone() {
        let frames = Frames::new(Transport::Http, "data: {}\r\n\r\ndata: []\n\n", 1..20);
        let between = |frames: &Frames| frames.chunks().any(|chunk| chunk.ends_with(b"\r"));
        let least = minimise_frames(frames, between);
        assert_eq!(least.encode(), b":transport: stdio\n\n\r");
    }
}
