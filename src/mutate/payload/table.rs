//! Which edit of a payload breaks which rule, in which messages?

use super::input::{ELICITATION, RESPONSES, SAMPLING};
use super::{Carrier, Group, How, Row};
use crate::generate::dictionary::{LEGACY, MODERN};
use How::{Add, Drop, Type, Value};

macro_rules! tens {
    () => {
        r#""","","","","","","","","","","#
    };
}

const NOW: &[&str] = &[MODERN];

pub(super) const fn group(
    carrier: Carrier,
    methods: &'static [&'static str],
    revisions: &'static [&'static str],
    rows: &'static [Row],
) -> Group {
    Group { carrier, methods, revisions, rows }
}

const fn request(methods: &'static [&'static str], rows: &'static [Row]) -> Group {
    group(Carrier::Request, methods, NOW, rows)
}

const fn result(methods: &'static [&'static str], rows: &'static [Row]) -> Group {
    group(Carrier::Result("complete"), methods, NOW, rows)
}

const fn notification(methods: &'static [&'static str], rows: &'static [Row]) -> Group {
    group(Carrier::Notification, methods, NOW, rows)
}

/// Every row, by what carries it.
pub(super) static GROUPS: [Group; 37] = [
    request(
        &["tools/call"],
        &[
            ("params name", Drop, "payload-tools-call-name-required"),
            ("params name", Type("1"), "payload-tools-call-name-required"),
            ("params arguments", Type("[]"), "payload-tools-call-arguments-object"),
        ],
    ),
    request(
        &["prompts/get"],
        &[
            ("params name", Drop, "payload-prompts-get-name-required"),
            ("params arguments", Type("[]"), "payload-prompts-get-arguments-string-map"),
            ("params arguments a", Type("1"), "payload-prompts-get-arguments-string-map"),
        ],
    ),
    request(&["resources/read"], &[("params uri", Drop, "payload-resources-read-uri-required")]),
    request(
        &["tools/list", "prompts/list", "resources/list", "resources/templates/list"],
        &[
            ("params cursor", Type("1"), "pagination-cursor-is-string"),
            ("params cursor", Type("null"), "pagination-cursor-is-string"),
        ],
    ),
    request(
        &["completion/complete"],
        &[
            ("params ref", Drop, "payload-completion-ref-required"),
            ("params ref", Type("\"p\""), "payload-completion-ref-required"),
            ("params ref type", Value("\"ref/tool\""), "payload-completion-ref-required"),
            ("params ref name", Drop, "payload-completion-ref-prompt-has-name"),
            ("params ref uri", Drop, "payload-completion-ref-resource-has-uri"),
            ("params argument", Drop, "payload-completion-argument-name-value"),
            ("params argument value", Drop, "payload-completion-argument-name-value"),
            ("params argument name", Type("1"), "payload-completion-argument-name-value"),
            ("params context", Type("[]"), "payload-completion-context-arguments-strings"),
            ("params context arguments a", Type("1"), "payload-completion-context-arguments-strings"),
        ],
    ),
    request(
        &["subscriptions/listen"],
        &[
            ("params notifications", Drop, "subscriptions-filter-required"),
            ("params notifications", Type("[]"), "subscriptions-filter-required"),
            ("params notifications toolsListChanged", Type("\"true\""), "subscriptions-filter-types"),
            ("params notifications resourceSubscriptions", Type("{}"), "subscriptions-filter-types"),
            ("params notifications resourceSubscriptions 0", Type("1"), "subscriptions-filter-types"),
        ],
    ),
    request(
        &["tasks/get", "tasks/update", "tasks/cancel"],
        &[
            ("params taskId", Drop, "extension-tasks-update-fields"),
            ("params taskId", Type("1"), "extension-tasks-update-fields"),
        ],
    ),
    request(
        &["tasks/update"],
        &[
            ("params inputResponses", Drop, "extension-tasks-update-fields"),
            ("params inputResponses", Type("[]"), "extension-tasks-update-fields"),
        ],
    ),
    request(
        &["tools/call", "prompts/get", "resources/read"],
        &[
            ("params inputResponses", Type("[]"), "mrtr-input-responses-is-map"),
            ("params inputResponses e", Type("1"), "mrtr-input-responses-is-map"),
            ("params requestState", Type("1"), "mrtr-request-state-is-string"),
        ],
    ),
    request(&["tools/call", "resources/read", "tasks/update"], RESPONSES),
    request(&CORE, METADATA),
    result(
        &["tools/call"],
        &[
            ("result content", Drop, "payload-tools-call-content-required"),
            ("result content", Type("{}"), "payload-tools-call-content-required"),
            ("result isError", Type("\"no\""), "payload-tools-call-is-error-boolean"),
            ("result content 0 type", Drop, "payload-content-block-type-known"),
            ("result content 0 type", Value("\"video\""), "payload-content-block-type-known"),
            ("result content 0", Value(TOOL_USE), "payload-content-tool-use-not-in-tool-results"),
            ("result content 0 text", Drop, "payload-content-text-fields"),
            ("result content 0 text", Type("null"), "payload-content-text-fields"),
            ("result content 0 _meta", Type("[]"), "meta-is-object"),
            ("result content 0 annotations audience 0", Value("\"system\""), "payload-annotations-audience"),
            ("result content 0 annotations audience", Type("\"user\""), "payload-annotations-audience"),
            ("result content 0 annotations priority", Value("1.5"), "payload-annotations-priority-range"),
            ("result content 0 annotations priority", Type("\"1\""), "payload-annotations-priority-range"),
            ("result content 1 mimeType", Drop, "payload-content-image-fields"),
            ("result content 1 data", Value("\"%%\""), "payload-content-image-fields"),
            ("result content 0 mimeType", Drop, "payload-content-audio-fields"),
            ("result content 0 data", Value("\"AAA\""), "payload-content-audio-fields"),
            ("result content 1 name", Drop, "payload-content-resource-link-fields"),
            ("result content 1 uri", Type("1"), "payload-content-resource-link-fields"),
            ("result content 1 uri", Value("\"no uri\""), "payload-resource-uri-rfc3986"),
            ("result content 1 size", Type("\"1\""), "payload-resource-size-integer"),
            ("result content 1 icons 0 src", Drop, "payload-icon-src-required-uri"),
            ("result content 2 resource", Drop, "payload-content-embedded-resource-fields"),
            ("result content 2 resource uri", Drop, "payload-content-embedded-resource-fields"),
            ("result content 2 resource text", Drop, "payload-content-embedded-resource-fields"),
            ("result content 2 resource blob", Add("\"\""), "payload-content-embedded-resource-fields"),
            ("result content 2 resource blob", Value("\"%%\""), "payload-content-embedded-resource-fields"),
        ],
    ),
    result(
        &["tools/list"],
        &[
            ("result tools", Drop, "payload-tools-list-tools-array"),
            ("result tools", Type("{}"), "payload-tools-list-tools-array"),
            ("result ttlMs", Drop, "cache-hints-on-tools-list"),
            ("result cacheScope", Drop, "cache-hints-on-tools-list"),
        ],
    ),
    result(&["tools/list"], TOOLS),
    result(
        &["server/discover"],
        &[
            ("result supportedVersions", Drop, "payload-discover-supported-versions-strings"),
            ("result supportedVersions 0", Type("1"), "payload-discover-supported-versions-strings"),
            ("result capabilities", Drop, "payload-discover-capabilities-required"),
            ("result capabilities", Type("[]"), "payload-discover-capabilities-required"),
            ("result capabilities tools", Type("true"), "capabilities-values-are-objects"),
            ("result capabilities experimental x", Type("true"), "capabilities-experimental-values-objects"),
            ("result capabilities extensions com.example/x", Type("null"), "extension-settings-object"),
            ("result capabilities extensions", Value("{\"bare\":{}}"), "extension-identifier-prefixed"),
            ("result instructions", Type("1"), "payload-discover-instructions-string"),
            ("result ttlMs", Drop, "cache-hints-on-discover"),
            ("result cacheScope", Drop, "cache-hints-on-discover"),
        ],
    ),
    result(
        &["prompts/get"],
        &[
            ("result messages", Drop, "payload-prompts-get-messages-array"),
            ("result messages", Type("{}"), "payload-prompts-get-messages-array"),
            ("result description", Type("1"), "payload-prompts-get-messages-array"),
            ("result messages 0 role", Value("\"system\""), "payload-prompt-message-role"),
            ("result messages 1 role", Drop, "payload-prompt-message-role"),
            ("result messages 0 content", Type("[]"), "payload-prompt-message-content-single-block"),
            ("result messages 1 content", Drop, "payload-prompt-message-content-single-block"),
            ("result messages 0 content mimeType", Value("\"png\""), "payload-prompt-media-base64-and-mime"),
        ],
    ),
    result(
        &["resources/read"],
        &[
            ("result contents", Drop, "payload-resources-read-contents-array"),
            ("result contents", Type("{}"), "payload-resources-read-contents-array"),
            ("result contents 0 text", Drop, "payload-resources-read-text-or-blob"),
            ("result contents 0 uri", Drop, "payload-resources-read-text-or-blob"),
            ("result nextCursor", Add("\"n\""), "pagination-only-four-methods"),
            ("result contents 0 blob", Add("\"\""), "payload-resources-read-text-or-blob"),
            ("result contents 1 blob", Value("\"A\""), "payload-resources-read-binary-base64"),
            ("result ttlMs", Drop, "cache-hints-on-resources-read"),
            ("result cacheScope", Drop, "cache-hints-on-resources-read"),
        ],
    ),
    result(
        &["prompts/list"],
        &[
            ("result prompts", Drop, "payload-prompts-list-prompts-array"),
            ("result prompts", Type("null"), "payload-prompts-list-prompts-array"),
            ("result prompts 0 name", Drop, "payload-prompt-fields"),
            ("result prompts 0 arguments", Type("{}"), "payload-prompt-fields"),
            ("result prompts 0 arguments 0 required", Type("1"), "payload-prompt-fields"),
            ("result prompts 0 icons 0 sizes", Type("\"48x48\""), "payload-icon-sizes-array"),
            ("result ttlMs", Drop, "cache-hints-on-prompts-list"),
            ("result cacheScope", Drop, "cache-hints-on-prompts-list"),
        ],
    ),
    result(
        &["resources/list"],
        &[
            ("result resources", Drop, "payload-resources-list-resources-array"),
            ("result resources", Type("{}"), "payload-resources-list-resources-array"),
            ("result resources 0 name", Drop, "payload-resource-fields"),
            ("result resources 0 uri", Drop, "payload-resource-fields"),
            ("result resources 0 uri", Value("\"1:\""), "payload-resource-uri-rfc3986"),
            ("result resources 0 size", Type("1.5"), "payload-resource-size-integer"),
            ("result ttlMs", Drop, "cache-hints-on-resources-list"),
            ("result cacheScope", Drop, "cache-hints-on-resources-list"),
        ],
    ),
    result(
        &["resources/templates/list"],
        &[
            ("result resourceTemplates", Drop, "payload-resource-templates-array"),
            ("result resourceTemplates 0 uriTemplate", Drop, "payload-resource-templates-array"),
            ("result resourceTemplates 0 uriTemplate", Value("\"file:///{p\""), "payload-resource-template-rfc6570"),
            ("result ttlMs", Drop, "cache-hints-on-resources-templates-list"),
            ("result cacheScope", Drop, "cache-hints-on-resources-templates-list"),
        ],
    ),
    result(&PAGED, &[("result nextCursor", Type("1"), "pagination-next-cursor-is-string")]),
    result(&PAGED, &[("result nextCursor", Type("null"), "pagination-next-cursor-is-string")]),
    result(
        &CACHED,
        &[
            ("result ttlMs", Type("1.5"), "cache-ttl-integer"),
            ("result ttlMs", Type("\"1\""), "cache-ttl-integer"),
            ("result ttlMs", Value("-1"), "cache-ttl-non-negative"),
            ("result cacheScope", Value("\"shared\""), "cache-scope-enum"),
            ("result cacheScope", Type("null"), "cache-scope-enum"),
        ],
    ),
    result(&CORE, &[("result _meta", Type("[]"), "meta-is-object")]),
    result(
        &["completion/complete"],
        &[
            ("result completion", Drop, "payload-completion-values-strings"),
            ("result completion values", Drop, "payload-completion-values-strings"),
            ("result completion values 0", Type("1"), "payload-completion-values-strings"),
            ("result completion values", Value(HUNDRED_AND_ONE), "payload-completion-values-max-100"),
            ("result completion total", Type("1.5"), "payload-completion-total-integer"),
            ("result completion total", Value("-1"), "payload-completion-total-integer"),
            ("result completion total", Value("1"), "payload-completion-total-integer"),
            ("result completion hasMore", Type("0"), "payload-completion-has-more-boolean"),
        ],
    ),
    result(&["tasks/get"], TASK),
    result(
        &["tasks/get"],
        &[
            ("result result", Drop, "extension-tasks-get-completed-has-result"),
            ("result result", Type("[]"), "extension-tasks-get-completed-has-result"),
            ("result error", Drop, "extension-tasks-get-failed-has-error"),
            ("result error code", Drop, "extension-tasks-get-failed-has-error"),
            ("result inputRequests r", Type("1"), "extension-tasks-get-input-required-has-requests"),
        ],
    ),
    group(Carrier::Result("task"), &["tools/call"], NOW, TASK),
    group(
        Carrier::Result("input_required"),
        &INTERIM,
        NOW,
        &[
            ("result inputRequests r", Type("1"), "mrtr-input-requests-is-map"),
            ("result inputRequests r method", Value("\"ping\""), "mrtr-input-request-kinds"),
            ("result inputRequests r method", Drop, "mrtr-input-request-kinds"),
        ],
    ),
    group(Carrier::Result("input_required"), &INTERIM, NOW, SAMPLING),
    group(Carrier::Result("input_required"), &INTERIM, NOW, ELICITATION),
    notification(
        &["notifications/cancelled"],
        &[
            ("params requestId", Drop, "notification-cancelled-request-id-required"),
            ("params requestId", Type("null"), "notification-cancelled-request-id-required"),
            ("params reason", Type("1"), "notification-cancelled-request-id-required"),
        ],
    ),
    notification(
        &["notifications/progress"],
        &[
            ("params progressToken", Drop, "notification-progress-fields"),
            ("params progress", Type("\"0.5\""), "notification-progress-fields"),
            ("params progress", Drop, "notification-progress-fields"),
            ("params message", Type("1"), "notification-progress-fields"),
        ],
    ),
    group(
        Carrier::Notification,
        &["notifications/message"],
        &[MODERN, LEGACY[1]],
        &[
            ("params level", Value("\"loud\""), "notification-message-fields"),
            ("params level", Drop, "notification-message-fields"),
            ("params data", Drop, "notification-message-fields"),
        ],
    ),
    notification(
        &["notifications/resources/updated"],
        &[
            ("params uri", Drop, "notification-resources-updated-uri"),
            ("params uri", Type("1"), "notification-resources-updated-uri"),
        ],
    ),
    notification(
        &["notifications/resources/updated", "notifications/tools/list_changed"],
        &[
            ("params _meta io.modelcontextprotocol/subscriptionId", Type("{}"), "meta-subscription-id-type"),
            ("params _meta io.modelcontextprotocol/subscriptionId", Type("1.5"), "meta-subscription-id-type"),
        ],
    ),
    group(
        Carrier::Error,
        &[],
        NOW,
        &[
            ("error data requiredCapabilities", Drop, "error-missing-capability-shape"),
            ("error data requiredCapabilities", Type("[]"), "error-missing-capability-shape"),
            ("error data supported", Drop, "error-unsupported-version-shape"),
            ("error data supported", Type("\"2026-07-28\""), "error-unsupported-version-shape"),
            ("error data requested", Drop, "error-unsupported-version-shape"),
        ],
    ),
];

const CORE: [&str; 10] = [
    "tools/call",
    "tools/list",
    "server/discover",
    "prompts/get",
    "prompts/list",
    "resources/read",
    "resources/list",
    "resources/templates/list",
    "completion/complete",
    "subscriptions/listen",
];

const INTERIM: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

const PAGED: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

const CACHED: [&str; 6] =
    ["server/discover", "tools/list", "prompts/list", "resources/read", "resources/list", "resources/templates/list"];

const METADATA: &[Row] = &[
    ("params _meta progressToken", Type("{}"), "meta-progress-token-type"),
    ("params _meta progressToken", Type("1.5"), "meta-progress-token-type"),
    ("params _meta io.modelcontextprotocol/clientInfo", Type("\"w\""), "meta-client-info-shape"),
    ("params _meta io.modelcontextprotocol/clientInfo version", Drop, "meta-client-info-shape"),
    ("params _meta io.modelcontextprotocol/clientInfo name", Type("1"), "meta-client-info-shape"),
    (
        "params _meta io.modelcontextprotocol/clientInfo websiteUrl",
        Value("\"no uri\""),
        "payload-implementation-website-url-uri",
    ),
    (
        "params _meta io.modelcontextprotocol/clientInfo icons 0 src",
        Value("\"no uri\""),
        "payload-icon-src-required-uri",
    ),
    ("params _meta io.modelcontextprotocol/clientInfo icons 0 theme", Value("\"dim\""), "payload-icon-theme-enum"),
    (
        "params _meta io.modelcontextprotocol/clientCapabilities sampling tools",
        Type("true"),
        "capabilities-sampling-subkeys",
    ),
    (
        "params _meta io.modelcontextprotocol/clientCapabilities elicitation url",
        Type("[]"),
        "capabilities-elicitation-subkeys",
    ),
    (
        "params _meta io.modelcontextprotocol/clientCapabilities experimental x",
        Type("1"),
        "capabilities-experimental-values-objects",
    ),
    (
        "params _meta io.modelcontextprotocol/clientCapabilities extensions com.example/x",
        Type("1"),
        "extension-settings-object",
    ),
    (
        "params _meta io.modelcontextprotocol/clientCapabilities extensions io.modelcontextprotocol/tasks",
        Type("true"),
        "extension-settings-object",
    ),
    (
        "params _meta io.modelcontextprotocol/clientCapabilities extensions",
        Value("{\"bare\":{}}"),
        "extension-identifier-prefixed",
    ),
];

const TOOLS: &[Row] = &[
    ("result tools 0 name", Drop, "payload-tool-name-required-string"),
    ("result tools 0 name", Type("1"), "payload-tool-name-required-string"),
    ("result tools 0 name", Value("\"\""), "payload-tool-name-length"),
    ("result tools 1 name", Value("\"echo\""), "payload-tool-name-unique-in-server"),
    ("result tools 0 title", Type("1"), "payload-tool-title-description-strings"),
    ("result tools 0 description", Drop, "payload-tool-title-description-strings"),
    ("result tools 0 inputSchema", Drop, "payload-tool-input-schema-required"),
    ("result tools 0 inputSchema", Type("null"), "payload-tool-input-schema-required"),
    ("result tools 0 inputSchema type", Value("\"array\""), "payload-tool-input-schema-root-type-object"),
    ("result tools 1 inputSchema type", Drop, "payload-tool-input-schema-root-type-object"),
    ("result tools 0 outputSchema", Type("true"), "payload-tool-output-schema-is-object"),
    ("result tools 0 annotations readOnlyHint", Type("\"yes\""), "payload-tool-annotations-types"),
    ("result tools 0 icons 0 theme", Value("\"dim\""), "payload-icon-theme-enum"),
    ("result tools 0 icons 0 sizes", Type("\"48x48\""), "payload-icon-sizes-array"),
    ("result tools 0 inputSchema properties a x-mcp-header", Type("5"), "param-header-name-is-string"),
    ("result tools 0 inputSchema properties a x-mcp-header", Value("\"\""), "param-header-name-not-empty"),
    ("result tools 0 inputSchema properties a x-mcp-header", Value("\"a\\tb\""), "param-header-name-no-controls"),
    ("result tools 0 inputSchema properties a x-mcp-header", Value("\"My Region\""), "param-header-name-is-token"),
    (
        "result tools 0 inputSchema properties a x-mcp-header",
        Value("\"zone\""),
        "param-header-name-unique-case-insensitive",
    ),
    ("result tools 0 inputSchema properties a type", Value("\"number\""), "param-header-number-type-forbidden"),
    ("result tools 0 inputSchema properties a type", Value("\"object\""), "param-header-primitive-only"),
    ("result tools 0 inputSchema properties a", Value(UNREACHABLE), "param-header-statically-reachable"),
];

const TOOL_USE: &str = r#"{"type":"tool_use","id":"1","name":"n","input":{}}"#;

const UNREACHABLE: &str = r#"{"items":{"type":"string","x-mcp-header":"Region"}}"#;

const TASK: &[Row] = &[
    ("result taskId", Drop, "extension-tasks-task-fields"),
    ("result createdAt", Drop, "extension-tasks-task-fields"),
    ("result status", Drop, "extension-tasks-task-fields"),
    ("result ttlMs", Type("\"1\""), "extension-tasks-task-fields"),
    ("result status", Value("\"done\""), "extension-tasks-status-enum"),
    ("result status", Type("1"), "extension-tasks-status-enum"),
];

/// One more than a completion may hold.
const HUNDRED_AND_ONE: &str =
    concat!("[", tens!(), tens!(), tens!(), tens!(), tens!(), tens!(), tens!(), tens!(), tens!(), tens!(), "\"\"]");
