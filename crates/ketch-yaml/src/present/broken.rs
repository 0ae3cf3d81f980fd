//! Breaking long lines of text.

use super::analysis::is_blank;

/// An iterator over the parts of a text that is broken at single spaces between words. Parsers fold
/// the line breaks into spaces again.
pub(super) struct Broken<'t> {
    rest: Option<&'t [u8]>,
    width: usize,
    next_width: usize,
}

impl<'t> Broken<'t> {
    /// Creates an iterator over the parts of `text`. The first line has `width` columns, and later
    /// lines have `next_width`.
    pub fn new(text: &'t [u8], width: usize, next_width: usize) -> Broken<'t> {
        Broken { rest: Some(text), width, next_width }
    }
}

impl<'t> Iterator for Broken<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        let text = self.rest.take()?;
        let Some(at) = break_at(text, self.width) else { return Some(text) };
        self.rest = Some(&text[at + 1..]);
        self.width = self.next_width;
        Some(&text[..at])
    }
}

/// Returns the offset of the last space within the first `width` columns at which the line may be
/// broken or, if there is none, of the first such space after them. Returns `None` if `text` fits
/// or has no such space.
fn break_at(text: &[u8], width: usize) -> Option<usize> {
    if text.len() <= width {
        return None;
    }
    let mut columns = 0;
    let mut found = None;
    for (at, &byte) in text.iter().enumerate() {
        if columns > width && found.is_some() {
            return found;
        }
        if byte == b' ' && may_break(text, at) {
            found = Some(at);
        }
        // Continuation bytes do not occupy a column.
        columns += usize::from(byte & 0xC0 != 0x80);
    }
    // The text may have fewer columns than bytes, so it may fit after all.
    found.filter(|_| columns > width)
}

/// Returns whether there is a single space at `at`, before a word that no parser takes for an
/// indicator.
fn may_break(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| text[at]);
    let next = text.get(at + 1);
    before.is_some_and(|byte| !is_blank(byte) && byte != b'\n')
        && next.is_some_and(|byte| !is_blank(*byte) && !b"-?:#%.\n".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str, width: usize) -> Vec<&str> {
        let parts = Broken::new(text.as_bytes(), width, width);
        parts.map(|part| std::str::from_utf8(part).unwrap()).collect()
    }

    #[test]
    fn lines_are_broken_at_single_spaces() {
        assert_eq!(broken("one two three", 100), ["one two three"]);
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("one two three", 6), ["one", "two", "three"]);
        assert_eq!(broken("one two three", 1), ["one", "two", "three"]);
        assert_eq!(broken("one  two - three", 1), ["one  two -", "three"]);
        assert_eq!(broken("\u{e9}\u{e9} \u{e9}\u{e9} x", 5), ["\u{e9}\u{e9} \u{e9}\u{e9}", "x"]);
        assert_eq!(broken(" a ", 1), [" a "]);
        assert_eq!(broken("", 0), [""]);
    }
}
