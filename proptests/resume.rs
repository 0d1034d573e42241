//! A run that is killed at any moment loses nothing, and one folder is one run's.
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

const SUBJECT: &str = "mutant:era.header-wins";

/// The command in a folder of its own, so that what it writes says `out` wherever it runs.
fn wirebench(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn begin(folder: &Path) -> Child {
    let mut command =
        wirebench(folder, &["fuzz", "--cases", "12000", "--seed", "7", "--subject", SUBJECT, "--out", "out"]);
    command.spawn().expect("the command starts")
}

fn resume(folder: &Path) -> Command {
    wirebench(folder, &["fuzz", "--resume", "--out", "out"])
}

/// Waits until the run has noted one step more, or has ended.
fn wait_for_a_line(folder: &Path, run: &mut Child) {
    let lines = || {
        let text = fs::read(folder.join("out/journal.ndjson")).unwrap_or_default();
        text.iter().filter(|byte| **byte == b'\n').count()
    };
    let before = lines();
    while lines() == before && run.try_wait().is_ok_and(|ended| ended.is_none()) {
        thread::sleep(Duration::from_millis(1));
    }
}

fn refusal(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = command.stderr(Stdio::piped()).output().expect("the command starts");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

#[test]
fn a_run_that_is_killed_twenty_times_finds_what_it_would_have_found() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut reference = begin(whole.path());
    let mut child = begin(killed.path());
    let mut kept = 0;
    let mut moment = 12_345_u64;
    for kill in 0..20 {
        // A sequence without a pattern; the moments themselves depend on the machine, the outcome must not.
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if kill % 2 == 0 {
            thread::sleep(Duration::from_millis(20 + (moment >> 33) % 300));
        } else {
            wait_for_a_line(killed.path(), &mut child);
        }
        child.kill().expect("it is ours");
        child.wait().expect("it was started");
        let findings = fs::read_dir(killed.path().join("out/findings")).map_or(0, Iterator::count);
        assert!(findings >= kept, "a finding is lost");
        kept = findings;
        // Killed before its first line, it has no journal to go on with.
        let begun = fs::read(killed.path().join("out/journal.ndjson")).is_ok_and(|text| text.contains(&b'\n'));
        child = if begun { resume(killed.path()).spawn().expect("it starts") } else { begin(killed.path()) };
    }
    child.wait().expect("it was started");
    assert!(kept > 0, "every kill came before the first finding");
    assert_eq!(reference.wait().expect("it was started").code(), Some(1));
    let report = |folder: &Path| fs::read_to_string(folder.join("out/report.ndjson")).expect("there is a report");
    assert_eq!(report(killed.path()), report(whole.path()));
    let ended = refusal(&mut resume(killed.path()));
    assert_eq!(ended.0, Some(2));
    assert!(ended.1.contains("nothing to resume"), "{}", ended.1);
}

#[test]
fn a_second_run_in_a_folder_and_a_damaged_journal_are_refused_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = begin(folder.path());
    let journal = folder.path().join("out/journal.ndjson");
    while !fs::read(&journal).is_ok_and(|text| text.contains(&b'\n')) {
        thread::sleep(Duration::from_millis(10));
    }
    for second in [&mut resume(folder.path()), &mut wirebench(folder.path(), &["fuzz", "--cases", "1", "--out", "out"])]
    {
        let (code, said) = refusal(second);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("another run works in out"), "{said}");
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let damaged = [&fs::read(&journal).unwrap()[..], b"{\"type\":\n{\"type\":\"end\"}\n"].concat();
    fs::write(&journal, &damaged).unwrap();
    let (code, said) = refusal(&mut resume(folder.path()));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("is damaged") && said.contains("out/findings"), "{said}");
    assert_eq!(fs::read(&journal).unwrap(), damaged);
}
