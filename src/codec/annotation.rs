//! Which arguments of a tool are mirrored in `Mcp-Param-*` header fields, by the `x-mcp-header` of its input schema?
//!
//! Only schema positions count: a property may bear any name, and what stands in `const`, `enum`, `default` or
//! `examples` is data. References are not followed, nothing else of a schema is read, and no argument is held against it.

use std::collections::HashSet;
use std::ops::ControlFlow;

use memchr::memmem;

use super::document::{Text, Value, ValueKind};

const ANNOTATION: &str = "x-mcp-header";

/// How many annotations of one schema are kept; a schema with more counts as broken for nobody and is not mirrored.
pub const ANNOTATIONS: usize = 64;
/// How many bytes of names and paths one schema may have us keep.
const BYTES: usize = 1 << 14;

/// The JSON type of a mirrored argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// A string, mirrored as it is.
    Text,
    /// An integer, mirrored in decimal.
    Integer,
    /// A boolean, mirrored as `true` or `false`.
    Boolean,
}

/// One mirrored argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Annotation {
    /// What follows `Mcp-Param-` in the name of the field.
    pub name: Box<str>,
    /// The members that lead from the arguments to the value.
    pub path: Vec<Box<str>>,
    /// Its type.
    pub primitive: Primitive,
}

/// Keywords that hold one schema, or an array of schemas.
const SCHEMAS: [&str; 16] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords that hold schemas by name out of the reach of an annotation; the steps of `properties` alone keep it in.
const NAMED: [&str; 4] = ["$defs", "definitions", "dependentSchemas", "patternProperties"];

/// What is wrong with an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// It stands where no path of properties leads.
    Unreachable,
    /// Its property is a number, which has many spellings.
    Number,
    /// Its property is an array, an object or null.
    NotPrimitive,
    /// Its property has several types, or none beside its values: whether that is primitive is disputed.
    Untyped,
    /// It is no string.
    NotText,
    /// It is the empty string.
    Empty,
    /// It holds a control character.
    Control,
    /// It is no token of HTTP.
    NotToken,
    /// Another property of the schema has it, in whatever letter case.
    Repeated,
}

/// One annotation where it stands.
pub struct Mark<'a, 's> {
    /// The annotation itself.
    pub value: Value<'a>,
    /// What is wrong with its place, with the type of its property and with its name.
    faults: [Option<Fault>; 3],
    schema: Value<'a>,
    steps: &'s [Step<'a>],
    place: Place,
}

impl Mark<'_, '_> {
    /// Everything that is wrong with it.
    pub fn faults(&self) -> impl Iterator<Item = Fault> {
        self.faults.into_iter().flatten()
    }

    /// What it mirrors, when nothing is wrong with it.
    fn annotation(&self) -> Option<Annotation> {
        if self.faults().next().is_some() {
            return None;
        }
        let kind = self.schema.get("type").and_then(Value::as_text)?;
        let primitive = PRIMITIVES.iter().find_map(|(word, primitive)| kind.is(word).then_some(*primitive))?;
        let name = self.value.as_text()?.decode().into();
        let mut path = Vec::new();
        let mut place = self.place;
        while let Place::Property(at) = place {
            let step = self.steps.get(at)?;
            path.push(step.name.decode().into());
            place = step.below;
        }
        path.reverse();
        Some(Annotation { name, path, primitive })
    }
}

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The root: its properties are in reach, itself is none.
    Root,
    /// The property that this step leads to.
    Property(usize),
    /// Anywhere else.
    Aside,
}

/// One property on the way to another.
struct Step<'a> {
    name: Text<'a>,
    below: Place,
}

/// Shows every annotation of a schema in the order of the document, until it is told to stop.
pub fn each<'a>(schema: Value<'a>, mut on: impl FnMut(&Mark<'a, '_>) -> ControlFlow<()>) {
    if !may_hold(schema.raw()) {
        return;
    }
    let mut names = HashSet::new();
    let mut steps = Vec::new();
    let mut open = vec![(schema, Place::Root)];
    while let Some((schema, place)) = open.pop() {
        let before = open.len();
        for (keyword, value) in schema.members() {
            let is = |known: &[&str]| known.iter().any(|known| keyword.is(known));
            if keyword.is(ANNOTATION) {
                let faults = [place_fault(place), type_fault(schema), name_fault(value, &mut names)];
                if on(&Mark { value, faults, schema, steps: &steps, place }).is_break() {
                    return;
                }
            } else if keyword.is("properties") && place != Place::Aside {
                for (name, property) in value.members() {
                    steps.push(Step { name, below: place });
                    open.push((property, Place::Property(steps.len() - 1)));
                }
            } else if keyword.is("properties") || is(&NAMED) {
                open.extend(value.members().map(|(_, schema)| (schema, Place::Aside)));
            } else if is(&SCHEMAS) && value.kind() == ValueKind::Array {
                open.extend(value.elements().map(|schema| (schema, Place::Aside)));
            } else if is(&SCHEMAS) {
                open.push((value, Place::Aside));
            }
        }
        // What was pushed last is taken first; of two equal names the later one is at fault.
        open[before..].reverse();
    }
}

/// The annotations of an input schema, to compare the headers of calls with; none when one of them is broken, which makes
/// the whole tool invalid, or when there are more than are kept.
pub fn of_schema(schema: Value<'_>) -> Vec<Annotation> {
    let mut found = Vec::new();
    let mut bytes = 0;
    let mut whole = true;
    each(schema, |mark| {
        let kept = mark.annotation().filter(|one| {
            bytes += one.name.len() + one.path.iter().map(|step| step.len()).sum::<usize>();
            found.len() < ANNOTATIONS && bytes <= BYTES
        });
        whole = kept.is_some();
        found.extend(kept);
        if whole { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if whole { found } else { Vec::new() }
}

/// Nearly no schema has annotations, and this is cheaper than to walk it. An escape may spell the name.
fn may_hold(raw: &[u8]) -> bool {
    memmem::find(raw, ANNOTATION.as_bytes()).is_some() || memmem::find(raw, b"\\u").is_some()
}

fn place_fault(place: Place) -> Option<Fault> {
    (!matches!(place, Place::Property(_))).then_some(Fault::Unreachable)
}

/// The types of which each value has one spelling as a header.
const PRIMITIVES: [(&str, Primitive); 3] =
    [("string", Primitive::Text), ("integer", Primitive::Integer), ("boolean", Primitive::Boolean)];

fn type_fault(schema: Value<'_>) -> Option<Fault> {
    match schema.get("type").and_then(Value::as_text) {
        Some(kind) if PRIMITIVES.iter().any(|(known, _)| kind.is(known)) => None,
        Some(kind) if kind.is("number") => Some(Fault::Number),
        Some(_) => Some(Fault::NotPrimitive),
        None => Some(Fault::Untyped),
    }
}

fn name_fault(value: Value<'_>, names: &mut HashSet<String>) -> Option<Fault> {
    let Some(text) = value.as_text() else { return Some(Fault::NotText) };
    let text = text.decode();
    if text.is_empty() {
        Some(Fault::Empty)
    } else if text.contains(char::is_control) {
        Some(Fault::Control)
    } else if !text.bytes().all(is_token) {
        Some(Fault::NotToken)
    } else {
        (!names.insert(text.to_ascii_lowercase())).then_some(Fault::Repeated)
    }
}

/// Whether a byte may stand in a token, by RFC 9110 section 5.6.2.
pub fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::document::Decoder;
    use crate::limits::Limits;

    fn read<T>(schema: &str, what: impl FnOnce(Value<'_>) -> T) -> T {
        let mut decoder = Decoder::new();
        what(decoder.read(schema.as_bytes(), &Limits::message()).expect(schema).root())
    }

    fn mirrored(schema: &str) -> Vec<String> {
        let found = read(schema, of_schema);
        found.iter().map(|one| format!("{}={} {:?}", one.name, one.path.join("/"), one.primitive)).collect()
    }

    fn faults(schema: &str) -> Vec<Fault> {
        let mut found = Vec::new();
        read(schema, |schema| {
            each(schema, |mark| {
                found.extend(mark.faults());
                ControlFlow::Continue(())
            });
        });
        found
    }

    #[test]
    fn a_property_reached_by_properties_alone_is_mirrored() {
        for (schema, found) in [
            (r#"{"type":"object"}"#, &[][..]),
            (r#"{"properties":{"r":{"type":"string","x-mcp-header":"Region"}}}"#, &["Region=r Text"]),
            (r#"{"properties":{"r":{"type":"string","x-mcp-\u0068eader":"Region"}}}"#, &["Region=r Text"]),
            (
                r#"{"properties":{"o":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"},"m":{"type":"string","x-mcp-header":"M"}}},"p":{"x-mcp-header":"P","type":"boolean"}}}"#,
                &["N=o/n Integer", "M=o/m Text", "P=p Boolean"],
            ),
            (r#"{"properties":{"items":{"type":"boolean","x-mcp-header":"A"}}}"#, &["A=items Boolean"]),
            (r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#, &[]),
            (
                r#"{"properties":{"a":{"default":{"x-mcp-header":""},"enum":[{"x-mcp-header":1}],"const":{"x-mcp-header":1}}}}"#,
                &[],
            ),
        ] {
            assert_eq!(mirrored(schema), found, "{schema}");
            assert_eq!(faults(schema), [], "{schema}");
        }
    }

    #[test]
    fn a_broken_annotation_says_why_and_leaves_nothing_to_mirror() {
        use Fault::{Control, Empty, NotPrimitive, NotText, NotToken, Number, Repeated, Unreachable, Untyped};
        let property = |body: &str| {
            format!(r#"{{"properties":{{"good":{{"type":"string","x-mcp-header":"G"}},"a":{{{body}}}}}}}"#)
        };
        for (body, owed) in [
            (r#""type":"string","x-mcp-header":5"#, &[NotText][..]),
            (r#""type":"string","x-mcp-header":"""#, &[Empty]),
            (r#""type":"string","x-mcp-header":"a\tb""#, &[Control]),
            (r#""type":"string","x-mcp-header":"My Region""#, &[NotToken]),
            (r#""type":"string","x-mcp-header":"Région""#, &[NotToken]),
            (r#""type":"string","x-mcp-header":"g""#, &[Repeated]),
            (r#""type":"number","x-mcp-header":"R""#, &[Number]),
            (r#""type":"object","x-mcp-header":"R""#, &[NotPrimitive]),
            (r#""type":["string","null"],"x-mcp-header":"R""#, &[Untyped]),
            (r#""enum":["a"],"x-mcp-header":"R""#, &[Untyped]),
            (r#""items":{"type":"string","x-mcp-header":"R"}"#, &[Unreachable]),
            (r#""anyOf":[{"type":"string","x-mcp-header":"R"}]"#, &[Unreachable]),
            (r#""unevaluatedItems":{"type":"string","x-mcp-header":"R"}"#, &[Unreachable]),
            (r#""items":{"properties":{"b":{"type":"null","x-mcp-header":""}}}"#, &[Unreachable, NotPrimitive, Empty]),
        ] {
            assert_eq!(faults(&property(body)), owed, "{body}");
            assert_eq!(mirrored(&property(body)), [""; 0], "{body}");
        }
        for schema in [
            r#"{"$defs":{"a":{"type":"string","x-mcp-header":"R"}}}"#,
            r#"{"patternProperties":{"a":{"type":"string","x-mcp-header":"R"}}}"#,
            r#"{"type":"string","x-mcp-header":"R"}"#,
        ] {
            assert_eq!(faults(schema), [Unreachable], "{schema}");
        }
    }

    #[test]
    fn more_annotations_than_are_kept_are_none() {
        let schema = |count: usize| {
            let one = |at| format!(r#""p{at}":{{"type":"string","x-mcp-header":"H{at}"}}"#);
            format!(r#"{{"properties":{{{}}}}}"#, (0..count).map(one).collect::<Vec<_>>().join(","))
        };
        assert_eq!(mirrored(&schema(ANNOTATIONS)).len(), ANNOTATIONS);
        assert_eq!(mirrored(&schema(ANNOTATIONS + 1)).len(), 0);
        let long = format!(r#"{{"properties":{{"p":{{"type":"string","x-mcp-header":"{}"}}}}}}"#, "H".repeat(BYTES));
        assert_eq!(mirrored(&long).len(), 0);
    }

    /// A schema with that many annotated properties, of which each has a name of that many bytes more than its number.
    fn wide(count: usize, longer: usize) -> String {
        let tail = "n".repeat(longer);
        let properties: Vec<_> = (0..count)
            .map(|number| format!(r#""{number:03}{tail}":{{"type":"string","x-mcp-header":"H{number}"}}"#))
            .collect();
        format!(r#"{{"properties":{{{}}}}}"#, properties.join(","))
    }

    #[test]
    fn a_schema_whose_names_and_paths_take_more_than_is_kept_is_not_mirrored() {
        let names: usize = (0..16).map(|number| format!("H{number}").len()).sum();
        let longer = (BYTES - names) / 16 - 3;
        assert_eq!(mirrored(&wide(16, longer)).len(), 16);
        assert_eq!(mirrored(&wide(16, longer + 1)).len(), 0);
    }
}
