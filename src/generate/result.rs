//! Results and errors: the token, what goes on with it, and what a peer of either era sends.

use arbitrary::{Result, Unstructured};

use super::envelope::Method;
use super::{payload, rare};

/// What a drawn result stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The call is finished.
    Complete,
    /// The server asks for input.
    InputRequired,
    /// The server made a task of it.
    Task,
}

/// Appends the result of a modern call with the members behind its token, each with a comma before it.
pub fn write_modern(out: &mut Vec<u8>, outcome: Outcome, members: &str) {
    let token = match outcome {
        Outcome::Complete => "complete",
        Outcome::InputRequired => "input_required",
        Outcome::Task => "task",
    };
    out.extend_from_slice(b"{\"resultType\":\"");
    out.extend_from_slice(token.as_bytes());
    out.push(b'"');
    out.extend_from_slice(members.as_bytes());
    out.push(b'}');
}

/// Appends the result of a legacy call, which has no token.
pub fn write_legacy(out: &mut Vec<u8>, method: &Method) {
    let members = match method.name {
        // The core tasks of 2025-11-25 have these methods with other members.
        "tasks/get" | "tasks/cancel" => payload::CORE_TASK,
        _ => method.result.strip_prefix(',').unwrap_or(method.result),
    };
    out.push(b'{');
    out.extend_from_slice(members.as_bytes());
    out.push(b'}');
}

/// Draws one of the continuations that a server may ask with.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn continuation(u: &mut Unstructured<'_>) -> Result<&'static str> {
    u.choose(&CONTINUATIONS).copied()
}

/// Draws an error object and the status that goes with it over HTTP.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn error(u: &mut Unstructured<'_>, modern: bool) -> Result<(&'static str, u16)> {
    let last = if modern { ERRORS.len() } else { 3 };
    let pick = if rare(u, 7, 8)? { u.int_in_range(0..=last - 1)? } else { 0 };
    Ok(ERRORS[pick])
}

/// The members of an answer that makes a task of a call.
pub const TASK: &str = ",\"taskId\":\"t1\",\"status\":\"working\",\"createdAt\":\"2026-07-28T00:00:00Z\",\
                    \"lastUpdatedAt\":\"2026-07-28T00:00:00Z\",\"ttlMs\":null";

const CONTINUATIONS: [&str; 5] = [
    ",\"requestState\":\"s\"",
    ",\"requestState\":\"\"",
    ",\"inputRequests\":{\"r\":{\"method\":\"roots/list\",\"params\":{}}}",
    ",\"inputRequests\":{\"r\":{\"method\":\"roots/list\",\"params\":{}}},\"requestState\":\"s\"",
    ",\"inputRequests\":null,\"requestState\":\"s\"",
];

/// Error objects; the first three belong to either era.
const ERRORS: [(&str, u16); 6] = [
    ("{\"code\":-32602,\"message\":\"Invalid params\"}", 400),
    ("{\"code\":-32601,\"message\":\"Method not found\"}", 404),
    ("{\"code\":-32603,\"message\":\"Internal error\",\"data\":null}", 500),
    ("{\"code\":-32020,\"message\":\"Header mismatch\"}", 400),
    ("{\"code\":-32021,\"message\":\"Missing capability\",\"data\":{\"requiredCapabilities\":{\"sampling\":{}}}}", 400),
    (
        "{\"code\":-32022,\"message\":\"Unsupported version\",\
         \"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2026-01-15\"}}",
        400,
    ),
];
