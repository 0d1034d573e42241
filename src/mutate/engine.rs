//! The custom mutator of a fuzz target: a ladder from the most meaningful step that is possible to mere bytes.
//!
//! It knows no engine: the engine's own mutator comes in as a function.

use arbitrary::Unstructured;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{any_family, any_session, drawn, drawn_frames, drawn_session, first_that_applies, frame};
use crate::case::{Case, Frames, Session};
use crate::generate::Swarm;

/// An engine's own byte mutator: buffer, size, largest size; gives the new size.
pub type Fallback = fn(&mut [u8], usize, usize) -> usize;

/// The custom mutator of a fuzz target whose input is the text form of a case. `fallback` is the engine's own byte
/// mutator. Returns the new size of the input in `data`, at most `max_size`.
///
/// One call in eight is the engine's; else an operator is applied to the case in `data`; else a case is drawn afresh.
///
/// ```
/// use wirebench::{case::Case, mutate};
///
/// let mut data = b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".to_vec();
/// let size = data.len();
/// data.resize(4096, 0);
/// let size = mutate::libfuzzer(&mut data, size, 4096, 1, |_, size, _| size);
/// assert!(Case::decode(&data[..size]).is_ok());
/// ```
pub fn libfuzzer(data: &mut [u8], size: usize, max_size: usize, seed: u32, fallback: Fallback) -> usize {
    let edit = |text: &[u8], u: &mut Unstructured<'_>| {
        let mut case = Case::decode(text).ok()?;
        any_family(&mut case, u).ok()??;
        Some(case.encode())
    };
    let fresh = |u: &mut Unstructured<'_>| {
        let swarm = Swarm::draw(u).ok()?;
        Some(drawn(u, &swarm).ok()?.value.encode())
    };
    ladder(data, size, max_size, seed, fallback, edit, fresh)
}

/// The same for a fuzz target whose input is the text form of a session.
pub fn libfuzzer_session(data: &mut [u8], size: usize, max_size: usize, seed: u32, fallback: Fallback) -> usize {
    let edit = |text: &[u8], u: &mut Unstructured<'_>| {
        let mut value = Session::decode(text).ok()?;
        any_session(&mut value, u).ok()??;
        Some(value.encode())
    };
    let fresh = |u: &mut Unstructured<'_>| {
        let swarm = Swarm::draw(u).ok()?;
        Some(drawn_session(u, &swarm).ok()?.value.encode())
    };
    ladder(data, size, max_size, seed, fallback, edit, fresh)
}

/// The same for a fuzz target whose input is the text form of a stream and its cuts.
pub fn libfuzzer_frames(data: &mut [u8], size: usize, max_size: usize, seed: u32, fallback: Fallback) -> usize {
    let edit = |text: &[u8], u: &mut Unstructured<'_>| {
        let mut value = Frames::decode(text).ok()?;
        let start = u.int_in_range(0..=frame::FAMILY.len() - 1).ok()?;
        first_that_applies(frame::FAMILY, start, &mut value, u).ok()??;
        Some(value.encode())
    };
    let fresh = |u: &mut Unstructured<'_>| {
        let swarm = Swarm::draw(u).ok()?;
        Some(drawn_frames(u, &swarm).ok()?.value.encode())
    };
    ladder(data, size, max_size, seed, fallback, edit, fresh)
}

/// The custom crossover of a fuzz target on cases: writes a mixture of two inputs to `out` and returns its size; zero
/// when they cannot be mixed, as the engine expects.
pub fn libfuzzer_crossover(left: &[u8], right: &[u8], out: &mut [u8], seed: u32) -> usize {
    let (Ok(left), Ok(right)) = (Case::decode(left), Case::decode(right)) else { return 0 };
    let entropy = expand(seed);
    let Ok(case) = crossover(&left, &right, &mut Unstructured::new(&entropy)) else { return 0 };
    let text = case.encode();
    let Some(place) = out.get_mut(..text.len()) else { return 0 };
    place.copy_from_slice(&text);
    text.len()
}

/// A case with the surroundings of one and a part of the other: its body, its header lines, or one value of its body.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn crossover(left: &Case, right: &Case, u: &mut Unstructured<'_>) -> arbitrary::Result<Case> {
    use super::layout::{Layout, splice};
    let mut mixed = left.clone();
    match (u.int_in_range(0..=3)?, Layout::of(&left.body), Layout::of(&right.body)) {
        (0, _, _) => mixed.body.clone_from(&right.body),
        (1, _, _) if left.transport == right.transport => mixed.headers.clone_from(&right.headers),
        (_, Some(into), Some(from)) => {
            let target = u.int_in_range(0..=into.nodes.len() - 1)?;
            let donor = u.int_in_range(0..=from.nodes.len() - 1)?;
            let named = (0..from.nodes.len()).find(|&index| {
                // A value under the same name fits better than any other.
                let (name, other) = (into.nodes[target].name.clone(), from.nodes[index].name.clone());
                !name.is_empty() && left.body[name] == right.body[other]
            });
            let value = from.value(&right.body, named.unwrap_or(donor)).to_vec();
            splice(&mut mixed.body, into.nodes[target].value.clone(), &value);
        }
        _ => mixed.body.clone_from(&right.body),
    }
    Ok(mixed)
}

fn ladder(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    fallback: Fallback,
    edit: impl FnOnce(&[u8], &mut Unstructured<'_>) -> Option<Vec<u8>>,
    fresh: impl FnOnce(&mut Unstructured<'_>) -> Option<Vec<u8>>,
) -> usize {
    let max_size = max_size.min(data.len());
    let size = size.min(max_size);
    let entropy = expand(seed);
    if entropy[0].is_multiple_of(8) {
        return fallback(data, size, max_size).min(max_size);
    }
    // Inputs that grow without end slow a campaign down more than they find.
    let most = max_size.min((size + size / 2).max(4096));
    let mut u = Unstructured::new(&entropy[1..]);
    let text = edit(&data[..size], &mut u).filter(|text| text.len() <= most).or_else(|| fresh(&mut u));
    match text.filter(|text| text.len() <= most) {
        Some(text) => {
            data[..text.len()].copy_from_slice(&text);
            text.len()
        }
        None => fallback(data, size, max_size).min(max_size),
    }
}

/// The engine's seed as entropy for generators and operators; the same bytes for the same seed on every machine.
fn expand(seed: u32) -> [u8; 512] {
    let mut entropy = [0; 512];
    ChaCha8Rng::seed_from_u64(u64::from(seed)).fill_bytes(&mut entropy);
    entropy
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Fallback = |_, size, _| size;

    fn mutate(text: &[u8], max_size: usize, seed: u32) -> Vec<u8> {
        let mut data = text.to_vec();
        data.resize(text.len().max(max_size), 0);
        let size = libfuzzer(&mut data, text.len(), max_size, seed, NOTHING);
        data.truncate(size);
        data
    }

    #[test]
    fn the_same_seed_gives_the_same_input_and_most_seeds_change_it() {
        let text = b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        let changed = (0..200).filter(|&seed| {
            let once = mutate(text, 4096, seed);
            assert_eq!(once, mutate(text, 4096, seed));
            assert!(once.len() <= 4096);
            Case::decode(&once).expect("the ladder keeps the text form");
            once != text
        });
        assert!(changed.count() > 150);
    }

    #[test]
    fn an_input_that_is_no_case_becomes_one_and_the_bound_is_kept() {
        let fresh = (0..100).filter(|&seed| Case::decode(&mutate(b"\xFFnoise", 4096, seed)).is_ok()).count();
        assert!(fresh > 70, "{fresh}");
        for seed in 0..100 {
            assert!(mutate(b"\n{}", 16, seed).len() <= 16);
        }
    }

    #[test]
    fn a_crossover_takes_a_value_under_the_same_name() {
        let left = Case::decode(b"\n{\"id\":1,\"a\":2}").unwrap();
        let right = Case::decode(b"\n{\"a\":[3],\"b\":4}").unwrap();
        let texts: Vec<Vec<u8>> = (0..60u8)
            .map(|byte| crossover(&left, &right, &mut Unstructured::new(&[byte; 24])).unwrap().encode())
            .collect();
        assert!(texts.contains(&b"\n{\"id\":1,\"a\":[3]}".to_vec()));
        assert!(texts.contains(&right.encode()));
    }
}
