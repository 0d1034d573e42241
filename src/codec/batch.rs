//! Does an array at the root hold messages, and which rules does it break as a batch?
//!
//! One revision has batches, 2025-03-26, and a message does not name it: only what a session established, or a case
//! states, makes an array more than a broken envelope. Each member is then read as a message of its own; nothing is
//! counted or answered together here.

use std::ops::Range;

use super::Reader;
use super::document::ValueKind;
use super::era::KnownRevision;
use super::reading::Reading;
use super::refusal::{Reason, Refusal};
use crate::case::{Case, Party, Revision, Transport};

/// Where the members of a batch stand in the body; `None` where the array is refused as a whole, since its revision has
/// no batches, or it is empty, or it cannot be read.
pub fn members(reader: &mut Reader, case: &Case, established: Option<Revision>) -> Option<Vec<Range<usize>>> {
    let opens = case.body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    if !opens || known(established) != Some(KnownRevision::V2025_03_26) {
        return None;
    }
    let document = (reader.stages.document)(&mut reader.decoder, &case.body, &reader.limits).ok()?;
    let root = document.root();
    let places: Vec<_> = root.elements().map(|one| one.offset()..one.offset() + one.raw().len()).collect();
    (root.kind() == ValueKind::Array && !places.is_empty()).then_some(places)
}

/// Names the rule that an array which was refused as a whole breaks where a revision is established.
pub fn name(reading: &mut Reading<'_>, established: Option<Revision>) {
    let rule = match known(established) {
        None | Some(KnownRevision::V2026_07_28) => return,
        // What holds anything is read member by member.
        Some(KnownRevision::V2025_03_26) => "envelope-legacy-batch-not-empty",
        Some(_) => "envelope-legacy-no-batch-other-versions",
    };
    for breach in reading.breaches.iter_mut().filter(|breach| breach.refusal.reason == Reason::Batch) {
        breach.refusal = breach.refusal.under(rule);
    }
}

/// What the members read so far are, as far as it bears on the next.
#[derive(Debug, Default)]
pub struct Company {
    /// Whether the first readable member is a response.
    responses: Option<bool>,
}

impl Company {
    /// Judges a member as part of its batch, and moves what was found to its place in the body.
    pub fn judge(&mut self, case: &Case, reading: &mut Reading<'_>, start: usize) {
        let offsets = reading.breaches.iter_mut().map(|breach| &mut breach.refusal.offset);
        offsets.chain(reading.notes.iter_mut().map(|note| &mut note.offset)).flatten().for_each(|at| *at += start);
        let Some(envelope) = reading.envelope else { return };
        let response = envelope.kind.is_response();
        let mixed = *self.responses.get_or_insert(response) != response;
        let posted = case.from == Party::Client && case.transport == Transport::Http;
        let rule = if envelope.has_method("initialize") {
            "envelope-legacy-batch-not-initialize"
        } else if mixed && posted {
            "envelope-legacy-batch-no-mixing"
        } else {
            return;
        };
        *reading = Reading::ended(Refusal::at(Reason::Batch, start).under(rule), reading.cost);
    }
}

fn known(established: Option<Revision>) -> Option<KnownRevision> {
    established.and_then(|revision| KnownRevision::of(revision.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn an_array_has_members_in_the_one_revision_that_has_batches() {
        let of = |body: &str, revision: &str| {
            let case = Case::stdio(Party::Server, body);
            members(&mut Reader::new(Limits::message()), &case, Revision::parse(revision.as_bytes()))
        };
        assert_eq!(of(r#" [{"a": 1} ,2]"#, "2025-03-26"), Some(vec![2..10, 12..13]));
        for body in ["[]", "{}", "", "[1", "1"] {
            assert_eq!(of(body, "2025-03-26"), None, "{body}");
        }
        for revision in ["2024-11-05", "2025-06-18", "2026-07-28", "none"] {
            assert_eq!(of("[1]", revision), None, "{revision}");
        }
    }
}
