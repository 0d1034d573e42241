//! Which lines of the codec the corpus reaches.

use std::collections::BTreeMap;

use super::charts;
use super::table::data;
use crate::report::markup::Markup;
use crate::report::plot::bars::Bars;
use crate::report::{Lines, Run};

/// Files in the table at most; a codec has far fewer.
const FILES: usize = 400;

/// Bars at most.
const BARS: usize = 24;

/// The section; none where lines were not counted.
pub fn section(main: &mut Markup, run: &Run) {
    let files = &run.end.lines;
    if files.is_empty() {
        return;
    }
    charts::section(main, "lines", "Lines", |section| {
        section.put("p", &[], "Lines of the codec that hold code, by whether an input of the corpus executes them.");
        let mut rooms: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
        for file in files {
            let room = rooms.entry(room(&file.file)).or_default();
            room[0] = room[0].saturating_add(file.covered);
            room[1] = room[1].saturating_add(file.lines.saturating_sub(file.covered));
        }
        let rows: Vec<(String, Vec<u64>)> =
            rooms.into_iter().take(BARS).map(|(name, counts)| (name.to_owned(), counts.to_vec())).collect();
        let parts = [("p-good", "reached"), ("p-rest", "not reached")];
        let bars = Bars { id: "lines-by-room", caption: "Lines by part", unit: "lines", parts: &parts, rows: &rows };
        section.within("figure", &[("class", &"single")], |figure| {
            bars.draw(figure);
            let cells = files.iter().take(FILES).map(|Lines { file, lines, covered }| {
                let part = *covered as f64 / (*lines).max(1) as f64 * 100.0;
                vec![file.clone(), covered.to_string(), lines.to_string(), format!("{part:.1}")]
            });
            data(figure, "lines by file", &["file", "#reached", "#lines", "#per cent"], cells);
        });
    });
}

/// The part of the codec that a file belongs to: the folder or the file right below `src/codec`.
fn room(file: &str) -> &str {
    let below = file.strip_prefix("src/codec/").unwrap_or(file);
    below.split('/').next().unwrap_or(below).trim_end_matches(".rs")
}
