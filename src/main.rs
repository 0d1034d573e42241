//! The command of the same name as the library.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
