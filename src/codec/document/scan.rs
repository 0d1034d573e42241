//! Where is the next byte that matters?
//!
//! Each search has a safe twin that gives the same answer, which tests compare and other targets run. What the processor
//! can do is chosen at run time, once for each piece of work. A byte that matters in a string is a quote, a backslash, a
//! control character or one above 7F; nothing here knows more of JSON than that and what white space is. Lines are
//! searched for the frames of a stream.

/// Bytes of which a word of [`Marks`](super::marks::Marks) tells.
pub(super) const BLOCK: usize = 64;
/// Bytes of which they tell at a time: enough for most messages, and little enough to stay near.
pub(super) const SPAN: usize = 4096;

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

    /// One bit for each byte of white space.
    fn spaces_32(self, chunk: &[u8; 32]) -> u32;

    /// One bit for each line feed or carriage return.
    fn line_ends_32(self, chunk: &[u8; 32]) -> u32;

    /// False only where there is neither.
    fn may_end_line(self, block: &[u8; 128]) -> bool;

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
pub(super) fn fill(level: impl Level, bytes: &[u8], bits: &mut [u8; SPAN / 8 + 8]) {
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
    if let Some(level) = super::wide::Avx2::here() {
        return level.run(work);
    }
    Baseline.run(work)
}

/// The first byte from `at` on that is no white space, and where; a zero past the end.
pub(super) struct Spaces<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Work for Spaces<'_> {
    type Done = (usize, u8);

    #[inline(always)]
    fn run(self, level: impl Level) -> Self::Done {
        let Self { bytes, at } = self;
        // One space after a colon or comma is what most writers put there.
        if let Some(&[b' ', byte]) = bytes.get(at..).and_then(|rest| rest.first_chunk())
            && byte > b' '
        {
            return (at + 1, byte);
        }
        let at = space(level, bytes, at);
        (at, bytes.get(at).copied().unwrap_or(0))
    }
}

/// The offset of the first byte from `from` on that is no white space.
#[inline(always)]
fn space(level: impl Level, bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let others = !level.spaces_32(chunk);
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

/// How many bytes stand before the first line feed or carriage return, if there is one.
pub(in crate::codec) fn line_end(bytes: &[u8]) -> Option<usize> {
    at_best_level(LineEnd(bytes))
}

struct LineEnd<'a>(&'a [u8]);

impl Work for LineEnd<'_> {
    type Done = Option<usize>;

    #[inline(always)]
    fn run(self, level: impl Level) -> Self::Done {
        let bytes = self.0;
        let Some(first) = bytes.first_chunk::<32>() else { return line_end_by_steps(level, bytes) };
        let ends = level.line_ends_32(first);
        if ends != 0 {
            return Some(ends.trailing_zeros() as usize);
        }
        // On from an aligned byte that was not yet looked at or just was, since a load across cache lines costs two.
        let mut rest = &bytes[bytes.as_ptr().align_offset(32).min(32)..];
        while let Some((block, after)) = rest.split_first_chunk::<128>() {
            if level.may_end_line(block)
                && let Some(length) = line_end_by_steps(level, block)
            {
                return Some(bytes.len() - rest.len() + length);
            }
            rest = after;
        }
        Some(bytes.len() - rest.len() + line_end_by_steps(level, rest)?)
    }
}

#[inline(always)]
fn line_end_by_steps(level: impl Level, bytes: &[u8]) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let (halves, _) = block.as_chunks();
        let (low, high) = (level.line_ends_32(&halves[0]), level.line_ends_32(&halves[1]));
        let ends = u64::from(low) | u64::from(high) << 32;
        if ends != 0 {
            return Some(BLOCK * index + ends.trailing_zeros() as usize);
        }
    }
    Some(bytes.len() - rest.len() + rest.iter().position(|&byte| is_line_end(byte))?)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
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

    fn spaces_32(self, chunk: &[u8; 32]) -> u32 {
        chunk.iter().rev().fold(0, |mask, &byte| mask << 1 | u32::from(is_space(byte)))
    }

    fn line_ends_32(self, chunk: &[u8; 32]) -> u32 {
        chunk.iter().rev().fold(0, |mask, &byte| mask << 1 | u32::from(is_line_end(byte)))
    }

    fn may_end_line(self, _block: &[u8; 128]) -> bool {
        true
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

#[cfg(test)]
mod tests {
    use super::super::marks::Marks;
    use super::*;

    struct Compare<'a>(&'a [u8], usize);

    impl Work for Compare<'_> {
        type Done = ();

        fn run(self, level: impl Level) {
            let Self(bytes, from) = self;
            let exact = bytes[from..].iter().take_while(|&&byte| !matters(byte)).count();
            assert!(level.plain(&bytes[from..]) <= exact, "plain from {from} of {bytes:x?}");
            let spaces = bytes[from..].iter().take_while(|&&byte| is_space(byte)).count();
            assert_eq!(space(level, bytes, from), from + spaces, "space from {from} of {bytes:x?}");
            let line = bytes[from..].iter().position(|&byte| is_line_end(byte));
            assert_eq!(LineEnd(&bytes[from..]).run(level), line, "line from {from} of {bytes:x?}");
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
        let Some(level) = super::super::wide::Avx2::here() else { return };
        assert_eq!(level.plain(&bytes), 4864);
        bytes[1000] = 0x7F;
        bytes[1300] = b'\\';
        assert_eq!(level.plain(&bytes), 1280);
    }
}
