//! Which edit of a question in the middle of a call, or of its answer, breaks which rule?

use super::How::{Add, Drop, Type, Value};
use super::Row;

/// Answers that a client brings along.
pub(super) const RESPONSES: &[Row] = &[
    ("params inputResponses d action", Value("\"ok\""), "payload-elicitation-result-action-enum"),
    ("params inputResponses d content", Add("{}"), "payload-elicitation-result-content-only-on-accept-form"),
    ("params inputResponses e content a", Type("null"), "payload-elicitation-result-content-values"),
    ("params inputResponses e content c 0", Type("1"), "payload-elicitation-result-content-values"),
    ("params inputResponses r roots", Type("{}"), "payload-roots-result-array"),
    ("params inputResponses r roots 0 uri", Value("\"http://a\""), "payload-roots-uri-file-scheme"),
    ("params inputResponses r roots 0 uri", Value("\"FILE:///a\""), "payload-roots-uri-file-scheme"),
    ("params inputResponses r roots 0 uri", Drop, "payload-roots-uri-file-scheme"),
    ("params inputResponses r roots 0 name", Type("1"), "payload-roots-name-string"),
    ("params inputResponses s model", Type("1"), "payload-sampling-result-fields"),
    ("params inputResponses s content", Drop, "payload-sampling-result-fields"),
    ("params inputResponses s role", Value("\"system\""), "payload-sampling-result-fields"),
];

/// A question to the model of the client.
pub(super) const SAMPLING: &[Row] = &[
    ("result inputRequests s params", Drop, "payload-sampling-messages-required"),
    ("result inputRequests s params messages", Drop, "payload-sampling-messages-required"),
    ("result inputRequests s params maxTokens", Drop, "payload-sampling-messages-required"),
    ("result inputRequests s params maxTokens", Type("\"1\""), "payload-sampling-messages-required"),
    ("result inputRequests s params messages 0 role", Value("\"system\""), "payload-sampling-message-role-content"),
    ("result inputRequests s params messages 0 content", Drop, "payload-sampling-message-role-content"),
    ("result inputRequests s params messages 0 content", Type("1"), "payload-sampling-content-single-or-array"),
    (
        "result inputRequests s params messages 0 content type",
        Value("\"resource\""),
        "payload-sampling-content-single-or-array",
    ),
    ("result inputRequests s params messages 1 role", Value("\"user\""), "payload-sampling-tool-use-role-assistant"),
    ("result inputRequests s params messages 1 content 0 name", Drop, "payload-sampling-tool-use-fields"),
    ("result inputRequests s params messages 1 content 0 input", Type("[]"), "payload-sampling-tool-use-fields"),
    ("result inputRequests s params messages 1 content", Value(TWICE), "payload-sampling-tool-use-ids-unique"),
    ("result inputRequests s params messages 2 content", Value(MIXED), "payload-sampling-tool-results-only-message"),
    ("result inputRequests s params messages 2 content", Value(UNASKED), "payload-sampling-tool-result-id-matches"),
    ("result inputRequests s params messages 2 content", Value(SPEECH), "payload-sampling-tool-use-balanced"),
    ("result inputRequests s params messages 2 content 0 content", Drop, "payload-sampling-tool-result-content-array"),
    (
        "result inputRequests s params messages 2 content 0 content",
        Type("{}"),
        "payload-sampling-tool-result-content-array",
    ),
    (
        "result inputRequests s params messages 2 content 0 isError",
        Type("0"),
        "payload-sampling-tool-result-content-array",
    ),
    ("result inputRequests s params includeContext", Value("\"some\""), "payload-sampling-include-context-enum"),
    ("result inputRequests s params metadata", Type("[]"), "payload-sampling-metadata-object"),
    ("result inputRequests s params stopSequences", Type("\"x\""), "payload-sampling-stop-sequences-strings"),
    ("result inputRequests s params stopSequences 0", Type("1"), "payload-sampling-stop-sequences-strings"),
    ("result inputRequests s params modelPreferences costPriority", Value("2"), "payload-sampling-priorities-range"),
    ("result inputRequests s params modelPreferences hints 0 name", Type("1"), "payload-sampling-priorities-range"),
    ("result inputRequests s params toolChoice mode", Value("\"any\""), "payload-sampling-tool-choice-enum"),
    ("result inputRequests s params tools 0 name", Drop, "payload-tool-name-required-string"),
];

const TWICE: &str =
    r#"[{"type":"tool_use","id":"1","name":"n","input":{}},{"type":"tool_use","id":"1","name":"n","input":{}}]"#;
const MIXED: &str = r#"[{"type":"tool_result","toolUseId":"1","content":[]},{"type":"text","text":"t"}]"#;
const UNASKED: &str =
    r#"[{"type":"tool_result","toolUseId":"1","content":[]},{"type":"tool_result","toolUseId":"2","content":[]}]"#;
const SPEECH: &str = r#"{"type":"text","text":"t"}"#;

/// A question to the user.
pub(super) const ELICITATION: &[Row] = &[
    ("result inputRequests q params", Drop, "payload-elicitation-message-required"),
    ("result inputRequests q params mode", Value("\"page\""), "payload-elicitation-mode-enum"),
    ("result inputRequests q params message", Drop, "payload-elicitation-message-required"),
    ("result inputRequests u params message", Type("1"), "payload-elicitation-message-required"),
    ("result inputRequests q params requestedSchema", Drop, "payload-elicitation-form-schema-required"),
    ("result inputRequests q params requestedSchema", Type("[]"), "payload-elicitation-form-schema-required"),
    (
        "result inputRequests q params requestedSchema type",
        Value("\"array\""),
        "payload-elicitation-schema-flat-object",
    ),
    ("result inputRequests q params requestedSchema properties", Drop, "payload-elicitation-schema-flat-object"),
    (
        "result inputRequests q params requestedSchema properties s type",
        Value("\"object\""),
        "payload-elicitation-schema-primitive-kinds",
    ),
    (
        "result inputRequests q params requestedSchema properties s type",
        Drop,
        "payload-elicitation-schema-primitive-kinds",
    ),
    (
        "result inputRequests q params requestedSchema properties s title",
        Type("1"),
        "payload-elicitation-schema-primitive-kinds",
    ),
    (
        "result inputRequests q params requestedSchema properties s format",
        Value("\"phone\""),
        "payload-elicitation-string-format-enum",
    ),
    (
        "result inputRequests q params requestedSchema properties s minLength",
        Type("1.5"),
        "payload-elicitation-string-length-integers",
    ),
    (
        "result inputRequests q params requestedSchema properties s default",
        Type("1"),
        "payload-elicitation-default-type-matches",
    ),
    (
        "result inputRequests q params requestedSchema properties b default",
        Type("\"true\""),
        "payload-elicitation-default-type-matches",
    ),
    (
        "result inputRequests q params requestedSchema properties n minimum",
        Type("\"0\""),
        "payload-elicitation-number-bounds-numbers",
    ),
    (
        "result inputRequests q params requestedSchema properties t oneOf 0 title",
        Drop,
        "payload-elicitation-titled-enum-const-title",
    ),
    (
        "result inputRequests q params requestedSchema properties x items anyOf 0 const",
        Drop,
        "payload-elicitation-titled-enum-const-title",
    ),
    (
        "result inputRequests q params requestedSchema properties m items",
        Drop,
        "payload-elicitation-multi-select-items",
    ),
    (
        "result inputRequests q params requestedSchema properties m items enum",
        Drop,
        "payload-elicitation-multi-select-items",
    ),
    ("result inputRequests u params url", Drop, "payload-elicitation-url-mode-fields"),
    ("result inputRequests u params url", Type("1"), "payload-elicitation-url-mode-fields"),
    ("result inputRequests u params url", Value("\"e.com\""), "payload-elicitation-url-valid"),
];
