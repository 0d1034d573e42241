//! What a run took and how much of the codec it reached, in words that every form for people shares.

use super::Run;

/// Names and values, in order; none for a run without an engine.
pub fn facts(run: &Run) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(lines) = lines(run) {
        facts.push(("lines of the codec reached", lines));
    }
    let Some(cost) = run.end.cost else { return facts };
    facts.push(("budget spent executing", format!("{:.0} %", cost.executing * 100.0)));
    facts.push(("building", format!("{:.0} s", cost.building_seconds)));
    facts.push(("from builds to report", format!("{:.0} s", cost.running_seconds)));
    let engines = run.targets.iter().map(|target| target.memory_mb).max().unwrap_or(0);
    facts.push(("peak memory of an engine", format!("{engines} MiB")));
    if cost.memory_mb > 0 {
        facts.push(("peak memory of this process", format!("{} MiB", cost.memory_mb)));
    }
    facts.push(("folder of the run", format!("{:.1} MB", cost.folder_bytes as f64 / 1e6)));
    facts
}

/// Lines reached of all that hold code, where they were counted.
fn lines(run: &Run) -> Option<String> {
    let sum = |of: fn(&super::Lines) -> u64| run.end.lines.iter().map(of).fold(0, u64::saturating_add);
    let (reached, all) = (sum(|file| file.covered), sum(|file| file.lines));
    (all > 0).then(|| format!("{:.1} % ({reached} of {all})", reached as f64 / all as f64 * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::sample;
    use crate::report::{Cost, Lines};

    #[test]
    fn what_was_not_measured_is_not_told() {
        let mut run = sample();
        assert_eq!(facts(&run), []);
        run.end.cost = Some(Cost { executing: 0.934, folder_bytes: 1_250_000, ..Cost::default() });
        run.end.lines = vec![Lines { file: "a".to_owned(), lines: 8, covered: 6 }];
        run.targets[0].memory_mb = 40;
        let told = facts(&run);
        assert_eq!(told[0].1, "75.0 % (6 of 8)");
        assert_eq!(told[1].1, "93 %");
        assert!(told.contains(&("peak memory of an engine", "40 MiB".to_owned())));
        assert!(!told.iter().any(|(name, _)| *name == "peak memory of this process"));
    }
}
