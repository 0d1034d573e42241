//! Seeds and regressions on disk, and what each of them is expected to be read as.
//!
//! The corpus holds wire text. Each file has one row in `MANIFEST.toml` that says why it is there, which requirement it
//! speaks of, and the exact reading of each of its messages, derived from the rules and not from the code. Loading is
//! strict: a row without a file, a file without a row, a key that is not known and a second row for one file are errors.

pub mod baseline;
pub mod harvest;
pub mod manifest;
pub mod redact;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use baseline::Baseline;
pub use manifest::{Expectation, Manifest, Row};

/// The folder of the corpus below the root of the project.
pub const FOLDER: &str = "corpus";

/// Why a corpus cannot be loaded: a sentence that names the file or row of our own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

/// Every `.case` and `.session` below the folder, sorted; paths relative to it.
///
/// # Errors
///
/// What the file system reports.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == "case" || suffix == "session") {
                found.push(path.strip_prefix(folder).expect("it was found below the folder").to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The corpus folder that is nearest above the current one.
pub fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.join(manifest::FILE).is_file())
}
