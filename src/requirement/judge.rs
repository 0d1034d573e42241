//! Whether a broken rule counts as a finding, under the profile that is asked for.
//!
//! A profile changes no observation and no conclusion: it only decides which refusals a run reports as findings. Notes
//! never are.

use super::{conflict, find};
use crate::codec::reading::{Breach, Profile, Weight};

/// Whether the broken rule is a finding under the profile.
///
/// ```
/// use wirebench::codec::reading::{Breach, Profile, Weight};
/// use wirebench::codec::refusal::{Reason, Refusal};
/// use wirebench::requirement::judge::is_finding;
///
/// let mismatch = Breach { refusal: Refusal::new(Reason::VersionMismatch), weight: Weight::Full };
/// assert!(is_finding(&mismatch, Profile::Spec));
/// let duplicate = Breach { refusal: Refusal::new(Reason::DuplicateMember), weight: Weight::Full };
/// assert!(!is_finding(&duplicate, Profile::Spec) && is_finding(&duplicate, Profile::Strict));
/// ```
pub fn is_finding(breach: &Breach, profile: Profile) -> bool {
    match profile {
        Profile::Strict => true,
        Profile::Spec => breach.weight == Weight::Full && binds(breach.refusal.requirement),
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
    use crate::codec::refusal::{Reason, Refusal};

    fn counts(reason: Reason, weight: Weight, profile: Profile) -> bool {
        is_finding(&Breach { refusal: Refusal::new(reason), weight }, profile)
    }

    #[test]
    fn strict_counts_whatever_is_refused() {
        for &reason in Reason::ALL {
            for weight in [Weight::Full, Weight::Unproven, Weight::StrictOnly] {
                assert!(counts(reason, weight, Profile::Strict), "{}", reason.word());
            }
        }
    }

    #[test]
    fn spec_counts_firm_musts_alone() {
        for reason in [Reason::InvalidUtf8, Reason::IdType, Reason::NameMismatch, Reason::MissingResultType] {
            assert!(counts(reason, Weight::Full, Profile::Spec), "{}", reason.word());
            assert!(!counts(reason, Weight::Unproven, Profile::Spec), "{}", reason.word());
        }
        for reason in [
            Reason::DuplicateMember,
            Reason::ByteLimit,
            Reason::DepthLimit,
            Reason::SentinelMalformed,
            Reason::HybridMessage,
            Reason::IdSpelling,
            Reason::ByteOrderMark,
            Reason::TranscriptEntry,
        ] {
            assert!(!counts(reason, Weight::Full, Profile::Spec), "{}", reason.word());
        }
    }

    #[test]
    fn a_rule_outside_the_list_holds_nobody() {
        assert!(!binds("no-such-rule"));
    }
}
