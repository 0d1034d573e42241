//! Errors, and results of legacy revisions, with their faults.

use super::rows::{Message, row};

const MODERN: &str = "2026-07-28";

pub static MESSAGES: &[Message] = &[
    Message {
        kind: "result tools/call",
        revision: "2025-06-18",
        payload: r#"{"content":[{"type":"audio","data":1},{"type":"text","text":"t"}],"structuredContent":{}}"#,
        rows: &[
            row("structuredContent", "[]", "wrong-type payload-tools-call-structured-content-object-legacy"),
            row("content 1 text", "1", "wrong-type payload-content-text-fields"),
        ],
    },
    Message {
        kind: "result tools/call",
        revision: "2025-03-26",
        payload: r#"{"content":[{"type":"audio","data":""}],"structuredContent":1}"#,
        rows: &[row("content 0 type", "\"resource_link\"", "wrong-value payload-legacy-audio-since-2025-03-26")],
    },
    Message {
        kind: "result tools/call",
        revision: "2024-11-05",
        payload: r#"{"content":[{"type":"text","text":""}]}"#,
        rows: &[row("content 0 type", "\"audio\"", "wrong-value payload-legacy-audio-since-2025-03-26")],
    },
    Message {
        kind: "result tools/list",
        revision: "2024-11-05",
        payload: r#"{"tools":[{"name":"a","title":1,"annotations":1,"description":"d","inputSchema":{"type":"object"}}]}"#,
        rows: &[row("tools 0 name", "", "missing-member payload-tool-name-required-string")],
    },
    Message {
        kind: "error",
        revision: MODERN,
        payload: r#"{"code":-32021,"message":"m","data":{"requiredCapabilities":{"sampling":{"tools":{}}}}}"#,
        rows: &[
            row("data", "", "missing-member error-missing-capability-shape"),
            row("data", "[]", "wrong-type error-missing-capability-shape"),
            row("data requiredCapabilities", "[\"sampling\"]", "wrong-type error-missing-capability-shape"),
            row("data requiredCapabilities sampling", "true", "wrong-type capabilities-values-are-objects"),
        ],
    },
    Message {
        kind: "error",
        revision: MODERN,
        payload: r#"{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}"#,
        rows: &[
            row("data", "", "missing-member error-unsupported-version-shape"),
            row("data supported", "\"2026-07-28\"", "wrong-type error-unsupported-version-shape"),
            row("data supported 0", "1", "wrong-type error-unsupported-version-shape"),
            row("data supported", "[]", "note wrong-value error-unsupported-version-shape"),
            row("data requested", "", "missing-member error-unsupported-version-shape"),
            row("data requested", "\"2026-07-28\"", "note wrong-value error-defined-codes-only-with-defined-meaning"),
            row("data requested", "null", "wrong-type error-unsupported-version-shape"),
        ],
    },
    Message {
        kind: "error",
        revision: MODERN,
        payload: r#"{"code":-32603,"message":"m","data":null}"#,
        rows: &[
            row("code", "-32023", "note wrong-value error-reserved-range-only-defined-codes"),
            row("code", "-32099", "note wrong-value error-reserved-range-only-defined-codes"),
            row("code", "-32042", "note wrong-value error-32042-not-emitted"),
            row("code", "-32000", "note wrong-value error-legacy-subrange-avoided"),
            row("code", "-32002", "note wrong-value error-32002-not-emitted"),
            row("code", "-32100", "note wrong-value error-predefined-gap-not-used"),
            row("code", "-32768", "note wrong-value error-predefined-gap-not-used"),
        ],
    },
];
