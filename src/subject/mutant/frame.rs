//! Faults of readers of streams: what happens where a chunk ends.

use super::{Exchange, Mutant};
use crate::case::{Frames, Transport};
use crate::observation::Framed;
use crate::subject::framed;

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "frames.chunk-is-a-stream",
        wrong: "Every chunk is read as a stream of its own.",
        fault: "sse-split-anywhere",
        killer: "frames.cuts-change-nothing",
        exchange: Exchange::Framing(chunk_is_a_stream),
    },
    Mutant {
        id: "frames.text-per-chunk",
        wrong: "Bytes become text chunk by chunk, so that a character which is cut is lost.",
        fault: "sse-split-anywhere",
        killer: "frames.cuts-change-nothing",
        exchange: Exchange::Framing(text_per_chunk),
    },
    Mutant {
        id: "frames.line-end-per-chunk",
        wrong: "Line ends are told chunk by chunk, so that one which is cut ends two lines.",
        fault: "sse-split-anywhere",
        killer: "frames.cuts-change-nothing",
        exchange: Exchange::Framing(line_end_per_chunk),
    },
];

fn chunk_is_a_stream(stream: &Frames) -> Vec<Framed> {
    let alone = |chunk: &[u8]| framed(&Frames::new(stream.transport(), chunk, []));
    stream.chunks().flat_map(alone).collect()
}

fn rewritten(stream: &Frames, rewrite: impl Fn(&[u8]) -> Vec<u8>) -> Vec<Framed> {
    let bytes: Vec<u8> = stream.chunks().flat_map(rewrite).collect();
    framed(&Frames::new(stream.transport(), bytes, []))
}

fn text_per_chunk(stream: &Frames) -> Vec<Framed> {
    rewritten(stream, |chunk| String::from_utf8_lossy(chunk).into_owned().into_bytes())
}

fn line_end_per_chunk(stream: &Frames) -> Vec<Framed> {
    if stream.transport() == Transport::Stdio {
        return framed(stream);
    }
    rewritten(stream, |chunk| {
        let mut out = Vec::with_capacity(chunk.len());
        for (at, &byte) in chunk.iter().enumerate() {
            match byte {
                b'\n' if at > 0 && chunk[at - 1] == b'\r' => {}
                b'\r' => out.push(b'\n'),
                _ => out.push(byte),
            }
        }
        out
    })
}
