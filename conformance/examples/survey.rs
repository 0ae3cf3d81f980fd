//! Searches for inputs on which a check fails. Many texts are generated, each failure is shrunk,
//! and the shortest texts of each kind are printed.
//!
//! `cargo run --release -p ketch-conformance --example survey -- [COUNT] [SEED]`

use ketch_conformance::generate::{self, Random};
use ketch_conformance::{checks, suite, targets};
use std::collections::BTreeMap;

/// Runs all checks on a text.
fn check(text: &[u8]) -> Result<(), String> {
    let text = text.to_vec();
    let result = std::panic::catch_unwind(move || {
        let outcome = checks::all_ways(&text)?;
        checks::small_pieces(&text, &outcome)?;
        targets::scalars(&text)?;
        targets::lenient(&text)?;
        targets::compose(&text)
    });
    result.unwrap_or_else(|_| Err("panic".to_owned()))
}

/// Returns the kind of a failure: the start of its message, with numbers replaced.
fn kind(what: &str) -> String {
    let line = what.lines().next().unwrap_or_default();
    let words = line.chars().map(|ch| if ch.is_ascii_digit() { '0' } else { ch });
    let mut kind: String = words.collect();
    while kind.contains("00") {
        kind = kind.replace("00", "0");
    }
    kind
}

/// Removes everything that is not needed for a failure of the same kind.
fn shrink(mut text: Vec<u8>, goal: &str) -> Vec<u8> {
    let mut size = text.len();
    while size > 0 {
        let mut at = 0;
        while at + size <= text.len() {
            let mut less = text.clone();
            less.drain(at..at + size);
            match check(&less) {
                Err(what) if kind(&what) == goal => text = less,
                _ => at += 1,
            }
        }
        size /= 2;
    }
    text
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let count = arguments.next().unwrap_or(10_000);
    let mut random = Random::new(arguments.next().unwrap_or(1));
    std::panic::set_hook(Box::new(|_| {}));
    let cases = suite::cases();
    let mut found: BTreeMap<String, (usize, Vec<u8>, String)> = BTreeMap::new();
    for turn in 0..count {
        let len = 20 + random.below(200);
        let mut text = match turn % 4 {
            0 => generate::noise(&random.bytes(len / 6)),
            1 => cases[random.below(cases.len())].yaml.clone().into_bytes(),
            _ => generate::document(&random.bytes(len)).into_bytes(),
        };
        for _ in 0..random.below(4) {
            generate::mutate(&mut text, &mut random);
        }
        if let Err(what) = check(&text) {
            let kind = kind(&what);
            let entry = found.entry(kind.clone()).or_insert_with(|| (0, text.clone(), what));
            entry.0 += 1;
            if text.len() < entry.1.len() || entry.0 == 1 {
                let small = shrink(text, &kind);
                if small.len() <= entry.1.len() {
                    entry.2 = check(&small).err().unwrap_or_default();
                    entry.1 = small;
                }
            }
        }
    }
    for (count, _, what) in found.values() {
        println!("{count} times: {what}\n");
    }
    println!("{} kinds of failures in {count} texts", found.len());
}
