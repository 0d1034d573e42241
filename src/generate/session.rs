//! Start-up exchanges: a probe, every kind of answer to it, and what a client may lawfully do next.
//!
//! The next step follows what the specification allows and no more; a forbidden downgrade is an operator's work. A
//! session goes on with a few calls in the era that it settled on.

use arbitrary::{Result, Unstructured};

use super::envelope::METHODS;
use super::{Swarm, dictionary, rare, result};
use crate::case::{Case, Header, Party, Session, Transport};

/// An answer to the probe, and what it says about the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The member behind the id, as text; empty when nothing was answered.
    pub member: &'static str,
    /// The status over HTTP.
    pub status: u16,
    /// Whether it proves a modern server, so that a legacy step is forbidden.
    pub modern: bool,
}

const fn answer(member: &'static str, status: u16, modern: bool) -> Answer {
    Answer { member, status, modern }
}

/// Answers of all kinds, the plainest first.
pub const ANSWERS: [Answer; 12] = [
    answer(
        "\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\
         \"ttlMs\":0,\"cacheScope\":\"public\"}",
        200,
        true,
    ),
    answer("\"error\":{\"code\":-32601,\"message\":\"Method not found\"}", 404, false),
    answer("\"error\":{\"code\":-32600,\"message\":\"Not initialized\"}", 400, false),
    answer("", 400, false),
    answer("\"error\":{\"code\":-32020,\"message\":\"Header mismatch\"}", 400, true),
    answer(
        "\"error\":{\"code\":-32021,\"message\":\"Missing\",\"data\":{\"requiredCapabilities\":{\"roots\":{}}}}",
        400,
        true,
    ),
    answer(
        "\"error\":{\"code\":-32022,\"message\":\"Unsupported\",\
         \"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2026-07-28\"}}",
        400,
        true,
    ),
    answer("\"error\":{\"code\":-32022,\"message\":\"Unsupported\"}", 400, false),
    answer(
        "\"error\":{\"code\":-32022,\"message\":\"Unsupported\",\"data\":{\"supported\":[],\"requested\":\"\"}}",
        400,
        false,
    ),
    answer("\"error\":{\"code\":-32002,\"message\":\"Server not initialized\"}", 400, false),
    answer("\"error\":{\"code\":-32000,\"message\":\"Bad Request: no session\"}", 400, false),
    answer("\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}", 400, false),
];

/// Draws a start-up: probe, answer, and the era that follows from it.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn start_up(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Session> {
    let http = !(swarm.stdio && u.arbitrary()?);
    let pick = if swarm.eras { u.int_in_range(0..=ANSWERS.len() - 1)? } else { 0 };
    let answer = ANSWERS[pick];
    let mut cases = vec![modern(http, 0, METHODS[2].name, None)];
    if answer.member.is_empty() {
        // Over stdio silence has no message; over HTTP it is a status without a body.
        if http {
            let mut empty = Case::http(Party::Server, Vec::new());
            empty.status = Some(answer.status);
            cases.push(empty);
        }
    } else {
        cases.push(reply(http, 0, answer.member, answer.status));
    }
    let fell_back = !answer.modern && u.arbitrary()?;
    if fell_back {
        let revision = *u.choose(&dictionary::LEGACY)?;
        cases.extend(handshake(http, revision));
        for id in 2..2 + u.int_in_range(0..=2u32)? {
            cases.push(legacy(http, revision, &format!(",\"id\":{id},\"method\":\"tools/list\"")));
            cases.push(reply(http, id, "\"result\":{\"tools\":[]}", 200));
        }
    } else if pick == 0 {
        for id in 1..1 + u.int_in_range(0..=3u32)? {
            call(u, swarm, &mut cases, http, id)?;
        }
    }
    Ok(Session { cases })
}

/// The three messages of a legacy handshake.
pub fn handshake(http: bool, revision: &str) -> [Case; 3] {
    let hello = format!(
        ",\"id\":1,\"method\":\"initialize\",\"params\":{{\"protocolVersion\":\"{revision}\",\"capabilities\":{{}},\
         \"clientInfo\":{{\"name\":\"w\",\"version\":\"1\"}}}}"
    );
    let accepted = format!(
        "\"result\":{{\"protocolVersion\":\"{revision}\",\"capabilities\":{{}},\
         \"serverInfo\":{{\"name\":\"s\",\"version\":\"1\"}}}}"
    );
    // The version header is sent only once the version is settled.
    let mut first = legacy(http, revision, &hello);
    first.headers.clear();
    [first, reply(http, 1, &accepted, 200), legacy(http, revision, ",\"method\":\"notifications/initialized\"")]
}

fn call(u: &mut Unstructured<'_>, swarm: &Swarm, cases: &mut Vec<Case>, http: bool, id: u32) -> Result<()> {
    let method = if swarm.methods { u.choose(&METHODS)? } else { &METHODS[0] };
    cases.push(modern(http, id, method.name, method.source));
    let asks = swarm.results && method.asks && rare(u, 1, 3)?;
    let outcome = if asks { result::Outcome::InputRequired } else { result::Outcome::Complete };
    let mut text = b"\"result\":".to_vec();
    let members = if asks { result::continuation(u)? } else { method.result };
    result::write_modern(&mut text, outcome, members);
    // What ends a subscription names it.
    let text = String::from_utf8_lossy(&text).replace("subscriptionId\":1", &format!("subscriptionId\":{id}"));
    cases.push(reply(http, id, &text, 200));
    Ok(())
}

fn modern(http: bool, id: u32, method: &str, source: Option<&str>) -> Case {
    let params = METHODS.iter().find(|row| row.name == method).map_or("", |row| row.params);
    let named = source.map(|source| format!(",\"{source}\":\"t1\"")).unwrap_or_default();
    // What the extension or an answer that asks for roots needs.
    let asks = METHODS.iter().any(|row| row.name == method && row.asks);
    let capabilities = match (method.starts_with("tasks/"), asks) {
        (true, _) => "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}",
        (false, true) => "{\"roots\":{}}",
        (false, false) => "{}",
    };
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{{\"_meta\":{{\"{}\":\"{}\",\"{}\":{capabilities}}}{named}{params}}}}}",
        dictionary::VERSION_KEY,
        dictionary::MODERN,
        dictionary::CAPABILITIES_KEY,
    );
    let mut case = Case::stdio(Party::Client, body);
    if http {
        case.transport = Transport::Http;
        case.headers.push(Header::new(dictionary::VERSION_HEADER, dictionary::MODERN));
        case.headers.push(Header::new(dictionary::METHOD_HEADER, method));
        if source.is_some() {
            case.headers.push(Header::new(dictionary::NAME_HEADER, "t1"));
        }
    }
    case
}

fn legacy(http: bool, revision: &str, members: &str) -> Case {
    let mut case = Case::stdio(Party::Client, format!("{{\"jsonrpc\":\"2.0\"{members}}}"));
    if http {
        case.transport = Transport::Http;
        case.headers.push(Header::new(dictionary::VERSION_HEADER, revision));
    }
    case
}

fn reply(http: bool, id: u32, member: &str, status: u16) -> Case {
    let mut case = Case::stdio(Party::Server, format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{member}}}"));
    if http {
        case.transport = Transport::Http;
        case.status = Some(status);
    }
    case
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entropy_gives_a_probe_and_a_modern_answer() {
        let session = start_up(&mut Unstructured::new(&[]), &Swarm::all()).unwrap();
        assert_eq!(session.cases.len(), 2);
        assert!(String::from_utf8_lossy(&session.cases[1].body).contains("supportedVersions"));
        assert_eq!(Session::decode(&session.encode()).unwrap(), session);
    }

    #[test]
    fn a_modern_answer_is_never_followed_by_a_handshake() {
        let entropy: Vec<u8> = (0..20_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        let mut fell_back = 0;
        for piece in entropy.chunks(20) {
            let session = start_up(&mut Unstructured::new(piece), &Swarm::all()).unwrap();
            let modern = ANSWERS.iter().filter(|answer| answer.modern).any(|answer| {
                session.cases.get(1).is_some_and(|case| String::from_utf8_lossy(&case.body).contains(answer.member))
            });
            let handshake =
                session.cases.iter().any(|case| String::from_utf8_lossy(&case.body).contains("initialize\""));
            assert!(!(modern && handshake));
            fell_back += usize::from(handshake);
        }
        assert!(fell_back > 50);
    }
}
