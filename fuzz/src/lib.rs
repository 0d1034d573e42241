//! What every fuzz target shares: the subject, the check, and a main function for each of the two ways to run.
//!
//! Built by `cargo fuzz`, a target is a libFuzzer program. Built by plain `cargo build`, the same target is a program
//! that replays the files and folders named on its command line (see [`replay`]). No judgement happens here: a target
//! decodes its input and hands it to the oracle.

use std::cell::RefCell;

use wirebench::case::{Case, Session};
use wirebench::oracle::Oracle;
use wirebench::subject::{self, Subject};

mod counters;
pub mod replay;

use counters::Counters;

#[cfg(fuzzing)]
#[doc(hidden)]
pub use libfuzzer_sys;

/// Whether an input belongs to the shape that a target works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does; the engine may keep it in its corpus.
    Keep,
    /// It does not decode; the engine forgets it.
    Reject,
}

/// The environment variable that names the subject; the codec itself when it is not set.
pub const SUBJECT_VARIABLE: &str = "WIREBENCH_SUBJECT";

/// Shows the case to the subject and checks every invariant that speaks of a single case.
///
/// # Panics
///
/// With the text of the finding when an invariant is violated: that is how libFuzzer learns of it.
pub fn check(case: &Case) {
    let checked = BENCH.with_borrow_mut(|bench| {
        let Bench { subject, oracle, counters } = bench.get_or_insert_with(Bench::set_up);
        counters.of_first(1, subject.as_mut(), |subject| oracle.check(subject, case))
    });
    if let Err(finding) = checked {
        panic!("{finding}");
    }
}

/// Shows the session to the subject from its start and checks every invariant of its messages and of the whole.
///
/// # Panics
///
/// With the text of the finding when an invariant is violated.
pub fn check_session(session: &Session) {
    let checked = BENCH.with_borrow_mut(|bench| {
        let Bench { subject, oracle, counters } = bench.get_or_insert_with(Bench::set_up);
        let messages = session.cases.len();
        counters.of_first(messages, subject.as_mut(), |subject| oracle.check_session(subject, session))
    });
    if let Err(finding) = checked {
        panic!("{finding}");
    }
}

/// Defines the main function of a target from `fn(&[u8]) -> Verdict` and, for a structured input, its mutator and its
/// crossover.
#[macro_export]
macro_rules! target {
    ($run:path $(, mutate: $mutate:path)? $(, crossover: $crossover:path)?) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> $crate::libfuzzer_sys::Corpus {
            match $run(bytes) {
                $crate::Verdict::Keep => $crate::libfuzzer_sys::Corpus::Keep,
                $crate::Verdict::Reject => $crate::libfuzzer_sys::Corpus::Reject,
            }
        });

        $(
            #[cfg(fuzzing)]
            $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
                $mutate(data, size, max_size, seed, $crate::libfuzzer_sys::fuzzer_mutate)
            });
        )?

        $(
            #[cfg(fuzzing)]
            $crate::libfuzzer_sys::fuzz_crossover!(|left: &[u8], right: &[u8], out: &mut [u8], seed: u32| {
                $crossover(left, right, out, seed)
            });
        )?

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay::main(env!("CARGO_BIN_NAME"), $run)
        }
    };
}

thread_local! {
    // One for the whole run, so that its buffers stay warm; the oracle resets the subject before each case.
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

struct Bench {
    subject: Box<dyn Subject>,
    oracle: Oracle,
    counters: Counters,
}

impl Bench {
    fn set_up() -> Self {
        end_with_parent();
        let name = std::env::var(SUBJECT_VARIABLE).unwrap_or_else(|_| "codec".to_owned());
        let Some(subject) = subject::by_name(&name) else {
            eprintln!("{SUBJECT_VARIABLE}: no such subject; `wirebench list subjects` names them");
            std::process::exit(2)
        };
        // A replay judges by every rule; an engine asks for one relation an input, and so executes several times as many.
        let oracle = if cfg!(fuzzing) { Oracle::in_turn() } else { Oracle::new() };
        Self { subject, oracle, counters: Counters::default() }
    }
}

/// The environment variable that names the process that runs the campaign.
pub const PARENT_VARIABLE: &str = "WIREBENCH_PARENT";

/// Ends this process when the campaign that started it is killed: nobody would triage what it finds. It is killed in
/// turn, since an orderly end looks like a crash to the engine, which would leave an artifact.
fn end_with_parent() {
    #[cfg(unix)]
    if let Ok(parent) = std::env::var(PARENT_VARIABLE).unwrap_or_default().parse::<u32>() {
        use std::process::Command;
        use std::time::Duration;
        std::thread::spawn(move || {
            while std::os::unix::process::parent_id() == parent {
                std::thread::sleep(Duration::from_secs(1));
            }
            let _ = Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status();
        });
    }
}
