//! How is a program started, asked one line at a time, and ended, so that nothing it does reaches further?
//!
//! The program runs in a process group of its own, under a shell that sets its limit on memory and then becomes the
//! program. A thread carries lines to it and back and another keeps the end of what it writes on standard error, so that
//! no pipe that fills up can hold the caller. What the lines say is not known here.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::WorkerLimits;
use super::ending;
use crate::finding::{Death, Manner};

/// Sets the limits that a shell can set, then becomes the program. A system without one of them goes without. The limit
/// on data is twice what the program may hold: steady growth is seen by looking, and this stops what grows in one leap.
const SHELL: &str = "ulimit -c 0 2>/dev/null; ulimit -d \"$1\" 2>/dev/null; shift; exec \"$@\"";

/// Bytes of standard error that are kept.
const KEPT: usize = 8 << 10;

/// How often the memory of a process is looked at while it is waited for.
const LOOK: Duration = Duration::from_millis(20);

/// After so many lines it is looked at as well: a process that answers at once is never waited for.
const LOOK_EVERY: u32 = 256;

/// How long an ending process may take to be gone, before it is killed.
const GRACE: Duration = Duration::from_millis(200);

/// A running program.
pub struct Process {
    child: Child,
    lines: Option<SyncSender<Asked>>,
    answers: Receiver<Told>,
    written: Arc<Mutex<Vec<u8>>>,
    writer: thread::JoinHandle<()>,
    memory: u64,
    asked: u32,
}

/// A line, and how many bytes its answer may have.
struct Asked {
    line: Vec<u8>,
    most: usize,
}

enum Told {
    Line(Vec<u8>),
    TooLong,
    Ended,
}

impl Process {
    /// Starts the program of these words.
    ///
    /// # Errors
    ///
    /// When the system cannot start it. A program that does not exist shows itself by its end.
    pub fn start(words: &[String], limits: WorkerLimits) -> std::io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SHELL, "sh", &(limits.memory >> 9).to_string()]).args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The place and the message of a panic must not be pushed out by what follows them.
        command.env("RUST_BACKTRACE", "0");
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (lines, asked) = sync_channel::<Asked>(1);
        let (tell, answers) = sync_channel::<Told>(1);
        let piped = "the three streams are piped";
        let (input, output) = (child.stdin.take().expect(piped), child.stdout.take().expect(piped));
        let error = child.stderr.take().expect(piped);
        thread::Builder::new().spawn(move || carry(input, output, &asked, &tell))?;
        let written = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&written);
        let writer = thread::Builder::new().spawn(move || keep_end(error, &keep))?;
        Ok(Self { child, lines: Some(lines), answers, written, writer, memory: limits.memory, asked: 0 })
    }

    /// Hands a line over and waits for the one that answers it; an empty line asks for the greeting.
    ///
    /// # Errors
    ///
    /// How the process ended. It is of no use afterwards.
    pub fn ask(&mut self, line: Vec<u8>, most: usize, time: Duration) -> Result<Vec<u8>, Death> {
        if let Some(lines) = &self.lines {
            // Whoever carries the lines is gone when the process is; the answer says so.
            let _ = lines.send(Asked { line, most });
        }
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(LOOK_EVERY) && self.has_grown() {
            return Err(self.end(ending::memory(GREW)));
        }
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(Told::Line(line)) => return Ok(line),
                Ok(Told::TooLong) => return Err(self.end(ending::memory("an answer without an end"))),
                Ok(Told::Ended) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if self.has_grown() => {
                    return Err(self.end(ending::memory(GREW)));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(self.end(Death { manner: Manner::Timeout, trace: "no answer in time".to_owned() }));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends it with the cause that is known.
    fn end(&mut self, death: Death) -> Death {
        self.kill();
        death
    }

    /// It closed its output: it says itself why.
    fn ended(&mut self) -> Death {
        let status = self.gone(GRACE);
        self.kill();
        let since = Instant::now();
        while !self.writer.is_finished() && since.elapsed() < GRACE {
            thread::sleep(Duration::from_millis(1));
        }
        let written = self.written.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        ending::of(status, &written)
    }

    /// What it left, once it is gone; `None` while it is there.
    fn gone(&mut self, patience: Duration) -> Option<ExitStatus> {
        let since = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if since.elapsed() < patience => thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }

    /// Ends the process and those that it started, which would hold its pipes.
    fn kill(&mut self) {
        #[cfg(unix)]
        {
            let script = ["-c", "kill -9 \"-$1\" 2>/dev/null", "sh", &self.child.id().to_string()];
            let _ = Command::new("sh").args(script).stdin(Stdio::null()).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Whether it holds more memory than it may. Only Linux says so without another tool.
    fn has_grown(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let held =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
        held.is_some_and(|kib: u64| kib.saturating_mul(1024) > self.memory)
    }
}

const GREW: &str = "grew beyond its memory";

impl Drop for Process {
    /// Closing its input asks a program to end; one that does not is killed.
    fn drop(&mut self) {
        self.lines = None;
        if self.gone(GRACE).is_none() {
            self.kill();
        }
    }
}

/// Carries lines until either side is gone. The first answer is to no line: the greeting.
fn carry(mut input: impl Write, output: impl Read, asked: &Receiver<Asked>, tell: &SyncSender<Told>) {
    let mut output = BufReader::new(output);
    while let Ok(Asked { line, most }) = asked.recv() {
        // A program that ended does not read; what it said before is read all the same.
        let _ = input.write_all(&line).and_then(|()| input.flush());
        let mut answer = Vec::new();
        let told = match output.by_ref().take(most as u64).read_until(b'\n', &mut answer) {
            Ok(_) if answer.ends_with(b"\n") => Told::Line(answer),
            Ok(length) if length >= most => Told::TooLong,
            _ => Told::Ended,
        };
        if tell.send(told).is_err() {
            return;
        }
    }
}

/// Reads to the end and keeps the last of it.
fn keep_end(mut error: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut part = [0; 4096];
    while let Ok(length @ 1..) = error.read(&mut part) {
        let mut kept = kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.extend_from_slice(&part[..length]);
        let over = kept.len().saturating_sub(KEPT);
        kept.drain(..over);
    }
}
