//! Runs a piece of work so that a panic of the subject becomes a value.
//!
//! Containment is the point here: a run goes on after a subject panicked. What is kept is the source line and the
//! message with digits and quoted parts masked, since these may hold text of a peer. An abort, a stack that overflows
//! and a hang are beyond this module; only another process contains those.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use crate::finding::{mask, short_path};

/// A panic of the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// Crate or folder, file and line of the panic.
    pub place: String,
    /// Its message, digits and quoted parts masked.
    pub message: String,
}

thread_local! {
    /// `Some` while work of this thread is contained; holds the panic once there is one.
    static CONTAINED: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Runs the work.
///
/// # Errors
///
/// The panic that ended it.
pub fn contained<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !note(info) {
                previous(info)
            }
        }));
    });
    CONTAINED.set(Some(Panic { place: String::new(), message: String::new() }));
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    let noted = CONTAINED.take();
    outcome.map_err(|_| noted.expect("it was set before the work began, and the hook only replaces it"))
}

/// Keeps the panic if this thread is contained.
fn note(info: &PanicHookInfo<'_>) -> bool {
    CONTAINED.with_borrow_mut(|slot| {
        let Some(panic) = slot else { return false };
        panic.place = info
            .location()
            .map_or_else(String::new, |location| format!("{}:{}", short_path(location.file()), location.line()));
        panic.message = mask(info.payload_as_str().unwrap_or(""));
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_value_that_names_its_line() {
        let panic = contained(|| panic!("index 12 of \"secret\" is out of range")).unwrap_err();
        assert_eq!(panic.message, "index # of _ is out of range");
        assert!(panic.place.contains("triage/contain.rs:"), "{}", panic.place);
        assert_eq!(contained(|| 3), Ok(3));
    }
}
