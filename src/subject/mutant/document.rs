//! Faults of the document reader.

use super::{Exchange, Mutant};
use crate::codec::document::{Decoder, Document};
use crate::codec::refusal::{Reason, Refusal};
use crate::codec::{STAGES, Stages};
use crate::limits::Limits;

type Read<'a> = Result<Document<'a>, Refusal>;

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "document.no-depth-limit",
        wrong: "Nesting is not bounded.",
        fault: "FF-087",
        killer: "bounds.refuse-early",
        exchange: Exchange::Stages(&Stages { document: no_depth_limit, ..STAGES }),
    },
    Mutant {
        id: "document.one-level-too-deep",
        wrong: "The depth limit is off by one.",
        fault: "project-limit-depth",
        killer: "bounds.refuse-early",
        exchange: Exchange::Stages(&Stages { document: one_level_too_deep, ..STAGES }),
    },
    Mutant {
        id: "document.limit-is-exclusive",
        wrong: "A document at the depth limit is refused.",
        fault: "FF-084",
        killer: "bounds.within-limits-is-read",
        exchange: Exchange::Stages(&Stages { document: limit_is_exclusive, ..STAGES }),
    },
    Mutant {
        id: "document.no-number-limit",
        wrong: "Numbers are not bounded.",
        fault: "project-limit-number",
        killer: "bounds.refuse-early",
        exchange: Exchange::Stages(&Stages { document: no_number_limit, ..STAGES }),
    },
    Mutant {
        id: "document.duplicates-kept",
        wrong: "A name may stand twice in one object.",
        fault: "FF-092",
        killer: "bounds.no-duplicate-member",
        exchange: Exchange::Stages(&Stages { document: duplicates_kept, ..STAGES }),
    },
    Mutant {
        id: "document.byte-order-mark-skipped",
        wrong: "A byte order mark is skipped in silence.",
        fault: "json-no-byte-order-mark",
        killer: "bounds.malformed-is-refused",
        exchange: Exchange::Stages(&Stages { document: byte_order_mark_skipped, ..STAGES }),
    },
    Mutant {
        id: "document.trailing-ignored",
        wrong: "Whatever follows the first value is ignored.",
        fault: "FF-078",
        killer: "bounds.nothing-trails",
        exchange: Exchange::Stages(&Stages { document: trailing_ignored, ..STAGES }),
    },
    Mutant {
        id: "document.ends-at-nul",
        wrong: "The text ends at its first NUL.",
        fault: "json-single-value-no-trailing-garbage",
        killer: "bounds.malformed-is-refused",
        exchange: Exchange::Stages(&Stages { document: ends_at_nul, ..STAGES }),
    },
    Mutant {
        id: "document.small-strings-only",
        wrong: "A string of more than 48 bytes is refused.",
        fault: "FF-082",
        killer: "bounds.within-limits-is-read",
        exchange: Exchange::Stages(&Stages { document: small_strings_only, ..STAGES }),
    },
    Mutant {
        id: "document.carriage-return-refused",
        wrong: "A carriage return behind the value is refused.",
        fault: "FF-073",
        killer: "relation.layout-neutral",
        exchange: Exchange::Stages(&Stages { document: carriage_return_refused, ..STAGES }),
    },
    Mutant {
        id: "document.offset-outside",
        wrong: "The offset of a fault counts from another place.",
        fault: "project-refusal-has-a-place",
        killer: "bounds.offset-inside",
        exchange: Exchange::Stages(&Stages { document: offset_outside, ..STAGES }),
    },
];

fn no_depth_limit<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read(bytes, &Limits { depth: Limits::MAX_BYTES, ..*limits })
}

fn one_level_too_deep<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read(bytes, &Limits { depth: limits.depth + 1, ..*limits })
}

fn limit_is_exclusive<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read(bytes, &Limits { depth: limits.depth - 1, ..*limits })
}

fn no_number_limit<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read(bytes, &Limits { number: Limits::MAX_BYTES, ..*limits })
}

fn duplicates_kept<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read_with_duplicates(bytes, limits)
}

fn byte_order_mark_skipped<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), limits)
}

fn trailing_ignored<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    let end = match Decoder::new().read(bytes, limits) {
        Err(Refusal { reason: Reason::TrailingData, offset: Some(offset), .. }) => offset,
        _ => bytes.len(),
    };
    decoder.read(&bytes[..end], limits)
}

fn ends_at_nul<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read(bytes.split(|&byte| byte == 0).next().unwrap_or_default(), limits)
}

fn small_strings_only<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    decoder.read(bytes, &Limits { string: 48, ..*limits })
}

fn carriage_return_refused<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    match bytes.iter().rposition(|&byte| byte == b'\r') {
        Some(at) if bytes[at..].trim_ascii().is_empty() => Err(Refusal::at(Reason::TrailingData, at)),
        _ => decoder.read(bytes, limits),
    }
}

fn offset_outside<'a>(decoder: &'a mut Decoder, bytes: &'a [u8], limits: &Limits) -> Read<'a> {
    let length = bytes.len();
    decoder
        .read(bytes, limits)
        .map_err(|refusal| Refusal { offset: refusal.offset.map(|offset| offset + length + 1), ..refusal })
}
