//! Does a client step back although its probe only failed?
//!
//! A failure of authorization, of a limit on requests or of the server says nothing about an era: who goes on with
//! `initialize` takes it for evidence. What a modern answer forbids is the context's matter, since it weighs with every
//! later request as well.

use super::Turn;
use crate::case::{Case, Party};
use crate::codec::envelope::{Envelope, Kind};
use crate::codec::proof;
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;

/// The latest probe of a client.
#[derive(Debug, Default)]
pub struct Probes(Option<Probed>);

/// How far a probe is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probed {
    /// Not answered yet.
    Waits,
    /// Turned down by a status that says nothing about an era.
    Failed,
}

impl Probes {
    /// Takes note of a message, readable or not: what turns a request down by its status often says no more.
    pub fn learn(&mut self, case: &Case, envelope: Option<&Envelope<'_>>) {
        let asks = |envelope: &Envelope<'_>| envelope.kind == Kind::Request && envelope.has_method("server/discover");
        match case.from {
            Party::Client if envelope.is_some_and(asks) => self.0 = Some(Probed::Waits),
            Party::Server if self.0 == Some(Probed::Waits) => {
                self.0 = case.status.is_some_and(proof::is_failure).then_some(Probed::Failed);
            }
            Party::Client | Party::Server => {}
        }
    }
}

/// Judges the handshake that follows a probe.
pub fn judge(turn: &mut Turn<'_, '_>) {
    let envelope = turn.envelope;
    let steps_back = turn.case.from == Party::Client && envelope.has_method("initialize");
    if steps_back && turn.memory.probes.0 == Some(Probed::Failed) {
        let rule = "fallback-401-403-not-era-evidence";
        turn.refuse(Reason::LegacyStep, rule, envelope.method, Weight::StrictOnly);
    }
}
