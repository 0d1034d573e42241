//! How many cases and sessions does a second of drawing give?

use arbitrary::Unstructured;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use wirebench::generate::{self, Swarm};

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

criterion_group!(benches, generate);
criterion_main!(benches);
