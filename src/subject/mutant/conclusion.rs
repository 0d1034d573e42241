//! Faults of the conclusion.

use super::{Exchange, Mutant};
use crate::codec::conclusion::{Conclusion, IncompleteReason, InvalidReason, of_request, of_result};
use crate::codec::era::{Era, KnownRevision};
use crate::codec::meta::{BodyVersion, Capabilities, CapabilityState};
use crate::codec::result::{Call, ExtensionToken, ResultObservation};
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "conclusion.token-over-era",
        wrong: "A result that claims completion is terminal whatever its era is.",
        fault: "FF-042",
        killer: "era.unknown-not-terminal",
        exchange: Exchange::Stages(&Stages { conclude_result: token_over_era, ..STAGES }),
    },
    Mutant {
        id: "conclusion.open-era-goes-on",
        wrong: "A call of an open era goes on when its result asks for input.",
        fault: "FF-041",
        killer: "era.unknown-not-terminal",
        exchange: Exchange::Stages(&Stages { conclude_result: open_era_goes_on, ..STAGES }),
    },
    Mutant {
        id: "conclusion.open-era-is-served",
        wrong: "A request of an unknown or conflicting era is served.",
        fault: "FF-057",
        killer: "era.unknown-not-terminal",
        exchange: Exchange::Stages(&Stages { conclude_request: open_era_is_served, ..STAGES }),
    },
    Mutant {
        id: "conclusion.legacy-owes-type",
        wrong: "A legacy result without resultType is invalid.",
        fault: "FF-042",
        killer: "era.absence-is-legacy-only",
        exchange: Exchange::Stages(&Stages { conclude_result: legacy_owes_type, ..STAGES }),
    },
    Mutant {
        id: "conclusion.legacy-owes-capabilities",
        wrong: "A legacy request is held to the capabilities of the modern era.",
        fault: "meta-legacy-modern-meta-not-required",
        killer: "request.legacy-needs-no-metadata",
        exchange: Exchange::Stages(&Stages { conclude_request: legacy_owes_capabilities, ..STAGES }),
    },
    Mutant {
        id: "conclusion.version-key-optional",
        wrong: "A modern request may leave its version key out.",
        fault: "FF-051",
        killer: "request.version-key-required",
        exchange: Exchange::Stages(&Stages { conclude_request: version_key_optional, ..STAGES }),
    },
    Mutant {
        id: "conclusion.capabilities-optional",
        wrong: "A modern request may leave its capabilities out.",
        fault: "meta-client-capabilities-required",
        killer: "request.capabilities-required",
        exchange: Exchange::Stages(&Stages { conclude_request: capabilities_optional, ..STAGES }),
    },
    Mutant {
        id: "conclusion.capabilities-unread",
        wrong: "Capabilities that cannot be read do not matter.",
        fault: "FF-097",
        killer: "result.malformed-capabilities-decide",
        exchange: Exchange::Stages(&Stages { conclude_result: capabilities_unread, ..STAGES }),
    },
    Mutant {
        id: "conclusion.contradiction-is-terminal",
        wrong: "Completion beside a continuation finishes the call.",
        fault: "result-complete-for-final",
        killer: "result.completion-without-continuation",
        exchange: Exchange::Stages(&Stages { conclude_result: contradiction_is_terminal, ..STAGES }),
    },
    Mutant {
        id: "conclusion.open-question-closed",
        wrong: "An unknown token is unrecognized where the question is open.",
        fault: "result-type-set-from-core-and-extensions",
        killer: "task.not-to-undeclaring-client",
        exchange: Exchange::Stages(&Stages { conclude_result: open_question_closed, ..STAGES }),
    },
    Mutant {
        id: "conclusion.closed-question-open",
        wrong: "An unknown token stays undeterminable where the question is closed.",
        fault: "result-type-unknown-is-invalid",
        killer: "result.core-only-closes-the-question",
        exchange: Exchange::Stages(&Stages { conclude_result: closed_question_open, ..STAGES }),
    },
    Mutant {
        id: "conclusion.broken-signal-is-incomplete",
        wrong: "A result under a signal that cannot be read is only incomplete.",
        fault: "FF-052",
        killer: "result.open-era-decides",
        exchange: Exchange::Stages(&Stages { conclude_result: broken_signal_is_incomplete, ..STAGES }),
    },
    Mutant {
        id: "conclusion.task-for-any-method",
        wrong: "A task may answer any method.",
        fault: "extension-tasks-only-for-tools-call",
        killer: "task.only-for-tools-call",
        exchange: Exchange::Stages(&Stages { conclude_result: task_for_any_method, ..STAGES }),
    },
    Mutant {
        id: "conclusion.legacy-task",
        wrong: "A task goes on under a legacy era.",
        fault: "extension-tasks-not-under-2025-11-25",
        killer: "task.not-under-legacy",
        exchange: Exchange::Stages(&Stages { conclude_result: legacy_unknown_goes_on, ..STAGES }),
    },
    Mutant {
        id: "conclusion.oldest-era-apart",
        wrong: "The oldest revision never finishes a call.",
        fault: "FF-048",
        killer: "relation.complete-in-both-eras",
        exchange: Exchange::Stages(&Stages { conclude_result: oldest_era_apart, ..STAGES }),
    },
];

fn is_open(era: Era) -> bool {
    !matches!(era, Era::Known(_))
}

fn token_over_era(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    match observed {
        ResultObservation::Complete if is_open(call.era) => Conclusion::Terminal,
        _ => of_result(observed, call, modern),
    }
}

fn open_era_goes_on(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    match observed {
        ResultObservation::InputRequired if is_open(call.era) => Conclusion::NonTerminal,
        _ => of_result(observed, call, modern),
    }
}

fn open_era_is_served(era: Era, version: &BodyVersion<'_>, capabilities: Capabilities) -> Conclusion {
    match era {
        Era::Known(_) => of_request(era, version, capabilities),
        _ => Conclusion::Valid,
    }
}

fn legacy_owes_type(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    match observed {
        ResultObservation::Missing if call.era.is_legacy() => Conclusion::Invalid(InvalidReason::MissingResultType),
        _ => of_result(observed, call, modern),
    }
}

fn legacy_owes_capabilities(era: Era, version: &BodyVersion<'_>, capabilities: Capabilities) -> Conclusion {
    match capabilities.state {
        CapabilityState::Absent | CapabilityState::None if era.is_legacy() => {
            Conclusion::Invalid(InvalidReason::MissingCapabilities)
        }
        _ => of_request(era, version, capabilities),
    }
}

fn version_key_optional(era: Era, version: &BodyVersion<'_>, capabilities: Capabilities) -> Conclusion {
    instead(era, version, capabilities, InvalidReason::MissingRequestMetadata)
}

fn capabilities_optional(era: Era, version: &BodyVersion<'_>, capabilities: Capabilities) -> Conclusion {
    instead(era, version, capabilities, InvalidReason::MissingCapabilities)
}

fn instead(era: Era, version: &BodyVersion<'_>, capabilities: Capabilities, fault: InvalidReason) -> Conclusion {
    match of_request(era, version, capabilities) {
        Conclusion::Invalid(found) if found == fault => Conclusion::Valid,
        other => other,
    }
}

fn capabilities_unread(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    let read = match call.capabilities.state {
        CapabilityState::Malformed => Capabilities::of(CapabilityState::CoreOnly),
        _ => call.capabilities,
    };
    of_result(observed, &Call { capabilities: read, ..*call }, modern)
}

fn contradiction_is_terminal(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    exchanged(observed, call, modern, IncompleteReason::ContradictoryResult, Conclusion::Terminal)
}

fn open_question_closed(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    let closed = Conclusion::Incomplete(IncompleteReason::UnrecognizedResultType);
    exchanged(observed, call, modern, IncompleteReason::RecognitionUndeterminable, closed)
}

fn closed_question_open(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    let open = Conclusion::Incomplete(IncompleteReason::RecognitionUndeterminable);
    exchanged(observed, call, modern, IncompleteReason::UnrecognizedResultType, open)
}

fn exchanged(
    observed: ResultObservation,
    call: &Call<'_>,
    modern: bool,
    right: IncompleteReason,
    wrong: Conclusion,
) -> Conclusion {
    match of_result(observed, call, modern) {
        Conclusion::Incomplete(found) if found == right => wrong,
        other => other,
    }
}

fn broken_signal_is_incomplete(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    match of_result(observed, call, modern) {
        Conclusion::Invalid(InvalidReason::MalformedEraSignal) => Conclusion::Incomplete(IncompleteReason::NoSignal),
        other => other,
    }
}

fn task_for_any_method(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    match observed {
        ResultObservation::Extension(ExtensionToken::Task) if call.method.is_some() => Conclusion::NonTerminal,
        _ => of_result(observed, call, modern),
    }
}

fn legacy_unknown_goes_on(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    match observed {
        ResultObservation::Unrecognized if call.era.is_legacy() => Conclusion::NonTerminal,
        _ => of_result(observed, call, modern),
    }
}

fn oldest_era_apart(observed: ResultObservation, call: &Call<'_>, modern: bool) -> Conclusion {
    match (of_result(observed, call, modern), call.era) {
        (Conclusion::Terminal, Era::Known(KnownRevision::V2024_11_05)) => Conclusion::NonTerminal,
        (other, _) => other,
    }
}
