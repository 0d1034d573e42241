//! A mutator changes a case into a nearby one and records what it did.

use arbitrary::Unstructured;

use crate::mutation::Mutation;

/// One operator on a `Case`, a `Session` or a frame stream.
pub trait Mutator<T>: Sync {
    /// The name that is recorded and listed.
    fn name(&self) -> &'static str;

    /// Whether it may apply; cheap, and may say yes wrongly.
    fn applies(&self, value: &T) -> bool;

    /// Applies it. `None` when it turned out not to apply; the value is then unchanged.
    ///
    /// # Errors
    ///
    /// Only what `Unstructured` itself reports.
    fn apply(&self, value: &mut T, u: &mut Unstructured<'_>) -> arbitrary::Result<Option<Mutation>>;
}

/// The custom mutator of a fuzz target whose input is the text form of a case. `fallback` is the engine's own byte
/// mutator. Returns the new size of the input in `data`, at most `max_size`.
pub fn libfuzzer(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    fallback: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    let _ = seed;
    fallback(data, size, max_size)
}
