//! Which files a path stands for, and what they hold, within bounds.
//!
//! What a caller names, or what lies in a folder, may be a pipe that never ends, a circle of links or a file of any
//! length; none of them may cost more than its bound. Nothing is written here.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The file itself, or every file below the folder in the order of their paths. Links below a folder are not followed,
/// since they may lead around in a circle; pipes, sockets and devices there are passed over, since they may never end.
///
/// # Errors
///
/// What the file system reports.
pub fn below(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The bytes of a file, at most `longest` of them.
///
/// # Errors
///
/// What the file system reports; [`io::ErrorKind::FileTooLarge`] when there are more.
pub fn read(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(longest.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > longest {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("longer than {longest} bytes"))),
        false => Ok(bytes),
    }
}

/// Like [`read`], for a file of our own, which is never a pipe that waits for somebody to write.
///
/// # Errors
///
/// Those of [`read`]; [`io::ErrorKind::InvalidInput`] for what is no plain file.
pub fn read_plain(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    check_plain(path)?;
    read(path, longest)
}

/// Whether something is a plain file, or a link to one.
///
/// # Errors
///
/// What the file system reports; [`io::ErrorKind::InvalidInput`] when it is something else.
pub fn check_plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "no plain file")),
    }
}

/// Like [`read`], for text.
///
/// # Errors
///
/// Those of [`read`]; [`io::ErrorKind::InvalidData`] for what is not UTF-8.
pub fn read_text(path: &Path, longest: u64) -> io::Result<String> {
    String::from_utf8(read(path, longest)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_bound_and_refused_past_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("four");
        fs::write(&path, "four").unwrap();
        assert_eq!(read(&path, 4).unwrap(), b"four");
        assert_eq!(read(&path, 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_plain(folder.path(), 4).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        fs::write(&path, b"\xFF").unwrap();
        assert_eq!(read_text(&path, 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[cfg(unix)]
    #[test]
    fn a_walk_takes_files_alone_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/c")).unwrap();
        for name in ["b/z", "b/c/a", "a", "c"] {
            fs::write(at(name), "").unwrap();
        }
        std::os::unix::fs::symlink("..", at("b/round")).unwrap();
        let _open = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        assert_eq!(below(folder.path()).unwrap(), ["a", "b/c/a", "b/z", "c"].map(at));
        assert_eq!(below(&at("b/z")).unwrap(), [at("b/z")]);
        assert!(below(&at("gone")).is_err());
    }
}
