//! A run as one JSON object a line, written and read back.
//!
//! Every row starts with its `type`: `run`, `target`, `finding` or `end`. Members and types of rows may be added and none
//! is taken away, so a reader passes over what it does not know; [`super::schema`] says what there is.

use std::fmt;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::{End, Found, Head, Run, Target};
use crate::escape;

/// Writes the whole run.
///
/// # Errors
///
/// What the writer reports.
pub fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    row("run", &run.head, out)?;
    for target in &run.targets {
        row("target", target, out)?;
    }
    for found in &run.findings {
        finding(found, out)?;
    }
    row("end", &run.end, out)
}

/// Writes the row of one finding.
///
/// # Errors
///
/// What the writer reports.
pub fn finding(found: &Found, out: &mut dyn Write) -> io::Result<()> {
    row("finding", found, out)
}

/// Why rows are no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// There is no row that says what was asked for.
    NoRun,
    /// There is a second such row: two reports in one.
    TwoRuns,
    /// That line, counted from 1, is no JSON object with the members of its type.
    Line(usize),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRun => f.write_str("there is no row of type `run`"),
            Self::TwoRuns => f.write_str("there are two rows of type `run`"),
            Self::Line(line) => write!(f, "line {line} is no row of a report"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// Reads what [`write()`] wrote. Rows without an `end` are those of a run that was cut off, and it counts as interrupted.
///
/// # Errors
///
/// When a line is no row, or the row of the run is missing or there twice.
///
/// ```
/// use wirebench::report::ndjson;
///
/// let rows = br#"{"type":"run","verb":"fuzz","version":"0.1.0","subject":"codec"}"#;
/// assert!(ndjson::read(rows).unwrap().end.interrupted);
/// assert_eq!(ndjson::read(b"{}").unwrap_err(), ndjson::Unreadable::Line(1));
/// ```
pub fn read(rows: &[u8]) -> Result<Run, Unreadable> {
    let mut head: Option<Head> = None;
    let (mut targets, mut findings): (Vec<Target>, Vec<Found>) = Default::default();
    let mut end = None;
    for (index, line) in rows.split(|&byte| byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let wrong = |_| Unreadable::Line(index + 1);
        let kind = serde_json::from_slice::<Kind>(line).map_err(wrong)?;
        match kind.r#type.as_str() {
            "run" if head.is_some() => return Err(Unreadable::TwoRuns),
            "run" => head = Some(serde_json::from_slice(line).map_err(wrong)?),
            "target" => targets.push(serde_json::from_slice(line).map_err(wrong)?),
            "finding" => findings.push(serde_json::from_slice(line).map_err(wrong)?),
            "end" => end = Some(serde_json::from_slice(line).map_err(wrong)?),
            _ => {}
        }
    }
    let head = head.ok_or(Unreadable::NoRun)?;
    let end = end.unwrap_or_else(|| End {
        cases: targets.iter().map(|target| target.executions).sum(),
        findings: findings.len() as u64,
        interrupted: true,
        ..End::default()
    });
    Ok(Run { head, targets, findings, end })
}

#[derive(Deserialize)]
struct Kind {
    r#type: String,
}

#[derive(Serialize)]
struct Row<'a, T> {
    r#type: &'static str,
    #[serde(flatten)]
    fields: &'a T,
}

fn row<T: Serialize>(kind: &'static str, fields: &T, out: &mut dyn Write) -> io::Result<()> {
    // Rows are also what a terminal shows, and they hold text of others.
    let text = serde_json::to_string(&Row { r#type: kind, fields })?;
    out.write_all(escape::json(&text).as_bytes())?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_one_object_that_starts_with_its_type() {
        let mut out = Vec::new();
        write(&super::super::tests::sample(), &mut out).unwrap();
        let lines: Vec<&str> = std::str::from_utf8(&out).unwrap().lines().collect();
        let types = ["run", "target", "finding", "end"];
        assert_eq!(lines.len(), types.len());
        for (line, kind) in lines.iter().zip(types) {
            assert!(line.starts_with(&format!("{{\"type\":\"{kind}\"")), "{line}");
            assert!(serde_json::from_str::<serde_json::Value>(line).unwrap().is_object());
        }
        let again = read(&out).unwrap();
        let mut twice = Vec::new();
        write(&again, &mut twice).unwrap();
        assert_eq!(out, twice, "what is read is what was written");
        assert!(lines[2].contains("\"invariant\":\"era.unknown-not-terminal\""), "{}", lines[2]);
    }

    #[test]
    fn rows_of_a_later_version_are_passed_over_and_broken_ones_are_named_by_line() {
        let run = "{\"type\":\"run\",\"verb\":\"nightly\",\"version\":\"9\",\"subject\":\"codec\",\"later\":1}\n";
        let read_of = |text: String| read(text.as_bytes());
        assert!(
            read_of(format!("{run}{{\"type\":\"weather\"}}\n{{\"type\":\"end\"}}\n"))
                .is_ok_and(|run| !run.end.interrupted)
        );
        assert_eq!(read_of(format!("{run}\n{{\"type\":\"finding\"}}")).unwrap_err(), Unreadable::Line(3));
        assert_eq!(read_of(format!("{run}{run}")).unwrap_err(), Unreadable::TwoRuns);
        assert_eq!(read_of(String::new()).unwrap_err(), Unreadable::NoRun);
    }
}
