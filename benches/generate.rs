//! How many cases and sessions does a second of drawing give, and how many cases a second of drawing, reading and judging?

use arbitrary::Unstructured;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wirebench::generate::{self, Swarm};
use wirebench::mutate;
use wirebench::oracle::Oracle;
use wirebench::subject::Codec;

/// Entropy that a case uses up at most; what is missing gives the plainest choice.
const BYTES: usize = 4096;

/// Bytes that differ from draw to draw and not from run to run.
fn entropy(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..BYTES).map(|_| step()).collect()
}

fn generate(criterion: &mut Criterion) {
    let seeds: Vec<_> = (1..=64).map(entropy).collect();
    let mut group = criterion.benchmark_group("generate");
    for (name, swarm) in [("plain", Swarm::default()), ("all", Swarm::all())] {
        group.bench_function(format!("64-cases-{name}"), |bencher| {
            bencher.iter(|| {
                for seed in &seeds {
                    black_box(generate::case(&mut Unstructured::new(seed), &swarm).ok());
                }
            })
        });
        group.bench_function(format!("64-sessions-{name}"), |bencher| {
            bencher.iter(|| {
                for seed in &seeds {
                    black_box(generate::session(&mut Unstructured::new(seed), &swarm).ok());
                }
            })
        });
    }
    group.finish();
}

/// What a search does for each case: draw it with its faults, read it, and ask every invariant of one observation.
fn judge(criterion: &mut Criterion) {
    let seeds: Vec<_> = (1..=1024).map(entropy).collect();
    let mut group = criterion.benchmark_group("judge");
    group.throughput(Throughput::Elements(seeds.len() as u64));
    let (mut codec, mut oracle) = (Codec::new(), Oracle::single());
    group.bench_function("1024-cases", |bencher| {
        bencher.iter(|| {
            for seed in &seeds {
                let mut u = Unstructured::new(seed);
                let swarm = Swarm::draw(&mut u).unwrap_or_default();
                let drawn = mutate::drawn(&mut u, &swarm).unwrap_or_default();
                black_box(oracle.check_generated(&mut codec, &drawn).is_ok());
            }
        })
    });
    group.finish();
}

criterion_group!(benches, generate, judge);
criterion_main!(benches);
