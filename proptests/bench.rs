//! Does the gate on speed hold what it promises, seen from outside: its verdicts, its exit codes, its files?
#![cfg(feature = "cli")]

use std::fs;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use wirebench::bench::compare::{self, THRESHOLD, Verdict};
use wirebench::bench::record::{Conditions, Count, Ratio, Row};

fn row(count: u64, (low, ratio, high): (f64, f64, f64)) -> Row {
    let word = |text: &str| text.to_owned();
    Row {
        date: word("2026-11-30"),
        commit: Some("0123456789abcdef0123456789abcdef01234567".into()),
        conditions: Conditions {
            workload: word("0x0000000000000001"),
            toolchain: word("rustc 1.95.0 (59807616e 2026-04-14) x86_64-unknown-linux-gnu"),
            cpu: word("Some CPU"),
            profile: word("release"),
            counter: word("callgrind 3.19.0"),
        },
        instructions: vec![Count { shape: word("parse/mixed"), work: word("0x2"), count }],
        ratios: vec![Ratio { contender: word("value"), shape: word("mixed"), ratio, low, high, runs: 6 }],
    }
}

fn plain() -> Row {
    row(1_000_000, (0.19, 0.2, 0.21))
}

fn bench(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.arg("bench").args(arguments).current_dir(folder.path()).stdin(Stdio::null());
    command.output().expect("the command starts")
}

/// The exit code and standard output of a comparison of two rows on disk.
fn compared(base: &Row, candidate: &Row, more: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, row) in [("base.ndjson", base), ("candidate.ndjson", candidate)] {
        let text = serde_json::to_string(row).expect("a row is JSON");
        fs::write(folder.path().join(name), text + "\n").expect("writable");
    }
    let output = bench(&folder, &[&["compare", "base.ndjson", "candidate.ndjson"], more].concat());
    (output.status.code().expect("it exits by itself"), String::from_utf8(output.stdout).expect("UTF-8"))
}

fn verdicts(base: &Row, candidate: &Row) -> Vec<Verdict> {
    let changes = compare::compare(base, candidate, THRESHOLD).expect("the conditions are the same");
    changes.into_iter().map(|change| change.verdict).collect()
}

#[test]
fn the_same_code_twice_is_no_change() {
    let (code, printed) = compared(&plain(), &plain(), &[]);
    assert_eq!(code, 0, "{printed}");
    assert!(printed.contains("+0.00 %  same"), "{printed}");
    assert!(printed.ends_with("clean: 2 compared, 0 worse, 0 better, 0 not comparable\n"), "{printed}");
}

#[test]
fn instructions_beyond_the_threshold_are_a_regression() {
    let slower = row(1_030_000, (0.19, 0.2, 0.21));
    let (code, printed) = compared(&plain(), &slower, &["--format", "ndjson"]);
    assert_eq!(code, 1, "{printed}");
    let first = r#"{"type":"change","contender":null,"shape":"parse/mixed","base":1000000.0,"candidate":1030000.0,"#;
    assert!(printed.starts_with(first), "{printed}");
    let end = r#"{"type":"end","verdict":"regression","compared":2,"worse":1,"better":0}"#;
    assert!(printed.trim_end().ends_with(end), "{printed}");
    assert_eq!(compared(&plain(), &slower, &["--threshold", "3"]).0, 0);
    assert_eq!(compared(&slower, &plain(), &[]).0, 0);
    assert_eq!(verdicts(&slower, &plain()), [Verdict::Better, Verdict::Same]);
    assert_eq!(verdicts(&plain(), &row(1_020_000, (0.19, 0.2, 0.21))), [Verdict::Same; 2]);
}

#[test]
fn a_ratio_is_worse_only_where_its_interval_lies_above() {
    for (candidate, verdict) in [
        ((0.22, 0.23, 0.24), Verdict::Worse),
        ((0.205, 0.23, 0.9), Verdict::Same),
        ((0.16, 0.17, 0.18), Verdict::Better),
        ((0.16, 0.17, 0.19), Verdict::Same),
    ] {
        assert_eq!(verdicts(&plain(), &row(1_000_000, candidate)), [Verdict::Same, verdict], "{candidate:?}");
    }
    // Above, but by less than the threshold: another layout of the same code does as much.
    let sharp = |ratio: f64| row(1_000_000, (ratio, ratio, ratio));
    assert_eq!(verdicts(&sharp(0.2), &sharp(0.203)), [Verdict::Same; 2]);
    assert_eq!(compared(&plain(), &row(1_000_000, (0.22, 0.23, 0.24)), &[]).0, 1);
}

#[test]
fn another_condition_is_not_comparable() {
    let changed = |change: fn(&mut Conditions)| {
        let mut other = row(2_000_000, (0.4, 0.4, 0.4));
        change(&mut other.conditions);
        other
    };
    for (condition, other) in [
        ("workload", changed(|of| of.workload = "0x3".into())),
        ("toolchain", changed(|of| of.toolchain = "rustc 1.96.0".into())),
        ("cpu", changed(|of| of.cpu = "Other CPU".into())),
        ("profile", changed(|of| of.profile = "release lto=false".into())),
        ("counter", changed(|of| of.counter = "callgrind 3.20.0".into())),
    ] {
        let (code, printed) = compared(&plain(), &other, &[]);
        assert_eq!(code, 3, "{printed}");
        assert!(printed.starts_with(&format!("not comparable: {condition} is")), "{printed}");
    }
}

#[test]
fn what_the_candidate_lacks_is_not_taken_for_unchanged() {
    let mut other = plain();
    other.instructions[0].work = "0x9".into();
    let (code, printed) = compared(&plain(), &other, &[]);
    assert_eq!((code, printed.contains("not-comparable")), (3, true), "{printed}");
    other = plain();
    other.ratios[0].contender = "another".into();
    assert_eq!(verdicts(&plain(), &other), [Verdict::Same, Verdict::NotComparable]);
    // A regression hides what is lacking.
    other.instructions[0].count *= 2;
    assert_eq!(compared(&plain(), &other, &[]).0, 1);
    // Ratios are measured only where the other readers are at hand.
    other = plain();
    other.ratios.clear();
    assert_eq!(compared(&plain(), &other, &[]).0, 0);
}

#[test]
fn the_newest_row_of_a_file_counts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let line = |row: &Row| serde_json::to_string(row).expect("a row is JSON") + "\n";
    let slow = row(5_000_000, (0.19, 0.2, 0.21));
    fs::write(folder.path().join("rows.ndjson"), line(&slow) + &line(&plain())).expect("writable");
    fs::write(folder.path().join("now.ndjson"), line(&plain())).expect("writable");
    assert_eq!(bench(&folder, &["compare", "rows.ndjson", "now.ndjson"]).status.code(), Some(0));
    fs::write(folder.path().join("rows.ndjson"), line(&plain()) + &line(&slow)).expect("writable");
    assert_eq!(bench(&folder, &["compare", "now.ndjson", "rows.ndjson"]).status.code(), Some(1));
}

#[test]
fn bad_input_has_the_documented_exit_code_and_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("notes.ndjson"), "{}\n").expect("writable");
    fs::write(folder.path().join("empty.ndjson"), "").expect("writable");
    for (arguments, code, said) in [
        (&["compare", "absent.ndjson", "absent.ndjson"][..], 3, "neither a file nor a commit"),
        (&["compare", "notes.ndjson", "notes.ndjson"], 3, "line 1 is no row"),
        (&["compare", "empty.ndjson", "empty.ndjson"], 3, "there is no row in it"),
        (&["compare", "a", "b", "--threshold", "much"], 2, "a number from 0 to 1000"),
        (&["record", "--runs", "3"], 2, "0, or from 6 to 100"),
        (&["record"], 2, "run this inside a checkout of wirebench"),
        (&["compare"], 2, "Usage"),
    ] {
        let output = bench(&folder, arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(said), "{arguments:?}: {told}");
    }
}

#[test]
fn without_valgrind_it_says_what_to_install() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.args(["bench", "record"]).env("PATH", "").current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    let output = command.output().expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("apt-get install valgrind"));
}

#[test]
fn committed_records_are_rows_of_their_file() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/record");
    for entry in fs::read_dir(&folder).expect("there are records") {
        let path = entry.expect("readable").path();
        for row in wirebench::bench::record::read(&path).expect("a file of rows") {
            assert_eq!(row.conditions.path(&folder), path);
            assert!(!row.commit.is_some_and(|commit| commit.ends_with("-dirty")), "{}", path.display());
        }
    }
}
