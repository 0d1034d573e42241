//! What only the four legacy revisions have: the handshake, levels for a session, subscriptions to one resource.
//!
//! What a handshake selects is decided where it is evaluated; core tasks of 2025-11-25 are not judged.

use super::capabilities::{IMPLEMENTATION_AT_INITIALIZE, IMPLEMENTATION_INITIALIZED, SERVER};
use super::metadata::{LEVELS, OF_REQUEST, OF_RESULT};
use super::rule::Rule;
use super::shape::{Shape, Type, optional, required};

/// The params of `initialize`.
pub static INITIALIZE: Type = Type::of(&[
    OF_REQUEST,
    required("protocolVersion", Shape::Text, Rule::INITIALIZE),
    required("capabilities", Shape::Object(&CAPABILITIES), Rule::INITIALIZE),
    required("clientInfo", Shape::Object(&IMPLEMENTATION_AT_INITIALIZE), Rule::INITIALIZE),
]);

/// The result of `initialize`.
pub static INITIALIZED: Type = Type::of(&[
    OF_RESULT,
    required("protocolVersion", Shape::Text, Rule::INITIALIZED),
    required("capabilities", Shape::Object(&SERVER), Rule::INITIALIZED),
    required("serverInfo", Shape::Object(&IMPLEMENTATION_INITIALIZED), Rule::INITIALIZED),
    optional("instructions", Shape::Text, Rule::INITIALIZED),
]);

/// Every capability has become an object since; the tree of core tasks is open.
static CAPABILITIES: Type = Type::of(&[
    optional("roots", Shape::Open, Rule::CAPABILITY),
    optional("sampling", Shape::Open, Rule::CAPABILITY),
    optional("elicitation", Shape::Open, Rule::CAPABILITY),
    optional("experimental", Shape::Map(&Shape::Open), Rule::EXPERIMENTAL),
]);

/// The params of `logging/setLevel`.
pub static SET_LEVEL: Type = Type::of(&[OF_REQUEST, required("level", Shape::Words(LEVELS), Rule::SET_LEVEL)]);

/// The params of `resources/subscribe` and `resources/unsubscribe`.
pub static SUBSCRIBE: Type = Type::of(&[OF_REQUEST, required("uri", Shape::Text, Rule::SUBSCRIBE)]);

/// Params or results of which nothing is judged but their metadata.
pub static PLAIN: Type = Type::of(&[OF_REQUEST]);
