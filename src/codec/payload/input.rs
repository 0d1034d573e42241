//! Input that a server asks for in the middle of a call: the interim result and the members of a retry.
//!
//! Whether a response answers the request of its key, and whether a state is echoed, takes two messages and is not asked.

use super::metadata::OF_RESULT;
use super::rule::{Eras, Rule};
use super::shape::{Field, Shape, Tagged, Type, Variant, optional, required};
use super::walk::Walk;
use super::{elicitation, roots, sampling};
use crate::codec::document::{Value, ValueKind};

/// The interim result.
pub static RESULT: Type = Type::checked(
    &[
        optional("inputRequests", Shape::Check(requests), Rule::INPUT_REQUESTS),
        optional("requestState", Shape::Check(state), Rule::REQUEST_STATE),
        optional("ttlMs", Shape::Alien, Rule::CACHE_INTERIM),
        optional("cacheScope", Shape::Alien, Rule::CACHE_INTERIM),
        OF_RESULT,
    ],
    asks_something,
);

/// `null` counts as absent for what a result goes on with, so it is told and not refused.
fn requests(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    match value.kind() {
        ValueKind::Null => walk.wrong_type(value, Rule::INPUT_REQUESTS_NULL),
        _ => walk.value(&REQUESTS, value, rule),
    }
}

/// The same for the state.
fn state(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    match value.kind() {
        ValueKind::Null => walk.wrong_type(value, Rule::REQUEST_STATE_NULL),
        _ => walk.value(&Shape::Text, value, rule),
    }
}

/// Requests by keys of the server's choice.
pub const REQUESTS: Shape = Shape::Map(&REQUEST);

/// One request: a method and its params, without an envelope.
pub const REQUEST: Shape = Shape::Tagged(&KINDS);

static KINDS: Tagged = Tagged {
    tag: "method",
    rule: Rule::INPUT_REQUEST_KIND,
    default: None,
    variants: &[
        Variant::new("elicitation/create", &ELICITATION, Rule::INPUT_REQUEST_KIND),
        Variant::new("sampling/createMessage", &SAMPLING, Rule::INPUT_REQUEST_KIND),
        Variant::new("roots/list", &ROOTS, Rule::INPUT_REQUEST_KIND),
    ],
    elsewhere: &[],
};

static ELICITATION: Type = Type::of(&[required("params", elicitation::PARAMS, Rule::ELICIT_MESSAGE), ID, JSONRPC]);
static SAMPLING: Type =
    Type::of(&[required("params", Shape::Object(&sampling::PARAMS), Rule::SAMPLING_PARAMS), ID, JSONRPC]);
static ROOTS: Type = Type::of(&[optional("params", Shape::Open, Rule::INPUT_REQUEST_KIND), ID, JSONRPC]);

const ID: Field = optional("id", Shape::Alien, Rule::INPUT_REQUEST_ENVELOPE);
const JSONRPC: Field = optional("jsonrpc", Shape::Alien, Rule::INPUT_REQUEST_ENVELOPE);

/// An empty map is present, so it satisfies the rule by its letter.
fn asks_something(walk: &mut Walk, value: Value<'_>, _: Rule) {
    let requests = value.get("inputRequests").filter(|requests| requests.is_object());
    if let Some(requests) = requests.filter(|requests| requests.members().next().is_none())
        && value.get("requestState").is_none()
    {
        walk.wrong_value(requests, Rule::INPUT_EMPTY);
    }
}

/// The answers that a retry brings along.
pub const INPUT_RESPONSES: Field = optional("inputResponses", RESPONSES, Rule::INPUT_RESPONSES).within(Eras::MODERN);

/// The state that a retry gives back.
pub const REQUEST_STATE: Field = optional("requestState", Shape::Text, Rule::REQUEST_STATE_ECHO).within(Eras::MODERN);

/// Answers by the keys of their requests.
pub const RESPONSES: Shape = Shape::Map(&Shape::Check(response));

/// An answer has no member that names its kind, so what it holds tells: roots, the words of a model, or else a form.
fn response(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    if !value.is_object() {
        return walk.wrong_type(value, rule);
    }
    let of = match value.members().find_map(|(name, _)| {
        let sampled = name.is("role") || name.is("model");
        if name.is("action") {
            Some(&elicitation::RESULT)
        } else if name.is("roots") {
            Some(&roots::RESULT)
        } else {
            sampled.then_some(&sampling::RESULT)
        }
    }) {
        Some(of) => of,
        None => &elicitation::RESULT,
    };
    walk.members(of, Some(value), value.offset(), rule);
}
