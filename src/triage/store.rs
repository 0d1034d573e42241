//! Findings on disk: `findings/<id>.case` below the folder of a run, written whole or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files;
pub use crate::files::{read, read_text};
use crate::finding::Evidence;
use crate::limits::Limits;

/// The folders in which a finding is looked up by its id, nearest first.
pub const FOLDERS: [&str; 2] = ["target/fuzz", "target/nightly"];

/// The file of a finding, relative to the folder of its run.
pub fn file(id: &str, evidence: &Evidence) -> String {
    format!("findings/{id}.{}", evidence.suffix())
}

/// The text of a finding of a run. Where somebody moved its file away, or put something longer in its place, the finding
/// stands without its text.
pub fn text(run: &Path, file: &str) -> Vec<u8> {
    files::read_plain(&run.join(file), Limits::transcript().bytes as u64).unwrap_or_default()
}

/// Writes the evidence of a finding below the folder of a run; a reader sees the old file or the new one, never a part.
///
/// # Errors
///
/// What the file system reports.
pub fn write(run: &Path, id: &str, evidence: &Evidence) -> io::Result<PathBuf> {
    let path = run.join(file(id, evidence));
    replace(&path, &evidence.encode())?;
    Ok(path)
}

/// Writes a file under a temporary name beside it, then renames it; folders are made as needed. The temporary name is
/// this process's own, so that several may write one file. A link keeps its place and its target is replaced; a file
/// keeps its mode; a device or a pipe is written to.
///
/// # Errors
///
/// What the file system reports.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &if path.is_symlink() { fs::canonicalize(path)? } else { path.to_owned() };
    let before = match fs::metadata(path) {
        Ok(before) if before.is_file() => Some(before.permissions()),
        Ok(_) => return OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let temporary = folder.join(format!(".{name}.{}.part", std::process::id()));
    let written = part(&temporary, bytes, before).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Whether the file holds these bytes and no others.
pub fn holds(path: &Path, bytes: &[u8]) -> bool {
    read(path, bytes.len() as u64).is_ok_and(|found| found == bytes)
}

/// Whether two paths name one file, which need not be there yet.
pub fn is_same(left: &Path, right: &Path) -> bool {
    let place = |path: &Path| {
        fs::canonicalize(path).ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        })
    };
    left == right || place(left).is_some_and(|left| place(right) == Some(left))
}

/// The file that a path or the id of a finding names; ids are looked up below `extra` and [`FOLDERS`].
pub fn find(name: &str, extra: Option<&Path>) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.exists() {
        return Some(path.to_owned());
    }
    let is_id = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let folders = extra.into_iter().chain(FOLDERS.iter().map(Path::new));
    let mut candidates = folders.flat_map(|folder| {
        ["case", "session", "frames"].map(|suffix| folder.join("findings").join(format!("{name}.{suffix}")))
    });
    if is_id { candidates.find(|candidate| candidate.is_file()) } else { None }
}

fn part(temporary: &Path, bytes: &[u8], mode: Option<Permissions>) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    if let Some(mode) = mode {
        file.set_permissions(mode)?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;

    #[test]
    fn a_finding_is_found_again_by_its_id() {
        let folder = tempfile::tempdir().unwrap();
        let evidence = Evidence::Case(Case::default());
        let path = write(folder.path(), "0123456789ab", &evidence).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"\n");
        assert_eq!(find("0123456789ab", Some(folder.path())), Some(path));
        assert_eq!(find("ffffffffffff", Some(folder.path())), None);
        let left: Vec<_> = fs::read_dir(folder.path().join("findings")).unwrap().collect();
        assert_eq!(left.len(), 1, "no temporary file is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_its_target_keeps_its_mode() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        symlink("file", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
