//! How results reach standard output: buffered, in one of two forms, quietly when nobody reads any more.

use std::io::{self, BufWriter, ErrorKind, Write};

use anstyle::Style;
use clap::ValueEnum;
use serde::Serialize;

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
                Ok(text) => self.write(harmless(&String::from_utf8_lossy(&text)).as_bytes()),
                Err(_) => self.state = State::Failed,
            }
        } else {
            let text = line(row, Paint { on: self.colour });
            self.write(text.as_bytes());
        }
    }

    /// Writes lines for people; what could steer a terminal is escaped, but for the ends of the lines.
    pub fn lines(&mut self, text: &str) {
        self.write(printable_lines(text).as_bytes());
    }

    /// Writes one line as it is.
    pub fn write(&mut self, line: &[u8]) {
        if self.is_open() {
            let written = self.sink.write_all(line).and_then(|()| self.sink.write_all(b"\n"));
            self.note(written);
        }
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

/// Text for a terminal, line by line: what could steer it is escaped.
pub fn printable_lines(text: &str) -> String {
    let escape = |symbol: char| match symbol {
        '\n' => symbol.to_string(),
        _ if steers(symbol) => symbol.escape_unicode().to_string(),
        _ => symbol.to_string(),
    };
    text.chars().map(escape).collect()
}

/// JSON that says the same and steers no terminal; JSON itself escapes what lies below U+0020.
fn harmless(json: &str) -> String {
    let escape = |symbol: char| match steers(symbol) {
        true => format!("\\u{:04x}", u32::from(symbol)),
        false => symbol.to_string(),
    };
    json.chars().map(escape).collect()
}

fn steers(symbol: char) -> bool {
    symbol.is_control() || matches!(symbol, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_escaped() {
        assert_eq!(printable_lines("a\u{1b}[2J\u{9b}\n\u{202e}é"), "a\\u{1b}[2J\\u{9b}\n\\u{202e}é");
        assert_eq!(harmless("\"\u{7f}\u{9b}\u{2066}é\""), "\"\\u007f\\u009b\\u2066é\"");
    }
}
