//! The members that results of several methods share: caching hints and cursors.

use super::form;
use super::rule::Rule;
use super::shape::{Bound, Field, Shape, optional};
use super::walk::Walk;
use crate::codec::document::{Value, ValueKind};

/// How long a result may be kept; `owed` is the rule that asks for it.
pub const fn time_to_live(owed: Rule) -> Field {
    optional("ttlMs", Shape::Bounded(&TTL), Rule::TTL_INTEGER).owed(owed)
}

/// Who may keep a result; `owed` is the rule that asks for it.
pub const fn cache_scope(owed: Rule) -> Field {
    optional("cacheScope", Shape::Words(&["public", "private"]), Rule::CACHE_SCOPE).owed(owed)
}

static TTL: Bound = Bound { integer: true, holds: form::not_negative, rule: Rule::TTL_NEGATIVE };

/// Where the next page starts.
pub const NEXT_CURSOR: Field = optional("nextCursor", Shape::Check(next_cursor), Rule::NEXT_CURSOR);

/// The same in a result that has no pages.
pub const NO_PAGES: Field = optional("nextCursor", Shape::Alien, Rule::CURSOR_ELSEWHERE);

/// Where a page starts.
pub const CURSOR: Field = optional("cursor", Shape::Text, Rule::CURSOR);

/// Clients may read `null` as the end, so it weighs less than any other wrong type.
fn next_cursor(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    match value.kind() {
        ValueKind::String => {}
        ValueKind::Null => walk.wrong_type(value, Rule::NEXT_CURSOR_NULL),
        _ => walk.wrong_type(value, rule),
    }
}
