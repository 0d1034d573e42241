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
use wirebench::oracle::foreign::predict_foreign;
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

/// What any subject may show holds for ours in either profile, so no set is too narrow for a careful reader.
#[test]
fn what_another_subject_may_show_holds_what_ours_shows() {
    let mut reader = Reader::new(Limits::message());
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let (mut sets, mut accepted) = (0, 0);
    for index in 0..20_000 {
        let generated = drawn(index);
        let expected = match predict_foreign(&generated) {
            Prediction::AnyOf(answers) => answers,
            Prediction::Accepted => vec![(None, None)],
            _ => continue,
        };
        sets += usize::from(expected.len() > 1);
        accepted += usize::from(expected == [(None, None)]);
        let reading = Tracker::new().read(&mut reader, &generated.value);
        for profile in [Profile::Strict, Profile::Spec] {
            let shown = reading.refusal(profile);
            let answer = (shown.and_then(|one| one.code), shown.and_then(|one| one.http));
            if !expected.contains(&answer) {
                let what =
                    format!("{profile:?}: {:?} shows {answer:?}, not in {expected:?}", shown.map(|one| one.reason));
                let text = String::from_utf8_lossy(&generated.value.encode()).into_owned();
                let done: Vec<_> = generated.mutations.iter().map(|step| (step.operator, &step.breaks)).collect();
                wrong.entry(what).or_insert_with(|| format!("{done:?}\n{text}"));
            }
        }
    }
    for (what, example) in &wrong {
        println!("{what}\n{example}\n");
    }
    println!("{sets} sets, {accepted} accepted");
    assert!(wrong.is_empty(), "{} kinds", wrong.len());
    assert!(sets > 3_000 && accepted > 1_000, "{sets} sets, {accepted} accepted");
}
