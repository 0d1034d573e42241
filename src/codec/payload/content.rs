//! The blocks that tool results, prompts and samples are made of, and the annotations on them.

use super::form;
use super::metadata::NESTED;
use super::rule::{Eras, Rule};
use super::shape::{Bound, Field, Form, Shape, Tagged, Type, Variant, optional, required};
use super::walk::Walk;
use crate::codec::document::Value;

/// The two who speak.
pub const ROLES: &[&str] = &["user", "assistant"];

/// A block of a tool result or a prompt.
pub const BLOCK: Shape = Shape::Tagged(&BLOCKS);

static BLOCKS: Tagged = Tagged {
    tag: "type",
    rule: Rule::BLOCK_TYPE,
    default: None,
    variants: &[
        Variant::new("text", &TEXT, Rule::BLOCK_TYPE),
        Variant::new("image", &IMAGE, Rule::BLOCK_TYPE),
        Variant::new("audio", &AUDIO, Rule::BLOCK_TYPE).within(Eras::SINCE_2025_03_26, Rule::BLOCK_TOO_NEW),
        Variant::new("resource_link", &LINK, Rule::BLOCK_TYPE).within(Eras::SINCE_2025_06_18, Rule::BLOCK_TOO_NEW),
        Variant::new("resource", &EMBEDDED, Rule::BLOCK_TYPE),
    ],
    elsewhere: &[("tool_use", Rule::BLOCK_SAMPLING_ONLY), ("tool_result", Rule::BLOCK_SAMPLING_ONLY)],
};

/// A block of text.
pub static TEXT: Type = Type::of(&[required("text", Shape::Text, Rule::TEXT_BLOCK), ANNOTATED, NESTED]);

/// A picture.
pub static IMAGE: Type = Type::of(&[
    required("data", Shape::Form(&IMAGE_DATA), Rule::IMAGE_BLOCK),
    required("mimeType", Shape::Text, Rule::IMAGE_BLOCK),
    ANNOTATED,
    NESTED,
]);

/// A sound.
pub static AUDIO: Type = Type::of(&[
    required("data", Shape::Form(&AUDIO_DATA), Rule::AUDIO_BLOCK),
    required("mimeType", Shape::Text, Rule::AUDIO_BLOCK),
    ANNOTATED,
    NESTED,
]);

/// A resource that can be read.
pub static LINK: Type = Type::of(&[
    required("uri", Shape::Form(&URI), Rule::LINK_BLOCK),
    required("name", Shape::Text, Rule::LINK_BLOCK),
    optional("title", Shape::Text, Rule::LINK_BLOCK),
    optional("description", Shape::Text, Rule::LINK_BLOCK),
    optional("mimeType", Shape::Text, Rule::LINK_BLOCK),
    optional("size", Shape::Integer, Rule::RESOURCE_SIZE),
    super::capabilities::ICONS,
    ANNOTATED,
    NESTED,
]);

/// A resource that is there itself.
pub static EMBEDDED: Type =
    Type::of(&[required("resource", Shape::Object(&RESOURCE), Rule::EMBEDDED_BLOCK), ANNOTATED, NESTED]);

static RESOURCE: Type = Type::checked(
    &[
        required("uri", Shape::Form(&URI), Rule::EMBEDDED_BLOCK),
        optional("text", Shape::Text, Rule::EMBEDDED_BLOCK),
        optional("blob", Shape::Form(&EMBEDDED_DATA), Rule::EMBEDDED_BLOCK),
        optional("mimeType", Shape::Text, Rule::EMBEDDED_BLOCK),
        NESTED,
    ],
    |walk, value, _| text_or_blob(walk, value, Rule::EMBEDDED_BLOCK, Rule::EMBEDDED_BOTH),
);

/// One of the two, and not both.
pub fn text_or_blob(walk: &mut Walk, value: Value<'_>, neither: Rule, both: Rule) {
    match (value.get("text"), value.get("blob")) {
        (None, None) => walk.missing(value.offset(), neither),
        (Some(_), Some(blob)) => walk.wrong_value(blob, both),
        _ => {}
    }
}

static IMAGE_DATA: Form = Form { holds: form::base64, rule: Rule::IMAGE_BLOCK };
static AUDIO_DATA: Form = Form { holds: form::base64, rule: Rule::AUDIO_BLOCK };
static EMBEDDED_DATA: Form = Form { holds: form::base64, rule: Rule::EMBEDDED_BLOCK };

/// A URI of a resource.
pub static URI: Form = Form { holds: form::uri, rule: Rule::RESOURCE_URI };

/// The annotations of a block or a resource.
pub const ANNOTATED: Field = optional("annotations", Shape::Object(&ANNOTATIONS), Rule::AUDIENCE);

static ANNOTATIONS: Type = Type::of(&[
    optional("audience", Shape::Array(&Shape::Words(ROLES)), Rule::AUDIENCE),
    optional("priority", Shape::Bounded(&UNIT), Rule::PRIORITY),
    optional("lastModified", Shape::Check(last_modified), Rule::AUDIENCE).within(Eras::SINCE_2025_06_18),
]);

static UNIT: Bound = Bound { integer: false, holds: form::unit, rule: Rule::PRIORITY };

/// A string by the schema; a date and a time by the text, which only recommends it.
fn last_modified(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    match value.as_text() {
        None => walk.wrong_type(value, rule),
        Some(text) if !form::timestamp(text) => walk.wrong_value(value, Rule::LAST_MODIFIED),
        Some(_) => {}
    }
}
