//! Faults of what stands in front of a codec: libraries that repair, convert or drop.

use super::rewrite::{members, with_body, with_member, with_members};
use super::{Exchange, Mutant};
use crate::case::Case;

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "front.last-duplicate-wins",
        wrong: "A library keeps the last of two members of one name.",
        fault: "FF-092",
        killer: "bounds.no-duplicate-member",
        exchange: Exchange::Front(last_duplicate_wins),
    },
    Mutant {
        id: "front.lossy-utf8",
        wrong: "Bytes that are no UTF-8 are replaced.",
        fault: "FF-080",
        killer: "bounds.malformed-is-refused",
        exchange: Exchange::Front(lossy_utf8),
    },
    Mutant {
        id: "front.surrogates-repaired",
        wrong: "A lone surrogate is taken for another character.",
        fault: "FF-109",
        killer: "bounds.no-lone-surrogate",
        exchange: Exchange::Front(surrogates_repaired),
    },
    Mutant {
        id: "front.names-without-case",
        wrong: "Member names are matched in any letter case.",
        fault: "FF-090",
        killer: "envelope.result-xor-error",
        exchange: Exchange::Front(names_without_case),
    },
    Mutant {
        id: "front.any-jsonrpc",
        wrong: "The jsonrpc member is not looked at.",
        fault: "FF-016",
        killer: "envelope.version-is-exact",
        exchange: Exchange::Front(any_jsonrpc),
    },
    Mutant {
        id: "front.null-error-dropped",
        wrong: "An error beside a result is dropped when it is null.",
        fault: "FF-019",
        killer: "envelope.result-xor-error",
        exchange: Exchange::Front(null_error_dropped),
    },
    Mutant {
        id: "front.empty-response-completed",
        wrong: "A response without result and error is read as an empty result.",
        fault: "FF-079",
        killer: "envelope.result-xor-error",
        exchange: Exchange::Front(empty_response_completed),
    },
    Mutant {
        id: "front.batch-unwrapped",
        wrong: "Of an array its first element is read.",
        fault: "FF-035",
        killer: "envelope.no-batch",
        exchange: Exchange::Front(batch_unwrapped),
    },
    Mutant {
        id: "front.odd-ids-accepted",
        wrong: "An id that is an object, an array or a boolean is taken for a string.",
        fault: "FF-016",
        killer: "envelope.id-has-its-type",
        exchange: Exchange::Front(odd_ids_accepted),
    },
    Mutant {
        id: "front.fraction-truncated",
        wrong: "An id with a fraction is cut to an integer.",
        fault: "FF-006",
        killer: "envelope.id-is-whole",
        exchange: Exchange::Front(fraction_truncated),
    },
    Mutant {
        id: "front.id-becomes-string",
        wrong: "A number as id is kept as a string.",
        fault: "FF-003",
        killer: "envelope.id-not-aliased",
        exchange: Exchange::Front(id_becomes_string),
    },
    Mutant {
        id: "front.id-becomes-number",
        wrong: "A string of digits as id is kept as a number.",
        fault: "FF-003",
        killer: "session.ids-keep-their-type",
        exchange: Exchange::Front(id_becomes_number),
    },
    Mutant {
        id: "front.id-through-float",
        wrong: "A number as id passes through a floating point number.",
        fault: "FF-093",
        killer: "envelope.id-not-aliased",
        exchange: Exchange::Front(id_through_float),
    },
    Mutant {
        id: "front.error-code-as-text",
        wrong: "The code of an error may be a string.",
        fault: "FF-038",
        killer: "envelope.error-has-its-shape",
        exchange: Exchange::Front(error_code_as_text),
    },
    Mutant {
        id: "front.null-params-dropped",
        wrong: "Params that are null count as absent.",
        fault: "FF-022",
        killer: "request.malformed-metadata-is-invalid",
        exchange: Exchange::Front(null_params_dropped),
    },
    Mutant {
        id: "front.header-names-with-case",
        wrong: "Header names are matched in one letter case alone.",
        fault: "header-names-case-insensitive",
        killer: "relation.header-case-neutral",
        exchange: Exchange::Front(header_names_with_case),
    },
];

fn last_duplicate_wins(case: &Case) -> Case {
    with_body(case, |body| serde_json::from_slice::<serde_json::Value>(body).ok()?.to_string().into_bytes().into())
}

fn lossy_utf8(case: &Case) -> Case {
    with_body(case, |body| Some(String::from_utf8_lossy(body).into_owned().into_bytes()))
}

fn surrogates_repaired(case: &Case) -> Case {
    with_body(case, |body| Some(std::str::from_utf8(body).ok()?.replace("\\ud", "\\u0").replace("\\uD", "\\u0").into()))
}

fn names_without_case(case: &Case) -> Case {
    with_members(case, |members| {
        for (name, _) in members.iter_mut() {
            name.make_ascii_lowercase();
        }
        true
    })
}

fn any_jsonrpc(case: &Case) -> Case {
    with_members(case, |members| {
        members.retain(|(name, _)| name != "jsonrpc");
        members.push(("jsonrpc".to_owned(), "\"2.0\"".to_owned()));
        true
    })
}

fn null_error_dropped(case: &Case) -> Case {
    with_members(case, |members| {
        let has_result = members.iter().any(|(name, _)| name == "result");
        members.retain(|(name, value)| !(has_result && name == "error" && value == "null"));
        true
    })
}

fn empty_response_completed(case: &Case) -> Case {
    with_members(case, |members| {
        let speaks = members.iter().any(|(name, _)| matches!(name.as_str(), "method" | "result" | "error"));
        if !speaks {
            members.push(("result".to_owned(), "{}".to_owned()));
        }
        !speaks
    })
}

fn batch_unwrapped(case: &Case) -> Case {
    with_body(case, |body| {
        let elements: Vec<Box<serde_json::value::RawValue>> = serde_json::from_slice(body).ok()?;
        elements.first().map(|element| element.get().as_bytes().to_vec())
    })
}

fn odd_ids_accepted(case: &Case) -> Case {
    with_member(case, "id", |id| id.starts_with(['{', '[', 't', 'f']).then(|| "\"odd\"".to_owned()))
}

fn fraction_truncated(case: &Case) -> Case {
    with_member(case, "id", |id| match id.split_once('.') {
        Some((whole, _)) if !id.starts_with('"') => Some(whole.to_owned()),
        _ => None,
    })
}

fn id_becomes_string(case: &Case) -> Case {
    with_member(case, "id", |id| id.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("\"{id}\"")))
}

fn id_becomes_number(case: &Case) -> Case {
    with_member(case, "id", |id| {
        let inner = id.strip_prefix('"')?.strip_suffix('"')?;
        inner.parse::<u32>().ok().map(|number| number.to_string())
    })
}

fn id_through_float(case: &Case) -> Case {
    with_member(case, "id", |id| {
        let is_integer = id.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        is_integer.then(|| id.parse::<f64>().ok().map(|float| format!("{float:.0}"))).flatten()
    })
}

fn error_code_as_text(case: &Case) -> Case {
    with_member(case, "error", |error| {
        let mut inner = members(error.as_bytes())?;
        let (_, code) = inner.iter_mut().find(|(name, _)| name == "code")?;
        code.starts_with('"').then(|| *code = "0".to_owned())?;
        String::from_utf8(super::rewrite::object(&inner)).ok()
    })
}

fn null_params_dropped(case: &Case) -> Case {
    with_members(case, |members| {
        members.retain(|(name, value)| !(name == "params" && value == "null"));
        true
    })
}

fn header_names_with_case(case: &Case) -> Case {
    let known = |name: &[u8]| matches!(name, b"MCP-Protocol-Version" | b"Mcp-Method" | b"Mcp-Name");
    let headers = case.headers.iter().filter(|header| known(&header.name)).cloned().collect();
    Case { headers, ..case.clone() }
}
