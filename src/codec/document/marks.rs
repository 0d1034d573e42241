//! Which bytes of the part that is being read matter?
//!
//! Found for a whole part at once, because a string that is looked for from the end of the one before it would wait for
//! every step in between. Which bytes those are is for [`scan`](super::scan) to say.

use super::scan::{BLOCK, Level, SPAN};

/// Which bytes of a part of the input matter, a bit for each.
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
