//! The JSON-RPC shape of a message.

/// What a message is by its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A method with an id.
    Request,
    /// A method without an id.
    Notification,
    /// A response that holds a result.
    Result,
    /// A response that holds an error.
    Error,
}

impl Kind {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result => "result",
            Self::Error => "error",
        }
    }
}
