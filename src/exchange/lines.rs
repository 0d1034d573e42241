//! What JSON Lines hold: one message a line, blank lines skipped.

use super::sender::Senders;
use super::{MAX_LINE, Recorded};
use crate::case::Case;
use crate::codec::document::Decoder;
use crate::codec::refusal::{Reason, Refusal};
use crate::limits::Limits;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Recorded>, Refusal> {
    let mut decoder = Decoder::new();
    let mut senders = Senders::default();
    let mut messages = Vec::new();
    for (index, (offset, line)) in filled(bytes).enumerate() {
        let document = decoder.read(line, limits).map_err(|fault| moved(fault, offset))?;
        let from = senders.of(document.root());
        messages.push(Recorded { index, offset, case: Case::stdio(from, line) });
    }
    Ok(messages)
}

/// How many lines are not blank.
pub(super) fn count(bytes: &[u8]) -> usize {
    filled(bytes).count()
}

pub(super) fn check_lengths(bytes: &[u8]) -> Result<(), Refusal> {
    match split(bytes).find(|(_, line)| line.len() > MAX_LINE) {
        Some((offset, _)) => Err(Refusal::at(Reason::LineLimit, offset + MAX_LINE)),
        None => Ok(()),
    }
}

/// The same fault, its offset counted from the start of the recording.
pub(super) fn moved(mut fault: Refusal, by: usize) -> Refusal {
    fault.offset = fault.offset.map(|offset| offset + by);
    fault
}

fn split(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    bytes.split(|&byte| byte == b'\n').map(move |line| {
        let offset = start;
        start += line.len() + 1;
        (offset, line)
    })
}

/// The lines that are not blank, trimmed, each with the place of its first byte.
fn filled(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    split(bytes).filter_map(|(offset, line)| {
        let behind = line.trim_ascii_start();
        let trimmed = behind.trim_ascii_end();
        (!trimmed.is_empty()).then_some((offset + line.len() - behind.len(), trimmed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_trimmed_and_keep_the_place_of_their_first_byte() {
        let found: Vec<_> = filled(b"\n  a \r\n\t\nb").collect();
        assert_eq!(found, [(3, b"a".as_slice()), (9, b"b".as_slice())]);
        assert_eq!(count(b"\n\n \n"), 0);
    }
}
