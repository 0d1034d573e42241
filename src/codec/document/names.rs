//! Has this object had this member name before?
//!
//! Names compare by what they stand for, so `a` and `\u0061` are one name. A small object has a filter of 64 bits and
//! is walked when the filter cannot rule the name out; a wide one has a hash table of its own, keyed so that nobody
//! who does not know the key can make names collide. The answer never depends on the key, only the cost does.

use std::hash::{BuildHasher, RandomState};

use super::tape::{Node, Tag, after};
use super::text;

/// Members up to which an object is walked instead of hashed. It must fit the note of a node, with [`WIDE`] above it.
pub(super) const SMALL: usize = 16;
/// The note of an open object that has a [`Wide`] record.
pub(super) const WIDE: u32 = 32;
/// Levels whose filter is kept while something inside them is read. Deeper objects go without, at a constant cost.
const FILTERS: usize = 64;
/// Room in front of a decoded name, so that its last eight bytes can always be loaded.
const FRONT: usize = 8;
const INDEX_BITS: u32 = 26;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

/// Members of the object that is being read, so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Members {
    /// How many.
    pub(super) count: usize,
    /// One bit for each fingerprint seen. All ones rules nothing out.
    filter: u64,
}

impl Members {
    /// Whether the object has a [`Wide`] record.
    #[inline(always)]
    pub(super) fn is_wide(self) -> bool {
        self.count > SMALL
    }
}

/// An open object with more than [`SMALL`] members.
#[derive(Clone, Copy, Debug)]
struct Wide {
    count: u32,
    base: u32,
    /// Slots of the table, a power of two; zero when duplicates are not looked for.
    slots: u32,
}

/// The memory of open objects, kept from one document to the next.
#[derive(Debug)]
pub(super) struct Names {
    key: Option<[u64; 2]>,
    /// Tables of the open wide objects, innermost last: index of a name, and six bits of its hash above.
    slots: Vec<u32>,
    wide: Vec<Wide>,
    decoded: Vec<u8>,
    filters: [u64; FILTERS],
}

impl Default for Names {
    fn default() -> Self {
        Self { key: None, slots: Vec::new(), wide: Vec::new(), decoded: Vec::new(), filters: [0; FILTERS] }
    }
}

impl Names {
    /// With a key that is chosen by the caller.
    pub(super) fn with_key(key: [u64; 2]) -> Self {
        Self { key: Some(key), ..Self::default() }
    }

    /// Forgets the objects of the last document, which may have ended anywhere.
    pub(super) fn clear(&mut self) {
        self.wide.clear();
        self.slots.clear();
    }

    /// Notes the members of an object at `depth` before something inside it is read; gives the note for its node.
    #[inline(always)]
    pub(super) fn leave(&mut self, members: Members, depth: usize) -> u32 {
        if let Some(filter) = self.filters.get_mut(depth) {
            *filter = members.filter;
        }
        if members.is_wide() {
            self.leave_wide(members);
            return WIDE;
        }
        members.count as u32
    }

    /// The members of an object at `depth` again, after something inside it was read.
    #[inline(always)]
    pub(super) fn enter(&self, note: u32, depth: usize) -> Members {
        let filter = self.filters.get(depth).copied().unwrap_or(u64::MAX);
        if note == WIDE {
            let count = self.wide.last().map_or(0, |wide| wide.count as usize);
            return Members { count, filter };
        }
        Members { count: note as usize, filter }
    }

    /// Forgets the table of a wide object that ends.
    #[cold]
    pub(super) fn close_wide(&mut self) {
        if let Some(wide) = self.wide.pop() {
            self.slots.truncate(wide.base as usize);
        }
    }

    /// Takes the name at `index`, which is spelled from `start` to `end`, into the object at `object`. `false` when the
    /// object had it before.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "they are at hand, and reading them from the tape again costs")]
    pub(super) fn insert<const UNIQUE: bool>(
        &mut self,
        bytes: &[u8],
        tape: &[Node],
        object: usize,
        index: usize,
        members: &mut Members,
        tag: Tag,
        start: usize,
        end: usize,
    ) -> bool {
        if members.count >= SMALL {
            return self.insert_wide::<UNIQUE>(bytes, tape, object, index, members);
        }
        members.count += 1;
        if !UNIQUE {
            return true;
        }
        let bit = if tag == Tag::Plain {
            fingerprint(bytes, start, end)
        } else {
            self.decoded_fingerprint(&bytes[start..end])
        };
        if members.filter & bit != 0 && walk(bytes, tape, object, index) {
            return false;
        }
        members.filter |= bit;
        true
    }

    #[cold]
    fn leave_wide(&mut self, members: Members) {
        if let Some(wide) = self.wide.last_mut() {
            wide.count = members.count as u32;
        }
    }

    #[inline(never)]
    fn decoded_fingerprint(&mut self, raw: &[u8]) -> u64 {
        self.decode(raw);
        fingerprint(&self.decoded, FRONT, self.decoded.len())
    }

    fn decode(&mut self, raw: &[u8]) {
        self.decoded.clear();
        // What an escape stands for is never longer than the escape.
        self.decoded.reserve(FRONT + raw.len());
        self.decoded.extend_from_slice(&[0; FRONT]);
        text::unescape(raw, &mut self.decoded);
    }

    #[inline(never)]
    fn insert_wide<const UNIQUE: bool>(
        &mut self,
        bytes: &[u8],
        tape: &[Node],
        object: usize,
        index: usize,
        members: &mut Members,
    ) -> bool {
        if !members.is_wide() {
            self.wide.push(Wide { count: members.count as u32, base: self.slots.len() as u32, slots: 0 });
        }
        members.count += 1;
        if !UNIQUE {
            return true;
        }
        let Some(&Wide { base, slots, .. }) = self.wide.last() else { return true };
        let (base, slots) = (base as usize, slots as usize);
        if members.count * 2 > slots {
            self.rebuild(bytes, tape, object, index, base, members.count);
        }
        self.place(bytes, tape, index, base)
    }

    /// A table with room for twice the members, with the names of the object before `index`.
    fn rebuild(&mut self, bytes: &[u8], tape: &[Node], object: usize, index: usize, base: usize, count: usize) {
        // The first table is small, since most wide objects are barely wide.
        let slots = (count * if count <= 2 * SMALL { 2 } else { 4 }).next_power_of_two();
        if base == 0 && self.slots.capacity() < slots {
            // Given back first, so that the old and the new table are never there together. Eight times the room
            // keeps the number of allocations small, and no object has more names than the rest of the input spells.
            let most = (count + (bytes.len() - tape[index].start()) / 5 + 1) * 2;
            let room = (slots * 4).min(most.next_power_of_two()).max(slots);
            self.slots = Vec::new();
            self.slots = Vec::with_capacity(room);
        }
        self.slots.truncate(base);
        self.slots.resize(base + slots, 0);
        if let Some(wide) = self.wide.last_mut() {
            wide.slots = slots as u32;
        }
        let mut name = object + 1;
        while name < index {
            self.place(bytes, tape, name, base);
            name = after(tape, name + 1);
        }
    }

    /// Puts a name into the innermost table. `false` when it is there already.
    fn place(&mut self, bytes: &[u8], tape: &[Node], index: usize, base: usize) -> bool {
        let node = tape[index];
        let key = *self.key.get_or_insert_with(random_key);
        let hash = if node.tag() == Tag::Plain {
            keyed_hash(node.inside(bytes), key)
        } else {
            self.decode(node.inside(bytes));
            keyed_hash(&self.decoded[FRONT..], key)
        };
        let table = &mut self.slots[base..];
        let mask = table.len() - 1;
        let mark = ((hash >> 58) as u32) << INDEX_BITS;
        let mut slot = hash as usize & mask;
        loop {
            let found = table[slot];
            if found == 0 {
                // No name is at index 0, where the root is.
                table[slot] = mark | index as u32;
                return true;
            }
            if found & !INDEX_MASK == mark && equal(bytes, tape[(found & INDEX_MASK) as usize], node) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// Whether a name before `index` in the object stands for the same text.
#[inline(never)]
fn walk(bytes: &[u8], tape: &[Node], object: usize, index: usize) -> bool {
    let node = tape[index];
    let mut name = object + 1;
    while name < index {
        if equal(bytes, tape[name], node) {
            return true;
        }
        name = after(tape, name + 1);
    }
    false
}

#[inline(always)]
fn equal(bytes: &[u8], a: Node, b: Node) -> bool {
    if a.tag() == Tag::Plain && b.tag() == Tag::Plain {
        return a.length() == b.length() && a.inside(bytes) == b.inside(bytes);
    }
    text::same(a.inside(bytes), b.inside(bytes))
}

/// One of 64 bits, from the length and the last eight bytes of a name.
#[inline(always)]
fn fingerprint(bytes: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    let last = match bytes.get(end.wrapping_sub(8)..end).and_then(|last| last.first_chunk::<8>()) {
        Some(&last) => {
            // In two halves, because an empty name shifts by all 64 bits.
            let half = 4 * (8 - length.min(8) as u32);
            (u64::from_le_bytes(last) >> half) >> half
        }
        None => bytes[start..end].iter().rev().take(8).fold(0, |value, &byte| value << 8 | u64::from(byte)),
    };
    1 << ((last ^ (length as u64) << 59).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58)
}

/// A hash that needs the key to be predicted: chunks multiplied to 128 bits and folded.
#[inline]
fn keyed_hash(name: &[u8], key: [u64; 2]) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let mut hash = key[0] ^ name.len() as u64;
    let mut chunks = name.chunks_exact(8);
    for chunk in &mut chunks {
        let chunk = chunk.try_into().map_or(0, u64::from_le_bytes);
        hash = fold(hash ^ chunk, key[1] | 1).wrapping_add(chunk.rotate_left(32) ^ key[0]);
    }
    let rest = chunks.remainder().iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
    fold(fold(hash ^ rest, key[1] | 1) ^ key[0].rotate_left(17), key[1] ^ 0x2D35_8DCC_AA6C_78A5)
}

#[cold]
fn random_key() -> [u64; 2] {
    let state = RandomState::new();
    [state.hash_one(0u8), state.hash_one(1u8)]
}

#[cfg(test)]
mod tests {
    use super::super::Decoder;
    use super::*;
    use crate::codec::refusal::Reason;
    use crate::limits::Limits;

    fn object(names: impl IntoIterator<Item = String>) -> String {
        let members: Vec<_> = names.into_iter().map(|name| format!("\"{name}\":[{{}}]")).collect();
        format!("{{{}}}", members.join(","))
    }

    fn duplicate(document: &str, key: [u64; 2]) -> Option<usize> {
        let mut decoder = Decoder::with_key(key);
        let refusal = decoder.read(document.as_bytes(), &Limits::raised()).err()?;
        assert_eq!(refusal.reason, Reason::DuplicateMember);
        refusal.offset
    }

    #[test]
    fn a_repeated_name_is_found_at_every_width_and_place_under_every_key() {
        for width in [1, 2, 15, 16, 17, 18, 31, 32, 33, 64, 65, 300] {
            for key in [[0, 0], [1, u64::MAX], [0x1234_5678, 77]] {
                let names = || (0..width).map(|i| format!("name-{i}"));
                assert_eq!(duplicate(&object(names()), key), None);
                for place in [0, width / 2, width - 1] {
                    for spelled in [format!("name-{place}"), format!("\\u006eame-{place}")] {
                        let before = object(names());
                        let document = object(names().chain([spelled]));
                        assert_eq!(duplicate(&document, key), Some(before.len()), "{place} of {width}");
                    }
                }
            }
        }
    }

    #[test]
    fn escaped_names_are_compared_with_each_other_in_wide_objects() {
        let names = || (0..40).map(|i| format!("\\u00e9{i}"));
        assert_eq!(duplicate(&object(names()), [3, 4]), None);
        assert!(duplicate(&object(names().chain(["\u{e9}39".to_string()])), [3, 4]).is_some());
        assert!(duplicate(&object(names().chain(["\\u00E93\\u0039".to_string()])), [3, 4]).is_some());
    }

    #[test]
    fn names_of_one_object_are_no_names_of_another() {
        let wide = object((0..40).map(|i| i.to_string()));
        let nested = format!("{{\"0\":{wide},\"1\":{wide},\"2\":[{wide}]}}");
        assert_eq!(duplicate(&nested, [0, 0]), None);
        let deep = (0..100).fold(wide.clone(), |inner, _| format!("{{\"0\":1,\"1\":{inner},\"2\":3}}"));
        assert_eq!(duplicate(&deep, [0, 0]), None);
        let twice =
            (0..100).fold("{\"a\":{},\"a\":1}".to_string(), |inner, _| format!("{{\"0\":1,\"1\":{inner},\"2\":3}}"));
        assert!(duplicate(&twice, [0, 0]).is_some());
        let after_deep = format!("{{\"a\":{},\"a\":1}}", "[{\"b\":".repeat(80) + "1" + &"}]".repeat(80));
        assert!(duplicate(&after_deep, [0, 0]).is_some());
        let wide_after = format!("{}\"x\":{wide},\"7\":1}}", &wide[..wide.len() - 1].to_string());
        assert!(duplicate(&wide_after.replacen("[{}]\"x\"", "[{}],\"x\"", 1), [0, 0]).is_some());
    }

    #[test]
    fn a_fingerprint_depends_on_the_name_alone() {
        let bytes = b"ab\"ab\"01234567ab\"0123456789";
        assert_eq!(fingerprint(bytes, 0, 2), fingerprint(bytes, 3, 5));
        assert_eq!(fingerprint(bytes, 0, 2), fingerprint(bytes, 14, 16));
        assert_eq!(fingerprint(bytes, 0, 0), fingerprint(bytes, 14, 14));
    }
}
