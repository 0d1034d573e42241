//! The core tasks of 2025-11-25 and the handshake that declares them: a message that holds everything, and its faults.

use super::rows::{Message, row};

const TASKS: &str = "2025-11-25";

const SHAPE: &str = "missing-member extension-legacy-tasks-result-shape";

pub static MESSAGES: &[Message] = &[
    Message {
        kind: "result tools/call",
        revision: TASKS,
        payload: r#"{"task":{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"a","ttl":null,
            "pollInterval":1,"statusMessage":"m"}}"#,
        rows: &[
            row("task taskId", "", SHAPE),
            row("task ttl", "", SHAPE),
            row("task ttl", "\"1\"", "wrong-type extension-legacy-tasks-result-shape"),
            row("task status", "\"done\"", "wrong-value extension-legacy-tasks-result-shape"),
            row("task status", "1", "wrong-type extension-legacy-tasks-result-shape"),
            row("task createdAt", "", SHAPE),
            row("task lastUpdatedAt", "1", "wrong-type extension-legacy-tasks-result-shape"),
            row("task pollInterval", "1.5", "wrong-type extension-legacy-tasks-result-shape"),
            row("task statusMessage", "1", "wrong-type extension-legacy-tasks-result-shape"),
        ],
    },
    Message {
        kind: "result elicitation/create",
        revision: TASKS,
        payload: r#"{"task":{"taskId":"t","status":"input_required","createdAt":"a","lastUpdatedAt":"a","ttl":1}}"#,
        rows: &[row("task ttl", "", SHAPE)],
    },
    Message {
        kind: "result tasks/get",
        revision: TASKS,
        payload: r#"{"taskId":"t","status":"failed","createdAt":"a","lastUpdatedAt":"a","ttl":1}"#,
        rows: &[
            row("ttl", "", "strict missing-member extension-legacy-tasks-result-shape"),
            row("status", "\"\"", "strict wrong-value extension-legacy-tasks-result-shape"),
        ],
    },
    Message {
        kind: "result tasks/cancel",
        revision: TASKS,
        payload: r#"{"taskId":"t","status":"cancelled","createdAt":"a","lastUpdatedAt":"a","ttl":1}"#,
        rows: &[row("taskId", "", "strict missing-member extension-legacy-tasks-result-shape")],
    },
    Message {
        kind: "result tasks/list",
        revision: TASKS,
        payload: r#"{"tasks":[{"taskId":"t","status":"completed","createdAt":"a","lastUpdatedAt":"a","ttl":1}],
            "nextCursor":"n"}"#,
        rows: &[
            row("tasks", "", "strict missing-member extension-legacy-tasks-result-shape"),
            row("tasks 0 status", "null", "strict wrong-type extension-legacy-tasks-result-shape"),
            row("nextCursor", "1", "wrong-type pagination-next-cursor-is-string"),
        ],
    },
    Message {
        kind: "result tasks/result",
        revision: TASKS,
        payload: r#"{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}},"content":1}"#,
        rows: &[
            row("_meta", "", "missing-member meta-legacy-tasks-related-meta"),
            row("_meta io.modelcontextprotocol/related-task", "", "missing-member meta-legacy-tasks-related-meta"),
            row("_meta io.modelcontextprotocol/related-task", "\"t\"", "wrong-type meta-legacy-tasks-related-meta"),
            row("_meta io.modelcontextprotocol/related-task taskId", "1", "wrong-type meta-legacy-tasks-related-meta"),
        ],
    },
    Message {
        kind: "request tasks/list",
        revision: TASKS,
        payload: r#"{"cursor":"c"}"#,
        rows: &[row("cursor", "1", "wrong-type pagination-cursor-is-string")],
    },
    Message {
        kind: "notification notifications/tasks/status",
        revision: TASKS,
        payload: r#"{"taskId":"t","status":"working","createdAt":"a","lastUpdatedAt":"a","ttl":1}"#,
        rows: &[row("ttl", "", "note missing-member extension-legacy-tasks-result-shape")],
    },
    Message {
        kind: "request initialize",
        revision: TASKS,
        payload: r#"{"protocolVersion":"2025-11-25","clientInfo":{"name":"a","version":"1"},"capabilities":
            {"tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}}"#,
        rows: &[
            row("capabilities tasks", "true", "wrong-type capabilities-legacy-tasks-capability-tree"),
            row("capabilities tasks list", "true", "wrong-type capabilities-legacy-tasks-capability-tree"),
            row("capabilities tasks requests sampling", "[]", "wrong-type capabilities-legacy-tasks-capability-tree"),
            row(
                "capabilities tasks requests elicitation create",
                "true",
                "wrong-type capabilities-legacy-tasks-capability-tree",
            ),
        ],
    },
];
