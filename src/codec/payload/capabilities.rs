//! What parties say of themselves: capabilities, names and versions, and the icons that go with names.
//!
//! Capability maps are open; a capability that is not known is not judged.

use super::form;
use super::legacy::TASKS;
use super::rule::Rule;
use super::shape::{Field, Form, Shape, Type, optional, required};
use super::walk::Walk;
use crate::codec::document::Value;
use crate::codec::era::{Era, KnownRevision};
use crate::codec::meta::{key_fault, reserved_prefix};

/// What a client declares.
pub static CLIENT: Type = Type::of(&[
    optional("elicitation", Shape::Object(&ELICITATION), Rule::CAPABILITY),
    optional("sampling", Shape::Object(&SAMPLING), Rule::CAPABILITY),
    optional("roots", Shape::Object(&ROOTS), Rule::CAPABILITY),
    EXPERIMENTAL,
    EXTENSIONS,
    LEGACY_TASKS,
]);

/// What a server declares.
pub static SERVER: Type = Type::of(&[
    optional("completions", Shape::Open, Rule::CAPABILITY),
    optional("logging", Shape::Open, Rule::CAPABILITY),
    optional("prompts", Shape::Object(&LISTED), Rule::CAPABILITY),
    optional("resources", Shape::Object(&RESOURCES), Rule::CAPABILITY),
    optional("tools", Shape::Object(&LISTED), Rule::CAPABILITY),
    EXPERIMENTAL,
    EXTENSIONS,
    LEGACY_TASKS,
    TASKS,
]);

const EXPERIMENTAL: Field = optional("experimental", Shape::Map(&Shape::Open), Rule::EXPERIMENTAL);
const EXTENSIONS: Field = optional("extensions", Shape::Check(extensions), Rule::EXTENSION_SETTINGS);
const LEGACY_TASKS: Field = optional("tasks", Shape::Alien, Rule::LEGACY_TASKS);
const LIST_CHANGED: Field = optional("listChanged", Shape::Bool, Rule::LIST_CHANGED);

static ELICITATION: Type = Type::of(&[
    optional("form", Shape::Open, Rule::ELICITATION_CAPABILITY),
    optional("url", Shape::Open, Rule::ELICITATION_CAPABILITY),
]);

static SAMPLING: Type = Type::of(&[
    optional("context", Shape::Open, Rule::SAMPLING_CAPABILITY),
    optional("tools", Shape::Open, Rule::SAMPLING_CAPABILITY),
]);

static ROOTS: Type = Type::of(&[optional("listChanged", Shape::Alien, Rule::ROOTS_LIST_CHANGED)]);
static LISTED: Type = Type::of(&[LIST_CHANGED]);
static RESOURCES: Type = Type::of(&[LIST_CHANGED, optional("subscribe", Shape::Bool, Rule::LIST_CHANGED)]);

fn extensions(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    if !value.is_object() {
        return walk.wrong_type(value, rule);
    }
    for (name, settings) in value.members() {
        let name = name.decode();
        if !name.contains('/') || key_fault(&name).is_some() {
            walk.wrong_value(settings, Rule::EXTENSION_IDENTIFIER);
        } else if reserved_prefix(&name, Era::Known(KnownRevision::V2026_07_28)).is_some() {
            walk.wrong_value(settings, Rule::EXTENSION_RESERVED);
        }
        walk.value(&Shape::Open, settings, rule);
        if walk.is_full() {
            return;
        }
    }
}

/// Name, version and the rest of a client.
pub static IMPLEMENTATION_OF_CLIENT: Type = Type::of(&CLIENT_FIELDS);
/// Name, version and the rest of a server.
pub static IMPLEMENTATION_OF_SERVER: Type = Type::of(&SERVER_FIELDS);
/// Name and version of a client that initializes a session.
pub static IMPLEMENTATION_AT_INITIALIZE: Type = Type::of(&INITIALIZE_FIELDS);

/// Name and version of a server that a session is initialized with.
pub static IMPLEMENTATION_INITIALIZED: Type = Type::of(&INITIALIZED_FIELDS);

static CLIENT_FIELDS: [Field; 6] = implementation(Rule::CLIENT_INFO);
static SERVER_FIELDS: [Field; 6] = implementation(Rule::SERVER_INFO);
static INITIALIZE_FIELDS: [Field; 6] = implementation(Rule::INITIALIZE);
static INITIALIZED_FIELDS: [Field; 6] = implementation(Rule::INITIALIZED);

const fn implementation(rule: Rule) -> [Field; 6] {
    [
        required("name", Shape::Text, rule),
        required("version", Shape::Text, rule),
        optional("title", Shape::Text, rule).within(super::rule::Eras::SINCE_2025_06_18),
        optional("description", Shape::Text, rule).within(super::rule::Eras::SINCE_2025_11_25),
        optional("websiteUrl", Shape::Form(&WEBSITE), Rule::WEBSITE),
        ICONS,
    ]
}

static WEBSITE: Form = Form { holds: form::uri, rule: Rule::WEBSITE };

/// The icons of a named thing.
pub const ICONS: Field = optional("icons", Shape::Array(&AN_ICON), Rule::ICON_SOURCE);

static AN_ICON: Shape = Shape::Object(&ICON);

static ICON: Type = Type::of(&[
    required("src", Shape::Check(icon_source), Rule::ICON_SOURCE),
    optional("mimeType", Shape::Text, Rule::ICON_SOURCE),
    optional("sizes", Shape::Array(&Shape::Check(icon_size)), Rule::ICON_SIZES),
    optional("theme", Shape::Words(&["light", "dark"]), Rule::ICON_THEME),
]);

fn icon_source(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    let Some(text) = value.as_text() else { return walk.wrong_type(value, rule) };
    if !form::uri(text) {
        return walk.wrong_value(value, rule);
    }
    let text = text.decode();
    let scheme = text.split(':').next().unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("data") {
        walk.wrong_value(value, Rule::ICON_SCHEME);
    }
}

fn icon_size(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    let Some(text) = value.as_text() else { return walk.wrong_type(value, rule) };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.decode();
    if text != "any" && !text.split_once('x').is_some_and(|(width, height)| digits(width) && digits(height)) {
        walk.wrong_value(value, Rule::ICON_SIZE);
    }
}
