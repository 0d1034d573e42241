//! Which part of an execution steers the engine?
//!
//! The engine weighs every edge that was reached, and that costs more than reading a message. What it shall learn is what
//! the subject did with the input: how the oracle judges that, and what it asks besides, is no new behaviour. So the
//! counters are put back to where they stood when the subject had shown the input itself. Without an engine there are no
//! counters, and where they cannot be found nothing is put back; then the engine is slower and no less right.

use wirebench::case::Case;
use wirebench::observation::Observation;
use wirebench::subject::{Subject, Unreachable};

/// The counters as they stood after the subject had shown the input.
#[derive(Debug, Default)]
pub struct Counters {
    kept: Vec<u8>,
}

impl Counters {
    /// Runs a check whose first observations alone shall count.
    pub fn of_first<T>(
        &mut self,
        observations: usize,
        subject: &mut dyn Subject,
        check: impl FnOnce(&mut dyn Subject) -> T,
    ) -> T {
        let outcome = check(&mut Watched { subject, left: observations, counters: self });
        let live = live();
        if self.kept.len() == live.len() {
            live.copy_from_slice(&self.kept);
        }
        self.kept.clear();
        outcome
    }
}

struct Watched<'a> {
    subject: &'a mut dyn Subject,
    left: usize,
    counters: &'a mut Counters,
}

impl Subject for Watched<'_> {
    fn name(&self) -> &str {
        self.subject.name()
    }

    fn reset(&mut self) {
        self.subject.reset();
    }

    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
        let observation = self.subject.observe(case);
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.counters.kept.extend_from_slice(live());
            }
        }
        observation
    }
}

/// The counters that the compiler put into this program, which the engine reads and clears between two executions.
#[cfg(all(fuzzing, target_os = "linux"))]
fn live() -> &'static mut [u8] {
    unsafe extern "C" {
        #[link_name = "__start___sancov_cntrs"]
        static mut FIRST: u8;
        #[link_name = "__stop___sancov_cntrs"]
        static mut END: u8;
    }
    let (first, end) = (&raw mut FIRST, &raw mut END);
    // SAFETY: the linker puts both names around the one section of counters, which lives as long as the program. Targets
    // run on one thread, and no two slices of it live at once: each caller drops its own before it returns. Instrumented
    // code adds to the counters meanwhile, byte by byte, and any value of a byte is a counter.
    unsafe { std::slice::from_raw_parts_mut(first, end.offset_from_unsigned(first)) }
}

#[cfg(not(all(fuzzing, target_os = "linux")))]
fn live() -> &'static mut [u8] {
    &mut []
}

#[cfg(test)]
mod tests {
    use wirebench::case::Party;
    use wirebench::subject::Codec;

    use super::*;

    #[test]
    fn a_check_sees_the_subject_as_it_is() {
        let case = Case::stdio(Party::Client, "{}");
        let mut codec = Codec::new();
        let plain: Vec<_> = (0..3).map(|_| codec.observe(&case).unwrap()).collect();
        let ask = |subject: &mut dyn Subject| -> Vec<_> { (0..3).map(|_| subject.observe(&case).unwrap()).collect() };
        codec.reset();
        assert_eq!(Counters::default().of_first(1, &mut codec, ask), plain);
        assert_eq!(codec.name(), "codec");
    }
}
