//! Refuse before downgrade: which answers close the way to a legacy era.
//!
//! Looks at what a client did next ([`Step`]) after what a server said. A session is walked connection by connection; a
//! restart forgets what was proved.

use super::scan::{Piece, Sort};
use super::seen::{Seen, Shape, Signal};
use super::verdict::{HELD, HIDDEN, VACUOUS, broken};
use super::{Check, Exercise, Invariant, Verdict};
use crate::case::{Case, Party, Session, Transport};
use crate::observation::{Observation, Step};
use crate::requirement::Level;

/// The invariants of this family; the second promise.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "downgrade.not-after-modern-error",
        requirements: &["fallback-modern-error-means-modern", "fallback-recognised-modern-error-set"],
        level: Level::MustNot,
        rule: "No legacy step follows a recognised modern error or a discover result.",
        check: Check::Session(|session, observations| walk(session, observations, proves_modern)),
    },
    Invariant {
        id: "downgrade.refuse-first",
        requirements: &["project-refuse-before-downgrade"],
        level: Level::Project,
        rule: "No legacy step follows an answer that bears a modern code or token, or a signal of our own that conflicts or cannot be read.",
        check: Check::Session(|session, observations| walk(session, observations, forbids_legacy)),
    },
    Invariant {
        id: "downgrade.not-on-own-fault",
        requirements: &["project-refuse-before-downgrade"],
        level: Level::Project,
        rule: "No legacy step follows a signal of our own that conflicts or cannot be read.",
        check: Check::Session(|session, observations| walk(session, observations, |seen, _| own_fault(seen))),
    },
    Invariant {
        id: "downgrade.not-after-modern-answer",
        requirements: &["fallback-modern-error-means-modern", "fallback-discover-result-means-modern"],
        level: Level::MustNot,
        rule: "A client takes no legacy step on an answer to its probe that proves the server modern.",
        check: Check::Alone(not_after_modern_answer),
    },
    Invariant {
        id: "downgrade.not-after-failure",
        requirements: &["fallback-401-403-not-era-evidence"],
        level: Level::Project,
        rule: "A client takes no legacy step on a status that tells of missing authorization, too many requests or a failure of the server.",
        check: Check::Alone(not_after_failure),
    },
    Invariant {
        id: "downgrade.not-one-code",
        requirements: &["fallback-not-keyed-to-one-code", "fallback-other-error-means-legacy"],
        level: Level::MustNot,
        rule: "What a client does after an error that is not a modern one does not hang on its code.",
        check: Check::Relation { variants: other_codes, agree: same_steps },
    },
    Invariant {
        id: "downgrade.select-once",
        requirements: &["fallback-era-cached", "fallback-era-is-server-property"],
        level: Level::Project,
        rule: "A start-up settles on one era at most, and takes no step behind its end.",
        check: Check::Session(select_once),
    },
];

/// What an answer to a probe says about the server, by the text of the specification.
fn proves_modern(seen: &Seen<'_>, method: Option<&str>) -> bool {
    let case = seen.case;
    if case.from != Party::Server {
        return false;
    }
    match seen.shape() {
        Some(Shape::Result) => method == Some("server/discover") && seen.result().is_some_and(is_discover_result),
        Some(Shape::Error) => {
            let by_status =
                case.transport == Transport::Stdio || case.status.is_some_and(|status| (400..500).contains(&status));
            by_status && is_modern_error(seen, method)
        }
        _ => false,
    }
}

fn is_discover_result(result: Piece<'_>) -> bool {
    let strings = |piece: Piece<'_>| {
        piece.elements().next().is_some() && piece.elements().all(|element| element.sort() == Sort::String)
    };
    result.get("supportedVersions").is_some_and(strings)
        && result.get("capabilities").is_some_and(|set| set.sort() == Sort::Object)
        && result.get("resultType").is_some_and(|kind| kind.is("complete"))
}

fn is_modern_error(seen: &Seen<'_>, method: Option<&str>) -> bool {
    let data = |name: &str| seen.error_data().and_then(|data| data.get(name));
    match seen.error_code() {
        Some(-32020) => true,
        Some(-32021) => data("requiredCapabilities").is_some_and(|set| set.sort() == Sort::Object),
        Some(-32022) => {
            let listed = data("supported").is_some_and(|list| {
                list.elements().next().is_some() && list.elements().all(|item| item.sort() == Sort::String)
            });
            listed && data("requested").is_some_and(|asked| asked.sort() == Sort::String)
        }
        Some(-32601) => {
            seen.case.transport == Transport::Http
                && seen.case.status == Some(404)
                && method.is_some_and(|method| method != "server/discover")
        }
        _ => false,
    }
}

/// What closes the way by this project's stricter rule.
fn forbids_legacy(seen: &Seen<'_>, method: Option<&str>) -> bool {
    match (seen.case.from, seen.shape()) {
        (Party::Server, Some(Shape::Error)) => matches!(seen.error_code(), Some(-32022..=-32020)),
        (Party::Server, Some(Shape::Result)) => {
            let token = seen.result().and_then(|result| result.get("resultType"));
            token.is_some_and(|token| token.sort() == Sort::String) || proves_modern(seen, method)
        }
        _ => own_fault(seen),
    }
}

/// Whether a request of the client names its era in a form that conflicts or cannot be read.
fn own_fault(seen: &Seen<'_>) -> bool {
    if (seen.case.from, seen.shape()) != (Party::Client, Some(Shape::Request)) {
        return false;
    }
    let header = if seen.over_http() { seen.header_signal() } else { Signal::Absent };
    match (header, seen.body_signal()) {
        (Signal::Malformed, _) | (_, Signal::Malformed) => true,
        (Signal::Day(header), Signal::Day(body)) => header != body,
        _ => false,
    }
}

fn walk(session: &Session, observations: &[Observation], closes: fn(&Seen<'_>, Option<&str>) -> bool) -> Verdict {
    // What came before a start-up began is no answer to it.
    let mut started: Vec<u32> = Vec::new();
    let mut closed: Vec<u32> = Vec::new();
    let mut asked: Vec<(u32, Vec<u8>, String)> = Vec::new();
    let mut exercised = false;
    for (case, observation) in session.cases.iter().zip(observations) {
        let seen = Seen::in_session(case);
        if case.restart {
            started.retain(|&connection| connection != case.connection);
            closed.retain(|&connection| connection != case.connection);
            asked.retain(|(connection, ..)| *connection != case.connection);
        }
        let id = seen.id().map(|id| id.raw().to_vec());
        if let (Party::Client, Some(Shape::Request), Some(id), Some(method)) =
            (case.from, seen.shape(), id.clone(), seen.method().and_then(|method| method.text()))
        {
            asked.push((case.connection, id, method.into_owned()));
        }
        let method = id.as_ref().and_then(|id| {
            let found = asked.iter().rev().find(|(connection, asked, _)| *connection == case.connection && asked == id);
            found.map(|(.., method)| method.as_str())
        });
        if observation.steps.contains(&Step::Probe) {
            started.push(case.connection);
        }
        if started.contains(&case.connection) && closes(&seen, method) && !closed.contains(&case.connection) {
            closed.push(case.connection);
        }
        if closed.contains(&case.connection) {
            exercised |= !observation.steps.is_empty();
            if observation.steps.iter().any(|step| step.is_legacy()) {
                return broken("legacy-step", "no legacy step on this connection any more", "a legacy step");
            }
        }
    }
    let shows_steps = observations.iter().any(|observation| !observation.steps.is_empty());
    Ok(match (exercised, shows_steps) {
        (true, _) => Exercise::Exercised,
        (false, true) => Exercise::Vacuous,
        (false, false) => Exercise::NotObservable,
    })
}

/// Whether a case that stands alone answers the probe.
fn answers_probe(case: &Case) -> bool {
    case.from == Party::Server && case.stated.method.as_deref() == Some(b"server/discover")
}

fn not_after_modern_answer(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    if !seen.lone || !answers_probe(seen.case) || !forbids_legacy(seen, Some("server/discover")) {
        return VACUOUS;
    }
    match observation.steps.iter().any(|step| step.is_legacy()) {
        true => broken("legacy-step", "no legacy step after a modern answer", "a legacy step"),
        false if observation.steps.is_empty() => HIDDEN,
        false => HELD,
    }
}

fn not_after_failure(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let failed = seen.over_http()
        && seen.case.status.is_some_and(|status| [401, 403, 407, 429].contains(&status) || status >= 500);
    if !seen.lone || !answers_probe(seen.case) || !failed {
        return VACUOUS;
    }
    match observation.steps.iter().any(|step| step.is_legacy()) {
        true => broken("legacy-step", "no legacy step after a failure", "a legacy step"),
        false if observation.steps.is_empty() => HIDDEN,
        false => HELD,
    }
}

fn other_codes(seen: &Seen<'_>) -> Vec<Case> {
    let modern = |code: i64| (-32022..=-32020).contains(&code);
    let (true, Some(code)) = (answers_probe(seen.case), seen.error_code().filter(|code| !modern(*code))) else {
        return Vec::new();
    };
    let Some((start, end)) = seen.error_code_span() else { return Vec::new() };
    [-32601, -32600, -32000, -32602, 1]
        .into_iter()
        .filter(|other| *other != code)
        .map(|other| {
            let mut body = seen.case.body.clone();
            body.splice(start..end, format!("{other}").into_bytes());
            Case { body, ..seen.case.clone() }
        })
        .collect()
}

fn same_steps(original: &Observation, variant: &Observation) -> Verdict {
    match original.steps == variant.steps {
        true if original.steps.is_empty() => HIDDEN,
        true => HELD,
        false => broken("one-code", "the same steps after every error that is not modern", "other steps"),
    }
}

fn select_once(session: &Session, observations: &[Observation]) -> Verdict {
    let mut ended: Vec<u32> = Vec::new();
    let mut exercised = false;
    for (case, observation) in session.cases.iter().zip(observations) {
        if case.restart {
            ended.retain(|&connection| connection != case.connection);
        }
        for step in &observation.steps {
            let selects = matches!(step, Step::SelectModern | Step::SelectLegacy);
            if selects && ended.contains(&case.connection) {
                return broken("selected-twice", "one selection on a connection", "a second one");
            }
            if selects {
                ended.push(case.connection);
                exercised = true;
            }
        }
    }
    if exercised { HELD } else { VACUOUS }
}
