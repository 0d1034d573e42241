//! A run as JUnit XML, for services that show test results: a finding is a test that failed.
//!
//! A run without findings is one test that passed, named for what it was. What the baseline lists is skipped, not
//! failed; a target that did not run is an error. Times are left out: the same run gives the same bytes.

use super::markup::Markup;
use super::{Found, Run, TargetState};

/// The document.
pub fn document(run: &Run) -> String {
    let mut xml = Markup::new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let new = run.findings.iter().filter(|found| !found.known).count();
    let known = run.findings.len() - new;
    let errors = run.targets.iter().filter(|target| target.state == TargetState::BuildFailed).count();
    let quiet = run.targets.len() - errors + usize::from(run.targets.is_empty());
    let tests = run.findings.len() + errors + quiet;
    let name = format!("wirebench {} {}", run.head.verb, run.head.subject);
    let counts: [(&'static str, &dyn std::fmt::Display); 5] =
        [("name", &name), ("tests", &tests), ("failures", &new), ("errors", &errors), ("skipped", &known)];
    xml.within("testsuites", &counts[..4], |suites| {
        suites.within("testsuite", &counts, |suite| {
            suite.within("properties", &[], |list| {
                let seed = run.head.seed.map(|seed| seed.to_string());
                for (name, value) in [("version", Some(run.head.version.as_ref())), ("seed", seed.as_deref())] {
                    if let Some(value) = value {
                        list.leaf("property", &[("name", &name), ("value", &value)]);
                    }
                }
            });
            if run.targets.is_empty() {
                suite.leaf("testcase", &[("classname", &"wirebench"), ("name", &run.head.verb)]);
            }
            for target in &run.targets {
                let place: [(&'static str, &dyn std::fmt::Display); 2] =
                    [("classname", &"wirebench.target"), ("name", &target.label())];
                suite.within("testcase", &place, |case| {
                    if target.state == TargetState::BuildFailed {
                        case.leaf("error", &[("message", &target.state.word())]);
                    }
                });
            }
            run.findings.iter().for_each(|found| case(suite, found));
        });
    });
    xml.finish()
}

fn case(suite: &mut Markup, found: &Found) {
    let class = format!("wirebench.{}", found.invariant);
    let name = format!("{} {}", found.id, found.kind);
    suite.within("testcase", &[("classname", &class), ("name", &name), ("file", &found.file)], |case| {
        let message = format!("expected: {}; observed: {}", found.expected, found.observed);
        if found.known {
            case.leaf("skipped", &[("message", &format!("in the baseline; {message}"))]);
            return;
        }
        case.within("failure", &[("type", &found.class.word()), ("message", &message)], |failure| {
            let rules = found.requirements.join(", ");
            failure.text(format!("rules: {rules}\nreplay: {}\ninput:\n{}", found.replay, found.input));
        });
    });
}
