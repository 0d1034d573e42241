//! The `_meta` of a modern request: the two keys it owes, and the many it may have.

use arbitrary::{Result, Unstructured};

use super::{dictionary, payload, rare};

/// The capability sets that a client may declare, as JSON text; the plainest first.
pub const CAPABILITIES: [&str; 9] = [
    "{}",
    "{\"elicitation\":{}}",
    "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"tools\":{}},\"roots\":{}}",
    "{\"experimental\":{},\"extensions\":{}}",
    "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}",
    "{\"extensions\":{\"com.example/x\":{}}}",
    "{\"extensions\":{\"com.example/x\":{},\"io.modelcontextprotocol/tasks\":{\"a\":1}},\"sampling\":{}}",
    "{\"experimental\":{\"x\":{}}}",
    "{\"futureCapability\":true}",
];

/// The sets that the methods of the tasks extension need.
const WITH_TASKS: [&str; 2] = [CAPABILITIES[4], CAPABILITIES[6]];

/// Appends the members of `_meta` with their braces. A rich one declares every capability; `tasks` says that the method
/// needs the tasks extension.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn write(
    out: &mut Vec<u8>,
    u: &mut Unstructured<'_>,
    odd: bool,
    version: Option<&str>,
    rich: bool,
    tasks: bool,
) -> Result<()> {
    out.push(b'{');
    let start = out.len();
    if let Some(version) = version {
        let capabilities = match (rich, odd) {
            (true, _) => payload::CAPABILITIES,
            (false, true) if tasks => *u.choose(&WITH_TASKS)?,
            (false, false) if tasks => WITH_TASKS[0],
            (false, true) => *u.choose(&CAPABILITIES)?,
            (false, false) => CAPABILITIES[0],
        };
        member(out, start, dictionary::VERSION_KEY, format_args!("\"{version}\""));
        member(out, start, dictionary::CAPABILITIES_KEY, format_args!("{capabilities}"));
    }
    if odd {
        for (key, value) in EXTRAS {
            if rare(u, 1, 6)? {
                let value = if rich && key == dictionary::CLIENT_INFO_KEY { payload::CLIENT } else { value };
                member(out, start, key, format_args!("{value}"));
                if key == "traceparent" {
                    BESIDE_A_TRACE
                        .into_iter()
                        .for_each(|(key, value)| member(out, start, key, format_args!("{value}")));
                }
            }
        }
        if rare(u, 1, 4)? {
            let key = u.choose(&dictionary::GOOD_KEYS)?;
            member(out, start, key, format_args!("{}", u.choose(&dictionary::ANY_VALUES)?));
        }
    }
    out.push(b'}');
    Ok(())
}

const EXTRAS: [(&str, &str); 6] = [
    (dictionary::CLIENT_INFO_KEY, "{\"name\":\"w\",\"version\":\"1\"}"),
    ("progressToken", "\"p\""),
    ("traceparent", "\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\""),
    ("clientCapabilities", "[]"),
    ("protocolVersion", "\"2025-06-18\""),
    (dictionary::LOG_LEVEL_KEY, "\"info\""),
];

/// What goes along with a trace.
const BESIDE_A_TRACE: [(&str, &str); 2] =
    [("tracestate", "\"rojo=00f067aa0ba902b7,t@v=a b\""), ("baggage", "\"userId=alice;p, n=DF%2028\"")];

fn member(out: &mut Vec<u8>, start: usize, key: &str, value: std::fmt::Arguments<'_>) {
    use std::io::Write;
    if out.len() > start {
        out.push(b',');
    }
    super::document::write_text(key, out);
    out.push(b':');
    out.write_fmt(value).expect("writing to memory does not fail");
}
