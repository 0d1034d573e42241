//! Which findings earlier runs saw, and at which commit first.
//!
//! `history.ndjson` holds one line for each id that was ever seen, appended and never changed; it stands beside the
//! findings, or in the working corpus where nights share one. A line that cannot be read tells nothing and is passed
//! over: the history is a convenience, and no finding depends on it.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::files;
use crate::report::Found;

/// The name of the file.
pub const FILE: &str = "history.ndjson";

/// The longest history that is read, in bytes: some millions of findings.
const LONGEST: u64 = 256 << 20;

#[derive(Serialize, Deserialize)]
struct Seen {
    id: String,
    commit: String,
}

/// Says in each row at which commit its finding, or a sign of it, was seen first, and adds those that are new.
///
/// # Errors
///
/// When the history cannot be written.
pub fn note(folder: &Path, commit: Option<&str>, rows: &mut [Found]) -> io::Result<()> {
    let path = folder.join(FILE);
    let text = match files::read_plain(&path, LONGEST) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        text => text?,
    };
    let mut seen = BTreeMap::new();
    for line in text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Seen>(line).ok()) {
        seen.entry(line.id).or_insert(line.commit);
    }
    let commit = commit.unwrap_or("unknown");
    let mut new = Vec::new();
    for row in rows {
        let signs = row.also.iter().filter_map(|sign| sign.split(' ').next()).map(str::to_owned);
        let ids: Vec<String> = std::iter::once(row.id.clone()).chain(signs).collect();
        let first = ids.iter().find_map(|id| seen.get(id)).cloned().unwrap_or_else(|| commit.to_owned());
        for id in ids.into_iter().filter(|id| !seen.contains_key(id)) {
            serde_json::to_writer(&mut new, &Seen { id, commit: first.clone() })?;
            new.push(b'\n');
        }
        row.first_seen = Some(first);
    }
    if new.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    OpenOptions::new().append(true).create(true).open(path)?.write_all(&new)
}

/// The commit of the checkout that holds the folder, where git knows one.
pub fn commit(root: &Path) -> Option<String> {
    let mut command = Command::new("git");
    command.args(["rev-parse", "--short=12", "HEAD"]).current_dir(root).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::finding::Evidence;
    use crate::report::Class;
    use crate::triage::Fault;

    #[test]
    fn a_finding_keeps_the_commit_at_which_it_was_seen_first() {
        let folder = tempfile::tempdir().unwrap();
        let row = |kind: &str| {
            let fault = Fault::of_engine("codec", Class::Panic, kind.to_owned(), "it returns".to_owned());
            fault.row(&Evidence::Case(Case::default()), &[], "")
        };
        let mut rows = [row("a")];
        note(folder.path(), Some("c1"), &mut rows).unwrap();
        assert_eq!(rows[0].first_seen.as_deref(), Some("c1"));
        fs::write(folder.path().join("x"), "").unwrap();
        let mut file = OpenOptions::new().append(true).open(folder.path().join(FILE)).unwrap();
        file.write_all(b"{damaged\n").unwrap();
        // A later run sees it as a sign of another, and one that is new.
        let mut rows = [Found { also: vec![format!("{} panic: a", row("a").id)], ..row("b") }, row("c")];
        note(folder.path(), Some("c2"), &mut rows).unwrap();
        assert_eq!(rows.map(|row| row.first_seen.unwrap()), ["c1", "c2"]);
    }
}
