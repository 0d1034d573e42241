//! Who reads the same bytes faster, what do they build, and what does it cost in memory?
//!
//! All contenders run in one process, one after another in every round, and the smallest time of all rounds counts:
//! what else the machine does disturbs all of them alike. Nothing here judges; a reader of the rows does.

mod allocation;
mod contender;
mod frames;
mod table;
#[path = "../../workload.rs"]
mod workload;

use std::process::ExitCode;
use std::time::Instant;

use contender::CONTENDERS;
use table::{Allocations, Format, Growth, Row};

/// Rounds of the growth measurement: the median of five ratios.
const GROWTH_ROUNDS: usize = 5;
/// A measured run repeats its input until it takes about this long, so that the clock's grain does not matter.
const RUN_NS: u64 = 100_000;

struct Shape {
    name: &'static str,
    documents: Vec<Vec<u8>>,
    hostile: bool,
}

fn main() -> ExitCode {
    let mut rounds = 25;
    let mut format = Format::Human;
    let mut only = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        match (flag.as_str(), arguments.next()) {
            ("--rounds", Some(value)) if value.parse().is_ok_and(|count: usize| count > 0) => {
                rounds = value.parse().unwrap_or(rounds);
            }
            ("--format", Some(value)) if value == "human" => format = Format::Human,
            ("--format", Some(value)) if value == "ndjson" => format = Format::Ndjson,
            ("--only", Some(value)) => only = Some(value),
            _ => {
                eprintln!("usage: versus [--rounds N] [--format human|ndjson] [--only SHAPE]");
                return ExitCode::from(2);
            }
        }
    }
    workload::verify();
    let wanted = |name: &str| only.as_ref().is_none_or(|only| name.starts_with(only.as_str()));
    table::begin(format, CONTENDERS);
    let mut rows = Vec::new();
    for shape in shapes().into_iter().filter(|shape| wanted(shape.name)) {
        let measured = measure(&shape, rounds);
        table::rows(format, &measured);
        rows.extend(measured);
        table::allocations(format, &allocations(&shape));
    }
    for shape in workload::HOSTILE.iter().filter(|shape| wanted(shape.name)) {
        table::growth(format, &growth(shape));
    }
    for shape in frames::SHAPES.into_iter().filter(|shape| wanted(shape)) {
        table::rows(format, &frames::measure(shape, rounds));
    }
    table::end(format, &rows);
    ExitCode::SUCCESS
}

fn shapes() -> Vec<Shape> {
    let mut shapes = vec![Shape { name: "mixed", documents: workload::mixed(), hostile: false }];
    for input in workload::singles() {
        shapes.push(Shape { name: input.name, documents: vec![input.bytes], hostile: false });
    }
    for shape in workload::HOSTILE {
        shapes.push(Shape { name: shape.name, documents: vec![(shape.make)(shape.size)], hostile: true });
    }
    shapes
}

/// The contenders that read every document of the shape.
fn able(shape: &Shape) -> Vec<(&'static str, Box<dyn FnMut(&[u8]) -> bool>)> {
    let mut able = Vec::new();
    for contender in CONTENDERS {
        if shape.name.starts_with("deep") && contender.recurses {
            continue;
        }
        let mut run = (contender.make)();
        if shape.documents.iter().all(|bytes| run(bytes)) {
            able.push((contender.name, run));
        }
    }
    able
}

fn measure(shape: &Shape, rounds: usize) -> Vec<Row> {
    let bytes = shape.documents.iter().map(Vec::len).sum();
    let mut able = able(shape);
    let mut runs: Vec<_> = able.iter_mut().map(|(_, run)| repetitions(run, &shape.documents)).collect();
    let mut best = vec![f64::INFINITY; able.len()];
    for _ in 0..rounds {
        for ((best, runs), (_, run)) in best.iter_mut().zip(&mut runs).zip(&mut able) {
            *best = best.min(time(run, &shape.documents, *runs));
        }
    }
    let row = |(name, ns_min)| Row { contender: name, shape: shape.name, hostile: shape.hostile, bytes, ns_min };
    able.iter().map(|(name, _)| *name).zip(best).map(row).collect()
}

fn repetitions(run: &mut dyn FnMut(&[u8]) -> bool, documents: &[Vec<u8>]) -> u64 {
    (RUN_NS / (time(run, documents, 1) as u64).max(1)).clamp(1, 10_000)
}

/// Nanoseconds for all documents once, over that many repetitions.
fn time(run: &mut dyn FnMut(&[u8]) -> bool, documents: &[Vec<u8>], repetitions: u64) -> f64 {
    let start = Instant::now();
    for _ in 0..repetitions {
        for bytes in documents {
            std::hint::black_box(run(std::hint::black_box(bytes)));
        }
    }
    start.elapsed().as_nanos() as f64 / repetitions as f64
}

fn growth(shape: &workload::Shape) -> Growth {
    let once = [(shape.make)(shape.size)];
    let twice = [(shape.make)(shape.size * 2)];
    let mut run = (CONTENDERS[0].make)();
    let repeat = repetitions(&mut run, &once) * 4;
    time(&mut run, &twice, 2);
    let mut ratios: Vec<_> = (0..GROWTH_ROUNDS)
        .map(|_| {
            let mut best = [f64::INFINITY; 2];
            for _ in 0..4 {
                best[0] = best[0].min(time(&mut run, &once, repeat));
                best[1] = best[1].min(time(&mut run, &twice, repeat.div_ceil(2)));
            }
            best[1] / best[0]
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    Growth { shape: shape.name, size: shape.size, ratio: ratios[GROWTH_ROUNDS / 2] }
}

fn allocations(shape: &Shape) -> Vec<Allocations> {
    let documents = &shape.documents;
    let mut all = Vec::new();
    for (name, mut run) in able(shape) {
        let (mut count, mut excess) = (0, 0.0f64);
        for bytes in documents {
            let used = allocation::of(|| run(bytes));
            count += used.count;
            excess = excess.max(used.peak as f64 / bytes.len() as f64);
        }
        let per_message = count as f64 / documents.len() as f64;
        all.push(Allocations { contender: name, shape: shape.name, per_message, peak_per_byte: excess });
    }
    all
}
