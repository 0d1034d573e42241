//! `_meta`: key grammar, required keys, trace context, the capability observation.

/// What a request declared beyond the core, and what of it we understand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Advertised {
    /// `io.modelcontextprotocol/tasks` with an object as its value.
    pub tasks: bool,
    /// `io.modelcontextprotocol/tasks` with a value that is no object.
    pub tasks_without_object: bool,
    /// An extension that we do not know.
    pub other_extension: bool,
    /// A non-empty `experimental` map or an unknown top-level member.
    pub other_member: bool,
}

/// The capability observation of a request. `advertised` says more about [`CapabilityState::ExtensionNotUnderstood`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capabilities {
    /// One of the five states.
    pub state: CapabilityState,
    /// What stands beyond the core; all false in any other state.
    pub advertised: Advertised,
}

/// The five states of the capability observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CapabilityState {
    /// There is nothing to observe: no params or no `_meta`, or an orphan response.
    None,
    /// A readable `_meta` without the key.
    Absent,
    /// Nothing beyond the core.
    CoreOnly,
    /// Something beyond the core.
    ExtensionNotUnderstood,
    /// A wrong type.
    Malformed,
}

impl CapabilityState {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Absent => "absent",
            Self::CoreOnly => "core-only",
            Self::ExtensionNotUnderstood => "extension-not-understood",
            Self::Malformed => "malformed",
        }
    }
}

impl Capabilities {
    /// A state with nothing advertised.
    pub const fn of(state: CapabilityState) -> Self {
        let nothing =
            Advertised { tasks: false, tasks_without_object: false, other_extension: false, other_member: false };
        Self { state, advertised: nothing }
    }
}
