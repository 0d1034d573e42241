//! What one message of a session means for the next: which request a response answers, which revision was established,
//! who proved itself modern.
//!
//! Outstanding ids are kept for each connection and sender. The number kept is bounded: requests beyond it are read, and
//! their answers are orphans.

use std::collections::BTreeMap;

pub mod answer;
pub mod asked;
pub mod cancel;
pub mod pages;
mod print;
pub mod progress;
pub mod retry;
pub mod startup;
pub mod subscription;
pub mod tools;

use self::asked::{Asked, Mismatch, Request};
use self::pages::{Page, Pages};
use self::retry::{Interims, Print};
use self::startup::Probes;
use self::subscription::{End, Subscriptions};
use self::tools::Tools;
use super::Reader;
use super::batch::{self, Company};
use super::context::{Answered, Context};
use super::document::Value;
use super::envelope::{Envelope, Kind};
use super::era::{Era, UnknownEra};
use super::id::IdKey;
use super::meta::{Capabilities, CapabilityState};
use super::proof::{self, ErrorAnswer, MODERN_CODES};
use super::reading::{Breach, Reading, Weight};
use super::refusal::{Reason, Refusal, Stage};
use crate::case::{Case, Party, Revision, Transport};
use crate::observation::Cost;

pub use self::asked::OUTSTANDING;

/// How many connections of one session are told apart; a message of any other is read as if it stood alone.
pub const CONNECTIONS: usize = 1 << 12;

/// The longest method that is remembered whole; no method that means anything here is as long.
const METHOD: usize = 128;

/// Looks for the broken rules of one kind over several messages.
pub type Judge = fn(&mut Turn<'_, '_>);

/// One message, what its connection remembers, and where its broken rules go.
pub struct Turn<'t, 'a> {
    /// The message on the wire.
    pub case: &'a Case,
    /// Its shape.
    pub envelope: Envelope<'a>,
    /// The era of its signals, or of the request that it answers.
    pub era: Era,
    memory: &'t Connection,
    breaches: &'t mut Vec<Breach>,
}

impl Turn<'_, '_> {
    /// Adds a breach under a rule, at a place of the message where it has one.
    pub fn refuse(&mut self, reason: Reason, rule: &'static str, place: Option<Value<'_>>, weight: Weight) {
        let refusal = Refusal { offset: place.map(Value::offset), ..Refusal::new(reason) }.under(rule);
        let asked = self.envelope.kind == Kind::Request;
        let refusal = if asked { refusal } else { refusal.unanswered() };
        self.breaches.push(Breach { refusal, weight });
    }

    /// Takes back the breaches of a reason: for a judge that is deaf to it.
    pub fn forgive(&mut self, reason: Reason) {
        self.breaches.retain(|breach| breach.refusal.reason != reason);
    }

    /// Takes back the breaches of a rule: for a judge that is deaf to it alone.
    pub fn forgive_rule(&mut self, rule: &str) {
        self.breaches.retain(|breach| breach.refusal.requirement != rule);
    }
}

/// Reads the messages of one session in order.
#[derive(Debug, Default)]
pub struct Tracker {
    connections: BTreeMap<u32, Connection>,
}

/// What one connection remembers.
#[derive(Debug, Default)]
struct Connection {
    revision: Option<Revision>,
    asked: Asked,
    interims: Interims,
    pages: Pages,
    subscriptions: Subscriptions,
    tools: Tools,
    client: Shown,
    server: Shown,
    last: Option<Last>,
    probes: Probes,
    /// Whether the record shows the connection from its start.
    whole: bool,
}

/// The message before this one, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// A notification of that party.
    Notification(Party),
    /// Anything else.
    Other,
}

fn other(party: Party) -> Party {
    match party {
        Party::Client => Party::Server,
        Party::Server => Party::Client,
    }
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
        let full = self.connections.len() >= CONNECTIONS && !self.connections.contains_key(&case.connection);
        let mut alone = Connection::default();
        let connection = if full { &mut alone } else { self.connections.entry(case.connection).or_default() };
        connection.whole |= case.restart;
        if opens_stream(case) {
            return connection.stream(case);
        }
        let judges = reader.stages().sessions;
        let revision = connection.revision.or(case.stated.revision);
        let mut reading = reader.read_within(case, |envelope| connection.context(case, envelope));
        if let Some(envelope) = reading.envelope {
            let era = reading.era.unwrap_or(Era::Unknown(UnknownEra::NoSignal));
            let breaches = &mut reading.breaches;
            let mut turn = Turn { case, envelope, era, memory: connection, breaches };
            judges.iter().for_each(|judge| judge(&mut turn));
        }
        connection.learn(case, &reading);
        batch::name(&mut reading, revision);
        reading
    }

    /// Reads the next message, and each member of a batch as a message of its own.
    pub fn read_each(&mut self, reader: &mut Reader, case: &Case, mut on: impl FnMut(&Reading<'_>)) {
        let Some(places) = batch::members(reader, case, self.established(case).revision) else {
            return on(&self.read(reader, case));
        };
        let mut company = Company::default();
        // One body is held at a time: an array may have as many members as a document has nodes.
        let mut alone = Case { body: Vec::new(), ..case.clone() };
        for place in places {
            alone.body.clear();
            alone.body.extend_from_slice(&case.body[place.clone()]);
            let mut reading = self.read(reader, &alone);
            company.judge(case, &mut reading, place.start);
            on(&reading);
            alone.restart = false;
        }
    }

    /// What is established for the connection of a case before the case itself is looked at.
    pub fn established(&self, case: &Case) -> Context {
        let connection = self.connections.get(&case.connection).filter(|_| !case.restart);
        let revision = connection.and_then(|connection| connection.revision);
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
        let answered = key
            .as_ref()
            .filter(|_| envelope.kind.is_response())
            .and_then(|key| self.asked.waiting(other(case.from), key))
            .map(|request| request.answered.clone());
        let stated = Context::of(case);
        let sender = if case.from == Party::Client { &self.client } else { &self.server };
        let in_flight =
            envelope.kind == Kind::Request && key.is_some_and(|key| self.asked.waiting(case.from, &key).is_some());
        let step = envelope.has_method("initialize") || envelope.has_method("notifications/initialized");
        let chosen = envelope.has_method("initialize") && self.chose_a_listed_revision(envelope);
        Context {
            revision: self.revision.or(stated.revision),
            answered: answered.or(stated.answered),
            peer_is_modern: sender.modern,
            downgrade: if chosen { None } else { self.downgrade(case, step).or_else(|| self.bare(case, envelope)) },
            id_in_flight: in_flight,
            tool: self.tools.called_by(envelope),
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

    /// How much it weighs that something was never seen: the record may begin in the middle, and a message that stands
    /// alone is held to nothing.
    fn unknown(&self) -> Option<Weight> {
        self.last?;
        Some(if self.whole { Weight::Full } else { Weight::StrictOnly })
    }

    fn learn(&mut self, case: &Case, reading: &Reading<'_>) {
        let opening = self.last.is_none();
        self.probes.learn(case, reading.envelope.as_ref());
        let Some(envelope) = &reading.envelope else {
            self.last = Some(Last::Other);
            return;
        };
        let starts = envelope.has_method("server/discover") || envelope.has_method("initialize");
        self.whole |= opening && starts;
        self.last = Some(match envelope.kind {
            Kind::Notification => Last::Notification(case.from),
            Kind::Request | Kind::Result | Kind::Error => Last::Other,
        });
        match envelope.kind {
            Kind::Request => self.learn_request(case, envelope, reading),
            Kind::Notification => self.learn_notification(case, envelope),
            Kind::Result | Kind::Error => {
                let key = envelope.id.map(|id| IdKey::of(id.raw()));
                let as_task = envelope.result.is_some_and(goes_on_as_task);
                let request = key.as_ref().and_then(|key| self.asked.answer(other(case.from), key, as_task));
                if let (Some(key), Some(request)) = (&key, &request) {
                    self.learn_result(key, request, envelope);
                }
                self.learn_answer(case, envelope, request.as_ref().map(|request| &request.answered));
            }
        }
    }

    fn learn_request(&mut self, case: &Case, envelope: &Envelope<'_>, reading: &Reading<'_>) {
        let Some(id) = envelope.id else { return };
        let key = IdKey::of(id.raw());
        let method = envelope.method.and_then(Value::as_text).map(|text| {
            let text = text.decode();
            text.as_bytes()[..text.len().min(METHOD)].to_vec()
        });
        let answered = Answered {
            era: reading.era,
            capabilities: reading.capabilities.unwrap_or(Capabilities::of(CapabilityState::None)),
            method,
            id: Some(id.raw().to_vec()),
        };
        if envelope.has_method("subscriptions/listen") && case.from == Party::Client {
            self.subscriptions.open(key.clone(), envelope.param("notifications"));
        }
        let request = Request {
            answered,
            print: Print::of(envelope),
            page: Page::of(envelope),
            token: progress::token_of(envelope),
            progress: None,
            mismatch: header_mismatch(case, &reading.breaches),
        };
        self.asked.ask(case.from, key, request);
    }

    fn learn_notification(&mut self, case: &Case, envelope: &Envelope<'_>) {
        if envelope.has_method("notifications/progress") {
            if let Some((token, progress)) = progress::reported(envelope) {
                self.asked.report(other(case.from), &token, progress);
            }
        } else if envelope.has_method("notifications/cancelled") {
            if let Some(key) = envelope.param("requestId").and_then(asked::key_of) {
                self.subscriptions.close(&key, End::Cancelled);
            }
        } else if case.from == Party::Server
            && subscription::acknowledges(envelope)
            && let Some(key) = subscription::named(envelope).and_then(asked::key_of)
        {
            self.subscriptions.acknowledge(&key, envelope.param("notifications"));
        }
    }

    fn learn_result(&mut self, key: &IdKey, request: &Request, envelope: &Envelope<'_>) {
        let method = request.answered.method.as_deref();
        if method == Some(b"subscriptions/listen") {
            self.subscriptions.close(key, End::Result);
        }
        let Some(result) = envelope.result else { return };
        if let Some(page) = request.page {
            self.pages.learn(page, result);
        }
        if method == Some(b"tools/list") {
            self.tools.learn(result);
        }
        if let Some(print) = request.print {
            self.interims.learn(key.clone(), print, result);
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

/// Whether a result says that the call lives on under the same token: a task of either era.
fn goes_on_as_task(result: Value<'_>) -> bool {
    let token = result.get("resultType").and_then(Value::as_text);
    token.is_some_and(|token| token.is("task")) || result.get("task").is_some_and(Value::is_object)
}

/// Whether the headers of a request owe it a mismatch in both profiles.
fn header_mismatch(case: &Case, breaches: &[Breach]) -> Option<Mismatch> {
    if case.transport != Transport::Http {
        return None;
    }
    let full = || breaches.iter().filter(|breach| breach.weight == Weight::Full);
    let by_header = |breach: &&Breach| breach.refusal.stage == Stage::Header && breach.refusal.code == Some(-32020);
    full().next().filter(by_header)?;
    Some(Mismatch { alone: full().all(|breach| by_header(&breach)) })
}
