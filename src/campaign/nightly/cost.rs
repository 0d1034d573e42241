//! What a night took: memory of this process, room on disk.

use std::fs;
use std::path::Path;

/// The most memory that this process has held, in MiB; 0 where the system does not tell.
pub fn memory_mb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse().ok());
    peak.map_or(0, |kilobytes: u64| kilobytes / 1024)
}

/// The size of everything below a folder, in bytes; what cannot be read counts nothing.
pub fn folder_bytes(folder: &Path) -> u64 {
    let mut open = vec![folder.to_owned()];
    let mut sum = 0;
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().filter_map(Result::ok) {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) if meta.is_file() => sum += meta.len(),
                _ => {}
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_as_large_as_what_is_below_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(folder.path().join("a"), "123").unwrap();
        fs::write(folder.path().join("below/b"), "45").unwrap();
        assert_eq!(folder_bytes(folder.path()), 5);
        assert!(!cfg!(target_os = "linux") || memory_mb() > 0);
    }
}
