//! The Base64 sentinel over all short strings: whatever the body says, its header form reads back as exactly that.

use std::ops::ControlFlow;

use crate::codec::header::{Sentinel, decode, encode};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

/// What a careful receiver takes the value for, or why the value itself is wrong.
fn round(text: &str) -> Result<(), String> {
    let value = encode(text);
    if value.iter().any(|byte| !matches!(byte, 0x20..=0x7E)) {
        return Err(format!("{text:?} travels as raw bytes"));
    }
    if value.first() == Some(&b' ') || value.last() == Some(&b' ') {
        return Err(format!("{text:?} travels with white space at an edge"));
    }
    let read = match decode(&value) {
        Sentinel::Literal(literal) => literal.to_vec(),
        Sentinel::Wrapped { text, canonical: true } => text.into_owned().into_bytes(),
        other => return Err(format!("{text:?} is read as {other:?}")),
    };
    if read != text.as_bytes() {
        return Err(format!("{text:?} comes back as {read:?}"));
    }
    // A writer of its own, so that one mistake in both directions shows.
    let wrapped = format!("=?base64?{}?=", STANDARD.encode(text));
    match decode(wrapped.as_bytes()) {
        Sentinel::Wrapped { text: read, canonical: true } if read == text => {}
        other => return Err(format!("{wrapped} is read as {other:?}")),
    }
    if value != text.as_bytes() && value != wrapped.as_bytes() {
        return Err(format!("{text:?} is written in a third form"));
    }
    Ok(())
}

fn all(texts: impl Iterator<Item = String>) {
    let (mut count, mut plain) = (0u32, 0u32);
    let mut texts = texts;
    let fault = texts.try_for_each(|text| {
        count += 1;
        plain += u32::from(encode(&text) == text.as_bytes());
        round(&text).map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    assert_eq!(fault, ControlFlow::Continue(()));
    assert!(plain > 0 && plain < count, "{plain} of {count} travel plain");
}

#[test]
fn every_string_of_at_most_two_ascii_characters_comes_back() {
    let one = (0..0x80u8).map(|a| char::from(a).to_string());
    let two = (0..0x80u8).flat_map(|a| (0..0x80u8).map(move |b| [char::from(a), char::from(b)].iter().collect()));
    all([String::new()].into_iter().chain(one).chain(two));
}

#[test]
fn every_single_character_comes_back() {
    all(('\0'..=char::MAX).map(String::from));
}

#[test]
fn every_short_string_around_the_marks_comes_back() {
    let parts = ["", "=?base64?", "?=", "=", "?", "=?BASE64?", "YQ==", "YQ", " ", "\t", "é", "a"];
    let mut texts = Vec::new();
    for a in parts {
        for b in parts {
            for c in parts {
                texts.extend(parts.map(|d| [a, b, c, d].concat()));
            }
        }
    }
    all(texts.into_iter());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn longer_strings_come_back(text in prop_oneof![".{0,80}", "[ -~]{0,300}", "(=\\?base64\\?)?[A-Za-z0-9+/=]{0,60}(\\?=)?"]) {
        prop_assert_eq!(round(&text), Ok(()));
    }
}
