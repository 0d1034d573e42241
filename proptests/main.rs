//! The one test binary: a module a topic.

mod batches;
mod bench;
mod campaign;
mod cli;
mod corpus;
mod dispositions;
mod document;
mod edits;
mod field;
mod frames;
mod generators;
mod harvest;
mod invariants;
mod json_suite;
mod judgement;
mod layers;
mod mutants;
mod nightly;
mod payload;
mod predicted;
mod recordings;
mod reducers;
mod report;
mod resume;
mod rules;
mod sentinel;
mod sessions;
mod startup;
#[cfg(feature = "proptest")]
mod strategies;
mod subscriptions;
mod worker;
