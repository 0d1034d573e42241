//! How text that others may have written is shown, so that it acts on no terminal, no reader's eye and no line around it.
//!
//! Characters that would act are shown by their number; every other one stays. What a form of its own reserves beside
//! them (a tag, an emphasis, a quote) is for the writer of that form.

use std::borrow::Cow;

/// Whether a character would act on the text around it, or is none that XML allows: a control, a mark of direction, a
/// character without a width or without a meaning. Line feed and tab do not count, since every form has its own place
/// for them.
pub fn acts(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}' | '\u{E0000}'..='\u{E007F}')
        || character.is_control() && !matches!(character, '\n' | '\t')
}

/// Lines for people: ends of lines and tabs stay.
///
/// ```
/// assert_eq!(wirebench::escape::lines("a\u{1b}[2J\n\u{202e}é"), "a\\u{1b}[2J\n\\u{202e}é");
/// ```
pub fn lines(text: &str) -> Cow<'_, str> {
    shown(text, acts)
}

/// One line for people, or a part of it: a line feed or a tab would begin another part, so they are shown as well.
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text, |character| acts(character) || matches!(character, '\n' | '\t'))
}

/// JSON text that says the same: JSON itself leaves all but the first thirty-two controls as they are.
///
/// ```
/// assert_eq!(wirebench::escape::json("\"\u{9b}\u{202e}\u{e0001}é\""), "\"\\u009b\\u202e\\udb40\\udc01é\"");
/// ```
pub fn json(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match acts(character) {
            true => {
                character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| safe.push_str(&format!("\\u{unit:04x}")))
            }
            false => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

fn shown(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if hidden(character) { safe.extend(character.escape_unicode()) } else { safe.push(character) }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown_by_its_number_and_the_rest_stays() {
        assert_eq!(lines("a\tb\n\u{7f}\u{9b}\u{2066}\r"), "a\tb\n\\u{7f}\\u{9b}\\u{2066}\\u{d}");
        assert_eq!(line("a\tb\n"), "a\\u{9}b\\u{a}");
        assert!(matches!(lines("größer 🦀\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_says_the_same_whatever_it_holds() {
        let every: String = (0..=0x10FFFF).filter_map(char::from_u32).collect();
        let raw = serde_json::to_string(&every).unwrap();
        let safe = json(&raw);
        assert!(!safe.contains(acts));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), every);
    }
}
