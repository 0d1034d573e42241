//! The codec as a subject: it reads each message, and beside that it starts up as a client would.
//!
//! The start-up runs in fallback mode with a listed endpoint, the one setting in which a downgrade can happen at all.
//! It begins with a client's `server/discover`, or with a lone answer that is stated to answer one.

use super::{Subject, Unreachable};
use crate::case::{Case, Frames, Party};
use crate::codec::envelope::{Envelope, Kind};
use crate::codec::era::{Era, UnknownEra};
use crate::codec::frame::{self, FrameLimits};
use crate::codec::id::IdKey;
use crate::codec::negotiate::{Event, Mode, Probe, RULES, Rules, Startup};
use crate::codec::reading::Profile;
use crate::codec::session::Tracker;
use crate::codec::{Reader, STAGES, Stages};
use crate::limits::Limits;
use crate::observation::{Cost, Framed, Observation, Step};

/// The codec, or a mutant of it, in profile `strict`.
pub struct Codec {
    name: String,
    reader: Reader,
    tracker: Tracker,
    startups: Startups,
    before: Option<fn(&Case) -> Case>,
    framing: Framing,
}

/// How a stream becomes frames.
pub type Framing = fn(&Frames) -> Vec<Framed>;

/// The frames that the codec reads.
pub fn framed(stream: &Frames) -> Vec<Framed> {
    let mut seen = Vec::new();
    frame::read(stream, FrameLimits::message(), &mut |frame| {
        seen.push(Framed { offset: frame.offset, result: frame.result.map(<[u8]>::to_vec) });
    });
    seen
}

impl Codec {
    /// The codec itself, under the limits of a message.
    pub fn new() -> Self {
        Self::of("codec".to_owned(), &STAGES, &RULES, None, Limits::message())
    }

    pub(super) fn of(
        name: String,
        stages: &'static Stages,
        rules: &'static Rules,
        before: Option<fn(&Case) -> Case>,
        limits: Limits,
    ) -> Self {
        Self {
            name,
            reader: Reader::with_stages(stages, limits),
            tracker: Tracker::new(),
            startups: Startups { rules, running: Vec::new() },
            before,
            framing: framed,
        }
    }

    /// The same with another reader of streams.
    pub(super) fn framing(self, framing: Framing) -> Self {
        Self { framing, ..self }
    }
}

impl Default for Codec {
    fn default() -> Self {
        Self::new()
    }
}

impl Subject for Codec {
    fn name(&self) -> &str {
        &self.name
    }

    fn reset(&mut self) {
        self.tracker = Tracker::new();
        self.startups.running.clear();
    }

    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
        let changed = self.before.map(|before| before(case));
        let case = changed.as_ref().unwrap_or(case);
        let mut members: Vec<Observation> = Vec::new();
        let startups = &mut self.startups;
        self.tracker.read_each(&mut self.reader, case, |reading| {
            let mut observation = reading.observation(Profile::Strict);
            let broken =
                matches!(reading.era, Some(Era::Conflicting { .. } | Era::Unknown(UnknownEra::MalformedSignal)));
            observation.steps = startups.on(case, reading.envelope.as_ref(), broken);
            match members.first_mut() {
                None => members.push(observation),
                Some(first) => *first = batched(first, observation),
            }
        });
        Ok(members.pop().unwrap_or_default())
    }

    fn cut(&mut self, stream: &Frames) -> Option<Vec<Framed>> {
        Some((self.framing)(stream))
    }
}

/// What a batch shows: the first refusal among its members, and every step. It is no message of any kind itself.
fn batched(before: &Observation, next: Observation) -> Observation {
    Observation {
        refusal: before.refusal.or(next.refusal),
        steps: before.steps.iter().copied().chain(next.steps).collect(),
        cost: Cost { nodes: before.cost.nodes + next.cost.nodes },
        ..Observation::default()
    }
}

/// The start-ups of one session, a connection each.
struct Startups {
    rules: &'static Rules,
    running: Vec<Running>,
}

struct Running {
    connection: u32,
    startup: Startup,
    /// The id of the request whose answer is waited for; `None` in a lone answer, where any id is the right one.
    awaited: Option<IdKey>,
}

impl Startups {
    /// `broken` says that the message names its era in a form that conflicts or cannot be read.
    fn on(&mut self, case: &Case, envelope: Option<&Envelope<'_>>, broken: bool) -> Vec<Step> {
        if case.restart {
            self.running.retain(|running| running.connection != case.connection);
        }
        match case.from {
            Party::Client => self.asked(case, envelope, broken),
            Party::Server => self.answered(case, envelope),
        }
    }

    fn asked(&mut self, case: &Case, envelope: Option<&Envelope<'_>>, broken: bool) -> Vec<Step> {
        let Some(envelope) = envelope.filter(|envelope| envelope.kind == Kind::Request) else { return Vec::new() };
        let id = || envelope.id.map(|id| IdKey::of(id.raw()));
        let probes = envelope.has_method("server/discover");
        if probes {
            // What only failed is tried again.
            let failed = |running: &Running| running.startup.outcome().probe == Some(Probe::Failure);
            self.running.retain(|running| running.connection != case.connection || !failed(running));
        }
        let here = self.running.iter_mut().find(|running| running.connection == case.connection);
        match here {
            // Refuse first: no start-up rests on a signal of our own that contradicts itself or cannot be read.
            None if broken && probes => vec![Step::Fail],
            None if probes => self.begin(case, id()),
            Some(running) if broken => running.startup.on(&Event::BrokenProbe),
            Some(running) if envelope.has_method("initialize") => {
                running.awaited = id();
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn begin(&mut self, case: &Case, awaited: Option<IdKey>) -> Vec<Step> {
        let (startup, step) = Startup::with_rules(self.rules, Mode::Fallback { listed: true }, Profile::Strict);
        self.running.push(Running { connection: case.connection, startup, awaited });
        vec![step]
    }

    fn answered(&mut self, case: &Case, envelope: Option<&Envelope<'_>>) -> Vec<Step> {
        let mut steps = Vec::new();
        if case.stated.method.as_deref() == Some(b"server/discover") && self.running.is_empty() {
            steps = self.begin(case, None);
        }
        let Some(running) = self.running.iter_mut().find(|running| running.connection == case.connection) else {
            return steps;
        };
        let event = match envelope {
            None => Event::Unreadable { status: case.status },
            Some(envelope) if !envelope.kind.is_response() => return steps,
            Some(envelope) => {
                let id = envelope.id.map(|id| IdKey::of(id.raw()));
                let correlated = running.awaited.is_none() || id == running.awaited;
                Event::Answer { case, envelope, correlated }
            }
        };
        steps.extend(running.startup.on(&event));
        steps
    }
}
