//! Are the reports that stand in a folder ours, so that a new run may replace them?
//!
//! A file is known by how it begins, not read whole. What is not known stays, and the run goes elsewhere.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::folder::{PAGE, ROWS, TEXT};

/// How each report begins, and what follows soon.
const MARKS: [(&str, &str, &str); 3] =
    [(ROWS, "{\"type\":\"run\"", ""), (TEXT, "# wirebench ", ""), (PAGE, "<!DOCTYPE html>", "<title>wirebench ")];

/// How soon, in bytes.
const SOON: u64 = 4096;

/// The first file of the folder that bears the name of a report and is none of ours.
///
/// # Errors
///
/// When such a file cannot be read.
pub fn stranger(folder: &Path) -> io::Result<Option<PathBuf>> {
    for (name, ..) in MARKS {
        let path = folder.join(name);
        if !may_replace(&path)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Whether nothing of others is lost when a report of that name is written. An empty file holds nothing to lose.
///
/// # Errors
///
/// When it cannot be read.
pub fn may_replace(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() => return Ok(true),
        Ok(found) if found.is_file() => {}
        _ => return Ok(false),
    }
    let mut head = Vec::new();
    File::open(path)?.take(SOON).read_to_end(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    let known = |&(name, begins, follows): &(&str, &str, &str)| {
        path.ends_with(name) && head.starts_with(begins) && head.contains(follows)
    };
    Ok(head.is_empty() || MARKS.iter().any(known))
}

#[cfg(test)]
mod tests {
    use super::super::beside::Beside;
    use super::super::{folder, tests::sample};
    use super::*;

    #[test]
    fn what_a_run_wrote_is_ours_and_what_others_wrote_is_not() {
        let here = tempfile::tempdir().unwrap();
        assert_eq!(stranger(here.path()).unwrap(), None);
        folder::write(&sample(), &Beside::default(), here.path()).unwrap();
        assert_eq!(stranger(here.path()).unwrap(), None);
        for name in [ROWS, TEXT, PAGE] {
            let path = here.path().join(name);
            let ours = fs::read(&path).unwrap();
            for other in ["{\"id\":1}\n", "# My notes", "<!DOCTYPE html><title>Other</title>"] {
                fs::write(&path, other).unwrap();
                assert_eq!(stranger(here.path()).unwrap(), Some(path.clone()));
            }
            fs::write(&path, ours).unwrap();
        }
        fs::remove_file(here.path().join(TEXT)).unwrap();
        fs::create_dir(here.path().join(TEXT)).unwrap();
        assert_eq!(stranger(here.path()).unwrap(), Some(here.path().join(TEXT)));
    }
}
