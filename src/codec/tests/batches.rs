//! Arrays at the root: messages in the one revision that has batches, and a broken envelope everywhere else.

use crate::case::{Case, Header, Party, Revision, Transport};
use crate::codec::Reader;
use crate::codec::reading::Profile;
use crate::codec::session::Tracker;
use crate::limits::Limits;

const ASK: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const TELL: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const ANSWER: &str = r#"{"jsonrpc":"2.0","id":7,"result":{}}"#;
const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const WELCOME: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;

fn stated(revision: &str, from: Party, transport: Transport, members: &[&str]) -> Case {
    let mut case = Case::stdio(from, format!("[{}]", members.join(",")));
    case.transport = transport;
    case.stated.revision = Revision::parse(revision.as_bytes());
    if transport == Transport::Http && from == Party::Client {
        case.headers.push(Header::new("MCP-Protocol-Version", revision));
    }
    case
}

/// Kind, refused rule and its place, of every message that a case holds.
fn read(tracker: &mut Tracker, case: &Case) -> Vec<String> {
    let mut reader = Reader::new(Limits::message());
    let mut found = Vec::new();
    tracker.read_each(&mut reader, case, |reading| {
        let kind = reading.kind().map_or("none", |kind| kind.word());
        let broken = reading.refusal(Profile::Strict).map(|refusal| {
            let code = refusal.code.map_or("none".to_owned(), |code| code.to_string());
            format!(" {} at {} owed {code}", refusal.requirement, refusal.offset.unwrap_or_default())
        });
        found.push(format!("{kind}{}", broken.unwrap_or_default()));
    });
    found
}

#[test]
fn a_batch_is_read_member_by_member_in_the_one_revision_that_has_it() {
    use Transport::{Http, Stdio};
    const MIXED: &str = "envelope-legacy-batch-no-mixing";
    let broken = r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#;
    let rows: Vec<(Case, Vec<String>)> = [
        (Stdio, &[ASK][..], vec!["request".to_owned()]),
        (Http, &[ASK, TELL], vec!["request".to_owned(), "notification".to_owned()]),
        (Http, &[ANSWER, ANSWER], vec!["result".to_owned(), "result".to_owned()]),
        (Stdio, &[ASK, ANSWER], vec!["request".to_owned(), "result".to_owned()]),
        (Http, &[ASK, ANSWER], vec!["request".to_owned(), format!("none {MIXED} at {} owed -32600", ASK.len() + 2)]),
        (Http, &[ANSWER, TELL], vec!["result".to_owned(), format!("none {MIXED} at {} owed -32600", ANSWER.len() + 2)]),
        (Stdio, &[HELLO], vec!["none envelope-legacy-batch-not-initialize at 1 owed -32600".to_owned()]),
        (Stdio, &[broken, ASK], vec!["none id-string-or-integer at 23 owed -32600".to_owned(), "request".to_owned()]),
        (
            Stdio,
            &["[]", "1"],
            vec![
                "none envelope-legacy-batch-not-empty at 1 owed -32600".to_owned(),
                "none json-top-level-is-object at 4 owed -32600".to_owned(),
            ],
        ),
        (Stdio, &[], vec!["none envelope-legacy-batch-not-empty at 0 owed -32600".to_owned()]),
        (Stdio, &["{"], vec!["none json-well-formed at 2 owed -32700".to_owned()]),
    ]
    .into_iter()
    .map(|(transport, members, owed)| (stated("2025-03-26", Party::Client, transport, members), owed))
    .collect();
    for (case, owed) in rows {
        assert_eq!(read(&mut Tracker::new(), &case), owed, "{}", String::from_utf8_lossy(&case.encode()));
    }
    for (revision, rule) in [
        ("2024-11-05", "envelope-legacy-no-batch-other-versions"),
        ("2025-06-18", "envelope-legacy-no-batch-other-versions"),
        ("2025-11-25", "envelope-legacy-no-batch-other-versions"),
        ("2026-07-28", "envelope-no-batches"),
        ("2027-01-01", "envelope-no-batches"),
    ] {
        let owed = [format!("none {rule} at 0 owed -32600")];
        assert_eq!(read(&mut Tracker::new(), &stated(revision, Party::Client, Stdio, &[ASK])), owed, "{revision}");
    }
}

#[test]
fn a_handshake_makes_batches_lawful_until_the_connection_restarts() {
    let mut tracker = Tracker::new();
    let batch = Case::stdio(Party::Client, format!("[{ASK},{TELL}]"));
    assert_eq!(read(&mut tracker, &batch), ["none envelope-no-batches at 0 owed -32600"]);
    read(&mut tracker, &Case::stdio(Party::Client, HELLO));
    read(&mut tracker, &Case::stdio(Party::Server, WELCOME));
    let asked = format!("[{},{TELL}]", ASK.replace("\"id\":1", "\"id\":2"));
    assert_eq!(read(&mut tracker, &Case::stdio(Party::Client, asked)), ["request", "notification"]);
    // What a batch asked is answered once, in a batch or not.
    let answer = ANSWER.replace('7', "2");
    assert_eq!(read(&mut tracker, &Case::stdio(Party::Server, format!("[{answer}]"))), ["result"]);
    assert_eq!(
        read(&mut tracker, &Case::stdio(Party::Server, format!("[{answer}]"))),
        ["result envelope-one-response-per-request at 23 owed none"]
    );
    let mut again = batch;
    again.restart = true;
    assert_eq!(read(&mut tracker, &again), ["none envelope-no-batches at 0 owed -32600"]);
}
