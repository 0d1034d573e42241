//! The verb `explain`: what a requirement, a reason, an invariant, a limit or a mutant means.

use serde::Serialize;
use wirebench::codec::refusal::Reason;
use wirebench::invariant;
use wirebench::requirement;
use wirebench::subject::mutant;

use super::exit::Code;
use super::list::{LimitRow, ReasonRow, limit_rows};
use super::out::Out;
use super::rule::Explained;
use super::tell;

const EXAMPLES: &str = "\
Examples:
  wirebench explain version-mismatch
  wirebench explain result-type-required --format ndjson
  wirebench explain depth";

/// What `explain` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A requirement, a reason, an invariant, a limit or a mutant, as the lists print it.
    id: String,
}

/// Explains everything of that name.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let id = args.id.trim();
    let mut found = false;
    if let Some(rule) = requirement::find(id) {
        found = true;
        out.result(&Explained::of(rule), |row, _| row.text());
    }
    if let Some(&reason) = Reason::ALL.iter().find(|reason| reason.word() == id) {
        found = true;
        out.result(&ReasonRow::from(reason), |row, _| reason_text(row));
    }
    if let Some(invariant) = invariant::all().find(|invariant| invariant.id == id) {
        found = true;
        let row = InvariantRow {
            invariant: invariant.id,
            level: invariant.level.word(),
            rule: invariant.rule,
            requirements: invariant.requirements,
        };
        out.result(&row, |row, _| row.text());
    }
    if let Some(limit) = limit_rows().into_iter().find(|limit| limit.name == id) {
        found = true;
        out.result(&limit, |row, _| limit_text(row));
    }
    if let Some(mutant) = mutant::by_id(id.strip_prefix("mutant:").unwrap_or(id)) {
        found = true;
        let row = MutantRow { mutant: mutant.id, wrong: mutant.wrong, fault: mutant.fault, killer: mutant.killer };
        out.result(&row, |row, _| row.text());
    }
    if found {
        return Code::Clean;
    }
    tell(format_args!("explain: nothing is called that; {}", suggestion(id)));
    Code::Usage
}

#[derive(Serialize)]
struct InvariantRow {
    invariant: &'static str,
    level: &'static str,
    rule: &'static str,
    requirements: &'static [&'static str],
}

impl InvariantRow {
    fn text(&self) -> String {
        let mut text = Lines::titled(format!("{} ({})", self.invariant, self.level));
        text.add("checks", self.rule);
        text.add_rules(self.requirements);
        text.finish()
    }
}

#[derive(Serialize)]
struct MutantRow {
    mutant: &'static str,
    wrong: &'static str,
    fault: &'static str,
    killer: &'static str,
}

impl MutantRow {
    fn text(&self) -> String {
        let mut text = Lines::titled(format!("{} (mutant)", self.mutant));
        text.add("gets wrong", self.wrong);
        text.add("modelled on", self.fault);
        text.add("killed by", self.killer);
        text.finish()
    }
}

fn reason_text(row: &ReasonRow) -> String {
    let mut text = Lines::titled(format!("{} (stage {})", row.reason, row.stage));
    text.add("means", row.meaning);
    let owed = [row.code.map(|code| format!("code {code}")), row.http.map(|http| format!("status {http}"))];
    text.add("a server owes", owed.into_iter().flatten().collect::<Vec<_>>().join(", "));
    text.add_rules(&[row.requirement]);
    text.finish()
}

fn limit_text(row: &LimitRow) -> String {
    let mut text = Lines::titled(format!("{} (limit)", row.name));
    text.add("one message", row.message.map(|bound| bound.to_string()).unwrap_or_default());
    text.add("a recording", row.recording.to_string());
    text.add("refused as", row.reason);
    text.add_rules(&[row.requirement]);
    text.finish()
}

/// A title and labelled lines; what is empty is left out.
pub(super) struct Lines {
    text: String,
}

impl Lines {
    pub(super) fn titled(title: String) -> Self {
        Self { text: title }
    }

    pub(super) fn add(&mut self, label: &str, what: impl AsRef<str>) {
        if !what.as_ref().is_empty() {
            self.text += &format!("\n  {label:<16}{}", what.as_ref());
        }
    }

    /// A text of several lines, each set in under the label.
    pub(super) fn add_block(&mut self, label: &str, title: impl AsRef<str>, block: &str) {
        self.text += format!("\n  {label:<16}{}", title.as_ref()).trim_end();
        for line in block.lines() {
            self.text += format!("\n      {line}").trim_end_matches(' ');
        }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn add_rules(&mut self, ids: &[&str]) {
        for rule in ids.iter().filter_map(|id| requirement::find(id)) {
            self.add("requirement", rule.to_string());
            self.add("stands in", &rule.cite);
        }
    }
}

fn suggestion(id: &str) -> String {
    const SHOWN: usize = 5;
    let rules = requirement::all().iter().map(|rule| rule.id.as_str());
    let reasons = Reason::ALL.iter().map(|reason| reason.word());
    let invariants = invariant::all().map(|invariant| invariant.id);
    let near = |name: &&str| !id.is_empty() && name.contains(id);
    let found: Vec<_> = reasons.chain(invariants).chain(rules).filter(near).take(SHOWN).collect();
    if found.is_empty() {
        "see wirebench list requirements, reasons, invariants, limits or mutants".to_owned()
    } else {
        format!("near it: {}", found.join(", "))
    }
}
