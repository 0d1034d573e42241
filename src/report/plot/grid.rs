//! How often two things meet: a field for each pair, darker where it is more often.

use super::{WIDTH, figure, letters, units};
use crate::report::markup::{Markup, cut};

/// A plot of fields.
pub struct Grid<'a> {
    /// A name within the page.
    pub id: &'a str,
    /// What is shown.
    pub caption: &'a str,
    /// What a row is, and the names of the rows.
    pub down: (&'a str, &'a [String]),
    /// What a column is, and the names of the columns.
    pub across: (&'a str, &'a [String]),
    /// The column that is bad news; its fields look different.
    pub bad: Option<usize>,
    /// How often, by row and column.
    pub counts: &'a [Vec<u64>],
}

const LEFT: f64 = 84.0;
const TOP: f64 = 100.0;
const ROW: f64 = 20.0;
const LONGEST_NAME: usize = 13;

impl Grid<'_> {
    /// Draws it.
    pub fn draw(&self, page: &mut Markup) {
        let (rows, columns) = (self.down.1, self.across.1);
        let pitch = ((WIDTH - LEFT - 2.0) / columns.len().max(1) as f64).min(34.0);
        let most = self.counts.iter().flatten().copied().max().unwrap_or(0).max(1);
        figure(page, self.id, self.caption, TOP + ROW * rows.len() as f64 + 24.0, |svg| {
            letters(svg, "unit", 0.0, TOP - 8.0, self.down.0);
            for (index, name) in columns.iter().enumerate() {
                let x = LEFT + pitch * (index as f64 + 0.5) + 4.0;
                let turn = format!("rotate(-90 {} {})", units(x), units(TOP - 6.0));
                let place = (units(x), units(TOP - 6.0));
                svg.put(
                    "text",
                    &[("class", &"tick"), ("x", &place.0), ("y", &place.1), ("transform", &turn)],
                    cut(name, LONGEST_NAME),
                );
            }
            for (row, (name, counts)) in rows.iter().zip(self.counts).enumerate() {
                let y = TOP + ROW * row as f64;
                letters(svg, "tick end", LEFT - 6.0, y + 14.0, cut(name, LONGEST_NAME));
                for (column, &count) in counts.iter().enumerate() {
                    let x = LEFT + pitch * column as f64;
                    let class = match (count, self.bad == Some(column)) {
                        (0, _) => "field none",
                        (_, true) => "field bad",
                        _ => "field some",
                    };
                    let depth = format!("{:.2}", 0.25 + 0.75 * (count as f64 / most as f64).sqrt());
                    let (at, up, wide, high) = (units(x + 1.0), units(y + 1.0), units(pitch - 2.0), units(ROW - 2.0));
                    let shape: [(&'static str, &dyn std::fmt::Display); 6] = [
                        ("class", &class),
                        ("x", &at),
                        ("y", &up),
                        ("width", &wide),
                        ("height", &high),
                        ("fill-opacity", &depth),
                    ];
                    svg.within("rect", &shape, |field| {
                        field.put("title", &[], format!("{name} by {}: {count}", columns[column]));
                    });
                    if count > 0 {
                        letters(svg, "count mid", x + pitch / 2.0, y + 14.0, count);
                    }
                }
            }
            letters(svg, "unit", LEFT, TOP + ROW * rows.len() as f64 + 18.0, self.across.0);
        });
    }
}
