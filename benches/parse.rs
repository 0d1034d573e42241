//! How long does one document take to be read, and does it stay linear on hostile shapes?

mod workload;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wirebench::codec::document::Decoder;
use wirebench::limits::Limits;

fn parse(criterion: &mut Criterion) {
    workload::verify();
    let mut decoder = Decoder::new();
    let mut group = criterion.benchmark_group("parse");
    let mixed = workload::mixed();
    group.throughput(Throughput::Bytes(mixed.iter().map(|bytes| bytes.len() as u64).sum()));
    group.bench_function("mixed", |bencher| {
        bencher.iter(|| {
            for bytes in &mixed {
                black_box(decoder.read(bytes, &Limits::message()).map(|document| document.nodes()).ok());
            }
        })
    });
    for input in workload::singles() {
        group.throughput(Throughput::Bytes(input.bytes.len() as u64));
        group.bench_function(input.name, |bencher| {
            bencher.iter(|| decoder.read(black_box(&input.bytes), &Limits::message()).map(|read| read.nodes()).ok())
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("parse-hostile");
    for shape in workload::HOSTILE {
        let bytes = (shape.make)(shape.size);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(shape.name), &bytes, |bencher, bytes| {
            bencher.iter(|| decoder.read(black_box(bytes), &Limits::raised()).map(|read| read.nodes()).ok())
        });
    }
    group.finish();
}

criterion_group!(benches, parse);
criterion_main!(benches);
