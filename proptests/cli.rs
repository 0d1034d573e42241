//! The command from outside: rows, exit codes, bad input.
#![cfg(feature = "cli")]

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the command exits by itself")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("output is UTF-8")
}

/// A file of that name and content in a fresh folder; the name of the folder is replaced in what is printed.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("writable");
        fs::write(path, content).expect("writable");
        self
    }

    fn path(&self) -> &str {
        self.0.path().to_str().expect("a plain path")
    }

    fn read(&self, arguments: &[&str]) -> (i32, String) {
        let mut all = vec!["read", "--format", "ndjson"];
        all.extend(arguments);
        let output = command(&all).current_dir(self.0.path()).output().expect("the command starts");
        (code(&output), text(&output.stdout).to_owned())
    }
}

fn ping(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{{META}}}}}"#)
}

#[test]
fn rows_have_the_documented_members_in_the_documented_order() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#;
    let clash = format!(r#"{{"headers":{{"MCP-Protocol-Version":"2025-06-18"}},"request":{}}}"#, ping("2"));
    let entries = format!(r#"{{"request":{}}},{{"response":{answer}}},{clash}"#, ping("1"));
    let folder = Folder::new()
        .with("a.json", format!(r#"{{"transport":"streamable-http","entries":[{entries}]}}"#))
        .with("b.case", "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2}");
    let (code, rows) = folder.read(&["a.json", "b.case"]);
    let known = r#"{"state":"known","revision":"2026-07-28"}"#;
    let note = r#"{"requirement":"meta-client-info-included","reason":"client-info-missing","offset":58,"level":"SHOULD","basis":"normative"}"#;
    let offset = ping("2").find("\"2026").expect("named");
    let expected = [
        format!(
            r#"{{"source":"a.json#0","kind":"request","id":"1","era":{known},"capabilities":"core-only","result":null,"conclusion":{{"state":"valid"}},"refusal":null,"notes":[{note}]}}"#
        ),
        format!(
            r#"{{"source":"a.json#1","kind":"result","id":"1","era":{known},"capabilities":"core-only","result":"complete","conclusion":{{"state":"terminal"}},"refusal":null,"notes":[]}}"#
        ),
        format!(
            r#"{{"source":"a.json#2","kind":"request","id":"2","era":{{"state":"conflicting","header":"2025-06-18","body":"2026-07-28"}},"capabilities":"core-only","result":null,"conclusion":{{"state":"refused","reason":"era-conflicting"}},"refusal":{{"stage":"header","reason":"version-mismatch","offset":{offset},"code":-32020,"http":400,"requirements":["header-protocol-version-equals-meta"],"level":"MUST","basis":"normative"}},"notes":[]}}"#
        ),
        r#"{"source":"b.case#0","kind":null,"id":null,"era":null,"capabilities":null,"result":null,"conclusion":null,"refusal":{"stage":"json","reason":"duplicate-member","offset":24,"code":-32600,"http":400,"requirements":["json-member-names-unique"],"level":"SHOULD","basis":"standard"},"notes":[]}"#.to_owned(),
    ];
    assert_eq!(rows.lines().collect::<Vec<_>>(), expected);
    assert_eq!(code, 1);
}

#[test]
fn a_profile_decides_what_is_a_finding() {
    let folder = Folder::new().with("duplicate.case", "\n{\"a\":1,\"a\":2}").with("clean.jsonl", ping("1"));
    assert_eq!(folder.read(&["duplicate.case"]).0, 0);
    assert_eq!(folder.read(&["--profile", "strict", "duplicate.case"]).0, 1);
    assert_eq!(folder.read(&["--profile", "strict", "clean.jsonl"]).0, 0);
}

#[test]
fn a_recording_that_is_refused_whole_prints_one_line_and_nothing_else() {
    let wrong = r#"{"jsonrpc":"1.0","id":9,"result":{}}"#;
    for (name, content, reason, spec) in [
        ("message.jsonl", format!("{}\n{wrong}\n", ping("1")), "transcript-message", 1),
        ("id.jsonl", format!("{}\n{}\n", ping("1"), ping("1")), "transcript-id", 1),
        ("syntax.jsonl", format!("{}\n{{\n", ping("1")), "unexpected-end", 1),
        ("transport.json", r#"{"transport":"stdio","entries":[]}"#.to_owned(), "transcript-transport", 3),
        ("depth.json", format!("{{\"entries\":{}", "[".repeat(64)), "depth-limit", 3),
    ] {
        let (code, rows) = Folder::new().with(name, content).read(&[name]);
        assert_eq!(rows.lines().count(), 1, "{name}: {rows}");
        assert!(rows.starts_with(&format!(r#"{{"source":"{name}","kind":null"#)), "{rows}");
        assert!(rows.contains(&format!(r#""reason":"{reason}""#)), "{rows}");
        assert_eq!(code, spec, "{name}");
    }
}

#[test]
fn a_skipped_event_leaves_a_gap_and_blank_lines_leave_none() {
    let entries = format!(r#"{{"sse":{{"event":"endpoint","data":"/x"}}}},{{"request":{}}}"#, ping("1"));
    let folder = Folder::new()
        .with("gap.json", format!(r#"{{"transport":"http-sse","entries":[{entries}]}}"#))
        .with("blank.jsonl", format!("\n\n{}\n\n{}\n", ping("1"), ping("2")));
    let sources = |rows: String| -> Vec<String> {
        rows.lines().map(|row| row.split('"').nth(3).expect("a source").to_owned()).collect()
    };
    assert_eq!(sources(folder.read(&["gap.json"]).1), ["gap.json#1"]);
    assert_eq!(sources(folder.read(&["blank.jsonl"]).1), ["blank.jsonl#0", "blank.jsonl#1"]);
}

#[test]
fn a_frame_stream_gives_a_line_a_frame_and_a_bad_frame_refuses_itself_alone() {
    let long = "x".repeat((4 << 20) + 1);
    let folder = Folder::new()
        .with("a.frames", format!(":transport: stdio\n:splits: 3,17\n\n{}\n{long}\n\n{}\n", ping("1"), ping("2")))
        .with(
            "b.frames",
            ":transport: http\n\n: alive\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{}}\n\n",
        )
        .with("c.frames", "no frames");
    let (code, rows) = folder.read(&["a.frames"]);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!((rows.len(), code), (3, 0), "{rows:?}");
    assert!(rows[0].contains("a.frames#0") && rows[0].contains(r#""refusal":null"#));
    assert!(rows[1].contains("a.frames#1") && rows[1].contains("frame-limit"), "{}", rows[1]);
    assert!(rows[2].contains("a.frames#2") && rows[2].contains(r#""refusal":null"#));
    let (code, rows) = folder.read(&["b.frames"]);
    assert!(rows.starts_with(r#"{"source":"b.frames#0","kind":"result","id":"1""#) && code == 0, "{rows}");
    assert_eq!(folder.read(&["c.frames"]).0, 3);
}

#[test]
fn a_recorded_version_is_not_trimmed_and_one_in_a_case_is() {
    let entry = format!(r#"{{"headers":{{"MCP-Protocol-Version":" 2026-07-28"}},"request":{}}}"#, ping("1"));
    let folder = Folder::new()
        .with("a.json", format!(r#"{{"transport":"http-sse","entries":[{entry}]}}"#))
        .with("a.case", format!(":transport: http\n:headers: complete\n\n{}", ping("1")))
        .with(
            "b.case",
            format!(":transport: http\nMCP-Protocol-Version:  2026-07-28\nMcp-Method: ping\n\n{}", ping("1")),
        );
    assert!(folder.read(&["a.json"]).1.contains("malformed-signal"));
    assert!(folder.read(&["a.case"]).1.contains(r#""error":"not the text form of a case"#), "a stated default");
    let (code, rows) = folder.read(&["b.case"]);
    assert!(rows.contains(r#""refusal":null"#) && code == 0, "{rows}");
}

#[test]
fn a_folder_is_read_in_order_and_a_bad_file_keeps_no_other_from_being_judged() {
    let folder = Folder::new()
        .with("b/2.jsonl", ping("2"))
        .with("a.case", "no case")
        .with("c.json", ping("3"))
        .with("notes.md", "# no recording");
    let (code, rows) = folder.read(&["."]);
    let sources: Vec<_> = rows.lines().map(|row| row.split('"').nth(3).expect("a source")).collect();
    assert_eq!(sources, ["./a.case", "./b/2.jsonl#0", "./c.json#0"]);
    assert_eq!(code, 3);
    assert_eq!(folder.read(&["gone.json", "c.json"]).0, 3);
}

#[test]
fn findings_come_before_what_cannot_be_read_and_usage_before_both() {
    let folder = Folder::new().with("a.json", "17").with("b.case", "no case");
    assert_eq!(folder.read(&["a.json", "b.case"]).0, 1);
    assert_eq!(folder.read(&["--input", "nonsense", "a.json", "b.case"]).0, 2);
    for arguments in [&["read"][..], &["no-such-verb"], &["list", "limits", "--layer", "http"], &["explain", "?"]] {
        assert_eq!(code(&run(arguments)), 2, "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["read", "--help"], &["completions", "bash"]] {
        assert_eq!(code(&run(arguments)), 0, "{arguments:?}");
    }
}

#[test]
fn hostile_bytes_end_in_a_line_and_a_documented_code() {
    let utf16: Vec<u8> = ping("1").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, content, expected) in [
        ("brackets.json", b"[".repeat(10_000_000), 3),
        // One message that is refused for its length, which no peer is held to.
        ("braces.case", [b"\n".to_vec(), b"{\"a\":".repeat(1_000_000)].concat(), 0),
        ("lines.jsonl", b"[".repeat(10_000_000), 3),
        ("utf16.json", utf16.clone(), 1),
        ("utf16.jsonl", utf16, 1),
        ("nul.json", vec![0; 1000], 1),
        ("nul.session", vec![0; 1000], 3),
        ("empty.json", Vec::new(), 1),
        ("empty.case", Vec::new(), 3),
        ("big.json", vec![b' '; (16 << 20) + 5], 0),
        ("big.jsonl", vec![b'\n'; (16 << 20) + 5], 3),
        ("colons.json", [b"{\"".to_vec(), vec![b'a'; 1 << 20], b"\"".to_vec(), vec![b':'; 1 << 20]].concat(), 1),
    ] {
        let (code, rows) = Folder::new().with(name, content).read(&[name]);
        assert_eq!(code, expected, "{name}: {rows}");
        assert_eq!(rows.lines().count(), 1, "{name}: {rows}");
        assert!(rows.len() < 1000, "{name}: {rows}");
    }
}

#[test]
fn an_input_without_messages_is_no_clean_run() {
    let folder = Folder::new().with("empty.jsonl", "\n").with("none.json", r#"{"transport":"http-sse"}"#);
    for name in ["empty.jsonl", "none.json"] {
        assert_eq!(folder.read(&[name]), (3, String::new()), "{name}");
    }
    let empty = Folder::new();
    let output = run(&["read", empty.path()]);
    assert_eq!(code(&output), 3);
    assert!(text(&output.stdout).contains("holds nothing to read"));
}

#[test]
fn standard_input_is_read_under_its_own_name() {
    let mut child = command(&["read", "--format", "ndjson", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(format!("{}\n{}\n", ping("1"), ping("2")).as_bytes())
        .expect("written");
    let output = child.wait_with_output().expect("the command ends");
    assert!(text(&output.stdout).starts_with(r#"{"source":"-#0""#));
    assert_eq!((text(&output.stdout).lines().count(), code(&output)), (2, 0));
    let output = run(&["read", "-"]);
    assert_eq!(code(&output), 3);
    assert!(text(&output.stdout).contains("pipe a recording into it"));
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_ends_the_run_quietly() {
    let folder = Folder::new().with("a.jsonl", (0..20_000).map(|id| ping(&id.to_string()) + "\n").collect::<String>());
    let script = format!("'{}' read a.jsonl 2>err | head -n 1 >/dev/null; cat err", env!("CARGO_BIN_EXE_wirebench"));
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(folder.0.path()).output().expect("a shell starts");
    assert!(!text(&output.stdout).contains("panicked"), "{}", text(&output.stdout));
    for closed in [">&-", "2>&-", "<&-"] {
        let script = format!("'{}' read a.jsonl {closed}", env!("CARGO_BIN_EXE_wirebench"));
        let output =
            Command::new("sh").args(["-c", &script]).current_dir(folder.0.path()).output().expect("a shell starts");
        assert_eq!(code(&output), 0, "{closed}");
    }
}

#[test]
fn what_is_piped_holds_no_colour_and_no_control_character_of_the_input() {
    let name = "esc\u{1b}[31m.jsonl";
    let folder = Folder::new().with(name, r#"{"jsonrpc":"2.0","id":"\u001b[31m","method":"ping"}"#);
    let output = run(&["read", folder.path()]);
    assert!(!output.stdout.contains(&0x1b), "{}", text(&output.stdout));
}

#[test]
fn everything_that_is_listed_can_be_explained() {
    for (what, key) in
        [("requirements", "id"), ("reasons", "reason"), ("limits", "name"), ("invariants", "id"), ("mutants", "id")]
    {
        let output = run(&["list", what, "--format", "ndjson"]);
        let rows: Vec<serde_json::Value> =
            text(&output.stdout).lines().map(|row| serde_json::from_str(row).expect("a row is JSON")).collect();
        assert!(rows.len() > 5, "{what}");
        // A few of each kind, far apart: every one would start a process each.
        for row in rows.iter().step_by(rows.len().div_ceil(7).max(1)) {
            let id = row[key].as_str().expect("a name");
            let output = run(&["explain", id]);
            assert_eq!(code(&output), 0, "{what} {id}");
            assert!(text(&output.stdout).starts_with(id), "{what} {id}");
        }
    }
}

#[test]
fn every_list_has_rows_of_one_name_each() {
    for (what, key, at_least) in
        [("mutators", "name", 16), ("mutants", "id", 14), ("subjects", "name", 15), ("targets", "name", 2)]
    {
        let output = command(&["list", what, "--format", "ndjson"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        let output = output.expect("the command starts");
        let mut names: Vec<String> = text(&output.stdout)
            .lines()
            .map(|row| serde_json::from_str::<serde_json::Value>(row).expect("a row is JSON")[key].to_string())
            .collect();
        assert!(code(&output) == 0 && names.len() >= at_least, "{what}: {}", names.len());
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{what}");
    }
    assert_eq!(code(&command(&["list", "targets"]).current_dir("/").output().expect("the command starts")), 2);
}

#[test]
fn filters_choose_among_requirements() {
    let rows = |arguments: &[&str]| {
        let mut all = vec!["list", "requirements", "--format", "ndjson"];
        all.extend(arguments);
        text(&run(&all).stdout).lines().count()
    };
    let every = rows(&[]);
    let sentinel = rows(&["--layer", "sentinel"]);
    assert!(0 < sentinel && sentinel < every);
    assert!(rows(&["--layer", "sentinel", "--level", "MUST"]) <= sentinel);
    assert_eq!(rows(&["--basis", "project"]), rows(&["--level", "project"]));
    assert_eq!(code(&run(&["list", "requirements", "--layer", "no-such-layer"])), 2);
    assert_eq!(code(&run(&["mutants", "--cases", "0"])), 3);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_run_with_its_own_code() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new().with("a.jsonl", ping("1"));
        let mut child = command(&["read", "a.jsonl", "-"])
            .current_dir(folder.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        // The first input is printed once the handlers stand; the second never ends.
        let mut first = [0; 1];
        child.stdout.as_mut().expect("piped").read_exact(&mut first).expect("a line");
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
        assert!(killed.success());
        assert_eq!(child.wait().expect("the command ends").code(), Some(130), "{signal}");
    }
}
