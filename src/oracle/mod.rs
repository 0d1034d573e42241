//! An oracle decides whether an observation is a bug: it joins a case, a subject and the invariants.
//!
//! It counts for every invariant how often the rule was exercised, vacuous, not observable and violated, so that a check
//! that never applied is not mistaken for one that passed.

use crate::case::{Case, Frames, Session};
use crate::finding::{Evidence, Finding, Violation};
use crate::invariant::{self, Check, Exercise, Invariant, Seen, Verdict};
use crate::limits::Limits;
use crate::mutation::Generated;
use crate::observation::Observation;
use crate::subject::Subject;

pub mod breaker;
mod forecast;
pub mod foreign;
#[cfg(test)]
mod grid;
pub mod kill;
pub mod predict;
mod tally;

pub use tally::{Row, Tally};

/// Checks every invariant that speaks of a single case, relations included.
///
/// ```
/// use wirebench::case::{Case, Party};
/// use wirebench::{oracle, subject};
///
/// let mut codec = subject::by_name("codec").unwrap();
/// let case = Case::stdio(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}"#);
/// assert!(oracle::check(&mut *codec, &case).is_ok());
/// ```
///
/// # Errors
///
/// The first violation.
pub fn check(subject: &mut dyn Subject, case: &Case) -> Result<(), Box<Finding>> {
    Oracle::new().check(subject, case)
}

/// Checks every invariant, and that the refusal is the one that the mutations predict.
///
/// # Errors
///
/// The first violation.
pub fn check_generated(subject: &mut dyn Subject, case: &Generated<Case>) -> Result<(), Box<Finding>> {
    Oracle::new().check_generated(subject, case)
}

/// Checks every invariant on a session from its start.
///
/// # Errors
///
/// The first violation.
pub fn check_session(subject: &mut dyn Subject, session: &Session) -> Result<(), Box<Finding>> {
    Oracle::new().check_session(subject, session)
}

/// Checks every invariant that speaks of a stream.
///
/// # Errors
///
/// The first violation.
pub fn check_frames(subject: &mut dyn Subject, stream: &Frames) -> Result<(), Box<Finding>> {
    Oracle::new().check_frames(subject, stream)
}

/// A chosen set of invariants, and what came of checking them so far.
#[derive(Clone, Debug)]
pub struct Oracle {
    rows: Vec<Row>,
    limits: Limits,
    /// How many of the rows are relations, when they take turns.
    turns: Option<u64>,
    unreachable: u64,
}

impl Default for Oracle {
    fn default() -> Self {
        Self::new()
    }
}

impl Oracle {
    /// Every invariant.
    pub fn new() -> Self {
        Self::choosing(|_| true)
    }

    /// Only the invariants that need a single observation: the cheap ones, for a run of many cases.
    pub fn single() -> Self {
        Self::choosing(|invariant| matches!(invariant.check, Check::Alone(_)))
    }

    /// The invariants that are chosen.
    pub fn choosing(choose: impl Fn(&Invariant) -> bool) -> Self {
        let rows = invariant::all()
            .filter(|invariant| choose(invariant))
            .map(|invariant| Row { invariant, tally: Tally::default() })
            .collect();
        Self { rows, limits: Limits::message(), turns: None, unreachable: 0 }
    }

    /// Every invariant, but of the relations one a case: for an engine that executes as many inputs as it can, since a
    /// relation asks about several more variants. Which one is a matter of the case alone, so that the same input gives
    /// the same verdict each time, and what fails here fails where all of them are asked.
    pub fn in_turn() -> Self {
        let every = Self::new();
        let relations = every.rows.iter().filter(|row| matches!(row.invariant.check, Check::Relation { .. })).count();
        Self { turns: Some(relations as u64), ..every }
    }

    /// The same for a subject that reads under other limits than those of a message.
    pub fn under(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// What was counted so far, an invariant a row, in the order in which they are listed.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How often the subject could not be asked, which is neither a pass nor a finding.
    pub fn unreachable(&self) -> u64 {
        self.unreachable
    }

    /// Adds what another oracle with the same choice counted.
    pub fn add(&mut self, other: &Self) {
        self.unreachable += other.unreachable;
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.tally.add(other.tally);
        }
    }

    /// Checks one case.
    ///
    /// # Errors
    ///
    /// The first violation, in the order of the invariants.
    pub fn check(&mut self, subject: &mut dyn Subject, case: &Case) -> Result<(), Box<Finding>> {
        self.check_case(subject, case, None)
    }

    fn check_case(
        &mut self,
        subject: &mut dyn Subject,
        case: &Case,
        generated: Option<&Generated<Case>>,
    ) -> Result<(), Box<Finding>> {
        subject.reset();
        let Ok(observation) = subject.observe(case) else {
            return unanswered(subject, &mut self.unreachable, || Evidence::Case(case.clone()));
        };
        let seen = Seen::alone(case).under(self.limits);
        let turn = self.turns.map(|relations| lot(case) % relations.max(1));
        let mut relations = 0..;
        for row in &mut self.rows {
            let verdict = match row.invariant.check {
                Check::Alone(holds) => holds(&seen, &observation),
                Check::Relation { variants, agree } => {
                    let place = relations.next();
                    if turn.is_some() && turn != place {
                        continue;
                    }
                    related(subject, &variants(&seen), |variant| agree(&observation, variant), &mut self.unreachable)?
                }
                Check::Predicted => match generated {
                    Some(generated) => forecast::agrees(subject.name(), generated, &observation),
                    None => continue,
                },
                Check::Session(_) | Check::Frames(_) => continue,
            };
            row.tally.count(&verdict);
            if let Err(violation) = verdict {
                return Err(finding(subject, row.invariant, violation, &observation, Evidence::Case(case.clone())));
            }
        }
        Ok(())
    }

    /// Checks one case, and carries what was done to it into the finding.
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn check_generated(&mut self, subject: &mut dyn Subject, case: &Generated<Case>) -> Result<(), Box<Finding>> {
        self.check_case(subject, &case.value, Some(case)).map_err(|finding| with_mutations(finding, case))
    }

    /// Checks a session from its start.
    ///
    /// # Errors
    ///
    /// The first violation: of a message on its own, then of the session.
    pub fn check_session(&mut self, subject: &mut dyn Subject, session: &Session) -> Result<(), Box<Finding>> {
        subject.reset();
        let mut observations = Vec::with_capacity(session.cases.len());
        for case in &session.cases {
            let Ok(observation) = subject.observe(case) else {
                return unanswered(subject, &mut self.unreachable, || Evidence::Session(session.clone()));
            };
            observations.push(observation);
        }
        let evidence = || Evidence::Session(session.clone());
        for (case, observation) in session.cases.iter().zip(&observations) {
            let seen = Seen::in_session(case).under(self.limits);
            for row in &mut self.rows {
                let Check::Alone(holds) = row.invariant.check else { continue };
                let verdict = holds(&seen, observation);
                row.tally.count(&verdict);
                if let Err(violation) = verdict {
                    return Err(finding(subject, row.invariant, violation, observation, evidence()));
                }
            }
        }
        for row in &mut self.rows {
            let Check::Session(holds) = row.invariant.check else { continue };
            let verdict = holds(session, &observations);
            row.tally.count(&verdict);
            if let Err(violation) = verdict {
                return Err(finding(subject, row.invariant, violation, &Observation::default(), evidence()));
            }
        }
        Ok(())
    }

    /// Checks a stream.
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn check_frames(&mut self, subject: &mut dyn Subject, stream: &Frames) -> Result<(), Box<Finding>> {
        subject.reset();
        for row in &mut self.rows {
            let Check::Frames(holds) = row.invariant.check else { continue };
            let verdict = holds(stream, &mut |stream| subject.cut(stream));
            row.tally.count(&verdict);
            if let Err(violation) = verdict {
                let evidence = Evidence::Frames(stream.clone());
                return Err(finding(subject, row.invariant, violation, &Observation::default(), evidence));
            }
        }
        Ok(())
    }

    /// Checks whatever it is, without mutations.
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn check_evidence(&mut self, subject: &mut dyn Subject, evidence: &Evidence) -> Result<(), Box<Finding>> {
        match evidence {
            Evidence::Case(case) => self.check(subject, case),
            Evidence::Session(session) => self.check_session(subject, session),
            Evidence::Frames(stream) => self.check_frames(subject, stream),
        }
    }
}

/// A number drawn from the header lines and the body: the same on every machine, and another for most changes.
fn lot(case: &Case) -> u64 {
    let lines = case.headers.iter().flat_map(|header| [&header.name, &header.value]);
    let mut lot = 0;
    for chunk in lines.chain([&case.body]).flat_map(|part| part.chunks(8)) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        lot = (lot ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    lot ^ lot >> 32
}

/// A subject that died is a finding, one that could not be asked is counted.
fn unanswered(
    subject: &mut dyn Subject,
    unreachable: &mut u64,
    evidence: impl FnOnce() -> Evidence,
) -> Result<(), Box<Finding>> {
    let Some(death) = subject.death() else {
        *unreachable += 1;
        return Ok(());
    };
    let word = death.manner.word();
    Err(Box::new(Finding {
        subject: subject.name().to_owned(),
        invariant: word,
        violation: Violation {
            kind: word,
            expected: "an answer, in its time and within its memory".to_owned(),
            observed: format!("{word}: {}", death.trace),
        },
        death: Some(death),
        refusal: None,
        evidence: evidence(),
        mutations: Vec::new(),
    }))
}

/// Observes every variant from a fresh start; exercised when one of them was.
///
/// # Errors
///
/// The death of the subject, with the variant that it died of.
fn related(
    subject: &mut dyn Subject,
    variants: &[Case],
    agree: impl Fn(&Observation) -> Verdict,
    unreachable: &mut u64,
) -> Result<Verdict, Box<Finding>> {
    let mut exercise = Exercise::Vacuous;
    for variant in variants {
        subject.reset();
        let Ok(observation) = subject.observe(variant) else {
            unanswered(subject, unreachable, || Evidence::Case(variant.clone()))?;
            continue;
        };
        match agree(&observation) {
            Ok(Exercise::Vacuous) => {}
            Ok(Exercise::NotObservable) if exercise == Exercise::Exercised => {}
            Ok(other) => exercise = other,
            Err(violation) => return Ok(Err(violation)),
        }
    }
    Ok(Ok(exercise))
}

fn finding(
    subject: &dyn Subject,
    invariant: &Invariant,
    violation: Violation,
    observation: &Observation,
    evidence: Evidence,
) -> Box<Finding> {
    Box::new(Finding {
        subject: subject.name().to_owned(),
        invariant: invariant.id,
        violation,
        death: None,
        refusal: observation.refusal,
        evidence,
        mutations: Vec::new(),
    })
}

/// What was done to a case is not what was done to a variant of it.
fn with_mutations(mut finding: Box<Finding>, case: &Generated<Case>) -> Box<Finding> {
    if matches!(&finding.evidence, Evidence::Case(shown) if *shown == case.value) {
        finding.mutations = case.mutations.clone();
    }
    finding
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::case::Transport;
    use crate::subject::{Codec, mutant};

    fn complaints(oracle: &mut Oracle) -> BTreeMap<String, (usize, String)> {
        let mut codec = Codec::new();
        let mut complaints = BTreeMap::new();
        let mut note = |finding: Box<Finding>| {
            let text = format!("{finding}\n{}", String::from_utf8_lossy(&finding.evidence.encode()));
            complaints.entry(finding.signature().to_string()).or_insert((0, text)).0 += 1;
        };
        for case in grid::requests().iter().chain(&grid::responses()).chain(&grid::envelopes()) {
            if let Err(finding) = oracle.check(&mut codec, case) {
                note(finding);
            }
        }
        for session in grid::sessions() {
            if let Err(finding) = oracle.check_session(&mut codec, &session) {
                note(finding);
            }
        }
        complaints
    }

    #[test]
    fn the_codec_gives_no_finding_and_every_invariant_is_exercised() {
        let mut oracle = Oracle::new();
        let complaints = complaints(&mut oracle);
        let lines: Vec<String> = complaints.values().map(|(count, text)| format!("{count} times: {text}")).collect();
        assert!(lines.is_empty(), "{}", lines.join("\n\n"));
        for transport in [Transport::Stdio, Transport::Http] {
            assert!(oracle.check_frames(&mut Codec::new(), &Frames::new(transport, "data: {}\r\n\r\n", [9])).is_ok());
        }
        let predicted = |row: &&Row| matches!(row.invariant.check, Check::Predicted);
        let idle: Vec<_> = oracle
            .rows()
            .iter()
            .filter(|row| row.tally.exercised == 0 && !predicted(row))
            .map(|row| row.invariant.id)
            .collect();
        assert!(idle.is_empty(), "never exercised: {idle:?}");
    }

    #[test]
    fn relations_in_turn_are_all_asked_and_each_input_has_its_own() {
        let cases: Vec<Case> = [grid::requests(), grid::responses()].into_iter().flatten().collect();
        let (mut turns, mut again) = (Oracle::in_turn(), Oracle::in_turn());
        let relations = |oracle: &Oracle| -> Vec<u64> {
            let rows = oracle.rows().iter().filter(|row| matches!(row.invariant.check, Check::Relation { .. }));
            rows.map(|row| row.tally.exercised + row.tally.vacuous + row.tally.not_observable).collect()
        };
        for (at, case) in cases.iter().enumerate() {
            assert!(turns.check(&mut Codec::new(), case).is_ok());
            assert_eq!(relations(&turns).iter().sum::<u64>(), at as u64 + 1);
        }
        for case in cases.iter().rev() {
            assert!(again.check(&mut Codec::new(), case).is_ok());
        }
        let asked = relations(&turns);
        assert_eq!(asked, relations(&again));
        let fair = cases.len() as u64 / asked.len() as u64;
        assert!(asked.iter().all(|count| (fair / 2..fair * 2).contains(count)), "{asked:?}");
        assert!(
            turns
                .rows()
                .iter()
                .all(|row| row.tally.exercised > 0 || !matches!(row.invariant.check, Check::Relation { .. }))
        );
    }

    #[test]
    fn what_fails_in_turn_fails_where_every_relation_is_asked() {
        let cases: Vec<Case> = [grid::requests(), grid::responses()].into_iter().flatten().step_by(5).collect();
        let is_relation = |id: &str| matches!(invariant::by_id(id).unwrap().check, Check::Relation { .. });
        let mut by_relation = 0;
        for mutant in mutant::all().filter(|mutant| is_relation(mutant.killer)) {
            let mut subject = mutant.subject();
            let mut turns = Oracle::in_turn();
            let failed: Vec<&Case> = cases.iter().filter(|case| turns.check(&mut subject, case).is_err()).collect();
            assert!(!failed.is_empty(), "{}", mutant.id);
            assert!(failed.iter().all(|case| check(&mut subject, case).is_err()), "{}", mutant.id);
            by_relation += 1;
        }
        assert!(by_relation > 3);
    }

    #[test]
    fn every_mutant_is_killed_by_its_own_invariant() {
        let cases: Vec<Case> = [grid::envelopes(), grid::requests(), grid::responses()].into_iter().flatten().collect();
        let sessions = grid::sessions();
        let streams =
            ["data: \u{e9}\n\n", "data: [\r\ndata: ]\r\n\r\n"].map(|text| Frames::new(Transport::Http, text, []));
        let survivors: Vec<_> = mutant::all()
            .filter(|mutant| {
                let mut oracle = Oracle::choosing(|invariant| invariant.id == mutant.killer);
                let mut subject = mutant.subject();
                let by_case = cases.iter().any(|case| oracle.check(&mut subject, case).is_err());
                let by_stream = streams.iter().any(|stream| oracle.check_frames(&mut subject, stream).is_err());
                !by_case
                    && !by_stream
                    && !sessions.iter().any(|session| oracle.check_session(&mut subject, session).is_err())
            })
            .map(|mutant| (mutant.id, mutant.killer))
            .collect();
        assert!(survivors.is_empty(), "{survivors:#?}");
    }
}
