//! `_meta` beyond the two keys that decide the era: tokens, identities, levels, and the grammar of nested keys.

use super::capabilities::{CLIENT, IMPLEMENTATION_OF_CLIENT, IMPLEMENTATION_OF_SERVER};
use super::rule::{Eras, Rule};
use super::shape::{Field, Shape, Type, optional};
use super::walk::Walk;
use crate::codec::document::Value;
use crate::codec::meta::{CLIENT_CAPABILITIES, CLIENT_INFO, SERVER_INFO, key_fault, malformed_capability};

/// The eight levels of a log message, mildest first.
pub const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// `_meta` of a request. That it is an object is judged with the rest of the metadata.
pub const OF_REQUEST: Field = optional("_meta", Shape::Inside(&REQUEST), Rule::META_OBJECT);

/// `_meta` of a notification of a subscription.
pub const OF_NOTIFICATION: Field = optional("_meta", Shape::Inside(&NOTIFICATION), Rule::META_OBJECT);

/// `_meta` of a notification that belongs to a request.
pub const OF_REQUEST_NOTIFICATION: Field = optional("_meta", Shape::Inside(&REQUEST_NOTIFICATION), Rule::META_OBJECT);

/// `_meta` of a result.
pub const OF_RESULT: Field =
    optional("_meta", Shape::Object(&RESULT), Rule::META_OBJECT).owed(Rule::SERVER_INFO_INCLUDED);

/// `_meta` anywhere else.
pub const NESTED: Field = optional("_meta", Shape::Check(nested), Rule::META_OBJECT).within(Eras::SINCE_2025_06_18);

static REQUEST: Type = Type::of(&[
    optional("progressToken", Shape::Id, Rule::PROGRESS_TOKEN),
    optional(CLIENT_INFO, Shape::Object(&IMPLEMENTATION_OF_CLIENT), Rule::CLIENT_INFO),
    optional(CLIENT_CAPABILITIES, Shape::Check(capabilities), Rule::CAPABILITY).within(Eras::MODERN),
    optional("io.modelcontextprotocol/logLevel", Shape::Words(LEVELS), Rule::LOG_LEVEL),
]);

static NOTIFICATION: Type = Type::of(&[optional(SUBSCRIPTION, Shape::Id, Rule::SUBSCRIPTION_ID)]);

static REQUEST_NOTIFICATION: Type = Type::of(&[optional(SUBSCRIPTION, Shape::Alien, Rule::SUBSCRIPTION_ID_MISPLACED)]);

static RESULT: Type = Type::of(&[SERVER]);

/// `_meta` of the result that ends a subscription.
pub static LISTEN_RESULT: Type =
    Type::of(&[optional(SUBSCRIPTION, Shape::Id, Rule::LISTEN_RESULT_ID).owed(Rule::LISTEN_RESULT_ID), SERVER]);

const SERVER: Field =
    optional(SERVER_INFO, Shape::Object(&IMPLEMENTATION_OF_SERVER), Rule::SERVER_INFO).owed(Rule::SERVER_INFO_INCLUDED);

/// Capabilities whose core members are no objects were refused with the metadata; what they hold is not asked then.
fn capabilities(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    if malformed_capability(value).is_none() {
        walk.value(&Shape::Object(&CLIENT), value, rule);
    }
}

fn nested(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    if !value.is_object() {
        return walk.wrong_type(value, rule);
    }
    for (name, member) in value.members() {
        if key_fault(&name.decode()).is_some() {
            walk.wrong_value(member, Rule::META_NESTED_KEYS);
        }
        if walk.is_full() {
            return;
        }
    }
}
