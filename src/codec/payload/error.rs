//! Error objects: codes that are reserved or withdrawn, and the data that two codes bring along.
//!
//! That an error has an integer code and a string message is part of the envelope.

use super::capabilities::CLIENT;
use super::rule::Rule;
use super::shape::{Shape, Type, required};
use super::subscriptions::versions_listed;
use super::walk::Walk;
use crate::codec::document::Value;

/// Judges an error object. `modern` says whether its sender showed itself modern: older servers have codes of their own.
pub fn judge(walk: &mut Walk, error: Value<'_>, modern: bool) {
    let Some(code) = error.get("code") else { return };
    let Some(number) = code.as_number().and_then(|number| number.parse::<i64>().ok()) else { return };
    match number {
        -32021 => data(walk, error, &CAPABILITY, Rule::ERROR_CAPABILITY),
        -32022 => data(walk, error, &VERSION, Rule::ERROR_VERSION),
        -32700 | -32603..=-32600 | -32020 => {}
        -32042 => walk.wrong_value(code, Rule::ERROR_ELICITATION),
        -32099..=-32023 => walk.wrong_value(code, Rule::ERROR_RESERVED),
        -32002 if modern => walk.wrong_value(code, Rule::ERROR_NOT_FOUND),
        -32002 => walk.wrong_value(code, Rule::ERROR_NOT_FOUND_UNPROVEN),
        -32019..=-32000 => walk.wrong_value(code, Rule::ERROR_LEGACY_RANGE),
        -32768..=-32100 => walk.wrong_value(code, Rule::ERROR_GAP),
        _ => {}
    }
}

fn data(walk: &mut Walk, error: Value<'_>, of: &'static Type, rule: Rule) {
    match error.get("data") {
        None => walk.missing(error.offset(), rule),
        Some(data) => walk.value(&Shape::Object(of), data, rule),
    }
}

static CAPABILITY: Type = Type::of(&[required("requiredCapabilities", Shape::Object(&CLIENT), Rule::ERROR_CAPABILITY)]);

static VERSION: Type = Type::checked(
    &[
        required("supported", Shape::Check(supported), Rule::ERROR_VERSION),
        required("requested", Shape::Text, Rule::ERROR_VERSION),
    ],
    refuses_what_it_has,
);

/// A server that lists the version which it refuses means something else by the code.
fn refuses_what_it_has(walk: &mut Walk, data: Value<'_>, _: Rule) {
    let Some(requested) = data.get("requested").filter(|value| value.as_text().is_some()) else { return };
    let listed = data.get("supported").into_iter().flat_map(Value::elements).filter_map(Value::as_text);
    if requested.as_text().is_some_and(|text| listed.into_iter().any(|one| one.eq_text(text))) {
        walk.wrong_value(requested, Rule::ERROR_MEANING);
    }
}

fn supported(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    versions_listed(walk, value, rule, Rule::ERROR_VERSION_EMPTY);
}
