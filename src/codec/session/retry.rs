//! Does a retry repeat its call, give back the state that it was handed, and bring what was asked for?
//!
//! A retry is known by its `requestState` and `inputResponses`. It is judged as a message of its own: records are not
//! joined, and the conclusion of the hop before it stands.

use std::collections::VecDeque;

use super::print;
use super::{Turn, asked};
use crate::case::Party;
use crate::codec::document::Value;
use crate::codec::envelope::{Envelope, Kind};
use crate::codec::id::IdKey;
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;

/// How many interim results of one connection are remembered.
pub const INTERIMS: usize = 256;
/// How many input requests of one interim result are remembered.
const INPUTS: usize = 256;

/// The methods that a server may answer with a request for input, and the member that names what is called.
const METHODS: [(&str, &str); 3] = [("tools/call", "name"), ("prompts/get", "name"), ("resources/read", "uri")];

/// What a retry must repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Print {
    method: usize,
    source: Option<u64>,
    params: u64,
}

impl Print {
    /// Of a request that can be retried.
    pub fn of(envelope: &Envelope<'_>) -> Option<Self> {
        let method = METHODS.iter().position(|(method, _)| envelope.has_method(method))?;
        let params =
            envelope.params.map_or(0, |params| print::of_members(params, &["_meta", "inputResponses", "requestState"]));
        Some(Self { method, source: envelope.param(METHODS[method].1).and_then(print::of_string), params })
    }

    fn calls_the_same(&self, other: &Self) -> bool {
        (self.method, self.source) == (other.method, other.source)
    }
}

/// The kinds of input that a server asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Elicitation,
    Sampling,
    Roots,
}

/// A result that asked for a retry.
#[derive(Debug)]
struct Interim {
    id: IdKey,
    print: Print,
    state: Option<u64>,
    /// Keys and kinds of the input requests; `None` where they are too many to remember.
    inputs: Option<Vec<(u64, Option<Input>)>>,
}

/// The interim results of one connection, newest last.
#[derive(Debug, Default)]
pub struct Interims(VecDeque<Interim>);

impl Interims {
    /// Remembers a result that asks for input.
    pub fn learn(&mut self, id: IdKey, print: Print, result: Value<'_>) {
        let token = result.get("resultType").and_then(Value::as_text);
        if !token.is_some_and(|token| token.is("input_required")) {
            return;
        }
        if self.0.len() == INTERIMS {
            self.0.pop_front();
        }
        let requests = result.get("inputRequests").filter(|requests| requests.is_object());
        let inputs = requests.map_or(Some(Vec::new()), |requests| {
            let few = requests.member_count() <= INPUTS;
            let row = |(name, request): (crate::codec::document::Text<'_>, Value<'_>)| {
                (print::of_text(&name.decode()), asked_for(request))
            };
            few.then(|| requests.members().map(row).collect())
        });
        let state = result.get("requestState").and_then(print::of_string);
        self.0.push_back(Interim { id, print, state, inputs });
    }

    /// The result that a retry goes back to: the newest of its call that handed out this state, else the newest of its
    /// call, else the one that handed out this state to another call.
    fn find(&self, print: &Print, state: Option<u64>) -> Option<&Interim> {
        let newest = |fits: &dyn Fn(&Interim) -> bool| self.0.iter().rev().find(|interim| fits(interim));
        newest(&|interim| interim.print.calls_the_same(print) && interim.state == state)
            .or_else(|| newest(&|interim| interim.print.calls_the_same(print)))
            .or_else(|| newest(&|interim| state.is_some() && interim.state == state))
    }
}

/// Judges the retries of a client.
pub fn judge(turn: &mut Turn<'_, '_>) {
    let envelope = turn.envelope;
    if envelope.kind != Kind::Request || turn.case.from != Party::Client || !turn.era.is_modern() {
        return;
    }
    let (state, responses) = (envelope.param("requestState"), envelope.param("inputResponses"));
    let Some(place) = state.or(responses) else { return };
    let Some(print) = Print::of(&envelope) else {
        // The members that carry a task on are its own.
        if !envelope.has_method("tasks/update") {
            let rule = "mrtr-params-only-on-supported-methods";
            turn.refuse(Reason::RetryUnasked, rule, Some(place), Weight::StrictOnly);
        }
        return;
    };
    let memory = turn.memory;
    let Some(interim) = memory.interims.find(&print, state.and_then(print::of_string)) else {
        // Another connection may have seen the first hop.
        if memory.unknown().is_some() {
            turn.refuse(Reason::RetryUnasked, "mrtr-fields-scoped-to-retry", Some(place), Weight::StrictOnly);
        }
        return;
    };
    if !interim.print.calls_the_same(&print) {
        return turn.refuse(Reason::RetryParams, "mrtr-fields-scoped-to-retry", Some(place), Weight::Full);
    }
    if envelope.id.and_then(asked::key_of).as_ref() == Some(&interim.id) {
        turn.refuse(Reason::RetryId, "mrtr-retry-uses-new-id", envelope.id, Weight::Full);
    }
    match (interim.state, state) {
        (None, Some(state)) => {
            turn.refuse(Reason::RetryState, "mrtr-request-state-absent-not-sent", Some(state), Weight::Full);
        }
        (Some(_), None) => {
            turn.refuse(Reason::RetryState, "mrtr-request-state-echoed-exactly", responses, Weight::Full)
        }
        (Some(owed), Some(state)) if print::of_string(state) != Some(owed) => {
            turn.refuse(Reason::RetryState, "mrtr-request-state-echoed-exactly", Some(state), Weight::Full);
        }
        _ => {}
    }
    if interim.print.params != print.params {
        turn.refuse(Reason::RetryParams, "mrtr-retry-repeats-original-params", envelope.params, Weight::Full);
    }
    inputs(turn, interim, responses);
}

/// A key that is left out may be asked for again, so only `strict` minds; an answer of another kind is a breach.
fn inputs(turn: &mut Turn<'_, '_>, interim: &Interim, responses: Option<Value<'_>>) {
    let Some(owed) = &interim.inputs else { return };
    let given: std::collections::HashMap<u64, Value<'_>> = responses
        .into_iter()
        .flat_map(Value::members)
        .map(|(name, value)| (print::of_text(&name.decode()), value))
        .collect();
    for (key, kind) in owed {
        match (given.get(key), kind) {
            (None, _) => {
                let rule = "mrtr-responses-cover-all-keys";
                return turn.refuse(Reason::RetryResponses, rule, responses, Weight::StrictOnly);
            }
            (Some(value), Some(kind)) if answered_with(*value).is_some_and(|given| given != *kind) => {
                let rule = "mrtr-response-kind-matches-request";
                return turn.refuse(Reason::RetryResponses, rule, Some(*value), Weight::Full);
            }
            _ => {}
        }
    }
}

fn asked_for(request: Value<'_>) -> Option<Input> {
    let method = request.get("method")?.as_text()?;
    [
        ("elicitation/create", Input::Elicitation),
        ("sampling/createMessage", Input::Sampling),
        ("roots/list", Input::Roots),
    ]
    .into_iter()
    .find_map(|(name, kind)| method.is(name).then_some(kind))
}

/// An answer does not name its kind, so the members that only one kind has tell.
fn answered_with(response: Value<'_>) -> Option<Input> {
    response.members().find_map(|(name, _)| {
        [("action", Input::Elicitation), ("roots", Input::Roots), ("role", Input::Sampling), ("model", Input::Sampling)]
            .into_iter()
            .find_map(|(member, kind)| name.is(member).then_some(kind))
    })
}
