//! The official examples, and every value that is one edit away from one.
//!
//! Params, results and errors are put into a message, so that the codec judges all of them; other values stand alone.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use wirebench::codec::document::Decoder;
use wirebench::codec::payload::{Force, check_fragment};
use wirebench::limits::Limits;

use crate::difference::{Differences, Said};
use crate::message;
use crate::schema::Schema;

/// An example and the type that its folder names.
pub struct Example {
    name: String,
    value: Value,
}

/// Every example of the folder, in order.
pub fn examples(folder: &Path) -> Result<Vec<Example>, String> {
    let list = |folder: &Path| -> Result<Vec<_>, String> {
        let entries = fs::read_dir(folder).map_err(|fault| format!("the examples cannot be listed: {fault}"))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        Ok(paths)
    };
    let mut examples = Vec::new();
    for kind in list(folder)? {
        let name = kind.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        for path in list(&kind)? {
            let text = fs::read(&path).map_err(|fault| format!("an example cannot be read: {fault}"))?;
            let value = serde_json::from_slice(&text).map_err(|_| "an example is not JSON".to_owned())?;
            examples.push(Example { name: name.clone(), value });
        }
    }
    Ok(examples)
}

/// Compares an example and its neighbours.
pub fn compare(schema: &Schema, example: &Example, differences: &mut Differences) {
    let mut one = |value: &Value| {
        if example.value.get("jsonrpc").is_some() {
            message::compare(schema, &example.name, value, differences);
        } else if let Some((whole, method)) = message::around(&example.name, value) {
            message::one(schema, &whole, whole.to_string().into_bytes(), Some(method), differences);
        } else if let Some(said) = said(&example.name, value) {
            differences.add(said, schema.fault(&example.name, value));
        }
    };
    one(&example.value);
    let mut places = Vec::new();
    walk(&example.value, &mut String::new(), &mut places);
    for place in &places {
        neighbours(&example.value, place).iter().for_each(&mut one);
    }
}

/// What the codec says of a value that stands alone.
fn said(name: &str, value: &Value) -> Option<Said> {
    let text = value.to_string();
    let mut decoder = Decoder::new();
    let document = decoder.read(text.as_bytes(), &Limits::message()).expect("an example is JSON within the limits");
    let faults = check_fragment(name, document.root())?;
    let refused = faults.iter().find(|fault| fault.rule.force != Force::Note);
    Some(refused.map_or(Said::Accepted, |fault| Said::Refused(fault.rule.id)))
}

/// The pointers of everything below the root.
fn walk(value: &Value, at: &mut String, places: &mut Vec<String>) {
    let mut down = |name: &str, value: &Value| {
        let length = at.len();
        at.push('/');
        at.push_str(&name.replace('~', "~0").replace('/', "~1"));
        places.push(at.clone());
        walk(value, at, places);
        at.truncate(length);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| down(name, value)),
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, value)| down(&index.to_string(), value))
        }
        _ => {}
    }
}

/// The value without what stands there, and with something else there.
fn neighbours(value: &Value, place: &str) -> Vec<Value> {
    let others =
        [json!(null), json!(true), json!(1), json!(-1), json!(1.5), json!(""), json!("a"), json!([]), json!({})];
    let mut found = Vec::new();
    for other in others {
        let mut changed = value.clone();
        if let Some(there) = changed.pointer_mut(place) {
            *there = other;
            found.push(changed);
        }
    }
    let (holder, name) = place.rsplit_once('/').expect("a pointer below the root");
    let mut changed = value.clone();
    if let Some(Value::Object(members)) = changed.pointer_mut(holder) {
        members.remove(&name.replace("~1", "/").replace("~0", "~"));
        found.push(changed);
    }
    found
}
