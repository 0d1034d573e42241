//! What params, results and errors hold when they hold something: lists with entries, blocks of every kind, questions in
//! the middle of a call, tasks in every status.
//!
//! Lawful text, the richer sibling of the plain members in [`super::envelope::METHODS`]. Operators break one value of it
//! at a time, so every member that a rule speaks of stands in one of these texts.

use super::dictionary::{LEGACY, MODERN};

/// The members of a params object or of a result, each with a comma before it, and the method that has them.
#[derive(Clone, Copy, Debug)]
pub struct Specimen {
    /// The method.
    pub method: &'static str,
    /// The members.
    pub members: &'static str,
}

const fn of(method: &'static str, members: &'static str) -> Specimen {
    Specimen { method, members }
}

/// One of the specimens of a method, by a number of any size; nothing when it has none.
pub fn pick(list: &[Specimen], method: &str, number: u8) -> Option<&'static str> {
    let count = list.iter().filter(|specimen| specimen.method == method).count();
    let at = usize::from(number).checked_rem(count)?;
    list.iter().filter(|specimen| specimen.method == method).nth(at).map(|specimen| specimen.members)
}

macro_rules! server {
    () => {
        r#","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}"#
    };
}

macro_rules! cached {
    () => {
        concat!(r#","ttlMs":1,"cacheScope":"public""#, server!())
    };
}

macro_rules! icons {
    () => {
        r#""icons":[{"src":"https://e.com/i","mimeType":"image/png","sizes":["48x48"],"theme":"dark"}]"#
    };
}

macro_rules! annotated {
    () => {
        r#""annotations":{"audience":["user"],"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"}"#
    };
}

macro_rules! responses {
    () => {
        concat!(
            r#","inputResponses":{"e":{"action":"accept","content":{"a":"x","b":1,"c":["y"]}},"d":{"action":"decline"},"#,
            r#""r":{"roots":[{"uri":"file:///a","name":"n"}]},"#,
            r#""s":{"role":"assistant","content":{"type":"text","text":"t"},"model":"m","stopReason":"endTurn"}}"#
        )
    };
}

macro_rules! form {
    () => {
        concat!(
            r#""requestedSchema":{"type":"object","properties":{"#,
            r#""s":{"type":"string","format":"email","minLength":1,"default":"d","title":"t"},"#,
            r#""n":{"type":"number","minimum":0},"b":{"type":"boolean","default":true},"#,
            r#""c":{"type":"string","enum":["a"]},"t":{"type":"string","oneOf":[{"const":"a","title":"A"}]},"#,
            r#""m":{"type":"array","items":{"type":"string","enum":["a"]},"default":["a"]},"#,
            r#""x":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}},"required":["s"]}"#
        )
    };
}

macro_rules! conversation {
    () => {
        concat!(
            r#""messages":[{"role":"user","content":{"type":"text","text":"t"}},"#,
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"n","input":{}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[],"isError":false}]}]"#
        )
    };
}

macro_rules! core_task {
    () => {
        r#""taskId":"t1","status":"working","createdAt":"2025-11-25T00:00:00Z","lastUpdatedAt":"2025-11-25T00:00:00Z","ttl":null,"pollInterval":5"#
    };
}

macro_rules! task {
    ($status:literal) => {
        concat!(
            r#","taskId":"t1","status":""#,
            $status,
            r#"","createdAt":"2026-07-28T00:00:00Z","lastUpdatedAt":"2026-07-28T00:00:00Z","ttlMs":1"#
        )
    };
}

/// Params of modern requests, beside `_meta` and the member that a header mirrors.
pub const PARAMS: &[Specimen] = &[
    of("tools/call", r#","arguments":{"a":1}"#),
    of("tools/call", concat!(responses!(), r#","requestState":"s""#)),
    of("prompts/get", r#","arguments":{"a":"b"},"requestState":"s""#),
    of("resources/read", responses!()),
    of("tools/list", r#","cursor":"c""#),
    of("prompts/list", r#","cursor":"c""#),
    of("resources/list", r#","cursor":"c""#),
    of("resources/templates/list", r#","cursor":"c""#),
    of(
        "completion/complete",
        r#","ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""},"context":{"arguments":{"a":"b"}}"#,
    ),
    of(
        "completion/complete",
        r#","ref":{"type":"ref/resource","uri":"file:///{p}"},"argument":{"name":"p","value":"x"}"#,
    ),
    of(
        "subscriptions/listen",
        r#","notifications":{"toolsListChanged":true,"resourcesListChanged":false,"resourceSubscriptions":["file:///a"]}"#,
    ),
    of("tasks/update", responses!()),
];

/// Results of modern requests that are finished.
pub const RESULTS: &[Specimen] = &[
    of(
        "tools/call",
        concat!(
            r#","content":[{"type":"text","text":"t","#,
            annotated!(),
            r#","_meta":{"a":1}},{"type":"image","data":"AAAA","mimeType":"image/png"},"#,
            r#"{"type":"resource","resource":{"uri":"file:///a","text":"t"}}],"isError":false"#,
            server!()
        ),
    ),
    of(
        "tools/call",
        concat!(
            r#","content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"},"#,
            r#"{"type":"resource_link","uri":"file:///a","name":"a","size":1,"#,
            icons!(),
            r#"},{"type":"resource","resource":{"uri":"file:///b","blob":"AAAA"}}],"structuredContent":[1]"#
        ),
    ),
    of(
        "tools/list",
        concat!(
            r#","tools":[{"name":"echo","title":"t","description":"d","inputSchema":{"type":"object"},"#,
            r#""outputSchema":{},"annotations":{"title":"t","readOnlyHint":true},"#,
            icons!(),
            r#"},{"name":"b","description":"","inputSchema":{"type":"object"}}],"nextCursor":"c""#,
            cached!()
        ),
    ),
    of(
        "tools/list",
        concat!(
            r#","tools":[{"name":"m","description":"d","inputSchema":{"type":"object","properties":{"#,
            r#""a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"integer","x-mcp-header":"Zone"}}}}]"#,
            cached!()
        ),
    ),
    of(
        "server/discover",
        concat!(
            r#","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"logging":{},"#,
            r#""experimental":{"x":{}},"extensions":{"com.example/x":{}}},"instructions":"i""#,
            cached!()
        ),
    ),
    of(
        "prompts/get",
        concat!(
            r#","messages":[{"role":"user","content":{"type":"image","data":"AAAA","mimeType":"image/png"}},"#,
            r#"{"role":"assistant","content":{"type":"text","text":"t"}}],"description":"d""#,
            server!()
        ),
    ),
    of(
        "resources/read",
        concat!(
            r#","contents":[{"uri":"file:///a","text":"t","mimeType":"text/plain"},{"uri":"file:///b","blob":"AAAA"}]"#,
            cached!()
        ),
    ),
    of(
        "prompts/list",
        concat!(
            r#","prompts":[{"name":"p","title":"t","description":"d","arguments":[{"name":"a","required":true}],"#,
            icons!(),
            "}]",
            cached!()
        ),
    ),
    of(
        "resources/list",
        concat!(
            r#","resources":[{"uri":"file:///a","name":"a","mimeType":"text/plain","size":1,"#,
            annotated!(),
            "}]",
            cached!()
        ),
    ),
    of(
        "resources/templates/list",
        concat!(r#","resourceTemplates":[{"uriTemplate":"file:///{p}","name":"t"}]"#, cached!()),
    ),
    of("completion/complete", r#","completion":{"values":["a","b"],"total":200,"hasMore":true}"#),
    of("tasks/get", concat!(task!("completed"), r#","result":{"content":[]}"#)),
    of("tasks/get", concat!(task!("failed"), r#","error":{"code":-32603,"message":"m"}"#)),
    of("tasks/get", concat!(task!("input_required"), r#","inputRequests":{"r":{"method":"roots/list"}}"#)),
    of("tasks/get", concat!(task!("cancelled"), r#","statusMessage":"m","pollIntervalMs":5"#)),
];

/// What a server goes on with when it asks for input, as members of its result.
pub const QUESTIONS: [&str; 4] = [
    concat!(
        r#","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"m","#,
        form!(),
        "}}}"
    ),
    concat!(
        r#","inputRequests":{"u":{"method":"elicitation/create","params":{"mode":"url","message":"m","#,
        r#""url":"https://e.com/"}}},"requestState":"s""#
    ),
    concat!(
        r#","inputRequests":{"s":{"method":"sampling/createMessage","params":{"#,
        conversation!(),
        r#","maxTokens":1,"includeContext":"none","metadata":{},"stopSequences":["x"],"systemPrompt":"p","#,
        r#""modelPreferences":{"costPriority":0.5,"hints":[{"name":"n"}]},"toolChoice":{"mode":"auto"},"#,
        r#""tools":[{"name":"n","description":"d","inputSchema":{"type":"object"}}]}}}"#
    ),
    r#","inputRequests":{"r":{"method":"roots/list","params":{}}},"requestState":"s""#,
];

/// Capabilities with something behind every known member.
pub const CAPABILITIES: &str = concat!(
    r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{},"experimental":{"x":{}},"#,
    r#""extensions":{"com.example/x":{},"io.modelcontextprotocol/tasks":{}}}"#
);

/// A client with everything that it may say of itself.
pub const CLIENT: &str =
    concat!(r#"{"name":"w","version":"1","title":"t","websiteUrl":"https://e.com/","#, icons!(), "}");

/// Requests of a client in a legacy revision: revision, method, params.
pub const LEGACY_REQUESTS: [(&str, &str, &str); 4] = [
    (
        LEGACY[0],
        "initialize",
        r#"{"protocolVersion":"2025-11-25","capabilities":{"roots":{},"experimental":{"x":{}},"tasks":{"list":{},"requests":{"sampling":{"createMessage":{}}}}},"clientInfo":{"name":"w","version":"1"}}"#,
    ),
    (LEGACY[1], "logging/setLevel", r#"{"level":"info"}"#),
    (LEGACY[2], "resources/subscribe", r#"{"uri":"file:///a"}"#),
    (LEGACY[3], "prompts/get", r#"{"name":"p","arguments":{"a":"b"}}"#),
];

/// Requests of a server in a legacy revision: revision, method, params.
pub const SERVER_REQUESTS: [(&str, &str, &str); 4] = [
    (LEGACY[0], "elicitation/create", r#"{"mode":"url","message":"m","url":"https://e.com/","elicitationId":"1"}"#),
    (
        LEGACY[1],
        "sampling/createMessage",
        r#"{"messages":[{"role":"user","content":{"type":"text","text":"t"}}],"maxTokens":1}"#,
    ),
    (LEGACY[0], "sampling/createMessage", concat!("{", conversation!(), r#","maxTokens":1}"#)),
    (LEGACY[2], "roots/list", "{}"),
];

/// Results of legacy calls: revision, method, members without the first comma.
pub const LEGACY_RESULTS: [(&str, &str, &str); 7] = [
    (LEGACY[1], "tools/call", r#""content":[{"type":"text","text":"t"}],"structuredContent":{},"isError":false"#),
    (
        LEGACY[3],
        "tools/call",
        r#""content":[{"type":"text","text":"t"},{"type":"image","data":"AAAA","mimeType":"image/png"}]"#,
    ),
    (LEGACY[2], "tools/list", r#""tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}]"#),
    (LEGACY[0], "tools/call", concat!(r#""task":{"#, core_task!(), "}")),
    (LEGACY[0], "tasks/list", concat!(r#""tasks":[{"#, core_task!(), r#"}],"nextCursor":"n""#)),
    (
        LEGACY[0],
        "tasks/result",
        r#""_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}},"content":[{"type":"text","text":"t"}]"#,
    ),
    (
        LEGACY[0],
        "initialize",
        r#""protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"list":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}"#,
    ),
];

/// The members of a core task of 2025-11-25.
pub const CORE_TASK: &str = core_task!();

/// Notifications of a session of some revision: who sends it, the revision, the method, the params.
pub const NOTIFICATIONS: [(bool, &str, &str, &str); 7] = [
    (true, MODERN, "notifications/cancelled", r#"{"requestId":1,"reason":"r"}"#),
    (false, MODERN, "notifications/progress", r#"{"progressToken":"p","progress":0.5,"total":1,"message":"m"}"#),
    (false, MODERN, "notifications/message", r#"{"level":"info","logger":"l","data":null}"#),
    (
        false,
        MODERN,
        "notifications/resources/updated",
        r#"{"uri":"file:///a","_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}"#,
    ),
    (false, MODERN, "notifications/tools/list_changed", r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}"#),
    (false, MODERN, "notifications/subscriptions/acknowledged", r#"{"notifications":{"toolsListChanged":true}}"#),
    (false, LEGACY[1], "notifications/message", r#"{"level":"debug","data":{}}"#),
];
