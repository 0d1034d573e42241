//! The findings of a run while it goes on: one row a signature, each with its file.
//!
//! Most of a thousand artifacts are one of twenty faults: an input is asked once, and only one with a signature that is
//! new is replayed, shrunk and written.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::{Bench, Fault, cause, decode, store};
use crate::finding::Evidence;
use crate::report::{Found, Stability};

/// The rows and what they were asked with.
pub struct Rows<'a> {
    /// The subject.
    pub bench: Bench<'a>,
    folder: &'a Path,
    spelled: &'a str,
    found: BTreeMap<String, Found>,
}

impl<'a> Rows<'a> {
    /// None yet; files go below the folder, which replay lines spell as `spelled`.
    pub fn new(bench: Bench<'a>, folder: &'a Path, spelled: &'a str) -> Self {
        Self { bench, folder, spelled, found: BTreeMap::new() }
    }

    /// How many signatures there are.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Takes a row as it is, in the place of the one with its id.
    pub fn put(&mut self, row: Found) {
        self.found.insert(row.id.clone(), row);
    }

    /// Adds what the input shows in process and says what its row is now; `None` when it shows no fault.
    ///
    /// # Errors
    ///
    /// When the finding cannot be written.
    pub fn add_evidence(&mut self, source: Option<&str>, evidence: Evidence) -> io::Result<Option<&Found>> {
        let Some(fault) = self.bench.evidence(&evidence) else { return Ok(None) };
        let stability = match self.found.contains_key(&fault.id()) {
            true => Stability::Stable,
            false => self.bench.replay(&evidence, Some(&fault.signature)).1,
        };
        self.add(source, fault, evidence, stability, true).map(Some)
    }

    /// Adds a fault that only a process of its own may show, since it hangs, takes all memory or ends the process: it is
    /// kept as found.
    ///
    /// # Errors
    ///
    /// When the finding cannot be written.
    pub fn add_foreign(
        &mut self,
        source: Option<&str>,
        fault: Fault,
        evidence: Evidence,
        stability: Stability,
    ) -> io::Result<&Found> {
        self.add(source, fault, evidence, stability, false)
    }

    fn add(
        &mut self,
        source: Option<&str>,
        fault: Fault,
        evidence: Evidence,
        stability: Stability,
        shrinks: bool,
    ) -> io::Result<&Found> {
        let id = fault.id();
        if !self.found.contains_key(&id) {
            let row = self.first(&id, fault, evidence, stability, shrinks)?;
            self.found.insert(id.clone(), row);
        }
        let row = self.found.get_mut(&id).expect("it was put there if it was not");
        row.hits += 1;
        if let Some(source) = source.filter(|source| !row.targets.iter().any(|target| target == source)) {
            row.targets.push(source.to_owned());
        }
        Ok(row)
    }

    /// The rows in the order of their ids, one for each bug.
    pub fn join(mut self) -> Vec<Found> {
        let rows = self.found.into_values().map(|row| {
            let text = store::text(self.folder, &row.file);
            (row, decode(&text))
        });
        cause::join(&mut self.bench, rows.collect())
    }

    fn first(
        &mut self,
        id: &str,
        fault: Fault,
        evidence: Evidence,
        stability: Stability,
        shrinks: bool,
    ) -> io::Result<Found> {
        let smaller = match stability {
            Stability::Stable if shrinks => self.bench.minimise(&evidence, &fault.signature),
            Stability::Stable | Stability::Flaky | Stability::Gone => None,
        };
        let minimised = smaller.is_some();
        let evidence = smaller.unwrap_or(evidence);
        // The text of a smaller input may tell another detail under the same signature.
        let fault = match minimised {
            true => self.bench.replay(&evidence, Some(&fault.signature)).0.unwrap_or(fault),
            false => fault,
        };
        store::write(self.folder, id, &evidence)?;
        let row = fault.row(&evidence, &[], self.spelled);
        Ok(Found { stability, minimised, hits: 0, ..row })
    }
}
