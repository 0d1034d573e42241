//! What is shrunk stays the same failure and becomes small.

use std::collections::BTreeMap;

use wirebench::case::Case;
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::reading::Profile;
use wirebench::codec::refusal::Reason;
use wirebench::limits::Limits;
use wirebench::reduce;

use crate::predicted::drawn;

fn refused(reader: &mut Reader, case: &Case) -> Option<Reason> {
    reader.read(case, &Context::of(case)).refusal(Profile::Strict).map(|refusal| refusal.reason)
}

#[test]
fn a_case_of_every_reason_shrinks_to_a_few_bytes() {
    let mut reader = Reader::new(Limits::message());
    let mut first: BTreeMap<Reason, Case> = BTreeMap::new();
    for index in 0..10_000 {
        let case = drawn(index).value;
        if let Some(reason) = refused(&mut reader, &case) {
            first.entry(reason).or_insert(case);
        }
    }
    // A number past its limit is that long by itself.
    first.remove(&Reason::NumberLimit);
    assert!(first.len() > 30, "{}", first.len());
    let mut sizes = Vec::new();
    for (reason, case) in first {
        let before = case.body.len();
        let least = reduce::minimise(case, |smaller| refused(&mut reader, smaller) == Some(reason));
        assert_eq!(refused(&mut reader, &least), Some(reason));
        assert!(least.body.len() <= before);
        println!("{} {}", reason.word(), String::from_utf8_lossy(&least.encode()).escape_debug());
        sizes.push((least.encode().len(), reason));
    }
    let mean = sizes.iter().map(|(size, _)| size).sum::<usize>() / sizes.len();
    let largest = sizes.iter().max().expect("there are reasons");
    println!("mean {mean}, largest {largest:?}");
    assert!(mean <= 160, "{mean}");
    assert!(largest.0 <= 400, "{largest:?}");
}

#[test]
fn a_reduced_case_cannot_be_reduced_further() {
    let mut reader = Reader::new(Limits::message());
    let mut keeps = |case: &Case| refused(&mut reader, case) == Some(Reason::VersionMismatch);
    let case = (0..).map(|index| drawn(index).value).find(&mut keeps).expect("mismatches are drawn");
    let once = reduce::minimise(case, &mut keeps);
    assert_eq!(reduce::minimise(once.clone(), &mut keeps), once);
}
