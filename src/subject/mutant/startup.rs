//! Faults of a client that starts up: where it steps back although it must not.

use super::{Exchange, Mutant};
use crate::codec::negotiate::{Event, Probe, RULES, Rules};
use crate::codec::reading::Profile;

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "startup.unsupported-is-legacy",
        wrong: "A modern refusal of the version is taken for a legacy server.",
        fault: "FF-037",
        killer: "downgrade.not-after-modern-error",
        exchange: Exchange::Startup(&Rules { probe: unsupported_is_legacy, ..RULES }),
    },
    Mutant {
        id: "startup.any-error-is-legacy",
        wrong: "Any error leads to a legacy era.",
        fault: "FF-037",
        killer: "downgrade.not-after-modern-answer",
        exchange: Exchange::Startup(&Rules { probe: any_error_is_legacy, ..RULES }),
    },
    Mutant {
        id: "startup.bare-code-is-legacy",
        wrong: "A modern code without its data leads to a legacy era.",
        fault: "FF-138",
        killer: "downgrade.refuse-first",
        exchange: Exchange::Startup(&Rules { probe: bare_code_is_legacy, ..RULES }),
    },
    Mutant {
        id: "startup.failure-is-legacy",
        wrong: "A failure of the server, or of authorization, leads to a legacy era.",
        fault: "fallback-401-403-not-era-evidence",
        killer: "downgrade.not-after-failure",
        exchange: Exchange::Startup(&Rules { probe: failure_is_legacy, ..RULES }),
    },
    Mutant {
        id: "startup.one-code-decides",
        wrong: "Only one error code leads to a legacy era.",
        fault: "FF-038",
        killer: "downgrade.not-one-code",
        exchange: Exchange::Startup(&Rules { probe: one_code_decides, ..RULES }),
    },
    Mutant {
        id: "startup.typed-result-is-legacy",
        wrong: "A modern result that is no discover result leads to a legacy era.",
        fault: "FF-041",
        killer: "downgrade.not-after-modern-answer",
        exchange: Exchange::Startup(&Rules { probe: typed_result_is_legacy, ..RULES }),
    },
    Mutant {
        id: "startup.discovery-distrusted",
        wrong: "A discover result leads to a legacy era.",
        fault: "FF-041",
        killer: "downgrade.not-after-modern-answer",
        exchange: Exchange::Startup(&Rules { probe: discovery_distrusted, ..RULES }),
    },
    Mutant {
        id: "startup.own-fault-is-legacy",
        wrong: "A probe that the client itself got wrong is taken for one that stayed without an answer.",
        fault: "project-refuse-before-downgrade",
        killer: "downgrade.not-on-own-fault",
        exchange: Exchange::Startup(&Rules { probe: own_fault_is_legacy, ..RULES }),
    },
];

fn code(event: &Event<'_>) -> Option<i64> {
    match event {
        Event::Answer { envelope, .. } => envelope.error_code(),
        _ => None,
    }
}

fn unsupported_is_legacy(event: &Event<'_>, profile: Profile) -> Probe {
    match code(event) {
        Some(-32022) => Probe::Inconclusive,
        _ => (RULES.probe)(event, profile),
    }
}

fn any_error_is_legacy(event: &Event<'_>, profile: Profile) -> Probe {
    match code(event) {
        Some(_) => Probe::Inconclusive,
        None => (RULES.probe)(event, profile),
    }
}

fn bare_code_is_legacy(event: &Event<'_>, profile: Profile) -> Probe {
    match event {
        Event::Answer { envelope, .. } if envelope.error.is_some_and(|error| error.get("data").is_none()) => {
            Probe::Inconclusive
        }
        _ => (RULES.probe)(event, profile),
    }
}

fn failure_is_legacy(event: &Event<'_>, profile: Profile) -> Probe {
    match (RULES.probe)(event, profile) {
        Probe::Failure => Probe::Inconclusive,
        probe => probe,
    }
}

fn one_code_decides(event: &Event<'_>, profile: Profile) -> Probe {
    match (code(event), (RULES.probe)(event, profile)) {
        (Some(other), Probe::Inconclusive) if other != -32601 => Probe::ModernRefusal,
        (_, probe) => probe,
    }
}

fn typed_result_is_legacy(event: &Event<'_>, profile: Profile) -> Probe {
    let is_result = matches!(event, Event::Answer { envelope, .. } if envelope.result.is_some());
    match (RULES.probe)(event, profile) {
        Probe::ModernRefusal if is_result => Probe::Inconclusive,
        probe => probe,
    }
}

fn discovery_distrusted(event: &Event<'_>, profile: Profile) -> Probe {
    match (RULES.probe)(event, profile) {
        Probe::Discovered => Probe::Inconclusive,
        probe => probe,
    }
}

fn own_fault_is_legacy(event: &Event<'_>, profile: Profile) -> Probe {
    match event {
        Event::BrokenProbe => Probe::Inconclusive,
        _ => (RULES.probe)(event, profile),
    }
}
