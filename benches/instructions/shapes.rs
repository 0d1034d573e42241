//! Which work is counted, a shape a row?

use std::hint::black_box;

use arbitrary::Unstructured;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use wirebench::case::{Case, Party};
use wirebench::codec::Reader;
use wirebench::codec::context::Context;
use wirebench::codec::document::Decoder;
use wirebench::codec::reading::Profile;
use wirebench::generate::{self, Swarm};
use wirebench::limits::Limits;
use wirebench::mutate;

use super::workload;

/// Does the work once. What it makes is kept where somebody asks for it.
pub type Work = Box<dyn FnMut(&mut Option<&mut Vec<Vec<u8>>>)>;

/// One row.
pub struct Shape {
    /// What is done and to what: `parse/mixed`.
    pub name: String,
    /// The bytes that decide what is done.
    pub input: Vec<Vec<u8>>,
    /// The doing of it.
    pub work: Work,
}

/// Draws a shape, and entropy a draw: that of a campaign.
const DRAWS: usize = 64;
const ENTROPY: usize = 1024;
const SEED: u64 = 0x6D63_7020_7769_7265;

/// All shapes: parse, refuse, read, generate.
pub fn all() -> Vec<Shape> {
    let mut shapes = vec![parse("mixed", workload::mixed())];
    shapes.extend(workload::singles().into_iter().map(|input| parse(input.name, vec![input.bytes])));
    shapes.extend(workload::HOSTILE.iter().map(|shape| parse(shape.name, vec![(shape.make)(shape.size)])));
    shapes.extend(workload::refused().into_iter().map(|(reason, bytes)| refuse(reason, bytes)));
    shapes.extend([read("stdio", over_stdio()), read("http", over_http())]);
    shapes.push(generate("case", |u, swarm| generate::case(u, swarm).ok().map(|made| made.value.encode())));
    shapes.push(generate("session", |u, swarm| generate::session(u, swarm).ok().map(|made| made.value.encode())));
    shapes.push(generate("mutated-case", |u, swarm| mutate::drawn(u, swarm).ok().map(|made| made.value.encode())));
    shapes
}

fn parse(name: &str, input: Vec<Vec<u8>>) -> Shape {
    let mut decoder = Decoder::new();
    let documents = input.clone();
    let work = move |_: &mut Option<&mut Vec<Vec<u8>>>| {
        for bytes in &documents {
            let read = decoder.read(black_box(bytes), &Limits::raised());
            black_box(read.expect("the workload is well formed").nodes());
        }
    };
    Shape { name: format!("parse/{name}"), input, work: Box::new(work) }
}

fn refuse(reason: &'static str, bytes: Vec<u8>) -> Shape {
    let mut decoder = Decoder::new();
    let input = vec![bytes.clone()];
    let work = move |_: &mut Option<&mut Vec<Vec<u8>>>| {
        let refusal = decoder.read(black_box(&bytes), &Limits::message()).err();
        assert_eq!(black_box(refusal).map(|refusal| refusal.reason.word()), Some(reason));
    };
    Shape { name: format!("refuse/{reason}"), input, work: Box::new(work) }
}

fn read(name: &str, cases: Vec<Case>) -> Shape {
    let mut reader = Reader::new(Limits::message());
    let input = cases.iter().map(Case::encode).collect();
    let work = move |_: &mut Option<&mut Vec<Vec<u8>>>| {
        for case in &cases {
            black_box(reader.read(black_box(case), &Context::default()).refusal(Profile::Strict));
        }
    };
    Shape { name: format!("read/{name}"), input, work: Box::new(work) }
}

/// The text form belongs to the work: that is what a campaign hands on. The draws start from the same entropy whatever
/// the generator makes of it, so what it makes has a digest of its own.
fn generate(name: &str, make: fn(&mut Unstructured<'_>, &Swarm) -> Option<Vec<u8>>) -> Shape {
    let mut stream = ChaCha8Rng::seed_from_u64(SEED);
    let mut draw = || {
        let mut bytes = vec![0; ENTROPY];
        stream.fill_bytes(&mut bytes);
        bytes
    };
    let input: Vec<Vec<u8>> = (0..DRAWS).map(|_| draw()).collect();
    let entropy = input.clone();
    let work = move |kept: &mut Option<&mut Vec<Vec<u8>>>| {
        for bytes in &entropy {
            let mut u = Unstructured::new(black_box(bytes));
            let swarm = Swarm::draw(&mut u).unwrap_or_default();
            let made = black_box(make(&mut u, &swarm)).unwrap_or_default();
            if let Some(kept) = kept {
                kept.push(made);
            }
        }
    };
    Shape { name: format!("generate/{name}"), input, work: Box::new(work) }
}

fn is_request(body: &[u8]) -> bool {
    body.windows(8).take(80).any(|window| window == b"\"method\"")
}

fn over_stdio() -> Vec<Case> {
    let from = |body: &[u8]| if is_request(body) { Party::Client } else { Party::Server };
    workload::mixed().into_iter().map(|body| Case::stdio(from(&body), body)).collect()
}

/// The tool calls among the messages, with the header lines that mirror them.
fn over_http() -> Vec<Case> {
    let calls = workload::mixed().into_iter().filter(|body| body.windows(12).any(|window| window == b"\"tools/call\""));
    calls
        .map(|body| {
            Case::http(Party::Client, body)
                .with_header("MCP-Protocol-Version", "2026-07-28")
                .with_header("Mcp-Method", "tools/call")
                .with_header("Mcp-Name", "search_records")
        })
        .collect()
}
