//! A program of its own as a subject: it may panic, hang or grow, and the run goes on.
//!
//! This module asks and judges nothing. A program that cannot be started, or that answers in another way than it must,
//! is [`Unreachable`]; one that ends while it is asked is a [`Death`], with the manner and the trace that make two deaths
//! the same bug. After a death the next question starts the program again.
//!
//! The name of the subject is `exec:` and the words of the command, parted by spaces: `exec:python3 shim.py`. There is no
//! quoting; a word with a space in it needs a script of its own.
//!
//! # Protocol
//!
//! Lines of JSON over standard input and output, one answer a question, nothing unasked. The program greets with
//! [`GREETING`], ends when its input ends, and may write what it likes to standard error. A question shows one case; every
//! member is always there:
//!
//! ```json
//! {"case":1,"reset":true,"from":"client","transport":"http","connection":0,"restart":false,"method":"POST",
//!  "headers_complete":true,"status":null,"context_revision":null,"context_capabilities":null,"context_method":null,
//!  "headers":[["Mcp-Method","ping"]],"body":"eyJqc29ucnBjIjoiMi4wIn0="}
//! ```
//!
//! `reset` says that a new session begins. The body is Base64; in names and values of header lines one character stands
//! for one byte. The other members are those of the text form of a case. The answer is a row of `wirebench read --format
//! ndjson` with the number of the question as `case`. All else may be left out or null, and then is not observable:
//!
//! ```json
//! {"case":1,"kind":"request","id":"1","refusal":{"stage":"header","code":-32020,"http":400}}
//! ```
//!
//! `id` is the raw token as text. A `refusal` may name `stage`, `reason`, `code` and `http`; without a reason it counts as
//! the first of its stage, and without a stage as one of the stage of its code. A message whose `kind` is named and that
//! has no `refusal` was accepted. `{"case":1,"unreachable":true}` says that the codec could not be asked. A row has two
//! members more than `read` prints: `advertised`, which belongs to capabilities beyond the core (`tasks`,
//! `tasks-without-object`, `other-extension`, `other-member`), and `steps` of a client that starts up (`probe`,
//! `initialize`, `initialized`, `open-stream`, `bare-request`, `select-modern`, `select-legacy`, `fail`).
//!
//! A whole shim in Python, which shows kind, id and whether the text is JSON:
//!
//! ```python
//! import base64, json, sys
//! print('{"wirebench-worker":1}', flush=True)
//! for line in sys.stdin:
//!     asked = json.loads(line)
//!     row = {"case": asked["case"]}
//!     try:
//!         message = json.loads(base64.b64decode(asked["body"]))
//!         row["kind"] = "request" if "method" in message else "result"
//!         row["id"] = json.dumps(message.get("id"))
//!     except ValueError:
//!         row["refusal"] = {"stage": "json", "code": -32700, "http": 400}
//!     print(json.dumps(row), flush=True)
//! ```

mod answer;
mod ending;
mod process;
mod question;
mod serve;

use std::env;
use std::fmt;
use std::time::Duration;

use super::{Subject, Unreachable};
use crate::case::{Case, Party};
use crate::finding::Death;
use crate::observation::Observation;

use answer::Answer;
use process::Process;
use question::Question;

pub use serve::serve;

/// The line with which a worker greets.
pub const GREETING: &str = "{\"wirebench-worker\":1}\n";

/// The prefix of the name of a worker.
pub const PREFIX: &str = "exec:";

/// The environment variable that sets [`WorkerLimits::time`], in seconds.
pub const SECONDS_VARIABLE: &str = "WIREBENCH_WORKER_SECONDS";

/// The environment variable that sets [`WorkerLimits::memory`], in MiB.
pub const MEMORY_VARIABLE: &str = "WIREBENCH_WORKER_MIB";

/// How long a program may take to greet.
const START: Duration = Duration::from_secs(20);

/// What an answer may have beyond four times its message: an id may be as long as the message, and escapes double it.
const ANSWER: usize = 1 << 20;

/// Starts that fail one after the other before a worker is given up.
const STARTS: u32 = 3;

/// What a program may take for one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerLimits {
    /// How long one answer may take; beyond it the program hangs.
    pub time: Duration,
    /// How many bytes of memory it may hold; beyond them it grows. It may hold
    /// more for a moment, and where the system tells nothing of it there is no limit.
    pub memory: u64,
}

impl Default for WorkerLimits {
    /// Two seconds, a thousand times what a slow codec takes, and half a GiB.
    fn default() -> Self {
        Self { time: Duration::from_secs(2), memory: 512 << 20 }
    }
}

impl WorkerLimits {
    /// The limits that the environment sets, and the defaults where it sets none.
    ///
    /// # Errors
    ///
    /// [`Trouble::Limits`] when a variable is no whole number above zero.
    pub fn from_environment() -> Result<Self, Trouble> {
        let set = |name| match env::var_os(name) {
            None => Ok(None),
            Some(value) => {
                let number = value.to_str().and_then(|text| text.parse::<u32>().ok()).filter(|number| *number > 0);
                number.map(Some).ok_or(Trouble::Limits)
            }
        };
        let plain = Self::default();
        Ok(Self {
            time: set(SECONDS_VARIABLE)?.map_or(plain.time, |seconds| Duration::from_secs(seconds.into())),
            memory: set(MEMORY_VARIABLE)?.map_or(plain.memory, |mib| u64::from(mib) << 20),
        })
    }
}

/// Why a program cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The name holds no words after the prefix.
    NoCommand,
    /// A variable of the environment sets no limit.
    Limits,
    /// It could not be started, or ended or was silent instead of greeting.
    NoGreeting,
    /// Its first line is another one.
    OtherGreeting,
    /// An answer is no JSON object of the right types.
    NotARow,
    /// An answer carries the number of another question.
    OtherCase,
    /// This member of an answer says what is in no list.
    Unread(&'static str),
    /// It ended when it was asked about a plain ping.
    Died,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCommand => write!(f, "there is no command after {PREFIX}"),
            Self::Limits => write!(f, "{SECONDS_VARIABLE} and {MEMORY_VARIABLE} take a whole number above zero"),
            Self::NoGreeting => write!(f, "it does not start, or does not greet with {}", GREETING.trim_end()),
            Self::OtherGreeting => write!(f, "its first line is not {}", GREETING.trim_end()),
            Self::NotARow => f.write_str("it answers with a line that is no row"),
            Self::OtherCase => f.write_str("its answer carries the number of another question"),
            Self::Unread(member) => write!(f, "the member {member} of its answer says what is in no list"),
            Self::Died => f.write_str("it ended when it was asked about a plain ping"),
        }
    }
}

impl std::error::Error for Trouble {}

/// A program of its own as a subject.
pub struct Worker {
    name: String,
    words: Vec<String>,
    limits: WorkerLimits,
    process: Option<Process>,
    failed_starts: u32,
    case: u64,
    reset: bool,
    died: Option<Death>,
}

/// What keeps a question from its answer.
enum Unanswered {
    Trouble(Trouble),
    Death(Death),
}

impl Worker {
    /// The program of that name, `exec:` included. It is started when it is asked.
    ///
    /// # Errors
    ///
    /// When there is no command.
    pub fn named(name: &str, limits: WorkerLimits) -> Result<Self, Trouble> {
        let command = name.strip_prefix(PREFIX).ok_or(Trouble::NoCommand)?;
        let words: Vec<String> = command.split_ascii_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(Trouble::NoCommand);
        }
        let (process, died) = (None, None);
        Ok(Self { name: name.to_owned(), words, limits, process, failed_starts: 0, case: 0, reset: true, died })
    }

    /// Asks about a plain ping and says what stands in the way of an answer.
    ///
    /// # Errors
    ///
    /// What is wrong with the program, apart from what it thinks of the ping.
    pub fn probe(&mut self) -> Result<(), Trouble> {
        let ping = Case::stdio(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        match self.ask(&ping) {
            Ok(answer) => answer.observation().map(|_| ()).map_err(Trouble::Unread),
            Err(Unanswered::Trouble(trouble)) => Err(trouble),
            Err(Unanswered::Death(_)) => Err(Trouble::Died),
        }
    }

    fn ask(&mut self, case: &Case) -> Result<Answer, Unanswered> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start().map_err(Unanswered::Trouble)?,
        };
        self.case += 1;
        let question = Question::of(case, self.case, std::mem::take(&mut self.reset));
        let mut line = serde_json::to_vec(&question).expect("numbers, flags and text have a JSON form");
        line.push(b'\n');
        let most = case.body.len().saturating_mul(4).saturating_add(ANSWER);
        let line = process.ask(line, most, self.limits.time).map_err(Unanswered::Death)?;
        let answer: Answer = serde_json::from_slice(&line).map_err(|_| Unanswered::Trouble(Trouble::NotARow))?;
        if answer.case != self.case {
            return Err(Unanswered::Trouble(Trouble::OtherCase));
        }
        // Only a program that answers in step is asked again; any other is started anew.
        self.process = Some(process);
        Ok(answer)
    }

    fn start(&mut self) -> Result<Process, Trouble> {
        if self.failed_starts >= STARTS {
            return Err(Trouble::NoGreeting);
        }
        self.failed_starts += 1;
        let mut process = Process::start(&self.words, self.limits).map_err(|_| Trouble::NoGreeting)?;
        let first = process.ask(Vec::new(), ANSWER, START).map_err(|_| Trouble::NoGreeting)?;
        if first.trim_ascii() != GREETING.trim_ascii().as_bytes() {
            return Err(Trouble::OtherGreeting);
        }
        self.failed_starts = 0;
        Ok(process)
    }
}

impl Subject for Worker {
    fn name(&self) -> &str {
        &self.name
    }

    fn reset(&mut self) {
        self.reset = true;
    }

    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
        self.died = None;
        match self.ask(case) {
            Ok(answer) if answer.unreachable => Err(Unreachable),
            Ok(answer) => answer.observation().map_err(|_| Unreachable),
            Err(Unanswered::Trouble(_)) => Err(Unreachable),
            Err(Unanswered::Death(death)) => {
                self.died = Some(death);
                Err(Unreachable)
            }
        }
    }

    fn death(&mut self) -> Option<Death> {
        self.died.take()
    }
}
