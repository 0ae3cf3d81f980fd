//! Measures the cost of one resolution per schema, over 24 strings of every kind.
//!
//! `cargo run --release -p ketch-yaml --example resolve_bench`

use std::hint::black_box;
use std::time::Instant;

use ketch_yaml::schema::{ScalarTag, Schema};

const ROUNDS: u32 = 100_000;
/// The number of repetitions; the best and the median are printed.
const REPETITIONS: usize = 11;

fn main() {
    let long = format!("b{}l", "o".repeat(48));
    let texts: [&[u8]; 24] = [
        b"yes",
        b"NO",
        long.as_bytes(),
        b"false",
        b"",
        b"~",
        b"~a",
        b"<<",
        b"10.1",
        b"10000000000003435345.2324E+13",
        b".23",
        b".nan",
        b"null",
        b"124233333333333333",
        b"0b030323",
        b"+0b0111111011010101",
        b"0xaafffdf",
        b"2005-05-03",
        b"2005-05-03a",
        b".nana",
        b"2005-03-05T05:23:22",
        b"=",
        b"= ",
        b"=a",
    ];
    println!("{:<9} {:>10} {:>12} {:>10}", "schema", "ns (best)", "ns (median)", "not text");
    for schema in Schema::ALL {
        let typed = texts.iter().filter(|text| is_typed(schema.resolve(text))).count();
        let mut times: Vec<f64> = (0..REPETITIONS).map(|_| time(schema, &texts)).collect();
        times.sort_by(f64::total_cmp);
        let (best, median) = (times[0], times[REPETITIONS / 2]);
        println!("{:<9} {best:>10.2} {median:>12.2} {typed:>10}", schema.name());
    }
}

fn is_typed(tag: ScalarTag) -> bool {
    !matches!(tag, ScalarTag::Str | ScalarTag::Unresolved)
}

/// Measures nanoseconds per resolution. Every result is used, so that none is optimized away.
fn time(schema: Schema, texts: &[&[u8]]) -> f64 {
    let schema = black_box(schema);
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for text in texts {
            black_box(schema.resolve(black_box(text)));
        }
    }
    start.elapsed().as_secs_f64() * 1e9 / (f64::from(ROUNDS) * texts.len() as f64)
}
