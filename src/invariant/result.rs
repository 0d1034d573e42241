//! What a result says about itself, and what that licenses.
//!
//! Speaks of responses that stand alone: what their request was is what the case states. Extension tokens have a
//! family of their own.

use super::era::{open_era_conclusion, resolve};
use super::scan::{Piece, Sort};
use super::seen::{Seen, Shape};
use super::task::{Token, is_exempt, question, token};
use super::verdict::{HELD, HIDDEN, VACUOUS, both, broken, concludes, conclusion_words, equals, owes, spares};
use super::{Check, Invariant, Verdict};
use crate::case::StatedCapabilities;
use crate::codec::conclusion::{Conclusion, IncompleteReason, InvalidReason};
use crate::codec::era::Era;
use crate::codec::refusal::Stage;
use crate::codec::result::ResultObservation;
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "result.unrecognised-never-finished",
        requirements: &["result-type-unknown-is-invalid", "result-type-set-from-core-and-extensions"],
        level: Level::Must,
        rule: "A token outside the core and the understood extensions is never valid, terminal or non-terminal.",
        check: Check::Alone(unrecognised_never_finished),
    },
    Invariant {
        id: "result.completion-without-continuation",
        requirements: &["result-complete-for-final", "project-contradiction-not-terminal"],
        level: Level::Must,
        rule: "Completion that is claimed beside a continuation member is never terminal.",
        check: Check::Alone(completion_without_continuation),
    },
    Invariant {
        id: "result.unreadable-is-invalid",
        requirements: &["result-type-is-string", "envelope-result-is-object"],
        level: Level::Must,
        rule: "A result that is no object, or whose resultType is no string, is invalid in every era and refused.",
        check: Check::Alone(unreadable_is_invalid),
    },
    Invariant {
        id: "result.token-is-exact",
        requirements: &["result-type-case-sensitive"],
        level: Level::Must,
        rule: "The token is compared character by character after unescaping, and a null continuation is none.",
        check: Check::Alone(token_is_exact),
    },
    Invariant {
        id: "result.complete-is-terminal",
        requirements: &["result-complete-for-final", "result-extra-members-allowed"],
        level: Level::Must,
        rule: "In a known era a complete result without a continuation is terminal and not refused as a result.",
        check: Check::Alone(|seen, observation| known(seen, observation, ResultObservation::Complete)),
    },
    Invariant {
        id: "result.input-required-goes-on",
        requirements: &["mrtr-at-least-one-field"],
        level: Level::Must,
        rule: "In a known era a result that asks for input and says how to go on is non-terminal.",
        check: Check::Alone(|seen, observation| known(seen, observation, ResultObservation::InputRequired)),
    },
    Invariant {
        id: "result.input-required-needs-continuation",
        requirements: &["mrtr-at-least-one-field"],
        level: Level::Must,
        rule: "In a known era a result that asks for input without a continuation is invalid.",
        check: Check::Alone(|seen, observation| {
            known(seen, observation, ResultObservation::InputRequiredWithoutContinuation)
        }),
    },
    Invariant {
        id: "result.continuation-has-its-types",
        requirements: &["mrtr-request-state-is-string", "mrtr-input-requests-is-map"],
        level: Level::Must,
        rule: "In a known era a continuation member of the wrong type is invalid, whatever its sibling is.",
        check: Check::Alone(|seen, observation| {
            known(seen, observation, ResultObservation::InputRequiredWithMalformedContinuation)
        }),
    },
    Invariant {
        id: "result.core-only-closes-the-question",
        requirements: &["result-type-unknown-is-invalid"],
        level: Level::Must,
        rule: "An unknown token is unrecognized and refused where the request declared the core alone.",
        check: Check::Alone(core_only_closes_the_question),
    },
    Invariant {
        id: "result.open-era-decides",
        requirements: &["project-unknown-era-not-terminal"],
        level: Level::Project,
        rule: "A readable result of an era that is not known concludes by why it is not known, and by nothing else.",
        check: Check::Alone(open_era_decides),
    },
    Invariant {
        id: "result.malformed-capabilities-decide",
        requirements: &["capabilities-values-are-objects"],
        level: Level::Must,
        rule: "A modern result whose request declared unreadable capabilities is invalid for that.",
        check: Check::Alone(malformed_capabilities_decide),
    },
    Invariant {
        id: "result.only-answers-conclude",
        requirements: &["project-errors-do-not-conclude"],
        level: Level::Project,
        rule: "An error and a notification have neither a result nor a conclusion.",
        check: Check::Alone(only_answers_conclude),
    },
];

/// What a result says about itself, extension tokens aside.
pub fn says(result: Piece<'_>, exempt: bool) -> ResultObservation {
    let member = |name: &str| result.get(name).filter(|value| value.sort() != Sort::Null);
    let kind = result.get("resultType");
    if result.sort() != Sort::Object || kind.is_some_and(|kind| kind.sort() != Sort::String) {
        return ResultObservation::Malformed;
    }
    let state = member("requestState").map(|state| state.sort() == Sort::String);
    // Beside `complete` alone the requests of a task are its payload.
    let exempt = exempt && kind.is_some_and(|kind| kind.is("complete"));
    let inputs = member("inputRequests").filter(|_| !exempt).map(|inputs| inputs.sort() == Sort::Object);
    let stated = state.is_some() || inputs.is_some();
    let malformed = state == Some(false) || inputs == Some(false);
    match kind {
        None => ResultObservation::Missing,
        Some(kind) if kind.is("complete") && stated => ResultObservation::CompleteWithContinuation,
        Some(kind) if kind.is("complete") => ResultObservation::Complete,
        Some(kind) if kind.is("input_required") && malformed => {
            ResultObservation::InputRequiredWithMalformedContinuation
        }
        Some(kind) if kind.is("input_required") && stated => ResultObservation::InputRequired,
        Some(kind) if kind.is("input_required") => ResultObservation::InputRequiredWithoutContinuation,
        Some(_) => ResultObservation::Unrecognized,
    }
}

/// The result of a response, and the era that its signals and its context give it.
pub fn answer<'s>(seen: &'s Seen<'_>) -> Option<(Piece<'s>, Era)> {
    match seen.shape() {
        Some(Shape::Result) => Some((seen.result()?, resolve(seen)?)),
        _ => None,
    }
}

fn states_malformed_capabilities(seen: &Seen<'_>) -> bool {
    seen.case.stated.capabilities == Some(StatedCapabilities::Malformed)
}

fn unrecognised_never_finished(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some((result, era)) = answer(seen) else { return VACUOUS };
    if says(result, false) != ResultObservation::Unrecognized || token(seen, result, era) == Token::Understood {
        return VACUOUS;
    }
    match observation.conclusion {
        None => HIDDEN,
        Some(finished @ (Conclusion::Valid | Conclusion::Terminal | Conclusion::NonTerminal)) => {
            broken("finished", "neither valid nor terminal nor non-terminal", conclusion_words(finished))
        }
        Some(_) => HELD,
    }
}

fn completion_without_continuation(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some((result, era)) = answer(seen) else { return VACUOUS };
    if says(result, is_exempt(seen, era)) != ResultObservation::CompleteWithContinuation {
        return VACUOUS;
    }
    if observation.conclusion == Some(Conclusion::Terminal) {
        return broken("terminal", "a contradiction that finishes nothing", "terminal");
    }
    match era {
        Era::Known(revision) if !(revision.is_modern() && states_malformed_capabilities(seen)) => {
            // Incomplete does not refuse by itself: the contradiction is a note.
            let owed = Conclusion::Incomplete(IncompleteReason::ContradictoryResult);
            both(concludes(observation, owed), || spares(observation, Stage::Result))
        }
        _ => HELD,
    }
}

fn unreadable_is_invalid(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match answer(seen) {
        Some((result, _)) if says(result, false) == ResultObservation::Malformed => {
            let invalid = concludes(observation, Conclusion::Invalid(InvalidReason::MalformedResultType));
            both(invalid, || owes(observation, Stage::Result, None))
        }
        _ => VACUOUS,
    }
}

fn token_is_exact(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some((result, era)) = answer(seen) else { return VACUOUS };
    match token(seen, result, era) {
        Token::Understood => VACUOUS,
        _ => equals("other-observation", observation.result, says(result, is_exempt(seen, era)), |shown| {
            shown.word().to_owned()
        }),
    }
}

/// In a known era, with capabilities that can be read, this observation has this conclusion.
fn known(seen: &Seen<'_>, observation: &Observation, observed: ResultObservation) -> Verdict {
    let Some((result, era @ Era::Known(revision))) = answer(seen) else { return VACUOUS };
    let unreadable = revision.is_modern() && states_malformed_capabilities(seen);
    if says(result, is_exempt(seen, era)) != observed || unreadable {
        return VACUOUS;
    }
    let (owed, refused) = match observed {
        ResultObservation::InputRequired => (Conclusion::NonTerminal, false),
        ResultObservation::InputRequiredWithoutContinuation => {
            (Conclusion::Invalid(InvalidReason::UncontinuableInputRequired), true)
        }
        ResultObservation::InputRequiredWithMalformedContinuation => {
            (Conclusion::Invalid(InvalidReason::MalformedContinuation), true)
        }
        _ => (Conclusion::Terminal, false),
    };
    both(concludes(observation, owed), || match (refused, revision.is_modern()) {
        (true, true) => owes(observation, Stage::Result, None),
        // Results of legacy eras are open: at most a note.
        _ => spares(observation, Stage::Result),
    })
}

fn core_only_closes_the_question(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some((result, era)) = answer(seen) else { return VACUOUS };
    let closed = seen.case.stated.capabilities == Some(StatedCapabilities::CoreOnly);
    if says(result, false) != ResultObservation::Unrecognized || !era.is_modern() || !closed {
        return VACUOUS;
    }
    let owed = Conclusion::Incomplete(question(seen));
    both(concludes(observation, owed), || owes(observation, Stage::Result, None))
}

fn open_era_decides(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some((result, era)) = answer(seen) else { return VACUOUS };
    match open_era_conclusion(era) {
        Some(owed) if says(result, false) != ResultObservation::Malformed => {
            both(concludes(observation, owed), || match owed {
                Conclusion::Incomplete(_) => spares(observation, Stage::Result),
                _ => owes(observation, Stage::Header, None),
            })
        }
        _ => VACUOUS,
    }
}

fn malformed_capabilities_decide(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match answer(seen) {
        Some((result, era))
            if era.is_modern()
                && states_malformed_capabilities(seen)
                && says(result, false) != ResultObservation::Malformed =>
        {
            concludes(observation, Conclusion::Invalid(InvalidReason::MalformedCapabilities))
        }
        _ => VACUOUS,
    }
}

fn only_answers_conclude(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match seen.shape() {
        Some(Shape::Error | Shape::Notification) => match (observation.result, observation.conclusion) {
            (None, None) => HELD,
            _ => broken("concluded", "neither a result nor a conclusion", "one of them"),
        },
        _ => VACUOUS,
    }
}
