//! Changes to a case that must not change what is read from it.
//!
//! Variants are written from the scan of the body, never by the codec. Bodies near a limit and messages that break the
//! envelope have none: there a change of layout may lawfully change which fault is met first.

use super::scan::{Piece, Sort};
use super::seen::{Seen, Shape, VERSION_HEADER};
use super::verdict::{HELD, HIDDEN, broken, is_blank, refusal_words};
use super::{Check, Invariant, Verdict};
use crate::case::{Case, Header, Revision, StatedCapabilities};
use crate::codec::era::KnownRevision;
use crate::codec::refusal::Stage;
use crate::codec::result::ResultObservation;
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "relation.same-bytes-same-reading",
        requirements: &["project-reading-is-a-function"],
        level: Level::Project,
        rule: "Reading the same case twice gives the same observation.",
        check: Check::Relation { variants: |seen| vec![seen.case.clone()], agree: same_in_everything },
    },
    Invariant {
        id: "relation.layout-neutral",
        requirements: &["project-layout-is-neutral", "json-well-formed"],
        level: Level::Project,
        rule: "White space, escapes and the order of members change neither observations nor the conclusion.",
        check: Check::Relation { variants: layouts, agree: same_but_for_the_place },
    },
    Invariant {
        id: "relation.extra-member-neutral",
        requirements: &["json-unknown-members-tolerated", "result-extra-members-allowed"],
        level: Level::Should,
        rule: "An unknown member outside capabilities and open maps changes nothing.",
        check: Check::Relation { variants: extra_members, agree: same_reading },
    },
    Invariant {
        id: "relation.header-case-neutral",
        requirements: &["header-names-case-insensitive"],
        level: Level::Must,
        rule: "The letter case of header names changes nothing.",
        check: Check::Relation { variants: header_cases, agree: same_reading },
    },
    Invariant {
        id: "relation.id-neutral",
        requirements: &["id-falsy-values-valid", "id-type-preserved-on-echo"],
        level: Level::Must,
        rule: "Another plain id changes nothing but the id.",
        check: Check::Relation { variants: other_ids, agree: same_reading },
    },
    Invariant {
        id: "relation.complete-in-both-eras",
        requirements: &["result-complete-for-final", "result-legacy-result-type-absent"],
        level: Level::Must,
        rule: "A complete result concludes alike in the modern and in every legacy era.",
        check: Check::Relation { variants: other_eras, agree: same_conclusion },
    },
];

/// Bodies beyond this many bytes, or nested deeper than this, are left alone: a variant would come near a limit.
const FAR_FROM_LIMITS: (usize, usize) = (1 << 16, 48);

/// The root of a lawful message that is far from every limit.
fn root<'s>(seen: &'s Seen<'_>) -> Option<Piece<'s>> {
    let scan = seen.document()?;
    let lawful = matches!(seen.shape()?, Shape::Request | Shape::Notification | Shape::Result | Shape::Error);
    let far = seen.case.body.len() <= FAR_FROM_LIMITS.0 && scan.depth <= FAR_FROM_LIMITS.1;
    (lawful && far && scan.number * 2 <= seen.limits.number).then(|| scan.root())
}

fn with_body(case: &Case, body: Vec<u8>) -> Case {
    Case { body, ..case.clone() }
}

fn layouts(seen: &Seen<'_>) -> Vec<Case> {
    let Some(root) = root(seen) else { return Vec::new() };
    let styles = [
        Style { spaced: true, ..Style::default() },
        Style { reversed: true, ..Style::default() },
        Style { escaped: true, ..Style::default() },
    ];
    styles.into_iter().map(|style| with_body(seen.case, style.written(root))).collect()
}

fn extra_members(seen: &Seen<'_>) -> Vec<Case> {
    let Some(root) = root(seen) else { return Vec::new() };
    let is_open = |piece: &Piece<'_>| piece.sort() == Sort::Object && piece.get(EXTRA).is_none();
    let mut places = vec![root];
    places.extend([seen.params(), seen.meta(), seen.result()].into_iter().flatten());
    places
        .into_iter()
        .filter(is_open)
        .map(|place| {
            let mut body = seen.case.body.clone();
            let (start, _) = place.span();
            let comma = if place.members().next().is_some() { "," } else { "" };
            let member = format!("\"{EXTRA}\":{{\"resultType\":[\"x\"]}}{comma}");
            body.splice(start + 1..start + 1, member.into_bytes());
            with_body(seen.case, body)
        })
        .collect()
}

fn header_cases(seen: &Seen<'_>) -> Vec<Case> {
    if seen.case.headers.is_empty() || root(seen).is_none() {
        return Vec::new();
    }
    let with = |change: fn(&[u8]) -> Vec<u8>| {
        let headers = seen.case.headers.iter().map(|header| Header::new(change(&header.name), header.value.clone()));
        Case { headers: headers.collect(), ..seen.case.clone() }
    };
    vec![with(<[u8]>::to_ascii_lowercase), with(<[u8]>::to_ascii_uppercase)]
}

fn other_ids(seen: &Seen<'_>) -> Vec<Case> {
    let (Some(_), Some(id)) = (root(seen), seen.id()) else { return Vec::new() };
    let plain = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let is_plain = id.raw() != b"-0" && (id.sort() == Sort::String || id.raw().iter().all(plain));
    // A progress token or a subscription may lawfully name the id, but nothing that is read from one message does.
    let ids: [&[u8]; 3] = [b"0", b"\"\"", b"-7"];
    ids.into_iter()
        .filter(|other| is_plain && *other != id.raw())
        .map(|other| {
            let mut body = seen.case.body.clone();
            let (start, end) = id.span();
            body.splice(start..end, other.iter().copied());
            with_body(seen.case, body)
        })
        .collect()
}

fn other_eras(seen: &Seen<'_>) -> Vec<Case> {
    let Some((result, era)) = super::result::answer(seen) else { return Vec::new() };
    let unreadable = seen.case.stated.capabilities == Some(StatedCapabilities::Malformed);
    let complete = super::result::says(result, false) == ResultObservation::Complete
        && seen.case.headers_named(VERSION_HEADER).count() < 2;
    if !complete || unreadable || !(era.is_modern() || era.is_legacy()) {
        return Vec::new();
    }
    let named = |header: &&mut Header| header.is(VERSION_HEADER);
    let under = |revision: KnownRevision| {
        let mut case = seen.case.clone();
        match case.headers.iter_mut().find(named) {
            Some(header) => header.value = revision.as_str().into(),
            None => case.stated.revision = Revision::parse(revision.as_str().as_bytes()),
        }
        case
    };
    KnownRevision::ALL.into_iter().map(under).filter(|case| case != seen.case).collect()
}

fn same_in_everything(original: &Observation, variant: &Observation) -> Verdict {
    match original == variant {
        _ if is_blank(original) => HIDDEN,
        true => HELD,
        false => broken("differs", "the same observation", "another one"),
    }
}

/// Of several faults in a payload the first by its place is told, and another order of members gives them other places.
fn same_but_for_the_place(original: &Observation, variant: &Observation) -> Verdict {
    let reason =
        |seen: &Observation| seen.refusal.filter(|refusal| refusal.stage == Stage::Payload).map(|it| it.reason);
    match (reason(original), reason(variant)) {
        (Some(one), Some(other)) if one != other => {
            let whole = |seen: &Observation| Observation { refusal: None, ..seen.clone() };
            same_reading(&whole(original), &whole(variant))
        }
        _ => same_reading(original, variant),
    }
}

fn same_reading(original: &Observation, variant: &Observation) -> Verdict {
    let reason = |observation: &Observation| observation.refusal.map(|refusal| (refusal.stage, refusal.reason));
    if is_blank(original) {
        return HIDDEN;
    }
    for (kind, same) in [
        ("other-kind", original.kind == variant.kind),
        ("other-era", original.era == variant.era),
        ("other-capabilities", original.capabilities == variant.capabilities),
        ("other-result", original.result == variant.result),
        ("other-conclusion", original.conclusion == variant.conclusion),
        ("other-refusal", reason(original) == reason(variant)),
    ] {
        if !same {
            return broken(kind, refusal_words(original), refusal_words(variant));
        }
    }
    HELD
}

fn same_conclusion(original: &Observation, variant: &Observation) -> Verdict {
    match (original.conclusion, variant.conclusion) {
        (None, _) => HIDDEN,
        (left, right) if left == right => HELD,
        _ => broken("other-conclusion", "the same conclusion in both eras", "another one"),
    }
}

/// A member name that no rule speaks of and that passes the key grammar of `_meta`.
const EXTRA: &str = "com.example/extra";

/// A way to write a document again.
#[derive(Clone, Copy, Default)]
struct Style {
    spaced: bool,
    reversed: bool,
    escaped: bool,
}

impl Style {
    fn written(self, root: Piece<'_>) -> Vec<u8> {
        let mut out = Vec::new();
        self.value(root, &mut out);
        self.space(&mut out);
        out
    }

    // The caller bounds the nesting, so recursion is bounded too.
    fn value(self, piece: Piece<'_>, out: &mut Vec<u8>) {
        self.space(out);
        match piece.sort() {
            Sort::Object => {
                out.push(b'{');
                let mut members: Vec<_> = piece.members().collect();
                if self.reversed {
                    members.reverse();
                }
                for (at, (name, value)) in members.into_iter().enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    self.value(name, out);
                    self.space(out);
                    out.push(b':');
                    self.value(value, out);
                }
                self.space(out);
                out.push(b'}');
            }
            Sort::Array => {
                out.push(b'[');
                for (at, element) in piece.elements().enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    self.value(element, out);
                }
                self.space(out);
                out.push(b']');
            }
            Sort::String if self.escaped => match piece.raw() {
                [quote, first, rest @ ..] if first.is_ascii_alphanumeric() => {
                    out.push(*quote);
                    out.extend_from_slice(format!("\\u{first:04x}").as_bytes());
                    out.extend_from_slice(rest);
                }
                raw => out.extend_from_slice(raw),
            },
            _ => out.extend_from_slice(piece.raw()),
        }
    }

    fn space(self, out: &mut Vec<u8>) {
        if self.spaced {
            out.extend_from_slice(b" \t\r\n");
        }
    }
}
