//! The unit of all work: one message as it stands on the wire, and sequences of them.
//!
//! A [`Case`] is what a peer sent: the transport, the HTTP header lines and the raw body. It is bytes throughout, so
//! that it can hold what no JSON library would write. A [`Session`] is cases in order. Both have exactly one text form
//! (see [`Case::encode`] and [`Session::encode`]); decoding refuses everything that is not canonical.
//!
//! Nothing here judges a message: see [`crate::codec`].

mod frames;
mod revision;
mod session;
mod text;

pub use frames::Frames;
pub use revision::Revision;
pub use session::Session;
pub use text::{DecodeError, DecodeReason};

/// Who sent a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Party {
    /// The client of the connection.
    #[default]
    Client,
    /// The server of the connection.
    Server,
}

impl Party {
    /// The word of the text form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// How a message travelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Streamable HTTP: header fields and a body.
    Http,
    /// Standard input and output: a body alone.
    #[default]
    Stdio,
}

impl Transport {
    /// The word of the text form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Stdio => "stdio",
        }
    }
}

/// One HTTP header line: name and value as sent, without the colon and the one space after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Header {
    /// The field name; at least one byte.
    pub name: Vec<u8>,
    /// The field value.
    pub value: Vec<u8>,
}

impl Header {
    /// A header line from its two parts.
    pub fn new(name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), value: value.into() }
    }

    /// Whether the field has this name; letter case does not count (RFC 9110 section 5.1).
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

/// What a client had declared, as a lone response may state it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StatedCapabilities {
    /// There is no observation.
    None,
    /// The key was missing.
    Absent,
    /// The core members alone.
    CoreOnly,
    /// Something beyond the core that is not understood.
    ExtensionNotUnderstood,
    /// A wrong type.
    Malformed,
    /// Extension identifiers that were advertised with an object: sorted, distinct, each with a `/`.
    Extensions(Vec<Vec<u8>>),
}

/// What is known around a message that the message does not say itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stated {
    /// The revision that the session established.
    pub revision: Option<Revision>,
    /// The capabilities of the request that a lone response answers.
    pub capabilities: Option<StatedCapabilities>,
    /// The method of the request that a lone response answers; bytes 21 to 7E.
    pub method: Option<Vec<u8>>,
}

/// One message as it stands on the wire.
///
/// ```
/// use wirebench::case::{Case, Transport};
///
/// let text = b":transport: http\nMcp-Method: ping\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
/// let case = Case::decode(text).unwrap();
/// assert_eq!(case.transport, Transport::Http);
/// assert_eq!(case.encode(), text);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Case {
    /// Who sent it.
    pub from: Party,
    /// How it travelled.
    pub transport: Transport,
    /// Which connection of its session it belongs to; zero in a lone case.
    pub connection: u32,
    /// Whether the server process or connection was started anew before it; in sessions only.
    pub restart: bool,
    /// The HTTP method where it is not `POST`; from a client over HTTP only.
    pub method: Option<Vec<u8>>,
    /// Whether header lines may be missing from the record; from a client over HTTP only.
    pub partial_headers: bool,
    /// The HTTP status; from a server over HTTP only.
    pub status: Option<u16>,
    /// What is known from around it.
    pub stated: Stated,
    /// The header lines in order; over HTTP only.
    pub headers: Vec<Header>,
    /// The body, raw.
    pub body: Vec<u8>,
}

impl Case {
    /// A message over standard input or output.
    pub fn stdio(from: Party, body: impl Into<Vec<u8>>) -> Self {
        Self { from, body: body.into(), ..Self::default() }
    }

    /// A message over HTTP without header lines.
    pub fn http(from: Party, body: impl Into<Vec<u8>>) -> Self {
        Self { from, transport: Transport::Http, body: body.into(), ..Self::default() }
    }

    /// Adds a header line.
    pub fn with_header(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push(Header::new(name, value));
        self
    }

    /// The header lines of that name, in order.
    pub fn headers_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Header> + 'a {
        self.headers.iter().filter(move |header| header.is(name))
    }
}
