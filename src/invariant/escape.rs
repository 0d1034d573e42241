//! Which characters does the inside of a JSON string stand for?
//!
//! It shares nothing with the codec, and judges no escape: one that does not decode becomes a replacement character.

use std::borrow::Cow;

/// The characters that the inside of a JSON string stands for; a lone surrogate becomes U+FFFD.
pub fn unescape(inner: &[u8]) -> Cow<'_, str> {
    unescaped(std::str::from_utf8(inner).unwrap_or_default())
}

/// The same of text.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            continue;
        }
        units.push(match characters.next() {
            Some('b') => 8,
            Some('t') => 9,
            Some('n') => 10,
            Some('f') => 12,
            Some('r') => 13,
            Some('u') => (0..4)
                .filter_map(|_| characters.next().and_then(|digit| digit.to_digit(16)))
                .fold(0, |unit, digit| unit << 4 | digit as u16),
            Some(other) => other as u16,
            None => continue,
        });
    }
    Cow::Owned(String::from_utf16_lossy(&units))
}
