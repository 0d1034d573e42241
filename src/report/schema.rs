//! The published JSON Schema of a report's rows.
//!
//! It describes what [`super::ndjson`] writes and stays open for members to come. A member that is written and not
//! described fails a test.

/// The schema, draft 2020-12, of one row.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(wirebench::report::schema::ROW).unwrap();
/// assert_eq!(schema["$id"], "urn:wirebench:report:1");
/// ```
pub const ROW: &str = include_str!("schema.json");

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::report::{Sample, ndjson, tests::sample};

    #[test]
    fn every_member_that_is_written_is_described() {
        let schema: Value = serde_json::from_str(super::ROW).unwrap();
        let mut run = sample();
        run.targets[0].samples.push(Sample::default());
        let mut rows = Vec::new();
        ndjson::write(&run, &mut rows).unwrap();
        for line in std::str::from_utf8(&rows).unwrap().lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let described = &schema["$defs"][row["type"].as_str().unwrap()]["properties"];
            for member in row.as_object().unwrap().keys() {
                assert!(described.get(member).is_some(), "{member} of {} is not described", row["type"]);
            }
        }
    }
}
