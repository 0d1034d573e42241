//! Any bytes, as the body of one message over stdio, from either party.
//!
//! The engine's own byte mutations reach what no generator would write; what they rarely reach is a whole message, which
//! is the business of the `case` target.

#![cfg_attr(fuzzing, no_main)]

use wirebench::case::{Case, Party};
use wirebench_fuzz::{Verdict, check};

fn run(bytes: &[u8]) -> Verdict {
    for from in [Party::Client, Party::Server] {
        check(&Case::stdio(from, bytes));
    }
    Verdict::Keep
}

wirebench_fuzz::target!(run);
