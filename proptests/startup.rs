//! The start-up of a client against every kind of answer: transports, profiles and modes; and the signs of one answer.

use wirebench::case::{Case, Party, Transport};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::negotiate::{Event, Mode, Selected, Startup};
use wirebench::codec::probe::{Sign, of_line, of_response};
use wirebench::codec::reading::Profile;
use wirebench::limits::Limits;
use wirebench::observation::Step;

const DISCOVERED: &str = r#""result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}"#;
const UNSUPPORTED: &str =
    r#""error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"x"}}"#;
const MISSING: &str = r#""error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{}}}"#;

fn body(member: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,{member}}}"#)
}

fn error(code: i32) -> String {
    format!(r#""error":{{"code":{code},"message":"m"}}"#)
}

/// What a start-up settles on or does next.
fn after(mode: Mode, profile: Profile, transport: Transport, status: u16, member: &str) -> Vec<Step> {
    let mut case = Case::stdio(Party::Server, body(member));
    if transport == Transport::Http {
        (case.transport, case.status) = (transport, Some(status));
    }
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::default());
    let envelope = reading.envelope.as_ref().expect("a response");
    let (mut startup, first) = Startup::new(mode, profile);
    assert_eq!(first, Step::Probe);
    startup.on(&Event::Answer { case: &case, envelope, correlated: true })
}

#[test]
fn a_modern_answer_never_leads_back_and_any_other_only_with_a_listed_endpoint() {
    let plain: [(u16, String, Step); 8] = [
        (200, DISCOVERED.to_owned(), Step::SelectModern),
        (400, UNSUPPORTED.to_owned(), Step::Fail),
        (400, MISSING.to_owned(), Step::Fail),
        (400, error(-32020), Step::Fail),
        (400, error(-32601), Step::Initialize),
        (400, error(-32602), Step::Initialize),
        (400, error(-32000), Step::Initialize),
        (200, r#""result":{}"#.to_owned(), Step::Initialize),
    ];
    for transport in [Transport::Stdio, Transport::Http] {
        for profile in [Profile::Spec, Profile::Strict] {
            for (status, member, listed) in &plain {
                let step = |mode| after(mode, profile, transport, *status, member)[0];
                assert_eq!(step(Mode::Fallback { listed: true }), *listed, "{transport:?} {profile:?} {member}");
                let closed = if *listed == Step::Initialize { Step::Fail } else { *listed };
                assert_eq!(step(Mode::Fallback { listed: false }), closed, "{transport:?} {profile:?} {member}");
                assert_eq!(step(Mode::ModernOnly), closed, "{transport:?} {profile:?} {member}");
            }
        }
    }
}

#[test]
fn silence_and_a_closed_connection_prove_nothing_and_a_broken_probe_licenses_nothing() {
    for profile in [Profile::Spec, Profile::Strict] {
        for event in [Event::Silence, Event::Closed, Event::Unreadable, Event::BrokenProbe] {
            for (listed, step) in [(true, Step::Initialize), (false, Step::Fail)] {
                let (mut startup, _) = Startup::new(Mode::Fallback { listed }, profile);
                let own = matches!(event, Event::BrokenProbe) && profile == Profile::Strict;
                assert_eq!(startup.on(&event), [if own { Step::Fail } else { step }], "{profile:?} {event:?}");
            }
        }
        let (mut startup, _) = Startup::new(Mode::Fallback { listed: true }, profile);
        startup.on(&Event::Silence);
        startup.on(&Event::Silence);
        assert_eq!(startup.outcome().selected, Some(Selected::Nothing), "one initialize and no more");
    }
}

#[test]
fn one_answer_has_the_sign_of_its_cell() {
    use Sign::{Indeterminate, Legacy, Modern};
    let typed = r#""result":{"resultType":"complete","tools":[]}"#;
    for (text, line, ok, refused) in [
        ("x".to_owned(), Legacy, Indeterminate, Legacy),
        ("[]".to_owned(), Legacy, Indeterminate, Legacy),
        (r#"{"jsonrpc":"1.0","id":1,"result":{}}"#.to_owned(), Legacy, Indeterminate, Legacy),
        (r#"{"jsonrpc":"2.0","id":null,"result":{}}"#.to_owned(), Legacy, Indeterminate, Legacy),
        (body(DISCOVERED), Modern, Modern, Legacy),
        (body(&DISCOVERED.replace(r#""resultType":"complete","#, "")), Modern, Modern, Legacy),
        (body(&DISCOVERED.replace(r#"["2026-07-28"]"#, "[]")), Legacy, Modern, Legacy),
        (body(typed), Legacy, Modern, Legacy),
        (body(UNSUPPORTED), Modern, Indeterminate, Modern),
        (body(MISSING), Modern, Indeterminate, Modern),
        (body(&MISSING.replace("-32021", "-32003")), Modern, Indeterminate, Modern),
        (body(&error(-32020)), Modern, Indeterminate, Modern),
        (body(&error(-32022)), Legacy, Indeterminate, Legacy),
        (body(&error(-32601)), Legacy, Indeterminate, Legacy),
    ] {
        let bytes = text.as_bytes();
        let signs = (of_line(bytes), of_response(200, bytes), of_response(404, bytes));
        assert_eq!(signs, (line, ok, refused), "{text}");
        assert_eq!(of_response(500, bytes), Indeterminate, "{text}");
    }
}
