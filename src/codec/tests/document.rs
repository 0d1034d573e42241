//! Does the document reader accept what serde_json accepts, and read the same from it?
//!
//! Documents are written at random and mutated byte by byte. The other side is serde_json with a set of names an
//! object. Differences that are meant: serde_json refuses numbers that no `f64` holds, and stops at depth 127, which
//! is made the limit here. Which of several faults is told is not compared, but for a duplicate that stands alone.

use std::collections::HashSet;
use std::fmt;

use crate::codec::document::{Decoder, Value, ValueKind};
use crate::codec::refusal::Reason;
use crate::limits::Limits;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

const SEED: u64 = 0x0DD5_EED5_0F1D_EA5E;
const DEFAULT_CASES: u64 = 20_000;
/// One level more makes serde_json refuse.
const DEPTH: usize = 127;

const SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1.0",
    "1e5",
    "-12.50E-3",
    "9007199254740993",
    "18446744073709551616",
    "1e400",
    "2.5",
    "[]",
    "{}",
    r#""""#,
    r#""a""#,
    r#""\u0061""#,
    r#""\ud83d\ude00""#,
    r#""\ud800""#,
    r#""\"\\\/\b\f\n\r\t""#,
    "\"caf\u{e9} \u{1F600}\"",
    r#""a text that is longer than one step of sixteen bytes, and than a block of sixty-four of them""#,
];
const NAMES: &[&str] = &[
    "a",
    "b",
    r"\u0061",
    "aa",
    "",
    "method",
    r"\u006dethod",
    "id",
    "_meta",
    "\u{e9}",
    r"\u00e9",
    "a name of some length",
];
const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\u",
    b"\\ud800",
    b"\\udc00",
    b"\0",
    b"\x1F",
    b"\x7F",
    b"\x80",
    b"\xC3",
    b"\xA9",
    b"\xC0\x80",
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b" ",
    b"\t",
    b"\n",
    b"\x0B",
    b"-",
    b"+",
    b".",
    b"e",
    b"E",
    b"0",
    b"1",
    b"00",
    b"//",
    b"NaN",
    b"'",
    b"\"a\":1",
    b",\"a\":2",
];

#[test]
fn the_reader_and_serde_json_with_a_set_of_names_agree() {
    let cases = std::env::var("WIREBENCH_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(DEFAULT_CASES);
    let limits = Limits { depth: DEPTH, ..Limits::message() };
    let mut dice = Dice(SEED);
    let mut decoder = Decoder::new();
    let (mut accepted, mut duplicates, mut numbers) = (0u64, 0u64, 0u64);
    for case in 0..cases {
        let state = dice.0;
        let bytes = document(&mut dice);
        let told = || format!("case {case} of seed {SEED:#x} (state {state:#x}): {}", bytes.escape_ascii());
        let read = decoder.read(&bytes, &limits);
        match (read, serde_json::from_slice::<Unique>(&bytes)) {
            (Ok(ours), Ok(_)) => {
                accepted += 1;
                let theirs: serde_json::Value = serde_json::from_slice(&bytes).expect("the same bytes were accepted");
                assert!(same(ours.root(), &theirs), "read differently: {}", told());
            }
            (Err(refusal), Err(error)) => {
                if error.to_string().starts_with(REPEATED)
                    && serde_json::from_slice::<serde_json::Value>(&bytes).is_ok()
                {
                    duplicates += 1;
                    assert_eq!(refusal.reason, Reason::DuplicateMember, "{}", told());
                }
            }
            (Ok(_), Err(error)) if error.to_string().starts_with("number out of range") => numbers += 1,
            (Ok(_), Err(error)) => panic!("accepted although {error}: {}", told()),
            (Err(refusal), Ok(_)) => panic!("{refusal}, although serde_json accepts: {}", told()),
        }
    }
    println!("seed {SEED:#x}: {cases} cases, {accepted} accepted, {duplicates} duplicates, {numbers} large numbers");
    // A comparison that never meets one of them compares nothing.
    assert!(cases < 1000 || (accepted > cases / 20 && duplicates > 0 && numbers > 0));
}

fn same(ours: Value<'_>, theirs: &serde_json::Value) -> bool {
    match (ours.kind(), theirs) {
        (ValueKind::Null, serde_json::Value::Null) => true,
        (ValueKind::Bool, serde_json::Value::Bool(value)) => ours.as_bool() == Some(*value),
        (ValueKind::Number, serde_json::Value::Number(value)) => {
            let spelled = ours.as_number().and_then(|number| number.parse::<f64>().ok());
            // Theirs may be a unit off in the last place.
            spelled.zip(value.as_f64()).is_some_and(|(a, b)| a == b || ((a - b) / a).abs() < 1e-15)
        }
        (ValueKind::String, serde_json::Value::String(value)) => {
            ours.as_text().is_some_and(|text| text.decode() == *value && text.is(value))
        }
        (ValueKind::Array, serde_json::Value::Array(values)) => {
            ours.elements().count() == values.len() && ours.elements().zip(values).all(|(a, b)| same(a, b))
        }
        (ValueKind::Object, serde_json::Value::Object(members)) => {
            ours.member_count() == members.len()
                && ours.members().all(|(name, value)| members.get(&*name.decode()).is_some_and(|b| same(value, b)))
                && members.keys().all(|name| ours.get(name).is_some())
        }
        _ => false,
    }
}

fn document(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = Vec::new();
    let width = if dice.below(50) == 0 { 40 } else { 5 };
    value(dice, 0, width, &mut bytes);
    for _ in 0..dice.below(4) {
        mutate(dice, &mut bytes);
    }
    if dice.below(200) == 0 {
        let depth = DEPTH - 1 + dice.below(3);
        bytes = [&b"[".repeat(depth)[..], b"1", &b"]".repeat(depth)].concat();
    }
    bytes
}

fn value(dice: &mut Dice, depth: usize, width: usize, out: &mut Vec<u8>) {
    let kind = if depth > 4 { 9 } else { dice.below(10) };
    if kind > 5 {
        out.extend_from_slice(SCALARS[dice.below(SCALARS.len())].as_bytes());
        return;
    }
    let object = kind > 1;
    out.push(if object { b'{' } else { b'[' });
    for index in 0..dice.below(width) {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&b" \n\t\r                     "[..if dice.below(6) == 0 { dice.below(24) } else { 0 }]);
        if object {
            let name = NAMES[dice.below(NAMES.len())];
            // Mostly made distinct, so that documents survive.
            let suffix = if dice.below(4) == 0 { String::new() } else { index.to_string() };
            out.extend_from_slice(format!("\"{name}{suffix}\":").as_bytes());
        }
        value(dice, depth + 1, width.min(5), out);
    }
    out.push(if object { b'}' } else { b']' });
}

fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>) {
    let at = dice.below(bytes.len() + 1);
    let end = (at + dice.below(12)).min(bytes.len());
    match dice.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        3 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        4 => {
            bytes.splice(at..end.min(at + 1), PIECES[dice.below(PIECES.len())].iter().copied());
        }
        _ => {
            bytes.splice(at..at, PIECES[dice.below(PIECES.len())].iter().copied());
        }
    }
}

const REPEATED: &str = "repeated name";

/// Accepts any value in which no object has a name twice.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> DeserializeSeed<'de> for Unique {
    type Value = Self;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if !names.insert(name) {
                return Err(de::Error::custom(REPEATED));
            }
            map.next_value::<Self>()?;
        }
        Ok(self)
    }
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
