//! The start-up of a client against every kind of answer: transports, profiles and modes; and the signs of one answer.

use crate::case::{Case, Party, Transport};
use crate::codec::Reader;
use crate::codec::context::Context;
use crate::codec::negotiate::{Event, Mode, Probe, Selected, Startup};
use crate::codec::probe::{Sign, of_line, of_response};
use crate::codec::reading::Profile;
use crate::limits::Limits;
use crate::observation::Step;

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

const MODES: [Mode; 3] = [Mode::Fallback { listed: true }, Mode::Fallback { listed: false }, Mode::ModernOnly];
const PROFILES: [Profile; 2] = [Profile::Spec, Profile::Strict];

/// What comes back: over which transport, with which status, what, and whether under the id of the request.
#[derive(Clone, Copy, Debug)]
enum Comes<'a> {
    Line(&'a str),
    /// The same under an id that nothing waits for.
    StrangeLine(&'a str),
    Response(u16, &'a str),
    StrangeResponse(u16, &'a str),
    Silence,
    Closed,
    BrokenProbe,
}

/// What a start-up does about it.
fn on(startup: &mut Startup, comes: Comes<'_>) -> Vec<Step> {
    let (status, text, correlated) = match comes {
        Comes::Line(text) => (None, text, true),
        Comes::StrangeLine(text) => (None, text, false),
        Comes::Response(status, text) => (Some(status), text, true),
        Comes::StrangeResponse(status, text) => (Some(status), text, false),
        Comes::Silence => return startup.on(&Event::Silence),
        Comes::Closed => return startup.on(&Event::Closed),
        Comes::BrokenProbe => return startup.on(&Event::BrokenProbe),
    };
    let text = if text.starts_with('"') { body(text) } else { text.to_owned() };
    let mut case = Case::stdio(Party::Server, text);
    if status.is_some() {
        (case.transport, case.status) = (Transport::Http, status);
    }
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::default());
    match reading.envelope.as_ref().filter(|envelope| envelope.kind.is_response()) {
        Some(envelope) => startup.on(&Event::Answer { case: &case, envelope, correlated }),
        None => startup.on(&Event::Unreadable { status }),
    }
}

/// The rows of the compatibility matrix for the probe: what comes back, and what it shows in `spec` and in `strict`.
fn probe_rows() -> Vec<(Comes<'static>, Probe, Probe)> {
    use Comes::{BrokenProbe, Closed, Line, Response, Silence, StrangeLine, StrangeResponse};
    use Probe::{Discovered, Failure, Inconclusive, ModernRefusal, OwnFault};
    const UNTYPED: &str = r#""result":{"supportedVersions":["2026-07-28"],"capabilities":{}}"#;
    const TYPED: &str = r#""result":{"resultType":"complete","tools":[]}"#;
    const BARE: &str = r#""error":{"code":-32022,"message":"m"}"#;
    const MISMATCH: &str = r#""error":{"code":-32020,"message":"m"}"#;
    const UNKNOWN: &str = r#""error":{"code":-32601,"message":"m"}"#;
    const PARAMS: &str = r#""error":{"code":-32602,"message":"m"}"#;
    const OTHER: &str = r#""error":{"code":-32000,"message":"m"}"#;
    const INTERNAL: &str = r#""error":{"code":-32603,"message":"m"}"#;
    const DRAFT: &str = r#""error":{"code":-32001,"message":"m"}"#;
    let both = |comes, probe| (comes, probe, probe);
    let mut rows = vec![
        both(Line(DISCOVERED), Discovered),
        both(Response(200, DISCOVERED), Discovered),
        (StrangeLine(DISCOVERED), Inconclusive, ModernRefusal),
        (StrangeResponse(200, DISCOVERED), Inconclusive, ModernRefusal),
        (Line(TYPED), Inconclusive, ModernRefusal),
        (Response(200, TYPED), Inconclusive, ModernRefusal),
        both(Line(UNTYPED), Inconclusive),
        both(Response(200, UNTYPED), Inconclusive),
        (Line(BARE), Inconclusive, ModernRefusal),
        (Response(400, BARE), Inconclusive, ModernRefusal),
        both(Response(404, UNKNOWN), Inconclusive),
        both(Response(400, ""), Inconclusive),
        both(Response(400, "<html>no</html>"), Inconclusive),
        both(Response(404, ""), Inconclusive),
        both(Response(404, "<html>no</html>"), Inconclusive),
        both(Response(405, ""), Inconclusive),
        both(Response(200, ""), Inconclusive),
        both(Response(202, ""), Inconclusive),
        both(Response(302, ""), Inconclusive),
        both(Response(200, "{}"), Inconclusive),
        both(Line("hello"), Inconclusive),
        both(Line("[]"), Inconclusive),
        both(Line(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#), Inconclusive),
        both(Silence, Inconclusive),
        both(Closed, Inconclusive),
        (BrokenProbe, Inconclusive, OwnFault),
    ];
    for error in [UNSUPPORTED, MISSING, MISMATCH] {
        rows.push(both(Line(error), ModernRefusal));
        rows.push((StrangeLine(error), Inconclusive, ModernRefusal));
        rows.extend([400, 404].map(|status| both(Response(status, error), ModernRefusal)));
        rows.push(both(StrangeResponse(400, error), ModernRefusal));
        rows.push((Response(200, error), Inconclusive, ModernRefusal));
        rows.push((Response(500, error), Failure, ModernRefusal));
    }
    for error in [UNKNOWN, PARAMS, OTHER, INTERNAL, DRAFT] {
        rows.extend(
            [Line(error), StrangeLine(error), Response(400, error), Response(200, error)]
                .map(|comes| both(comes, Inconclusive)),
        );
    }
    for status in [401, 403, 407, 429, 500, 502, 503, 504] {
        rows.extend(
            ["", "<html>no</html>", "{}", UNKNOWN, OTHER, UNTYPED].map(|text| both(Response(status, text), Failure)),
        );
    }
    rows
}

#[test]
fn only_an_inconclusive_probe_of_a_listed_endpoint_leads_to_one_initialize() {
    for (comes, spec, strict) in probe_rows() {
        for (profile, shown) in PROFILES.into_iter().zip([spec, strict]) {
            for mode in MODES {
                let (mut startup, first) = Startup::new(mode, profile);
                assert_eq!(first, Step::Probe);
                let listed = mode == Mode::Fallback { listed: true };
                let owed = match shown {
                    Probe::Discovered => Step::SelectModern,
                    Probe::Inconclusive if listed => Step::Initialize,
                    _ => Step::Fail,
                };
                assert_eq!(on(&mut startup, comes), [owed], "{profile:?} {mode:?} {comes:?}");
                let outcome = startup.outcome();
                assert_eq!((outcome.probe, outcome.mode), (Some(shown), mode), "{profile:?} {comes:?}");
                let settled = (owed != Step::Initialize).then_some(match owed {
                    Step::SelectModern => Selected::Modern,
                    _ => Selected::Nothing,
                });
                assert_eq!(outcome.selected, settled, "{profile:?} {mode:?} {comes:?}");
            }
        }
    }
}

fn initialized(revision: &str) -> String {
    format!(
        r#""result":{{"protocolVersion":"{revision}","capabilities":{{}},"serverInfo":{{"name":"s","version":"1"}}}}"#
    )
}

#[test]
fn a_legacy_era_is_selected_by_the_correlated_and_well_shaped_result_of_initialize_alone() {
    use Comes::{Closed, Line, Response, Silence, StrangeLine, StrangeResponse};
    let good = initialized("2025-06-18");
    let typed = good.replace(r#""result":{"#, r#""result":{"resultType":"complete","#);
    let selects = [Step::Initialized, Step::SelectLegacy];
    let mut rows: Vec<(Comes<'_>, &[Step])> = vec![
        (Line(&good), &selects),
        (Response(200, &good), &selects),
        (StrangeLine(&good), &[Step::Fail]),
        (StrangeResponse(200, &good), &[Step::Fail]),
        (Line(&typed), &[Step::Fail]),
        (Silence, &[Step::Fail]),
        (Closed, &[Step::Fail]),
        (Line("hello"), &[Step::Fail]),
        (Line(DISCOVERED), &[Step::Fail]),
        (Response(200, ""), &[Step::Fail]),
        // The address takes no POST of this kind: an event stream may name one that does.
        (Response(400, ""), &[Step::OpenStream]),
        (Response(404, "<html>no</html>"), &[Step::OpenStream]),
        (Response(405, ""), &[Step::OpenStream]),
        (StrangeResponse(404, r#""error":{"code":-32000,"message":"m"}"#), &[Step::OpenStream]),
        // Only a modern server says so of a method.
        (StrangeResponse(404, r#""error":{"code":-32601,"message":"m"}"#), &[Step::Fail]),
        // It does take requests, and this one was answered.
        (Response(404, r#""error":{"code":-32601,"message":"m"}"#), &[Step::Fail]),
        (Response(400, r#""error":{"code":-32602,"message":"m"}"#), &[Step::Fail]),
        (Line(r#""error":{"code":-32602,"message":"m"}"#), &[Step::Fail]),
        // A modern code under any id.
        (Response(400, UNSUPPORTED), &[Step::Fail]),
        (StrangeResponse(400, r#""error":{"code":-32020,"message":"m"}"#), &[Step::Fail]),
        (Line(UNSUPPORTED), &[Step::Fail]),
    ];
    for status in [400, 401, 404, 500] {
        rows.push((Response(status, &good), &[Step::Fail]));
    }
    for status in [401, 403, 407, 429, 500, 503] {
        rows.push((Response(status, ""), &[Step::Fail]));
    }
    let broken = ["2026-07-28", "2027-01-01", "1.0", ""].map(initialized);
    rows.extend(broken.iter().map(|text| (Line(text), &[Step::Fail][..])));
    let without =
        ["protocolVersion", "capabilities", "serverInfo", "name", "version"].map(|name| good.replace(name, "x"));
    rows.extend(without.iter().map(|text| (Line(text), &[Step::Fail][..])));
    for (comes, steps) in rows {
        for profile in PROFILES {
            for probe in [Silence, Response(400, "")] {
                let (mut startup, _) = Startup::new(MODES[0], profile);
                assert_eq!(on(&mut startup, probe), [Step::Initialize]);
                assert_eq!(on(&mut startup, comes), steps, "{profile:?} {comes:?}");
                let (outcome, selected) = (startup.outcome(), steps == selects);
                assert_eq!(outcome.legacy.is_some(), selected, "{comes:?}");
                assert_eq!(outcome.stream, steps == [Step::OpenStream], "{comes:?}");
                let settled = (!outcome.stream).then_some(match outcome.legacy {
                    Some(revision) => Selected::Legacy(revision),
                    None => Selected::Nothing,
                });
                assert_eq!(outcome.selected, settled, "{comes:?}");
            }
        }
    }
}

#[test]
fn a_stream_is_opened_once_and_a_start_up_that_has_settled_takes_no_step() {
    let good = initialized("2024-11-05");
    for profile in PROFILES {
        for (comes, steps) in [
            (Comes::Response(200, good.as_str()), vec![Step::Initialized, Step::SelectLegacy]),
            (Comes::Response(405, ""), vec![Step::Fail]),
            (Comes::Response(404, "no"), vec![Step::Fail]),
            (Comes::Response(503, ""), vec![Step::Fail]),
            (Comes::Silence, vec![Step::Fail]),
        ] {
            let (mut startup, _) = Startup::new(MODES[0], profile);
            assert_eq!(on(&mut startup, Comes::Response(405, "")), [Step::Initialize]);
            assert_eq!(on(&mut startup, Comes::Response(405, "")), [Step::OpenStream]);
            assert_eq!(on(&mut startup, comes), steps, "{profile:?} {comes:?}");
            for late in [Comes::Line(&good), Comes::Line(DISCOVERED), Comes::Response(405, ""), Comes::Silence] {
                assert_eq!(on(&mut startup, late), [], "{late:?}");
            }
        }
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
