//! Faults of the envelope.

use super::{Exchange, Mutant};
use crate::codec::document::{Document, Value};
use crate::codec::envelope::{self, Envelope, Kind};
use crate::codec::reading::Breach;
use crate::codec::refusal::{Reason, Refusal};
use crate::codec::{STAGES, Stages};

type Observed<'a> = Result<Envelope<'a>, Refusal>;

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "envelope.null-id-notifies",
        wrong: "A request whose id is null is taken for a notification.",
        fault: "FF-001",
        killer: "envelope.id-has-its-type",
        exchange: Exchange::Stages(&Stages { envelope: null_id_notifies, ..STAGES }),
    },
    Mutant {
        id: "envelope.unsigned-ids-only",
        wrong: "A negative id is refused.",
        fault: "FF-007",
        killer: "envelope.lawful-is-read",
        exchange: Exchange::Stages(&Stages { envelope: unsigned_ids_only, ..STAGES }),
    },
    Mutant {
        id: "envelope.zero-id-is-none",
        wrong: "An id of zero is taken for no id.",
        fault: "FF-004",
        killer: "envelope.id-not-aliased",
        exchange: Exchange::Stages(&Stages { envelope: zero_id_is_none, ..STAGES }),
    },
    Mutant {
        id: "envelope.empty-id-refused",
        wrong: "The empty string is refused as an id.",
        fault: "id-falsy-values-valid",
        killer: "envelope.lawful-is-read",
        exchange: Exchange::Stages(&Stages { envelope: empty_id_refused, ..STAGES }),
    },
    Mutant {
        id: "envelope.requests-without-id-run",
        wrong: "A request without an id is taken for a notification.",
        fault: "envelope-request-has-id",
        killer: "envelope.request-needs-id",
        exchange: Exchange::Stages(&Stages { envelope: requests_without_id_run, ..STAGES }),
    },
    Mutant {
        id: "envelope.closed-to-extras",
        wrong: "A member that the envelope does not know is refused.",
        fault: "FF-017",
        killer: "relation.extra-member-neutral",
        exchange: Exchange::Stages(&Stages { envelope: closed_to_extras, ..STAGES }),
    },
    Mutant {
        id: "envelope.spellings-alike",
        wrong: "An id in an unusual spelling passes without a word.",
        fault: "FF-006",
        killer: "envelope.unusual-id-is-refused",
        exchange: Exchange::Stages(&Stages { envelope: spellings_alike, ..STAGES }),
    },
    Mutant {
        id: "envelope.hybrids-pass",
        wrong: "A method beside a result passes without a word.",
        fault: "envelope-response-has-no-method",
        killer: "envelope.no-hybrid",
        exchange: Exchange::Stages(&Stages { envelope: hybrids_pass, ..STAGES }),
    },
    Mutant {
        id: "envelope.notifications-with-id",
        wrong: "A notification's method with an id is served as a request.",
        fault: "envelope-notification-has-no-id",
        killer: "envelope.notification-has-no-id",
        exchange: Exchange::Stages(&Stages { envelope: notifications_with_id, ..STAGES }),
    },
    Mutant {
        id: "envelope.errors-are-results",
        wrong: "An error is taken for a result.",
        fault: "FF-020",
        killer: "envelope.kind-by-members",
        exchange: Exchange::Stages(&Stages { envelope: errors_are_results, ..STAGES }),
    },
    Mutant {
        id: "envelope.closed-to-notifications",
        wrong: "An unknown notification is refused.",
        fault: "FF-129",
        killer: "envelope.lawful-is-read",
        exchange: Exchange::Stages(&Stages { envelope: unknown_notification_refused, ..STAGES }),
    },
];

fn null_id_notifies<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    let root = document.root();
    match envelope::observe(document, breaches) {
        Err(refusal) if refusal.requirement == "id-not-null" => Ok(notification(root)),
        other => other,
    }
}

fn unsigned_ids_only<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    let observed = envelope::observe(document, breaches)?;
    match observed.id {
        Some(id) if id.raw().starts_with(b"-") => Err(Refusal::at(Reason::IdType, id.offset())),
        _ => Ok(observed),
    }
}

fn zero_id_is_none<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    let observed = envelope::observe(document, breaches)?;
    Ok(Envelope { id: observed.id.filter(|id| id.raw() != b"0"), ..observed })
}

fn empty_id_refused<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    let observed = envelope::observe(document, breaches)?;
    match observed.id {
        Some(id) if id.raw() == b"\"\"" => Err(Refusal::at(Reason::IdType, id.offset())),
        _ => Ok(observed),
    }
}

fn requests_without_id_run<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    let root = document.root();
    match envelope::observe(document, breaches) {
        Err(Refusal { reason: Reason::RequestWithoutId, .. }) => Ok(notification(root)),
        other => other,
    }
}

fn closed_to_extras<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    const KNOWN: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];
    match document.root().members().find(|(name, _)| !KNOWN.iter().any(|known| name.is(known))) {
        Some((_, value)) => Err(Refusal::at(Reason::ResultNorError, value.offset())),
        None => envelope::observe(document, breaches),
    }
}

fn spellings_alike<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    without(document, breaches, Reason::IdSpelling)
}

fn hybrids_pass<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    without(document, breaches, Reason::HybridMessage)
}

fn notifications_with_id<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    without(document, breaches, Reason::NotificationWithId)
}

fn errors_are_results<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    let observed = envelope::observe(document, breaches)?;
    Ok(match observed.kind {
        Kind::Error => Envelope { kind: Kind::Result, result: observed.error, error: None, ..observed },
        _ => observed,
    })
}

fn unknown_notification_refused<'a>(document: Document<'a>, breaches: &mut Vec<Breach>) -> Observed<'a> {
    let observed = envelope::observe(document, breaches)?;
    match observed.method {
        Some(method) if observed.kind == Kind::Notification && !observed.has_method("notifications/cancelled") => {
            Err(Refusal::at(Reason::MethodNotString, method.offset()))
        }
        _ => Ok(observed),
    }
}

fn without<'a>(document: Document<'a>, breaches: &mut Vec<Breach>, reason: Reason) -> Observed<'a> {
    let observed = envelope::observe(document, breaches);
    breaches.retain(|breach| breach.refusal.reason != reason);
    observed
}

fn notification(root: Value<'_>) -> Envelope<'_> {
    Envelope {
        kind: Kind::Notification,
        id: None,
        null_id: false,
        method: root.get("method"),
        params: root.get("params"),
        result: None,
        error: None,
    }
}
