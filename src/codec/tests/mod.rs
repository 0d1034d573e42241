//! Does the whole codec read as its rules say?
//!
//! One topic a file, over the public functions alone: what one function does is tested at the bottom of its own file.

mod batches;
mod document;
mod frames;
mod judgement;
// The dispositions read its rows too.
#[allow(dead_code)]
#[path = "../../../proptests/payload/mod.rs"]
mod payload;
mod reader;
mod sentinel;
mod sessions;
mod startup;
mod subscriptions;
mod turns;
