//! Bytes to a conclusion: observe, resolve, conclude.
//!
//! The codec is pure: no I/O, no clock, no panic. Every stage is one function; [`Stages`] is the one place that states
//! them together, so that a mutant of the codec is this table with one entry exchanged. The codec itself carries no
//! switches and never imports a generator.
//!
#![doc = include_str!("judgement.md")]

pub mod annotation;
pub mod batch;
pub mod conclusion;
pub mod context;
pub mod document;
pub mod envelope;
pub mod era;
pub mod frame;
pub mod header;
pub mod id;
pub mod judge;
pub mod meta;
pub mod negotiate;
pub mod payload;
pub mod probe;
pub mod proof;
pub mod reading;
pub mod refusal;
pub mod result;
pub mod session;
pub mod trace;

use std::borrow::Cow;

use conclusion::Conclusion;
use context::Context;
use document::{Decoder, Document, Value};
use envelope::{Envelope, Kind};
use era::{Era, Signals};
use header::{Mirrored, Sentinel};
use judge::{Judge, Message};
use meta::{BodyVersion, Capabilities, CapabilityState, Metadata};
use reading::{Breach, Reading};
use refusal::{Reason, Refusal};
use result::{Call, ResultObservation};

use crate::case::{Case, Party};
use crate::limits::Limits;
use crate::observation::Cost;

/// The stage functions of a reading. Bytes, JSON and envelope end it at their first fault; after them everything is
/// observed and concluded, and then judged in the order of [`Stages::judges`].
#[derive(Clone, Copy)]
pub struct Stages {
    /// Bytes to a bounded document.
    pub document: for<'a> fn(&'a mut Decoder, &'a [u8], &Limits) -> Result<Document<'a>, Refusal>,
    /// The document to a JSON-RPC shape.
    pub envelope: for<'a> fn(Document<'a>, &mut Vec<Breach>) -> Result<Envelope<'a>, Refusal>,
    /// The shape to the metadata of a request.
    pub metadata: for<'a> fn(&Envelope<'a>) -> Metadata<'a>,
    /// The metadata to the capabilities of a request.
    pub capabilities: for<'a> fn(&Metadata<'a>) -> Capabilities,
    /// The header lines to the mirrored fields.
    pub headers: for<'a> fn(&'a Case) -> Mirrored<'a>,
    /// A field value to the text that it spells.
    pub sentinel: for<'a> fn(&'a [u8]) -> Sentinel<'a>,
    /// The signals to an era.
    pub era: fn(&Signals<'_>) -> Era,
    /// A success response to what it says about itself.
    pub result: for<'a> fn(Value<'a>, &Call<'_>) -> ResultObservation,
    /// What a request licenses.
    pub conclude_request: fn(Era, &BodyVersion<'_>, Capabilities) -> Conclusion,
    /// What a success response licenses.
    pub conclude_result: fn(ResultObservation, &Call<'_>, bool) -> Conclusion,
    /// The judges of the stages after the envelope, in stage order.
    pub judges: [Judge; 7],
    /// The judges of the rules over several messages.
    pub sessions: [session::Judge; 7],
}

/// The codec's own stages.
pub static STAGES: Stages = Stages {
    document: Decoder::read,
    envelope: envelope::observe,
    metadata: meta::observe,
    capabilities: meta::capabilities,
    headers: header::observe,
    sentinel: header::decode,
    era: era::resolve,
    result: result::observe,
    conclude_request: conclusion::of_request,
    conclude_result: conclusion::of_result,
    judges: [
        judge::metadata::judge,
        judge::header::judge,
        judge::request::required_keys,
        judge::request::revision,
        judge::capabilities::judge,
        judge::response::result,
        payload::judge,
    ],
    sessions: [
        session::answer::judge,
        session::retry::judge,
        session::pages::judge,
        session::subscription::judge,
        session::progress::judge,
        session::cancel::judge,
        session::startup::judge,
    ],
};

/// Reads messages one after another.
///
/// ```
/// use wirebench::case::{Case, Party};
/// use wirebench::codec::context::Context;
/// use wirebench::codec::reading::Profile;
/// use wirebench::codec::Reader;
/// use wirebench::limits::Limits;
///
/// let case = Case::stdio(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}"#);
/// let mut reader = Reader::new(Limits::message());
/// let reading = reader.read(&case, &Context::default());
/// let refusal = reading.refusal(Profile::Strict).unwrap();
/// assert_eq!(refusal.to_string(), "json: duplicate-member at byte 46");
/// ```
pub struct Reader {
    decoder: Decoder,
    limits: Limits,
    stages: &'static Stages,
}

impl Reader {
    /// A reader of the codec under these limits.
    pub fn new(limits: Limits) -> Self {
        Self::with_stages(&STAGES, limits)
    }

    /// A reader with other stages: a mutant of the codec.
    pub fn with_stages(stages: &'static Stages, limits: Limits) -> Self {
        Self { decoder: Decoder::new(), limits, stages }
    }

    fn stages(&self) -> &'static Stages {
        self.stages
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Reads one message in a context that is known beforehand.
    pub fn read<'a>(&'a mut self, case: &'a Case, context: &Context) -> Reading<'a> {
        let mut reading = self.read_within(case, |_| context.clone());
        batch::name(&mut reading, context.revision);
        reading
    }

    /// Reads one message in the context that its shape leads to: which request it answers, say.
    pub fn read_within<'a>(
        &'a mut self,
        case: &'a Case,
        context: impl FnOnce(&Envelope<'a>) -> Context,
    ) -> Reading<'a> {
        let Self { decoder, limits, stages } = self;
        let document = match (stages.document)(decoder, &case.body, limits) {
            Ok(document) => document,
            Err(refusal) => return Reading::ended(refusal, Cost::default()),
        };
        let cost = Cost { nodes: document.nodes() };
        let mut breaches = Vec::new();
        match (stages.envelope)(document, &mut breaches) {
            Ok(envelope) => judged(stages, case, &context(&envelope), envelope, breaches, cost),
            // A server's message that is neither is a broken response, which nobody answers.
            Err(refusal) if refusal.reason == Reason::ResultNorError && case.from == Party::Server => {
                Reading::ended(refusal.unanswered(), cost)
            }
            Err(refusal) => Reading::ended(refusal, cost),
        }
    }
}

/// Everything after the envelope.
fn judged<'a>(
    stages: &'static Stages,
    case: &'a Case,
    context: &Context,
    envelope: Envelope<'a>,
    mut breaches: Vec<Breach>,
    cost: Cost,
) -> Reading<'a> {
    let metadata = (stages.metadata)(&envelope);
    let mirrored = (stages.headers)(case);
    let answered = context.answered.as_ref().filter(|_| envelope.kind.is_response());
    let resolve =
        || (stages.era)(&Signals { header: mirrored.version, body: metadata.version, context: context.revision });
    let era = answered.and_then(|request| request.era).unwrap_or_else(resolve);
    let capabilities = match envelope.kind {
        Kind::Request => Some((stages.capabilities)(&metadata)),
        Kind::Result | Kind::Error => {
            Some(answered.map_or(Capabilities::of(CapabilityState::None), |request| request.capabilities))
        }
        Kind::Notification => None,
    };
    let declared = capabilities.unwrap_or(Capabilities::of(CapabilityState::None));
    let call = Call { era, capabilities: declared, method: answered.and_then(|request| request.method.as_deref()) };
    let result = envelope.result.filter(|_| envelope.kind == Kind::Result).map(|value| (stages.result)(value, &call));
    let conclusion = match (envelope.kind, result) {
        (Kind::Request, _) => Some((stages.conclude_request)(era, &metadata.version, declared)),
        (_, Some(observed)) => Some((stages.conclude_result)(observed, &call, context.peer_is_modern)),
        _ => None,
    };
    let mut notes = Vec::new();
    let mut message = Message {
        stages,
        case,
        context,
        envelope: &envelope,
        metadata: &metadata,
        mirrored: &mirrored,
        call: &call,
        result,
        conclusion,
        breaches: &mut breaches,
        notes: &mut notes,
    };
    for judge in &stages.judges {
        judge(&mut message);
    }
    judge::session(&mut message);
    judge::note(&mut message);
    Reading { envelope: Some(envelope), era: Some(era), capabilities, result, conclusion, breaches, notes, cost }
}

/// The text that a mirrored value spells, for comparing with the body.
fn spelled<'a>(read: &Sentinel<'a>) -> Option<Cow<'a, [u8]>> {
    match read {
        Sentinel::Literal(value) | Sentinel::Overlapping(value) | Sentinel::Unclosed(value) => {
            Some(Cow::Borrowed(value))
        }
        Sentinel::Wrapped { text, .. } => Some(Cow::Owned(text.as_bytes().to_vec())),
        Sentinel::Malformed(_) => None,
    }
}

/// Whether a request names the modern era by itself: by a version key, or by a version header that is not one of the
/// four legacy revisions.
pub fn claims_modern(mirrored: &Mirrored<'_>, metadata: &Metadata<'_>) -> bool {
    let by_body = matches!(metadata.version, BodyVersion::NoString(_) | BodyVersion::Text(..));
    let legacy = |value: &[u8]| {
        era::KnownRevision::ALL.iter().any(|known| !known.is_modern() && known.as_str().as_bytes() == value)
    };
    let by_header = mirrored.version.value.is_some_and(|value| !legacy(value));
    by_body || by_header
}

#[cfg(test)]
mod tests;
