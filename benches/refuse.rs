//! How long does it take to say no?

mod workload;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wirebench::codec::document::Decoder;
use wirebench::limits::Limits;

fn refuse(criterion: &mut Criterion) {
    workload::verify();
    let mut decoder = Decoder::new();
    let mut group = criterion.benchmark_group("refuse");
    for (reason, bytes) in workload::refused() {
        let found = decoder.read(&bytes, &Limits::message()).err().map(|refusal| refusal.reason.word());
        assert_eq!(found, Some(reason));
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(reason, |bencher| {
            bencher.iter(|| decoder.read(black_box(&bytes), &Limits::message()).err().map(|refusal| refusal.reason))
        });
    }
    group.finish();
}

criterion_group!(benches, refuse);
criterion_main!(benches);
