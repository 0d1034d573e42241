//! The one test binary: a module a topic.

mod campaign;
mod cli;
mod corpus;
mod document;
mod frames;
mod judgement;
mod layers;
mod predicted;
mod recordings;
mod rules;
