//! Faults of the result observation.

use super::{Exchange, Mutant};
use crate::codec::document::{Value, ValueKind};
use crate::codec::result::{self, Call, ExtensionToken, ResultObservation as Observed};
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "result.token-without-case",
        wrong: "The token is compared in any letter case.",
        fault: "result-type-case-sensitive",
        killer: "result.token-is-exact",
        exchange: Exchange::Stages(&Stages { result: token_without_case, ..STAGES }),
    },
    Mutant {
        id: "result.token-trimmed",
        wrong: "White space around the token is lost.",
        fault: "result-type-case-sensitive",
        killer: "result.token-is-exact",
        exchange: Exchange::Stages(&Stages { result: token_trimmed, ..STAGES }),
    },
    Mutant {
        id: "result.unknown-is-complete",
        wrong: "A token that is not known counts as complete.",
        fault: "FF-065",
        killer: "result.unrecognised-never-finished",
        exchange: Exchange::Stages(&Stages { result: unknown_is_complete, ..STAGES }),
    },
    Mutant {
        id: "result.missing-is-complete",
        wrong: "A missing resultType counts as complete in every era.",
        fault: "FF-069",
        killer: "era.absence-is-legacy-only",
        exchange: Exchange::Stages(&Stages { result: missing_is_complete, ..STAGES }),
    },
    Mutant {
        id: "result.null-type-is-missing",
        wrong: "A resultType of null counts as missing.",
        fault: "FF-096",
        killer: "result.unreadable-is-invalid",
        exchange: Exchange::Stages(&Stages { result: null_type_is_missing, ..STAGES }),
    },
    Mutant {
        id: "result.number-type-is-unknown",
        wrong: "A resultType that is no string counts as an unknown token.",
        fault: "result-type-is-string",
        killer: "result.unreadable-is-invalid",
        exchange: Exchange::Stages(&Stages { result: number_type_is_unknown, ..STAGES }),
    },
    Mutant {
        id: "result.null-continuation-counts",
        wrong: "A continuation member of null counts as one.",
        fault: "FF-096",
        killer: "result.input-required-needs-continuation",
        exchange: Exchange::Stages(&Stages { result: null_continuation_counts, ..STAGES }),
    },
    Mutant {
        id: "result.empty-continuation-is-none",
        wrong: "An empty continuation counts as none.",
        fault: "FF-066",
        killer: "result.input-required-goes-on",
        exchange: Exchange::Stages(&Stages { result: empty_continuation_is_none, ..STAGES }),
    },
    Mutant {
        id: "result.good-sibling-excuses",
        wrong: "A continuation member of the wrong type is excused by its sibling.",
        fault: "mrtr-request-state-is-string",
        killer: "result.continuation-has-its-types",
        exchange: Exchange::Stages(&Stages { result: good_sibling_excuses, ..STAGES }),
    },
    Mutant {
        id: "result.continuation-overlooked",
        wrong: "A complete result is not searched for a continuation.",
        fault: "result-complete-for-final",
        killer: "result.completion-without-continuation",
        exchange: Exchange::Stages(&Stages { result: continuation_overlooked, ..STAGES }),
    },
    Mutant {
        id: "result.input-needs-nothing",
        wrong: "Input may be asked for without a continuation.",
        fault: "mrtr-at-least-one-field",
        killer: "result.input-required-needs-continuation",
        exchange: Exchange::Stages(&Stages { result: input_needs_nothing, ..STAGES }),
    },
    Mutant {
        id: "result.task-always-understood",
        wrong: "A task is understood whether it was advertised or not.",
        fault: "extension-tasks-not-to-undeclaring-client",
        killer: "task.not-to-undeclaring-client",
        exchange: Exchange::Stages(&Stages { result: task_always_understood, ..STAGES }),
    },
    Mutant {
        id: "result.task-never-understood",
        wrong: "A task is never understood.",
        fault: "extension-tasks-client-handles-both-shapes",
        killer: "task.understood-goes-on",
        exchange: Exchange::Stages(&Stages { result: task_never_understood, ..STAGES }),
    },
];

fn retokened(result: Value<'_>, call: &Call<'_>, change: impl Fn(&str) -> String) -> Observed {
    let observed = result::observe(result, call);
    let token = result.get("resultType").and_then(Value::as_text).map(|text| change(&text.decode()));
    match (observed, token.as_deref()) {
        (Observed::Unrecognized, Some("complete")) => Observed::Complete,
        (Observed::Unrecognized, Some("input_required")) => Observed::InputRequired,
        _ => observed,
    }
}

fn token_without_case(result: Value<'_>, call: &Call<'_>) -> Observed {
    retokened(result, call, str::to_ascii_lowercase)
}

fn token_trimmed(result: Value<'_>, call: &Call<'_>) -> Observed {
    retokened(result, call, |token| token.trim().to_owned())
}

fn unknown_is_complete(result: Value<'_>, call: &Call<'_>) -> Observed {
    exchanged(result, call, Observed::Unrecognized, Observed::Complete)
}

fn missing_is_complete(result: Value<'_>, call: &Call<'_>) -> Observed {
    exchanged(result, call, Observed::Missing, Observed::Complete)
}

fn null_type_is_missing(result: Value<'_>, call: &Call<'_>) -> Observed {
    match result.get("resultType").map(Value::kind) {
        Some(ValueKind::Null) => Observed::Missing,
        _ => result::observe(result, call),
    }
}

fn number_type_is_unknown(result: Value<'_>, call: &Call<'_>) -> Observed {
    match result.get("resultType").map(Value::kind) {
        Some(ValueKind::Number | ValueKind::Bool) => Observed::Unrecognized,
        _ => result::observe(result, call),
    }
}

fn null_continuation_counts(result: Value<'_>, call: &Call<'_>) -> Observed {
    let null = ["requestState", "inputRequests"].iter().any(|name| result.get(name).is_some());
    match result::observe(result, call) {
        Observed::InputRequiredWithoutContinuation if null => Observed::InputRequired,
        other => other,
    }
}

fn empty_continuation_is_none(result: Value<'_>, call: &Call<'_>) -> Observed {
    let empty = |name| result.get(name).is_none_or(|value| matches!(value.raw(), b"\"\"" | b"{}" | b"null"));
    match result::observe(result, call) {
        Observed::InputRequired if empty("requestState") && empty("inputRequests") => {
            Observed::InputRequiredWithoutContinuation
        }
        other => other,
    }
}

fn good_sibling_excuses(result: Value<'_>, call: &Call<'_>) -> Observed {
    let state = result.get("requestState").is_some_and(|state| state.as_text().is_some());
    let inputs = result.get("inputRequests").is_some_and(Value::is_object);
    match result::observe(result, call) {
        Observed::InputRequiredWithMalformedContinuation if state || inputs => Observed::InputRequired,
        other => other,
    }
}

fn continuation_overlooked(result: Value<'_>, call: &Call<'_>) -> Observed {
    exchanged(result, call, Observed::CompleteWithContinuation, Observed::Complete)
}

fn input_needs_nothing(result: Value<'_>, call: &Call<'_>) -> Observed {
    exchanged(result, call, Observed::InputRequiredWithoutContinuation, Observed::InputRequired)
}

fn task_always_understood(result: Value<'_>, call: &Call<'_>) -> Observed {
    match result.get("resultType").and_then(Value::as_text) {
        Some(token) if token.is("task") => Observed::Extension(ExtensionToken::Task),
        _ => result::observe(result, call),
    }
}

fn task_never_understood(result: Value<'_>, call: &Call<'_>) -> Observed {
    exchanged(result, call, Observed::Extension(ExtensionToken::Task), Observed::Unrecognized)
}

fn exchanged(result: Value<'_>, call: &Call<'_>, right: Observed, wrong: Observed) -> Observed {
    match result::observe(result, call) {
        observed if observed == right => wrong,
        observed => observed,
    }
}
