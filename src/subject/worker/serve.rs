//! The other end: how does a codec written in Rust answer as a worker?
//!
//! Nothing is contained here. A panic ends the process, and the process that asked reads its place from standard error.

use std::io::{self, BufRead, Write};

use super::answer::Answer;
use super::question::Question;
use crate::subject::Subject;

/// Answers on standard output what is asked on standard input, until the input is closed.
///
/// The whole of a worker; the codec must not print to standard output itself.
///
/// ```no_run
/// # use wirebench::{case::Case, observation::Observation, subject::{Subject, Unreachable}};
/// # #[derive(Default)]
/// # struct Mine;
/// # impl Subject for Mine {
/// #     fn name(&self) -> &str { "mine" }
/// #     fn reset(&mut self) {}
/// #     fn observe(&mut self, _: &Case) -> Result<Observation, Unreachable> { Err(Unreachable) }
/// # }
/// fn main() -> std::io::Result<()> {
///     wirebench::subject::worker::serve(&mut Mine::default())
/// }
/// ```
///
/// # Errors
///
/// When a line is no question, or one of the two streams fails.
pub fn serve(subject: &mut dyn Subject) -> io::Result<()> {
    converse(subject, io::stdin().lock(), io::stdout().lock())
}

/// Answers over any two streams.
pub fn converse(subject: &mut dyn Subject, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    output.write_all(super::GREETING.as_bytes())?;
    output.flush()?;
    for line in input.lines() {
        let question: Question = serde_json::from_str(&line?)?;
        let case = question.shown().ok_or_else(|| io::Error::other("a question that shows no case"))?;
        if question.reset {
            subject.reset();
        }
        let answer = match subject.observe(&case) {
            Ok(observation) => Answer::of(&observation, question.case),
            Err(super::Unreachable) => Answer::unreachable(question.case),
        };
        let mut line = serde_json::to_vec(&answer)?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use super::*;
    use crate::case::Case;
    use crate::codec::meta::Capabilities;
    use crate::generate::Swarm;
    use crate::mutate;
    use crate::observation::Observation;
    use crate::subject::Codec;

    /// Lawful and unlawful cases and sessions, each message with whether it begins a session.
    fn drawn() -> Vec<(Case, bool)> {
        let mut messages = Vec::new();
        for seed in 0..400_u32 {
            let entropy: Vec<u8> =
                (0..600).map(|at: u32| (seed.wrapping_mul(2_654_435_761) ^ (at * 40_503)) as u8).collect();
            let mut u = Unstructured::new(&entropy);
            let swarm = Swarm::draw(&mut u).unwrap();
            messages.push((mutate::drawn(&mut u, &swarm).unwrap().value, true));
            let session = mutate::drawn_session(&mut u, &swarm).unwrap().value;
            messages.extend(session.cases.into_iter().enumerate().map(|(at, case)| (case, at == 0)));
        }
        messages
    }

    /// The kinds of input are the codec's own affair: no invariant looks at them.
    fn told(observation: Observation) -> Observation {
        let capabilities = observation.capabilities.map(|shown| Capabilities { inputs: None, ..shown });
        Observation { capabilities, ..observation }
    }

    #[test]
    fn what_is_observed_over_the_protocol_is_what_is_observed_in_process() {
        let messages = drawn();
        let mut lines = Vec::new();
        for (number, (case, reset)) in messages.iter().enumerate() {
            let question = Question::of(case, number as u64, *reset);
            assert_eq!(question.shown().as_ref(), Some(case));
            serde_json::to_writer(&mut lines, &question).unwrap();
            lines.push(b'\n');
        }
        let mut output = Vec::new();
        converse(&mut Codec::new(), lines.as_slice(), &mut output).unwrap();
        let answers = output.split(|&byte| byte == b'\n').skip(1).filter(|line| !line.is_empty());
        let answers: Vec<Answer> = answers.map(|line| serde_json::from_slice(line).unwrap()).collect();
        assert_eq!(answers.len(), messages.len());
        let mut codec = Codec::new();
        let mut refused = 0;
        for ((case, reset), (number, answer)) in messages.iter().zip(answers.iter().enumerate()) {
            if *reset {
                codec.reset();
            }
            let observed = codec.observe(case).unwrap();
            refused += usize::from(observed.refusal.is_some());
            assert_eq!(answer.case, number as u64);
            assert_eq!(answer.observation(), Ok(told(observed)), "{}", String::from_utf8_lossy(&case.encode()));
        }
        assert!(refused > 100 && refused < messages.len() - 100, "{refused} of {}", messages.len());
    }

    #[test]
    fn a_line_that_is_no_question_ends_the_worker() {
        assert!(converse(&mut Codec::new(), b"{}\n".as_slice(), Vec::new()).is_err());
        assert!(converse(&mut Codec::new(), b"".as_slice(), Vec::new()).is_ok());
    }
}
