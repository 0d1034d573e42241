//! Which machine, toolchain and commit is this? Nothing here names a host or a person.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::campaign::unready::Unready;

/// The checkout that is nearest above the current folder.
///
/// # Errors
///
/// When there is none.
pub fn root() -> Result<PathBuf, Unready> {
    let here = std::env::current_dir().map_err(|error| Unready(format!("no current folder: {error}")))?;
    let root = here.ancestors().find(|folder| folder.join("benches/instructions/main.rs").is_file());
    root.map(Path::to_owned).ok_or_else(|| {
        Unready("no benches/instructions here or above: run this inside a checkout of wirebench".to_owned())
    })
}

/// Release, commit and host of the compiler that the checkout asks for.
///
/// # Errors
///
/// When it does not say.
pub fn toolchain(root: &Path) -> Result<String, Unready> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = said(Command::new(rustc).arg("-vV").current_dir(root)).unwrap_or_default();
    let after = |name: &str| told.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    match (told.lines().next(), after("host:")) {
        (Some(release), Some(host)) => Ok(format!("{release} {host}")),
        _ => Err(Unready("`rustc -vV` says nothing: a Rust toolchain by rustup is needed".to_owned())),
    }
}

/// The model of the processor, or its architecture where the system does not tell.
pub fn cpu() -> String {
    let told = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models = told.lines().filter_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = models.map(|(_, model)| model.split_whitespace().collect::<Vec<_>>().join(" ")).next();
    model.filter(|model| !model.is_empty()).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The build profile of the benches, and flags from outside; both change what is counted.
///
/// # Errors
///
/// When the manifest cannot be read.
pub fn profile(root: &Path) -> Result<String, Unready> {
    let manifest = root.join("Cargo.toml");
    let table: Option<toml::Table> = fs::read_to_string(&manifest).ok().and_then(|text| text.parse().ok());
    let table = table.ok_or_else(|| Unready(format!("{} cannot be read", manifest.display())))?;
    let release = table.get("profile").and_then(|profiles| profiles.get("release")?.as_table());
    let mut words = vec!["release".to_owned()];
    words.extend(release.into_iter().flatten().map(|(key, value)| format!("{key}={value}")));
    words.extend(std::env::var("RUSTFLAGS").ok().filter(|flags| !flags.is_empty()));
    Ok(words.join(" "))
}

/// The commit that is checked out, with `-dirty` where the tree differs from it.
pub fn commit(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| said(Command::new("git").args(arguments).current_dir(root));
    let commit = git(&["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.trim().is_empty() { commit } else { format!("{commit}-dirty") })
}

/// The day of a moment, `YYYY-MM-DD`, in UTC.
pub fn day(moment: SystemTime) -> String {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    // Days from March of the year nothing, so that the leap day ends a year; an era has 400 years.
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year)
}

/// What a program prints, if it ends well.
pub(super) fn said(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    if output.status.success() { String::from_utf8(output.stdout).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_798_761_599, "2026-12-31"),
            (1_798_761_600, "2027-01-01"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
