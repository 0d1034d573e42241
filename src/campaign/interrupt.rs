//! Whether somebody asked the run to end.
//!
//! SIGINT and SIGTERM set a flag that loops look at; nothing else is done inside the signal handler. A second signal
//! ends the process at once, and so does the first while it only waits for input.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

/// What a process that a signal ended says with its exit code.
pub const EXIT_CODE: u8 = 130;

/// The flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
    waiting: Arc<AtomicBool>,
}

impl Interrupt {
    /// A flag that the signals set.
    ///
    /// # Errors
    ///
    /// When the handlers cannot be installed.
    pub fn on_signals() -> io::Result<Self> {
        let flag = Self::default();
        for signal in [SIGINT, SIGTERM] {
            for at_once in [&flag.asked, &flag.waiting] {
                let code = i32::from(EXIT_CODE);
                signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(at_once))?;
            }
            signal_hook::flag::register(signal, Arc::clone(&flag.asked))?;
        }
        Ok(flag)
    }

    /// Lets the first signal end the process: for work that holds nothing that needs tidying.
    ///
    /// # Errors
    ///
    /// When the handlers cannot be installed.
    pub fn ends_at_once() -> io::Result<()> {
        Self::on_signals().map(|flag| flag.waiting.store(true, Ordering::SeqCst))
    }

    /// Waits for input that may never come, and that a signal need not wait for. `None` when it is set already.
    pub fn waiting<T>(&self, input: impl FnOnce() -> T) -> Option<T> {
        // In this order, a signal either finds the mark or is seen here.
        self.waiting.store(true, Ordering::SeqCst);
        let input = (!self.is_set()).then(input);
        self.waiting.store(false, Ordering::SeqCst);
        input
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Sets it.
    pub fn set(&self) {
        self.asked.store(true, Ordering::SeqCst);
    }
}
