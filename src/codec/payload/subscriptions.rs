//! `server/discover` and `subscriptions/listen`: what a server has, and what a client wants to hear of it.

use super::capabilities::SERVER;
use super::metadata::{LISTEN_RESULT, OF_REQUEST, OF_RESULT};
use super::results::{NO_PAGES, cache_scope, time_to_live};
use super::rule::Rule;
use super::shape::{Field, Shape, Type, optional, required};
use super::walk::Walk;
use crate::codec::document::{Value, ValueKind};

/// The params of `server/discover`.
pub static DISCOVER_PARAMS: Type = Type::checked(&[OF_REQUEST], only_meta);

fn only_meta(walk: &mut Walk, value: Value<'_>, _: Rule) {
    if let Some((_, extra)) = value.members().find(|(name, _)| !name.is("_meta")) {
        walk.wrong_value(extra, Rule::DISCOVER_PARAMS);
    }
}

/// The result of `server/discover`.
pub static DISCOVER_RESULT: Type = Type::of(&[
    required("supportedVersions", Shape::Check(versions), Rule::VERSIONS),
    required("capabilities", Shape::Object(&SERVER), Rule::DISCOVER_CAPABILITIES),
    optional("instructions", Shape::Text, Rule::INSTRUCTIONS),
    optional("serverInfo", Shape::Alien, Rule::DISCOVER_SERVER_INFO),
    NO_PAGES,
    time_to_live(Rule::CACHE_DISCOVER),
    cache_scope(Rule::CACHE_DISCOVER),
    OF_RESULT,
]);

fn versions(walk: &mut Walk, value: Value<'_>, rule: Rule) {
    versions_listed(walk, value, rule, Rule::VERSIONS_USED);
}

/// An array of strings; `empty` is what an array of none breaks.
pub fn versions_listed(walk: &mut Walk, value: Value<'_>, rule: Rule, empty: Rule) {
    walk.value(&Shape::Array(&Shape::Text), value, rule);
    if value.kind() == ValueKind::Array && value.elements().next().is_none() {
        walk.wrong_value(value, empty);
    }
}

/// The params of `subscriptions/listen`.
pub static LISTEN_PARAMS: Type =
    Type::of(&[OF_REQUEST, required("notifications", Shape::Object(&FILTER), Rule::FILTER_REQUIRED)]);

const fn wanted(name: &'static str) -> Field {
    optional(name, Shape::Bool, Rule::FILTER_TYPES)
}

/// What a client wants to hear of.
pub static FILTER: Type = Type::of(&[
    wanted("toolsListChanged"),
    wanted("promptsListChanged"),
    wanted("resourcesListChanged"),
    optional("resourceSubscriptions", Shape::Array(&Shape::Text), Rule::FILTER_TYPES),
]);

/// The result that ends a subscription.
pub static LISTEN_RESULT_BODY: Type =
    Type::of(&[optional("_meta", Shape::Object(&LISTEN_RESULT), Rule::META_OBJECT).owed(Rule::LISTEN_RESULT_META)]);
