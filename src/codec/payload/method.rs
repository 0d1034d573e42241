//! Which types do the params and the result of a method have?

use super::rule::Eras;
use super::shape::{Shape, Type};
use super::{
    augmented, completion, elicitation, legacy, notifications, prompts, resources, roots, sampling, subscriptions,
    tasks, tools,
};

/// One method.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// What its params are.
    pub params: Shape,
    /// What its final result is, where that is judged.
    pub result: Option<&'static Type>,
    /// The revisions in which it is judged.
    pub eras: Eras,
    /// Where else it may lead than to its result.
    pub kind: Kind,
}

/// What sets a method apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Plain,
    /// The server may ask for input in between.
    Interim,
    /// It belongs to the tasks extension.
    Tasks,
}

const fn method(name: &'static str, params: &'static Type, result: &'static Type) -> Method {
    Method { name, params: Shape::Object(params), result: Some(result), eras: Eras::BOTH, kind: Kind::Plain }
}

const fn notification(name: &'static str, params: &'static Type) -> Method {
    Method { name, params: Shape::Object(params), result: None, eras: Eras::BOTH, kind: Kind::Plain }
}

impl Method {
    const fn within(mut self, eras: Eras) -> Self {
        self.eras = eras;
        self
    }

    const fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// The method of that name: as these revisions have it, else as any has it.
    pub fn named(is: impl Fn(&str) -> bool, eras: Eras) -> Option<&'static Self> {
        let mut named = METHODS.iter().filter(|method| is(method.name));
        let first = named.next()?;
        if first.eras.meets(eras) { Some(first) } else { named.find(|method| method.eras.meets(eras)).or(Some(first)) }
    }
}

static METHODS: [Method; 38] = [
    method("tools/call", &tools::CALL_PARAMS, &tools::CALL_RESULT).kind(Kind::Interim),
    method("tools/list", &tools::LIST_PARAMS, &tools::LIST_RESULT),
    method("resources/read", &resources::READ_PARAMS, &resources::READ_RESULT).kind(Kind::Interim),
    method("resources/list", &tools::LIST_PARAMS, &resources::LIST_RESULT),
    method("resources/templates/list", &tools::LIST_PARAMS, &resources::TEMPLATES_RESULT),
    method("prompts/get", &prompts::GET_PARAMS, &prompts::GET_RESULT).kind(Kind::Interim),
    method("prompts/list", &tools::LIST_PARAMS, &prompts::LIST_RESULT),
    method("completion/complete", &completion::PARAMS, &completion::RESULT),
    method("server/discover", &subscriptions::DISCOVER_PARAMS, &subscriptions::DISCOVER_RESULT).within(Eras::MODERN),
    method("subscriptions/listen", &subscriptions::LISTEN_PARAMS, &subscriptions::LISTEN_RESULT_BODY)
        .within(Eras::MODERN),
    notification("notifications/progress", &notifications::PROGRESS),
    notification("notifications/cancelled", &notifications::CANCELLED),
    notification("notifications/message", &notifications::MESSAGE),
    notification("notifications/subscriptions/acknowledged", &notifications::ACKNOWLEDGED),
    notification("notifications/resources/updated", &notifications::RESOURCE_UPDATED),
    notification("notifications/resources/list_changed", &notifications::LIST_CHANGED),
    notification("notifications/tools/list_changed", &notifications::LIST_CHANGED),
    notification("notifications/prompts/list_changed", &notifications::LIST_CHANGED),
    method("tasks/get", &tasks::PARAMS, &tasks::GET_RESULT).within(Eras::MODERN).kind(Kind::Tasks),
    method("tasks/update", &tasks::UPDATE_PARAMS, &tasks::ACKNOWLEDGEMENT).within(Eras::MODERN).kind(Kind::Tasks),
    method("tasks/cancel", &tasks::PARAMS, &tasks::ACKNOWLEDGEMENT).within(Eras::MODERN).kind(Kind::Tasks),
    notification("notifications/tasks", &tasks::NOTIFICATION).within(Eras::MODERN),
    method("tasks/get", &augmented::PARAMS, &augmented::FLAT).within(Eras::V2025_11_25),
    method("tasks/cancel", &augmented::PARAMS, &augmented::FLAT).within(Eras::V2025_11_25),
    method("tasks/list", &augmented::LIST_PARAMS, &augmented::LIST_RESULT).within(Eras::V2025_11_25),
    method("tasks/result", &augmented::PARAMS, &augmented::PAYLOAD).within(Eras::V2025_11_25),
    notification("notifications/tasks/status", &augmented::NOTIFICATION).within(Eras::V2025_11_25),
    method("initialize", &legacy::INITIALIZE, &legacy::INITIALIZED).within(Eras::LEGACY),
    method("ping", &legacy::PLAIN, &legacy::PLAIN).within(Eras::LEGACY),
    method("logging/setLevel", &legacy::SET_LEVEL, &legacy::PLAIN).within(Eras::LEGACY),
    method("resources/subscribe", &legacy::SUBSCRIBE, &legacy::PLAIN).within(Eras::LEGACY),
    method("resources/unsubscribe", &legacy::SUBSCRIBE, &legacy::PLAIN).within(Eras::LEGACY),
    Method { params: elicitation::PARAMS, ..method("elicitation/create", &legacy::PLAIN, &elicitation::RESULT) }
        .within(Eras::LEGACY),
    method("sampling/createMessage", &sampling::PARAMS, &sampling::RESULT).within(Eras::LEGACY),
    method("roots/list", &legacy::PLAIN, &roots::RESULT).within(Eras::LEGACY),
    notification("notifications/initialized", &legacy::PLAIN).within(Eras::LEGACY),
    notification("notifications/roots/list_changed", &legacy::PLAIN).within(Eras::LEGACY),
    notification("notifications/elicitation/complete", &legacy::PLAIN).within(Eras::V2025_11_25),
];
