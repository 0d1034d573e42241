//! How long does a message take from its bytes to the conclusion, and what of that is its payload?

mod workload;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wirebench::case::{Case, Party};
use wirebench::codec::context::Context;
use wirebench::codec::reading::Profile;
use wirebench::codec::{Reader, STAGES, Stages};
use wirebench::limits::Limits;

/// The codec without the judge of payloads: a twin that shows what that costs.
static WITHOUT_PAYLOAD: Stages = {
    let mut stages = STAGES;
    stages.judges[6] = |_| ();
    stages
};

fn read(criterion: &mut Criterion) {
    workload::verify();
    let context = Context::default();
    let case = |bytes: Vec<u8>| {
        let asks = bytes.windows(8).take(80).any(|part| part == b"\"method\"");
        Case::stdio(if asks { Party::Client } else { Party::Server }, bytes)
    };
    let mixed: Vec<Case> = workload::mixed().into_iter().map(case).collect();
    let bytes = mixed.iter().map(|case| case.body.len() as u64).sum();
    for (name, stages) in [("read", &STAGES), ("read-without-payload", &WITHOUT_PAYLOAD)] {
        let mut reader = Reader::with_stages(stages, Limits::message());
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes));
        group.bench_function("mixed", |bencher| {
            bencher.iter(|| {
                for case in &mixed {
                    black_box(reader.read(case, &context).refusal(Profile::Strict));
                }
            })
        });
        for input in workload::singles() {
            group.throughput(Throughput::Bytes(input.bytes.len() as u64));
            let case = case(input.bytes);
            group.bench_function(input.name, |bencher| {
                bencher.iter(|| reader.read(black_box(&case), &context).refusal(Profile::Strict))
            });
        }
        group.finish();
    }
}

criterion_group!(benches, read);
criterion_main!(benches);
