//! A verb that is asked to end says so with its exit code, and keeps what was done.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const MUTANT: &str = "mutant:document.trailing-ignored";

fn begin(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts")
}

/// Sends the signal and says how the process ended and what it printed.
fn end(mut child: Child, signal: &str) -> (Option<i32>, String) {
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
    assert!(killed.success());
    let mut printed = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut printed).expect("text");
    (child.wait().expect("it ends").code(), printed)
}

/// Waits for a line on standard error that holds the word; the rest of it is read by nobody.
fn wait_for(child: &mut Child, word: &str) {
    let mut lines = BufReader::new(child.stderr.as_mut().expect("piped")).lines();
    assert!(lines.any(|line| line.expect("text").contains(word)), "it never said {word}");
}

#[test]
fn a_hunt_for_mutants_shows_what_it_has_and_ends_with_its_own_code() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-TERM"] {
        let mut child = begin(folder.path(), &["mutants", "--cases", "1000000000000", "--format", "ndjson"]);
        wait_for(&mut child, "seed");
        let (code, printed) = end(child, signal);
        assert_eq!(code, Some(130), "{signal}");
        assert!(printed.lines().all(|row| row.starts_with("{\"mutant\":") && row.ends_with('}')), "{printed}");
    }
}

#[test]
fn a_harvest_that_waits_for_input_ends_at_once_and_its_seeds_stay() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.jsonl"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").unwrap();
    for signal in ["-INT", "-TERM"] {
        let mut child = begin(folder.path(), &["corpus", "harvest", "a.jsonl", "-", "--out", "out"]);
        let mut first = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut first).expect("a line");
        assert!(first.contains("a.jsonl"), "{first}");
        let _open = child.stdin.take();
        assert_eq!(end(child, signal).0, Some(130), "{signal}");
    }
    assert!(fs::read_dir(folder.path().join("out")).unwrap().count() > 0);
}

#[test]
fn a_triage_shows_the_findings_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("in");
    fs::create_dir(&inputs).unwrap();
    for index in 0..2000 {
        fs::write(
            inputs.join(format!("{index}")),
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{index},\"method\":\"ping\"}}x"),
        )
        .unwrap();
    }
    let child = begin(folder.path(), &["triage", "in", "--subject", MUTANT, "--format", "ndjson"]);
    let findings = folder.path().join("target/triage/findings");
    while fs::read_dir(&findings).map_or(0, Iterator::count) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill starts");
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = String::from_utf8(output.stdout).expect("text");
    assert!(rows.lines().count() == 1 && rows.contains("\"type\":\"finding\""), "{rows}");
}

#[test]
fn a_search_for_a_commit_leaves_neither_checkout_nor_process() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(folder.path()).output().expect("git starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    git(&["init", "--quiet"]);
    for text in ["a", "b", "c", "d"] {
        fs::write(folder.path().join("file"), text).unwrap();
        git(&["add", "."]);
        git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", text]);
    }
    let input = "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}x";
    fs::write(folder.path().join("a.case"), input).unwrap();
    // A build that takes for ever stands in the place of cargo; its folder is told by what it touches.
    let tools = tempfile::tempdir().unwrap();
    let cargo = tools.path().join("cargo");
    fs::write(&cargo, format!("#!/bin/sh\necho $$ > '{}/begun'\nexec sleep 60\n", tools.path().display())).unwrap();
    fs::set_permissions(&cargo, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap_or_default());
    command.args(["triage", "bisect", "a.case", "--good", "HEAD~3", "--subject", MUTANT]);
    command.current_dir(folder.path()).env("PATH", path).env("TMPDIR", tools.path());
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let begun = tools.path().join("begun");
    while fs::read_to_string(&begun).unwrap_or_default().trim().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(end(child, "-TERM").0, Some(130));
    assert_eq!(git(&["worktree", "list"]).lines().count(), 1);
    let left: Vec<_> = fs::read_dir(tools.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    let build = fs::read_to_string(&begun).unwrap();
    // One that ended and that nobody has waited for yet is a zombie.
    let state = Command::new("ps").args(["-o", "stat=", "-p", build.trim()]).output().expect("ps starts").stdout;
    assert!(state.is_empty() || state.starts_with(b"Z"), "the build goes on: {}", String::from_utf8_lossy(&state));
}
