//! The verb `read`: judges recorded messages, one line each.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use wirebench::codec::reading::Profile;
use wirebench::codec::refusal::Refusal;
use wirebench::exchange::Skipped;

use super::exit::Code;
use super::form::{self, Input};
use super::out::Out;
use super::reading;
use super::row::{ErrorRow, Row};
use super::source::{self, Fault};
use super::tell;
use super::unpack::{Trouble, unpack};

const EXAMPLES: &str = "\
Examples:
  wirebench read recorded.jsonl
  wirebench read --profile strict --format ndjson recordings/
  my-proxy --dump | wirebench read -

A finding ends the run with 1, an input that cannot be read with 3; the other inputs are judged all the same.";

/// What `read` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The form of the inputs.
    #[arg(long, value_enum, default_value_t)]
    input: Input,
    /// Which broken rules count as findings.
    #[arg(long, value_enum, default_value_t)]
    profile: ProfileArg,
    /// Files or folders; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ProfileArg {
    /// What the text, the schema or a standard demands.
    #[default]
    Spec,
    /// Everything that is refused.
    Strict,
}

impl From<ProfileArg> for Profile {
    fn from(profile: ProfileArg) -> Self {
        match profile {
            ProfileArg::Spec => Self::Spec,
            ProfileArg::Strict => Self::Strict,
        }
    }
}

/// Judges every input.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let mut run = Run { input: args.input, profile: args.profile.into(), out, tally: Tally::default() };
    for path in &args.paths {
        let (files, passed_over) = source::expand(path, args.input != Input::Auto);
        run.tally.passed_over += passed_over;
        for file in files {
            run.judge(file);
            if !run.out.is_open() {
                return run.tally.code();
            }
        }
    }
    run.tally.tell(args.profile.into());
    run.tally.code()
}

struct Run<'a> {
    input: Input,
    profile: Profile,
    out: &'a mut Out,
    tally: Tally,
}

impl Run<'_> {
    fn judge(&mut self, file: Result<PathBuf, Fault>) {
        self.tally.inputs += 1;
        match file.and_then(|path| source::load(&path).map(|bytes| (path, bytes))) {
            Ok((path, bytes)) => self.judge_bytes(&path, bytes),
            Err(fault) => self.unreadable(fault),
        }
        // Whoever reads along sees a whole input at a time.
        self.out.flush();
    }

    fn judge_bytes(&mut self, path: &Path, bytes: Vec<u8>) {
        let name = path.display().to_string();
        let input = if self.input == Input::Auto { form::of(path, &bytes) } else { self.input };
        let unpacked = match unpack(input, bytes) {
            Ok(unpacked) => unpacked,
            Err(Trouble::Unreadable(what)) => return self.unreadable(Fault { source: name, what }),
            Err(Trouble::Refused(refusal)) => return self.refused_whole(name, &refusal),
        };
        let judged = reading::judge(&unpacked.messages, self.profile);
        if let Some(refusal) = judged.iter().find_map(|judged| judged.whole).filter(|_| unpacked.is_recording) {
            return self.refused_whole(name, &refusal);
        }
        let message = |judged: &reading::Judged| {
            let row = Row::of(format!("{name}#{}", judged.index), judged);
            (judged.index, row, judged.is_finding)
        };
        let frame = |&(index, refusal): &(usize, Refusal)| {
            let is_finding = reading::whole_is_finding(&refusal, self.profile);
            (index, Row::whole(format!("{name}#{index}"), &refusal, is_finding), is_finding)
        };
        let mut rows: Vec<_> = judged.iter().map(message).chain(unpacked.refused.iter().map(frame)).collect();
        rows.sort_by_key(|(index, ..)| *index);
        for (_, row, is_finding) in rows {
            self.tally.count(&row, is_finding);
            self.out.result(&row, Row::line);
        }
        for part in &unpacked.skipped {
            self.unreadable(Fault { source: format!("{name}#{}", part.index), what: told(part) });
        }
    }

    fn refused_whole(&mut self, name: String, refusal: &Refusal) {
        let is_finding = reading::whole_is_finding(refusal, self.profile);
        // Nothing inside was judged: without a finding, that is an input that could not be read.
        self.tally.unreadable += usize::from(!is_finding);
        let row = Row::whole(name, refusal, is_finding);
        self.tally.count(&row, is_finding);
        self.out.result(&row, Row::line);
    }

    fn unreadable(&mut self, fault: Fault) {
        self.tally.unreadable += 1;
        let row = ErrorRow { source: fault.source, error: fault.what };
        self.out.result(&row, ErrorRow::line);
    }
}

/// What is wrong with a part of a recording, and where.
pub fn told(part: &Skipped) -> String {
    format!("{} (byte {} of the recording)", part.what, part.offset)
}

#[derive(Default)]
struct Tally {
    inputs: usize,
    lines: usize,
    findings: usize,
    refused: usize,
    unreadable: usize,
    passed_over: usize,
    /// The rule of the first finding, to be explained.
    rule: Option<&'static str>,
}

impl Tally {
    fn count(&mut self, row: &Row, is_finding: bool) {
        self.lines += 1;
        self.findings += usize::from(is_finding);
        self.refused += usize::from(!is_finding && row.broken().is_some());
        if is_finding {
            self.rule = self.rule.or(row.broken());
        }
    }

    fn code(&self) -> Code {
        if self.findings > 0 {
            Code::Findings
        } else if self.unreadable > 0 || self.lines == 0 {
            Code::Unreadable
        } else {
            Code::Clean
        }
    }

    fn tell(&self, profile: Profile) {
        tell(format_args!(
            "read: inputs {}, messages {}, findings {} ({}), refused besides {}, inputs that could not be read {}",
            self.inputs,
            self.lines,
            self.findings,
            profile.word(),
            self.refused,
            self.unreadable,
        ));
        if self.passed_over > 0 {
            let suffixes = source::SUFFIXES.join(", .");
            tell(format_args!(
                "read: passed over {} files that do not end in .{suffixes}; name them, or say --input",
                self.passed_over
            ));
        }
        if self.lines == 0 && self.unreadable == 0 {
            tell("read: the inputs hold no message, so nothing was tested");
        }
        if let Some(rule) = self.rule {
            tell(format_args!("read: what is broken and where it stands: wirebench explain {rule}"));
        }
    }
}
