//! What the codec says of messages in order: the one place of the command that calls it.

use wirebench::codec::refusal::Refusal;
use wirebench::exchange::Recorded;
use wirebench::observation::Observation;
pub use wirebench::requirement::judge::{Profile, is_finding};

/// What was said of one message.
#[derive(Debug)]
pub struct Judged {
    /// Which of the messages, counted from zero; a batch is judged an element at a time.
    pub message: usize,
    /// What the codec saw.
    pub observation: Observation,
    /// What is worth telling besides.
    pub notes: Vec<Note>,
    /// Whether the refusal counts as a finding.
    pub is_finding: bool,
}

/// Something worth telling that changes nothing.
#[derive(Debug)]
pub struct Note {
    /// The rule that it is about.
    pub requirement: &'static str,
    /// What it says.
    pub reason: Option<&'static str>,
    /// Where in the body, in bytes.
    pub offset: Option<usize>,
}

/// Judges messages in order.
pub fn judge(messages: &[Recorded], profile: Profile) -> Vec<Judged> {
    let judged = |(message, _)| {
        let observation = Observation::default();
        let is_finding = observation.refusal.as_ref().is_some_and(|refusal: &Refusal| is_finding(refusal, profile));
        Judged { message, observation, notes: Vec::new(), is_finding }
    };
    messages.iter().enumerate().map(judged).collect()
}
