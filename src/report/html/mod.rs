//! A run as one page that needs nothing else: no network, no script, no second file.
//!
//! The page forbids itself every request and every script, reads without style, and is plain markup, so that it is XML
//! as well. What does not fit into its size is left out by name and stays in the rows.

mod charts;
mod finding;
mod lines;
mod table;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use super::beside::Beside;
use super::cost;
use super::markdown;
use super::markup::Markup;
use super::{Found, Run};
use crate::report::plot::compact;

const STYLE: &str = include_str!("style.css");

/// How large the page may get before further findings are only counted; what follows them stays far below the rest of a
/// megabyte.
const ROOM: usize = 500_000;

/// The same for the list of findings alone, and for the plots of targets over time.
const ROOM_OF_LIST: usize = 200_000;
const ROOM_OF_PLOTS: usize = 850_000;

/// The longest single text, in characters: an input is cut before it gets there.
const LONGEST: usize = 4096;

/// The page.
pub fn page(run: &Run, beside: &Beside) -> String {
    let mut page = Markup::new("<!DOCTYPE html>\n").cutting(LONGEST);
    let title = format!("wirebench {}: {}", run.head.verb, markdown::headline(run));
    page.within("html", &[("lang", &"en")], |page| {
        page.within("head", &[], |head| {
            head.leaf("meta", &[("charset", &"utf-8")]);
            // The style is known by its digest, so that not even a style of a stranger would count.
            let digest = BASE64_STANDARD.encode(Sha256::digest(STYLE));
            let policy = format!(
                "default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
            );
            head.leaf("meta", &[("http-equiv", &"Content-Security-Policy"), ("content", &policy)]);
            head.leaf("meta", &[("name", &"viewport"), ("content", &"width=device-width, initial-scale=1")]);
            head.leaf("meta", &[("name", &"color-scheme"), ("content", &"light dark")]);
            // Without it a browser asks for an icon.
            head.leaf("link", &[("rel", &"icon"), ("href", &"data:,")]);
            head.put("title", &[], &title);
            head.within("style", &[], |style| style.constant(STYLE));
        });
        page.within("body", &[], |body| body_of(body, run, beside));
    });
    page.finish()
}

fn body_of(body: &mut Markup, run: &Run, beside: &Beside) {
    body.put("a", &[("class", &"skip"), ("href", &"#findings")], "To the findings");
    body.within("header", &[], |header| {
        header.put("h1", &[], format!("wirebench {}", run.head.verb));
        verdict(header, run);
        facts(header, run);
        header.within("nav", &[("aria-label", &"Sections")], |nav| {
            for (id, name) in sections(run, beside) {
                nav.put("a", &[("href", &format!("#{id}"))], name);
            }
        });
    });
    body.within("main", &[], |main| {
        findings(main, run);
        if !run.targets.is_empty() {
            charts::over_time(main, run);
            charts::targets(main, run);
        }
        charts::rules(main, run);
        lines::section(main, run);
        charts::kills(main, beside);
        charts::speed(main, beside);
    });
    body.within("footer", &[], |footer| {
        footer.put(
            "p",
            &[],
            "A clean run says that no named rule was seen broken. It claims neither conformance nor certification.",
        );
        footer.put("p", &[], "The same data stands in report.ndjson; `wirebench report schema` prints its schema.");
    });
}

/// The sections of the page: where they begin and what they are called.
fn sections(run: &Run, beside: &Beside) -> Vec<(&'static str, &'static str)> {
    let mut all = vec![("findings", "Findings")];
    if !run.targets.is_empty() {
        all.extend([("over-time", "Over time"), ("targets", "Targets")]);
    }
    all.push(("rules", "Rules"));
    all.extend((!run.end.lines.is_empty()).then_some(("lines", "Lines")));
    all.extend((!beside.kills.is_empty()).then_some(("kills", "Mutants")));
    all.extend((!beside.speed.is_empty()).then_some(("speed", "Speed")));
    all
}

fn verdict(header: &mut Markup, run: &Run) {
    let new = run.findings.iter().filter(|found| !found.known).count();
    let known = run.findings.len() - new;
    let (class, mut line) = match new {
        0 if run.end.cases + run.end.sessions == 0 => ("bad", "! Nothing was tested".to_owned()),
        0 if !run.end.stale.is_empty() => ("bad", "✗ No new findings, but the baseline is stale".to_owned()),
        0 => ("good", "✓ No new findings".to_owned()),
        1 => ("bad", "✗ 1 new finding".to_owned()),
        many => ("bad", format!("✗ {many} new findings")),
    };
    if known > 0 {
        line.push_str(&format!(", {known} known from the baseline"));
    }
    let untested = run.targets.iter().filter(|target| target.executions == 0).count();
    if untested > 0 {
        line.push_str(&format!("; {untested} of {} targets did not run", run.targets.len()));
    }
    if run.end.interrupted {
        line.push_str("; the run was interrupted");
    }
    header.put("p", &[("class", &format!("verdict {class}"))], line);
}

fn facts(header: &mut Markup, run: &Run) {
    let (head, end) = (&run.head, &run.end);
    let seconds: f64 = run.targets.iter().map(|target| target.seconds).sum();
    let mut facts: Vec<(&str, String)> = vec![("subject", head.subject.clone()), ("version", head.version.to_string())];
    facts.extend(head.tier.iter().map(|tier| ("tier", tier.to_string())));
    facts.extend(head.seed.map(|seed| ("seed", seed.to_string())));
    facts.extend(head.budget_seconds.map(|asked| ("fuzzing time asked for", format!("{asked} s"))));
    facts.push(("inputs checked", compact(end.cases.saturating_add(end.sessions) as f64)));
    if seconds > 0.0 {
        facts.push(("inputs a second and process", compact(end.cases as f64 / seconds)));
    }
    for (name, count) in [
        ("combinations reached", end.reached),
        ("invariants exercised", end.exercised),
        ("times not reachable", end.unreachable),
    ] {
        facts.extend((count > 0).then(|| (name, count.to_string())));
    }
    facts.extend(cost::facts(run));
    header.within("dl", &[("class", &"facts")], |list| {
        for (name, value) in facts {
            list.within("div", &[], |pair| {
                pair.put("dt", &[], name);
                pair.put("dd", &[], value);
            });
        }
    });
    if !end.notes.is_empty() {
        header.within("ul", &[("class", &"note")], |list| end.notes.iter().for_each(|note| list.put("li", &[], note)));
    }
}

fn findings(main: &mut Markup, run: &Run) {
    main.within("section", &[("id", &"findings"), ("aria-labelledby", &"findings-title")], |section| {
        section.put("h2", &[("id", &"findings-title")], "Findings");
        if !run.end.stale.is_empty() {
            section.put("h3", &[], "The baseline itself");
            section.within("ul", &[], |list| run.end.stale.iter().for_each(|entry| list.put("li", &[], entry)));
        }
        if run.findings.is_empty() {
            section.put("p", &[], "None. No named rule was seen broken on the inputs of this run.");
            return;
        }
        let mut sorted: Vec<&Found> = run.findings.iter().collect();
        sorted.sort_by_key(|found| found.known);
        charts::families(section, run);
        finding::overview(section, &sorted, ROOM_OF_LIST);
        let mut shown = 0;
        for found in &sorted {
            if section.size() > ROOM {
                break;
            }
            finding::article(section, found, shown < finding::OPEN && !found.known);
            shown += 1;
        }
        if shown < sorted.len() {
            let left = sorted.len() - shown;
            section.put(
                "p",
                &[("class", &"note")],
                format!(
                    "{left} more findings have no details here, to keep the page small; report.ndjson has all of them."
                ),
            );
        }
    });
}
