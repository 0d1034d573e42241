//! The result observation: token, continuation, their contradictions.

use super::document::{Value, ValueKind};
use super::era::Era;
use super::meta::Capabilities;

/// A result token that an extension adds to the core two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtensionToken {
    /// `task`, of `io.modelcontextprotocol/tasks`.
    Task,
}

/// What a result says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultObservation {
    /// `complete`, nothing to continue with.
    Complete,
    /// `complete` beside a continuation member, readable or not.
    CompleteWithContinuation,
    /// `input_required` with a continuation.
    InputRequired,
    /// `input_required` without one.
    InputRequiredWithoutContinuation,
    /// `input_required` with a continuation member of the wrong type.
    InputRequiredWithMalformedContinuation,
    /// The token of an understood extension.
    Extension(ExtensionToken),
    /// No `resultType`.
    Missing,
    /// Any other string.
    Unrecognized,
    /// The result is no object, or `resultType` no string.
    Malformed,
}

impl ResultObservation {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::CompleteWithContinuation => "complete-with-continuation",
            Self::InputRequired => "input-required",
            Self::InputRequiredWithoutContinuation => "input-required-without-continuation",
            Self::InputRequiredWithMalformedContinuation => "input-required-with-malformed-continuation",
            Self::Extension(ExtensionToken::Task) => "extension(task)",
            Self::Missing => "missing",
            Self::Unrecognized => "unrecognized",
            Self::Malformed => "malformed",
        }
    }
}

/// What decides how a result is read, besides the result itself.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The era of the call.
    pub era: Era,
    /// What the request declared.
    pub capabilities: Capabilities,
    /// The method of the request, where it is known.
    pub method: Option<&'a [u8]>,
}

impl Call<'_> {
    /// Whether the tasks extension is understood: advertised with an object on this call, in the modern era.
    pub fn understands_tasks(&self) -> bool {
        self.era.is_modern() && self.capabilities.advertised.tasks
    }
}

/// Observes the result of a success response.
pub fn observe(result: Value<'_>, call: &Call<'_>) -> ResultObservation {
    if !result.is_object() {
        return ResultObservation::Malformed;
    }
    let Some(token) = result.get("resultType") else { return ResultObservation::Missing };
    let Some(token) = token.as_text() else { return ResultObservation::Malformed };
    // The requests of a task that waits for input are its payload, not a continuation of the call that asks for it.
    let of_task = call.understands_tasks() && call.method == Some(b"tasks/get");
    if token.is("complete") {
        match continuation(result, of_task) {
            Continuation::Absent => ResultObservation::Complete,
            Continuation::Present | Continuation::Malformed => ResultObservation::CompleteWithContinuation,
        }
    } else if token.is("input_required") {
        match continuation(result, false) {
            Continuation::Present => ResultObservation::InputRequired,
            Continuation::Absent => ResultObservation::InputRequiredWithoutContinuation,
            Continuation::Malformed => ResultObservation::InputRequiredWithMalformedContinuation,
        }
    } else if token.is("task") && call.understands_tasks() {
        ResultObservation::Extension(ExtensionToken::Task)
    } else {
        ResultObservation::Unrecognized
    }
}

enum Continuation {
    Absent,
    Present,
    Malformed,
}

/// The two members that continue a call. `null` counts as absent; an empty string or object is present.
fn continuation(result: Value<'_>, without_requests: bool) -> Continuation {
    let stated = |name| result.get(name).map(Value::kind).filter(|kind| *kind != ValueKind::Null);
    let state = stated("requestState");
    let requests = stated("inputRequests").filter(|_| !without_requests);
    if state.is_some_and(|kind| kind != ValueKind::String) || requests.is_some_and(|kind| kind != ValueKind::Object) {
        Continuation::Malformed
    } else if state.is_some() || requests.is_some() {
        Continuation::Present
    } else {
        Continuation::Absent
    }
}
