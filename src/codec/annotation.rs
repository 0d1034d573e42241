//! Which arguments of a tool are mirrored in `Mcp-Param-*` header fields, by the `x-mcp-header` of its input schema?
//!
//! Only schema positions count: a property may bear any name, and what stands in `const`, `enum`, `default` or
//! `examples` is data. Nothing else of a schema is read, and no argument is held against it.

use std::collections::HashSet;

use super::document::{Text, Value, ValueKind};

/// How many annotations of one schema are read; a schema with more counts as broken for nobody and is not mirrored.
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

/// A broken annotation: the rule, and the byte where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The id of the broken requirement.
    pub rule: &'static str,
    /// Where the annotation stands.
    pub offset: usize,
}

/// Keywords that hold one schema, or an array of schemas.
pub(super) const SCHEMAS: [&str; 16] = [
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
pub(super) const NAMED: [&str; 4] = ["$defs", "definitions", "dependentSchemas", "patternProperties"];

/// A schema that is still to be read, and how it was reached: `None` when not by properties alone.
struct Place<'a> {
    schema: Value<'a>,
    path: Option<Vec<Text<'a>>>,
}

/// The annotations of an input schema; empty when it has none, or more than are kept.
///
/// # Errors
///
/// The first broken one, which makes the whole tool invalid.
pub fn of_schema(schema: Value<'_>) -> Result<Vec<Annotation>, Fault> {
    let mut found: Vec<Annotation> = Vec::new();
    let mut names = HashSet::new();
    let mut bytes = 0usize;
    let mut open = vec![Place { schema, path: Some(Vec::new()) }];
    while let Some(Place { schema, path }) = open.pop() {
        if let Some(mark) = schema.get("x-mcp-header") {
            let (name, primitive) = annotation(mark, schema, path.as_deref())?;
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(Fault { rule: "param-header-name-unique-case-insensitive", offset: mark.offset() });
            }
            let path: Vec<Box<str>> =
                path.iter().flatten().map(|step| step.decode().into_owned().into_boxed_str()).collect();
            bytes += name.len() + path.iter().map(|step| step.len()).sum::<usize>();
            if found.len() < ANNOTATIONS && bytes <= BYTES {
                found.push(Annotation { name: name.into(), path, primitive });
            }
        }
        below(schema, path.as_deref(), &mut open);
    }
    Ok(if names.len() > found.len() { Vec::new() } else { found })
}

fn below<'a>(schema: Value<'a>, path: Option<&[Text<'a>]>, open: &mut Vec<Place<'a>>) {
    for (keyword, value) in schema.members() {
        if SCHEMAS.iter().any(|known| keyword.is(known)) {
            match value.kind() {
                ValueKind::Object => open.push(Place { schema: value, path: None }),
                ValueKind::Array => {
                    open.extend(
                        value.elements().filter(|one| one.is_object()).map(|schema| Place { schema, path: None }),
                    );
                }
                _ => {}
            }
        } else if keyword.is("properties") || NAMED.iter().any(|known| keyword.is(known)) {
            let reachable = path.filter(|path| keyword.is("properties") && path.len() < ANNOTATIONS);
            open.extend(value.members().filter(|(_, schema)| schema.is_object()).map(|(name, schema)| Place {
                schema,
                path: reachable.map(|path| path.iter().copied().chain([name]).collect()),
            }));
        }
    }
}

/// Name and type of one annotation.
fn annotation<'a>(mark: Value<'a>, schema: Value<'a>, path: Option<&[Text<'a>]>) -> Result<(String, Primitive), Fault> {
    let fault = |rule| Fault { rule, offset: mark.offset() };
    let name = mark.as_text().ok_or(fault("param-header-name-is-string"))?.decode().into_owned();
    if name.is_empty() {
        return Err(fault("param-header-name-not-empty"));
    }
    if name.chars().any(char::is_control) {
        return Err(fault("param-header-name-no-controls"));
    }
    if !name.bytes().all(is_token) {
        return Err(fault("param-header-name-is-token"));
    }
    if path.is_none_or(<[_]>::is_empty) {
        return Err(fault("param-header-statically-reachable"));
    }
    let kind = schema.get("type").and_then(Value::as_text);
    let is = |word| kind.is_some_and(|kind| kind.is(word));
    match () {
        () if is("string") => Ok((name, Primitive::Text)),
        () if is("integer") => Ok((name, Primitive::Integer)),
        () if is("boolean") => Ok((name, Primitive::Boolean)),
        () if is("number") => Err(fault("param-header-number-type-forbidden")),
        () => Err(fault("param-header-primitive-only")),
    }
}

/// RFC 9110 section 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::document::Decoder;
    use crate::limits::Limits;

    fn read(schema: &str) -> Result<Vec<String>, &'static str> {
        let mut decoder = Decoder::new();
        let document = decoder.read(schema.as_bytes(), &Limits::message()).unwrap();
        of_schema(document.root()).map_err(|fault| fault.rule).map(|found| {
            found.iter().map(|one| format!("{}={} {:?}", one.name, one.path.join("/"), one.primitive)).collect()
        })
    }

    #[test]
    fn a_property_reached_by_properties_alone_is_mirrored() {
        for (schema, found) in [
            (r#"{"type":"object"}"#, vec![]),
            (r#"{"properties":{"r":{"type":"string","x-mcp-header":"Region"}}}"#, vec!["Region=r Text"]),
            (
                r#"{"properties":{"o":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}"#,
                vec!["N=o/n Integer"],
            ),
            (r#"{"properties":{"items":{"type":"boolean","x-mcp-header":"A"}}}"#, vec!["A=items Boolean"]),
            (r#"{"properties":{"x-mcp-header":{"type":"string"}}}"#, vec![]),
            (
                r#"{"properties":{"a":{"default":{"x-mcp-header":""},"enum":[{"x-mcp-header":1}],"const":{"x-mcp-header":1}}}}"#,
                vec![],
            ),
        ] {
            assert_eq!(read(schema), Ok(found.into_iter().map(str::to_owned).collect()), "{schema}");
        }
    }

    #[test]
    fn a_broken_annotation_names_its_rule() {
        let property = |body: &str| format!(r#"{{"properties":{{"a":{{{body}}}}}}}"#);
        for (body, rule) in [
            (r#""type":"string","x-mcp-header":5"#, "param-header-name-is-string"),
            (r#""type":"string","x-mcp-header":"""#, "param-header-name-not-empty"),
            (r#""type":"string","x-mcp-header":"a\tb""#, "param-header-name-no-controls"),
            (r#""type":"string","x-mcp-header":"My Region""#, "param-header-name-is-token"),
            (r#""type":"string","x-mcp-header":"Région""#, "param-header-name-is-token"),
            (r#""type":"number","x-mcp-header":"R""#, "param-header-number-type-forbidden"),
            (r#""type":"object","x-mcp-header":"R""#, "param-header-primitive-only"),
            (r#""type":["string","null"],"x-mcp-header":"R""#, "param-header-primitive-only"),
            (r#""enum":["a"],"x-mcp-header":"R""#, "param-header-primitive-only"),
            (r#""items":{"type":"string","x-mcp-header":"R"}"#, "param-header-statically-reachable"),
            (r#""anyOf":[{"type":"string","x-mcp-header":"R"}]"#, "param-header-statically-reachable"),
            (r#""unevaluatedItems":{"type":"string","x-mcp-header":"R"}"#, "param-header-statically-reachable"),
        ] {
            assert_eq!(read(&property(body)), Err(rule), "{body}");
        }
        let twice = r#"{"properties":{"a":{"type":"string","x-mcp-header":"R"},"o":{"properties":{"b":{"type":"string","x-mcp-header":"r"}}}}}"#;
        assert_eq!(read(twice), Err("param-header-name-unique-case-insensitive"));
        let defs = r#"{"$defs":{"a":{"type":"string","x-mcp-header":"R"}}}"#;
        assert_eq!(read(defs), Err("param-header-statically-reachable"));
    }
}
