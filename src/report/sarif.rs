//! A run as SARIF 2.1.0, for services that show findings beside code.
//!
//! The place of a finding is the file of its smallest input, relative to the folder of the run. A rule is an invariant
//! with its sentence and its requirements, and the id of a finding is its fingerprint, so that a service knows it again.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Class, Found, Run};
use crate::{escape, invariant, requirement};

/// The document.
pub fn document(run: &Run) -> String {
    let mut rules: BTreeMap<&str, &Found> = BTreeMap::new();
    for found in &run.findings {
        rules.entry(&found.invariant).or_insert(found);
    }
    let index = |found: &Found| rules.keys().position(|id| *id == found.invariant).unwrap_or_default();
    let results = run.findings.iter().map(|found| result(found, index(found))).collect();
    let driver = Driver {
        name: "wirebench",
        version: &run.head.version,
        rules: rules.iter().map(|(id, found)| rule(id, found)).collect(),
    };
    let invocation = Invocation { execution_successful: !run.end.interrupted };
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [RunRow { tool: Tool { driver }, invocations: [invocation], column_kind: "unicodeCodePoints", results }],
    };
    let text = serde_json::to_string_pretty(&log).expect("strings and numbers are JSON");
    let mut text = escape::json(&text).into_owned();
    text.push('\n');
    text
}

fn rule(id: &str, found: &Found) -> Rule {
    let sentence = match invariant::by_id(id) {
        Some(known) => known.rule.to_owned(),
        None => found.expected.clone(),
    };
    let of = |id: &str| match requirement::find(id) {
        Some(rule) => format!("{} {} ({})", rule.level.word(), rule.statement, rule.cite),
        None => id.to_owned(),
    };
    let help = found.requirements.iter().map(|id| of(id)).collect::<Vec<_>>().join("\n");
    Rule {
        id: id.to_owned(),
        short_description: Text { text: visible(&sentence) },
        help: (!help.is_empty()).then(|| Text { text: visible(&help) }),
    }
}

fn result(found: &Found, rule_index: usize) -> ResultRow {
    let level = match (found.known, found.level.as_deref(), found.class) {
        (true, ..) => "note",
        (_, Some("SHOULD" | "SHOULD NOT" | "MAY"), Class::Invariant) => "warning",
        _ => "error",
    };
    let message = format!(
        "{}: expected {}; observed {}. Show it again: {}",
        found.kind, found.expected, found.observed, found.replay
    );
    ResultRow {
        rule_id: found.invariant.clone(),
        rule_index,
        level,
        baseline_state: if found.known { "unchanged" } else { "new" },
        message: Text { text: visible(&message) },
        partial_fingerprints: Fingerprints { id: found.id.clone() },
        locations: [Location { physical_location: Physical { artifact_location: Artifact { uri: uri(&found.file) } } }],
    }
}

/// Text in which a viewer finds nothing that acts: it might show a message as Markdown, whose links begin with a bracket.
fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|character| match character {
            // The standard's own escape of what would begin an embedded link or a placeholder.
            '[' | ']' | '\\' => vec!['\\', character],
            '{' => vec!['{', '{'],
            '}' => vec!['}', '}'],
            other if escape::acts(other) => other.escape_unicode().collect(),
            other => vec![other],
        })
        .collect()
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [RunRow<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunRow<'a> {
    tool: Tool<'a>,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<ResultRow>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'a str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultRow {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    baseline_state: &'static str,
    message: Text,
    partial_fingerprints: Fingerprints,
    locations: [Location; 1],
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "wirebench/v1")]
    id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_holds_no_link_and_a_path_is_a_reference() {
        assert_eq!(visible("[x](http://y) {0}\u{1b}"), "\\[x\\](http://y) {{0}}\\u{1b}");
        assert_eq!(uri("findings/a b%.case"), "findings/a%20b%25.case");
    }
}
