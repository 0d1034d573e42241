//! From a planted fault to a regression: what a run finds, what it keeps, and that nothing depends on the workers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use wirebench::campaign::generative::{self, Settings};
use wirebench::campaign::interrupt::Interrupt;
use wirebench::campaign::journal::{Journal, Start};
use wirebench::case::{Case, Party};
use wirebench::corpus::manifest::FILE;
use wirebench::corpus::{Expectation, Manifest};
use wirebench::finding::Evidence;
use wirebench::observation::Observation;
use wirebench::report::{Run, Stability, ndjson};
use wirebench::subject::{self, Subject, Unreachable, mutant};
use wirebench::triage::rows::Rows;
use wirebench::triage::{self, Bench, promote};

fn run(name: &str, cases: u64, workers: usize, out: &Path, interrupt: &Interrupt) -> Run {
    let make = || subject::by_name(name).expect("a subject of that name");
    let settings = Settings { seed: 7, cases: Some(cases), time: None, workers, out: "out".to_owned() };
    let journal = journal(out);
    generative::run(&make, &settings, interrupt, out, (&journal, Vec::new()), &mut |_, _| {}).unwrap()
}

fn journal(out: &Path) -> Journal {
    let start = Start {
        verb: "fuzz".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        subject: "codec".to_owned(),
        seed: 7,
        cases: None,
        millis: None,
        workers: 1,
    };
    Journal::begin(out, start).unwrap().0
}

/// The names and contents of the finding files.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(out.join("findings")) else { return BTreeMap::new() };
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    entries.map(|entry| entry.unwrap().path()).map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// A mutant that a short run finds.
fn found_quickly() -> (String, Run, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("mutant:{}", mutant::all().next().expect("there are mutants").id);
    let run = run(&name, 4096, 1, folder.path(), &Interrupt::default());
    assert!(!run.findings.is_empty(), "{name} is not found");
    (name, run, folder)
}

#[test]
fn the_same_draws_give_the_same_bytes_for_any_number_of_workers() {
    let (name, ..) = found_quickly();
    let mut all = Vec::new();
    for workers in [1, 2, 5] {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&name, 4600, workers, folder.path(), &Interrupt::default());
        let mut rows = Vec::new();
        ndjson::write(&run, &mut rows).unwrap();
        all.push((String::from_utf8(rows).unwrap(), files(folder.path())));
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

#[test]
fn a_finding_is_small_stable_and_shows_itself_again_from_its_file() {
    let (name, run, folder) = found_quickly();
    let make = || subject::by_name(&name).unwrap();
    let mut bench = Bench::new(&make);
    for found in &run.findings {
        assert_eq!(found.stability, Stability::Stable, "{}", found.id);
        assert!(found.minimised && found.bytes < 1024, "{}: {} bytes", found.id, found.bytes);
        let evidence = triage::decode(&fs::read(folder.path().join(&found.file)).unwrap());
        let fault = bench.evidence(&evidence).expect("the file shows it");
        assert_eq!(fault.id(), found.id, "shrinking drifted to {}", fault.signature);
    }
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    let listed = |name: &str| {
        let id = name.split('.').next().unwrap_or_default();
        run.findings.iter().any(|found| found.id == id || found.also.iter().any(|sign| sign.starts_with(id)))
    };
    assert!(names.iter().all(|name| listed(name)), "{names:?}");
}

#[test]
fn an_interrupted_run_ends_at_once_and_keeps_what_it_found() {
    let (name, ..) = found_quickly();
    let folder = tempfile::tempdir().unwrap();
    let interrupt = Interrupt::default();
    let make = || subject::by_name(&name).unwrap();
    let settings = Settings { seed: 7, cases: None, time: None, workers: 2, out: "out".to_owned() };
    let journal = journal(folder.path());
    let run = generative::run(&make, &settings, &interrupt, folder.path(), (&journal, Vec::new()), &mut |_, found| {
        if found.is_some() {
            interrupt.set();
        }
    });
    let run = run.unwrap();
    assert!(run.end.interrupted);
    assert!(!run.findings.is_empty());
    assert_eq!(files(folder.path()).len(), run.findings.iter().map(|found| 1 + found.also.len()).sum::<usize>());
}

#[test]
fn a_subject_that_panics_is_reported_and_the_run_goes_on() {
    struct Panics(Box<dyn Subject>);
    impl Subject for Panics {
        fn name(&self) -> &str {
            "panics"
        }
        fn reset(&mut self) {
            self.0.reset();
        }
        fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
            assert!(!case.body.len().is_multiple_of(5), "a body of {} bytes", case.body.len());
            self.0.observe(case)
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let make = || Box::new(Panics(subject::by_name("codec").unwrap())) as Box<dyn Subject>;
    let settings = Settings { seed: 7, cases: Some(5000), time: None, workers: 2, out: "out".to_owned() };
    let log = (&journal(folder.path()), Vec::new());
    let run = generative::run(&make, &settings, &Interrupt::default(), folder.path(), log, &mut |_, _| {}).unwrap();
    assert_eq!(run.end.cases + run.end.sessions, 5000);
    let panics: Vec<_> = run.findings.iter().filter(|found| found.invariant == "panic").collect();
    assert_eq!(panics.len(), 1, "{:?}", panics.iter().map(|found| &found.kind).collect::<Vec<_>>());
    assert!(panics[0].kind.ends_with("a body of # bytes"), "{}", panics[0].kind);
}

/// A codec that panics in another place for each of twenty letters that a body may hold.
struct Lettered(Box<dyn Subject>);

impl Subject for Lettered {
    fn name(&self) -> &str {
        "lettered"
    }
    fn reset(&mut self) {
        self.0.reset();
    }
    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
        let bug = case.body.windows(5).find(|window| window.starts_with(b"bug-")).map(|window| char::from(window[4]));
        if let Some(letter @ 'a'..='t') = bug {
            panic!("the fault {letter}");
        }
        self.0.observe(case)
    }
}

#[test]
fn a_thousand_artifacts_of_twenty_bugs_are_twenty_rows_and_no_input_drifts_to_another_bug() {
    let folder = tempfile::tempdir().unwrap();
    let make = || Box::new(Lettered(subject::by_name("codec").unwrap())) as Box<dyn Subject>;
    let mut rows = Rows::new(Bench::new(&make), folder.path(), "out");
    let started = Instant::now();
    for index in 0..1000_usize {
        let letter = |at: usize| char::from(b'a' + (at % 20) as u8);
        // The second bug stands behind the first: a reducer that takes any failure would slip to it.
        let (own, other) = (letter(index), letter(index * 7 + 3));
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{index},"method":"bug-{own}","params":{{"x":["bug-{other}",{}]}}}}"#,
            "0,".repeat(index % 40) + "1"
        );
        let evidence = triage::decode(&Case::stdio(Party::Client, body).encode());
        let shown = rows.add_evidence(Some("case"), evidence).unwrap().expect("it panics");
        assert!(shown.kind.ends_with(&format!("fault {own}")), "{}", shown.kind);
    }
    let rows = rows.join();
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    assert_eq!(rows.len(), 20);
    let mut bench = Bench::new(&make);
    for row in rows {
        assert_eq!((row.hits, row.minimised, row.stability), (50, true, Stability::Stable), "{}", row.kind);
        let text = fs::read(folder.path().join(&row.file)).unwrap();
        assert_eq!(bench.evidence(&triage::decode(&text)).expect("it shows").id(), row.id);
        assert!(text.len() < 12, "{}", row.input);
    }
}

#[test]
fn a_promoted_finding_is_a_regression_with_the_value_that_the_codec_reads() {
    let (name, run, folder) = found_quickly();
    let make = || subject::by_name(&name).unwrap();
    let evidence = triage::decode(&fs::read(folder.path().join(&run.findings[0].file)).unwrap());
    let corpus = tempfile::tempdir().unwrap();
    fs::write(corpus.path().join(FILE), "").unwrap();
    let promoted = promote::promote(&mut Bench::new(&make), &evidence, corpus.path()).unwrap();
    assert!(!promoted.by_hand);
    assert_eq!(fs::read(&promoted.path).unwrap(), evidence.encode());
    let manifest = Manifest::load(corpus.path()).unwrap();
    let row = &manifest.rows[0];
    assert_eq!(row.invariant.as_deref(), Some(run.findings[0].invariant.as_str()));
    assert_eq!(row.expect, promote::read(&evidence));
    // The mutant is red on it, the codec is green.
    let codec = || subject::by_name("codec").unwrap();
    assert!(Bench::new(&make).evidence(&evidence).is_some());
    assert!(Bench::new(&codec).evidence(&evidence).is_none());
    let again = promote::promote(&mut Bench::new(&make), &evidence, corpus.path()).unwrap_err();
    assert!(matches!(again, promote::Error::Known(_)), "{again}");
    let clean = promote::promote(&mut Bench::new(&codec), &evidence, corpus.path()).unwrap_err();
    assert!(matches!(clean, promote::Error::NoFault), "{clean}");
}

#[test]
fn a_row_reads_as_it_was_written_whatever_the_codec_says() {
    for text in [&b"\n[[["[..], b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"] {
        let read: Vec<Expectation> = promote::read(&triage::decode(text));
        let row = format!(
            "[[file]]\npath = \"seeds/a.case\"\nwhy = \"w\"\nrequirement = \"r\"\nexpect = [{}]\n",
            read.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        );
        assert_eq!(Manifest::parse(&row).unwrap().rows[0].expect, read, "{row}");
    }
    assert!(matches!(triage::decode(b"[[["), Evidence::Case(_)));
}
