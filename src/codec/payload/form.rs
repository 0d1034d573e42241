//! Which strings and numbers have the form that a payload asks for: base64, URIs and their templates, bounds?
//!
//! Nothing is decoded or resolved. A URI of no characters passes: whether one may be empty is asked elsewhere.

use std::borrow::Cow;

use crate::codec::document::Text;
use crate::codec::id::IdKey;

/// Base64 in the standard alphabet with padding. Bits behind the last byte are not looked at.
pub fn base64(text: Text<'_>) -> bool {
    let text = plain(&text);
    let bytes = text.as_bytes();
    let padding = bytes.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    let digits = &bytes[..bytes.len() - padding];
    // Without an early exit the loop over a block is free of branches.
    let block = |block: &[u8]| block.iter().fold(true, |all, &byte| all & BASE64[byte as usize]);
    bytes.len().is_multiple_of(4) && digits.chunks(256).all(block)
}

const BASE64: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/');
        byte += 1;
    }
    table
};

/// A URI by the character rules of RFC 3986: a scheme, a colon, and what may follow.
pub fn uri(text: Text<'_>) -> bool {
    let text = plain(&text);
    if text.is_empty() {
        return true;
    }
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scheme.bytes().next().is_some_and(|first| first.is_ascii_alphabetic())
        && scheme.bytes().all(letters)
        && characters(rest.as_bytes(), b"-._~:/?#[]@!$&'()*+,;=")
}

/// Letters, digits, the given marks, and percent signs before two hexadecimal digits.
fn characters(bytes: &[u8], marks: &[u8]) -> bool {
    let escape = |at: usize| bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => escape(at),
        byte => byte.is_ascii_alphanumeric() || marks.contains(byte),
    })
}

/// An absolute URL: a URI with something behind the scheme, and with a host where the scheme is one of the web's.
pub fn url(text: Text<'_>) -> bool {
    if !uri(text) {
        return false;
    }
    let text = plain(&text);
    match text.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http") => rest
            .strip_prefix("//")
            .is_some_and(|host| host.bytes().next().is_some_and(|first| !b"/?#".contains(&first))),
        Some((_, rest)) => !rest.is_empty(),
        None => false,
    }
}

/// A template of RFC 6570: literals, and expressions in braces that name variables.
pub fn uri_template(text: Text<'_>) -> bool {
    let text = plain(&text);
    let mut rest = text.as_ref();
    loop {
        let Some((literal, after)) = rest.split_once('{') else { return template_literal(rest) };
        let Some((expression, after)) = after.split_once('}') else { return false };
        if !template_literal(literal) || !template_expression(expression) {
            return false;
        }
        rest = after;
    }
}

/// RFC 6570 section 2.1: no controls, spaces, quotes or brackets; a percent sign starts a triplet.
fn template_literal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let escape = |at: usize| bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => escape(at),
        0..=b' ' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' | 0x7F => false,
        _ => true,
    })
}

fn template_expression(text: &str) -> bool {
    let list = text.strip_prefix(['+', '#', '.', '/', ';', '?', '&']).unwrap_or(text);
    list.split(',').all(|variable| {
        let name = match variable.split_once(':') {
            Some((name, length)) => {
                let digits = (1..=4).contains(&length.len()) && length.bytes().all(|byte| byte.is_ascii_digit());
                if !digits || length.starts_with('0') {
                    return false;
                }
                name
            }
            None => variable.strip_suffix('*').unwrap_or(variable),
        };
        !name.is_empty() && name.split('.').all(|part| !part.is_empty() && characters(part.as_bytes(), b"_"))
    })
}

/// A media type: two tokens around a slash, and whatever parameters follow.
pub fn media_type(text: Text<'_>) -> bool {
    let text = plain(&text);
    let essence = text.split(';').next().unwrap_or_default();
    let token = |part: &str| {
        let part = part.trim_end_matches([' ', '\t']);
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    essence.split_once('/').is_some_and(|(top, sub)| token(top) && token(sub))
}

/// A date of ISO 8601, alone or with a time behind it; which day of which month is not checked.
pub fn timestamp(text: Text<'_>) -> bool {
    let text = plain(&text);
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text.as_ref(), None),
    };
    let like = |text: &str, pattern: &str| {
        text.len() == pattern.len()
            && text
                .bytes()
                .zip(pattern.bytes())
                .all(|(byte, like)| if like == b'0' { byte.is_ascii_digit() } else { byte == like })
    };
    let clock = |time: &str| {
        let zone = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
        let (clock, zone) = time.split_at(zone);
        let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, "0"));
        let zoned = matches!(zone, "" | "Z" | "z")
            || zone
                .strip_prefix(['+', '-'])
                .is_some_and(|zone| ["00:00", "0000", "00"].iter().any(|like_| like(zone, like_)));
        let told = ["00:00:00", "00:00", "000000"].iter().any(|pattern| like(clock, pattern));
        told && zoned && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
    };
    (like(date, "0000-00-00") || like(date, "00000000")) && time.is_none_or(clock)
}

/// A number that is not below zero.
pub fn not_negative(number: &str) -> bool {
    !number.starts_with('-') || !matches!(IdKey::of(number.as_bytes()), IdKey::Number { negative: true, .. })
}

/// A number from 0 to 1, compared without rounding.
pub fn unit(number: &str) -> bool {
    match IdKey::of(number.as_bytes()) {
        IdKey::Number { negative: true, .. } | IdKey::String(_) => false,
        IdKey::Number { digits, exponent: Some(exponent), .. } => {
            // The place of the point, counted from the first digit: 0.1 has it at 0, 1 at 1.
            let point = exponent.saturating_add(digits.len() as i64);
            point <= 0 && !digits.is_empty() || digits.is_empty() || (point == 1 && digits.as_ref() == b"1")
        }
        // An exponent beyond 64 bits: nothing that fits a message brings the value back between the bounds.
        IdKey::Number { exponent: None, .. } => number.contains("e-") || number.contains("E-"),
    }
}

/// The text, borrowed when nothing in it is escaped.
fn plain<'a>(text: &Text<'a>) -> Cow<'a, str> {
    text.decode()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(form: fn(Text<'_>) -> bool, good: &[&str], bad: &[&str]) {
        for (texts, holds) in [(good, true), (bad, false)] {
            for text in texts {
                assert_eq!(form(Text::of_raw(text.as_bytes())), holds, "{text:?}");
            }
        }
    }

    #[test]
    fn base64_is_standard_and_padded() {
        each(
            base64,
            &["", "AA==", "AAA=", "AAAA", "+/+/", r"\/\/\/\/", "AB=="],
            &["A", "AA", "AAA", "A===", "====", "AA=A", "-_-_", "AAA\\n", "AAAA ", "AA==AA=="],
        );
    }

    #[test]
    fn a_uri_has_a_scheme_and_no_other_characters_than_uris_have() {
        each(
            uri,
            &["", "file:///a", "a:", "urn:x:y", "x-y+z.1://[::1]/%20?q#f", "data:,"],
            &["a", "/a", ":a", "1a:b", "a:b c", "a:%2", "a:%zz", "a:é", "a:\\n", "a:<b>"],
        );
        each(url, &["https://a", "http://a:1/b", "app:x"], &["", "https:", "https://", "https:///a", "app:", "a"]);
    }

    #[test]
    fn a_template_closes_its_expressions_and_names_variables() {
        each(
            uri_template,
            &["", "a", "file:///{path}", "{+a,b*}{?c:3}", "{a.b}", "%20", "x{&a}", "é"],
            &["{", "}", "{}", "{a", "a}", "{{a}}", "{a b}", "{a:0}", "{a:}", "{a,}", "a b", "%2", "{a:12345}"],
        );
    }

    #[test]
    fn a_media_type_has_two_parts() {
        each(
            media_type,
            &["a/b", "image/svg+xml", "text/plain; charset=utf-8"],
            &["", "a", "a/", "/b", "a b/c", "a/b/c"],
        );
    }

    #[test]
    fn a_timestamp_is_a_date_and_perhaps_a_time() {
        each(
            timestamp,
            &["2025-01-12", "2025-01-12T15:00:58Z", "2025-01-12T15:00:58.123+01:00", "20250112T150058Z"],
            &["", "yesterday", "2025-01", "2025-01-12T", "2025-01-12T15", "2025-01-12T15:00:58.Z", "2025-1-12"],
        );
    }

    #[test]
    fn bounds_hold_exactly() {
        for within in ["0", "-0", "0.0", "-0e5", "1", "1.0", "10e-1", "0.5", "1e-400", "0.99999999999999999999"] {
            assert!(unit(within), "{within}");
        }
        for outside in ["-0.1", "1.00000000000000000001", "2", "1e1", "11e-1", "1e99999999999999999999"] {
            assert!(!unit(outside), "{outside}");
        }
        assert!(unit("1e-99999999999999999999"));
        assert!(not_negative("0") && not_negative("-0") && not_negative("-0.0e7") && not_negative("1e999"));
        assert!(!not_negative("-1") && !not_negative("-1e-400"));
    }
}
