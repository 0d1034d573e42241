//! What only the four legacy revisions have: the handshake, levels for a session, subscriptions to one resource.
//!
//! What a handshake selects is decided where it is evaluated; core tasks are [`super::augmented`]'s matter, but for the
//! tree of capabilities that declares them.

use super::capabilities::{IMPLEMENTATION_AT_INITIALIZE, IMPLEMENTATION_INITIALIZED, SERVER};
use super::metadata::{LEVELS, OF_REQUEST, OF_RESULT};
use super::rule::{Eras, Rule};
use super::shape::{Field, Shape, Type, optional, required};
use crate::codec::document::Value;
use crate::codec::era::{Era, KnownRevision};

/// The params of `initialize`.
pub static INITIALIZE: Type = Type::of(&[
    OF_REQUEST,
    required("protocolVersion", Shape::Text, Rule::INITIALIZE),
    required("capabilities", Shape::Object(&CAPABILITIES), Rule::INITIALIZE),
    required("clientInfo", Shape::Object(&IMPLEMENTATION_AT_INITIALIZE), Rule::INITIALIZE),
]);

/// The result of `initialize`.
pub static INITIALIZED: Type = Type::of(&[
    OF_RESULT,
    required("protocolVersion", Shape::Text, Rule::INITIALIZED),
    required("capabilities", Shape::Object(&SERVER), Rule::INITIALIZED),
    required("serverInfo", Shape::Object(&IMPLEMENTATION_INITIALIZED), Rule::INITIALIZED),
    optional("instructions", Shape::Text, Rule::INITIALIZED),
]);

/// Every capability has become an object since.
static CAPABILITIES: Type = Type::of(&[
    optional("roots", Shape::Open, Rule::CAPABILITY),
    optional("sampling", Shape::Open, Rule::CAPABILITY),
    optional("elicitation", Shape::Open, Rule::CAPABILITY),
    optional("experimental", Shape::Map(&Shape::Open), Rule::EXPERIMENTAL),
    TASKS,
]);

/// What of a party's requests may be answered with a task: a tree of objects, open as every other capability.
pub const TASKS: Field = optional("tasks", Shape::Object(&TASK_TREE), Rule::TASK_TREE);

const fn branch(name: &'static str) -> Field {
    optional(name, Shape::Open, Rule::TASK_TREE)
}

static TASK_TREE: Type = Type::of(&[
    branch("list"),
    branch("cancel"),
    optional("requests", Shape::Map(&Shape::Map(&Shape::Open)), Rule::TASK_TREE),
]);

/// The tables that a handshake is held against while no revision is established: those of the revision that it names
/// itself, and of one that is none of the four what they have in common.
pub fn eras_named_by(handshake: Option<Value<'_>>) -> Eras {
    let named = handshake.and_then(|value| value.get("protocolVersion")).and_then(Value::as_text);
    let known = named.and_then(|named| KnownRevision::of(&named.decode())).filter(|known| !known.is_modern());
    Eras::of(Era::Known(known.unwrap_or(KnownRevision::V2024_11_05)))
}

/// The params of `logging/setLevel`.
pub static SET_LEVEL: Type = Type::of(&[OF_REQUEST, required("level", Shape::Words(LEVELS), Rule::SET_LEVEL)]);

/// The params of `resources/subscribe` and `resources/unsubscribe`.
pub static SUBSCRIBE: Type = Type::of(&[OF_REQUEST, required("uri", Shape::Text, Rule::SUBSCRIBE)]);

/// Params or results of which nothing is judged but their metadata.
pub static PLAIN: Type = Type::of(&[OF_REQUEST]);
