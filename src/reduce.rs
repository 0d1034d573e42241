//! Smaller neighbours of a case; serves proptest shrinking and triage alike.

use crate::case::{Case, Session};

/// The smaller neighbours of a case, the boldest first.
pub fn candidates(case: &Case) -> Vec<Case> {
    let _ = case;
    Vec::new()
}

/// The smallest case found for which `keeps` still says yes.
pub fn minimise(case: Case, keeps: impl FnMut(&Case) -> bool) -> Case {
    let _ = keeps;
    case
}

/// The smallest session found for which `keeps` still says yes.
pub fn minimise_session(session: Session, keeps: impl FnMut(&Session) -> bool) -> Session {
    let _ = keeps;
    session
}
