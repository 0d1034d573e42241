//! The notifications of both eras.

use super::metadata::{LEVELS, OF_NOTIFICATION, OF_REQUEST_NOTIFICATION};
use super::rule::Rule;
use super::shape::{Shape, Type, optional, required};
use super::subscriptions::FILTER;

/// `notifications/cancelled`
pub static CANCELLED: Type = Type::of(&[
    required("requestId", Shape::Id, Rule::CANCELLED),
    optional("reason", Shape::Text, Rule::CANCELLED),
    OF_NOTIFICATION,
]);

/// `notifications/progress`
pub static PROGRESS: Type = Type::of(&[
    required("progressToken", Shape::Id, Rule::PROGRESS),
    required("progress", Shape::Number, Rule::PROGRESS),
    optional("total", Shape::Number, Rule::PROGRESS),
    optional("message", Shape::Text, Rule::PROGRESS),
    OF_REQUEST_NOTIFICATION,
]);

/// `notifications/message`
pub static MESSAGE: Type = Type::of(&[
    required("level", Shape::Words(LEVELS), Rule::LOG_MESSAGE),
    required("data", Shape::Any, Rule::LOG_MESSAGE),
    optional("logger", Shape::Text, Rule::LOG_MESSAGE),
    OF_REQUEST_NOTIFICATION,
]);

/// `notifications/subscriptions/acknowledged`
pub static ACKNOWLEDGED: Type =
    Type::of(&[required("notifications", Shape::Object(&FILTER), Rule::ACKNOWLEDGED), OF_NOTIFICATION]);

/// `notifications/resources/updated`
pub static RESOURCE_UPDATED: Type = Type::of(&[required("uri", Shape::Text, Rule::RESOURCE_UPDATED), OF_NOTIFICATION]);

/// Those that say no more than their name.
pub static LIST_CHANGED: Type = Type::of(&[OF_NOTIFICATION]);
