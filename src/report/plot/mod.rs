//! Plots as inline SVG: what all of them share.
//!
//! A plot is 360 units wide, so that its letters keep their size on a phone; the page puts several side by side where
//! there is room. Colour is never the only thing that tells two things apart, every mark carries its value as a tooltip,
//! and whoever draws a plot puts the same numbers below it as a table. Colours stand in the page's style sheet.

pub mod bars;
pub mod grid;
pub mod line;

use std::fmt::Display;

use super::markup::{Markup, cut};

/// The width of every plot, in units of its own.
const WIDTH: f64 = 360.0;

/// A figure: the caption above, then the drawing.
fn figure(page: &mut Markup, id: &str, caption: &str, height: f64, draw: impl FnOnce(&mut Markup)) {
    page.put("figcaption", &[("id", &id)], cut(caption, 120));
    let view = format!("0 0 {WIDTH} {height}");
    page.within("svg", &[("viewBox", &view), ("role", &"img"), ("aria-labelledby", &id)], draw);
}

/// Letters at a place. `class` says how large and from which side.
fn letters(page: &mut Markup, class: &str, x: f64, y: f64, text: impl Display) {
    page.put("text", &[("class", &class), ("x", &units(x)), ("y", &units(y))], text);
}

/// A straight line.
fn rule(page: &mut Markup, class: &str, from: (f64, f64), to: (f64, f64)) {
    let (x1, y1, x2, y2) = (units(from.0), units(from.1), units(to.0), units(to.1));
    page.leaf("line", &[("class", &class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)]);
}

/// A length with one decimal: a tenth of a unit is less than a pixel.
fn units(length: f64) -> String {
    let text = format!("{length:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Round values from `low` to `high`, at most `most` + 1 of them and at least two; the ends are included.
fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let raw = ((high - low) / most as f64).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|part| part * power).into_iter().find(|step| *step >= raw).unwrap_or(raw);
    let first = (low / step).floor();
    (0..=most + 2).map(|index| (first + index as f64) * step).take_while(|tick| *tick < high + step).collect()
}

/// A number as people say it: `950`, `12.5k`, `3M`.
pub fn compact(value: f64) -> String {
    for (scale, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value.abs() >= scale {
            return format!("{}{letter}", plain(value / scale, 2));
        }
    }
    plain(value, 2)
}

/// A number with at most so many decimals and no zeros at its end.
fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose_what_is_drawn() {
        assert_eq!(ticks(0.0, 100.0, 5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(3012.0, 3098.0, 4), [3000.0, 3050.0, 3100.0]);
        for (low, high) in [(0.0, 1.0), (0.0, 7.0), (1e6, 9e6), (0.93, 1.04)] {
            let all = ticks(low, high, 4);
            assert!(all[0] <= low && *all.last().unwrap() >= high && all.len() <= 7, "{all:?}");
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([950.0, 12_500.0, 3e6, 0.25, 0.0].map(compact), ["950", "12.5k", "3M", "0.25", "0"]);
    }
}
