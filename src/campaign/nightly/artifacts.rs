//! What an engine left, turned into findings.
//!
//! An artifact is run by its own target first, in a process of its own, because it may hang, overflow the stack or take
//! all memory. Only when that ends in a panic, or in nothing, is it decoded and checked in process, where its signature is
//! known and it can be shrunk. What shows itself nowhere is gone, and is told as well.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::engine::{Ended, watch};
use super::workspace::Built;
use crate::campaign::interrupt::Interrupt;
use crate::campaign::kept::Kept;
use crate::case::{Case, Frames, Header, Party, Transport};
use crate::codec::frame::{self, FrameLimits};
use crate::corpus::{Baseline, baseline};
use crate::finding::{Evidence, mask};
use crate::generate::{dictionary, document};
use crate::report::{Class, Found, Stability};
use crate::triage::rows::Rows;
use crate::triage::{self, Bench, Fault, Make, REPLAYS};

/// Collects the findings of a run, one row a signature.
pub struct Collector<'a> {
    rows: Rows<'a>,
    run: &'a Path,
    shown: &'a str,
    baseline: &'a Baseline,
    settled: BTreeMap<String, (usize, Fault)>,
}

/// How many inputs that cost their limit each, in time or in memory, are replayed for one target; they show one
/// signature, so that a target which always hangs must not take the morning as well.
const COSTLY: usize = 3;

/// A replay that takes longer has hung, whatever the engine's own limit.
const REPLAY_LIMIT: Duration = Duration::from_secs(60);

impl<'a> Collector<'a> {
    /// An empty collection that writes below `run`, which replay lines spell as `shown`.
    pub fn new(make: &'a Make<'a>, run: &'a Path, shown: &'a str, baseline: &'a Baseline) -> Self {
        Self { rows: Rows::new(Bench::new(make), run, shown), run, shown, baseline, settled: BTreeMap::new() }
    }

    /// What is wrong with the baseline, for the subject of the run.
    pub fn stale(&mut self, folder: &Path) -> Vec<String> {
        self.baseline.stale(&mut self.rows.bench, folder, &baseline::today())
    }

    /// The rows in the order of their ids, one for each bug.
    pub fn into_rows(self) -> Vec<Found> {
        let mut rows = self.rows.join();
        rows.iter_mut().for_each(|row| row.known = self.baseline.lists(row));
        rows
    }

    /// Takes a row as the journal kept it; a later one of the same signature replaces it.
    pub fn restore(&mut self, kept: Kept) {
        self.rows.put(kept.row(self.run, self.shown));
    }

    /// How many signatures there are so far.
    pub fn count(&self) -> usize {
        self.rows.count()
    }

    /// Checks a file that is known to decode: a regression. Says what the row is now, when it shows a fault.
    ///
    /// # Errors
    ///
    /// When the finding cannot be written.
    pub fn add_evidence(&mut self, source: &str, evidence: Evidence) -> io::Result<Option<Kept>> {
        Ok(self.rows.add_evidence(Some(source), evidence)?.map(Kept::of))
    }

    /// Triages one artifact of a target and says what its row is now.
    ///
    /// # Errors
    ///
    /// When it cannot be read or its target not be started, or a finding cannot be written.
    pub fn add_artifact(&mut self, built: &Built, artifact: &Path, interrupt: &Interrupt) -> io::Result<Kept> {
        let bytes = fs::read(artifact)?;
        let evidence = shapes(&built.target, &bytes).swap_remove(0);
        let of_name = of_name(artifact);
        let kin = format!("{} {}", built.slug(), of_name.class.word());
        if let Some((_, fault)) = self.settled.get(&kin).filter(|(count, _)| *count >= COSTLY) {
            return self
                .rows
                .add_foreign(Some(&built.target), fault.clone(), evidence, Stability::Stable)
                .map(Kept::of);
        }
        let subject = self.rows.bench.subject_name().to_owned();
        let scrap = self.run.join("scrap");
        let mut last = run(built, artifact, &scrap, &subject, interrupt)?;
        if last.as_ref().is_none_or(|said| said.unwinds) {
            for evidence in shapes(&built.target, &bytes) {
                if let Some(row) = self.rows.add_evidence(Some(&built.target), evidence)? {
                    return Ok(Kept::of(row));
                }
            }
        }
        let mut count = usize::from(last.is_some());
        for _ in 1..REPLAYS {
            if let Some(said) = run(built, artifact, &scrap, &subject, interrupt)? {
                count += 1;
                last = Some(said);
            }
        }
        let Said { class, kind, .. } = last.unwrap_or(of_name);
        let kind = if count == 0 { format!("{kind} in {}", built.target) } else { kind };
        let fault = Fault::of_engine(&subject, class, kind, "the target returns".to_owned());
        if count == REPLAYS && matches!(class, Class::Timeout | Class::Memory) {
            self.settled.entry(kin).or_insert((0, fault.clone())).0 += 1;
        }
        self.rows.add_foreign(Some(&built.target), fault, evidence, Stability::of_three(count)).map(Kept::of)
    }
}

/// What a target's input stands for; the first is what is kept when no form shows a fault.
pub(super) fn shapes(target: &str, bytes: &[u8]) -> Vec<Evidence> {
    match target {
        "bytes" => [Party::Client, Party::Server].map(|from| Evidence::Case(Case::stdio(from, bytes))).to_vec(),
        "frames" => framed(bytes),
        "header" => vec![mirrored(bytes)],
        _ => vec![triage::decode(bytes)],
    }
}

/// The request that the target makes of a raw header value and a name; what it rejects is kept as it is.
fn mirrored(bytes: &[u8]) -> Evidence {
    let (value, name) = match bytes.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, bytes),
    };
    let Ok(name) = std::str::from_utf8(name) else { return triage::decode(bytes) };
    let mut body = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":".to_vec();
    document::write_text(name, &mut body);
    let (version, capabilities, now) = (dictionary::VERSION_KEY, dictionary::CAPABILITIES_KEY, dictionary::MODERN);
    body.extend_from_slice(format!(",\"_meta\":{{\"{version}\":\"{now}\",\"{capabilities}\":{{}}}}}}}}").as_bytes());
    let mut case = Case::http(Party::Client, body);
    case.headers.push(Header::new(dictionary::VERSION_HEADER, now));
    case.headers.push(Header::new(dictionary::METHOD_HEADER, "tools/call"));
    case.headers.push(Header { name: dictionary::NAME_HEADER.into(), value: value.to_vec() });
    Evidence::Case(case)
}

/// Every message of a stream, as the target shows it to the subject, and the whole text where none of them is at fault.
fn framed(text: &[u8]) -> Vec<Evidence> {
    let mut shapes = vec![Frames::decode(text).map_or_else(|_| triage::decode(text), Evidence::Frames)];
    if let Ok(frames) = Frames::decode(text) {
        frame::read(&frames, FrameLimits::message(), &mut |frame| {
            if let Ok(message) = frame.result {
                shapes.push(Evidence::Case(match frames.transport() {
                    Transport::Http => Case::http(Party::Server, message),
                    Transport::Stdio => Case::stdio(Party::Server, message),
                }));
            }
        });
    }
    shapes
}

/// What a process said of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    class: Class,
    kind: String,
    /// Whether the same may be shown in this process: a panic, and no abort, signal or overflow of the stack.
    unwinds: bool,
}

impl Said {
    fn timeout() -> Self {
        Self { class: Class::Timeout, kind: "no end within the limit".to_owned(), unwinds: false }
    }
}

/// Runs the artifact once in a process of its own; `None` when it passes.
fn run(built: &Built, artifact: &Path, scrap: &Path, subject: &str, interrupt: &Interrupt) -> io::Result<Option<Said>> {
    // The engine insists on a folder for what it would leave once more.
    fs::create_dir_all(scrap)?;
    let log = scrap.join("replay.log");
    let mut command = built.command(subject);
    command.arg(artifact).args(&built.options).arg(format!("-artifact_prefix={}/", scrap.display()));
    command.stderr(fs::File::create(&log)?);
    let ended = watch(&mut command, REPLAY_LIMIT, interrupt, &mut |_| {});
    let text = fs::read(&log);
    fs::remove_dir_all(scrap)?;
    let said = said(&String::from_utf8_lossy(&text?));
    // The engine's own limit may be longer than ours.
    let hung = ended? == Ended::Killed && said.is_none() && !interrupt.is_set();
    Ok(if hung { Some(Said::timeout()) } else { said })
}

/// Reads the last words of a process: our own panic first, then what the engine or a sanitizer calls it.
fn said(log: &str) -> Option<Said> {
    let of = |class, kind: &str| Some(Said { class, kind: mask(kind), unwinds: false });
    let after = |mark: &str| log.split_once(mark).map(|(_, rest)| rest.lines().next().unwrap_or("").trim());
    if log.contains("libFuzzer: timeout") {
        return Some(Said::timeout());
    }
    if log.contains("libFuzzer: out-of-memory") || log.contains("libFuzzer: malloc limit") {
        return of(Class::Memory, "more memory than the limit");
    }
    if log.contains("LeakSanitizer") {
        return of(Class::Leak, "memory that is never given back");
    }
    if let Some(report) = after("ERROR: AddressSanitizer: ") {
        return of(Class::Sanitizer, report.split_whitespace().next().unwrap_or("report"));
    }
    if log.contains("has overflowed its stack") {
        return of(Class::Panic, "stack overflow");
    }
    if let Some(place) = after("panicked at ") {
        return of(Class::Panic, place.trim_end_matches(':')).map(|said| Said { unwinds: true, ..said });
    }
    after("ERROR: libFuzzer: ").and_then(|report| of(Class::Panic, report))
}

/// What the name of an artifact says, when no replay says anything.
fn of_name(artifact: &Path) -> Said {
    let name = artifact.file_name().unwrap_or_default().to_string_lossy();
    let class = match name.split('-').next() {
        Some("timeout") => Class::Timeout,
        Some("oom") => Class::Memory,
        Some("leak") => Class::Leak,
        _ => Class::Panic,
    };
    Said { class, kind: "not shown again".to_owned(), unwinds: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_of_a_process_tell_the_class() {
        for (log, class, kind) in [
            ("x\nthread '<unnamed>' panicked at src/codec/mod.rs:12:5:\nboom", Class::Panic, "src/codec/mod.rs:#:#"),
            ("==1== ERROR: libFuzzer: timeout after 10 seconds", Class::Timeout, "no end within the limit"),
            ("==1== ERROR: libFuzzer: out-of-memory (used: 3Mb)", Class::Memory, "more memory than the limit"),
            ("==1==ERROR: AddressSanitizer: heap-buffer-overflow on", Class::Sanitizer, "heap-buffer-overflow"),
            ("==1== ERROR: libFuzzer: deadly signal", Class::Panic, "deadly signal"),
            ("thread 'main' (1) has overflowed its stack\nfatal", Class::Panic, "stack overflow"),
        ] {
            let unwinds = log.contains("panicked");
            assert_eq!(said(log), Some(Said { class, kind: kind.to_owned(), unwinds }), "{log}");
        }
        assert_eq!(said("Executed x in 0 ms"), None);
    }

    #[test]
    fn bytes_stand_for_a_message_of_either_party() {
        assert_eq!(shapes("bytes", b"\n{}").len(), 2);
        assert_eq!(shapes("case", b"\n{}"), [Evidence::Case(Case::stdio(Party::Client, "{}"))]);
    }
}
