//! Operators on what a client sends because of an earlier message: retries, pages, mirrored parameters, ids.
//!
//! Each breaks one rule over several messages and leaves every message lawful by itself.

use arbitrary::Unstructured;

use super::facts::Kind;
use super::thread::{Thread, add, cut, other_type, pointer, set};
use super::{Edit, Outcome, operators};
use crate::case::{Party, Session, Transport};
use crate::generate::dictionary::CAPABILITIES_KEY;
use crate::mutation::RequirementId;

const STATE: [&str; 2] = ["params", "requestState"];
const RESPONSES: [&str; 2] = ["params", "inputResponses"];

operators! { Session;
    /// Retries under the id of the request that is repeated.
    KeepId "keep-id" if several => keep_id;
    /// Retries with another state than the one that was given.
    OtherState "other-state" if several => |session, u| {
        in_retry(session, u, &STATE, b"\"other\"", "mrtr-request-state-echoed-exactly")
    };
    /// Retries without the state that was given.
    ForgetState "forget-state" if several => |session, u| edit_retry(session, u, |session, at, interim| {
        let thread = Thread::of(session);
        let stated = thread.is_there(interim, &["result", "requestState"]) && thread.is_there(at, &RESPONSES);
        // Without its state a retry may go back to an earlier question.
        let first = !(0..interim).any(|other| thread.is_text(other, &["result", "resultType"], "input_required"));
        if !stated || !first { return None; }
        cut(session, at, &STATE)?;
        Some(Edit::new(pointer(at, &STATE), &["mrtr-request-state-echoed-exactly"]))
    });
    /// Retries with a state although none was given.
    InventState "invent-state" if several => |session, u| edit_retry(session, u, |session, at, interim| {
        if Thread::of(session).is_there(interim, &["result", "requestState"]) { return None; }
        add(session, at, &["params"], "\"requestState\":\"s\"")?;
        Some(Edit::new(pointer(at, &STATE), &["mrtr-request-state-absent-not-sent"]))
    });
    /// Retries without the answers that were asked for.
    ForgetAnswers "forget-answers" if several => |session, u| {
        in_retry(session, u, &RESPONSES, b"{}", "mrtr-responses-cover-all-keys")
    };
    /// Answers a question with the answer to another kind of question.
    OtherAnswerKind "other-answer-kind" if several => |session, u| edit_retry(session, u, |session, at, interim| {
        let thread = Thread::of(session);
        let key = ["r", "q"].into_iter().find(|key| thread.is_there(interim, &["result", "inputRequests", key]))?;
        let roots = thread.is_text(interim, &["result", "inputRequests", key, "method"], "roots/list");
        let wrong: &[u8] = if roots { b"{\"action\":\"decline\"}" } else { b"{\"roots\":[]}" };
        let path = [RESPONSES[0], RESPONSES[1], key];
        set(session, at, &path, wrong)?;
        Some(Edit::new(pointer(at, &path), &["mrtr-response-kind-matches-request"]))
    });
    /// Retries another call than the one that was asked for input.
    ChangeCall "change-call" if several => |session, u| edit_retry(session, u, |session, at, _| {
        add(session, at, &["params"], "\"x\":1")?;
        Some(Edit::new(pointer(at, &["params", "x"]), &["mrtr-retry-repeats-original-params"]))
    });
    /// Sends the members of a retry with a call that nobody asked to be repeated.
    UnaskedRetry "unasked-retry" if several => unasked_retry;
    /// Sends the members of a retry with a method that is never asked for input.
    MisplacedRetry "misplaced-retry" if several => |session, u| {
        const OTHERS: [&str; 6] =
            ["tools/list", "prompts/list", "resources/list", "server/discover", "tasks/get", "subscriptions/listen"];
        let thread = Thread::of(session);
        let fits = |at: &usize| {
            let meta = thread.is_there(*at, &["params", "_meta"]) && !thread.is_there(*at, &STATE);
            thread.asks(*at) && meta && OTHERS.iter().any(|method| thread.names(*at, method))
        };
        let Some(at) = thread.places(u)?.find(fits) else { return Ok(None) };
        let rule = "mrtr-params-only-on-supported-methods";
        Ok(add(session, at, &["params"], "\"requestState\":\"s\"").map(|()| Edit::new(pointer(at, &STATE), &[rule])))
    };
    /// Asks for a form of input that was not declared, though its kind was.
    AskBeyond "ask-beyond" if several => |session, u| {
        let url = u.arbitrary()?;
        edit_retry(session, u, if url { |session, at, interim| ask_beyond(session, at, interim, 0) } else { |session, at, interim| {
            ask_beyond(session, at, interim, 1)
        } })
    };
    /// Calls without the capabilities for the input that the server then asks for.
    UndeclareInput "undeclare-input" if several => |session, u| edit_retry(session, u, |session, _, interim| {
        let thread = Thread::of(session);
        thread.raw(interim, &["result", "inputRequests"])?;
        let call = thread.asked(interim, thread.raw(interim, &["id"])?)?;
        let path = ["params", "_meta", CAPABILITIES_KEY];
        if thread.raw(call, &path)? == b"{}" { return None; }
        set(session, call, &path, b"{}")?;
        Some(Edit::new(pointer(call, &path), &["mrtr-capability-gated"]))
    });
    /// Asks for a page that was not offered.
    OtherCursor "other-cursor" if several => |session, u| {
        let path = ["params", "cursor"];
        let thread = Thread::of(session);
        let Some(at) = thread.places(u)?.find(|&at| at > 0 && thread.asks(at) && thread.is_there(at, &path)) else {
            return Ok(None);
        };
        Ok(set(session, at, &path, b"\"other\"").map(|()| Edit::new(pointer(at, &path), &["pagination-cursor-opaque"])))
    };
    /// Answers a page with the cursor that was asked with, so that the list has no end.
    RepeatCursor "repeat-cursor" if several => repeat_cursor;
    /// Mirrors another value in a header than the argument that its schema designates.
    OtherParameter "other-parameter" if several => |session, u| in_parameter(session, u, |value| {
        value.extend_from_slice(b"x");
        "param-header-value-matches-body"
    });
    /// Puts a byte into the header that no header may hold.
    SpoilParameter "spoil-parameter" if several => |session, u| in_parameter(session, u, |value| {
        value.push(0xE9);
        "param-header-invalid-characters-rejected"
    });
    /// Mirrors an argument that is not there.
    StrayParameter "stray-parameter" if several => |session, u| {
        let Some((at, _)) = parameter(session, u, b"\"")? else { return Ok(None) };
        set(session, at, &["params", "arguments"], b"{}");
        Ok(mismatched(session, at, "param-header-present-without-body-value"))
    };
    /// Spells a number or a truth value in the header as its schema does not.
    RespellParameter "respell-parameter" if several => respell_parameter;
    /// Leaves out the header of an argument that its schema designates.
    DropParameter "drop-parameter" if several => |session, u| {
        let Some((at, field)) = parameter(session, u, b"\"")? else { return Ok(None) };
        session.cases[at].headers.remove(field);
        Ok(mismatched(session, at, "param-header-omitted-with-body-value-rejected"))
    };
    /// Gives a request the progress token of another that is not answered yet.
    ShareToken "share-token" if several => share_token;
    /// Uses an id of a handshake session again after it was answered.
    ReuseId "reuse-id" if several => reuse_id;
}

fn several(session: &Session) -> bool {
    session.cases.len() > 1
}

/// The retries of a session, each with the result that asked for it, from a drawn place on.
fn retries(session: &Session, u: &mut Unstructured<'_>) -> arbitrary::Result<Vec<(usize, usize)>> {
    let thread = Thread::of(session);
    let retry = |at: &usize| {
        let carries = thread.is_there(*at, &STATE) || thread.is_there(*at, &RESPONSES);
        thread.asks(*at) && carries && !thread.names(*at, "tasks/update")
    };
    let interim = |at: usize| {
        let of_same = |other: &usize| {
            let asks = thread.is(*other, Party::Server, Kind::Result)
                && thread.is_text(*other, &["result", "resultType"], "input_required");
            let call = || thread.asked(*other, thread.raw(*other, &["id"])?);
            asks && call().is_some_and(|call| thread.raw(call, &["method"]) == thread.raw(at, &["method"]))
        };
        (0..at).rev().find(of_same).map(|interim| (at, interim))
    };
    Ok(thread.places(u)?.filter(retry).filter_map(interim).collect())
}

/// Applies an edit to the first retry that it fits.
fn edit_retry(
    session: &mut Session,
    u: &mut Unstructured<'_>,
    edit: fn(&mut Session, usize, usize) -> Option<Edit>,
) -> Outcome {
    let places = retries(session, u)?;
    Ok(places.into_iter().find_map(|(at, interim)| edit(session, at, interim)))
}

/// Changes a member of the first retry that has it.
fn in_retry(
    session: &mut Session,
    u: &mut Unstructured<'_>,
    path: &[&str],
    value: &[u8],
    breaks: RequirementId,
) -> Outcome {
    let places = retries(session, u)?;
    let thread = Thread::of(session);
    let differs = |at: &usize| thread.raw(*at, path).is_some_and(|raw| raw != value);
    let Some(at) = places.into_iter().map(|(at, _)| at).find(differs) else { return Ok(None) };
    Ok(set(session, at, path, value).map(|()| Edit::new(pointer(at, path), &[breaks])))
}

fn keep_id(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    edit_retry(session, u, |session, at, interim| {
        let thread = Thread::of(session);
        let old = thread.raw(interim, &["id"])?.to_vec();
        let answer = thread.answer(at);
        set(session, at, &["id"], &old)?;
        if let Some(answer) = answer {
            set(session, answer, &["id"], &old)?;
        }
        Some(Edit::new(pointer(at, &["id"]), &["mrtr-retry-uses-new-id"]))
    })
}

fn unasked_retry(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    const RETRIED: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];
    let thread = Thread::of(session);
    let count = session.cases.len();
    if (0..count).any(|at| thread.is_text(at, &["result", "resultType"], "input_required")) {
        return Ok(None);
    }
    let fits = |at: &usize| {
        *at > 0
            && thread.asks(*at)
            && RETRIED.iter().any(|method| thread.names(*at, method))
            && thread.is_there(*at, &["params", "_meta"])
            && !thread.is_there(*at, &STATE)
    };
    let Some(at) = thread.places(u)?.find(fits) else { return Ok(None) };
    let rule = "mrtr-fields-scoped-to-retry";
    Ok(add(session, at, &["params"], "\"requestState\":\"s\"").map(|()| Edit::new(pointer(at, &STATE), &[rule])))
}

/// What is asked for next goes back to the same page, so that nothing else is wrong with it.
fn repeat_cursor(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    let (next, own) = (["result", "nextCursor"], ["params", "cursor"]);
    let thread = Thread::of(session);
    let page = |at: usize| {
        let asked = thread.asked(at, thread.raw(at, &["id"])?)?;
        let (from, to) = (thread.raw(asked, &own)?, thread.raw(at, &next)?);
        let further = (at..session.cases.len()).find(|&other| thread.raw(other, &own) == Some(to));
        (from != to).then(|| (at, from.to_vec(), further))
    };
    let Some((at, cursor, further)) = thread.places(u)?.find_map(page) else { return Ok(None) };
    if let Some(further) = further {
        set(session, further, &own, &cursor);
    }
    Ok(set(session, at, &next, &cursor).map(|()| Edit::new(pointer(at, &next), &["pagination-stable-cursors"])))
}

/// A mirrored parameter whose argument starts with one of these bytes: the message, and which of its fields.
fn parameter(
    session: &Session,
    u: &mut Unstructured<'_>,
    first: &'static [u8],
) -> arbitrary::Result<Option<(usize, usize)>> {
    let thread = Thread::of(session);
    let field = |at: usize| {
        let case = &session.cases[at];
        let fits = first.contains(thread.raw(at, &["params", "arguments", "a"])?.first()?);
        let field = case.headers.iter().position(|header| header.is("Mcp-Param-Region"))?;
        (fits && thread.asks(at) && case.transport == Transport::Http).then_some((at, field))
    };
    Ok(thread.places(u)?.find_map(field))
}

fn in_parameter(session: &mut Session, u: &mut Unstructured<'_>, change: fn(&mut Vec<u8>) -> RequirementId) -> Outcome {
    let Some((at, field)) = parameter(session, u, b"\"")? else { return Ok(None) };
    let value = &mut session.cases[at].headers[field].value;
    if value.starts_with(b"=?") {
        return Ok(None);
    }
    let rule = change(value);
    Ok(mismatched(session, at, rule))
}

fn respell_parameter(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    const LARGE: &[u8] = b"9007199254740993";
    let Some((at, field)) = parameter(session, u, b"7t")? else { return Ok(None) };
    let large = u.arbitrary()?;
    let value = &mut session.cases[at].headers[field].value;
    let rule = match (&value[..], large) {
        (b"true", _) => {
            *value = b"True".into();
            "param-header-boolean-lower-case"
        }
        (_, false) => {
            value.extend_from_slice(b".0");
            "param-header-integer-decimal"
        }
        (_, true) => {
            *value = LARGE.into();
            set(session, at, &["params", "arguments", "a"], LARGE);
            "param-header-integer-safe-range"
        }
    };
    Ok(mismatched(session, at, rule))
}

/// What a call declares, what it is asked for, and the rule that this breaks.
const BEYOND: [(&[u8], &[u8], RequirementId); 2] = [
    (
        b"{\"elicitation\":{}}",
        b"{\"q\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://e.com/\"}}}",
        "capabilities-elicitation-empty-means-form",
    ),
    (
        b"{\"sampling\":{}}",
        b"{\"q\":{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1,\"tools\":[]}}}",
        "capabilities-client-declares-sampling-tools",
    ),
];

fn ask_beyond(session: &mut Session, at: usize, interim: usize, which: usize) -> Option<Edit> {
    let (declared, asked, rule) = BEYOND[which];
    let thread = Thread::of(session);
    thread.raw(interim, &["result", "inputRequests"])?;
    thread.raw(at, &RESPONSES)?;
    let call = thread.asked(interim, thread.raw(interim, &["id"])?)?;
    let answers: [&[u8]; 2] = [
        b"{\"q\":{\"action\":\"decline\"}}",
        b"{\"q\":{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"\"},\"model\":\"m\"}}",
    ];
    set(session, call, &["params", "_meta", CAPABILITIES_KEY], declared)?;
    set(session, interim, &["result", "inputRequests"], asked)?;
    set(session, at, &RESPONSES, answers[which])?;
    Some(Edit::new(pointer(interim, &["result", "inputRequests"]), &[rule]))
}

/// A server that looks at headers answers with the mismatch; anything else would be its own fault.
fn mismatched(session: &mut Session, at: usize, rule: RequirementId) -> Option<Edit> {
    let thread = Thread::of(session);
    let (id, answer) = (thread.raw(at, &["id"])?.to_vec(), thread.answer(at));
    if let Some(case) = answer.map(|answer| &mut session.cases[answer]) {
        let error = b",\"error\":{\"code\":-32020,\"message\":\"m\"}}";
        case.body = [b"{\"jsonrpc\":\"2.0\",\"id\":", &id[..], error].concat();
        case.status = Some(400);
    }
    Some(Edit::new(format!("#{at}/header:Mcp-Param-Region"), &[rule]))
}

fn share_token(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    let path = ["params", "_meta", "progressToken"];
    let thread = Thread::of(session);
    let pair = |at: usize| {
        let before = (0..at).rev().find(|&other| {
            let open = thread.answer(other).is_some_and(|answer| answer > at);
            thread.asks(other) && open && thread.is_there(other, &path)
        })?;
        let (own, other) = (thread.raw(at, &path)?, thread.raw(before, &path)?);
        (thread.asks(at) && own != other).then(|| (at, other.to_vec()))
    };
    let Some((at, token)) = thread.places(u)?.find_map(pair) else { return Ok(None) };
    Ok(set(session, at, &path, &token).map(|()| Edit::new(pointer(at, &path), &["progress-token-unique"])))
}

fn reuse_id(session: &mut Session, u: &mut Unstructured<'_>) -> Outcome {
    let thread = Thread::of(session);
    let settled = (0..session.cases.len()).find(|&at| thread.names(at, "notifications/initialized"));
    let Some(settled) = settled else { return Ok(None) };
    let used = (0..settled).rev().find_map(|at| thread.raw(at, &["id"]).filter(|_| thread.asks(at)));
    let Some(used) = used.map(<[u8]>::to_vec) else { return Ok(None) };
    let Some(at) = thread.places(u)?.find(|&at| at > settled && thread.asks(at)) else { return Ok(None) };
    let answer = thread.answer(at);
    if thread.raw(at, &["id"]) == Some(&used[..]) || other_type(&used).is_none() {
        return Ok(None);
    }
    for place in [Some(at), answer].into_iter().flatten() {
        set(session, place, &["id"], &used);
    }
    Ok(Some(Edit::new(pointer(at, &["id"]), &["id-never-reused-in-session"])))
}
