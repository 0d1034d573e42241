//! Whether an answer proves its sender modern, and whether it proves a legacy session.
//!
//! Two measures: what the text of the specification calls a recognised modern answer, and the wider set that a careful
//! client takes as reason enough not to step back.

use super::document::{Value, ValueKind};
use super::era::KnownRevision;
use crate::case::{Revision, Transport};

/// The three codes that only a modern server has.
pub const MODERN_CODES: [i64; 3] = [-32020, -32021, -32022];

/// An error and how it arrived.
#[derive(Clone, Copy, Debug)]
pub struct ErrorAnswer<'a> {
    /// The error object.
    pub error: Value<'a>,
    /// Its code.
    pub code: i64,
    /// How it travelled.
    pub transport: Transport,
    /// The HTTP status, where it is known.
    pub status: Option<u16>,
    /// Whether it carries the id of an outstanding request.
    pub correlated: bool,
    /// The method of that request.
    pub method: Option<&'a [u8]>,
}

/// Whether an error is a recognised modern answer.
pub fn error_is_modern(answer: &ErrorAnswer<'_>) -> bool {
    let data = answer.error.get("data");
    let counts = match answer.transport {
        Transport::Http => answer.status.is_some_and(|status| (400..500).contains(&status)),
        Transport::Stdio => answer.correlated,
    };
    let shaped = match answer.code {
        -32020 => true,
        -32021 => data.and_then(|data| data.get("requiredCapabilities")).is_some_and(Value::is_object),
        -32022 => data.is_some_and(|data| {
            let requested = data.get("requested").is_some_and(|value| value.as_text().is_some());
            requested && data.get("supported").is_some_and(|list| strings(list).is_some_and(|count| count > 0))
        }),
        -32601 => {
            answer.transport == Transport::Http
                && answer.status == Some(404)
                && answer.method.is_some_and(|method| method != b"server/discover")
        }
        _ => false,
    };
    counts && shaped
}

/// Whether a status tells of a failure of authorization, of a limit on requests, or of the server: what answered says
/// nothing about the era, whatever else is in its body.
pub const fn is_failure(status: u16) -> bool {
    matches!(status, 401 | 403 | 407 | 429 | 500..)
}

/// Whether a result is that of `server/discover`: capabilities and a list of revisions.
pub fn is_discover_result(result: Value<'_>) -> bool {
    let complete =
        result.get("resultType").is_some_and(|token| token.as_text().is_some_and(|token| token.is("complete")));
    complete
        && result.get("capabilities").is_some_and(Value::is_object)
        && result.get("supportedVersions").is_some_and(|list| strings(list).is_some())
}

/// The legacy revision that the result of an `initialize` selects: a date, object capabilities, and a server with a
/// name and a version.
pub fn initialized_revision(result: Value<'_>) -> Option<Revision> {
    let text = |value: Value<'_>| value.as_text().is_some();
    let server = result.get("serverInfo")?;
    let shaped = result.get("capabilities").is_some_and(Value::is_object)
        && server.get("name").is_some_and(text)
        && server.get("version").is_some_and(text);
    let revision = Revision::parse(result.get("protocolVersion")?.as_text()?.decode().as_bytes())?;
    shaped.then_some(revision)
}

/// Whether a revision is one of the four legacy ones.
pub fn is_legacy(revision: Revision) -> bool {
    KnownRevision::of(revision.as_str()).is_some_and(|known| !known.is_modern())
}

/// How many strings an array holds; `None` when it is no array of strings alone.
fn strings(list: Value<'_>) -> Option<usize> {
    let every = list.kind() == ValueKind::Array && list.elements().all(|value| value.as_text().is_some());
    every.then(|| list.elements().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::document::Decoder;
    use crate::limits::Limits;

    fn on<T>(text: &str, ask: impl FnOnce(Value<'_>) -> T) -> T {
        let mut decoder = Decoder::new();
        ask(decoder.read(text.as_bytes(), &Limits::message()).unwrap().root())
    }

    fn over(transport: Transport, status: Option<u16>, correlated: bool, method: &str, code: i64, data: &str) -> bool {
        on(&format!(r#"{{"data":{data}}}"#), |error| {
            let method = Some(method.as_bytes());
            error_is_modern(&ErrorAnswer { error, code, transport, status, correlated, method })
        })
    }

    #[test]
    fn an_error_proves_its_sender_modern_by_code_and_data_where_it_counts() {
        const NAMED: &str = r#"{"requested":"1","supported":["2026-07-28"]}"#;
        for (code, data, modern) in [
            (-32020, "null", true),
            (-32021, r#"{"requiredCapabilities":{}}"#, true),
            (-32021, r#"{"requiredCapabilities":[]}"#, false),
            (-32021, "{}", false),
            (-32022, NAMED, true),
            (-32022, r#"{"requested":"1","supported":[]}"#, false),
            (-32022, r#"{"requested":"1","supported":["1",2]}"#, false),
            (-32022, r#"{"requested":"1","supported":"1"}"#, false),
            (-32022, r#"{"requested":1,"supported":["1"]}"#, false),
            (-32022, r#"{"supported":["1"]}"#, false),
            (-32022, "null", false),
            (-32601, "null", false),
            (-32600, NAMED, false),
        ] {
            assert_eq!(over(Transport::Stdio, None, true, "tools/list", code, data), modern, "{code} {data}");
            assert!(!over(Transport::Stdio, None, false, "tools/list", code, data), "{code} {data}");
        }
        for (status, modern) in [(399, false), (400, true), (499, true), (500, false)] {
            assert_eq!(over(Transport::Http, Some(status), false, "tools/list", -32020, "null"), modern, "{status}");
        }
        assert!(!over(Transport::Http, None, true, "tools/list", -32020, "null"));
    }

    #[test]
    fn an_unknown_method_proves_it_over_http_with_404_and_not_for_the_probe() {
        for (transport, status, method, modern) in [
            (Transport::Http, Some(404), "tools/list", true),
            (Transport::Http, Some(400), "tools/list", false),
            (Transport::Http, Some(404), "server/discover", false),
            (Transport::Stdio, Some(404), "tools/list", false),
        ] {
            assert_eq!(
                over(transport, status, true, method, -32601, "null"),
                modern,
                "{transport:?} {status:?} {method}"
            );
        }
    }

    #[test]
    fn a_discovery_is_complete_with_capabilities_and_a_list_of_strings() {
        for (result, is) in [
            (r#"{"resultType":"complete","capabilities":{},"supportedVersions":["1"]}"#, true),
            (r#"{"resultType":"complete","capabilities":{},"supportedVersions":[]}"#, true),
            (r#"{"resultType":"complete","capabilities":{},"supportedVersions":[1]}"#, false),
            (r#"{"resultType":"complete","capabilities":[],"supportedVersions":[]}"#, false),
            (r#"{"resultType":"complete","capabilities":{}}"#, false),
            (r#"{"resultType":"task","capabilities":{},"supportedVersions":[]}"#, false),
            (r#"{"capabilities":{},"supportedVersions":[]}"#, false),
        ] {
            assert_eq!(on(result, is_discover_result), is, "{result}");
        }
    }

    #[test]
    fn a_handshake_selects_a_date_with_capabilities_and_a_named_server() {
        let revision = Revision::parse(b"2025-06-18").unwrap();
        for (result, selected) in [
            (r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"n","version":"1"}}"#, true),
            (r#"{"protocolVersion":"soon","capabilities":{},"serverInfo":{"name":"n","version":"1"}}"#, false),
            (r#"{"protocolVersion":"2025-06-18","capabilities":[],"serverInfo":{"name":"n","version":"1"}}"#, false),
            (r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":1,"version":"1"}}"#, false),
            (r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"n"}}"#, false),
            (r#"{"protocolVersion":"2025-06-18","capabilities":{}}"#, false),
        ] {
            assert_eq!(on(result, initialized_revision), selected.then_some(revision), "{result}");
        }
        for (date, legacy) in [("2024-11-05", true), ("2025-11-25", true), ("2026-07-28", false), ("2020-01-01", false)]
        {
            assert_eq!(is_legacy(Revision::parse(date.as_bytes()).unwrap()), legacy, "{date}");
        }
    }
}
