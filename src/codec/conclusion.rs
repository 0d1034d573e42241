//! What a message licenses: a total match on era, result and capabilities.

/// Why a conclusion is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IncompleteReason {
    /// Nothing names an era.
    NoSignal,
    /// A date that is none of the five.
    UnsupportedRevision,
    /// Completion claimed beside a continuation.
    ContradictoryResult,
    /// A token that is not known, where the question is closed.
    UnrecognizedResultType,
    /// A token that is not known, where an extension may have been negotiated.
    RecognitionUndeterminable,
    /// A legacy reading after the peer showed itself modern.
    EraNotSelected,
}

/// Why a message is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InvalidReason {
    /// The result is no object, or `resultType` no string.
    MalformedResultType,
    /// A signal of the era cannot be read.
    MalformedEraSignal,
    /// The capabilities have a wrong type.
    MalformedCapabilities,
    /// Input asked for without anything to continue with.
    UncontinuableInputRequired,
    /// A continuation member of the wrong type.
    MalformedContinuation,
    /// A modern result without `resultType`.
    MissingResultType,
    /// The token of an extension in answer to a method that cannot have it.
    IneligibleExtensionResult,
    /// Params, `_meta` or version of the wrong type or form.
    MalformedRequestMetadata,
    /// A modern request without its version key.
    MissingRequestMetadata,
    /// A modern request without its capabilities key.
    MissingCapabilities,
}

/// What a request or a success response licenses. An error response and a notification have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conclusion {
    /// The request may be served.
    Valid,
    /// The call is finished.
    Terminal,
    /// The call goes on.
    NonTerminal,
    /// It cannot be said.
    Incomplete(IncompleteReason),
    /// The message breaks the rules of its era.
    Invalid(InvalidReason),
    /// Header and body name two eras.
    RefusedEraConflicting,
}

impl IncompleteReason {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoSignal => "no-signal",
            Self::UnsupportedRevision => "unsupported-revision",
            Self::ContradictoryResult => "contradictory-result",
            Self::UnrecognizedResultType => "unrecognized-result-type",
            Self::RecognitionUndeterminable => "recognition-undeterminable",
            Self::EraNotSelected => "era-not-selected",
        }
    }
}

impl InvalidReason {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::MalformedResultType => "malformed-result-type",
            Self::MalformedEraSignal => "malformed-era-signal",
            Self::MalformedCapabilities => "malformed-capabilities",
            Self::UncontinuableInputRequired => "uncontinuable-input-required",
            Self::MalformedContinuation => "malformed-continuation",
            Self::MissingResultType => "missing-result-type",
            Self::IneligibleExtensionResult => "ineligible-extension-result",
            Self::MalformedRequestMetadata => "malformed-request-metadata",
            Self::MissingRequestMetadata => "missing-request-metadata",
            Self::MissingCapabilities => "missing-capabilities",
        }
    }
}

impl Conclusion {
    /// The state that is printed.
    pub const fn state(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Terminal => "terminal",
            Self::NonTerminal => "non-terminal",
            Self::Incomplete(_) => "incomplete",
            Self::Invalid(_) => "invalid",
            Self::RefusedEraConflicting => "refused",
        }
    }

    /// The reason that is printed, where there is one.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Valid | Self::Terminal | Self::NonTerminal => None,
            Self::Incomplete(reason) => Some(reason.word()),
            Self::Invalid(reason) => Some(reason.word()),
            Self::RefusedEraConflicting => Some("era-conflicting"),
        }
    }
}
