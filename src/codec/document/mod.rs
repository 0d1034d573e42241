//! Bytes to a bounded document, in one pass.
//!
//! Placeholder interface; the implementation follows.

use std::borrow::Cow;

use super::refusal::Refusal;
use crate::limits::Limits;

/// What a JSON value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, as spelled.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// Reads documents one after another without allocating once warm.
#[derive(Debug, Default)]
pub struct Decoder {}

impl Decoder {
    /// A decoder that holds no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads one document.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes, in stage `bytes` or `json`, with its offset.
    pub fn read<'a>(&'a mut self, _bytes: &'a [u8], _limits: &Limits) -> Result<Document<'a>, Refusal> {
        unreachable!("placeholder")
    }
}

/// A document that passed every check of syntax, limits and duplicates.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    bytes: &'a [u8],
}

impl<'a> Document<'a> {
    /// The root value.
    pub fn root(self) -> Value<'a> {
        Value { bytes: self.bytes, index: 0 }
    }

    /// How many nodes the document has: values and member names.
    pub fn nodes(self) -> usize {
        0
    }
}

/// One value of a document. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    bytes: &'a [u8],
    index: usize,
}

impl<'a> Value<'a> {
    /// What it is.
    pub fn kind(self) -> ValueKind {
        ValueKind::Null
    }

    /// Where it starts, in bytes from the start of the document.
    pub fn offset(self) -> usize {
        self.index
    }

    /// The bytes of the value as written, containers whole, strings with their quotes.
    pub fn raw(self) -> &'a [u8] {
        self.bytes
    }

    /// The text of a string.
    pub fn as_text(self) -> Option<Text<'a>> {
        None
    }

    /// The spelling of a number.
    pub fn as_number(self) -> Option<&'a str> {
        None
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        None
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == ValueKind::Object
    }

    /// The member of that name, compared after unescaping; `None` also when it is no object.
    pub fn get(self, _name: &str) -> Option<Value<'a>> {
        None
    }

    /// The members of an object in order; nothing when it is no object.
    pub fn members(self) -> impl Iterator<Item = (Text<'a>, Value<'a>)> {
        std::iter::empty()
    }

    /// The elements of an array in order; nothing when it is no array.
    pub fn elements(self) -> impl Iterator<Item = Value<'a>> {
        std::iter::empty()
    }
}

/// The text of a string or member name, as written between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    raw: &'a [u8],
}

impl<'a> Text<'a> {
    /// The text that those bytes between quotes spell; they must be the inside of a valid JSON string.
    pub fn of_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// The bytes between the quotes, escapes as written.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The characters that it stands for; borrowed when nothing is escaped.
    pub fn decode(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.raw)
    }

    /// Whether it stands for exactly this text.
    pub fn is(self, text: &str) -> bool {
        self.decode() == text
    }
}
