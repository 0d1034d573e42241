//! Which tools were listed, and which of their arguments are mirrored in header fields?
//!
//! The latest definition counts. A tool with a broken annotation is invalid as a whole and holds no client to anything.

use std::collections::HashMap;
use std::sync::Arc;

use crate::codec::annotation::{self, Annotation};
use crate::codec::document::Value;
use crate::codec::envelope::{Envelope, Kind};

/// How many annotated tools of one connection are remembered.
pub const TOOLS: usize = 1 << 10;
/// The longest name of a tool that is remembered.
const NAME: usize = 1 << 10;

/// The annotated tools of one connection.
#[derive(Debug, Default)]
pub struct Tools(HashMap<Box<str>, Arc<[Annotation]>>);

impl Tools {
    /// Remembers the tools of a list.
    pub fn learn(&mut self, result: Value<'_>) {
        for tool in result.get("tools").into_iter().flat_map(Value::elements) {
            let Some(name) = tool.get("name").and_then(Value::as_text) else { continue };
            let name = name.decode();
            let found = tool.get("inputSchema").map(annotation::of_schema).unwrap_or_default();
            if found.is_empty() {
                self.0.remove(&*name);
            } else if name.len() <= NAME && (self.0.len() < TOOLS || self.0.contains_key(&*name)) {
                self.0.insert(name.into_owned().into(), found.into());
            }
        }
    }

    /// The annotations of the tool that a request calls.
    pub fn called_by(&self, envelope: &Envelope<'_>) -> Option<Arc<[Annotation]>> {
        if self.0.is_empty() || envelope.kind != Kind::Request || !envelope.has_method("tools/call") {
            return None;
        }
        self.0.get(&*envelope.param("name")?.as_text()?.decode()).cloned()
    }
}
