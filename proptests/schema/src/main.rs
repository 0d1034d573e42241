//! Does the codec agree with the published JSON Schema of 2026-07-28, and where it does not, why?
//!
//! Compared are the official examples, every value that is one edit away from one, and drawn messages. The schema is a
//! second opinion and no judge: each kind of difference stands in a table with its reason, one that does not is a fault
//! of this run, and so is one that no longer shows. The schema and the examples belong to others and are not kept here:
//! `WIREBENCH_SPEC_DIR` names a copy of the specification's repository, and without it nothing is run.

mod difference;
mod message;
mod schema;
mod value;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use difference::Differences;
use schema::Schema;

/// The published schema that the tables were written against.
const DIGEST: &str = "ef70b61f99b6d2e5e3b46863822eab08dff6a45bedc7a08914e0e5b133f40203";

fn main() -> ExitCode {
    let Some(folder) = env::var_os("WIREBENCH_SPEC_DIR") else {
        println!("not run: the comparison with the published schema: WIREBENCH_SPEC_DIR is not set");
        return ExitCode::SUCCESS;
    };
    match compare(&Path::new(&folder).join("schema/2026-07-28")) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("check-schema: {fault}");
            ExitCode::from(2)
        }
    }
}

fn compare(folder: &Path) -> Result<bool, String> {
    let text = fs::read(folder.join("schema.json")).map_err(|fault| format!("schema.json cannot be read: {fault}"))?;
    if schema::digest(&text) != DIGEST {
        return Err("schema.json is not the one that the tables were written against".to_owned());
    }
    let schema = Schema::of(&text)?;
    let mut differences = Differences::default();
    let examples = value::examples(&folder.join("examples"))?;
    for example in &examples {
        value::compare(&schema, example, &mut differences);
    }
    message::drawn(&schema, &mut differences);
    differences.print(examples.len());
    Ok(differences.are_listed())
}
