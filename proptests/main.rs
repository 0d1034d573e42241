//! The one test binary: a module a topic.

mod bench;
mod campaign;
mod cli;
mod corpus;
mod dispositions;
mod document;
mod frames;
mod generators;
mod invariants;
mod judgement;
mod layers;
mod mutants;
mod payload;
mod predicted;
mod recordings;
mod reducers;
mod rules;
#[cfg(feature = "proptest")]
mod sessions;
mod startup;
mod strategies;
