//! `resources/list`, `resources/templates/list` and `resources/read`.

use super::capabilities::ICONS;
use super::content::{ANNOTATED, URI, text_or_blob};
use super::form;
use super::input::{INPUT_RESPONSES, REQUEST_STATE};
use super::metadata::{NESTED, OF_REQUEST, OF_RESULT};
use super::results::{NEXT_CURSOR, NO_PAGES, cache_scope, time_to_live};
use super::rule::{Eras, Rule};
use super::shape::{Form, Shape, Type, optional, required};

/// The result of `resources/list`.
pub static LIST_RESULT: Type = Type::of(&[
    required("resources", Shape::Array(&Shape::Object(&RESOURCE)), Rule::RESOURCES),
    NEXT_CURSOR,
    time_to_live(Rule::CACHE_RESOURCES),
    cache_scope(Rule::CACHE_RESOURCES),
    OF_RESULT,
]);

/// A resource as listed.
pub static RESOURCE: Type = Type::of(&[
    required("uri", Shape::Form(&URI), Rule::RESOURCE),
    required("name", Shape::Text, Rule::RESOURCE),
    optional("title", Shape::Text, Rule::RESOURCE).within(Eras::SINCE_2025_06_18),
    optional("description", Shape::Text, Rule::RESOURCE),
    optional("mimeType", Shape::Text, Rule::RESOURCE),
    optional("size", Shape::Integer, Rule::RESOURCE_SIZE),
    ANNOTATED,
    ICONS,
    NESTED,
]);

/// The result of `resources/templates/list`.
pub static TEMPLATES_RESULT: Type = Type::of(&[
    required("resourceTemplates", Shape::Array(&Shape::Object(&TEMPLATE)), Rule::TEMPLATES),
    NEXT_CURSOR,
    time_to_live(Rule::CACHE_TEMPLATES),
    cache_scope(Rule::CACHE_TEMPLATES),
    OF_RESULT,
]);

static TEMPLATE: Type = Type::of(&[
    required("uriTemplate", Shape::Form(&URI_TEMPLATE), Rule::TEMPLATES),
    required("name", Shape::Text, Rule::TEMPLATES),
    optional("title", Shape::Text, Rule::TEMPLATES).within(Eras::SINCE_2025_06_18),
    optional("description", Shape::Text, Rule::TEMPLATES),
    optional("mimeType", Shape::Text, Rule::TEMPLATES),
    ANNOTATED,
    ICONS,
    NESTED,
]);

static URI_TEMPLATE: Form = Form { holds: form::uri_template, rule: Rule::TEMPLATE_URI };

/// The params of `resources/read`. Only servers are held to the grammar of a URI here; a client sends what it was given.
pub static READ_PARAMS: Type =
    Type::of(&[OF_REQUEST, required("uri", Shape::Text, Rule::RESOURCE_READ_URI), INPUT_RESPONSES, REQUEST_STATE]);

/// The result of `resources/read`.
pub static READ_RESULT: Type = Type::of(&[
    required("contents", Shape::Array(&Shape::Object(&CONTENTS)), Rule::CONTENTS),
    time_to_live(Rule::CACHE_READ),
    cache_scope(Rule::CACHE_READ),
    NO_PAGES,
    OF_RESULT,
]);

/// What a resource holds.
pub static CONTENTS: Type = Type::checked(
    &[
        required("uri", Shape::Form(&URI), Rule::TEXT_OR_BLOB),
        optional("text", Shape::Text, Rule::TEXT_OR_BLOB),
        optional("blob", Shape::Form(&BLOB), Rule::TEXT_OR_BLOB),
        optional("mimeType", Shape::Text, Rule::TEXT_OR_BLOB),
        NESTED,
    ],
    |walk, value, _| text_or_blob(walk, value, Rule::TEXT_OR_BLOB, Rule::TEXT_AND_BLOB),
);

static BLOB: Form = Form { holds: form::base64, rule: Rule::BLOB };
