//! Where do the official Rust SDK and the rules disagree on what a message is?
//!
//! `foreign [CASES] [SEED]` draws cases, shows them to the decoder of `rmcp` and prints the disagreements, one row a
//! kind, with the smallest body of each. A request is held to the set of answers that any codec may give for the faults
//! that were put into it; a response, for which nobody predicts an answer, to the codec's own reading in the lenient
//! profile. Faults that only a header shows are counted apart, since a decoder of bodies cannot see them. `foreign
//! worker` answers as a subject: `wirebench fuzz --subject 'exec:… worker'`. A table judges nothing: the exit code is 0.

mod sdk;

use std::collections::BTreeMap;
use std::process::ExitCode;

use arbitrary::Unstructured;
use wirebench::case::{Case, Party};
use wirebench::codec::reading::Profile;
use wirebench::codec::refusal::{Reason, Stage};
use wirebench::codec::session::Tracker;
use wirebench::codec::{Reader, STAGES};
use wirebench::generate::Swarm;
use wirebench::limits::Limits;
use wirebench::mutate;
use wirebench::mutation::Generated;
use wirebench::oracle::Oracle;
use wirebench::oracle::foreign::predict_foreign;
use wirebench::oracle::predict::Prediction;
use wirebench::subject::{Subject, worker};

use sdk::Rmcp;

const CASES: u64 = 20_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "worker") {
        return match worker::serve(&mut Rmcp) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    let number = |at: usize, otherwise| arguments.get(at).map_or(Some(otherwise), |text| text.parse().ok());
    let (Some(cases), Some(seed)) = (number(0, CASES), number(1, 1)) else {
        eprintln!("foreign [CASES] [SEED] | foreign worker");
        return ExitCode::from(2);
    };
    let mut table = Table::default();
    let mut oracle = Oracle::choosing(|rule| rule.id == "envelope.id-not-aliased");
    for index in 0..cases {
        let case = drawn(seed, index);
        table.take(&case);
        if let Err(finding) = oracle.check(&mut Rmcp, &case.value) {
            table.row(
                &format!("reads another id ({})", finding.violation.kind),
                "envelope.id-not-aliased",
                &case.value,
            );
        }
    }
    table.print(cases, seed);
    ExitCode::SUCCESS
}

/// A case out of seed and index alone.
fn drawn(seed: u64, index: u64) -> Generated<Case> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03);
    let entropy: Vec<u8> = std::iter::repeat_with(|| {
        // SplitMix64: any stream that mixes well serves here.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB).to_le_bytes()
    })
    .take(128)
    .flatten()
    .collect();
    let mut u = Unstructured::new(&entropy);
    let swarm = Swarm::draw(&mut u).unwrap_or_default();
    mutate::drawn(&mut u, &swarm).unwrap_or_default()
}

/// Kinds of disagreement, and what agreed.
#[derive(Default)]
struct Table {
    rows: BTreeMap<(String, String), (u64, Case)>,
    agreed: u64,
    open: u64,
    unseen: u64,
}

impl Table {
    fn take(&mut self, generated: &Generated<Case>) {
        let case = &generated.value;
        let shown = Rmcp.observe(case).expect("it is in process");
        let accepted = shown.refusal.is_none();
        let reading = |profile| {
            let mut reader = Reader::with_stages(&STAGES, Limits::message());
            Tracker::new().read(&mut reader, case).refusal(profile)
        };
        let (lenient, strict) = (reading(Profile::Spec), reading(Profile::Strict));
        let first = lenient.or(strict);
        if first.is_some_and(|refusal| !is_in_body(refusal.stage)) {
            self.unseen += 1;
            return;
        }
        let (may_accept, may_refuse) = match predict_foreign(generated) {
            Prediction::Accepted => (true, false),
            Prediction::AnyOf(answers) => {
                let refusals = answers.iter().any(|answer| *answer != (None, None));
                (answers.contains(&(None, None)), refusals)
            }
            // What only the strict profile refuses may go either way.
            _ if case.from == Party::Server => (lenient.is_none(), strict.is_some()),
            _ => {
                self.open += 1;
                return;
            }
        };
        let words = lenient
            .or(strict)
            .map_or("lawful".to_owned(), |refusal| format!("{}/{}", refusal.stage.word(), refusal.reason.word()));
        // A limit and a name that is there twice are refusals of our own: another reader may take the message.
        let ours = first.is_some_and(|refusal| {
            refusal.reason == Reason::DuplicateMember || refusal.reason.word().ends_with("-limit")
        });
        match (accepted, may_accept || ours, may_refuse) {
            (true, false, _) => self.row("accepts what must be refused", &words, case),
            (false, _, false) => self.row("refuses what is lawful", &words, case),
            _ => self.agreed += 1,
        }
    }

    fn row(&mut self, what: &str, words: &str, case: &Case) {
        let from = case.from.word();
        let row = self.rows.entry((what.to_owned(), format!("{words}, from the {from}"))).or_insert((0, case.clone()));
        row.0 += 1;
        if case.body.len() < row.1.body.len() {
            row.1 = case.clone();
        }
    }

    fn print(&self, cases: u64, seed: u64) {
        println!("rmcp 3.11.0, {cases} cases, seed {seed}");
        println!(
            "{} agreed, {} not predicted, {} at fault in headers or context alone",
            self.agreed, self.open, self.unseen
        );
        for ((what, words), (count, case)) in &self.rows {
            let body: String = case.body.escape_ascii().to_string().chars().take(160).collect();
            println!("{count:>6}  {what:<36} {words:<58} {:>4} bytes  {body}", case.body.len());
        }
    }
}

/// Whether a decoder of bodies can see a fault of that stage.
fn is_in_body(stage: Stage) -> bool {
    matches!(stage, Stage::Bytes | Stage::Json | Stage::Envelope | Stage::Metadata | Stage::Result | Stage::Payload)
}
