//! Which words are the protocol's own, so that they say nothing about whoever was recorded.
//!
//! Words of the protocol, of JSON Schema and of HTTP; compared without letter case. A whole text that stands here is kept,
//! and so is a part of an identifier. Nothing that a person or a product chose belongs here.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether a word in lower case is the protocol's own.
pub(super) fn knows(lower: &str) -> bool {
    WORDS.contains(lower)
}

/// Whether a text in lower case is a part of something that is kept: finding it again would prove nothing.
pub(super) fn holds(lower: &str) -> bool {
    ALL.contains(lower)
}

/// Field names of HTTP that are kept. Their values are judged on their own.
pub(super) fn is_field(lower: &str) -> bool {
    FIELDS.split_whitespace().any(|name| name == lower)
}

static ALL: LazyLock<String> = LazyLock::new(|| [METHODS, NAMES, VALUES, FIELDS].join(" ").to_ascii_lowercase());
static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let parts = [METHODS, NAMES, VALUES].map(str::split_whitespace).into_iter().flatten();
    parts.map(str::to_ascii_lowercase).collect()
});

const METHODS: &str = "
    initialize ping server/discover subscriptions/listen tools/call tools/list resources/read resources/list
    resources/templates/list resources/subscribe resources/unsubscribe prompts/get prompts/list completion/complete
    logging/setLevel elicitation/create sampling/createMessage roots/list tasks/get tasks/update tasks/cancel tasks/list
    tasks/result notifications/initialized notifications/progress notifications/cancelled notifications/message
    notifications/subscriptions/acknowledged notifications/resources/updated notifications/resources/list_changed
    notifications/tools/list_changed notifications/prompts/list_changed notifications/roots/list_changed
    notifications/elicitation/complete notifications/tasks notifications/tasks/status
    rpc notifications tools resources prompts tasks templates subscriptions server discover listen call list read get
    create update cancel subscribe unsubscribe setLevel createMessage sampling elicitation roots logging completion
    list_changed";

const NAMES: &str = "
    jsonrpc id method params result error code message data _meta name title description icons src mimeType sizes theme
    version websiteUrl protocolVersion clientCapabilities clientInfo serverInfo logLevel capabilities instructions
    supported requested supportedVersions requiredCapabilities resultType inputRequests inputResponses requestState
    ttlMs cacheScope cursor nextCursor completions experimental extensions listChanged subscribe sampling elicitation
    roots context form url tools prompts resources logging tasks requests arguments content isError structuredContent
    inputSchema outputSchema annotations execution taskSupport readOnlyHint destructiveHint idempotentHint openWorldHint
    type text blob uri uriTemplate size contents resourceTemplates audience priority lastModified role messages argument
    value values total hasMore ref subscriptionId subscriptions notifications toolsListChanged promptsListChanged
    resourcesListChanged resourceSubscriptions progress progressToken requestId reason level logger taskId status
    statusMessage createdAt lastUpdatedAt pollIntervalMs pollInterval ttl task related-task model maxTokens modelPreferences
    hints costPriority speedPriority intelligencePriority systemPrompt includeContext temperature stopSequences metadata
    toolChoice mode stopReason input toolUseId action requestedSchema elicitationId enumNames traceparent tracestate
    baggage required properties additionalProperties items prefixItems patternProperties propertyNames enum const default
    examples allOf anyOf oneOf not if then else minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength
    maxLength pattern format minItems maxItems uniqueItems minProperties maxProperties dependentRequired dependentSchemas
    unevaluatedProperties unevaluatedItems contains minContains maxContains deprecated readOnly writeOnly
    contentEncoding contentMediaType definitions $schema $id $ref $defs $anchor $dynamicRef $dynamicAnchor $comment
    $vocabulary schema defs anchor dynamicRef comment vocabulary x-mcp-header
    io modelcontextprotocol io.modelcontextprotocol com org";

const VALUES: &str = "
    2.0 2026-07-28 2025-11-25 2025-06-18 2025-03-26 2024-11-05 00 01
    complete input_required task working completed failed cancelled submitted public private
    user assistant thisServer allServers none auto required endTurn stopSequence maxTokens toolUse
    debug info notice warning error critical alert emergency
    text image audio resource resource_link tool_use tool_result ref/prompt ref/resource prompt
    accept decline cancel form url light dark any optional forbidden
    object array string number integer boolean null true false
    email date date-time time uri-reference hostname ipv4 ipv6 uuid regex json-pointer
    http https file ui urn mailto www json-schema json-schema.org draft draft-07 2020-12 2019-09 07 2020 12
    base64 utf utf-8 charset application json event stream event-stream octet plain markdown html css csv xml xhtml png
    jpeg gif webp svg mpeg wav webm ogg mp4 pdf x-yaml yaml problem
    bearer basic digest keep-alive keep alive close chunked identity gzip deflate br zstd no no-cache no-store no-transform
    private must-revalidate max-age timeout max get post put delete options head bytes
    mcp protocol session method param meta";

const FIELDS: &str = "
    accept accept-charset accept-encoding accept-language access-control-allow-credentials
    access-control-allow-headers access-control-allow-methods access-control-allow-origin
    access-control-expose-headers access-control-max-age allow authorization cache-control connection content-encoding
    content-language content-length content-type cookie date etag expires host keep-alive last-event-id last-modified
    location mcp-method mcp-name mcp-protocol-version mcp-session-id origin pragma proxy-authenticate
    proxy-authorization referer retry-after sec-fetch-dest sec-fetch-mode sec-fetch-site server set-cookie
    strict-transport-security te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate
    x-accel-buffering x-content-type-options x-forwarded-for x-forwarded-host x-forwarded-proto x-powered-by
    x-real-ip x-request-id";
