//! What the targets start from: the committed corpus and recorded traffic, in the shape that each target reads.
//!
//! The committed files are only read. What is written goes below the folder of the run.

use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::case::{Case, Frames, Session, Transport};
use crate::corpus;
use crate::exchange::{self, Form, Outline};
use crate::files;
use crate::finding::Evidence;
use crate::limits::Limits;
use crate::triage::{self, store};

/// Everything that can be a seed, before it is given a shape.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    cases: Vec<Case>,
    sessions: Vec<Session>,
    streams: Vec<Vec<u8>>,
    /// Files of recorded traffic that hold no message that can be read.
    pub unreadable: usize,
}

impl Seeds {
    /// Adds every file of the committed corpus.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn add_corpus(&mut self, folder: &Path) -> io::Result<()> {
        for path in corpus::files(folder)? {
            match triage::decode(&fs::read(folder.join(path))?) {
                Evidence::Case(case) => self.cases.push(case),
                Evidence::Session(session) => self.add_session(session),
                Evidence::Frames(stream) => self.streams.push(stream.encode()),
            }
        }
        for path in corpus::streams(folder)? {
            self.streams.push(fs::read(folder.join(path))?);
        }
        Ok(())
    }

    /// Adds recorded traffic: a file, or every file below a folder. A file that cannot be read as a recording is counted
    /// and left out.
    ///
    /// # Errors
    ///
    /// When the path itself cannot be listed.
    pub fn add_recorded(&mut self, path: &Path) -> io::Result<()> {
        for file in files::below(path)? {
            let bytes = match store::read(&file, Limits::transcript().bytes as u64) {
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => None,
                read => Some(read?),
            };
            match bytes.and_then(|bytes| recorded(&file, &bytes)) {
                Some(Evidence::Case(case)) => self.cases.push(case),
                Some(Evidence::Session(session)) if !session.cases.is_empty() => self.add_session(session),
                _ => self.unreadable += 1,
            }
        }
        Ok(())
    }

    /// Writes the seeds of one target and says how many there are. The folder is made anew.
    ///
    /// # Errors
    ///
    /// What the file system reports.
    pub fn write(&self, target: &str, longest: usize, folder: &Path) -> io::Result<u64> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        for seed in self.shaped(target).iter().filter(|seed| seed.len() <= longest) {
            let name: String = Sha256::digest(seed).iter().take(10).map(|byte| format!("{byte:02x}")).collect();
            fs::write(folder.join(name), seed)?;
        }
        Ok(fs::read_dir(folder)?.count() as u64)
    }

    fn add_session(&mut self, session: Session) {
        let alone = |case: &Case| Case { connection: 0, restart: false, ..case.clone() };
        self.cases.extend(session.cases.iter().map(alone));
        self.sessions.push(session);
    }

    /// A shape is named by its target; one that is not known here starts from cases.
    fn shaped(&self, target: &str) -> Vec<Vec<u8>> {
        match target {
            "bytes" => self.cases.iter().map(|case| case.body.clone()).collect(),
            "frames" => self.sessions.iter().map(stream).chain(self.streams.iter().cloned()).collect(),
            "session" => self.sessions.iter().map(Session::encode).collect(),
            _ => self.cases.iter().map(Case::encode).collect(),
        }
    }
}

/// The messages of a session as lines of one stream, cut after its first byte.
fn stream(session: &Session) -> Vec<u8> {
    let lines: Vec<&[u8]> = session.cases.iter().map(|case| case.body.as_slice()).collect();
    Frames::new(Transport::Stdio, lines.join(&b'\n'), [1]).encode()
}

/// What a file of recorded traffic holds.
fn recorded(path: &Path, bytes: &[u8]) -> Option<Evidence> {
    match path.extension().and_then(|suffix| suffix.to_str()) {
        Some("case") => return Case::decode(bytes).ok().map(Evidence::Case),
        Some("session") => return Session::decode(bytes).ok().map(Evidence::Session),
        Some("jsonl" | "ndjson" | "json") => {}
        _ => return None,
    }
    let outline = Outline::of(bytes);
    let form = match outline.first {
        Some(b'{') if outline.more_follows => Form::JsonLines,
        Some(b'{') if outline.has("entries") => Form::Framed,
        Some(b'{') if outline.has("jsonrpc") => Form::JsonLines,
        _ => Form::Inspector,
    };
    exchange::read(form, bytes).ok().map(exchange::session).map(Evidence::Session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_the_shape_that_its_target_reads() {
        let case = Case::stdio(crate::case::Party::Server, "{}");
        let mut seeds = Seeds::default();
        seeds.add_session(Session { cases: vec![case.clone()] });
        assert_eq!(seeds.shaped("bytes"), [b"{}"]);
        assert_eq!(seeds.shaped("case"), [case.encode()]);
        assert!(Session::looks_like(&seeds.shaped("session")[0]));
    }

    #[test]
    fn seeds_that_are_too_long_for_the_target_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let long = Case::stdio(crate::case::Party::Client, "12345");
        let seeds = Seeds { cases: vec![long, Case::default()], ..Seeds::default() };
        assert_eq!(seeds.write("bytes", 4, &folder.path().join("bytes")).unwrap(), 1);
    }
}
