//! The codec shows what the records of the mutations predict, on every case that predicts anything.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use wirebench::case::Case;
use wirebench::codec::Reader;
use wirebench::codec::reading::Profile;
use wirebench::codec::session::Tracker;
use wirebench::generate::Swarm;
use wirebench::limits::Limits;
use wirebench::mutate;
use wirebench::mutation::Generated;
use wirebench::oracle::predict::{Prediction, predict};

/// Cases for one run of the tests; raise it by the environment for a longer one.
fn count() -> u64 {
    std::env::var("WIREBENCH_PREDICTED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

/// Entropy number `index`, the same in every run.
pub fn noise(index: u64) -> [u8; 256] {
    let mut entropy = [0; 256];
    ChaCha8Rng::seed_from_u64(index).fill_bytes(&mut entropy);
    entropy
}

/// Draws case number `index`, the same in every run.
pub fn drawn(index: u64) -> Generated<Case> {
    let entropy = noise(index);
    let mut u = Unstructured::new(&entropy);
    let swarm = Swarm::draw(&mut u).expect("drawing from bytes does not fail");
    mutate::drawn(&mut u, &swarm).expect("drawing from bytes does not fail")
}

#[test]
fn the_codec_refuses_what_is_predicted_and_nothing_else() {
    let mut reader = Reader::new(Limits::message());
    let mut disagreements: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut predicted, mut refused) = (0, 0);
    let count = count();
    for index in 0..count {
        let generated = drawn(index);
        let expected = match predict(&generated) {
            Prediction::NotPredicted | Prediction::AnyOf(_) => continue,
            Prediction::Accepted => None,
            Prediction::Refused { stage, reason, code, http } => Some((stage, reason, code, http)),
        };
        predicted += 1;
        refused += usize::from(expected.is_some());
        let case = &generated.value;
        let reading = Tracker::new().read(&mut reader, case);
        let shown =
            reading.refusal(Profile::Strict).map(|refusal| (refusal.stage, refusal.reason, refusal.code, refusal.http));
        if shown != expected {
            let done: Vec<String> = generated
                .mutations
                .iter()
                .map(|mutation| format!("{} at {} breaks {:?}", mutation.operator, mutation.path, mutation.breaks))
                .collect();
            let text = String::from_utf8_lossy(&case.encode()).into_owned();
            let entry = disagreements.entry(format!("predicted {expected:?}, shown {shown:?}")).or_default();
            entry.0 += 1;
            if entry.1.is_empty() || text.len() < entry.1.len() {
                entry.1 = format!("{}\n{text}", done.join("\n"));
            }
        }
    }
    for (what, (times, example)) in &disagreements {
        println!("{times} x {what}\n{example}\n");
    }
    println!("{predicted} of {count} predicted, {refused} of them refused");
    assert!(disagreements.is_empty(), "{} kinds of disagreement", disagreements.len());
    assert!(predicted as u64 * 10 > count * 9, "too little is predicted: {predicted} of {count}");
}
