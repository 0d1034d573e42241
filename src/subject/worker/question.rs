//! How is a case written as one line, and read back from it?
//!
//! The line is a JSON object of which every member is always there, so that a program in any language reads it with what
//! its library has. Bytes that need not be UTF-8 travel as Base64 (the body) or as one character a byte (header lines).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::case::{Case, Header, Party, Revision, Stated, StatedCapabilities, Transport};

/// One message, and what has to be known around it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    /// Which question it is; the answer gives it back.
    pub case: u64,
    /// Whether the subject forgets what came before.
    pub reset: bool,
    from: String,
    transport: String,
    connection: u32,
    restart: bool,
    method: String,
    headers_complete: bool,
    status: Option<u16>,
    context_revision: Option<String>,
    context_capabilities: Option<String>,
    context_method: Option<String>,
    headers: Vec<(String, String)>,
    body: String,
}

impl Question {
    /// The question that shows a case.
    pub fn of(case: &Case, number: u64, reset: bool) -> Self {
        let Stated { revision, capabilities, method } = &case.stated;
        Self {
            case: number,
            reset,
            from: case.from.word().to_owned(),
            transport: case.transport.word().to_owned(),
            connection: case.connection,
            restart: case.restart,
            method: case.method.as_deref().map_or_else(|| "POST".to_owned(), characters),
            headers_complete: !case.partial_headers,
            status: case.status,
            context_revision: revision.map(|revision| revision.as_str().to_owned()),
            context_capabilities: capabilities.as_ref().map(|capabilities| characters(&capabilities.text())),
            context_method: method.as_deref().map(characters),
            headers: case.headers.iter().map(|header| (characters(&header.name), characters(&header.value))).collect(),
            body: STANDARD.encode(&case.body),
        }
    }

    /// The case that is shown; `None` when a member does not say what it must.
    pub fn shown(&self) -> Option<Case> {
        let header = |(name, value): &(String, String)| Some(Header { name: bytes(name)?, value: bytes(value)? });
        Some(Case {
            from: [Party::Client, Party::Server].into_iter().find(|party| party.word() == self.from)?,
            transport: [Transport::Http, Transport::Stdio].into_iter().find(|way| way.word() == self.transport)?,
            connection: self.connection,
            restart: self.restart,
            method: bytes(&self.method).filter(|method| method != b"POST"),
            partial_headers: !self.headers_complete,
            status: self.status,
            stated: Stated {
                revision: given(&self.context_revision, |text| Revision::parse(text.as_bytes()))?,
                capabilities: given(&self.context_capabilities, |text| StatedCapabilities::parse(&bytes(text)?))?,
                method: given(&self.context_method, bytes)?,
            },
            headers: self.headers.iter().map(header).collect::<Option<_>>()?,
            body: STANDARD.decode(&self.body).ok()?,
        })
    }
}

/// Nothing where nothing is given, and `None` where what is given cannot be read.
fn given<T>(text: &Option<String>, read: impl FnOnce(&str) -> Option<T>) -> Option<Option<T>> {
    match text {
        None => Some(None),
        Some(text) => read(text).map(Some),
    }
}

/// One character a byte, 00 to FF.
fn characters(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn bytes(characters: &str) -> Option<Vec<u8>> {
    characters.chars().map(|character| u8::try_from(character).ok()).collect()
}
