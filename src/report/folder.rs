//! The folder of a run: which reports stand in it, and how they are written and read.
//!
//! A report is replaced in one step, so a reader never sees half of one. Nothing else in the folder is touched.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::beside::Beside;
use super::ndjson::{self, Unreadable};
use super::{Run, html, markdown};
use crate::triage::store;

/// The rows, from which everything else can be made.
pub const ROWS: &str = "report.ndjson";

/// The page for people.
pub const PAGE: &str = "report.html";

/// The same as plain text.
pub const TEXT: &str = "report.md";

/// The kill matrix, where somebody put it.
pub const KILLS: &str = "mutants.ndjson";

/// The largest file of rows that is read.
const LARGEST: u64 = 256 << 20;

/// Writes the rows, the page and the text of a run below its folder.
///
/// # Errors
///
/// What the file system reports.
pub fn write(run: &Run, beside: &Beside, out: &Path) -> io::Result<()> {
    let (mut text, mut rows) = (Vec::new(), Vec::new());
    markdown::write(run, &mut text)?;
    ndjson::write(run, &mut rows)?;
    store::replace(&out.join(ROWS), &rows)?;
    store::replace(&out.join(TEXT), &text)?;
    store::replace(&out.join(PAGE), html::page(run, beside).as_bytes())
}

/// Why there is no run to read.
#[derive(Debug)]
pub enum Error {
    /// The file system says no.
    Io(io::Error),
    /// The file is no report.
    Rows(Unreadable),
}

/// Reads a run: from its folder, or from the file of its rows.
///
/// # Errors
///
/// When there is no such file, when it is larger than 256 MiB, or no report.
pub fn read(path: &Path) -> Result<Run, Error> {
    let file = rows_of(path);
    ndjson::read(&store::read(&file, LARGEST).map_err(Error::Io)?).map_err(Error::Rows)
}

/// Where the rows of a run stand: in its folder, or in the file itself.
pub fn rows_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(ROWS) } else { path.to_owned() }
}

/// What lies beside a run: its kill matrix in its own folder, the records of speed in `record`. What is not there is not
/// shown.
///
/// # Errors
///
/// When something is there and cannot be read.
pub fn beside(folder: &Path, record: Option<&Path>) -> io::Result<Beside> {
    let mut beside = Beside::default();
    let kills = folder.join(KILLS);
    if kills.is_file() {
        beside.add_kills(&kills)?;
    }
    if let Some(record) = record.filter(|record| record.is_dir()) {
        beside.add_speed(record)?;
    }
    Ok(beside)
}

/// Appends the text of a run to a file that a CI service shows, such as the one that `GITHUB_STEP_SUMMARY` names. Beyond
/// a megabyte the service shows nothing at all, so a longer text is left to its headline.
///
/// # Errors
///
/// What the file system reports.
pub fn append_summary(run: &Run, file: &OsStr) -> io::Result<()> {
    let mut text = Vec::new();
    markdown::write(run, &mut text)?;
    if text.len() > SUMMARY {
        text = format!("# wirebench {}: {}\n", markdown::inline(&run.head.verb), markdown::headline(run)).into_bytes();
    }
    text.push(b'\n');
    OpenOptions::new().append(true).create(true).open(file)?.write_all(&text)
}

const SUMMARY: usize = 1_000_000;
