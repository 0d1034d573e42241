//! Where is the next byte that matters?
//!
//! The only file of the reader with `unsafe` in it. Each search has a safe twin that gives the same answer and that
//! every target builds. Steps of 16 bytes are part of every x86-64; wider ones are chosen at run time, once for each
//! piece of work. A byte that matters in a string is a quote, a backslash, a control character or a byte above 7F;
//! nothing here knows more of JSON than that and what white space is.

/// Bytes that [`head`] looks at: most names and many strings end within them.
pub(super) const HEAD: usize = 16;
/// Bytes that [`Level::block`] looks at.
pub(super) const BLOCK: usize = 64;

/// Instructions that the processor is known to have.
pub(super) trait Level: Copy {
    /// One bit for each byte that matters, the first one lowest.
    fn marks_64(self, chunk: &[u8; BLOCK]) -> u64;

    /// How many bytes from the start of `bytes` on do not matter, in whole blocks of any size.
    fn plain(self, bytes: &[u8]) -> usize;

    /// The same for the [`BLOCK`] bytes from `from` on. The end matters too.
    #[inline(always)]
    fn block(self, bytes: &[u8], from: usize) -> u64 {
        match bytes.get(from..).and_then(|rest| rest.first_chunk()) {
            Some(chunk) => self.marks_64(chunk),
            None => block_at_end(self, bytes, from),
        }
    }
}

/// Kept apart: where both ways meet, the compiler would take the wide instructions of the other to pieces.
#[inline(never)]
fn block_at_end(level: impl Level, bytes: &[u8], from: usize) -> u64 {
    // Zeros matter, so what is past the end does.
    let mut chunk = [0; BLOCK];
    let rest = bytes.get(from..).unwrap_or_default();
    chunk[..rest.len()].copy_from_slice(rest);
    level.marks_64(&chunk)
}

/// Work that is compiled once for each [`Level`].
pub(super) trait Work {
    type Done;

    fn run(self, level: impl Level) -> Self::Done;
}

/// Does the work with the best instructions that there are.
#[inline(always)]
pub(super) fn at_best_level<W: Work>(work: W) -> W::Done {
    #[cfg(target_arch = "x86_64")]
    if let Some(level) = wide::Avx2::here() {
        return level.run(work);
    }
    work.run(Baseline)
}

/// One bit for each of the [`HEAD`] bytes from `from` on that matters, the first one lowest. The end matters too.
#[inline(always)]
pub(super) fn head(bytes: &[u8], from: usize) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(chunk) = bytes.get(from..).and_then(|rest| rest.first_chunk()) {
        return wide::marks_16(chunk);
    }
    head_at_end(bytes, from)
}

/// The last bytes are looked at instead, and those before `from` shifted out.
#[inline(never)]
fn head_at_end(bytes: &[u8], from: usize) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(chunk) = bytes.last_chunk::<HEAD>() {
        let left = bytes.len().saturating_sub(from);
        return (wide::marks_16(chunk) | 0xFFFF_0000) >> (HEAD - left) & 0xFFFF;
    }
    safe_marks::<HEAD>(bytes, from) as u32
}

/// The offset of the first byte from `from` on that is no white space.
#[inline]
pub(super) fn space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    #[cfg(target_arch = "x86_64")]
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let others = wide::others_16(chunk);
        if others != 0 {
            return at + others.trailing_zeros() as usize;
        }
        at += chunk.len();
    }
    while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
        at += 1;
    }
    at
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn matters(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..)
}

/// The safe twin of every search for what matters.
fn safe_marks<const WIDTH: usize>(bytes: &[u8], from: usize) -> u64 {
    (0..WIDTH).fold(0, |mask, bit| mask | u64::from(bytes.get(from + bit).is_none_or(|&byte| matters(byte))) << bit)
}

/// What every processor of the target has.
#[derive(Clone, Copy)]
pub(super) struct Baseline;

#[cfg(not(target_arch = "x86_64"))]
impl Level for Baseline {
    fn marks_64(self, chunk: &[u8; BLOCK]) -> u64 {
        safe_marks::<BLOCK>(chunk, 0)
    }

    fn plain(self, _bytes: &[u8]) -> usize {
        0
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{BLOCK, Baseline, Level, Work};

    impl Level for Baseline {
        #[inline(always)]
        fn marks_64(self, chunk: &[u8; BLOCK]) -> u64 {
            let (parts, _) = chunk.as_chunks();
            let part = |index: usize| u64::from(marks_16(&parts[index])) << (16 * index);
            part(0) | part(1) | part(2) | part(3)
        }

        #[inline(always)]
        fn plain(self, _bytes: &[u8]) -> usize {
            0
        }
    }

    /// AVX2 and the shifts of BMI. There is a value of it only where the processor has both.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        #[inline(always)]
        pub(super) fn here() -> Option<Self> {
            let all = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            all.then_some(Self(()))
        }

        #[inline(always)]
        pub(super) fn run<W: Work>(self, work: W) -> W::Done {
            // SAFETY: `self` says that the processor has what the function is compiled for.
            unsafe { run_with_avx2(self, work) }
        }
    }

    impl Level for Avx2 {
        #[inline(always)]
        fn marks_64(self, chunk: &[u8; BLOCK]) -> u64 {
            let (halves, _) = chunk.as_chunks();
            // SAFETY: `self` says that the processor has AVX2.
            let half = |index: usize| unsafe { _mm256_movemask_epi8(found_with_avx2(&halves[index])) } as u32;
            u64::from(half(0)) | u64::from(half(1)) << 32
        }

        #[inline(always)]
        fn plain(self, bytes: &[u8]) -> usize {
            // SAFETY: `self` says that the processor has AVX2.
            unsafe { plain_with_avx2(bytes) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn run_with_avx2<W: Work>(level: Avx2, work: W) -> W::Done {
        work.run(level)
    }

    #[inline(always)]
    pub(super) fn marks_16(chunk: &[u8; 16]) -> u32 {
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

    /// One bit for each byte that is no white space.
    #[inline(always)]
    pub(super) fn others_16(chunk: &[u8; 16]) -> u32 {
        // SAFETY: as in `marks_16`.
        unsafe {
            let chunk = _mm_loadu_si128(chunk.as_ptr().cast());
            let is = |byte: u8| _mm_cmpeq_epi8(chunk, _mm_set1_epi8(byte as i8));
            let any = _mm_or_si128(_mm_or_si128(is(b' '), is(b'\n')), _mm_or_si128(is(b'\r'), is(b'\t')));
            !_mm_movemask_epi8(any) as u32 & 0xFFFF
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
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Compare<'a>(&'a [u8], usize);

    impl Work for Compare<'_> {
        type Done = ();

        fn run(self, level: impl Level) {
            let Self(bytes, from) = self;
            if from <= bytes.len() {
                let found = head(bytes, from);
                assert_eq!(found, safe_marks::<HEAD>(bytes, from) as u32, "head from {from} of {bytes:x?}");
                let exact = bytes[from..].iter().take_while(|&&byte| !matters(byte)).count();
                assert!(level.plain(&bytes[from..]) <= exact, "plain from {from} of {bytes:x?}");
                let exact = bytes[from..].iter().take_while(|&&byte| is_space(byte)).count();
                assert_eq!(space(bytes, from), from + exact, "space from {from} of {bytes:x?}");
            }
            assert_eq!(level.block(bytes, from), safe_marks::<BLOCK>(bytes, from), "block from {from} of {bytes:x?}");
        }
    }

    fn compare(bytes: &[u8], from: usize) {
        Compare(bytes, from).run(Baseline);
        at_best_level(Compare(bytes, from));
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
        let mut bytes = vec![b'a'; 5000];
        let Some(level) = wide::Avx2::here() else { return };
        assert_eq!(level.plain(&bytes), 4864);
        bytes[1000] = 0x7F;
        bytes[1300] = b'\\';
        assert_eq!(level.plain(&bytes), 1280);
    }
}
