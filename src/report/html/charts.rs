//! The plots of the page, each with the numbers that it shows as a table.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{data, table};
use crate::report::beside::{Beside, Record, Unit};
use crate::report::markup::Markup;
use crate::report::plot::bars::Bars;
use crate::report::plot::grid::Grid;
use crate::report::plot::line::{Across, Line};
use crate::report::{Run, Target, rules as covered, series};

/// Coverage, corpus and rate of every target.
pub fn over_time(main: &mut Markup, run: &Run) {
    section(main, "over-time", "Over time", |section| {
        let sampled: Vec<&Target> = run.targets.iter().filter(|target| !target.samples.is_empty()).collect();
        if sampled.is_empty() {
            section.put("p", &[], "The engine told nothing over time.");
        }
        let mut left = 0;
        for (index, target) in sampled.into_iter().enumerate() {
            if section.size() > super::ROOM_OF_PLOTS {
                left += 1;
                continue;
            }
            section.put("h3", &[], target.label());
            let seconds = |of: fn(&series::Sample) -> u64| -> Vec<(f64, f64)> {
                target.samples.iter().map(|sample| (sample.seconds as f64, of(sample) as f64)).collect()
            };
            let rates: Vec<(f64, f64)> =
                series::rates(&target.samples).into_iter().map(|(at, rate)| (at as f64, rate)).collect();
            let lines = [
                ("coverage", "Coverage", "edges", "s0", seconds(|sample| sample.coverage), false),
                ("corpus", "Corpus", "inputs", "s1", seconds(|sample| sample.corpus), true),
                ("rate", "Executions", "a second, all processes", "s2", rates, true),
            ];
            section.within("div", &[("class", &"plots")], |plots| {
                for (key, word, unit, class, points, from_zero) in &lines {
                    let (id, caption) = (format!("{key}-{index}"), format!("{word} of {}", target.label()));
                    let (points, across) = (points.as_slice(), Across::Time);
                    let line = Line { id: &id, caption: &caption, unit, class, across, points, from_zero: *from_zero };
                    plots.within("figure", &[], |figure| line.draw(figure));
                }
            });
            let rows = target.samples.iter().map(|sample| {
                [sample.seconds, sample.executions, sample.coverage, sample.features, sample.corpus]
                    .map(grouped)
                    .to_vec()
            });
            let columns = ["#second", "#executions so far", "#edges", "#features", "#corpus inputs"];
            data(section, &format!("{} over time", target.label()), &columns, rows);
        }
        if left > 0 {
            section.put("p", &[("class", &"note")], format!("{left} more targets are left out here."));
        }
    });
}

/// What became of every target.
pub fn targets(main: &mut Markup, run: &Run) {
    section(main, "targets", "Targets", |section| {
        let columns = [
            "target",
            "state",
            "#executions",
            "#a second",
            "#edges",
            "#features",
            "#corpus",
            "#seeds",
            "#restarts",
            "#artifacts",
            "#MiB",
        ];
        let rows = run.targets.iter().map(|target| {
            let mut cells = vec![target.label(), target.state.word().to_owned(), grouped(target.executions)];
            cells.push(grouped(target.rate() as u64));
            let Target { coverage, features, corpus, seeds, restarts, artifacts, memory_mb, .. } = *target;
            cells.extend([coverage, features, corpus, seeds, restarts, artifacts, memory_mb].map(grouped));
            cells
        });
        table(section, "Targets of this run", &columns, rows);
    });
}

/// Findings by the family of what is broken.
pub fn families(section: &mut Markup, run: &Run) {
    let mut counts: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for found in &run.findings {
        counts.entry(found.family()).or_default()[usize::from(found.known)] += 1;
    }
    let mut rows: Vec<(String, Vec<u64>)> =
        counts.into_iter().map(|(family, counts)| (family.to_owned(), counts.to_vec())).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.1.iter().sum::<u64>()));
    let left = rows.len().saturating_sub(BARS);
    rows.truncate(BARS);
    let parts = [("p-bad", "new"), ("p-rest", "known from the baseline")];
    let bars = Bars { id: "families", caption: "Findings by family", unit: "findings", parts: &parts, rows: &rows };
    section.within("figure", &[("class", &"single")], |figure| {
        bars.draw(figure);
        let cells = rows.iter().map(|(name, counts)| named(name, counts));
        data(figure, "findings by family", &["family", "#new", "#known"], cells);
        if left > 0 {
            figure.put("p", &[("class", &"note")], format!("{left} smaller families are left out."));
        }
    });
}

/// Which rules were exercised.
pub fn rules(main: &mut Markup, run: &Run) {
    section(main, "rules", "Rules", |section| {
        let Some(layers) = covered::by_layer(run) else {
            section.put(
                "p",
                &[],
                "This run did not tell which invariants its inputs exercised, so nothing is said of rules.",
            );
            return;
        };
        let total: usize = layers.iter().map(|layer| layer.exercised + layer.missed + layer.read + layer.unseen).sum();
        let exercised: usize = layers.iter().map(|layer| layer.exercised).sum();
        section.put(
            "p",
            &[],
            format!(
                "{exercised} of {total} rules were exercised: an invariant that names the rule spoke of at least one \
                 input. Not exercised is not passed."
            ),
        );
        let rows: Vec<(String, Vec<u64>)> = layers
            .iter()
            .map(|layer| {
                (
                    layer.name.to_owned(),
                    [layer.exercised, layer.missed, layer.read, layer.unseen].map(|count| count as u64).to_vec(),
                )
            })
            .collect();
        let parts = [
            ("p-good", "exercised"),
            ("p-bad", "named by an invariant, not met"),
            ("p-some", "read by the codec alone"),
            ("p-rest", "needs a live peer, or is a permission"),
        ];
        let bars = Bars { id: "layers", caption: "Rules by layer", unit: "rules", parts: &parts, rows: &rows };
        section.within("figure", &[("class", &"single")], |figure| {
            bars.draw(figure);
            let cells = rows.iter().map(|(name, counts)| named(name, counts));
            data(
                figure,
                "rules by layer",
                &["layer", "#exercised", "#not met", "#read by the codec alone", "#not in the bytes"],
                cells,
            );
        });
        if !run.end.unexercised.is_empty() {
            section.put("h3", &[], "Invariants that met no input");
            section.within("ul", &[("class", &"ids")], |list| {
                run.end.unexercised.iter().for_each(|id| list.within("li", &[], |item| item.put("code", &[], id)));
            });
        }
    });
}

/// Which invariants kill which mutants, by family.
pub fn kills(main: &mut Markup, beside: &Beside) {
    if beside.kills.is_empty() {
        return;
    }
    section(main, "kills", "Mutants", |section| {
        let alive: Vec<&str> =
            beside.kills.iter().filter(|kill| kill.by.is_none()).map(|kill| kill.mutant.as_str()).collect();
        let killed = beside.kills.len() - alive.len();
        section.put("p", &[], format!("{killed} of {} mutants were killed.", beside.kills.len()));
        if !alive.is_empty() {
            section.put("p", &[("class", &"bad")], format!("✗ Alive: {}", alive.join(", ")));
        }
        let of = |id: &str| id.split('.').next().unwrap_or(id).to_owned();
        let unique = |ids: &mut dyn Iterator<Item = String>| -> Vec<String> {
            ids.collect::<BTreeSet<_>>().into_iter().take(BARS).collect()
        };
        let down = unique(&mut beside.kills.iter().map(|kill| of(&kill.mutant)));
        let mut across = unique(&mut beside.kills.iter().filter_map(|kill| kill.by.as_deref()).map(of));
        across.push("alive".to_owned());
        let mut counts = vec![vec![0; across.len()]; down.len()];
        for kill in &beside.kills {
            let column =
                kill.by.as_deref().map_or(Some(across.len() - 1), |by| across.iter().position(|name| *name == of(by)));
            if let (Some(row), Some(column)) = (down.iter().position(|name| *name == of(&kill.mutant)), column) {
                counts[row][column] += 1;
            }
        }
        let grid = Grid {
            id: "matrix",
            caption: "Mutants by family, and the family of the invariant that killed each first",
            down: ("mutants", &down),
            across: ("killed by invariants of", &across),
            bad: Some(across.len() - 1),
            counts: &counts,
        };
        section.within("figure", &[("class", &"single")], |figure| {
            grid.draw(figure);
            let rows = beside.kills.iter().take(ROWS).map(|kill| {
                let by = kill.by.clone().unwrap_or_else(|| "alive".to_owned());
                let bytes = kill.bytes.map_or_else(String::new, |bytes| bytes.to_string());
                vec![kill.mutant.clone(), by, kill.cases.to_string(), bytes]
            });
            data(figure, "mutants", &["mutant", "killed by", "#cases", "#bytes of the proof"], rows);
        });
    });
}

/// How speed went from record to record.
pub fn speed(main: &mut Markup, beside: &Beside) {
    if beside.speed.is_empty() {
        return;
    }
    section(main, "speed", "Speed", |section| {
        section.put(
            "p",
            &[],
            "A line joins records that can be compared: the same workload, toolchain, processor, profile and counter. A \
             dashed line stands where one of them changes. Less is faster.",
        );
        let names: Vec<String> = beside.speed.iter().map(|record| record.date.clone()).collect();
        let settings: Vec<String> = beside.speed.iter().map(|record| record.setting.clone()).collect();
        let measured = measured(&beside.speed);
        let left = measured.len().saturating_sub(LINES);
        section.within("div", &[("class", &"plots")], |plots| {
            for (index, ((unit, name), points)) in measured.iter().take(LINES).enumerate() {
                let (word, class) = match unit {
                    Unit::Instructions => ("instructions", "s0"),
                    Unit::Ratio => ("of the other's time", "s1"),
                };
                let id = format!("speed-{index}");
                let across = Across::Records { names: &names, settings: &settings };
                let line = Line { id: &id, caption: name, unit: word, class, across, points, from_zero: false };
                plots.within("figure", &[], |figure| line.draw(figure));
            }
        });
        if left > 0 {
            section.put("p", &[("class", &"note")], format!("{left} more measurements are left out."));
        }
        let rows = beside.speed.iter().flat_map(|record| {
            record.values.iter().map(|(unit, name, value)| {
                let word = if *unit == Unit::Instructions { "instructions" } else { "ratio" };
                vec![record.date.clone(), name.clone(), word.to_owned(), value.to_string(), record.setting.clone()]
            })
        });
        data(
            section,
            "speed",
            &["date", "name", "unit", "#value", "workload, toolchain, processor, profile, counter"],
            rows.take(ROWS),
        );
    });
}

/// Bars, rows or columns of one plot at most.
const BARS: usize = 24;

/// Lines of speed at most.
const LINES: usize = 24;

/// Rows of one table at most.
const ROWS: usize = 400;

type Measured<'a> = BTreeMap<(Unit, &'a str), Vec<(f64, f64)>>;

fn measured(records: &[Record]) -> Measured<'_> {
    let mut lines: Measured<'_> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        for (unit, name, value) in &record.values {
            lines.entry((*unit, name)).or_default().push((index as f64, *value));
        }
    }
    lines
}

/// A count with its thousands apart.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn named(name: &str, counts: &[u64]) -> Vec<String> {
    std::iter::once(name.to_owned()).chain(counts.iter().map(u64::to_string)).collect()
}

/// A section with its title.
pub fn section(main: &mut Markup, id: &'static str, title: &'static str, inside: impl FnOnce(&mut Markup)) {
    let label = format!("{id}-title");
    main.within("section", &[("id", &id), ("aria-labelledby", &label)], |section| {
        section.put("h2", &[("id", &label)], title);
        inside(section);
    });
}
