//! A table that scrolls by itself, so that the page never does sideways.

use crate::report::markup::{Markup, cut};

/// The longest text in a cell, in characters.
pub const CELL: usize = 160;

/// Draws a table. A column whose name begins with `#` holds numbers; the mark itself is not shown.
pub fn table(page: &mut Markup, label: &str, columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    // Whoever has no pointer scrolls with the keys once it has the focus.
    page.within(
        "div",
        &[("class", &"wide"), ("tabindex", &"0"), ("role", &"region"), ("aria-label", &label)],
        |region| {
            region.within("table", &[], |table| {
                table.within("thead", &[], |head| {
                    head.within("tr", &[], |row| {
                        for column in columns {
                            row.put(
                                "th",
                                &[("scope", &"col"), ("class", &side(column))],
                                column.trim_start_matches('#'),
                            );
                        }
                    });
                });
                table.within("tbody", &[], |body| {
                    for cells in rows {
                        body.within("tr", &[], |row| {
                            for (cell, column) in cells.iter().zip(columns) {
                                row.put("td", &[("class", &side(column))], cut(cell, CELL));
                            }
                        });
                    }
                });
            });
        },
    );
}

/// The numbers of a plot as a table, folded away.
pub fn data(page: &mut Markup, label: &str, columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    page.within("details", &[("class", &"data")], |details| {
        details.put("summary", &[], format!("Numbers: {label}"));
        table(details, label, columns, rows);
    });
}

fn side(column: &str) -> &'static str {
    if column.starts_with('#') { "number" } else { "word" }
}
