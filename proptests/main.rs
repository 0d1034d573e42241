//! The one test binary: a module a topic.

mod judgement;
mod predicted;
