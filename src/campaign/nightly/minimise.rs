//! Which of many inputs are enough: what each of them reaches, and a small set that reaches as much.
//!
//! The engine's own merge runs a shell that runs the engine again, which nobody can watch, and it is all or nothing. Here
//! the part of it that tells the features of an input is run directly: a process that is killed on time and started
//! again behind an input that ends it. What was not looked at in time is said to be so; the choice stands without it.

use std::collections::{BTreeSet, BinaryHeap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::engine::{Ended, watch};
use super::workspace::Built;
use crate::campaign::interrupt::Interrupt;

/// What came of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The files that reach something that nothing known does.
    pub chosen: Vec<PathBuf>,
    /// The files that are not needed beside those.
    pub needless: Vec<PathBuf>,
    /// How many files, known ones included, there was no time for.
    pub unseen: usize,
}

/// Starts behind an input that ends the process, after which the rest is left unseen.
const STARTS: usize = 200;

/// Inputs that are weighed against each other at most; the notes on each take some kilobytes on disk for a while.
const WEIGHED: usize = 4000;

/// Chooses from `fresh`, given what is `known`, within the time. Notes go to the folder `scratch`, which is removed.
///
/// # Errors
///
/// What the file system reports, or when the program cannot be started.
pub fn choose(
    built: &Built,
    known: &[PathBuf],
    fresh: &[PathBuf],
    scratch: &Path,
    time: Duration,
    interrupt: &Interrupt,
) -> io::Result<Choice> {
    let (began, look) = (Instant::now(), Look { built, scratch, interrupt });
    fs::create_dir_all(scratch)?;
    let mut choice = Choice::default();
    let mut reached = HashSet::new();
    let (seen, told) = look.at(known, Detail::New, time / 2)?;
    choice.unseen += known.len() - seen;
    told.into_iter().for_each(|(_, features)| reached.extend(features));

    // Notes on all features of very many inputs would fill a disk: of those only what is new in its turn is weighed.
    let (fresh, needless, unseen) = match fresh.len() > WEIGHED {
        true => look.at_first(fresh, &reached, time.saturating_sub(began.elapsed()) * 2 / 3)?,
        false => (fresh.to_vec(), Vec::new(), 0),
    };
    choice.needless = needless;
    choice.unseen += unseen;
    let weighed = &fresh[..fresh.len().min(WEIGHED)];
    let (seen, told) = look.at(weighed, Detail::All, time.saturating_sub(began.elapsed()))?;
    choice.unseen += fresh.len() - seen;
    let wanted = |features: Vec<u32>| features.into_iter().filter(|feature| !reached.contains(feature)).collect();
    let kept = cover(told.into_iter().map(|(index, features)| (index, wanted(features))).collect());
    for (index, file) in fresh.into_iter().enumerate().take(seen) {
        if kept.contains(&index) { choice.chosen.push(file) } else { choice.needless.push(file) }
    }
    fs::remove_dir_all(scratch)?;
    Ok(choice)
}

/// What is told of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// The features that no input before it had.
    New,
    /// All its features.
    All,
}

/// The features of some files, by their index.
type Told = Vec<(usize, Vec<u32>)>;

struct Look<'a> {
    built: &'a Built,
    scratch: &'a Path,
    interrupt: &'a Interrupt,
}

/// The files that may be needed, those that are not, and how many were not seen.
type First = (Vec<PathBuf>, Vec<PathBuf>, usize);

impl Look<'_> {
    /// Sorts out the files that reach nothing which neither is `reached` nor a file before them has.
    fn at_first(&self, files: &[PathBuf], reached: &HashSet<u32>, time: Duration) -> io::Result<First> {
        let (seen, told) = self.at(files, Detail::New, time)?;
        let mut so_far = reached.clone();
        let (mut needed, mut needless) = (Vec::new(), Vec::new());
        for (index, features) in told {
            let new = features.into_iter().filter(|feature| so_far.insert(*feature)).count();
            if new > 0 { &mut needed } else { &mut needless }.push(files[index].clone());
        }
        Ok((needed, needless, files.len() - seen))
    }

    /// How many of the files were seen within the time, in their order, and what they reach; a file that ended the
    /// process is seen and tells nothing.
    fn at(&self, files: &[PathBuf], detail: Detail, time: Duration) -> io::Result<(usize, Told)> {
        let control = self.scratch.join("control");
        let mut notes = File::create(&control)?;
        writeln!(notes, "{}\n0", files.len())?;
        for file in files {
            writeln!(notes, "{}", file.display())?;
        }
        drop(notes);
        let began = Instant::now();
        let mut starts = 0;
        let (mut seen, mut told) = (0, Told::new());
        while seen < files.len() && starts < STARTS && !self.interrupt.is_set() {
            let left = time.saturating_sub(began.elapsed());
            if left.is_zero() {
                break;
            }
            // The codec is what the corpus is for, whoever is the subject.
            let mut command = self.built.command("codec");
            command.args(&self.built.options).arg(format!("-merge_control_file={}", control.display()));
            command.arg(format!("-merge_inner={}", if detail == Detail::All { 2 } else { 1 }));
            command.arg(format!("-artifact_prefix={}/", self.scratch.display()));
            command.stderr(File::create(self.scratch.join("log"))?);
            let ended = watch(&mut command, left, self.interrupt, &mut |_| {})?;
            let before = seen;
            (seen, told) = read(&control, files.len())?;
            starts += 1;
            if ended == Ended::Killed || seen == before {
                break;
            }
        }
        Ok((seen, told))
    }
}

/// Reads the notes of the engine: a file of names, then `STARTED n` and `FT n FEATURE…` for each file in turn. A line that
/// was cut is passed over with what it tells of.
fn read(control: &Path, files: usize) -> io::Result<(usize, Told)> {
    let mut lines = BufReader::new(File::open(control)?).lines().skip(2 + files);
    let (mut seen, mut told) = (0, Told::new());
    while let Some(Ok(line)) = lines.next() {
        let mut words = line.split(' ');
        let (kind, index) = (words.next(), words.next().and_then(|word| word.parse::<usize>().ok()));
        match (kind, index) {
            (Some("STARTED"), Some(index)) if index < files => seen = index + 1,
            (Some("FT"), Some(index)) if index + 1 == seen => {
                told.push((index, words.filter_map(|word| word.parse().ok()).collect()));
            }
            _ => {}
        }
    }
    Ok((seen, told))
}

/// A small set of inputs that has every feature of all of them: again and again the one with the most that are missing,
/// and of two such the earlier, which is the smaller.
fn cover(mut inputs: Told) -> BTreeSet<usize> {
    let mut queue: BinaryHeap<(usize, std::cmp::Reverse<usize>)> =
        inputs.iter().enumerate().map(|(place, (_, features))| (features.len(), std::cmp::Reverse(place))).collect();
    let (mut covered, mut kept) = (HashSet::new(), BTreeSet::new());
    while let Some((count, std::cmp::Reverse(place))) = queue.pop() {
        let (index, features) = &mut inputs[place];
        features.retain(|feature| !covered.contains(feature));
        if features.len() < count {
            // It was counted before others were kept; it may still be the best one.
            queue.extend((!features.is_empty()).then_some((features.len(), std::cmp::Reverse(place))));
            continue;
        }
        if count > 0 {
            covered.extend(features.drain(..));
            kept.insert(*index);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cover_has_every_feature_and_none_that_is_needless() {
        let inputs = vec![(0, vec![1]), (1, vec![2]), (2, vec![1, 2, 3]), (3, vec![4, 5]), (4, vec![4]), (5, vec![])];
        assert_eq!(cover(inputs), BTreeSet::from([2, 3]));
        assert_eq!(cover(vec![(7, vec![1]), (8, vec![1])]), BTreeSet::from([7]), "of two equals the first");
        assert_eq!(cover(Vec::new()), BTreeSet::new());
    }

    #[test]
    fn notes_that_were_cut_tell_what_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let control = folder.path().join("control");
        let whole = "3\n0\na\nb c\nd\nSTARTED 0 5\nFT 0 7 8\nCOV 0 1\nSTARTED 1 9\nSTARTED 2 9\nFT 2 11\nCOV 2\n";
        fs::write(&control, whole).unwrap();
        assert_eq!(read(&control, 3).unwrap(), (3, vec![(0, vec![7, 8]), (2, vec![11])]), "b c ended the process");
        for cut in 0..whole.len() {
            fs::write(&control, &whole[..cut]).unwrap();
            assert!(read(&control, 3).unwrap().0 <= 3);
        }
    }
}
