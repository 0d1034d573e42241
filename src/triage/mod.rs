//! What an artifact or a failing case is: which fault, which signature, how small, whether it shows itself again.
//!
//! A [`Bench`] asks one subject and contains its panics. A [`Fault`] is what the oracle or a panic said; two faults are
//! the same bug when their signatures are equal, and shrinking keeps the signature, not merely "some failure". Writing
//! files is the part of [`store`] and [`promote`]; running an engine is nobody's here.

pub mod bisect;
pub mod cause;
pub mod contain;
pub mod failure;
pub mod history;
pub mod promote;
pub mod rows;
pub mod store;

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::case::{Case, DecodeError, Frames, Party, Session};
use crate::finding::{Evidence, Finding, Manner, Signature};
use crate::invariant;
use crate::mutation::{Generated, Mutation};
use crate::oracle::Oracle;
use crate::report::{Class, Found, Stability, shown};
use crate::subject::Subject;
use crate::{oracle, reduce};

use contain::{Panic, contained};

/// Makes a fresh subject; the same one each time.
pub type Make<'a> = dyn Fn() -> Box<dyn Subject> + Sync + 'a;

/// One fault, apart from the input that showed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind.
    pub class: Class,
    /// What makes it the same bug as another.
    pub signature: Signature,
    /// What the rule asks for.
    pub expected: String,
    /// What was observed.
    pub observed: String,
}

/// A subject that is asked under containment and made anew after a panic.
pub struct Bench<'a> {
    make: &'a Make<'a>,
    subject: Box<dyn Subject>,
    stop: &'a (dyn Fn() -> bool + 'a),
}

/// How many candidates a reduction may ask about before it takes what it has: a bound on time that does not depend on
/// the machine.
const REDUCTION_STEPS: usize = 20_000;

/// What a candidate counts for that ran into the time limit: some fifty of them take minutes.
const HANGING_STEP: usize = 400;

/// How often a fault must show itself to be called stable.
pub const REPLAYS: usize = 3;

impl<'a> Bench<'a> {
    /// A bench with a fresh subject.
    pub fn new(make: &'a Make<'a>) -> Self {
        Self { make, subject: make(), stop: &|| false }
    }

    /// The same, that takes the smallest it has as soon as `stop` says so.
    pub fn until(self, stop: &'a (dyn Fn() -> bool + 'a)) -> Self {
        Self { stop, ..self }
    }

    /// The name of the subject.
    pub fn subject_name(&self) -> &str {
        self.subject.name()
    }

    /// Checks one case against every invariant that speaks of a single case.
    pub fn case(&mut self, case: &Case) -> Option<Fault> {
        self.ask(|subject| oracle::check(subject, case))
    }

    /// Checks one case against every invariant and against what its mutations predict.
    pub fn generated(&mut self, case: &Generated<Case>) -> Option<Fault> {
        self.ask(|subject| oracle::check_generated(subject, case))
    }

    /// Checks one session from its start.
    pub fn session(&mut self, session: &Session) -> Option<Fault> {
        self.ask(|subject| oracle::check_session(subject, session))
    }

    /// Checks whatever it is; without mutations, so that it says what a file alone shows.
    pub fn evidence(&mut self, evidence: &Evidence) -> Option<Fault> {
        match evidence {
            Evidence::Case(case) => self.case(case),
            Evidence::Session(session) => self.session(session),
            Evidence::Frames(stream) => self.ask(|subject| oracle::check_frames(subject, stream)),
        }
    }

    /// Whether it breaks that invariant, whatever else it breaks.
    pub fn breaks(&mut self, evidence: &Evidence, invariant: &str) -> bool {
        let mut oracle = Oracle::choosing(|rule| rule.id == invariant);
        let fault = self.ask(|subject| oracle.check_evidence(subject, evidence));
        fault.is_some_and(|fault| fault.signature.invariant == invariant)
    }

    /// Runs a check of the caller's own on the subject, contained.
    pub fn ask(&mut self, check: impl FnOnce(&mut dyn Subject) -> Result<(), Box<Finding>>) -> Option<Fault> {
        let subject = &mut *self.subject;
        match contained(|| check(subject)) {
            Ok(Ok(())) => None,
            Ok(Err(finding)) => Some(Fault::of_finding(*finding)),
            Err(panic) => {
                let fault = Fault::of_panic(self.subject.name(), panic);
                self.subject = (self.make)();
                Some(fault)
            }
        }
    }

    /// Replays it three times. `known` is what it showed before, if that is known; a replay that shows another fault
    /// does not count.
    pub fn replay(&mut self, evidence: &Evidence, known: Option<&Signature>) -> (Option<Fault>, Stability) {
        let mut first: Option<Fault> = None;
        let mut shown = 0;
        for _ in 0..REPLAYS {
            let Some(fault) = self.evidence(evidence) else { continue };
            let signature = known.or(first.as_ref().map(|first| &first.signature));
            if signature.is_none_or(|signature| *signature == fault.signature) {
                shown += 1;
                first.get_or_insert(fault);
            }
        }
        (first, Stability::of_three(shown))
    }

    /// The smallest evidence found that still shows the signature, or `None` when the evidence alone does not show it.
    pub fn minimise(&mut self, evidence: &Evidence, signature: &Signature) -> Option<Evidence> {
        if self.evidence(evidence).is_none_or(|fault| fault.signature != *signature) {
            return None;
        }
        let (stop, mut steps) = (self.stop, 0);
        let mut keeps = |fault: Option<Fault>| {
            let hung = fault.as_ref().is_some_and(|fault| fault.class == Class::Timeout);
            steps += if hung { HANGING_STEP } else { 1 };
            steps <= REDUCTION_STEPS && !stop() && fault.is_some_and(|fault| fault.signature == *signature)
        };
        let smaller = match evidence {
            Evidence::Case(case) => Evidence::Case(self.smaller_case(case.clone(), &mut keeps)),
            Evidence::Frames(stream) => Evidence::Frames(reduce::minimise_frames(stream.clone(), |candidate| {
                keeps(self.ask(|subject| oracle::check_frames(subject, candidate)))
            })),
            Evidence::Session(session) => {
                let session = reduce::minimise_session(session.clone(), |candidate| keeps(self.session(candidate)));
                // A session of one message that shows the same alone is a case.
                let alone = match session.cases.as_slice() {
                    [case] => keeps(self.case(case)).then(|| case.clone()),
                    _ => None,
                };
                match alone {
                    Some(case) => Evidence::Case(self.smaller_case(case, &mut keeps)),
                    None => Evidence::Session(session),
                }
            }
        };
        let holds = (0..REPLAYS).all(|_| self.evidence(&smaller).is_some_and(|fault| fault.signature == *signature));
        Some(if holds { smaller } else { evidence.clone() })
    }

    fn smaller_case(&mut self, case: Case, keeps: &mut impl FnMut(Option<Fault>) -> bool) -> Case {
        reduce::minimise(case, |candidate| keeps(self.case(candidate)))
    }
}

impl Fault {
    /// What an oracle found.
    pub fn of_finding(finding: Finding) -> Self {
        let signature = finding.signature();
        let class = match finding.death.map(|death| death.manner) {
            None => Class::Invariant,
            Some(Manner::Panic) => Class::Panic,
            Some(Manner::Timeout) => Class::Timeout,
            Some(Manner::Memory) => Class::Memory,
        };
        Self { class, signature, expected: finding.violation.expected, observed: finding.violation.observed }
    }

    /// What a panic of that subject says.
    pub fn of_panic(subject: &str, panic: Panic) -> Self {
        let kind = format!("{} {}", panic.place, panic.message);
        Self::of_engine(subject, Class::Panic, kind, "the subject returns".to_owned())
    }

    /// What an engine says of a subject that it ran.
    pub fn of_engine(subject: &str, class: Class, kind: String, expected: String) -> Self {
        let observed = format!("{}: {kind}", class.word());
        let signature =
            Signature { subject: subject.to_owned(), invariant: class.word().to_owned(), kind, refusal: None };
        Self { class, signature, expected, observed }
    }

    /// The short name of its signature: 12 hexadecimal digits.
    pub fn id(&self) -> String {
        id(&self.signature)
    }

    /// The row that a report shows for it.
    pub fn row(&self, evidence: &Evidence, mutations: &[Mutation], out: &str) -> Found {
        let Signature { subject, invariant, kind, refusal } = &self.signature;
        let rule = invariant::by_id(invariant);
        let text = evidence.encode();
        let file = store::file(&self.id(), evidence);
        Found {
            id: self.id(),
            class: self.class,
            stability: Stability::Stable,
            subject: subject.clone(),
            invariant: invariant.clone(),
            kind: kind.clone(),
            refusal: refusal.map(|(stage, reason)| format!("{stage}/{reason}")),
            level: rule.map(|rule| rule.level.word().into()),
            requirements: match rule {
                Some(rule) => rule.requirements.iter().map(|&id| id.into()).collect(),
                None => mutations.iter().flat_map(|mutation| mutation.breaks.iter().map(|&id| id.into())).collect(),
            },
            expected: self.expected.clone(),
            observed: self.observed.clone(),
            mutations: mutations.iter().map(|step| format!("{} at {}", step.operator, step.path)).collect(),
            hits: 1,
            minimised: false,
            known: false,
            bytes: text.len(),
            replay: replay_line(out, &file, subject),
            file,
            targets: Vec::new(),
            also: Vec::new(),
            first_seen: None,
            test: test(&self.id(), &text, evidence, subject),
            input: shown(&text),
        }
    }
}

/// The short name of a signature: 12 hexadecimal digits of its digest.
pub fn id(signature: &Signature) -> String {
    Sha256::digest(signature.to_string()).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// What a file holds: a session or a case by its text form, what a failed property printed, and anything else as the
/// body of a lone message.
pub fn decode(bytes: &[u8]) -> Evidence {
    if let Some(evidence) = std::str::from_utf8(bytes).ok().and_then(failure::read) {
        return evidence;
    }
    if Session::looks_like(bytes)
        && let Ok(session) = Session::decode(bytes)
    {
        return Evidence::Session(session);
    }
    Evidence::Case(Case::decode(bytes).unwrap_or_else(|_| Case::stdio(Party::Client, bytes)))
}

/// What a file of that name holds: by its text form alone where the name ends in `.case`, `.session` or `.frames`, and by
/// [`decode`] where it says nothing.
///
/// # Errors
///
/// When the name promises a text form that the bytes are not.
pub fn decode_named(path: &Path, bytes: &[u8]) -> Result<Evidence, DecodeError> {
    match path.extension() {
        Some(suffix) if suffix.eq_ignore_ascii_case("case") => Case::decode(bytes).map(Evidence::Case),
        Some(suffix) if suffix.eq_ignore_ascii_case("session") => Session::decode(bytes).map(Evidence::Session),
        Some(suffix) if suffix.eq_ignore_ascii_case("frames") => Frames::decode(bytes).map(Evidence::Frames),
        _ => Ok(decode(bytes)),
    }
}

/// A test that fails while the subject has the fault, ready to be put into a file of tests.
pub fn test(id: &str, text: &[u8], evidence: &Evidence, subject: &str) -> String {
    let (form, check) = match evidence {
        Evidence::Case(_) => ("Case", "check"),
        Evidence::Session(_) => ("Session", "check_session"),
        Evidence::Frames(_) => ("Frames", "check_frames"),
    };
    format!(
        "#[test]\nfn finding_{id}() {{\n    let text = b\"{}\";\n    let input = wirebench::case::{form}::decode(text).unwrap();\n    \
         let mut subject = wirebench::subject::by_name({subject:?}).unwrap();\n    \
         if let Err(finding) = wirebench::oracle::{check}(subject.as_mut(), &input) {{\n        panic!(\"{{finding}}\");\n    }}\n}}\n",
        text.escape_ascii()
    )
}

/// The command that shows a file below the folder of a run again.
pub fn replay_line(out: &str, file: &str, subject: &str) -> String {
    let path = if out.is_empty() { file.to_owned() } else { format!("{}/{file}", out.trim_end_matches('/')) };
    let path = quoted(&path);
    match subject {
        "codec" => format!("wirebench replay {path}"),
        other => format!("wirebench replay {path} --subject {}", quoted(other)),
    }
}

/// One word for a shell.
fn quoted(word: &str) -> String {
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+:".contains(&byte));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(kind: &str) -> Signature {
        Signature { subject: "codec".to_owned(), invariant: "a.b".to_owned(), kind: kind.to_owned(), refusal: None }
    }

    #[test]
    fn one_signature_has_one_short_id() {
        assert_eq!(id(&signature("x")), id(&signature("x")));
        assert_ne!(id(&signature("x")), id(&signature("y")));
        assert_eq!(id(&signature("x")).len(), 12);
    }

    #[test]
    fn a_file_is_what_its_text_form_says() {
        assert!(matches!(decode(b"wirebench-session 1\n"), Evidence::Session(_)));
        assert!(matches!(decode(b"\n{}"), Evidence::Case(case) if case.body == b"{}"));
        assert!(matches!(decode(b"[[["), Evidence::Case(case) if case.body == b"[[["));
    }

    #[test]
    fn a_name_that_promises_a_text_form_is_held_to_it() {
        for name in ["a.case", "a.CASE", "a.session"] {
            assert!(decode_named(Path::new(name), b"[[[").is_err(), "{name}");
        }
        assert!(matches!(decode_named(Path::new("crash-1"), b"[[["), Ok(Evidence::Case(case)) if case.body == b"[[["));
    }

    #[test]
    fn a_replay_line_quotes_what_a_shell_would_split() {
        assert_eq!(replay_line("out/", "findings/a.case", "codec"), "wirebench replay out/findings/a.case");
        assert_eq!(
            replay_line("my out", "findings/a.case", "mutant:x"),
            "wirebench replay 'my out/findings/a.case' --subject mutant:x"
        );
        assert_eq!(
            replay_line("", "a.case", "exec:python3 mine.py"),
            "wirebench replay a.case --subject 'exec:python3 mine.py'"
        );
    }
}
