//! What becomes of each rule here: who notices its breach, or why nobody does.
//!
//! The rows of `disposition.txt` say it, one a rule. Two kinds need no row: a rule that cannot be seen in recorded bytes
//! at all needs a live peer, and a permission cannot be broken. Nothing is checked here; tests hold the rows to what the
//! codec produces and to the invariants and tests that they name.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Level, Requirement};
use crate::codec::refusal::{Reason, Stage};

/// What becomes of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// The codec refuses a message that breaks it: at which stage, for which reason.
    Codec(Vec<(Stage, Reason)>),
    /// The codec tells of it and refuses nothing, with these words.
    Note(Vec<&'static str>),
    /// It shows over several messages: a refusal of the stage *session* or *transcript*, an invariant or a test.
    Session(Vec<&'static str>),
    /// A duty of whoever reads, which no message breaks: the invariants or the test that hold the codec to it.
    Reader(Vec<&'static str>),
    /// Only a live peer can show it.
    Live,
    /// Nobody looks, for this reason.
    Unchecked(&'static str),
}

impl Disposition {
    /// The word of each kind.
    pub const WORDS: [&str; 6] = ["codec", "note", "session", "reader", "live", "unchecked"];

    /// The word that is printed.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Codec(_) => "codec",
            Self::Note(_) => "note",
            Self::Session(_) => "session",
            Self::Reader(_) => "reader",
            Self::Live => "live",
            Self::Unchecked(_) => "unchecked",
        }
    }

    /// By what: `stage:reason`, the word of a note, an invariant or a test.
    pub fn by(&self) -> Vec<String> {
        match self {
            Self::Codec(places) => {
                places.iter().map(|(stage, reason)| format!("{}:{}", stage.word(), reason.word())).collect()
            }
            Self::Note(words) | Self::Session(words) | Self::Reader(words) => {
                words.iter().map(|word| (*word).to_owned()).collect()
            }
            Self::Live | Self::Unchecked(_) => Vec::new(),
        }
    }

    /// Why nobody looks here.
    pub const fn why(&self) -> Option<&'static str> {
        match self {
            Self::Live => Some("the bytes of a message do not show it; it needs a live peer"),
            Self::Unchecked(why) => Some(why),
            Self::Codec(_) | Self::Note(_) | Self::Session(_) | Self::Reader(_) => None,
        }
    }

    fn parse(kind: &str, rest: &'static str) -> Option<Self> {
        let words = || rest.split_whitespace().collect::<Vec<_>>();
        let filled = !rest.is_empty();
        match kind {
            "codec" => words().into_iter().map(place).collect::<Option<_>>().map(Self::Codec),
            "note" => Some(Self::Note(words())),
            "session" => Some(Self::Session(words())),
            "reader" => Some(Self::Reader(words())),
            "unchecked" => Some(Self::Unchecked(rest)),
            _ => None,
        }
        .filter(|_| filled)
    }
}

fn place(word: &str) -> Option<(Stage, Reason)> {
    let (stage, reason) = word.split_once(':')?;
    let stage = Stage::ALL.into_iter().find(|known| known.word() == stage)?;
    let reason = Reason::ALL.iter().find(|known| known.word() == reason)?;
    Some((stage, *reason))
}

const PERMISSION: Disposition = Disposition::Unchecked("a permission: whoever does without it breaks nothing");

static TABLE: &str = include_str!("disposition.txt");

static STATED: LazyLock<HashMap<&'static str, Disposition>> =
    LazyLock::new(|| TABLE.lines().map(|line| row(line).expect("a test reads the embedded table")).collect());

/// An id, a kind, and the rest of the line.
fn row(line: &'static str) -> Option<(&'static str, Disposition)> {
    let (id, rest) = line.split_once(' ')?;
    let (kind, rest) = rest.trim_start().split_once(' ')?;
    Some((id, Disposition::parse(kind, rest.trim())?))
}

/// What becomes of a rule of the list.
///
/// ```
/// use wirebench::codec::refusal::{Reason, Stage};
/// use wirebench::requirement::{self, disposition::{self, Disposition}};
///
/// let rule = requirement::find("envelope-jsonrpc-is-2-0").unwrap();
/// assert_eq!(disposition::of(rule), Disposition::Codec(vec![(Stage::Envelope, Reason::JsonrpcVersion)]));
/// ```
pub fn of(rule: &Requirement) -> Disposition {
    let derived = || {
        let seen_in_bytes = rule.observable_on.iter().any(|place| place == "codec");
        if rule.level == Level::May || seen_in_bytes { PERMISSION } else { Disposition::Live }
    };
    STATED.get(rule.id.as_str()).cloned().unwrap_or_else(derived)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::requirement::{all, find};

    #[test]
    fn every_row_is_about_a_rule_of_the_list_and_no_rule_has_two() {
        let mut seen = BTreeSet::new();
        for line in TABLE.lines() {
            let (id, _) = row(line).unwrap_or_else(|| panic!("{line}"));
            assert!(find(id).is_some(), "{id} is no rule");
            assert!(seen.insert(id), "{id} has two rows");
        }
    }

    #[test]
    fn every_rule_that_bytes_can_show_has_a_row_unless_it_is_a_permission() {
        for rule in all().iter().filter(|rule| rule.level != Level::May) {
            let bytes_show_it = rule.observable_on.iter().any(|place| place == "codec");
            assert!(!bytes_show_it || STATED.contains_key(rule.id.as_str()), "{} has no row", rule.id);
        }
    }

    #[test]
    fn every_kind_has_rules_and_a_reason_is_a_sentence_of_some_length() {
        let kinds: BTreeSet<_> = all().iter().map(|rule| of(rule).word()).collect();
        assert_eq!(kinds, BTreeSet::from(Disposition::WORDS));
        for rule in all() {
            assert!(of(rule).why().is_none_or(|why| why.split(" ").count() > 3), "{}", rule.id);
        }
    }
}
