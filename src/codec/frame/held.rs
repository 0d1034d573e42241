//! The part of a frame that came in earlier chunks.
//!
//! Grows by doubling but never past what the frame may have, and gives its memory back after a large frame.

/// What is kept for the next frame: most fit, and one large frame does not cost its size for the rest of the session.
const KEPT: usize = 64 << 10;

#[derive(Debug, Default)]
pub(super) struct Held {
    bytes: Vec<u8>,
}

impl Held {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Adds a part. The caller has seen to it that no more than `most` bytes come together.
    pub(super) fn append(&mut self, part: &[u8], most: usize) {
        let (length, capacity) = (self.bytes.len(), self.bytes.capacity());
        let needed = length + part.len();
        if needed > capacity {
            self.bytes.reserve_exact(needed.max(most.min(2 * capacity)) - length);
        }
        self.bytes.extend_from_slice(part);
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT);
    }
}
