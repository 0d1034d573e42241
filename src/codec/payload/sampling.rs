//! `sampling/createMessage`: a conversation for the model of the client, and what the model answers.

use std::borrow::Cow;
use std::collections::HashSet;

use super::content::{AUDIO, BLOCK, IMAGE, ROLES, TEXT};
use super::form;
use super::metadata::NESTED;
use super::rule::{Eras, Rule};
use super::shape::{Bound, Shape, Tagged, Type, Variant, optional, required};
use super::tools::TOOLS;
use super::walk::Walk;
use crate::codec::document::{Value, ValueKind};

/// The params.
pub static PARAMS: Type = Type::checked(
    &[
        required("messages", Shape::Array(&Shape::Object(&MESSAGE)), Rule::SAMPLING_PARAMS).within(Eras::BOTH),
        required("maxTokens", Shape::Integer, Rule::SAMPLING_PARAMS),
        optional("systemPrompt", Shape::Text, Rule::SAMPLING_PARAMS),
        optional("temperature", Shape::Number, Rule::SAMPLING_PARAMS),
        optional("includeContext", Shape::Words(&["none", "thisServer", "allServers"]), Rule::SAMPLING_CONTEXT),
        optional("metadata", Shape::Open, Rule::SAMPLING_METADATA),
        optional("modelPreferences", Shape::Object(&PREFERENCES), Rule::SAMPLING_PRIORITIES),
        optional("stopSequences", Shape::Array(&Shape::Text), Rule::SAMPLING_STOP),
        optional("tools", TOOLS, Rule::SAMPLING_PARAMS),
        optional("toolChoice", Shape::Object(&CHOICE), Rule::SAMPLING_CHOICE),
    ],
    conversation,
);

static CHOICE: Type = Type::of(&[optional("mode", Shape::Words(&["auto", "required", "none"]), Rule::SAMPLING_CHOICE)]);

/// How a model is chosen.
pub static PREFERENCES: Type = Type::of(&[
    optional("costPriority", Shape::Bounded(&UNIT), Rule::SAMPLING_PRIORITIES),
    optional("speedPriority", Shape::Bounded(&UNIT), Rule::SAMPLING_PRIORITIES),
    optional("intelligencePriority", Shape::Bounded(&UNIT), Rule::SAMPLING_PRIORITIES),
    optional("hints", Shape::Array(&Shape::Object(&HINT)), Rule::SAMPLING_PRIORITIES),
]);

static UNIT: Bound = Bound { integer: false, holds: form::unit, rule: Rule::SAMPLING_PRIORITIES };
static HINT: Type = Type::of(&[optional("name", Shape::Text, Rule::SAMPLING_PRIORITIES)]);

/// One message of the conversation.
pub static MESSAGE: Type = Type::of(&[
    required("role", Shape::Words(ROLES), Rule::SAMPLING_MESSAGE),
    required("content", Shape::Check(content), Rule::SAMPLING_MESSAGE),
    NESTED,
]);

/// What the model answers.
pub static RESULT: Type = Type::of(&[
    required("role", Shape::Words(ROLES), Rule::SAMPLING_RESULT),
    required("content", Shape::Check(content), Rule::SAMPLING_RESULT),
    required("model", Shape::Text, Rule::SAMPLING_RESULT),
    optional("stopReason", Shape::Text, Rule::SAMPLING_RESULT),
    NESTED,
]);

/// One block, and since 2025-11-25 an array of them as well.
fn content(walk: &mut Walk, value: Value<'_>, _: Rule) {
    if value.kind() == ValueKind::Array {
        walk.wrong_type(value, Rule::SAMPLING_CONTENT_LEGACY);
    }
    walk.value(&Shape::OneOrMany(&SAMPLE), value, Rule::SAMPLING_CONTENT);
}

/// A block of a sampled conversation.
pub const SAMPLE: Shape = Shape::Tagged(&SAMPLES);

static SAMPLES: Tagged = Tagged {
    tag: "type",
    rule: Rule::SAMPLING_CONTENT,
    default: None,
    variants: &[
        Variant::new("text", &TEXT, Rule::SAMPLING_CONTENT),
        Variant::new("image", &IMAGE, Rule::SAMPLING_CONTENT),
        Variant::new("audio", &AUDIO, Rule::SAMPLING_CONTENT).within(Eras::SINCE_2025_03_26, Rule::BLOCK_TOO_NEW),
        Variant::new("tool_use", &TOOL_USE, Rule::SAMPLING_CONTENT)
            .within(Eras::SINCE_2025_11_25, Rule::SAMPLING_CONTENT_LEGACY),
        Variant::new("tool_result", &TOOL_RESULT, Rule::SAMPLING_CONTENT)
            .within(Eras::SINCE_2025_11_25, Rule::SAMPLING_CONTENT_LEGACY),
    ],
    elsewhere: &[],
};

/// A call that the model wants made.
pub static TOOL_USE: Type = Type::of(&[
    required("id", Shape::Text, Rule::SAMPLING_USE),
    required("name", Shape::Text, Rule::SAMPLING_USE),
    required("input", Shape::Open, Rule::SAMPLING_USE),
    NESTED,
]);

/// What the call gave.
pub static TOOL_RESULT: Type = Type::of(&[
    required("toolUseId", Shape::Text, Rule::SAMPLING_RESULT_ID),
    required("content", Shape::Array(&BLOCK), Rule::SAMPLING_TOOL_RESULT),
    optional("isError", Shape::Bool, Rule::SAMPLING_TOOL_RESULT),
    NESTED,
]);

/// What holds between the messages: calls of tools come from the assistant and are answered in the next message, which
/// the user sends and which holds nothing else.
fn conversation(walk: &mut Walk, value: Value<'_>, _: Rule) {
    if !walk.eras().meets(Eras::SINCE_2025_11_25) {
        return;
    }
    let Some(messages) = value.get("messages").filter(|messages| messages.kind() == ValueKind::Array) else { return };
    let mut used = HashSet::new();
    // The message that asked, and how it asked, until the next one answers.
    let mut asked: Option<Value<'_>> = None;
    for message in messages.elements() {
        if walk.is_full() {
            return;
        }
        if let Some(asking) = asked.take()
            && !answers(message, asking)
        {
            walk.wrong_value(asking, Rule::SAMPLING_BALANCE);
        }
        let from_user = has_role(message, "user");
        let mut results = false;
        for block in blocks(message) {
            if is_block(block, "tool_use") {
                asked = Some(message);
                if from_user {
                    walk.wrong_value(block, Rule::SAMPLING_ROLE);
                }
                let id = block.get("id");
                if let Some((id, text)) = id.and_then(|id| Some((id, id.as_text()?)))
                    && !used.insert(text.decode())
                {
                    walk.wrong_value(id, Rule::SAMPLING_USE_UNIQUE);
                }
            } else if is_block(block, "tool_result") {
                results = true;
                if has_role(message, "assistant") {
                    walk.wrong_value(block, Rule::SAMPLING_ROLE);
                }
                let id = block.get("toolUseId");
                if let Some((id, text)) = id.and_then(|id| Some((id, id.as_text()?)))
                    && !used.contains(&text.decode())
                {
                    walk.wrong_value(id, Rule::SAMPLING_RESULT_ID);
                }
            }
        }
        let other = results.then(|| blocks(message).find(|block| !is_block(*block, "tool_result"))).flatten();
        if let Some(other) = other.filter(|_| from_user) {
            walk.wrong_value(other, Rule::SAMPLING_RESULTS_ONLY);
        }
    }
    if let Some(asking) = asked {
        walk.wrong_value(asking, Rule::SAMPLING_BALANCE);
    }
}

/// Whether a message of the user answers every call of the one before. That it holds nothing else is a rule of its own.
fn answers(message: Value<'_>, asking: Value<'_>) -> bool {
    let answered: HashSet<_> = blocks(message)
        .filter(|block| is_block(*block, "tool_result"))
        .filter_map(|block| text_of(block, "toolUseId"))
        .collect();
    let mut calls = blocks(asking).filter(|block| is_block(*block, "tool_use"));
    has_role(message, "user") && calls.all(|call| text_of(call, "id").is_none_or(|id| answered.contains(&id)))
}

fn text_of<'a>(block: Value<'a>, member: &str) -> Option<Cow<'a, str>> {
    block.get(member).and_then(Value::as_text).map(|text| text.decode())
}

/// The blocks of a message, one or many.
fn blocks(message: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let content = message.get("content");
    let single = content.filter(|content| content.is_object());
    single.into_iter().chain(content.into_iter().flat_map(Value::elements))
}

fn is_block(block: Value<'_>, kind: &str) -> bool {
    block.get("type").and_then(Value::as_text).is_some_and(|text| text.is(kind))
}

fn has_role(message: Value<'_>, role: &str) -> bool {
    message.get("role").and_then(Value::as_text).is_some_and(|text| text.is(role))
}
