//! How findings and the end of a run are printed; the verbs that run cases share it.
//!
//! Neither a time nor a rate is printed here, so that the same draws print the same bytes.

use wirebench::report::{Found, Run, ndjson};

use super::exit::Code;
use super::out::Out;

/// Prints a run and says which code it ends with.
pub fn print(run: &Run, out: &mut Out) -> Code {
    if out.is_ndjson() {
        let mut rows = Vec::new();
        ndjson::write(run, &mut rows).expect("memory takes every row");
        out.write(rows.strip_suffix(b"\n").unwrap_or(&rows));
    } else {
        for found in &run.findings {
            out.lines(&block(found));
        }
        out.lines(&summary(run));
    }
    code(run)
}

/// The code of a run. A finding that the baseline lists does not fail it; an entry that is stale does.
pub fn code(run: &Run) -> Code {
    let tested = run.end.cases.saturating_add(run.end.sessions) > run.end.unreachable;
    let stale = !run.end.stale.is_empty();
    let found = if stale || run.findings.iter().any(|found| !found.known) { Code::Findings } else { Code::Clean };
    let tested = if tested { Code::Clean } else { Code::Unreadable };
    let ended = if run.end.interrupted { Code::Interrupted } else { Code::Clean };
    found.max(tested).max(ended)
}

/// Prints one finding.
pub fn one(found: &Found, out: &mut Out) {
    if out.is_ndjson() {
        let mut row = Vec::new();
        ndjson::finding(found, &mut row).expect("memory takes every row");
        out.write(row.strip_suffix(b"\n").unwrap_or(&row));
    } else {
        out.lines(&block(found));
    }
}

/// A finding as a block of lines.
pub fn block(found: &Found) -> String {
    let mut text = format!("{} {} {}: {}\n", found.id, found.class.word(), found.invariant, found.kind);
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {name:<9} {value}\n"));
    line("subject", &found.subject);
    line("expected", &found.expected);
    line("observed", &found.observed);
    if let Some(refusal) = &found.refusal {
        line("refusal", refusal);
    }
    if !found.requirements.is_empty() {
        line(found.level.as_deref().unwrap_or("rules"), &found.requirements.join(", "));
    }
    for mutation in &found.mutations {
        line("mutation", mutation);
    }
    let how = if found.minimised { "minimised" } else { "as found" };
    line("input", &format!("{} bytes, {how}, {}, seen {} times", found.bytes, found.stability.word(), found.hits));
    for sign in &found.also {
        line("also", sign);
    }
    if let Some(commit) = &found.first_seen {
        line("since", commit);
    }
    if found.known {
        line("baseline", "listed");
    }
    line("replay", &found.replay);
    text
}

fn summary(run: &Run) -> String {
    let (head, end) = (&run.head, &run.end);
    let mut text = format!("{}: {} messages, {} sessions", head.subject, end.cases, end.sessions);
    if end.reached > 0 {
        text.push_str(&format!(", {} combinations reached", end.reached));
    }
    if end.exercised > 0 {
        text.push_str(&format!(", {} invariants exercised", end.exercised));
    }
    if !end.unexercised.is_empty() {
        text.push_str(&format!(", not exercised: {}", end.unexercised.join(" ")));
    }
    if end.unreachable > 0 {
        text.push_str(&format!(", {} times not reachable", end.unreachable));
    }
    text.push_str(&format!(", findings: {}", end.findings));
    for entry in &end.stale {
        text.push_str(&format!("\nbaseline: {entry}"));
    }
    if end.interrupted {
        text.push_str(", interrupted");
    }
    text
}
