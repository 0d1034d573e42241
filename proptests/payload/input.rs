//! Interim results, with every kind of input that they ask for, and their faults.

use super::rows::{Message, row};

const MODERN: &str = "2026-07-28";

pub static MESSAGES: &[Message] = &[
    Message {
        kind: "result tools/call",
        revision: MODERN,
        payload: r#"{"resultType":"input_required","requestState":"","inputRequests":{
            "r":{"method":"roots/list"},
            "u":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.com/"}},
            "f":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object",
                "$schema":"s","required":["s"],"properties":{
                "s":{"type":"string","title":"t","description":"d","format":"email","minLength":1,"maxLength":2,"default":"x"},
                "n":{"type":"integer","minimum":0,"maximum":1.5,"default":1},
                "b":{"type":"boolean","default":true},
                "e":{"type":"string","enum":["a"],"default":"a"},
                "o":{"type":"string","oneOf":[{"const":"a","title":"A"}]},
                "m":{"type":"array","items":{"type":"string","enum":["a"]},"minItems":0,"maxItems":1,"default":["a"]},
                "t":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}}}}}}}"#,
        rows: &[
            row("requestState", "null", "note wrong-type mrtr-request-state-is-string"),
            row("inputRequests", "null", "note wrong-type mrtr-input-requests-is-map"),
            row("inputRequests r", "1", "wrong-type mrtr-input-requests-is-map"),
            row("inputRequests r method", "", "missing-member mrtr-input-request-kinds"),
            row("inputRequests r method", "\"ping\"", "wrong-value mrtr-input-request-kinds"),
            row("inputRequests r id", "1", "note wrong-value id-input-requests-carry-none"),
            row("inputRequests u jsonrpc", "\"2.0\"", "note wrong-value id-input-requests-carry-none"),
            row("inputRequests r params", "[]", "wrong-type mrtr-input-request-kinds"),
            row("ttlMs", "0", "note wrong-value cache-not-on-input-required"),
            row("cacheScope", "\"public\"", "note wrong-value cache-not-on-input-required"),
            row("inputRequests u params", "", "missing-member payload-elicitation-message-required"),
            row("inputRequests u params mode", "\"page\"", "wrong-value payload-elicitation-mode-enum"),
            row("inputRequests u params mode", "null", "wrong-type payload-elicitation-mode-enum"),
            row("inputRequests u params message", "", "missing-member payload-elicitation-message-required"),
            row("inputRequests u params url", "", "missing-member payload-elicitation-url-mode-fields"),
            row("inputRequests u params url", "\"example\"", "wrong-value payload-elicitation-url-valid"),
            row("inputRequests u params url", "\"http://a\"", "note wrong-value payload-elicitation-url-https"),
            row("inputRequests u params elicitationId", "\"e\"", "note wrong-value payload-elicitation-id-removed"),
            row("inputRequests f params message", "1", "wrong-type payload-elicitation-message-required"),
            row(
                "inputRequests f params requestedSchema",
                "",
                "missing-member payload-elicitation-form-schema-required",
            ),
            row(
                "inputRequests f params requestedSchema type",
                "",
                "missing-member payload-elicitation-schema-flat-object",
            ),
            row(
                "inputRequests f params requestedSchema properties",
                "[]",
                "wrong-type payload-elicitation-schema-flat-object",
            ),
            row(
                "inputRequests f params requestedSchema required 0",
                "1",
                "wrong-type payload-elicitation-schema-flat-object",
            ),
            row(
                "inputRequests f params requestedSchema required 0",
                "\"z\"",
                "note wrong-value payload-elicitation-schema-required-names-exist",
            ),
            row(
                "inputRequests f params requestedSchema properties s",
                "1",
                "wrong-type payload-elicitation-schema-primitive-kinds",
            ),
            row(
                "inputRequests f params requestedSchema properties s type",
                "",
                "missing-member payload-elicitation-schema-primitive-kinds",
            ),
            row(
                "inputRequests f params requestedSchema properties s type",
                "\"object\"",
                "wrong-value payload-elicitation-schema-primitive-kinds",
            ),
            row(
                "inputRequests f params requestedSchema properties s format",
                "\"hostname\"",
                "wrong-value payload-elicitation-string-format-enum",
            ),
            row(
                "inputRequests f params requestedSchema properties s minLength",
                "0.5",
                "wrong-type payload-elicitation-string-length-integers",
            ),
            row(
                "inputRequests f params requestedSchema properties s maxLength",
                "\"2\"",
                "wrong-type payload-elicitation-string-length-integers",
            ),
            row(
                "inputRequests f params requestedSchema properties s default",
                "1",
                "wrong-type payload-elicitation-default-type-matches",
            ),
            row(
                "inputRequests f params requestedSchema properties n minimum",
                "\"0\"",
                "wrong-type payload-elicitation-number-bounds-numbers",
            ),
            row(
                "inputRequests f params requestedSchema properties n default",
                "\"1\"",
                "wrong-type payload-elicitation-number-bounds-numbers",
            ),
            row(
                "inputRequests f params requestedSchema properties b default",
                "1",
                "wrong-type payload-elicitation-default-type-matches",
            ),
            row(
                "inputRequests f params requestedSchema properties e enum 0",
                "1",
                "wrong-type payload-elicitation-schema-primitive-kinds",
            ),
            row(
                "inputRequests f params requestedSchema properties e enumNames",
                "[\"A\"]",
                "note wrong-value payload-elicitation-enum-names-legacy",
            ),
            row(
                "inputRequests f params requestedSchema properties o oneOf 0 const",
                "1",
                "wrong-type payload-elicitation-titled-enum-const-title",
            ),
            row(
                "inputRequests f params requestedSchema properties o oneOf 0 title",
                "",
                "missing-member payload-elicitation-titled-enum-const-title",
            ),
            row(
                "inputRequests f params requestedSchema properties m items",
                "",
                "missing-member payload-elicitation-multi-select-items",
            ),
            row(
                "inputRequests f params requestedSchema properties m items type",
                "\"number\"",
                "wrong-value payload-elicitation-multi-select-items",
            ),
            row(
                "inputRequests f params requestedSchema properties m minItems",
                "1.5",
                "wrong-type payload-elicitation-schema-primitive-kinds",
            ),
            row(
                "inputRequests f params requestedSchema properties m default",
                "\"a\"",
                "wrong-type payload-elicitation-default-type-matches",
            ),
            row(
                "inputRequests f params requestedSchema properties t items anyOf",
                "1",
                "wrong-type payload-elicitation-titled-enum-const-title",
            ),
        ],
    },
    Message {
        kind: "result prompts/get",
        revision: MODERN,
        payload: r#"{"resultType":"input_required","inputRequests":{"s":{"method":"sampling/createMessage","params":{
            "maxTokens":100,"systemPrompt":"s","temperature":0.5,"includeContext":"none","metadata":{"t":null},
            "modelPreferences":{"costPriority":0,"speedPriority":0.5,"intelligencePriority":1,"hints":[{"name":"h"}]},
            "stopSequences":["x"],"toolChoice":{"mode":"auto"},
            "tools":[{"name":"a","description":"d","inputSchema":{"type":"object"}}],
            "messages":[{"role":"user","content":{"type":"text","text":"t"},"_meta":{}},
            {"role":"assistant","content":[{"type":"tool_use","id":"u","name":"n","input":{}},
                {"type":"tool_use","id":"v","name":"n","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","toolUseId":"u","content":[{"type":"text","text":"t"}],
                "isError":false,"structuredContent":1},{"type":"tool_result","toolUseId":"v","content":[]}]}]}}}}"#,
        rows: &[
            row("inputRequests", "{}", "note wrong-value mrtr-at-least-one-field"),
            row("inputRequests s params", "", "missing-member payload-sampling-messages-required"),
            row("inputRequests s params messages", "", "missing-member payload-sampling-messages-required"),
            row("inputRequests s params maxTokens", "", "missing-member payload-sampling-messages-required"),
            row("inputRequests s params maxTokens", "1.5", "wrong-type payload-sampling-messages-required"),
            row("inputRequests s params systemPrompt", "1", "wrong-type payload-sampling-messages-required"),
            row("inputRequests s params temperature", "\"0\"", "wrong-type payload-sampling-messages-required"),
            row(
                "inputRequests s params includeContext",
                "\"all\"",
                "wrong-value payload-sampling-include-context-enum",
            ),
            row("inputRequests s params metadata", "[]", "wrong-type payload-sampling-metadata-object"),
            row(
                "inputRequests s params modelPreferences costPriority",
                "-0.1",
                "wrong-value payload-sampling-priorities-range",
            ),
            row(
                "inputRequests s params modelPreferences speedPriority",
                "2",
                "wrong-value payload-sampling-priorities-range",
            ),
            row(
                "inputRequests s params modelPreferences intelligencePriority",
                "null",
                "wrong-type payload-sampling-priorities-range",
            ),
            row(
                "inputRequests s params modelPreferences hints 0 name",
                "1",
                "wrong-type payload-sampling-priorities-range",
            ),
            row("inputRequests s params stopSequences 0", "1", "wrong-type payload-sampling-stop-sequences-strings"),
            row("inputRequests s params toolChoice mode", "\"any\"", "wrong-value payload-sampling-tool-choice-enum"),
            row("inputRequests s params tools", "{}", "wrong-type payload-sampling-messages-required"),
            row("inputRequests s params tools 0 inputSchema", "", "missing-member payload-tool-input-schema-required"),
            row("inputRequests s params messages 0 role", "", "missing-member payload-sampling-message-role-content"),
            row(
                "inputRequests s params messages 0 content",
                "",
                "missing-member payload-sampling-message-role-content",
            ),
            row(
                "inputRequests s params messages 0 content",
                "\"t\"",
                "wrong-type payload-sampling-content-single-or-array",
            ),
            row(
                "inputRequests s params messages 0 content type",
                "\"video\"",
                "wrong-value payload-sampling-content-single-or-array",
            ),
            row(
                "inputRequests s params messages 1 role",
                "\"user\"",
                "wrong-value payload-sampling-tool-use-role-assistant",
            )
            .at("inputRequests s params messages 1 content 0"),
            row(
                "inputRequests s params messages 1 content 0 input",
                "1",
                "wrong-type payload-sampling-tool-use-fields",
            ),
            row(
                "inputRequests s params messages 1 content 1 id",
                "\"u\"",
                "strict wrong-value payload-sampling-tool-use-ids-unique",
            ),
            row(
                "inputRequests s params messages 2",
                r#"{"role":"user","content":[]}"#,
                "wrong-value payload-sampling-tool-use-balanced",
            )
            .at("inputRequests s params messages 1"),
            row(
                "inputRequests s params messages 2 content 1 toolUseId",
                "\"w\"",
                "wrong-value payload-sampling-tool-result-id-matches",
            ),
            row(
                "inputRequests s params messages 2 content 0 content",
                "",
                "missing-member payload-sampling-tool-result-content-array",
            ),
            row(
                "inputRequests s params messages 2 content 0 content",
                "\"t\"",
                "wrong-type payload-sampling-tool-result-content-array",
            ),
            row(
                "inputRequests s params messages 2 content 1",
                r#"{"type":"text","text":"t"}"#,
                "wrong-value payload-sampling-tool-results-only-message",
            ),
        ],
    },
];
