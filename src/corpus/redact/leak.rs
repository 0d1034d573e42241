//! Whether anything that was replaced is left in an output, in plain or in disguise.
//!
//! The output is looked at as it is, with JSON escapes taken off, with percent escapes taken off, and with whatever could
//! be Base64 decoded at each of its four offsets; letter case does not count. Cost grows with the output and not with the
//! number of values.

use std::collections::{HashMap, HashSet};

use super::PROVED;

/// Whether one of these values, in lower case and of at least [`PROVED`] characters, is anywhere in the output.
pub fn is_left(values: &HashSet<Vec<u8>>, output: &[u8]) -> bool {
    let mut by_start: HashMap<&[u8], Vec<&[u8]>> = HashMap::new();
    for value in values.iter().filter(|value| value.len() >= PROVED) {
        by_start.entry(&value[..PROVED]).or_default().push(value);
    }
    let holds = |text: &[u8]| {
        let text = text.to_ascii_lowercase();
        let starts = |at: usize| by_start.get(&text[at..at + PROVED]);
        (0..(text.len() + 1).saturating_sub(PROVED))
            .any(|at| starts(at).is_some_and(|values| values.iter().any(|value| text[at..].starts_with(value))))
    };
    let plain = [output.to_vec(), unescaped(output), unpercented(output), unescaped(&unescaped(output))];
    plain.iter().any(|text| holds(text) || holds(&unpercented(text)) || decoded(text).iter().any(|text| holds(text)))
}

fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let (unit, length) = match text[at..] {
            [b'\\', b'u', ..] => match code(&text[at..]) {
                Some(high @ 0xD800..=0xDBFF) => match text.get(at + 6..).and_then(code) {
                    Some(low @ 0xDC00..=0xDFFF) => {
                        (char::from_u32(0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00))), 12)
                    }
                    _ => (None, 6),
                },
                Some(unit) => (char::from_u32(unit), 6),
                None => (None, 2),
            },
            [b'\\', byte @ (b'"' | b'\\' | b'/'), ..] => (Some(char::from(byte)), 2),
            [b'\\', b'n', ..] => (Some('\n'), 2),
            [b'\\', b'r', ..] => (Some('\r'), 2),
            [b'\\', b't', ..] => (Some('\t'), 2),
            [b'\\', b'b', ..] => (Some('\u{8}'), 2),
            [b'\\', b'f', ..] => (Some('\u{C}'), 2),
            [byte, ..] => {
                out.push(byte);
                at += 1;
                continue;
            }
            [] => break,
        };
        out.extend(unit.into_iter().flat_map(|unit| unit.to_string().into_bytes()));
        at += length;
    }
    out
}

fn code(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn unpercented(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// What the runs of a text hold that could be Base64, in either alphabet, at each offset.
fn decoded(text: &[u8]) -> Vec<Vec<u8>> {
    let sextet = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut found = Vec::new();
    for run in text.split(|&byte| sextet(byte).is_none()).filter(|run| run.len() * 3 / 4 >= PROVED) {
        for offset in 0..4 {
            let (mut word, mut bits, mut out) = (0u32, 0, Vec::with_capacity(run.len()));
            for byte in &run[offset..] {
                word = (word << 6 | u32::from(sextet(*byte).unwrap_or(0))) & 0xFFFF;
                bits += 6;
                if bits >= 8 {
                    bits -= 8;
                    out.push((word >> bits) as u8);
                }
            }
            found.push(out);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

    use super::*;

    #[test]
    fn a_value_is_found_in_every_disguise_and_nowhere_else() {
        let values: HashSet<Vec<u8>> = [b"hunter2-hunter2".to_vec(), "größer als".as_bytes().to_vec()].into();
        let wrapped = |text: &str| [STANDARD.encode(text), URL_SAFE_NO_PAD.encode(text)];
        let mut disguises = vec![
            "a hunter2-hunter2 b".to_owned(),
            "HUNTER2-Hunter2".to_owned(),
            "h\\u0075nter2-hunter2".to_owned(),
            "\\\\u0068unter2-hunter2".to_owned(),
            "%68unter2%2dhunter2".to_owned(),
            "gr\\u00f6\\u00dfer als".to_owned(),
            "gr%C3%B6%C3%9Fer%20als".to_owned(),
        ];
        for before in ["", "x", "xy", "xyz"] {
            disguises.extend(wrapped(&format!("{before}hunter2-hunter2 and more")));
        }
        for text in disguises {
            assert!(is_left(&values, text.as_bytes()), "{text}");
        }
        for text in ["", "hunter2", "hunter2-hunter", "\\u", "%6", "aHVudGVy"] {
            assert!(!is_left(&values, text.as_bytes()), "{text}");
        }
        assert!(!is_left(&HashSet::new(), b"anything at all"));
    }
}
