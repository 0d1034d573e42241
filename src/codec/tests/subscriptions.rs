//! Which resources a subscription is about: what it acknowledges and what it delivers.

use crate::case::{Case, Party};

use super::sessions::{ask, check, tell};

const ID: &str = r#""_meta":{"io.modelcontextprotocol/subscriptionId":0}"#;

fn listen(uris: &str) -> Case {
    ask("0", "subscriptions/listen", &format!(r#""notifications":{{"resourceSubscriptions":[{uris}]}}"#))
}

fn acknowledged(uris: &str) -> Case {
    let params = format!(r#""notifications":{{"resourceSubscriptions":[{uris}]}},{ID}"#);
    tell(Party::Server, "notifications/subscriptions/acknowledged", &params)
}

fn updated(uri: &str) -> Case {
    tell(Party::Server, "notifications/resources/updated", &format!(r#""uri":{uri},{ID}"#))
}

#[test]
fn uris_are_acknowledged_as_given_and_what_is_updated_starts_with_one_of_them() {
    const SUBSET: &str = "subscription-kind subscriptions-ack-is-subset";
    const BESIDE: &str = "subscription-kind subscriptions-only-subscribed-uris";
    const TWO: &str = r#""file:///a","x:\u00e9""#;
    let after = |uris: &str, case: Case| vec![listen(uris), acknowledged(uris), case];
    check(vec![
        ("", false, vec![listen(TWO), acknowledged(TWO)]),
        ("", false, vec![listen(TWO), acknowledged(r#""x:é""#)]),
        ("", false, vec![listen(TWO), acknowledged(r#""file:///a","file:///a""#)]),
        (SUBSET, false, vec![listen(TWO), acknowledged(r#""FILE:///a""#)]),
        (SUBSET, false, vec![listen(TWO), acknowledged(r#""file:///a","file:///b""#)]),
        ("", false, after(TWO, updated(r#""file:///a""#))),
        ("", false, after(TWO, updated(r#""file:///a/b""#))),
        ("", false, after(TWO, updated(r#""x:\u00e9""#))),
        (BESIDE, false, after(TWO, updated(r#""file:///b""#))),
        (BESIDE, false, after(TWO, updated(r#""FILE:///a""#))),
        ("", false, after(r#""""#, updated(r#""file:///b""#))),
    ]);
}

#[test]
fn a_filter_of_too_many_uris_is_held_to_none_of_them() {
    let many = |count: usize| (0..count).map(|at| format!("\"a:{at}\"")).collect::<Vec<_>>().join(",");
    let long = format!("\"a:{}\"", "x".repeat(4096));
    const BESIDE: &str = "subscription-kind subscriptions-only-subscribed-uris";
    check(vec![
        (BESIDE, false, vec![listen(&many(64)), acknowledged(&many(64)), updated("\"b:\"")]),
        ("", false, vec![listen(&many(65)), acknowledged(&many(65)), updated("\"b:\"")]),
        ("", false, vec![listen(&long), acknowledged("\"b:\""), updated("\"b:\"")]),
    ]);
}
