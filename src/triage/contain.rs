//! Runs a piece of work so that a panic of the subject becomes a value.
//!
//! Containment is the point here: a run goes on after a subject panicked. What is kept is the source line and the
//! message with digits and quoted parts masked, since these may hold text of a peer. An abort, a stack that overflows
//! and a hang are beyond this module; only another process contains those.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

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

/// The path from the crate's own folder on, so that it is the same on every machine.
fn short_path(file: &str) -> &str {
    match file.rfind("/src/") {
        Some(at) => &file[file[..at].rfind('/').map_or(0, |slash| slash + 1)..],
        None => file,
    }
}

/// The first line, without digits and without anything in quotes or backticks.
pub(crate) fn mask(message: &str) -> String {
    let mut masked = String::new();
    let mut quote = None;
    for character in message.lines().next().unwrap_or("").chars() {
        match (quote, character) {
            (Some(open), close) if close == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => {
                quote = Some(character);
                masked.push('_');
            }
            // A number is one mark, however long.
            (None, '0'..='9') if masked.ends_with('#') => {}
            (None, '0'..='9') => masked.push('#'),
            (None, other) if other.is_ascii_graphic() || other == ' ' => masked.push(other),
            _ => {}
        }
        if masked.len() >= 120 {
            break;
        }
    }
    masked
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

    #[test]
    fn a_place_is_the_same_on_every_machine() {
        assert_eq!(short_path("/home/x/registry/serde-1.0.0/src/de/mod.rs"), "serde-1.0.0/src/de/mod.rs");
        assert_eq!(short_path("src/codec/mod.rs"), "src/codec/mod.rs");
    }
}
