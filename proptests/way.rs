//! The way of a fault through the command, as people go it: found, triaged, promoted, red, green.
//!
//! A mutant of the codec is the planted fault; artifacts are what an engine or a test of somebody else would leave.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use wirebench::case::{Case, Party};
use wirebench::corpus::Manifest;

const SUBJECT: &str = "mutant:document.trailing-ignored";

fn wirebench(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.args(arguments).current_dir(folder).output().expect("the command starts")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The rows of findings.
fn findings(output: &Output) -> Vec<Value> {
    let rows = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).expect("a row is JSON"));
    rows.filter(|row| row["type"] == "finding").collect()
}

/// Runs the test of the corpus on that corpus with that subject; says whether it is green, and what it printed.
fn replayed(corpus: &Path, subject: &str) -> (bool, String) {
    let name = "corpus::no_file_shows_a_fault_that_the_baseline_does_not_list_and_no_listed_one_is_gone_or_expired";
    let mut tests = Command::new(std::env::current_exe().expect("this test runs"));
    tests.args([name, "--exact"]).env("WIREBENCH_CORPUS", corpus).env("WIREBENCH_SUBJECT", subject);
    let output = tests.output().expect("it starts again");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("running 1 test"), "the test has another name: {text}");
    (output.status.success(), text)
}

#[test]
fn a_planted_fault_becomes_one_small_finding_then_a_regression_that_is_red_until_the_fault_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    fs::write(corpus.join("MANIFEST.toml"), "").unwrap();
    let run = ["fuzz", "--subject", SUBJECT, "--cases", "4096", "--seed", "7", "--format", "ndjson"];
    let found = wirebench(folder.path(), &run);
    assert_eq!(found.status.code(), Some(1), "{}", told(&found));
    let rows = findings(&found);
    let [row] = rows.as_slice() else { panic!("one fault and {} rows: {rows:?}", rows.len()) };
    assert!(row["minimised"] == true && row["stability"] == "stable", "{row}");
    assert!(row["bytes"].as_u64().is_some_and(|bytes| bytes < 120) && row["hits"].as_u64() > Some(1), "{row}");
    let id = row["id"].as_str().expect("an id");
    let promoted = wirebench(folder.path(), &["triage", "promote", id, "--subject", SUBJECT]);
    assert_eq!(promoted.status.code(), Some(0), "{}", told(&promoted));
    assert_eq!(Manifest::load(&corpus).unwrap().rows[0].invariant.as_deref(), row["invariant"].as_str());
    let (green, text) = replayed(&corpus, SUBJECT);
    assert!(!green && text.contains(id), "{text}");
    let (green, text) = replayed(&corpus, "codec");
    assert!(green, "{text}");
    for (subject, code) in [(SUBJECT, 1), ("codec", 0)] {
        let checked = wirebench(folder.path(), &["corpus", "check", "--subject", subject]);
        assert_eq!(checked.status.code(), Some(code), "{}", told(&checked));
    }
}

#[test]
fn ten_artifacts_of_one_fault_in_every_form_they_come_in_are_one_row() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join("artifacts").join(name);
    fs::create_dir_all(at("below")).unwrap();
    let body = |index: usize| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{index},\"method\":\"ping\",\"params\":{{{}}}}} rest {index}",
            "\"a\":1".repeat(index % 2)
        )
    };
    let case = |index: usize| Case::stdio(Party::Client, body(index));
    for index in 0..4 {
        // What an engine drops has no suffix and is the body alone, or the text of a case.
        fs::write(at(&format!("crash-{index}")), body(index)).unwrap();
        fs::write(at(&format!("below/{index}.case")), case(index + 4).encode()).unwrap();
    }
    // What a test of somebody else printed, in both forms that the text has.
    fs::write(at("failure-8.txt"), format!("minimal failing input: case = {:?}\n\tsuccesses: 3\n", case(8))).unwrap();
    fs::write(at("failure-9.txt"), format!("panicked\nminimal failing input: case = {:#?}\n", case(9))).unwrap();
    fs::write(at("innocent"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}").unwrap();
    fs::write(at("broken.case"), "no case").unwrap();
    let triaged = wirebench(folder.path(), &["triage", "artifacts", "--subject", SUBJECT, "--format", "ndjson"]);
    let told = told(&triaged);
    let rows = findings(&triaged);
    let [row] = rows.as_slice() else { panic!("one fault and {} rows: {rows:?}", rows.len()) };
    assert_eq!((row["hits"].as_u64(), row["minimised"].as_bool()), (Some(10), Some(true)), "{row}");
    assert!(told.contains("broken.case is not in the text form") && told.contains("1 inputs show no fault"), "{told}");
    assert_eq!(triaged.status.code(), Some(1), "{told}");
    // It is replayed by the line that the row gives, and by nothing that it is not.
    let file = row["file"].as_str().expect("a file");
    let replayed = wirebench(folder.path(), &["replay", &format!("target/triage/{file}"), "--subject", SUBJECT]);
    assert_eq!(replayed.status.code(), Some(1));
    assert_eq!(wirebench(folder.path(), &["replay", &format!("target/triage/{file}")]).status.code(), Some(0));
    assert_eq!(wirebench(folder.path(), &["triage", "artifacts/broken.case"]).status.code(), Some(3));
}

#[test]
fn what_is_minimised_keeps_its_fault_and_goes_where_it_is_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.case"), "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"} and more")
        .unwrap();
    let run =
        |output: &str| wirebench(folder.path(), &["minimise", "a.case", "--subject", SUBJECT, "--output", output]);
    let piped = run("-");
    assert_eq!(piped.status.code(), Some(1), "{}", told(&piped));
    assert!(!folder.path().join("-").exists());
    assert_eq!(run("b.case").status.code(), Some(1));
    assert_eq!(fs::read(folder.path().join("b.case")).unwrap(), piped.stdout);
    assert!(piped.stdout.len() < 45 && told(&piped).contains("minimised to"), "{}", told(&piped));
    let ids = ["a.case", "b.case"].map(|name| {
        let row = findings(&wirebench(folder.path(), &["replay", name, "--subject", SUBJECT, "--format", "ndjson"]));
        row[0]["id"].as_str().expect("an id").to_owned()
    });
    assert_eq!(ids[0], ids[1]);
}
