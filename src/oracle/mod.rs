//! An oracle decides whether an observation is a bug: it joins a case, a subject and the invariants.

pub mod predict;

use crate::case::{Case, Session};
use crate::finding::Finding;
use crate::mutation::Generated;
use crate::subject::Subject;

/// Checks every invariant that speaks of a single case.
///
/// # Errors
///
/// The first violation.
pub fn check(subject: &mut dyn Subject, case: &Case) -> Result<(), Box<Finding>> {
    let _ = (subject, case);
    Ok(())
}

/// Checks every invariant, and that the refusal is the one that the mutations predict.
///
/// # Errors
///
/// The first violation.
pub fn check_generated(subject: &mut dyn Subject, case: &Generated<Case>) -> Result<(), Box<Finding>> {
    let _ = (subject, case);
    Ok(())
}

/// Checks every invariant on a session from its start.
///
/// # Errors
///
/// The first violation.
pub fn check_session(subject: &mut dyn Subject, session: &Session) -> Result<(), Box<Finding>> {
    let _ = (subject, session);
    Ok(())
}
