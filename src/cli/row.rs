//! How one message is printed: the row for programs and the line for people.
//!
//! The order of the members is part of the format. Nothing of the peer is printed but its id, and a revision that passed
//! the date check.

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use wirebench::case::Revision;
use wirebench::codec::conclusion::Conclusion;
use wirebench::codec::era::{Era, UnknownEra};
use wirebench::codec::refusal::Refusal;
use wirebench::escape;
use wirebench::requirement;

use super::out::Paint;
use super::reading::{Judged, Note};

/// One message, or one recording that is refused whole.
#[derive(Debug, Serialize)]
pub struct Row {
    source: String,
    kind: Option<&'static str>,
    id: Option<String>,
    era: Option<EraRow>,
    capabilities: Option<&'static str>,
    result: Option<&'static str>,
    conclusion: Option<ConclusionRow>,
    refusal: Option<RefusalRow>,
    notes: Vec<NoteRow>,
    #[serde(skip)]
    is_finding: bool,
}

/// An input that could not be read.
#[derive(Debug, Serialize)]
pub struct ErrorRow {
    /// The name of the input.
    pub source: String,
    /// What is wrong and what to do.
    pub error: String,
}

#[derive(Debug, Serialize)]
struct EraRow {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
}

#[derive(Debug, Serialize)]
struct ConclusionRow {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct RefusalRow {
    stage: &'static str,
    reason: &'static str,
    offset: Option<usize>,
    code: Option<i32>,
    http: Option<u16>,
    requirements: Vec<&'static str>,
    level: Option<&'static str>,
    basis: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct NoteRow {
    requirement: &'static str,
    reason: &'static str,
    offset: Option<usize>,
    level: Option<&'static str>,
    basis: Option<&'static str>,
}

impl Row {
    /// The row of one message.
    pub fn of(source: String, judged: &Judged) -> Self {
        let seen = &judged.observation;
        Self {
            source,
            kind: seen.kind.map(|kind| kind.word()),
            id: seen.id.as_ref().map(|id| String::from_utf8_lossy(id.raw()).into_owned()),
            era: seen.era.map(EraRow::of),
            capabilities: seen.capabilities.map(|capabilities| capabilities.state.word()),
            result: seen.result.map(|result| result.word()),
            conclusion: seen.conclusion.map(ConclusionRow::of),
            refusal: seen.refusal.as_ref().map(RefusalRow::of),
            notes: judged.notes.iter().map(NoteRow::of).collect(),
            is_finding: judged.is_finding,
        }
    }

    /// The row of a recording that is refused whole.
    pub fn whole(source: String, refusal: &Refusal, is_finding: bool) -> Self {
        Self {
            source,
            kind: None,
            id: None,
            era: None,
            capabilities: None,
            result: None,
            conclusion: None,
            refusal: Some(RefusalRow::of(refusal)),
            notes: Vec::new(),
            is_finding,
        }
    }

    /// The line for people: where, what, what it says, what it licenses, what is wrong.
    pub fn line(&self, paint: Paint) -> String {
        let mut parts = vec![paint.word(Style::new().bold(), escape::line(&self.source))];
        parts.extend(self.kind.map(str::to_owned));
        parts.extend(self.id.as_deref().map(short));
        parts.extend(self.era.as_ref().map(EraRow::words));
        parts.extend(self.capabilities.map(|word| format!("capabilities {word}")));
        parts.extend(self.result.map(|word| format!("result {word}")));
        if let Some(conclusion) = &self.conclusion {
            parts.push(format!("-> {}", conclusion.words()));
        }
        if let Some(refusal) = &self.refusal {
            let colour = if self.is_finding { AnsiColor::Red } else { AnsiColor::Yellow };
            let label = if self.is_finding { "FINDING" } else { "refused" };
            parts.push(paint.word(colour.on_default(), label));
            parts.push(refusal.words());
        }
        if !self.notes.is_empty() {
            let reasons: Vec<_> = self.notes.iter().map(|note| note.reason).collect();
            parts.push(paint.word(AnsiColor::Cyan.on_default(), format!("note {}", reasons.join(", "))));
        }
        parts.join("  ")
    }

    /// The rule that the refusal names.
    pub fn broken(&self) -> Option<&'static str> {
        self.refusal.as_ref().and_then(|refusal| refusal.requirements.first().copied())
    }
}

impl ErrorRow {
    /// The line for people.
    pub fn line(&self, paint: Paint) -> String {
        let label = paint.word(AnsiColor::Red.on_default(), "cannot be read");
        format!("{}  {label}  {}", paint.word(Style::new().bold(), escape::line(&self.source)), self.error)
    }
}

impl EraRow {
    fn of(era: Era) -> Self {
        let text = |revision: Revision| Some(revision.to_string());
        let empty = Self { state: "known", reason: None, revision: None, header: None, body: None };
        match era {
            Era::Known(revision) => Self { revision: Some(revision.as_str().to_owned()), ..empty },
            Era::Unknown(unknown) => Self {
                state: "unknown",
                reason: Some(unknown.word()),
                revision: match unknown {
                    UnknownEra::UnsupportedRevision(revision) => text(revision),
                    UnknownEra::NoSignal | UnknownEra::MalformedSignal => None,
                },
                ..empty
            },
            Era::Conflicting { header, body } => {
                Self { state: "conflicting", header: text(header), body: text(body), ..empty }
            }
        }
    }

    fn words(&self) -> String {
        match (&self.revision, &self.header, &self.body) {
            (_, Some(header), Some(body)) => format!("era conflicting {header} {body}"),
            (Some(revision), ..) if self.reason.is_none() => revision.clone(),
            (Some(revision), ..) => format!("era unsupported {revision}"),
            _ => format!("era {}", self.reason.unwrap_or(self.state)),
        }
    }
}

impl ConclusionRow {
    fn of(conclusion: Conclusion) -> Self {
        Self { state: conclusion.state(), reason: conclusion.reason() }
    }

    fn words(&self) -> String {
        match self.reason {
            Some(reason) => format!("{} ({reason})", self.state),
            None => self.state.to_owned(),
        }
    }
}

impl RefusalRow {
    fn of(refusal: &Refusal) -> Self {
        let rule = requirement::find(refusal.requirement);
        Self {
            stage: refusal.stage.word(),
            reason: refusal.reason.word(),
            offset: refusal.offset,
            code: refusal.code,
            http: refusal.http,
            requirements: vec![refusal.requirement],
            level: rule.map(|rule| rule.level.word()),
            basis: rule.map(|rule| rule.basis.word()),
        }
    }

    fn words(&self) -> String {
        let mut words = format!("{}/{}", self.stage, self.reason);
        if let Some(offset) = self.offset {
            words += &format!(" at byte {offset}");
        }
        match (self.code, self.http) {
            (Some(code), Some(http)) => words += &format!(", owed {code} with {http}"),
            (Some(code), None) => words += &format!(", owed {code}"),
            _ => {}
        }
        let rule = self.requirements.join(" ");
        match (self.level, self.basis) {
            (Some(level), Some(basis)) => words + &format!(" [{level} {basis} {rule}]"),
            _ => words + &format!(" [{rule}]"),
        }
    }
}

impl NoteRow {
    fn of(note: &Note) -> Self {
        let rule = requirement::find(note.requirement);
        Self {
            requirement: note.requirement,
            reason: note.reason,
            offset: note.offset,
            level: rule.map(|rule| rule.level.word()),
            basis: rule.map(|rule| rule.basis.word()),
        }
    }
}

/// An id for people: its start, when it is long.
fn short(id: &str) -> String {
    const SHOWN: usize = 40;
    let shown = escape::line(&id.chars().take(SHOWN).collect::<String>()).into_owned();
    if id.chars().nth(SHOWN).is_some() { shown + "..." } else { shown }
}
