//! Which document do these bytes spell, within which bounds?
//!
//! One pass over the input builds a tape of eight bytes a node; every limit, every fault of syntax and every member
//! name that an object has twice is refused with its own reason, at the byte where it is. Numbers are never rounded
//! and strings not decoded. What a document means for the protocol is asked elsewhere.
//!
//! Heap of a fresh [`Decoder`]: at most eight bytes for each byte of input, and 8 KiB; three and a half on ordinary
//! messages. A decoder that has read a document of the same size before allocates nothing.

mod decode;
mod hash;
mod marks;
mod names;
mod scalar;
mod scan;
mod tape;
mod text;
mod value;
#[cfg(target_arch = "x86_64")]
mod wide;

pub(super) use scan::line_end;
pub use text::Text;
pub use value::{Document, Value, ValueKind};

use self::decode::Scratch;
use self::names::Names;
use self::tape::Node;
use super::refusal::Refusal;
use crate::limits::Limits;

/// Reads documents one after another without allocating once warm.
///
/// ```
/// use wirebench::codec::document::Decoder;
/// use wirebench::codec::refusal::Reason;
/// use wirebench::limits::Limits;
///
/// let mut decoder = Decoder::new();
/// let document = decoder.read(br#"{"id": 1.0, "\u006dethod": "ping"}"#, &Limits::message())?;
/// assert_eq!(document.root().get("id").and_then(|id| id.as_number()), Some("1.0"));
/// assert!(document.root().get("method").is_some());
///
/// let refusal = decoder.read(br#"{"a": 1, "\u0061": 2}"#, &Limits::message()).unwrap_err();
/// assert_eq!((refusal.reason, refusal.offset), (Reason::DuplicateMember, Some(9)));
/// # Ok::<(), wirebench::codec::refusal::Refusal>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    tape: Vec<Node>,
    scratch: Scratch,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { tape: Vec::new(), scratch: Scratch::new(Names::default()) }
    }
}

impl Decoder {
    /// A decoder that holds no memory yet. The key of its hash tables is random; no answer depends on it.
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder whose hash tables use this key, for a run whose cost must repeat exactly.
    pub fn with_key(key: [u64; 2]) -> Self {
        Self { tape: Vec::new(), scratch: Scratch::new(Names::with_key(key)) }
    }

    /// Reads one document.
    ///
    /// # Errors
    ///
    /// The first fault in the bytes, in stage `bytes` or `json`, with its offset.
    pub fn read<'a>(&'a mut self, bytes: &'a [u8], limits: &Limits) -> Result<Document<'a>, Refusal> {
        let nodes = decode::document::<true>(bytes, limits, &mut self.tape, &mut self.scratch)?;
        Ok(Document { bytes, tape: &self.tape[..nodes] })
    }

    /// The same without comparing names: a twin that shows what refusing duplicates costs, and what a codec that lets
    /// them through would read.
    ///
    /// # Errors
    ///
    /// As [`Decoder::read`], but never for a duplicate.
    #[doc(hidden)]
    pub fn read_with_duplicates<'a>(&'a mut self, bytes: &'a [u8], limits: &Limits) -> Result<Document<'a>, Refusal> {
        let nodes = decode::document::<false>(bytes, limits, &mut self.tape, &mut self.scratch)?;
        Ok(Document { bytes, tape: &self.tape[..nodes] })
    }
}

#[cfg(test)]
mod tests;
