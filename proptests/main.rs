//! The one test binary: a module a topic.

mod cli;
mod document;
mod judgement;
mod layers;
mod recordings;
