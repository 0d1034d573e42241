//! Which fuzz targets there are, and how they are built.
//!
//! The list is the `[[bin]]` entries of `fuzz/Cargo.toml` and nothing else. Limits of a target for its engine stand in
//! `fuzz/NAME.options`, the file that other engines read as well. Each way to build has a folder of its own, so that
//! both may build at once.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::campaign::interrupt::Interrupt;
use crate::campaign::unready::Unready;

use super::toolchain::Sanitizing;

/// The fuzz workspace of a checkout.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The root of the project, with `Cargo.toml`, `fuzz/` and `corpus/`.
    pub root: PathBuf,
    /// The names of the targets, in the order of the file.
    pub targets: Vec<String>,
    /// The oldest compiler that builds them.
    pub rust_version: String,
}

/// How a target is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The toolchain of the project, no sanitizer, no debug assertions.
    Quick,
    /// With AddressSanitizer, which a nightly compiler offers, and debug assertions; leaks are looked for as well.
    Deep,
}

/// A way to build, with the compiler for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Of the tier quick.
    Quick,
    /// Of the tier deep.
    Deep(Sanitizing),
}

impl Way {
    /// The tier that it makes.
    pub const fn tier(&self) -> Tier {
        match self {
            Self::Quick => Tier::Quick,
            Self::Deep(_) => Tier::Deep,
        }
    }
}

impl Tier {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Deep => "deep",
        }
    }

    /// How cargo-fuzz instruments and checks. The quick tier executes as much as it can: no assertions of debug builds,
    /// and no record of comparisons, whose values the dictionary holds.
    const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Quick => &["-s", "none", "-O", "--no-trace-compares"],
            Self::Deep => &["-s", "address"],
        }
    }
}

#[derive(Deserialize)]
struct Manifest {
    package: Package,
    #[serde(default)]
    bin: Vec<Bin>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Package {
    #[serde(default)]
    rust_version: String,
}

#[derive(Deserialize)]
struct Bin {
    name: String,
}

impl Workspace {
    /// The workspace that is nearest above the current folder.
    ///
    /// # Errors
    ///
    /// When there is none, or its manifest cannot be read.
    pub fn find() -> Result<Self, Unready> {
        let here = std::env::current_dir().map_err(|error| Unready(format!("no current folder: {error}")))?;
        let root = here.ancestors().find(|folder| folder.join("fuzz/Cargo.toml").is_file()).ok_or_else(|| {
            Unready("no fuzz/Cargo.toml here or above: run this inside a checkout of wirebench".to_owned())
        })?;
        let manifest = root.join("fuzz/Cargo.toml");
        let text = fs::read_to_string(&manifest)
            .map_err(|error| Unready(format!("{} cannot be read: {error}", manifest.display())))?;
        let manifest_of: Manifest = toml::from_str(&text)
            .map_err(|error| Unready(format!("{} cannot be read: {}", manifest.display(), error.message())))?;
        let targets: Vec<String> = manifest_of.bin.into_iter().map(|bin| bin.name).collect();
        if targets.is_empty() {
            return Err(Unready(format!("{} has no [[bin]]: there is nothing to fuzz", manifest.display())));
        }
        Ok(Self { root: root.to_owned(), targets, rust_version: manifest_of.package.rust_version })
    }

    /// Builds every target one way; targets that do not build are named in the second list, as are those that are left
    /// when somebody asks the run to end. Output goes to a log of its own in the folder of logs.
    ///
    /// # Errors
    ///
    /// When cargo-fuzz is not there, or cannot be started.
    pub fn build(&self, way: &Way, logs: &Path, interrupt: &Interrupt) -> Result<(Vec<Built>, Vec<String>), Unready> {
        let present = self.cargo(&["fuzz", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !present.is_ok_and(|status| status.success()) {
            return Err(Unready(
                "cargo-fuzz is not there: scripts/nightly installs the pinned version into target/tools and runs this \
                 verb; `wirebench fuzz` needs no engine at all"
                    .to_owned(),
            ));
        }
        let tier = way.tier();
        let log = logs.join(build_log(tier));
        let file =
            File::create(&log).map_err(|error| Unready(format!("{} cannot be written: {error}", log.display())))?;
        let build = |target: Option<&str>| -> io::Result<bool> {
            let mut command = match way {
                Way::Quick | Way::Deep(Sanitizing::Own) => self.cargo(&["fuzz", "build"]),
                Way::Deep(Sanitizing::Named(name)) => self.cargo_of(name, &["fuzz", "build"]),
            };
            command.args(tier.flags()).args(["--fuzz-dir", "fuzz", "--target-dir"]);
            command.arg(self.output(tier)).args(target).stdin(Stdio::null());
            Ok(command.stdout(file.try_clone()?).stderr(file.try_clone()?).status()?.success())
        };
        let started =
            |outcome: io::Result<bool>| outcome.map_err(|error| Unready(format!("cargo cannot be started: {error}")));
        let whole = started(build(None))?;
        let (mut built, mut failed) = (Vec::new(), Vec::new());
        for target in &self.targets {
            let builds = whole || !interrupt.is_set() && started(build(Some(target)))?;
            match self.binary(tier, target).filter(|_| builds) {
                Some(binary) => {
                    built.push(Built { target: target.clone(), tier, binary, options: self.options(target) });
                }
                None => failed.push(target.clone()),
            }
        }
        Ok((built, failed))
    }

    /// The cargo that started this program, or the one on the path, in the root of the project.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// The cargo that rustup finds, told to be the one of that toolchain.
    fn cargo_of(&self, toolchain: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(&self.root).env("RUSTUP_TOOLCHAIN", toolchain).env_remove("CARGO");
        command
    }

    fn output(&self, tier: Tier) -> PathBuf {
        match tier {
            Tier::Quick => self.root.join("fuzz/target"),
            Tier::Deep => self.root.join("fuzz/target/deep"),
        }
    }

    /// The binary of a target; its place holds the name of the machine, which only the build knows.
    fn binary(&self, tier: Tier, target: &str) -> Option<PathBuf> {
        let candidates = fs::read_dir(self.output(tier)).ok()?.filter_map(Result::ok).map(|entry| entry.path());
        candidates
            .filter(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().contains('-')))
            .map(|folder| folder.join("release").join(target))
            .find(|binary| binary.is_file())
    }

    fn options(&self, target: &str) -> Vec<String> {
        let text = fs::read_to_string(self.root.join("fuzz").join(format!("{target}.options"))).unwrap_or_default();
        options(&text)
    }
}

/// The name of the log of a tier's builds.
pub fn build_log(tier: Tier) -> String {
    format!("build.{}.log", tier.word())
}

/// A target that is ready to run.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its name.
    pub target: String,
    /// How it was built.
    pub tier: Tier,
    /// Its program.
    pub binary: PathBuf,
    /// Flags for the engine.
    pub options: Vec<String>,
}

impl Built {
    /// What its folders and logs are called: a name for each way to build.
    pub fn slug(&self) -> String {
        match self.tier {
            Tier::Quick => self.target.clone(),
            Tier::Deep => format!("{}.deep", self.target),
        }
    }

    /// The program, ready for its arguments, that shows that subject what it is given.
    pub fn command(&self, subject: &str) -> Command {
        let mut command = Command::new(&self.binary);
        command.env("WIREBENCH_SUBJECT", subject).stdin(Stdio::null()).stdout(Stdio::null());
        if self.tier == Tier::Deep && std::env::var_os(ASAN).is_none() {
            // The engine is linked in as C++ and in parts twice, which is no fault of a target.
            command.env(ASAN, "detect_odr_violation=0");
        }
        command
    }
}

const ASAN: &str = "ASAN_OPTIONS";

/// The `[libfuzzer]` section as flags.
fn options(text: &str) -> Vec<String> {
    let mut within = false;
    let mut flags = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            within = line == "[libfuzzer]";
        } else if let (true, Some((key, value))) = (within, line.split_once('=')) {
            flags.push(format!("-{}={}", key.trim(), value.trim()));
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_engine_become_its_flags() {
        let text = "[asan]\ndetect_leaks = 0\n[libfuzzer]\nmax_len = 4096\ntimeout=10\n";
        assert_eq!(options(text), ["-max_len=4096", "-timeout=10"]);
    }
}
