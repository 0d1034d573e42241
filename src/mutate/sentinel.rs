//! What a value of `Mcp-Name` stands for, read strictly and apart from the codec.

use std::borrow::Cow;

use super::facts::{Broken, trimmed};
use crate::codec::refusal::Reason;
use crate::generate::header::{PREFIX, SUFFIX};
use crate::mutation::RequirementId;

/// The bytes that a raw value stands for, or the rule that it breaks. Rows as in the table of the sentinel.
pub(crate) fn read(raw: &[u8]) -> Result<Cow<'_, [u8]>, Broken> {
    let fail = |requirement, reason| Err(Broken { requirement, reason: Some(reason) });
    if !raw.iter().all(|byte| matches!(byte, 0x09 | 0x20..=0x7E)) {
        return fail("header-invalid-characters-rejected", Reason::HeaderCharacters);
    }
    if trimmed(raw) != raw {
        return fail("sentinel-encode-edge-whitespace", Reason::HeaderSpace);
    }
    let wrapped = raw.len() >= PREFIX.len() + SUFFIX.len() && raw.starts_with(PREFIX) && raw.ends_with(SUFFIX);
    if wrapped {
        return match decode(&raw[PREFIX.len()..raw.len() - SUFFIX.len()]) {
            Ok(bytes) => Ok(Cow::Owned(bytes)),
            Err(requirement) => fail(requirement, Reason::SentinelMalformed),
        };
    }
    if raw.contains(&b'\t') {
        return fail("sentinel-interior-tab-encoded", Reason::HeaderSpace);
    }
    if raw == b"=?base64?=" {
        // The suffix overlaps the prefix, so an encoder and a decoder may disagree about it.
        return fail("sentinel-encode-overlapping-lookalike", Reason::SentinelMalformed);
    }
    if raw.starts_with(PREFIX) {
        return fail("sentinel-missing-suffix-is-literal", Reason::SentinelUnclosed);
    }
    Ok(Cow::Borrowed(raw))
}

fn decode(payload: &[u8]) -> Result<Vec<u8>, RequirementId> {
    let padding = payload.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = &payload[..payload.len() - padding];
    let mut out = Vec::with_capacity(payload.len() / 4 * 3);
    let (mut word, mut bits) = (0u32, 0);
    for &byte in digits {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => return Err("sentinel-bad-padding-rejected"),
            _ => return Err("sentinel-bad-alphabet-rejected"),
        };
        word = word << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
            word &= (1 << bits) - 1;
        }
    }
    if padding > 2 || !payload.len().is_multiple_of(4) {
        return Err("sentinel-bad-padding-rejected");
    }
    if word != 0 {
        return Err("sentinel-canonical-base64");
    }
    if std::str::from_utf8(&out).is_err() {
        return Err("sentinel-payload-is-utf8");
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{dictionary, header};

    #[test]
    fn every_wrapped_name_reads_back() {
        for name in dictionary::NAMES.iter().chain(&dictionary::URIS) {
            assert_eq!(read(&header::encode(name)).unwrap().as_ref(), name.as_bytes(), "{name:?}");
            assert_eq!(read(&header::wrap(name.as_bytes())).unwrap().as_ref(), name.as_bytes(), "{name:?}");
        }
    }

    #[test]
    fn every_broken_sentinel_breaks_the_rule_beside_it() {
        for (raw, rule) in dictionary::BROKEN_SENTINELS {
            let broken = read(raw.as_bytes()).unwrap_err();
            assert_eq!((broken.requirement, broken.reason), (rule, Some(Reason::SentinelMalformed)), "{raw}");
        }
        for raw in dictionary::UNCLOSED_SENTINELS {
            let overlaps = raw == "=?base64?=";
            let reason = if overlaps { Reason::SentinelMalformed } else { Reason::SentinelUnclosed };
            assert_eq!(read(raw.as_bytes()).unwrap_err().reason, Some(reason), "{raw}");
        }
    }
}
