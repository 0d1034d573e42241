//! `elicitation/create`: a question to the user, as a form of flat fields or behind a URL.
//!
//! Whether an answer conforms to the schema of its form is not asked; the two stand in different messages.

use std::collections::HashSet;

use super::form;
use super::rule::{Eras, Rule};
use super::shape::{Field, Shape, Tagged, Type, Variant, optional, required};
use super::walk::Walk;
use crate::codec::document::{Value, ValueKind};

/// The params of either mode; without a mode a form is meant.
pub const PARAMS: Shape = Shape::Tagged(&MODES);

static MODES: Tagged = Tagged {
    tag: "mode",
    rule: Rule::ELICIT_MODE,
    default: Some(&FORM),
    variants: &[Variant::new("form", &FORM, Rule::ELICIT_MODE), Variant::new("url", &URL, Rule::ELICIT_MODE)],
    elsewhere: &[],
};

/// A form.
pub static FORM: Type = Type::of(&[
    required("message", Shape::Text, Rule::ELICIT_MESSAGE),
    required("requestedSchema", Shape::Object(&SCHEMA), Rule::ELICIT_SCHEMA),
]);

static SCHEMA: Type = Type::checked(
    &[
        required("type", Shape::Words(&["object"]), Rule::ELICIT_FLAT),
        required("properties", Shape::Map(&PROPERTY), Rule::ELICIT_FLAT),
        optional("required", Shape::Array(&Shape::Text), Rule::ELICIT_FLAT),
        optional("$schema", Shape::Text, Rule::ELICIT_FLAT),
    ],
    required_names_exist,
);

fn required_names_exist(walk: &mut Walk, value: Value<'_>, _: Rule) {
    let (Some(properties), Some(required)) = (value.get("properties"), value.get("required")) else { return };
    let mut names = required.elements().filter(|name| name.as_text().is_some()).peekable();
    if names.peek().is_none() {
        return;
    }
    let declared: HashSet<_> = properties.members().map(|(name, _)| name.decode()).collect();
    for name in names {
        if name.as_text().is_some_and(|text| !declared.contains(&text.decode())) {
            walk.wrong_value(name, Rule::ELICIT_REQUIRED);
        }
    }
}

/// The schema of one field of a form.
pub const PROPERTY: Shape = Shape::Check(property);

/// Told apart by `type` first and then by the keyword that only one of them has.
fn property(walk: &mut Walk, value: Value<'_>, _: Rule) {
    if !value.is_object() {
        return walk.wrong_type(value, Rule::ELICIT_KINDS);
    }
    let holder = value.offset();
    let Some(kind) = value.get("type") else { return walk.missing(holder, Rule::ELICIT_KINDS) };
    let Some(text) = kind.as_text() else { return walk.wrong_type(kind, Rule::ELICIT_KINDS) };
    let of = if text.is("string") {
        if value.get("enum").is_some() {
            &CHOICE
        } else if value.get("oneOf").is_some() {
            &TITLED_CHOICE
        } else {
            &STRING
        }
    } else if text.is("number") || text.is("integer") {
        &NUMBER
    } else if text.is("boolean") {
        &BOOLEAN
    } else if text.is("array") {
        &CHOICES
    } else {
        return walk.wrong_value(kind, Rule::ELICIT_KINDS);
    };
    walk.members(of, Some(value), holder, Rule::ELICIT_KINDS);
}

const TITLE: Field = optional("title", Shape::Text, Rule::ELICIT_KINDS);
const DESCRIPTION: Field = optional("description", Shape::Text, Rule::ELICIT_KINDS);
const TEXT_DEFAULT: Field = optional("default", Shape::Text, Rule::ELICIT_DEFAULT);

static STRING: Type = Type::of(&[
    optional("format", Shape::Words(&["email", "uri", "date", "date-time"]), Rule::ELICIT_FORMAT),
    optional("minLength", Shape::Integer, Rule::ELICIT_LENGTH),
    optional("maxLength", Shape::Integer, Rule::ELICIT_LENGTH),
    TEXT_DEFAULT,
    TITLE,
    DESCRIPTION,
]);

static NUMBER: Type = Type::of(&[
    optional("minimum", Shape::Number, Rule::ELICIT_BOUNDS),
    optional("maximum", Shape::Number, Rule::ELICIT_BOUNDS),
    optional("default", Shape::Number, Rule::ELICIT_BOUNDS),
    TITLE,
    DESCRIPTION,
]);

static BOOLEAN: Type = Type::of(&[optional("default", Shape::Bool, Rule::ELICIT_DEFAULT), TITLE, DESCRIPTION]);

static CHOICE: Type = Type::of(&[
    required("enum", Shape::Array(&Shape::Text), Rule::ELICIT_KINDS),
    optional("enumNames", Shape::Check(enum_names), Rule::ELICIT_KINDS),
    TEXT_DEFAULT,
    TITLE,
    DESCRIPTION,
]);

/// The names have their type, and are an older form that is better left.
fn enum_names(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    walk.value(&Shape::Array(&Shape::Text), value, rule);
    walk.wrong_value(value, Rule::ELICIT_ENUM_NAMES);
}

static TITLED_CHOICE: Type = Type::of(&[
    required("oneOf", Shape::Array(&Shape::Object(&OPTION)), Rule::ELICIT_TITLED),
    TEXT_DEFAULT,
    TITLE,
    DESCRIPTION,
]);

static OPTION: Type = Type::of(&[
    required("const", Shape::Text, Rule::ELICIT_TITLED),
    required("title", Shape::Text, Rule::ELICIT_TITLED),
]);

static CHOICES: Type = Type::of(&[
    required("items", Shape::Check(items), Rule::ELICIT_ITEMS),
    optional("minItems", Shape::Integer, Rule::ELICIT_KINDS),
    optional("maxItems", Shape::Integer, Rule::ELICIT_KINDS),
    optional("default", Shape::Array(&Shape::Text), Rule::ELICIT_DEFAULT),
    TITLE,
    DESCRIPTION,
]);

fn items(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    if !value.is_object() {
        return walk.wrong_type(value, rule);
    }
    let of = if value.get("anyOf").is_some() { &TITLED_ITEMS } else { &ITEMS };
    walk.members(of, Some(value), value.offset(), rule);
}

static TITLED_ITEMS: Type = Type::of(&[required("anyOf", Shape::Array(&Shape::Object(&OPTION)), Rule::ELICIT_TITLED)]);
static ITEMS: Type = Type::of(&[
    required("type", Shape::Words(&["string"]), Rule::ELICIT_ITEMS),
    required("enum", Shape::Array(&Shape::Text), Rule::ELICIT_ITEMS),
]);

/// A question behind a URL.
pub static URL: Type = Type::of(&[
    required("message", Shape::Text, Rule::ELICIT_MESSAGE),
    required("url", Shape::Check(url), Rule::ELICIT_URL),
    required("elicitationId", Shape::Text, Rule::ELICIT_ID_LEGACY),
    MODERN_ID,
]);

const MODERN_ID: Field = optional("elicitationId", Shape::Alien, Rule::ELICIT_ID_REMOVED).within(Eras::MODERN);

fn url(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    let Some(text) = value.as_text() else { return walk.wrong_type(value, rule) };
    if !form::url(text) {
        return walk.wrong_value(value, Rule::ELICIT_URL_VALID);
    }
    if text.decode().get(..6).is_none_or(|scheme| !scheme.eq_ignore_ascii_case("https:")) {
        walk.wrong_value(value, Rule::ELICIT_URL_HTTPS);
    }
}

/// What the user did, and wrote.
pub static RESULT: Type = Type::checked(
    &[
        required("action", Shape::Words(&["accept", "decline", "cancel"]), Rule::ELICIT_ACTION),
        optional("content", Shape::Map(&Shape::Check(answer)), Rule::ELICIT_VALUES),
    ],
    content_goes_with_accept,
);

fn answer(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    match value.kind() {
        ValueKind::String | ValueKind::Number | ValueKind::Bool => {}
        ValueKind::Array => walk.value(&Shape::Array(&Shape::Text), value, rule),
        ValueKind::Null | ValueKind::Object => walk.wrong_type(value, rule),
    }
}

fn content_goes_with_accept(walk: &mut Walk, value: Value<'_>, _: Rule) {
    let declined = value.get("action").and_then(Value::as_text).is_some_and(|text| !text.is("accept"));
    if let Some(content) = value.get("content").filter(|_| declined) {
        walk.wrong_value(content, Rule::ELICIT_CONTENT);
    }
}
