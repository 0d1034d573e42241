//! What does one answer to a probe, looked at alone, say about the era of a server?
//!
//! Two classifiers, for stdio and for HTTP, with the answers of the compatibility classifiers of another modern-only
//! implementation, cell by cell, so that a dual-era client can be held against either. They look at one answer, keep no state and start nothing; what a
//! client does next is [`super::negotiate`]'s matter. Where they differ from our own rules:
//!
//! - silence of any kind and every answer that is not modern read *legacy* over stdio; ours is inconclusive, and selects a
//!   legacy era only with an allow-listed endpoint and a valid `initialize` result;
//! - any result with a status of success reads *modern* over HTTP; ours asks for a discover result or a typed one;
//! - `-32003` of earlier drafts counts as modern; ours has three codes;
//! - a modern error in a response of success or of failure of the server reads *indeterminate*; `strict` of ours takes the
//!   code for proof whatever the status;
//! - a discover result may leave out its `resultType`; ours owes `complete`.

use super::document::{Decoder, Value, ValueKind};
use super::meta::malformed_capability;
use crate::limits::Limits;

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Only a modern server answers so.
    Modern,
    /// A legacy server may answer so, and a modern one does not.
    Legacy,
    /// Nothing.
    Indeterminate,
}

/// What kind of body an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// Not JSON within the limits, no object, or no valid response.
    Broken,
    Discovered,
    OtherResult,
    ModernError,
    OtherError,
}

/// The sign of a line that answers `server/discover` over stdio; never indeterminate.
///
/// ```
/// use wirebench::codec::probe::{Sign, of_line};
///
/// let refused = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}"#;
/// assert_eq!(of_line(refused), Sign::Modern);
/// assert_eq!(of_line(b"hello"), Sign::Legacy);
/// ```
pub fn of_line(line: &[u8]) -> Sign {
    match body(line) {
        Body::Discovered | Body::ModernError => Sign::Modern,
        Body::Broken | Body::OtherResult | Body::OtherError => Sign::Legacy,
    }
}

/// The sign of a status and a body that answer a modern request over HTTP.
///
/// ```
/// use wirebench::codec::probe::{Sign, of_response};
///
/// assert_eq!(of_response(400, b""), Sign::Legacy);
/// assert_eq!(of_response(503, b""), Sign::Indeterminate);
/// ```
pub fn of_response(status: u16, bytes: &[u8]) -> Sign {
    match (status, body(bytes)) {
        (200..=299, Body::Discovered | Body::OtherResult) => Sign::Modern,
        (400..=499, Body::ModernError) => Sign::Modern,
        (400..=499, _) => Sign::Legacy,
        _ => Sign::Indeterminate,
    }
}

fn body(bytes: &[u8]) -> Body {
    let mut decoder = Decoder::new();
    let Ok(document) = decoder.read(bytes, &Limits::message()) else { return Body::Broken };
    let root = document.root();
    let version = root.get("jsonrpc").and_then(Value::as_text).is_some_and(|version| version.is("2.0"));
    match (root.get("result"), root.get("error")) {
        (Some(result), None) if version && has_id(root) => {
            if discovers(result) {
                Body::Discovered
            } else {
                Body::OtherResult
            }
        }
        (None, Some(error)) if version => {
            if is_modern(error) {
                Body::ModernError
            } else {
                Body::OtherError
            }
        }
        _ => Body::Broken,
    }
}

fn has_id(root: Value<'_>) -> bool {
    root.get("id").is_some_and(|id| id.as_text().is_some() || integer(id).is_some())
}

fn integer(value: Value<'_>) -> Option<i64> {
    value.as_number()?.parse().ok()
}

fn is_modern(error: Value<'_>) -> bool {
    let text = |value: Value<'_>| value.as_text().is_some();
    let data = |name: &str| error.get("data").and_then(|data| data.get(name));
    if !error.get("message").is_some_and(text) {
        return false;
    }
    match error.get("code").and_then(integer) {
        Some(-32020) => true,
        Some(-32021 | -32003) => data("requiredCapabilities").is_some_and(|set| malformed_capability(set).is_none()),
        Some(-32022) => data("supported").is_some_and(strings) && data("requested").is_some_and(text),
        _ => false,
    }
}

/// A non-empty array of strings.
fn strings(list: Value<'_>) -> bool {
    list.elements().next().is_some() && list.elements().all(|value| value.as_text().is_some())
}

fn discovers(result: Value<'_>) -> bool {
    let absent_or = |name: &str, holds: &dyn Fn(Value<'_>) -> bool| result.get(name).is_none_or(holds);
    let text = |value: Value<'_>| value.as_text().is_some();
    let object = |value: Value<'_>| value.kind() == ValueKind::Object;
    let finite = |value: Value<'_>| {
        value.as_number().and_then(|n| n.parse().ok()).is_some_and(|n: f64| n.is_finite() && n >= 0.0)
    };
    let scope = |value: Value<'_>| value.as_text().is_some_and(|text| text.is("public") || text.is("private"));
    // An interim result whose members are proper passes as well.
    let asks = (result.get("requestState").is_some() || result.get("inputRequests").is_some())
        && absent_or("requestState", &text)
        && absent_or("inputRequests", &object);
    let typed = absent_or("resultType", &|token| {
        token.as_text().is_some_and(|token| token.is("complete") || token.is("input_required") && asks)
    });
    typed
        && result.get("supportedVersions").is_some_and(strings)
        && result.get("capabilities").is_some_and(server_capabilities)
        && absent_or("instructions", &text)
        && result.get("ttlMs").is_some_and(finite)
        && result.get("cacheScope").is_some_and(scope)
}

/// Known capabilities are objects, and what they say is true or false.
fn server_capabilities(set: Value<'_>) -> bool {
    const FLAGS: [(&str, &[&str]); 7] = [
        ("logging", &[]),
        ("completions", &[]),
        ("prompts", &["listChanged"]),
        ("tools", &["listChanged"]),
        ("resources", &["subscribe", "listChanged"]),
        ("experimental", &[]),
        ("extensions", &[]),
    ];
    let flags = |value: Value<'_>, names: &[&str]| {
        names.iter().all(|name| value.get(name).is_none_or(|flag| flag.kind() == ValueKind::Bool))
    };
    set.is_object()
        && FLAGS.iter().all(|(name, names)| set.get(name).is_none_or(|value| value.is_object() && flags(value, names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn discovers(members: &str) -> bool {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{{members}}}}}"#);
        matches!(body(text.as_bytes()), Body::Discovered)
    }

    const OWED: &str = r#""supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"public""#;

    #[test]
    fn a_discovery_has_versions_capabilities_and_how_long_it_holds() {
        for (members, is) in [
            (r#""supportedVersions":["1"],"capabilities":{},"ttlMs":0,"cacheScope":"public""#, true),
            (r#""supportedVersions":["1"],"capabilities":{},"ttlMs":1.5,"cacheScope":"private""#, true),
            (r#""supportedVersions":["1"],"capabilities":{},"ttlMs":0,"cacheScope":"all""#, false),
            (r#""supportedVersions":["1"],"capabilities":{},"ttlMs":0"#, false),
            (r#""supportedVersions":["1"],"capabilities":{},"ttlMs":-1,"cacheScope":"public""#, false),
            (r#""supportedVersions":["1"],"capabilities":{},"ttlMs":1e999,"cacheScope":"public""#, false),
            (r#""supportedVersions":["1"],"capabilities":{},"cacheScope":"public""#, false),
            (r#""supportedVersions":["1"],"capabilities":[],"ttlMs":0,"cacheScope":"public""#, false),
            (r#""supportedVersions":["1"],"ttlMs":0,"cacheScope":"public""#, false),
            (r#""supportedVersions":[],"capabilities":{},"ttlMs":0,"cacheScope":"public""#, false),
            (r#""supportedVersions":["1",2],"capabilities":{},"ttlMs":0,"cacheScope":"public""#, false),
            (r#""capabilities":{},"ttlMs":0,"cacheScope":"public""#, false),
        ] {
            assert_eq!(discovers(members), is, "{members}");
        }
        assert!(discovers(&format!(r#"{OWED},"capabilities":{{}},"instructions":"i""#)));
        assert!(!discovers(&format!(r#"{OWED},"capabilities":{{}},"instructions":1"#)));
    }

    #[test]
    fn its_type_is_complete_or_absent_or_an_interim_one_that_asks_properly() {
        for (members, is) in [
            (r#""resultType":"complete""#, true),
            (r#""resultType":"task""#, false),
            (r#""resultType":1"#, false),
            (r#""resultType":"input_required""#, false),
            (r#""resultType":"input_required","requestState":"s""#, true),
            (r#""resultType":"input_required","requestState":1"#, false),
            (r#""resultType":"input_required","inputRequests":{}"#, true),
            (r#""resultType":"input_required","inputRequests":[]"#, false),
            (r#""resultType":"input_required","requestState":"s","inputRequests":{}"#, true),
            (r#""resultType":"input_required","requestState":1,"inputRequests":{}"#, false),
        ] {
            assert_eq!(discovers(&format!(r#"{OWED},"capabilities":{{}},{members}"#)), is, "{members}");
        }
    }

    #[test]
    fn its_known_capabilities_are_objects_with_flags() {
        for (capabilities, is) in [
            (r#"{"tools":{"listChanged":true},"resources":{"subscribe":false,"listChanged":true}}"#, true),
            (r#"{"tools":{"listChanged":1}}"#, false),
            (r#"{"resources":{"subscribe":"yes"}}"#, false),
            (r#"{"tools":true}"#, false),
            (r#"{"logging":[]}"#, false),
            (r#"{"experimental":{"x":1},"unknown":1}"#, true),
        ] {
            assert_eq!(discovers(&format!(r#"{OWED},"capabilities":{capabilities}"#)), is, "{capabilities}");
        }
    }

    #[test]
    fn a_response_has_one_outcome_and_a_readable_id() {
        let is_result = |text: &str| matches!(body(text.as_bytes()), Body::OtherResult);
        for (text, is) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, true),
            (r#"{"jsonrpc":"2.0","id":"","result":{}}"#, true),
            (r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#, false),
            (r#"{"jsonrpc":"2.0","id":[],"result":{}}"#, false),
            (r#"{"jsonrpc":"2.0","result":{}}"#, false),
            (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, false),
            (r#"{"id":1,"result":{}}"#, false),
        ] {
            assert_eq!(is_result(text), is, "{text}");
        }
        let is_modern = |error: &str| {
            matches!(body(format!(r#"{{"jsonrpc":"2.0","error":{error}}}"#).as_bytes()), Body::ModernError)
        };
        for (error, is) in [
            (r#"{"code":-32020,"message":"m"}"#, true),
            (r#"{"code":-32020}"#, false),
            (r#"{"code":-32020,"message":1}"#, false),
            (r#"{"code":-32021,"message":"m","data":{"requiredCapabilities":{}}}"#, true),
            (r#"{"code":-32003,"message":"m","data":{"requiredCapabilities":{}}}"#, true),
            (r#"{"code":-32021,"message":"m","data":{"requiredCapabilities":{"roots":1}}}"#, false),
            (r#"{"code":-32022,"message":"m","data":{"supported":["1"],"requested":"2"}}"#, true),
            (r#"{"code":-32022,"message":"m","data":{"supported":["1"]}}"#, false),
            (r#"{"code":-32022,"message":"m","data":{"supported":[],"requested":"2"}}"#, false),
            (r#"{"code":-32600,"message":"m"}"#, false),
        ] {
            assert_eq!(is_modern(error), is, "{error}");
        }
    }
}
