//! Who takes part, and what does each of them build?

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use serde::de::IgnoredAny;
use wirebench::case::{Case, Party};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::document::Decoder;
use wirebench::limits::Limits;

/// A reader of JSON.
pub struct Contender {
    /// As in the rows.
    pub name: &'static str,
    /// What it leaves behind for one message.
    pub builds: &'static str,
    /// Whether deep input makes it refuse or ends the process.
    pub recurses: bool,
    /// A reader that is warm after its first call; it says whether it accepted.
    pub make: fn() -> Box<dyn FnMut(&[u8]) -> bool>,
}

/// The first one is ours, reused; the ratios of the others are against it.
pub const CONTENDERS: &[Contender] = &[
    Contender {
        name: "wirebench",
        builds: "a tape over the input, all limits on, duplicates refused, UTF-8 and escapes checked; reused",
        recurses: false,
        make: || {
            let mut decoder = Decoder::new();
            Box::new(move |bytes| decoder.read(bytes, &Limits::raised()).is_ok())
        },
    },
    Contender {
        name: "wirebench-duplicates",
        builds: "the same without comparing names",
        recurses: false,
        make: || {
            let mut decoder = Decoder::new();
            Box::new(move |bytes| decoder.read_with_duplicates(bytes, &Limits::raised()).is_ok())
        },
    },
    Contender {
        name: "wirebench-fresh",
        builds: "the same as the first with a new decoder for each message, limits of a message where they allow it",
        recurses: false,
        make: || {
            // The first decoder is gone before the second comes: together they would be the peak of neither.
            let accepts = |bytes: &[u8], limits: &Limits| Decoder::new().read(bytes, limits).is_ok();
            Box::new(move |bytes| accepts(bytes, &Limits::message()) || accepts(bytes, &Limits::raised()))
        },
    },
    Contender {
        name: "wirebench-read",
        builds: "the conclusion of the codec with its payload judged, over the same tape; reused, the body copied first",
        recurses: false,
        make: || {
            let mut reader = Reader::new(Limits::raised());
            let context = Context::default();
            let mut case = Case::stdio(Party::Client, Vec::new());
            Box::new(move |bytes| {
                case.from = if has_method(bytes) { Party::Client } else { Party::Server };
                case.body.clear();
                case.body.extend_from_slice(bytes);
                reader.read(&case, &context).envelope.is_some()
            })
        },
    },
    Contender {
        name: "ignored-any",
        builds: "nothing; UTF-8 and surrogates unchecked",
        recurses: true,
        make: || Box::new(|bytes| serde_json::from_slice::<IgnoredAny>(bytes).is_ok()),
    },
    Contender {
        name: "value",
        builds: "an owned tree of maps and strings; the last duplicate wins",
        recurses: true,
        make: || Box::new(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).is_ok()),
    },
    Contender {
        name: "rmcp",
        builds: "owned typed messages of the official SDK",
        recurses: true,
        make: || {
            Box::new(|bytes| {
                // A server decodes what has a method, a client the rest.
                if has_method(bytes) {
                    serde_json::from_slice::<ClientJsonRpcMessage>(bytes).is_ok()
                } else {
                    serde_json::from_slice::<ServerJsonRpcMessage>(bytes).is_ok()
                }
            })
        },
    },
    Contender {
        name: "sonic-rs",
        builds: "a tree in an arena; no depth limit, duplicates kept",
        recurses: true,
        make: || Box::new(|bytes| sonic_rs::from_slice::<sonic_rs::Value>(bytes).is_ok()),
    },
    Contender {
        name: "simd-json",
        builds: "a tape with decoded strings and numbers, in a copy of the input that it may overwrite",
        recurses: true,
        make: || {
            let mut copy = Vec::new();
            Box::new(move |bytes| {
                copy.clear();
                copy.extend_from_slice(bytes);
                simd_json::to_tape(&mut copy).is_ok()
            })
        },
    },
    Contender {
        name: "jiter",
        builds: "a tree of vectors; duplicates kept",
        recurses: true,
        make: || Box::new(|bytes| jiter::JsonValue::parse(bytes, true).is_ok()),
    },
    Contender {
        name: "memchr",
        builds: "nothing: looks for a byte that is not there, the limit of any reader",
        recurses: false,
        make: || Box::new(|bytes| memchr::memchr(0, bytes).is_none()),
    },
];

fn has_method(bytes: &[u8]) -> bool {
    bytes.get(..80.min(bytes.len())).is_some_and(|head| memchr::memmem::find(head, b"\"method\"").is_some())
}
