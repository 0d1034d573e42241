//! What a case says by its raw bytes, worked out once for all the invariants that look at it.
//!
//! Everything here is read anew from the bytes of the case and never from an observation, so that an invariant compares
//! two independent answers. Where the rules leave a question open the answer is `None` or [`Shape::Open`], and the
//! invariants stay silent.

use std::cell::OnceCell;

use super::scan::{Malformed, Piece, Scan, Sort, scan};
use crate::case::{Case, Party, Revision, Transport};
use crate::codec::era::{Era, KnownRevision};
use crate::limits::Limits;

/// A case and what it says.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The case itself.
    pub case: &'a Case,
    /// The limits that the subject reads under.
    pub limits: Limits,
    /// Whether it stands alone. In a session the messages before it may change what it means.
    pub lone: bool,
    text: OnceCell<Text<'a>>,
    envelope: OnceCell<Option<Envelope>>,
    header: OnceCell<Signal>,
    body: OnceCell<Signal>,
    /// What the signals resolve to, once it was asked for.
    pub(super) era: OnceCell<Option<Era>>,
}

/// What the body is as a text.
#[derive(Debug)]
pub enum Text<'a> {
    /// Longer than the limit; nobody looks further.
    TooLong,
    /// Not one JSON value.
    Malformed(Malformed),
    /// One JSON value, whatever its names and limits.
    Json(Scan<'a>),
}

/// What a message is by its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A method with an id.
    Request,
    /// A method without an id.
    Notification,
    /// A result with an id.
    Result,
    /// An error.
    Error,
    /// No lawful message: which rules it breaks.
    Broken(Breaches),
    /// The rules do not say.
    Open,
}

/// A set of broken rules of the envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breaches(u16);

/// One rule of the envelope, broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Breach {
    /// The root is an array.
    Batch = 1,
    /// The root is a scalar.
    Scalar = 2,
    /// `jsonrpc` is not the string `2.0`.
    Jsonrpc = 4,
    /// `method` is no string.
    Method = 8,
    /// A method that is always answered has no id.
    NoId = 16,
    /// The id has a type that it cannot have, or a result has none.
    IdType = 32,
    /// The id is no whole number.
    IdFraction = 64,
    /// Both result and error.
    Both = 128,
    /// Neither method nor result nor error.
    Neither = 256,
    /// The error has not the shape of one.
    Error = 512,
    /// A method beside a result or an error.
    Hybrid = 1024,
    /// A notification's method beside an id.
    NotificationId = 2048,
}

/// One signal of the era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Not there.
    Absent,
    /// A day.
    Day(Revision),
    /// There and not readable as one day.
    Malformed,
}

/// Where the members that rules speak of stand in the scan.
#[derive(Clone, Copy, Debug)]
struct Envelope {
    shape: Shape,
    id: Option<usize>,
    method: Option<usize>,
    params: Option<usize>,
    meta: Option<usize>,
    version: Option<usize>,
    capabilities: Option<usize>,
    result: Option<usize>,
    error: Option<usize>,
}

/// The member of `_meta` that names the revision.
pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// The member of `_meta` that declares what the client can do.
pub const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// The header that names the revision.
pub const VERSION_HEADER: &str = "MCP-Protocol-Version";

/// Methods that are always answered.
const ANSWERED: [&str; 22] = [
    "completion/complete",
    "elicitation/create",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "roots/list",
    "sampling/createMessage",
    "server/discover",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tools/call",
    "tools/list",
];

impl Breaches {
    /// Whether that rule is broken.
    pub const fn has(self, breach: Breach) -> bool {
        self.0 & breach as u16 != 0
    }

    /// Whether that rule is broken and no other.
    pub const fn only(self, breach: Breach) -> bool {
        self.0 == breach as u16
    }

    fn add(&mut self, breach: Breach, broken: bool) {
        self.0 |= if broken { breach as u16 } else { 0 };
    }
}

impl<'a> Seen<'a> {
    /// A case that stands alone, under the limits of a message.
    pub fn alone(case: &'a Case) -> Self {
        let (text, envelope) = (OnceCell::new(), OnceCell::new());
        let (header, body, era) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { case, limits: Limits::message(), lone: true, text, envelope, header, body, era }
    }

    /// A case of a session.
    pub fn in_session(case: &'a Case) -> Self {
        Self { lone: false, ..Self::alone(case) }
    }

    /// The same under other limits.
    pub fn under(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The body as a text.
    pub fn text(&self) -> &Text<'a> {
        self.text.get_or_init(|| match self.case.body.len() > self.limits.bytes {
            true => Text::TooLong,
            false => scan(&self.case.body).map_or_else(Text::Malformed, Text::Json),
        })
    }

    /// The scan of a body that a bounded reader accepts: within every limit, no name twice, no lone surrogate.
    pub fn document(&self) -> Option<&Scan<'a>> {
        match self.text() {
            Text::Json(scan) if !scan.repeated && !scan.surrogate && self.exceeded(scan) == 0 => Some(scan),
            _ => None,
        }
    }

    /// How many limits a text exceeds.
    pub fn exceeded(&self, scan: &Scan<'_>) -> usize {
        let Limits { depth, nodes, members, string, number, .. } = self.limits;
        [
            (scan.depth, depth),
            (scan.count(), nodes),
            (scan.members, members),
            (scan.string, string),
            (scan.number, number),
        ]
        .into_iter()
        .filter(|(found, limit)| found > limit)
        .count()
    }

    /// What the message is; `None` when the body is no document.
    pub fn shape(&self) -> Option<Shape> {
        self.envelope().map(|envelope| envelope.shape)
    }

    /// The id member.
    pub fn id(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.id)
    }

    /// The method member.
    pub fn method(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.method)
    }

    /// The params member.
    pub fn params(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.params)
    }

    /// `_meta` of the params.
    pub fn meta(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.meta)
    }

    /// The revision that `_meta` names, whatever its type.
    pub fn version(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.version)
    }

    /// The capabilities that `_meta` declares, whatever their type.
    pub fn capabilities(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.capabilities)
    }

    /// The result member.
    pub fn result(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.result)
    }

    /// The code of an error, where it fits.
    pub fn error_code(&self) -> Option<i64> {
        let code = self.piece(|envelope| envelope.error)?.get("code")?;
        std::str::from_utf8(code.raw()).ok()?.parse().ok()
    }

    /// Where the code of an error stands in the body.
    pub fn error_code_span(&self) -> Option<(usize, usize)> {
        self.piece(|envelope| envelope.error)?.get("code").map(Piece::span)
    }

    /// The data of an error.
    pub fn error_data(&self) -> Option<Piece<'_>> {
        self.piece(|envelope| envelope.error)?.get("data")
    }

    /// Whether a client asks something, over POST where it is HTTP, and the message is lawful as an envelope.
    pub fn is_client_request(&self) -> bool {
        self.case.from == Party::Client && self.shape() == Some(Shape::Request)
    }

    /// Whether it travels over HTTP.
    pub fn over_http(&self) -> bool {
        self.case.transport == Transport::Http
    }

    /// The value of a version or method header: trimmed, but for a recording, which wrote down values.
    pub fn mirrored<'v>(&self, value: &'v [u8]) -> &'v [u8] {
        if self.case.partial_headers { value } else { trimmed(value) }
    }

    /// What the version header says.
    pub fn header_signal(&self) -> Signal {
        *self.header.get_or_init(|| self.read_header_signal())
    }

    fn read_header_signal(&self) -> Signal {
        let mut signal = Signal::Absent;
        for header in self.case.headers_named(VERSION_HEADER) {
            signal = match (Revision::parse(self.mirrored(&header.value)), signal) {
                (Some(day), Signal::Absent) => Signal::Day(day),
                (Some(day), Signal::Day(earlier)) if day == earlier => Signal::Day(day),
                _ => return Signal::Malformed,
            };
        }
        signal
    }

    /// What the metadata of a request says.
    pub fn body_signal(&self) -> Signal {
        *self.body.get_or_init(|| self.read_body_signal())
    }

    fn read_body_signal(&self) -> Signal {
        let is_object = |piece: Option<Piece<'_>>| piece.is_none_or(|piece| piece.sort() == Sort::Object);
        match self.version() {
            _ if !is_object(self.params()) || !is_object(self.meta()) => Signal::Malformed,
            None => Signal::Absent,
            Some(version) => {
                version.text().and_then(|text| Revision::parse(text.as_bytes())).map_or(Signal::Malformed, Signal::Day)
            }
        }
    }

    /// Whether a request claims to be modern: its body names a revision, or its header one that is not legacy.
    pub fn claims_modern(&self) -> bool {
        self.version().is_some()
            || self.case.headers_named(VERSION_HEADER).any(|header| {
                !KnownRevision::ALL
                    .iter()
                    .any(|known| !known.is_modern() && known.as_str().as_bytes() == self.mirrored(&header.value))
            })
    }

    fn piece(&self, slot: impl Fn(&Envelope) -> Option<usize>) -> Option<Piece<'_>> {
        let index = slot(self.envelope()?)?;
        match self.text() {
            Text::Json(scan) => Some(scan.piece(index)),
            _ => None,
        }
    }

    fn envelope(&self) -> Option<&Envelope> {
        self.envelope.get_or_init(|| self.document().map(|scan| self.read_envelope(scan))).as_ref()
    }

    fn read_envelope(&self, scan: &Scan<'a>) -> Envelope {
        let root = scan.root();
        let index = |piece: Option<Piece<'_>>| piece.map(Piece::index);
        let (mut jsonrpc, mut id, mut method, mut params, mut result, mut error) = (None, None, None, None, None, None);
        for (name, value) in root.members() {
            let slot = match name.text().unwrap_or_default().as_ref() {
                "jsonrpc" => &mut jsonrpc,
                "id" => &mut id,
                "method" => &mut method,
                "params" => &mut params,
                "result" => &mut result,
                "error" => &mut error,
                _ => continue,
            };
            *slot = Some(value);
        }
        let meta = params.and_then(|params| params.get("_meta"));
        let mut breaches = Breaches::default();
        let mut open = self.case.method.is_some();
        match root.sort() {
            Sort::Object => {
                breaches.add(Breach::Jsonrpc, !jsonrpc.is_some_and(|text| text.is("2.0")));
                breaches.add(Breach::Method, method.is_some_and(|method| method.sort() != Sort::String));
                breaches.add(Breach::Hybrid, method.is_some() && (result.is_some() || error.is_some()));
                breaches.add(Breach::Both, method.is_none() && result.is_some() && error.is_some());
                breaches.add(Breach::Neither, method.is_none() && result.is_none() && error.is_none());
                breaches.add(Breach::NoId, id.is_none() && method.is_some_and(is_always_answered));
                let notifies = method.and_then(Piece::text).is_some_and(|name| name.starts_with("notifications/"));
                breaches.add(Breach::NotificationId, id.is_some() && notifies);
                let type_wrong = match id.map(Piece::sort) {
                    Some(Sort::String | Sort::Number) => false,
                    Some(Sort::Null) => error.is_none() || method.is_some() || result.is_some(),
                    Some(_) => true,
                    None => method.is_none() && result.is_some(),
                };
                breaches.add(Breach::IdType, type_wrong);
                if let Some(number) = id.filter(|id| id.sort() == Sort::Number) {
                    let whole = is_whole(number.raw());
                    breaches.add(Breach::IdFraction, whole == Some(false));
                    open |= whole.is_none();
                }
                if let (Some(error), None, None) = (error, method, result) {
                    let shaped = is_error(error);
                    breaches.add(Breach::Error, shaped == Some(false));
                    open |= shaped.is_none();
                }
            }
            Sort::Array => {
                breaches.add(Breach::Batch, true);
                open |= self.case.stated.revision.is_some() || !self.lone;
            }
            _ => breaches.add(Breach::Scalar, true),
        }
        let shape = match (open, breaches.0) {
            (true, _) => Shape::Open,
            (_, 1..) => Shape::Broken(breaches),
            _ if method.is_some() && id.is_some() => Shape::Request,
            _ if method.is_some() => Shape::Notification,
            _ if result.is_some() => Shape::Result,
            _ => Shape::Error,
        };
        Envelope {
            shape,
            id: index(id),
            method: index(method),
            params: index(params),
            meta: index(meta),
            version: index(meta.and_then(|meta| meta.get(VERSION_KEY))),
            capabilities: index(meta.and_then(|meta| meta.get(CAPABILITIES_KEY))),
            result: index(result),
            error: index(error),
        }
    }
}

/// A header value without space and tab at both ends.
pub fn trimmed(value: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().position(|byte| !blank(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    &value[start..end]
}

fn is_always_answered(method: Piece<'_>) -> bool {
    method.text().is_some_and(|text| ANSWERED.contains(&text.as_ref()))
}

/// Whether a number is whole; `None` where its exponent is too large to say cheaply.
fn is_whole(token: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(token).ok()?;
    if !text.contains(['.', 'e', 'E']) {
        return Some(true);
    }
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(true);
    }
    let power: i32 = power.parse().ok()?;
    let zeros = (digits.len() - significant.len()) as i64;
    Some(i64::from(power) - fraction.len() as i64 + zeros >= 0)
}

/// Whether it is an error object; `None` where its code is an integer beyond what every reader holds.
fn is_error(error: Piece<'_>) -> Option<bool> {
    let (Some(code), Some(message)) = (error.get("code"), error.get("message")) else { return Some(false) };
    let plain = code.sort() == Sort::Number && !code.raw().iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    match plain && message.sort() == Sort::String {
        true if code.raw().len() > 18 || code.raw() == b"-0" => None,
        other => Some(other),
    }
}
