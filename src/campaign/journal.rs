//! What a run has done so far, on disk, so that a kill at any moment loses no finding and the run can go on.
//!
//! `journal.ndjson` in the folder of a run holds one [`Entry`] a line, each forced to the disk before the run goes on. A
//! last line that was cut is dropped; any other line that cannot be read ends the attempt with a sentence. No entry
//! holds a time of day: a clock that goes backwards changes nothing. The inputs of findings are files of their own,
//! written before their entry. The folder is held by a lock, so that a second run in it refuses.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kept::Kept;
use super::unready::Unready;
use crate::files;
use crate::report::Target;

/// The name of the file.
pub const FILE: &str = "journal.ndjson";

/// The longest journal that is read: that of a run of weeks.
const LONGEST: u64 = 1 << 30;

/// The largest count of one entry, and the farthest draw.
const MOST: f64 = (1_u64 << 40) as f64;
const FARTHEST: f64 = (1_u64 << 62) as f64;

/// How many workers a run may have.
pub const WORKERS: std::ops::RangeInclusive<usize> = 1..=256;

/// One step of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Entry {
    /// What was asked for; the first line.
    Start(Start),
    /// Draws up to `next` are done.
    Round(Round),
    /// A core spent time on its stretches.
    Spent {
        /// Which core.
        core: usize,
        /// Milliseconds since its last entry.
        millis: u64,
    },
    /// What an engine reported when it ended.
    Ran {
        /// The counts of that start, to be added to the others of the target.
        part: Target,
    },
    /// A finding whose file is written.
    Found(Kept),
    /// An artifact that is triaged and about to be removed.
    Artifact {
        /// Its path below the folder of the run.
        path: String,
        /// The finding that it shows; it may have been listed before.
        finding: Kept,
    },
    /// The run came to its end.
    End,
}

/// What was asked of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// `fuzz` or `nightly`.
    pub verb: String,
    /// The version that wrote the journal; another may draw otherwise.
    pub version: String,
    /// The subject.
    pub subject: String,
    /// The seed.
    pub seed: u64,
    /// How many draws.
    pub cases: Option<u64>,
    /// The budget, in milliseconds.
    pub millis: Option<u64>,
    /// Threads or processes.
    pub workers: usize,
}

/// What some rounds of draws brought, added up since the entry before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The first draw that is not done.
    pub next: u64,
    /// The draws that may have reached something new, in order.
    pub new: Vec<u64>,
    /// Messages checked.
    pub cases: u64,
    /// Sessions checked.
    pub sessions: u64,
    /// Times that the subject could not be asked.
    pub unreachable: u64,
    /// Invariants exercised for the first time.
    pub exercised: Vec<String>,
    /// How many draws showed each finding.
    pub hits: BTreeMap<String, u64>,
    /// Milliseconds of work.
    pub millis: u64,
}

impl Round {
    /// Adds the rounds that follow.
    pub fn add(&mut self, later: Self) {
        self.next = later.next;
        self.new.extend(later.new);
        self.cases = self.cases.saturating_add(later.cases);
        self.sessions = self.sessions.saturating_add(later.sessions);
        self.unreachable = self.unreachable.saturating_add(later.unreachable);
        self.exercised.extend(later.exercised);
        self.millis = self.millis.saturating_add(later.millis);
        for (id, hits) in later.hits {
            let sum = self.hits.entry(id).or_default();
            *sum = sum.saturating_add(hits);
        }
    }
}

/// The open journal of a run.
#[derive(Debug)]
pub struct Journal {
    file: Mutex<File>,
    _lock: File,
}

impl Journal {
    /// Begins a journal in the folder. The one of a run that did not end is set aside as `journal.unfinished.ndjson`,
    /// numbered when that name is taken; says whether there was one.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written or another run works in it.
    pub fn begin(folder: &Path, start: Start) -> Result<(Self, bool), Unready> {
        let lock = lock(folder)?;
        let unwritable = |error: io::Error| Unready::unwritable(folder, &error);
        let path = folder.join(FILE);
        let unfinished = is_unfinished(&path).map_err(unwritable)?;
        if unfinished {
            fs::rename(&path, aside(folder)).map_err(unwritable)?;
        }
        let file = File::create(&path).map_err(unwritable)?;
        let journal = Self { file: Mutex::new(file), _lock: lock };
        journal.append(&Entry::Start(start)).map_err(unwritable)?;
        Ok((journal, unfinished))
    }

    /// Opens the journal of a run that was ended from outside, and says what it was asked and what it did.
    ///
    /// # Errors
    ///
    /// When there is none, it is of a run that ended or of another version, a line of it is damaged, or another run
    /// works in the folder.
    pub fn resume(folder: &Path, verb: &str) -> Result<(Self, Start, Vec<Entry>), Unready> {
        let path = folder.join(FILE);
        let shown = path.display();
        if !path.is_file() {
            return Err(Unready(format!("{shown} is not there: nothing to resume, run without --resume")));
        }
        let lock = lock(folder)?;
        let unwritable = |error: io::Error| Unready::unwritable(folder, &error);
        let (entries, whole) = read(&path, &folder.join("findings"))?;
        let mut entries = entries.into_iter();
        let Some(Entry::Start(start)) = entries.next() else {
            return Err(Unready(format!("{shown} does not begin with a start: run without --resume")));
        };
        if !WORKERS.contains(&start.workers) {
            return Err(Unready(format!("line 1 of {shown} is damaged: it asks for {} workers", start.workers)));
        }
        let past: Vec<Entry> = entries.collect();
        if start.verb != verb || start.version != env!("CARGO_PKG_VERSION") {
            return Err(Unready(format!(
                "{shown} is of `{} {}`: that run cannot be resumed by `{verb}` of another version or verb",
                start.verb, start.version
            )));
        }
        if past.iter().any(|entry| matches!(entry, Entry::End)) {
            return Err(Unready(format!("the run of {shown} came to its end: nothing to resume")));
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(unwritable)?;
        file.set_len(whole).map_err(unwritable)?;
        Ok((Self { file: Mutex::new(file), _lock: lock }, start, past))
    }

    /// Adds an entry; it is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn append(&self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        // A thread that panicked while it held the file left at most a line that was cut.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line)?;
        file.sync_data()
    }
}

/// Whether the journal is of a run that did not end. Anything else that bears the name is kept like one.
fn is_unfinished(path: &Path) -> io::Result<bool> {
    const END: &[u8] = b"{\"type\":\"end\"}\n";
    match files::check_plain(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        checked => checked?,
    }
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(END.len() as u64)))?;
    let mut tail = Vec::new();
    file.take(END.len() as u64).read_to_end(&mut tail)?;
    Ok(length > 0 && tail != END)
}

/// The entries of a journal and the length of its whole lines, in bytes.
fn read(path: &Path, findings: &Path) -> Result<(Vec<Entry>, u64), Unready> {
    let shown = path.display();
    let unreadable = |error: io::Error| Unready(format!("{shown} cannot be read: {error}"));
    files::check_plain(path).map_err(unreadable)?;
    if fs::metadata(path).map_err(unreadable)?.len() > LONGEST {
        return Err(Unready(format!("{shown} is longer than {LONGEST} bytes: move it away and run without --resume")));
    }
    let mut lines = BufReader::new(File::open(path).map_err(unreadable)?.take(LONGEST + 1));
    let (mut entries, mut whole, mut line) = (Vec::new(), 0, Vec::new());
    for number in 1.. {
        line.clear();
        let length = lines.read_until(b'\n', &mut line).map_err(unreadable)? as u64;
        let Some(text) = line.strip_suffix(b"\n") else { break };
        whole += length;
        if !text.is_empty() {
            entries.push(entry(text).ok_or_else(|| {
                Unready(format!(
                    "line {number} of {shown} is damaged: the findings stand in {}; move the journal away and run without \
                     --resume",
                    findings.display()
                ))
            })?);
        }
    }
    Ok((entries, whole))
}

/// The entry of a line. One whose numbers no run reaches is damaged, so that whoever adds them up need not fear for the
/// sum.
fn entry(line: &[u8]) -> Option<Entry> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let entry = serde_json::from_value(value.clone()).ok()?;
    // What was asked for is not added up.
    (matches!(entry, Entry::Start(_)) || is_reached(&value, MOST)).then_some(entry)
}

fn is_reached(value: &Value, most: f64) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| (0.0..=most).contains(&number)),
        Value::Array(values) => values.iter().all(|value| is_reached(value, most)),
        Value::Object(members) => members.iter().all(|(name, value)| {
            is_reached(value, if matches!(name.as_str(), "next" | "new") { FARTHEST } else { most })
        }),
        _ => true,
    }
}

/// The first name that no earlier run was set aside under.
fn aside(folder: &Path) -> PathBuf {
    let numbered = (2..).map(|number: u64| format!("journal.unfinished.{number}.ndjson"));
    std::iter::once("journal.unfinished.ndjson".to_owned())
        .chain(numbered)
        .map(|name| folder.join(name))
        .find(|path| path.symlink_metadata().is_err())
        .expect("a folder holds fewer files than there are numbers")
}

/// Holds the folder for this run alone; the hold ends with the process, however it ends.
fn lock(folder: &Path) -> Result<File, Unready> {
    let unwritable = |error: io::Error| Unready::unwritable(folder, &error);
    fs::create_dir_all(folder).map_err(unwritable)?;
    let path = folder.join("lock");
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(Unready(format!("{} is not a plain file: name another folder with --out", path.display())));
    }
    // Whatever else bears the name keeps its content.
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(unwritable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Unready(format!(
            "another run works in {}: wait for it, or name another folder with --out",
            folder.display()
        ))),
        Err(TryLockError::Error(error)) => Err(unwritable(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Start {
        Start {
            verb: "fuzz".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            subject: "codec".to_owned(),
            seed: 7,
            cases: None,
            millis: None,
            workers: 1,
        }
    }

    fn spent(core: usize) -> Entry {
        Entry::Spent { core, millis: 5 }
    }

    #[test]
    fn two_runs_on_one_folder_refuse() {
        let folder = tempfile::tempdir().unwrap();
        let first = Journal::begin(folder.path(), start()).unwrap();
        for second in [Journal::begin(folder.path(), start()).err(), Journal::resume(folder.path(), "fuzz").err()] {
            assert!(second.unwrap().0.contains("another run"));
        }
        drop(first);
        assert!(Journal::resume(folder.path(), "fuzz").is_ok());
    }

    #[test]
    fn a_folder_that_cannot_be_made_says_what_to_do() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let refused = Journal::begin(&file.path().join("below"), start()).unwrap_err();
        assert!(refused.0.contains("--out"), "{refused}");
    }

    #[test]
    fn a_line_that_was_cut_is_dropped_and_one_that_is_damaged_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let (journal, _) = Journal::begin(folder.path(), start()).unwrap();
        journal.append(&spent(0)).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        for cut in 1..36 {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let (journal, read, past) = Journal::resume(folder.path(), "fuzz").unwrap();
            assert_eq!((read, past.len()), (start(), 0));
            journal.append(&spent(1)).unwrap();
            drop(journal);
            let (_, _, past) = Journal::resume(folder.path(), "fuzz").unwrap();
            assert!(matches!(past.as_slice(), [Entry::Spent { core: 1, .. }]), "{past:?}");
        }
        fs::write(&path, [&whole[..], b"{\"type\":\"rou\n", &whole[..]].concat()).unwrap();
        let refused = Journal::resume(folder.path(), "fuzz").unwrap_err();
        assert!(refused.0.starts_with("line 3 of ") && refused.0.contains("findings"), "{refused}");
    }

    #[test]
    fn a_journal_whose_numbers_no_run_reaches_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        drop(Journal::begin(folder.path(), start()).unwrap());
        let begun = fs::read_to_string(&path).unwrap();
        let round = serde_json::to_string(&Entry::Round(Round { next: 5, ..Round::default() })).unwrap();
        let with = |line: &str| fs::write(&path, format!("{begun}{line}\n")).unwrap();
        with(&round);
        assert!(Journal::resume(folder.path(), "fuzz").is_ok());
        for (fine, hostile) in [
            ("\"next\":5", "\"next\":18446744073709551615"),
            ("\"cases\":0", "\"cases\":18446744073709551615"),
            ("\"millis\":0", "\"millis\":9000000000000000000"),
            ("\"hits\":{}", "\"hits\":{\"a\":18446744073709551615}"),
            ("\"new\":[]", "\"new\":[-1]"),
        ] {
            assert!(round.contains(fine), "{round}");
            with(&round.replace(fine, hostile));
            let refused = Journal::resume(folder.path(), "fuzz").unwrap_err();
            assert!(refused.0.starts_with("line 2 of ") && refused.0.contains("is damaged"), "{refused}");
        }
        with(&round);
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(LONGEST + 1).unwrap();
        assert!(Journal::resume(folder.path(), "fuzz").unwrap_err().0.contains("longer than"));
        // A new run keeps it all the same, whatever its length.
        assert!(Journal::begin(folder.path(), start()).unwrap().1);
    }

    #[test]
    fn a_run_that_ended_or_is_of_another_verb_is_not_resumed() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Journal::resume(folder.path(), "fuzz").unwrap_err().0.contains("nothing to resume"));
        let (journal, unfinished) = Journal::begin(folder.path(), start()).unwrap();
        assert!(!unfinished);
        drop(journal);
        assert!(Journal::resume(folder.path(), "nightly").is_err());
        let (journal, unfinished) = Journal::begin(folder.path(), start()).unwrap();
        assert!(unfinished && folder.path().join("journal.unfinished.ndjson").is_file());
        journal.append(&Entry::End).unwrap();
        drop(journal);
        assert!(Journal::resume(folder.path(), "fuzz").unwrap_err().0.contains("came to its end"));
    }

    #[test]
    fn every_run_that_was_killed_keeps_its_journal() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..3 {
            Journal::begin(folder.path(), start()).unwrap();
        }
        for name in ["journal.unfinished.ndjson", "journal.unfinished.2.ndjson"] {
            assert!(folder.path().join(name).is_file(), "{name}");
        }
    }

    #[test]
    fn a_file_called_lock_keeps_its_content() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("lock"), "mine").unwrap();
        Journal::begin(folder.path(), start()).unwrap();
        assert_eq!(fs::read(folder.path().join("lock")).unwrap(), b"mine");
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("elsewhere", folder.path().join("lock")).unwrap();
        assert!(Journal::begin(folder.path(), start()).unwrap_err().0.contains("plain file"));
        assert!(!folder.path().join("elsewhere").exists());
    }
}
