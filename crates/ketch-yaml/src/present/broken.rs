//! Where long lines of text are broken.

use super::analysis::is_blank;

/// The parts that a text is broken into: at single spaces between words, which reading folds back.
pub(super) struct Broken<'t> {
    rest: Option<&'t [u8]>,
    room: usize,
    next_room: usize,
}

impl<'t> Broken<'t> {
    /// `room` columns are left on the first line, `next_room` on those that follow.
    pub fn new(text: &'t [u8], room: usize, next_room: usize) -> Broken<'t> {
        Broken { rest: Some(text), room, next_room }
    }
}

impl<'t> Iterator for Broken<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        let text = self.rest.take()?;
        let Some(at) = break_at(text, self.room) else { return Some(text) };
        self.rest = Some(&text[at + 1..]);
        self.room = self.next_room;
        Some(&text[..at])
    }
}

/// The last space within `room` columns that a line may be broken at, or else the first one behind.
fn break_at(text: &[u8], room: usize) -> Option<usize> {
    if text.len() <= room {
        return None;
    }
    let mut columns = 0;
    let mut found = None;
    for (at, &byte) in text.iter().enumerate() {
        if columns > room && found.is_some() {
            return found;
        }
        if byte == b' ' && may_break(text, at) {
            found = Some(at);
        }
        // Continuation bytes take no column.
        columns += usize::from(byte & 0xC0 != 0x80);
    }
    // The text fits, or all of its spaces stand within the room.
    found.filter(|_| columns > room)
}

/// Whether a single space stands at `at`, and behind it a word that no reader takes for an
/// indicator.
fn may_break(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| text[at]);
    let behind = text.get(at + 1);
    before.is_some_and(|byte| !is_blank(byte) && byte != b'\n')
        && behind.is_some_and(|byte| !is_blank(*byte) && !b"-?:#%.\n".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str, room: usize) -> Vec<&str> {
        let parts = Broken::new(text.as_bytes(), room, room);
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
