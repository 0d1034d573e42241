//! What is measured once the fuzzing is over: rules exercised, lines reached, mutants killed.
//!
//! None of it is a reason to lose a report: what cannot be measured is told in a note.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::cores::Campaign;
use super::workspace::Workspace;
use super::{exercise, lines};
use crate::campaign::hunt;
use crate::report::{End, folder};
use crate::subject::mutant::{self, Mutant};
use crate::triage::{Make, store};

/// A shorter run does not count lines, which takes a build of its own.
const WORTH_A_BUILD: Duration = Duration::from_secs(60);

/// The hunt for mutants takes at most one part in so many of the budget, on top of it, and at most so long.
const HUNT: u32 = 10;
const LONGEST_HUNT: Duration = Duration::from_secs(300);

/// How many draws a mutant may live through.
const DRAWS: u64 = 20_000;

/// Fills in what can be told of the run, and why something cannot.
///
/// # Errors
///
/// When the inputs of the run cannot be read, or the kill matrix cannot be written.
pub fn measure(
    make: &Make<'_>,
    workspace: &Workspace,
    campaign: &Campaign<'_>,
    end: &mut End,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    let Campaign { settings, interrupt, .. } = *campaign;
    let places: Vec<_> =
        campaign.shapes().into_iter().map(|built| (built.target.clone(), campaign.place(built, 0))).collect();
    let folders: Vec<(&str, PathBuf)> = places
        .iter()
        .flat_map(|(name, place)| {
            let all = [Some(&place.seeds), Some(&place.corpus), place.kept.as_ref()];
            all.into_iter().flatten().map(|folder| (name.as_str(), folder.clone()))
        })
        .collect();
    let folders = folders.iter().map(|(name, folder)| (*name, folder.as_path()));
    exercise::tell(make, folders, interrupt, end)?;
    if interrupt.is_set() {
        return Ok(());
    }
    let logs = campaign.out.join("logs");
    let counted = match settings.time < WORTH_A_BUILD || places.is_empty() {
        true => Err(format!("that takes a build, which is worth it from {WORTH_A_BUILD:?} on")),
        false => lines::count(workspace, &places, &campaign.out.join("lines"), &logs, interrupt),
    };
    match counted {
        Ok(lines) => end.lines = lines,
        Err(reason) => notes.push(format!("lines of the codec not measured: {reason}")),
    }
    kills(campaign, notes)
}

/// Hunts the mutants for as long as a share of the budget lasts and writes the matrix beside the report.
fn kills(campaign: &Campaign<'_>, notes: &mut Vec<String>) -> io::Result<()> {
    let Campaign { settings, out, interrupt, .. } = *campaign;
    let until = Instant::now() + (settings.time / HUNT).min(LONGEST_HUNT);
    let mut wanted: Vec<&Mutant> = mutant::all().collect();
    // Where the time is too short for all of them, each night begins with others.
    let first = (settings.seed % wanted.len().max(1) as u64) as usize;
    wanted.rotate_left(first);
    let is_over = || interrupt.is_set() || Instant::now() >= until;
    let rows = hunt::all(&wanted, settings.seed, DRAWS, settings.cores, &is_over);
    if rows.len() < wanted.len() {
        notes.push(format!("kill matrix: {} of {} mutants were hunted in the time for it", rows.len(), wanted.len()));
    }
    let mut text = Vec::new();
    for row in &rows {
        serde_json::to_writer(&mut text, row)?;
        text.push(b'\n');
    }
    store::replace(&out.join(folder::KILLS), &text)
}
