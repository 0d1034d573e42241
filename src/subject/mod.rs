//! A subject is the system under test: the codec, a mutant of it, an SDK, a live server.
//!
//! This module names subjects and says what they show. It judges nothing; that is the oracle's work.
//!
//! # Putting another codec under test
//!
//! A codec of your own needs one type. It shows what it can; what it leaves at `None` counts as not observable, never
//! as passed. A subject that names the kind of a message and shows no refusal has accepted the message.
//!
//! ```
//! use wirebench::case::{Case, Party};
//! use wirebench::codec::{envelope::Kind, id::Id};
//! use wirebench::observation::Observation;
//! use wirebench::oracle;
//! use wirebench::subject::{Subject, Unreachable};
//!
//! struct Mine;
//!
//! impl Subject for Mine {
//!     fn name(&self) -> &str {
//!         "mine"
//!     }
//!     fn reset(&mut self) {}
//!     fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
//!         let Ok(value) = serde_json::from_slice::<serde_json::Value>(&case.body) else {
//!             return Ok(Observation::default());
//!         };
//!         let id = value.get("id").and_then(|id| id.as_u64());
//!         let id = id.map(|id| Id::new(format!("\"{id}\"").as_bytes())); // the fault: a number becomes a string
//!         Ok(Observation { kind: Some(Kind::Request), id, ..Observation::default() })
//!     }
//! }
//!
//! let ping = Case::stdio(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
//! let finding = oracle::check(&mut Mine, &ping).unwrap_err();
//! assert_eq!((finding.invariant, finding.violation.kind), ("envelope.id-not-aliased", "other-type"));
//! ```

use std::fmt;

use crate::case::{Case, Frames};
use crate::finding::Death;
use crate::observation::{Framed, Observation};

mod codec;
pub mod mutant;
pub mod worker;

pub use codec::{Codec, Framing, framed};

/// The system under test.
pub trait Subject {
    /// The name that findings carry.
    fn name(&self) -> &str;

    /// Forgets negotiation state: the next case opens a new session.
    fn reset(&mut self);

    /// Shows the subject one message, in the order of its session.
    ///
    /// # Errors
    ///
    /// [`Unreachable`] when the subject could not be asked, which is neither a pass nor a finding.
    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable>;

    /// Reads a recorded stream, chunk by chunk as it was cut; `None` for a subject that reads no streams.
    fn cut(&mut self, _stream: &Frames) -> Option<Vec<Framed>> {
        None
    }

    /// How the subject ended when it could not be asked last, told once: a finding. A subject in the process of the
    /// caller has no such end; whoever wraps another subject passes its end on.
    fn death(&mut self) -> Option<Death> {
        None
    }
}

/// The subject could not be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreachable;

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the subject could not be reached")
    }
}

impl std::error::Error for Unreachable {}

/// The subject of that name: `codec`, `mutant:` and the id of a mutant, or `exec:` and the words of a command, a
/// [`worker`] under the limits that the environment sets.
pub fn by_name(name: &str) -> Option<Box<dyn Subject>> {
    if name.starts_with(worker::PREFIX) {
        let worker = worker::Worker::named(name, worker::WorkerLimits::from_environment().ok()?);
        return worker.ok().map(|worker| Box::new(worker) as Box<dyn Subject>);
    }
    match name.strip_prefix("mutant:") {
        None => (name == "codec").then(|| Box::new(Codec::new()) as Box<dyn Subject>),
        Some(id) => mutant::by_id(id).map(|mutant| Box::new(mutant.subject()) as Box<dyn Subject>),
    }
}

/// Every name that [`by_name`] knows, commands apart.
pub fn names() -> impl Iterator<Item = String> {
    std::iter::once("codec".to_owned()).chain(mutant::all().map(|mutant| format!("mutant:{}", mutant.id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_a_subject_that_bears_it() {
        for name in names() {
            assert_eq!(by_name(&name).expect("a listed name").name(), name);
        }
        assert!(by_name("mutant:").is_none() && by_name("").is_none());
    }
}
