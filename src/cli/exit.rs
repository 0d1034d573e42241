//! What the exit code of a run is, and which of several holds.

use std::process::ExitCode;

use wirebench::campaign::interrupt::{self, Interrupt};

use super::tell;

/// How a run ended, in the order in which one code hides another: the later hides the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// Nothing to tell.
    Clean,
    /// An input could not be read, nothing was tested, or the target is unreachable.
    Unreadable,
    /// There are findings.
    Findings,
    /// The command line or the configuration is wrong; nothing was run.
    Usage,
    /// The command itself failed.
    Internal,
    /// A signal ended the run.
    Interrupted,
}

impl Code {
    /// The number that the process ends with.
    pub const fn number(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Unreadable => 3,
            Self::Internal => 4,
            Self::Interrupted => interrupt::EXIT_CODE,
        }
    }

    /// The code for what the argument parser says: help and version are no errors.
    pub const fn of_clap(number: i32) -> Self {
        if number == 0 { Self::Clean } else { Self::Usage }
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code.number())
    }
}

/// The flag that signals set, for a verb that ends in order.
///
/// # Errors
///
/// The code, when there is none; told already.
pub fn interrupt() -> Result<Interrupt, Code> {
    Interrupt::on_signals().map_err(|error| {
        tell(format!("wirebench: signals cannot be handled: {error}"));
        Code::Internal
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_several_hold_the_documented_order_decides() {
        let order = [130, 4, 2, 1, 3, 0];
        let mut codes = [Code::Clean, Code::Findings, Code::Usage, Code::Unreadable, Code::Internal, Code::Interrupted];
        codes.sort();
        codes.reverse();
        assert_eq!(codes.map(Code::number), order);
    }
}
