//! A batch as the codec's own subject shows it.

use wirebench::case::{Case, Party, Revision};
use wirebench::subject::{Codec, Subject};

#[test]
fn a_subject_shows_one_observation_for_a_batch_the_first_refusal_in_it() {
    let broken = r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#;
    let whole = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut case = Case::stdio(Party::Client, format!("[{whole},{broken},{broken}]"));
    case.stated.revision = Revision::parse(b"2025-03-26");
    let shown = Codec::new().observe(&case).unwrap();
    assert_eq!((shown.kind, shown.conclusion), (None, None));
    assert_eq!(shown.refusal.map(|refusal| refusal.requirement), Some("envelope-jsonrpc-is-2-0"));
}
