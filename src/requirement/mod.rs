//! Which rules there are: level, basis, statement, citation, and how each is broken.
//!
//! The list carries every wire rule that the project knows of, and the project's own. It holds no code that checks a
//! rule: the codec and the invariants do that and name rules by id. See [`disposition`] for what becomes of each rule,
//! [`conflict`] for the places where a lenient reading conforms, and [`judge`] for what counts as a finding.

pub mod conflict;
pub mod disposition;
pub mod judge;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::codec::era::KnownRevision;

/// The RFC 2119 word of a rule, or this project's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub enum Level {
    /// MUST
    #[serde(rename = "MUST")]
    Must,
    /// MUST NOT
    #[serde(rename = "MUST NOT")]
    MustNot,
    /// SHOULD
    #[serde(rename = "SHOULD")]
    Should,
    /// SHOULD NOT
    #[serde(rename = "SHOULD NOT")]
    ShouldNot,
    /// MAY
    #[serde(rename = "MAY")]
    May,
    /// A rule of this project, stricter than the text.
    #[serde(rename = "PROJECT")]
    Project,
}

impl Level {
    /// Every level, strongest first.
    pub const ALL: [Self; 6] = [Self::Must, Self::MustNot, Self::Should, Self::ShouldNot, Self::May, Self::Project];

    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::MustNot => "MUST NOT",
            Self::Should => "SHOULD",
            Self::ShouldNot => "SHOULD NOT",
            Self::May => "MAY",
            Self::Project => "PROJECT",
        }
    }

    /// Whether a peer that breaks the rule breaks the specification: MUST and MUST NOT.
    pub const fn binds(self) -> bool {
        matches!(self, Self::Must | Self::MustNot)
    }
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The text of the specification.
    Normative,
    /// The published schema.
    Schema,
    /// A standard that the text refers to: RFC 8259, RFC 9110, JSON-RPC 2.0, server-sent events.
    #[serde(alias = "json-rpc")]
    Standard,
    /// The official conformance suite alone.
    Conformance,
    /// A reading of ours; no peer is held to it by default.
    Inferred,
    /// This project.
    Project,
}

impl Basis {
    /// Every basis, firmest first.
    pub const ALL: [Self; 6] =
        [Self::Normative, Self::Schema, Self::Standard, Self::Conformance, Self::Inferred, Self::Project];

    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Normative => "normative",
            Self::Schema => "schema",
            Self::Standard => "standard",
            Self::Conformance => "conformance",
            Self::Inferred => "inferred",
            Self::Project => "project",
        }
    }

    /// Whether a peer can be held to it: the text, the schema or a standard says so.
    pub const fn is_firm(self) -> bool {
        matches!(self, Self::Normative | Self::Schema | Self::Standard)
    }
}

/// What somebody who meets the breach does about it. A member that is `None` is not fixed by the rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// The JSON-RPC error code.
    pub code: Option<i32>,
    /// The HTTP status.
    pub http: Option<u16>,
    /// Who rejects.
    pub by: String,
    /// Where the rejection comes from, which may be less firm than the rule.
    pub basis: Basis,
    /// What else is done.
    pub action: Option<String>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Stable kebab-case id.
    pub id: String,
    /// How strong it is.
    pub level: Level,
    /// Where it comes from.
    pub basis: Basis,
    /// `modern`, `both`, or `legacy:` and revisions joined by commas.
    pub era: String,
    /// What part of a message it speaks of.
    pub layer: String,
    /// Who has to keep it.
    pub role: String,
    /// What it asks for.
    pub statement: String,
    /// How the breach is rejected, where that is fixed.
    pub reject: Option<Rejection>,
    /// How to break exactly this rule.
    pub violating_mutation: String,
    /// Where the breach can be seen.
    pub observable_on: Vec<String>,
    /// Page and section, or schema type; several joined with ` ; `.
    pub cite: String,
    /// Ids of the official checks that exercise it.
    #[serde(default)]
    pub conformance: Vec<String>,
}

impl Requirement {
    /// Whether the rule may hold in that revision. For rules of both eras, a legacy revision counts also where it lacks
    /// the feature that the rule speaks of.
    pub fn applies_to(&self, revision: KnownRevision) -> bool {
        match self.era.strip_prefix("legacy:") {
            Some(list) => list.split(',').any(|name| name == revision.as_str()),
            None => self.era == "both" || revision.is_modern(),
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {}): {}", self.id, self.level.word(), self.basis.word(), self.statement)
    }
}

static RULES: LazyLock<Vec<Requirement>> = LazyLock::new(|| {
    let mut rules: Vec<Requirement> =
        serde_json::from_str(include_str!("requirements.json")).expect("a test reads the embedded list");
    let own: Vec<Requirement> =
        serde_json::from_str(include_str!("project.json")).expect("a test reads the embedded list");
    rules.extend(own);
    rules
});

static INDEX: LazyLock<HashMap<&'static str, usize>> =
    LazyLock::new(|| RULES.iter().enumerate().map(|(place, rule)| (rule.id.as_str(), place)).collect());

/// Every rule: those of the wire in the order of the list, then the project's own.
pub fn all() -> &'static [Requirement] {
    &RULES
}

/// The rule of that id.
///
/// ```
/// use wirebench::requirement::{self, Level};
///
/// let rule = requirement::find("result-type-required").unwrap();
/// assert_eq!(rule.level, Level::Must);
/// assert!(requirement::find("no-such-rule").is_none());
/// ```
pub fn find(id: &str) -> Option<&'static Requirement> {
    INDEX.get(id).map(|&place| &RULES[place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::refusal::Reason;

    #[test]
    fn every_id_is_there_once_and_is_kebab_case() {
        assert!(all().len() > 734, "the wire's rules and ours: {}", all().len());
        assert_eq!(INDEX.len(), all().len(), "an id is there twice");
        for rule in all() {
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            assert!(rule.id.bytes().all(plain), "{}", rule.id);
            assert!(!rule.statement.is_empty() && !rule.cite.is_empty(), "{}", rule.id);
        }
    }

    #[test]
    fn every_reason_names_a_rule_of_the_list() {
        for reason in Reason::ALL {
            assert!(find(reason.requirement()).is_some(), "{}: {}", reason.word(), reason.requirement());
        }
    }

    #[test]
    fn a_rule_is_the_projects_own_in_level_and_basis_alike() {
        for rule in all() {
            let own = rule.id.starts_with("project-");
            assert_eq!(rule.level == Level::Project, own, "{}", rule.id);
            assert_eq!(rule.basis == Basis::Project, own, "{}", rule.id);
        }
    }

    #[test]
    fn a_rule_applies_to_the_revisions_that_its_era_names() {
        let modern = find("result-type-required").expect("listed");
        assert!(modern.applies_to(KnownRevision::V2026_07_28) && !modern.applies_to(KnownRevision::V2025_06_18));
        let legacy = find("meta-prefix-reserved-legacy-rule").expect("listed");
        assert!(legacy.applies_to(KnownRevision::V2025_06_18) && !legacy.applies_to(KnownRevision::V2026_07_28));
        let both = find("json-utf8-only").expect("listed");
        assert!(KnownRevision::ALL.into_iter().all(|revision| both.applies_to(revision)));
    }

    #[test]
    fn every_era_is_one_of_three_forms() {
        for rule in all() {
            let legacy =
                rule.era.strip_prefix("legacy:").map(|list| list.split(',').all(|x| KnownRevision::of(x).is_some()));
            assert!(matches!(rule.era.as_str(), "modern" | "both") || legacy == Some(true), "{}", rule.id);
        }
    }
}
