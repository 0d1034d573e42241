//! The one test binary: a module a topic.

#[cfg(feature = "proptest")]
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
mod rules;
mod strategies;
