//! Counts of several things, a bar each, cut into parts that add up.

use super::{WIDTH, compact, figure, letters, rule, ticks, units};
use crate::report::markup::{Markup, cut};

/// A plot of bars.
pub struct Bars<'a> {
    /// A name within the page.
    pub id: &'a str,
    /// What is shown.
    pub caption: &'a str,
    /// What is counted.
    pub unit: &'a str,
    /// What the parts of a bar are, left to right, each with its colour and pattern in the page.
    pub parts: &'a [(&'static str, &'static str)],
    /// The name of each bar and the counts of its parts.
    pub rows: &'a [(String, Vec<u64>)],
}

const LEFT: f64 = 104.0;
const RIGHT: f64 = WIDTH - 40.0;
const BAR: f64 = 14.0;
const PITCH: f64 = 22.0;
const LONGEST_NAME: usize = 14;

impl Bars<'_> {
    /// Draws it.
    pub fn draw(&self, page: &mut Markup) {
        let most = self.rows.iter().map(|row| row.1.iter().sum::<u64>()).max().unwrap_or(0).max(1);
        let marks = ticks(0.0, most as f64, 4);
        let right = marks[marks.len() - 1];
        let x = |value: f64| LEFT + value / right * (RIGHT - LEFT);
        let top = 10.0 + 18.0 * self.parts.len() as f64;
        let bottom = top + PITCH * self.rows.len() as f64;
        figure(page, self.id, self.caption, bottom + 38.0, |svg| {
            for (index, (class, name)) in self.parts.iter().enumerate() {
                let y = 4.0 + 18.0 * index as f64;
                bar(svg, class, (LEFT, y, 22.0, 12.0), |_| {});
                letters(svg, "tick", LEFT + 28.0, y + 10.0, name);
            }
            // Half a thing cannot be counted.
            for tick in marks.iter().filter(|tick| tick.fract() == 0.0) {
                rule(svg, "grid", (x(*tick), top), (x(*tick), bottom));
                letters(svg, "tick mid", x(*tick), bottom + 15.0, compact(*tick));
            }
            letters(svg, "unit mid", (LEFT + RIGHT) / 2.0, bottom + 32.0, self.unit);
            for (index, (name, counts)) in self.rows.iter().enumerate() {
                let y = top + PITCH * index as f64 + (PITCH - BAR) / 2.0;
                letters(svg, "tick end", LEFT - 6.0, y + 11.0, cut(name, LONGEST_NAME));
                let mut from = 0;
                for (&count, (class, part)) in counts.iter().zip(self.parts).filter(|(count, _)| **count > 0) {
                    let (start, end) = (x(from as f64), x((from + count) as f64));
                    bar(svg, class, (start, y, end - start, BAR), |inside| {
                        inside.put("title", &[], format!("{name}: {count} {part}"));
                    });
                    from += count;
                }
                letters(svg, "tick", x(from as f64) + 5.0, y + 11.0, from);
            }
            // Over the bars, which have a rim in the colour of the page.
            rule(svg, "axis", (LEFT, top), (LEFT, bottom));
        });
    }
}

fn bar(svg: &mut Markup, class: &str, (x, y, width, height): (f64, f64, f64, f64), inside: impl FnOnce(&mut Markup)) {
    let class = format!("bar {class}");
    let (x, y, width, height) = (units(x), units(y), units(width.max(1.0)), units(height));
    svg.within("rect", &[("class", &class), ("x", &x), ("y", &y), ("width", &width), ("height", &height)], inside);
}
