//! Which verbs the command has, and how each is asked for.
//!
//! A verb is a file: parsing and printing only. Adding one is a `mod` line, a variant of [`Verb`] and an arm of
//! [`run`]. Results go to standard output, everything else to standard error.

mod bench;
mod completions;
mod corpus;
mod exit;
mod explain;
mod form;
mod found;
mod fuzz;
mod harvest;
mod list;
mod mutants;
mod nightly;
mod out;
mod read;
mod reading;
mod replay;
mod report;
mod row;
mod rule;
mod source;
mod subject;
mod triage;
mod unpack;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Parser, Subcommand};
use wirebench::campaign::interrupt::Interrupt;
use wirebench::escape;

use exit::Code;
use out::{Format, Out};

const EXIT_CODES: &str = "\
Exit codes, the first that holds:
  130  interrupted
    4  internal error
    2  usage or configuration: nothing was run
    1  findings
    3  an input could not be read, nothing was tested, or the target is unreachable
    0  clean

Examples:
  wirebench read recorded.jsonl           judge recorded messages
  wirebench explain version-mismatch      what a refusal means, and where the rule stands
  wirebench list requirements --layer header";

/// Fuzzes and checks the wire format of the Model Context Protocol.
#[derive(Debug, Parser)]
#[command(name = "wirebench", version, after_help = EXIT_CODES, max_term_width = 120)]
struct Cli {
    /// How results are written to standard output.
    #[arg(long, global = true, value_enum, default_value_t)]
    format: Format,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Judge recorded messages, one line each.
    Read(read::Args),
    /// Draw cases and check them; stable Rust alone, no other tool.
    Fuzz(fuzz::Args),
    /// Run every fuzz target under its engine, triage and report.
    Nightly(nightly::Args),
    /// Sign, shrink and reproduce artifacts; promote a finding to a regression.
    Triage(triage::Args),
    /// Render the report of a run in another form, or compare two runs.
    Report(report::Args),
    /// Check one case or session again.
    Replay(replay::Args),
    /// Make a failing case smaller while it shows the same fault.
    #[command(alias = "minimize")]
    Minimise(replay::MinimiseArgs),
    /// Show, check, add, prune and harvest seeds and regressions.
    Corpus(corpus::Args),
    /// Show what there is: rules, invariants, mutants, limits.
    List(list::Args),
    /// Say what a requirement, reason, invariant or limit means.
    Explain(explain::Args),
    /// Show which invariant kills which mutant of the codec, and how soon.
    Mutants(mutants::Args),
    /// Count instructions, keep the row, and gate on it.
    Bench(bench::Args),
    /// Print a completion script for a shell.
    Completions(completions::Args),
}

impl Verb {
    /// Whether a signal makes it keep what was done; every other verb holds nothing that needs tidying.
    fn ends_in_order(&self) -> bool {
        match self {
            Self::Fuzz(_) | Self::Nightly(_) | Self::Mutants(_) | Self::Minimise(_) => true,
            Self::Triage(args) => args.ends_in_order(),
            Self::Corpus(args) => args.ends_in_order(),
            _ => false,
        }
    }
}

/// Runs the command of this process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // Nobody is left to tell when the stream is closed.
            let _ = message.print();
            return Code::of_clap(message.exit_code()).into();
        }
    };
    // The last containment: an internal error has an exit code of its own, and the panic was printed already.
    let code = catch_unwind(AssertUnwindSafe(|| {
        let mut out = Out::new(cli.format);
        let code = run(cli.verb, &mut out);
        out.finish(code)
    }));
    code.unwrap_or(Code::Internal).into()
}

fn run(verb: Verb, out: &mut Out) -> Code {
    if !verb.ends_in_order() {
        // Where no handler can be set, the system's own still ends the process.
        let _ = Interrupt::ends_at_once();
    }
    match verb {
        Verb::Read(args) => read::run(&args, out),
        Verb::Fuzz(args) => fuzz::run(&args, out),
        Verb::Nightly(args) => nightly::run(&args, out),
        Verb::Triage(args) => triage::run(&args, out),
        Verb::Report(args) => report::run(&args, out),
        Verb::Replay(args) => replay::run(&args, out),
        Verb::Minimise(args) => replay::minimise(&args, out),
        Verb::Corpus(args) => corpus::run(&args, out),
        Verb::List(args) => list::run(&args, out),
        Verb::Explain(args) => explain::run(&args, out),
        Verb::Mutants(args) => mutants::run(&args, out),
        Verb::Bench(args) => bench::run(&args, out),
        Verb::Completions(args) => completions::run(&args, out),
    }
}

/// The name of a folder that is written. Elsewhere `-` is standard output, which is no folder.
fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path == Path::new("-") {
        true => Err("files go there: name a folder (./- is one of that name)"),
        false => Ok(path),
    })
}

/// Writes one line to standard error. Nothing follows from it when nobody reads there.
fn tell(line: impl std::fmt::Display) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{}", escape::lines(&line.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_the_command_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
