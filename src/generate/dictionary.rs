//! Values that earned their place: each one separates two readings that somebody really had.
//!
//! Generators, operators and the dictionary of libFuzzer all read these lists; nothing else keeps one. Index 0 is the
//! plainest of its list. Whether a value is lawful where it is put is said by whoever puts it there.

/// The revision whose requests carry their own metadata.
pub const MODERN: &str = "2026-07-28";

/// The revisions with a handshake, newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Real days that are no known revision.
pub const OTHER_DATES: [&str; 4] = ["2026-01-15", "1900-01-01", "2024-02-29", "9999-12-31"];

/// Texts that name no day.
pub const NO_DATES: [&str; 9] =
    ["2026-02-31", "2026-99-99", "1900-02-29", "2026-7-28", "2026/07/28", "draft", "1.0", "", "2026-07-28T00:00:00Z"];

/// Keys of `_meta` that the specification defines.
pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// The capabilities of the client, for this request alone.
pub const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who the client says it is.
pub const CLIENT_INFO_KEY: &str = "io.modelcontextprotocol/clientInfo";
/// Which log messages the client wants.
pub const LOG_LEVEL_KEY: &str = "io.modelcontextprotocol/logLevel";
/// The extension that adds the token `task`.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";

/// The version header.
pub const VERSION_HEADER: &str = "MCP-Protocol-Version";
/// The header that mirrors the method.
pub const METHOD_HEADER: &str = "Mcp-Method";
/// The header that mirrors the name, the URI or the task.
pub const NAME_HEADER: &str = "Mcp-Name";

/// Ids that every reader accepts, as JSON tokens.
pub const PLAIN_IDS: [&str; 12] = [
    "1",
    "\"1\"",
    "0",
    "-1",
    "\"\"",
    "\"a-1\"",
    "9007199254740993",
    "18446744073709551616",
    "\"\\u0031\"",
    "\"é\"",
    "\"null\"",
    "-9223372036854775809",
];

/// Whole numbers in another spelling than digits.
pub const UNUSUAL_IDS: [&str; 6] = ["1.0", "-0", "1e0", "10e-1", "1e30", "1E+2"];

/// Numbers that are not whole.
pub const FRACTION_IDS: [&str; 4] = ["1.5", "1e-1", "0.1", "12345678901234567890.5"];

/// Values of another type than a string or a number.
pub const WRONG_IDS: [&str; 6] = ["null", "true", "[]", "{}", "[1]", "{\"id\":1}"];

/// Keys that the grammar of `_meta` allows and nobody defines.
pub const GOOD_KEYS: [&str; 7] =
    ["com.example/trace", "a", "x.y-z/n_1.2", "com.example/", "mcp/x", "com.example.mcp/x", "A-b"];

/// Keys that the grammar of `_meta` refuses, with the rule.
pub const BAD_KEYS: [(&str, &str); 9] = [
    ("com..example/x", "meta-key-prefix-is-dotted-labels-slash"),
    ("1com/x", "meta-key-label-starts-with-letter"),
    ("com-/x", "meta-key-label-ends-alphanumeric"),
    ("co_m/x", "meta-key-label-interior-charset"),
    ("_x", "meta-key-name-edges-alphanumeric"),
    ("a b", "meta-key-name-interior-charset"),
    ("a/b/c", "meta-key-single-slash"),
    ("é", "meta-key-name-edges-alphanumeric"),
    ("/x", "meta-key-prefix-is-dotted-labels-slash"),
];

/// Trace context that is none, as text of a value, with the rule.
pub const BROKEN_TRACES: [(&str, &str, &str); 9] = [
    ("traceparent", "\"00-0-0-0\"", "meta-traceparent-format"),
    ("traceparent", "\"00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01\"", "meta-traceparent-format"),
    ("tracestate", "1", "meta-tracestate-format"),
    ("tracestate", "\"a=1,a=2\"", "meta-tracestate-format"),
    ("tracestate", "\"A=1\"", "meta-tracestate-format"),
    ("baggage", "[]", "meta-baggage-format"),
    ("baggage", "\"a b=1\"", "meta-baggage-format"),
    ("baggage", "\"a=1,,b=2\"", "meta-baggage-format"),
    ("baggage", "\"a=\u{e9}\"", "meta-baggage-format"),
];

/// Result tokens that are close to one that means something, and are none.
pub const NEAR_TOKENS: [&str; 10] = [
    "Complete",
    "complete ",
    "COMPLETE",
    "",
    "input-required",
    "inputRequired",
    "tasks",
    "completed",
    "error",
    "complete\\u0000",
];

/// The two core tokens with one letter escaped: the same tokens.
pub const ESCAPED_TOKENS: [(&str, &str); 2] =
    [("complete", "\\u0063omplete"), ("input_required", "input\\u005frequired")];

/// Names of tools and prompts, also such as a header cannot hold plainly.
pub const NAMES: [&str; 16] = [
    "echo",
    "get_weather",
    "a b",
    "café",
    "cafe\u{301}",
    "日本語",
    " padded ",
    "tab\tinside",
    "line\nbreak",
    "nul\0",
    "=?base64?=",
    "=?base64?eA==?=",
    "=?base64?eA==",
    "=?BASE64?eA==?=",
    "ZWNobw==",
    "",
];

/// URIs of resources.
pub const URIS: [&str; 5] = ["file:///a", "test://r/1", "file:///caf%C3%A9", "file:///café", "x:"];

/// Raw header values that are sentinels which do not decode, with the rule.
pub const BROKEN_SENTINELS: [(&str, &str); 9] = [
    ("=?base64?eA?=", "sentinel-bad-padding-rejected"),
    ("=?base64?eA=?=", "sentinel-bad-padding-rejected"),
    ("=?base64?e===?=", "sentinel-bad-padding-rejected"),
    ("=?base64?eA==eA==?=", "sentinel-bad-padding-rejected"),
    ("=?base64?e-_4?=", "sentinel-bad-alphabet-rejected"),
    ("=?base64?eA =?=", "sentinel-bad-alphabet-rejected"),
    ("=?base64?eA\t=?=", "sentinel-bad-alphabet-rejected"),
    ("=?base64?/w==?=", "sentinel-payload-is-utf8"),
    ("=?base64?eB==?=", "sentinel-canonical-base64"),
];

/// Raw header values that start like a sentinel and do not end like one.
pub const UNCLOSED_SENTINELS: [&str; 4] = ["=?base64?=", "=?base64?eA==", "=?base64?eA==?", "=?base64?"];

/// A name, and a raw header value that a careless encoder writes for it or a loose decoder reads as it.
pub const NEAR_SENTINELS: [(&str, &str); 8] = [
    ("=?base64?=", "=?base64?="),
    ("=?base64?eA==", "=?base64?eA=="),
    ("=?base64?", "=?base64?"),
    ("???", "=?base64?Pz8_?="),
    ("~~~", "=?base64?fn5-?="),
    ("x", "=?base64?eB==?="),
    ("x", "=?base64?eA?="),
    ("xx", "=?base64?eHl=?="),
];

/// Member names that are not the one they look like.
pub const LOOKALIKES: [&str; 8] = ["Id", "ID", "Jsonrpc", "METHOD", "Result", "jsonrpc\\u0000", "ıd", "method "];

/// Numbers that JSON does not have, though they start as one.
pub const BROKEN_NUMBERS: [&str; 6] = ["1.", "-", "1e", "1e+", "01", "1.e1"];

/// Values that other notations have and JSON has not.
pub const FOREIGN_VALUES: [&str; 6] = ["+1", ".5", "NaN", "Infinity", "'a'", "undefined"];

/// Bytes that are not UTF-8: a lone lead, an overlong form, a surrogate, past the last character.
pub const NOT_UTF8: [&[u8]; 5] = [b"\xFF", b"\xC0\x80", b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"\xC3"];

/// Escapes that JSON does not have.
pub const BROKEN_ESCAPES: [&str; 4] = ["\\x", "\\u12G4", "\\'", "\\U0041"];

/// Values of every type, as JSON text.
pub const ANY_VALUES: [&str; 9] = ["null", "true", "0", "\"\"", "[]", "{}", "\"text\"", "-1.5e3", "[[],{}]"];

/// Everything above that is worth giving to an engine, as a dictionary of libFuzzer: one quoted value a line.
pub fn libfuzzer() -> String {
    let mut out = String::new();
    let mut line = |bytes: &[u8]| {
        if bytes.is_empty() {
            return;
        }
        out.push('"');
        for &byte in bytes {
            match byte {
                b'"' | b'\\' => {
                    out.push('\\');
                    out.push(char::from(byte));
                }
                0x20..=0x7E => out.push(char::from(byte)),
                _ => {
                    const HEX: &[u8; 16] = b"0123456789ABCDEF";
                    out.push_str("\\x");
                    out.push(char::from(HEX[usize::from(byte >> 4)]));
                    out.push(char::from(HEX[usize::from(byte & 15)]));
                }
            }
        }
        out.push_str("\"\n");
    };
    let lists: [&[&str]; 17] = [
        &[MODERN, VERSION_KEY, CAPABILITIES_KEY, CLIENT_INFO_KEY, LOG_LEVEL_KEY, TASKS],
        &[VERSION_HEADER, METHOD_HEADER, NAME_HEADER],
        &STRUCTURE,
        &LEGACY,
        &OTHER_DATES,
        &NO_DATES,
        &PLAIN_IDS,
        &UNUSUAL_IDS,
        &FRACTION_IDS,
        &WRONG_IDS,
        &GOOD_KEYS,
        &NEAR_TOKENS,
        &NAMES,
        &UNCLOSED_SENTINELS,
        &LOOKALIKES,
        &BROKEN_NUMBERS,
        &BROKEN_ESCAPES,
    ];
    lists.into_iter().flatten().for_each(|text| line(text.as_bytes()));
    BAD_KEYS.iter().chain(&BROKEN_SENTINELS).chain(&ESCAPED_TOKENS).for_each(|(text, _)| line(text.as_bytes()));
    NOT_UTF8.iter().for_each(|bytes| line(bytes));
    super::envelope::METHODS.iter().for_each(|method| line(method.name.as_bytes()));
    out
}

/// Pieces of messages and of the text form of a case.
const STRUCTURE: [&str; 16] = [
    "\"jsonrpc\":\"2.0\"",
    "\"method\":",
    "\"params\":",
    "\"_meta\":",
    "\"result\":",
    "\"resultType\":",
    "\"complete\"",
    "\"input_required\"",
    "\"inputRequests\":",
    "\"requestState\":",
    "\"error\":{\"code\":-32020,\"message\":\"\"}",
    ":from: server\n",
    ":transport: http\n",
    ":context-revision: 2026-07-28\n",
    ":context-capabilities: core-only\n",
    "=?base64?",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_dictionary_is_ascii_and_each_line_is_one_quoted_value() {
        let text = libfuzzer();
        assert!(text.is_ascii());
        assert!(text.lines().count() > 120);
        for line in text.lines() {
            assert!(line.len() > 2 && line.starts_with('"') && line.ends_with('"'), "{line}");
        }
        assert!(text.contains("\"\\xC0\\x80\"\n"));
        assert!(text.contains("tools/call"));
    }
}
