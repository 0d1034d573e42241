//! One finding on the page: what, which rule, the smallest input, how to see it again.

use super::table::CELL;
use crate::report::markup::{Markup, cut};
use crate::report::{Class, Found};
use crate::requirement;

/// How many new findings stand open; a page of hundreds is a list first.
pub const OPEN: usize = 10;

/// The findings as a list that leads to each, until the page is so large.
pub fn overview(section: &mut Markup, findings: &[&Found], room: usize) {
    let label = "Findings of this run";
    let columns = ["finding", "state", "class", "broken", "how", "#inputs", "#bytes"];
    section.within(
        "div",
        &[("class", &"wide"), ("tabindex", &"0"), ("role", &"region"), ("aria-label", &label)],
        |region| {
            region.within("table", &[], |table| {
                table.within("thead", &[], |head| {
                    head.within("tr", &[], |row| {
                        for column in columns {
                            let side = if column.starts_with('#') { "number" } else { "word" };
                            row.put("th", &[("scope", &"col"), ("class", &side)], column.trim_start_matches('#'));
                        }
                    });
                });
                table.within("tbody", &[], |body| {
                    for found in findings {
                        if body.size() < room {
                            row(body, found);
                        }
                    }
                });
            });
        },
    );
}

fn row(body: &mut Markup, found: &Found) {
    body.within("tr", &[], |row| {
        row.within("td", &[], |cell| cell.put("a", &[("href", &format!("#{}", anchor(found)))], &found.id));
        let state = format!("{}, {}", standing(found), found.stability.word());
        for text in [state.as_str(), found.class.word(), &found.invariant, &found.kind] {
            row.put("td", &[], cut(text, CELL));
        }
        row.put("td", &[("class", &"number")], found.hits);
        row.put("td", &[("class", &"number")], found.bytes);
    });
}

/// One finding with everything that is known of it.
pub fn article(section: &mut Markup, found: &Found, open: bool) {
    let id = anchor(found);
    let mut attributes: Vec<(&'static str, &dyn std::fmt::Display)> = vec![("class", &"finding"), ("id", &id)];
    if open {
        attributes.push(("open", &"open"));
    }
    section.within("details", &attributes, |details| {
        details.within("summary", &[], |summary| {
            let mark = if found.known { "known" } else { "new" };
            summary.put("span", &[("class", &format!("mark {mark}"))], mark);
            summary.put("h3", &[], &found.invariant);
            summary.put("span", &[("class", &"how")], &found.kind);
            summary.put("code", &[], &found.id);
        });
        details.within("dl", &[("class", &"what")], |list| {
            let mut pair = |name: &str, text: &str| {
                list.put("dt", &[], name);
                list.put("dd", &[], text);
            };
            pair("expected", &found.expected);
            pair("observed", &found.observed);
            found.refusal.iter().for_each(|refusal| pair("refusal shown", refusal));
            found.mutations.iter().for_each(|mutation| pair("mutation", mutation));
            found.also.iter().for_each(|sign| pair("also shows as", sign));
            found.first_seen.iter().for_each(|commit| pair("first seen at", commit));
            pair("subject", &found.subject);
            if !found.targets.is_empty() {
                pair("found by", &found.targets.join(", "));
            }
            pair("replays", &format!("{}; {} inputs of the run show it", found.stability.word(), found.hits));
        });
        rules(details, found);
        let how = if found.minimised { "Smallest input" } else { "Input as found" };
        details.put("h4", &[], format!("{how}, {} bytes", found.bytes));
        details.within("pre", &[("tabindex", &"0"), ("aria-label", &"input")], |pre| pre.text(&found.input));
        details.put("p", &[("class", &"file")], format!("File: {}", found.file));
        details.put("h4", &[], "Show it again");
        command(details, &found.replay);
        if found.class == Class::Invariant || found.class == Class::Panic {
            details.put("h4", &[], "Keep it as a regression");
            command(details, &format!("wirebench triage promote {}", found.id));
        }
        if !found.test.is_empty() {
            details.within("details", &[("class", &"data")], |test| {
                test.put("summary", &[], "As a Rust test");
                command(test, &found.test);
            });
        }
    });
}

fn command(details: &mut Markup, line: &str) {
    details.within("pre", &[("class", &"command"), ("tabindex", &"0")], |pre| pre.text(line));
}

fn rules(details: &mut Markup, found: &Found) {
    if found.requirements.is_empty() {
        return;
    }
    details.put("h4", &[], if found.requirements.len() == 1 { "Rule" } else { "Rules" });
    details.within("ul", &[("class", &"rules")], |list| {
        for id in &found.requirements {
            list.within("li", &[], |item| {
                let Some(rule) = requirement::find(id) else {
                    item.put("code", &[], id);
                    return;
                };
                item.put("strong", &[], rule.level.word());
                item.text(format!(" {} ", rule.statement));
                item.put("code", &[], id);
                item.put("cite", &[], format!("{}, {}", rule.cite, rule.basis.word()));
            });
        }
    });
}

/// The name of the finding within the page.
fn anchor(found: &Found) -> String {
    format!("finding-{}", found.id)
}

fn standing(found: &Found) -> &'static str {
    if found.known { "known" } else { "new" }
}
