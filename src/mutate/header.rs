//! Operators on HTTP header lines: missing, repeated, at odds with the body, and every way to write a sentinel wrongly.

use arbitrary::Unstructured;

use super::facts::{self, trimmed};
use super::layout::{Layout, splice};
use super::{Outcome, judged, operators, sentinel};
use crate::case::{Case, Header, Party, Transport};
use crate::generate::dictionary::{self, METHOD_HEADER, NAME_HEADER, VERSION_HEADER};
use crate::generate::{self, header};

operators! { Case;
    /// Leaves the version header out.
    DropVersionHeader "drop-version-header" if over_http => |case, _| drop(case, VERSION_HEADER);
    /// Leaves `Mcp-Method` out.
    DropMethodHeader "drop-method-header" if over_http => |case, _| drop(case, METHOD_HEADER);
    /// Leaves `Mcp-Name` out.
    DropNameHeader "drop-name-header" if over_http => |case, _| drop(case, NAME_HEADER);
    /// Names another version in the header.
    OtherVersionHeader "other-version-header" if over_http => |case, u| {
        let value = other_version(u)?;
        set(case, VERSION_HEADER, value.as_bytes())
    };
    /// Names a version in the header and one in the body, of any form, equal or not, or in the body alone.
    CrossVersions "cross-versions" if over_http => cross_versions;
    /// Names another method in the header, or the same in another letter case.
    OtherMethodHeader "other-method-header" if over_http => |case, u| {
        let value = *u.choose(&["tools/Call", "ping", "TOOLS/CALL", "", "tools/call,tools/call", "=?base64?cGluZw==?="])?;
        set(case, METHOD_HEADER, value.as_bytes())
    };
    /// Names something else in `Mcp-Name`.
    OtherNameHeader "other-name-header" if over_http => |case, u| {
        let value = *u.choose(&dictionary::NAMES)?;
        set(case, NAME_HEADER, &header::encode(value))
    };
    /// Writes the name as it is, though a header cannot hold it plainly.
    UnwrapName "unwrap-name" if over_http => |case, _| {
        let Some(name) = decoded(case) else { return Ok(None) };
        set(case, NAME_HEADER, &name)
    };
    /// Wraps the name though it could stand plainly: lawful.
    WrapName "wrap-name" if over_http => |case, _| {
        let Some(name) = decoded(case) else { return Ok(None) };
        set(case, NAME_HEADER, &header::wrap(&name))
    };
    /// Wraps the name twice; it is unwrapped once.
    WrapNameTwice "wrap-name-twice" if over_http => |case, _| {
        let Some(name) = decoded(case) else { return Ok(None) };
        set(case, NAME_HEADER, &header::wrap(&header::wrap(&name)))
    };
    /// Writes the marker of a sentinel in capitals, which makes it a literal.
    CapitalSentinel "capital-sentinel" if over_http => |case, _| {
        let Some(name) = decoded(case) else { return Ok(None) };
        let mut value = header::wrap(&name);
        value[2..8].make_ascii_uppercase();
        set(case, NAME_HEADER, &value)
    };
    /// Leaves bits behind the last byte of a wrapped name that are not zero.
    LooseBits "loose-bits" if over_http => |case, _| edit(case, NAME_HEADER, |value| {
        // The next digit differs in its last bit alone, which padding says to ignore.
        let digit = value.iter().rposition(|byte| !b"?=".contains(byte));
        if let (true, Some(at)) = (value.starts_with(header::PREFIX) && value.ends_with(b"=?="), digit)
            && at >= header::PREFIX.len()
        {
            value[at] += 1;
        }
    });
    /// Puts a sentinel into the header that does not decode.
    BrokenSentinel "broken-sentinel" if over_http => |case, u| {
        set(case, NAME_HEADER, u.choose(&dictionary::BROKEN_SENTINELS)?.0.as_bytes())
    };
    /// Puts a value into the header that starts like a sentinel and does not end like one.
    UnclosedSentinel "unclosed-sentinel" if over_http => |case, u| {
        set(case, NAME_HEADER, u.choose(&dictionary::UNCLOSED_SENTINELS)?.as_bytes())
    };
    /// Names something that a careless reader finds equal to the header: a look-alike sent as it is, or Base64 that a
    /// loose decoder takes.
    NearSentinel "near-sentinel" if over_http => |case, u| {
        let (name, value) = *u.choose(&dictionary::NEAR_SENTINELS)?;
        judged(case, |case| {
            let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
            let method = facts::method(&case.body, &layout).unwrap_or_default();
            let Some(source) = facts::source(&method) else { return Ok(None) };
            let Some(index) = layout.find(&case.body, &["params", source]) else { return Ok(None) };
            let Some(header) = case.headers.iter_mut().find(|header| header.is(NAME_HEADER)) else { return Ok(None) };
            header.value = value.into();
            let place = layout.pointer(&case.body, index);
            splice(&mut case.body, layout.nodes[index].value.clone(), format!("\"{name}\"").as_bytes());
            Ok(Some(place))
        })
    };
    /// Leaves the padding of a sentinel out.
    UnpaddedSentinel "unpadded-sentinel" if over_http => |case, _| {
        let Some(name) = decoded(case) else { return Ok(None) };
        let mut value = header::wrap(&name);
        let padded = value.len();
        value.truncate(padded - header::SUFFIX.len());
        while value.last() == Some(&b'=') {
            value.pop();
        }
        value.extend_from_slice(header::SUFFIX);
        if value.len() == padded { Ok(None) } else { set(case, NAME_HEADER, &value) }
    };
    /// Writes white space at an edge of `Mcp-Name`.
    EdgeSpace "edge-space" if over_http => |case, u| {
        let in_front = u.arbitrary()?;
        let blank = *u.choose(b" \t")?;
        edit(case, NAME_HEADER, |value| value.insert(if in_front { 0 } else { value.len() }, blank))
    };
    /// Writes white space at an edge of a header that is trimmed: lawful.
    TrimmedSpace "trimmed-space" if over_http => |case, u| {
        let name = *u.choose(&[METHOD_HEADER, VERSION_HEADER])?;
        edit(case, name, |value| value.push(b' '))
    };
    /// Writes a byte into a mirrored header that no header may hold.
    ForbiddenByte "forbidden-byte" if over_http => |case, u| {
        let name = *u.choose(&[NAME_HEADER, METHOD_HEADER, VERSION_HEADER])?;
        let byte = *u.choose(&[0xE9, 0x00, 0x7F, 0x0D, 0x0A, 0xFF])?;
        edit(case, name, |value| value.push(byte))
    };
    /// Sends a mirrored header twice with the same value.
    RepeatHeader "repeat-header" if over_http => |case, u| repeat(case, u, None);
    /// Sends a mirrored header twice with two values.
    ContradictHeader "contradict-header" if over_http => |case, u| {
        let value = *u.choose(&["2025-06-18", "ping", ""])?;
        repeat(case, u, Some(value))
    };
    /// Joins two equal values of the version header into one.
    JoinVersionHeader "join-version-header" if over_http => |case, _| {
        edit(case, VERSION_HEADER, |value| {
            let once = value.clone();
            value.extend_from_slice(b", ");
            value.extend_from_slice(&once);
        })
    };
    /// Writes the name of a header in another letter case: lawful.
    FoldHeaderName "fold-header-name" if over_http => |case, u| {
        let Some(header) = pick(case, u)? else { return Ok(None) };
        judged(case, |case| {
            let name = &mut case.headers[header].name;
            let upper = name.to_ascii_uppercase();
            *name = if *name == upper { name.to_ascii_lowercase() } else { upper };
            Ok(Some(path(name)))
        })
    };
    /// Sends a header that says nothing here: lawful.
    AddHeader "add-header" if over_http => |case, u| {
        let (name, value) = *u.choose(&[("X-Extra", "1"), ("Mcp-Session-Id", "s"), ("Last-Event-ID", "7"), ("Mcp-Names", "x")])?;
        judged(case, |case| {
            case.headers.push(Header::new(name, value));
            Ok(Some(path(name.as_bytes())))
        })
    };
    /// Records that header lines may be missing.
    PartialHeaders "partial-headers" if |case| over_http(case) && !case.partial_headers => |case, _| {
        judged(case, |case| {
            case.partial_headers = true;
            Ok(Some(":headers:".to_owned()))
        })
    };
}

/// A version that is not the modern one, of any form.
fn other_version(u: &mut Unstructured<'_>) -> arbitrary::Result<&'static str> {
    match u.int_in_range(0..=2)? {
        0 => u.choose(&dictionary::LEGACY),
        1 => u.choose(&dictionary::OTHER_DATES),
        _ => u.choose(&dictionary::NO_DATES),
    }
    .copied()
}

fn cross_versions(case: &mut Case, u: &mut Unstructured<'_>) -> Outcome {
    let stated = other_version(u)?;
    let mirrored = if u.arbitrary()? { stated } else { other_version(u)? };
    let unmirrored = generate::rare(u, 1, 4)?;
    judged(case, |case| {
        let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
        let Some(index) = layout.find(&case.body, &["params", "_meta", dictionary::VERSION_KEY]) else {
            return Ok(None);
        };
        let Some(header) = case.headers.iter_mut().find(|header| header.is(VERSION_HEADER)) else { return Ok(None) };
        header.value = mirrored.into();
        if unmirrored {
            case.headers.retain(|header| !header.is(VERSION_HEADER));
        }
        // The place in the body is told, where an earlier fault may have stood.
        let place = layout.pointer(&case.body, index);
        splice(&mut case.body, layout.nodes[index].value.clone(), format!("\"{stated}\"").as_bytes());
        Ok(Some(place))
    })
}

fn over_http(case: &Case) -> bool {
    case.transport == Transport::Http && case.from == Party::Client
}

fn path(name: &[u8]) -> String {
    format!("header:{}", String::from_utf8_lossy(name))
}

/// The name that the one `Mcp-Name` of a case stands for.
fn decoded(case: &Case) -> Option<Vec<u8>> {
    let header = case.headers_named(NAME_HEADER).next()?;
    Some(sentinel::read(&header.value).ok()?.into_owned())
}

fn drop(case: &mut Case, name: &str) -> Outcome {
    judged(case, |case| {
        let before = case.headers.len();
        case.headers.retain(|header| !header.is(name));
        Ok((case.headers.len() < before).then(|| path(name.as_bytes())))
    })
}

/// Gives the one header of that name another value; `None` when it has that value already.
fn set(case: &mut Case, name: &str, value: &[u8]) -> Outcome {
    edit(case, name, |old| value.clone_into(old))
}

fn edit(case: &mut Case, name: &str, change: impl FnOnce(&mut Vec<u8>)) -> Outcome {
    judged(case, |case| {
        let Some(header) = case.headers.iter_mut().find(|header| header.is(name)) else { return Ok(None) };
        let before = header.value.clone();
        change(&mut header.value);
        Ok((header.value != before).then(|| path(name.as_bytes())))
    })
}

fn repeat(case: &mut Case, u: &mut Unstructured<'_>, other: Option<&str>) -> Outcome {
    let mirrored = |header: &Header| [VERSION_HEADER, METHOD_HEADER, NAME_HEADER].iter().any(|name| header.is(name));
    let Some(index) = pick(case, u)? else { return Ok(None) };
    if !mirrored(&case.headers[index]) {
        return Ok(None);
    }
    judged(case, |case| {
        let mut copy = case.headers[index].clone();
        if let Some(value) = other {
            if trimmed(&copy.value) == value.as_bytes() {
                return Ok(None);
            }
            copy.value = value.into();
        }
        let path = path(&copy.name);
        case.headers.push(copy);
        Ok(Some(path))
    })
}

fn pick(case: &Case, u: &mut Unstructured<'_>) -> arbitrary::Result<Option<usize>> {
    if case.headers.is_empty() {
        return Ok(None);
    }
    u.int_in_range(0..=case.headers.len() - 1).map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;
    use super::*;

    fn call(version: &str, method: &str, name: &str) -> String {
        let line = |name: &str, value: &str| if value == "-" { String::new() } else { format!("{name}: {value}\n") };
        format!(
            ":transport: http\n{}{}{}\n{{\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"é\",\"_meta\":\
             {{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
             \"io.modelcontextprotocol/clientCapabilities\":{{}}}}}}}}",
            line(VERSION_HEADER, version),
            line(METHOD_HEADER, method),
            line(NAME_HEADER, name),
        )
    }

    #[test]
    fn each_operator_does_what_its_record_says() {
        let (v, m, n) = ("2026-07-28", "tools/call", "=?base64?w6k=?=");
        let plain = call(v, m, n);
        let name = |value: &str| call(v, m, value);
        let crossed = plain.replace("\"2026-07-28\"", "\"2025-11-25\"").replace(": 2026-07-28", ": 2025-11-25");
        const NAME: &[&str] = &["header-mcp-name-equals-body"];
        const VERSION: &[&str] = &["header-protocol-version-equals-meta"];
        let twice = |value: &str| call(v, m, &format!("{n}\nMCP-Protocol-Version: {value}"));
        rows(
            FAMILY,
            &[
                ("drop-version-header", &plain, &call("-", m, n), &["header-protocol-version-required"]),
                ("drop-method-header", &plain, &call(v, "-", n), &["header-mcp-method-required"]),
                ("drop-name-header", &plain, &name("-"), &["header-mcp-name-required"]),
                ("other-version-header", &plain, &call("2025-11-25", m, n), VERSION),
                ("cross-versions", &plain, &crossed, &[]),
                ("other-method-header", &plain, &call(v, "tools/Call", n), &["header-mcp-method-equals-body"]),
                ("other-name-header", &plain, &name("echo"), NAME),
                ("unwrap-name", &plain, &name("%C3%A9"), &["header-invalid-characters-rejected"]),
                ("wrap-name", &name("echo"), &name("=?base64?ZWNobw==?="), &[]),
                ("wrap-name-twice", &plain, &name("=?base64?PT9iYXNlNjQ/dzZrPT89?="), NAME),
                ("capital-sentinel", &plain, &name("=?BASE64?w6k=?="), NAME),
                ("loose-bits", &plain, &name("=?base64?w6l=?="), &["sentinel-canonical-base64"]),
                ("broken-sentinel", &plain, &name("=?base64?eA?="), &["sentinel-bad-padding-rejected"]),
                ("unclosed-sentinel", &plain, &name("=?base64?="), &["sentinel-encode-overlapping-lookalike"]),
                ("unpadded-sentinel", &plain, &name("=?base64?w6k?="), &["sentinel-bad-padding-rejected"]),
                (
                    "near-sentinel",
                    &plain,
                    &name("=?base64?=").replace("\"é\"", "\"=?base64?=\""),
                    &["sentinel-encode-overlapping-lookalike"],
                ),
                ("edge-space", &plain, &name(&format!("{n} ")), &["sentinel-encode-edge-whitespace"]),
                ("trimmed-space", &plain, &call(v, "tools/call ", n), &[]),
                ("forbidden-byte", &plain, &name(&format!("{n}%E9")), &["header-invalid-characters-rejected"]),
                ("repeat-header", &plain, &twice(v), &["header-repeated-field-rejected"]),
                ("contradict-header", &plain, &twice("2025-06-18"), &["header-repeated-field-rejected"]),
                ("join-version-header", &plain, &call("2026-07-28, 2026-07-28", m, n), VERSION),
                ("fold-header-name", &plain, &plain.replace("MCP-Protocol-Version", "MCP-PROTOCOL-VERSION"), &[]),
                ("add-header", &plain, &name(&format!("{n}\nX-Extra: 1")), &[]),
                ("partial-headers", &plain, &plain.replace("http\n", "http\n:headers: partial\n"), &[]),
            ],
        );
    }
}
