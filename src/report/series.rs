//! How a target went over time: samples of several processes as one line, short enough for a page.
//!
//! A process tells what it did since its last sample; [`merged`] joins processes that ran side by side or one after the
//! other. Who takes samples, and out of which log, is not known here.

use serde::{Deserialize, Serialize};

/// One point in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sample {
    /// Whole seconds since the campaign began to fuzz.
    pub seconds: u64,
    /// Inputs executed: by one process since its last sample before [`merged`], by all of them so far after it.
    pub executions: u64,
    /// Edges covered, as the engine counts them; the most that any process had reached.
    pub coverage: u64,
    /// Features reached, as the engine counts them; the most that any process had reached.
    pub features: u64,
    /// Inputs in the corpus of the engine; the most that any process held.
    pub corpus: u64,
}

/// How many samples a target keeps. Plots are a few hundred units wide, so more would not be seen.
pub const KEPT: usize = 96;

/// The samples of all processes of a target as one line that never falls, at most [`KEPT`] long: the last one of each
/// of as many equal spans of time.
///
/// ```
/// use wirebench::report::{Sample, series};
///
/// let one = Sample { seconds: 1, executions: 10, coverage: 5, ..Sample::default() };
/// let other = Sample { seconds: 2, executions: 7, coverage: 3, ..Sample::default() };
/// let line = series::merged(vec![other, one]);
/// assert_eq!((line[1].executions, line[1].coverage), (17, 5));
/// ```
pub fn merged(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.sort_by_key(|sample| sample.seconds);
    let last = samples.last().map_or(0, |sample| sample.seconds);
    let span = |sample: &Sample| u128::from(sample.seconds) * KEPT as u128 / (u128::from(last) + 1);
    let mut line: Vec<Sample> = Vec::new();
    let mut so_far = Sample::default();
    for sample in samples {
        so_far = Sample {
            seconds: sample.seconds,
            executions: so_far.executions.saturating_add(sample.executions),
            coverage: so_far.coverage.max(sample.coverage),
            features: so_far.features.max(sample.features),
            corpus: so_far.corpus.max(sample.corpus),
        };
        match line.last_mut() {
            Some(last) if span(last) == span(&so_far) => *last = so_far,
            _ => line.push(so_far),
        }
    }
    line
}

/// Executions a second between two samples in a row, as (seconds at the end of the span, rate).
pub fn rates(line: &[Sample]) -> Vec<(u64, f64)> {
    let pairs = line.windows(2).filter(|pair| pair[1].seconds > pair[0].seconds);
    pairs
        .map(|pair| {
            let did = pair[1].executions.saturating_sub(pair[0].executions);
            (pair[1].seconds, did as f64 / (pair[1].seconds - pair[0].seconds) as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(seconds: u64, executions: u64, coverage: u64) -> Sample {
        Sample { seconds, executions, coverage, ..Sample::default() }
    }

    #[test]
    fn processes_side_by_side_add_up_and_coverage_never_falls() {
        let line = merged(vec![sample(1, 10, 5), sample(3, 10, 9), sample(2, 1, 2), sample(4, 1, 3)]);
        assert_eq!(line, [sample(1, 10, 5), sample(2, 11, 5), sample(3, 21, 9), sample(4, 22, 9)]);
        assert_eq!(rates(&line), [(2, 1.0), (3, 10.0), (4, 1.0)]);
    }

    #[test]
    fn a_long_night_is_as_short_as_a_page_needs_and_keeps_its_end() {
        let line = merged((0..30_000).map(|second| sample(second, 2, second)).collect());
        assert!(line.len() <= KEPT, "{}", line.len());
        assert_eq!(line.last(), Some(&sample(29_999, 60_000, 29_999)));
    }
}
