//! Hostile shapes of extprot's binary format.

use super::Row;

pub(super) const SHAPES: &[Row] = &[
    ("extprot-tuples-deep", |n| nest(&[0x01], n)),
    ("extprot-htuples-deep", |n| nest(&[0x05], n)),
    ("extprot-assocs-deep", |n| nest_assocs(n)),
    ("extprot-many-values", |n| [0x00, 0x02].repeat(n / 2)),
    ("extprot-many-empty-tuples", |n| [0x01, 0x01, 0x00].repeat(n / 3)),
    ("extprot-wide-tuple", |n| block(0x01, n / 2, &[0x00, 0x02].repeat(n / 2))),
    ("extprot-wide-htuple", |n| block(0x05, n / 3, &[0x03, 0x01, 0x61].repeat(n / 3))),
    ("extprot-wide-assoc", wide_assoc),
    ("extprot-same-keys", |n| block(0x07, n / 5, &[0x03, 0x01, 0x61, 0x00, 0x02].repeat(n / 5))),
    ("extprot-long-bytes", |n| string(n)),
    ("extprot-constants", |n| block(0x05, n, &vec![0x0A; n])),
    ("extprot-wrong-lengths", |n| [0x01, 0x02, 0x09].repeat(n / 3)),
    ("extprot-cut", |n| string(n)[..n - 1].to_vec()),
    ("extprot-messages", |n| {
        [0x01, 0x08, 0x02, 0x00, 0x02, 0x03, 0x03, 0x41, 0x6e, 0x6e].repeat(n / 10)
    }),
];

/// Appends a number as a vint.
fn put_vint(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Returns a block that contains `count` elements.
fn block(prefix: u8, count: usize, elements: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    put_vint(&mut body, count);
    body.extend_from_slice(elements);
    let mut out = vec![prefix];
    put_vint(&mut out, body.len());
    out.extend_from_slice(&body);
    out
}

/// Returns a string of `size` bytes.
fn string(size: usize) -> Vec<u8> {
    let mut out = vec![0x03];
    put_vint(&mut out, size);
    out.resize(out.len() + size, b'x');
    out
}

/// Returns nested blocks, each with the given prefix bytes and one element. They are built from the
/// innermost to the outermost, in reverse.
fn nest(prefix: &[u8], size: usize) -> Vec<u8> {
    let mut reversed = vec![0x02, 0x00];
    while reversed.len() < size {
        reversed.push(1);
        let mut head = prefix.to_vec();
        put_vint(&mut head, reversed.len());
        reversed.extend(head.into_iter().rev());
    }
    reversed.reverse();
    reversed
}

/// Returns nested mappings with one pair each, which is the value in the enclosing mapping.
fn nest_assocs(size: usize) -> Vec<u8> {
    let mut reversed = vec![0x02, 0x00];
    while reversed.len() < size {
        reversed.extend([b'a', 1, 3, 1]);
        let mut head = vec![0x07];
        put_vint(&mut head, reversed.len());
        reversed.extend(head.into_iter().rev());
    }
    reversed.reverse();
    reversed
}

/// Returns a mapping with many small pairs.
fn wide_assoc(size: usize) -> Vec<u8> {
    let mut elements = Vec::new();
    let mut count = 0;
    while elements.len() < size {
        elements.extend([0x00]);
        put_vint(&mut elements, 2 * count);
        elements.extend([0x00, 0x02]);
        count += 1;
    }
    block(0x07, count, &elements)
}
