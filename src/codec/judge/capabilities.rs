//! Stage *capabilities*: what a request needs and did not declare, and what an answer asks for beyond what its call declared.
//!
//! Wrong types were judged with the metadata. Under a legacy era capabilities belong to the handshake and are not judged.

use super::Message;
use crate::codec::claims_modern;
use crate::codec::document::{Value, ValueKind};
use crate::codec::meta::{CapabilityState, Inputs};
use crate::codec::reading::Weight;
use crate::codec::refusal::{Reason, Refusal, Stage};

/// Judges requests and results.
pub fn judge(message: &mut Message<'_, '_>) {
    if message.is_request() {
        return request(message);
    }
    let malformed = message.call.capabilities.state == CapabilityState::Malformed;
    if message.result.is_none() || !message.call.era.is_modern() {
        return;
    }
    if malformed {
        let refusal = Refusal::new(Reason::MalformedCapabilities).in_stage(Stage::Capabilities);
        message.refuse(refusal, Weight::StrictOnly);
    }
    if let Some(inputs) = message.call.capabilities.inputs {
        undeclared_inputs(message, inputs);
    }
}

/// The methods of the tasks extension, and a filter that asks for tasks, need the extension on that very request.
fn request(message: &mut Message<'_, '_>) {
    let declared = message.call.capabilities.advertised;
    let modern = claims_modern(message.mirrored, message.metadata) && !message.call.era.is_legacy();
    // Capabilities that are missing or have a wrong type were judged as such.
    let judged = modern && message.metadata.capabilities.is_some();
    if !judged || declared.tasks || message.call.capabilities.state == CapabilityState::Malformed {
        return;
    }
    let of_tasks = ["tasks/get", "tasks/update", "tasks/cancel"].iter().any(|name| message.envelope.has_method(name));
    let refusal = |place: Option<Value<'_>>, rule| {
        Refusal { offset: place.map(Value::offset), ..Refusal::new(Reason::MissingClientCapability) }.under(rule)
    };
    if of_tasks {
        // A value that is no object may have been meant as one.
        let weight = if declared.tasks_without_object { Weight::StrictOnly } else { Weight::Full };
        let place = message.envelope.method;
        return message.refuse(refusal(place, "extension-tasks-methods-undeclaring-client"), weight);
    }
    let filter =
        message.envelope.param("notifications").filter(|_| message.envelope.has_method("subscriptions/listen"));
    if let Some(tasks) = filter.and_then(|filter| filter.get("taskIds")) {
        // A server without tasks does not know the member and ignores it.
        let rule = "extension-tasks-subscribe-undeclaring-client";
        message.refuse(refusal(Some(tasks), rule), Weight::StrictOnly);
    }
}

fn undeclared_inputs(message: &mut Message<'_, '_>, inputs: Inputs) {
    let requests = message.envelope.result.and_then(|result| result.get("inputRequests"));
    for (_, request) in requests.into_iter().flat_map(Value::members) {
        let context = request.get("params").and_then(|params| params.get("includeContext"));
        let beyond = context.filter(|_| !inputs.sampling_context && inputs.sampling);
        if let Some(context) = beyond.filter(|context| context.as_text().is_some_and(|word| !word.is("none"))) {
            message.note("payload-sampling-include-context-deprecated", "undeclared-context", Some(context));
        }
        if let Some(rule) = undeclared(request, inputs) {
            let refusal = Refusal::at(Reason::UndeclaredInput, request.offset()).under(rule);
            return message.refuse(refusal, Weight::Full);
        }
    }
}

/// The rule that an input request breaks by asking for what was not declared.
fn undeclared(request: Value<'_>, inputs: Inputs) -> Option<&'static str> {
    let method = request.get("method")?.as_text()?;
    let param = |name: &str| request.get("params").and_then(|params| params.get(name));
    let given = |name: &str| param(name).is_some_and(|value| value.kind() != ValueKind::Null);
    if method.is("roots/list") {
        return (!inputs.roots).then_some("mrtr-capability-gated");
    }
    if method.is("sampling/createMessage") {
        let tools = (given("tools") || given("toolChoice")) && !inputs.sampling_tools;
        return match () {
            () if !inputs.sampling => Some("mrtr-capability-gated"),
            () if tools => Some("capabilities-client-declares-sampling-tools"),
            () => None,
        };
    }
    if method.is("elicitation/create") {
        let by_url = param("mode").and_then(Value::as_text).is_some_and(|mode| mode.is("url"));
        return match by_url {
            _ if !inputs.elicitation_form && !inputs.elicitation_url => Some("mrtr-capability-gated"),
            true if !inputs.elicitation_url => Some("capabilities-elicitation-empty-means-form"),
            false if !inputs.elicitation_form => Some("mrtr-capability-gated"),
            _ => None,
        };
    }
    None
}
