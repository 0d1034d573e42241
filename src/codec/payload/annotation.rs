//! Do the annotations of a tool's input schema designate headers as they may?
//!
//! A property may ask for its value in a header of its own. Only positions of schemas count: what stands in `const`,
//! `enum`, `default` or `examples` is data, and a property may have any name. References are not followed. Headers of calls are not
//! compared here, because the schema of their tool stands in another message.

use std::collections::HashSet;

use memchr::memmem;

use super::rule::{Eras, Rule};
use super::walk::Walk;
use crate::codec::annotation::{NAMED, SCHEMAS};
use crate::codec::document::{Text, Value, ValueKind};

const ANNOTATION: &str = "x-mcp-header";

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The root: its properties are in reach, itself is none.
    Root,
    /// A property that is reached through properties alone.
    Property,
    /// Anywhere else.
    Aside,
}

/// Judges every annotation of a schema.
pub(super) fn judge(walk: &mut Walk, schema: Value<'_>, _: Rule) {
    if !walk.eras().meets(Eras::MODERN) || !may_hold(schema.raw()) {
        return;
    }
    let mut seen = HashSet::new();
    let mut open = vec![(schema, Place::Root)];
    while let Some((schema, place)) = open.pop() {
        let before = open.len();
        for (name, value) in schema.members() {
            let is = |names: &[&str]| names.iter().any(|known| name.is(known));
            if name.is(ANNOTATION) {
                annotation(walk, schema, value, place, &mut seen);
            } else if name.is("properties") {
                let place = if place == Place::Aside { Place::Aside } else { Place::Property };
                open.extend(value.members().map(|(_, property)| (property, place)));
            } else if is(&NAMED) {
                open.extend(value.members().map(|(_, schema)| (schema, Place::Aside)));
            } else if is(&SCHEMAS) && value.kind() == ValueKind::Array {
                open.extend(value.elements().map(|schema| (schema, Place::Aside)));
            } else if is(&SCHEMAS) {
                open.push((value, Place::Aside));
            }
        }
        // What was pushed last is taken first; of two equal names the later one is at fault.
        open[before..].reverse();
        if walk.is_full() {
            return;
        }
    }
}

/// Nearly no schema has annotations, and this is cheaper than to walk it. An escape may spell the name.
fn may_hold(raw: &[u8]) -> bool {
    memmem::find(raw, ANNOTATION.as_bytes()).is_some() || memmem::find(raw, b"\\u").is_some()
}

fn annotation(walk: &mut Walk, schema: Value<'_>, value: Value<'_>, place: Place, seen: &mut HashSet<String>) {
    if place != Place::Property {
        walk.wrong_value(value, Rule::PARAM_REACHABLE);
    }
    kind(walk, schema, value);
    let Some(text) = value.as_text() else { return walk.wrong_type(value, Rule::PARAM_STRING) };
    let text = text.decode();
    if text.is_empty() {
        walk.wrong_value(value, Rule::PARAM_EMPTY);
    } else if text.contains(|character: char| character.is_control()) {
        walk.wrong_value(value, Rule::PARAM_CONTROLS);
    } else if !text.bytes().all(is_token) {
        walk.wrong_value(value, Rule::PARAM_TOKEN);
    } else if !seen.insert(text.to_ascii_lowercase()) {
        walk.wrong_value(value, Rule::PARAM_UNIQUE);
    }
}

/// Whether values of the property have one spelling as a header.
fn kind(walk: &mut Walk, schema: Value<'_>, value: Value<'_>) {
    let kind = schema.get("type");
    match kind.and_then(Value::as_text) {
        Some(kind) if ["integer", "string", "boolean"].iter().any(|known| kind.is(known)) => {}
        Some(kind) if Text::is(kind, "number") => walk.wrong_value(value, Rule::PARAM_NUMBER),
        Some(_) => walk.wrong_value(value, Rule::PARAM_PRIMITIVE),
        // Several types, or none beside the values themselves: whether that is primitive is disputed.
        None => walk.wrong_value(value, Rule::PARAM_UNTYPED),
    }
}

/// RFC 9110, section 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
