//! Streams: messages as lines or as events, and where the bytes are cut.
//!
//! Every stream is lawful and ends where a message ends.

use arbitrary::{Result, Unstructured};

use super::{Swarm, rare};
use crate::case::{Frames, Transport};
use crate::mutation::Generated;

/// Draws a stream of a few messages of a server.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn stream(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Frames>> {
    let http = !(swarm.stdio && u.arbitrary()?);
    let mut stream = Vec::new();
    for index in 0..u.int_in_range(1..=4u8)? {
        let body = super::envelope::response(u, swarm)?.body;
        match http {
            true => event(&mut stream, &body, index, u)?,
            false => {
                stream.extend_from_slice(&body);
                stream.extend_from_slice(if rare(u, 1, 6)? { b"\r\n" } else { b"\n" });
            }
        }
    }
    let splits = splits(u, stream.len())?;
    let transport = if http { Transport::Http } else { Transport::Stdio };
    Ok(Generated::lawful(Frames::new(transport, stream, splits)))
}

/// Where a stream of that length is cut: nowhere, or in a few places.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn splits(u: &mut Unstructured<'_>, length: usize) -> Result<Vec<usize>> {
    let count = u.int_in_range(0..=6u8)?;
    (0..count).map(|_| u.int_in_range(0..=length)).collect()
}

fn event(out: &mut Vec<u8>, body: &[u8], index: u8, u: &mut Unstructured<'_>) -> Result<()> {
    let end: &[u8] = u.choose(&[&b"\n"[..], b"\r\n", b"\r"])?;
    let mut line = |text: &[u8]| {
        out.extend_from_slice(text);
        out.extend_from_slice(end);
    };
    if rare(u, 1, 4)? {
        line(b": keep-alive");
    }
    if rare(u, 1, 2)? {
        line(b"event: message");
    }
    if rare(u, 1, 3)? {
        line(format!("id: {index}").as_bytes());
    }
    line(&[if u.arbitrary()? { &b"data:"[..] } else { b"data: " }, body].concat());
    line(b"");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entropy_gives_one_event_in_one_piece() {
        let frames = stream(&mut Unstructured::new(&[]), &Swarm::all()).unwrap().value;
        assert_eq!(frames.transport(), Transport::Http);
        assert!(frames.stream().starts_with(b"data: {\"jsonrpc\":\"2.0\""), "{:?}", frames.stream());
        assert!(frames.splits().is_empty());
        assert_eq!(Frames::decode(&frames.encode()).unwrap(), frames);
    }
}
