//! Where does something stand in a session, and which message belongs to which?
//!
//! For operators that break a rule over several messages. Ids and tokens are compared as they are spelled, which is how
//! the generators repeat them. A message without structure is passed over.

use arbitrary::Unstructured;

use super::facts::{Kind, kind};
use super::layout::{Layout, insert, splice};
use crate::case::{Case, Party, Session};

/// The messages of a session, as they stood when it was looked at.
pub(super) struct Thread<'s> {
    cases: &'s [Case],
    layouts: Vec<Option<Layout>>,
}

impl<'s> Thread<'s> {
    pub fn of(session: &'s Session) -> Self {
        Self { cases: &session.cases, layouts: session.cases.iter().map(|case| Layout::of(&case.body)).collect() }
    }

    pub fn count(&self) -> usize {
        self.cases.len()
    }

    /// The places of messages, from a drawn one on, around the end.
    pub fn places(&self, u: &mut Unstructured<'_>) -> arbitrary::Result<impl Iterator<Item = usize> + use<>> {
        let count = self.cases.len();
        let start = if count == 0 { 0 } else { u.int_in_range(0..=count - 1)? };
        Ok((0..count).map(move |offset| (start + offset) % count))
    }

    /// The bytes of the value at a path of a message.
    pub fn raw(&self, at: usize, path: &[&str]) -> Option<&'s [u8]> {
        let layout = self.layouts.get(at)?.as_ref()?;
        Some(layout.value(&self.cases[at].body, layout.find(&self.cases[at].body, path)?))
    }

    pub fn is(&self, at: usize, from: Party, sort: Kind) -> bool {
        let found = self.layouts[at].as_ref().map(|layout| kind(&self.cases[at].body, layout));
        self.cases[at].from == from && found == Some(sort)
    }

    pub fn asks(&self, at: usize) -> bool {
        self.is(at, Party::Client, Kind::Request)
    }

    pub fn names(&self, at: usize, method: &str) -> bool {
        self.is_text(at, &["method"], method)
    }

    pub fn is_text(&self, at: usize, path: &[&str], text: &str) -> bool {
        let raw = self.raw(at, path);
        raw.and_then(|raw| raw.strip_prefix(b"\"")?.strip_suffix(b"\"")) == Some(text.as_bytes())
    }

    pub fn is_there(&self, at: usize, path: &[&str]) -> bool {
        self.raw(at, path).is_some()
    }

    /// The last request of a client before a message that has this id, on the connection of that message.
    pub fn asked(&self, before: usize, id: &[u8]) -> Option<usize> {
        let connection = self.cases[before].connection;
        let has = |at: &usize| self.asks(*at) && self.raw(*at, &["id"]) == Some(id);
        (0..before).rev().filter(|at| self.cases[*at].connection == connection).find(has)
    }

    /// The first answer of the server to a request, behind it.
    pub fn answer(&self, request: usize) -> Option<usize> {
        let (id, connection) = (self.raw(request, &["id"])?, self.cases[request].connection);
        (request + 1..self.cases.len()).find(|&at| {
            let response = self.is(at, Party::Server, Kind::Result) || self.is(at, Party::Server, Kind::Error);
            response && self.cases[at].connection == connection && self.raw(at, &["id"]) == Some(id)
        })
    }
}

/// Puts a value where another one stands.
pub(super) fn set(session: &mut Session, at: usize, path: &[&str], value: &[u8]) -> Option<()> {
    let body = &mut session.cases[at].body;
    let layout = Layout::of(body)?;
    let index = layout.find(body, path)?;
    splice(body, layout.nodes[index].value.clone(), value);
    Some(())
}

/// Takes a member out.
pub(super) fn cut(session: &mut Session, at: usize, path: &[&str]) -> Option<()> {
    let body = &mut session.cases[at].body;
    let layout = Layout::of(body)?;
    let span = layout.removal(body, layout.find(body, path)?);
    body.drain(span);
    Some(())
}

/// Adds a member to an object.
pub(super) fn add(session: &mut Session, at: usize, path: &[&str], member: &str) -> Option<()> {
    let body = &mut session.cases[at].body;
    let layout = Layout::of(body)?;
    let index = layout.find(body, path)?;
    insert(body, &layout, index, member.as_bytes(), false);
    Some(())
}

/// The same characters as an id or a token of the other type.
pub(super) fn other_type(raw: &[u8]) -> Option<Vec<u8>> {
    match raw.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
        Some(inner) if !inner.is_empty() && inner.iter().all(u8::is_ascii_digit) => Some(inner.to_vec()),
        None if raw.iter().all(u8::is_ascii_digit) => Some([b"\"", raw, b"\""].concat()),
        _ => None,
    }
}

/// A path as it is recorded: the message, then a JSON pointer.
pub(super) fn pointer(at: usize, path: &[&str]) -> String {
    path.iter().fold(format!("#{at}"), |out, name| out + "/" + &name.replace('~', "~0").replace('/', "~1"))
}
