//! Signals to an era: unreadable first, disagreement second, classification last.

use super::header::Field;
use super::meta::BodyVersion;
use crate::case::Revision;

/// The five revisions that are known, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KnownRevision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

impl KnownRevision {
    /// Every known revision, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The ten characters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The known revision of that text, compared exactly.
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == text)
    }

    /// Whether requests carry their own metadata: 2026-07-28.
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }
}

/// Why an era is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnknownEra {
    /// Nothing names one.
    NoSignal,
    /// A date that is none of the five.
    UnsupportedRevision(Revision),
    /// A signal that cannot be read.
    MalformedSignal,
}

impl UnknownEra {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoSignal => "no-signal",
            Self::UnsupportedRevision(_) => "unsupported-revision",
            Self::MalformedSignal => "malformed-signal",
        }
    }
}

/// What the signals of a message resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// One of the five.
    Known(KnownRevision),
    /// None, and why.
    Unknown(UnknownEra),
    /// Header and body name two dates.
    Conflicting {
        /// What the version header says.
        header: Revision,
        /// What the body says.
        body: Revision,
    },
}

impl Era {
    /// Whether it is known and modern.
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::Known(revision) if revision.is_modern())
    }

    /// Whether it is known and legacy.
    pub const fn is_legacy(self) -> bool {
        matches!(self, Self::Known(revision) if !revision.is_modern())
    }
}

/// Everything that may name an era.
#[derive(Clone, Copy, Debug)]
pub struct Signals<'a> {
    /// The version header, without white space at its edges.
    pub header: Field<'a>,
    /// The version key of the body.
    pub body: BodyVersion<'a>,
    /// What the session established; used only where nothing else names an era.
    pub context: Option<Revision>,
}

/// Resolves the signals of one message.
pub fn resolve(signals: &Signals<'_>) -> Era {
    let malformed = Era::Unknown(UnknownEra::MalformedSignal);
    let header = match signals.header.value {
        None => None,
        Some(_) => match signals.header.readable().and_then(Revision::parse) {
            None => return malformed,
            date => date,
        },
    };
    let body = match signals.body {
        BodyVersion::Absent => None,
        BodyVersion::NoObject(_) | BodyVersion::NoString(_) => return malformed,
        BodyVersion::Text(_, text) => match Revision::parse(text.decode().as_bytes()) {
            None => return malformed,
            date => date,
        },
    };
    match (header, body) {
        (Some(header), Some(body)) if header != body => Era::Conflicting { header, body },
        (Some(date), _) | (None, Some(date)) => classify(date),
        (None, None) => signals.context.map_or(Era::Unknown(UnknownEra::NoSignal), classify),
    }
}

fn classify(date: Revision) -> Era {
    KnownRevision::of(date.as_str()).map_or(Era::Unknown(UnknownEra::UnsupportedRevision(date)), Era::Known)
}
