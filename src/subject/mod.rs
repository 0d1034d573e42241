//! A subject is the system under test: the codec, a mutant of it, an SDK, a live server.

use std::fmt;

use crate::case::Case;
use crate::observation::Observation;

/// The system under test.
pub trait Subject {
    /// The name that findings carry.
    fn name(&self) -> &str;

    /// Forgets negotiation state: the next case opens a new session.
    fn reset(&mut self);

    /// Shows the subject one message, in the order of its session.
    ///
    /// # Errors
    ///
    /// [`Unreachable`] when the subject could not be asked, which is neither a pass nor a finding.
    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable>;
}

/// The subject could not be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable;

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the subject could not be reached")
    }
}

impl std::error::Error for Unreachable {}
