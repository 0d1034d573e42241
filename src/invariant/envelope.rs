//! The JSON-RPC envelope: what kind of message it is, and whose id it carries.

use super::scan::{Piece, Sort, unescape};
use super::seen::{Breach, Seen, Shape};
use super::verdict::{HELD, HIDDEN, VACUOUS, broken, equals, owes};
use super::{Check, Invariant, Verdict};
use crate::codec::envelope::Kind;
use crate::codec::refusal::{Reason, Stage};
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "envelope.id-not-aliased",
        requirements: &["id-type-preserved-on-echo", "json-numbers-not-lossy", "id-falsy-values-valid"],
        level: Level::Must,
        rule: "The id that is read has the type and the exact value of the id that was sent.",
        check: Check::Alone(id_not_aliased),
    },
    Invariant {
        id: "envelope.result-xor-error",
        requirements: &["envelope-response-exactly-one-of-result-error"],
        level: Level::Must,
        rule: "A response that holds both or neither of result and error is refused as an envelope.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::Both, Breach::Neither])),
    },
    Invariant {
        id: "envelope.version-is-exact",
        requirements: &["envelope-jsonrpc-is-2-0"],
        level: Level::Must,
        rule: "A message whose jsonrpc member is not the string 2.0 is refused as an envelope.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::Jsonrpc])),
    },
    Invariant {
        id: "envelope.id-has-its-type",
        requirements: &["id-string-or-integer", "id-not-null", "envelope-result-response-has-id"],
        level: Level::Must,
        rule: "An id that is null, a boolean, an array or an object is refused, and so is a result without an id.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::IdType])),
    },
    Invariant {
        id: "envelope.id-is-whole",
        requirements: &["id-string-or-integer"],
        level: Level::Must,
        rule: "A number that is not whole is refused as an id.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::IdFraction])),
    },
    Invariant {
        id: "envelope.request-needs-id",
        requirements: &["envelope-request-has-id"],
        level: Level::Must,
        rule: "A method that is always answered is refused without an id.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::NoId])),
    },
    Invariant {
        id: "envelope.no-batch",
        requirements: &["envelope-no-batches", "json-top-level-is-object"],
        level: Level::Must,
        rule: "A root that is no object is refused as an envelope.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::Batch, Breach::Scalar])),
    },
    Invariant {
        id: "envelope.method-is-string",
        requirements: &["envelope-method-is-string"],
        level: Level::Must,
        rule: "A method that is no string is refused as an envelope.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::Method])),
    },
    Invariant {
        id: "envelope.no-hybrid",
        requirements: &["envelope-response-has-no-method"],
        level: Level::MustNot,
        rule: "A method beside a result or an error is refused as an envelope.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::Hybrid])),
    },
    Invariant {
        id: "envelope.notification-has-no-id",
        requirements: &["envelope-notification-has-no-id"],
        level: Level::MustNot,
        rule: "The method of a notification is refused beside an id.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::NotificationId])),
    },
    Invariant {
        id: "envelope.error-has-its-shape",
        requirements: &["error-code-is-integer", "error-message-is-string", "error-member-not-null"],
        level: Level::Must,
        rule: "An error that is no object with an integer code and a string message is refused as an envelope.",
        check: Check::Alone(|seen, observation| refuses(seen, observation, &[Breach::Error])),
    },
    Invariant {
        id: "envelope.kind-by-members",
        requirements: &["json-member-names-case-sensitive", "envelope-request-has-id"],
        level: Level::Must,
        rule: "The members of a message, compared exactly, say whether it is a request, a notification, a result or an error.",
        check: Check::Alone(kind_by_members),
    },
    Invariant {
        id: "envelope.lawful-is-read",
        requirements: &["id-falsy-values-valid", "json-unknown-members-tolerated"],
        level: Level::Must,
        rule: "A message that breaks no rule of the envelope is not refused as one.",
        check: Check::Alone(lawful_is_read),
    },
    Invariant {
        id: "envelope.unusual-id-is-refused",
        requirements: &["id-integer-valued-float-is-accepted-by-schema"],
        level: Level::Project,
        rule: "A whole number that is spelled with a point, an exponent or a negative zero is refused as an id.",
        check: Check::Alone(unusual_id_is_refused),
    },
];

fn id_not_aliased(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let (Some(Shape::Request | Shape::Result | Shape::Error), Some(sent)) = (seen.shape(), seen.id()) else {
        return VACUOUS;
    };
    match &observation.id {
        _ if sent.sort() == Sort::Null => VACUOUS,
        None if observation.kind.is_none() => HIDDEN,
        None => broken("lost", "the id that was sent", "no id"),
        Some(read) if same_value(sent.raw(), read.raw()) => HELD,
        Some(read) if (read.raw().first() == Some(&b'"')) != (sent.sort() == Sort::String) => {
            broken("other-type", "an id of the type that was sent", "an id of the other type")
        }
        Some(_) => broken("other-value", "the id that was sent", "an id of another value"),
    }
}

/// Whether two tokens are one id. A number is compared as written: no spelling of ours stands between.
fn same_value(sent: &[u8], read: &[u8]) -> bool {
    let both_strings = sent.first() == Some(&b'"') && read.first() == Some(&b'"');
    sent == read || (both_strings && unescape(sent) == unescape(read))
}

fn refuses(seen: &Seen<'_>, observation: &Observation, breaches: &[Breach]) -> Verdict {
    match seen.shape() {
        Some(Shape::Broken(broken)) if breaches.iter().any(|&breach| broken.only(breach)) => {
            owes(observation, Stage::Envelope, Some(-32600))
        }
        _ => VACUOUS,
    }
}

fn kind_by_members(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let owed = match seen.shape() {
        Some(Shape::Request) => Kind::Request,
        Some(Shape::Notification) => Kind::Notification,
        Some(Shape::Result) => Kind::Result,
        Some(Shape::Error) => Kind::Error,
        _ => return VACUOUS,
    };
    equals("other-kind", observation.kind, owed, |kind| kind.word().to_owned())
}

fn lawful_is_read(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match (seen.shape(), observation.refusal) {
        (None | Some(Shape::Broken(_) | Shape::Open), _) => VACUOUS,
        (_, Some(refusal)) if refusal.stage == Stage::Envelope && refusal.reason != Reason::IdSpelling => {
            broken("refused", "no refusal as an envelope", refusal.to_string())
        }
        _ => HELD,
    }
}

fn unusual_id_is_refused(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let is_unusual = |id: Piece<'_>| {
        let raw = id.raw();
        id.sort() == Sort::Number && (raw == b"-0" || raw.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')))
    };
    match (seen.shape(), seen.id()) {
        (Some(Shape::Request | Shape::Result | Shape::Error), Some(id)) if is_unusual(id) => {
            owes(observation, Stage::Envelope, Some(-32600))
        }
        // A response owes the spelling of its request, which may be the unusual one.
        (Some(Shape::Result | Shape::Error), Some(_)) => VACUOUS,
        (Some(Shape::Request), Some(_)) => match observation.refusal {
            Some(refusal) if refusal.reason == Reason::IdSpelling => {
                broken("refused", "no refusal of a plain id", refusal.to_string())
            }
            _ => HELD,
        },
        _ => VACUOUS,
    }
}
