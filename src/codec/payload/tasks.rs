//! The tasks extension: a call that is answered later. Judged where the call advertised it.

use super::input::{REQUESTS, RESPONSES};
use super::metadata::{OF_NOTIFICATION, OF_REQUEST, OF_RESULT};
use super::rule::Rule;
use super::shape::{Field, Shape, Type, optional, required};
use super::walk::Walk;
use crate::codec::document::Value;

const TASK_ID: Field = required("taskId", Shape::Text, Rule::TASK_ID);

/// The params of `tasks/get` and `tasks/cancel`.
pub static PARAMS: Type = Type::of(&[OF_REQUEST, TASK_ID]);

/// The params of `tasks/update`.
pub static UPDATE_PARAMS: Type =
    Type::of(&[OF_REQUEST, TASK_ID, required("inputResponses", RESPONSES, Rule::TASK_UPDATE)]);

/// The answer of `tools/call` that starts a task.
pub static CREATED: Type = Type::checked(&[OF_RESULT], task);

/// The result of `tasks/get`.
pub static GET_RESULT: Type = Type::checked(&[OF_RESULT], detailed);

/// The result of `tasks/update` and `tasks/cancel`.
pub static ACKNOWLEDGEMENT: Type = Type::checked(&[OF_RESULT], empty);

/// The params of `notifications/tasks`.
pub static NOTIFICATION: Type = Type::checked(&[OF_NOTIFICATION], notified);

static TASK: Type = Type::of(&[
    required("taskId", Shape::Text, Rule::TASK_FIELDS),
    required("status", Shape::Words(STATUS), Rule::TASK_STATUS).owed(Rule::TASK_FIELDS),
    required("createdAt", Shape::Text, Rule::TASK_FIELDS),
    required("lastUpdatedAt", Shape::Text, Rule::TASK_FIELDS),
    required("ttlMs", Shape::Nullable(&Shape::Integer), Rule::TASK_FIELDS),
    optional("statusMessage", Shape::Text, Rule::TASK_FIELDS),
    optional("pollIntervalMs", Shape::Integer, Rule::TASK_FIELDS),
]);

/// What becomes of a task.
pub const STATUS: &[&str] = &["working", "input_required", "completed", "cancelled", "failed"];

/// What a status brings along.
const DETAILS: [(&str, Field); 3] = [
    ("completed", optional("result", Shape::Open, Rule::TASK_HAS_RESULT)),
    ("failed", optional("error", Shape::Object(&ERROR), Rule::TASK_HAS_ERROR)),
    ("input_required", optional("inputRequests", REQUESTS, Rule::TASK_HAS_REQUESTS)),
];

static ERROR: Type = Type::of(&[
    required("code", Shape::Integer, Rule::TASK_HAS_ERROR),
    required("message", Shape::Text, Rule::TASK_HAS_ERROR),
]);

fn task(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    walk.members(&TASK, Some(value), value.offset(), rule);
}

fn detailed(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    task(walk, value, rule);
    let Some(status) = value.get("status").and_then(Value::as_text) else { return };
    let Some((_, detail)) = DETAILS.iter().find(|(word, _)| status.is(word)) else { return };
    match value.get(detail.name) {
        None => walk.missing(value.offset(), detail.rule),
        Some(member) => walk.value(&detail.shape, member, detail.rule),
    }
}

/// Nobody answers a notification, and the extension only asks for a flag.
fn notified(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    walk.only_note();
    detailed(walk, value, rule);
}

fn empty(walk: &mut Walk, value: Value<'_>, _: Rule) {
    if let Some((_, extra)) = value.members().find(|(name, _)| !name.is("resultType") && !name.is("_meta")) {
        walk.wrong_value(extra, Rule::TASK_ACKNOWLEDGED);
    }
}
