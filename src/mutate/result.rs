//! Operators on the result of a response: its token, its continuation, and what was known around it.

use super::facts::{Kind, kind};
use super::layout::{Layout, Shape, insert, splice};
use super::{Outcome, judged, operators};
use crate::case::{Case, Header, Party, Revision, StatedCapabilities, Transport};
use crate::generate::dictionary;
use crate::generate::envelope::METHODS;

operators! { Case;
    /// Leaves the token out. Never of an answer to a handshake, which has one only as the work of another operator: without
    /// it that answer is judged by its members again.
    DropResultType "drop-result-type" if answers_no_handshake => |case, _| {
        judged(case, |case| {
            let Some((layout, index)) = result_type(case) else { return Ok(None) };
            let span = layout.removal(&case.body, index);
            splice(&mut case.body, span, b"");
            Ok(Some("/result/resultType".to_owned()))
        })
    };
    /// Puts another type where the token stood.
    ResultTypeNotString "result-type-not-string" if is_response => |case, u| {
        set_type(case, u.choose(&["null", "true", "1", "[\"complete\"]", "{}"])?)
    };
    /// Takes a token that is close to a core one and is none.
    NearToken "near-token" if is_response => |case, u| {
        set_type(case, &format!("\"{}\"", u.choose(&dictionary::NEAR_TOKENS)?))
    };
    /// Takes the token of the tasks extension.
    TaskToken "task-token" if is_response => |case, _| set_type(case, "\"task\"");
    /// Answers another method than `tools/call` with the token of the tasks extension, which the call understood.
    IneligibleTask "ineligible-task" if is_response => |case, u| {
        let method = *u.choose(&["prompts/get", "resources/read", "tools/list", "tasks/get"])?;
        judged(case, |case| {
            let Some(edit) = set_type(case, "\"task\"")? else { return Ok(None) };
            case.stated.capabilities = Some(StatedCapabilities::Extensions(vec![dictionary::TASKS.into()]));
            case.stated.method = Some(method.into());
            Ok(Some(edit.path))
        })
    };
    /// Claims completion.
    CompleteToken "complete-token" if is_response => |case, _| set_type(case, "\"complete\"");
    /// Claims to ask for input.
    InputRequiredToken "input-required-token" if is_response => |case, _| set_type(case, "\"input_required\"");
    /// Asks for input in answer to a method that never does.
    AskForInput "ask-for-input" if is_response => |case, _| judged(case, |case| {
        let asked = case.stated.method.as_deref().and_then(|method| METHODS.iter().find(|row| row.name.as_bytes() == method));
        let (Some(layout), Some(_)) = (Layout::of(&case.body), asked.filter(|row| !row.asks)) else { return Ok(None) };
        let Some(result) = layout.member(&case.body, 0, "result") else { return Ok(None) };
        let asks = b"{\"resultType\":\"input_required\",\"requestState\":\"s\"}";
        if layout.value(&case.body, result) == asks {
            return Ok(None);
        }
        splice(&mut case.body, layout.nodes[result].value.clone(), asks);
        Ok(Some("/result".to_owned()))
    });
    /// Writes a letter of a core token as an escape: lawful.
    EscapedToken "escaped-token" if is_response => |case, u| {
        let (plain, escaped) = *u.choose(&dictionary::ESCAPED_TOKENS)?;
        let Some((layout, index)) = result_type(case) else { return Ok(None) };
        if layout.text(&case.body, index).as_deref() != Some(plain.as_bytes()) {
            return Ok(None);
        }
        set_type(case, &format!("\"{escaped}\""))
    };
    /// Adds a continuation.
    AddContinuation "add-continuation" if is_response => |case, u| {
        add_member(case, u.choose(&["\"requestState\":\"s\"", "\"inputRequests\":{}", "\"requestState\":\"\""])?)
    };
    /// Adds a continuation of the wrong type.
    MalformedContinuation "malformed-continuation" if is_response => |case, u| {
        add_member(case, u.choose(&["\"requestState\":1", "\"inputRequests\":[]", "\"requestState\":{}", "\"inputRequests\":\"\""])?)
    };
    /// Adds a continuation that is null, which is none: lawful.
    NullContinuation "null-continuation" if is_response => |case, u| {
        add_member(case, u.choose(&["\"requestState\":null", "\"inputRequests\":null"])?)
    };
    /// Asks for input with nothing but members that are null.
    OnlyNullContinuation "only-null-continuation" if is_response => |case, u| {
        ask(case, u.choose(&["\"requestState\":null", "\"inputRequests\":null", "\"inputRequests\":null,\"requestState\":null"])?)
    };
    /// Asks for input with a member of the wrong type beside a good one.
    MalformedBesideGood "malformed-beside-good" if is_response => |case, u| {
        ask(case, u.choose(&[
            "\"inputRequests\":[],\"requestState\":\"s\"",
            "\"inputRequests\":{},\"requestState\":1",
            "\"inputRequests\":\"\",\"requestState\":\"\"",
        ])?)
    };
    /// Sends a response over HTTP with a version header that cannot be read, or names no day.
    UnreadableResponseHeader "unreadable-response-header" if is_response => |case, u| {
        let value: &[u8] = u.choose(&[&b"2026-07-28\xFF"[..], b"2026-02-31", b"draft"])?;
        judged(case, |case| {
            if case.transport != Transport::Http || case.headers_named(dictionary::VERSION_HEADER).next().is_some() {
                return Ok(None);
            }
            case.headers.push(Header { name: dictionary::VERSION_HEADER.into(), value: value.to_vec() });
            Ok(Some(format!("header:{}", dictionary::VERSION_HEADER)))
        })
    };
    /// Puts another type where the result stood.
    ResultNotObject "result-not-object" if is_response => |case, u| {
        let value = *u.choose(&["null", "[]", "\"done\"", "true", "0"])?;
        judged(case, |case| {
            let Some((layout, index)) = result(case) else { return Ok(None) };
            splice(&mut case.body, layout.nodes[index].value.clone(), value.as_bytes());
            Ok(Some("/result".to_owned()))
        })
    };
    /// States that the session established another revision.
    StateRevision "state-revision" if is_response => |case, u| {
        let revision = *u.choose(&[dictionary::MODERN, "2025-06-18", "2024-11-05", "2026-01-15"])?;
        judged(case, |case| {
            // What a request of a server holds is lawful in its own revision alone.
            if Layout::of(&case.body).is_some_and(|layout| kind(&case.body, &layout) == Kind::Request) {
                return Ok(None);
            }
            case.stated.revision = Revision::parse(revision.as_bytes());
            Ok(Some(":context-revision:".to_owned()))
        })
    };
    /// States that nothing is known of the era.
    ForgetRevision "forget-revision" if |case| is_response(case) && case.stated.revision.is_some() => |case, _| {
        judged(case, |case| {
            case.stated.revision = None;
            Ok(Some(":context-revision:".to_owned()))
        })
    };
    /// States other capabilities of the request that is answered.
    StateCapabilities "state-capabilities" if is_response => |case, u| {
        let stated = match u.int_in_range(0..=6)? {
            0 => StatedCapabilities::CoreOnly,
            1 => StatedCapabilities::None,
            2 => StatedCapabilities::Absent,
            3 => StatedCapabilities::ExtensionNotUnderstood,
            4 => StatedCapabilities::Malformed,
            5 => StatedCapabilities::Extensions(vec![b"com.example/x".to_vec()]),
            _ => StatedCapabilities::Extensions(vec![dictionary::TASKS.into()]),
        };
        judged(case, |case| {
            case.stated.capabilities = Some(stated);
            Ok(Some(":context-capabilities:".to_owned()))
        })
    };
    /// Answers with another status over HTTP.
    OtherStatus "other-status" if |case| is_response(case) && case.transport == Transport::Http => |case, u| {
        let status = *u.choose(&[200, 400, 404, 500])?;
        judged(case, |case| {
            case.status = Some(status);
            Ok(Some(":status:".to_owned()))
        })
    };
}

fn is_response(case: &Case) -> bool {
    case.from == Party::Server && case.body.first() == Some(&b'{')
}

fn answers_no_handshake(case: &Case) -> bool {
    is_response(case) && case.stated.method.as_deref() != Some(b"initialize")
}

fn result(case: &Case) -> Option<(Layout, usize)> {
    let layout = Layout::of(&case.body)?;
    if kind(&case.body, &layout) != Kind::Result {
        return None;
    }
    let index = layout.member(&case.body, 0, "result")?;
    Some((layout, index))
}

fn result_type(case: &Case) -> Option<(Layout, usize)> {
    let (layout, index) = result(case)?;
    let token = layout.member(&case.body, index, "resultType")?;
    Some((layout, token))
}

/// Puts a token, also into a result that has none.
fn set_type(case: &mut Case, value: &str) -> Outcome {
    judged(case, |case| {
        let Some((layout, index)) = result(case) else { return Ok(None) };
        if layout.nodes[index].shape != Shape::Object {
            return Ok(None);
        }
        match layout.member(&case.body, index, "resultType") {
            Some(token) => splice(&mut case.body, layout.nodes[token].value.clone(), value.as_bytes()),
            None => insert(&mut case.body, &layout, index, format!("\"resultType\":{value}").as_bytes(), true),
        }
        Ok(Some("/result/resultType".to_owned()))
    })
}

/// Puts a result that asks for input with these members where the result stood.
fn ask(case: &mut Case, members: &str) -> Outcome {
    judged(case, |case| {
        let Some((layout, index)) = result(case) else { return Ok(None) };
        let text = format!("{{\"resultType\":\"input_required\",{members}}}");
        splice(&mut case.body, layout.nodes[index].value.clone(), text.as_bytes());
        Ok(Some("/result".to_owned()))
    })
}

fn add_member(case: &mut Case, member: &str) -> Outcome {
    judged(case, |case| {
        let Some((layout, index)) = result(case) else { return Ok(None) };
        let name = member.trim_start_matches('"').split('"').next().unwrap_or_default();
        if layout.nodes[index].shape != Shape::Object || layout.member(&case.body, index, name).is_some() {
            return Ok(None);
        }
        insert(&mut case.body, &layout, index, member.as_bytes(), false);
        Ok(Some(format!("/result/{name}")))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;
    use super::*;

    const MODERN: &str = ":from: server\n:context-revision: 2026-07-28\n:context-capabilities: core-only\n\n";

    fn answer(result: &str) -> String {
        format!("{MODERN}{{\"id\":1,\"result\":{result}}}")
    }

    #[test]
    fn each_operator_does_what_its_record_says() {
        let complete = answer("{\"resultType\":\"complete\"}");
        let asks = answer("{\"resultType\":\"input_required\",\"requestState\":\"\"}");
        let token = |token: &str| answer(&format!("{{\"resultType\":{token}}}"));
        let beside = |member: &str| answer(&format!("{{\"resultType\":\"complete\",{member}}}"));
        let unknown = answer("{\"resultType\":\"x\"}");
        let http = complete.replacen('\n', "\n:transport: http\n", 1);
        let with_status = http.replacen("http\n", "http\n:status: 200\n", 1);
        let legacy = ":from: server\n:context-revision: 2025-06-18\n\n{\"id\":1,\"result\":{}}";
        let modern = ":from: server\n:context-revision: 2026-07-28\n\n{\"id\":1,\"result\":{}}";
        let forgotten = complete.replace(":context-revision: 2026-07-28\n", "");
        let modern_complete = modern.replace("{}", "{\"resultType\":\"complete\"}");
        let ineligible = modern_complete.replace("complete", "task").replace(
            "07-28\n",
            "07-28\n:context-capabilities: io.modelcontextprotocol/tasks\n:context-method: prompts/get\n",
        );
        let listed = modern_complete.replace("07-28\n", "07-28\n:context-method: tools/list\n");
        let absent = unknown.replace("core-only", "absent");
        const CONTRADICTION: &[&str] = &["result-complete-for-final"];
        rows(
            FAMILY,
            &[
                ("drop-result-type", &complete, &answer("{}"), &["result-type-required"]),
                ("result-type-not-string", &complete, &token("null"), &["result-type-is-string"]),
                (
                    "ask-for-input",
                    &listed,
                    &listed.replace(
                        "{\"resultType\":\"complete\"}",
                        "{\"resultType\":\"input_required\",\"requestState\":\"s\"}",
                    ),
                    &["mrtr-only-on-three-methods"],
                ),
                ("near-token", &complete, &token("\"Complete\""), &["result-type-unknown-is-invalid"]),
                ("task-token", &complete, &token("\"task\""), &["result-type-unknown-is-invalid"]),
                ("ineligible-task", &modern_complete, &ineligible, &["extension-tasks-only-for-tools-call"]),
                (
                    "complete-token",
                    &asks,
                    &answer("{\"resultType\":\"complete\",\"requestState\":\"\"}"),
                    CONTRADICTION,
                ),
                ("input-required-token", &complete, &token("\"input_required\""), &["mrtr-at-least-one-field"]),
                ("escaped-token", &complete, &token("\"\\u0063omplete\""), &[]),
                ("add-continuation", &complete, &beside("\"requestState\":\"s\""), CONTRADICTION),
                ("malformed-continuation", &complete, &beside("\"requestState\":1"), CONTRADICTION),
                ("null-continuation", &complete, &beside("\"requestState\":null"), &[]),
                (
                    "only-null-continuation",
                    &complete,
                    &answer("{\"resultType\":\"input_required\",\"requestState\":null}"),
                    &["mrtr-at-least-one-field"],
                ),
                (
                    "malformed-beside-good",
                    &complete,
                    &answer("{\"resultType\":\"input_required\",\"inputRequests\":[],\"requestState\":\"s\"}"),
                    &["mrtr-input-requests-is-map"],
                ),
                (
                    "unreadable-response-header",
                    &http,
                    &http.replace("\n\n", "\nMCP-Protocol-Version: 2026-07-28%FF\n\n"),
                    &["project-malformed-era-signal"],
                ),
                ("result-not-object", &complete, &answer("null"), &["envelope-result-is-object"]),
                ("state-revision", legacy, modern, &["result-type-required"]),
                ("forget-revision", &complete, &forgotten, &[]),
                ("state-capabilities", &absent, &unknown, &["result-type-unknown-is-invalid"]),
                ("other-status", &http, &with_status, &[]),
            ],
        );
    }
}
