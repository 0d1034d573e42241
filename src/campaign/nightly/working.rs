//! The working corpus that persists between nights: what it holds at the start, what a night adds to it.
//!
//! It may be a folder that several machines share: files are named by their contents, written under a name of their own
//! and then renamed, and none is ever changed or removed. What is added is the smallest set that the engine's merge
//! finds; the committed corpus is not touched, and what is new is offered beside the report.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::engine::{Ended, Place, watch};
use super::workspace::Built;
use crate::campaign::interrupt::Interrupt;
use crate::triage::store;

/// Merges what the engine kept in the folder of the run with what earlier nights kept, within the time. The files that
/// nobody had before are copied to `offered` and, where there is one, into the working corpus; says how many there are,
/// or `None` when the time was too short, which leaves everything as it was.
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
) -> io::Result<Option<u64>> {
    let merged = place.corpus.with_extension("merged");
    let control = place.corpus.with_extension("control");
    clear(&merged)?;
    clear(offered)?;
    let mut command = Command::new(&built.binary);
    command.args(["-merge=1", "-set_cover_merge=1"]).args(&built.options);
    command.arg(format!("-merge_control_file={}", control.display()));
    command.arg(format!("-artifact_prefix={}/", offered.display()));
    // The seeds come first: of two inputs with the same coverage the one that everybody has is kept.
    command.arg(&merged).arg(&place.seeds).args(&place.kept).arg(&place.corpus);
    // The codec is merged for, whoever is the subject: its coverage is what the corpus is for.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(place.log.with_extension("merge.log"))?);
    let ended = watch(&mut command, time, interrupt, &mut |_| {})?;
    let whole = ended == Ended::InTime && fs::read_dir(&merged)?.next().is_some();
    let mut new = None;
    if whole {
        let mut known = BTreeSet::new();
        for folder in [Some(&place.seeds), place.kept.as_ref()].into_iter().flatten() {
            each(folder, |_, bytes| {
                known.insert(Sha256::digest(&bytes));
            })?;
        }
        let mut fresh = Vec::new();
        each(&merged, |name, bytes| {
            if !known.contains(&Sha256::digest(&bytes)) {
                fresh.push((name, bytes));
            }
        })?;
        new = Some(fresh.len() as u64);
        for (name, bytes) in fresh {
            for folder in [Some(offered), place.kept.as_deref()].into_iter().flatten() {
                store::replace(&folder.join(&name), &bytes)?;
            }
        }
        if place.kept.is_none() {
            fs::remove_dir_all(&place.corpus)?;
            fs::rename(&merged, &place.corpus)?;
        }
    }
    if merged.exists() {
        fs::remove_dir_all(&merged)?;
    }
    if control.exists() {
        fs::remove_file(&control)?;
    }
    Ok(new)
}

/// Shows every file of the folder; one that another machine has not finished yet has a name with a dot.
fn each(folder: &Path, mut show: impl FnMut(OsString, Vec<u8>)) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with('.') && entry.file_type()?.is_file() {
            show(entry.file_name(), fs::read(entry.path())?);
        }
    }
    Ok(())
}

fn clear(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}
