//! Who runs when: the budget split over all targets by their weights, with every core busy until the end.
//!
//! The shares are laid end to end on a line as long as all cores together and the line is cut into cores. A target that
//! is cut runs on two cores one after the other, or side by side when its share is longer than the whole run; it goes
//! on from its working corpus either way.

/// One stretch of one target on one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The index of the target.
    pub target: usize,
    /// Its length in seconds.
    pub seconds: u64,
}

/// The stretches of each core for a run of `seconds`, given the weight of each target.
pub fn plan(weights: &[u64], cores: usize, seconds: u64) -> Vec<Vec<Stretch>> {
    let (targets, line) = (weights.len(), seconds * cores as u64);
    let whole = weights.iter().sum::<u64>().max(1);
    let cut = |target: usize| line * weights[..target].iter().sum::<u64>() / whole;
    (0..cores as u64)
        .map(|core| {
            let (from, to) = (core * seconds, (core + 1) * seconds);
            (0..targets)
                .filter_map(|target| {
                    let start = cut(target).max(from);
                    let end = cut(target + 1).min(to);
                    (start < end).then(|| Stretch { target, seconds: end - start })
                })
                .collect()
        })
        .collect()
}

/// What is left of the stretches of a core after so many seconds.
pub fn rest(stretches: &[Stretch], mut spent: u64) -> Vec<Stretch> {
    let mut left = Vec::new();
    for stretch in stretches {
        let gone = stretch.seconds.min(spent);
        spent -= gone;
        if gone < stretch.seconds {
            left.push(Stretch { seconds: stretch.seconds - gone, ..*stretch });
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_goes_on_where_it_was() {
        let [first, second] = [Stretch { target: 0, seconds: 40 }, Stretch { target: 1, seconds: 20 }];
        assert_eq!(rest(&[first, second], 0), [first, second]);
        assert_eq!(rest(&[first, second], 45), [Stretch { target: 1, seconds: 15 }]);
        assert_eq!(rest(&[first, second], 90), []);
    }

    #[test]
    fn every_target_has_its_share_and_every_core_is_busy_to_the_end() {
        for (targets, cores, seconds) in [(2, 2, 60), (3, 2, 60), (5, 4, 100), (1, 8, 30), (12, 1, 60), (7, 3, 11)] {
            let plan = plan(&vec![2; targets], cores, seconds);
            assert_eq!(plan.len(), cores);
            for core in &plan {
                assert_eq!(core.iter().map(|stretch| stretch.seconds).sum::<u64>(), seconds);
            }
            for target in 0..targets {
                let all = plan.iter().flatten().filter(|stretch| stretch.target == target);
                let share: u64 = all.map(|stretch| stretch.seconds).sum();
                let even = seconds * cores as u64 / targets as u64;
                assert!(share.abs_diff(even) <= 1, "{targets} {cores} {seconds}: {share} is not {even}");
            }
        }
    }
    #[test]
    fn a_share_is_as_large_as_its_weight() {
        let plan = plan(&[3, 3, 1, 1], 2, 60);
        let share = |target| plan.iter().flatten().filter(|at| at.target == target).map(|at| at.seconds).sum::<u64>();
        assert_eq!([0, 1, 2, 3].map(share), [45, 45, 15, 15]);
        assert_eq!(super::plan(&[], 2, 60), [[], []]);
    }
}
