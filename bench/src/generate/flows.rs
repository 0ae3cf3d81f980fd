//! Quoted scalars and flow collections.

use std::fmt::Write as _;

use super::{Random, fill};

/// Generates double-quoted scalars, some with escapes or line breaks.
pub fn double_quoted(size: usize) -> Vec<u8> {
    const ESCAPES: &[&str] = &["\\n", "\\t", "\\\"", "\\\\", "\\u00e9", "\\x41"];
    fill(size, 11, |out, random| {
        let (before, after) = (random.between(1, 6), random.between(1, 6));
        let escape = if random.once_in(4) { random.pick(ESCAPES) } else { ", " };
        let (before, after) = (random.words(before), random.words(after));
        _ = writeln!(out, "- \"{}\": \"{before}{escape}{after}\"", random.name());
        if random.once_in(10) {
            // Folded over two lines, the second break escaped.
            _ = writeln!(out, "  more: \"{before}\n    {after} \\\n    {after}\"");
        }
    })
}

/// Generates single-quoted scalars, some with quotes or line breaks.
pub fn single_quoted(size: usize) -> Vec<u8> {
    fill(size, 12, |out, random| {
        let (before, after) = (random.between(1, 6), random.between(1, 6));
        let quote = if random.once_in(4) { "''" } else { ": " };
        let (before, after) = (random.words(before), random.words(after));
        _ = writeln!(out, "- '{}': '{before}{quote}{after}'", random.name());
        if random.once_in(10) {
            _ = writeln!(out, "  more: '{before}\n    {after}'");
        }
    })
}

/// Generates flow collections.
pub fn flow(size: usize) -> Vec<u8> {
    fill(size, 13, |out, random| {
        _ = write!(out, "- {{name: {}, ports: [", random.name());
        for index in 0..random.between(1, 6) {
            let comma = if index > 0 { ", " } else { "" };
            _ = write!(out, "{comma}{}", random.between(1, 65_535));
        }
        let (word, count) = (random.word(), random.between(2, 5));
        _ = writeln!(out, "],\n   more: {{{word}: {}, 1st: true}}}}", random.words(count));
    })
}

/// Returns an array of records, two spaces a level.
pub fn json(size: usize) -> Vec<u8> {
    let mut out = fill(size, 14, |out, random| {
        out.push_str(if out.is_empty() { "[" } else { "," });
        record(out, random);
    });
    out.extend_from_slice(b"\n]\n");
    out
}

/// Writes an object of pretty-printed JSON.
fn record(out: &mut String, random: &mut Random) {
    let (id, size) = (random.below(1_000_000_000), random.between(0, 99_999));
    let (name, count) = (random.name(), random.between(3, 15));
    let (text, flag) = (random.words(count), random.once_in(2));
    _ = write!(
        out,
        "\n  {{\n    \"id\": {id},\n    \"name\": \"{name}\",\n    \"text\": \"{text}\",\n    \
         \"size\": {}.{},\n    \"active\": {flag},\n    \"parent\": null,\n    \"tags\": [",
        size / 100,
        size % 100
    );
    for index in 0..random.between(0, 4) {
        let comma = if index > 0 { "," } else { "" };
        _ = write!(out, "{comma}\n      \"{}\"", random.word());
    }
    out.push_str("\n    ]\n  }");
}
