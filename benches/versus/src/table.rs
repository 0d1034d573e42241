//! How are the rows printed, for a person and for a program?

use crate::contender::Contender;

/// Who reads the rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tables with ratios.
    Human,
    /// One JSON object a line.
    Ndjson,
}

/// The smallest time of one contender on one shape.
pub struct Row {
    pub contender: &'static str,
    pub shape: &'static str,
    pub hostile: bool,
    pub bytes: usize,
    pub ns_min: f64,
}

/// What one contender asked of the allocator for one shape.
pub struct Allocations {
    pub contender: &'static str,
    pub shape: &'static str,
    pub per_message: f64,
    pub peak_per_byte: f64,
}

/// How the cost of a shape grows when its size doubles.
pub struct Growth {
    pub shape: &'static str,
    pub size: usize,
    pub ratio: f64,
}

/// Says what is compared.
pub fn begin(format: Format, contenders: &[Contender]) {
    if format == Format::Human {
        println!("What each contender builds for a message:");
        for contender in contenders {
            println!("  {:<21} {}", contender.name, contender.builds);
        }
        println!("\nRatio: time of the contender over the time of wirebench; above 1 wirebench is faster.");
    }
}

/// The times of one shape.
pub fn rows(format: Format, rows: &[Row]) {
    let ours = rows.first().map_or(f64::NAN, |row| row.ns_min);
    for (index, row) in rows.iter().enumerate() {
        let mb_s = row.bytes as f64 * 1e3 / row.ns_min;
        let Row { contender, shape, bytes, ns_min, .. } = row;
        match format {
            Format::Human => {
                if index == 0 {
                    println!("\n{shape} ({bytes} bytes){:>24}{:>12}{:>9}", "ns", "MB/s", "ratio");
                }
                println!("  {contender:<21}{ns_min:>16.1}{mb_s:>12.0}{:>9.2}", ns_min / ours);
            }
            Format::Ndjson => println!(
                r#"{{"contender":"{contender}","shape":"{shape}","bytes":{bytes},"ns_min":{ns_min:.1},"mb_s":{mb_s:.1}}}"#
            ),
        }
    }
}

/// The memory of one shape.
pub fn allocations(format: Format, all: &[Allocations]) {
    if format == Format::Human {
        println!("  allocations a message and peak bytes a byte of input, the highest of all messages:");
    }
    for Allocations { contender, shape, per_message, peak_per_byte } in all {
        match format {
            Format::Human => println!("  {contender:<21}{per_message:>16.1}{peak_per_byte:>12.2}"),
            Format::Ndjson => println!(
                r#"{{"contender":"{contender}","shape":"{shape}","allocations":{per_message:.2},"peak_per_byte":{peak_per_byte:.2}}}"#
            ),
        }
    }
}

/// How one shape grows.
pub fn growth(format: Format, Growth { shape, size, ratio }: &Growth) {
    match format {
        Format::Human => println!("growth {shape:<16} size {size:>8} to twice that: time x {ratio:.2}"),
        Format::Ndjson => println!(r#"{{"shape":"{shape}","size":{size},"growth":{ratio:.2}}}"#),
    }
}

/// The means over shapes.
pub fn end(format: Format, rows: &[Row]) {
    if format == Format::Ndjson {
        return;
    }
    let time = |contender: &str, shape: &str| {
        rows.iter().find(|row| row.contender == contender && row.shape == shape).map(|row| row.ns_min)
    };
    let hostile = rows.iter().filter(|row| row.hostile && row.contender == "value");
    let logs: Vec<_> = hostile.filter_map(|row| Some((row.ns_min / time("wirebench", row.shape)?).ln())).collect();
    if !logs.is_empty() {
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        println!("hostile shapes, geometric mean over {} that value reads: {mean:.2} x value", logs.len());
    }
    if let (Some(read), Some(rmcp)) = (time("wirebench-read", "mixed"), time("rmcp", "mixed")) {
        println!("whole read to its conclusion, mixed: {:.2} x rmcp", rmcp / read);
    }
    if let (Some(with), Some(without)) = (time("wirebench", "mixed"), time("wirebench-duplicates", "mixed")) {
        println!("cost of refusing duplicates, mixed: {:.1} %", (with / without - 1.0) * 100.0);
    }
}
