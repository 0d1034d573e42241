//! The verb `report` from outside: forms, comparison, exit codes, bad input.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use wirebench::report::schema;

use super::{rows_of, run_with};

fn report(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.arg("report").args(arguments).current_dir(folder).output().expect("the command starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the command exits by itself")
}

/// A folder with two runs, `a` and `b`; `b` has one finding more and one less.
fn two_runs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (mut run, _) = run_with(3, "plain");
    for (name, gone) in [("a", 2), ("b", 0)] {
        let kept = run.findings.clone();
        run.findings.remove(gone);
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("report.ndjson"), rows_of(&run)).unwrap();
        run.findings = kept;
    }
    folder
}

#[test]
fn a_folder_is_rendered_in_every_form_and_the_page_by_default() {
    let folder = two_runs();
    let forms = ["a", "--html", "x.html", "--junit", "x.xml", "--sarif", "x.sarif", "--md", "-"];
    let output = report(folder.path(), &forms);
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("# wirebench nightly: 2 findings"));
    for (file, begins) in [("x.html", "<!DOCTYPE html>"), ("x.xml", "<?xml"), ("x.sarif", "{")] {
        assert!(fs::read_to_string(folder.path().join(file)).unwrap().starts_with(begins), "{file}");
    }
    assert!(!folder.path().join("a/report.html").exists());
    assert_eq!(code(&report(folder.path(), &["a"])), 0);
    assert!(folder.path().join("a/report.html").exists());
}

#[test]
fn new_findings_of_a_later_run_have_the_code_of_findings() {
    let folder = two_runs();
    let output = report(folder.path(), &["diff", "a", "b"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((code(&output), text.lines().next()), (1, Some("1 new, 1 gone, 1 still there")), "{text}");
    assert_eq!(code(&report(folder.path(), &["diff", "a", "a"])), 0);
    let rows = report(folder.path(), &["diff", "a/report.ndjson", "b", "--format", "ndjson"]);
    let rows = String::from_utf8(rows.stdout).unwrap();
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows[0]["change"].as_str(), rows[1]["change"].as_str()), (Some("new"), Some("gone")));
}

#[test]
fn what_is_no_report_or_cannot_be_written_is_told_with_its_code() {
    let folder = two_runs();
    fs::write(folder.path().join("bad.ndjson"), "{\"type\":\"run\"").unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for (arguments, expected, words) in [
        (&["nowhere"][..], 3, "cannot be read"),
        (&["bad.ndjson"], 3, "line 1"),
        (&["diff", "a", "bad.ndjson"], 3, "line 1"),
        (&["a", "--mutants", "nowhere"], 3, "cannot be read"),
        (&["a", "--html", "file/x.html"], 2, "cannot be written"),
        (&["a", "--pdf", "x"], 2, "--pdf"),
    ] {
        let output = report(folder.path(), arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), expected, "{arguments:?}: {told}");
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}

#[test]
fn the_published_schema_is_printed_as_it_stands() {
    let printed = report(Path::new("."), &["schema"]);
    assert_eq!(String::from_utf8(printed.stdout).unwrap().trim_end(), schema::ROW.trim_end());
}
