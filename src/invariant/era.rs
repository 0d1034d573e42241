//! Which era a message belongs to, and that nothing is finished while that is open.

use super::scan::Sort;
use super::seen::{Seen, Shape, Signal};
use super::verdict::{HELD, HIDDEN, VACUOUS, both, broken, concludes, equals, owes};
use super::{Check, Invariant, Verdict};
use crate::case::{Revision, StatedCapabilities};
use crate::codec::conclusion::{Conclusion, IncompleteReason, InvalidReason};
use crate::codec::era::{Era, KnownRevision, UnknownEra};
use crate::codec::refusal::Stage;
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family; the first promise first.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "era.unknown-not-terminal",
        requirements: &["project-unknown-era-not-terminal"],
        level: Level::Project,
        rule: "No message is valid, terminal or non-terminal under an unknown or a conflicting era.",
        check: Check::Alone(unknown_not_terminal),
    },
    Invariant {
        id: "era.conflict-refused",
        requirements: &["header-protocol-version-equals-meta", "header-validation-by-body-processors"],
        level: Level::Must,
        rule: "A header and a body that name two dates conflict, are reported apart from unknown, and are refused.",
        check: Check::Alone(conflict_refused),
    },
    Invariant {
        id: "era.absence-is-legacy-only",
        requirements: &["result-type-absent-means-complete", "result-type-required"],
        level: Level::Must,
        rule: "A result without resultType is terminal in a legacy era and invalid in the modern one.",
        check: Check::Alone(absence_is_legacy_only),
    },
    Invariant {
        id: "era.malformed-beats-disagreement",
        requirements: &["meta-protocol-version-is-string", "header-invalid-characters-rejected"],
        level: Level::Must,
        rule: "A signal that cannot be read makes the era unknown, whatever another signal says.",
        check: Check::Alone(|seen, observation| {
            resolves(seen, observation, |era| era == Era::Unknown(UnknownEra::MalformedSignal))
        }),
    },
    Invariant {
        id: "era.revision-is-exact",
        requirements: &["negotiation-version-exact-string"],
        level: Level::Must,
        rule: "A date is a known revision when it is one of the five, character by character, and else unsupported.",
        check: Check::Alone(|seen, observation| {
            resolves(seen, observation, |era| {
                matches!(era, Era::Known(_) | Era::Unknown(UnknownEra::UnsupportedRevision(_)))
            })
        }),
    },
    Invariant {
        id: "era.silence-is-unknown",
        requirements: &["project-unknown-era-not-terminal", "meta-requests-are-self-contained"],
        level: Level::Project,
        rule: "Without any signal and without a context the era is unknown.",
        check: Check::Alone(|seen, observation| {
            resolves(seen, observation, |era| era == Era::Unknown(UnknownEra::NoSignal))
        }),
    },
    Invariant {
        id: "era.own-signal-beats-context",
        requirements: &["negotiation-per-request-independent", "meta-requests-are-self-contained"],
        level: Level::Must,
        rule: "What a session established counts only for a message that carries no signal of its own.",
        check: Check::Alone(own_signal_beats_context),
    },
    Invariant {
        id: "era.header-name-has-no-case",
        requirements: &["header-names-case-insensitive"],
        level: Level::Must,
        rule: "The version header counts in any letter case.",
        check: Check::Alone(header_name_has_no_case),
    },
];

/// The era by the signals of a case that stands alone; `None` where the rules do not say.
pub fn resolve(seen: &Seen<'_>) -> Option<Era> {
    *seen.era.get_or_init(|| read_era(seen))
}

fn read_era(seen: &Seen<'_>) -> Option<Era> {
    let body = match seen.shape()? {
        Shape::Request => seen.body_signal(),
        Shape::Result | Shape::Error => Signal::Absent,
        Shape::Notification if seen.body_signal() == Signal::Absent => Signal::Absent,
        _ => return None,
    };
    if !seen.lone {
        return None;
    }
    let header = if seen.over_http() { seen.header_signal() } else { Signal::Absent };
    Some(match (header, body) {
        (Signal::Malformed, _) | (_, Signal::Malformed) => Era::Unknown(UnknownEra::MalformedSignal),
        (Signal::Day(header), Signal::Day(body)) if header != body => Era::Conflicting { header, body },
        (Signal::Day(day), _) | (_, Signal::Day(day)) => classify(day),
        (Signal::Absent, Signal::Absent) => {
            seen.case.stated.revision.map_or(Era::Unknown(UnknownEra::NoSignal), classify)
        }
    })
}

fn classify(day: Revision) -> Era {
    KnownRevision::ALL
        .into_iter()
        .find(|known| known.as_str() == day.as_str())
        .map_or(Era::Unknown(UnknownEra::UnsupportedRevision(day)), Era::Known)
}

fn unknown_not_terminal(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let open = |era: Option<Era>| era.is_some_and(|era| !matches!(era, Era::Known(_)));
    if !open(observation.era) && !open(resolve(seen)) {
        return VACUOUS;
    }
    let finished = |kind| broken(kind, "no such conclusion under an unknown or conflicting era", kind);
    match observation.conclusion {
        Some(Conclusion::Terminal) => finished("terminal"),
        Some(Conclusion::NonTerminal) => finished("non-terminal"),
        Some(Conclusion::Valid) => finished("valid"),
        Some(_) => HELD,
        None if observation.era.is_none() => HIDDEN,
        None => VACUOUS,
    }
}

fn conflict_refused(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let Some(owed @ Era::Conflicting { .. }) = resolve(seen) else { return VACUOUS };
    let shown = equals("reported-otherwise", observation.era, owed, era_words);
    let concluded = || concludes(observation, Conclusion::RefusedEraConflicting);
    both(both(shown, concluded), || match seen.is_client_request() {
        true => owes(observation, Stage::Header, Some(-32020)),
        false => VACUOUS,
    })
}

fn absence_is_legacy_only(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let (Some(Shape::Result), Some(result), Some(Era::Known(revision))) = (seen.shape(), seen.result(), resolve(seen))
    else {
        return VACUOUS;
    };
    if result.sort() != Sort::Object || result.get("resultType").is_some() {
        return VACUOUS;
    }
    match revision.is_modern() {
        false => concludes(observation, Conclusion::Terminal),
        // Capabilities that cannot be read come before what the result says.
        true if seen.case.stated.capabilities == Some(StatedCapabilities::Malformed) => VACUOUS,
        true => concludes(observation, Conclusion::Invalid(InvalidReason::MissingResultType)),
    }
}

fn own_signal_beats_context(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match seen.case.stated.revision {
        Some(_) => resolves(seen, observation, |_| true),
        None => VACUOUS,
    }
}

fn header_name_has_no_case(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let spelled = |name: &[u8]| name.eq_ignore_ascii_case(b"mcp-protocol-version") && name != b"MCP-Protocol-Version";
    match seen.over_http() && seen.case.headers.iter().any(|header| spelled(&header.name)) {
        true => resolves(seen, observation, |_| true),
        false => VACUOUS,
    }
}

fn resolves(seen: &Seen<'_>, observation: &Observation, speaks_of: impl Fn(Era) -> bool) -> Verdict {
    match resolve(seen).filter(|era| speaks_of(*era)) {
        Some(owed) => equals("other-era", observation.era, owed, era_words),
        None => VACUOUS,
    }
}

/// An era in words; dates passed the date check, so they are no text of the peer.
pub fn era_words(era: Era) -> String {
    match era {
        Era::Known(revision) => format!("known ({})", revision.as_str()),
        Era::Unknown(why) => format!("unknown ({})", why.word()),
        Era::Conflicting { header, body } => format!("conflicting ({header}, {body})"),
    }
}

/// What a response concludes while its era is open.
pub fn open_era_conclusion(era: Era) -> Option<Conclusion> {
    Some(match era {
        Era::Known(_) => return None,
        Era::Unknown(UnknownEra::MalformedSignal) => Conclusion::Invalid(InvalidReason::MalformedEraSignal),
        Era::Unknown(UnknownEra::NoSignal) => Conclusion::Incomplete(IncompleteReason::NoSignal),
        Era::Unknown(UnknownEra::UnsupportedRevision(_)) => {
            Conclusion::Incomplete(IncompleteReason::UnsupportedRevision)
        }
        Era::Conflicting { .. } => Conclusion::RefusedEraConflicting,
    })
}
