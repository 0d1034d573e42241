//! Payloads, field by field: a message that holds everything is accepted, and each fault alone is refused in its place.

mod augmented;
mod errors;
mod input;
mod official;
mod requests;
mod results;
mod rows;

use std::collections::BTreeSet;

use wirebench::case::{Case, Party};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::document::{Decoder, Value};
use wirebench::codec::era::KnownRevision;
use wirebench::codec::payload::{Eras, Force, Rule, check_fragment};
use wirebench::codec::reading::{Breach, Reading, Weight};
use wirebench::codec::refusal::Stage;
use wirebench::limits::Limits;
use wirebench::requirement;

use rows::{Message, Row};

/// What a row says of a fault: `reason rule`, with a mark before it that says how much it weighs.
fn found(reading: &Reading<'_>) -> Vec<(String, usize)> {
    let breaches = payload_breaches(reading).map(|breach| {
        let mark = match breach.weight {
            Weight::Full => "",
            Weight::Unproven => "unproven ",
            Weight::StrictOnly => "strict ",
        };
        let refusal = breach.refusal;
        (format!("{mark}{} {}", refusal.reason.word(), refusal.requirement), refusal.offset.unwrap_or(0))
    });
    let notes = reading
        .notes
        .iter()
        .map(|note| (format!("note {} {}", note.reason, note.requirement), note.offset.unwrap_or(0)));
    breaches.chain(notes).collect()
}

fn payload_breaches<'r>(reading: &'r Reading<'_>) -> impl Iterator<Item = &'r Breach> {
    reading.breaches.iter().filter(|breach| breach.refusal.stage == Stage::Payload)
}

fn holds(message: &Message, row: Option<&Row>) -> Result<(), String> {
    let text = message.text(row);
    let case = Case::decode(text.as_bytes()).expect("the head of a row is well formed");
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::of(&case));
    let found = found(&reading);
    let body = std::str::from_utf8(&case.body).expect("rows are text");
    let owed = row.map(|row| (row.fault.to_owned(), place(body, &message.place(row))));
    let said: Vec<_> = found.iter().map(|(fault, at)| format!("{fault} at {at}")).collect();
    match owed {
        None if found.is_empty() => Ok(()),
        Some(owed) if found.contains(&owed) => {
            let code = message.is_request().then_some(-32602);
            let is_code_owed =
                payload_breaches(&reading).all(|Breach { refusal, .. }| (refusal.code, refusal.http) == (code, None));
            if is_code_owed { Ok(()) } else { Err(format!("{body}\n  another code than is owed")) }
        }
        owed => Err(format!("{body}\n  owed {owed:?}\n  said {said:?}")),
    }
}

/// The offset of the value at a path.
fn place(body: &str, path: &[&str]) -> usize {
    let mut decoder = Decoder::new();
    let document = decoder.read(body.as_bytes(), &Limits::message()).expect("rows are JSON");
    path.iter().fold(document.root(), |value, segment| step(value, segment)).offset()
}

fn step<'a>(value: Value<'a>, segment: &str) -> Value<'a> {
    match segment.parse::<usize>() {
        Ok(at) => value.elements().nth(at).expect("the path of a row exists"),
        Err(_) => value.get(segment).expect("the path of a row exists"),
    }
}

fn messages() -> impl Iterator<Item = &'static Message> {
    [augmented::MESSAGES, requests::MESSAGES, results::MESSAGES, input::MESSAGES, errors::MESSAGES]
        .into_iter()
        .flatten()
}

/// The text of every message, and of every message with one fault.
pub fn texts() -> impl Iterator<Item = String> {
    messages().flat_map(|message| {
        let faults = message.rows.iter().map(|row| message.text(Some(row)));
        std::iter::once(message.text(None)).chain(faults)
    })
}

#[test]
fn a_message_that_holds_everything_is_accepted_without_a_note() {
    let faults: Vec<_> = messages().filter_map(|message| holds(message, None).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_fault_alone_is_refused_in_its_place_under_its_rule() {
    let mut faults = Vec::new();
    for message in messages() {
        faults.extend(message.rows.iter().filter_map(|row| holds(message, Some(row)).err()));
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_rule_of_the_tables_is_broken_by_some_row() {
    let broken: BTreeSet<&str> =
        messages().flat_map(|message| message.rows).filter_map(|row| row.fault.rsplit(' ').next()).collect();
    let unbroken: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.id).filter(|id| !broken.contains(id)).collect();
    assert_eq!(unbroken, BTreeSet::new());
}

#[test]
fn the_force_and_the_eras_of_a_rule_are_those_of_its_requirement() {
    for rule in Rule::ALL {
        let known = requirement::find(rule.id).unwrap_or_else(|| panic!("{} is not in the list", rule.id));
        if rule.force == Force::Full {
            assert!(known.level.binds() && known.basis.is_firm(), "{} weighs more than it may", rule.id);
        }
        for revision in KnownRevision::ALL {
            let here = rule.eras.meets(Eras::of(wirebench::codec::era::Era::Known(revision)));
            assert!(!here || known.applies_to(revision), "{} does not hold in {}", rule.id, revision.as_str());
        }
    }
}

#[test]
fn params_that_are_missing_lack_each_member_that_is_owed() {
    let case = Case::decode(
        b":context-revision: 2025-11-25\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"completion/complete\"}",
    )
    .unwrap();
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::of(&case));
    let at = place(std::str::from_utf8(&case.body).unwrap(), &["method"]);
    assert_eq!(
        found(&reading),
        [
            ("missing-member payload-completion-ref-required".to_owned(), at),
            ("missing-member payload-completion-argument-name-value".to_owned(), at),
        ]
    );
}

#[test]
fn a_call_of_no_known_era_is_held_to_the_source_of_its_name_alone() {
    let read = |body: &str| {
        let case = Case::stdio(Party::Client, body);
        let mut reader = Reader::new(Limits::message());
        let reading = reader.read(&case, &Context::default());
        found(&reading).into_iter().map(|(fault, _)| fault).collect::<Vec<_>>()
    };
    assert_eq!(
        read(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1,"arguments":2}}"#),
        ["wrong-type payload-tools-call-name-required"]
    );
    assert_eq!(
        read(r#"{"jsonrpc":"2.0","id":1,"method":"tasks/get"}"#),
        ["missing-member extension-tasks-update-fields"]
    );
    assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}"#), [""; 0]);
    assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":1}}"#), [""; 0]);
}

#[test]
fn a_handshake_is_held_to_the_revision_that_it_names_and_a_task_to_nothing_of_its_method() {
    let read = |head: &str, member: &str| {
        let case = Case::decode(format!("{head}\n{{\"jsonrpc\":\"2.0\",\"id\":1,{member}}}").as_bytes()).expect(head);
        let mut reader = Reader::new(Limits::message());
        let reading = reader.read(&case, &Context::of(&case));
        found(&reading).into_iter().map(|(fault, _)| fault).collect::<Vec<_>>()
    };
    let ask = |revision: &str, more: &str| {
        let rest = r#""capabilities":{"tasks":1},"clientInfo":{"name":"a","version":"1","title":1}"#;
        format!(r#""method":"initialize","params":{{"protocolVersion":"{revision}",{rest}{more}}}"#)
    };
    const TREE: &str = "wrong-type capabilities-legacy-tasks-capability-tree";
    const TITLE: &str = "wrong-type negotiation-legacy-initialize-fields";
    assert_eq!(read("", &ask("2025-11-25", "")), [TREE, TITLE]);
    assert_eq!(read("", &ask("2025-06-18", "")), [TITLE]);
    for other in ["2024-11-05", "2026-07-28", "2031-01-01", "x"] {
        assert_eq!(read("", &ask(other, "")), [""; 0], "{other}");
    }
    let answer = ":from: server\n:context-method: initialize\n";
    assert_eq!(
        read(
            answer,
            r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tasks":{"list":1}},"serverInfo":{"name":"s"}}"#
        ),
        [TREE, "missing-member negotiation-legacy-initialize-result-fields"]
    );
    assert_eq!(
        read(answer, r#""result":{"protocolVersion":1,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#),
        ["wrong-type negotiation-legacy-initialize-result-fields"]
    );
    // In the form of the extension, without what the method answers with.
    let call = |revision: &str| format!(":from: server\n:context-revision: {revision}\n:context-method: tools/call\n");
    let flat = r#""result":{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"a","ttlMs":1}"#;
    assert_eq!(read(&call("2025-11-25"), flat), ["missing-member extension-legacy-tasks-result-shape"]);
    assert_eq!(read(&call("2025-06-18"), flat), ["missing-member payload-tools-call-content-required"]);
    // What holds the content of a call is its result, whatever stands beside it.
    assert_eq!(read(&call("2025-11-25"), r#""result":{"content":[],"task":{}}"#), [""; 0]);
}

#[test]
fn no_message_keeps_more_than_a_bounded_number_of_faults() {
    let blocks = vec![r#"{"type":"text","annotations":{"lastModified":""}}"#; 5000].join(",");
    let text = format!(
        ":from: server\n:context-revision: 2026-07-28\n:context-method: tools/call\n\n\
         {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"resultType\":\"complete\",\"content\":[{blocks}]}}}}"
    );
    let case = Case::decode(text.as_bytes()).unwrap();
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::of(&case));
    assert_eq!((reading.breaches.len(), reading.notes.len()), (16, 16));
    let offsets: Vec<_> = reading.breaches.iter().map(|breach| breach.refusal.offset).collect();
    assert!(offsets.is_sorted());
}

#[test]
fn a_type_that_the_schema_does_not_have_is_no_fragment() {
    let mut decoder = Decoder::new();
    let document = decoder.read(b"{}", &Limits::message()).unwrap();
    assert!(check_fragment("NoSuchType", document.root()).is_none());
    assert!(check_fragment("Tool", document.root()).is_some_and(|faults| !faults.is_empty()));
}
