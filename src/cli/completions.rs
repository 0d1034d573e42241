//! The verb `completions`: a completion script for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use super::exit::Code;
use super::out::Out;

/// What `completions` is asked.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  wirebench completions bash > ~/.local/share/bash-completion/completions/wirebench"
)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "wirebench", &mut script);
    out.write(script.trim_ascii_end());
    Code::Clean
}
