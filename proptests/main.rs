//! The one test binary: a module a topic.

mod campaign;
mod cli;
mod corpus;
mod document;
mod frames;
mod generators;
mod invariants;
mod judgement;
mod layers;
mod mutants;
mod predicted;
mod recordings;
mod reducers;
mod resume;
mod rules;
#[cfg(feature = "proptest")]
mod strategies;
