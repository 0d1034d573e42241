//! How recorded traffic becomes seeds: redacted, read as before, and proved to hold nothing of what was replaced.
//!
//! One recording becomes one seed: a lone message a case, a whole exchange a session. What cannot be shown to be clean and
//! unchanged is refused, never written. Where recordings come from and where seeds go is for the caller.

use std::fmt;

use sha2::{Digest, Sha256};

use super::redact::{Redactor, leak};
use crate::case::{Case, Session};
use crate::finding::Evidence;
use crate::triage::promote;

/// A seed: its text and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// Made of the text alone, so that it says nothing of where it came from and equal seeds are one.
    pub name: String,
    /// The text form.
    pub text: Vec<u8>,
    /// How many messages it holds.
    pub messages: usize,
}

/// Why a recording gives no seed. Says nothing of what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It holds no message.
    Empty,
    /// The message of that index holds a NUL outside of escapes: text of another encoding, which nothing here can redact.
    Encoding(usize),
    /// The message of that index is read otherwise with its stand-ins.
    Reading(usize),
    /// Something that was replaced is left in the text.
    Left,
}

/// Makes a seed of the messages of one recording.
///
/// ```
/// use wirebench::case::{Case, Party};
/// use wirebench::corpus::{harvest::harvest, redact::Redactor};
///
/// let case = Case::stdio(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"acme_payroll"}}"#);
/// let seed = harvest(&mut Redactor::new(b"a key that nobody else has"), vec![case]).unwrap();
/// let text = String::from_utf8(seed.text).unwrap();
/// assert!(seed.name.ends_with(".case") && text.contains("tools/call") && !text.contains("payroll"));
/// ```
///
/// # Errors
///
/// When a reading would change or something would be left.
pub fn harvest(redactor: &mut Redactor, cases: Vec<Case>) -> Result<Seed, Refused> {
    if cases.is_empty() {
        return Err(Refused::Empty);
    }
    if let Some(at) = cases.iter().position(|case| case.body.contains(&0)) {
        return Err(Refused::Encoding(at));
    }
    let messages = cases.len();
    let redacted = evidence(redactor.redact(&cases));
    let (before, after) = (promote::read(&evidence(cases)), promote::read(&redacted));
    if let Some(at) = before.iter().zip(&after).position(|(before, after)| before != after) {
        return Err(Refused::Reading(at));
    }
    let text = redacted.encode();
    if leak::is_left(redactor.replaced(), &text) {
        return Err(Refused::Left);
    }
    let digest: String = Sha256::digest(&text)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Seed { name: format!("{digest}.{}", redacted.suffix()), text, messages })
}

fn evidence(mut cases: Vec<Case>) -> Evidence {
    match cases.as_slice() {
        [case] if case.connection == 0 && !case.restart => Evidence::Case(cases.remove(0)),
        _ => Evidence::Session(Session { cases }),
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it holds no message"),
            Self::Encoding(at) => write!(f, "message {at} holds NUL bytes, so it cannot be redacted"),
            Self::Reading(at) => write!(f, "message {at} would be read otherwise once it is redacted"),
            Self::Left => f.write_str("something that was replaced would be left in the text"),
        }
    }
}

impl std::error::Error for Refused {}
