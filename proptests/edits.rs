//! Each edit of a payload breaks the rule of its record and no other, and every rule that the codec enforces has one.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;

use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::payload::{Force, Rule};
use wirebench::generate::{self, Swarm};
use wirebench::limits::Limits;
use wirebench::mutate::payload;
use wirebench::mutation::RequirementId;

use crate::predicted::noise;

/// Rules of a payload that no operator on a single case breaks, and why.
const WITHOUT: [(RequirementId, &str); 9] = [
    ("error-32002-not-emitted", "refused only of a peer that showed itself modern earlier in a session"),
    ("param-header-name-is-string", "no schema that designates a header is drawn"),
    ("param-header-name-is-token", "no schema that designates a header is drawn"),
    ("param-header-name-no-controls", "no schema that designates a header is drawn"),
    ("param-header-name-not-empty", "no schema that designates a header is drawn"),
    ("param-header-name-unique-case-insensitive", "no schema that designates a header is drawn"),
    ("param-header-number-type-forbidden", "no schema that designates a header is drawn"),
    ("param-header-primitive-only", "no schema that designates a header is drawn"),
    ("param-header-statically-reachable", "no schema that designates a header is drawn"),
];

/// Rules that cannot be broken without breaking another in the same edit.
const TOGETHER: [RequirementId; 1] = ["payload-content-tool-use-not-in-tool-results"];

#[test]
fn every_rule_that_payloads_answer_to_has_a_row() {
    let broken: BTreeSet<RequirementId> = payload::rules().collect();
    let enforced: BTreeSet<RequirementId> =
        Rule::ALL.iter().filter(|rule| rule.force != Force::Note).map(|rule| rule.id).collect();
    let elsewhere = ["mrtr-only-on-three-methods", "extension-tasks-get-result-complete"];
    let missed: Vec<_> = enforced
        .difference(&broken)
        .filter(|id| !WITHOUT.iter().any(|row| row.0 == **id) && !elsewhere.contains(id))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let stale: Vec<_> = WITHOUT.iter().filter(|row| broken.contains(row.0)).collect();
    assert!(stale.is_empty(), "{stale:?}");
}

#[test]
fn an_edit_of_a_payload_is_refused_by_the_rule_of_its_record_alone() {
    let mut reader = Reader::new(Limits::message());
    let mut seen: BTreeSet<(&str, String, RequirementId)> = BTreeSet::new();
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    for index in 0..9_000u64 {
        let lawful =
            generate::case(&mut Unstructured::new(&noise(index)), &Swarm { odd_documents: false, ..Swarm::all() });
        let lawful = lawful.expect("drawing from bytes does not fail").value;
        // Questions have the most rows and are drawn the least.
        let asks = lawful.body.windows(15).any(|window| window == b"\"inputRequests\"");
        for (operator, attempt) in
            payload::FAMILY.iter().flat_map(|one| (0..if asks { 8 } else { 1 }).map(move |at| (one, at)))
        {
            let entropy = noise(index + 1_000_000 * (attempt + 1));
            let mut case = lawful.clone();
            let mut u = Unstructured::new(&entropy);
            let Some(mutation) = operator.apply(&mut case, &mut u).expect("drawing from bytes does not fail") else {
                continue;
            };
            let reading = reader.read(&case, &Context::of(&case));
            let shown: Vec<RequirementId> = reading.breaches.iter().map(|breach| breach.refusal.requirement).collect();
            let rule = mutation.breaks[0];
            if !(shown == [rule] || TOGETHER.contains(&rule) && shown.contains(&rule)) {
                let text = String::from_utf8_lossy(&case.encode()).into_owned();
                wrong.insert(format!("{} at {} breaks {rule}, shown {shown:?}", operator.name(), mutation.path), text);
            }
            seen.insert((operator.name(), mutation.path.clone(), rule));
        }
    }
    for (what, text) in &wrong {
        println!("{what}\n{text}\n");
    }
    assert!(wrong.is_empty(), "{} edits", wrong.len());
    let reached: BTreeSet<RequirementId> = seen.iter().map(|row| row.2).collect();
    let missed: BTreeSet<RequirementId> = payload::rules().filter(|rule| !reached.contains(rule)).collect();
    assert!(missed.is_empty(), "never drawn alone: {missed:#?}");
}
