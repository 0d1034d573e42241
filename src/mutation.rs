//! What was done to a case to make it wrong, or to keep it right in another way.

/// The id of a requirement in [`crate::requirement`].
pub type RequirementId = &'static str;

/// One edit and the rules that it breaks. An edit that breaks none is lawful: the case must still be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// The name of the operator that made it.
    pub operator: &'static str,
    /// Where: a JSON pointer into the body, or `header:` and a field name.
    pub path: String,
    /// The requirements that the edit breaks.
    pub breaks: Vec<RequirementId>,
}

/// A value and what was done to it. The text form of a case knows nothing of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated<T> {
    /// The case or session.
    pub value: T,
    /// What was done to it, in order; empty for a lawful one.
    pub mutations: Vec<Mutation>,
}

impl<T> Generated<T> {
    /// A value that nothing was done to.
    pub const fn lawful(value: T) -> Self {
        Self { value, mutations: Vec::new() }
    }
}
