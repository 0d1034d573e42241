//! Which subject a verb was asked to run, by its name.

use wirebench::subject::{self, Subject};

use super::exit::Code;
use super::tell;

/// What makes the subject of that name, again and again.
///
/// # Errors
///
/// Says what to do and returns the code when there is no such subject.
pub fn named(name: &str) -> Result<impl Fn() -> Box<dyn Subject> + Sync + '_, Code> {
    if subject::by_name(name).is_none() {
        tell("wirebench: no such subject; `wirebench list subjects` names them");
        return Err(Code::Usage);
    }
    Ok(move || subject::by_name(name).expect("it was there a moment ago"))
}
