//! The result observation: token, continuation, their contradictions.

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
