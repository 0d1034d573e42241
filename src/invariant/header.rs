//! The header fields that mirror a body, judged against that body.
//!
//! Speaks of requests that a client posts and that claim to be modern; what a legacy claim carries is at most a note.
//! `Mcp-Param-*` needs the schema of a tool and is left alone.

use super::scan::Sort;
use super::seen::{Seen, VERSION_HEADER};
use super::sentinel::{Meaning, is_plain, meaning, wrapped};
use super::verdict::{HELD, HIDDEN, VACUOUS, broken, owes, refusal_words, spares};
use super::{Check, Invariant, Verdict};
use crate::case::{Case, Header};
use crate::codec::refusal::{Reason, Stage};
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "header.name-matches-body",
        requirements: &["header-mcp-name-equals-body", "sentinel-decode-before-compare", "sentinel-decode-once"],
        level: Level::Must,
        rule: "Mcp-Name, decoded once, equals its source in the body byte for byte, or the request is refused.",
        check: Check::Alone(name_matches_body),
    },
    Invariant {
        id: "header.sentinel-is-exact",
        requirements: &["sentinel-prefix-lower-case-only", "sentinel-uppercase-prefix-is-plain"],
        level: Level::Must,
        rule: "A value that only resembles a sentinel is compared as it stands and never decoded.",
        check: Check::Alone(sentinel_is_exact),
    },
    Invariant {
        id: "header.sentinel-round-trip",
        requirements: &["sentinel-applies-to-mcp-name", "sentinel-encoding-of-safe-value-accepted"],
        level: Level::Must,
        rule: "A name is read alike plain, where it may go plain, and wrapped.",
        check: Check::Relation { variants: other_encodings, agree: same_outcome },
    },
    Invariant {
        id: "header.malformed-sentinel-refused",
        requirements: &["sentinel-bad-padding-rejected", "sentinel-bad-alphabet-rejected", "sentinel-payload-is-utf8"],
        level: Level::Must,
        rule: "A sentinel with wrong padding, a foreign alphabet or bytes that are no UTF-8 is refused.",
        check: Check::Alone(|seen, observation| name_means(seen, observation, &Meaning::Undecodable)),
    },
    Invariant {
        id: "header.near-sentinel-refused",
        requirements: &["sentinel-encode-overlapping-lookalike", "sentinel-encode-edge-whitespace"],
        level: Level::Project,
        rule: "A value that a careful sender would have wrapped is refused by a strict reader.",
        check: Check::Alone(|seen, observation| name_means(seen, observation, &Meaning::Near)),
    },
    Invariant {
        id: "header.illegal-characters-refused",
        requirements: &["header-invalid-characters-rejected"],
        level: Level::Must,
        rule: "A mirrored name with a byte outside tab and 20 to 7E is refused.",
        check: Check::Alone(|seen, observation| name_means(seen, observation, &Meaning::Illegal)),
    },
    Invariant {
        id: "header.method-matches-body",
        requirements: &["header-mcp-method-equals-body", "header-mcp-method-value-case-sensitive"],
        level: Level::Must,
        rule: "Mcp-Method, trimmed and never decoded, equals the method of the body, or the request is refused.",
        check: Check::Alone(method_matches_body),
    },
    Invariant {
        id: "header.version-matches-body",
        requirements: &["header-protocol-version-equals-meta", "header-version-mismatch-before-unsupported"],
        level: Level::Must,
        rule: "The version header, trimmed, equals the version of the body, or the request is refused.",
        check: Check::Alone(version_matches_body),
    },
    Invariant {
        id: "header.mirrors-required",
        requirements: &["header-protocol-version-required", "header-mcp-method-required", "header-mcp-name-required"],
        level: Level::Must,
        rule: "A modern request over HTTP without one of its mirrored headers is refused.",
        check: Check::Alone(mirrors_required),
    },
    Invariant {
        id: "header.repeated-refused",
        requirements: &["header-repeated-field-rejected"],
        level: Level::Must,
        rule: "A mirrored header that stands there twice is refused.",
        check: Check::Alone(repeated_refused),
    },
    Invariant {
        id: "header.lawful-is-accepted",
        requirements: &["header-ows-stripped", "header-mcp-name-not-required-elsewhere", "sentinel-empty-payload"],
        level: Level::Must,
        rule: "A request whose mirrored headers all agree with its body is not refused for its headers.",
        check: Check::Alone(lawful_is_accepted),
    },
    Invariant {
        id: "header.stdio-has-none",
        requirements: &["stdio-no-header-layer"],
        level: Level::Must,
        rule: "A request over standard input is never refused for headers.",
        check: Check::Alone(stdio_has_none),
    },
];

const METHOD_HEADER: &str = "Mcp-Method";
const NAME_HEADER: &str = "Mcp-Name";

/// How often a header stands there, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field<'a> {
    Missing,
    Once(&'a [u8]),
    Repeated,
}

fn field<'a>(seen: &Seen<'a>, name: &str) -> Field<'a> {
    let mut values = seen.case.headers.iter().filter(|header| header.is(name)).map(|header| header.value.as_slice());
    match (values.next(), values.next()) {
        (None, _) => Field::Missing,
        (Some(value), None) => Field::Once(value),
        _ => Field::Repeated,
    }
}

/// Whether these rules speak of the case.
fn applies(seen: &Seen<'_>) -> bool {
    seen.over_http() && seen.is_client_request() && seen.claims_modern()
}

/// The member of the params that `Mcp-Name` mirrors for this method.
fn source_member(seen: &Seen<'_>) -> Option<&'static str> {
    let method = seen.method()?.text()?;
    match method.as_ref() {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    }
}

/// The text that `Mcp-Name` mirrors, where the body has it as a string.
fn source(seen: &Seen<'_>) -> Option<String> {
    let params = seen.params().filter(|params| params.sort() == Sort::Object)?;
    params.get(source_member(seen)?)?.text().map(|text| text.into_owned())
}

/// `Mcp-Name` and what it must equal, where both are there once.
fn name_pair(seen: &Seen<'_>) -> Option<(Meaning, String)> {
    match (applies(seen), field(seen, NAME_HEADER)) {
        (true, Field::Once(raw)) => Some((meaning(raw), source(seen)?)),
        _ => None,
    }
}

fn refused(observation: &Observation) -> Verdict {
    owes(observation, Stage::Header, Some(-32020))
}

fn name_matches_body(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match name_pair(seen) {
        Some((Meaning::Decoded(name) | Meaning::Literal(name), owed)) if name != owed => refused(observation),
        Some((Meaning::Decoded(_), _)) => not_for_name(observation),
        _ => VACUOUS,
    }
}

fn sentinel_is_exact(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let resembles = |text: &str| {
        let text = text.to_ascii_lowercase();
        text.contains("=?") || text.contains("?=") || text.contains("base64") || text.ends_with('=')
    };
    match name_pair(seen) {
        Some((Meaning::Literal(name), owed)) if resembles(&name) => match name == owed {
            true => not_for_name(observation),
            false => refused(observation),
        },
        _ => VACUOUS,
    }
}

fn not_for_name(observation: &Observation) -> Verdict {
    match observation.refusal {
        Some(refusal)
            if matches!(
                refusal.reason,
                Reason::NameMismatch | Reason::SentinelMalformed | Reason::SentinelUnclosed | Reason::HeaderSpace
            ) =>
        {
            broken("refused", "a name that equals the body accepted", refusal_words(observation))
        }
        None if super::verdict::is_blank(observation) => HIDDEN,
        _ => HELD,
    }
}

fn name_means(seen: &Seen<'_>, observation: &Observation, kind: &Meaning) -> Verdict {
    match name_pair(seen) {
        Some((found, _)) if found == *kind => refused(observation),
        _ => VACUOUS,
    }
}

fn method_matches_body(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match (applies(seen), field(seen, METHOD_HEADER), seen.method().and_then(|method| method.text())) {
        (true, Field::Once(raw), Some(owed)) => match seen.mirrored(raw) == owed.as_bytes() {
            true => HELD,
            false => refused(observation),
        },
        _ => VACUOUS,
    }
}

fn version_matches_body(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match (applies(seen), field(seen, VERSION_HEADER), seen.version().and_then(|version| version.text())) {
        (true, Field::Once(raw), Some(owed)) if seen.mirrored(raw) != owed.as_bytes() => refused(observation),
        _ => VACUOUS,
    }
}

fn mirrors_required(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match applies(seen) && !seen.case.partial_headers && lacks_a_mirror(seen) {
        true => refused(observation),
        false => VACUOUS,
    }
}

fn lacks_a_mirror(seen: &Seen<'_>) -> bool {
    let missing = |name| field(seen, name) == Field::Missing;
    missing(VERSION_HEADER) || missing(METHOD_HEADER) || (source(seen).is_some() && missing(NAME_HEADER))
}

fn repeated_refused(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let repeated = |name| field(seen, name) == Field::Repeated;
    let name = source_member(seen).is_some() && repeated(NAME_HEADER);
    match applies(seen) && (repeated(VERSION_HEADER) || repeated(METHOD_HEADER) || name) {
        true => refused(observation),
        false => VACUOUS,
    }
}

fn lawful_is_accepted(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let has_params = seen.case.headers.iter().any(|header| header.name.to_ascii_lowercase().starts_with(b"mcp-param-"));
    // A tool that was listed before may owe a field that only its schema tells.
    let listed = !seen.lone && seen.method().is_some_and(|method| method.is("tools/call"));
    if !applies(seen) || has_params || listed || (!seen.case.partial_headers && lacks_a_mirror(seen)) {
        return VACUOUS;
    }
    let version = match (field(seen, VERSION_HEADER), seen.version()) {
        (Field::Missing, _) => true,
        (Field::Once(raw), Some(owed)) => owed.text().is_some_and(|owed| seen.mirrored(raw) == owed.as_bytes()),
        // Without its body twin the header must at least be a day: the rest is for other stages.
        (Field::Once(raw), None) => crate::case::Revision::parse(seen.mirrored(raw)).is_some(),
        (Field::Repeated, _) => false,
    };
    let method = match (field(seen, METHOD_HEADER), seen.method().and_then(|method| method.text())) {
        (Field::Missing, _) => true,
        (Field::Once(raw), Some(owed)) => seen.mirrored(raw) == owed.as_bytes(),
        _ => false,
    };
    let name = match (field(seen, NAME_HEADER), source(seen)) {
        (Field::Missing, _) => true,
        (Field::Once(raw), Some(owed)) => {
            matches!(meaning(raw), Meaning::Decoded(name) | Meaning::Literal(name) if name == owed)
        }
        // On a method without a source the header is at most a note.
        (Field::Once(raw), None) => source_member(seen).is_none() && matches!(meaning(raw), Meaning::Literal(_)),
        _ => false,
    };
    match version && method && name {
        true => spares(observation, Stage::Header),
        false => VACUOUS,
    }
}

fn stdio_has_none(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match !seen.over_http() && seen.is_client_request() {
        true => spares(observation, Stage::Header),
        false => VACUOUS,
    }
}

fn other_encodings(seen: &Seen<'_>) -> Vec<Case> {
    let Some((Meaning::Decoded(name) | Meaning::Literal(name), owed)) = name_pair(seen) else { return Vec::new() };
    if name != owed {
        return Vec::new();
    }
    let with = |value: Vec<u8>| {
        let mut case = seen.case.clone();
        for header in case.headers.iter_mut().filter(|header| header.is(NAME_HEADER)) {
            *header = Header::new(header.name.clone(), value.clone());
        }
        case
    };
    let plain = is_plain(&owed).then(|| owed.clone().into_bytes());
    plain.into_iter().chain([wrapped(&owed)]).map(with).filter(|case| case != seen.case).collect()
}

fn same_outcome(original: &Observation, variant: &Observation) -> Verdict {
    if super::verdict::is_blank(original) {
        return HIDDEN;
    }
    match original.refusal.map(|r| r.reason) == variant.refusal.map(|r| r.reason)
        && original.conclusion == variant.conclusion
    {
        true => HELD,
        false => broken("encoding-matters", refusal_words(original), refusal_words(variant)),
    }
}
