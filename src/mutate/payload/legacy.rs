//! Which edit of a payload breaks which rule of a legacy revision, in which messages?

use super::table::group;
use super::{Carrier, Group, How};
use crate::generate::dictionary::LEGACY;
use How::{Drop, Type, Value};

/// Every row, by what carries it.
pub(super) static GROUPS: [Group; 12] = [
    group(
        Carrier::Request,
        &["initialize"],
        &[LEGACY[0]],
        &[
            ("params protocolVersion", Drop, "negotiation-legacy-initialize-fields"),
            ("params capabilities", Drop, "negotiation-legacy-initialize-fields"),
            ("params clientInfo", Type("\"w\""), "negotiation-legacy-initialize-fields"),
            ("params clientInfo version", Drop, "negotiation-legacy-initialize-fields"),
            ("params capabilities roots", Type("true"), "capabilities-values-are-objects"),
            ("params capabilities experimental x", Type("true"), "capabilities-experimental-values-objects"),
            ("params capabilities tasks", Type("true"), "capabilities-legacy-tasks-capability-tree"),
            ("params capabilities tasks list", Type("true"), "capabilities-legacy-tasks-capability-tree"),
        ],
    ),
    group(
        Carrier::Result(""),
        &["initialize"],
        &[LEGACY[0]],
        &[
            ("result protocolVersion", Drop, "negotiation-legacy-initialize-result-fields"),
            ("result serverInfo", Type("\"s\""), "negotiation-legacy-initialize-result-fields"),
            ("result serverInfo version", Drop, "negotiation-legacy-initialize-result-fields"),
            ("result capabilities tasks requests", Type("[]"), "capabilities-legacy-tasks-capability-tree"),
        ],
    ),
    group(
        Carrier::Result(""),
        &["tools/call"],
        &[LEGACY[0]],
        &[
            ("result task ttl", Drop, "extension-legacy-tasks-result-shape"),
            ("result task taskId", Type("1"), "extension-legacy-tasks-result-shape"),
            ("result task status", Value("\"done\""), "extension-legacy-tasks-result-shape"),
        ],
    ),
    group(
        Carrier::Result(""),
        &["tasks/get", "tasks/cancel"],
        &[LEGACY[0]],
        &[("result ttl", Drop, "extension-legacy-tasks-result-shape")],
    ),
    group(
        Carrier::Result(""),
        &["tasks/list"],
        &[LEGACY[0]],
        &[("result tasks 0 taskId", Drop, "extension-legacy-tasks-result-shape")],
    ),
    group(
        Carrier::Result(""),
        &["tasks/result"],
        &[LEGACY[0]],
        &[
            ("result _meta io.modelcontextprotocol/related-task", Drop, "meta-legacy-tasks-related-meta"),
            ("result _meta io.modelcontextprotocol/related-task", Type("\"t1\""), "meta-legacy-tasks-related-meta"),
        ],
    ),
    group(
        Carrier::Request,
        &["logging/setLevel"],
        &LEGACY,
        &[
            ("params level", Drop, "payload-legacy-set-level"),
            ("params level", Value("\"loud\""), "payload-legacy-set-level"),
        ],
    ),
    group(
        Carrier::Request,
        &["resources/subscribe", "resources/unsubscribe"],
        &LEGACY,
        &[
            ("params uri", Drop, "payload-legacy-resources-subscribe"),
            ("params uri", Type("1"), "payload-legacy-resources-subscribe"),
        ],
    ),
    group(
        Carrier::Result(""),
        &["tools/call"],
        &[LEGACY[1], LEGACY[3]],
        &[
            ("result structuredContent", Type("[]"), "payload-tools-call-structured-content-object-legacy"),
            ("result isError", Type("0"), "payload-tools-call-is-error-boolean"),
        ],
    ),
    group(
        Carrier::Result(""),
        &["tools/call"],
        &[LEGACY[3]],
        &[("result content 1", Value(OLD_SOUND), "payload-legacy-audio-since-2025-03-26")],
    ),
    group(
        Carrier::ServerRequest,
        &["elicitation/create"],
        &[LEGACY[0]],
        &[("params elicitationId", Drop, "payload-legacy-elicitation-url-has-id")],
    ),
    group(
        Carrier::ServerRequest,
        &["sampling/createMessage"],
        &[LEGACY[1]],
        &[("params messages 0 content", Type("[]"), "payload-legacy-sampling-content-single")],
    ),
];

/// A sound in a revision that has none; of such a block nothing else is judged.
const OLD_SOUND: &str = "{\"type\":\"audio\"}";
