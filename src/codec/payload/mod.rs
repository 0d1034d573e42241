//! Do the params of a request, the members of a result, a notification or an error have the shapes of their method?
//!
//! Tables say what each type holds, `walk` holds a value against them. Objects are open and unknown methods not
//! judged. Nothing is compared across messages, and no argument with the schema of its tool.

mod annotation;
mod augmented;
mod capabilities;
mod completion;
mod content;
mod elicitation;
mod error;
mod form;
mod fragment;
mod input;
mod legacy;
mod metadata;
mod method;
mod notifications;
mod prompts;
mod resources;
mod results;
mod roots;
mod rule;
mod sampling;
mod shape;
mod subscriptions;
mod tasks;
mod tools;
mod walk;

pub use fragment::check_fragment;
pub use rule::{Eras, Force, Rule};
pub use walk::Fault;

use self::method::{Kind as MethodKind, Method};
use self::shape::{Shape, Type};
use self::walk::Walk;
use super::document::Value;
use super::envelope::Kind;
use super::era::{Era, UnknownEra};
use super::judge::Message;
use super::reading::Weight;
use super::refusal::Refusal;
use super::result::{ExtensionToken, ResultObservation};

/// Judges stage *payload*. A call of no known era is held only to the members that header rules name.
pub fn judge(message: &mut Message<'_, '_>) {
    let mut walk = Walk::new(eras(message));
    match message.envelope.kind {
        Kind::Request | Kind::Notification => params(message, &mut walk),
        Kind::Result => result(message, &mut walk),
        Kind::Error => {
            if let Some(error) = message.envelope.error {
                error::judge(&mut walk, error, message.context.peer_is_modern);
            }
        }
    }
    for Fault { reason, offset, rule } in walk.finish() {
        let refusal = Refusal::at(reason, offset).under(rule.id);
        match rule.force {
            Force::Full => message.refuse(refusal, Weight::Full),
            Force::StrictOnly => message.refuse(refusal, Weight::StrictOnly),
            Force::Note => message.remark(rule.id, reason.word(), Some(offset)),
        }
    }
}

/// The revisions of the call. A handshake comes before any is established and names one itself.
fn eras(message: &Message<'_, '_>) -> Eras {
    let (envelope, era) = (message.envelope, message.call.era);
    let asked = envelope.kind == Kind::Request && envelope.has_method("initialize");
    let answered = envelope.kind == Kind::Result && message.call.method == Some(b"initialize");
    match era {
        Era::Unknown(UnknownEra::NoSignal) if asked => legacy::eras_named_by(envelope.params),
        Era::Unknown(UnknownEra::NoSignal) if answered => legacy::eras_named_by(envelope.result),
        era => Eras::of(era),
    }
}

fn params(message: &Message<'_, '_>, walk: &mut Walk) {
    let Some(place) = message.envelope.method else { return };
    let Some(method) = place.as_text().and_then(|name| Method::named(|known| name.is(known), walk.eras())) else {
        return;
    };
    // Nobody who did not advertise the extension is held to its members.
    let foreign = method.kind == MethodKind::Tasks && !message.call.understands_tasks();
    if foreign {
        *walk = Walk::new(Eras::UNKNOWN);
    } else if !method.eras.meets(walk.eras()) && walk.eras() != Eras::UNKNOWN {
        return;
    }
    match (message.envelope.params, &method.params) {
        (Some(params), shape) if params.is_object() => walk.value(shape, params, Rule::META_OBJECT),
        // Params of another type were refused with the metadata.
        (Some(_), _) => {}
        (None, Shape::Object(of)) => walk.members(of, None, place.offset(), Rule::META_OBJECT),
        (None, _) => {}
    }
}

fn result(message: &Message<'_, '_>, walk: &mut Walk) {
    let (Some(value), Some(observed), Some(name)) = (message.envelope.result, message.result, message.call.method)
    else {
        return;
    };
    let Some(method) = Method::named(|known| known.as_bytes() == name, walk.eras()) else { return };
    if !method.eras.meets(walk.eras()) || method.kind == MethodKind::Tasks && !message.call.understands_tasks() {
        return;
    }
    if let Some(of) = type_of(method, value, observed, walk) {
        walk.members(of, Some(value), value.offset(), Rule::META_OBJECT);
    }
}

/// The methods that 2025-11-25 may answer with a task first.
const AUGMENTED: [&str; 3] = ["tools/call", "sampling/createMessage", "elicitation/create"];

/// The type that a result claims to have. What the claim itself breaks was refused with the result.
fn type_of(method: &Method, value: Value<'_>, observed: ResultObservation, walk: &mut Walk) -> Option<&'static Type> {
    use ResultObservation as Seen;
    if Eras::LEGACY.meets(walk.eras()) {
        let augmented = walk.eras() == Eras::V2025_11_25
            && AUGMENTED.contains(&method.name)
            && augmented::starts(value, method.result);
        // A result whose token means nothing in its era is not judged: legacy results are open.
        return match observed {
            Seen::Missing | Seen::Complete if augmented => Some(&augmented::CREATED),
            Seen::Missing | Seen::Complete => method.result,
            _ => None,
        };
    }
    match observed {
        // What claims completion beside a continuation is neither result for sure.
        Seen::Complete => method.result,
        Seen::InputRequired if method.kind == MethodKind::Interim => Some(&input::RESULT),
        Seen::InputRequired | Seen::InputRequiredWithoutContinuation | Seen::InputRequiredWithMalformedContinuation
            if method.kind != MethodKind::Interim =>
        {
            let tasks = method.kind == MethodKind::Tasks;
            let rule = if tasks { Rule::TASK_COMPLETE } else { Rule::INTERIM_METHODS };
            walk.wrong_value(value.get("resultType").unwrap_or(value), rule);
            None
        }
        Seen::Extension(ExtensionToken::Task) if method.name == "tools/call" => Some(&tasks::CREATED),
        _ => None,
    }
}
