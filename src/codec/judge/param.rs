//! `Mcp-Param-*`: the header fields of a call against its arguments.
//!
//! Fields are judged where the definition of the tool was seen; any other `Mcp-Param-*` is nobody's.

use super::Message;
use super::header::{field, oddities};
use crate::codec::annotation::{Annotation, Primitive};
use crate::codec::document::{Value, ValueKind};
use crate::codec::header::{Field, observe_named, trim};
use crate::codec::id::{IdKey, Spelling, spelling};
use crate::codec::reading::Weight;
use crate::codec::refusal::{Reason, Refusal};
use crate::codec::spelled;

/// The prefix of the field names.
const PREFIX: &str = "Mcp-Param-";

/// Judges the fields of a call; called by [`super::header::judge`].
pub(super) fn judge(message: &mut Message<'_, '_>, required: bool) {
    let Some(tool) = &message.context.tool else { return };
    let case = message.case;
    let arguments = message.envelope.param("arguments");
    for annotation in tool.iter() {
        let value = at(arguments, annotation).filter(|value| value.kind() != ValueKind::Null);
        let found = observe_named(case, &format!("{PREFIX}{}", annotation.name));
        one(message, annotation, found, value, required);
    }
}

/// The value at the path of an annotation.
fn at<'a>(arguments: Option<Value<'a>>, annotation: &Annotation) -> Option<Value<'a>> {
    annotation.path.iter().try_fold(arguments?, |value, step| value.get(step))
}

fn one<'a>(
    message: &mut Message<'_, 'a>,
    annotation: &Annotation,
    found: Field<'a>,
    value: Option<Value<'a>>,
    required: bool,
) {
    let Some(raw) = found.value else {
        if let Some(value) = value.filter(|value| required && has_type(*value, annotation.primitive)) {
            let refusal = Refusal::at(Reason::HeaderMissing, value.offset());
            message.refuse(refusal.under("param-header-omitted-with-body-value-rejected"), Weight::Full);
        }
        return;
    };
    if found.is_unreadable() {
        if found.illegal {
            let refusal = Refusal::new(Reason::HeaderCharacters).under("param-header-invalid-characters-rejected");
            return message.refuse(refusal, Weight::Full);
        }
        return field(message, found, Reason::HeaderCharacters, Reason::HeaderRepeated);
    }
    field(message, found, Reason::HeaderCharacters, Reason::HeaderRepeated);
    let text = trim(raw);
    if raw != text {
        message.refuse(Refusal::new(Reason::HeaderSpace), Weight::StrictOnly);
    }
    let Some(value) = value else {
        // The table of the text speaks of the other direction alone.
        let refusal = Refusal::new(Reason::ParamMismatch).under("param-header-present-without-body-value");
        return message.refuse(refusal, Weight::Full);
    };
    let read = (message.stages.sentinel)(text);
    oddities(message, text, &read);
    let Some(header) = spelled(&read) else { return };
    let mismatch = |rule| Refusal::at(Reason::ParamMismatch, value.offset()).under(rule);
    match compare(&header, value, annotation.primitive) {
        Compared::Equal => {}
        Compared::Oddly(rule) => message.refuse(mismatch(rule), Weight::StrictOnly),
        Compared::Different(rule) => message.refuse(mismatch(rule), Weight::Full),
    }
}

enum Compared {
    Equal,
    /// Equal in a form that only `strict` minds.
    Oddly(&'static str),
    Different(&'static str),
}

const DIFFERENT: &str = "param-header-value-matches-body";

fn has_type(value: Value<'_>, primitive: Primitive) -> bool {
    let owed = match primitive {
        Primitive::Text => ValueKind::String,
        Primitive::Integer => ValueKind::Number,
        Primitive::Boolean => ValueKind::Bool,
    };
    value.kind() == owed
}

fn compare(header: &[u8], value: Value<'_>, primitive: Primitive) -> Compared {
    if !has_type(value, primitive) {
        // That the argument has another type than the schema says is not the header's fault.
        let same = value.as_text().map_or(value.raw() == header, |text| text.decode().as_bytes() == header);
        return if same { Compared::Equal } else { Compared::Different(DIFFERENT) };
    }
    match primitive {
        Primitive::Text => {
            let same = value.as_text().is_some_and(|text| text.decode().as_bytes() == header);
            if same { Compared::Equal } else { Compared::Different(DIFFERENT) }
        }
        Primitive::Boolean if header == value.raw() => Compared::Equal,
        Primitive::Boolean if header.eq_ignore_ascii_case(value.raw()) => {
            Compared::Different("param-header-boolean-lower-case")
        }
        Primitive::Boolean => Compared::Different(DIFFERENT),
        Primitive::Integer => integer(header, value.raw()),
    }
}

/// Integers are compared by their value, whatever the spelling.
fn integer(header: &[u8], body: &[u8]) -> Compared {
    if !is_number(header) {
        return Compared::Different("param-header-integer-decimal");
    }
    if IdKey::of(header) != IdKey::of(body) {
        return Compared::Different(DIFFERENT);
    }
    match spelling(header) {
        Spelling::Plain if super::portable(header) => Compared::Equal,
        Spelling::Plain => Compared::Oddly("param-header-integer-safe-range"),
        Spelling::Unusual | Spelling::Fraction => Compared::Oddly("param-header-integer-decimal"),
    }
}

/// Whether the bytes are a number as JSON writes them.
fn is_number(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits(rest);
    if whole == 0 || whole > 1 && rest[0] == b'0' {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(power) = rest.strip_prefix(b"e").or(rest.strip_prefix(b"E")) {
        let power = power.strip_prefix(b"+").or(power.strip_prefix(b"-")).unwrap_or(power);
        let count = digits(power);
        if count == 0 {
            return false;
        }
        rest = &power[count..];
    }
    rest.is_empty()
}
