//! What does a target do with the inputs that are on disk?
//!
//! A replay runs one target over files, folders being read whole and in the order of their names, and says which
//! inputs fail. It needs no engine and no nightly compiler. It does not shrink and writes nothing.

use std::cell::Cell;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use wirebench::files;
use wirebench::limits::Limits;

use crate::Verdict;

/// Bytes of one input; an engine makes none that is longer.
const LONGEST: u64 = Limits::transcript().bytes as u64;

/// Replays the files and folders named on the command line.
///
/// Exit codes: 0 every input passed, 1 at least one finding, 2 nothing was named, 3 a path could not be read or there
/// was no input at all. Findings outrank unreadable paths.
pub fn main(target: &str, run: fn(&[u8]) -> Verdict) -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        eprintln!("usage: {target} PATH...\nreplays files, and folders with everything below them");
        return ExitCode::from(2);
    }
    // A panic is printed once, with the file that it belongs to.
    panic::set_hook(Box::new(|info| LAST_PANIC.set(info.to_string())));
    let mut tally = Tally::default();
    for path in &paths {
        tally.replay(path, run);
    }
    println!("{target}: {tally}");
    ExitCode::from(tally.exit_code())
}

thread_local! {
    /// What the hook saw last: the message with the place in the source.
    static LAST_PANIC: Cell<String> = const { Cell::new(String::new()) };
}

/// What came of the inputs so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    kept: usize,
    rejected: usize,
    failed: usize,
    unreadable: usize,
}

impl Tally {
    fn replay(&mut self, path: &Path, run: fn(&[u8]) -> Verdict) {
        let files = files::below(path).unwrap_or_else(|error| self.unreadable(path, &error));
        for file in files {
            match files::read(&file, LONGEST) {
                Ok(bytes) => self.count(&file, &bytes, run),
                Err(error) => _ = self.unreadable(&file, &error),
            }
        }
    }

    fn count(&mut self, file: &Path, bytes: &[u8], run: fn(&[u8]) -> Verdict) {
        match panic::catch_unwind(AssertUnwindSafe(|| run(bytes))) {
            Ok(Verdict::Keep) => self.kept += 1,
            Ok(Verdict::Reject) => self.rejected += 1,
            Err(_) => {
                self.failed += 1;
                println!("{}: {}", file.display(), LAST_PANIC.take());
            }
        }
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) -> Vec<PathBuf> {
        self.unreadable += 1;
        eprintln!("{}: {error}", path.display());
        Vec::new()
    }

    const fn inputs(self) -> usize {
        self.kept + self.rejected + self.failed
    }

    const fn exit_code(self) -> u8 {
        match self {
            Self { failed: 1.., .. } => 1,
            Self { unreadable: 1.., .. } => 3,
            _ if self.inputs() == 0 => 3,
            _ => 0,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "replayed {}, of another shape {}, failed {}", self.inputs(), self.rejected, self.failed)?;
        match self.unreadable {
            0 => Ok(()),
            count => write!(f, ", unreadable {count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bytes: &[u8]) -> Verdict {
        assert_ne!(bytes, b"bad", "the input is bad");
        if bytes.is_empty() { Verdict::Reject } else { Verdict::Keep }
    }

    fn tally(kept: usize, rejected: usize, failed: usize, unreadable: usize) -> Tally {
        Tally { kept, rejected, failed, unreadable }
    }

    /// A folder of its own for each test, removed when it ends.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("wirebench-fuzz-{}-{name}", std::process::id()));
            for (file, text) in files {
                let path = root.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            Self(root)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_folder_is_replayed_whole_and_in_order() {
        let folder = Folder::new("order", &[("b/z", "1"), ("b/a", "2"), ("a", ""), ("c", "3")]);
        let files = files::below(&folder.0).unwrap();
        let names: Vec<_> = files.iter().map(|file| file.strip_prefix(&folder.0).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a", "b/a", "b/z", "c"]);
        let mut all = Tally::default();
        all.replay(&folder.0, run);
        assert_eq!(all, tally(3, 1, 0, 0));
        assert_eq!(all.exit_code(), 0);
    }

    #[test]
    fn a_failing_input_does_not_hide_the_ones_after_it() {
        let folder = Folder::new("failing", &[("a", "bad"), ("b", "good")]);
        let mut all = Tally::default();
        all.replay(&folder.0, run);
        all.replay(&folder.0.join("missing"), run);
        assert_eq!(all, tally(1, 0, 1, 1));
        assert_eq!(all.exit_code(), 1);
    }

    #[test]
    fn replaying_nothing_is_no_success() {
        assert_eq!(tally(0, 0, 0, 0).exit_code(), 3);
        assert_eq!(tally(1, 0, 0, 1).exit_code(), 3);
    }
}
