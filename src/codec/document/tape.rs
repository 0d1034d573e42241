//! How is one value kept? As eight bytes that point into the input.
//!
//! A node holds what the value is, where it starts, and either the length of its spelling or the index one past its
//! last descendant. Nothing is decoded here, and there is no node for the end of a container: where the closing
//! bracket stands follows from the last descendant.

/// What a node is. The order matters to [`Tag::is_container`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    Null = 0,
    False = 1,
    True = 2,
    Number = 3,
    /// A string or name without escapes.
    Plain = 4,
    /// A string or name with at least one escape.
    Escaped = 5,
    Array = 6,
    Object = 7,
}

const START_BITS: u32 = 28;
const START_MASK: u64 = (1 << START_BITS) - 1;
/// An index below 64 Mi, so six bits of the upper half are free while a container is open.
const INDEX_BITS: u32 = 26;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

/// One value or member name: start (28 bits), tag (4 bits), length or end (32 bits).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node(u64);

impl Node {
    /// A scalar or name that starts at `start`; `length` is the bytes of a number, or those between two quotes.
    #[inline(always)]
    pub(super) fn new(tag: Tag, start: usize, length: usize) -> Self {
        Self(start as u64 | (tag as u64) << START_BITS | (length as u64) << 32)
    }

    /// An open container inside `parent`. While it is open the upper half remembers the parent and, once a child is
    /// entered, how many members it has so far.
    #[inline(always)]
    pub(super) fn open(tag: Tag, start: usize, parent: usize) -> Self {
        Self::new(tag, start, parent)
    }

    /// Remembers up to 63 in the bits that the parent's index leaves free.
    #[inline(always)]
    pub(super) fn with_note(self, note: u32) -> Self {
        Self(self.0 & !(u64::from(!INDEX_MASK) << 32) | u64::from(note << INDEX_BITS) << 32)
    }

    /// What [`Node::with_note`] remembered.
    #[inline(always)]
    pub(super) fn note(self) -> u32 {
        self.upper() >> INDEX_BITS
    }

    /// The parent of an open container.
    #[inline(always)]
    pub(super) fn parent(self) -> usize {
        (self.upper() & INDEX_MASK) as usize
    }

    /// Closes a container whose last descendant is just before `end`.
    #[inline(always)]
    pub(super) fn closed(self, end: usize) -> Self {
        Self(self.0 & u64::from(u32::MAX) | (end as u64) << 32)
    }

    #[inline(always)]
    pub(super) fn tag(self) -> Tag {
        match (self.0 >> START_BITS) & 7 {
            0 => Tag::Null,
            1 => Tag::False,
            2 => Tag::True,
            3 => Tag::Number,
            4 => Tag::Plain,
            5 => Tag::Escaped,
            6 => Tag::Array,
            _ => Tag::Object,
        }
    }

    #[inline(always)]
    pub(super) fn is_container(self) -> bool {
        self.tag() as u8 >= Tag::Array as u8
    }

    /// The offset of the first byte: an opening quote or bracket, a sign, a digit or a letter.
    #[inline(always)]
    pub(super) fn start(self) -> usize {
        (self.0 & START_MASK) as usize
    }

    /// Bytes of a number, or between the quotes of a string.
    #[inline(always)]
    pub(super) fn length(self) -> usize {
        self.upper() as usize
    }

    /// The index one past the last descendant of a closed container.
    #[inline(always)]
    pub(super) fn end(self) -> usize {
        self.upper() as usize
    }

    /// The bytes between the quotes of a string or name.
    #[inline(always)]
    pub(super) fn inside(self, bytes: &[u8]) -> &[u8] {
        let start = self.start() + 1;
        &bytes[start..start + self.length()]
    }

    #[inline(always)]
    fn upper(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// The index of the node after the value at `index`, with all that is inside it.
#[inline(always)]
pub(super) fn after(tape: &[Node], index: usize) -> usize {
    let node = tape[index];
    if node.is_container() { node.end() } else { index + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_gives_back_what_it_was_made_of() {
        for tag in [Tag::Null, Tag::False, Tag::True, Tag::Number, Tag::Plain, Tag::Escaped, Tag::Array, Tag::Object] {
            let start = crate::limits::Limits::MAX_BYTES - 1;
            let node = Node::new(tag, start, start);
            assert_eq!((node.tag(), node.start(), node.length()), (tag, start, start));
        }
    }

    #[test]
    fn a_note_leaves_the_parent_alone_and_the_other_way_round() {
        let node = Node::open(Tag::Object, 7, (1 << 26) - 1).with_note(63);
        assert_eq!((node.parent(), node.note(), node.start()), ((1 << 26) - 1, 63, 7));
        assert_eq!(node.with_note(5).note(), 5);
        assert_eq!(node.closed(9).end(), 9);
        assert_eq!(node.closed(9).tag(), Tag::Object);
    }

    #[test]
    fn a_node_takes_eight_bytes() {
        assert_eq!(size_of::<Node>(), 8);
    }
}
