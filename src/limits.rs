//! How much of a message is read before it is refused.
//!
//! Every field is inclusive: a document at the limit is read, one past it is refused. Each field names the one
//! [`Reason`] that it causes, so that a bound and its refusal cannot drift apart.

use crate::codec::refusal::Reason;

/// The bounds under which a document is read. All are inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole document. Causes [`Reason::ByteLimit`]. At most [`Limits::MAX_BYTES`].
    pub bytes: usize,
    /// Containers inside one another; the root container is at depth 1. Causes [`Reason::DepthLimit`].
    pub depth: usize,
    /// Values and member names of the whole document. Causes [`Reason::NodeLimit`].
    pub nodes: usize,
    /// Members of one object. Causes [`Reason::MemberLimit`].
    pub members: usize,
    /// Bytes between the quotes of one string or member name, as written. Causes [`Reason::StringLimit`].
    pub string: usize,
    /// Characters of one number, as written. Causes [`Reason::NumberLimit`].
    pub number: usize,
}

impl Limits {
    /// The largest document that the reader can address: 64 MiB.
    pub const MAX_BYTES: usize = 64 << 20;

    /// The limits for one message on the wire.
    pub const fn message() -> Self {
        Self { bytes: 4 << 20, depth: 64, nodes: 1 << 20, members: 1 << 16, string: 2 << 20, number: 1024 }
    }

    /// The limits for a recorded transcript, which wraps many messages in one document.
    pub const fn transcript() -> Self {
        Self { bytes: 16 << 20, nodes: 1 << 24, string: 16 << 20, ..Self::message() }
    }

    /// Every limit as far as the reader can go; for measuring how cost grows.
    pub const fn raised() -> Self {
        Self {
            bytes: Self::MAX_BYTES,
            depth: Self::MAX_BYTES,
            nodes: Self::MAX_BYTES,
            members: Self::MAX_BYTES,
            string: Self::MAX_BYTES,
            number: Self::MAX_BYTES,
        }
    }

    /// Each limit with its name, its value and the refusal that it causes.
    pub const fn rows(&self) -> [(&'static str, usize, Reason); 6] {
        [
            ("bytes", self.bytes, Reason::ByteLimit),
            ("depth", self.depth, Reason::DepthLimit),
            ("nodes", self.nodes, Reason::NodeLimit),
            ("members", self.members, Reason::MemberLimit),
            ("string", self.string, Reason::StringLimit),
            ("number", self.number, Reason::NumberLimit),
        ]
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::message()
    }
}
