//! How a check states its verdict, so that every family says the same thing in the same words.

use super::{Exercise, Verdict};
use crate::codec::conclusion::Conclusion;
use crate::codec::refusal::Stage;
use crate::finding::Violation;
use crate::observation::Observation;

/// The rule does not speak of this case.
pub const VACUOUS: Verdict = Ok(Exercise::Vacuous);
/// The rule applied and held.
pub const HELD: Verdict = Ok(Exercise::Exercised);
/// The subject does not show what the rule is about.
pub const HIDDEN: Verdict = Ok(Exercise::NotObservable);

/// The rule is broken.
pub fn broken(kind: &'static str, expected: impl Into<String>, observed: impl Into<String>) -> Verdict {
    Err(Violation { kind, expected: expected.into(), observed: observed.into() })
}

/// What a subject shows must be this.
pub fn equals<T: PartialEq + Copy>(
    kind: &'static str,
    shown: Option<T>,
    owed: T,
    word: impl Fn(T) -> String,
) -> Verdict {
    match shown {
        None => HIDDEN,
        Some(shown) if shown == owed => HELD,
        Some(shown) => broken(kind, word(owed), word(shown)),
    }
}

/// The conclusion must be this one, where the subject concludes at all.
pub fn concludes(observation: &Observation, owed: Conclusion) -> Verdict {
    equals("wrong-conclusion", observation.conclusion, owed, conclusion_words)
}

/// The message must be refused at this stage or before it; at this stage with this code.
pub fn owes(observation: &Observation, stage: Stage, code: Option<i32>) -> Verdict {
    let owed = || format!("a refusal at stage {} or before it", stage.word());
    match observation.refusal {
        None if is_blank(observation) => HIDDEN,
        None => broken("accepted", owed(), "no refusal"),
        Some(refusal) if refusal.stage > stage => broken("late", owed(), refusal_words(observation)),
        Some(refusal) if refusal.stage == stage && refusal.code != code && refusal.code.is_some() => {
            broken("wrong-code", format!("code {code:?}"), format!("code {:?}", refusal.code))
        }
        Some(_) => HELD,
    }
}

/// The message must not be refused at this stage.
pub fn spares(observation: &Observation, stage: Stage) -> Verdict {
    match observation.refusal {
        None if is_blank(observation) => HIDDEN,
        Some(refusal) if refusal.stage == stage => {
            broken("refused", format!("no refusal at stage {}", stage.word()), refusal_words(observation))
        }
        _ => HELD,
    }
}

/// The first that is broken; else exercised when one of them was; else the first.
pub fn both(first: Verdict, second: impl FnOnce() -> Verdict) -> Verdict {
    let (first, second) = (first?, second()?);
    Ok(if second == Exercise::Exercised { second } else { first })
}

/// Whether the subject shows nothing at all, so that no refusal does not mean acceptance.
pub fn is_blank(observation: &Observation) -> bool {
    observation.refusal.is_none()
        && observation.kind.is_none()
        && observation.era.is_none()
        && observation.conclusion.is_none()
}

/// A conclusion in the words that are printed.
pub fn conclusion_words(conclusion: Conclusion) -> String {
    match conclusion.reason() {
        Some(reason) => format!("{} ({reason})", conclusion.state()),
        None => conclusion.state().to_owned(),
    }
}

/// The refusal of an observation in the words that are printed.
pub fn refusal_words(observation: &Observation) -> String {
    observation.refusal.map_or_else(|| "no refusal".to_owned(), |refusal| refusal.to_string())
}
