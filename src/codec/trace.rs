//! Is what `_meta` says of a trace well formed, so that whoever traces can use it?
//!
//! Three bare keys carry the values of W3C Trace Context and W3C Baggage. A broken value is dropped and told of; it never
//! changes what a message is or licenses. What a value means is nobody's matter here: its bytes are looked at once, and
//! nothing is decoded, kept or passed on.

use super::annotation;
use super::document::Value;

/// A broken rule and the value that breaks it.
pub type Fault<'a> = (&'static str, Value<'a>);

/// What is wrong with the trace context in a `_meta`; of each key the first fault.
pub fn faults(meta: Value<'_>) -> impl Iterator<Item = Fault<'_>> {
    let text = |value: Value<'_>, holds: fn(&[u8]) -> bool| {
        value.as_text().is_some_and(|text| holds(text.decode().as_bytes()))
    };
    let [parent, state, baggage] = ["traceparent", "tracestate", "baggage"].map(|key| meta.get(key));
    let traced = parent.is_some_and(|value| text(value, is_parent));
    let broken = |value: Option<Value<'_>>, holds| value.is_some_and(|value| !text(value, holds));
    let state_rule = match () {
        () if broken(state, is_state) => Some("meta-tracestate-format"),
        // Without the parent it belongs to no trace that could go on.
        () if !traced => Some("meta-tracestate-needs-traceparent"),
        () => None,
    };
    let parent_rule = broken(parent, is_parent).then_some("meta-traceparent-format");
    let baggage_rule = broken(baggage, is_baggage).then_some("meta-baggage-format");
    [(parent_rule, parent), (state_rule, state), (baggage_rule, baggage)]
        .into_iter()
        .filter_map(|(rule, value)| Some((rule?, value?)))
}

/// Version, trace id, parent id and flags in lower-case hexadecimal; neither id all zeros, no version `ff`. A later version
/// may go on behind another dash.
fn is_parent(text: &[u8]) -> bool {
    let hex = |part: &[u8]| part.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let zero = |part: &[u8]| part.iter().all(|byte| *byte == b'0');
    let Some((head, rest)) = text.split_at_checked(55) else { return false };
    let (version, trace, parent, flags) = (&head[..2], &head[3..35], &head[36..52], &head[53..]);
    let dashed = [2, 35, 52].iter().all(|at| head[*at] == b'-');
    let ends = rest.is_empty() || version != b"00" && rest[0] == b'-';
    let spelled = [version, trace, parent, flags].into_iter().all(hex);
    dashed && ends && spelled && version != b"ff" && !zero(trace) && !zero(parent)
}

/// How many members a `tracestate` has at the most, empty ones among them.
const MEMBERS: usize = 32;
/// How many bytes a key or a value of it has at the most.
const PART: usize = 256;

/// Members `key=value` between commas, no key twice. Members may be empty: lists are joined from several header lines.
fn is_state(text: &[u8]) -> bool {
    let mut keys: Vec<&[u8]> = Vec::new();
    for (at, member) in text.split(|byte| *byte == b',').enumerate() {
        let member = trimmed(member);
        if at == MEMBERS {
            return false;
        }
        if member.is_empty() {
            continue;
        }
        let Some(equals) = member.iter().position(|byte| *byte == b'=') else { return false };
        let (key, value) = (&member[..equals], &member[equals + 1..]);
        if !is_state_key(key) || !is_state_value(value) || keys.contains(&key) {
            return false;
        }
        keys.push(key);
    }
    true
}

fn is_state_key(key: &[u8]) -> bool {
    let small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    key.len() <= PART
        && key.first().is_some_and(|first| small(*first))
        && key.iter().all(|byte| small(*byte) || b"_-*/@".contains(byte))
}

/// Space and visible characters but comma and equals sign. White space behind it was taken for the list's.
fn is_state_value(value: &[u8]) -> bool {
    (1..=PART).contains(&value.len()) && value.iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'=')
}

/// Members `key=value` between commas, each with properties behind semicolons; none is empty, and a key may repeat.
fn is_baggage(text: &[u8]) -> bool {
    text.split(|byte| *byte == b',').all(|member| {
        let mut parts = member.split(|byte| *byte == b';');
        let owned = |part: &[u8]| match part.iter().position(|byte| *byte == b'=') {
            Some(at) => is_token(trimmed(&part[..at])) && is_baggage_value(trimmed(&part[at + 1..])),
            None => false,
        };
        let property = |part: &[u8]| owned(part) || is_token(trimmed(part));
        parts.next().is_some_and(owned) && parts.all(property)
    })
}

fn is_token(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| annotation::is_token(*byte))
}

/// Visible characters but the quotation mark and the backslash; separators never reach it.
fn is_baggage_value(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
}

fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::document::Decoder;
    use crate::limits::Limits;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_parent_is_four_parts_of_lower_case_hexadecimal() {
        let later = PARENT.replacen("00", "01", 1);
        for good in [PARENT, &later, &format!("{later}-"), &format!("{later}-what comes")] {
            assert!(is_parent(good.as_bytes()), "{good}");
        }
        for bad in [
            "",
            "00-0-0-0",
            &PARENT[..54],
            &format!("{PARENT}-"),
            &format!("{PARENT}0"),
            &format!("{later}0"),
            &PARENT.replacen("00", "ff", 1),
            &PARENT.replace('a', "A"),
            &PARENT.replace('-', "_"),
            &PARENT.replace("0af7651916cd43dd8448eb211c80319c", &"0".repeat(32)),
            &PARENT.replace("b7ad6b7169203331", &"0".repeat(16)),
            &PARENT.replace("b7ad", "é7d"),
        ] {
            assert!(!is_parent(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn a_state_has_32_members_and_no_key_twice() {
        let list = |count: usize| (0..count).map(|at| format!("k{at}=v")).collect::<Vec<_>>().join(",");
        for good in [
            "",
            ",",
            " ",
            "a=1",
            "0a@b_-*/c=1",
            "a= x ",
            "a=1 ,\tb=2",
            "a=~!",
            &list(32),
            &format!("{}=v", "k".repeat(256)),
        ] {
            assert!(is_state(good.as_bytes()), "{good}");
        }
        let long = ",".repeat(32);
        for bad in [
            "a",
            "a=",
            "=1",
            "A=1",
            "_a=1",
            "a=1,a=2",
            "a=1=2",
            "a b=1",
            "a=\u{7f}",
            "a=é",
            "a=1\t2",
            &list(33),
            &long,
            &format!("{}=v", "k".repeat(257)),
            &format!("k={}", "v".repeat(257)),
        ] {
            assert!(!is_state(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn baggage_is_tokens_and_values_with_properties() {
        for good in ["a=1", "a=", "a=1;p;q=2, b = DF%2028 ; r", "a=1,a=2", "a==", "!#$=x"] {
            assert!(is_baggage(good.as_bytes()), "{good}");
        }
        for bad in ["", ",", "a=1,,b=2", "a", "a b=1", "a=1 2", "a=\"1\"", "a=\\", "a=é", "a=1;", "a=1;p q", "a;b=1"] {
            assert!(!is_baggage(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn a_state_belongs_to_a_readable_parent() {
        let rows = [
            (format!(r#"{{"traceparent":"{PARENT}","tracestate":"a=1","baggage":"a=1"}}"#), ""),
            (r#"{"baggage":"a=1"}"#.to_owned(), ""),
            (r#"{"tracestate":"a=1"}"#.to_owned(), "meta-tracestate-needs-traceparent"),
            (
                r#"{"traceparent":1,"tracestate":"a=1"}"#.to_owned(),
                "meta-traceparent-format meta-tracestate-needs-traceparent",
            ),
            (
                r#"{"traceparent":null,"tracestate":1,"baggage":[]}"#.to_owned(),
                "meta-traceparent-format meta-tracestate-format meta-baggage-format",
            ),
            (format!(r#"{{"traceparent":"{PARENT}","tracestate":"A=1"}}"#), "meta-tracestate-format"),
            (r#"{"org.w3/traceparent":1,"Baggage":1}"#.to_owned(), ""),
        ];
        for (text, rules) in rows {
            let mut decoder = Decoder::new();
            let document = decoder.read(text.as_bytes(), &Limits::message()).expect("an object");
            let found: Vec<_> = faults(document.root()).map(|(rule, _)| rule).collect();
            assert_eq!(found.join(" "), rules, "{text}");
        }
    }
}
