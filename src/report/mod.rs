//! What a run produced: one value that every output format renders, a file a format.
//!
//! The model holds words and counts of our own and the bytes of the smallest input; it knows no terminal and no engine,
//! and only [`folder`] and [`beside`] know files. A run has one `run` row, one row a target, one row a finding and one
//! `end` row, in that order, in every format. What was written is read back by [`ndjson::read`], so every other format
//! can be made later from the rows alone; words are therefore [`Word`]s, which a reader may own.

pub mod beside;
pub mod cost;
pub mod diff;
pub mod folder;
pub mod html;
pub mod junit;
pub mod markdown;
mod markup;
pub mod ndjson;
pub mod own;
mod plot;
mod rules;
pub mod sarif;
pub mod schema;
pub mod series;

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use series::Sample;

/// A word of this project's own vocabulary: static where a run states it, owned where a report is read.
pub type Word = Cow<'static, str>;

/// A whole run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was asked for.
    pub head: Head,
    /// The fuzz targets that were driven; none for a run without an engine.
    pub targets: Vec<Target>,
    /// What was found, one row a signature, in the order of the signatures' ids.
    pub findings: Vec<Found>,
    /// How it ended.
    pub end: End,
}

/// What was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// `fuzz`, `nightly` or `triage`.
    pub verb: Word,
    /// The version of this package.
    pub version: Word,
    /// The name of the subject.
    pub subject: String,
    /// The seed, where the run draws anything.
    pub seed: Option<u64>,
    /// Which engine tiers ran, where an engine ran: `quick`, `deep` or `quick+deep`.
    pub tier: Option<Word>,
    /// The fuzzing time that was asked for, in seconds.
    pub budget_seconds: Option<u64>,
}

/// One fuzz target of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Target {
    /// Its name.
    pub target: String,
    /// How it was built: `quick` or `deep`.
    pub tier: Option<Word>,
    /// How it fared.
    pub state: TargetState,
    /// Inputs executed.
    pub executions: u64,
    /// Wall seconds spent executing, over all processes.
    pub seconds: f64,
    /// Edges covered, as the engine counts them.
    pub coverage: u64,
    /// Features reached, as the engine counts them.
    pub features: u64,
    /// Files in the working corpus at the end.
    pub corpus: u64,
    /// Files that it was seeded with.
    pub seeds: u64,
    /// How often it was started again after a crash.
    pub restarts: u64,
    /// Artifacts that it left.
    pub artifacts: u64,
    /// The most memory that one of its processes took, in MiB; 0 where the engine did not tell.
    pub memory_mb: u64,
    /// How it went over time, as [`series::merged`] makes it; empty where nobody took samples.
    pub samples: Vec<Sample>,
}

impl Target {
    /// What it is called beside the same target of another tier.
    pub fn label(&self) -> String {
        match self.tier.as_deref() {
            None | Some("quick") => self.target.clone(),
            Some(tier) => format!("{} ({tier})", self.target),
        }
    }

    /// Inputs a second of engine time; 0 for a target that never ran.
    pub fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.executions as f64 / self.seconds } else { 0.0 }
    }

    /// Adds what another start of the same target did.
    pub fn add(&mut self, part: &Self) {
        self.executions += part.executions;
        self.seconds += part.seconds;
        self.coverage = self.coverage.max(part.coverage);
        self.features = self.features.max(part.features);
        self.restarts += part.restarts;
        self.memory_mb = self.memory_mb.max(part.memory_mb);
        self.samples.extend(&part.samples);
        if part.state != TargetState::Ran {
            self.state = part.state;
        }
    }
}

/// How a fuzz target fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetState {
    /// It ran for its share of the budget.
    #[default]
    Ran,
    /// It could not be built.
    BuildFailed,
    /// It ended at once, again and again, so that the rest of its share was given up.
    EndsAtOnce,
    /// The run was interrupted before its share was spent.
    Interrupted,
}

impl TargetState {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ran => "ran",
            Self::BuildFailed => "build failed",
            Self::EndsAtOnce => "ends at once",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What kind of fault a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A broken invariant.
    Invariant,
    /// A panic or an abort.
    Panic,
    /// Something that a sanitizer reported.
    Sanitizer,
    /// Memory that was never given back.
    Leak,
    /// An input that takes too long.
    Timeout,
    /// An input that takes too much memory.
    Memory,
}

impl Class {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Invariant => "invariant",
            Self::Panic => "panic",
            Self::Sanitizer => "sanitizer",
            Self::Leak => "leak",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
        }
    }
}

/// Whether a finding shows itself again: of three replays all, some or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// All three.
    Stable,
    /// One or two.
    Flaky,
    /// None.
    Gone,
}

impl Stability {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Flaky => "flaky",
            Self::Gone => "gone",
        }
    }

    /// What `shown` of three replays mean.
    pub const fn of_three(shown: usize) -> Self {
        match shown {
            0 => Self::Gone,
            1 | 2 => Self::Flaky,
            _ => Self::Stable,
        }
    }
}

/// One finding: what, how bad, how to see it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The short digest of the signature.
    pub id: String,
    /// What kind of fault.
    pub class: Class,
    /// Whether it shows itself again.
    pub stability: Stability,
    /// The name of the subject.
    pub subject: String,
    /// The id of the broken invariant, or the word of the class.
    pub invariant: String,
    /// Which way of breaking it.
    pub kind: String,
    /// Stage and reason of the refusal that the subject showed.
    pub refusal: Option<String>,
    /// The level of the invariant.
    pub level: Option<Word>,
    /// The requirements behind the invariant.
    pub requirements: Vec<Word>,
    /// What the rule asks for.
    pub expected: String,
    /// What was observed.
    pub observed: String,
    /// What had been done to the case, where that is known.
    pub mutations: Vec<String>,
    /// How many inputs of the run showed it.
    pub hits: u64,
    /// Whether the input was shrunk; a fault that only its mutations predict is kept as found.
    pub minimised: bool,
    /// Whether the baseline lists it already.
    pub known: bool,
    /// The size of the file, in bytes.
    pub bytes: usize,
    /// The file, relative to the folder of the run.
    pub file: String,
    /// The command that shows it again.
    pub replay: String,
    /// The fuzz targets that found it; none for a run without an engine.
    pub targets: Vec<String>,
    /// Other signatures that are signs of the same bug: id, invariant and kind of each.
    #[serde(default)]
    pub also: Vec<String>,
    /// The commit at which an earlier run saw it first, where there is a history.
    pub first_seen: Option<String>,
    /// A Rust test that fails while the subject has the fault.
    #[serde(default)]
    pub test: String,
    /// The text of the file, bytes outside printable ASCII escaped, cut after [`SHOWN`] bytes.
    pub input: String,
}

impl Found {
    /// The family of what is broken: what an invariant's id says before its dot, or the word of the class.
    pub fn family(&self) -> &str {
        self.invariant.split('.').next().unwrap_or(&self.invariant)
    }

    /// The row of a file that is not below the folder of a run.
    pub fn at(mut self, path: &Path) -> Self {
        let place = path.display().to_string();
        self.replay = self.replay.replace(&self.file, &place);
        self.file = place;
        self
    }
}

/// How a run ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct End {
    /// Single messages that were checked, or inputs that the engine executed.
    pub cases: u64,
    /// Sessions that were checked.
    pub sessions: u64,
    /// Cases that the subject could not be asked about.
    pub unreachable: u64,
    /// Distinct combinations of kind, era, capabilities, result, conclusion and refusal that were observed.
    pub reached: u64,
    /// Invariants that spoke of at least one input and held there.
    pub exercised: u64,
    /// Invariants that did not; a run says nothing about them.
    pub unexercised: Vec<Word>,
    /// Signatures found.
    pub findings: u64,
    /// What is wrong with the baseline itself: entries that expired, and entries whose finding is gone.
    pub stale: Vec<String>,
    /// Whether somebody ended it before its budget did.
    pub interrupted: bool,
    /// What was left out, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What it took, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Which lines of the codec the corpus reaches, a file each; empty where that was not measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Lines>,
}

/// What a run with an engine took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// The part of the fuzzing time, on all cores, in which a target was executing.
    pub executing: f64,
    /// Wall seconds of the builds before it.
    pub building_seconds: f64,
    /// Wall seconds from the end of the builds to the report.
    pub running_seconds: f64,
    /// The most memory of this process, in MiB; 0 where the system does not tell.
    pub memory_mb: u64,
    /// The size of the folder of the run, in bytes.
    pub folder_bytes: u64,
}

/// One source file and its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// The file, relative to the project.
    pub file: String,
    /// Lines that hold code.
    pub lines: u64,
    /// Lines that were executed.
    pub covered: u64,
}

/// How many bytes of an input a report shows.
pub const SHOWN: usize = 2048;

/// The text of an input for people: printable ASCII and line feeds as they are, the rest escaped, cut after [`SHOWN`].
pub fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().min(SHOWN) + 16);
    for &byte in bytes.iter().take(SHOWN) {
        match byte {
            b'\n' | b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\x{byte:02X}")),
        }
    }
    if bytes.len() > SHOWN {
        text.push_str(&format!("\n[{} more bytes]", bytes.len() - SHOWN));
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn sample() -> Run {
        Run {
            head: Head {
                verb: "nightly".into(),
                version: "0.0.0".into(),
                subject: "codec".to_owned(),
                seed: Some(7),
                tier: Some("quick".into()),
                budget_seconds: Some(60),
            },
            targets: vec![Target { target: "case".to_owned(), executions: 12, ..Target::default() }],
            findings: vec![Found {
                id: "0123456789ab".to_owned(),
                class: Class::Invariant,
                stability: Stability::Stable,
                subject: "codec".to_owned(),
                invariant: "era.unknown-not-terminal".to_owned(),
                kind: "terminal".to_owned(),
                refusal: None,
                level: Some("PROJECT".into()),
                requirements: vec!["result-type-required".into()],
                expected: "no terminal conclusion".to_owned(),
                observed: "terminal".to_owned(),
                mutations: vec!["drop-version at /params/_meta".to_owned()],
                hits: 3,
                minimised: true,
                known: false,
                bytes: 2,
                file: "findings/0123456789ab.case".to_owned(),
                replay: "wirebench replay findings/0123456789ab.case".to_owned(),
                targets: vec!["case".to_owned()],
                also: Vec::new(),
                first_seen: None,
                test: String::new(),
                input: "\n{".to_owned(),
            }],
            end: End { cases: 12, findings: 1, ..End::default() },
        }
    }

    #[test]
    fn an_input_is_shown_escaped_and_cut() {
        assert_eq!(shown(b"a\n\xFF"), "a\n\\xFF");
        let long = shown(&[b'x'; SHOWN + 3]);
        assert!(long.ends_with("[3 more bytes]"), "{long}");
        assert!(long.len() < SHOWN + 32);
    }

    #[test]
    fn stable_means_all_three_replays() {
        assert_eq!(
            [0, 1, 2, 3].map(Stability::of_three),
            [Stability::Gone, Stability::Flaky, Stability::Flaky, Stability::Stable]
        );
    }
}
