//! How is an observation written as one line, and read back from it?
//!
//! The line is a row as `wirebench read --format ndjson` prints it, and every member of it may be left out: what is not
//! said is not observable. Words are those of the printed lists; a word that is in none of them spoils the answer, so
//! that a slip of the pen is not taken for a codec that shows little.

use serde::{Deserialize, Serialize};

use crate::case::Revision;
use crate::codec::conclusion::{Conclusion, IncompleteReason, InvalidReason};
use crate::codec::envelope::Kind;
use crate::codec::era::{Era, KnownRevision, UnknownEra};
use crate::codec::id::Id;
use crate::codec::meta::{Advertised, Capabilities, CapabilityState};
use crate::codec::refusal::{Reason, Refusal, Stage};
use crate::codec::result::{ExtensionToken, ResultObservation};
use crate::observation::{Cost, Observation, Step};
use crate::requirement;

/// What the subject showed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// Which question it answers.
    pub case: u64,
    /// Whether the subject could not be asked.
    pub unreachable: bool,
    kind: Option<String>,
    id: Option<String>,
    era: Option<EraPart>,
    capabilities: Option<String>,
    advertised: Option<Vec<String>>,
    result: Option<String>,
    conclusion: Option<ConclusionPart>,
    refusal: Option<RefusalPart>,
    notes: Vec<NotePart>,
    steps: Vec<String>,
    nodes: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct EraPart {
    state: String,
    reason: Option<String>,
    revision: Option<String>,
    header: Option<String>,
    body: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ConclusionPart {
    state: String,
    reason: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct RefusalPart {
    stage: Option<String>,
    reason: Option<String>,
    offset: Option<usize>,
    code: Option<i32>,
    http: Option<u16>,
    requirements: Vec<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct NotePart {
    requirement: String,
}

/// The member that cannot be read.
pub type Unread = &'static str;

impl Answer {
    /// The answer that says what was observed.
    pub fn of(observation: &Observation, case: u64) -> Self {
        let capabilities = observation.capabilities;
        Self {
            case,
            unreachable: false,
            kind: observation.kind.map(|kind| kind.word().to_owned()),
            id: observation.id.as_ref().map(|id| String::from_utf8_lossy(id.raw()).into_owned()),
            era: observation.era.map(EraPart::of),
            capabilities: capabilities.map(|capabilities| capabilities.state.word().to_owned()),
            advertised: capabilities.map(|capabilities| advertised_words(capabilities.advertised)),
            result: observation.result.map(|result| result.word().to_owned()),
            conclusion: observation.conclusion.map(|conclusion| ConclusionPart {
                state: conclusion.state().to_owned(),
                reason: conclusion.reason().map(str::to_owned),
            }),
            refusal: observation.refusal.map(RefusalPart::of),
            notes: observation.notes.iter().map(|&note| NotePart { requirement: note.to_owned() }).collect(),
            steps: observation.steps.iter().map(|&step| step_word(step).to_owned()).collect(),
            nodes: observation.cost.nodes,
        }
    }

    /// The answer of a subject that could not be asked.
    pub fn unreachable(case: u64) -> Self {
        Self { case, unreachable: true, ..Self::default() }
    }

    /// What was observed.
    ///
    /// # Errors
    ///
    /// The name of the first member that says something which is in no list.
    pub fn observation(&self) -> Result<Observation, Unread> {
        Ok(Observation {
            kind: read("kind", &self.kind, |word| KINDS.into_iter().find(|kind| kind.word() == word))?,
            id: read("id", &self.id, token)?,
            era: read("era", &self.era, EraPart::read)?,
            capabilities: self.capabilities()?,
            result: read("result", &self.result, |word| RESULTS.into_iter().find(|result| result.word() == word))?,
            conclusion: read("conclusion", &self.conclusion, ConclusionPart::read)?,
            refusal: read("refusal", &self.refusal, RefusalPart::read)?,
            notes: each("notes", &self.notes, |note| Some(requirement::find(&note.requirement)?.id.as_str()))?,
            steps: each("steps", &self.steps, |word| STEPS.into_iter().find(|step| step_word(*step) == word))?,
            cost: Cost { nodes: self.nodes },
        })
    }

    /// What stands beyond the core must be said along with its state; the state alone would deny it.
    fn capabilities(&self) -> Result<Option<Capabilities>, Unread> {
        let find = |word: &String| STATES.into_iter().find(|state| state.word() == word);
        let state = read("capabilities", &self.capabilities, find)?;
        let words = read("advertised", &self.advertised, |words| advertised(words))?;
        Ok(match (state, words) {
            (None, _) | (Some(CapabilityState::ExtensionNotUnderstood), None) => None,
            (Some(state), words) => {
                let plain = Capabilities::of(state);
                Some(Capabilities { advertised: words.unwrap_or(plain.advertised), ..plain })
            }
        })
    }
}

impl EraPart {
    fn of(era: Era) -> Self {
        let state = |state: &str| Self { state: state.to_owned(), ..Self::default() };
        let text = |revision: Revision| Some(revision.as_str().to_owned());
        match era {
            Era::Known(revision) => Self { revision: Some(revision.as_str().to_owned()), ..state("known") },
            Era::Unknown(why) => {
                let revision = match why {
                    UnknownEra::UnsupportedRevision(revision) => text(revision),
                    UnknownEra::NoSignal | UnknownEra::MalformedSignal => None,
                };
                Self { reason: Some(why.word().to_owned()), revision, ..state("unknown") }
            }
            Era::Conflicting { header, body } => {
                Self { header: text(header), body: text(body), ..state("conflicting") }
            }
        }
    }

    fn read(&self) -> Option<Era> {
        let date = |text: &Option<String>| Revision::parse(text.as_ref()?.as_bytes());
        match (self.state.as_str(), self.reason.as_deref()) {
            ("known", _) => KnownRevision::of(self.revision.as_ref()?).map(Era::Known),
            ("unknown", Some("no-signal")) => Some(Era::Unknown(UnknownEra::NoSignal)),
            ("unknown", Some("malformed-signal")) => Some(Era::Unknown(UnknownEra::MalformedSignal)),
            ("unknown", Some("unsupported-revision")) => {
                date(&self.revision).map(|revision| Era::Unknown(UnknownEra::UnsupportedRevision(revision)))
            }
            ("conflicting", _) => Some(Era::Conflicting { header: date(&self.header)?, body: date(&self.body)? }),
            _ => None,
        }
    }
}

impl ConclusionPart {
    fn read(&self) -> Option<Conclusion> {
        let incomplete = INCOMPLETE.into_iter().map(Conclusion::Incomplete);
        let invalid = INVALID.into_iter().map(Conclusion::Invalid);
        let plain =
            [Conclusion::Valid, Conclusion::Terminal, Conclusion::NonTerminal, Conclusion::RefusedEraConflicting];
        let mut all = plain.into_iter().chain(incomplete).chain(invalid);
        all.find(|conclusion| {
            let reason = conclusion.reason();
            // There is one reason for a refusal, so it need not be said.
            conclusion.state() == self.state && (reason == self.reason.as_deref() || self.state == "refused")
        })
    }
}

impl RefusalPart {
    fn of(refusal: Refusal) -> Self {
        Self {
            stage: Some(refusal.stage.word().to_owned()),
            reason: Some(refusal.reason.word().to_owned()),
            offset: refusal.offset,
            code: refusal.code,
            http: refusal.http,
            requirements: vec![refusal.requirement.to_owned()],
        }
    }

    /// Other codecs have no words of ours for why they refuse. Where there is no reason the first of the stage stands
    /// in, and where there is no stage the first that refuses with the code.
    fn read(&self) -> Option<Refusal> {
        let stage = given(&self.stage, |word| Stage::ALL.into_iter().find(|stage| stage.word() == word))?;
        let reason = given(&self.reason, |word| Reason::ALL.iter().copied().find(|reason| reason.word() == word))?;
        let of_stage = |stage| Reason::ALL.iter().copied().find(|reason| reason.stage() == stage);
        let reason = match (reason, stage) {
            (Some(reason), _) => reason,
            (None, Some(stage)) => of_stage(stage)?,
            (None, None) => of_stage(stage_of(self.code))?,
        };
        let requirement = match self.requirements.first() {
            None => reason.requirement(),
            Some(id) => requirement::find(id)?.id.as_str(),
        };
        let stage = stage.unwrap_or(reason.stage());
        Some(Refusal { stage, reason, requirement, offset: self.offset, code: self.code, http: self.http })
    }
}

const fn stage_of(code: Option<i32>) -> Stage {
    match code {
        Some(-32700) => Stage::Json,
        Some(-32602) => Stage::Metadata,
        Some(-32020) => Stage::Header,
        Some(-32021) => Stage::Capabilities,
        Some(-32022) => Stage::Revision,
        _ => Stage::Envelope,
    }
}

fn read<S, T>(member: Unread, said: &Option<S>, read: impl FnOnce(&S) -> Option<T>) -> Result<Option<T>, Unread> {
    given(said, read).ok_or(member)
}

/// Nothing where nothing is said, and `None` where what is said cannot be read.
fn given<S, T>(said: &Option<S>, read: impl FnOnce(&S) -> Option<T>) -> Option<Option<T>> {
    match said {
        None => Some(None),
        Some(said) => read(said).map(Some),
    }
}

fn each<S, T>(member: Unread, said: &[S], read: impl Fn(&S) -> Option<T>) -> Result<Vec<T>, Unread> {
    said.iter().map(read).collect::<Option<_>>().ok_or(member)
}

/// The token of a string or of a number, as it stood in the message.
fn token(text: &String) -> Option<Id> {
    let is_string = || serde_json::from_str::<String>(text).is_ok() && text.ends_with('"');
    let is_token = match text.as_bytes().first()? {
        b'"' => is_string(),
        b'-' | b'0'..=b'9' => {
            serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok_and(|raw| raw.get() == text)
        }
        _ => false,
    };
    is_token.then(|| Id::new(text.as_bytes()))
}

fn advertised_words(advertised: Advertised) -> Vec<String> {
    let Advertised { tasks, tasks_without_object, other_extension, other_member } = advertised;
    let flags = [tasks, tasks_without_object, other_extension, other_member];
    ADVERTISED.iter().zip(flags).filter(|(_, flag)| *flag).map(|(word, _)| (*word).to_owned()).collect()
}

fn advertised(words: &[String]) -> Option<Advertised> {
    let known = words.iter().all(|word| ADVERTISED.contains(&word.as_str()));
    let [tasks, tasks_without_object, other_extension, other_member] =
        ADVERTISED.map(|word| words.iter().any(|said| said == word));
    known.then_some(Advertised { tasks, tasks_without_object, other_extension, other_member })
}

const fn step_word(step: Step) -> &'static str {
    match step {
        Step::Probe => "probe",
        Step::Initialize => "initialize",
        Step::Initialized => "initialized",
        Step::OpenStream => "open-stream",
        Step::BareRequest => "bare-request",
        Step::SelectModern => "select-modern",
        Step::SelectLegacy => "select-legacy",
        Step::Fail => "fail",
    }
}

/// What may stand beyond the core in a declaration of capabilities.
const ADVERTISED: [&str; 4] = ["tasks", "tasks-without-object", "other-extension", "other-member"];

const KINDS: [Kind; 4] = [Kind::Request, Kind::Notification, Kind::Result, Kind::Error];

const STATES: [CapabilityState; 5] = [
    CapabilityState::None,
    CapabilityState::Absent,
    CapabilityState::CoreOnly,
    CapabilityState::ExtensionNotUnderstood,
    CapabilityState::Malformed,
];

const RESULTS: [ResultObservation; 9] = [
    ResultObservation::Complete,
    ResultObservation::CompleteWithContinuation,
    ResultObservation::InputRequired,
    ResultObservation::InputRequiredWithoutContinuation,
    ResultObservation::InputRequiredWithMalformedContinuation,
    ResultObservation::Extension(ExtensionToken::Task),
    ResultObservation::Missing,
    ResultObservation::Unrecognized,
    ResultObservation::Malformed,
];

const INCOMPLETE: [IncompleteReason; 6] = [
    IncompleteReason::NoSignal,
    IncompleteReason::UnsupportedRevision,
    IncompleteReason::ContradictoryResult,
    IncompleteReason::UnrecognizedResultType,
    IncompleteReason::RecognitionUndeterminable,
    IncompleteReason::EraNotSelected,
];

const INVALID: [InvalidReason; 10] = [
    InvalidReason::MalformedResultType,
    InvalidReason::MalformedEraSignal,
    InvalidReason::MalformedCapabilities,
    InvalidReason::UncontinuableInputRequired,
    InvalidReason::MalformedContinuation,
    InvalidReason::MissingResultType,
    InvalidReason::IneligibleExtensionResult,
    InvalidReason::MalformedRequestMetadata,
    InvalidReason::MissingRequestMetadata,
    InvalidReason::MissingCapabilities,
];

const STEPS: [Step; 8] = [
    Step::Probe,
    Step::Initialize,
    Step::Initialized,
    Step::OpenStream,
    Step::BareRequest,
    Step::SelectModern,
    Step::SelectLegacy,
    Step::Fail,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Observation, Unread> {
        serde_json::from_str::<Answer>(line).unwrap().observation()
    }

    #[test]
    fn what_is_not_said_is_not_observed() {
        assert_eq!(of("{}"), Ok(Observation::default()));
        assert_eq!(of(r#"{"source":"a","kind":null,"refusal":null}"#), Ok(Observation::default()));
        assert_eq!(of(r#"{"capabilities":"extension-not-understood"}"#).unwrap().capabilities, None);
    }

    #[test]
    fn a_word_of_no_list_spoils_the_answer() {
        for (line, member) in [
            (r#"{"kind":"reqest"}"#, "kind"),
            (r#"{"id":"one"}"#, "id"),
            (r#"{"id":"\""}"#, "id"),
            (r#"{"id":"\"a\" "}"#, "id"),
            (r#"{"id":"1 "}"#, "id"),
            (r#"{"id":"[1]"}"#, "id"),
            (r#"{"era":{"state":"known","revision":"2020-01-01"}}"#, "era"),
            (r#"{"capabilities":"full"}"#, "capabilities"),
            (r#"{"capabilities":"absent","advertised":["task"]}"#, "advertised"),
            (r#"{"result":"done"}"#, "result"),
            (r#"{"conclusion":{"state":"invalid"}}"#, "conclusion"),
            (r#"{"refusal":{"stage":"paper"}}"#, "refusal"),
            (r#"{"refusal":{"reason":"because"}}"#, "refusal"),
            (r#"{"notes":[{"requirement":"none"}]}"#, "notes"),
            (r#"{"steps":["walk"]}"#, "steps"),
        ] {
            assert_eq!(of(line), Err(member), "{line}");
        }
    }

    #[test]
    fn a_refusal_that_names_a_code_alone_stands_at_the_stage_of_the_code() {
        for (code, stage) in [(-32700, Stage::Json), (-32020, Stage::Header), (-32022, Stage::Revision)] {
            let refusal = of(&format!(r#"{{"refusal":{{"code":{code}}}}}"#)).unwrap().refusal.unwrap();
            assert_eq!((refusal.stage, refusal.code), (stage, Some(code)));
        }
        let refusal = of(r#"{"refusal":{"stage":"payload","code":-32602}}"#).unwrap().refusal.unwrap();
        assert_eq!((refusal.stage, refusal.reason), (Stage::Payload, Reason::MissingMember));
    }

    #[test]
    fn an_id_keeps_its_spelling() {
        for id in ["1", "-0", "1e999", "\"\"", "\"\\u0041\""] {
            let line = serde_json::to_string(&Answer { id: Some(id.to_owned()), ..Answer::default() }).unwrap();
            assert_eq!(of(&line).unwrap().id.unwrap().raw(), id.as_bytes());
        }
    }
}
