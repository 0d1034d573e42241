//! How many instructions does each shape cost?
//!
//! The program only does the work; `wirebench bench record` runs it under callgrind, which counts what happens inside
//! [`wirebench_measured`] and writes one dump a call. Every shape is run once before, so that what is counted is warm.
//! It prints one row a shape in the order of those calls, and last the digest of all inputs. Without callgrind it shows
//! that the shapes still run.

mod shapes;
#[path = "../workload.rs"]
mod workload;

use shapes::Shape;

fn main() {
    workload::verify();
    let shapes = shapes::all();
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    for Shape { name, input, mut work } in shapes {
        let mut warm = Vec::new();
        work(&mut Some(&mut warm));
        wirebench_measured(&mut work);
        let made = if warm.is_empty() { &input } else { &warm };
        let bytes: usize = made.iter().map(Vec::len).sum();
        println!(r#"{{"shape":"{name}","bytes":{bytes},"work":"{:#018x}"}}"#, digest(made));
        inputs.push(name.into_bytes());
        inputs.extend(input);
    }
    println!(r#"{{"workload":"{:#018x}"}}"#, digest(&inputs));
}

/// What is counted. Its name is looked for by the counter, so it is neither mangled nor inlined.
#[unsafe(no_mangle)]
#[inline(never)]
fn wirebench_measured(work: &mut shapes::Work) {
    work(&mut None);
}

/// The entropy of the process, always the same: the keys of the hash that finds duplicate members decide how often it
/// probes, up to 0.6 % of a count. The standard library takes this symbol before that of the C library.
///
/// # Safety
///
/// As the C function: `buffer` is valid for writes of `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    // SAFETY: the caller's promise.
    unsafe { buffer.write_bytes(0x5A, length) };
    length.cast_signed()
}

fn digest(documents: &[Vec<u8>]) -> u64 {
    workload::digest(documents.iter().map(Vec::as_slice))
}
