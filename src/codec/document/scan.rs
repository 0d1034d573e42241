//! Where is the next byte that matters?
//!
//! The only file of the reader with `unsafe` in it. Each search has a safe twin that gives the same answer, which tests
//! compare and other targets run. Steps of 16 bytes are part of every x86-64; wider ones are chosen at run time, once for
//! each piece of work. A byte that matters in a string is a quote, a backslash, a control character or one above 7F;
//! nothing here knows more of JSON than that and what white space is.

/// Bytes of which a word of [`Marks`] tells.
pub(super) const BLOCK: usize = 64;
/// Bytes of which [`Marks`] tells at a time: enough for most messages, and little enough to stay near.
const SPAN: usize = 4096;

/// Which bytes of a part of the input matter, a bit for each. Found for the whole part at once, because a string that
/// is looked for from the end of the one before it would wait for every step in between.
#[derive(Debug)]
pub(super) struct Marks {
    base: usize,
    /// The first byte that is behind the part.
    end: usize,
    /// Zeros follow the last bit, so that eight bytes can be taken from anywhere.
    bits: [u8; SPAN / 8 + 8],
}

impl Default for Marks {
    fn default() -> Self {
        Self { base: 0, end: 0, bits: [0; SPAN / 8 + 8] }
    }
}

impl Marks {
    /// Takes the part that starts at `base`. The end of the input matters too.
    #[inline(always)]
    pub(super) fn fill(&mut self, level: impl Level, bytes: &[u8], base: usize) {
        self.base = base;
        self.end = base + SPAN;
        level.fill(&bytes[base..], &mut self.bits);
    }

    /// One bit for each of the bytes from `at` on that matters, the first one lowest; at least 57 of them are told of
    /// unless the part ends before.
    #[inline(always)]
    pub(super) fn from(&self, at: usize) -> u64 {
        let gone = at - self.base;
        match self.bits.get(gone / 8..).and_then(|rest| rest.first_chunk()) {
            Some(&word) => u64::from_le_bytes(word) >> (gone % 8),
            None => 0,
        }
    }

    /// The offset of the block that holds `at`, and its marks from `at` on. Another part is taken when `at` is behind
    /// this one.
    #[inline(always)]
    pub(super) fn block(&mut self, level: impl Level, bytes: &[u8], at: usize) -> (usize, u64) {
        if at >= self.end {
            self.fill(level, bytes, at);
        }
        let gone = at - self.base;
        let (words, _) = self.bits.as_chunks();
        let word = words.get(gone / BLOCK).map_or(0, |&word| u64::from_le_bytes(word));
        (at - gone % BLOCK, word & u64::MAX << (gone % BLOCK))
    }

    /// The same for the first block after the one at `base` that has a mark; the end of the input is one.
    #[inline(always)]
    pub(super) fn next_block(&mut self, level: impl Level, bytes: &[u8], base: usize) -> (usize, u64) {
        let mut next = base;
        loop {
            next += BLOCK;
            if next >= self.end {
                next += level.plain(&bytes[next..]);
            }
            let (base, marks) = self.block(level, bytes, next);
            if marks != 0 {
                return (base, marks);
            }
        }
    }
}

/// The offset of the first byte from `from` on that matters and is ASCII, or the end of the input.
#[inline(always)]
pub(super) fn text_end(level: impl Level, bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let found = level.marks_32(chunk) & !level.high_32(chunk);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += chunk.len();
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| !byte.is_ascii() || !matters(byte)).count()
}

/// Instructions that the processor is known to have.
pub(super) trait Level: Copy {
    /// One bit for each byte that matters, the first one lowest.
    fn marks_32(self, chunk: &[u8; 32]) -> u32;

    /// One bit for each byte above 7F.
    fn high_32(self, chunk: &[u8; 32]) -> u32;

    /// How many bytes from the start of `bytes` on do not matter, in whole blocks of any size.
    fn plain(self, bytes: &[u8]) -> usize;

    /// Does the work with these instructions, in a function of its own.
    fn run<W: Work>(self, work: W) -> W::Done;

    /// The marks of the first [`SPAN`] bytes, and of the end if it is there.
    fn fill(self, bytes: &[u8], bits: &mut [u8; SPAN / 8 + 8]);
}

#[inline(always)]
fn marks_64(level: impl Level, block: &[u8; BLOCK]) -> u64 {
    let (halves, _) = block.as_chunks();
    u64::from(level.marks_32(&halves[0])) | u64::from(level.marks_32(&halves[1])) << 32
}

#[inline(always)]
fn fill(level: impl Level, bytes: &[u8], bits: &mut [u8; SPAN / 8 + 8]) {
    let (words, _) = bits[..SPAN / 8].as_chunks_mut::<8>();
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (word, block) in words.iter_mut().zip(blocks) {
        *word = marks_64(level, block).to_le_bytes();
    }
    let Some(word) = words.get_mut(blocks.len()) else { return };
    let left = rest.len();
    // What was there before is looked at again, and shifted out.
    let found = if left == 0 {
        0
    } else if let Some(last) = bytes.last_chunk() {
        marks_64(level, last) >> (BLOCK - left)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(level.marks_32(first)) | u64::from(level.marks_32(last)) << (left - 32)
    } else {
        let mut few = [0; 32];
        few[..left].copy_from_slice(rest);
        u64::from(level.marks_32(&few))
    };
    *word = (found | u64::MAX << left).to_le_bytes();
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
    Baseline.run(work)
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
#[cfg(any(test, not(target_arch = "x86_64")))]
fn safe_marks<const WIDTH: usize>(bytes: &[u8]) -> u64 {
    (0..WIDTH).fold(0, |mask, bit| mask | u64::from(bytes.get(bit).is_none_or(|&byte| matters(byte))) << bit)
}

/// What every processor of the target has.
#[derive(Clone, Copy)]
pub(super) struct Baseline;

#[cfg(not(target_arch = "x86_64"))]
impl Level for Baseline {
    fn marks_32(self, chunk: &[u8; 32]) -> u32 {
        safe_marks::<32>(chunk) as u32
    }

    fn high_32(self, chunk: &[u8; 32]) -> u32 {
        chunk.iter().rev().fold(0, |mask, byte| mask << 1 | u32::from(byte >> 7))
    }

    fn plain(self, _bytes: &[u8]) -> usize {
        0
    }

    fn fill(self, bytes: &[u8], bits: &mut [u8; SPAN / 8 + 8]) {
        fill(self, bytes, bits);
    }

    fn run<W: Work>(self, work: W) -> W::Done {
        work.run(self)
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{Baseline, Level, SPAN, Work, fill};

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
            let all = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
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
            let exact = bytes[from..].iter().take_while(|&&byte| !matters(byte)).count();
            assert!(level.plain(&bytes[from..]) <= exact, "plain from {from} of {bytes:x?}");
            let spaces = bytes[from..].iter().take_while(|&&byte| is_space(byte)).count();
            assert_eq!(space(bytes, from), from + spaces, "space from {from} of {bytes:x?}");
            let text = bytes[from..].iter().take_while(|&&byte| !byte.is_ascii() || !matters(byte)).count();
            assert_eq!(text_end(level, bytes, from), from + text, "text from {from} of {bytes:x?}");
            for base in [0, from / 2, from] {
                let mut marks = Marks::default();
                marks.fill(level, bytes, base);
                let told = 57.min((base + SPAN).saturating_sub(from)).min(bytes.len() - from + 1);
                let wrong = (marks.from(from) ^ safe_marks::<64>(&bytes[from..])).trailing_zeros() as usize;
                assert!(wrong >= told, "marks from {from} of {bytes:x?} with the part from {base} on");
                let (mut block, mut found) = marks.block(level, bytes, from);
                if found == 0 {
                    (block, found) = marks.next_block(level, bytes, block);
                }
                let next = block + found.trailing_zeros() as usize;
                assert_eq!(next, from + exact, "next from {from} of {bytes:x?}");
            }
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
                for from in (0..=length.min(70)).chain([length]) {
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
