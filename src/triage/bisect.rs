//! Which commit brought a fault: `git bisect run` in a checkout of its own.
//!
//! The caller's checkout is not touched. A commit at which the command can be asked nothing, say because it does not
//! build, is passed over.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub struct Range<'a> {
    /// A commit without the fault.
    pub good: &'a str,
    /// A commit with it.
    pub bad: &'a str,
}

/// Why no commit is named: what git said, or that it is not there.
#[derive(Debug)]
pub struct Error(String);

/// The first commit of the range at which the shell command ends with 1 and not with 0; its log goes to standard error.
///
/// # Errors
///
/// When git is not there, a commit is none, or all that could be the first were passed over.
pub fn first_bad(root: &Path, range: Range<'_>, command: &str) -> Result<String, Error> {
    let scratch = std::env::temp_dir().join(format!("wirebench-bisect-{}", std::process::id()));
    git(root, &["worktree", "add", "--detach", "--quiet", &scratch.to_string_lossy(), range.bad])?;
    let found = bisect(&scratch, range, command);
    let removed = git(root, &["worktree", "remove", "--force", &scratch.to_string_lossy()]);
    let found = found?;
    removed?;
    Ok(found)
}

/// The command that asks the checkout it runs in for a finding: 0 when it is not shown, 1 when it is, 125 otherwise.
pub fn question(file: &Path, id: &str, subject: &str) -> String {
    let quoted = format!("'{}'", file.to_string_lossy().replace('\'', "'\\''"));
    format!(
        "said=$(cargo run --quiet --locked -- replay {quoted} --subject {subject}); \
         case $? in 0) exit 0;; 1) case $said in {id}*) exit 1;; *) exit 0;; esac;; *) exit 125;; esac"
    )
}

fn bisect(scratch: &Path, range: Range<'_>, command: &str) -> Result<String, Error> {
    git(scratch, &["bisect", "start", range.bad, range.good])?;
    // It fails where only commits are left that were passed over.
    let ran = git(scratch, &["bisect", "run", "sh", "-c", command]);
    let reset = git(scratch, &["bisect", "reset"]);
    let none = |why: &str| Error(format!("no single commit is left that could be the first ({why})"));
    let ran = ran.map_err(|Error(why)| none(&why))?;
    reset?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let line = text.lines().find_map(|line| line.strip_suffix(" is the first bad commit"));
    line.map(str::to_owned).ok_or_else(|| none("git names none"))
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Output, Error> {
    let mut command = Command::new("git");
    // The program that runs this names its own toolchain and folders, which are not those of another commit.
    for variable in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "GIT_DIR"] {
        command.env_remove(variable);
    }
    let output: io::Result<Output> = command.args(arguments).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| Error(format!("git cannot be started: {error}")))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(Error(format!(
            "git {} failed: {}",
            arguments[0],
            String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("no reason given")
        ))),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_commit_that_brought_the_fault_is_named_and_the_checkout_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let run =
            |arguments: &[&str]| String::from_utf8(git(root, arguments).unwrap().stdout).unwrap().trim().to_owned();
        run(&["init", "--quiet"]);
        let mut commits = Vec::new();
        for text in ["fine", "still fine", "does not build", "bug", "bug and more"] {
            fs::write(root.join("file"), text).unwrap();
            run(&["add", "file"]);
            run(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", text]);
            commits.push(run(&["rev-parse", "HEAD"]));
        }
        fs::write(root.join("file"), "not committed").unwrap();
        let range = Range { good: &commits[0], bad: &commits[4] };
        let ask = "grep -q bug file && exit 1 || exit 0";
        assert_eq!(first_bad(root, range, ask).unwrap(), commits[3]);
        assert_eq!(fs::read_to_string(root.join("file")).unwrap(), "not committed");
        let skipping = "grep -q build file && exit 125; grep -q bug file && exit 1 || exit 0";
        assert!(first_bad(root, range, skipping).unwrap_err().0.contains("no single commit"));
        assert!(first_bad(root, Range { good: "nowhere", ..range }, ask).is_err());
    }
}
