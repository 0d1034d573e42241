//! Any bytes, as the body of one message over stdio. From which party is a matter of the bytes alone, so that one
//! execution reads one message and the same input is judged alike each time; most changes of an input change it.
//!
//! The engine's own byte mutations reach what no generator would write; what they rarely reach is a whole message, which
//! is the business of the `case` target.

#![cfg_attr(fuzzing, no_main)]

use wirebench::case::{Case, Party};
use wirebench_fuzz::{Verdict, check};

fn run(bytes: &[u8]) -> Verdict {
    let sum = bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte));
    check(&Case::stdio(if sum.is_multiple_of(2) { Party::Client } else { Party::Server }, bytes));
    Verdict::Keep
}

wirebench_fuzz::target!(run);
