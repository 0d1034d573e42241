//! The one test binary: a module a topic.

mod batches;
mod bench;
mod campaign;
mod cli;
mod corpus;
mod dispositions;
mod edits;
mod exchanges;
mod field;
mod generators;
mod harvest;
mod invariants;
mod json_suite;
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
mod signals;
mod startup;
#[cfg(feature = "proptest")]
mod strategies;
mod way;
mod worker;
