//! How long a run may take, in the spelling that people use.

use std::time::Duration;

/// Reads `90`, `90s`, `10m` or `8h`; a bare number is seconds.
///
/// # Errors
///
/// A sentence that says which spellings there are.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let scale = match unit {
        "h" => 3600,
        "m" => 60,
        _ => 1,
    };
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = if digits { number.parse::<u64>().ok().and_then(|number| number.checked_mul(scale)) } else { None };
    match seconds {
        Some(seconds @ 1..=31_536_000) => Ok(Duration::from_secs(seconds)),
        _ => Err("expected a time above zero and at most a year, such as 90s, 10m or 8h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_or_is_seconds() {
        for (text, seconds) in [("90", 90), ("90s", 90), ("10m", 600), ("8h", 28_800)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "s", "0", "-1", "+1", "1d", "1.5h", "10 m", "99999999999999999999h"] {
            assert!(duration(text).is_err(), "{text:?}");
        }
    }
}
