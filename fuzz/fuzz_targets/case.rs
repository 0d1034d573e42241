//! The text form of one case, changed by the operators of `wirebench::mutate`.

#![cfg_attr(fuzzing, no_main)]

use wirebench::case::Case;
use wirebench_fuzz::{Verdict, check};

fn run(text: &[u8]) -> Verdict {
    let Ok(case) = Case::decode(text) else { return Verdict::Reject };
    check(&case);
    Verdict::Keep
}

wirebench_fuzz::target!(
    run,
    mutate: wirebench::mutate::libfuzzer,
    crossover: wirebench::mutate::libfuzzer_crossover
);
