//! What does the published schema say of a value as a type of that name?

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use jsonschema::Validator;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The types of the schema, each built when it is first asked.
pub struct Schema {
    definitions: Value,
    built: RefCell<HashMap<String, Rc<Validator>>>,
}

impl Schema {
    /// Reads the text of the schema.
    pub fn of(text: &[u8]) -> Result<Self, String> {
        let schema: Value = serde_json::from_slice(text).map_err(|_| "schema.json is not JSON".to_owned())?;
        let definitions = schema.get("$defs").cloned().ok_or("schema.json has no $defs")?;
        Ok(Self { definitions, built: RefCell::default() })
    }

    /// The place in the schema of the first keyword that the value fails; `None` when it fails none.
    pub fn fault(&self, name: &str, value: &Value) -> Option<String> {
        let validator = self.validator(name);
        let fault = validator.iter_errors(value).next()?;
        let place = fault.schema_path().as_str().to_owned();
        Some(place.strip_prefix("/$defs/").unwrap_or(&place).to_owned())
    }

    fn validator(&self, name: &str) -> Rc<Validator> {
        let build = || {
            let schema = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$defs": self.definitions,
                "$ref": format!("#/$defs/{name}"),
            });
            Rc::new(jsonschema::validator_for(&schema).expect("the pinned schema is a schema"))
        };
        self.built.borrow_mut().entry(name.to_owned()).or_insert_with(build).clone()
    }
}

/// The SHA-256 of a text, in hexadecimal.
pub fn digest(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
