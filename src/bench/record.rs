//! What does a measurement look like on disk?
//!
//! One JSON object a line, oldest first, in `benches/record/<toolchain>-<cpu>.ndjson`. Nothing in a row names a host or
//! a person. A file with a line that is not a row is refused whole, so that nobody appends to what he cannot read.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files;
use crate::triage::store;

/// Where rows are kept, from the root of the project.
pub const FOLDER: &str = "benches/record";

/// The longest file of rows that is read.
const LARGEST: u64 = 256 << 20;

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The day, `YYYY-MM-DD`, in UTC.
    pub date: String,
    /// The commit that was measured, all digits; `-dirty` follows where the tree had changes. Nothing outside a repository.
    pub commit: Option<String>,
    /// What has to be the same in two rows before they are compared.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// Instructions a shape.
    pub instructions: Vec<Count>,
    /// Times against other readers; none where they were not measured.
    pub ratios: Vec<Ratio>,
}

/// Under what a row was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The digest of all inputs.
    pub workload: String,
    /// Release, commit and host of the compiler.
    pub toolchain: String,
    /// The model of the processor.
    pub cpu: String,
    /// What the build profile says, and flags from outside.
    pub profile: String,
    /// Who counted.
    pub counter: String,
}

/// The instructions of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// What is done and to what.
    pub shape: String,
    /// The digest of the bytes that were read or made. A generator may make something else of the same entropy.
    pub work: String,
    /// Instructions.
    pub count: u64,
}

/// The time of wirebench over the time of a contender on one shape: below 1 wirebench is faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The other reader.
    pub contender: String,
    /// What both read.
    pub shape: String,
    /// The median of all runs.
    pub ratio: f64,
    /// The lower end of the interval of that median.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many runs there were.
    pub runs: usize,
}

/// Why a file of rows cannot be used.
#[derive(Debug)]
pub enum Unreadable {
    /// What the file system says.
    Io(io::Error),
    /// The line with that number, from 1, is no row.
    Line(usize),
    /// There is no row in it.
    Empty,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Line(number) => write!(f, "line {number} is no row of `wirebench bench record`"),
            Self::Empty => f.write_str("there is no row in it"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl Conditions {
    /// Where a row like this belongs, below a folder of rows.
    pub fn path(&self, folder: &Path) -> PathBuf {
        let release = self.toolchain.split(' ').nth(1).unwrap_or("unknown");
        folder.join(format!("{}-{}.ndjson", slug(release), slug(&self.cpu)))
    }
}

impl Row {
    /// Whether every number can be compared: a count of nothing, or an interval upside down, cannot.
    fn is_sound(&self) -> bool {
        let sound = |of: &Ratio| 0.0 < of.low && of.low <= of.ratio && of.ratio <= of.high && of.high.is_finite();
        self.instructions.iter().all(|of| of.count > 0) && self.ratios.iter().all(sound)
    }
}

/// The rows of a file, oldest first; at least one.
///
/// # Errors
///
/// When the file cannot be read, or holds anything else than rows.
pub fn read(path: &Path) -> Result<Vec<Row>, Unreadable> {
    let rows = parse(&store::read_text(path, LARGEST).map_err(Unreadable::Io)?)?;
    if rows.is_empty() { Err(Unreadable::Empty) } else { Ok(rows) }
}

/// Adds a row at the end of a file, which is made where there is none. A reader sees the old file or the new one.
///
/// # Errors
///
/// When what is there is not a file of rows, or the file cannot be written; it is as it was then.
pub fn append(path: &Path, row: &Row) -> Result<(), Unreadable> {
    let mut text = appendable(path)?;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text += &serde_json::to_string(row).map_err(|error| Unreadable::Io(error.into()))?;
    text.push('\n');
    store::replace(path, text.as_bytes()).map_err(Unreadable::Io)
}

/// What is in a file that a row may be added to; nothing where there is none. Asked before the minute of measuring.
///
/// # Errors
///
/// When what is there is not a file of rows.
pub fn appendable(path: &Path) -> Result<String, Unreadable> {
    let text = match store::read_text(path, LARGEST) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.map_err(Unreadable::Io)?,
    };
    parse(&text).map(|_| text)
}

/// The newest row of a commit among all files of a folder; any prefix of seven digits or more names it.
pub fn find(folder: &Path, commit: &str) -> Option<Row> {
    let is_prefix = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let files = if is_prefix { files::below(folder).ok()? } else { return None };
    let rows = files.iter().filter_map(|file| read(file).ok()).flatten();
    rows.filter(|row| row.commit.as_ref().is_some_and(|of| of.starts_with(commit))).max_by(|a, b| a.date.cmp(&b.date))
}

fn parse(text: &str) -> Result<Vec<Row>, Unreadable> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let rows = lines.map(|(index, line)| {
        let row: Option<Row> = serde_json::from_str(line).ok();
        row.filter(Row::is_sound).ok_or(Unreadable::Line(index + 1))
    });
    rows.collect()
}

/// Lower case, and one hyphen for whatever is neither letter, digit nor dot.
fn slug(text: &str) -> String {
    let kept = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
    let words = text.split(|letter| !kept(letter)).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn row(commit: &str) -> Row {
        Row {
            date: "2026-11-30".to_owned(),
            commit: Some(commit.to_owned()),
            conditions: Conditions {
                workload: "0x1".to_owned(),
                toolchain: "rustc 1.95.0 (0123abcd) x86_64-unknown-linux-gnu".to_owned(),
                cpu: "Some(R) CPU @ 2.10GHz".to_owned(),
                profile: "bench".to_owned(),
                counter: "callgrind 3.19.0".to_owned(),
            },
            instructions: vec![Count { shape: "parse/a".to_owned(), work: "0x2".to_owned(), count: 7 }],
            ratios: Vec::new(),
        }
    }

    #[test]
    fn a_row_is_appended_to_the_file_of_its_toolchain_and_processor() {
        let folder = tempfile::tempdir().unwrap();
        let path = row("aaaaaaa1").conditions.path(folder.path());
        assert!(path.ends_with("1.95.0-some-r-cpu-2.10ghz.ndjson"), "{}", path.display());
        append(&path, &row("aaaaaaa1")).unwrap();
        append(&path, &row("bbbbbbb2")).unwrap();
        assert_eq!(read(&path).unwrap(), [row("aaaaaaa1"), row("bbbbbbb2")]);
        assert_eq!(find(folder.path(), "aaaaaaa"), Some(row("aaaaaaa1")));
        assert_eq!(find(folder.path(), "aaaaaa"), None);
    }

    #[test]
    fn what_is_no_file_of_rows_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        let counts_nothing = serde_json::to_string(&row("c")).unwrap().replace("\"count\":7", "\"count\":0");
        for text in ["notes of mine\n".to_owned(), "{}\n".to_owned(), counts_nothing] {
            fs::write(&path, &text).unwrap();
            assert!(matches!(append(&path, &row("a")), Err(Unreadable::Line(1))));
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
