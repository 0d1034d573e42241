//! `_meta` and what a client declares in it.

use super::era::resolve;
use super::scan::{Piece, Sort};
use super::seen::{CAPABILITIES_KEY, Seen, Signal, VERSION_KEY};
use super::verdict::{HELD, HIDDEN, VACUOUS, broken, equals};
use super::{Check, Invariant, Verdict};
use crate::codec::era::{Era, UnknownEra};
use crate::codec::meta::{Advertised, Capabilities, CapabilityState};
use crate::observation::Observation;
use crate::requirement::Level;

/// The invariants of this family.
pub const FAMILY: &[Invariant] = &[
    Invariant {
        id: "meta.key-grammar",
        requirements: &["meta-reserved-key-spelling-exact", "meta-key-prefix-is-dotted-labels-slash"],
        level: Level::Must,
        rule: "A member of _meta that is not exactly the version key never acts as a signal of the era.",
        check: Check::Alone(key_grammar),
    },
    Invariant {
        id: "meta.capabilities-by-types",
        requirements: &["capabilities-values-are-objects", "capabilities-open-set"],
        level: Level::Must,
        rule: "Capabilities are read by the types of their core members, in any order, and by nothing else.",
        check: Check::Alone(capabilities_by_types),
    },
    Invariant {
        id: "meta.extensions-by-object",
        requirements: &["extension-settings-object", "extension-tasks-capability-identifier"],
        level: Level::Must,
        rule: "An extension counts as advertised by its exact identifier, and as understood only with an object.",
        check: Check::Alone(extensions_by_object),
    },
];

const TASKS: &str = "io.modelcontextprotocol/tasks";

/// What the capabilities of a request are.
pub fn declared(seen: &Seen<'_>) -> Capabilities {
    let state = |state| Capabilities::of(state);
    let is_object = |piece: Piece<'_>| piece.sort() == Sort::Object;
    match (seen.params(), seen.meta(), seen.capabilities()) {
        (None, _, _) => state(CapabilityState::None),
        (Some(params), _, _) if !is_object(params) => state(CapabilityState::Malformed),
        (_, None, _) => state(CapabilityState::None),
        (_, Some(meta), _) if !is_object(meta) => state(CapabilityState::Malformed),
        (_, _, None) => state(CapabilityState::Absent),
        (_, _, Some(set)) if !is_object(set) => state(CapabilityState::Malformed),
        (_, _, Some(set)) => members_of(set),
    }
}

fn members_of(set: Piece<'_>) -> Capabilities {
    let mut advertised = Advertised::default();
    for (name, value) in set.members() {
        let name = name.text().unwrap_or_default();
        let is_object = value.sort() == Sort::Object;
        match name.as_ref() {
            "elicitation" | "roots" | "sampling" | "experimental" | "extensions" if !is_object => {
                return Capabilities::of(CapabilityState::Malformed);
            }
            "elicitation" | "roots" | "sampling" => {}
            "experimental" => advertised.other_member |= value.members().next().is_some(),
            "extensions" => {
                for (id, settings) in value.members() {
                    match (id.is(TASKS), settings.sort() == Sort::Object) {
                        (true, true) => advertised.tasks = true,
                        (true, false) => advertised.tasks_without_object = true,
                        (false, _) => advertised.other_extension = true,
                    }
                }
            }
            _ => advertised.other_member = true,
        }
    }
    let state = match advertised == Advertised::default() {
        true => CapabilityState::CoreOnly,
        false => CapabilityState::ExtensionNotUnderstood,
    };
    Capabilities { state, advertised, inputs: None }
}

fn key_grammar(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let odd = |name: Piece<'_>| {
        let name = name.text().unwrap_or_default();
        let bare = |key: &str| name.to_ascii_lowercase().ends_with(&key[key.len() - 15..].to_ascii_lowercase());
        name != VERSION_KEY && name != CAPABILITIES_KEY && (bare(VERSION_KEY) || bare(CAPABILITIES_KEY))
    };
    let has_odd = seen.meta().is_some_and(|meta| meta.members().any(|(name, _)| odd(name)));
    if !has_odd || !seen.is_client_request() || seen.body_signal() != Signal::Absent {
        return VACUOUS;
    }
    match resolve(seen) {
        Some(owed) => match observation.era {
            None => HIDDEN,
            Some(shown) if shown == owed => HELD,
            Some(Era::Unknown(UnknownEra::NoSignal)) => {
                broken("other-era", "the era of the other signals", "no signal")
            }
            Some(_) => broken("acted", "a key of another spelling ignored", "an era that the key named"),
        },
        None => VACUOUS,
    }
}

fn capabilities_by_types(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    match seen.lone && seen.is_client_request() {
        true => equals("other-state", observation.capabilities.map(|set| set.state), declared(seen).state, |state| {
            state.word().to_owned()
        }),
        false => VACUOUS,
    }
}

fn extensions_by_object(seen: &Seen<'_>, observation: &Observation) -> Verdict {
    let owed = declared(seen);
    if !seen.lone || !seen.is_client_request() || owed.state != CapabilityState::ExtensionNotUnderstood {
        return VACUOUS;
    }
    match observation.capabilities {
        None => HIDDEN,
        Some(shown) if shown.advertised == owed.advertised => HELD,
        Some(_) => broken("other-extensions", "the extensions that are advertised with an object", "another set"),
    }
}
