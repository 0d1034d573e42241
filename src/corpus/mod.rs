//! Seeds and regressions on disk, and what each of them is expected to be read as.
//!
//! The corpus holds wire text. Each file has one row in `MANIFEST.toml` that says why it is there, which requirement it
//! speaks of, and the exact reading of each of its messages, derived from the rules and not from the code. Loading is
//! strict: a row without a file, a file without a row, a key that is not known and a second row for one file are errors.

pub mod add;
pub mod baseline;
pub mod check;
pub mod harvest;
pub mod manifest;
pub mod prune;
pub mod redact;

use std::io;
use std::path::{Path, PathBuf};

use crate::files;
use crate::limits::Limits;
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

/// The longest table of the corpus that is read, in bytes.
pub const LONGEST: u64 = 64 << 20;

/// The text of a table of the corpus.
fn table(path: &Path) -> Result<String, Malformed> {
    files::check_plain(path)
        .and_then(|()| files::read_text(path, LONGEST))
        .map_err(|error| Malformed(format!("{} cannot be read: {error}", path.display())))
}

/// The text of a file of the corpus.
///
/// # Errors
///
/// What the file system reports; when it is longer than any case that is read.
pub fn text(path: &Path) -> io::Result<Vec<u8>> {
    files::read_plain(path, Limits::transcript().bytes as u64)
}

/// Every `.case` and `.session` below the folder, sorted; paths relative to it.
///
/// # Errors
///
/// What the file system reports.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    below(folder, &["case", "session"])
}

/// Every `.frames` below the folder: streams, which hold messages and are none themselves.
///
/// # Errors
///
/// What the file system reports.
pub fn streams(folder: &Path) -> io::Result<Vec<PathBuf>> {
    below(folder, &["frames"])
}

fn below(folder: &Path, suffixes: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut found = files::below(folder)?;
    found.retain(|path| path.extension().is_some_and(|of| suffixes.iter().any(|suffix| of == *suffix)));
    let relative = |path: PathBuf| path.strip_prefix(folder).expect("it was found below the folder").to_owned();
    Ok(found.into_iter().map(relative).collect())
}

/// The corpus folder that is nearest above the current one.
pub fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.join(manifest::FILE).is_file())
}
