//! Cases of our own writing, crossed: every signal with every body, every answer with every context.
//!
//! For tests alone. The generators draw far more; these stand in one order and reach each row of the rules at least once.

use crate::case::{Case, Header, Party, Revision, Session, StatedCapabilities, Transport};

/// Version headers, one list of values a row.
const VERSIONS: [&[&str]; 12] = [
    &["2026-07-28"],
    &[],
    &["2025-06-18"],
    &["2024-11-05"],
    &["2027-01-01"],
    &["2026-02-31"],
    &["yesterday"],
    &[""],
    &[" 2026-07-28\t"],
    &["2026-07-28", "2026-07-28"],
    &["2026-07-28", "2025-06-18"],
    &["2026-07-28\u{e9}"],
];

/// Values of the version key; empty for none.
const BODY_VERSIONS: [&str; 9] = [
    "\"2026-07-28\"",
    "",
    "\"2025-11-25\"",
    "\"2027-01-01\"",
    "\"2026-02-31\"",
    "\"2026-07-28 \"",
    "20260728",
    "null",
    "\"\\u0032026-07-28\"",
];

/// Values of the capabilities key; empty for none.
const CAPABILITIES: [&str; 10] = [
    "{}",
    "",
    "{\"sampling\":{},\"experimental\":{},\"extensions\":{}}",
    "{\"sampling\":true}",
    "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}",
    "{\"extensions\":{\"io.modelcontextprotocol/tasks\":true}}",
    "{\"extensions\":{\"com.example/x\":{}}}",
    "{\"other\":1}",
    "[]",
    "{\"roots\":{},\"experimental\":[]}",
];

/// Method, params without `_meta`, and the mirrored name; empty for none.
const CALLS: [(&str, &str, &str); 6] = [
    ("tools/call", "\"name\":\"greet\",\"arguments\":{}", "greet"),
    ("tools/list", "", ""),
    ("resources/read", "\"uri\":\"file:///caf\u{e9}\"", "=?base64?ZmlsZTovLy9jYWbDqQ==?="),
    ("initialize", "\"protocolVersion\":\"2025-06-18\"", ""),
    ("prompts/get", "\"name\":7", "7"),
    ("notifications/cancelled", "\"requestId\":1", ""),
];

/// Whole bodies that are odd as texts or as envelopes.
pub const ENVELOPES: [&str; 58] = [
    "",
    "{",
    "{}",
    "[]",
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
    "null",
    "7",
    "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\0",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"method\":\"tools/list\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":{\"a\":1,\"\\u0061\":2}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\\ud800\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\\ud83d\\ude00\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":01}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\u{1}\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":-1,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":-0,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1e2,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1e-1,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":18446744073709551616,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0031\",\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"notifications/progress\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"com.example/event\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"Method\":\"ping\"}",
    "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
    "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}",
    "{\"id\":1,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":null}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":null}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"x\",\"message\":\"m\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1.0,\"message\":\"m\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"m\"}}",
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"m\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{\"code\":-32700,\"message\":\"m\"}}",
];

const RESULTS: [&str; 24] = [
    "{\"resultType\":\"complete\"}",
    "{}",
    "null",
    "[]",
    "{\"resultType\":null}",
    "{\"resultType\":7}",
    "{\"resultType\":\"\"}",
    "{\"resultType\":\"Complete\"}",
    "{\"resultType\":\" complete\"}",
    "{\"resultType\":\"\\u0063omplete\"}",
    "{\"resultType\":\"other\"}",
    "{\"resultType\":\"task\"}",
    "{\"resultType\":\"complete\",\"requestState\":\"s\"}",
    "{\"resultType\":\"complete\",\"inputRequests\":{}}",
    "{\"resultType\":\"complete\",\"inputRequests\":null}",
    "{\"resultType\":\"complete\",\"requestState\":7}",
    "{\"resultType\":\"input_required\"}",
    "{\"resultType\":\"input_required\",\"requestState\":null}",
    "{\"resultType\":\"input_required\",\"requestState\":\"\"}",
    "{\"resultType\":\"input_required\",\"inputRequests\":{}}",
    "{\"resultType\":\"input_required\",\"inputRequests\":[]}",
    "{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":7}",
    "{\"requestState\":\"s\"}",
    "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}",
];

const ERRORS: [&str; 8] = [
    "{\"code\":-32020,\"message\":\"m\"}",
    "{\"code\":-32021,\"message\":\"m\",\"data\":{\"requiredCapabilities\":{}}}",
    "{\"code\":-32022,\"message\":\"m\",\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2025-06-18\"}}",
    "{\"code\":-32022,\"message\":\"m\"}",
    "{\"code\":-32601,\"message\":\"m\"}",
    "{\"code\":-32602,\"message\":\"m\"}",
    "{\"code\":-32000,\"message\":\"m\",\"data\":{}}",
    "{\"code\":1,\"message\":\"m\"}",
];

/// Names of a tool and header values that stand for it, rightly or wrongly.
const NAMES: [(&str, &str); 23] = [
    ("greet", "=?base64?Z3JlZXQ=?="),
    ("greet", "Greet"),
    ("greet", " greet"),
    ("greet", "=?BASE64?Z3JlZXQ=?="),
    ("greet", "=?base64?Z3JlZXQ?="),
    ("greet", "=?base64?Z3JlZXQ="),
    ("greet", "Z3JlZXQ="),
    ("a", "=?base64?YR==?="),
    ("\u{e9}", "\u{e9}"),
    ("\u{e9}", "\u{c3}\u{a9}"),
    ("\u{e9}", "=?base64?w6k=?="),
    ("~~?", "=?base64?fn4_?="),
    ("~~?", "=?base64?fn4/?="),
    ("\\u0000", "=?base64?AA==?="),
    ("", "=?base64??="),
    ("", ""),
    ("=?base64?=", "=?base64?="),
    ("=?base64?x", "=?base64?x"),
    ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
    ("a", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
    ("=?BASE64?YQ==?=", "=?BASE64?YQ==?="),
    ("a\\tb", "a\tb"),
    ("x", "=?base64?/w==?="),
];

fn meta(version: &str, capabilities: &str) -> String {
    let member =
        |key: &str, value: &str| (!value.is_empty()).then(|| format!("\"io.modelcontextprotocol/{key}\":{value}"));
    let members = [member("protocolVersion", version), member("clientCapabilities", capabilities)];
    format!("\"_meta\":{{{}}}", members.into_iter().flatten().collect::<Vec<_>>().join(","))
}

fn request(method: &str, params: &str) -> String {
    let id = if method.starts_with("notifications/") { "" } else { "\"id\":1," };
    format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":\"{method}\",\"params\":{params}}}")
}

fn with(mut case: Case, name: &str, value: &str) -> Case {
    // One byte of the text above stands for one byte of the field, so that bytes beyond ASCII occur.
    let bytes: Vec<u8> = value.chars().map(|character| character as u32 as u8).collect();
    case.headers.push(Header::new(name, bytes));
    case
}

/// Requests over both transports.
pub fn requests() -> Vec<Case> {
    let mut cases = Vec::new();
    for (method, inner, name) in CALLS {
        for body_version in BODY_VERSIONS {
            for capabilities in CAPABILITIES {
                let comma = if inner.is_empty() { "" } else { "," };
                let body = request(method, &format!("{{{inner}{comma}{}}}", meta(body_version, capabilities)));
                cases.push(Case::stdio(Party::Client, body.clone()));
                for versions in VERSIONS {
                    let mut case = Case::http(Party::Client, body.clone());
                    for version in versions {
                        case = with(case, "MCP-Protocol-Version", version);
                    }
                    case = with(case, "Mcp-Method", method);
                    if !name.is_empty() {
                        case = with(case, "mcp-name", name);
                    }
                    cases.push(case);
                }
            }
        }
        for params in ["null", "[]", "7", "{}", "{\"_meta\":null}", "{\"_meta\":[]}"] {
            for versions in VERSIONS {
                let mut case = Case::http(Party::Client, request(method, params));
                case.partial_headers = true;
                for version in versions {
                    case = with(case, "MCP-Protocol-Version", version);
                }
                cases.push(case);
            }
            cases.push(Case::stdio(Party::Client, request(method, params)));
        }
    }
    cases.extend(mirrors());
    cases.extend(odd_keys());
    cases.extend(contexts());
    cases
}

fn mirrors() -> Vec<Case> {
    let mut cases = Vec::new();
    let modern = meta("\"2026-07-28\"", "{}");
    for (name, header) in NAMES {
        let body = request("tools/call", &format!("{{\"name\":\"{name}\",{modern}}}"));
        let case = with(Case::http(Party::Client, body), "Mcp-Protocol-Version", "2026-07-28");
        let full = with(with(case.clone(), "Mcp-Method", "tools/call"), "Mcp-Name", header);
        cases.push(Case { partial_headers: true, ..full.clone() });
        cases.push(with(full.clone(), "Mcp-Name", header));
        cases.push(with(full.clone(), "MCP-METHOD", "tools/call"));
        cases.push(full);
        cases.push(with(with(case.clone(), "Mcp-Method", "Tools/call"), "Mcp-Name", header));
        cases.push(with(with(case.clone(), "Mcp-Method", " tools/call"), "Mcp-Name", header));
        cases.push(with(case.clone(), "mcp-protocol-version", "2025-06-18"));
        cases.push(with(case.clone(), "Mcp-Name", header));
        cases.push(with(case.clone(), "Mcp-Method", "tools/call"));
        cases.push(case);
    }
    cases
}

fn odd_keys() -> Vec<Case> {
    let keys =
        ["protocolVersion", "IO.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/ProtocolVersion"];
    let body = |key: &str| request("tools/list", &format!("{{\"_meta\":{{\"{key}\":\"2026-07-28\"}}}}"));
    keys.iter().map(|key| Case::stdio(Party::Client, body(key))).collect()
}

fn contexts() -> Vec<Case> {
    let mut cases = Vec::new();
    for revision in ["2026-07-28", "2025-06-18", "2027-01-01"] {
        for version in ["", "\"2026-07-28\"", "\"2025-11-25\""] {
            let body = request("tools/list", &format!("{{{}}}", meta(version, "{}")));
            let mut case = Case::stdio(Party::Client, body);
            case.stated.revision = Revision::parse(revision.as_bytes());
            cases.push(case);
        }
    }
    cases
}

/// Responses with every context that a case can state.
pub fn responses() -> Vec<Case> {
    let call = Some("tools/call");
    let tasks = || Some(StatedCapabilities::Extensions(vec![b"io.modelcontextprotocol/tasks".to_vec()]));
    let stated = [
        (None, None),
        (None, Some("server/discover")),
        (Some(StatedCapabilities::None), call),
        (Some(StatedCapabilities::Absent), call),
        (Some(StatedCapabilities::CoreOnly), call),
        (Some(StatedCapabilities::ExtensionNotUnderstood), call),
        (Some(StatedCapabilities::Malformed), call),
        (Some(StatedCapabilities::Extensions(vec![b"com.example/x".to_vec()])), call),
        (tasks(), None),
        (tasks(), call),
        (tasks(), Some("tasks/get")),
    ];
    let revisions = [None, Some("2026-07-28"), Some("2025-03-26"), Some("2027-01-01")];
    let mut cases = Vec::new();
    let bodies = RESULTS.iter().map(|result| ("result", *result)).chain(ERRORS.iter().map(|error| ("error", *error)));
    for (member, value) in bodies {
        let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"{member}\":{value}}}");
        for (capabilities, method) in &stated {
            let mut case = Case::stdio(Party::Server, body.clone());
            case.stated.capabilities = capabilities.clone();
            case.stated.method = method.map(|method| method.into());
            for revision in revisions {
                let mut case = case.clone();
                case.stated.revision = revision.and_then(|revision| Revision::parse(revision.as_bytes()));
                cases.push(case);
            }
            for (versions, status) in
                VERSIONS.iter().zip([None, Some(200), Some(400), Some(404), Some(503)].iter().cycle())
            {
                let mut case = Case { transport: Transport::Http, status: *status, ..case.clone() };
                for version in *versions {
                    case = with(case, "MCP-Protocol-Version", version);
                }
                cases.push(case);
            }
        }
    }
    cases
}

/// Odd texts and envelopes, from both parties, and texts at the limits.
pub fn envelopes() -> Vec<Case> {
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":{open}{close}}}")
    };
    let number = |length: usize| format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}}", "1".repeat(length));
    let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"{}\"}}", "x".repeat(80));
    let limits = [nested(64), nested(65), nested(70), number(1024), number(1025), text];
    let mut cases: Vec<Case> = ENVELOPES
        .iter()
        .map(|body| (*body).to_owned())
        .chain(limits)
        .flat_map(|body| [Case::stdio(Party::Client, body.clone()), Case::stdio(Party::Server, body)])
        .collect();
    cases.push(Case::stdio(
        Party::Client,
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\xff\"}".to_vec(),
    ));
    cases
}

/// Sessions: ids that resemble one another, answers out of order, start-ups.
pub fn sessions() -> Vec<Session> {
    let ask = |id: &str, method: &str, version: &str, capabilities: &str| {
        let params = meta(version, capabilities);
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{{\"name\":\"t\",{params}}}}}"
        );
        Case::stdio(Party::Client, body)
    };
    let answer = |id: &str, member: &str, value: &str| {
        Case::stdio(Party::Server, format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{member}\":{value}}}"))
    };
    let other = "{\"extensions\":{\"com.example/x\":{}}}";
    let mut sessions = vec![
        vec![
            ask("1", "tools/call", "\"2026-07-28\"", "{}"),
            ask("\"1\"", "tools/call", "\"2026-07-28\"", other),
            answer("\"1\"", "result", "{\"resultType\":\"x\"}"),
            answer("1", "result", "{\"resultType\":\"x\"}"),
        ],
        vec![
            ask("1", "tools/call", "\"2026-07-28\"", "{}"),
            answer("\"1\"", "result", "{\"resultType\":\"complete\"}"),
        ],
        vec![
            ask("\"1\"", "tools/call", "\"2026-07-28\"", "{}"),
            answer("1", "result", "{\"resultType\":\"complete\"}"),
        ],
        vec![
            ask("1", "tools/call", "\"2026-07-28\"", "{}"),
            ask("2", "tools/call", "\"2025-06-18\"", other),
            answer("2", "result", "{}"),
            answer("1", "result", "{}"),
        ],
    ];
    for error in ERRORS {
        sessions.push(vec![ask("1", "server/discover", "\"2026-07-28\"", "{}"), answer("1", "error", error)]);
    }
    for result in RESULTS {
        sessions.push(vec![ask("1", "server/discover", "\"2026-07-28\"", "{}"), answer("1", "result", result)]);
    }
    let initialized =
        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}";
    sessions.push(vec![
        ask("1", "server/discover", "\"2026-07-28\"", "{}"),
        answer("1", "error", ERRORS[4]),
        ask("2", "initialize", "", ""),
        answer("2", "result", initialized),
        ask("3", "tools/call", "", ""),
        answer("3", "result", "{}"),
    ]);
    sessions.push(vec![
        ask("1", "server/discover", "\"2026-07-28\"", "{}"),
        ask("2", "server/discover", "\"draft\"", "{}"),
        answer("1", "error", ERRORS[4]),
    ]);
    let retry = |id: &str, more: &str| {
        let params = meta("\"2026-07-28\"", "{}");
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",{more}{params}}}}}"
        );
        Case::stdio(Party::Client, body)
    };
    for more in ["\"requestState\":\"s\",", "\"requestState\":\"s\",\"x\":1,"] {
        let asks = "{\"resultType\":\"input_required\",\"requestState\":\"s\"}";
        sessions.push(vec![retry("1", ""), answer("1", "result", asks), retry("2", more)]);
    }
    let call = retry("1", "").body;
    let asking = String::from_utf8_lossy(&call).replacen("\"_meta\":{", "\"_meta\":{\"progressToken\":1,", 1);
    let told = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\
                \"params\":{\"progressToken\":1,\"progress\":3,\"total\":2}}";
    sessions.push(vec![Case::stdio(Party::Client, asking.as_bytes()), Case::stdio(Party::Server, told)]);
    let own = sessions.into_iter().map(|cases| Session { cases });
    own.chain(seeds()).collect()
}

/// The sessions of the corpus.
fn seeds() -> Vec<Session> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/seeds/session");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| Session::decode(&std::fs::read(file).unwrap()).unwrap()).collect()
}
