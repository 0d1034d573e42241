//! Does the codec keep every invariant on drawn cases and sessions, and does each invariant get its turn?

use wirebench::campaign::draw::{Dice, Drawn};
use wirebench::invariant::Check;
use wirebench::oracle::Oracle;
use wirebench::subject::Codec;

/// Draws for one run of the tests; the search of an unbounded length belongs to the campaign.
const DRAWS: u64 = 6_000;

#[test]
fn the_codec_keeps_every_invariant_on_what_is_drawn() {
    let mut codec = Codec::new();
    let mut oracle = Oracle::new();
    let mut dice = Dice::new(2);
    let mut findings = Vec::new();
    for index in 0..DRAWS {
        let checked = match dice.draw(index, &[]) {
            Drawn::Case(generated) => oracle.check_generated(&mut codec, &generated),
            Drawn::Changed(case) => oracle.check(&mut codec, &case),
            Drawn::Session(session) => oracle.check_session(&mut codec, &session),
            Drawn::Frames(stream) => oracle.check_frames(&mut codec, &stream),
        };
        if let Err(finding) = checked {
            findings.push(format!("{finding}\n{}", String::from_utf8_lossy(&finding.evidence.encode())));
        }
    }
    assert!(findings.is_empty(), "{} findings, the first: {}", findings.len(), findings[0]);
    assert_eq!(oracle.unreachable(), 0);
    let single: Vec<_> =
        oracle.rows().iter().filter(|row| matches!(row.invariant.check, Check::Alone(_) | Check::Predicted)).collect();
    let exercised = single.iter().filter(|row| row.tally.exercised > 0).count();
    // A floor, not a target: rare rows of the rules need more draws than a test has.
    assert!(exercised * 100 >= single.len() * 90, "{exercised} of {} exercised", single.len());
}
