//! Compares text with the text of a group.

use regex_syntax::hir::ClassUnicode;

use crate::fold;
use crate::text::Text;

/// Returns the end of the text at `at` that equals `group`, or `None` if it differs. `ignore_case`
/// says whether case is ignored.
pub(crate) fn same(text: Text<'_>, group: &[u8], at: usize, ignore_case: bool) -> Option<usize> {
    let rest = text.bytes.get(at..)?;
    if !ignore_case {
        return rest.starts_with(group).then_some(at + group.len());
    }
    let mut left = Folded::new(text.with(group));
    let mut right = Folded::new(text.with(rest));
    loop {
        match left.next() {
            // A match may not end in the middle of a character that folds to several.
            None => return right.pending.is_empty().then_some(at + right.at),
            Some(code) if right.next() == Some(code) => {}
            Some(_) => return None,
        }
    }
}

/// The folded characters of a text.
struct Folded<'t> {
    text: Text<'t>,
    at: usize,
    /// The rest of the last character, in reverse order.
    pending: Vec<char>,
}

impl<'t> Folded<'t> {
    /// Starts at the first character of `text`.
    fn new(text: Text<'t>) -> Folded<'t> {
        Folded { text, at: 0, pending: Vec::new() }
    }

    /// Returns the next folded character, or `None` at the end of the text.
    fn next(&mut self) -> Option<u32> {
        if let Some(char) = self.pending.pop() {
            return Some(u32::from(char));
        }
        let (code, length) = self.text.char(self.at).or_else(|| {
            let byte = *self.text.bytes.get(self.at)?;
            Some((u32::from(byte) | 0x8000_0000, 1))
        })?;
        self.at += length;
        let Some(char) = char::from_u32(code) else { return Some(code) };
        if char.is_ascii() || self.text.is_binary() {
            return Some(u32::from(char.to_ascii_lowercase()));
        }
        if let Some(text) = fold::expansion(char) {
            self.pending.extend(text.chars().rev());
            return self.pending.pop().map(u32::from);
        }
        // The smallest of the equal characters stands for all of them.
        let equal: ClassUnicode = fold::equivalents(char);
        let least = equal.ranges().first().map_or(char, |range| range.start());
        Some(u32::from(least.to_ascii_lowercase()))
    }
}
