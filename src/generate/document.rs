//! JSON documents, also such as no JSON library can write.
//!
//! [`Json`] is a tree whose writer keeps what a library would repair: a name twice, a number in any spelling, raw bytes
//! inside a string, an escaped surrogate alone, a tail that is cut. It is plain unless an oddity is asked for. It does
//! not read anything: what it writes may be no JSON at all.

use arbitrary::{Result, Unstructured};

use super::{dictionary, rare};
use crate::mutation::RequirementId;

/// A JSON value as it will be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// Written as it is: a number in any spelling, a literal, or no JSON at all.
    Raw(&'static str),
    /// A whole number.
    Integer(i64),
    /// A string, escaped where it must be.
    Text(String),
    /// The inside of a string, written between quotes as it is.
    Quoted(Vec<u8>),
    /// An array.
    Array(Vec<Json>),
    /// An object in order; a name may stand twice.
    Object(Vec<(Name, Json)>),
}

/// A member name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// Escaped where it must be.
    Plain(&'static str),
    /// Every character as a `\u` escape.
    Escaped(&'static str),
}

impl Json {
    /// Appends the text of the value.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Raw(text) => out.extend_from_slice(text.as_bytes()),
            Self::Integer(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Self::Text(text) => write_text(text, out),
            Self::Quoted(inside) => {
                out.push(b'"');
                out.extend_from_slice(inside);
                out.push(b'"');
            }
            Self::Array(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Self::Object(members) => {
                out.push(b'{');
                for (index, (name, value)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    name.write(out);
                    out.push(b':');
                    value.write(out);
                }
                out.push(b'}');
            }
        }
    }
}

impl Name {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Plain(text) => write_text(text, out),
            Self::Escaped(text) => {
                out.push(b'"');
                text.encode_utf16().for_each(|unit| write_unit(unit, out));
                out.push(b'"');
            }
        }
    }
}

/// Appends a string with its quotes, with escapes only where JSON demands them.
pub fn write_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0..=0x1F => write_unit(u16::from(byte), out),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

/// Appends one UTF-16 unit as an escape.
pub fn write_unit(unit: u16, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.push(HEX[usize::from(unit >> shift & 15)]);
    }
}

/// Draws a lawful value: small, of any type, nested at most `depth` deep.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn value(u: &mut Unstructured<'_>, depth: usize) -> Result<Json> {
    let last = if depth == 0 { 4 } else { 6 };
    Ok(match u.int_in_range(0..=last)? {
        0 => Json::Raw(u.choose(&dictionary::ANY_VALUES)?),
        1 => Json::Integer(i64::from(u.arbitrary::<i32>()?)),
        2 => Json::Text((*u.choose(&dictionary::NAMES)?).to_owned()),
        3 => Json::Raw(u.choose(&NUMBERS)?),
        4 => Json::Quoted(u.choose(&QUOTED)?.as_bytes().to_vec()),
        5 => {
            let count = u.int_in_range(0..=3)?;
            Json::Array((0..count).map(|_| value(u, depth - 1)).collect::<Result<_>>()?)
        }
        _ => object(u, depth)?,
    })
}

/// Draws a lawful object with distinct names.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn object(u: &mut Unstructured<'_>, depth: usize) -> Result<Json> {
    let count = u.int_in_range(0..=3usize)?;
    let start = u.int_in_range(0..=MEMBERS.len() - 1)?;
    let mut members = Vec::with_capacity(count);
    for index in 0..count {
        let name = MEMBERS[(start + index) % MEMBERS.len()];
        let name = if rare(u, 1, 8)? { Name::Escaped(name) } else { Name::Plain(name) };
        members.push((name, value(u, depth.saturating_sub(1))?));
    }
    Ok(Json::Object(members))
}

/// Draws an object that no JSON library would write, with the name of what was written and the rule that it breaks.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn odd_object(u: &mut Unstructured<'_>) -> Result<(Json, &'static str, RequirementId)> {
    let odd = |value: Json| Json::Object(vec![(Name::Plain("odd"), value)]);
    let quoted = |inside: &[u8]| Json::Quoted(inside.to_vec());
    Ok(match u.int_in_range(0..=4)? {
        0 => {
            let name = MEMBERS[u.int_in_range(0..=MEMBERS.len() - 1)?];
            let second = if u.arbitrary()? { Name::Escaped(name) } else { Name::Plain(name) };
            let twice = Json::Object(vec![(Name::Plain(name), value(u, 1)?), (second, value(u, 1)?)]);
            (twice, "write-member-twice", "json-member-names-unique")
        }
        1 => {
            let text = u.choose(&LONE_SURROGATES)?;
            (odd(quoted(text.as_bytes())), "write-lone-surrogate", "json-no-lone-surrogate-escapes")
        }
        2 => (odd(quoted(u.choose(&dictionary::NOT_UTF8)?)), "write-invalid-utf8", "json-utf8-only"),
        3 => (odd(Json::Raw(u.choose(&dictionary::BROKEN_NUMBERS)?)), "write-broken-number", "json-well-formed"),
        _ => (odd(quoted(&[u.int_in_range(0..=0x1F)?])), "write-control-character", "json-well-formed"),
    })
}

/// Escapes that leave a surrogate without its partner.
pub const LONE_SURROGATES: [&str; 4] = ["\\ud800", "\\udc00", "\\udc00\\ud800", "a\\uD83Da"];

const MEMBERS: [&str; 8] = ["a", "b", "message", "city", "é", "a b", "", "A"];
const NUMBERS: [&str; 6] = ["1", "1.0", "-0", "1e400", "9007199254740993", "0.1e-7"];
const QUOTED: [&str; 5] = ["x", "\\n\\t\\\\", "\\ud83d\\ude00", "\\u0000", "\\/"];

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &Json) -> String {
        let mut out = Vec::new();
        value.write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_name_can_stand_twice_and_in_two_spellings() {
        let twice = Json::Object(vec![
            (Name::Plain("a"), Json::Integer(1)),
            (Name::Escaped("a"), Json::Raw("01")),
            (Name::Plain("b\""), Json::Array(vec![Json::Quoted(b"\\ud800".to_vec()), Json::Text("\n".to_owned())])),
        ]);
        assert_eq!(written(&twice), r#"{"a":1,"\u0061":01,"b\"":["\ud800","\u000a"]}"#);
    }

    #[test]
    fn no_entropy_gives_null_and_the_empty_object() {
        let mut u = Unstructured::new(&[]);
        assert_eq!(written(&value(&mut u, 3).unwrap()), "null");
        assert_eq!(written(&object(&mut u, 3).unwrap()), "{}");
    }

    #[test]
    fn lawful_values_are_json_with_distinct_names() {
        let entropy: Vec<u8> = (0..40_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for piece in entropy.chunks(40) {
            let text = written(&object(&mut Unstructured::new(piece), 3).unwrap());
            // The value 1e400 is lawful JSON that this library cannot hold as a number, so it only skips.
            serde_json::from_str::<serde::de::IgnoredAny>(&text).expect(&text);
        }
    }
}
