//! A run over time: what is drawn, who runs it, when it ends, what survives it.
//!
//! Two kinds of run. [`generative`] draws cases in process and needs no other tool; the same seed and number of cases
//! give the same findings for any number of workers. [`nightly`] drives the fuzz targets of the `fuzz` workspace under
//! their engine and triages what they leave. Neither prints: progress goes to a callback, results are a
//! [`Run`](crate::report::Run), findings are files that are written as soon as they
//! are known, and what was done is in a [`journal`], so that a run that was killed goes on.

pub mod budget;
pub mod draw;
pub mod generative;
pub mod hunt;
pub mod interrupt;
pub mod journal;
mod kept;
pub mod nightly;
pub mod reach;
pub mod unready;
