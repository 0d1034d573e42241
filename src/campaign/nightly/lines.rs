//! Which lines of the codec the corpus reaches.
//!
//! The programs that replay files on stable are built once more, this time counting, and shown what each target was
//! seeded with, what it kept and what earlier nights kept. The counts are read by LLVM's own tools, which must be of the
//! compiler's version; where they are not there, or anything of it fails, the answer is a sentence that says so.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use super::engine::{Ended, Place, watch};
use super::toolchain::{self, Llvm};
use super::workspace::Workspace;
use crate::campaign::interrupt::Interrupt;
use crate::report::Lines;

/// The folder whose lines are counted.
const SOURCES: &str = "src/codec";

/// The longest replay of one target, and the longest build.
const REPLAY: Duration = Duration::from_secs(120);
const BUILD: Duration = Duration::from_secs(900);

/// The lines of every file, for the corpora at those places. `scratch` is a folder of its own, removed at the end; the
/// build's log stays in `logs`.
///
/// # Errors
///
/// A sentence that says what is missing or went wrong.
pub fn count(
    workspace: &Workspace,
    places: &[(String, Place)],
    scratch: &Path,
    logs: &Path,
    interrupt: &Interrupt,
) -> Result<Vec<Lines>, String> {
    let llvm = toolchain::llvm()?;
    fs::create_dir_all(scratch).map_err(|error| format!("{} cannot be written: {error}", scratch.display()))?;
    let counted = counted(workspace, places, &llvm, scratch, logs, interrupt);
    // What was counted counts, whether or not its remains can be removed.
    let _ = fs::remove_dir_all(scratch);
    counted
}

fn counted(
    workspace: &Workspace,
    places: &[(String, Place)],
    llvm: &Llvm,
    scratch: &Path,
    logs: &Path,
    interrupt: &Interrupt,
) -> Result<Vec<Lines>, String> {
    let programs = build(workspace, places, scratch, logs, interrupt)?;
    let profiles: Vec<PathBuf> = places.iter().map(|(name, _)| scratch.join(format!("{name}.profraw"))).collect();
    let replay = |((program, profile), (name, place)): ((&PathBuf, &PathBuf), &(String, Place))| {
        let mut command = Command::new(program);
        command.env("LLVM_PROFILE_FILE", profile).args([&place.seeds, &place.corpus]).args(&place.kept);
        quiet(&mut command, None);
        let ended = watch(&mut command, REPLAY, interrupt, &mut |_| {}).map_err(|error| format!("{name}: {error}"))?;
        match ended == Ended::InTime && profile.is_file() {
            true => Ok(()),
            false => Err(format!("the replay of {name} took more than {REPLAY:?} or left no profile")),
        }
    };
    thread::scope(|scope| {
        let all: Vec<_> =
            programs.iter().zip(&profiles).zip(places).map(|at| scope.spawn(move || replay(at))).collect();
        all.into_iter().try_for_each(|one| one.join().expect("a replay only reports"))
    })?;
    let joined = scratch.join("profile");
    let mut command = Command::new(&llvm.profdata);
    command.args(["merge", "-sparse", "-o"]).arg(&joined).args(&profiles);
    said(&mut command, "llvm-profdata")?;
    let mut command = Command::new(&llvm.cov);
    command.args(["export", "-summary-only"]).arg(format!("-instr-profile={}", joined.display()));
    for (index, program) in programs.iter().enumerate() {
        command.args((index > 0).then_some("-object")).arg(program);
    }
    command.arg("-sources").arg(workspace.root.join(SOURCES));
    read(&said(&mut command, "llvm-cov")?, &workspace.root)
}

/// Builds the programs of those targets with counters.
fn build(
    workspace: &Workspace,
    places: &[(String, Place)],
    scratch: &Path,
    logs: &Path,
    interrupt: &Interrupt,
) -> Result<Vec<PathBuf>, String> {
    let output = workspace.root.join("fuzz/target/lines");
    let mut command = workspace.cargo(&["build", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"]);
    command.arg(&output);
    for (name, _) in places {
        command.args(["--bin", name]);
    }
    // What runs during the build counts as well, and would leave its profile in the source tree.
    command.env("RUSTFLAGS", "-Cinstrument-coverage").env("LLVM_PROFILE_FILE", scratch.join("build-%p.profraw"));
    let log = logs.join("build.lines.log");
    quiet(&mut command, Some(&log));
    let ended = watch(&mut command, BUILD, interrupt, &mut |_| {}).map_err(|error| error.to_string())?;
    let programs: Vec<PathBuf> = places.iter().map(|(name, _)| output.join("debug").join(name)).collect();
    match ended == Ended::InTime && programs.iter().all(|program| program.is_file()) {
        true => Ok(programs),
        false => Err(format!("the build with counters failed, see {}", log.display())),
    }
}

fn quiet(command: &mut Command, log: Option<&Path>) {
    let to = log.and_then(|log| File::create(log).ok()).map_or_else(Stdio::null, Stdio::from);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(to);
}

fn said(command: &mut Command, name: &str) -> Result<Vec<u8>, String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    output.ok().filter(|output| output.status.success()).map(|output| output.stdout).ok_or(format!("{name} failed"))
}

#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    files: Vec<OfFile>,
}

#[derive(Deserialize)]
struct OfFile {
    filename: PathBuf,
    summary: Summary,
}

#[derive(Deserialize)]
struct Summary {
    lines: Counts,
}

#[derive(Deserialize)]
struct Counts {
    count: u64,
    covered: u64,
}

/// Reads what `llvm-cov export` wrote.
fn read(export: &[u8], root: &Path) -> Result<Vec<Lines>, String> {
    let export: Export = serde_json::from_slice(export).map_err(|_| "llvm-cov wrote something else".to_owned())?;
    let files = export.data.into_iter().flat_map(|data| data.files);
    let mut lines: Vec<Lines> = files
        .map(|file| Lines {
            file: file.filename.strip_prefix(root).unwrap_or(&file.filename).display().to_string(),
            lines: file.summary.lines.count,
            covered: file.summary.lines.covered,
        })
        .collect();
    lines.sort_by(|left, right| left.file.cmp(&right.file));
    // A profile beside a program that did not write it reads as nothing at all.
    match lines.iter().any(|file| file.covered > 0) {
        true => Ok(lines),
        false => Err("the profile and the programs do not belong together".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_becomes_a_row_a_file_and_one_without_any_count_is_refused() {
        let export = |covered: u64| {
            format!(
                r#"{{"data":[{{"files":[{{"filename":"/x/src/codec/b.rs","summary":{{"lines":{{"count":9,"covered":{covered},"percent":1.5}}}}}},
                {{"filename":"/x/src/codec/a.rs","summary":{{"lines":{{"count":3,"covered":0}},"functions":{{}}}}}}]}}],"type":"x"}}"#
            )
        };
        let lines = read(export(4).as_bytes(), Path::new("/x")).unwrap();
        assert_eq!(lines[1], Lines { file: "src/codec/b.rs".to_owned(), lines: 9, covered: 4 });
        assert_eq!(lines[0].file, "src/codec/a.rs");
        assert!(read(export(0).as_bytes(), Path::new("/x")).is_err());
        assert!(read(b"{}", Path::new("/x")).is_err());
    }
}
