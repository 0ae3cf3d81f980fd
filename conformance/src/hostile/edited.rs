//! Texts for edits: each has many entries below the key `from`, and a key `to`, where they can be
//! moved to.

use super::{Row, lines, put};

pub(super) const SHAPES: &[Row] = &[
    ("edited-records", records),
    ("edited-records-crlf", |n| with_breaks(records(n), "\r\n")),
    ("edited-records-cr", |n| with_breaks(records(n), "\r")),
    ("edited-pairs", pairs),
    ("edited-pairs-cr", |n| with_breaks(pairs(n), "\r")),
    ("edited-scalars", |n| {
        let mut text = lines("from:\n", n, |out, i| put(out, format_args!("  - v{i}\n")));
        text.extend_from_slice(b"to: []\n");
        text
    }),
    ("edited-flow", |n| {
        let mut text = lines("from: [", n, |out, i| put(out, format_args!("{{x: {i}, t: []}}, ")));
        text.extend_from_slice(b"]\nto: [x]\n");
        text
    }),
    ("edited-flow-lines", |n| {
        let record = |out: &mut String, i: usize| {
            put(out, format_args!("  {{x: {i}, t: []}}, # note\n"));
        };
        let mut text = lines("from: [\n", n, record);
        text.extend_from_slice(b"  ]\nto:\n  - x\n");
        text
    }),
    ("edited-anchors", |n| {
        let record = |out: &mut String, i: usize| {
            put(out, format_args!("- &a{i}\n  x: &b{i} {i}\n  <<: *base\n  y: *b{i}\n"));
        };
        let mut text = lines("base: &base {z: 1}\nfrom:\n", n, record);
        text.extend_from_slice(b"to: []\n");
        text
    }),
    ("edited-alias-keys", |n| {
        let record = |out: &mut String, i: usize| put(out, format_args!("- *a : {i}\n  y: 1\n"));
        let mut text = lines("a: &a x\nfrom:\n", n, record);
        text.extend_from_slice(b"to: []\n");
        text
    }),
    ("edited-anchored-keys", |n| {
        let record = |out: &mut String, i: usize| {
            put(out, format_args!("- &a{i} k{i}: {i}\n  *a{i} : 2\n  x: 3\n"));
        };
        lines("to: []\nfrom:\n", n, record)
    }),
];

fn records(size: usize) -> Vec<u8> {
    let record = |out: &mut String, i: usize| {
        put(out, format_args!("  - name: n{i}   # note\n    x: {i}\n    t:\n      - a\n"));
    };
    let mut text = lines("from:\n", size, record);
    text.extend_from_slice(b"to:\n  - last\n");
    text
}

fn pairs(size: usize) -> Vec<u8> {
    let mut text =
        lines("from:\n", size, |out, i| put(out, format_args!("  k{i}: v{i}   # note\n")));
    text.extend_from_slice(b"to:\n  x: 1\n");
    text
}

/// Returns a text with other line breaks.
fn with_breaks(text: Vec<u8>, line_break: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(&text).replace('\n', line_break);
    text.into_bytes()
}
