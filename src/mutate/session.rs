//! Operators on sessions: messages lost, repeated, out of order, and a client that goes back to a handshake.

use arbitrary::Unstructured;

use super::facts::{Kind, kind};
use super::layout::{Layout, splice};
use super::{Edit, Outcome, any_family, operators};
use crate::case::{Case, Party, Session, Transport};
use crate::generate::{dictionary, session as start_up};
use crate::mutation::RequirementId;

operators! { Session;
    /// Goes back to a handshake after the server showed itself modern.
    Downgrade "downgrade" if |session| !session.cases.is_empty() => downgrade;
    /// Leaves a message out.
    DropMessage "drop-message" if |session| session.cases.len() > 1 => |session, u| {
        let index = pick(session, u)?;
        session.cases.remove(index);
        Ok(Some(Edit::lawful(at(index))))
    };
    /// Sends a message again at once; a request then has an id that is still in use.
    RepeatMessage "repeat-message" if |session| !session.cases.is_empty() => |session, u| {
        let index = pick(session, u)?;
        let copy = session.cases[index].clone();
        let breaks: &[RequirementId] = match of_kind(&copy) {
            Some(Kind::Request) => &["id-unique-among-in-flight"],
            Some(Kind::Result | Kind::Error) => &["envelope-one-response-per-request"],
            _ => &[],
        };
        session.cases.insert(index + 1, copy);
        Ok(Some(Edit::new(at(index + 1), breaks)))
    };
    /// Swaps two neighbouring messages.
    SwapMessages "swap-messages" if |session| session.cases.len() > 1 => |session, u| {
        let index = u.int_in_range(0..=session.cases.len() - 2)?;
        session.cases.swap(index, index + 1);
        Ok(Some(Edit::lawful(at(index))))
    };
    /// Answers with the id in the other type, so that nothing was asked under it.
    RetypeId "retype-id" if |session| !session.cases.is_empty() => |session, u| {
        let start = pick(session, u)?;
        let count = session.cases.len();
        for index in (0..count).map(|offset| (start + offset) % count) {
            let case = &mut session.cases[index];
            let Some(layout) = Layout::of(&case.body) else { continue };
            if !matches!(kind(&case.body, &layout), Kind::Result | Kind::Error) {
                continue;
            }
            let Some(id) = layout.member(&case.body, 0, "id") else { continue };
            let token = layout.value(&case.body, id);
            if !token.iter().all(u8::is_ascii_digit) {
                continue;
            }
            let other = [b"\"", token, b"\""].concat();
            splice(&mut case.body, layout.nodes[id].value.clone(), &other);
            return Ok(Some(Edit::new(format!("{}/id", at(index)), &["id-type-preserved-on-echo"])));
        }
        Ok(None)
    };
    /// Moves the rest of the session to another connection, which no one asked anything on.
    MoveConnection "move-connection" if |session| !session.cases.is_empty() => |session, u| {
        let index = pick(session, u)?;
        let next = session.cases.iter().map(|case| case.connection).max().unwrap_or(0).saturating_add(1);
        session.cases[index..].iter_mut().for_each(|case| case.connection = next);
        Ok(Some(Edit::lawful(at(index))))
    };
    /// Marks that the server was started anew, after which nothing is known of it.
    Restart "restart" if |session| !session.cases.is_empty() => |session, u| {
        let index = pick(session, u)?;
        if std::mem::replace(&mut session.cases[index].restart, true) {
            return Ok(None);
        }
        Ok(Some(Edit::lawful(at(index))))
    };
    /// Answers the probe with another answer.
    OtherAnswer "other-answer" if |session| session.cases.len() > 1 => |session, u| {
        let answer = start_up::ANSWERS[u.int_in_range(1..=start_up::ANSWERS.len() - 1)?];
        let case = &mut session.cases[1];
        if case.from == Party::Client {
            return Ok(None);
        }
        case.body = match answer.member {
            "" => Vec::new(),
            member => format!("{{\"jsonrpc\":\"2.0\",\"id\":0,{member}}}").into_bytes(),
        };
        if case.transport == Transport::Http {
            case.status = Some(answer.status);
        }
        Ok(Some(Edit::lawful(at(1))))
    };
    /// Answers under the id of the request before the last.
    AnswerEarlier "answer-earlier" if |session| session.cases.len() > 1 => |session, _| {
        let mut earlier: Option<Vec<u8>> = None;
        for index in 0..session.cases.len() {
            let case = &mut session.cases[index];
            let Some(layout) = Layout::of(&case.body) else { continue };
            let Some(id) = layout.member(&case.body, 0, "id") else { continue };
            let own = layout.value(&case.body, id).to_vec();
            if let (Kind::Result | Kind::Error, Some(other)) = (kind(&case.body, &layout), &earlier)
                && *other != own
            {
                splice(&mut case.body, layout.nodes[id].value.clone(), other);
                return Ok(Some(Edit::new(format!("{}/id", at(index)), &["envelope-one-response-per-request"])));
            }
            earlier.get_or_insert(own);
        }
        Ok(None)
    };
    /// Sends one request in the form of the other era: without its metadata, and with a header that names a legacy
    /// revision.
    LeakEra "leak-era" if |session| !session.cases.is_empty() => |session, u| {
        let start = pick(session, u)?;
        let revision = *u.choose(&dictionary::LEGACY)?;
        let count = session.cases.len();
        for index in (0..count).map(|offset| (start + offset) % count) {
            let case = &mut session.cases[index];
            let Some(layout) = Layout::of(&case.body) else { continue };
            let Some(meta) = layout.find(&case.body, &["params", "_meta"]) else { continue };
            if case.from != Party::Client || kind(&case.body, &layout) != Kind::Request {
                continue;
            }
            let span = layout.removal(&case.body, meta);
            splice(&mut case.body, span, b"");
            for header in case.headers.iter_mut().filter(|header| header.is(dictionary::VERSION_HEADER)) {
                header.value = revision.into();
            }
            return Ok(Some(Edit::lawful(format!("{}/params/_meta", at(index)))));
        }
        Ok(None)
    };
    /// Applies an operator to one message.
    EditMessage "edit-message" if |session| !session.cases.is_empty() => |session, u| {
        let index = pick(session, u)?;
        let mutation = any_family(&mut session.cases[index], u)?;
        // Inside a session both follow from the request that is answered.
        (session.cases[index].stated.capabilities, session.cases[index].stated.method) = (None, None);
        Ok(mutation.map(|mutation| Edit { path: format!("{}{}", at(index), mutation.path), breaks: mutation.breaks }))
    };
}

fn pick(session: &Session, u: &mut Unstructured<'_>) -> arbitrary::Result<usize> {
    u.int_in_range(0..=session.cases.len() - 1)
}

fn at(index: usize) -> String {
    format!("#{index}")
}

fn of_kind(case: &Case) -> Option<Kind> {
    Some(kind(&case.body, &Layout::of(&case.body)?))
}

/// Appends a handshake; it breaks a rule when the answer to the probe proved a modern server.
fn downgrade(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    let http = session.cases[0].transport == Transport::Http;
    let holds = |text: &str| {
        session.cases.iter().any(|case| {
            let found = case.body.windows(text.len()).any(|window| window == text.as_bytes());
            case.from == Party::Server && found
        })
    };
    let restarted = session.cases.iter().any(|case| case.restart || case.connection > 0);
    let proof = start_up::ANSWERS.iter().find(|answer| answer.modern && holds(answer.member));
    let breaks: &[RequirementId] = match proof {
        Some(_) if restarted => return Ok(None),
        Some(answer) if answer.member.starts_with("\"result\"") => &["fallback-discover-result-means-modern"],
        Some(_) => &["fallback-modern-error-means-modern"],
        None => &[],
    };
    let index = session.cases.len();
    session.cases.extend(start_up::handshake(http, u.choose(&dictionary::LEGACY)?));
    Ok(Some(Edit::new(at(index), breaks)))
}

#[cfg(test)]
mod tests {
    use super::super::Mutator;
    use super::*;
    use crate::generate::Swarm;

    /// The plainest start-up after one operator with no entropy: how many messages, and what is broken.
    fn after(name: &str) -> (Session, Vec<RequirementId>) {
        let mut u = Unstructured::new(&[]);
        let mut session = start_up::start_up(&mut u, &Swarm::all()).unwrap();
        let operator = FAMILY.iter().find(|operator| operator.name() == name).expect(name);
        assert!(operator.applies(&session));
        let mutation = operator.apply(&mut session, &mut u).unwrap().expect(name);
        assert_eq!(Session::decode(&session.encode()).unwrap(), session);
        (session, mutation.breaks)
    }

    #[test]
    fn operators_on_exchanges_break_what_they_record() {
        let line = |text: &str| Case::stdio(Party::Client, text);
        let reply = |text: &str| Case::stdio(Party::Server, text);
        let lawful = Session {
            cases: vec![
                line("{\"id\":1,\"method\":\"m\",\"params\":{\"cursor\":\"a\"}}"),
                reply("{\"id\":1,\"result\":{\"nextCursor\":\"b\"}}"),
                line("{\"id\":2,\"method\":\"m\",\"params\":{\"requestState\":\"s\",\"inputResponses\":{\"a\":{}}}}"),
                reply("{\"id\":2,\"result\":{}}"),
            ],
        };
        let mut session = lawful.clone();
        let mutation = AnswerEarlier.apply(&mut session, &mut Unstructured::new(&[])).unwrap().expect("it applies");
        assert!(String::from_utf8_lossy(&session.cases[3].body).contains("\"id\":1"));
        assert_eq!(mutation.breaks, ["envelope-one-response-per-request"]);
    }

    #[test]
    fn each_operator_changes_the_session_as_recorded() {
        let none: &[RequirementId] = &[];
        for (name, messages, breaks) in [
            ("downgrade", 5, &["fallback-discover-result-means-modern"][..]),
            ("drop-message", 1, none),
            ("repeat-message", 3, &["id-unique-among-in-flight"]),
            ("swap-messages", 2, none),
            ("retype-id", 2, &["id-type-preserved-on-echo"]),
            ("move-connection", 2, none),
            ("restart", 2, none),
            ("other-answer", 2, none),
            ("leak-era", 2, none),
            ("edit-message", 2, &["json-member-names-unique"]),
        ] {
            let (session, broken) = after(name);
            assert_eq!((session.cases.len(), &broken[..]), (messages, breaks), "{name}");
        }
        assert!(after("retype-id").0.cases[1].body.starts_with(b"{\"jsonrpc\":\"2.0\",\"id\":\"0\""));
        assert!(after("move-connection").0.cases.iter().all(|case| case.connection == 1));
    }
}
