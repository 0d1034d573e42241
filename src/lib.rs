//! A fuzzing and property-testing workbench for the wire format of the Model Context Protocol.

// The rows of the payloads are tests of the codec and food for the dispositions, which see the crate from outside.
#[cfg(test)]
extern crate self as wirebench;

pub mod case;
pub mod codec;
pub mod escape;
pub mod exchange;
pub mod files;
pub mod finding;
pub mod generate;
pub mod invariant;
pub mod limits;
pub mod mutate;
pub mod mutation;
pub mod observation;
pub mod oracle;
pub mod reduce;
pub mod requirement;
#[cfg(feature = "proptest")]
pub mod strategy;
pub mod subject;

#[cfg(feature = "cli")]
pub mod bench;
#[cfg(feature = "cli")]
pub mod campaign;
#[cfg(feature = "cli")]
pub mod corpus;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "cli")]
pub mod triage;
