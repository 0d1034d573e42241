//! Which compilers and LLVM tools are on this machine. Nothing is fetched, and each answer that is no says why.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A compiler that takes the flags of a sanitizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sanitizing {
    /// The toolchain that rustup knows by that name.
    Named(String),
    /// The one that builds everything else: it is a nightly itself, or was told to pass for one.
    Own,
}

/// The variable that lets a stable compiler pass for a nightly.
const BOOTSTRAP: &str = "RUSTC_BOOTSTRAP";

/// The newest nightly compiler, which must be at least of the version `oldest`, such as `1.95`.
///
/// # Errors
///
/// A sentence that says what is missing.
pub fn sanitizing(oldest: &str) -> Result<Sanitizing, String> {
    let listed = said("rustup", &["toolchain", "list"]).unwrap_or_default();
    let names = listed.lines().filter_map(|line| line.split_whitespace().next());
    let known: Vec<(Version, String, &str)> = names
        .filter(|name| name.starts_with("nightly"))
        .filter_map(|name| {
            let about = said("rustup", &["run", name, "rustc", "-vV"])?;
            Some((version(value(&about, "release")?)?, value(&about, "commit-date")?.to_owned(), name))
        })
        .collect();
    let newest = known.into_iter().max();
    if let Some((_, _, name)) = newest.as_ref().filter(|(found, ..)| Some(*found) >= version(oldest)) {
        return Ok(Sanitizing::Named((*name).to_owned()));
    }
    let own = said("rustc", &["-vV"]).unwrap_or_default();
    if std::env::var_os(BOOTSTRAP).is_some_and(|value| value == "1")
        || value(&own, "release").is_some_and(|release| release.contains("nightly"))
    {
        return Ok(Sanitizing::Own);
    }
    Err(match newest {
        Some((_, _, name)) => format!("{name} is older than {oldest}: `rustup update nightly`"),
        None => format!("no nightly compiler is installed: `rustup toolchain install nightly`, or {BOOTSTRAP}=1"),
    })
}

/// The LLVM tools that read the profiles of this compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Llvm {
    /// Joins raw profiles.
    pub profdata: PathBuf,
    /// Turns a profile and the programs that wrote it into counts.
    pub cov: PathBuf,
}

/// Finds tools of the same major version as the compiler's LLVM: its own component, then the system's.
///
/// # Errors
///
/// A sentence that says what is missing.
pub fn llvm() -> Result<Llvm, String> {
    let about = said("rustc", &["-vV"]).ok_or("rustc does not say its version")?;
    let major = value(&about, "LLVM version").and_then(|version| version.split('.').next());
    let major = major.ok_or("rustc does not say the version of its LLVM")?;
    let component = said("rustc", &["--print", "target-libdir"]).map(|libraries| {
        let libraries = Path::new(libraries.trim()).to_owned();
        libraries.with_file_name("bin")
    });
    let tool = |name: &str| -> Option<PathBuf> {
        let versioned = Path::new("/usr/lib").join(format!("llvm-{major}/bin")).join(name);
        let ours = component.as_ref().map(|folder| folder.join(name));
        let candidates = [ours, Some(format!("{name}-{major}").into()), Some(name.into()), Some(versioned)];
        candidates.into_iter().flatten().find(|program| {
            let told = said(program, &["--version"]).unwrap_or_default();
            told.contains(&format!("version {major}."))
        })
    };
    let missing = || format!("no llvm-profdata and llvm-cov of version {major}: `rustup component add llvm-tools`");
    Ok(Llvm { profdata: tool("llvm-profdata").ok_or_else(missing)?, cov: tool("llvm-cov").ok_or_else(missing)? })
}

type Version = (u32, u32);

fn version(text: &str) -> Option<Version> {
    let mut numbers = text.split(['.', '-']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// What stands behind `key: ` on a line of its own.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// What a program prints, when it is there and ends well.
fn said(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).env("RUSTUP_AUTO_INSTALL", "0").stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_compiler_says_of_itself_is_understood() {
        let about = "rustc 1.97.0-nightly (e50aa6fba 2026-05-19)\nrelease: 1.97.0-nightly\nLLVM version: 22.1.4\n";
        assert_eq!(value(about, "release").and_then(version), Some((1, 97)));
        assert_eq!(value(about, "LLVM version"), Some("22.1.4"));
        assert_eq!((version("1.95"), version("nightly")), (Some((1, 95)), None));
        assert!(version("1.97.0-nightly") >= version("1.95") && version("1.100") > version("1.97"));
    }
}
