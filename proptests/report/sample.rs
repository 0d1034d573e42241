//! A run as a night may leave it, for a browser and for people to look at.

use std::fs;
use std::path::Path;

use wirebench::invariant;
use wirebench::report::beside::{Beside, Kill, Record, Unit};
use wirebench::report::{Class, Cost, Lines, Run, Sample, Target, TargetState, ndjson, shown};

use super::run_with;

/// The sample that `scripts/test-report` shows to a browser, and a check that it is a whole run folder.
#[test]
fn a_sample_folder_holds_a_page_for_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = std::env::var_os("WIREBENCH_REPORT_SAMPLE");
    let out = wanted.as_deref().map_or(folder.path(), Path::new);
    let (run, beside) = sample();
    wirebench::report::folder::write(&run, &beside, out).unwrap();
    let rows = fs::read(out.join("report.ndjson")).unwrap();
    assert_eq!(ndjson::read(&rows).unwrap().findings.len(), run.findings.len());
    assert!(fs::metadata(out.join("report.html")).unwrap().len() < 1_000_000);
}

/// A run as a night may leave it: twelve targets, some findings, mutants and a season of records.
fn sample() -> (Run, Beside) {
    let (mut run, mut beside) = run_with(7, "a terminal conclusion under an unknown era");
    let names = ["bytes", "case", "frames", "header", "session", "value"];
    run.targets = names
        .iter()
        .zip(1..)
        .map(|(name, scale): (_, u64)| {
            let samples = (0..90u64).map(|at| Sample {
                seconds: at * 320,
                executions: at * 320 * (220_000 / scale) - at * at * 3_000 / scale,
                coverage: 600 * scale + (at * 40_000).isqrt() * scale / 4,
                features: 3000 * scale + at * 40,
                corpus: 180 * scale + (at * 4_000).isqrt(),
            });
            Target {
                target: (*name).to_owned(),
                executions: 5_000_000_000 / scale,
                seconds: 28_800.0,
                coverage: 600 * scale + 470 * scale,
                features: 3000 * scale + 3560,
                corpus: 780,
                seeds: 174,
                samples: samples.collect(),
                ..Target::default()
            }
        })
        .collect();
    run.targets[3].state = TargetState::BuildFailed;
    run.targets[3].executions = 0;
    run.targets[3].samples.clear();
    run.end.stale.clear();
    run.head.version = "0.1.0".into();
    run.head.subject = "codec".to_owned();
    run.end.notes = vec!["tier deep not run: no nightly compiler is installed".to_owned()];
    run.end.cost = Some(Cost {
        executing: 0.94,
        building_seconds: 80.0,
        running_seconds: 29_000.0,
        memory_mb: 60,
        folder_bytes: 90_000_000,
    });
    run.end.lines = ["document/mod.rs", "document/scan.rs", "frame/sse.rs", "judge/mod.rs", "era.rs", "id.rs"]
        .iter()
        .zip(1..)
        .map(|(name, scale): (_, u64)| Lines {
            file: format!("src/codec/{name}"),
            lines: 90 * scale,
            covered: 80 * scale,
        })
        .collect();
    run.end.cases = run.targets.iter().map(|target| target.executions).sum();
    run.end.unexercised = invariant::all().map(|rule| rule.id.into()).step_by(5).collect();
    run.end.exercised = (invariant::all().count() - run.end.unexercised.len()) as u64;
    let rules: Vec<_> = invariant::all().step_by(13).collect();
    for ((found, rule), index) in run.findings.iter_mut().zip(rules).zip(0u64..) {
        let body = br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"</pre><script>alert(1)</script>"}]}}"#;
        let case = [&b":from: server\n:transport: http\nMcp-Name: =?base64?Y2Fmw6k=?=\n\n"[..], body, b"\xE2\x80\xAE"]
            .concat();
        found.id = format!("{:012x}", (index + 1) * 0x9E37_79B9_7F4A);
        found.class = if index == 4 { Class::Panic } else { Class::Invariant };
        found.subject = "codec".to_owned();
        found.invariant = if index == 4 { "panic".to_owned() } else { rule.id.to_owned() };
        found.kind = "terminal".to_owned();
        found.refusal = (index % 2 == 0).then(|| "header/version-mismatch".to_owned());
        found.requirements = rule.requirements.iter().map(|&id| id.into()).collect();
        found.expected = rule.rule.to_owned();
        found.observed = "terminal, result complete".to_owned();
        found.mutations = vec!["drop-version at /params/_meta".to_owned()];
        found.also = (index == 1).then(|| "0badc0de0bad result.token-is-exact other".to_owned()).into_iter().collect();
        found.first_seen = (index == 1).then(|| "5d79e0feee9e".to_owned());
        found.test = "#[test]\nfn finding() {\n    let text = b\"\\n{}\";\n}\n".to_owned();
        found.input = shown(&case);
        found.bytes = case.len();
        found.file = format!("findings/{}.case", found.id);
        found.replay = format!("wirebench replay target/nightly/findings/{}.case", found.id);
        found.targets = vec!["case".to_owned(), "session".to_owned()];
    }
    let invariants: Vec<_> = invariant::all().map(|rule| rule.id).collect();
    beside.kills = wirebench::subject::mutant::all()
        .zip(0..)
        .map(|(mutant, index): (_, usize)| Kill {
            mutant: mutant.id.to_owned(),
            by: (index % 60 != 7).then(|| invariants[index * 7 % invariants.len()].to_owned()),
            cases: index as u64 * 13 % 900,
            bytes: (index % 60 != 7).then_some(90 + index as u64),
        })
        .collect();
    beside.speed = (0..40)
        .map(|night: u32| Record {
            date: format!("2026-{:02}-{:02}", 7 + night / 28, 1 + night % 28),
            setting: format!("workload 5f0c, rustc 1.{}, Xeon", 95 + night / 25),
            values: ["small request", "tools/list result", "deep array"]
                .iter()
                .zip(1..)
                .flat_map(|(name, scale): (_, u32)| {
                    let count = f64::from(120_000 * scale - night * 300 + (night * 7919 % 13) * 90);
                    let ratio = f64::from(130 + night * 3 % 40) / 1000.0;
                    let ratio = (Unit::Ratio, format!("{name} against serde_json"), ratio);
                    [(Unit::Instructions, (*name).to_owned(), count), ratio]
                })
                .collect(),
        })
        .collect();
    (run, beside)
}
