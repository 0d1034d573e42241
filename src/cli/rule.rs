//! How a requirement is printed: as a row of the list, and explained with a message that keeps it and one that breaks it.
//!
//! What becomes of a rule, and which operator breaks it, is looked up and never decided here.

use serde::Serialize;
use wirebench::codec::era::KnownRevision;
use wirebench::codec::refusal::Reason;
use wirebench::invariant;
use wirebench::oracle::breaker::{self, Example};
use wirebench::requirement::disposition::{self, Disposition};
use wirebench::requirement::{self, Basis, Level, Requirement, conflict, judge};

use super::explain::Lines;
use super::out::Out;
use super::tell;

/// Which requirements are listed.
#[derive(Debug, clap::Args)]
pub struct Chosen {
    /// Requirements of this layer alone, as the column of the list names it.
    #[arg(long, value_parser = layer)]
    layer: Option<String>,
    /// Requirements of this level alone: MUST, "MUST NOT", SHOULD, "SHOULD NOT", MAY or PROJECT.
    #[arg(long, value_parser = level)]
    level: Option<Level>,
    /// Requirements of this era alone: modern, legacy or a revision.
    #[arg(long, value_parser = era)]
    era: Option<EraFilter>,
    /// Requirements of this basis alone: normative, schema, standard, conformance, inferred or project.
    #[arg(long, value_parser = basis)]
    basis: Option<Basis>,
    /// Requirements of this disposition alone: codec, note, session, reader, live or unchecked.
    #[arg(long, value_parser = kind)]
    disposition: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EraFilter {
    Modern,
    Legacy,
    Revision(KnownRevision),
}

impl Chosen {
    /// Whether anything is left out.
    pub fn is_any(&self) -> bool {
        self.layer.is_some()
            || self.level.is_some()
            || self.era.is_some()
            || self.basis.is_some()
            || self.disposition.is_some()
    }

    fn takes(&self, rule: &Requirement) -> bool {
        self.layer.as_ref().is_none_or(|layer| rule.layer == *layer)
            && self.level.is_none_or(|level| rule.level == level)
            && self.basis.is_none_or(|basis| rule.basis == basis)
            && self.disposition.is_none_or(|kind| disposition::of(rule).word() == kind)
            && self.era.is_none_or(|era| match era {
                EraFilter::Modern => rule.applies_to(KnownRevision::V2026_07_28),
                EraFilter::Legacy => rule.era != "modern",
                EraFilter::Revision(revision) => rule.applies_to(revision),
            })
    }
}

fn layer(word: &str) -> Result<String, String> {
    let known = layers();
    match known.contains(&word) {
        true => Ok(word.to_owned()),
        false => Err(format!("one of {}", known.join(", "))),
    }
}

fn layers() -> Vec<&'static str> {
    let mut layers: Vec<_> = requirement::all().iter().map(|rule| rule.layer.as_str()).collect();
    layers.sort_unstable();
    layers.dedup();
    layers
}

fn level(word: &str) -> Result<Level, String> {
    let found = Level::ALL.into_iter().find(|level| level.word().eq_ignore_ascii_case(&word.replace('-', " ")));
    found.ok_or_else(|| "one of MUST, \"MUST NOT\", SHOULD, \"SHOULD NOT\", MAY, PROJECT".to_owned())
}

fn basis(word: &str) -> Result<Basis, String> {
    let words = || Basis::ALL.map(Basis::word).join(", ");
    Basis::ALL.into_iter().find(|basis| basis.word() == word).ok_or_else(|| format!("one of {}", words()))
}

fn era(word: &str) -> Result<EraFilter, String> {
    match word {
        "modern" => Ok(EraFilter::Modern),
        "legacy" => Ok(EraFilter::Legacy),
        _ => KnownRevision::of(word).map(EraFilter::Revision).ok_or_else(|| {
            format!("modern, legacy or one of {}", KnownRevision::ALL.map(KnownRevision::as_str).join(", "))
        }),
    }
}

fn kind(word: &str) -> Result<&'static str, String> {
    let found = Disposition::WORDS.into_iter().find(|known| *known == word);
    found.ok_or_else(|| format!("one of {}", Disposition::WORDS.join(", ")))
}

/// What becomes of a rule, and what breaks it.
#[derive(Serialize)]
struct Handled {
    disposition: &'static str,
    by: Vec<String>,
    why: Option<&'static str>,
    operators: Vec<&'static str>,
}

impl Handled {
    fn of(rule: &Requirement) -> Self {
        let disposition = disposition::of(rule);
        Self {
            disposition: disposition.word(),
            by: disposition.by(),
            why: disposition.why(),
            operators: if shows_in_messages(&disposition) {
                breaker::operators(&rule.id).collect()
            } else {
                Vec::new()
            },
        }
    }

    fn text(&self) -> String {
        let by = self.by.join(", ");
        let broken = match self.operators.as_slice() {
            [] => String::new(),
            names => format!("broken by {}", names.join(", ")),
        };
        [by.as_str(), broken.as_str(), self.why.unwrap_or_default()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("; ")
    }
}

/// Whether a message can break the rule before our eyes. Where none can, the search for one is left out: it takes a while.
fn shows_in_messages(disposition: &Disposition) -> bool {
    matches!(disposition, Disposition::Codec(_) | Disposition::Note(_) | Disposition::Session(_))
}

#[derive(Serialize)]
struct Listed<'a> {
    id: &'a str,
    level: &'static str,
    basis: &'static str,
    era: &'a str,
    layer: &'a str,
    role: &'a str,
    #[serde(flatten)]
    handled: Handled,
    statement: &'a str,
    cite: &'a str,
}

/// Lists the chosen requirements.
pub fn list(chosen: &Chosen, out: &mut Out) {
    let mut count = 0;
    for rule in requirement::all().iter().filter(|rule| chosen.takes(rule)) {
        count += 1;
        let row = Listed {
            id: &rule.id,
            level: rule.level.word(),
            basis: rule.basis.word(),
            era: &rule.era,
            layer: &rule.layer,
            role: &rule.role,
            handled: Handled::of(rule),
            statement: &rule.statement,
            cite: &rule.cite,
        };
        out.result(&row, |row, _| {
            let handled = &row.handled;
            format!("{:<54} {:<10} {:<11} {:<9} {}", row.id, row.level, row.basis, handled.disposition, handled.text())
        });
    }
    if count == 0 {
        tell("list: no requirement is all of that");
    }
}

/// Everything that is known of one requirement.
#[derive(Serialize)]
pub struct Explained<'a> {
    requirement: &'a str,
    level: &'static str,
    basis: &'static str,
    era: &'a str,
    layer: &'a str,
    role: &'a str,
    statement: &'a str,
    cite: &'a str,
    violating_mutation: &'a str,
    observable_on: &'a [String],
    code: Option<i32>,
    http: Option<u16>,
    action: Option<&'a str>,
    conformance: &'a [String],
    reasons: Vec<&'static str>,
    invariants: Vec<&'static str>,
    tolerated: Option<u8>,
    spec_finding: bool,
    #[serde(flatten)]
    handled: Handled,
    example: Option<Shown>,
}

/// A message that keeps the rule, and the same after an operator broke it.
#[derive(Serialize)]
struct Shown {
    operator: &'static str,
    path: &'static str,
    accepted: String,
    broken: String,
    stage: Option<&'static str>,
    reason: Option<&'static str>,
}

impl From<&'static Example> for Shown {
    fn from(example: &'static Example) -> Self {
        Self {
            operator: example.operator,
            path: &example.path,
            accepted: printable(&example.accepted),
            broken: printable(&example.broken),
            stage: example.refused.map(|(stage, _)| stage.word()),
            reason: example.refused.map(|(_, reason)| reason.word()),
        }
    }
}

/// Bytes as text: what cannot be printed is written as `\xNN`, and what is long is cut.
fn printable(bytes: &[u8]) -> String {
    const SHOWN: usize = 1500;
    let mut text = String::new();
    for chunk in bytes[..bytes.len().min(SHOWN)].utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                letter if letter == '\n' || !(letter.is_control() || letter == '\u{feff}') => text.push(letter),
                letter => letter.to_string().bytes().for_each(|byte| text += &format!("\\x{byte:02X}")),
            }
        }
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02X}"));
    }
    if bytes.len() > SHOWN {
        text += &format!("\n... and {} bytes more", bytes.len() - SHOWN);
    }
    text
}

impl<'a> Explained<'a> {
    /// Looks everything up.
    pub fn of(rule: &'a Requirement) -> Self {
        let reject = rule.reject.as_ref();
        let names = |reason: &&Reason| reason.requirement() == rule.id;
        let checks = |invariant: &&invariant::Invariant| invariant.requirements.contains(&rule.id.as_str());
        Self {
            requirement: &rule.id,
            level: rule.level.word(),
            basis: rule.basis.word(),
            era: &rule.era,
            layer: &rule.layer,
            role: &rule.role,
            statement: &rule.statement,
            cite: &rule.cite,
            violating_mutation: &rule.violating_mutation,
            observable_on: &rule.observable_on,
            code: reject.and_then(|reject| reject.code),
            http: reject.and_then(|reject| reject.http),
            action: reject.and_then(|reject| reject.action.as_deref()),
            conformance: &rule.conformance,
            reasons: Reason::ALL.iter().filter(names).map(|reason| reason.word()).collect(),
            invariants: invariant::all().filter(checks).map(|invariant| invariant.id).collect(),
            tolerated: conflict::tolerated(&rule.id),
            spec_finding: judge::binds(&rule.id),
            handled: Handled::of(rule),
            example: if shows_in_messages(&disposition::of(rule)) {
                breaker::example(&rule.id).map(Shown::from)
            } else {
                None
            },
        }
    }

    /// The lines for people.
    pub fn text(&self) -> String {
        let mut text = Lines::titled(format!("{} ({} {})", self.requirement, self.level, self.basis));
        text.add("asks", self.statement);
        text.add("of", format!("{}, era {}, layer {}", self.role, self.era, self.layer));
        text.add("stands in", self.cite);
        text.add("broken by", self.violating_mutation);
        text.add("seen on", self.observable_on.join(", "));
        let owed = [self.code.map(|code| format!("code {code}")), self.http.map(|http| format!("status {http}"))];
        text.add("owed", owed.into_iter().flatten().collect::<Vec<_>>().join(", "));
        text.add("then", self.action.unwrap_or_default());
        text.add("disposition", self.handled.disposition);
        text.add("by", self.handled.by.join(", "));
        text.add("because", self.handled.why.unwrap_or_default());
        text.add("reasons", self.reasons.join(", "));
        text.add("invariants", self.invariants.join(", "));
        text.add("official checks", self.conformance.join(", "));
        text.add("finding in", if self.spec_finding { "spec, strict" } else { "strict only, where it is refused" });
        let lenient = conflict::TOLERATED.iter().find(|conflict| Some(conflict.number) == self.tolerated);
        text.add("lenient peers", lenient.map(|conflict| conflict.lenient).unwrap_or_default());
        text.add("operators", self.handled.operators.join(", "));
        match &self.example {
            None => text.add("example", "none: no operator breaks this rule alone"),
            Some(example) => {
                text.add_block("accepted", "", &example.accepted);
                let why = match (example.stage, example.reason) {
                    (Some(stage), Some(reason)) => format!("{stage}: {reason}"),
                    _ => "told of, and not refused".to_owned(),
                };
                let title = format!("{why}, after {} at {}", example.operator, example.path);
                text.add_block("broken", title, &example.broken);
            }
        }
        text.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_take_the_words_that_the_list_prints() {
        assert_eq!(level("must-not"), Ok(Level::MustNot));
        assert_eq!(level("MUST NOT"), Ok(Level::MustNot));
        assert!(level("OUGHT").is_err());
        for word in Basis::ALL.map(Basis::word) {
            assert_eq!(basis(word).map(Basis::word), Ok(word));
        }
        for word in Disposition::WORDS {
            assert_eq!(kind(word), Ok(word));
        }
        assert!(kind("somehow").is_err());
        assert_eq!(era("2025-06-18"), Ok(EraFilter::Revision(KnownRevision::V2025_06_18)));
        assert!(era("2025-06-19").is_err());
    }

    #[test]
    fn what_cannot_be_printed_is_escaped_and_what_is_long_is_cut() {
        assert_eq!(printable(b"a\n\"\xff\x1b\xef\xbb\xbf"), "a\n\"\\xFF\\x1B\\xEF\\xBB\\xBF");
        assert!(printable(&[b'a'; 2000]).ends_with("... and 500 bytes more"));
    }
}
