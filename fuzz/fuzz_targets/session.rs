//! The text form of a session, changed by the operators on sessions and on the messages in them.

#![cfg_attr(fuzzing, no_main)]

use wirebench::case::Session;
use wirebench_fuzz::{Verdict, check_session};

fn run(text: &[u8]) -> Verdict {
    let Ok(session) = Session::decode(text) else { return Verdict::Reject };
    check_session(&session);
    Verdict::Keep
}

wirebench_fuzz::target!(run, mutate: wirebench::mutate::libfuzzer_session);
