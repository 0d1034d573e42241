//! Refusals: that they say what they must, and that a conclusion and a refusal fit together.

use super::seen::{Seen, Shape};
use super::verdict::{HELD, HIDDEN, VACUOUS, broken, conclusion_words, owes, refusal_words, spares};
use super::{Check, Invariant, Verdict};
use crate::case::{Party, Transport};
use crate::codec::conclusion::{Conclusion, InvalidReason};
use crate::codec::envelope::Kind;
use crate::codec::era::Era;
use crate::codec::refusal::Stage;
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "refusal.goes-with-invalid",
        requirements: &["project-invalid-is-refused"],
        level: Level::Project,
        rule: "What concludes invalid or refused is also refused, but for two rows of a known legacy era.",
        check: Check::Alone(goes_with_invalid),
    },
    Invariant {
        id: "refusal.response-is-not-answered",
        requirements: &["envelope-client-sends-no-responses"],
        level: Level::MustNot,
        rule: "The refusal of a response owes neither a code nor a status, because nobody answers a response.",
        check: Check::Alone(response_is_not_answered),
    },
    Invariant {
        id: "refusal.notification-is-not-answered",
        requirements: &["envelope-notification-never-answered"],
        level: Level::MustNot,
        rule: "The refusal of a readable message without an id owes no error code.",
        check: Check::Alone(notification_is_not_answered),
    },
    Invariant {
        id: "refusal.status-fits-code",
        requirements: &[
            "header-mismatch-status-and-code",
            "http-unsupported-version-400",
            "http-missing-capability-400",
        ],
        level: Level::Must,
        rule: "A request refused with one of the three modern codes or with -32602 or -32600 is refused with status 400.",
        check: Check::Alone(status_fits_code),
    },
    Invariant {
        id: "refusal.code-fits-stage",
        requirements: &[
            "error-header-mismatch-shape",
            "error-unsupported-version-shape",
            "meta-missing-required-http-400",
        ],
        level: Level::Must,
        rule: "Each stage refuses with the code that is its own.",
        check: Check::Alone(code_fits_stage),
    },
    Invariant {
        id: "refusal.error-status",
        requirements: &["header-mismatch-status-and-code", "http-unknown-method-404"],
        level: Level::Must,
        rule: "A modern error over HTTP with a status that does not go with its code is refused.",
        check: Check::Alone(error_status),
    },
    Invariant {
        id: "refusal.as-predicted",
        requirements: &["project-first-broken-rule"],
        level: Level::Project,
        rule: "A generated case is refused as the record of its mutations predicts, and accepted where none is broken.",
        check: Check::Predicted,
    },
];

fn goes_with_invalid(_: &Seen<'_>, observation: &Observation) -> Verdict {
    let legacy = observation.era.is_some_and(Era::is_legacy);
    match observation.conclusion {
        Some(Conclusion::Invalid(InvalidReason::UncontinuableInputRequired | InvalidReason::MalformedContinuation))
            if legacy =>
        {
            VACUOUS
        }
        Some(conclusion @ (Conclusion::Invalid(_) | Conclusion::RefusedEraConflicting)) => match observation.refusal {
            Some(_) => HELD,
            None => broken("accepted", "a refusal beside the conclusion", conclusion_words(conclusion)),
        },
        _ => VACUOUS,
    }
}

fn response_is_not_answered(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match (seen.shape(), observation.refusal) {
        (Some(Shape::Result | Shape::Error), Some(refusal)) => match (refusal.code, refusal.http) {
            (None, None) => HELD,
            _ => broken("answered", "neither a code nor a status", refusal.to_string()),
        },
        _ => VACUOUS,
    }
}

fn notification_is_not_answered(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match (seen.shape(), observation.refusal) {
        (Some(Shape::Notification), Some(refusal)) => match refusal.code {
            None => HELD,
            Some(_) => broken("answered", "no error code", refusal.to_string()),
        },
        _ => VACUOUS,
    }
}

fn status_fits_code(_: &Seen<'_>, observation: &Observation) -> Verdict {
    match observation.refusal.map(|refusal| (refusal.code, refusal.http)) {
        Some((Some(-32022..=-32020 | -32602 | -32600), status)) => match status {
            None => HIDDEN,
            Some(400) => HELD,
            Some(_) => broken("other-status", "status 400", "another status"),
        },
        _ => VACUOUS,
    }
}

fn code_fits_stage(_: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some((refusal, code)) = observation.refusal.and_then(|refusal| Some((refusal, refusal.code?))) else {
        return VACUOUS;
    };
    let owed: &[i32] = match refusal.stage {
        Stage::Bytes | Stage::Json => &[-32700, -32600],
        Stage::Envelope => &[-32600],
        Stage::Metadata | Stage::RequiredKeys => &[-32602],
        Stage::Header => &[-32020],
        Stage::Revision => &[-32022],
        Stage::Capabilities => &[-32021],
        _ => return VACUOUS,
    };
    match owed.contains(&code) {
        true => HELD,
        false => broken("other-code", format!("one of {owed:?} at stage {}", refusal.stage.word()), format!("{code}")),
    }
}

fn error_status(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let case = seen.case;
    let (Some(Shape::Error), Some(status)) = (seen.shape(), case.status) else { return VACUOUS };
    let modern = super::era::resolve(seen).is_some_and(Era::is_modern);
    if !modern || case.from != Party::Server || case.transport != Transport::Http {
        return VACUOUS;
    }
    let owed = match seen.error_code() {
        Some(-32022..=-32020) => 400,
        Some(-32601) => 404,
        _ => return VACUOUS,
    };
    match (status == owed, observation.kind) {
        (_, None) => HIDDEN,
        (_, Some(kind)) if kind != Kind::Error => broken("other-kind", "an error", refusal_words(observation)),
        (true, _) => spares(observation, Stage::Result),
        (false, _) => owes(observation, Stage::Result, None),
    }
}
