//! JSON-RPC ids: a type, an exact value, and the spelling that is echoed.
//!
//! Two ids are the same when their [`IdKey`] is: strings after unescaping, without normalisation; numbers by sign,
//! digits and decimal exponent, never through a float. `1` and `"1"` never meet.

use std::fmt;

/// An id as it stood in the message: the raw token, quotes included.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Id(Box<[u8]>);

/// What makes two ids the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdKey {
    /// A string, unescaped.
    String(Box<[u8]>),
    /// A number: sign, significant digits without zeros at either end, and the power of ten behind them.
    Number {
        /// Below zero; never set for zero.
        negative: bool,
        /// The digits; empty for zero.
        digits: Box<[u8]>,
        /// The decimal exponent; `None` when it exceeds 64 bits, and then `digits` holds the whole spelling.
        exponent: Option<i64>,
    },
}

/// How a number that stands as an id is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `-?(0|[1-9][0-9]*)` and not `-0`.
    Plain,
    /// Whole, but written otherwise: `-0`, `1.0`, `1e3`.
    Unusual,
    /// Not whole.
    Fraction,
}

impl Id {
    /// Keeps the raw token of a string or a number.
    pub fn new(token: &[u8]) -> Self {
        Self(token.into())
    }

    /// The token as it stood in the message.
    pub fn raw(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is a JSON string.
    pub fn is_string(&self) -> bool {
        self.0.first() == Some(&b'"')
    }

    /// What it is compared by.
    pub fn key(&self) -> IdKey {
        IdKey::of(&self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({})", String::from_utf8_lossy(&self.0))
    }
}

impl IdKey {
    /// The key of a raw token, which must be a JSON string or number.
    pub fn of(token: &[u8]) -> Self {
        match token {
            [b'"', inner @ .., b'"'] => Self::String(super::document::Text::of_raw(inner).decode().as_bytes().into()),
            number => Self::number(number),
        }
    }

    fn number(token: &[u8]) -> Self {
        let negative = token.first() == Some(&b'-');
        let unsigned = if negative { &token[1..] } else { token };
        let (mantissa, power) = match unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
            None => (unsigned, None),
        };
        let point = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
        let fraction = mantissa.len().saturating_sub(point + 1);
        let mut digits: Vec<u8> = mantissa.iter().copied().filter(u8::is_ascii_digit).collect();
        let trailing = digits.iter().rev().take_while(|&&digit| digit == b'0').count();
        digits.truncate(digits.len() - trailing);
        let leading = digits.iter().take_while(|&&digit| digit == b'0').count();
        digits.drain(..leading);
        if digits.is_empty() {
            return Self::Number { negative: false, digits: digits.into(), exponent: Some(0) };
        }
        let stated = match power {
            None => Some(0),
            Some(text) => std::str::from_utf8(text).ok().and_then(|text| text.parse::<i64>().ok()),
        };
        let shift = trailing as i64 - fraction as i64;
        match stated.and_then(|stated| stated.checked_add(shift)) {
            Some(exponent) => Self::Number { negative, digits: digits.into(), exponent: Some(exponent) },
            None => Self::Number { negative, digits: unsigned.into(), exponent: None },
        }
    }
}

/// How the token of a number is written.
pub fn spelling(token: &[u8]) -> Spelling {
    let plain = token != b"-0" && token.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
    if plain {
        return Spelling::Plain;
    }
    match IdKey::number(token) {
        IdKey::Number { exponent: Some(exponent), .. } if exponent >= 0 => Spelling::Unusual,
        // An exponent beyond 64 bits: whole when it is positive.
        IdKey::Number { exponent: None, .. } if !token.windows(2).any(|pair| matches!(pair, b"e-" | b"E-")) => {
            Spelling::Unusual
        }
        _ => Spelling::Fraction,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(token: &str) -> IdKey {
        IdKey::of(token.as_bytes())
    }

    #[test]
    fn a_number_and_a_string_never_meet() {
        assert_ne!(key("1"), key("\"1\""));
        assert_ne!(key("0"), key("\"\""));
    }

    #[test]
    fn one_number_in_several_spellings_is_one_key() {
        for (left, right) in [("1", "1.0"), ("1", "1e0"), ("1", "10e-1"), ("100", "1E+2"), ("0", "-0"), ("0", "0e99")] {
            assert_eq!(key(left), key(right), "{left} {right}");
        }
        for (left, right) in [("9007199254740993", "9007199254740992"), ("1", "-1"), ("1e400", "1e401"), ("10", "1")] {
            assert_ne!(key(left), key(right), "{left} {right}");
        }
    }

    #[test]
    fn strings_compare_after_unescaping_and_without_normalisation() {
        assert_eq!(key(r#""a""#), key(r#""\u0061""#));
        assert_ne!(key("\"é\""), key("\"e\u{301}\""));
    }

    #[test]
    fn spellings_follow_the_table_of_ids() {
        for plain in ["0", "-1", "18446744073709551616"] {
            assert_eq!(spelling(plain.as_bytes()), Spelling::Plain, "{plain}");
        }
        for unusual in ["-0", "1.0", "1e0", "10e-1", "1e30", "1e99999999999999999999"] {
            assert_eq!(spelling(unusual.as_bytes()), Spelling::Unusual, "{unusual}");
        }
        for fraction in ["1.5", "1e-1", "1e-99999999999999999999"] {
            assert_eq!(spelling(fraction.as_bytes()), Spelling::Fraction, "{fraction}");
        }
    }
}
