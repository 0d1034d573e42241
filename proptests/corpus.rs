//! Manifest, files and codec agree, and no file of the corpus shows a fault that is not listed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wirebench::case::{Case, Session};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::reading::Profile;
use wirebench::codec::session::Tracker;
use wirebench::corpus::{Baseline, Expectation, FOLDER, Manifest};
use wirebench::limits::Limits;
use wirebench::observation::Observation;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER)
}

/// What the codec reads in a file, message by message: in `strict` and in `spec`.
fn readings(path: &str, text: &[u8]) -> Vec<(Observation, Observation)> {
    let mut reader = Reader::new(Limits::message());
    if path.ends_with(".session") {
        let session = Session::decode(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(session.encode(), text, "{path} is canonical");
        let mut tracker = Tracker::new();
        let mut both = |case: &Case| {
            let reading = tracker.read(&mut reader, case);
            (reading.observation(Profile::Strict), reading.observation(Profile::Spec))
        };
        session.cases.iter().map(&mut both).collect()
    } else {
        let case = Case::decode(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(case.encode(), text, "{path} is canonical");
        let reading = reader.read(&case, &Context::of(&case));
        vec![(reading.observation(Profile::Strict), reading.observation(Profile::Spec))]
    }
}

#[test]
fn manifest_files_and_codec_agree() {
    let manifest = Manifest::load(&folder()).unwrap();
    let mut wrong = Vec::new();
    for row in &manifest.rows {
        let text = fs::read(folder().join(&row.path)).unwrap();
        let read: Vec<Expectation> =
            readings(&row.path, &text).iter().map(|(strict, spec)| Expectation::of(strict, Some(spec))).collect();
        if read != row.expect {
            let lines = |all: &[Expectation]| all.iter().map(|one| format!("\n    {one}")).collect::<String>();
            wrong.push(format!("{}\n  expected{}\n  read    {}", row.path, lines(&row.expect), lines(&read)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), manifest.rows.len(), wrong.join("\n"));
}

#[test]
fn no_two_files_are_the_same_bytes() {
    let manifest = Manifest::load(&folder()).unwrap();
    let distinct: BTreeSet<Vec<u8>> =
        manifest.rows.iter().map(|row| fs::read(folder().join(&row.path)).unwrap()).collect();
    assert_eq!(distinct.len(), manifest.rows.len());
}

#[test]
fn the_baseline_can_be_read() {
    Baseline::load(&folder()).unwrap();
}
