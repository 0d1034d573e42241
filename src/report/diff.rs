//! Two runs side by side: which findings are new, gone or still there, and what became of coverage and speed.
//!
//! Findings are the same when their ids are: the digest of the signature. Speed and coverage are told, never judged: a
//! rate depends on the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use super::markdown::inline;
use super::{Found, Run, Target};

/// What changed from one run to a later one.
#[derive(Clone, Debug, Serialize)]
pub struct Diff<'a> {
    /// Findings of the later run alone.
    pub new: Vec<&'a Found>,
    /// Findings of the earlier run alone. They may be mended, or not have been met this time.
    pub gone: Vec<&'a Found>,
    /// Findings of both, as the later run has them.
    pub still: Vec<&'a Found>,
    /// Every target of either run.
    pub targets: Vec<Change>,
}

/// One target in both runs; `None` where a run does not have it.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// What it is called beside the same target of another tier.
    pub target: String,
    /// Edges covered.
    pub coverage: [Option<u64>; 2],
    /// Features reached.
    pub features: [Option<u64>; 2],
    /// Files in the working corpus.
    pub corpus: [Option<u64>; 2],
    /// Inputs a second of engine time.
    pub rate: [Option<f64>; 2],
}

/// Compares two runs.
pub fn of<'a>(before: &'a Run, after: &'a Run) -> Diff<'a> {
    let ids = |run: &'a Run| -> BTreeSet<&'a str> { run.findings.iter().map(|found| found.id.as_str()).collect() };
    let (old, now) = (ids(before), ids(after));
    let (still, new) = after.findings.iter().partition(|found| old.contains(found.id.as_str()));
    let gone = before.findings.iter().filter(|found| !now.contains(found.id.as_str())).collect();
    let mut targets: BTreeMap<String, [Option<&Target>; 2]> = BTreeMap::new();
    for (index, run) in [before, after].into_iter().enumerate() {
        for target in &run.targets {
            targets.entry(target.label()).or_default()[index] = Some(target);
        }
    }
    let targets = targets.into_iter().map(|(target, both)| Change {
        target,
        coverage: both.map(|row| row.map(|row| row.coverage)),
        features: both.map(|row| row.map(|row| row.features)),
        corpus: both.map(|row| row.map(|row| row.corpus)),
        rate: both.map(|row| row.map(Target::rate)),
    });
    Diff { new, gone, still, targets: targets.collect() }
}

/// Writes it as Markdown that reads as plain text as well.
///
/// # Errors
///
/// What the writer reports.
pub fn write(diff: &Diff<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = [diff.new.len(), diff.gone.len(), diff.still.len()];
    writeln!(out, "{} new, {} gone, {} still there", counts[0], counts[1], counts[2])?;
    for (title, findings) in [("New", &diff.new), ("Gone", &diff.gone), ("Still there", &diff.still)] {
        if findings.is_empty() {
            continue;
        }
        writeln!(out, "\n## {title}\n")?;
        for found in findings {
            let known = if found.known { ", in the baseline" } else { "" };
            writeln!(
                out,
                "- {} {}: {}, subject {}{known}",
                inline(&found.id),
                inline(&found.invariant),
                inline(&found.kind),
                inline(&found.subject)
            )?;
        }
    }
    if !diff.targets.is_empty() {
        writeln!(out, "\n| target | edges | features | corpus | a second |\n| --- | ---: | ---: | ---: | ---: |")?;
    }
    for row in &diff.targets {
        let whole = |pair: [Option<u64>; 2]| change(pair.map(|value| value.map(|value| value as f64)));
        let cells = [whole(row.coverage), whole(row.features), whole(row.corpus), change(row.rate)];
        writeln!(out, "| {} | {} |", inline(&row.target), cells.join(" | "))?;
    }
    Ok(())
}

fn change(pair: [Option<f64>; 2]) -> String {
    match pair {
        [Some(before), Some(after)] if before > 0.0 => {
            format!("{before:.0} to {after:.0} ({:+.1} %)", (after / before - 1.0) * 100.0)
        }
        [Some(before), Some(after)] => format!("{before:.0} to {after:.0}"),
        [Some(before), None] => format!("{before:.0}, then not run"),
        [None, Some(after)] => format!("{after:.0}, not run before"),
        [None, None] => "not run".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::sample;

    #[test]
    fn a_finding_is_new_gone_or_still_there_by_its_id() {
        let (mut before, mut after) = (sample(), sample());
        let other = |id: &str| Found { id: id.to_owned(), ..sample().findings[0].clone() };
        before.findings.push(other("a"));
        after.findings.push(other("b"));
        after.targets[0].coverage = 110;
        before.targets[0].coverage = 100;
        let diff = of(&before, &after);
        let ids = |rows: &[&Found]| rows.iter().map(|found| found.id.clone()).collect::<Vec<_>>();
        assert_eq!(
            (ids(&diff.new), ids(&diff.gone), ids(&diff.still)),
            (vec!["b".to_owned()], vec!["a".to_owned()], vec!["0123456789ab".to_owned()])
        );
        let mut text = Vec::new();
        write(&diff, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("1 new, 1 gone, 1 still there\n") && text.contains("100 to 110 (+10.0 %)"), "{text}");
    }
}
