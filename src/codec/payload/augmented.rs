//! The core tasks of 2025-11-25: requests that are answered with a task first and with their result later.
//!
//! The extension of the same name has the same methods with other members; see [`super::tasks`]. Who declared what is not
//! asked: a legacy call declares nothing, and what a handshake settled does not make a task of another shape lawful.

use super::metadata::{NESTED, OF_NOTIFICATION, OF_REQUEST};
use super::results::{CURSOR, NEXT_CURSOR};
use super::rule::Rule;
use super::shape::{Field, Shape, Type, optional, required};
use super::tasks::STATUS;
use super::walk::Walk;
use crate::codec::document::Value;

/// The params of a request about one task; no rule of the list speaks of their own members.
pub static PARAMS: Type = Type::of(&[OF_REQUEST]);

/// The params of `tasks/list`.
pub static LIST_PARAMS: Type = Type::of(&[OF_REQUEST, CURSOR]);

/// The answer that starts a task.
pub static CREATED: Type = Type::of(&[NESTED, required("task", Shape::Object(&TASK), Rule::AUGMENTED)]);

/// The result of `tasks/get` and `tasks/cancel`.
pub static FLAT: Type = Type::checked(&[NESTED], flat);

/// The result of `tasks/list`.
pub static LIST_RESULT: Type =
    Type::of(&[NESTED, required("tasks", Shape::Array(&Shape::Check(flat)), Rule::AUGMENTED_ANSWER), NEXT_CURSOR]);

/// The result of `tasks/result`, which holds that of the request and does not say by itself whose it is.
pub static PAYLOAD: Type = Type::of(&[required("_meta", Shape::Object(&RELATED), Rule::RELATED_TASK)]);

/// The params of `notifications/tasks/status`.
pub static NOTIFICATION: Type = Type::checked(&[OF_NOTIFICATION], notified);

static RELATED: Type =
    Type::of(&[required("io.modelcontextprotocol/related-task", Shape::Object(&NAMED), Rule::RELATED_TASK)]);

static NAMED: Type = Type::of(&[required("taskId", Shape::Text, Rule::RELATED_TASK)]);

static TASK: Type = Type::of(&fields(Rule::AUGMENTED));
static ANSWERED: Type = Type::of(&fields(Rule::AUGMENTED_ANSWER));

const fn fields(rule: Rule) -> [Field; 7] {
    [
        required("taskId", Shape::Text, rule),
        required("status", Shape::Words(STATUS), rule),
        required("createdAt", Shape::Text, rule),
        required("lastUpdatedAt", Shape::Text, rule),
        required("ttl", Shape::Nullable(&Shape::Integer), rule),
        optional("pollInterval", Shape::Integer, rule),
        optional("statusMessage", Shape::Text, rule),
    ]
}

/// Whether a result claims to start a task: it holds one, or is one in the form of the later extension, and has nothing of
/// what its method is answered with.
pub fn starts(result: Value<'_>, of: Option<&Type>) -> bool {
    let owed = of.into_iter().flat_map(|of| of.fields).filter(|field| field.absent.is_some() && field.name != "_meta");
    let answers = owed.into_iter().any(|field| result.get(field.name).is_some());
    let text = |name: &str| result.get(name).is_some_and(|value| value.as_text().is_some());
    !answers && (result.get("task").is_some_and(Value::is_object) || text("taskId") && text("status"))
}

fn flat(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    walk.value(&Shape::Object(&ANSWERED), value, rule);
}

/// Nobody answers a notification.
fn notified(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    walk.only_note();
    flat(walk, value, rule);
}
