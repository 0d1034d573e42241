//! Does the corpus hold together: manifest, files, the rules that rows name, and what the subject reads and shows?
//!
//! Everything that does not agree is told, each in a sentence; nothing is written. Loading alone ([`Manifest::load`])
//! stops at the first.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::manifest::{FILE, Row};
use super::{Baseline, Malformed, Manifest};
use crate::case::Frames;
use crate::triage::{self, Bench, promote};
use crate::{invariant, requirement};

/// One thing that does not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The file, relative to the corpus, or the table.
    pub path: String,
    /// What is wrong with it.
    pub what: String,
}

/// Checks a corpus with a subject on that day and says how many files were looked at. `stop` is asked before each.
///
/// # Errors
///
/// When the manifest, the baseline or the folder cannot be read.
pub fn check(
    folder: &Path,
    bench: &mut Bench<'_>,
    today: &str,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Disagreement),
) -> Result<usize, Malformed> {
    let (manifest, baseline) = (Manifest::read(folder)?, Baseline::load(folder)?);
    let table = |what| Disagreement { path: FILE.to_owned(), what };
    manifest.disagreements(folder)?.into_iter().map(table).for_each(&mut *tell);
    let (mut seen, mut count) = (BTreeMap::new(), 0);
    for row in &manifest.rows {
        if stop() {
            return Ok(count);
        }
        let Ok(text) = super::text(&folder.join(&row.path)) else { continue };
        count += 1;
        let mut wrong = of_file(row, &text);
        if let Some(earlier) = seen.insert(<[u8; 32]>::from(Sha256::digest(&text)), &row.path) {
            wrong.push(format!("has the same bytes as {earlier}"));
        }
        if is_stream(row) {
            wrong.into_iter().map(|what| Disagreement { path: row.path.clone(), what }).for_each(&mut *tell);
            continue;
        }
        let fault = bench.evidence(&triage::decode(&text)).filter(|fault| !baseline.knows(&fault.id()));
        wrong
            .extend(fault.map(|fault| format!("shows a fault that is not listed: {} {}", fault.id(), fault.signature)));
        wrong.into_iter().map(|what| Disagreement { path: row.path.clone(), what }).for_each(&mut *tell);
    }
    let stale = baseline.stale(bench, folder, today).into_iter();
    stale.map(|what| Disagreement { path: super::baseline::FILE.to_owned(), what }).for_each(tell);
    Ok(count)
}

/// What is wrong with a file and its row, whatever else the corpus holds.
fn of_file(row: &Row, text: &[u8]) -> Vec<String> {
    let mut wrong = Vec::new();
    if requirement::find(&row.requirement).is_none() {
        wrong.push(format!("names no requirement that there is: {}", row.requirement));
    }
    if let Some(id) = row.invariant.as_deref().filter(|id| *id != "panic" && invariant::by_id(id).is_none()) {
        wrong.push(format!("names no invariant that there is: {id}"));
    }
    if is_stream(row) {
        // Its frames are read by the tests of the corpus, wherever it is cut.
        wrong.extend(Frames::decode(text).err().map(|fault| format!("is not in the text form of a stream: {fault}")));
        return wrong;
    }
    let evidence = match triage::decode_named(Path::new(&row.path), text) {
        Ok(evidence) => evidence,
        Err(fault) => {
            wrong.push(format!("is not in the text form that its name promises: {fault}"));
            return wrong;
        }
    };
    let read = promote::read(&evidence);
    if read.len() != row.expect.len() {
        wrong.push(format!("holds {} messages, and its row expects {}", read.len(), row.expect.len()));
    }
    for (at, (read, expected)) in read.iter().zip(&row.expect).enumerate().filter(|(_, (read, row))| read != row) {
        wrong.push(format!("message {at} is read as {read}, and its row expects {expected}"));
    }
    wrong
}

fn is_stream(row: &Row) -> bool {
    row.path.ends_with(".frames")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::subject;

    const ROW: &str = "[[file]]\npath = \"seeds/a.case\"\nwhy = \"w\"\nrequirement = \"json-well-formed\"\n\
                       expect = [{ refusal = \"json/unexpected-end\", code = -32700 }]\n";

    /// What is told of a corpus of these files and rows.
    fn told(files: &[(&str, &str)], manifest: &str, subject: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("seeds")).unwrap();
        fs::write(folder.path().join(FILE), manifest).unwrap();
        for (name, text) in files {
            fs::write(folder.path().join("seeds").join(name), text).unwrap();
        }
        let make = || subject::by_name(subject).unwrap();
        let mut told = Vec::new();
        let mut tell = |one: Disagreement| told.push(format!("{}: {}", one.path, one.what));
        check(folder.path(), &mut Bench::new(&make), "2026-12-01", &|| false, &mut tell).unwrap();
        told
    }

    #[test]
    fn everything_that_does_not_agree_is_told() {
        assert_eq!(told(&[("a.case", "\n")], ROW, "codec"), [""; 0]);
        let other = |from: &str, to: &str| ROW.replace(from, to);
        for (files, manifest, word) in [
            (&[][..], ROW.to_owned(), "has no file"),
            (&[("a.case", "\n"), ("b.case", "\n")], ROW.to_owned(), "has no row"),
            (
                &[("a.case", "\n"), ("b.case", "\n")],
                ROW.to_owned() + &other("a.case", "b.case"),
                "the same bytes as seeds/a",
            ),
            (&[("a.case", "x")], ROW.to_owned(), "not in the text form"),
            (&[("a.case", "\n{}")], ROW.to_owned(), "is read as {"),
            (&[("a.case", "\n")], other("json-well-formed", "json-pretty"), "no requirement that there is"),
            (&[("a.session", "wirebench-session 1\n")], other("a.case", "a.session"), "holds 0 messages"),
        ] {
            let told = told(files, &manifest, "codec");
            assert!(matches!(told.as_slice(), [one] if one.contains(word)), "{word}: {told:?}");
        }
    }

    #[test]
    fn a_fault_of_the_subject_is_told_where_the_baseline_does_not_list_it() {
        let trailing = "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}x";
        let told = told(
            &[("a.case", trailing)],
            &ROW.replace("unexpected-end", "trailing-data"),
            "mutant:document.trailing-ignored",
        );
        assert!(matches!(told.as_slice(), [one] if one.contains("a fault that is not listed")), "{told:?}");
    }
}
