//! Where is the next byte that matters?
//!
//! The only file of the reader with `unsafe` in it. Each search has a safe twin that gives the same answer and that
//! every target builds. Steps of 16 bytes are part of every x86-64; wider blocks are chosen at run time, for long
//! strings only. Nothing here knows JSON beyond which bytes end a plain run of a string.

/// The first byte in a string that is a quote, a backslash or a control character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    /// Its offset, or the length of the input when there is none.
    pub(super) at: usize,
    /// Whether a byte above 7F stands before it.
    pub(super) high: bool,
}

/// Searches from `from` on, which may be the length of the input.
#[inline(always)]
pub(super) fn string(bytes: &[u8], from: usize) -> Stop {
    #[cfg(target_arch = "x86_64")]
    {
        wide::string(bytes, from)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        safe_string(bytes, from)
    }
}

/// The offset of the first byte from `from` on that is no white space.
#[inline(always)]
pub(super) fn space(bytes: &[u8], from: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        wide::space(bytes, from)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        safe_space(bytes, from)
    }
}

/// The safe twin of [`string`].
#[inline]
pub(super) fn safe_string(bytes: &[u8], from: usize) -> Stop {
    let rest = &bytes[from..];
    let length = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
    Stop { at: from + length, high: !rest[..length].is_ascii() }
}

/// The safe twin of [`space`].
#[inline]
pub(super) fn safe_space(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    from + rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(rest.len())
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{Stop, safe_space, safe_string};

    /// Steps of 16 bytes before wider blocks are worth a call.
    const STEPS: usize = 8;

    #[inline(always)]
    pub(super) fn string(bytes: &[u8], from: usize) -> Stop {
        if let Some(chunk) = bytes.get(from..).and_then(|rest| rest.first_chunk::<16>()) {
            let (special, high) = masks(chunk);
            if special != 0 {
                return Stop { at: from + special.trailing_zeros() as usize, high: high & before(special) != 0 };
            }
            return further(bytes, from + 16, high != 0);
        }
        safe_string(bytes, from)
    }

    #[inline(never)]
    fn further(bytes: &[u8], from: usize, mut high: bool) -> Stop {
        let mut at = from;
        for _ in 0..STEPS {
            let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) else {
                let stop = safe_string(bytes, at);
                return Stop { at: stop.at, high: high | stop.high };
            };
            let (special, above) = masks(chunk);
            if special != 0 {
                at += special.trailing_zeros() as usize;
                return Stop { at, high: high | (above & before(special) != 0) };
            }
            high |= above != 0;
            at += 16;
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as just asked.
            let (skipped, above) = unsafe { blocks(&bytes[at..]) };
            at += skipped;
            high |= above;
        }
        loop {
            let stop = match bytes[at..].first_chunk::<16>() {
                Some(chunk) => {
                    let (special, above) = masks(chunk);
                    if special == 0 {
                        high |= above != 0;
                        at += 16;
                        continue;
                    }
                    Stop { at: at + special.trailing_zeros() as usize, high: above & before(special) != 0 }
                }
                None => safe_string(bytes, at),
            };
            return Stop { at: stop.at, high: high | stop.high };
        }
    }

    #[inline(always)]
    pub(super) fn space(bytes: &[u8], from: usize) -> usize {
        let mut at = from;
        while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
            let other = !spaces(chunk) & 0xFFFF;
            if other != 0 {
                return at + other.trailing_zeros() as usize;
            }
            at += 16;
        }
        safe_space(bytes, at)
    }

    /// The bits below the lowest one that is set.
    #[inline(always)]
    fn before(mask: u32) -> u32 {
        mask.wrapping_sub(1) & !mask
    }

    /// Which bytes end a run, and which are above 7F.
    #[inline(always)]
    fn masks(chunk: &[u8; 16]) -> (u32, u32) {
        // SAFETY: the load reads the 16 bytes of `chunk` and needs no alignment; SSE2 is part of x86-64.
        unsafe {
            let chunk = _mm_loadu_si128(chunk.as_ptr().cast());
            let quote = _mm_cmpeq_epi8(chunk, _mm_set1_epi8(b'"' as i8));
            let backslash = _mm_cmpeq_epi8(chunk, _mm_set1_epi8(b'\\' as i8));
            let control = _mm_cmpeq_epi8(_mm_min_epu8(chunk, _mm_set1_epi8(0x1F)), chunk);
            let special = _mm_or_si128(_mm_or_si128(quote, backslash), control);
            (_mm_movemask_epi8(special) as u32, _mm_movemask_epi8(chunk) as u32)
        }
    }

    #[inline(always)]
    fn spaces(chunk: &[u8; 16]) -> u32 {
        // SAFETY: as in `masks`.
        unsafe {
            let chunk = _mm_loadu_si128(chunk.as_ptr().cast());
            let is = |byte: u8| _mm_cmpeq_epi8(chunk, _mm_set1_epi8(byte as i8));
            let any = _mm_or_si128(_mm_or_si128(is(b' '), is(b'\n')), _mm_or_si128(is(b'\r'), is(b'\t')));
            _mm_movemask_epi8(any) as u32
        }
    }

    /// How many bytes, in whole blocks of 128, hold nothing that ends a run, and whether any of them is above 7F.
    #[target_feature(enable = "avx2")]
    fn blocks(bytes: &[u8]) -> (usize, bool) {
        // The low four bits of a quote and of a backslash find themselves here; no other byte does.
        let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, 0, 0x22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x5C, 0, 0, 0));
        let limit = _mm256_set1_epi8(0x1F);
        let mut above = _mm256_setzero_si256();
        let mut skipped = 0;
        for block in bytes.chunks_exact(128) {
            let mut special = _mm256_setzero_si256();
            let mut high = _mm256_setzero_si256();
            for part in block.chunks_exact(32) {
                // SAFETY: the load reads the 32 bytes of `part` and needs no alignment.
                let part = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
                let named = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, part), part);
                let control = _mm256_cmpeq_epi8(_mm256_min_epu8(part, limit), part);
                special = _mm256_or_si256(special, _mm256_or_si256(named, control));
                high = _mm256_or_si256(high, part);
            }
            if _mm256_testz_si256(special, special) == 0 {
                break;
            }
            above = _mm256_or_si256(above, high);
            skipped += 128;
        }
        (skipped, _mm256_movemask_epi8(above) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_alignment_stops_both_twins_alike() {
        for length in [0, 1, 15, 16, 17, 31, 33, 64, 130, 300, 700] {
            for filler in [b'a', 0xC3, b'/', b'!', b'\x7f', b' '] {
                let plain = vec![filler; length];
                for from in 0..length.min(40) + 1 {
                    let from = from.min(length);
                    assert_eq!(string(&plain, from), safe_string(&plain, from));
                    assert_eq!(space(&plain, from), safe_space(&plain, from));
                }
            }
        }
        for length in [40, 330] {
            for byte in 0..=255u8 {
                for place in (0..length).step_by(if length > 100 { 7 } else { 1 }) {
                    let mut bytes = vec![b'a'; length];
                    bytes[place] = byte;
                    for from in [0, 1, place, length - 1] {
                        assert_eq!(string(&bytes, from), safe_string(&bytes, from), "{byte:#x} at {place} from {from}");
                    }
                    bytes.fill(b' ');
                    bytes[place] = byte;
                    assert_eq!(space(&bytes, 0), safe_space(&bytes, 0));
                }
            }
        }
    }

    #[test]
    fn two_marks_in_one_block_stop_at_the_first() {
        for first in 0..200 {
            for second in [first + 1, first + 9, first + 70] {
                let mut bytes = vec![b'x'; 420];
                bytes[100 + first] = b'\\';
                bytes[100 + second] = b'"';
                bytes[100 + second + 1] = 0xE9;
                assert_eq!(string(&bytes, 0), Stop { at: 100 + first, high: false });
                assert_eq!(string(&bytes, 101 + first), Stop { at: 100 + second, high: false });
            }
        }
    }
}
