//! Does a refusal agree with what the record of the mutations predicts?
//!
//! For the codec and its mutants the prediction is exact. Any other subject may give one answer of a set. What is not
//! predicted is vacuous.

use super::foreign::predict_foreign;
use super::predict::{Prediction, predict};
use crate::case::Case;
use crate::finding::Violation;
use crate::invariant::{Exercise, Verdict};
use crate::mutation::Generated;
use crate::observation::Observation;

/// Compares what the subject of that name showed with what is predicted.
pub fn agrees(subject: &str, generated: &Generated<Case>, observation: &Observation) -> Verdict {
    let own = subject == "codec" || subject.starts_with("mutant:");
    let shown = observation.refusal;
    if shown.is_none() && observation.kind.is_none() {
        return Ok(Exercise::NotObservable);
    }
    match if own { predict(generated) } else { predict_foreign(generated) } {
        Prediction::NotPredicted => Ok(Exercise::Vacuous),
        Prediction::Accepted => match shown {
            None => Ok(Exercise::Exercised),
            Some(refusal) => broken("refused", "no refusal".to_owned(), refusal.to_string()),
        },
        Prediction::Refused { stage, reason, code, http } => {
            let owed = || format!("{}: {} (code {code:?}, status {http:?})", stage.word(), reason.word());
            match shown {
                None => broken("accepted", owed(), "no refusal".to_owned()),
                Some(shown) if (shown.stage, shown.reason, shown.code, shown.http) == (stage, reason, code, http) => {
                    Ok(Exercise::Exercised)
                }
                Some(shown) => {
                    let words = format!("{shown} (code {:?}, status {:?})", shown.code, shown.http);
                    broken("refused-otherwise", owed(), words)
                }
            }
        }
        Prediction::AnyOf(answers) => {
            let shown = (shown.and_then(|refusal| refusal.code), shown.and_then(|refusal| refusal.http));
            match answers.contains(&shown) {
                true => Ok(Exercise::Exercised),
                false => broken("unlikely-answer", format!("one of {answers:?}"), format!("{shown:?}")),
            }
        }
    }
}

fn broken(kind: &'static str, expected: String, observed: String) -> Verdict {
    Err(Violation { kind, expected, observed })
}
