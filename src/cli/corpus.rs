//! The verb `corpus`: which seeds and regressions there are.

use clap::Subcommand;
use serde::Serialize;
use wirebench::corpus::{self, Manifest};

use super::exit::Code;
use super::out::Out;
use super::tell;

/// What `corpus` is asked.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Every seed and regression with its reason, one line each; checks that manifest and files agree.
    List,
    /// Make redacted seeds of recorded traffic.
    Harvest(super::harvest::Args),
}

#[derive(Serialize)]
struct Line<'a> {
    path: &'a str,
    requirement: &'a str,
    invariant: Option<&'a str>,
    why: &'a str,
}

impl Args {
    /// Whether a signal makes it keep what was done.
    pub fn ends_in_order(&self) -> bool {
        matches!(self.verb, Verb::Harvest(_))
    }
}

/// Lists the corpus.
pub fn run(args: &Args, out: &mut Out) -> Code {
    if let Verb::Harvest(args) = &args.verb {
        return super::harvest::run(args, out);
    }
    let Some(folder) = corpus::find() else {
        tell("wirebench: no corpus/MANIFEST.toml here or above: run this inside a checkout of wirebench");
        return Code::Usage;
    };
    let manifest = match Manifest::load(&folder) {
        Ok(manifest) => manifest,
        Err(error) => {
            tell(format!("wirebench: {error}"));
            return Code::Usage;
        }
    };
    for row in &manifest.rows {
        let line =
            Line { path: &row.path, requirement: &row.requirement, invariant: row.invariant.as_deref(), why: &row.why };
        out.result(&line, |line, _| format!("{:<48} {:<48} {}", line.path, line.requirement, line.why));
    }
    Code::Clean
}
