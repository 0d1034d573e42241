//! `prompts/list` and `prompts/get`.

use super::capabilities::ICONS;
use super::content::{BLOCK, ROLES};
use super::form;
use super::input::{INPUT_RESPONSES, REQUEST_STATE};
use super::metadata::{NESTED, OF_REQUEST, OF_RESULT};
use super::results::{NEXT_CURSOR, NO_PAGES, cache_scope, time_to_live};
use super::rule::{Eras, Rule};
use super::shape::{Shape, Type, optional, required};
use super::walk::Walk;
use crate::codec::document::Value;

/// The result of `prompts/list`.
pub static LIST_RESULT: Type = Type::of(&[
    required("prompts", Shape::Array(&Shape::Object(&PROMPT)), Rule::PROMPTS),
    NEXT_CURSOR,
    time_to_live(Rule::CACHE_PROMPTS),
    cache_scope(Rule::CACHE_PROMPTS),
    OF_RESULT,
]);

static PROMPT: Type = Type::of(&[
    required("name", Shape::Text, Rule::PROMPT),
    optional("title", Shape::Text, Rule::PROMPT).within(Eras::SINCE_2025_06_18),
    optional("description", Shape::Text, Rule::PROMPT),
    optional("arguments", Shape::Array(&Shape::Object(&ARGUMENT)), Rule::PROMPT),
    ICONS,
    NESTED,
]);

static ARGUMENT: Type = Type::of(&[
    required("name", Shape::Text, Rule::PROMPT),
    optional("title", Shape::Text, Rule::PROMPT).within(Eras::SINCE_2025_06_18),
    optional("description", Shape::Text, Rule::PROMPT),
    optional("required", Shape::Bool, Rule::PROMPT),
]);

/// The params of `prompts/get`.
pub static GET_PARAMS: Type = Type::of(&[
    OF_REQUEST,
    required("name", Shape::Text, Rule::PROMPT_GET_NAME),
    optional("arguments", Shape::Map(&Shape::Text), Rule::PROMPT_GET_ARGUMENTS),
    INPUT_RESPONSES,
    REQUEST_STATE,
]);

/// The result of `prompts/get`.
pub static GET_RESULT: Type = Type::of(&[
    required("messages", Shape::Array(&Shape::Object(&MESSAGE)), Rule::PROMPT_MESSAGES),
    optional("description", Shape::Text, Rule::PROMPT_MESSAGES),
    NO_PAGES,
    OF_RESULT,
]);

static MESSAGE: Type = Type::checked(
    &[required("role", Shape::Words(ROLES), Rule::PROMPT_ROLE), required("content", BLOCK, Rule::PROMPT_CONTENT)],
    media,
);

/// Prompts ask more of media and of embedded resources than blocks do elsewhere.
fn media(walk: &mut Walk, value: Value<'_>, _: Rule) {
    let Some(block) = value.get("content") else { return };
    let Some(kind) = block.get("type").and_then(Value::as_text) else { return };
    if kind.is("image") || kind.is("audio") {
        let mime = block.get("mimeType").filter(|mime| mime.as_text().is_some_and(|text| !form::media_type(text)));
        if let Some(mime) = mime {
            walk.wrong_value(mime, Rule::PROMPT_MEDIA);
        }
    } else if kind.is("resource")
        && let Some(resource) = block.get("resource").filter(|resource| resource.is_object())
        && resource.get("mimeType").is_none()
    {
        walk.missing(resource.offset(), Rule::PROMPT_EMBEDDED);
    }
}
