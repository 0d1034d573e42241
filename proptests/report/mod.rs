//! Reports: do all forms hold whatever an input holds, does the page ask for nothing, do rows keep to their schema?

#[cfg(feature = "cli")]
mod command;
mod sample;

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use roxmltree::{Document, ParsingOptions};
use serde_json::Value;
use wirebench::invariant;
use wirebench::report::beside::{Beside, Kill, Record, Unit};
use wirebench::report::{
    Class, Cost, End, Found, Head, Lines, Run, Sample, Stability, Target, TargetState, html, junit, markdown, ndjson,
    sarif, schema, shown,
};

/// A run of two targets with as many findings, and everything beside it; all text of others is `text`.
fn run_with(findings: usize, text: &str) -> (Run, Beside) {
    let found = |index: usize| Found {
        id: format!("{index:012x}"),
        class: [Class::Invariant, Class::Panic, Class::Timeout][index % 3],
        stability: [Stability::Stable, Stability::Flaky, Stability::Gone][index % 3],
        subject: text.to_owned(),
        invariant: ["era.unknown-not-terminal", "session.id-reused", text][index % 3].to_owned(),
        kind: text.to_owned(),
        refusal: Some(text.to_owned()),
        level: Some("MUST".into()),
        requirements: vec!["result-type-required".into(), text.to_owned().into()],
        expected: text.to_owned(),
        observed: text.to_owned(),
        mutations: vec![text.to_owned()],
        hits: 3,
        minimised: true,
        known: index % 4 == 3,
        bytes: text.len(),
        file: format!("findings/{text}"),
        replay: format!("wirebench replay '{text}'"),
        targets: vec![text.to_owned()],
        also: vec![text.to_owned()],
        first_seen: Some(text.to_owned()),
        test: text.to_owned(),
        input: text.to_owned(),
    };
    let samples = (0..40).map(|at| Sample {
        seconds: at * at / 10,
        executions: at * at * 900,
        coverage: 900 + at * 3,
        features: 2000 + at * 9,
        corpus: 100 + at * 2,
    });
    let target = |name: &str, state| Target {
        target: name.to_owned(),
        state,
        executions: 1_368_900,
        seconds: 152.0,
        coverage: 1017,
        samples: samples.clone().collect(),
        ..Target::default()
    };
    let run = Run {
        head: Head {
            verb: "nightly".into(),
            version: text.to_owned().into(),
            subject: text.to_owned(),
            seed: Some(7),
            tier: Some("quick".into()),
            budget_seconds: Some(60),
        },
        targets: vec![target("case", TargetState::Ran), target(text, TargetState::BuildFailed)],
        findings: (0..findings).map(found).collect(),
        end: End {
            cases: 1_368_900,
            exercised: 70,
            stale: vec![text.to_owned()],
            unexercised: vec![text.to_owned().into()],
            findings: findings as u64,
            notes: vec![text.to_owned()],
            cost: Some(Cost { executing: 0.9, ..Cost::default() }),
            lines: vec![Lines { file: text.to_owned(), lines: 9, covered: 5 }],
            ..End::default()
        },
    };
    let kill = |mutant: &str, by: Option<&str>| Kill {
        mutant: mutant.to_owned(),
        by: by.map(str::to_owned),
        cases: 5,
        bytes: Some(9),
    };
    let record = |date: &str, value| Record {
        date: date.to_owned(),
        setting: text.to_owned(),
        values: vec![(Unit::Instructions, text.to_owned(), value)],
    };
    let beside = Beside {
        kills: vec![
            kill("era.header-wins", Some("era.unknown-not-terminal")),
            kill(text, Some(text)),
            kill("a.b", None),
        ],
        speed: vec![record("2026-07-01", 900.0), record(text, 950.0)],
        unread: 0,
    };
    (run, beside)
}

/// What markup of a document there is, without its text: element and attribute names in order.
fn skeleton(text: &str) -> Vec<String> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let elements = document.descendants().filter(roxmltree::Node::is_element);
    elements
        .map(|element| {
            let names: Vec<&str> = element.attributes().map(|attribute| attribute.name()).collect();
            format!("{} {}", element.tag_name().name(), names.join(" "))
        })
        .collect()
}

fn text_of(run: &Run) -> String {
    let mut text = Vec::new();
    markdown::write(run, &mut text).expect("memory takes every line");
    String::from_utf8(text).expect("text is UTF-8")
}

fn rows_of(run: &Run) -> Vec<u8> {
    let mut rows = Vec::new();
    ndjson::write(run, &mut rows).expect("memory takes every row");
    rows
}

/// Text that tries to leave its place, in pieces.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "</pre>",
            "<script>alert(1)</script>",
            "\" onload=\"x",
            "' x='",
            "]]>",
            "<!--",
            "-->",
            "&lt;",
            "&#0;",
            "```",
            "\n```\n",
            "|",
            "\n# ",
            "[x](http://example.test/)",
            "![x](http://example.test/)",
            "{0}",
            "\u{202E}",
            "\u{0}",
            "\r\n",
            "\u{FFFE}",
            "</text></svg>",
            "</style>",
            "<?xml",
            "<![CDATA[",
            "javascript:alert(1)",
            "::error::",
            "\\",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
        vec(any::<u8>(), 0..12).prop_map(|bytes| shown(&bytes)),
    ];
    vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_others_changes_the_markup_of_the_page(text in hostile()) {
        let (plain, hostile) = (run_with(8, "plain.text"), run_with(8, &text));
        // What is derived from a text, such as how many families there are, is equal for both but where it collides.
        let page = html::page(&hostile.0, &hostile.1);
        let tags = |page: &str| skeleton(page).into_iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(tags(&html::page(&plain.0, &plain.1)), tags(&page));
        let acts = |letter| ['\u{202E}', '\u{0}'].contains(&letter);
        prop_assert!(!page.contains("<script") && !page.contains(acts), "{}", page);
    }

    #[test]
    fn no_text_of_others_changes_the_markup_of_junit(text in hostile()) {
        prop_assert_eq!(
            skeleton(&junit::document(&run_with(8, "plain").0)),
            skeleton(&junit::document(&run_with(8, &text).0))
        );
    }

    #[test]
    fn sarif_stays_json_with_one_result_a_finding_and_no_link(text in hostile()) {
        let document: Value = serde_json::from_str(&sarif::document(&run_with(8, &text).0)).expect("JSON");
        let results = document["runs"][0]["results"].as_array().expect("a list");
        prop_assert_eq!(results.len(), 8);
        let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().expect("a list");
        for result in results {
            let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
            prop_assert_eq!(&rule["id"], &result["ruleId"]);
            let message = result["message"]["text"].as_str().unwrap();
            prop_assert!(!message.contains("[x](") || message.contains("\\[x\\]("));
            let place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
            prop_assert!(place.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':'), "{}", place);
        }
    }

    #[test]
    fn a_line_of_markdown_stays_a_line_and_a_row_keeps_its_cells(text in hostile()) {
        let (plain, hostile) = (text_of(&run_with(1, "plain").0), text_of(&run_with(1, &text).0));
        // Everything but the two fenced blocks, whose lines are the input's own.
        let outside = |page: &str| {
            let mut fence: Option<String> = None;
            let mut lines = Vec::new();
            for line in page.split('\n') {
                let run: String = line.chars().take_while(|&letter| letter == '`').collect();
                match &fence {
                    Some(open) if line == open => fence = None,
                    Some(_) => {}
                    None if run.len() >= 3 => fence = Some(run),
                    None => lines.push(line.to_owned()),
                }
            }
            assert!(fence.is_none(), "a fence is left open in\n{page}");
            lines
        };
        let cells = |line: &String| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        let (plain, hostile) = (outside(&plain), outside(&hostile));
        prop_assert_eq!(plain.len(), hostile.len());
        prop_assert_eq!(plain.iter().map(cells).collect::<Vec<_>>(), hostile.iter().map(cells).collect::<Vec<_>>());
        prop_assert!(!hostile.iter().any(|line| line.replace("\\\\", "").replace("\\<", "").contains('<')));
    }

    #[test]
    fn rows_keep_to_the_schema_and_are_read_as_they_were_written(text in hostile()) {
        let schema: Value = serde_json::from_str(schema::ROW).expect("JSON");
        let valid = jsonschema::validator_for(&schema).expect("a schema");
        let rows = rows_of(&run_with(4, &text).0);
        for line in rows.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let row: Value = serde_json::from_slice(line).expect("JSON");
            prop_assert!(valid.validate(&row).is_ok(), "{:?}", valid.validate(&row));
        }
        prop_assert_eq!(&rows, &rows_of(&ndjson::read(&rows).expect("a report")));
    }

    #[test]
    fn rows_of_a_stranger_are_read_or_refused(bytes in vec(any::<u8>(), 0..200), cut in any::<prop::sample::Index>()) {
        let _ = ndjson::read(&bytes);
        let rows = rows_of(&run_with(2, "x").0);
        if let Ok(run) = ndjson::read(&rows[..cut.index(rows.len())]) {
            let _ = html::page(&run, &Beside::default());
        }
    }
}

#[test]
fn the_schema_refuses_what_is_no_row() {
    let schema: Value = serde_json::from_str(schema::ROW).unwrap();
    let valid = jsonschema::validator_for(&schema).unwrap();
    for row in [
        r#"{}"#,
        r#"{"type":"run"}"#,
        r#"{"type":"target","target":"case","state":"asleep","executions":1}"#,
        r#"{"type":"target","target":"case","state":"ran","executions":-1}"#,
        r#"{"type":"end","cases":1,"sessions":0,"findings":0,"interrupted":"no"}"#,
    ] {
        assert!(!valid.is_valid(&serde_json::from_str(row).unwrap()), "{row}");
    }
    assert!(valid.is_valid(&serde_json::from_str(r#"{"type":"weather"}"#).unwrap()), "types may be added");
}

#[test]
fn the_page_names_nothing_outside_itself() {
    let (run, beside) = run_with(8, "plain");
    let page = html::page(&run, &beside);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&page, options).unwrap();
    let ids: BTreeSet<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let all = document.descendants().filter(|node| node.attribute("id").is_some()).count();
    assert_eq!(ids.len(), all, "an id is there twice");
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        assert!(!["script", "img", "iframe", "object", "embed"].contains(&node.tag_name().name()));
        for attribute in node.attributes() {
            match attribute.name() {
                "href" if node.tag_name().name() == "link" => assert_eq!(attribute.value(), "data:,"),
                "href" => assert!(attribute.value().strip_prefix('#').is_some_and(|id| ids.contains(id))),
                "aria-labelledby" => assert!(ids.contains(attribute.value()), "{}", attribute.value()),
                name => assert!(!["src", "style", "srcset"].contains(&name) && !name.starts_with("on"), "{name}"),
            }
        }
    }
    assert!(page.contains("default-src 'none'") || page.contains("default-src &#39;none&#39;"));
    for section in ["findings", "over-time", "targets", "rules", "lines", "kills", "speed"] {
        assert!(ids.contains(section), "{section}");
    }
    assert!(page.contains("<polyline") && page.contains("<title>"));
}

#[test]
fn a_page_of_thousands_of_findings_stays_below_a_megabyte_and_says_what_it_leaves_out() {
    let long = "<&\"'>".repeat(400);
    let (run, beside) = run_with(4000, &long);
    let page = html::page(&run, &beside);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(page.contains("more findings have no details here"));
    assert!(!html::page(&run_with(4, "x").0, &beside).contains("more findings have no details here"));
}

#[test]
fn every_invariant_leads_to_the_words_of_its_rules() {
    let (mut run, beside) = run_with(1, "plain");
    for rule in invariant::all() {
        run.findings[0].requirements = rule.requirements.iter().map(|&id| id.into()).collect();
        let page = html::page(&run, &beside);
        assert_eq!(page.matches("<cite>").count(), rule.requirements.len(), "{}", rule.id);
    }
}
