//! Which subject a verb was asked to run, by its name.

use wirebench::subject::worker::{PREFIX, Trouble, Worker, WorkerLimits};
use wirebench::subject::{self, Subject};

use super::exit::Code;
use super::tell;

/// What makes the subject of that name, again and again.
///
/// # Errors
///
/// Says what to do and returns the code when there is no such subject, or it cannot be asked.
pub fn named(name: &str) -> Result<impl Fn() -> Box<dyn Subject> + Sync + '_, Code> {
    if name.starts_with(PREFIX) {
        probed(name)?;
    }
    if subject::by_name(name).is_none() {
        tell(
            "wirebench: no such subject; `wirebench list subjects` names them, and exec:COMMAND is a program of its own",
        );
        return Err(Code::Usage);
    }
    Ok(move || subject::by_name(name).expect("it was there a moment ago"))
}

/// A program that does not answer a ping would answer nothing, so nothing is run.
fn probed(name: &str) -> Result<(), Code> {
    let probe = WorkerLimits::from_environment().and_then(|limits| Worker::named(name, limits)?.probe());
    probe.map_err(|trouble| {
        tell(format!("wirebench: the subject {name} cannot be asked: {trouble}"));
        match trouble {
            Trouble::NoCommand | Trouble::Limits => Code::Usage,
            _ => Code::Unreadable,
        }
    })
}
