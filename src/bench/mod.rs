//! Did the code get slower?
//!
//! A [`record::Row`] is one measurement of one commit on one kind of machine: instruction counts, which are the same
//! every time, and ratios of times taken side by side, each with its interval. [`compare`] judges two rows. Wall time is
//! in neither, so a busy machine raises no alarm. What is measured stands in `benches/`, not here.

pub mod compare;
pub mod machine;
pub mod measure;
pub mod record;
