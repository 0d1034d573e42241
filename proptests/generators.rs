//! The generators and operators reach everything that they are for, within a fixed number of cases from fixed seeds.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use arbitrary::Unstructured;

use wirebench::case::{Case, Party, Transport};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::reading::Profile;
use wirebench::codec::refusal::{Reason, Stage};
use wirebench::generate::{self, Swarm, dictionary};
use wirebench::limits::Limits;
use wirebench::mutate;
use wirebench::mutation::Generated;
use wirebench::oracle::predict::{Prediction, predict};

use crate::predicted::drawn;

/// Drawn once for all tests of this module.
static CASES: LazyLock<Vec<Generated<Case>>> = LazyLock::new(|| (0..40_000).map(drawn).collect());

/// Reasons of the stages of one message that no drawn case has: limits that take a large document, headers that take a
/// tool's schema, and what only the request that a response answers can tell.
const OUT_OF_REACH: [Reason; 8] = [
    Reason::ByteLimit,
    Reason::NodeLimit,
    Reason::MemberLimit,
    Reason::StringLimit,
    Reason::ParamMismatch,
    Reason::EraConflicting,
    Reason::UndeclaredInput,
    Reason::ContradictoryResult,
];

#[test]
fn every_reason_in_reach_is_predicted_for_some_case() {
    let reached: BTreeSet<Reason> = CASES
        .iter()
        .filter_map(|case| match predict(case) {
            Prediction::Refused { reason, stage, .. } if stage <= Stage::Result => Some(reason),
            _ => None,
        })
        .collect();
    let of_a_message = |reason: &Reason| (Stage::Bytes..=Stage::Result).contains(&reason.stage());
    let in_reach = Reason::ALL.iter().copied().filter(of_a_message).filter(|reason| !OUT_OF_REACH.contains(reason));
    let expected: BTreeSet<Reason> = in_reach.collect();
    let missed: Vec<_> = expected.difference(&reached).collect();
    let beyond: Vec<_> = reached.difference(&expected).collect();
    assert!(missed.is_empty() && beyond.is_empty(), "missed {missed:?}, beyond {beyond:?}");
}

#[test]
fn every_operator_is_applied() {
    let used: BTreeSet<&str> =
        CASES.iter().flat_map(|case| &case.mutations).map(|mutation| mutation.operator).collect();
    let missed: Vec<_> =
        mutate::all_cases().map(|operator| operator.name()).filter(|name| !used.contains(name)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn every_token_is_sent() {
    let mut missed: BTreeSet<String> = dictionary::NEAR_TOKENS
        .iter()
        .copied()
        .chain(["complete", "input_required", "task", "\\u0063omplete"])
        .map(|token| format!("\"resultType\":\"{token}\""))
        .collect();
    for case in &*CASES {
        let body = String::from_utf8_lossy(&case.value.body);
        missed.retain(|token| !body.contains(token.as_str()));
    }
    assert!(missed.is_empty(), "{missed:?}");
}

/// What a version signal looks like: nothing, modern, legacy, another date, no date.
fn shape(value: Option<&str>) -> &'static str {
    match value {
        None => "absent",
        Some(dictionary::MODERN) => "modern",
        Some(value) if dictionary::LEGACY.contains(&value) => "legacy",
        Some(value) if dictionary::OTHER_DATES.contains(&value) => "date",
        Some(_) => "no-date",
    }
}

fn stated_version(case: &Case) -> Option<String> {
    let body = String::from_utf8_lossy(&case.body);
    let (_, rest) = body.split_once(&format!("\"{}\":\"", dictionary::VERSION_KEY))?;
    Some(rest.split('"').next()?.to_owned())
}

#[test]
fn every_pair_of_era_signals_is_sent_over_http() {
    let shapes = ["absent", "modern", "legacy", "date", "no-date"];
    let mut missed: BTreeSet<(&str, &str)> =
        shapes.iter().flat_map(|header| shapes.iter().map(move |body| (*header, *body))).collect();
    for Generated { value: case, .. } in &*CASES {
        if case.transport == Transport::Http && case.from == Party::Client {
            let header = case.headers_named(dictionary::VERSION_HEADER).next().map(|header| header.value.clone());
            let header = header.map(|value| String::from_utf8_lossy(&value).into_owned());
            missed.remove(&(shape(header.as_deref()), shape(stated_version(case).as_deref())));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_good_part_of_the_cases_is_lawful_and_a_good_part_is_not() {
    let (mut accepted, mut late) = (0, 0);
    for case in &*CASES {
        match predict(case) {
            Prediction::Accepted => accepted += 1,
            Prediction::Refused { stage, .. } if stage > Stage::Envelope => late += 1,
            _ => {}
        }
    }
    assert!(accepted > CASES.len() / 4, "{accepted}");
    assert!(late > CASES.len() / 8, "{late}");
}

/// Cases with a mutation that a careful reader still takes as far as the result, out of a hundred.
const REACHING: usize = 40;

#[test]
fn many_cases_reach_the_result_stage_with_a_mutation_applied() {
    let mut reader = Reader::new(Limits::message());
    let reaching = CASES.iter().filter(|case| {
        let refusal = reader.read(&case.value, &Context::of(&case.value)).refusal(Profile::Strict);
        !case.mutations.is_empty() && refusal.is_none_or(|refusal| refusal.stage >= Stage::Result)
    });
    let share = reaching.count() * 100 / CASES.len();
    println!("{share} of 100 cases reach the result stage with a mutation");
    assert!(share >= REACHING, "{share}");
}

#[test]
fn without_entropy_every_swarm_gives_the_plainest_lawful_case() {
    let nothing = || Unstructured::new(&[]);
    let swarm = Swarm::draw(&mut nothing()).unwrap();
    assert_eq!(swarm, Swarm::default());
    for swarm in [Swarm::default(), Swarm::all()] {
        let case = mutate::drawn(&mut nothing(), &swarm).unwrap();
        assert_eq!(case, generate::case(&mut nothing(), &Swarm::default()).unwrap());
        assert_eq!(predict(&case), Prediction::Accepted);
        assert!(mutate::drawn_session(&mut nothing(), &swarm).unwrap().mutations.is_empty());
    }
}

#[test]
fn drawing_is_a_function_of_the_entropy_and_every_case_has_a_text_form() {
    for (case, index) in CASES.iter().zip(0..2_000) {
        assert_eq!(*case, drawn(index));
        assert_eq!(Case::decode(&case.value.encode()).unwrap(), case.value);
    }
}
