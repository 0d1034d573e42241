//! The manifest of the corpus: one row a file, strict in both directions.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{LONGEST, Malformed};
use crate::codec::era::{Era, UnknownEra};
use crate::files;
use crate::observation::Observation;
use crate::triage::store;

/// The name of the file.
pub const FILE: &str = "MANIFEST.toml";

/// What the corpus holds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// One row a file.
    #[serde(default, rename = "file")]
    pub rows: Vec<Row>,
}

/// One seed or regression.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Path below the corpus folder.
    pub path: String,
    /// Why it is there, in a few words.
    pub why: String,
    /// The requirement that it speaks of.
    pub requirement: String,
    /// The invariant that it once broke; of regressions only.
    pub invariant: Option<String>,
    /// What each message is read as, in order; of a stream, each frame.
    pub expect: Vec<Expectation>,
}

/// The exact reading of one message. A key that is left out means that there is nothing of the kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// `request`, `notification`, `result` or `error`.
    pub kind: Option<String>,
    /// `known 2026-07-28`, `no-signal`, `unsupported-revision 2026-01-15`, `malformed-signal`, or `conflicting` and both.
    pub era: Option<String>,
    /// One of the five words.
    pub capabilities: Option<String>,
    /// The word of the result observation.
    pub result: Option<String>,
    /// The state, and the reason where there is one.
    pub conclusion: Option<String>,
    /// `stage/reason` in the profile `strict`.
    pub refusal: Option<String>,
    /// The JSON-RPC code that a server owes with it.
    pub code: Option<i32>,
    /// The same in the profile `spec` where it differs: `stage/reason` or `none`.
    pub spec: Option<String>,
}

impl Manifest {
    /// Loads the manifest of a corpus folder and holds it against the files there.
    ///
    /// # Errors
    ///
    /// The first thing that does not agree.
    pub fn load(folder: &Path) -> Result<Self, Malformed> {
        let manifest = Self::read(folder)?;
        match manifest.disagreements(folder)?.into_iter().next() {
            Some(first) => Err(Malformed(first)),
            None => Ok(manifest),
        }
    }

    /// Reads the manifest of a corpus folder; the files there may be others.
    ///
    /// # Errors
    ///
    /// What cannot be read, or does not hold together by itself.
    pub fn read(folder: &Path) -> Result<Self, Malformed> {
        Self::parse(&super::table(&folder.join(FILE))?)
    }

    /// The files without a row and the rows without a file, a sentence each.
    ///
    /// # Errors
    ///
    /// When the folder cannot be listed.
    pub fn disagreements(&self, folder: &Path) -> Result<Vec<String>, Malformed> {
        let listed: BTreeSet<&str> = self.rows.iter().map(|row| row.path.as_str()).collect();
        let listing = super::files(folder).and_then(|files| Ok((files, super::streams(folder)?)));
        let (files, streams) =
            listing.map_err(|error| Malformed(format!("{} cannot be listed: {error}", folder.display())))?;
        let present = files.iter().chain(&streams);
        let present: BTreeSet<String> =
            present.map(|path| path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")).collect();
        let strange = present.iter().filter(|path| !listed.contains(path.as_str()));
        let missing = listed.iter().filter(|path| !present.contains(**path));
        Ok(strange
            .map(|path| format!("{path} has no row in {FILE}"))
            .chain(missing.map(|path| format!("the row {path} of {FILE} has no file")))
            .collect())
    }

    /// Reads the text and what can be said without the files.
    ///
    /// # Errors
    ///
    /// A key that is not known, a second row for one file, a row that says nothing.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let manifest: Self = toml::from_str(text).map_err(|error| Malformed(format!("{FILE}: {}", error.message())))?;
        let mut seen = BTreeSet::new();
        for row in &manifest.rows {
            let fail = |what: &str| Err(Malformed(format!("the row {} of {FILE} {what}", row.path)));
            if !seen.insert(row.path.as_str()) {
                return fail("is there twice");
            }
            if row.why.trim().is_empty() || row.requirement.trim().is_empty() {
                return fail("does not say why or for which requirement");
            }
            if row.path.split('/').any(|part| part.is_empty() || part == "." || part == "..") {
                return fail("leaves the corpus");
            }
            let regression = row.path.starts_with("regressions/");
            if regression != row.invariant.is_some() {
                return fail("names an invariant where it is no regression, or none where it is one");
            }
            if row.path.ends_with(".case") && row.expect.len() != 1 {
                return fail("expects another number of readings than one");
            }
        }
        Ok(manifest)
    }
}

/// Why a file and its row were not written.
#[derive(Debug)]
pub enum Unwritten {
    /// Another file has that name.
    Taken(PathBuf),
    /// The manifest would not hold together.
    Malformed(Malformed),
    /// The file system refused.
    Io(io::Error),
}

/// Writes a file of the corpus and its row, or neither.
///
/// # Errors
///
/// When the name is taken, the manifest would not hold together, or the file system refuses.
pub fn put(folder: &Path, row: &Row, text: &[u8]) -> Result<PathBuf, Unwritten> {
    let (path, manifest) = (folder.join(&row.path), folder.join(FILE));
    if path.symlink_metadata().is_ok() {
        return Err(Unwritten::Taken(path));
    }
    let mut table = files::read_text(&manifest, LONGEST).map_err(Unwritten::Io)?;
    table.push_str(if table.is_empty() || table.ends_with("\n\n") { "" } else { "\n" });
    table.push_str(&row.text());
    Manifest::parse(&table).map_err(Unwritten::Malformed)?;
    store::replace(&path, text).map_err(Unwritten::Io)?;
    if let Err(error) = store::replace(&manifest, table.as_bytes()) {
        // A file without its row would keep the corpus from being loaded.
        let _ = fs::remove_file(&path);
        return Err(Unwritten::Io(error));
    }
    Ok(path)
}

impl Row {
    /// The row as it stands in the manifest.
    pub fn text(&self) -> String {
        let mut text = format!("[[file]]\npath = {}\nwhy = {}\n", quoted(&self.path), quoted(&self.why));
        text.push_str(&format!("requirement = {}\n", quoted(&self.requirement)));
        if let Some(invariant) = &self.invariant {
            text.push_str(&format!("invariant = {}\n", quoted(invariant)));
        }
        match self.expect.as_slice() {
            [one] => text.push_str(&format!("expect = [{one}]\n")),
            many => {
                text.push_str("expect = [\n");
                many.iter().for_each(|one| text.push_str(&format!("    {one},\n")));
                text.push_str("]\n");
            }
        }
        text
    }
}

impl Expectation {
    /// What a reading in the profile `strict` says, and one in `spec` where that was asked too.
    pub fn of(strict: &Observation, spec: Option<&Observation>) -> Self {
        let refusal = |observation: &Observation| {
            observation.refusal.map(|refusal| format!("{}/{}", refusal.stage.word(), refusal.reason.word()))
        };
        let lenient = spec.map(refusal).filter(|lenient| *lenient != refusal(strict));
        Self {
            kind: strict.kind.map(|kind| kind.word().to_owned()),
            era: strict.era.map(era),
            capabilities: strict.capabilities.map(|capabilities| capabilities.state.word().to_owned()),
            result: strict.result.map(|result| result.word().to_owned()),
            conclusion: strict.conclusion.map(|conclusion| match conclusion.reason() {
                Some(reason) => format!("{} {reason}", conclusion.state()),
                None => conclusion.state().to_owned(),
            }),
            refusal: refusal(strict),
            code: strict.refusal.and_then(|refusal| refusal.code),
            spec: lenient.map(|lenient| lenient.unwrap_or_else(|| "none".to_owned())),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            ("kind", &self.kind),
            ("era", &self.era),
            ("capabilities", &self.capabilities),
            ("result", &self.result),
            ("conclusion", &self.conclusion),
            ("refusal", &self.refusal),
        ];
        let mut parts: Vec<String> = words
            .into_iter()
            .filter_map(|(key, value)| value.as_ref().map(|value| format!("{key} = {}", quoted(value))))
            .collect();
        parts.extend(self.code.map(|code| format!("code = {code}")));
        parts.extend(self.spec.as_ref().map(|spec| format!("spec = {}", quoted(spec))));
        if parts.is_empty() { f.write_str("{}") } else { write!(f, "{{ {} }}", parts.join(", ")) }
    }
}

fn era(era: Era) -> String {
    match era {
        Era::Known(revision) => format!("known {}", revision.as_str()),
        Era::Unknown(UnknownEra::UnsupportedRevision(revision)) => format!("unsupported-revision {revision}"),
        Era::Unknown(reason) => reason.word().to_owned(),
        Era::Conflicting { header, body } => format!("conflicting {header} {body}"),
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if control.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            path: "regressions/era.unknown-not-terminal/a.case".to_owned(),
            why: "says \"complete\" without an era".to_owned(),
            requirement: "result-type-required".to_owned(),
            invariant: Some("era.unknown-not-terminal".to_owned()),
            expect: vec![Expectation {
                kind: Some("result".to_owned()),
                conclusion: Some("incomplete no-signal".to_owned()),
                code: Some(-32600),
                ..Expectation::default()
            }],
        }
    }

    #[test]
    fn a_row_is_read_as_it_is_written() {
        let read = Manifest::parse(&row().text()).unwrap();
        assert_eq!(read.rows[0].why, row().why);
        assert_eq!(read.rows[0].expect, row().expect);
    }

    #[test]
    fn what_does_not_hold_together_is_refused() {
        let good = row().text();
        for (text, word) in [
            (format!("{good}{good}"), "twice"),
            (good.replace("why = ", "reason = "), "unknown field"),
            (good.replace("regressions/", "seeds/"), "invariant"),
            (good.replace("regressions/era", "regressions/../era"), "leaves"),
            (good.replace("expect = [", "expect = [{}, "), "another number"),
            (good.replace("result-type-required", " "), "requirement"),
        ] {
            let error = Manifest::parse(&text).unwrap_err().0;
            assert!(error.contains(word), "{word:?} is not in {error:?}");
        }
    }

    #[test]
    fn a_file_without_a_row_and_a_row_without_a_file_are_both_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "").unwrap();
        assert!(Manifest::load(folder.path()).is_ok());
        fs::create_dir(folder.path().join("seeds")).unwrap();
        fs::write(folder.path().join("seeds/a.case"), "\n").unwrap();
        assert!(Manifest::load(folder.path()).unwrap_err().0.contains("has no row"));
        fs::write(folder.path().join(FILE), row().text()).unwrap();
        fs::remove_file(folder.path().join("seeds/a.case")).unwrap();
        assert!(Manifest::load(folder.path()).unwrap_err().0.contains("has no file"));
    }
}
