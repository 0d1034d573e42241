//! `x-mcp-header`: which rules do the annotations of a listed tool break?
//!
//! Where an annotation may stand and what it says is read by [`crate::codec::annotation`]. Headers of calls are not
//! compared here, because the schema of their tool stands in another message.

use std::ops::ControlFlow;

use super::rule::{Eras, Rule};
use super::walk::Walk;
use crate::codec::annotation::{Fault, each};
use crate::codec::document::Value;

/// Judges every annotation of a schema.
pub(super) fn judge(walk: &mut Walk, schema: Value<'_>, _: Rule) {
    if !walk.eras().meets(Eras::MODERN) {
        return;
    }
    each(schema, |mark| {
        for fault in mark.faults() {
            match fault {
                Fault::NotText => walk.wrong_type(mark.value, Rule::PARAM_STRING),
                fault => walk.wrong_value(mark.value, rule(fault)),
            }
        }
        if walk.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
}

const fn rule(fault: Fault) -> Rule {
    match fault {
        Fault::Unreachable => Rule::PARAM_REACHABLE,
        Fault::Number => Rule::PARAM_NUMBER,
        Fault::NotPrimitive => Rule::PARAM_PRIMITIVE,
        Fault::Untyped => Rule::PARAM_UNTYPED,
        Fault::NotText => Rule::PARAM_STRING,
        Fault::Empty => Rule::PARAM_EMPTY,
        Fault::Control => Rule::PARAM_CONTROLS,
        Fault::NotToken => Rule::PARAM_TOKEN,
        Fault::Repeated => Rule::PARAM_UNIQUE,
    }
}
