//! The case or session in the text of a failed property: what `proptest` prints as its minimal failing input.
//!
//! The text is the `Debug` form of the value, on one line or on many. Only what makes a case is read; the rest of a test's
//! output is passed over.

use crate::case::{Case, Header, Party, Revision, Session, Stated, StatedCapabilities, Transport};
use crate::finding::Evidence;

/// What `proptest` writes before the value.
const MARK: &str = "minimal failing input:";

/// How deep a value may nest; that of a session is six.
const DEPTH: usize = 12;

/// The value behind the last mark of the text, if there is a case or a session.
pub fn read(text: &str) -> Option<Evidence> {
    let after = &text[text.rfind(MARK)? + MARK.len()..];
    let starts = ["Session {", "Case {"].map(|name| after.find(name).map(|at| (at, name)));
    let (at, name) = starts.into_iter().flatten().min()?;
    let mut rest = Rest(&after[at..]);
    let value = rest.value(DEPTH)?;
    match name {
        "Case {" => case(&value).map(Evidence::Case),
        _ => {
            let cases = value.field("cases")?.items()?.iter().map(case).collect::<Option<_>>()?;
            Some(Evidence::Session(Session { cases }))
        }
    }
}

fn case(value: &Value<'_>) -> Option<Case> {
    let stated = value.field("stated")?;
    let headers = value.field("headers")?.items()?.iter();
    Some(Case {
        from: [Party::Client, Party::Server].into_iter().find(|party| value.says("from", &format!("{party:?}")))?,
        transport: [Transport::Http, Transport::Stdio]
            .into_iter()
            .find(|transport| value.says("transport", &format!("{transport:?}")))?,
        connection: value.field("connection")?.name.parse().ok()?,
        restart: value.says("restart", "true"),
        method: value.field("method")?.some().map_or(Some(None), |method| method.bytes().map(Some))?,
        partial_headers: value.says("partial_headers", "true"),
        status: value.field("status")?.some().map_or(Some(None), |status| status.name.parse().ok().map(Some))?,
        stated: Stated {
            revision: match stated.field("revision")?.some() {
                Some(revision) => Some(Revision::parse(revision.name.as_bytes())?),
                None => None,
            },
            capabilities: match stated.field("capabilities")?.some() {
                Some(capabilities) => Some(declared(capabilities)?),
                None => None,
            },
            method: stated.field("method")?.some().map_or(Some(None), |method| method.bytes().map(Some))?,
        },
        headers: headers
            .map(|header| Some(Header::new(header.field("name")?.bytes()?, header.field("value")?.bytes()?)))
            .collect::<Option<_>>()?,
        body: value.field("body")?.bytes()?,
    })
}

fn declared(value: &Value<'_>) -> Option<StatedCapabilities> {
    Some(match value.name {
        "None" => StatedCapabilities::None,
        "Absent" => StatedCapabilities::Absent,
        "CoreOnly" => StatedCapabilities::CoreOnly,
        "ExtensionNotUnderstood" => StatedCapabilities::ExtensionNotUnderstood,
        "Malformed" => StatedCapabilities::Malformed,
        "Extensions" => {
            let [(_, names)] = value.parts.as_slice() else { return None };
            StatedCapabilities::Extensions(names.items()?.iter().map(Value::bytes).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// A value in its `Debug` form: a word, and parts with or without a name.
struct Value<'a> {
    name: &'a str,
    parts: Vec<(&'a str, Value<'a>)>,
    values: Vec<Value<'a>>,
}

impl<'a> Value<'a> {
    fn field(&self, name: &str) -> Option<&Self> {
        self.parts.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    fn says(&self, field: &str, word: &str) -> bool {
        self.field(field).is_some_and(|value| value.name == word)
    }

    /// The elements of a list.
    fn items(&self) -> Option<&[Self]> {
        (self.name == "[").then_some(&self.values)
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        self.items()?.iter().map(|item| item.name.parse().ok()).collect()
    }

    /// What is inside `Some`.
    fn some(&self) -> Option<&Self> {
        match self.parts.as_slice() {
            [(_, value)] if self.name == "Some" => Some(value),
            _ => None,
        }
    }
}

struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn value(&mut self, depth: usize) -> Option<Value<'a>> {
        let depth = depth.checked_sub(1)?;
        if self.takes('[') {
            let mut values = Vec::new();
            while !self.takes(']') {
                values.push(self.value(depth)?);
                self.takes(',');
            }
            return Some(Value { name: "[", parts: Vec::new(), values });
        }
        let name = self.word()?;
        let mut parts = Vec::new();
        if self.takes('(') {
            while !self.takes(')') {
                parts.push(("", self.value(depth)?));
                self.takes(',');
            }
        } else if self.takes('{') {
            while !self.takes('}') {
                let field = self.word()?;
                self.takes(':').then_some(())?;
                parts.push((field, self.value(depth)?));
                self.takes(',');
            }
        }
        Some(Value { name, parts, values: Vec::new() })
    }

    fn word(&mut self) -> Option<&'a str> {
        self.0 = self.0.trim_start();
        let end = self.0.find(|character: char| !(character.is_ascii_alphanumeric() || "_-".contains(character)))?;
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }

    fn takes(&mut self, mark: char) -> bool {
        self.0 = self.0.trim_start();
        match self.0.strip_prefix(mark) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::Generated;

    fn rich() -> Case {
        let text = b":from: server\n:transport: http\n:status: 404\n:context-revision: 2026-07-28\n\
                     :context-capabilities: core-only\nMcp-Method: ping\n\n{\"a\":\"]}\"}";
        Case::decode(text).unwrap()
    }

    #[test]
    fn a_failing_case_is_read_from_either_form_of_its_text() {
        let case = rich();
        let generated = Generated::lawful(case.clone());
        for text in [
            format!("proptest: Test failed: x.\nminimal failing input: drawn = {generated:?}\n\tsuccesses: 3\n"),
            format!("thread panicked:\nminimal failing input: case = {case:#?}\n\tsuccesses: 0\n"),
        ] {
            assert_eq!(read(&text), Some(Evidence::Case(case.clone())), "{text}");
        }
    }

    #[test]
    fn a_failing_session_is_read_whole() {
        let session = Session { cases: vec![rich(), Case::stdio(Party::Client, "{}")] };
        let text = format!("minimal failing input: input = {:?}\n", Generated::lawful(session.clone()));
        assert_eq!(read(&text), Some(Evidence::Session(session)));
    }

    #[test]
    fn text_that_holds_no_case_is_none() {
        let nested = format!("minimal failing input: Case {{ a: {}", "[".repeat(100_000));
        for text in ["", "minimal failing input: 3", "minimal failing input: Case { from: Client", nested.as_str()] {
            assert_eq!(read(text), None);
        }
    }
}
