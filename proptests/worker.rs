//! Does a run go on when a program under test dies, and does each death become one finding that shows itself again?
#![cfg(all(unix, feature = "cli"))]

use std::fs;
use std::process::{Command, Output};
use std::time::Duration;

use wirebench::case::{Case, Party, Session};
use wirebench::finding::Evidence;
use wirebench::oracle;
use wirebench::report::{Class, Stability};
use wirebench::subject::worker::{MEMORY_VARIABLE, SECONDS_VARIABLE, Trouble, Worker, WorkerLimits};
use wirebench::subject::{self, Subject};
use wirebench::triage::Bench;

/// A worker that shows nothing, and does what it is told when a message comes from a server.
const SHIM: &str = r#"
echo '{"wirebench-worker":1}'
while read -r line; do
    number=${line#*'"case":'}
    number=${number%%,*}
    case $line in *'"from":"server"'*) ON_SERVER ;; esac
    echo "{\"case\":$number}"
done
"#;

/// The shim in a folder of its own, and its name as a subject.
struct Shim {
    _folder: tempfile::TempDir,
    name: String,
}

impl Shim {
    fn new(on_server: &str) -> Self {
        Self::of(&SHIM.replace("ON_SERVER", on_server))
    }

    fn of(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("shim.sh");
        fs::write(&path, script).expect("writable");
        let name = format!("exec:sh {}", path.display());
        Self { _folder: folder, name }
    }

    fn worker(&self, limits: WorkerLimits) -> Worker {
        Worker::named(&self.name, limits).expect("a command")
    }
}

fn limits(millis: u64, mib: u64) -> WorkerLimits {
    WorkerLimits { time: Duration::from_millis(millis), memory: mib << 20 }
}

fn asked() -> Case {
    Case::stdio(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
}

fn answered() -> Case {
    Case::stdio(Party::Server, r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#)
}

#[test]
fn each_manner_of_death_is_one_stable_fault_that_shrinks_and_after_it_the_subject_answers() {
    for (on_server, class, kind) in [
        ("kill -SEGV $$", Class::Panic, "SIGSEGV"),
        ("exit 3", Class::Panic, "exit 3"),
        ("echo 'ValueError: secret' >&2; exit 1", Class::Panic, "exit 1 ValueError"),
        ("printf 'panicked at src/a.rs:7:1:\\nid 5\\n' >&2; exit 101", Class::Panic, "src/a.rs:7 id #"),
        ("while :; do :; done", Class::Timeout, "no answer in time"),
        ("kill -KILL $$", Class::Memory, "killed by the system"),
        ("while :; do echo x; done | tr -d '\\n'", Class::Memory, "an answer without an end"),
    ] {
        let shim = Shim::new(on_server);
        let time = if class == Class::Timeout { 500 } else { 20_000 };
        let make = || Box::new(shim.worker(limits(time, 512))) as Box<dyn Subject>;
        let mut bench = Bench::new(&make);
        let evidence = match class {
            // Each hang takes its time, and a session has more candidates.
            Class::Timeout => Evidence::Case(answered()),
            _ => Evidence::Session(Session { cases: vec![asked(), answered(), asked()] }),
        };
        let (fault, stability) = bench.replay(&evidence, None);
        let fault = fault.unwrap_or_else(|| panic!("{on_server} is no fault"));
        assert_eq!((fault.class, fault.signature.kind.as_str()), (class, kind), "{on_server}");
        assert_eq!(stability, Stability::Stable, "{on_server}");
        assert_eq!(fault.signature.invariant, class.word());
        let smallest = bench.minimise(&evidence, &fault.signature).expect("it shows itself again");
        assert_eq!(smallest, Evidence::Case(Case::stdio(Party::Server, "")), "{on_server}");
        assert_eq!(bench.case(&asked()), None, "{on_server}");
    }
}

#[test]
fn a_subject_that_grows_is_ended_and_named_for_it() {
    let shim = Shim::new("x=0123456789abcdef; while :; do x=$x$x; done");
    let finding = oracle::check(&mut shim.worker(limits(60_000, 64)), &answered()).unwrap_err();
    assert_eq!(finding.invariant, "memory", "{finding}");
}

#[test]
fn what_a_program_started_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("pid");
    let shim = Shim::new(&format!("sleep 60 & echo $! > {}; wait", mark.display()));
    assert!(oracle::check(&mut shim.worker(limits(500, 512)), &answered()).is_err());
    let pid = fs::read_to_string(&mark).unwrap();
    let gone = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).map_or(true, |stat| stat.contains(") Z "));
    assert!(!cfg!(target_os = "linux") || gone(), "the sleeper is still there");
}

#[test]
fn an_answer_that_breaks_the_protocol_is_neither_a_pass_nor_a_finding() {
    for (on_server, trouble) in [
        ("echo nonsense; continue", Trouble::NotARow),
        ("echo '{\"case\":0}'; continue", Trouble::OtherCase),
        ("echo \"{\\\"case\\\":$number,\\\"kind\\\":\\\"x\\\"}\"; continue", Trouble::Unread("kind")),
    ] {
        let shim = Shim::new(on_server);
        let mut worker = shim.worker(limits(20_000, 512));
        assert!(worker.observe(&answered()).is_err() && worker.death().is_none(), "{trouble}");
        assert!(worker.observe(&asked()).is_ok(), "{trouble}");
        let probe = Shim::of(&SHIM.replace("case $line in *'\"from\":\"server\"'*) ON_SERVER ;; esac", on_server));
        assert_eq!(probe.worker(limits(20_000, 512)).probe(), Err(trouble));
    }
}

#[test]
fn a_program_that_cannot_be_asked_says_why_and_nothing_is_run() {
    let (mute, other) = (Shim::of("exec cat >/dev/null </dev/null"), Shim::of("echo hello; cat"));
    let dies = Shim::of("echo '{\"wirebench-worker\":1}'; read -r line; exit 4");
    for (name, code, words) in [
        ("exec:", 2, "no command"),
        ("exec:/no/such/program", 3, "does not start"),
        (mute.name.as_str(), 3, "does not start"),
        (other.name.as_str(), 3, "its first line"),
        (dies.name.as_str(), 3, "plain ping"),
    ] {
        let output = fuzz(name, &["--cases", "10"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
    let shim = Shim::new("exit 3");
    for variable in [SECONDS_VARIABLE, MEMORY_VARIABLE] {
        let output = command(&["fuzz", "--subject", &shim.name]).env(variable, "soon").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn a_run_goes_on_after_deaths_and_tells_the_same_for_any_number_of_workers() {
    let shim = Shim::new("exit 3");
    let run = |workers: &str| {
        let output = fuzz(&shim.name, &["--cases", "300", "--seed", "5", "--workers", workers, "--format", "ndjson"]);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let rows = run("1");
    let found: Vec<&str> = rows.lines().filter(|row| row.contains("\"type\":\"finding\"")).collect();
    assert_eq!(found.len(), 1, "{rows}");
    for part in ["\"class\":\"panic\"", "\"kind\":\"exit 3\"", "\"stability\":\"stable\"", "\"minimised\":true"] {
        assert!(found[0].contains(part), "{part}: {}", found[0]);
    }
    let end = rows.lines().last().unwrap();
    assert!(end.contains("\"unreachable\":0"), "{end}");
    assert_eq!(rows, run("2"));
}

#[test]
fn a_name_that_is_a_command_leads_to_a_worker() {
    assert_eq!(subject::by_name("exec:cat -").expect("a command").name(), "exec:cat -");
    assert!(subject::by_name("exec: ").is_none());
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
    command.args(arguments);
    command
}

fn fuzz(subject: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    command(&["fuzz", "--subject", subject, "--out", "out"])
        .args(more)
        .current_dir(&folder)
        .output()
        .expect("it starts")
}
