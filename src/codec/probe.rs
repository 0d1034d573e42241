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
