//! The token of the tasks extension: where it is understood, where it may stand, and when the question stays open.

use super::result::{answer, says};
use super::scan::Piece;
use super::seen::Seen;
use super::verdict::{VACUOUS, both, concludes, equals, owes, spares};
use super::{Check, Invariant, Verdict};
use crate::case::StatedCapabilities;
use crate::codec::conclusion::{Conclusion, IncompleteReason, InvalidReason};
use crate::codec::era::Era;
use crate::codec::refusal::Stage;
use crate::codec::result::{ExtensionToken, ResultObservation};
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "task.understood-goes-on",
        requirements: &["extension-tasks-result-type-task"],
        level: Level::Must,
        rule: "A task in answer to tools/call is non-terminal where the request advertised tasks with an object.",
        check: Check::Alone(understood_goes_on),
    },
    Invariant {
        id: "task.only-for-tools-call",
        requirements: &["extension-tasks-only-for-tools-call"],
        level: Level::Must,
        rule: "An understood task in answer to another method is invalid and refused.",
        check: Check::Alone(only_for_tools_call),
    },
    Invariant {
        id: "task.not-to-undeclaring-client",
        requirements: &["extension-tasks-not-to-undeclaring-client", "result-type-set-from-core-and-extensions"],
        level: Level::MustNot,
        rule: "A token that was not advertised leaves the question open, and is refused.",
        check: Check::Alone(not_to_undeclaring_client),
    },
    Invariant {
        id: "task.not-under-legacy",
        requirements: &["extension-tasks-not-under-2025-11-25"],
        level: Level::MustNot,
        rule: "Under a known legacy era any other token is unrecognized, whatever was advertised.",
        check: Check::Alone(not_under_legacy),
    },
];

/// How far a token is known, as the case states its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// `task`, advertised with an object, in the modern era.
    Understood,
    /// Any other, core tokens among them.
    Other,
}

const TASKS: &[u8] = b"io.modelcontextprotocol/tasks";

/// How far the token of a result is known.
pub fn token(seen: &Seen<'_>, result: Piece<'_>, era: Era) -> Token {
    let is_task = result.get("resultType").is_some_and(|kind| kind.is("task"));
    match is_task && era.is_modern() && advertises_tasks(seen) {
        true => Token::Understood,
        false => Token::Other,
    }
}

/// Whether `inputRequests` is payload: in answer to `tasks/get` under understood tasks.
pub fn is_exempt(seen: &Seen<'_>, era: Era) -> bool {
    era.is_modern() && advertises_tasks(seen) && seen.case.stated.method.as_deref() == Some(b"tasks/get")
}

/// What an unknown token concludes in the modern era.
pub fn question(seen: &Seen<'_>) -> IncompleteReason {
    match seen.case.stated.capabilities {
        Some(StatedCapabilities::CoreOnly) => IncompleteReason::UnrecognizedResultType,
        _ => IncompleteReason::RecognitionUndeterminable,
    }
}

fn advertises_tasks(seen: &Seen<'_>) -> bool {
    match &seen.case.stated.capabilities {
        Some(StatedCapabilities::Extensions(ids)) => ids.iter().any(|id| id == TASKS),
        _ => false,
    }
}

fn understood<'s>(seen: &'s Seen<'_>) -> Option<Piece<'s>> {
    answer(seen).filter(|(result, era)| token(seen, *result, *era) == Token::Understood).map(|(result, _)| result)
}

fn understood_goes_on(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    if understood(seen).is_none() || seen.case.stated.method.as_deref() != Some(b"tools/call") {
        return VACUOUS;
    }
    let shown =
        equals("other-observation", observation.result, ResultObservation::Extension(ExtensionToken::Task), |o| {
            o.word().to_owned()
        });
    let goes_on = both(shown, || concludes(observation, Conclusion::NonTerminal));
    both(goes_on, || spares(observation, Stage::Result))
}

fn only_for_tools_call(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match seen.case.stated.method.as_deref() {
        Some(method) if method != b"tools/call" && understood(seen).is_some() => {
            let invalid = concludes(observation, Conclusion::Invalid(InvalidReason::IneligibleExtensionResult));
            both(invalid, || owes(observation, Stage::Result, None))
        }
        _ => VACUOUS,
    }
}

fn not_to_undeclaring_client(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some((result, era)) = answer(seen) else { return VACUOUS };
    let open = says(result, false) == ResultObservation::Unrecognized && era.is_modern();
    if !open || token(seen, result, era) == Token::Understood {
        return VACUOUS;
    }
    match seen.case.stated.capabilities {
        Some(StatedCapabilities::CoreOnly | StatedCapabilities::Malformed) => VACUOUS,
        _ => {
            let owed = Conclusion::Incomplete(IncompleteReason::RecognitionUndeterminable);
            both(concludes(observation, owed), || owes(observation, Stage::Result, None))
        }
    }
}

fn not_under_legacy(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match answer(seen) {
        Some((result, era)) if era.is_legacy() && says(result, false) == ResultObservation::Unrecognized => {
            let owed = Conclusion::Incomplete(IncompleteReason::UnrecognizedResultType);
            both(concludes(observation, owed), || spares(observation, Stage::Result))
        }
        _ => VACUOUS,
    }
}
