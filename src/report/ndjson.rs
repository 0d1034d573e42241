//! A run as one JSON object a line.
//!
//! Every row starts with its `type`: `run`, `target`, `finding` or `end`.

use std::io::{self, Write};

use serde::Serialize;

use super::{Found, Run};

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

#[derive(Serialize)]
struct Row<'a, T> {
    r#type: &'static str,
    #[serde(flatten)]
    fields: &'a T,
}

fn row<T: Serialize>(kind: &'static str, fields: &T, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Row { r#type: kind, fields })?;
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
        assert!(lines[2].contains("\"invariant\":\"era.unknown-not-terminal\""), "{}", lines[2]);
    }
}
