//! Who cuts a stream into frames faster?
//!
//! The mixed messages stand one a line, and one an event; every contender gets the stream in chunks of 64 KiB. wirebench
//! lends the bytes of a message, and copies only what crosses a chunk; `sse-stream` gives owned text that it has checked
//! to be UTF-8, which wirebench leaves to the reader of the message. Version 0.2 is the one that rmcp takes. The split
//! by memchr does no more than find the line feeds: it joins no chunks and has no limit.

use std::convert::Infallible;
use std::hint::black_box;

use bytes::Bytes;
use futures::executor::block_on;
use futures::future::ready;
use futures::{Stream, StreamExt};
use wirebench::codec::frame::{Events, Frame, FrameLimits, Lines};

use super::table::Row;
use super::{repetitions, time, workload};

/// The streams that are cut.
pub const SHAPES: [&str; 2] = ["frames-stdio", "frames-sse"];

const CHUNK: usize = 64 << 10;

type Contender = (&'static str, Box<dyn FnMut(&[u8]) -> bool>);

/// The smallest times of all contenders on one of [`SHAPES`], wirebench first.
pub fn measure(shape: &'static str, rounds: usize) -> Vec<Row> {
    let messages = workload::mixed();
    let (before, after) = if shape == SHAPES[0] { ("", "\n") } else { ("event: message\ndata: ", "\n\n") };
    let stream = messages.iter().flat_map(|message| [before.as_bytes(), message, after.as_bytes()].concat()).collect();
    let mut contenders = if shape == SHAPES[0] { lines(messages.len()) } else { events(messages.len(), &stream) };
    let documents: [Vec<u8>; 1] = [stream];
    for (name, run) in &mut contenders {
        assert!(run(&documents[0]), "{name}: does not find every message");
    }
    let repeat: Vec<_> = contenders.iter_mut().map(|(_, run)| repetitions(run, &documents)).collect();
    let mut best = vec![f64::INFINITY; contenders.len()];
    for _ in 0..rounds {
        for ((best, repeat), (_, run)) in best.iter_mut().zip(&repeat).zip(&mut contenders) {
            *best = best.min(time(run, &documents, *repeat));
        }
    }
    let row = |(&(contender, _), ns_min): (&Contender, f64)| {
        let bytes = documents[0].len();
        Row { contender, shape, hostile: false, bytes, ns_min }
    };
    contenders.iter().zip(best).map(row).collect()
}

fn lines(messages: usize) -> Vec<Contender> {
    let mut reader = Lines::new(FrameLimits::message());
    let ours = move |stream: &[u8]| {
        let mut count = 0;
        let mut out = |frame: Frame<'_>| count += usize::from(black_box(frame.result).is_ok());
        stream.chunks(CHUNK).for_each(|chunk| reader.push(chunk, &mut out));
        reader.finish(&mut out);
        count == messages
    };
    let split = move |stream: &[u8]| {
        let mut count = 0;
        for chunk in stream.chunks(CHUNK) {
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', chunk) {
                black_box(&chunk[start..end]);
                start = end + 1;
                count += 1;
            }
        }
        count == messages
    };
    vec![("wirebench", Box::new(ours)), ("memchr-split", Box::new(split))]
}

fn events(messages: usize, stream: &Vec<u8>) -> Vec<Contender> {
    let mut reader = Events::new(FrameLimits::message());
    let ours = move |stream: &[u8]| {
        let mut count = 0;
        let mut out = |frame: Frame<'_>| count += usize::from(black_box(frame.result).is_ok());
        stream.chunks(CHUNK).for_each(|chunk| reader.push(chunk, &mut out));
        reader.finish(&mut out);
        count == messages
    };
    // Their input is reference-counted: made beforehand, so that only the count is paid for.
    let chunks: Vec<Bytes> = stream.chunks(CHUNK).map(Bytes::copy_from_slice).collect();
    let again = chunks.clone();
    let of_rmcp = move |_: &[u8]| {
        let body = futures::stream::iter(chunks.clone().into_iter().map(Ok::<_, Infallible>));
        let events = sse_stream::SseStream::from_bytes_stream(body);
        count(events.map(|event| event.is_ok_and(|event| black_box(event).data.is_some()))) == messages
    };
    let newest = move |_: &[u8]| {
        let body = futures::stream::iter(again.clone().into_iter().map(Ok::<_, Infallible>));
        let events = sse_stream_3::SseByteStream::new(body);
        count(events.map(|event| event.is_ok_and(|event| black_box(event).data.is_some()))) == messages
    };
    vec![("wirebench", Box::new(ours)), ("sse-stream-0.2", Box::new(of_rmcp)), ("sse-stream-0.3", Box::new(newest))]
}

fn count(events: impl Stream<Item = bool>) -> usize {
    block_on(events.fold(0, |count, is_message| ready(count + usize::from(is_message))))
}
