//! What a response breaks: the era that it brings along, the capabilities of its call, its result, its status.
//!
//! Nobody answers a response, so none of these owes a code.

use super::{Message, spelled_alike};
use crate::case::{Party, Transport};
use crate::codec::conclusion::{Conclusion, IncompleteReason, InvalidReason};
use crate::codec::document::Value;
use crate::codec::envelope::Kind;
use crate::codec::era::{Era, UnknownEra};
use crate::codec::reading::Weight;
use crate::codec::refusal::{Reason, Refusal};
use crate::codec::result::ResultObservation;

/// The era of the call, judged at the header stage; called by [`super::header::judge`].
pub(super) fn era(message: &mut Message<'_, '_>) {
    if !spelled_alike(message) {
        let offset = message.envelope.id.map(Value::offset);
        let refusal = Refusal { offset, ..Refusal::new(Reason::IdSpelling) };
        message.refuse(refusal.under("envelope-response-id-equals-request-id"), Weight::StrictOnly);
    }
    if message.envelope.kind != Kind::Result {
        return;
    }
    match message.call.era {
        Era::Conflicting { .. } => message.refuse(Refusal::new(Reason::EraConflicting), Weight::Full),
        Era::Unknown(UnknownEra::MalformedSignal) => {
            message.refuse(Refusal::new(Reason::MalformedEraSignal), Weight::Unproven);
        }
        Era::Known(_) | Era::Unknown(_) => {}
    }
}

/// The result token and its continuation, and the status of an error.
pub fn result(message: &mut Message<'_, '_>) {
    if message.envelope.kind == Kind::Error {
        return error_status(message);
    }
    let (Some(value), Some(observed), Some(conclusion)) = (message.envelope.result, message.result, message.conclusion)
    else {
        return;
    };
    let token = value.get("resultType").unwrap_or(value);
    let legacy = message.call.era.is_legacy();
    let at = |reason| Refusal::at(reason, token.offset());
    match conclusion {
        Conclusion::Invalid(InvalidReason::MalformedResultType) if !value.is_object() => {
            message.refuse(at(Reason::MalformedResultType).under("envelope-result-is-object"), Weight::Full);
        }
        Conclusion::Invalid(InvalidReason::MalformedResultType) => {
            let weight = if legacy { Weight::StrictOnly } else { Weight::Full };
            message.refuse(at(Reason::MalformedResultType), weight);
        }
        Conclusion::Invalid(InvalidReason::MissingResultType) => missing(message, at(Reason::MissingResultType)),
        Conclusion::Invalid(InvalidReason::UncontinuableInputRequired) => {
            interim(message, at(Reason::UncontinuableInputRequired), legacy);
        }
        Conclusion::Invalid(InvalidReason::MalformedContinuation) => {
            interim(message, at(Reason::MalformedContinuation).under(continuation_rule(value)), legacy);
        }
        Conclusion::Invalid(InvalidReason::IneligibleExtensionResult) => {
            message.refuse(at(Reason::IneligibleExtensionResult), Weight::Full);
        }
        Conclusion::Incomplete(IncompleteReason::ContradictoryResult) => {
            message.note("result-complete-for-final", "contradictory-result", Some(token));
        }
        Conclusion::Incomplete(IncompleteReason::UnrecognizedResultType) if legacy => {
            message.note("result-legacy-result-type-absent", "unrecognized-result-type", Some(token));
        }
        Conclusion::Incomplete(IncompleteReason::UnrecognizedResultType) => {
            message.refuse(at(Reason::UnrecognizedResultType), Weight::Full);
        }
        Conclusion::Incomplete(IncompleteReason::RecognitionUndeterminable)
            if observed == ResultObservation::Unrecognized =>
        {
            unrecognized(message, token);
        }
        _ => {}
    }
}

/// A missing token is a breach only by a peer that showed itself modern.
fn missing(message: &mut Message<'_, '_>, refusal: Refusal) {
    if message.context.peer_is_modern {
        message.refuse(refusal, Weight::Full);
    } else {
        message.refuse(refusal, Weight::Unproven);
        message.note("result-type-absent-means-complete", "era-of-peer-unproven", message.envelope.result);
    }
}

/// Legacy results are open, so there a broken interim result is worth a note and no more.
fn interim(message: &mut Message<'_, '_>, refusal: Refusal, legacy: bool) {
    if legacy {
        message.note(refusal.requirement, refusal.reason.word(), message.envelope.result);
    } else {
        message.refuse(refusal, Weight::Full);
    }
}

fn continuation_rule(result: Value<'_>) -> &'static str {
    let text = result.get("requestState").is_none_or(|state| state.as_text().is_some() || state.raw() == b"null");
    if text { "mrtr-input-requests-is-map" } else { "mrtr-request-state-is-string" }
}

/// A token that is not known where the question stays open: who advertised what decides how sure the breach is.
fn unrecognized(message: &mut Message<'_, '_>, token: Value<'_>) {
    let advertised = message.call.capabilities.advertised;
    let task = token.as_text().is_some_and(|text| text.is("task"));
    let (reason, weight) = if task && advertised.tasks_without_object {
        (Reason::ExtensionNotAdvertised, Weight::StrictOnly)
    } else if task && advertised.other_extension {
        (Reason::ExtensionNotAdvertised, Weight::Full)
    } else {
        (Reason::RecognitionUndeterminable, Weight::StrictOnly)
    };
    message.refuse(Refusal::at(reason, token.offset()), weight);
}

/// The HTTP status that goes with an error code; judged where the call is known to be modern.
fn error_status(message: &mut Message<'_, '_>) {
    let case = message.case;
    let (true, Party::Server, Transport::Http) = (message.call.era.is_modern(), case.from, case.transport) else {
        return;
    };
    let (Some(status), Some(code)) = (case.status, message.envelope.error_code()) else { return };
    const OWED: [(i64, u16, &str); 4] = [
        (-32020, 400, "header-mismatch-status-and-code"),
        (-32021, 400, "capabilities-missing-client-capability-error"),
        (-32022, 400, "negotiation-unsupported-version-error"),
        (-32601, 404, "envelope-unknown-method-rejected"),
    ];
    if let Some((.., rule)) = OWED.iter().find(|(owed, with, _)| *owed == code && *with != status) {
        let offset = message.envelope.error.map(Value::offset);
        message.refuse(Refusal { offset, ..Refusal::new(Reason::ErrorStatus) }.under(rule), Weight::Full);
    }
}
