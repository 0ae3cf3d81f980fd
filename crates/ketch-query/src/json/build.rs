//! What is made of a JSON value while it is read.

use crate::value::{CellKind, Tape, unescaped};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Takes the parts of a value in their order. Offsets count from the start of `text`, that of the value.
pub(super) trait Sink {
    /// Whether nothing that was read is needed any more.
    const SKIPS: bool = false;

    /// Takes a scalar.
    fn scalar(&mut self, kind: CellKind, range: Range<usize>);

    /// Takes a key of the open object.
    fn key(&mut self, kind: CellKind, range: Range<usize>, text: &[u8]);

    /// Takes the start of an item of the open array.
    fn item(&mut self);

    /// Takes the start of a collection.
    fn open(&mut self, kind: CellKind);

    /// Takes the end of a collection.
    fn close(&mut self, text: &[u8]);
}

/// Makes nothing.
pub(super) struct Skip;

impl Sink for Skip {
    const SKIPS: bool = true;

    fn scalar(&mut self, _: CellKind, _: Range<usize>) {}
    fn key(&mut self, _: CellKind, _: Range<usize>, _: &[u8]) {}
    fn item(&mut self) {}
    fn open(&mut self, _: CellKind) {}
    fn close(&mut self, _: &[u8]) {}
}

/// Makes a tape.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub tape: Tape,
    open: Vec<Open>,
}

/// A collection that has not ended.
#[derive(Debug)]
struct Open {
    at: usize,
    /// Bits for the keys so far. A key whose bit is set may be a duplicate.
    seen: u64,
    may_repeat: bool,
}

impl Sink for Builder {
    #[inline]
    fn scalar(&mut self, kind: CellKind, range: Range<usize>) {
        self.tape.scalar(kind, range.start, range.len());
    }

    #[inline]
    fn key(&mut self, kind: CellKind, range: Range<usize>, text: &[u8]) {
        if let Some(open) = self.open.last_mut() {
            let bit = key_bit(&text[range.clone()]);
            open.may_repeat |= open.seen & bit != 0 || kind == CellKind::Escaped;
            open.seen |= bit;
            self.tape.add_entry(open.at);
        }
        self.scalar(kind, range);
    }

    #[inline]
    fn item(&mut self) {
        if let Some(open) = self.open.last() {
            self.tape.add_entry(open.at);
        }
    }

    #[inline]
    fn open(&mut self, kind: CellKind) {
        let at = self.tape.open(kind);
        self.open.push(Open { at, seen: 0, may_repeat: false });
    }

    #[inline]
    fn close(&mut self, text: &[u8]) {
        if let Some(open) = self.open.pop() {
            self.tape.close(open.at);
            if open.may_repeat {
                merge_duplicates(&mut self.tape, open.at, text);
            }
        }
    }
}

/// Returns the bit of a key.
#[inline]
fn key_bit(key: &[u8]) -> u64 {
    let (Some(&first), Some(&last)) = (key.first(), key.last()) else { return 1 };
    let middle = key[key.len() / 2];
    let mixed = u32::from(first) * 7 + u32::from(middle) * 3 + u32::from(last) * 13;
    1 << ((mixed + key.len() as u32 * 5) & 63)
}

/// Removes duplicate keys of the object at `at`, which is the last value: the first place stays, with the last value.
fn merge_duplicates(tape: &mut Tape, at: usize, text: &[u8]) {
    const PAIRS_MAX: usize = 16;
    let mut pairs: Vec<[Range<usize>; 2]> = Vec::new();
    let mut key = at + 2;
    while key < tape.len() {
        let value = tape.after(key);
        pairs.push([key..value, value..tape.after(value)]);
        key = tape.after(value);
    }
    let text_of = |key: usize| key_text(tape, key, text);
    let (mut kept, mut has_duplicate): (Vec<[Range<usize>; 2]>, _) = (Vec::new(), false);
    let mut places: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let is_small = pairs.len() <= PAIRS_MAX;
    for pair in pairs {
        let key = text_of(pair[0].start);
        let known = match is_small {
            true => kept.iter().position(|other| text_of(other[0].start) == key),
            false => places.get(&key).copied(),
        };
        match known {
            Some(known) => {
                kept[known][1] = pair[1].clone();
                has_duplicate = true;
            }
            None => {
                if !is_small {
                    places.insert(key, kept.len());
                }
                kept.push(pair);
            }
        }
    }
    if has_duplicate {
        tape.replace_entries(at, &kept);
    }
}

/// Returns the text of a key. Invalid UTF-8 is replaced, as in the values.
fn key_text<'t>(tape: &Tape, key: usize, text: &'t [u8]) -> Cow<'t, str> {
    let written = String::from_utf8_lossy(&text[tape.range(key)]);
    match tape.kind(key) {
        CellKind::Escaped => Cow::Owned(unescaped(&written)),
        _ => written,
    }
}
