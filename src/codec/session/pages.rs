//! Do the pages of a list lead anywhere, and does a client ask only for pages that it was offered?
//!
//! An empty cursor is a cursor like any other: in the modern era it is not the end of a list. Cursors are compared by
//! fingerprint and never looked into.

use std::collections::{HashMap, HashSet};

use super::{Turn, asked, print};
use crate::case::Party;
use crate::codec::document::Value;
use crate::codec::envelope::{Envelope, Kind};
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;

/// How many cursors of one list are remembered.
pub const CURSORS: usize = 1 << 12;

const METHODS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

/// The page that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    list: usize,
    cursor: Option<u64>,
}

impl Page {
    /// Of a request of a method that paginates.
    pub fn of(envelope: &Envelope<'_>) -> Option<Self> {
        let list = METHODS.iter().position(|method| envelope.has_method(method))?;
        Some(Self { list, cursor: envelope.param("cursor").and_then(print::of_string) })
    }
}

/// Which cursor led to which.
#[derive(Debug, Default)]
struct Chain {
    next: HashMap<u64, u64>,
    offered: HashSet<u64>,
    forgot: bool,
}

/// The lists of one connection.
#[derive(Debug, Default)]
pub struct Pages([Chain; METHODS.len()]);

impl Pages {
    /// Whether the page behind `page` that this cursor names is one that leads back to it.
    fn leads_back(&self, page: Page, next: u64) -> bool {
        let Some(from) = page.cursor else { return false };
        let chain = &self.0[page.list].next;
        let mut at = next;
        for _ in 0..=chain.len() {
            if at == from {
                return true;
            }
            match chain.get(&at) {
                Some(further) => at = *further,
                None => return false,
            }
        }
        false
    }

    /// Remembers what a page offered.
    pub fn learn(&mut self, page: Page, result: Value<'_>) {
        let Some(next) = result.get("nextCursor").and_then(print::of_string) else { return };
        let chain = &mut self.0[page.list];
        if chain.offered.len() >= CURSORS || chain.next.len() >= CURSORS {
            chain.forgot = true;
            return;
        }
        chain.offered.insert(next);
        if let Some(cursor) = page.cursor {
            chain.next.insert(cursor, next);
        }
    }
}

/// Judges list requests and their results.
pub fn judge(turn: &mut Turn<'_, '_>) {
    let (envelope, memory) = (turn.envelope, turn.memory);
    match envelope.kind {
        Kind::Request if turn.case.from == Party::Client => {
            let Some(Page { list, cursor: Some(cursor) }) = Page::of(&envelope) else { return };
            let chain = &memory.pages.0[list];
            if memory.unknown().is_some() && !chain.forgot && !chain.offered.contains(&cursor) {
                // Cursors may outlive the connection that they were offered on.
                let place = envelope.param("cursor");
                turn.refuse(Reason::CursorUnknown, "pagination-cursor-opaque", place, Weight::StrictOnly);
            }
        }
        Kind::Result if turn.case.from == Party::Server => {
            let Some(key) = envelope.id.and_then(asked::key_of) else { return };
            let page = memory.asked.waiting(Party::Client, &key).and_then(|request| request.page);
            let place = envelope.result.and_then(|result| result.get("nextCursor"));
            if let (Some(page), Some(next)) = (page, place.and_then(print::of_string))
                && memory.pages.leads_back(page, next)
            {
                turn.refuse(Reason::CursorRepeated, "pagination-stable-cursors", place, Weight::Full);
            }
        }
        _ => {}
    }
}
