//! The strict baseline: findings that are known and not fixed yet.
//!
//! An entry has a reason and a day on which it expires. A run marks a listed finding as known; a listed finding that no
//! longer shows itself, or an entry past its day, is for the caller to fail on.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

use super::Malformed;
use crate::case::Revision;
use crate::report::Found;
use crate::triage::{self, Bench};

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
        Self::parse(&super::table(&path)?)
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

    /// What is wrong with the entries of a subject on that day: those that expired, and those whose finding is gone. A
    /// sentence each.
    pub fn stale(&self, bench: &mut Bench<'_>, folder: &Path, today: &str) -> Vec<String> {
        let subject = bench.subject_name().to_owned();
        let mut stale = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.subject == subject) {
            let Entry { id, path, expires, .. } = entry;
            if expires.as_str() < today {
                stale.push(format!("{id} expired on {expires}: fix it, or give it a new reason and day"));
            }
            let shown = super::text(&folder.join(path)).ok().and_then(|text| bench.evidence(&triage::decode(&text)));
            if shown.is_none_or(|fault| fault.id() != *id) {
                stale.push(format!("{id} no longer shows itself in {path}: take it out"));
            }
        }
        stale
    }

    /// Whether it lists the finding or a sign of it.
    pub fn lists(&self, found: &Found) -> bool {
        self.knows(&found.id) || found.also.iter().filter_map(|sign| sign.split(' ').next()).any(|id| self.knows(id))
    }

    /// Whether it lists the signature with that short name.
    pub fn knows(&self, id: &str) -> bool {
        self.entries.iter().any(|entry| entry.id == id)
    }
}

/// The day that it is, `YYYY-MM-DD`, in Greenwich. A clock that stands before 1970 says `1970-01-01`.
pub fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    day(now.as_secs() / 86_400)
}

/// The day so many days after 1970-01-01: years are counted from the first of March, so that the leap day comes last.
fn day(since: u64) -> String {
    let days = since + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + u64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject;
    use std::fs;

    #[test]
    fn days_are_counted_over_leap_years() {
        for (since, text) in [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_663, "2026-07-29"), (47_540, "2100-02-28")]
        {
            assert_eq!(day(since), text);
        }
        assert_eq!(day(47_541), "2100-03-01");
    }

    #[test]
    fn an_entry_that_expired_or_whose_finding_is_gone_is_stale() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("seeds")).unwrap();
        let make = || subject::by_name("mutant:document.trailing-ignored").unwrap();
        let mut bench = Bench::new(&make);
        let text = b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}x";
        fs::write(folder.path().join("seeds/a.case"), text).unwrap();
        let id = bench.evidence(&triage::decode(text)).expect("the mutant has it").id();
        let entry = ENTRY.replace("\"codec\"", "\"mutant:document.trailing-ignored\"").replace("0123456789ab", &id);
        let baseline = Baseline::parse(&entry).unwrap();
        let mut stale = |today| baseline.stale(&mut bench, folder.path(), today);
        assert!(stale("2027-01-31").is_empty());
        assert!(matches!(stale("2027-02-01").as_slice(), [one] if one.contains("expired")));
        fs::write(folder.path().join("seeds/a.case"), b"\n{}").unwrap();
        assert!(matches!(stale("2026-12-01").as_slice(), [one] if one.contains("no longer")));
        // The entries of another subject are not its business.
        let codec = || subject::by_name("codec").unwrap();
        assert!(baseline.stale(&mut Bench::new(&codec), folder.path(), "2030-01-01").is_empty());
    }

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
