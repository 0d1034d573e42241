//! The start-up of a client as the codec's own subject shows it: the steps over the messages of one connection.

use wirebench::case::Case;
use wirebench::observation::Step;
use wirebench::subject::{Codec, Subject};

const DISCOVERED: &str = r#""result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}"#;
const UNSUPPORTED: &str =
    r#""error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"x"}}"#;

fn body(member: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,{member}}}"#)
}

/// The steps of the codec as a subject over the messages of one connection.
fn steps(texts: &[&str]) -> Vec<Vec<Step>> {
    let mut codec = Codec::new();
    let case = |text: &&str| Case::decode(text.as_bytes()).expect(text);
    texts.iter().map(case).map(|case| codec.observe(&case).unwrap().steps).collect()
}

#[test]
fn a_probe_that_only_failed_is_sent_again_and_decides_by_its_second_answer() {
    const PROBE: &str = ":transport: http\n:headers: partial\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{\"_meta\":\
        {\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    let failed = ":from: server\n:transport: http\n:status: 401\n\n";
    let refused = ":from: server\n:transport: http\n:status: 400\n\n";
    let found = format!(":from: server\n:transport: http\n:status: 200\n\n{}", body(DISCOVERED));
    assert_eq!(
        steps(&[PROBE, failed, PROBE, &found]),
        [[Step::Probe], [Step::Fail], [Step::Probe], [Step::SelectModern]]
    );
    assert_eq!(
        steps(&[PROBE, failed, PROBE, refused]),
        [[Step::Probe], [Step::Fail], [Step::Probe], [Step::Initialize]]
    );
    // Whatever else ended it has ended it.
    let modern = format!("{refused}{}", body(UNSUPPORTED));
    assert_eq!(steps(&[PROBE, &modern, PROBE, refused]), [vec![Step::Probe], vec![Step::Fail], vec![], vec![]]);
}
