//! The rules carried in the project: level, basis, statement, citation.

/// The RFC 2119 word of a rule, or this project's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// MUST
    Must,
    /// MUST NOT
    MustNot,
    /// SHOULD
    Should,
    /// SHOULD NOT
    ShouldNot,
    /// MAY
    May,
    /// A rule of this project, stricter than the text.
    Project,
}

impl Level {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::MustNot => "MUST NOT",
            Self::Should => "SHOULD",
            Self::ShouldNot => "SHOULD NOT",
            Self::May => "MAY",
            Self::Project => "PROJECT",
        }
    }
}
