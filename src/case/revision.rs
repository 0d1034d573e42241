//! A protocol revision: ten bytes that name a real day.

use std::fmt;

/// A revision in the shape `YYYY-MM-DD`, a day of the Gregorian calendar. Whether it is a *known* revision is another
/// question, see [`crate::codec::era`].
///
/// ```
/// use wirebench::case::Revision;
///
/// assert!(Revision::parse(b"2026-07-28").is_some());
/// assert!(Revision::parse(b"2026-02-31").is_none());
/// assert!(Revision::parse(b" 2026-07-28").is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision([u8; 10]);

impl Revision {
    /// Reads the ten bytes; nothing is trimmed. `None` when they name no day.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text: [u8; 10] = bytes.try_into().ok()?;
        let number = |range: std::ops::Range<usize>| {
            text[range]
                .iter()
                .try_fold(0u32, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
        };
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        (text[4] == b'-' && text[7] == b'-' && (1..=days).contains(&day)).then_some(Self(text))
    }

    /// The ten characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("only digits and dashes pass parse")
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leap_days_follow_the_gregorian_rule() {
        for (text, real) in [
            ("2024-02-29", true),
            ("2023-02-29", false),
            ("2000-02-29", true),
            ("1900-02-29", false),
            ("2026-13-01", false),
        ] {
            assert_eq!(Revision::parse(text.as_bytes()).is_some(), real, "{text}");
        }
    }

    #[test]
    fn nothing_but_ten_ascii_bytes_is_a_revision() {
        for text in
            ["", "2026-7-28", "2026-07-28 ", "2026/07/28", "２026-07-2", "+026-07-28", "2026-00-10", "2026-01-00"]
        {
            assert!(Revision::parse(text.as_bytes()).is_none(), "{text}");
        }
    }
}
