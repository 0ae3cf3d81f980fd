//! Scalars that fill lines: literal, folded, plain.

use std::fmt::Write as _;

use super::{Random, fill};

/// Lines of a block scalar, `indent` columns deep; some are empty, some deeper.
fn body(out: &mut String, random: &mut Random, indent: usize) {
    let first = random.between(6, 12);
    _ = writeln!(out, "{:indent$}{}", "", random.words(first));
    for _ in 0..random.between(2, 12) {
        if random.once_in(8) {
            out.push('\n');
            continue;
        }
        let extra = if random.once_in(6) { 2 } else { 0 };
        let count = random.between(4, 12);
        _ = writeln!(out, "{:width$}{}", "", random.words(count), width = indent + extra);
    }
    // A last line with text, so that the keep indicator keeps only one break.
    _ = writeln!(out, "{:indent$}{}", "", random.words(3));
}

/// Generates block scalars with this indicator.
fn block(size: usize, seed: u64, indicator: char) -> Vec<u8> {
    fill(size, seed, |out, random| {
        let chomping = random.pick(&["", "-", "+"]);
        _ = writeln!(out, "- name: {}\n  text: {indicator}{chomping}", random.name());
        body(out, random, 4);
    })
}

/// Generates literal block scalars.
pub fn literal(size: usize) -> Vec<u8> {
    block(size, 1, '|')
}

pub fn folded(size: usize) -> Vec<u8> {
    block(size, 2, '>')
}

/// Generates plain scalars of several lines.
pub fn plain_multiline(size: usize) -> Vec<u8> {
    fill(size, 3, |out, random| {
        _ = writeln!(out, "- name: {}", random.name());
        let count = random.between(5, 12);
        _ = write!(out, "  text: {}", random.words(count));
        for _ in 0..random.between(1, 6) {
            let count = random.between(5, 12);
            let blank = if random.once_in(8) { "\n" } else { "" };
            _ = write!(out, "\n{blank}    {}", random.words(count));
        }
        out.push('\n');
    })
}

/// Generates plain scalars on long lines.
pub fn long_lines(size: usize) -> Vec<u8> {
    fill(size, 4, |out, random| {
        let count = random.between(30, 120);
        _ = writeln!(out, "- description: {}", random.words(count));
    })
}
