//! Exchanges as they are drawn keep every rule over several messages, and each operator on them breaks the rule of its
//! record and no other.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;

use wirebench::case::Session;
use wirebench::codec::Reader;
use wirebench::codec::session::Tracker;
use wirebench::generate::{self, Swarm};
use wirebench::limits::Limits;
use wirebench::mutate::{Mutator, delivery, retry};
use wirebench::mutation::RequirementId;

use crate::predicted::noise;

fn lawful(index: u64) -> Session {
    let entropy = noise(index);
    let swarm = Swarm { odd_documents: false, ..Swarm::all() };
    generate::session(&mut Unstructured::new(&entropy), &swarm).expect("drawing from bytes does not fail").value
}

/// Every rule that some message of the session breaks.
fn broken(session: &Session) -> BTreeSet<RequirementId> {
    let (mut reader, mut tracker) = (Reader::new(Limits::message()), Tracker::new());
    let mut rules = BTreeSet::new();
    for case in &session.cases {
        let reading = tracker.read(&mut reader, case);
        rules.extend(reading.breaches.iter().map(|breach| breach.refusal.requirement));
    }
    rules
}

fn text(session: &Session) -> String {
    String::from_utf8_lossy(&session.encode()).into_owned()
}

#[test]
fn a_drawn_exchange_breaks_no_rule() {
    for index in 0..4_000 {
        let entropy = noise(index);
        let session = generate::flow::exchange(&mut Unstructured::new(&entropy), &Swarm::all());
        let session = session.expect("drawing from bytes does not fail");
        let broken = broken(&session);
        assert!(broken.is_empty(), "{broken:?}\n{}", text(&session));
    }
}

/// Records whose edit cannot stand alone: the message that carries a broken signal is unlawful by itself.
const TOGETHER: [&str; 1] = ["break-probe"];

#[test]
fn an_operator_on_exchanges_breaks_the_rule_of_its_record_alone() {
    let operators: Vec<&dyn Mutator<Session>> = retry::FAMILY.iter().chain(delivery::FAMILY).copied().collect();
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let mut reached: BTreeMap<&str, usize> = operators.iter().map(|operator| (operator.name(), 0)).collect();
    for index in 0..3_000 {
        let session = lawful(index);
        // A start-up may step back where only the strict profile minds.
        if !broken(&session).is_empty() {
            continue;
        }
        for operator in &operators {
            let mut changed = session.clone();
            let entropy = noise(index + 1_000_000);
            let mutation = operator.apply(&mut changed, &mut Unstructured::new(&entropy));
            let Some(mutation) = mutation.expect("drawing from bytes does not fail") else {
                assert_eq!(changed, session, "{} changed what it did not apply to", operator.name());
                continue;
            };
            assert_eq!(Session::decode(&changed.encode()).as_ref(), Ok(&changed), "{}", operator.name());
            *reached.entry(operator.name()).or_default() += 1;
            let shown = broken(&changed);
            let recorded: BTreeSet<RequirementId> = mutation.breaks.iter().copied().collect();
            let holds =
                if TOGETHER.contains(&operator.name()) { recorded.is_subset(&shown) } else { recorded == shown };
            if !holds {
                let what = format!("{} at {} breaks {recorded:?}, shown {shown:?}", operator.name(), mutation.path);
                wrong.entry(what).or_insert_with(|| text(&changed));
            }
        }
    }
    println!("{reached:?}");
    for (what, text) in &wrong {
        println!("{what}\n{text}\n");
    }
    assert!(wrong.is_empty(), "{} edits", wrong.len());
    let idle: Vec<_> = reached.iter().filter(|(_, times)| **times < 5).collect();
    assert!(idle.is_empty(), "hardly applied: {idle:?}");
}
