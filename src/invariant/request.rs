//! What a client's request licenses, and what it owes before it is served.
//!
//! Speaks of requests that stand alone and come from a client. A server's request belongs to legacy sessions.

use super::era::{open_era_conclusion, resolve};
use super::meta::declared;
use super::scan::Sort;
use super::seen::{Seen, Signal};
use super::verdict::{VACUOUS, both, concludes, owes, spares};
use super::{Check, Invariant, Verdict};
use crate::codec::conclusion::{Conclusion, InvalidReason};
use crate::codec::era::{Era, UnknownEra};
use crate::codec::meta::CapabilityState;
use crate::codec::refusal::Stage;
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "request.malformed-metadata-is-invalid",
        requirements: &["meta-is-object", "envelope-params-is-object", "meta-protocol-version-is-string"],
        level: Level::Must,
        rule: "A request whose params, _meta or version have the wrong type is invalid and refused as metadata.",
        check: Check::Alone(malformed_metadata_is_invalid),
    },
    Invariant {
        id: "request.version-key-required",
        requirements: &["meta-protocol-version-required", "header-body-version-missing-is-invalid-params"],
        level: Level::Must,
        rule: "A request that claims to be modern without its version key is invalid and refused with -32602.",
        check: Check::Alone(version_key_required),
    },
    Invariant {
        id: "request.capabilities-required",
        requirements: &["meta-client-capabilities-required"],
        level: Level::Must,
        rule: "A modern request without its capabilities key is invalid and refused with -32602.",
        check: Check::Alone(capabilities_required),
    },
    Invariant {
        id: "request.malformed-capabilities-are-invalid",
        requirements: &["capabilities-values-are-objects", "meta-client-capabilities-is-object"],
        level: Level::Must,
        rule: "A modern request whose capabilities cannot be read is invalid and refused as metadata.",
        check: Check::Alone(malformed_capabilities_are_invalid),
    },
    Invariant {
        id: "request.legacy-needs-no-metadata",
        requirements: &["meta-legacy-modern-meta-not-required"],
        level: Level::MustNot,
        rule: "A request of a known legacy era is valid, whatever its capabilities say.",
        check: Check::Alone(legacy_needs_no_metadata),
    },
    Invariant {
        id: "request.modern-is-valid",
        requirements: &["negotiation-version-on-every-request", "capabilities-open-set"],
        level: Level::Must,
        rule: "A modern request with both keys readable is valid and not refused for its keys or its revision.",
        check: Check::Alone(modern_is_valid),
    },
    Invariant {
        id: "request.unknown-is-not-valid",
        requirements: &["negotiation-unsupported-version-error", "http-unsupported-version-400"],
        level: Level::Must,
        rule: "A request of an unknown era is incomplete, and refused where it names a revision that is not known.",
        check: Check::Alone(unknown_is_not_valid),
    },
];

/// Whether what is present in the metadata has a wrong type, capabilities aside.
pub fn has_malformed_metadata(seen: &Seen<'_>) -> bool {
    let wrong = |found: Option<Sort>, owed: Sort| found.is_some_and(|sort| sort != owed);
    wrong(seen.params().map(|params| params.sort()), Sort::Object)
        || wrong(seen.meta().map(|meta| meta.sort()), Sort::Object)
        || wrong(seen.version().map(|version| version.sort()), Sort::String)
}

/// The era of a request that this family speaks of.
fn era_of(seen: &Seen<'_>) -> Option<Era> {
    resolve(seen).filter(|_| seen.is_client_request())
}

fn malformed_metadata_is_invalid(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match era_of(seen) {
        Some(_) if seen.body_signal() == Signal::Malformed => {
            let invalid = concludes(observation, Conclusion::Invalid(InvalidReason::MalformedRequestMetadata));
            both(invalid, || match has_malformed_metadata(seen) {
                true => owes(observation, Stage::Metadata, Some(-32602)),
                false => VACUOUS,
            })
        }
        _ => VACUOUS,
    }
}

fn version_key_required(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    if era_of(seen).is_none() || seen.body_signal() != Signal::Absent {
        return VACUOUS;
    }
    let by_context = era_of(seen).is_some_and(Era::is_modern);
    if !by_context && !seen.claims_modern() {
        return VACUOUS;
    }
    let refused = owes(observation, Stage::RequiredKeys, Some(-32602));
    both(refused, || match era_of(seen) {
        Some(Era::Known(revision)) if revision.is_modern() => {
            concludes(observation, Conclusion::Invalid(InvalidReason::MissingRequestMetadata))
        }
        _ => VACUOUS,
    })
}

fn capabilities_required(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    if !modern_with_version(seen) || declared(seen).state != CapabilityState::Absent {
        return VACUOUS;
    }
    let invalid = concludes(observation, Conclusion::Invalid(InvalidReason::MissingCapabilities));
    both(invalid, || owes(observation, Stage::RequiredKeys, Some(-32602)))
}

fn malformed_capabilities_are_invalid(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    if !modern_with_version(seen) || declared(seen).state != CapabilityState::Malformed {
        return VACUOUS;
    }
    let invalid = concludes(observation, Conclusion::Invalid(InvalidReason::MalformedCapabilities));
    both(invalid, || owes(observation, Stage::Metadata, Some(-32602)))
}

fn legacy_needs_no_metadata(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match era_of(seen) {
        Some(era) if era.is_legacy() => {
            let valid = concludes(observation, Conclusion::Valid);
            let keys = || spares(observation, Stage::RequiredKeys);
            both(both(valid, keys), || spares(observation, Stage::Metadata))
        }
        _ => VACUOUS,
    }
}

fn modern_is_valid(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let readable = matches!(declared(seen).state, CapabilityState::CoreOnly | CapabilityState::ExtensionNotUnderstood);
    if !modern_with_version(seen) || !readable {
        return VACUOUS;
    }
    let valid = concludes(observation, Conclusion::Valid);
    let stages = [Stage::Metadata, Stage::RequiredKeys, Stage::Revision];
    stages.into_iter().fold(valid, |verdict, stage| both(verdict, || spares(observation, stage)))
}

fn unknown_is_not_valid(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    // Unreadable metadata comes before the era, and has an invariant of its own.
    let Some(era) = era_of(seen).filter(|_| seen.body_signal() != Signal::Malformed) else { return VACUOUS };
    let Some(owed) = open_era_conclusion(era) else { return VACUOUS };
    let concluded = concludes(observation, owed);
    both(concluded, || match (era, seen.body_signal()) {
        (Era::Unknown(UnknownEra::UnsupportedRevision(_)), Signal::Day(_)) => {
            owes(observation, Stage::Revision, Some(-32022))
        }
        _ => VACUOUS,
    })
}

fn modern_with_version(seen: &Seen<'_>) -> bool {
    era_of(seen).is_some_and(Era::is_modern) && matches!(seen.body_signal(), Signal::Day(_))
}
