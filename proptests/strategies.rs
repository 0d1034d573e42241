//! The proptest strategies draw what the generators draw, and shrink on the value.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestError, TestRunner};

use wirebench::case::{Case, Frames, Session};
use wirebench::mutation::Generated;
use wirebench::strategy;

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()))
}

#[test]
fn a_failing_case_shrinks_to_what_fails() {
    let property = |text: &[u8]| text.windows(11).any(|window| window == b"\"result\":{\"");
    let failure = runner(2_000).run(&strategy::cases(), |generated| {
        if property(&generated.value.body) { Err(proptest::test_runner::TestCaseError::fail("found")) } else { Ok(()) }
    });
    let Err(TestError::Fail(_, least)) = failure else { panic!("results are drawn") };
    assert_eq!(least.value.body, b"\"result\":{\"");
    assert!(least.value.headers.is_empty());
    assert!(least.mutations.is_empty(), "a record does not hold for a smaller case");
}

#[test]
fn a_failing_stream_shrinks_to_its_bytes_and_its_cut() {
    let cut_line_end = |generated: &Generated<Frames>| generated.value.chunks().any(|chunk| chunk.ends_with(b"\r"));
    let failure = runner(4_000).run(&strategy::streams(), |generated| match cut_line_end(&generated) {
        true if generated.value.splits().is_empty() => Ok(()),
        true => Err(proptest::test_runner::TestCaseError::fail("found")),
        false => Ok(()),
    });
    let Err(TestError::Fail(_, least)) = failure else { panic!("line ends are cut") };
    assert_eq!((least.value.splits(), least.value.stream().len()), (&[1][..], 2));
}

#[test]
fn draws_are_independent_and_have_a_text_form() {
    let mut runner = runner(1);
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for _ in 0..200 {
        let case = strategy::cases().new_tree(&mut runner).unwrap().current().value;
        assert_eq!(Case::decode(&case.encode()).unwrap(), case);
        let session = strategy::sessions().new_tree(&mut runner).unwrap().current().value;
        assert_eq!(Session::decode(&session.encode()).unwrap(), session);
        let stream = strategy::streams().new_tree(&mut runner).unwrap().current().value;
        assert_eq!(Frames::decode(&stream.encode()).unwrap(), stream);
        texts.push(case.encode());
    }
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 150, "{}", texts.len());
}
