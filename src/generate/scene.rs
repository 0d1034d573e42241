//! Exchanges that take more than one message: input asked for in the middle, pages, subscriptions, tasks, progress,
//! cancellation, parameters that a header mirrors, and answers out of order.
//!
//! Everything drawn here is lawful. What breaks a rule over several messages is an operator's work.

use arbitrary::{Result, Unstructured};

use super::flow::Flow;
use super::rare;
use crate::case::Party;

/// Writes one exchange.
type Scene = fn(&mut Flow, &mut Unstructured<'_>) -> Result<()>;

/// Every exchange, the plainest first. Input in the middle and subscriptions have the most
/// rules and stand twice.
pub(super) const ALL: [Scene; 10] =
    [input, pages, subscription, task, progress, cancellation, parameters, interleaved, input, subscription];

const CALL: &str = ",\"name\":\"t1\",\"arguments\":{}";
const HINTS: &str = "\"ttlMs\":0,\"cacheScope\":\"private\"";

/// Calls that a server may answer with a request for input: method, params, what their header mirrors, final result.
const ASKABLE: [(&str, &str, &str, &str); 4] = [
    ("tools/call", CALL, "t1", "\"complete\",\"content\":[]"),
    ("prompts/get", ",\"name\":\"p1\"", "p1", "\"complete\",\"messages\":[]"),
    (
        "resources/read",
        ",\"uri\":\"file:///a\"",
        "file:///a",
        "\"complete\",\"contents\":[],\"ttlMs\":0,\"cacheScope\":\"private\"",
    ),
    ("tools/call", ",\"name\":\"t2\",\"arguments\":{\"a\":[1,true]}", "t2", "\"complete\",\"content\":[]"),
];

/// What is asked for under one key, and a lawful answer to it.
const QUESTIONS: [(&str, &str); 4] = [
    ("{\"method\":\"roots/list\"}", "{\"roots\":[{\"uri\":\"file:///a\"}]}"),
    ("{\"method\":\"roots/list\",\"params\":{}}", "{\"roots\":[]}"),
    (
        "{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\",\
         \"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}",
        "{\"action\":\"decline\"}",
    ),
    (
        "{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}",
        "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"\"},\"model\":\"m\"}",
    ),
];

/// A call that is asked for input, once or more, and answered in a retry with a new id.
fn input(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    let (method, params, name, finished) = ASKABLE[if rare(u, 1, 2)? { u.choose_index(ASKABLE.len())? } else { 0 }];
    let mut asked = flow.request(method, params, Some(name));
    for hop in 0..1 + u8::from(rare(u, 1, 4)?) {
        let (asks, answers) = match u.int_in_range(0..=3u8)? {
            // State alone: the client may retry at once.
            0 => (String::new(), String::new()),
            keys => questions(u, usize::from(keys.min(2)))?,
        };
        let stated = asks.is_empty() || u.arbitrary()?;
        let state = if stated { format!(",\"requestState\":\"s{hop}\"") } else { String::new() };
        flow.result(&asked, &format!("\"input_required\"{asks}{state}"));
        asked = flow.request(method, &format!("{params}{answers}{state}"), Some(name));
    }
    flow.result(&asked, finished);
    Ok(())
}

/// The members that ask for so many inputs, and those that answer them.
fn questions(u: &mut Unstructured<'_>, count: usize) -> Result<(String, String)> {
    let (mut asks, mut answers) = (Vec::new(), Vec::new());
    for key in ["r", "q"].into_iter().take(count) {
        let (ask, answer) = u.choose(&QUESTIONS)?;
        asks.push(format!("\"{key}\":{ask}"));
        answers.push(format!("\"{key}\":{answer}"));
    }
    let member = |name: &str, members: &[String]| format!(",\"{name}\":{{{}}}", members.join(","));
    Ok((member("inputRequests", &asks), member("inputResponses", &answers)))
}

/// A list in pages, the last without a cursor; an empty cursor is one like any other.
fn pages(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    const LISTS: [(&str, &str); 4] = [
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ];
    let (method, list) = *u.choose(&LISTS)?;
    let mut id = flow.request(method, "", None);
    for page in 0..u.int_in_range(1..=3u8)? {
        let cursor = if page == 0 && rare(u, 1, 3)? { String::new() } else { format!("c{page}") };
        flow.result(&id, &format!("\"complete\",\"{list}\":[],\"nextCursor\":\"{cursor}\",{HINTS}"));
        id = flow.request(method, &format!(",\"cursor\":\"{cursor}\""), None);
    }
    flow.result(&id, &format!("\"complete\",\"{list}\":[],{HINTS}"));
    Ok(())
}

/// What a filter may ask for, and the notification that delivers it with the params before its `_meta`.
const KINDS: [(&str, &str, &str); 4] = [
    ("\"toolsListChanged\":true", "tools/list_changed", ""),
    ("\"promptsListChanged\":true", "prompts/list_changed", ""),
    ("\"resourcesListChanged\":true", "resources/list_changed", ""),
    ("\"resourceSubscriptions\":[\"file:///a\"]", "resources/updated", "\"uri\":\"file:///a\","),
];

/// A subscription: acknowledged first, in whole or in part, then what was acknowledged, then ended by either side.
fn subscription(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    let first = if rare(u, 1, 2)? { u.choose_index(KINDS.len())? } else { 0 };
    let second = if rare(u, 1, 3)? { u.choose_index(KINDS.len())? } else { first };
    let filter = |kinds: &[usize]| kinds.iter().map(|kind| KINDS[*kind].0).collect::<Vec<_>>().join(",");
    let wanted = if first == second { vec![first] } else { vec![first, second] };
    let granted = if rare(u, 1, 3)? { &wanted[..1] } else { &wanted[..] };
    let params = format!(",\"notifications\":{{{}}}", filter(&wanted));
    let id = flow.request("subscriptions/listen", &params, None);
    let meta = format!("\"_meta\":{{\"io.modelcontextprotocol/subscriptionId\":{id}}}");
    flow.notify("subscriptions/acknowledged", &format!("{{\"notifications\":{{{}}},{meta}}}", filter(granted)));
    for _ in 0..u.int_in_range(1..=2u8)? {
        let (_, method, before) = KINDS[*u.choose(granted)?];
        flow.notify(method, &format!("{{{before}{meta}}}"));
    }
    match u.int_in_range(0..=2u8)? {
        0 => flow.result(&id, &format!("\"complete\",{meta}")),
        1 => flow.cancel(Party::Client, &id),
        _ => flow.cancel(Party::Server, &id),
    }
    Ok(())
}

/// A call that becomes a task, which is asked after until it is over.
fn task(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    let times = "\"createdAt\":\"2026-07-28T00:00:00Z\",\"lastUpdatedAt\":\"2026-07-28T00:00:00Z\",\"ttlMs\":null";
    let task = |status: &str| format!("\"taskId\":\"t1\",\"status\":\"{status}\",{times}");
    let id = flow.request("tools/call", CALL, Some("t1"));
    flow.result(&id, &format!("\"task\",{}", task("working")));
    let about = |flow: &mut Flow, method: &str, more: &str| {
        flow.request(method, &format!(",\"taskId\":\"t1\"{more}"), Some("t1"))
    };
    for _ in 0..u.int_in_range(0..=2u8)? {
        let id = about(flow, "tasks/get", "");
        flow.result(&id, &format!("\"complete\",{}", task("working")));
    }
    if rare(u, 1, 3)? {
        let id = about(flow, "tasks/get", "");
        let asks = ",\"inputRequests\":{\"r\":{\"method\":\"roots/list\"}}";
        flow.result(&id, &format!("\"complete\",{}{asks}", task("input_required")));
        let id = about(flow, "tasks/update", ",\"inputResponses\":{\"r\":{\"roots\":[]}}");
        flow.result(&id, "\"complete\"");
    }
    if u.arbitrary()? {
        let id = about(flow, "tasks/cancel", "");
        flow.result(&id, "\"complete\"");
    }
    let id = about(flow, "tasks/get", "");
    flow.result(&id, &format!("\"complete\",{},\"result\":{{\"content\":[]}}", task("completed")));
    Ok(())
}

/// A call that reports how far it is, and is answered.
fn progress(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    let id = flow.request("tools/call", CALL, Some("t1"));
    for step in 1..=u.int_in_range(1..=3u8)? {
        // Nothing bounds progress by its total.
        let total = if u.arbitrary()? { ",\"total\":2" } else { "" };
        flow.notify("progress", &format!("{{\"progressToken\":{id},\"progress\":{step}{total}}}"));
    }
    flow.result(&id, "\"complete\",\"content\":[]");
    Ok(())
}

/// A call that is cancelled, and answered all the same where the answer was on its way.
fn cancellation(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    let id = flow.request("tools/call", CALL, Some("t1"));
    if u.arbitrary()? {
        flow.notify("progress", &format!("{{\"progressToken\":{id},\"progress\":1}}"));
    }
    flow.cancel(Party::Client, &id);
    if flow.http || u.arbitrary()? {
        flow.result(&id, "\"complete\",\"content\":[]");
    }
    Ok(())
}

/// What a schema designates, the argument, and the value that a header mirrors it with.
const MIRRORED: [(&str, &str, &str); 6] = [
    ("\"type\":\"string\"", "\"eu\"", "eu"),
    ("\"type\":\"string\"", "\"\"", ""),
    ("\"type\":\"string\"", "\"caf\u{e9}\"", "caf\u{e9}"),
    ("\"type\":\"string\"", "\"=?base64?eA==?=\"", "=?base64?eA==?="),
    ("\"type\":\"integer\"", "7", "7"),
    ("\"type\":\"boolean\"", "true", "true"),
];

/// A list of tools whose schema designates headers, and then a call of one.
fn parameters(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    let (kind, argument, value) = MIRRORED[if rare(u, 1, 2)? { u.choose_index(MIRRORED.len())? } else { 0 }];
    let id = flow.request("tools/list", "", None);
    let schema = format!("{{\"type\":\"object\",\"properties\":{{\"a\":{{{kind},\"x-mcp-header\":\"Region\"}}}}}}");
    let tool = format!("{{\"name\":\"t1\",\"description\":\"d\",\"inputSchema\":{schema}}}");
    flow.result(&id, &format!("\"complete\",\"tools\":[{tool}],{HINTS}"));
    // What is not there is mirrored by nothing.
    let given = !rare(u, 1, 6)?;
    let argument = if given { format!("\"a\":{argument}") } else { String::new() };
    let id = flow.request("tools/call", &format!(",\"name\":\"t1\",\"arguments\":{{{argument}}}"), Some("t1"));
    if given {
        flow.field("Mcp-Param-Region", value);
    }
    flow.result(&id, "\"complete\",\"content\":[]");
    Ok(())
}

/// Calls that wait together and are answered in another order, one of them with an error.
fn interleaved(flow: &mut Flow, u: &mut Unstructured<'_>) -> Result<()> {
    let first = flow.request("tools/call", CALL, Some("t1"));
    let second = flow.request("prompts/get", ",\"name\":\"p1\"", Some("p1"));
    let (one, other) = ("\"complete\",\"content\":[]", "\"complete\",\"messages\":[]");
    if rare(u, 1, 3)? {
        flow.answer(&second, "\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}", 400);
    } else {
        flow.result(&second, other);
    }
    if u.arbitrary()? {
        flow.result(&first, one);
        let third = flow.request("prompts/get", ",\"name\":\"p1\"", Some("p1"));
        flow.result(&third, other);
    } else {
        flow.result(&first, one);
    }
    Ok(())
}
