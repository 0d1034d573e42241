//! What the codec says of messages in order: the one place of the command that calls it.

use wirebench::codec::Reader;
use wirebench::codec::reading::{Breach, Profile, Reading, Weight};
use wirebench::codec::refusal::Refusal;
use wirebench::codec::session::Tracker;
use wirebench::exchange::{Recorded, refuses_whole};
use wirebench::limits::Limits;
use wirebench::observation::Observation;
use wirebench::requirement::judge::is_finding;

/// What was said of one message.
#[derive(Debug)]
pub struct Judged {
    /// The index of the message in its input; the elements of a batch share it.
    pub index: usize,
    /// What the codec saw.
    pub observation: Observation,
    /// What is worth telling besides.
    pub notes: Vec<Note>,
    /// Whether a broken rule counts as a finding.
    pub is_finding: bool,
    /// How the message refuses the recording that it came in.
    pub whole: Option<Refusal>,
}

/// Something worth telling that changes nothing.
#[derive(Debug)]
pub struct Note {
    /// The rule that it is about.
    pub requirement: &'static str,
    /// What it says.
    pub reason: &'static str,
    /// Where in the body, in bytes.
    pub offset: Option<usize>,
}

/// Judges the messages of one input in order, as one session.
pub fn judge(messages: &[Recorded], profile: Profile) -> Vec<Judged> {
    let (mut tracker, mut reader) = (Tracker::new(), Reader::new(Limits::message()));
    let mut judged = Vec::with_capacity(messages.len());
    for message in messages {
        tracker.read_each(&mut reader, &message.case, |reading| {
            judged.push(judged_as(message, reading, profile));
        });
    }
    judged
}

/// Whether a refusal of a whole recording counts as a finding.
pub fn whole_is_finding(refusal: &Refusal, profile: Profile) -> bool {
    is_finding(&Breach { refusal: *refusal, weight: Weight::Full }, profile)
}

fn judged_as(message: &Recorded, reading: &Reading<'_>, profile: Profile) -> Judged {
    Judged {
        index: message.index,
        observation: reading.observation(profile),
        notes: notes(reading, profile),
        is_finding: refused(reading, profile).any(|breach| is_finding(breach, profile)),
        whole: refuses_whole(reading, message),
    }
}

/// The broken rules that the profile refuses, in stage order.
fn refused<'r>(reading: &'r Reading<'_>, profile: Profile) -> impl Iterator<Item = &'r Breach> {
    reading.breaches.iter().filter(move |breach| profile == Profile::Strict || breach.weight != Weight::StrictOnly)
}

/// The notes of the codec; what only `strict` refuses; and a finding that stands behind a refusal that is none.
fn notes(reading: &Reading<'_>, profile: Profile) -> Vec<Note> {
    let of_breach = |breach: &Breach| Note {
        requirement: breach.refusal.requirement,
        reason: breach.refusal.reason.word(),
        offset: breach.refusal.offset,
    };
    let first = reading.breach(profile);
    let hidden = refused(reading, profile)
        .find(|breach| is_finding(breach, profile))
        .filter(|_| first.is_some_and(|first| !is_finding(first, profile)));
    let tolerated =
        reading.breaches.iter().filter(|breach| profile == Profile::Spec && breach.weight == Weight::StrictOnly);
    let told = reading.notes.iter().map(|note| Note {
        requirement: note.requirement,
        reason: note.reason,
        offset: note.offset,
    });
    hidden.into_iter().chain(tolerated).map(of_breach).chain(told).collect()
}
