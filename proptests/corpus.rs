//! Manifest, files and codec agree, and no file of the corpus shows a fault that the baseline does not list.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wirebench::case::Frames;
use wirebench::codec::Reader;
use wirebench::codec::reading::Profile;
use wirebench::codec::session::Tracker;
use wirebench::corpus::{self, Baseline, Expectation, FOLDER, Manifest, baseline};
use wirebench::limits::Limits;
use wirebench::observation::Observation;
use wirebench::triage::{self, Bench, promote};
use wirebench::{exchange, invariant, requirement, subject};

/// The corpus that is replayed: the committed one, or the one that `WIREBENCH_CORPUS` names.
fn folder() -> PathBuf {
    let committed = || Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    std::env::var_os("WIREBENCH_CORPUS").map_or_else(committed, PathBuf::from)
}

#[test]
fn manifest_files_and_codec_agree() {
    let manifest = Manifest::load(&folder()).unwrap();
    let mut wrong = Vec::new();
    for row in &manifest.rows {
        let text = fs::read(folder().join(&row.path)).unwrap();
        let read = if row.path.ends_with(".frames") { stream(&text) } else { message(&row.path, &text) };
        if read != row.expect {
            let lines = |all: &[Expectation]| all.iter().map(|one| format!("\n    {one}")).collect::<String>();
            wrong.push(format!("{}\n  expected{}\n  read    {}", row.path, lines(&row.expect), lines(&read)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), manifest.rows.len(), wrong.join("\n"));
}

fn message(path: &str, text: &[u8]) -> Vec<Expectation> {
    let evidence = triage::decode(text);
    assert_eq!(evidence.encode(), text, "{path} is canonical");
    assert!(path.ends_with(evidence.suffix()), "{path} is no {}", evidence.suffix());
    promote::read(&evidence)
}

/// What each frame of a stream is read as; the same wherever it is cut.
fn stream(text: &[u8]) -> Vec<Expectation> {
    let frames = Frames::decode(text).unwrap();
    assert_eq!(frames.encode(), text, "a stream is canonical");
    let whole = read(&frames);
    for cut in 1..frames.stream().len() {
        assert_eq!(read(&Frames::new(frames.transport(), frames.stream(), [cut])), whole, "cut at {cut}");
    }
    whole
}

fn read(frames: &Frames) -> Vec<Expectation> {
    let (mut tracker, mut reader) = (Tracker::new(), Reader::new(Limits::message()));
    let mut found = Vec::new();
    for frame in exchange::frames(frames) {
        match frame {
            Ok(message) => tracker.read_each(&mut reader, &message.case, |reading| {
                let spec = reading.observation(Profile::Spec);
                found.push(Expectation::of(&reading.observation(Profile::Strict), Some(&spec)));
            }),
            Err((_, refusal)) => {
                let shown = Observation { refusal: Some(refusal), ..Observation::default() };
                found.push(Expectation::of(&shown, Some(&shown)));
            }
        }
    }
    found
}

#[test]
fn every_row_names_a_requirement_and_an_invariant_that_there_are() {
    for row in Manifest::load(&folder()).unwrap().rows {
        assert!(requirement::find(&row.requirement).is_some(), "{}: {}", row.path, row.requirement);
        if let Some(id) = &row.invariant {
            assert!(id == "panic" || invariant::by_id(id).is_some(), "{}: {id}", row.path);
        }
    }
}

/// The subject that the corpus is replayed with. With a mutant this test is red as soon as a file of the corpus shows it,
/// which is what a promoted regression is for.
fn subject_under_test() -> String {
    std::env::var("WIREBENCH_SUBJECT").unwrap_or_else(|_| "codec".to_owned())
}

#[test]
fn no_file_shows_a_fault_that_the_baseline_does_not_list_and_no_listed_one_is_gone_or_expired() {
    let baseline = Baseline::load(&folder()).unwrap();
    let name = subject_under_test();
    let make = || subject::by_name(&name).expect("a subject of that name");
    let mut bench = Bench::new(&make);
    for path in corpus::files(&folder()).unwrap() {
        let evidence = triage::decode(&fs::read(folder().join(&path)).unwrap());
        if let Some(fault) = bench.evidence(&evidence) {
            assert!(baseline.knows(&fault.id()), "{}: {} {}", path.display(), fault.id(), fault.signature);
        }
    }
    assert_eq!(baseline.stale(&mut bench, &folder(), &baseline::today()), [""; 0]);
}

#[test]
fn no_two_files_are_the_same_bytes() {
    let manifest = Manifest::load(&folder()).unwrap();
    let distinct: BTreeSet<Vec<u8>> =
        manifest.rows.iter().map(|row| fs::read(folder().join(&row.path)).unwrap()).collect();
    assert_eq!(distinct.len(), manifest.rows.len());
}

#[test]
fn the_check_of_the_command_tells_nothing() {
    let make = || subject::by_name("codec").expect("the codec is a subject");
    let mut told = Vec::new();
    let mut tell = |one: corpus::check::Disagreement| told.push(format!("{}: {}", one.path, one.what));
    let mut bench = Bench::new(&make);
    let checked = corpus::check::check(&folder(), &mut bench, &baseline::today(), &|| false, &mut tell).unwrap();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert_eq!(checked, Manifest::load(&folder()).unwrap().rows.len());
}
