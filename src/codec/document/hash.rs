//! Which bits stand for a name?
//!
//! Two answers: a fingerprint that is quick and that anybody can predict, for objects so small that a collision costs
//! little, and a keyed hash for the others. Whether two names are equal is not decided here.

use std::hash::{BuildHasher, RandomState};

/// One of 64 bits, from the length and the first and last byte of a name. Of an empty name they are its two quotes, the
/// closing one first. The factors keep apart what objects of the protocol hold side by side.
#[inline(always)]
pub(super) fn fingerprint(first: u8, last: u8, length: usize) -> u64 {
    1 << ((usize::from(first) * 9 + usize::from(last) * 3 + length) % 64)
}

/// The last eight bytes of a name, or all of a shorter one; what stands before the name makes no difference.
#[inline(always)]
fn last_eight(bytes: &[u8], start: usize, end: usize) -> u64 {
    match bytes.get(end.wrapping_sub(8)..end).and_then(|last| last.first_chunk::<8>()) {
        Some(&last) => {
            // In two halves, because an empty name shifts by all 64 bits.
            let half = 4 * (8 - (end - start).min(8) as u32);
            (u64::from_le_bytes(last) >> half) >> half
        }
        None => bytes[start..end].iter().rev().take(8).fold(0, |value, &byte| value << 8 | u64::from(byte)),
    }
}

/// A hash that needs the key to be predicted: chunks multiplied to 128 bits and folded.
#[inline(always)]
pub(super) fn keyed_hash(bytes: &[u8], start: usize, end: usize, key: [u64; 2]) -> u64 {
    let fold = |a: u64| {
        let product = u128::from(a) * u128::from(key[1]);
        product as u64 ^ (product >> 64) as u64
    };
    let length = end - start;
    let mut hash = key[0] ^ length as u64;
    if length > 8 {
        for chunk in bytes[start..end - 1].as_chunks::<8>().0 {
            hash = fold(hash ^ u64::from_le_bytes(*chunk)).wrapping_add(key[0]);
        }
    }
    fold(hash ^ last_eight(bytes, start, end).rotate_left(32))
}

/// Spreads what a caller chose over all bits: SplitMix64's last steps, and odd where it multiplies.
pub(super) fn spread(key: [u64; 2]) -> [u64; 2] {
    let mix = |value: u64| {
        let mixed = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    [mix(key[0]), mix(key[1] ^ 1 << 63) | 1]
}

#[cold]
pub(super) fn random_key() -> [u64; 2] {
    let state = RandomState::new();
    spread([state.hash_one(0u8), state.hash_one(1u8)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_depends_on_the_name_and_the_key_alone() {
        let bytes = b"a long name, and\"a long name, and\"";
        let key = spread([1, 2]);
        for (start, end) in [(0, 16), (0, 0), (3, 4), (2, 10), (2, 11)] {
            assert_eq!(keyed_hash(bytes, start, end, key), keyed_hash(bytes, start + 17, end + 17, key));
        }
        assert_ne!(keyed_hash(bytes, 0, 16, key), keyed_hash(bytes, 0, 16, spread([2, 1])));
        assert_ne!(keyed_hash(bytes, 0, 16, key), keyed_hash(bytes, 0, 15, key));
    }

    #[test]
    fn a_fingerprint_is_one_bit_and_sees_the_length_and_both_ends() {
        let plain = fingerprint(b'a', b'b', 2);
        assert_eq!(plain.count_ones(), 1);
        for other in [fingerprint(b'b', b'b', 2), fingerprint(b'a', b'c', 2), fingerprint(b'a', b'b', 3)] {
            assert_ne!(plain, other);
        }
    }

    #[test]
    fn the_last_eight_bytes_are_the_same_wherever_the_name_stands() {
        let value = |name: &[u8]| name.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        for name in [&b""[..], b"a", b"abc", b"abcdefg", b"abcdefgh"] {
            for before in [0, 1, 5, 8, 20] {
                let bytes = [&vec![b'z'; before], name, b"zz"].concat();
                let end = before + name.len();
                assert_eq!(last_eight(&bytes, before, end), value(name), "{before} {name:?}");
            }
        }
        assert_eq!(last_eight(b"xyabcdefgh", 0, 10), value(b"abcdefgh"));
    }

    #[test]
    fn names_that_differ_in_one_byte_differ_in_their_hash() {
        let key = spread([3, 4]);
        let mut seen = std::collections::HashSet::new();
        for length in [1, 7, 8, 9, 16, 17, 40] {
            for at in 0..length {
                for byte in b'a'..=b'e' {
                    let mut name = vec![b'm'; length];
                    name[at] = byte;
                    assert!(seen.insert(keyed_hash(&name, 0, length, key)), "{name:?}");
                }
            }
        }
    }

    #[test]
    fn a_key_is_spread_as_by_split_mix_and_a_random_one_is_drawn_anew() {
        // The first output of SplitMix64 for the seed 0.
        assert_eq!(spread([0, 1 << 63]), [0xE220_A839_7B1D_CDAF; 2]);
        assert_eq!(spread([0, 0])[1] & 1, 1);
        assert_ne!(random_key(), random_key());
    }
}
