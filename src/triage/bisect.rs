//! Which commit brought a fault: `git bisect run` in a checkout of its own.
//!
//! The caller's checkout is not touched. A commit at which the command can be asked nothing, say because it does not
//! build, is passed over. The checkout goes when the search ends, also one that is interrupted; what a search that was
//! killed left is removed by the next one.

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub struct Range<'a> {
    /// A commit without the fault.
    pub good: &'a str,
    /// A commit with it.
    pub bad: &'a str,
}

/// Why no commit is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Nothing was asked: a sentence that says what to do.
    Unready(String),
    /// The search ended without a commit: why.
    NoCommit(String),
    /// The caller wanted an end.
    Stopped,
}

/// The first commit of the range at which the shell command ends with 1 and not with 0. `stop` is asked now and then
/// whether to end.
///
/// # Errors
///
/// When git is not there, a commit is none, all that could be the first were passed over, or it was stopped.
pub fn first_bad(root: &Path, range: Range<'_>, command: &str, stop: &dyn Fn() -> bool) -> Result<String, Error> {
    let git = Git { folder: root, stop };
    git.run(&["rev-parse", "--git-dir"]).map_err(|error| match error {
        Error::Unready(why) => Error::Unready(format!("{why}: run this inside the checkout whose commits are meant")),
        other => other,
    })?;
    let (good, bad) = (git.commit("good", range.good)?, git.commit("bad", range.bad)?);
    if good == bad {
        return Err(Error::Unready("good and bad are the same commit: name one without the fault as good".to_owned()));
    }
    remove_leftovers(&git);
    let scratch = Scratch::add(&git, &bad)?;
    bisect(&Git { folder: &scratch.path, stop }, &good, &bad, command)
}

/// The command that asks the checkout it runs in for a finding: 0 when it is not shown, 1 when it is, 125 otherwise.
pub fn question(file: &Path, id: &str, subject: &str) -> String {
    let quoted = format!("'{}'", file.to_string_lossy().replace('\'', "'\\''"));
    format!(
        "said=$(cargo run --quiet --locked -- replay {quoted} --subject {subject}); \
         case $? in 0) exit 0;; 1) case $said in {id}*) exit 1;; *) exit 0;; esac;; *) exit 125;; esac"
    )
}

fn bisect(git: &Git<'_>, good: &str, bad: &str, command: &str) -> Result<String, Error> {
    git.run(&["bisect", "start", bad, good])?;
    let none = |why: &str| Error::NoCommit(format!("no single commit is left that could be the first ({why})"));
    // It fails where only commits are left that were passed over.
    let ran = git.run(&["bisect", "run", "sh", "-c", command]).map_err(|error| match error {
        Error::Unready(why) => none(&why),
        other => other,
    })?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let line = text.lines().find_map(|line| line.strip_suffix(" is the first bad commit"));
    line.map(str::to_owned).ok_or_else(|| none("git names none"))
}

/// What the names of checkouts begin with.
const NAME: &str = "wirebench-bisect-";

/// A checkout that goes when this does. A lock beside it says that its process is alive.
struct Scratch<'a> {
    git: &'a Git<'a>,
    path: PathBuf,
    _lock: File,
}

impl<'a> Scratch<'a> {
    fn add(git: &'a Git<'a>, commit: &str) -> Result<Self, Error> {
        let folder = std::env::temp_dir();
        let unready = |error| Error::Unready(format!("{} takes no checkout: {error}", folder.display()));
        let mut paths = (0..u32::MAX).map(|number| folder.join(format!("{NAME}{}-{number}", std::process::id())));
        let path = paths.find(|path| path.symlink_metadata().is_err() && lock_of(path).symlink_metadata().is_err());
        let path = path.expect("a folder holds fewer files than there are numbers");
        let lock = File::create_new(lock_of(&path)).map_err(unready)?;
        lock.try_lock().map_err(|error| unready(error.into()))?;
        let scratch = Self { git, path, _lock: lock };
        git.run(&["worktree", "add", "--detach", "--quiet", &scratch.path.to_string_lossy(), commit])?;
        Ok(scratch)
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        remove(self.git, &self.path);
    }
}

fn lock_of(checkout: &Path) -> PathBuf {
    checkout.with_extension("lock")
}

/// Removes a checkout, what git knows of it, and its lock. What cannot be removed is left to the next search.
fn remove(git: &Git<'_>, checkout: &Path) {
    let git = Git { stop: &|| false, ..*git };
    if git.run(&["worktree", "remove", "--force", "--force", &checkout.to_string_lossy()]).is_err() {
        let _ = fs::remove_dir_all(checkout);
        let _ = git.run(&["worktree", "prune"]);
    }
    if checkout.symlink_metadata().is_err() {
        let _ = fs::remove_file(lock_of(checkout));
    }
}

/// Removes the checkouts of searches whose process is gone, however it ended.
fn remove_leftovers(git: &Git<'_>) {
    let Ok(listed) = git.run(&["worktree", "list", "--porcelain"]) else { return };
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let checkouts = listed.lines().filter_map(|line| line.strip_prefix("worktree ")).map(Path::new);
    for checkout in
        checkouts.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NAME)))
    {
        // Without its lock file the checkout is half removed.
        let alive = File::open(lock_of(checkout)).is_ok_and(|lock| lock.try_lock().is_err());
        if !alive {
            remove(git, checkout);
        }
    }
}

/// Runs git in a folder until it ends or the caller wants an end.
#[derive(Clone, Copy)]
struct Git<'a> {
    folder: &'a Path,
    stop: &'a dyn Fn() -> bool,
}

/// How often it is asked whether to end.
const ASKED: Duration = Duration::from_millis(20);

impl Git<'_> {
    /// The full name of the commit that a caller named, whatever else the name might mean to git.
    fn commit(&self, what: &str, name: &str) -> Result<String, Error> {
        let of = format!("{name}^{{commit}}");
        let found = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &of]);
        let found = match found {
            Err(Error::Stopped) => return Err(Error::Stopped),
            other => other.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        };
        found.filter(|id| id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).ok_or_else(|| {
            Error::Unready(format!("{name:?} is no commit of this checkout: give --{what} a commit, a branch or a tag"))
        })
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, Error> {
        let mut command = Command::new("git");
        // The program that runs this names its own toolchain and folders, which are not those of another commit.
        for variable in
            ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"]
        {
            command.env_remove(variable);
        }
        command.args(arguments).current_dir(self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own can be ended whole, with the builds that it started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let unready = |error| Error::Unready(format!("git cannot be started: {error}"));
        let child = command.spawn().map_err(unready)?;
        let group = child.id();
        let mut stopped = false;
        let output = thread::scope(|scope| {
            let waiter = scope.spawn(move || child.wait_with_output());
            while !waiter.is_finished() {
                if !stopped && (self.stop)() {
                    stopped = true;
                    let _ = Command::new("sh").args(["-c", &format!("kill -s KILL -- -{group}")]).status();
                }
                thread::sleep(ASKED);
            }
            waiter.join().expect("waiting does not panic")
        });
        if stopped {
            return Err(Error::Stopped);
        }
        let output = output.map_err(unready)?;
        match output.status.success() {
            true => Ok(output),
            false => Err(Error::Unready(format!(
                "git {} failed: {}",
                arguments[0],
                String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("no reason given")
            ))),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unready(what) | Self::NoCommit(what) => f.write_str(what),
            Self::Stopped => f.write_str("interrupted before a commit was found"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository whose commits hold these texts in a file, and their names.
    fn repository(texts: &[&str]) -> (tempfile::TempDir, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let git = Git { folder: folder.path(), stop: &|| false };
        let run = |arguments: &[&str]| String::from_utf8(git.run(arguments).unwrap().stdout).unwrap().trim().to_owned();
        run(&["init", "--quiet"]);
        let commit = |text: &&str| {
            fs::write(folder.path().join("file"), text).unwrap();
            run(&["add", "file"]);
            run(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", text]);
            run(&["rev-parse", "HEAD"])
        };
        let commits = texts.iter().map(commit).collect();
        (folder, commits)
    }

    /// How many checkouts git knows.
    fn checkouts(root: &Path) -> usize {
        let listed = Git { folder: root, stop: &|| false }.run(&["worktree", "list"]).unwrap().stdout;
        String::from_utf8(listed).unwrap().lines().count()
    }

    const ASK: &str = "grep -q bug file && exit 1 || exit 0";

    #[test]
    fn the_commit_that_brought_the_fault_is_named_and_the_checkout_stays_as_it_is() {
        let (folder, commits) = repository(&["fine", "still fine", "does not build", "bug", "bug and more"]);
        let root = folder.path();
        fs::write(root.join("file"), "not committed").unwrap();
        let range = Range { good: &commits[0], bad: &commits[4] };
        let ask = |range, command| first_bad(root, range, command, &|| false);
        assert_eq!(ask(range, ASK).unwrap(), commits[3]);
        assert_eq!(fs::read_to_string(root.join("file")).unwrap(), "not committed");
        let skipping = format!("grep -q build file && exit 125; {ASK}");
        assert!(matches!(ask(range, &skipping), Err(Error::NoCommit(why)) if why.contains("no single commit")));
        assert_eq!(checkouts(root), 1);
    }

    #[test]
    fn what_is_no_commit_is_told_by_the_name_of_its_option_and_never_reaches_git_as_one() {
        let (folder, commits) = repository(&["fine", "bug"]);
        for name in ["nope", "--output=x", "-h", "", "HEAD:file", "@{99}"] {
            for (range, option) in
                [(Range { good: name, bad: "HEAD" }, "--good"), (Range { good: &commits[0], bad: name }, "--bad")]
            {
                match first_bad(folder.path(), range, ASK, &|| false) {
                    Err(Error::Unready(why)) => assert!(why.contains("is no commit") && why.contains(option), "{why}"),
                    other => panic!("{name}: {other:?}"),
                }
            }
        }
        let same = first_bad(folder.path(), Range { good: "HEAD", bad: &commits[1] }, ASK, &|| false);
        assert!(matches!(same, Err(Error::Unready(why)) if why.contains("the same commit")));
        let outside = tempfile::tempdir().unwrap();
        let nowhere = first_bad(outside.path(), Range { good: "a", bad: "b" }, ASK, &|| false);
        assert!(matches!(nowhere, Err(Error::Unready(why)) if why.contains("inside the checkout")));
    }

    #[cfg(unix)]
    #[test]
    fn a_search_that_is_stopped_ends_what_it_started_and_one_that_was_killed_is_cleared_by_the_next() {
        let (folder, commits) = repository(&["fine", "fine too", "bug", "bug still"]);
        let (root, marks) = (folder.path(), tempfile::tempdir().unwrap());
        let range = Range { good: &commits[0], bad: &commits[3] };
        let mark = |name: &str| marks.path().join(name);
        let slow = format!("touch '{}'; sleep 60; touch '{}'", mark("begun").display(), mark("over").display());
        let begun = || mark("begun").exists();
        assert_eq!(first_bad(root, range, &slow, &begun), Err(Error::Stopped));
        assert_eq!(checkouts(root), 1);
        // What a killed process leaves: a checkout, and a lock that nobody holds.
        let left = std::env::temp_dir().join(format!("{NAME}0-{}", commits[0]));
        let git = Git { folder: root, stop: &|| false };
        git.run(&["worktree", "add", "--detach", "--quiet", &left.to_string_lossy(), &commits[0]]).unwrap();
        fs::write(lock_of(&left), "").unwrap();
        // That of a process that is alive stays.
        let held = std::env::temp_dir().join(format!("{NAME}1-{}", commits[0]));
        git.run(&["worktree", "add", "--detach", "--quiet", &held.to_string_lossy(), &commits[0]]).unwrap();
        let lock = File::create(lock_of(&held)).unwrap();
        lock.lock().unwrap();
        assert_eq!(first_bad(root, range, ASK, &|| false).unwrap(), commits[2]);
        assert!(!left.exists() && !lock_of(&left).exists() && held.exists());
        drop(lock);
        assert_eq!(first_bad(root, range, ASK, &|| false).unwrap(), commits[2]);
        assert!(!held.exists() && checkouts(root) == 1);
    }
}
