//! What one message of a session means for the next: which request a response answers, which revision was established,
//! who proved itself modern.
//!
//! Outstanding ids are kept for each connection and sender. The number kept is bounded: requests beyond it are read, and
//! their answers are orphans.

use std::collections::{BTreeMap, HashMap};

use super::Reader;
use super::context::{Answered, Context};
use super::document::Value;
use super::envelope::{Envelope, Kind};
use super::id::IdKey;
use super::meta::{Capabilities, CapabilityState};
use super::proof::{self, ErrorAnswer, MODERN_CODES};
use super::reading::{Breach, Reading, Weight};
use super::refusal::{Reason, Refusal};
use crate::case::{Case, Party, Revision, Transport};
use crate::observation::Cost;

/// How many requests of one connection are remembered while they wait for their answer.
pub const OUTSTANDING: usize = 1 << 16;

/// Reads the messages of one session in order.
#[derive(Debug, Default)]
pub struct Tracker {
    connections: BTreeMap<u32, Connection>,
}

#[derive(Debug, Default)]
struct Connection {
    revision: Option<Revision>,
    outstanding: HashMap<(Party, IdKey), Answered>,
    client: Shown,
    server: Shown,
}

/// What a party showed of itself.
#[derive(Debug, Default)]
struct Shown {
    /// A recognised modern answer, or a string `resultType`.
    modern: bool,
    /// A recognised modern answer by the text of the specification alone.
    proven: bool,
    /// Anything that only a modern server sends, in whatever shape.
    suspected: bool,
    /// The legacy revisions that it listed while it listed no modern one.
    legacy_choice: Vec<Revision>,
}

impl Tracker {
    /// A session of which nothing was seen.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next message.
    pub fn read<'a>(&mut self, reader: &'a mut Reader, case: &'a Case) -> Reading<'a> {
        if case.restart {
            self.connections.remove(&case.connection);
        }
        let connection = self.connections.entry(case.connection).or_default();
        if opens_stream(case) {
            return connection.stream(case);
        }
        let reading = reader.read_within(case, |envelope| connection.context(case, envelope));
        connection.learn(case, &reading);
        reading
    }

    /// What is established for the connection of a case before the case itself is looked at.
    pub fn established(&self, case: &Case) -> Context {
        let revision = self.connections.get(&case.connection).and_then(|connection| connection.revision);
        Context { revision: revision.or(case.stated.revision), ..Context::of(case) }
    }
}

fn opens_stream(case: &Case) -> bool {
    case.from == Party::Client && case.transport == Transport::Http && case.method.as_deref() == Some(b"GET")
}

impl Connection {
    /// A GET has no body to read; it is a legacy step or nothing.
    fn stream<'a>(&self, case: &Case) -> Reading<'a> {
        let breach = self.downgrade(case, true).map(|weight| Breach {
            refusal: Refusal::new(Reason::LegacyStep).under("fallback-http-404-405-to-sse"),
            weight,
        });
        Reading { breaches: breach.into_iter().collect(), cost: Cost::default(), ..Reading::default() }
    }

    fn shown(&mut self, party: Party) -> &mut Shown {
        match party {
            Party::Client => &mut self.client,
            Party::Server => &mut self.server,
        }
    }

    fn context(&self, case: &Case, envelope: &Envelope<'_>) -> Context {
        let key = envelope.id.map(|id| IdKey::of(id.raw()));
        let other = if case.from == Party::Client { Party::Server } else { Party::Client };
        let answered = key
            .as_ref()
            .filter(|_| envelope.kind.is_response())
            .and_then(|key| self.outstanding.get(&(other, key.clone())).cloned());
        let stated = Context::of(case);
        let sender = if case.from == Party::Client { &self.client } else { &self.server };
        let in_flight =
            envelope.kind == Kind::Request && key.is_some_and(|key| self.outstanding.contains_key(&(case.from, key)));
        let step = envelope.has_method("initialize") || envelope.has_method("notifications/initialized");
        let chosen = envelope.has_method("initialize") && self.chose_a_listed_revision(envelope);
        Context {
            revision: self.revision.or(stated.revision),
            answered: answered.or(stated.answered),
            peer_is_modern: sender.modern,
            downgrade: if chosen { None } else { self.downgrade(case, step).or_else(|| self.bare(case, envelope)) },
            id_in_flight: in_flight,
        }
    }

    /// How much a legacy step weighs after what the server showed.
    fn downgrade(&self, case: &Case, is_step: bool) -> Option<Weight> {
        let by_client = is_step && case.from == Party::Client;
        match (by_client, self.server.proven, self.server.suspected, case.transport) {
            (true, true, _, Transport::Stdio) => Some(Weight::Full),
            // Over HTTP the text only says SHOULD.
            (true, true, _, Transport::Http) => Some(Weight::Unproven),
            (true, false, true, _) => Some(Weight::StrictOnly),
            _ => None,
        }
    }

    /// A request without modern metadata after modern proof; only `strict` minds.
    fn bare(&self, case: &Case, envelope: &Envelope<'_>) -> Option<Weight> {
        let modern = envelope.param("_meta").is_some_and(|meta| meta.get(super::meta::PROTOCOL_VERSION).is_some());
        let bare = case.from == Party::Client && envelope.kind == Kind::Request && !modern;
        (bare && (self.server.proven || self.server.suspected)).then_some(Weight::StrictOnly)
    }

    /// Naming a legacy revision that the peer listed, while it listed no modern one, is an informed choice.
    fn chose_a_listed_revision(&self, envelope: &Envelope<'_>) -> bool {
        let named = envelope.param("protocolVersion").and_then(Value::as_text);
        named.is_some_and(|named| self.server.legacy_choice.iter().any(|listed| named.is(listed.as_str())))
    }

    fn learn(&mut self, case: &Case, reading: &Reading<'_>) {
        let Some(envelope) = &reading.envelope else { return };
        let key = envelope.id.map(|id| IdKey::of(id.raw()));
        match envelope.kind {
            Kind::Request => {
                let Some(key) = key else { return };
                if self.outstanding.len() < OUTSTANDING || self.outstanding.contains_key(&(case.from, key.clone())) {
                    let request = Answered {
                        era: reading.era,
                        capabilities: reading.capabilities.unwrap_or(Capabilities::of(CapabilityState::None)),
                        method: envelope.method.and_then(Value::as_text).map(|text| text.decode().as_bytes().to_vec()),
                        id: envelope.id.map(|id| id.raw().to_vec()),
                    };
                    self.outstanding.insert((case.from, key), request);
                }
            }
            Kind::Notification => {}
            Kind::Result | Kind::Error => {
                let other = if case.from == Party::Client { Party::Server } else { Party::Client };
                let request = key.and_then(|key| self.outstanding.remove(&(other, key)));
                self.learn_answer(case, envelope, request.as_ref());
            }
        }
    }

    fn learn_answer(&mut self, case: &Case, envelope: &Envelope<'_>, request: Option<&Answered>) {
        let method = request.and_then(|request| request.method.as_deref());
        if let Some(result) = envelope.result {
            let typed = result.get("resultType").is_some_and(|token| token.as_text().is_some());
            let discovered = method == Some(b"server/discover") && proof::is_discover_result(result);
            if let (Some(b"initialize"), Some(revision)) = (method, proof::initialized_revision(result)) {
                self.revision = Some(revision);
            }
            let shown = self.shown(case.from);
            shown.modern |= typed || discovered;
            shown.proven |= discovered;
            shown.suspected |= typed;
            return;
        }
        let (Some(error), Some(code)) = (envelope.error, envelope.error_code()) else { return };
        let answer = ErrorAnswer {
            error,
            code,
            transport: case.transport,
            status: case.status,
            correlated: request.is_some(),
            method,
        };
        let modern = proof::error_is_modern(&answer);
        let shown = self.shown(case.from);
        shown.modern |= modern;
        shown.proven |= modern;
        shown.suspected |= MODERN_CODES.contains(&code);
        if modern && code == -32022 {
            shown.legacy_choice = listed_legacy(error);
        }
    }
}

/// The legacy revisions of an unsupported-version error, when it lists no modern one.
fn listed_legacy(error: Value<'_>) -> Vec<Revision> {
    let Some(list) = error.get("data").and_then(|data| data.get("supported")) else { return Vec::new() };
    let dates: Vec<Revision> =
        list.elements().filter_map(|value| Revision::parse(value.as_text()?.decode().as_bytes())).collect();
    if dates.iter().all(|date| proof::is_legacy(*date)) { dates } else { Vec::new() }
}
