//! Whether two values say the same, without keeping either: a fingerprint of 64 bits.
//!
//! Member order, white space, escapes and the spelling of numbers do not count. A collision makes a rule miss a breach
//! and never makes one up. Below [`DEPTH`] the bytes stand for themselves, so that no input decides how deep this goes.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::codec::document::{Value, ValueKind};
use crate::codec::id::IdKey;

const DEPTH: usize = 64;

/// The fingerprint of some characters.
pub fn of_text(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The fingerprint of an object without some of its members.
pub fn of_members(value: Value<'_>, without: &[&str]) -> u64 {
    members(value, without, DEPTH)
}

/// The fingerprint of a string value; `None` for anything else.
pub fn of_string(value: Value<'_>) -> Option<u64> {
    value.as_text().map(|text| of_text(&text.decode()))
}

fn members(value: Value<'_>, without: &[&str], depth: usize) -> u64 {
    // A sum, since the order of members says nothing.
    value.members().filter(|(name, _)| !without.iter().any(|other| name.is(other))).fold(1u64, |sum, (name, value)| {
        let mut hasher = DefaultHasher::new();
        name.decode().hash(&mut hasher);
        any(value, depth - 1).hash(&mut hasher);
        sum.wrapping_add(hasher.finish())
    })
}

fn any(value: Value<'_>, depth: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    match value.kind() {
        ValueKind::Object if depth > 0 => members(value, &[], depth).hash(&mut hasher),
        ValueKind::Array if depth > 0 => {
            value.elements().for_each(|element| any(element, depth - 1).hash(&mut hasher));
            u8::MAX.hash(&mut hasher);
        }
        ValueKind::String | ValueKind::Number => IdKey::of(value.raw()).hash(&mut hasher),
        ValueKind::Null | ValueKind::Bool | ValueKind::Array | ValueKind::Object => value.raw().hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::document::Decoder;
    use crate::limits::Limits;

    fn print(text: &str) -> u64 {
        let mut decoder = Decoder::new();
        of_members(
            decoder.read(text.as_bytes(), &Limits { depth: 100, ..Limits::message() }).unwrap().root(),
            &["_meta"],
        )
    }

    #[test]
    fn what_says_the_same_has_the_same_print() {
        let plain = print(r#"{"a":1,"b":[true,{"c":"é"}]}"#);
        for same in [r#"{"b": [true, {"c":"\u00e9"}], "a":1.0}"#, r#"{"_meta":{"x":1},"a":10e-1,"b":[true,{"c":"é"}]}"#]
        {
            assert_eq!(print(same), plain, "{same}");
        }
        for other in [r#"{"a":"1","b":[true,{"c":"é"}]}"#, r#"{"a":1,"b":[{"c":"é"},true]}"#, r#"{"a":1}"#, "{}"] {
            assert_ne!(print(other), plain, "{other}");
        }
    }

    #[test]
    fn numbers_compare_by_value_down_to_a_depth_and_by_their_bytes_below_it() {
        let array =
            |depth: usize, number: &str| format!(r#"{{"a":{}{number}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        let object = |depth: usize, number: &str| {
            format!(r#"{{"a":{}{number}{}}}"#, r#"{"b":"#.repeat(depth), "}".repeat(depth))
        };
        for (depth, same) in [(0, true), (1, true), (DEPTH - 1, true), (DEPTH, false), (DEPTH + 8, false)] {
            assert_eq!(print(&array(depth, "1")) == print(&array(depth, "1.0")), same, "{depth} arrays");
            assert_eq!(print(&object(depth, "1")) == print(&object(depth, "1.0")), same, "{depth} objects");
            assert_ne!(print(&array(depth, "1")), print(&array(depth, "2")), "{depth}");
        }
    }
}
