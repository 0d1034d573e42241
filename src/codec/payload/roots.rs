//! `roots/list`: where on a file system the client works.

use super::metadata::NESTED;
use super::rule::Rule;
use super::shape::{Shape, Type, optional, required};
use super::walk::Walk;
use crate::codec::document::Value;

/// The result.
pub static RESULT: Type = Type::of(&[required("roots", Shape::Array(&Shape::Object(&ROOT)), Rule::ROOTS)]);

/// One root.
pub static ROOT: Type = Type::of(&[
    required("uri", Shape::Check(file_uri), Rule::ROOT_URI),
    optional("name", Shape::Text, Rule::ROOT_NAME),
    NESTED,
]);

/// The prefix as the text gives it; schemes are case-insensitive, so another spelling of it weighs less.
fn file_uri(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    let Some(text) = value.as_text() else { return walk.wrong_type(value, rule) };
    let text = text.decode();
    if text.starts_with("file://") {
        return;
    }
    let lenient = text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    walk.wrong_value(value, if lenient { Rule::ROOT_URI_CASE } else { rule });
}
