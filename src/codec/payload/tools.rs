//! `tools/list` and `tools/call`.
//!
//! Arguments and structured results are not compared with the schemas of their tool: those stand in another message.

use std::collections::HashSet;

use super::annotation;
use super::capabilities::ICONS;
use super::content::BLOCK;
use super::input::{INPUT_RESPONSES, REQUEST_STATE};
use super::metadata::{NESTED, OF_REQUEST, OF_RESULT};
use super::results::{CURSOR, NEXT_CURSOR, NO_PAGES, cache_scope, time_to_live};
use super::rule::{Eras, Rule};
use super::shape::{Field, Shape, Type, optional, required};
use super::walk::Walk;
use crate::codec::document::Value;

/// The params of every list request.
pub static LIST_PARAMS: Type = Type::of(&[OF_REQUEST, CURSOR]);

/// The result of `tools/list`.
pub static LIST_RESULT: Type = Type::checked(
    &[
        required("tools", TOOLS, Rule::TOOLS).within(Eras::BOTH),
        NEXT_CURSOR,
        time_to_live(Rule::CACHE_TOOLS),
        cache_scope(Rule::CACHE_TOOLS),
        OF_RESULT,
    ],
    names_differ,
);

/// An array of tools.
pub const TOOLS: Shape = Shape::Array(&Shape::Object(&TOOL));

/// A tool.
pub static TOOL: Type = Type::of(&[
    required("name", Shape::Check(name), Rule::TOOL_NAME),
    optional("title", Shape::Text, Rule::TOOL_TEXTS).within(Eras::SINCE_2025_06_18),
    optional("description", Shape::Text, Rule::TOOL_TEXTS).owed(Rule::TOOL_DESCRIPTION),
    required("inputSchema", Shape::Object(&INPUT_SCHEMA), Rule::TOOL_INPUT),
    optional("outputSchema", Shape::Open, Rule::TOOL_OUTPUT),
    optional("annotations", Shape::Object(&ANNOTATIONS), Rule::TOOL_ANNOTATIONS).within(Eras::SINCE_2025_03_26),
    optional("execution", Shape::Alien, Rule::TOOL_EXECUTION),
    ICONS,
    NESTED,
]);

static INPUT_SCHEMA: Type =
    Type::checked(&[required("type", Shape::Words(&["object"]), Rule::TOOL_INPUT_ROOT)], annotation::judge);

const fn hint(name: &'static str) -> Field {
    optional(name, Shape::Bool, Rule::TOOL_ANNOTATIONS)
}

static ANNOTATIONS: Type = Type::of(&[
    optional("title", Shape::Text, Rule::TOOL_ANNOTATIONS),
    hint("readOnlyHint"),
    hint("destructiveHint"),
    hint("idempotentHint"),
    hint("openWorldHint"),
]);

fn name(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    let Some(text) = value.as_text() else { return walk.wrong_type(value, rule) };
    let text = text.decode();
    if text.is_empty() {
        return walk.wrong_value(value, Rule::TOOL_NAME_EMPTY);
    }
    if text.chars().count() > 128 {
        walk.wrong_value(value, Rule::TOOL_NAME_LENGTH);
    }
    if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
        walk.wrong_value(value, Rule::TOOL_NAME_CHARSET);
    }
}

/// Below this many tools each name is compared with those before it, which needs no memory.
const FEW: usize = 16;

fn names_differ(walk: &mut Walk, value: Value<'_>, _: Rule) {
    let Some(tools) = value.get("tools") else { return };
    let names = || tools.elements().filter_map(|tool| tool.get("name").filter(|name| name.as_text().is_some()));
    let text = |name: Value<'_>| name.as_text().is_some_and(|text| !text.raw().is_empty());
    let many = tools.elements().nth(FEW).is_some();
    let mut seen = HashSet::new();
    for (at, name) in names().enumerate().filter(|(_, name)| text(*name)) {
        let Some(spelled) = name.as_text() else { continue };
        let repeated = if many {
            !seen.insert(spelled.decode())
        } else {
            names().take(at).filter_map(Value::as_text).any(|earlier| earlier.eq_text(spelled))
        };
        if repeated {
            walk.wrong_value(name, Rule::TOOL_NAME_REPEATED);
        }
    }
}

/// The params of `tools/call`.
pub static CALL_PARAMS: Type = Type::of(&[
    OF_REQUEST,
    required("name", Shape::Text, Rule::TOOL_CALL_NAME),
    optional("arguments", Shape::Open, Rule::TOOL_CALL_ARGUMENTS),
    INPUT_RESPONSES,
    REQUEST_STATE,
]);

/// The result of `tools/call`.
pub static CALL_RESULT: Type = Type::of(&[
    required("content", Shape::Array(&BLOCK), Rule::TOOL_CONTENT),
    optional("isError", Shape::Bool, Rule::IS_ERROR),
    optional("structuredContent", Shape::Open, Rule::STRUCTURED),
    NO_PAGES,
    OF_RESULT,
]);
