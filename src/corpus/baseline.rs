//! The strict baseline: findings that are known and not fixed yet.
//!
//! An entry has a reason and a day on which it expires. A run marks a listed finding as known; a listed finding that no
//! longer shows itself, or an entry past its day, is for the caller to fail on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::Malformed;
use crate::case::Revision;

/// The name of the file.
pub const FILE: &str = "FINDINGS.toml";

/// What is known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// One entry a signature.
    #[serde(default, rename = "finding")]
    pub entries: Vec<Entry>,
}

/// One known finding.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The short name of its signature.
    pub id: String,
    /// The subject that has it.
    pub subject: String,
    /// The invariant that it breaks.
    pub invariant: String,
    /// Path below the corpus folder of an input that shows it.
    pub path: String,
    /// Why it is not fixed yet.
    pub reason: String,
    /// The last day of the entry, `YYYY-MM-DD`.
    pub expires: String,
}

impl Baseline {
    /// Loads the baseline of a corpus folder; a folder without one knows of no finding.
    ///
    /// # Errors
    ///
    /// What cannot be read, or does not hold together.
    pub fn load(folder: &Path) -> Result<Self, Malformed> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| Malformed(format!("{} cannot be read: {error}", path.display())))?;
        Self::parse(&text)
    }

    /// Reads the text.
    ///
    /// # Errors
    ///
    /// A key that is not known, a signature twice, an entry without a reason or with no day.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let baseline: Self = toml::from_str(text).map_err(|error| Malformed(format!("{FILE}: {}", error.message())))?;
        let mut seen = BTreeSet::new();
        for entry in &baseline.entries {
            let fail = |what: &str| Err(Malformed(format!("the entry {} of {FILE} {what}", entry.id)));
            if !seen.insert(entry.id.as_str()) {
                return fail("is there twice");
            }
            if entry.reason.trim().is_empty() {
                return fail("gives no reason");
            }
            if Revision::parse(entry.expires.as_bytes()).is_none() {
                return fail("does not expire on a day");
            }
        }
        Ok(baseline)
    }

    /// Whether it lists the signature with that short name.
    pub fn knows(&self, id: &str) -> bool {
        self.entries.iter().any(|entry| entry.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "[[finding]]\nid = \"0123456789ab\"\nsubject = \"codec\"\ninvariant = \"a.b\"\n\
                         path = \"seeds/a.case\"\nreason = \"waits for the next reader\"\nexpires = \"2027-01-31\"\n";

    #[test]
    fn an_entry_has_a_reason_and_a_day() {
        assert!(Baseline::parse(ENTRY).unwrap().knows("0123456789ab"));
        for (text, word) in [
            (format!("{ENTRY}{ENTRY}"), "twice"),
            (ENTRY.replace("waits for the next reader", " "), "reason"),
            (ENTRY.replace("01-31", "02-31"), "day"),
            (ENTRY.replace("path =", "file ="), "unknown field"),
        ] {
            let error = Baseline::parse(&text).unwrap_err().0;
            assert!(error.contains(word), "{word:?} is not in {error:?}");
        }
    }
}
