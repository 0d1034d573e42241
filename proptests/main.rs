//! The one test binary: a module a topic.

mod campaign;
mod cli;
mod corpus;
mod document;
mod frames;
mod generators;
mod judgement;
mod layers;
mod payload;
mod predicted;
mod recordings;
mod reducers;
mod rules;
#[cfg(feature = "proptest")]
mod strategies;
