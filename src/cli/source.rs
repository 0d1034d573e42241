//! Where the bytes of an input come from: files, folders, standard input. Never more than the limit plus one byte.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use wirebench::limits::Limits;

/// Bytes of one input that are looked at; one more is read, so that the excess is seen.
pub const LIMIT: usize = Limits::transcript().bytes;

/// What files of a folder are read; those without a suffix too.
pub const SUFFIXES: [&str; 7] = ["case", "session", "frames", "json", "jsonl", "ndjson", "har"];

/// An input that gives no bytes.
#[derive(Debug)]
pub struct Fault {
    /// The name of the input.
    pub source: String,
    /// What is wrong and what to do, in our words.
    pub what: String,
}

impl Fault {
    fn new(source: &Path, what: impl Into<String>) -> Self {
        Self { source: source.display().to_string(), what: what.into() }
    }
}

/// The files that a path stands for: itself, or everything under a folder that looks like a recording, sorted. With
/// `every`, everything that is not hidden. The second number counts files that were passed over.
pub fn expand(path: &Path, every: bool) -> (Vec<Result<PathBuf, Fault>>, usize) {
    if path == Path::new("-") || !path.is_dir() {
        return (vec![Ok(path.to_owned())], 0);
    }
    let (mut found, mut passed_over) = (Vec::new(), 0);
    let mut folders = vec![path.to_owned()];
    let mut faults = Vec::new();
    while let Some(folder) = folders.pop() {
        let listed = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = match listed {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(Err(Fault::new(&folder, format!("the folder cannot be listed: {}", error.kind()))));
                continue;
            }
        };
        for entry in entries {
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                _ if hidden => {}
                // Links to folders are not followed: they may lead around in a circle.
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) if entry.path().is_dir() => {}
                // A pipe or a device may never end; a link that leads nowhere is told when it is read.
                Ok(_) if fs::metadata(entry.path()).is_ok_and(|of| !of.is_file()) => passed_over += 1,
                _ if every || is_recording(&entry.path()) => found.push(entry.path()),
                _ => passed_over += 1,
            }
        }
    }
    found.sort();
    if found.is_empty() && faults.is_empty() {
        let what =
            format!("the folder holds nothing to read; files must end in .{}, or name them", SUFFIXES.join(", ."));
        faults.push(Err(Fault::new(path, what)));
    }
    (found.into_iter().map(Ok).chain(faults).collect(), passed_over)
}

fn is_recording(path: &Path) -> bool {
    match path.extension() {
        None => true,
        Some(suffix) => SUFFIXES.iter().any(|known| suffix.eq_ignore_ascii_case(known)),
    }
}

/// The bytes of a file, or of standard input for `-`: at most [`LIMIT`] and one.
pub fn load(path: &Path) -> Result<Vec<u8>, Fault> {
    let at_most = LIMIT as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let read = io::stdin().lock().take(at_most).read_to_end(&mut bytes);
        return match read {
            Ok(0) => Err(Fault::new(path, "standard input holds nothing; pipe a recording into it")),
            Ok(_) => Ok(bytes),
            Err(error) => Err(Fault::new(path, format!("standard input cannot be read: {}", error.kind()))),
        };
    }
    let read = File::open(path).and_then(|file| file.take(at_most).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Fault::new(path, format!("the file cannot be read: {}", error.kind()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_in_order_and_passes_over_what_is_no_recording() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("b")).expect("writable");
        for name in ["b/2.case", "a.json", "README.md", ".hidden.json", "0123abcd"] {
            fs::write(folder.path().join(name), "x").expect("writable");
        }
        let (found, passed_over) = expand(folder.path(), false);
        let names: Vec<_> = found.into_iter().map(|path| path.expect("listed")).collect();
        assert_eq!(names, ["0123abcd", "a.json", "b/2.case"].map(|name| folder.path().join(name)));
        assert_eq!(passed_over, 1);
        assert_eq!(expand(folder.path(), true).0.len(), 4);
    }

    #[cfg(unix)]
    #[test]
    fn of_a_folder_a_socket_is_passed_over_and_a_link_to_a_file_is_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("a.json"), "x").expect("writable");
        std::os::unix::fs::symlink("a.json", folder.path().join("b.json")).expect("writable");
        let _open = std::os::unix::net::UnixListener::bind(folder.path().join("c.json")).expect("writable");
        for every in [false, true] {
            let (found, passed_over) = expand(folder.path(), every);
            assert_eq!((found.len(), passed_over), (2, 1));
        }
    }

    #[test]
    fn an_empty_folder_and_a_file_that_is_gone_say_what_is_wrong() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(expand(folder.path(), false).0.remove(0).is_err());
        let gone = folder.path().join("gone.json");
        assert!(load(&gone).expect_err("gone").what.contains("cannot be read"));
    }

    #[test]
    fn a_long_file_is_read_to_one_byte_past_the_limit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("long");
        File::create(&path).and_then(|file| file.set_len(LIMIT as u64 * 4)).expect("writable");
        assert_eq!(load(&path).expect("readable").len(), LIMIT + 1);
    }
}
