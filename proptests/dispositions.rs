//! What is said to become of a rule is what becomes of it.
//!
//! Everything that the codec refuses or tells of over a large pool of messages is compared with the table, both ways.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use wirebench::case::{Case, Frames, Session, Transport};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::reading::Reading;
use wirebench::codec::refusal::{Reason, Refusal};
use wirebench::codec::session::Tracker;
use wirebench::exchange::{self, Form, MAX_EVENTS, MAX_LINE};
use wirebench::generate::Swarm;
use wirebench::invariant;
use wirebench::limits::Limits;
use wirebench::mutate;
use wirebench::oracle::breaker;
use wirebench::requirement::disposition::{self, Disposition};
use wirebench::requirement::{self, Requirement};

use crate::payload;

/// What is rare among the seeds, the draws and the rows of the payloads.
const RARE: [&str; 14] = [
    ":context-revision: 2025-03-26\n\n[]",
    ":context-revision: 2025-06-18\n\n[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
    "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{\"_meta\":{\"1a/b\":1}}}",
    "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{\"_meta\":{\"a_c/b\":1}}}",
    ":from: server\n:context-revision: 2026-07-28\n:context-capabilities: io.modelcontextprotocol/tasks\n\
     :context-method: tasks/get\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"t\",\
     \"status\":1,\"createdAt\":\"a\",\"lastUpdatedAt\":\"a\",\"ttlMs\":1}}",
    ":from: server\n:context-revision: 2026-07-28\n:context-capabilities: io.modelcontextprotocol/tasks\n\
     :context-method: tasks/get\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"taskId\":\"t\",\
     \"status\":\"completed\",\"createdAt\":\"a\",\"lastUpdatedAt\":\"a\",\"ttlMs\":1,\"result\":1}}",
    "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
    "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{\"_meta\":{\"a-/b\":1}}}",
    "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{\"_meta\":{\"a/b c\":1}}}",
    ":from: server\n:transport: http\n:status: 200\n:context-revision: 2026-07-28\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\
     \"error\":{\"code\":-32021,\"message\":\"a\",\"data\":{\"requiredCapabilities\":{}}}}",
    ":from: server\n:transport: http\n:status: 200\n:context-revision: 2026-07-28\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\
     \"error\":{\"code\":-32022,\"message\":\"a\",\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"a\"}}}",
    ":from: server\n:transport: http\n:status: 200\n:context-revision: 2026-07-28\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\
     \"error\":{\"code\":-32601,\"message\":\"a\"}}",
    ":from: server\n:context-revision: 2026-07-28\n:context-capabilities: core-only\n:context-method: tools/call\n\n\
     {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":1}}",
    ":from: server\n:context-revision: 2026-07-28\n:context-capabilities: core-only\n:context-method: tools/call\n\n\
     {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\",\"requestState\":1}}",
];

/// Rules that a reason names and that every place which gives the reason replaces by a narrower one, or that the codec
/// names to find the source of a header.
const REPLACED: [&str; 6] = [
    "error-header-mismatch-shape",
    "error-invalid-params-code",
    "header-mcp-name-source-prompts-get",
    "header-mcp-name-source-resources-read",
    "header-mcp-name-source-tasks",
    "header-mcp-name-source-tools-call",
];

/// What the pool made of each rule: `stage:reason` of refusals, words of notes.
#[derive(Default)]
struct Pool {
    refused: BTreeMap<&'static str, BTreeSet<String>>,
    told: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl Pool {
    fn refusal(&mut self, refusal: Refusal) {
        let place = format!("{}:{}", refusal.stage.word(), refusal.reason.word());
        self.refused.entry(refusal.requirement).or_default().insert(place);
    }

    fn reading(&mut self, reading: &Reading<'_>) {
        reading.breaches.iter().for_each(|breach| self.refusal(breach.refusal));
        for note in &reading.notes {
            self.told.entry(note.requirement).or_default().insert(note.reason);
        }
    }

    fn case(&mut self, case: &Case) {
        self.reading(&Reader::new(Limits::message()).read(case, &Context::of(case)));
    }

    fn session(&mut self, session: &Session) {
        let (mut reader, mut tracker) = (Reader::new(Limits::message()), Tracker::new());
        for case in &session.cases {
            tracker.read_each(&mut reader, case, |reading| self.reading(reading));
        }
    }

    fn recording(&mut self, form: Form, bytes: &[u8]) {
        let messages = match exchange::read(form, bytes) {
            Ok(messages) => messages,
            Err(refusal) => return self.refusal(refusal),
        };
        let (mut reader, mut tracker) = (Reader::new(Limits::message()), Tracker::new());
        for message in &messages {
            let reading = tracker.read(&mut reader, &message.case);
            let whole = exchange::refuses_whole(&reading, message);
            // A message that is none keeps the rule that it broke by itself.
            whole
                .filter(|whole| whole.reason != Reason::TranscriptMessage)
                .into_iter()
                .for_each(|refusal| self.refusal(refusal));
        }
    }

    fn stream(&mut self, transport: Transport, bytes: &[u8]) {
        for frame in exchange::frames(&Frames::new(transport, bytes, [])) {
            match frame {
                Ok(message) => self.case(&message.case),
                Err((_, refusal)) => self.refusal(refusal),
            }
        }
    }
}

fn pool() -> Pool {
    let mut pool = Pool::default();
    for path in files(Path::new("corpus/seeds")) {
        let text = fs::read(&path).expect("a seed can be read");
        if path.extension().is_some_and(|extension| extension == "session") {
            pool.session(&Session::decode(&text).expect("a seed is a session"));
        } else if path.extension().is_some_and(|extension| extension == "case") {
            pool.case(&Case::decode(&text).expect("a seed is a case"));
        }
    }
    for text in RARE.into_iter().map(str::to_owned).chain(payload::texts()) {
        pool.case(&Case::decode(text.as_bytes()).unwrap_or_else(|_| panic!("{text}")));
    }
    for seed in 0..4_000_u32 {
        let entropy: Vec<u8> = (0..400_u32)
            .map(|at| {
                ((seed.wrapping_mul(2_654_435) ^ at.wrapping_mul(40_503)).wrapping_mul(2_654_435_761) >> 24) as u8
            })
            .collect();
        if let Ok(drawn) = mutate::drawn(&mut Unstructured::new(&entropy), &Swarm::all()) {
            pool.case(&drawn.value);
        }
        if seed % 8 == 0
            && let Ok(drawn) = mutate::drawn_session(&mut Unstructured::new(&entropy), &Swarm::all())
        {
            pool.session(&drawn.value);
        }
    }
    pool.session(&a_stream_opened_after_modern_proof());
    past_the_limits(&mut pool);
    recordings(&mut pool);
    pool
}

fn a_stream_opened_after_modern_proof() -> Session {
    let texts = [
        ":transport: http\n:headers: partial\n\n{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server/discover\",\"params\":{\"_meta\":\
         {\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
        ":from: server\n:transport: http\n:status: 400\n\n{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32022,\
         \"message\":\"a\",\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2026-07-28\"}}}",
        ":transport: http\n:method: GET\n\n",
    ];
    Session { cases: texts.map(|text| Case::decode(text.as_bytes()).expect("a case")).to_vec() }
}

fn past_the_limits(pool: &mut Pool) {
    let limits = Limits::message();
    let around = |inside: &str| format!("\n{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{{{inside}}}}}");
    let members: Vec<_> = (0..=limits.members).map(|at| format!("\"{at}\":1")).collect();
    for inside in [
        format!("\"a\":\"{}\"", "a".repeat(limits.bytes)),
        format!("\"a\":\"{}\"", "a".repeat(limits.string + 1)),
        format!("\"a\":[{}1]", "1,".repeat(limits.nodes)),
        format!("\"a\":{}", "1".repeat(limits.number + 1)),
        format!("\"a\":{}", "[".repeat(limits.depth + 1)),
        members.join(","),
    ] {
        pool.case(&Case::decode(around(&inside).as_bytes()).expect("a case"));
    }
    pool.stream(Transport::Stdio, &[vec![b' '; limits.bytes + 1], b"\n{".to_vec()].concat());
    pool.stream(Transport::Http, b"event: other\ndata: {}\n\ndata: {");
}

fn recordings(pool: &mut Pool) {
    let call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    pool.recording(Form::JsonLines, format!("{call}\n{call}\n").as_bytes());
    pool.recording(Form::JsonLines, b"{\"jsonrpc\":\"2.0\"}\n");
    pool.recording(Form::JsonLines, " ".repeat(MAX_LINE + 1).as_bytes());
    pool.recording(Form::JsonLines, "x\n".repeat(MAX_EVENTS + 1).as_bytes());
    pool.recording(Form::Inspector, b"1");
    pool.recording(Form::Framed, b"{\"transport\":\"post\",\"entries\":[]}");
    pool.recording(Form::Framed, b"{\"transport\":\"streamable-http\",\"entries\":[{}]}");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the project").flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn disposition(id: &str) -> Disposition {
    disposition::of(requirement::find(id).unwrap_or_else(|| panic!("{id} is no rule")))
}

#[test]
fn what_is_refused_and_told_of_is_what_the_table_says() {
    let pool = pool();
    let mut wrong = Vec::new();
    for rule in requirement::all() {
        let places = pool.refused.get(rule.id.as_str()).cloned().unwrap_or_default();
        let words: BTreeSet<String> =
            pool.told.get(rule.id.as_str()).into_iter().flatten().map(|word| (*word).to_owned()).collect();
        let disposition = disposition::of(rule);
        let said: BTreeSet<String> = disposition.by().into_iter().collect();
        let as_said = match &disposition {
            // A rule may be told of where its breach is tolerable, and refused elsewhere.
            Disposition::Codec(_) => said == places,
            Disposition::Session(_) => {
                places.is_subset(&said) && said.iter().all(|one| !is_place(one) || places.contains(one))
            }
            Disposition::Note(_) => places.is_empty() && said == words,
            Disposition::Reader(_) | Disposition::Live | Disposition::Unchecked(_) => {
                places.is_empty() && words.is_empty()
            }
        };
        if !as_said {
            wrong.push(format!(
                "{}: said {} {said:?}, refused {places:?}, told {words:?}",
                rule.id,
                disposition.word()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn is_place(word: &str) -> bool {
    word.contains(':')
}

#[test]
fn every_rule_that_the_codec_names_is_enforced_or_told_of() {
    let mut named = BTreeSet::new();
    for path in files(Path::new("src/codec")).iter().filter(|path| path.extension().is_some_and(|of| of == "rs")) {
        let text = fs::read_to_string(path).expect("a file of the codec");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        named.extend(code.split('"').filter(|word| requirement::find(word).is_some()).map(str::to_owned));
    }
    assert!(named.len() > 200, "only {} rules were found", named.len());
    let handled =
        |id: &String| matches!(disposition(id), Disposition::Codec(_) | Disposition::Note(_) | Disposition::Session(_));
    let lost: Vec<_> = named.iter().filter(|id| !handled(id)).map(String::as_str).collect();
    assert_eq!(lost, REPLACED);
}

#[test]
fn whoever_is_said_to_hold_a_rule_names_it_or_is_a_test() {
    let sources: String = [Path::new("src"), Path::new("proptests")]
        .into_iter()
        .flat_map(files)
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let holds = |rule: &Requirement, word: &str| match invariant::by_id(word) {
        Some(invariant) => invariant.requirements.contains(&rule.id.as_str()),
        None => is_place(word) || sources.contains(&format!("fn {word}()")),
    };
    for rule in requirement::all() {
        if let Disposition::Reader(words) | Disposition::Session(words) = disposition::of(rule) {
            words.iter().for_each(|word| assert!(holds(rule, word), "{}: {word}", rule.id));
        }
    }
}

#[test]
fn no_rule_of_an_invariant_is_said_to_be_out_of_sight() {
    for invariant in invariant::all() {
        for id in invariant.requirements {
            let disposition = disposition(id);
            let seen = !matches!(disposition, Disposition::Live | Disposition::Unchecked(_));
            assert!(seen, "{} checks {id}, which is said to be {}", invariant.id, disposition.word());
        }
    }
}

/// A debt, not a reason: the codec enforces the rule, and an operator is owed.
const NOT_YET: &str = "no operator breaks it alone yet";

/// Rules that no operator breaks alone, and why.
const UNBROKEN: [(&str, &str); 17] = [
    ("envelope-server-sends-no-requests", NOT_YET),
    ("envelope-client-sends-no-responses", NOT_YET),
    ("envelope-removed-notifications-not-sent", NOT_YET),
    ("envelope-client-notification-set", NOT_YET),
    ("error-unsupported-version-requested-echoes", NOT_YET),
    ("subscriptions-only-subscribed-uris", NOT_YET),
    ("fallback-401-403-not-era-evidence", NOT_YET),
    ("envelope-legacy-batch-not-empty", NOT_YET),
    ("envelope-legacy-batch-no-mixing", "breaking it takes a handshake in earlier messages of the session"),
    ("envelope-legacy-batch-not-initialize", "breaking it takes a handshake in earlier messages of the session"),
    ("project-limit-bytes", "a message of several megabytes is no small edit"),
    ("project-limit-events", "about recordings, which no operator edits"),
    ("project-limit-line", "about recordings, which no operator edits"),
    ("project-limit-members", "a message of several megabytes is no small edit"),
    ("project-limit-nodes", "a message of several megabytes is no small edit"),
    ("project-limit-string", "a message of several megabytes is no small edit"),
    ("project-transcript-shape", "about recordings, which no operator edits"),
];

#[test]
fn every_enforced_rule_is_broken_alone_by_some_operator_or_is_listed() {
    // What an invariant alone holds is no refusal of the codec.
    let enforced = |rule: &&Requirement| match disposition::of(rule) {
        Disposition::Codec(_) => true,
        Disposition::Session(words) => words.iter().any(|word| is_place(word)),
        _ => false,
    };
    let unbroken = requirement::all().iter().filter(enforced).map(|rule| rule.id.as_str());
    let unbroken: Vec<&str> = unbroken.filter(|id| breaker::operators(id).next().is_none()).collect();
    let mut listed = UNBROKEN.map(|row| row.0).to_vec();
    listed.retain(|id| !unbroken.contains(id));
    assert!(listed.is_empty(), "broken after all: {listed:?}");
    let unlisted: Vec<_> = unbroken.iter().filter(|id| UNBROKEN.iter().all(|row| row.0 != **id)).collect();
    assert!(unlisted.is_empty(), "broken by nothing: {unlisted:?}");
}
