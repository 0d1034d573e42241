//! What is at a place of a document that was read?
//!
//! Views over the tape and the input, cheap to copy. Numbers keep their spelling and strings their escapes; nothing is
//! converted before it is asked for.

use super::tape::{Node, Tag, after};
use super::text::Text;

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

/// A document that passed every check of syntax, limits and duplicates.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub(super) bytes: &'a [u8],
    /// Never empty: the root is at index 0.
    pub(super) tape: &'a [Node],
}

impl<'a> Document<'a> {
    /// The root value.
    pub fn root(self) -> Value<'a> {
        Value { document: self, index: 0 }
    }

    /// How many nodes the document has: values and member names.
    pub fn nodes(self) -> usize {
        self.tape.len()
    }

    /// The bytes that were read, with the white space around the root.
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }
}

/// One value of a document. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    document: Document<'a>,
    index: usize,
}

impl<'a> Value<'a> {
    /// What it is.
    pub fn kind(self) -> ValueKind {
        match self.node().tag() {
            Tag::Null => ValueKind::Null,
            Tag::False | Tag::True => ValueKind::Bool,
            Tag::Number => ValueKind::Number,
            Tag::Plain | Tag::Escaped => ValueKind::String,
            Tag::Array => ValueKind::Array,
            Tag::Object => ValueKind::Object,
        }
    }

    /// Where it starts, in bytes from the start of the document.
    pub fn offset(self) -> usize {
        self.node().start()
    }

    /// The bytes of the value as written, containers whole, strings with their quotes.
    ///
    /// The end of a container is looked for, at a cost of at most its own length.
    pub fn raw(self) -> &'a [u8] {
        let node = self.node();
        let end = if node.is_container() { self.container_end() } else { scalar_end(node) };
        &self.document.bytes[node.start()..end]
    }

    /// The text of a string.
    pub fn as_text(self) -> Option<Text<'a>> {
        matches!(self.node().tag(), Tag::Plain | Tag::Escaped).then(|| self.text())
    }

    /// The spelling of a number.
    pub fn as_number(self) -> Option<&'a str> {
        if self.node().tag() != Tag::Number {
            return None;
        }
        std::str::from_utf8(self.raw()).ok()
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        match self.node().tag() {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.node().tag() == Tag::Object
    }

    /// The member of that name, compared after unescaping; `None` also when it is no object.
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        self.members().find(|(text, _)| text.is(name)).map(|(_, value)| value)
    }

    /// The last member of that name. Differs from [`Value::get`] only where duplicates were let through.
    #[doc(hidden)]
    pub fn get_last(self, name: &str) -> Option<Value<'a>> {
        self.members().filter(|(text, _)| text.is(name)).last().map(|(_, value)| value)
    }

    /// The members of an object in order; nothing when it is no object.
    pub fn members(self) -> impl Iterator<Item = (Text<'a>, Value<'a>)> {
        self.members_with_offsets().map(|(_, name, value)| (name, value))
    }

    /// The members of an object in order, each with the offset of its name's opening quote.
    pub fn members_with_offsets(self) -> impl Iterator<Item = (usize, Text<'a>, Value<'a>)> {
        let Document { tape, .. } = self.document;
        let mut index = self.index + 1;
        let end = if self.is_object() { self.node().end() } else { index };
        std::iter::from_fn(move || {
            let name = (index < end).then_some(Value { document: self.document, index })?;
            let value = Value { document: self.document, index: index + 1 };
            index = after(tape, index + 1);
            Some((name.offset(), name.text(), value))
        })
    }

    /// How many members an object has; zero when it is no object.
    pub fn member_count(self) -> usize {
        self.members_with_offsets().count()
    }

    /// The elements of an array in order; nothing when it is no array.
    pub fn elements(self) -> impl Iterator<Item = Value<'a>> {
        let Document { tape, .. } = self.document;
        let mut index = self.index + 1;
        let end = if self.node().tag() == Tag::Array { self.node().end() } else { index };
        std::iter::from_fn(move || {
            let value = (index < end).then_some(Value { document: self.document, index })?;
            index = after(tape, index);
            Some(value)
        })
    }

    fn node(self) -> Node {
        self.document.tape[self.index]
    }

    fn text(self) -> Text<'a> {
        let node = self.node();
        Text::of_node(node.inside(self.document.bytes), node.tag() == Tag::Escaped)
    }

    /// The last descendant is followed by the closing brackets of all containers that end with it, this one last.
    fn container_end(self) -> usize {
        let Document { bytes, tape } = self.document;
        let end = self.node().end();
        let closing = tape[self.index..end].iter().filter(|node| node.is_container() && node.end() == end).count();
        let last = tape[end - 1];
        let from = if last.is_container() { last.start() + 1 } else { scalar_end(last) };
        let brackets = bytes[from..].iter().enumerate().filter(|(_, byte)| matches!(byte, b']' | b'}'));
        brackets.take(closing).last().map_or(from, |(at, _)| from + at + 1)
    }
}

fn scalar_end(node: Node) -> usize {
    let quotes = if matches!(node.tag(), Tag::Plain | Tag::Escaped) { 2 } else { 0 };
    node.start() + node.length() + quotes
}

#[cfg(test)]
mod tests {
    use super::super::Decoder;
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn every_value_gives_back_its_bytes() {
        let text = r#" {"a" : [ 1 , -2.50e+1 , "x\n" , [ ] , [ [ { } ] ] ] , "b":{"c":{"d":[true,false,null ] } } } "#;
        let mut decoder = Decoder::new();
        let document = decoder.read(text.as_bytes(), &Limits::message()).expect("it is well formed");
        let root = document.root();
        let a = root.get("a").expect("it has a");
        let raw: Vec<_> = a.elements().map(|value| String::from_utf8_lossy(value.raw())).collect();
        assert_eq!(raw, ["1", "-2.50e+1", r#""x\n""#, "[ ]", "[ [ { } ] ]"]);
        assert_eq!(root.raw(), text.trim().as_bytes());
        assert_eq!(root.get("b").expect("it has b").raw(), br#"{"c":{"d":[true,false,null ] } }"#);
        assert_eq!(a.elements().nth(1).and_then(|value| value.as_number()), Some("-2.50e+1"));
        let offsets: Vec<_> = root.members_with_offsets().map(|(offset, ..)| offset).collect();
        assert_eq!(offsets, [2, text.find("\"b\"").expect("it is there")]);
        assert_eq!((root.member_count(), a.member_count(), document.nodes()), (2, 0, 19));
    }

    #[test]
    fn a_scalar_has_its_kind_and_nothing_inside() {
        let mut decoder = Decoder::new();
        for (text, kind) in [
            ("null", ValueKind::Null),
            ("true", ValueKind::Bool),
            ("0", ValueKind::Number),
            ("\"\"", ValueKind::String),
            ("[]", ValueKind::Array),
            ("{}", ValueKind::Object),
        ] {
            let root = decoder.read(text.as_bytes(), &Limits::message()).expect("it is well formed").root();
            assert_eq!((root.kind(), root.raw(), root.offset()), (kind, text.as_bytes(), 0));
            assert!(root.get("").is_none() && root.elements().next().is_none());
            assert_eq!(root.as_number().is_some(), kind == ValueKind::Number);
            assert_eq!(root.as_text().is_some(), kind == ValueKind::String);
            assert_eq!(root.as_bool().is_some(), kind == ValueKind::Bool);
        }
    }

    #[test]
    fn a_twin_that_lets_duplicates_through_finds_the_first_and_the_last() {
        let mut decoder = Decoder::new();
        let document =
            decoder.read_with_duplicates(br#"{"a":1,"\u0061":2}"#, &Limits::message()).expect("it is let through");
        let number = |value: Option<Value<'_>>| value.and_then(|value| value.as_number().map(str::to_string));
        assert_eq!(number(document.root().get("a")).as_deref(), Some("1"));
        assert_eq!(number(document.root().get_last("a")).as_deref(), Some("2"));
    }
}
