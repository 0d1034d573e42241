//! A run as a page that a maintainer reads in the morning.
//!
//! What is new comes first, then each finding with the rule, the smallest input and the command that shows it again,
//! then what ran. Nothing here is cut by a renderer: the page reads as plain text as well.

use std::io::{self, Write};

use super::{Found, Run, Target, TargetState};
use crate::escape;

/// Writes the page.
///
/// # Errors
///
/// What the writer reports.
pub fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# wirebench {}: {}\n", inline(&run.head.verb), headline(run))?;
    summary(run, out)?;
    if !run.findings.is_empty() {
        writeln!(out, "\n## Findings\n")?;
        writeln!(out, "| id | class | invariant | kind | replays | inputs | bytes |")?;
        writeln!(out, "| --- | --- | --- | --- | --- | ---: | ---: |")?;
        for found in &run.findings {
            writeln!(
                out,
                "| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} | {6} |",
                inline(&found.id),
                found.class.word(),
                inline(&found.invariant),
                inline(&found.kind),
                found.stability.word(),
                found.hits,
                found.bytes
            )?;
        }
        for found in &run.findings {
            finding(found, out)?;
        }
    }
    if !run.targets.is_empty() {
        targets(&run.targets, out)?;
    }
    Ok(())
}

/// The first line, without markup: what a maintainer must know.
pub fn headline(run: &Run) -> String {
    let findings = match run.findings.len() {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        many => format!("{many} findings"),
    };
    let mut line = findings;
    for state in [TargetState::BuildFailed, TargetState::EndsAtOnce] {
        let count = run.targets.iter().filter(|target| target.state == state).count();
        if count > 0 {
            line.push_str(&format!(", {count} of {} targets: {}", run.targets.len(), state.word()));
        }
    }
    if run.end.interrupted {
        line.push_str(", interrupted");
    }
    line
}

fn summary(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let Run { head, end, .. } = run;
    writeln!(out, "| | |\n| --- | --- |")?;
    writeln!(out, "| subject | {} |", inline(&head.subject))?;
    writeln!(out, "| version | {} |", inline(&head.version))?;
    if let Some(seed) = head.seed {
        writeln!(out, "| seed | {seed} |")?;
    }
    if let Some(tier) = &head.tier {
        writeln!(out, "| tier | {} |", inline(tier))?;
    }
    if let Some(seconds) = head.budget_seconds {
        writeln!(out, "| fuzzing time asked for | {seconds} s |")?;
    }
    writeln!(out, "| inputs checked | {} |", end.cases.saturating_add(end.sessions))?;
    if end.reached > 0 {
        writeln!(out, "| combinations reached | {} |", end.reached)?;
    }
    if end.exercised > 0 {
        writeln!(out, "| invariants exercised | {} |", end.exercised)?;
    }
    if !end.unexercised.is_empty() {
        writeln!(out, "| invariants not exercised | {} |", inline(&end.unexercised.join(", ")))?;
    }
    for entry in &end.stale {
        writeln!(out, "| baseline | {} |", inline(entry))?;
    }
    if end.unreachable > 0 {
        writeln!(out, "| subject not reachable | {} |", end.unreachable)?;
    }
    for (name, value) in super::cost::facts(run) {
        writeln!(out, "| {name} | {value} |")?;
    }
    for note in &end.notes {
        writeln!(out, "| note | {} |", inline(note))?;
    }
    Ok(())
}

fn finding(found: &Found, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n### {}\n", inline(&found.id))?;
    let [invariant, kind, subject] = [&found.invariant, &found.kind, &found.subject].map(|text| inline(text));
    writeln!(out, "**{invariant}** ({kind}), subject {subject}\n")?;
    writeln!(out, "- expected: {}", inline(&found.expected))?;
    writeln!(out, "- observed: {}", inline(&found.observed))?;
    if let Some(refusal) = &found.refusal {
        writeln!(out, "- refusal shown: {}", inline(refusal))?;
    }
    if !found.requirements.is_empty() {
        let level = found.level.as_deref().unwrap_or("rule");
        writeln!(out, "- {}: {}", inline(level), inline(&found.requirements.join(", ")))?;
    }
    for mutation in &found.mutations {
        writeln!(out, "- mutation: {}", inline(mutation))?;
    }
    if !found.targets.is_empty() {
        writeln!(out, "- found by: {}", inline(&found.targets.join(", ")))?;
    }
    for sign in &found.also {
        writeln!(out, "- also shows as: {}", inline(sign))?;
    }
    if let Some(commit) = &found.first_seen {
        writeln!(out, "- first seen at: {}", inline(commit))?;
    }
    let minimised = if found.minimised { "minimised" } else { "as found" };
    writeln!(out, "- input: {}, {} bytes, {minimised}, {}", inline(&found.file), found.bytes, found.stability.word())?;
    let fence = fence_for(&found.input);
    writeln!(out, "\n{fence}text\n{}\n{fence}\n", escape::lines(&found.input))?;
    let fence = fence_for(&found.replay);
    writeln!(out, "Show it again:\n\n{fence}sh\n{}\n{fence}", escape::lines(&found.replay))
}

fn targets(targets: &[Target], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n## Targets\n")?;
    writeln!(
        out,
        "| target | state | executions | a second | coverage | features | corpus | seeds | restarts | artifacts | MiB |"
    )?;
    writeln!(out, "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    for target in targets {
        let rate = target.rate();
        writeln!(
            out,
            "| {} | {} | {} | {rate:.0} | {} | {} | {} | {} | {} | {} | {} |",
            inline(&target.label()),
            target.state.word(),
            target.executions,
            target.coverage,
            target.features,
            target.corpus,
            target.seeds,
            target.restarts,
            target.artifacts,
            target.memory_mb
        )?;
    }
    Ok(())
}

/// Text of others within a line: what would be markup is escaped, and a line stays one line.
pub fn inline(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '&' | '~' | '$' | '@' | '#' => {
                safe.extend(['\\', character]);
            }
            '\n' | '\t' => safe.extend(character.escape_default()),
            other if escape::acts(other) => safe.extend(other.escape_unicode()),
            other => safe.push(other),
        }
    }
    safe
}

/// A fence longer than any run of backticks inside, so that an input cannot end its own block.
fn fence_for(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_the_rule_the_input_and_the_command() {
        let mut out = Vec::new();
        write(&super::super::tests::sample(), &mut out).unwrap();
        let page = String::from_utf8(out).unwrap();
        for part in
            ["1 finding", "era.unknown-not-terminal", "result-type-required", "wirebench replay findings/", "\n\n{"]
        {
            assert!(page.contains(part), "{part:?} is missing in\n{page}");
        }
    }

    #[test]
    fn an_input_cannot_end_its_own_block() {
        assert_eq!(fence_for("plain"), "```");
        assert_eq!(fence_for("a ```` b"), "`````");
    }
}
