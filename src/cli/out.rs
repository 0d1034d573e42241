//! How results reach standard output: buffered, in one of two forms, quietly when nobody reads any more.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};

use anstyle::Style;
use clap::ValueEnum;
use serde::Serialize;
use wirebench::escape;

use super::exit::Code;
use super::tell;

/// The form of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines for people.
    #[default]
    Human,
    /// One JSON object a line.
    Ndjson,
}

/// Standard output.
pub struct Out {
    sink: BufWriter<io::Stdout>,
    format: Format,
    colour: bool,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    /// The reader went away: no fault of ours.
    Closed,
    Failed,
}

impl Out {
    /// Standard output in that form. Colour follows the terminal and `NO_COLOR`.
    pub fn new(format: Format) -> Self {
        let colour = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
        Self { sink: BufWriter::new(io::stdout()), format, colour, state: State::Open }
    }

    /// Whether rows are wanted rather than lines for people.
    pub fn is_ndjson(&self) -> bool {
        self.format == Format::Ndjson
    }

    /// Whether anybody may still be reading.
    pub fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Writes one result: `row` as JSON, or what `line` makes of it.
    pub fn result<T: Serialize>(&mut self, row: &T, line: impl FnOnce(&T, Paint) -> String) {
        if self.is_ndjson() {
            match serde_json::to_vec(row) {
                Ok(text) => self.write(escape::json(&String::from_utf8_lossy(&text)).as_bytes()),
                Err(_) => self.state = State::Failed,
            }
        } else {
            let text = line(row, Paint { on: self.colour });
            let text = if self.colour { coloured(&text) } else { escape::lines(&text).into_owned() };
            self.write(text.as_bytes());
        }
    }

    /// Writes lines for people; what could steer a terminal is escaped, but for the ends of the lines.
    pub fn lines(&mut self, text: &str) {
        self.write(escape::lines(text).as_bytes());
    }

    /// Writes one line as it is.
    pub fn write(&mut self, line: &[u8]) {
        if self.is_open() {
            let written = self.sink.write_all(line).and_then(|()| self.sink.write_all(b"\n"));
            self.note(written);
        }
    }

    /// Writes the text of a file as it is, so that a program that reads along gets the file.
    ///
    /// # Errors
    ///
    /// What to do where a terminal reads along and the text would act on it.
    pub fn bytes(&mut self, text: &[u8]) -> Result<(), &'static str> {
        let acts = String::from_utf8_lossy(text)
            .contains(|symbol| escape::acts(symbol) || symbol == char::REPLACEMENT_CHARACTER);
        if acts && io::stdout().is_terminal() {
            return Err("the text would act on this terminal: name a file, or pipe it on");
        }
        if self.is_open() {
            let written = self.sink.write_all(text);
            self.note(written);
        }
        Ok(())
    }

    /// Hands on what is buffered.
    pub fn flush(&mut self) {
        if self.is_open() {
            let flushed = self.sink.flush();
            self.note(flushed);
        }
    }

    /// Hands on what is buffered and says how the run ended.
    pub fn finish(mut self, code: Code) -> Code {
        self.flush();
        if self.state == State::Failed {
            tell("wirebench: standard output could not be written; results are incomplete");
            return code.max(Code::Internal);
        }
        code
    }

    fn note(&mut self, outcome: io::Result<()>) {
        match outcome {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => self.state = State::Closed,
            Err(_) => self.state = State::Failed,
        }
    }
}

/// Colours a word, or leaves it.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// The word in that style.
    pub fn word(self, style: Style, word: impl std::fmt::Display) -> String {
        if self.on { format!("{style}{word}{style:#}") } else { word.to_string() }
    }
}

/// A line for people in which nothing steers a terminal but the colours that a [`Paint`] put there.
fn coloured(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut safe = escape::lines(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let ends = |symbol: char| !(symbol.is_ascii_digit() || symbol == ';');
        let style = part
            .strip_prefix('[')
            .and_then(|rest| Some(rest.find(ends)? + 1))
            .filter(|&at| part[at..].starts_with('m'));
        match style {
            Some(at) => {
                safe.push('\u{1b}');
                safe.push_str(&part[..=at]);
                safe.push_str(&escape::lines(&part[at + 1..]));
            }
            None => safe.push_str(&escape::lines(&format!("\u{1b}{part}"))),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_could_steer_a_terminal_only_our_colours_stay() {
        assert_eq!(
            coloured("a\u{1b}[1;31mb\u{9b}\u{1b}[0m\u{1b}[2J\u{1b}"),
            "a\u{1b}[1;31mb\\u{9b}\u{1b}[0m\\u{1b}[2J\\u{1b}"
        );
        assert_eq!(coloured("größer\n\u{202e}"), "größer\n\\u{202e}");
    }
}
