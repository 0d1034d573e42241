//! A raw value of `Mcp-Name` before the first line feed, and the name in the body behind it.
//!
//! Without a line feed the body holds the value itself, as a careless client would send it.

#![cfg_attr(fuzzing, no_main)]

use wirebench::case::{Case, Header, Party};
use wirebench::generate::{dictionary, document};
use wirebench_fuzz::{Verdict, check};

fn run(bytes: &[u8]) -> Verdict {
    let (value, name) = match bytes.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, bytes),
    };
    let Ok(name) = std::str::from_utf8(name) else { return Verdict::Reject };
    let mut body = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":".to_vec();
    document::write_text(name, &mut body);
    let (version, capabilities, now) = (dictionary::VERSION_KEY, dictionary::CAPABILITIES_KEY, dictionary::MODERN);
    body.extend_from_slice(format!(",\"_meta\":{{\"{version}\":\"{now}\",\"{capabilities}\":{{}}}}}}}}").as_bytes());
    let mut case = Case::http(Party::Client, body);
    case.headers.push(Header::new(dictionary::VERSION_HEADER, now));
    case.headers.push(Header::new(dictionary::METHOD_HEADER, "tools/call"));
    case.headers.push(Header { name: dictionary::NAME_HEADER.into(), value: value.to_vec() });
    check(&case);
    Verdict::Keep
}

wirebench_fuzz::target!(run);
