//! Drawn cases are read as the records of their mutations predict.

use arbitrary::Unstructured;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::codec::Reader;
use crate::codec::reading::Profile;
use crate::codec::session::Tracker;
use crate::generate::Swarm;
use crate::limits::Limits;
use crate::mutate;
use crate::oracle::predict::{Prediction, predict};

/// A glance of what `proptests/predicted.rs` goes through at length.
const CASES: u64 = 2_000;

#[test]
fn a_drawn_case_is_refused_for_its_first_fault_or_accepted_without_one() {
    let mut reader = Reader::new(Limits::message());
    let mut predicted = 0;
    for index in 0..CASES {
        let mut entropy = [0; 256];
        ChaCha8Rng::seed_from_u64(index).fill_bytes(&mut entropy);
        let mut u = Unstructured::new(&entropy);
        let swarm = Swarm::draw(&mut u).expect("drawing from bytes does not fail");
        let drawn = mutate::drawn(&mut u, &swarm).expect("drawing from bytes does not fail");
        let expected = match predict(&drawn) {
            Prediction::NotPredicted | Prediction::AnyOf(_) => continue,
            Prediction::Accepted => None,
            Prediction::Refused { stage, reason, code, http } => Some((stage, reason, code, http)),
        };
        predicted += 1;
        let reading = Tracker::new().read(&mut reader, &drawn.value);
        let refusal = reading.refusal(Profile::Strict);
        let shown = refusal.map(|refusal| (refusal.stage, refusal.reason, refusal.code, refusal.http));
        assert_eq!(shown, expected, "{}", String::from_utf8_lossy(&drawn.value.encode()));
    }
    assert!(predicted * 10 > CASES * 9, "too little is predicted: {predicted} of {CASES}");
}
