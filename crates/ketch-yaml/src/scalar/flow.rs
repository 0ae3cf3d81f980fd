//! Decodes plain scalars of several lines, whose breaks are folded (section 6.5).

use crate::scan::class::is_blank;

/// Appends the content of the plain scalar `bytes` to `out`, with its lines folded (\[74\]
/// s-flow-folded).
pub(super) fn fold(bytes: &[u8], out: &mut Vec<u8>) {
    let mut start = 0;
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        // If this is false, an earlier fold has already consumed the break.
        if at >= start {
            out.extend_from_slice(trim_end(&bytes[start..at]));
            start = bytes.len() - fold_breaks(&bytes[at..], out).len();
        }
    }
    out.extend_from_slice(&bytes[start..]);
}

/// Folds the line breaks at the start of `bytes` into `out`, and returns what follows them. A
/// single line break becomes a space, and n line breaks become n - 1 line feeds.
// [71] b-l-trimmed, [72] b-as-space, [73] b-l-folded.
fn fold_breaks<'b>(bytes: &'b [u8], out: &mut Vec<u8>) -> &'b [u8] {
    let (breaks, rest) = count_breaks(bytes);
    match breaks {
        1 => out.push(b' '),
        more => out.extend(std::iter::repeat_n(b'\n', more - 1)),
    }
    rest
}

/// Counts the line breaks at the start of `bytes`, and skips them and the blanks among them.
/// Returns the count and the rest.
// [70] l-empty.
pub(super) fn count_breaks(bytes: &[u8]) -> (usize, &[u8]) {
    let mut breaks = 0;
    let mut at = 0;
    let mut end = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // Most blanks are indentation, so eight spaces are skipped at once.
            b' ' if bytes[at..].first_chunk() == Some(b"        ") => {
                at += 8;
                end = at;
            }
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => at += 1,
            b'\n' | b'\r' => {
                breaks += 1;
                at += 1;
                end = at;
            }
            b' ' | b'\t' => {
                at += 1;
                end = at;
            }
            _ => break,
        }
    }
    (breaks, &bytes[end..])
}

/// Returns `bytes` without the blanks at the end.
fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &bytes[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fold() {
        let mut out = Vec::new();
        fold(b"a \t\n  b\n\n \n c\r\nd\re", &mut out);
        assert_eq!(out, b"a b\n\nc d e");
    }
}
