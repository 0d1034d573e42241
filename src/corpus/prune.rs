//! Which seeds reach nothing that a smaller one does not reach, and how they are taken out.
//!
//! What a seed reaches is how each of its messages is read for the requirement that it speaks of, which rules each
//! message breaks, and which invariants are exercised. Regressions stay whatever they reach: each once was a fault.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::manifest::{FILE, Manifest};
use super::{LONGEST, Malformed};
use crate::finding::Evidence;
use crate::oracle::Oracle;
use crate::triage::{self, contain::contained, promote, store};
use crate::{files, subject};

/// A seed that reaches nothing new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// Its path below the corpus.
    pub path: String,
    /// How long it is, in bytes.
    pub bytes: usize,
}

/// The idle seeds of a corpus, by their paths. Of those that reach the same the smallest stays. `stop` is asked before
/// each seed; nothing is idle of a search that was stopped.
///
/// # Errors
///
/// When the corpus does not hold together.
pub fn idle(folder: &Path, stop: &dyn Fn() -> bool) -> Result<Vec<Idle>, Malformed> {
    let manifest = Manifest::load(folder)?;
    let mut seeds = Vec::new();
    // A stream is there for where it is cut, which no reading shows.
    for row in manifest.rows.iter().filter(|row| !row.path.ends_with(".frames")) {
        let path = folder.join(&row.path);
        let length =
            fs::metadata(&path).map_err(|error| Malformed(format!("{} cannot be read: {error}", row.path)))?.len();
        seeds.push((row.invariant.is_none(), length, row));
    }
    // Regressions come first: what they reach, no seed need reach again.
    seeds.sort_by_key(|(seed, length, row)| (*seed, *length, &row.path));
    let (mut reached, mut idle) = (BTreeSet::new(), Vec::new());
    for (seed, _, row) in seeds {
        if stop() {
            return Ok(Vec::new());
        }
        let text = super::text(&folder.join(&row.path))
            .map_err(|error| Malformed(format!("{} cannot be read: {error}", row.path)))?;
        let before = reached.len();
        let evidence = triage::decode(&text);
        promote::readings(&evidence, &mut |reading| {
            reached.insert(format!("{} {}", row.requirement, promote::expectation(reading)));
            reached.extend(
                reading
                    .breaches
                    .iter()
                    .map(|breach| format!("breach {} {}", breach.refusal.reason.word(), breach.refusal.requirement)),
            );
            reached.extend(reading.notes.iter().map(|note| format!("note {} {}", note.reason, note.requirement)));
        });
        reached.extend(exercised(&evidence).into_iter().map(|id| format!("invariant {id}")));
        if seed && reached.len() == before {
            idle.push(Idle { path: row.path.clone(), bytes: text.len() });
        }
    }
    idle.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(idle)
}

/// Takes seeds out: their rows first, so that a file that is left is told by the next check and not lost.
///
/// # Errors
///
/// When the manifest does not hold together or the file system refuses.
pub fn remove(folder: &Path, idle: &[Idle]) -> Result<(), io::Error> {
    let malformed = |error: Malformed| io::Error::new(io::ErrorKind::InvalidData, error);
    let manifest = folder.join(FILE);
    let text = without(&files::read_text(&manifest, LONGEST)?, &idle.iter().map(|idle| idle.path.as_str()).collect())
        .map_err(malformed)?;
    store::replace(&manifest, text.as_bytes())?;
    idle.iter().try_for_each(|idle| fs::remove_file(folder.join(&idle.path)))
}

/// The manifest without the rows of these paths; what stands between the others stays as it is.
fn without(text: &str, paths: &BTreeSet<&str>) -> Result<String, Malformed> {
    const HEAD: &str = "[[file]]";
    let (mut kept, mut row, mut inside) = (String::new(), String::new(), false);
    let end = |row: &mut String, kept: &mut String| -> Result<(), Malformed> {
        let gone = Manifest::parse(row)?.rows.iter().any(|row| paths.contains(row.path.as_str()));
        kept.push_str(if gone { "" } else { row });
        row.clear();
        Ok(())
    };
    for line in text.split_inclusive('\n') {
        // A remark or another row ends a row.
        if inside && (line.trim_end() == HEAD || line.starts_with('#')) {
            end(&mut row, &mut kept)?;
            inside = false;
        }
        inside |= line.trim_end() == HEAD;
        if inside { row.push_str(line) } else { kept.push_str(line) }
    }
    end(&mut row, &mut kept)?;
    Ok(kept)
}

/// The invariants that the evidence exercises on the codec.
fn exercised(evidence: &Evidence) -> Vec<&'static str> {
    let mut oracle = Oracle::new();
    let mut codec = subject::by_name("codec").expect("the codec is a subject");
    // A fault is not asked for here, and neither is a panic; `check` tells both.
    let _ = contained(|| oracle.check_evidence(codec.as_mut(), evidence).is_ok());
    oracle.rows().iter().filter(|row| row.tally.exercised > 0).map(|row| row.invariant.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Row;
    use crate::corpus::manifest::put;

    fn row(path: &str, requirement: &str, text: &[u8]) -> Row {
        let invariant = path.starts_with("regressions/").then(|| "panic".to_owned());
        let expect = promote::read(&triage::decode(text));
        Row { path: path.to_owned(), why: "w".to_owned(), requirement: requirement.to_owned(), invariant, expect }
    }

    #[test]
    fn of_seeds_that_reach_the_same_the_smallest_stays_and_regressions_always_do() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "# Above.\n").unwrap();
        let broken: &[u8] = b"\n{\"a\":[";
        for (path, requirement, text) in [
            ("seeds/long.case", "json-well-formed", &b"\n{\"a\":[1,2,3,"[..]),
            ("seeds/short.case", "json-well-formed", broken),
            ("seeds/rule.case", "json-utf8-only", b"\n{\"a\":[1,"),
            ("seeds/other.case", "json-well-formed", b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
            ("regressions/panic/a.case", "json-well-formed", b"\n{\"a\":[1,2,3,4,"),
            ("regressions/panic/b.case", "json-well-formed", b"\n{\"a\":[1,2,3,4,5,"),
        ] {
            put(folder.path(), &row(path, requirement, text), text).unwrap();
        }
        let found = idle(folder.path(), &|| false).unwrap();
        assert_eq!(
            found.iter().map(|idle| idle.path.as_str()).collect::<Vec<_>>(),
            ["seeds/long.case", "seeds/short.case"]
        );
        assert_eq!(idle(folder.path(), &|| true).unwrap(), []);
        remove(folder.path(), &found).unwrap();
        let manifest = Manifest::load(folder.path()).unwrap();
        assert_eq!(manifest.rows.len(), 4);
        assert!(fs::read_to_string(folder.path().join(FILE)).unwrap().starts_with("# Above.\n"));
        assert_eq!(idle(folder.path(), &|| false).unwrap(), []);
    }

    #[test]
    fn what_stands_between_rows_stays() {
        let [a, b, c] = ["a", "b", "c"].map(|name| row(&format!("seeds/{name}.case"), "r", b"\n").text());
        let text = format!("# Top.\n\n{a}\n# About b.\n{b}\n{c}");
        let left = without(&text, &["seeds/a.case", "seeds/c.case"].into()).unwrap();
        assert_eq!(left, format!("# Top.\n\n# About b.\n{b}\n"));
        assert_eq!(without(&text, &BTreeSet::new()).unwrap(), text);
    }
}
