//! Case *i* of a run, out of the seed, *i* and the pool of the round, and out of nothing else.
//!
//! The stream of a ChaCha generator is chosen by the index, so that any worker draws the same case for the same index
//! and no case depends on how many were drawn before it by the same worker.

use arbitrary::{Result, Unstructured};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::case::{Case, Frames, Session};
use crate::generate::Swarm;
use crate::mutate;
use crate::mutation::Generated;

/// What is run next.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// A single message; checked against what its mutations predict as well.
    Case(Generated<Case>),
    /// A message of the pool, changed; its mutations no longer tell the whole story, so nothing is predicted.
    Changed(Case),
    /// Messages in order.
    Session(Session),
    /// A stream and its cuts.
    Frames(Frames),
}

/// Draws by index.
pub struct Dice {
    stream: ChaCha8Rng,
    bytes: Box<[u8; ENTROPY]>,
}

/// Bytes of entropy a draw. A generator that wants more gets the plainest choices from there on.
const ENTROPY: usize = 1024;

/// One draw in so many is a session.
const SESSIONS: u8 = 8;

/// One draw in so many is a stream.
const STREAMS: u8 = 64;

/// One draw in so many changes a message of the pool, when there is one.
const CHANGES: u8 = 4;

/// How many operators are applied to a message of the pool at most.
const STEPS: u8 = 3;

impl Dice {
    /// The dice of a run with that seed.
    pub fn new(seed: u64) -> Self {
        Self { stream: ChaCha8Rng::seed_from_u64(seed), bytes: Box::new([0; ENTROPY]) }
    }

    /// Draw number `index`. The pool must be the same for every draw of a round.
    pub fn draw(&mut self, index: u64, pool: &[Case]) -> Drawn {
        self.stream.set_stream(index);
        self.stream.set_word_pos(0);
        self.stream.fill_bytes(&mut self.bytes[..]);
        let (head, rest) = self.bytes.split_at(8);
        // One draw in eight has little entropy, and so ends plainly.
        let rest = if head[0].is_multiple_of(8) { &rest[..32] } else { rest };
        let mut u = Unstructured::new(rest);
        let swarm = Swarm::draw(&mut u).unwrap_or_default();
        if head[1].is_multiple_of(SESSIONS) {
            return Drawn::Session(mutate::drawn_session(&mut u, &swarm).unwrap_or_default().value);
        }
        if head[1] % STREAMS == 1 {
            return Drawn::Frames(mutate::drawn_frames(&mut u, &swarm).unwrap_or_default().value);
        }
        if head[2].is_multiple_of(CHANGES) && !pool.is_empty() {
            let pick = u32::from_le_bytes([head[3], head[4], head[5], head[6]]);
            let at = (u64::from(pick) * pool.len() as u64) >> 32;
            if let Ok(Some(case)) = change(pool[at as usize].clone(), 1 + head[7] % STEPS, &mut u) {
                return Drawn::Changed(case);
            }
        }
        Drawn::Case(mutate::drawn(&mut u, &swarm).unwrap_or_default())
    }
}

/// Applies operators to a message of the pool; says whether any did.
fn change(case: Case, steps: u8, u: &mut Unstructured<'_>) -> Result<Option<Case>> {
    let mut changed = Generated::lawful(case);
    for _ in 0..steps {
        mutate::apply_one(&mut changed, u)?;
    }
    Ok((!changed.mutations.is_empty()).then_some(changed.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(drawn: &Drawn) -> Vec<u8> {
        match drawn {
            Drawn::Case(generated) => generated.value.encode(),
            Drawn::Changed(case) => case.encode(),
            Drawn::Session(session) => session.encode(),
            Drawn::Frames(stream) => stream.encode(),
        }
    }

    #[test]
    fn a_draw_depends_on_seed_and_index_alone() {
        let mut forwards = Dice::new(7);
        let mut backwards = Dice::new(7);
        let up: Vec<_> = (0..64).map(|index| text(&forwards.draw(index, &[]))).collect();
        let mut down: Vec<_> = (0..64).rev().map(|index| text(&backwards.draw(index, &[]))).collect();
        down.reverse();
        assert_eq!(up, down);
    }
}
