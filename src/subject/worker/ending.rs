//! What does the end of a worker process say: in which manner it ended, where, and with which words?
//!
//! Two ends are the same bug when this says the same of them. What the process wrote is not kept: a panic's place and its
//! masked message are, and the bare name of an error type.

use std::process::ExitStatus;

use crate::finding::{Death, Manner, mask, short_path};

/// What allocators and runtimes write when memory runs out.
const OUT_OF_MEMORY: [&str; 8] = [
    "memory allocation of",
    "cannot allocate",
    "Out of space",
    "MemoryError",
    "heap out of memory",
    "out of memory",
    "OutOfMemoryError",
    "std::bad_alloc",
];

/// A place is cut here; it is the path of a source file.
const LONGEST_PLACE: usize = 120;

/// Names longer than this name no type.
const LONGEST_NAME: usize = 60;

/// The end of a process that left this status and wrote this last on its standard error.
pub fn of(status: Option<ExitStatus>, written: &[u8]) -> Death {
    let text = String::from_utf8_lossy(written);
    if OUT_OF_MEMORY.iter().any(|words| text.contains(words)) {
        return memory("an allocation failed");
    }
    if killed(status) {
        return memory("killed by the system");
    }
    let trace = if text.contains("has overflowed its stack") {
        "stack overflow".to_owned()
    } else {
        panicked(&text).unwrap_or_else(|| match error_name(&text) {
            Some(name) => format!("{} {name}", status_words(status)),
            None => status_words(status),
        })
    };
    Death { manner: Manner::Panic, trace }
}

/// The end by growth.
pub fn memory(trace: &str) -> Death {
    Death { manner: Manner::Memory, trace: trace.to_owned() }
}

/// Place and masked message of a Rust panic, in the words of one in process.
fn panicked(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("panicked at ")?;
    let mut lines = rest.lines();
    let place = lines.next()?.trim_end_matches(':');
    // The column is left out: it moves with formatting.
    let (place, _) = place.rsplit_once(':')?;
    let place: String = short_path(place).chars().filter(char::is_ascii_graphic).take(LONGEST_PLACE).collect();
    Some(format!("{place} {}", mask(lines.next().unwrap_or(""))))
}

/// The last line that begins with the name of an error type.
fn error_name(text: &str) -> Option<&str> {
    let name = |line: &'_ str| -> usize {
        line.find(|character: char| !(character.is_ascii_alphanumeric() || "._".contains(character)))
            .unwrap_or(line.len())
    };
    text.lines()
        .rev()
        .map(|line| &line[..name(line)])
        .find(|name| (name.ends_with("Error") || name.ends_with("Exception")) && name.len() <= LONGEST_NAME)
}

#[cfg(unix)]
fn signal(status: Option<ExitStatus>) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.and_then(|status| status.signal())
}

#[cfg(not(unix))]
fn signal(_: Option<ExitStatus>) -> Option<i32> {
    None
}

/// Nobody else kills a worker while it is asked.
fn killed(status: Option<ExitStatus>) -> bool {
    signal(status) == Some(9)
}

fn status_words(status: Option<ExitStatus>) -> String {
    match (signal(status), status.and_then(|status| status.code())) {
        (Some(number), _) => {
            let name = SIGNALS.iter().find(|(known, _)| *known == number).map(|(_, name)| *name);
            name.map_or_else(|| format!("signal {number}"), str::to_owned)
        }
        (None, Some(code)) => format!("exit {code}"),
        (None, None) => "its output closed".to_owned(),
    }
}

/// The signals of a fault, whose numbers are the same on every system that has them, but for the bus error.
const SIGNALS: [(i32, &str); 6] =
    [(4, "SIGILL"), (5, "SIGTRAP"), (6, "SIGABRT"), (8, "SIGFPE"), (11, "SIGSEGV"), (15, "SIGTERM")];

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn end(raw: i32, written: &str) -> (Manner, String) {
        let Death { manner, trace } = of(Some(ExitStatus::from_raw(raw)), written.as_bytes());
        (manner, trace)
    }

    #[test]
    fn the_end_of_a_process_is_told_by_what_stays_the_same() {
        let rust =
            "thread 'main' (41) panicked at /home/x/mine/src/lib.rs:12:5:\nid 77 of \"secret\" is odd\nnote: run";
        let python = "Traceback (most recent call last):\n  File \"a.py\", line 3\nValueError: bad id 'secret'\n";
        for (raw, written, manner, trace) in [
            (101 << 8, rust, Manner::Panic, "mine/src/lib.rs:12 id # of _ is odd"),
            (1 << 8, python, Manner::Panic, "exit 1 ValueError"),
            (1 << 8, "json.decoder.JSONDecodeError: x", Manner::Panic, "exit 1 json.decoder.JSONDecodeError"),
            (3 << 8, "secret", Manner::Panic, "exit 3"),
            (11, "", Manner::Panic, "SIGSEGV"),
            (6, "thread main has overflowed its stack", Manner::Panic, "stack overflow"),
            (6, "memory allocation of 99 bytes failed", Manner::Memory, "an allocation failed"),
            (9, "", Manner::Memory, "killed by the system"),
        ] {
            assert_eq!(end(raw, written), (manner, trace.to_owned()), "{written}");
        }
    }
}
