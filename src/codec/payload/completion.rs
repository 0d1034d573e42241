//! `completion/complete`.

use super::form;
use super::metadata::{OF_REQUEST, OF_RESULT};
use super::results::NO_PAGES;
use super::rule::{Eras, Rule};
use super::shape::{Bound, Shape, Tagged, Type, Variant, optional, required};
use super::walk::Walk;
use crate::codec::document::Value;

/// The params.
pub static PARAMS: Type = Type::of(&[
    OF_REQUEST,
    required("ref", Shape::Tagged(&REFERENCE), Rule::COMPLETION_REF),
    required("argument", Shape::Object(&ARGUMENT), Rule::COMPLETION_ARGUMENT),
    optional("context", Shape::Object(&CONTEXT), Rule::COMPLETION_CONTEXT).within(Eras::SINCE_2025_06_18),
]);

static REFERENCE: Tagged = Tagged {
    tag: "type",
    rule: Rule::COMPLETION_REF,
    default: None,
    variants: &[
        Variant::new("ref/prompt", &PROMPT, Rule::COMPLETION_REF),
        Variant::new("ref/resource", &RESOURCE, Rule::COMPLETION_REF),
    ],
    elsewhere: &[],
};

static PROMPT: Type = Type::of(&[
    required("name", Shape::Text, Rule::COMPLETION_REF_PROMPT),
    optional("title", Shape::Text, Rule::COMPLETION_REF_PROMPT).within(Eras::SINCE_2025_06_18),
]);
static RESOURCE: Type = Type::of(&[required("uri", Shape::Text, Rule::COMPLETION_REF_RESOURCE)]);

static ARGUMENT: Type = Type::of(&[
    required("name", Shape::Text, Rule::COMPLETION_ARGUMENT),
    required("value", Shape::Text, Rule::COMPLETION_ARGUMENT),
]);
static CONTEXT: Type = Type::of(&[optional("arguments", Shape::Map(&Shape::Text), Rule::COMPLETION_CONTEXT)]);

/// The result.
pub static RESULT: Type =
    Type::of(&[required("completion", Shape::Object(&COMPLETION), Rule::COMPLETION_VALUES), NO_PAGES, OF_RESULT]);

static COMPLETION: Type = Type::checked(
    &[
        required("values", Shape::Array(&Shape::Text), Rule::COMPLETION_VALUES),
        optional("total", Shape::Bounded(&TOTAL), Rule::COMPLETION_TOTAL),
        optional("hasMore", Shape::Bool, Rule::COMPLETION_MORE),
    ],
    counts,
);

static TOTAL: Bound = Bound { integer: true, holds: form::not_negative, rule: Rule::COMPLETION_COUNT };

fn counts(walk: &mut Walk, value: Value<'_>, _: Rule) {
    let Some(values) = value.get("values") else { return };
    let count = values.elements().count();
    if count > 100 {
        walk.wrong_value(values, Rule::COMPLETION_MAXIMUM);
    }
    // Negative totals and fractions were refused as such; a total that no float holds exactly is far above any count.
    let total = value.get("total").filter(|total| {
        let number = total.as_number().and_then(|number| number.parse::<f64>().ok());
        number.is_some_and(|number| number >= 0.0 && number.fract() == 0.0 && number < count as f64)
    });
    if let Some(total) = total {
        walk.wrong_value(total, Rule::COMPLETION_COUNT);
    }
}
