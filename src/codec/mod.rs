//! Bytes to a conclusion: observe, resolve, conclude.
//!
//! The codec is pure: no I/O, no clock, no panic. Every stage is one function; [`Stages`] is the one place that states
//! them together, so that a mutant of the codec is this table with one entry exchanged. The codec itself carries no
//! switches and never imports a generator.

pub mod conclusion;
pub mod document;
pub mod envelope;
pub mod era;
pub mod id;
pub mod meta;
pub mod refusal;
pub mod result;
