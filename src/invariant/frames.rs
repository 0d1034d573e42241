//! Streams: where the bytes are cut says nothing about the messages in them.
//!
//! Looks at frames and never into a message. What a frame holds is for the other families to judge.

use super::verdict::{HELD, HIDDEN, VACUOUS, broken};
use super::{Check, Cutter, Invariant, Verdict};
use crate::case::Frames;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[Invariant {
    id: "frames.cuts-change-nothing",
    requirements: &["sse-split-anywhere", "stdio-newline-delimited"],
    level: Level::Must,
    rule: "A stream gives the same frames however it is cut.",
    check: Check::Frames(cuts_change_nothing),
}];

/// Streams longer than this are not cut behind every byte.
const LONG: usize = 1 << 16;

fn cuts_change_nothing(stream: &Frames, cut: &mut Cutter<'_>) -> Verdict {
    let bytes = stream.stream();
    if bytes.len() < 2 {
        return VACUOUS;
    }
    let Some(whole) = cut(&Frames::new(stream.transport(), bytes, [])) else { return HIDDEN };
    let everywhere = if bytes.len() <= LONG { 1..bytes.len() } else { 1..2 };
    for other in [stream.clone(), Frames::new(stream.transport(), bytes, everywhere)] {
        let Some(seen) = cut(&other) else { return HIDDEN };
        if seen.len() != whole.len() {
            return broken("other-count", format!("{} frames", whole.len()), format!("{} frames", seen.len()));
        }
        if seen != whole {
            return broken("other-frames", "the frames of the stream in one piece", "others");
        }
    }
    HELD
}
