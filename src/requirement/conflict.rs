//! Where the specification disagrees with itself or is silent, and a lenient peer still conforms.
//!
//! Only the places where leniency conforms are here; everywhere else the strict reading is the rule. The numbers are
//! stable names of the places, in the order in which the text meets them.

/// One such place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Its stable number.
    pub number: u8,
    /// What the lenient peer does.
    pub lenient: &'static str,
    /// The rules that it then does not break in earnest.
    pub requirements: &'static [&'static str],
}

/// Every place where the lenient reading conforms, by number.
pub const TOLERATED: &[Conflict] = &[
    Conflict {
        number: 9,
        lenient: "A progress value that does not grow is passed on: nobody is told to reject it.",
        requirements: &["progress-strictly-increasing"],
    },
    Conflict {
        number: 13,
        lenient: "A client refuses an input request that it did not declare in whatever way it likes.",
        requirements: &[],
    },
    Conflict {
        number: 17,
        lenient: "A subscription ends with a result, with a cancellation, or with a cancellation and then nothing.",
        requirements: &["subscriptions-server-teardown-cancelled", "subscriptions-graceful-result"],
    },
    Conflict {
        number: 18,
        lenient: "An answer that crosses the cancellation on its way still arrives.",
        requirements: &["cancellation-no-messages-after", "subscriptions-stop-after-client-cancel"],
    },
    Conflict {
        number: 23,
        lenient: "A metadata key has no prefix and no defined meaning.",
        requirements: &["meta-prefix-reverse-dns"],
    },
    Conflict {
        number: 30,
        lenient: "A whole number that is an id has a fraction of zeros or an exponent.",
        requirements: &["id-integer-valued-float-is-accepted-by-schema", "project-id-spelling"],
    },
    Conflict {
        number: 35,
        lenient: "A receiver takes one of two members of the same name.",
        requirements: &["json-member-names-unique"],
    },
    Conflict {
        number: 41,
        lenient: "A listed name or uri is the empty string.",
        requirements: &["payload-tool-name-length"],
    },
    Conflict { number: 44, lenient: "A byte order mark is skipped.", requirements: &["json-no-byte-order-mark"] },
    Conflict {
        number: 57,
        lenient: "A client answers some of several input requests; the server asks again for the others.",
        requirements: &["mrtr-responses-cover-all-keys"],
    },
    Conflict {
        number: 64,
        lenient: "The scheme of a root's uri is written in another letter case.",
        requirements: &["payload-roots-uri-file-scheme"],
    },
];

/// The number of the place that makes the breach of this rule tolerable.
pub fn tolerated(requirement: &str) -> Option<u8> {
    TOLERATED.iter().find(|conflict| conflict.requirements.contains(&requirement)).map(|conflict| conflict.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirement;

    #[test]
    fn numbers_ascend_and_every_rule_is_known_and_named_once() {
        assert!(TOLERATED.windows(2).all(|pair| pair[0].number < pair[1].number));
        let mut seen = std::collections::BTreeSet::new();
        for id in TOLERATED.iter().flat_map(|conflict| conflict.requirements) {
            assert!(requirement::find(id).is_some(), "{id}");
            assert!(seen.insert(id), "{id} is named twice");
        }
    }

    #[test]
    fn a_rule_is_tolerated_under_its_own_number_only() {
        assert_eq!(tolerated("json-member-names-unique"), Some(35));
        assert_eq!(tolerated("result-type-required"), None);
    }
}
