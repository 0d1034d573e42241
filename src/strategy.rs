//! Cases, sessions and streams as proptest strategies: drawn from entropy by the generators, shrunk on the value by the reducer.
//!
//! There is no second set of generators and no second reducer. What is shrunk is the case, so the record of what was
//! done to it no longer holds for a smaller one and is left out of it.

use std::fmt;

use arbitrary::Unstructured;
use proptest::collection;
use proptest::num;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::case::{Case, Frames, Session};
use crate::generate::Swarm;
use crate::mutate;
use crate::mutation::Generated;
use crate::reduce;

/// How much entropy one value is drawn from; what exceeds it is drawn as if it were plain.
const ENTROPY: usize = 256;

/// Lawful and unlawful cases, in a swarm that is drawn anew for each.
///
/// ```
/// use proptest::strategy::{Strategy, ValueTree};
/// use proptest::test_runner::TestRunner;
///
/// let mut runner = TestRunner::deterministic();
/// let tree = wirebench::strategy::cases().new_tree(&mut runner).unwrap();
/// assert_eq!(tree.current().value.encode(), tree.current().value.encode());
/// ```
pub fn cases() -> Cases {
    Cases(None)
}

/// Cases of one swarm.
pub fn cases_of(swarm: Swarm) -> Cases {
    Cases(Some(swarm))
}

/// Start-up exchanges, lawful and unlawful.
pub fn sessions() -> Sessions {
    Sessions(None)
}

/// Sessions of one swarm.
pub fn sessions_of(swarm: Swarm) -> Sessions {
    Sessions(Some(swarm))
}

/// Streams with their cuts, lawful and unlawful.
pub fn streams() -> Streams {
    Streams(None)
}

/// Streams of one swarm.
pub fn streams_of(swarm: Swarm) -> Streams {
    Streams(Some(swarm))
}

/// The strategy of [`cases`].
#[derive(Clone, Copy, Debug)]
pub struct Cases(Option<Swarm>);

/// The strategy of [`sessions`].
#[derive(Clone, Copy, Debug)]
pub struct Sessions(Option<Swarm>);

/// The strategy of [`streams`].
#[derive(Clone, Copy, Debug)]
pub struct Streams(Option<Swarm>);

impl Strategy for Cases {
    type Tree = Shrink<Case>;
    type Value = Generated<Case>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        draw(runner, self.0, mutate::drawn, reduce::candidates)
    }
}

impl Strategy for Sessions {
    type Tree = Shrink<Session>;
    type Value = Generated<Session>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        draw(runner, self.0, mutate::drawn_session, reduce::session_candidates)
    }
}

impl Strategy for Streams {
    type Tree = Shrink<Frames>;
    type Value = Generated<Frames>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        draw(runner, self.0, mutate::drawn_frames, reduce::frames_candidates)
    }
}

type Draw<T> = fn(&mut Unstructured<'_>, &Swarm) -> arbitrary::Result<Generated<T>>;

fn draw<T: Clone>(
    runner: &mut TestRunner,
    swarm: Option<Swarm>,
    draw: Draw<T>,
    neighbours: fn(&T) -> Vec<T>,
) -> Result<Shrink<T>, proptest::test_runner::Reason> {
    // Through proptest's own strategy: no direct dependency on a version of `rand`.
    let bytes = collection::vec(num::u8::ANY, ENTROPY).new_tree(runner)?.current();
    let mut u = Unstructured::new(&bytes);
    let drawn = swarm.map_or_else(|| Swarm::draw(&mut u), Ok).and_then(|swarm| draw(&mut u, &swarm));
    let drawn = drawn.map_err(|error| error.to_string())?;
    Ok(Shrink { kept: drawn.clone(), current: drawn, pending: None, neighbours })
}

/// A value on its way to a smaller one.
pub struct Shrink<T> {
    kept: Generated<T>,
    current: Generated<T>,
    pending: Option<std::vec::IntoIter<T>>,
    neighbours: fn(&T) -> Vec<T>,
}

impl<T: fmt::Debug> fmt::Debug for Shrink<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shrink").field("current", &self.current).finish_non_exhaustive()
    }
}

impl<T: Clone> Shrink<T> {
    /// Goes on to the next neighbour, or back to what is kept when none is left.
    fn advance(&mut self) -> bool {
        match self.pending.as_mut().and_then(Iterator::next) {
            Some(value) => {
                self.current = Generated::lawful(value);
                true
            }
            None => {
                self.current = self.kept.clone();
                false
            }
        }
    }
}

impl<T: Clone + fmt::Debug> ValueTree for Shrink<T> {
    type Value = Generated<T>;

    fn current(&self) -> Generated<T> {
        self.current.clone()
    }

    /// The current value failed: keep it, and try its first smaller neighbour.
    fn simplify(&mut self) -> bool {
        self.kept = self.current.clone();
        self.pending = Some((self.neighbours)(&self.kept.value).into_iter());
        self.advance()
    }

    /// The neighbour passed: try the next one.
    fn complicate(&mut self) -> bool {
        self.advance()
    }
}
