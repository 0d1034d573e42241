//! A finding as the journal keeps it, and the row that it becomes again.
//!
//! What follows from the file or from our own tables is not kept: it is looked up anew.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::finding::Signature;
use crate::report::{Class, Found, Stability, shown};
use crate::requirement;
use crate::triage::{self, Fault, store};

/// The part of a row that nothing else tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The short name of the signature.
    pub id: String,
    class: Class,
    stability: Stability,
    subject: String,
    invariant: String,
    kind: String,
    refusal: Option<String>,
    requirements: Vec<String>,
    expected: String,
    observed: String,
    mutations: Vec<String>,
    hits: u64,
    minimised: bool,
    known: bool,
    file: String,
    targets: Vec<String>,
}

impl Kept {
    /// What is kept of a row.
    pub fn of(found: &Found) -> Self {
        let found = found.clone();
        Self {
            id: found.id,
            class: found.class,
            stability: found.stability,
            subject: found.subject,
            invariant: found.invariant,
            kind: found.kind,
            refusal: found.refusal,
            requirements: found.requirements.iter().map(ToString::to_string).collect(),
            expected: found.expected,
            observed: found.observed,
            mutations: found.mutations,
            hits: found.hits,
            minimised: found.minimised,
            known: found.known,
            file: found.file,
            targets: found.targets,
        }
    }

    /// The row again, for a run in the folder, which replay lines spell as `spelled`.
    pub fn row(self, folder: &Path, spelled: &str) -> Found {
        let text = store::text(folder, &self.file);
        let fault = Fault {
            class: self.class,
            signature: Signature { subject: self.subject, invariant: self.invariant, kind: self.kind, refusal: None },
            expected: self.expected,
            observed: self.observed,
        };
        let evidence = triage::decode(&text);
        let row = fault.row(&evidence, &[], spelled);
        Found {
            replay: triage::replay_line(spelled, &self.file, &row.subject),
            requirements: self
                .requirements
                .iter()
                .filter_map(|id| Some(requirement::find(id)?.id.as_str().into()))
                .collect(),
            test: triage::test(&self.id, &text, &evidence, &row.subject),
            bytes: text.len(),
            input: shown(&text),
            id: self.id,
            stability: self.stability,
            refusal: self.refusal,
            mutations: self.mutations,
            hits: self.hits,
            minimised: self.minimised,
            known: self.known,
            file: self.file,
            targets: self.targets,
            ..row
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Party};
    use crate::finding::Evidence;
    use crate::invariant;

    #[test]
    fn a_row_is_the_same_after_the_journal_was_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let evidence = Evidence::Case(Case::stdio(Party::Server, "{\"a\":1}"));
        let rule = invariant::all().next().unwrap();
        let mut fault = Fault::of_engine("mutant:x", Class::Timeout, rule.id.to_owned(), "an end".to_owned());
        fault.signature.refusal = Some(("header", "version-mismatch"));
        let row = Found { hits: 3, targets: vec!["case".to_owned()], ..fault.row(&evidence, &[], "out") };
        store::write(folder.path(), &row.id, &evidence).unwrap();
        let text = serde_json::to_string(&Kept::of(&row)).unwrap();
        let again = serde_json::from_str::<Kept>(&text).unwrap().row(folder.path(), "out");
        assert_eq!(format!("{again:?}"), format!("{row:?}"));
    }
}
