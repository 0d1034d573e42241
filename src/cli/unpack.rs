//! What messages an input holds: the bytes of a file to cases in order.

use wirebench::case::{Case, Frames, Party, Session};
use wirebench::codec::refusal::Refusal;
use wirebench::exchange::{self, Form, Outline, Recorded, Recording, Skipped};

use super::form::Input;
use super::source::LIMIT;

/// The messages of one input.
#[derive(Debug)]
pub struct Unpacked {
    /// The messages in order.
    pub messages: Vec<Recorded>,
    /// Frames between them that hold no message, by their index.
    pub refused: Vec<(usize, Refusal)>,
    /// Parts of a recording that should hold a message and cannot be read.
    pub skipped: Vec<Skipped>,
    /// Whether they come from a recording, which some faults of a message refuse whole.
    pub is_recording: bool,
}

/// Why an input gives no messages.
#[derive(Debug)]
pub enum Trouble {
    /// It is a recording, and refused whole.
    Refused(Refusal),
    /// It cannot be read: what is wrong and what to do.
    Unreadable(String),
}

/// Takes the messages out.
pub fn unpack(input: Input, bytes: Vec<u8>) -> Result<Unpacked, Trouble> {
    let recording = |form| {
        let Recording { messages, skipped } = exchange::recording(form, &bytes).map_err(Trouble::Refused)?;
        Ok(Unpacked { messages, refused: Vec::new(), skipped, is_recording: true })
    };
    match input {
        Input::Case => Ok(plain(vec![case(&bytes)?])),
        Input::Session => session(&bytes).map(plain),
        Input::Frames => frames(&bytes),
        Input::Transcript => recording(Form::Framed),
        Input::Jsonl => recording(Form::JsonLines),
        Input::Inspector => recording(Form::Inspector),
        // Raw bytes prove nothing about each other, so a bad message refuses itself alone.
        Input::Capture => recording(Form::Capture).map(|unpacked| Unpacked { is_recording: false, ..unpacked }),
        Input::Har => recording(Form::Har).map(|unpacked| Unpacked { is_recording: false, ..unpacked }),
        Input::Raw | Input::Auto => Ok(plain(vec![Case::stdio(sender(&bytes), bytes)])),
    }
}

fn plain(cases: Vec<Case>) -> Unpacked {
    let recorded = |(index, case)| Recorded { index, offset: 0, case };
    let messages = cases.into_iter().enumerate().map(recorded).collect();
    Unpacked { messages, refused: Vec::new(), skipped: Vec::new(), is_recording: false }
}

fn frames(bytes: &[u8]) -> Result<Unpacked, Trouble> {
    bounded("frame stream", bytes)?;
    let stream = Frames::decode(bytes)
        .map_err(|fault| Trouble::Unreadable(format!("not the text form of a frame stream: {fault}")))?;
    let mut unpacked = plain(Vec::new());
    for frame in exchange::frames(&stream) {
        match frame {
            Ok(message) => unpacked.messages.push(message),
            Err(refused) => unpacked.refused.push(refused),
        }
    }
    Ok(unpacked)
}

fn case(bytes: &[u8]) -> Result<Case, Trouble> {
    bounded("case", bytes)?;
    Case::decode(bytes).map_err(|fault| Trouble::Unreadable(format!("not the text form of a case: {fault}")))
}

fn session(bytes: &[u8]) -> Result<Vec<Case>, Trouble> {
    bounded("session", bytes)?;
    match Session::decode(bytes) {
        Ok(session) => Ok(session.cases),
        Err(fault) => Err(Trouble::Unreadable(format!("not the text form of a session: {fault}"))),
    }
}

/// Only the recordings have a reason for excess: a text form that was cut would be read as another input.
fn bounded(form: &str, bytes: &[u8]) -> Result<(), Trouble> {
    if bytes.len() > LIMIT {
        return Err(Trouble::Unreadable(format!("the {form} is longer than {LIMIT} bytes; split it")));
    }
    Ok(())
}

/// A body alone says who sent it only by being an answer; answers nearly always come from servers.
fn sender(body: &[u8]) -> Party {
    let outline = Outline::of(body);
    let is_answer = !outline.has("method") && (outline.has("result") || outline.has("error"));
    if is_answer { Party::Server } else { Party::Client }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_form_past_the_bound_is_refused_for_its_length() {
        for input in [Input::Case, Input::Session, Input::Frames] {
            match unpack(input, vec![b'\n'; LIMIT + 1]) {
                Err(Trouble::Unreadable(what)) => assert!(what.contains("is longer than 16777216 bytes"), "{what}"),
                other => panic!("{input:?}: {other:?}"),
            }
        }
    }
}
