//! Whether a broken rule counts as a finding, under the profile that is asked for.
//!
//! A profile changes no observation and no conclusion: it only decides which refusals a run reports as findings. Notes
//! never are.

use super::{conflict, find};
use crate::codec::refusal::{Reason, Refusal};

/// Which broken rules count as findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// What the text, the schema or a standard demands of a peer with MUST or MUST NOT.
    #[default]
    Spec,
    /// Everything that is refused: readings of ours, the conformance suite's alone and this project's own rules too.
    Strict,
}

impl Profile {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Strict => "strict",
        }
    }
}

/// Refused with care but no breach that a peer is held to, although the rule behind it is firm: the text leaves the
/// receiver a choice.
const STRICT_ONLY: &[Reason] = &[
    // The value compares after trimming.
    Reason::HeaderSpace,
    // A response is not what named the era.
    Reason::MalformedEraSignal,
    // The token's extension may have been negotiated.
    Reason::RecognitionUndeterminable,
];

/// Whether the refusal is a finding under the profile.
///
/// ```
/// use wirebench::codec::refusal::{Reason, Refusal};
/// use wirebench::requirement::judge::{Profile, is_finding};
///
/// let mismatch = Refusal::new(Reason::VersionMismatch);
/// assert!(is_finding(&mismatch, Profile::Spec));
/// let duplicate = Refusal::new(Reason::DuplicateMember);
/// assert!(!is_finding(&duplicate, Profile::Spec) && is_finding(&duplicate, Profile::Strict));
/// ```
pub fn is_finding(refusal: &Refusal, profile: Profile) -> bool {
    match profile {
        Profile::Strict => true,
        Profile::Spec => !STRICT_ONLY.contains(&refusal.reason) && binds(refusal.requirement),
    }
}

/// Whether a peer is held to the rule: firm, MUST or MUST NOT, and no place where leniency conforms. A rule that is not
/// in the list holds nobody.
pub fn binds(requirement: &str) -> bool {
    find(requirement).is_some_and(|rule| rule.level.binds() && rule.basis.is_firm())
        && conflict::tolerated(requirement).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_spec(reason: Reason) -> bool {
        is_finding(&Refusal::new(reason), Profile::Spec)
    }

    #[test]
    fn strict_counts_whatever_is_refused() {
        for &reason in Reason::ALL {
            assert!(is_finding(&Refusal::new(reason), Profile::Strict), "{}", reason.word());
        }
    }

    #[test]
    fn spec_counts_firm_musts_alone() {
        for reason in [Reason::InvalidUtf8, Reason::IdType, Reason::NameMismatch, Reason::MissingResultType] {
            assert!(in_spec(reason), "{}", reason.word());
        }
        for reason in [
            Reason::DuplicateMember,
            Reason::ByteLimit,
            Reason::DepthLimit,
            Reason::SentinelMalformed,
            Reason::HybridMessage,
            Reason::IdSpelling,
            Reason::ByteOrderMark,
            Reason::HeaderSpace,
            Reason::RecognitionUndeterminable,
            Reason::TranscriptEntry,
        ] {
            assert!(!in_spec(reason), "{}", reason.word());
        }
    }

    #[test]
    fn a_rule_outside_the_list_holds_nobody() {
        assert!(!binds("no-such-rule"));
    }
}
