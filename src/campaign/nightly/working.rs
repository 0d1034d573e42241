//! The working corpus that persists between nights: what a night adds to it.
//!
//! It may be a folder that several machines share: files are named by their contents, written under a name of their own
//! and then renamed, and none is ever changed or removed. What is added is the small set that [`minimise`] chooses; the
//! committed corpus is not touched, and what is new is offered beside the report.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::engine::Place;
use super::minimise;
use super::workspace::Built;
use crate::campaign::interrupt::Interrupt;
use crate::triage::store;

/// What a merge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Inputs that are new: with coverage that neither the seeds nor the working corpus had.
    pub new: u64,
    /// Inputs that there was no time to look at; they stay in the folder of the run, for the next night in it.
    pub unseen: u64,
}

/// Merges what the engine kept in the folder of the run with what earlier nights kept, within the time. What is new is
/// copied to `offered` and, where there is one, into the working corpus; what is needless is removed from the folder of
/// the run alone.
///
/// # Errors
///
/// What the file system reports.
pub fn merge(
    built: &Built,
    place: &Place,
    offered: &Path,
    time: Duration,
    interrupt: &Interrupt,
) -> io::Result<Merged> {
    let mut known = by_size(&place.seeds)?;
    if let Some(kept) = &place.kept {
        known.extend(by_size(kept)?);
    }
    let fresh = by_size(&place.corpus)?;
    let scratch = place.corpus.with_extension("merging");
    let choice = minimise::choose(built, &known, &fresh, &scratch, time, interrupt)?;
    clear(offered)?;
    // Inputs that behave otherwise from run to run seem to reach something new each night.
    let kept = place.kept.as_ref().map(|kept| by_size(kept)).transpose()?.unwrap_or_default();
    let names: BTreeSet<&OsStr> = kept.iter().filter_map(|path| path.file_name()).collect();
    let mut new = 0;
    for file in &choice.chosen {
        let bytes = fs::read(file)?;
        let name = name(&bytes);
        if names.contains(OsStr::new(&name)) {
            continue;
        }
        new += 1;
        for folder in [Some(offered), place.kept.as_deref()].into_iter().flatten() {
            store::replace(&folder.join(&name), &bytes)?;
        }
    }
    for file in &choice.needless {
        fs::remove_file(file)?;
    }
    Ok(Merged { new, unseen: choice.unseen as u64 })
}

/// The name of an input: part of the digest of its contents.
fn name(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(20).map(|byte| format!("{byte:02x}")).collect()
}

/// The files of a folder, the smallest first, by name where they are as large; one that another machine has not
/// finished yet has a name with a dot.
fn by_size(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with('.') && entry.file_type()?.is_file() {
            files.push((entry.metadata()?.len(), entry.path()));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

fn clear(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}
