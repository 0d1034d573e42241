//! Bounds, syntax and duplicate members: what a reader refuses before it looks at meaning.
//!
//! Which of several faults of one text is met first is the reader's own affair, so exact reasons are asked for only
//! where a text has a single fault.

use super::scan::Malformed;
use super::seen::{Seen, Text};
use super::verdict::{HELD, HIDDEN, VACUOUS, broken, is_blank, refusal_words};
use super::{Check, Invariant, Verdict};
use crate::codec::refusal::{Reason, Stage};
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "bounds.refuse-early",
        requirements: &[
            "project-limit-bytes",
            "project-limit-depth",
            "project-limit-nodes",
            "project-limit-members",
            "project-limit-string",
            "project-limit-number",
        ],
        level: Level::Project,
        rule: "A document over a limit is refused for that limit, and no more nodes are built than the limit allows.",
        check: Check::Alone(refuse_early),
    },
    Invariant {
        id: "bounds.within-limits-is-read",
        requirements: &["json-well-formed"],
        level: Level::Must,
        rule: "A well-formed document within every limit, without repeated names, is not refused as bytes or JSON.",
        check: Check::Alone(within_limits_is_read),
    },
    Invariant {
        id: "bounds.no-duplicate-member",
        requirements: &["json-member-names-unique"],
        level: Level::Should,
        rule: "A name that an object holds twice, compared after unescaping, is refused at any depth.",
        check: Check::Alone(no_duplicate_member),
    },
    Invariant {
        id: "bounds.malformed-is-refused",
        requirements: &["json-well-formed", "json-utf8-only", "json-no-byte-order-mark"],
        level: Level::Must,
        rule: "A text that is not one JSON value in UTF-8 is refused as bytes or JSON.",
        check: Check::Alone(malformed_is_refused),
    },
    Invariant {
        id: "bounds.nothing-trails",
        requirements: &["json-single-value-no-trailing-garbage"],
        level: Level::Must,
        rule: "Anything behind a complete value is refused as trailing data.",
        check: Check::Alone(nothing_trails),
    },
    Invariant {
        id: "bounds.no-lone-surrogate",
        requirements: &["json-no-lone-surrogate-escapes"],
        level: Level::ShouldNot,
        rule: "An escaped surrogate without its partner is refused.",
        check: Check::Alone(no_lone_surrogate),
    },
    Invariant {
        id: "bounds.offset-inside",
        requirements: &["project-refusal-has-a-place"],
        level: Level::Project,
        rule: "The offset of a refusal lies within the body or at its end.",
        check: Check::Alone(offset_inside),
    },
    Invariant {
        id: "bounds.fault-ends-reading",
        requirements: &["project-fault-ends-reading"],
        level: Level::Project,
        rule: "After a refusal as bytes, JSON or envelope nothing about era, result or conclusion is observed.",
        check: Check::Alone(fault_ends_reading),
    },
];

fn refuse_early(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let limits = seen.limits;
    if observation.cost.nodes > limits.nodes {
        return broken(
            "too-many-nodes",
            format!("at most {} nodes", limits.nodes),
            format!("{} nodes", observation.cost.nodes),
        );
    }
    let scan = match seen.text() {
        Text::TooLong => return refused_for(observation, Reason::ByteLimit),
        Text::Json(scan) if !scan.repeated && !scan.surrogate => scan,
        _ => return VACUOUS,
    };
    let found = [
        (scan.depth > limits.depth, Reason::DepthLimit),
        (scan.count() > limits.nodes, Reason::NodeLimit),
        (scan.members > limits.members, Reason::MemberLimit),
        (scan.string > limits.string, Reason::StringLimit),
        (scan.number > limits.number, Reason::NumberLimit),
    ];
    match seen.exceeded(scan) {
        0 => VACUOUS,
        1 => refused_for(observation, found.into_iter().find(|(over, _)| *over).map_or(Reason::ByteLimit, |row| row.1)),
        _ => match observation.refusal {
            None if is_blank(observation) => HIDDEN,
            Some(refusal) if found.contains(&(true, refusal.reason)) => HELD,
            _ => broken("limit-ignored", "a refusal for one of the exceeded limits", refusal_words(observation)),
        },
    }
}

fn within_limits_is_read(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    if seen.document().is_none() {
        return VACUOUS;
    }
    match observation.refusal {
        None if is_blank(observation) => HIDDEN,
        Some(refusal) if matches!(refusal.stage, Stage::Bytes | Stage::Json) => {
            broken("refused", "no refusal as bytes or JSON", refusal_words(observation))
        }
        _ => HELD,
    }
}

fn no_duplicate_member(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match seen.text() {
        Text::Json(scan) if scan.repeated && !scan.surrogate && seen.exceeded(scan) == 0 => {
            refused_for(observation, Reason::DuplicateMember)
        }
        _ => VACUOUS,
    }
}

fn malformed_is_refused(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    // What opens a stream has no message in it.
    if seen.case.method.is_some() && seen.case.body.is_empty() {
        return VACUOUS;
    }
    match (seen.text(), observation.refusal) {
        (Text::Malformed(_), None) if is_blank(observation) => HIDDEN,
        (Text::Malformed(_), Some(refusal)) if matches!(refusal.stage, Stage::Bytes | Stage::Json) => HELD,
        (Text::Malformed(_), _) => broken("read", "a refusal as bytes or JSON", refusal_words(observation)),
        _ => VACUOUS,
    }
}

fn nothing_trails(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match (seen.text(), observation.refusal) {
        // The value in front may exceed a limit, which is met first.
        (Text::Malformed(Malformed::Trailing), Some(refusal)) if is_limit(refusal.reason) => VACUOUS,
        // `00` is a number that JSON does not have as much as a number with something behind it.
        (Text::Malformed(Malformed::Trailing), Some(refusal)) if refusal.reason == Reason::InvalidNumber => VACUOUS,
        (Text::Malformed(Malformed::Trailing), _) => refused_for(observation, Reason::TrailingData),
        _ => VACUOUS,
    }
}

fn no_lone_surrogate(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match seen.text() {
        Text::Json(scan) if scan.surrogate && !scan.repeated && seen.exceeded(scan) == 0 => {
            refused_for(observation, Reason::LoneSurrogate)
        }
        _ => VACUOUS,
    }
}

fn offset_inside(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match observation.refusal.and_then(|refusal| refusal.offset) {
        None => VACUOUS,
        Some(offset) if offset <= seen.case.body.len() => HELD,
        Some(_) => broken("outside", "an offset within the body", "an offset behind it"),
    }
}

fn fault_ends_reading(_: &Seen<'_>, observation: &Observation) -> Verdict {
    match observation.refusal {
        Some(refusal) if refusal.stage <= Stage::Envelope && !READS_ON.contains(&refusal.reason) => {
            match observation.era.is_none() && observation.result.is_none() && observation.conclusion.is_none() {
                true => HELD,
                false => broken("read-on", "nothing observed behind the fault", "an era, a result or a conclusion"),
            }
        }
        _ => VACUOUS,
    }
}

/// The refusals of the envelope that leave the message readable.
const READS_ON: [Reason; 3] = [Reason::IdSpelling, Reason::HybridMessage, Reason::NotificationWithId];

fn refused_for(observation: &Observation, reason: Reason) -> Verdict {
    match observation.refusal {
        None if is_blank(observation) => HIDDEN,
        None => broken("accepted", format!("refused as {}", reason.word()), "no refusal"),
        Some(refusal) if refusal.reason == reason => HELD,
        Some(_) => broken("other-reason", format!("refused as {}", reason.word()), refusal_words(observation)),
    }
}

fn is_limit(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::DepthLimit | Reason::NodeLimit | Reason::MemberLimit | Reason::StringLimit | Reason::NumberLimit
    )
}
