//! What is shown beside a run when it is there: the kill matrix, and how speed went from record to record.
//!
//! Both come as rows that other verbs wrote. A row that is not understood is left out and counted, never guessed at.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::triage::store;

/// Everything beside a run.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// One row a mutant, as `wirebench mutants --format ndjson` prints it.
    pub kills: Vec<Kill>,
    /// One row a record of speed: those that can be compared stand together, oldest first, the newest kind last.
    pub speed: Vec<Record>,
    /// Rows that were not understood.
    pub unread: usize,
}

/// How one mutant fared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Kill {
    /// The id of the mutant.
    pub mutant: String,
    /// The invariant that killed it; none for one that is alive.
    pub by: Option<String>,
    /// Draws until then.
    pub cases: u64,
    /// The size of the smallest proof.
    pub bytes: Option<u64>,
}

/// One dated record of speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// When, as `YYYY-MM-DD` and perhaps a time.
    pub date: String,
    /// What has to be the same before two records are compared: workload, toolchain, processor, profile and counter.
    pub setting: String,
    /// What was measured: the unit, the name and the value.
    pub values: Vec<(Unit, String, f64)>,
}

/// What a value of a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Instructions executed; fewer is faster.
    Instructions,
    /// Our own time as a part of that of another reader; less is faster.
    Ratio,
}

/// Records that are read at most; the newest are kept.
const RECORDS: usize = 400;

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

impl Beside {
    /// Adds the rows of a kill matrix.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn add_kills(&mut self, file: &Path) -> io::Result<()> {
        for line in read(file)?.lines() {
            match serde_json::from_str(line) {
                Ok(kill) => self.kills.push(kill),
                Err(_) => self.unread += 1,
            }
        }
        Ok(())
    }

    /// Adds every record of speed in a folder: files that end in `.ndjson`, by name.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn add_speed(&mut self, folder: &Path) -> io::Result<()> {
        let mut files: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
        files.sort_by_key(fs::DirEntry::path);
        for file in
            files.iter().map(fs::DirEntry::path).filter(|path| path.extension().is_some_and(|end| end == "ndjson"))
        {
            for line in read(&file)?.lines().filter(|line| !line.trim().is_empty()) {
                match serde_json::from_str(line).ok().and_then(|row| Record::of(&row)) {
                    Some(record) => self.speed.push(record),
                    None => self.unread += 1,
                }
            }
        }
        let mut newest: BTreeMap<String, String> = BTreeMap::new();
        for record in &self.speed {
            let date = newest.entry(record.setting.clone()).or_default();
            *date = record.date.clone().max(std::mem::take(date));
        }
        let place = |record: &Record| (newest[&record.setting].clone(), record.setting.clone(), record.date.clone());
        self.speed.sort_by_cached_key(place);
        self.speed.drain(..self.speed.len().saturating_sub(RECORDS));
        Ok(())
    }
}

impl Record {
    /// The record of a row, which has a `date`, counts of `instructions` and `ratios`; whatever else it names is what may
    /// be compared.
    fn of(row: &Map<String, Value>) -> Option<Self> {
        let text = |key: &str| row.get(key).and_then(Value::as_str);
        let list = |key: &str| row.get(key).and_then(Value::as_array).into_iter().flatten();
        let number =
            |row: &Value, key: &str| row.get(key)?.as_f64().filter(|number| number.is_finite() && *number > 0.0);
        let word = |row: &Value, key: &str| row.get(key)?.as_str().map(str::to_owned);
        let mut values = Vec::new();
        for count in list("instructions") {
            values.push((Unit::Instructions, word(count, "shape")?, number(count, "count")?));
        }
        for ratio in list("ratios") {
            let name = format!("{} against {}", word(ratio, "shape")?, word(ratio, "contender")?);
            values.push((Unit::Ratio, name, number(ratio, "ratio")?));
        }
        let setting: Vec<&str> =
            ["workload", "toolchain", "cpu", "profile", "counter"].into_iter().filter_map(text).collect();
        (!values.is_empty()).then_some(Self { date: text("date")?.to_owned(), setting: setting.join(", "), values })
    }
}

fn read(file: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&store::read(file, LARGEST)?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_understood_are_kept_in_order_and_others_counted() {
        let folder = tempfile::tempdir().unwrap();
        let row = |date: &str, count: u64| {
            let counts = format!("[{{\"shape\":\"small\",\"work\":\"00\",\"count\":{count}}}]");
            let ratios =
                "[{\"contender\":\"serde\",\"shape\":\"small\",\"ratio\":0.2,\"low\":0.1,\"high\":0.3,\"runs\":9}]";
            format!("{{\"date\":\"{date}\",\"workload\":\"w\",\"instructions\":{counts},\"ratios\":{ratios}}}\n")
        };
        fs::write(folder.path().join("a.ndjson"), row("2026-07-02", 9) + "no row\n" + &row("2026-07-01", 8)).unwrap();
        fs::write(folder.path().join("b.txt"), "not read").unwrap();
        let mut beside = Beside::default();
        beside.add_speed(folder.path()).unwrap();
        assert_eq!(beside.unread, 1);
        assert_eq!(
            beside.speed[0].values,
            [(Unit::Instructions, "small".to_owned(), 8.0), (Unit::Ratio, "small against serde".to_owned(), 0.2)]
        );
        assert_eq!(beside.speed[1].date, "2026-07-02");
    }
}
