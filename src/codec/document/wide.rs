//! Which bytes of a chunk are what is looked for, told by the vector instructions of x86-64?
//!
//! The only file of the reader with `unsafe` in it. Steps of 16 bytes are part of every x86-64; a value of [`Avx2`] is the
//! proof that the processor has wider ones. What a search makes of the answers is in [`scan`](super::scan), and so are
//! the safe twins.

use std::arch::x86_64::*;

use super::scan::{Baseline, Level, SPAN, Work, fill};

impl Level for Baseline {
    #[inline(always)]
    fn marks_32(self, chunk: &[u8; 32]) -> u32 {
        let (parts, _) = chunk.as_chunks();
        marks_16(&parts[0]) | marks_16(&parts[1]) << 16
    }

    #[inline(always)]
    fn high_32(self, chunk: &[u8; 32]) -> u32 {
        let (parts, _) = chunk.as_chunks();
        high_16(&parts[0]) | high_16(&parts[1]) << 16
    }

    #[inline(always)]
    fn spaces_32(self, chunk: &[u8; 32]) -> u32 {
        let (parts, _) = chunk.as_chunks();
        spaces_16(&parts[0]) | spaces_16(&parts[1]) << 16
    }

    #[inline(always)]
    fn line_ends_32(self, chunk: &[u8; 32]) -> u32 {
        let (parts, _) = chunk.as_chunks();
        line_ends_16(&parts[0]) | line_ends_16(&parts[1]) << 16
    }

    #[inline(always)]
    fn may_end_line(self, _block: &[u8; 128]) -> bool {
        true
    }

    #[inline(always)]
    fn plain(self, _bytes: &[u8]) -> usize {
        0
    }

    #[inline(never)]
    fn fill(self, bytes: &[u8], bits: &mut [u8; SPAN / 8 + 8]) {
        fill(self, bytes, bits);
    }

    #[inline(never)]
    fn run<W: Work>(self, work: W) -> W::Done {
        work.run(self)
    }
}

/// AVX2 and the shifts of BMI. There is a value of it only where the processor has both.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    #[inline(always)]
    pub(super) fn here() -> Option<Self> {
        let all =
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
        all.then_some(Self(()))
    }
}

impl Level for Avx2 {
    #[inline(always)]
    fn marks_32(self, chunk: &[u8; 32]) -> u32 {
        // SAFETY: `self` says that the processor has AVX2.
        unsafe { _mm256_movemask_epi8(found_with_avx2(chunk)) as u32 }
    }

    #[inline(always)]
    fn high_32(self, chunk: &[u8; 32]) -> u32 {
        // SAFETY: `self` says that the processor has AVX2; the load reads the 32 bytes of `chunk`.
        unsafe { _mm256_movemask_epi8(_mm256_loadu_si256(chunk.as_ptr().cast())) as u32 }
    }

    #[inline(always)]
    fn spaces_32(self, chunk: &[u8; 32]) -> u32 {
        // SAFETY: `self` says that the processor has AVX2; the load reads the 32 bytes of `chunk`.
        unsafe {
            let chunk = _mm256_loadu_si256(chunk.as_ptr().cast());
            // The low four bits of a space, tab, line feed and carriage return find themselves here; no other byte does.
            let names = _mm_setr_epi8(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 0, 0, 13, 0, 0);
            let named = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(names), chunk);
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(named, chunk)) as u32
        }
    }

    #[inline(always)]
    fn line_ends_32(self, chunk: &[u8; 32]) -> u32 {
        // SAFETY: `self` says that the processor has AVX2; the load reads the 32 bytes of `chunk`.
        unsafe {
            let chunk = _mm256_loadu_si256(chunk.as_ptr().cast());
            let feeds = _mm256_cmpeq_epi8(chunk, _mm256_set1_epi8(b'\n' as i8));
            let returns = _mm256_cmpeq_epi8(chunk, _mm256_set1_epi8(b'\r' as i8));
            _mm256_movemask_epi8(_mm256_or_si256(feeds, returns)) as u32
        }
    }

    #[inline(always)]
    fn may_end_line(self, block: &[u8; 128]) -> bool {
        let (parts, _) = block.as_chunks::<32>();
        // SAFETY: `self` says that the processor has AVX2; each load reads the 32 bytes of its part.
        unsafe {
            // The smallest of four bytes, which tells of tabs and the like as well: one step each is enough.
            let [a, b, c, d] = [0, 1, 2, 3].map(|part: usize| _mm256_loadu_si256(parts[part].as_ptr().cast()));
            let lowest = _mm256_min_epu8(_mm256_min_epu8(a, b), _mm256_min_epu8(c, d));
            let low = _mm256_cmpeq_epi8(_mm256_min_epu8(lowest, _mm256_set1_epi8(b'\r' as i8)), lowest);
            _mm256_movemask_epi8(low) != 0
        }
    }

    #[inline(always)]
    fn fill(self, bytes: &[u8], bits: &mut [u8; SPAN / 8 + 8]) {
        // SAFETY: `self` says that the processor has what the function is compiled for.
        unsafe { fill_with_avx2(self, bytes, bits) }
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W) -> W::Done {
        // SAFETY: `self` says that the processor has what the function is compiled for.
        unsafe { run_with_avx2(self, work) }
    }

    #[inline(always)]
    fn plain(self, bytes: &[u8]) -> usize {
        // SAFETY: `self` says that the processor has AVX2.
        unsafe { plain_with_avx2(bytes) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
#[inline(never)]
fn run_with_avx2<W: Work>(level: Avx2, work: W) -> W::Done {
    work.run(level)
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
#[inline(never)]
fn fill_with_avx2(level: Avx2, bytes: &[u8], bits: &mut [u8; SPAN / 8 + 8]) {
    fill(level, bytes, bits);
}

#[inline(always)]
fn marks_16(chunk: &[u8; 16]) -> u32 {
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
fn high_16(chunk: &[u8; 16]) -> u32 {
    // SAFETY: as in `marks_16`.
    unsafe { _mm_movemask_epi8(_mm_loadu_si128(chunk.as_ptr().cast())) as u32 }
}

#[inline(always)]
fn spaces_16(chunk: &[u8; 16]) -> u32 {
    // SAFETY: as in `marks_16`.
    unsafe {
        let chunk = _mm_loadu_si128(chunk.as_ptr().cast());
        let is = |byte: u8| _mm_cmpeq_epi8(chunk, _mm_set1_epi8(byte as i8));
        let any = _mm_or_si128(_mm_or_si128(is(b' '), is(b'\n')), _mm_or_si128(is(b'\r'), is(b'\t')));
        _mm_movemask_epi8(any) as u32
    }
}

#[inline(always)]
fn line_ends_16(chunk: &[u8; 16]) -> u32 {
    // SAFETY: as in `marks_16`.
    unsafe {
        let chunk = _mm_loadu_si128(chunk.as_ptr().cast());
        let is = |byte: u8| _mm_cmpeq_epi8(chunk, _mm_set1_epi8(byte as i8));
        _mm_movemask_epi8(_mm_or_si128(is(b'\n'), is(b'\r'))) as u32
    }
}

/// All ones in each byte that matters.
///
/// # Safety
///
/// The processor must have AVX2. Without the attribute that says so, because one that has it would not be inlined
/// where the caller gets it only by being inlined itself.
#[inline(always)]
unsafe fn found_with_avx2(chunk: &[u8; 32]) -> __m256i {
    // SAFETY: the load reads the 32 bytes of `chunk` and needs no alignment; the caller vouches for the rest.
    unsafe {
        let chunk = _mm256_loadu_si256(chunk.as_ptr().cast());
        // The low four bits of a quote and of a backslash find themselves here; no other byte does.
        let names = _mm_setr_epi8(-1, 0, 0x22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x5C, 0, 0, 0);
        let named = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(names), chunk);
        // Signed, so that a byte above 7F is below a space as well.
        let low_or_high = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), chunk);
        _mm256_or_si256(_mm256_cmpeq_epi8(named, chunk), low_or_high)
    }
}

#[target_feature(enable = "avx2")]
fn plain_with_avx2(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<256>();
    let plain = |block: &&[u8; 256]| {
        let (parts, _) = block.as_chunks();
        let mut found = _mm256_setzero_si256();
        for part in parts {
            // SAFETY: this function asks for AVX2.
            found = _mm256_or_si256(found, unsafe { found_with_avx2(part) });
        }
        _mm256_testz_si256(found, found) == 1
    };
    blocks.iter().take_while(plain).count() * 256
}
