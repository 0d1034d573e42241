//! Faults of the era.

use super::{Exchange, Mutant};
use crate::case::Revision;
use crate::codec::era::{self, Era, KnownRevision, Signals, UnknownEra};
use crate::codec::meta::BodyVersion;
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "era.header-wins",
        wrong: "Where header and body disagree the header wins.",
        fault: "FF-057",
        killer: "era.conflict-refused",
        exchange: Exchange::Stages(&Stages { era: header_wins, ..STAGES }),
    },
    Mutant {
        id: "era.body-wins",
        wrong: "Where header and body disagree the body wins.",
        fault: "FF-050",
        killer: "era.conflict-refused",
        exchange: Exchange::Stages(&Stages { era: body_wins, ..STAGES }),
    },
    Mutant {
        id: "era.conflict-is-unknown",
        wrong: "A conflict is reported as unknown.",
        fault: "FF-058",
        killer: "era.conflict-refused",
        exchange: Exchange::Stages(&Stages { era: conflict_is_unknown, ..STAGES }),
    },
    Mutant {
        id: "era.silence-is-modern",
        wrong: "Without a signal the modern era is assumed.",
        fault: "FF-042",
        killer: "era.unknown-not-terminal",
        exchange: Exchange::Stages(&Stages { era: silence_is_modern, ..STAGES }),
    },
    Mutant {
        id: "era.silence-is-legacy",
        wrong: "Without a signal a legacy era is assumed.",
        fault: "header-legacy-version-header-absent-default",
        killer: "era.unknown-not-terminal",
        exchange: Exchange::Stages(&Stages { era: silence_is_legacy, ..STAGES }),
    },
    Mutant {
        id: "era.any-date-known",
        wrong: "A date that is not known is taken for the oldest known one.",
        fault: "FF-045",
        killer: "era.revision-is-exact",
        exchange: Exchange::Stages(&Stages { era: any_date_known, ..STAGES }),
    },
    Mutant {
        id: "era.newer-is-modern",
        wrong: "Any later date is taken for the modern revision.",
        fault: "FF-047",
        killer: "era.unknown-not-terminal",
        exchange: Exchange::Stages(&Stages { era: newer_is_modern, ..STAGES }),
    },
    Mutant {
        id: "era.malformed-is-absent",
        wrong: "A signal that cannot be read counts as none.",
        fault: "FF-052",
        killer: "era.malformed-beats-disagreement",
        exchange: Exchange::Stages(&Stages { era: malformed_is_absent, ..STAGES }),
    },
    Mutant {
        id: "era.context-first",
        wrong: "What the session established beats what the message says.",
        fault: "negotiation-per-request-independent",
        killer: "era.own-signal-beats-context",
        exchange: Exchange::Stages(&Stages { era: context_first, ..STAGES }),
    },
    Mutant {
        id: "era.context-ignored",
        wrong: "What the session established is forgotten.",
        fault: "FF-044",
        killer: "era.own-signal-beats-context",
        exchange: Exchange::Stages(&Stages { era: context_ignored, ..STAGES }),
    },
    Mutant {
        id: "era.version-trimmed",
        wrong: "White space around the version in the body is lost.",
        fault: "negotiation-version-exact-string",
        killer: "era.malformed-beats-disagreement",
        exchange: Exchange::Stages(&Stages { era: version_trimmed, ..STAGES }),
    },
    Mutant {
        id: "era.shape-is-no-day",
        wrong: "A text in the shape of a date that names no day counts as unsupported.",
        fault: "FF-045",
        killer: "era.malformed-beats-disagreement",
        exchange: Exchange::Stages(&Stages { era: shape_is_no_day, ..STAGES }),
    },
];

fn known(text: &str) -> Era {
    KnownRevision::of(text).map_or(Era::Unknown(UnknownEra::NoSignal), Era::Known)
}

fn header_wins(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Conflicting { header, .. } => known(header.as_str()),
        other => other,
    }
}

fn body_wins(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Conflicting { body, .. } => known(body.as_str()),
        other => other,
    }
}

fn conflict_is_unknown(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Conflicting { .. } => Era::Unknown(UnknownEra::MalformedSignal),
        other => other,
    }
}

fn silence_is_modern(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Unknown(UnknownEra::NoSignal) => Era::Known(KnownRevision::V2026_07_28),
        other => other,
    }
}

fn silence_is_legacy(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Unknown(UnknownEra::NoSignal) => Era::Known(KnownRevision::V2025_03_26),
        other => other,
    }
}

fn any_date_known(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Unknown(UnknownEra::UnsupportedRevision(_)) => Era::Known(KnownRevision::V2024_11_05),
        other => other,
    }
}

fn newer_is_modern(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Unknown(UnknownEra::UnsupportedRevision(date)) if date.as_str() > "2026-07-28" => {
            Era::Known(KnownRevision::V2026_07_28)
        }
        other => other,
    }
}

fn malformed_is_absent(signals: &Signals<'_>) -> Era {
    match era::resolve(signals) {
        Era::Unknown(UnknownEra::MalformedSignal) => Era::Unknown(UnknownEra::NoSignal),
        other => other,
    }
}

fn context_first(signals: &Signals<'_>) -> Era {
    match signals.context {
        Some(revision) => known(revision.as_str()),
        None => era::resolve(signals),
    }
}

fn context_ignored(signals: &Signals<'_>) -> Era {
    era::resolve(&Signals { context: None, ..*signals })
}

fn version_trimmed(signals: &Signals<'_>) -> Era {
    match (era::resolve(signals), signals.body) {
        (Era::Unknown(UnknownEra::MalformedSignal), BodyVersion::Text(_, text)) => known(text.decode().trim()),
        (other, _) => other,
    }
}

fn shape_is_no_day(signals: &Signals<'_>) -> Era {
    let shaped = |text: &str| text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let stand_in = Revision::parse(b"1970-01-01");
    match (era::resolve(signals), signals.body, stand_in) {
        (Era::Unknown(UnknownEra::MalformedSignal), BodyVersion::Text(_, text), Some(day))
            if shaped(&text.decode()) =>
        {
            Era::Unknown(UnknownEra::UnsupportedRevision(day))
        }
        (other, ..) => other,
    }
}
