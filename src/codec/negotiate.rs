//! The start-up of a client as a pure state machine: where a downgrade may happen at all.
//!
//! One modern probe with a deadline. A modern answer selects the modern era or ends the attempt; it never leads back. A
//! failure of authorization or of the server says nothing about an era, so it ends the attempt as well: the caller mends
//! it and probes again. When the probe is inconclusive, the mode is *fallback* and the endpoint is on the caller's list,
//! one `initialize` follows, and only its correlated and well-shaped result selects a legacy era. The machine sends
//! nothing itself.

use super::document::Value;
use super::envelope::{Envelope, Kind};
use super::proof::{self, ErrorAnswer, MODERN_CODES};
use super::reading::Profile;
use crate::case::{Case, Revision};
use crate::observation::Step;

/// How far a client may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Never a legacy step.
    ModernOnly,
    /// A legacy era after an inconclusive probe of a listed endpoint.
    Fallback {
        /// Whether the endpoint is on the list of those known to be legacy.
        listed: bool,
    },
}

/// What an answer to the probe showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Probe {
    /// The result of `server/discover`.
    Discovered,
    /// A modern refusal.
    ModernRefusal,
    /// Nothing: what answered turned the request down before any MCP server looked at it, or could not serve it.
    Failure,
    /// Any other answer, none at all, or a closed connection.
    Inconclusive,
    /// Nothing, since the client's own signal was broken: no answer to it licenses a step back.
    OwnFault,
}

/// Something that happens to a client while it starts up.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A readable response, and whether it carries the id of the request that waits.
    Answer {
        /// How it travelled.
        case: &'a Case,
        /// Its shape.
        envelope: &'a Envelope<'a>,
        /// Whether the id is that of the outstanding request, by type and value.
        correlated: bool,
    },
    /// An answer that is no readable response: an empty body, a page of a gateway, a message of another kind.
    Unreadable {
        /// The HTTP status that it came with, where there is one.
        status: Option<u16>,
    },
    /// The deadline passed.
    Silence,
    /// The connection ended.
    Closed,
    /// The probe itself was found to name its era in a form that conflicts or cannot be read.
    BrokenProbe,
}

/// The judgements that a start-up rests on. A mutant of it exchanges one.
#[derive(Clone, Copy)]
pub struct Rules {
    /// What an event says about the probe.
    pub probe: fn(&Event<'_>, Profile) -> Probe,
    /// Whether the mode lets an inconclusive probe lead to `initialize`.
    pub may_fall_back: fn(Mode) -> bool,
    /// What an event after `initialize` says.
    pub legacy: fn(&Event<'_>) -> Initialized,
}

/// What an answer to `initialize` showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Initialized {
    /// Its correlated and well-shaped result, which names this legacy revision.
    Selects(Revision),
    /// The address takes no POST of this kind, and nothing modern said so: a server of the oldest revision opens an event
    /// stream there, which names the address to post to.
    TurnedDown,
    /// Anything else.
    Nothing,
}

/// The codec's own rules.
pub static RULES: Rules = Rules { probe: observe_probe, may_fall_back, legacy: observe_initialized };

/// What a start-up came to; everything that led there stands together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How far the client was allowed to go.
    pub mode: Mode,
    /// What the probe showed, once it is over.
    pub probe: Option<Probe>,
    /// Whether an event stream was opened, for the `initialize` that was turned down to go out again, under its id, to the
    /// address which the stream names.
    pub stream: bool,
    /// The revision that a valid `initialize` result named.
    pub legacy: Option<Revision>,
    /// The era that was settled on.
    pub selected: Option<Selected>,
}

/// The era that a start-up settles on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selected {
    /// 2026-07-28.
    Modern,
    /// The revision of the `initialize` result.
    Legacy(Revision),
    /// None: the caller is told.
    Nothing,
}

/// A client that starts up.
pub struct Startup {
    rules: &'static Rules,
    profile: Profile,
    outcome: Outcome,
}

impl Startup {
    /// A client that has just sent its probe, which is its first step in every mode.
    pub fn new(mode: Mode, profile: Profile) -> (Self, Step) {
        Self::with_rules(&RULES, mode, profile)
    }

    /// The same under other rules: a mutant.
    pub fn with_rules(rules: &'static Rules, mode: Mode, profile: Profile) -> (Self, Step) {
        let outcome = Outcome { mode, probe: None, stream: false, legacy: None, selected: None };
        (Self { rules, profile, outcome }, Step::Probe)
    }

    /// What it has come to so far.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// What the client does next. Nothing, once it has settled.
    pub fn on(&mut self, event: &Event<'_>) -> Vec<Step> {
        match (self.outcome.selected, self.outcome.probe) {
            (Some(_), _) => Vec::new(),
            (None, None) => {
                let probe = (self.rules.probe)(event, self.profile);
                self.outcome.probe = Some(probe);
                match probe {
                    Probe::Discovered => self.settle(Selected::Modern),
                    Probe::Inconclusive if (self.rules.may_fall_back)(self.outcome.mode) => vec![Step::Initialize],
                    Probe::Inconclusive | Probe::ModernRefusal | Probe::Failure | Probe::OwnFault => {
                        self.settle(Selected::Nothing)
                    }
                }
            }
            (None, Some(_)) => match (self.rules.legacy)(event) {
                Initialized::Selects(revision) => {
                    self.outcome.legacy = Some(revision);
                    self.settle(Selected::Legacy(revision))
                }
                Initialized::TurnedDown if !self.outcome.stream => {
                    self.outcome.stream = true;
                    vec![Step::OpenStream]
                }
                Initialized::TurnedDown | Initialized::Nothing => self.settle(Selected::Nothing),
            },
        }
    }

    fn settle(&mut self, selected: Selected) -> Vec<Step> {
        self.outcome.selected = Some(selected);
        match selected {
            Selected::Modern => vec![Step::SelectModern],
            Selected::Legacy(_) => vec![Step::Initialized, Step::SelectLegacy],
            Selected::Nothing => vec![Step::Fail],
        }
    }
}

fn observe_probe(event: &Event<'_>, profile: Profile) -> Probe {
    let (case, envelope, correlated) = match event {
        Event::Answer { case, envelope, correlated } => (case, envelope, *correlated),
        Event::BrokenProbe if profile == Profile::Strict => return Probe::OwnFault,
        Event::Unreadable { status } => return unmodern(*status),
        Event::BrokenProbe | Event::Silence | Event::Closed => return Probe::Inconclusive,
    };
    if let Some(result) = envelope.result {
        let typed = result.get("resultType").is_some_and(|token| token.as_text().is_some());
        return match (correlated && proof::is_discover_result(result), typed && profile == Profile::Strict) {
            (true, _) => Probe::Discovered,
            // Only a modern server types its results, so this one is modern and broken.
            (false, true) => Probe::ModernRefusal,
            (false, false) => unmodern(case.status),
        };
    }
    match is_modern_error(case, envelope, correlated, b"server/discover", profile) {
        true => Probe::ModernRefusal,
        false => unmodern(case.status),
    }
}

fn is_modern_error(case: &Case, envelope: &Envelope<'_>, correlated: bool, method: &[u8], profile: Profile) -> bool {
    let (Some(error), Some(code)) = (envelope.error, envelope.error_code()) else { return false };
    let answer =
        ErrorAnswer { error, code, transport: case.transport, status: case.status, correlated, method: Some(method) };
    proof::error_is_modern(&answer) || profile == Profile::Strict && MODERN_CODES.contains(&code)
}

/// What an answer without anything modern says by its status.
fn unmodern(status: Option<u16>) -> Probe {
    match status {
        Some(status) if proof::is_failure(status) => Probe::Failure,
        _ => Probe::Inconclusive,
    }
}

fn may_fall_back(mode: Mode) -> bool {
    matches!(mode, Mode::Fallback { listed: true })
}

fn observe_initialized(event: &Event<'_>) -> Initialized {
    let (case, envelope, correlated) = match event {
        Event::Answer { case, envelope, correlated } => (case, envelope, *correlated),
        Event::Unreadable { status } => return turned_down(*status),
        Event::Silence | Event::Closed | Event::BrokenProbe => return Initialized::Nothing,
    };
    let Some(result) = envelope.result.filter(|_| envelope.kind == Kind::Result) else {
        // An error under the id of the request shows that its address does take requests, and whatever bears a modern code
        // is a modern server's doing, in both profiles.
        let answered = correlated || is_modern_error(case, envelope, correlated, b"initialize", Profile::Strict);
        return if answered { Initialized::Nothing } else { turned_down(case.status) };
    };
    // A string token in answer to `initialize` is a modern server's doing, and a status of failure belies the result.
    let untyped = result.get("resultType").is_none_or(|token: Value<'_>| token.as_text().is_none());
    let succeeded = case.status.is_none_or(|status| (200..300).contains(&status));
    proof::initialized_revision(result)
        .filter(|revision| correlated && untyped && succeeded && proof::is_legacy(*revision))
        .map_or(Initialized::Nothing, Initialized::Selects)
}

/// A status alone turns the request down; without one, as over stdio, nothing does.
fn turned_down(status: Option<u16>) -> Initialized {
    match status {
        Some(400 | 404 | 405) => Initialized::TurnedDown,
        _ => Initialized::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Party;
    use crate::codec::Reader;
    use crate::codec::context::Context;
    use crate::limits::Limits;

    fn probed(body: &str, correlated: bool, profile: Profile) -> Probe {
        let case = Case::stdio(Party::Server, body);
        let mut reader = Reader::new(Limits::message());
        let envelope = reader.read(&case, &Context::of(&case)).envelope.expect("a readable answer");
        observe_probe(&Event::Answer { case: &case, envelope: &envelope, correlated }, profile)
    }

    #[test]
    fn a_modern_code_is_a_modern_refusal_by_itself_only_to_who_is_strict() {
        for code in MODERN_CODES {
            let bare = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m"}}}}"#);
            assert_eq!(probed(&bare, false, Profile::Strict), Probe::ModernRefusal, "{code}");
            assert_eq!(probed(&bare, false, Profile::Spec), Probe::Inconclusive, "{code}");
        }
        let other = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"m"}}"#;
        assert_eq!(probed(other, true, Profile::Strict), Probe::Inconclusive);
        let shaped = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"m"}}"#;
        assert_eq!(probed(shaped, true, Profile::Spec), Probe::ModernRefusal);
    }

    #[test]
    fn a_typed_result_that_is_no_discovery_is_a_modern_refusal_only_to_who_is_strict() {
        let whole =
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","capabilities":{},"supportedVersions":[]}}"#;
        let typed = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#;
        let plain = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        for (body, correlated, strict, spec) in [
            (whole, true, Probe::Discovered, Probe::Discovered),
            (whole, false, Probe::ModernRefusal, Probe::Inconclusive),
            (typed, true, Probe::ModernRefusal, Probe::Inconclusive),
            (plain, true, Probe::Inconclusive, Probe::Inconclusive),
        ] {
            assert_eq!(probed(body, correlated, Profile::Strict), strict, "{body}");
            assert_eq!(probed(body, correlated, Profile::Spec), spec, "{body}");
        }
    }
}
