//! Where is the next byte that matters?
//!
//! The only file of the reader with `unsafe` in it. Each search has a safe twin that gives the same answer and that
//! every target builds. Steps of 16 bytes are part of every x86-64; wider blocks are chosen at run time, for long
//! strings only. A byte that matters in a string is a quote, a backslash, a control character or a byte above 7F;
//! nothing here knows more of JSON than that and what white space is.

/// Bytes that [`block`] looks at.
pub(super) const BLOCK: usize = 64;

#[cfg(not(target_arch = "x86_64"))]
pub(super) use safe::{block, head, plain, space, widened};
#[cfg(target_arch = "x86_64")]
pub(super) use wide::{block, head, plain, space, widened};

/// The safe twins.
#[cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "the tests compare against them"))]
mod safe {
    use super::BLOCK;

    /// Runs `work`, compiled for the instructions that this processor has.
    #[inline(always)]
    pub(in super::super) fn widened<T>(work: impl FnOnce() -> T) -> T {
        work()
    }

    fn matters(byte: u8) -> bool {
        matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..)
    }

    /// One bit for each of the 16 bytes from `from` on that matters, the first one lowest. The end matters too.
    #[inline]
    pub(in super::super) fn head(bytes: &[u8], from: usize) -> u32 {
        marks::<16>(bytes, from) as u32
    }

    /// The same for [`BLOCK`] bytes.
    #[inline]
    pub(in super::super) fn block(bytes: &[u8], from: usize) -> u64 {
        marks::<BLOCK>(bytes, from)
    }

    fn marks<const WIDTH: usize>(bytes: &[u8], from: usize) -> u64 {
        (0..WIDTH).fold(0, |mask, bit| mask | u64::from(bytes.get(from + bit).is_none_or(|&byte| matters(byte))) << bit)
    }

    /// An offset up to which nothing matters, as far on as is cheap to tell: `from` at least.
    #[inline]
    pub(in super::super) fn plain(bytes: &[u8], from: usize) -> usize {
        from + bytes[from.min(bytes.len())..].iter().take_while(|&&byte| !matters(byte)).count()
    }

    /// The offset of the first byte from `from` on that is no white space.
    #[inline]
    pub(in super::super) fn space(bytes: &[u8], from: usize) -> usize {
        let rest = &bytes[from..];
        from + rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(rest.len())
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{BLOCK, safe};

    /// The same steps in the encoding of newer processors, which needs fewer instructions for a shift or a copy.
    #[inline(always)]
    pub(in super::super) fn widened<T>(work: impl FnOnce() -> T) -> T {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
            // SAFETY: the processor has what the function is compiled for, as just asked.
            return unsafe { newer(work) };
        }
        work()
    }

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn newer<T>(work: impl FnOnce() -> T) -> T {
        work()
    }

    #[inline(always)]
    pub(in super::super) fn head(bytes: &[u8], from: usize) -> u32 {
        if let Some(chunk) = bytes.get(from..).and_then(|rest| rest.first_chunk::<16>()) {
            return marks(chunk);
        }
        head_at_end(bytes, from)
    }

    #[inline(always)]
    pub(in super::super) fn block(bytes: &[u8], from: usize) -> u64 {
        if let Some(chunk) = bytes.get(from..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
            return block_marks(chunk);
        }
        block_at_end(bytes, from)
    }

    /// The last 16 bytes are looked at instead, so that nothing has to be copied.
    #[inline(never)]
    fn head_at_end(bytes: &[u8], from: usize) -> u32 {
        let left = bytes.len().saturating_sub(from);
        match bytes.last_chunk::<16>() {
            Some(chunk) => (marks(chunk) | 0xFFFF_0000) >> (16 - left) & 0xFFFF,
            None => safe::head(bytes, from),
        }
    }

    #[inline(never)]
    fn block_at_end(bytes: &[u8], from: usize) -> u64 {
        let left = bytes.len().saturating_sub(from);
        match bytes.last_chunk::<BLOCK>() {
            Some(_) if left == 0 => u64::MAX,
            Some(chunk) => block_marks(chunk) >> (BLOCK - left) | u64::MAX << left,
            None => {
                // Zeros matter, so what is past the end does.
                let mut chunk = [0; BLOCK];
                let rest = bytes.get(from..).unwrap_or_default();
                chunk[..rest.len()].copy_from_slice(rest);
                block_marks(&chunk)
            }
        }
    }

    pub(in super::super) fn plain(bytes: &[u8], from: usize) -> usize {
        let Some(rest) = bytes.get(from..) else { return from };
        if rest.len() >= 256 && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as just asked.
            return from + unsafe { plain_blocks(rest) };
        }
        from
    }

    #[inline(always)]
    pub(in super::super) fn space(bytes: &[u8], from: usize) -> usize {
        let mut at = from;
        while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
            let other = !spaces(chunk) & 0xFFFF;
            if other != 0 {
                return at + other.trailing_zeros() as usize;
            }
            at += 16;
        }
        safe::space(bytes, at)
    }

    #[inline(always)]
    fn marks(chunk: &[u8; 16]) -> u32 {
        // SAFETY: the load reads the 16 bytes of `chunk` and needs no alignment; SSE2 is part of x86-64.
        unsafe {
            let chunk = _mm_loadu_si128(chunk.as_ptr().cast());
            let quote = _mm_cmpeq_epi8(chunk, _mm_set1_epi8(b'"' as i8));
            let backslash = _mm_cmpeq_epi8(chunk, _mm_set1_epi8(b'\\' as i8));
            // Signed, so that a byte above 7F is below a space as well.
            let low_or_high = _mm_cmplt_epi8(chunk, _mm_set1_epi8(0x20));
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), low_or_high)) as u32
        }
    }

    #[inline(always)]
    fn block_marks(block: &[u8; BLOCK]) -> u64 {
        let (parts, _) = block.as_chunks::<16>();
        let quarter = |index: usize| u64::from(marks(&parts[index])) << (16 * index);
        quarter(0) | quarter(1) | quarter(2) | quarter(3)
    }

    #[inline(always)]
    fn spaces(chunk: &[u8; 16]) -> u32 {
        // SAFETY: as in `marks`.
        unsafe {
            let chunk = _mm_loadu_si128(chunk.as_ptr().cast());
            let is = |byte: u8| _mm_cmpeq_epi8(chunk, _mm_set1_epi8(byte as i8));
            let any = _mm_or_si128(_mm_or_si128(is(b' '), is(b'\n')), _mm_or_si128(is(b'\r'), is(b'\t')));
            _mm_movemask_epi8(any) as u32
        }
    }

    /// How many bytes, in whole blocks of 256, hold nothing that matters.
    #[target_feature(enable = "avx2")]
    fn plain_blocks(bytes: &[u8]) -> usize {
        // The low four bits of a quote and of a backslash find themselves here; no other byte does.
        let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(-1, 0, 0x22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x5C, 0, 0, 0));
        let space = _mm256_set1_epi8(0x20);
        let mut skipped = 0;
        for block in bytes.chunks_exact(256) {
            let mut found = _mm256_setzero_si256();
            for part in block.chunks_exact(32) {
                // SAFETY: the load reads the 32 bytes of `part` and needs no alignment.
                let part = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
                let named = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, part), part);
                let low_or_high = _mm256_cmpgt_epi8(space, part);
                found = _mm256_or_si256(found, _mm256_or_si256(named, low_or_high));
            }
            if _mm256_testz_si256(found, found) == 0 {
                break;
            }
            skipped += 256;
        }
        skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(bytes: &[u8], from: usize) {
        assert_eq!(head(bytes, from), safe::head(bytes, from), "head from {from} of {bytes:x?}");
        assert_eq!(block(bytes, from), safe::block(bytes, from), "block from {from} of {bytes:x?}");
        let (fast, exact) = (plain(bytes, from), safe::plain(bytes, from));
        assert!(from <= fast && fast <= exact, "plain from {from} of {bytes:x?}");
        if from <= bytes.len() {
            assert_eq!(space(bytes, from), safe::space(bytes, from), "space from {from} of {bytes:x?}");
        }
    }

    #[test]
    fn every_length_and_alignment_gives_what_the_safe_twin_gives() {
        for length in (0..140).chain([255, 256, 257, 520, 1030]) {
            for filler in [b'a', 0xC3, b'"', b' ', 0] {
                let bytes = vec![filler; length];
                for from in (0..=length.min(70)).chain([length, length + 1, length + 70]) {
                    compare(&bytes, from);
                }
            }
        }
    }

    #[test]
    fn every_byte_is_seen_alike_at_every_place() {
        for length in [40, 64, 90, 600] {
            for byte in 0..=255u8 {
                for place in (0..length).step_by(if length > 100 { 37 } else { 3 }) {
                    for filler in [b'a', b' '] {
                        let mut bytes = vec![filler; length];
                        bytes[place] = byte;
                        for from in [0, 1, place, length - 17] {
                            compare(&bytes, from);
                        }
                    }
                }
            }
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_long_run_is_skipped_in_wide_blocks_where_there_are_any() {
        let bytes = vec![b'a'; 5000];
        let expected = if is_x86_feature_detected!("avx2") { 4864 + 3 } else { 3 };
        assert_eq!(plain(&bytes, 3), expected);
    }
}
