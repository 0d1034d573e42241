//! Faults of the header fields and of the sentinel.

use std::borrow::Cow;

use super::{Exchange, Mutant};
use crate::case::Case;
use crate::codec::header::{self, Field, Mirrored, Repeated, Sentinel, SentinelFault};
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "header.first-wins",
        wrong: "Of a repeated header the first counts and the others are forgotten.",
        fault: "FF-058",
        killer: "header.repeated-refused",
        exchange: Exchange::Stages(&Stages { headers: first_wins, ..STAGES }),
    },
    Mutant {
        id: "header.latin1-passes",
        wrong: "Bytes beyond visible ASCII pass.",
        fault: "FF-061",
        killer: "header.illegal-characters-refused",
        exchange: Exchange::Stages(&Stages { headers: latin1_passes, ..STAGES }),
    },
    Mutant {
        id: "header.unreadable-is-absent",
        wrong: "A version header that cannot be read counts as absent.",
        fault: "FF-052",
        killer: "era.malformed-beats-disagreement",
        exchange: Exchange::Stages(&Stages { headers: unreadable_is_absent, ..STAGES }),
    },
    Mutant {
        id: "header.space-kept",
        wrong: "White space around the version header is compared.",
        fault: "header-ows-stripped",
        killer: "header.lawful-is-accepted",
        exchange: Exchange::Stages(&Stages { headers: space_kept, ..STAGES }),
    },
    Mutant {
        id: "header.name-trimmed",
        wrong: "White space around Mcp-Name is lost before it is looked at.",
        fault: "sentinel-encode-edge-whitespace",
        killer: "header.near-sentinel-refused",
        exchange: Exchange::Stages(&Stages { headers: name_trimmed, ..STAGES }),
    },
    Mutant {
        id: "header.none-read",
        wrong: "A relay loses the header fields on the way.",
        fault: "FF-063",
        killer: "header.lawful-is-accepted",
        exchange: Exchange::Stages(&Stages { headers: none_read, ..STAGES }),
    },
    Mutant {
        id: "sentinel.never-decoded",
        wrong: "The sentinel is compared as it stands.",
        fault: "FF-054",
        killer: "header.name-matches-body",
        exchange: Exchange::Stages(&Stages { sentinel: never_decoded, ..STAGES }),
    },
    Mutant {
        id: "sentinel.any-case",
        wrong: "The prefix of a sentinel is matched in any letter case.",
        fault: "FF-055",
        killer: "header.sentinel-is-exact",
        exchange: Exchange::Stages(&Stages { sentinel: any_case, ..STAGES }),
    },
    Mutant {
        id: "sentinel.decoded-twice",
        wrong: "A sentinel inside a sentinel is decoded too.",
        fault: "sentinel-decode-once",
        killer: "header.name-matches-body",
        exchange: Exchange::Stages(&Stages { sentinel: decoded_twice, ..STAGES }),
    },
    Mutant {
        id: "sentinel.overlap-is-literal",
        wrong: "A prefix that overlaps its suffix passes as a plain value.",
        fault: "sentinel-encode-overlapping-lookalike",
        killer: "header.near-sentinel-refused",
        exchange: Exchange::Stages(&Stages { sentinel: overlap_is_literal, ..STAGES }),
    },
    Mutant {
        id: "sentinel.unclosed-is-literal",
        wrong: "A value that only starts like a sentinel passes as a plain value.",
        fault: "sentinel-encode-lookalike",
        killer: "header.near-sentinel-refused",
        exchange: Exchange::Stages(&Stages { sentinel: unclosed_is_literal, ..STAGES }),
    },
    Mutant {
        id: "sentinel.padding-optional",
        wrong: "Base64 without its padding is decoded.",
        fault: "FF-149",
        killer: "header.malformed-sentinel-refused",
        exchange: Exchange::Stages(&Stages { sentinel: padding_optional, ..STAGES }),
    },
    Mutant {
        id: "sentinel.url-alphabet",
        wrong: "The URL-safe alphabet is decoded.",
        fault: "FF-149",
        killer: "header.malformed-sentinel-refused",
        exchange: Exchange::Stages(&Stages { sentinel: url_alphabet, ..STAGES }),
    },
    Mutant {
        id: "sentinel.loose-bits",
        wrong: "Padding bits that are not zero pass.",
        fault: "sentinel-canonical-base64",
        killer: "header.near-sentinel-refused",
        exchange: Exchange::Stages(&Stages { sentinel: loose_bits, ..STAGES }),
    },
    Mutant {
        id: "sentinel.empty-is-nothing",
        wrong: "A sentinel around nothing is taken for malformed.",
        fault: "sentinel-empty-payload",
        killer: "header.lawful-is-accepted",
        exchange: Exchange::Stages(&Stages { sentinel: empty_is_nothing, ..STAGES }),
    },
    Mutant {
        id: "sentinel.ascii-only",
        wrong: "Decoded text beyond ASCII is refused.",
        fault: "sentinel-encode-non-ascii",
        killer: "header.name-matches-body",
        exchange: Exchange::Stages(&Stages { sentinel: ascii_only, ..STAGES }),
    },
];

fn on_fields<'a>(case: &'a Case, change: impl Fn(&mut Field<'a>)) -> Mirrored<'a> {
    let mut mirrored = header::observe(case);
    for field in [&mut mirrored.version, &mut mirrored.method, &mut mirrored.name] {
        change(field);
    }
    mirrored
}

fn first_wins(case: &Case) -> Mirrored<'_> {
    on_fields(case, |field| field.repeated = Repeated::No)
}

fn latin1_passes(case: &Case) -> Mirrored<'_> {
    on_fields(case, |field| field.illegal = false)
}

fn unreadable_is_absent(case: &Case) -> Mirrored<'_> {
    on_fields(case, |field| {
        if field.is_unreadable() {
            *field = Field::default();
        }
    })
}

fn space_kept(case: &Case) -> Mirrored<'_> {
    let mut mirrored = header::observe(case);
    mirrored.version.value = mirrored
        .version
        .value
        .and_then(|_| case.headers.iter().find(|line| line.is(header::VERSION)).map(|line| line.value.as_slice()));
    mirrored
}

fn name_trimmed(case: &Case) -> Mirrored<'_> {
    let mut mirrored = header::observe(case);
    mirrored.name.value = mirrored.name.value.map(header::trim);
    mirrored
}

fn none_read(_: &Case) -> Mirrored<'_> {
    Mirrored::default()
}

fn never_decoded(value: &[u8]) -> Sentinel<'_> {
    Sentinel::Literal(value)
}

fn any_case(value: &[u8]) -> Sentinel<'_> {
    const PREFIX: &[u8] = b"=?base64?";
    match value.get(..PREFIX.len()) {
        Some(prefix) if prefix.eq_ignore_ascii_case(PREFIX) => owned(&[PREFIX, &value[PREFIX.len()..]].concat(), value),
        _ => header::decode(value),
    }
}

/// What a changed value spells, without borrowing it; `value` where it spells itself.
fn owned<'a>(changed: &[u8], value: &'a [u8]) -> Sentinel<'a> {
    match header::decode(changed) {
        Sentinel::Wrapped { text, canonical } => Sentinel::Wrapped { text: Cow::Owned(text.into_owned()), canonical },
        Sentinel::Malformed(fault) => Sentinel::Malformed(fault),
        Sentinel::Overlapping(_) => Sentinel::Overlapping(value),
        Sentinel::Unclosed(_) => Sentinel::Unclosed(value),
        Sentinel::Literal(_) => Sentinel::Literal(value),
    }
}

fn decoded_twice(value: &[u8]) -> Sentinel<'_> {
    match header::decode(value) {
        Sentinel::Wrapped { text, canonical } => match header::decode(text.as_bytes()) {
            Sentinel::Wrapped { text, .. } => Sentinel::Wrapped { text: Cow::Owned(text.into_owned()), canonical },
            _ => Sentinel::Wrapped { text, canonical },
        },
        other => other,
    }
}

fn overlap_is_literal(value: &[u8]) -> Sentinel<'_> {
    match header::decode(value) {
        Sentinel::Overlapping(value) => Sentinel::Literal(value),
        other => other,
    }
}

fn unclosed_is_literal(value: &[u8]) -> Sentinel<'_> {
    match header::decode(value) {
        Sentinel::Unclosed(value) => Sentinel::Literal(value),
        other => other,
    }
}

fn padding_optional(value: &[u8]) -> Sentinel<'_> {
    let read = header::decode(value);
    let Sentinel::Malformed(SentinelFault::Padding) = read else { return read };
    let padded = |padding: &[u8]| [&value[..value.len() - 2], padding, b"?="].concat();
    [&b"="[..], b"=="]
        .into_iter()
        .map(|padding| owned(&padded(padding), value))
        .find(|read| matches!(read, Sentinel::Wrapped { .. }))
        .unwrap_or(read)
}

fn url_alphabet(value: &[u8]) -> Sentinel<'_> {
    let standard: Vec<u8> = value
        .iter()
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    match header::decode(value) {
        Sentinel::Malformed(SentinelFault::Alphabet) => owned(&standard, value),
        other => other,
    }
}

fn loose_bits(value: &[u8]) -> Sentinel<'_> {
    match header::decode(value) {
        Sentinel::Wrapped { text, .. } => Sentinel::Wrapped { text, canonical: true },
        other => other,
    }
}

fn empty_is_nothing(value: &[u8]) -> Sentinel<'_> {
    match header::decode(value) {
        Sentinel::Wrapped { text, .. } if text.is_empty() => Sentinel::Malformed(SentinelFault::Padding),
        other => other,
    }
}

fn ascii_only(value: &[u8]) -> Sentinel<'_> {
    match header::decode(value) {
        Sentinel::Wrapped { text, .. } if !text.is_ascii() => Sentinel::Malformed(SentinelFault::Utf8),
        other => other,
    }
}
