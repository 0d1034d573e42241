//! Has this object had this member name before?
//!
//! Names compare by what they stand for, so `a` and `\u0061` are one name. A small object has a filter of 64 bits and
//! is walked when the filter cannot rule the name out; a wide one has a hash table of its own, keyed so that nobody
//! who does not know the key can make names collide. The answer never depends on the key, only the cost does.

use super::hash::{fingerprint, keyed_hash, random_key, spread};
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
/// Names of one [`Group`].
const LANES: usize = 8;
/// The lowest bit of each lane.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each lane, which is set while the lane is free.
const FREE: u64 = ONES << 7;

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

    /// Takes the name at `index`, of that [`fingerprint`](super::hash::fingerprint), into the object at `object`, which
    /// has fewer than [`SMALL`]. `false` when the object had it before.
    #[inline(always)]
    pub(super) fn insert(&mut self, bit: u64, bytes: &[u8], tape: &[Node], object: usize, index: usize) -> bool {
        let is_new = self.filter & bit == 0 || !walk(bytes, tape, object, index);
        self.filter |= bit;
        is_new
    }
}

/// An open object with more than [`SMALL`] members.
#[derive(Clone, Copy, Debug)]
struct Wide {
    count: u32,
    base: u32,
    /// Groups of the table, a power of two; zero before there is one.
    groups: u32,
}

/// Eight places of a hash table, compared at once by seven bits of their hashes.
#[derive(Clone, Copy, Debug)]
struct Group {
    marks: u64,
    names: [u32; LANES],
}

impl Group {
    const EMPTY: Self = Self { marks: FREE, names: [0; LANES] };
}

/// The memory of open objects, kept from one document to the next.
#[derive(Debug)]
pub(super) struct Names {
    key: Option<[u64; 2]>,
    /// Tables of the open wide objects, innermost last.
    groups: Vec<Group>,
    wide: Vec<Wide>,
    decoded: Vec<u8>,
    filters: [u64; FILTERS],
}

impl Default for Names {
    fn default() -> Self {
        Self { key: None, groups: Vec::new(), wide: Vec::new(), decoded: Vec::new(), filters: [0; FILTERS] }
    }
}

impl Names {
    /// With a key that is chosen by the caller.
    pub(super) fn with_key(key: [u64; 2]) -> Self {
        Self { key: Some(spread(key)), ..Self::default() }
    }

    /// Forgets the objects of the last document, which may have ended anywhere.
    pub(super) fn clear(&mut self) {
        self.wide.clear();
        self.groups.clear();
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
            self.groups.truncate(wide.base as usize);
        }
    }

    #[cold]
    fn leave_wide(&mut self, members: Members) {
        if let Some(wide) = self.wide.last_mut() {
            wide.count = members.count as u32;
        }
    }

    /// The fingerprint of what this spelling with an escape stands for.
    pub(super) fn decoded_fingerprint(&mut self, raw: &[u8]) -> u64 {
        let end = self.decode(raw);
        fingerprint(self.decoded[FRONT], self.decoded[end - 1], end - FRONT)
    }

    /// Decodes behind [`FRONT`]; gives where it ends.
    fn decode(&mut self, raw: &[u8]) -> usize {
        // What an escape stands for is never longer than the escape.
        let room = FRONT + raw.len();
        if self.decoded.len() < room {
            self.decoded = Vec::new();
            self.decoded = vec![0; room.next_power_of_two().min(room + room / 2)];
        }
        FRONT + text::unescape(raw, &mut self.decoded[FRONT..])
    }

    /// Takes the name at `index` into the object at `object`, which has `count` members, at least [`SMALL`]. `false`
    /// when the object had it before.
    pub(super) fn insert_wide<const UNIQUE: bool>(
        &mut self,
        bytes: &[u8],
        tape: &[Node],
        object: usize,
        index: usize,
        count: usize,
    ) -> bool {
        if count == SMALL {
            self.wide.push(Wide { count: count as u32, base: self.groups.len() as u32, groups: 0 });
        }
        if !UNIQUE {
            return true;
        }
        let Some(&Wide { base, groups, .. }) = self.wide.last() else { return true };
        // At most half full, so that few groups are.
        if (count + 1) * 2 > groups as usize * LANES {
            self.rebuild(bytes, tape, object, index, base as usize, count + 1);
        }
        self.place(bytes, tape, index, base as usize)
    }

    /// A table with room for more than `count` members, with the names of the object before `index`.
    fn rebuild(&mut self, bytes: &[u8], tape: &[Node], object: usize, index: usize, base: usize, count: usize) {
        let start = tape[index].start();
        let rest = bytes.len() - start;
        // Room for the members that the rest of the input spells if they are like those so far, so that a name is seldom
        // placed again; eight times as many at most, because they need not be.
        let expected = count + rest / ((start - tape[object].start()) / count).max(1);
        let room = if count > 2 * SMALL { expected.min(count * 8) } else { count };
        let groups = (room * 2).next_power_of_two() / LANES;
        if base == 0 && self.groups.capacity() < groups {
            // Given back first, so that the old and the new table are never there together. Four times the room keeps
            // the number of allocations small, and no object has more names than the rest of the input spells.
            let most = (count + rest / 5 + 1) * 2 / LANES;
            let room = (groups * 4).min(most.next_power_of_two()).max(groups);
            self.groups = Vec::new();
            self.groups = Vec::with_capacity(room);
        }
        self.groups.truncate(base);
        self.groups.resize(base + groups, Group::EMPTY);
        if let Some(wide) = self.wide.last_mut() {
            wide.groups = groups as u32;
        }
        let mut name = object + 1;
        while name < index {
            self.place(bytes, tape, name, base);
            name = after(tape, name + 1);
        }
    }

    /// Puts a name into the innermost table. `false` when it is there already.
    #[inline(always)]
    fn place(&mut self, bytes: &[u8], tape: &[Node], index: usize, base: usize) -> bool {
        let node = tape[index];
        let key = *self.key.get_or_insert_with(random_key);
        let hash = if node.tag() == Tag::Plain {
            let start = node.start() + 1;
            keyed_hash(bytes, start, start + node.length(), key)
        } else {
            let end = self.decode(node.inside(bytes));
            keyed_hash(&self.decoded, FRONT, end, key)
        };
        let table = &mut self.groups[base..];
        let mask = table.len() - 1;
        let mark = hash >> 57;
        let mut place = hash as usize & mask;
        loop {
            let group = &mut table[place];
            let differ = group.marks ^ (mark * ONES);
            // Finds every lane that does not differ; a lane above such a one may be found wrongly.
            let mut alike = differ.wrapping_sub(ONES) & !differ & FREE;
            while alike != 0 {
                let name = group.names[alike.trailing_zeros() as usize / LANES];
                if equal(bytes, tape[name as usize], node) {
                    return false;
                }
                alike &= alike - 1;
            }
            let free = group.marks & FREE;
            if free != 0 {
                let lane = free.trailing_zeros() as usize / LANES;
                group.names[lane] = index as u32;
                group.marks ^= (mark ^ 0x80) << (8 * lane);
                return true;
            }
            place = (place + 1) & mask;
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

#[cfg(test)]
mod tests {
    use super::super::Decoder;
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
    fn a_repeated_name_is_found_where_nothing_stands_between_the_names() {
        for width in 1..80 {
            let names: Vec<_> = (0..width).map(|i| format!("\"name-{i}\":0")).collect();
            let before = format!("{{{}", names.join(","));
            assert_eq!(duplicate(&format!("{before}}}"), [0, 0]), None, "{width}");
            for place in [0, width / 2, width - 1] {
                let document = format!("{before},\"name-{place}\":0}}");
                assert_eq!(duplicate(&document, [0, 0]), Some(before.len() + 1), "{place} of {width}");
            }
        }
    }

    #[test]
    fn the_names_of_a_wide_object_outlast_a_wider_one_inside_it() {
        for (outer, inner) in [(20, 20), (20, 300), (20, 3000), (300, 3000), (17, 100)] {
            let wide = object((0..inner).map(|i| i.to_string()));
            let names = object((0..outer).map(|i| i.to_string()));
            let before = format!("{},\"x\":{wide}", &names[..names.len() - 1]);
            assert_eq!(duplicate(&format!("{before}}}"), [5, 6]), None);
            for place in [0, outer / 2, outer - 1] {
                let document = format!("{before},\"{place}\":0}}");
                assert_eq!(duplicate(&document, [5, 6]), Some(before.len() + 1), "{place} of {outer} around {inner}");
            }
        }
    }
}
