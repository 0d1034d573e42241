//! From a finding to a regression: the file in the corpus and its row in the manifest.
//!
//! The row expects what the codec reads. Where the codec is the subject that has the fault, that value is wrong by
//! definition; the caller is told, and the regression stays red by its invariant until the codec is right.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::Bench;
use crate::case::Case;
use crate::codec::Reader;
use crate::codec::reading::{Profile, Reading};
use crate::codec::session::Tracker;
use crate::corpus::Malformed;
use crate::corpus::manifest::{self, Expectation, Manifest, Row, Unwritten};
use crate::exchange;
use crate::finding::Evidence;
use crate::invariant;
use crate::limits::Limits;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promoted {
    /// The new file.
    pub path: PathBuf,
    /// Whether the expectation is to be set by hand.
    pub by_hand: bool,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Error {
    /// The input shows no fault.
    NoFault,
    /// The input is a regression already.
    Known(PathBuf),
    /// The manifest does not hold together.
    Malformed(Malformed),
    /// The file system refused.
    Io(io::Error),
}

impl From<Unwritten> for Error {
    fn from(why: Unwritten) -> Self {
        match why {
            Unwritten::Taken(path) => Self::Known(path),
            Unwritten::Malformed(error) => Self::Malformed(error),
            Unwritten::Io(error) => Self::Io(error),
        }
    }
}

/// Writes the evidence below `regressions/` of the corpus folder and its row into the manifest.
///
/// # Errors
///
/// When it shows no fault, is there already, or cannot be written.
pub fn promote(bench: &mut Bench<'_>, evidence: &Evidence, folder: &Path) -> Result<Promoted, Error> {
    let fault = bench.evidence(evidence).ok_or(Error::NoFault)?;
    let invariant = fault.signature.invariant.clone();
    let slug = format!("{}-{}", slug(&fault.signature.kind), &fault.id()[..6]);
    let relative = format!("regressions/{}/{slug}.{}", self::slug(&invariant), evidence.suffix());
    Manifest::load(folder).map_err(Error::Malformed)?;
    let requirement =
        invariant::by_id(&invariant).and_then(|rule| rule.requirements.first().copied()).unwrap_or("project-no-panic");
    let row = Row {
        path: relative,
        why: format!("{} once broke {invariant} ({})", fault.signature.subject, fault.signature.kind),
        requirement: requirement.to_owned(),
        invariant: Some(invariant),
        expect: read(evidence),
    };
    let path = manifest::put(folder, &row, &evidence.encode())?;
    Ok(Promoted { path, by_hand: fault.signature.subject == "codec" })
}

/// What the codec reads, message by message.
pub fn read(evidence: &Evidence) -> Vec<Expectation> {
    let mut read = Vec::new();
    readings(evidence, &mut |reading| read.push(expectation(reading)));
    read
}

/// What a reading says in both profiles.
pub fn expectation(reading: &Reading<'_>) -> Expectation {
    Expectation::of(&reading.observation(Profile::Strict), Some(&reading.observation(Profile::Spec)))
}

/// Shows the codec's reading of each message.
pub fn readings(evidence: &Evidence, show: &mut dyn FnMut(&Reading<'_>)) {
    let (mut tracker, mut reader) = (Tracker::new(), Reader::new(Limits::message()));
    for case in cases(evidence).iter() {
        tracker.read_each(&mut reader, case, |reading| show(reading));
    }
}

/// The messages of the evidence, one a case; of a stream what its frames hold.
pub fn cases(evidence: &Evidence) -> Cow<'_, [Case]> {
    match evidence {
        Evidence::Case(case) => Cow::Borrowed(std::slice::from_ref(case)),
        Evidence::Session(session) => Cow::Borrowed(&session.cases),
        Evidence::Frames(stream) => {
            exchange::frames(stream).into_iter().flatten().map(|message| message.case).collect()
        }
    }
}

/// Lower-case letters, digits, dots and single dashes; at most 48.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for character in text.chars().take(48) {
        match character.to_ascii_lowercase() {
            kept @ ('a'..='z' | '0'..='9') => slug.push(kept),
            '.' if !slug.is_empty() && !slug.ends_with('.') => slug.push('.'),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let trimmed = slug.trim_end_matches(['-', '.']);
    if trimmed.is_empty() { "finding".to_owned() } else { trimmed.to_owned() }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFault => f.write_str("the input shows no fault of this subject; nothing was written"),
            Self::Known(path) => write!(f, "{} is there already; nothing was written", path.display()),
            Self::Malformed(error) => write!(f, "{error}; nothing was written"),
            Self::Io(error) => write!(f, "the corpus cannot be written: {error}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_a_plain_file_name() {
        assert_eq!(slug("src/codec/mod.rs:12 index out of range"), "src-codec-mod.rs-12-index-out-of-range");
        assert_eq!(slug("../.."), "finding");
    }
}
