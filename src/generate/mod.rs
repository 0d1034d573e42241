//! A generator builds a case out of entropy. It never calls the codec, so it cannot share its blind spots.
//!
//! What is generated is lawful, but for documents that no JSON library can write, which carry their record; to break
//! any other rule is the work of an operator in [`crate::mutate`].
//!
//! No bytes left means the plainest valid case; a rare branch is written `!u.ratio(n, d)?`. No generator reads a clock,
//! an RNG, a file or the environment.

pub mod dictionary;
pub mod document;
pub mod envelope;
pub mod flow;
pub mod frame;
pub mod header;
pub mod meta;
pub mod payload;
pub mod result;
pub(crate) mod scene;
pub mod session;

use arbitrary::{Result, Unstructured};

use crate::case::{Case, Session};
use crate::mutation::Generated;

/// Which oddities a run has on. A run is mostly plain with a few things unusual; all off is the plainest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swarm {
    /// Other methods than `tools/call`.
    pub methods: bool,
    /// Messages of the legacy eras beside the modern one.
    pub eras: bool,
    /// Responses and notifications beside requests.
    pub kinds: bool,
    /// Standard input and output beside HTTP.
    pub stdio: bool,
    /// Ids of every lawful type and spelling.
    pub ids: bool,
    /// Names that a header cannot hold plainly.
    pub names: bool,
    /// Members of `_meta` and of the capabilities beyond those that are owed.
    pub metas: bool,
    /// Results that are not finished.
    pub results: bool,
    /// Header lines in another order and letter case.
    pub headers: bool,
    /// Params, results and errors with something inside.
    pub payloads: bool,
    /// Lawful documents of every shape as arguments.
    pub documents: bool,
    /// Documents that no JSON library can write.
    pub odd_documents: bool,
    /// How many operators are applied at most by [`crate::mutate::drawn`].
    pub faults: u8,
}

impl Swarm {
    /// Everything on, and up to three operators.
    pub const fn all() -> Self {
        Self {
            methods: true,
            eras: true,
            kinds: true,
            stdio: true,
            ids: true,
            names: true,
            metas: true,
            results: true,
            headers: true,
            payloads: true,
            documents: true,
            odd_documents: true,
            faults: 3,
        }
    }

    /// Draws which oddities are on; none when there is no entropy.
    ///
    /// # Errors
    ///
    /// Only what `Unstructured` itself reports.
    pub fn draw(u: &mut Unstructured<'_>) -> Result<Self> {
        let bits: u16 = u.arbitrary()?;
        let on = |bit: u16| bits >> bit & 1 == 1;
        Ok(Self {
            methods: on(0),
            eras: on(1),
            kinds: on(2),
            stdio: on(3),
            ids: on(4),
            names: on(5),
            metas: on(6),
            results: on(7),
            headers: on(8),
            payloads: on(15),
            documents: on(9),
            odd_documents: on(10) && on(11) && on(12),
            faults: [0, 1, 2, 3][usize::from(bits >> 13 & 3)].max(u8::from(bits != 0)),
        })
    }
}

/// Draws one case with what was done to it.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirebench::generate::{self, Swarm};
///
/// let plainest = generate::case(&mut Unstructured::new(&[]), &Swarm::all()).unwrap();
/// assert!(plainest.mutations.is_empty());
/// assert!(plainest.value.body.starts_with(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\""));
/// ```
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn case(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Case>> {
    let kind = if swarm.kinds { u.int_in_range(0..=7)? } else { 0 };
    match kind {
        0..=2 if swarm.eras && rare(u, 1, 4)? => Ok(Generated::lawful(envelope::legacy_request(u, swarm)?)),
        0..=2 => envelope::modern_request(u, swarm),
        3 => Ok(Generated::lawful(envelope::notification(u, swarm)?)),
        4 if swarm.eras && swarm.payloads && rare(u, 1, 3)? => {
            Ok(Generated::lawful(envelope::server_request(u, swarm)?))
        }
        _ => Ok(Generated::lawful(envelope::response(u, swarm)?)),
    }
}

/// Draws one session with what was done to it.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn session(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Session>> {
    let flows = rare(u, 2, 3)?;
    if flows { flow::exchange(u, swarm) } else { session::start_up(u, swarm) }.map(Generated::lawful)
}

/// Whether a branch of probability `n / d` is taken; never when there is no entropy.
pub(crate) fn rare(u: &mut Unstructured<'_>, n: u16, d: u16) -> Result<bool> {
    Ok(!u.ratio(d - n, d)?)
}
