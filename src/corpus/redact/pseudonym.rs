//! Which text stands for which: the same for the same text and key, another for another.
//!
//! A stand-in keeps the shape that rules look at: as many characters, each of its kind and of its length in UTF-8,
//! letter case, punctuation and the edges. It keeps nothing else: what it is drawn from is an HMAC-SHA256 of the text under
//! the key. Which texts need one is decided elsewhere.

use std::collections::{HashMap, HashSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::vocabulary;

/// How a text is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// One word of an identifier.
    Word,
    /// Prose or a secret: the spaces inside fall too.
    Whole,
    /// Digits in base sixteen.
    Hex,
    /// A date, with a time or without.
    Date,
    /// The digits of a number.
    Number,
}

/// Every stand-in that was given.
pub(super) struct Pseudonyms {
    keyed: Hmac<Sha256>,
    given: HashMap<(Kind, String), String>,
    taken: HashSet<(Kind, String)>,
}

/// How often a stand-in that is taken or means something is drawn anew. A word of one letter has few to choose from.
const DRAWS: u32 = 512;

impl Pseudonyms {
    pub(super) fn new(key: &[u8]) -> Self {
        let keyed = Hmac::new_from_slice(key).expect("HMAC takes a key of any length");
        Self { keyed, given: HashMap::new(), taken: HashSet::new() }
    }

    /// What stands for a text. Letter case is carried over, so that texts that differ in it alone still do.
    pub(super) fn of(&mut self, kind: Kind, text: &str) -> String {
        let lower = text.to_ascii_lowercase();
        let key = (kind, lower);
        let stand_in = match self.given.get(&key) {
            Some(given) => given.clone(),
            None => self.draw(key),
        };
        let case = |(old, new): (char, char)| if old.is_ascii_uppercase() { new.to_ascii_uppercase() } else { new };
        text.chars().zip(stand_in.chars()).map(case).collect()
    }

    /// As many other bytes, in Base64.
    pub(super) fn blob(&self, bytes: &[u8]) -> String {
        let mut stream = Stream::new(&self.keyed, b"blob", 0, bytes);
        let drawn: Vec<u8> = bytes.iter().map(|_| stream.next()).collect();
        STANDARD.encode(drawn)
    }

    fn draw(&mut self, key: (Kind, String)) -> String {
        let (kind, lower) = &key;
        let mut drawn = lower.clone();
        for round in 0..DRAWS {
            let mut stream = Stream::new(&self.keyed, kind.tag(), round, lower.as_bytes());
            let candidate = kind.shape(lower, &mut stream);
            let free = candidate != *lower && !vocabulary::knows(&candidate);
            if free && !self.taken.contains(&(*kind, candidate.clone())) {
                drawn = candidate;
                break;
            }
        }
        self.taken.insert((*kind, drawn.clone()));
        self.given.insert(key, drawn.clone());
        drawn
    }
}

impl Kind {
    const fn tag(self) -> &'static [u8] {
        match self {
            Self::Word => b"word",
            Self::Whole => b"whole",
            Self::Hex => b"hex",
            Self::Date => b"date",
            Self::Number => b"number",
        }
    }

    fn shape(self, lower: &str, stream: &mut Stream<'_>) -> String {
        let mut chars = lower.chars().peekable();
        let (mut out, mut spaces, mut place) = (String::with_capacity(lower.len()), 0, 0);
        while let Some(old) = chars.next() {
            spaces += usize::from(old == ' ');
            let hidden_space = self == Self::Whole && old == ' ' && spaces > 1 && chars.peek().is_some();
            // The first digit of a month, a day or an hour goes to one, of a month to zero.
            place = if old.is_ascii_digit() { place + 1 } else { 0 };
            out.push(match old {
                '0'..='9' if self == Self::Date => {
                    let first = place == 1 && !out.is_empty();
                    digit(if first { stream.below(if out.len() == 5 { 1 } else { 2 }) } else { 1 + stream.below(9) })
                }
                '0' if self == Self::Number => '0',
                '1'..='9' if self == Self::Number => digit(1 + stream.below(9)),
                '0'..='9' => digit(stream.below(10)),
                'a'..='z' if matches!(self, Self::Hex | Self::Date) => match self {
                    Self::Hex => letter(stream.below(6)),
                    _ => old,
                },
                'a'..='z' => letter(stream.below(26)),
                ' ' if hidden_space => letter(stream.below(26)),
                other => foreign(other, stream),
            });
        }
        out
    }
}

fn digit(at: u32) -> char {
    char::from_digit(at, 10).expect("it is below ten")
}

fn letter(at: u32) -> char {
    char::from(b'a' + at as u8)
}

/// A letter of another alphabet whose UTF-8 is as long; what is no letter stays.
fn foreign(old: char, stream: &mut Stream<'_>) -> char {
    let (first, many) = match old.len_utf8() {
        2 if old.is_alphanumeric() => (0x3B1, 25),
        3 if old.is_alphanumeric() => (0x4E00, 0x5000),
        4 => (0x1F600, 64),
        _ => return old,
    };
    char::from_u32(first + stream.below(many)).expect("these ranges hold characters alone")
}

/// Bytes without end, drawn from a text under the key.
struct Stream<'a> {
    keyed: &'a Hmac<Sha256>,
    seed: Vec<u8>,
    block: Vec<u8>,
    at: usize,
    blocks: u32,
}

impl<'a> Stream<'a> {
    fn new(keyed: &'a Hmac<Sha256>, tag: &[u8], round: u32, text: &[u8]) -> Self {
        let seed = [tag, b"\0", &round.to_be_bytes(), text].concat();
        Self { keyed, seed: Sha256Of::of(&seed), block: Vec::new(), at: 0, blocks: 0 }
    }

    fn next(&mut self) -> u8 {
        if self.at == self.block.len() {
            let mut mac = self.keyed.clone();
            mac.update(&self.seed);
            mac.update(&self.blocks.to_be_bytes());
            self.block = mac.finalize().into_bytes().to_vec();
            self.blocks += 1;
            self.at = 0;
        }
        self.at += 1;
        self.block[self.at - 1]
    }

    fn below(&mut self, bound: u32) -> u32 {
        (u32::from(self.next()) << 8 | u32::from(self.next())) % bound
    }
}

/// A digest of fixed length, so that a long text is hashed once and not once a block.
struct Sha256Of;

impl Sha256Of {
    fn of(bytes: &[u8]) -> Vec<u8> {
        use sha2::Digest;
        Sha256::digest(bytes).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_depends_on_text_and_key_alone_and_keeps_the_shape() {
        let (mut one, mut same, mut other) =
            (Pseudonyms::new(b"key of one"), Pseudonyms::new(b"key of one"), Pseudonyms::new(b"key of two"));
        let text = "Zoë Example-2026 \u{6771}\u{4EAC} \u{1F980}";
        let _ = same.of(Kind::Word, "something else first");
        let found = one.of(Kind::Whole, text);
        assert_eq!(found, same.of(Kind::Whole, text));
        assert_ne!(found, other.of(Kind::Whole, text));
        let lengths = |text: &str| text.chars().map(char::len_utf8).collect::<Vec<_>>();
        assert_eq!(lengths(&found), lengths(text));
        assert!(found.starts_with(|first: char| first.is_ascii_uppercase()) && found.contains('-'), "{found}");
    }

    #[test]
    fn different_texts_stay_different_down_to_one_digit() {
        let mut pseudonyms = Pseudonyms::new(b"k");
        let all: HashSet<String> = ('0'..='9').map(|digit| pseudonyms.of(Kind::Word, &digit.to_string())).collect();
        assert_eq!(all.len(), 10);
        assert_eq!(pseudonyms.of(Kind::Word, "NAMEs").to_ascii_lowercase(), pseudonyms.of(Kind::Word, "names"));
    }

    #[test]
    fn a_date_stays_one_and_a_number_keeps_its_zeros() {
        let mut pseudonyms = Pseudonyms::new(b"k");
        for text in ["2031-12-31", "1999-10-20"] {
            let found = pseudonyms.of(Kind::Date, text);
            assert!(crate::case::Revision::parse(found.as_bytes()).is_some(), "{found}");
        }
        let found = pseudonyms.of(Kind::Number, "-120034.50");
        assert!(found.starts_with('-') && &found[3..5] == "00" && found.ends_with('0'), "{found}");
    }
}
