//! One quantity over time, or from record to record, as a line.

use super::{WIDTH, compact, figure, letters, rule, ticks, units};
use crate::report::markup::{Markup, cut};

/// A plot with one line.
pub struct Line<'a> {
    /// A name within the page.
    pub id: &'a str,
    /// What is shown.
    pub caption: &'a str,
    /// The quantity and its unit.
    pub unit: &'a str,
    /// Which of the colours and strokes of the page.
    pub class: &'static str,
    /// What runs from left to right.
    pub across: Across<'a>,
    /// Where the line goes, left to right.
    pub points: &'a [(f64, f64)],
    /// Whether the axis begins at zero.
    pub from_zero: bool,
}

/// What runs from left to right.
#[derive(Clone, Copy)]
pub enum Across<'a> {
    /// Seconds.
    Time,
    /// Records: where a point stands is the index of its record. The line is cut before a record that cannot be compared
    /// with the one before it.
    Records {
        /// The name of each record.
        names: &'a [String],
        /// What may be compared with it.
        settings: &'a [String],
    },
}

const HEIGHT: f64 = 200.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = HEIGHT - 38.0;

impl Line<'_> {
    /// Draws it; nothing for a line without points.
    pub fn draw(&self, page: &mut Markup) {
        let Some(scale) = Scale::of(self) else { return };
        figure(page, self.id, self.caption, HEIGHT, |svg| {
            letters(svg, "unit", 4.0, 12.0, self.unit);
            for tick in &scale.ticks {
                let y = scale.y(*tick);
                rule(svg, "grid", (LEFT, y), (RIGHT, y));
                letters(svg, "tick end", LEFT - 5.0, y + 4.0, compact(*tick));
            }
            rule(svg, "axis", (LEFT, BOTTOM), (RIGHT, BOTTOM));
            self.label_across(svg, &scale);
            for part in self.parts() {
                let path: Vec<String> =
                    part.iter().map(|(x, y)| format!("{},{}", units(scale.x(*x)), units(scale.y(*y)))).collect();
                if part.len() > 1 {
                    svg.leaf("polyline", &[("class", &self.class), ("points", &path.join(" "))]);
                }
            }
            for (x, y) in self.points {
                let (across, up) = (units(scale.x(*x)), units(scale.y(*y)));
                svg.within("circle", &[("class", &self.class), ("cx", &across), ("cy", &up), ("r", &"1.8")], |dot| {
                    dot.put("title", &[], format!("{}: {} {}", cut(&self.name(*x), 40), compact(*y), self.unit));
                });
            }
        });
    }

    fn label_across(&self, svg: &mut Markup, scale: &Scale) {
        match self.across {
            Across::Time => {
                let (length, word) = span(scale.right);
                for tick in ticks(0.0, scale.right / length, 5).into_iter().filter(|tick| tick * length <= scale.right)
                {
                    letters(svg, "tick mid", scale.x(tick * length), BOTTOM + 15.0, compact(tick));
                }
                letters(svg, "unit mid", (LEFT + RIGHT) / 2.0, BOTTOM + 32.0, word);
            }
            Across::Records { names, settings } => {
                for index in (1..settings.len()).filter(|&index| settings[index] != settings[index - 1]) {
                    let x = scale.x(index as f64 - 0.5);
                    rule(svg, "cut", (x, TOP), (x, BOTTOM));
                }
                let day = |name: &String| name.chars().take(10).collect::<String>();
                if let [first, .., last] = names {
                    letters(svg, "tick", LEFT, BOTTOM + 15.0, day(first));
                    letters(svg, "tick end", RIGHT, BOTTOM + 15.0, day(last));
                } else if let [only] = names {
                    letters(svg, "tick mid", (LEFT + RIGHT) / 2.0, BOTTOM + 15.0, day(only));
                }
                letters(svg, "unit mid", (LEFT + RIGHT) / 2.0, BOTTOM + 32.0, "records");
            }
        }
    }

    /// The runs of points that are joined.
    fn parts(&self) -> Vec<&[(f64, f64)]> {
        match self.across {
            Across::Time => vec![self.points],
            Across::Records { settings, .. } => {
                let setting = |point: &(f64, f64)| settings.get(point.0 as usize);
                self.points.chunk_by(|left, right| setting(left) == setting(right)).collect()
            }
        }
    }

    fn name(&self, x: f64) -> String {
        match self.across {
            Across::Time => format!("{x:.0} s"),
            Across::Records { names, .. } => names.get(x as usize).cloned().unwrap_or_default(),
        }
    }
}

/// The unit in which a length of time is told: its seconds and its name.
fn span(seconds: f64) -> (f64, &'static str) {
    match seconds {
        long if long >= 3.0 * 3600.0 => (3600.0, "hours of the campaign"),
        long if long >= 180.0 => (60.0, "minutes of the campaign"),
        _ => (1.0, "seconds of the campaign"),
    }
}

struct Scale {
    left: f64,
    right: f64,
    ticks: Vec<f64>,
}

impl Scale {
    fn of(line: &Line<'_>) -> Option<Self> {
        let finite = |value: &f64| value.is_finite();
        let heights = || line.points.iter().map(|point| point.1).filter(finite);
        let right = line.points.iter().map(|point| point.0).filter(finite).reduce(f64::max)?;
        let (low, high) = (heights().reduce(f64::min)?, heights().reduce(f64::max)?);
        // Less than a twentieth up and down would magnify noise.
        let room = (high.abs() * 0.05).max((high - low) * 0.1).max(1e-3);
        let low = if line.from_zero { 0.0 } else { (low - room).max(0.0) };
        let left = if matches!(line.across, Across::Time) { 0.0 } else { -0.5 };
        let right = if matches!(line.across, Across::Time) { right.max(1.0) } else { right + 0.5 };
        Some(Self { left, right, ticks: ticks(low, high + if line.from_zero { 0.0 } else { room }, 4) })
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.left) / (self.right - self.left) * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = (self.ticks[0], self.ticks[self.ticks.len() - 1]);
        BOTTOM - (value - low) / (high - low).max(f64::MIN_POSITIVE) * (BOTTOM - TOP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_records_cannot_be_compared() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let settings = ["x", "x", "y"].map(str::to_owned);
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)];
        let across = Across::Records { names: &names, settings: &settings };
        let line = Line { id: "i", caption: "c", unit: "u", class: "s0", across, points: &points, from_zero: true };
        assert_eq!(line.parts().iter().map(|part| part.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn a_line_of_one_point_of_zero_is_drawn_with_numbers() {
        for points in [&[(0.0, 0.0)][..], &[(0.0, 5.0), (0.0, 5.0)]] {
            let line =
                Line { id: "i", caption: "c", unit: "u", class: "s0", across: Across::Time, points, from_zero: true };
            let mut page = Markup::new("");
            line.draw(&mut page);
            let text = page.finish();
            assert!(text.contains("<circle") && !text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
