//! Why a run cannot begin: a sentence or two that say what to do.

use std::fmt;
use std::io;
use std::path::Path;

/// The sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unready(pub String);

impl Unready {
    /// A folder of a run that cannot be written.
    pub fn unwritable(folder: &Path, error: &io::Error) -> Self {
        let folder = folder.display();
        Self(format!("{folder} cannot be written ({error}): make room there, or name another folder with --out"))
    }
}

impl fmt::Display for Unready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unready {}
