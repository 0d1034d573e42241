//! A generator builds a case out of entropy. It never calls the codec, so it cannot share its blind spots.
//!
//! No bytes left means the plainest valid case; a rare branch is written `!u.ratio(n, d)?`. No generator reads a clock,
//! an RNG, a file or the environment.

use arbitrary::{Result, Unstructured};

use crate::case::{Case, Session};
use crate::mutation::Generated;

/// Which oddities a run has on. A run is mostly plain with a few things wrong.
#[derive(Clone, Debug, Default)]
pub struct Swarm {}

/// Draws one case with what was done to it.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn case(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Case>> {
    let _ = (u, swarm);
    Ok(Generated::default())
}

/// Draws one session with what was done to it.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn session(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Session>> {
    let _ = (u, swarm);
    Ok(Generated::default())
}
