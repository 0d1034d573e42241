//! What a message licenses: a total match on era, result and capabilities.

use super::era::{Era, UnknownEra};
use super::meta::{BodyVersion, Capabilities, CapabilityState};
use super::result::{Call, ExtensionToken, ResultObservation};
use crate::case::Revision;

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

/// Concludes on a request.
pub fn of_request(era: Era, version: &BodyVersion<'_>, capabilities: Capabilities) -> Conclusion {
    let malformed = match version {
        BodyVersion::NoObject(_) | BodyVersion::NoString(_) => true,
        BodyVersion::Text(_, text) => Revision::parse(text.decode().as_bytes()).is_none(),
        BodyVersion::Absent => false,
    };
    if malformed {
        return Conclusion::Invalid(InvalidReason::MalformedRequestMetadata);
    }
    let revision = match era {
        Era::Conflicting { .. } => return Conclusion::RefusedEraConflicting,
        Era::Unknown(unknown) => return of_unknown(unknown),
        Era::Known(revision) => revision,
    };
    if !revision.is_modern() {
        return Conclusion::Valid;
    }
    if matches!(version, BodyVersion::Absent) {
        return Conclusion::Invalid(InvalidReason::MissingRequestMetadata);
    }
    match capabilities.state {
        CapabilityState::Malformed => Conclusion::Invalid(InvalidReason::MalformedCapabilities),
        CapabilityState::None | CapabilityState::Absent => Conclusion::Invalid(InvalidReason::MissingCapabilities),
        CapabilityState::CoreOnly | CapabilityState::ExtensionNotUnderstood => Conclusion::Valid,
    }
}

/// Concludes on a success response. `peer_is_modern`: the peer showed itself modern earlier in this connection.
pub fn of_result(observed: ResultObservation, call: &Call<'_>, peer_is_modern: bool) -> Conclusion {
    if observed == ResultObservation::Malformed {
        return Conclusion::Invalid(InvalidReason::MalformedResultType);
    }
    match call.era {
        Era::Conflicting { .. } => Conclusion::RefusedEraConflicting,
        Era::Unknown(unknown) => of_unknown(unknown),
        Era::Known(revision) if revision.is_modern() => of_modern_result(observed, call),
        Era::Known(_) => of_legacy_result(observed, peer_is_modern),
    }
}

fn of_unknown(unknown: UnknownEra) -> Conclusion {
    match unknown {
        UnknownEra::MalformedSignal => Conclusion::Invalid(InvalidReason::MalformedEraSignal),
        UnknownEra::NoSignal => Conclusion::Incomplete(IncompleteReason::NoSignal),
        UnknownEra::UnsupportedRevision(_) => Conclusion::Incomplete(IncompleteReason::UnsupportedRevision),
    }
}

fn of_modern_result(observed: ResultObservation, call: &Call<'_>) -> Conclusion {
    let undeterminable = Conclusion::Incomplete(IncompleteReason::RecognitionUndeterminable);
    if call.capabilities.state == CapabilityState::Malformed {
        return Conclusion::Invalid(InvalidReason::MalformedCapabilities);
    }
    match observed {
        ResultObservation::Extension(ExtensionToken::Task) => match call.method {
            Some(b"tools/call") => Conclusion::NonTerminal,
            Some(_) => Conclusion::Invalid(InvalidReason::IneligibleExtensionResult),
            None => undeterminable,
        },
        ResultObservation::Unrecognized => match call.capabilities.state {
            CapabilityState::CoreOnly => Conclusion::Incomplete(IncompleteReason::UnrecognizedResultType),
            CapabilityState::None
            | CapabilityState::Absent
            | CapabilityState::ExtensionNotUnderstood
            | CapabilityState::Malformed => undeterminable,
        },
        ResultObservation::Missing => Conclusion::Invalid(InvalidReason::MissingResultType),
        ResultObservation::Complete
        | ResultObservation::CompleteWithContinuation
        | ResultObservation::InputRequired
        | ResultObservation::InputRequiredWithoutContinuation
        | ResultObservation::InputRequiredWithMalformedContinuation
        | ResultObservation::Malformed => of_core_token(observed),
    }
}

fn of_legacy_result(observed: ResultObservation, peer_is_modern: bool) -> Conclusion {
    match observed {
        ResultObservation::Missing if peer_is_modern => Conclusion::Incomplete(IncompleteReason::EraNotSelected),
        ResultObservation::Missing => Conclusion::Terminal,
        ResultObservation::Unrecognized | ResultObservation::Extension(_) => {
            Conclusion::Incomplete(IncompleteReason::UnrecognizedResultType)
        }
        ResultObservation::Complete
        | ResultObservation::CompleteWithContinuation
        | ResultObservation::InputRequired
        | ResultObservation::InputRequiredWithoutContinuation
        | ResultObservation::InputRequiredWithMalformedContinuation
        | ResultObservation::Malformed => of_core_token(observed),
    }
}

/// What the core tokens license in every known era.
fn of_core_token(observed: ResultObservation) -> Conclusion {
    match observed {
        ResultObservation::Complete => Conclusion::Terminal,
        ResultObservation::CompleteWithContinuation => Conclusion::Incomplete(IncompleteReason::ContradictoryResult),
        ResultObservation::InputRequired => Conclusion::NonTerminal,
        ResultObservation::InputRequiredWithoutContinuation => {
            Conclusion::Invalid(InvalidReason::UncontinuableInputRequired)
        }
        ResultObservation::InputRequiredWithMalformedContinuation => {
            Conclusion::Invalid(InvalidReason::MalformedContinuation)
        }
        ResultObservation::Extension(_) | ResultObservation::Missing | ResultObservation::Unrecognized => {
            Conclusion::Incomplete(IncompleteReason::UnrecognizedResultType)
        }
        ResultObservation::Malformed => Conclusion::Invalid(InvalidReason::MalformedResultType),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::era::KnownRevision;

    #[test]
    fn a_legacy_result_without_a_token_is_final_unless_its_peer_showed_itself_modern() {
        let call = Call {
            era: Era::Known(KnownRevision::V2025_06_18),
            capabilities: Capabilities::of(CapabilityState::None),
            method: None,
        };
        let of = |observed, modern| of_result(observed, &call, modern);
        assert_eq!(of(ResultObservation::Missing, false), Conclusion::Terminal);
        let open = Conclusion::Incomplete(IncompleteReason::EraNotSelected);
        assert_eq!(of(ResultObservation::Missing, true), open);
        assert_eq!(of(ResultObservation::Complete, true), Conclusion::Terminal);
        assert_eq!(of(ResultObservation::InputRequired, false), Conclusion::NonTerminal);
    }
}
