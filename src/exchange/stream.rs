//! What a frame stream holds: the messages of its lines or events, and the frames that hold none.

use super::Recorded;
use super::sender::Senders;
use crate::case::{Case, Frames, Party, Transport};
use crate::codec::document::Decoder;
use crate::codec::frame::{self, FrameLimits};
use crate::codec::refusal::Refusal;
use crate::limits::Limits;

/// The frames of a stream in order; a bad one refuses itself alone.
pub(super) fn read(frames: &Frames) -> Vec<Result<Recorded, (usize, Refusal)>> {
    let (mut decoder, mut senders) = (Decoder::new(), Senders::default());
    let mut found = Vec::new();
    frame::read(frames, FrameLimits::message(), &mut |frame| {
        let index = found.len();
        found.push(match frame.result {
            Err(refusal) => Err((index, refusal)),
            Ok(body) => {
                let case = match frames.transport() {
                    // Only a server answers with events.
                    Transport::Http => Case::http(Party::Server, body),
                    Transport::Stdio => {
                        let document = decoder.read(body, &Limits::message());
                        let from = document.map_or(Party::default(), |document| senders.of(document.root()));
                        Case::stdio(from, body)
                    }
                };
                Ok(Recorded { index, offset: usize::try_from(frame.offset).unwrap_or(usize::MAX), case })
            }
        });
    });
    found
}
