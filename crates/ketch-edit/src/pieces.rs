//! The current text, stored as parts of the original and new text.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A change of a text: the bytes at `at` become `new`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The range of bytes to replace.
    pub at: Range<usize>,
    /// The text that replaces them.
    pub new: String,
}

/// Applies `patches` to `text`. They must be sorted and must not overlap; their offsets are those
/// in `text`.
///
/// ```
/// use ketch_edit::{Patch, apply_patches};
///
/// let patch = Patch { at: 3..4, new: "2".to_owned() };
/// assert_eq!(apply_patches("a: 1\n", &[patch]), "a: 2\n");
/// ```
#[must_use]
pub fn apply_patches(text: &str, patches: &[Patch]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for patch in patches {
        out.push_str(&text[at..patch.at.start]);
        out.push_str(&patch.new);
        at = patch.at.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Returns the patches that turn the result of `patches` back into the text `original`.
pub(super) fn inverse(original: &str, patches: &[Patch]) -> Vec<Patch> {
    let mut shift = 0isize;
    let back = patches.iter().map(|patch| {
        let start = patch.at.start.wrapping_add_signed(shift);
        shift += patch.new.len() as isize - patch.at.len() as isize;
        Patch { at: start..start + patch.new.len(), new: original[patch.at.clone()].to_owned() }
    });
    back.collect()
}

/// A part of the current text: a range of the original, or of new text.
#[derive(Clone, Debug)]
enum Piece {
    Kept(Range<usize>),
    New(Arc<str>, Range<usize>),
}

impl Piece {
    /// Returns the length of the piece in bytes.
    fn len(&self) -> usize {
        match self {
            Piece::Kept(range) | Piece::New(_, range) => range.len(),
        }
    }

    /// Returns the part of the piece from its byte `from` up to its byte `to`.
    fn part(&self, from: usize, to: usize) -> Piece {
        match self {
            Piece::Kept(kept) => Piece::Kept(kept.start + from..kept.start + to),
            Piece::New(text, kept) => Piece::New(text.clone(), kept.start + from..kept.start + to),
        }
    }

    /// Returns the bytes of the piece, which may be a part of `original`.
    fn bytes<'t>(&'t self, original: &'t str) -> &'t [u8] {
        match self {
            Piece::Kept(range) => &original.as_bytes()[range.clone()],
            Piece::New(text, range) => &text.as_bytes()[range.clone()],
        }
    }
}

/// The maximum number of pieces in a group.
const GROUP_MAX: usize = 64;

/// A run of adjacent pieces, with the sum of their lengths. A search for an offset skips whole
/// groups.
#[derive(Clone, Debug, Default)]
struct Group {
    len: usize,
    pieces: Vec<Piece>,
}

/// The current text, as a list of pieces of the original and of new text.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    groups: Vec<Group>,
    len: usize,
    /// The index and the start offset of the group that was changed last. Searches start there.
    near: (usize, usize),
}

impl Pieces {
    /// Creates the pieces of an unchanged original with `len` bytes.
    pub fn new(len: usize) -> Pieces {
        Pieces { groups: vec![Group { len, pieces: vec![Piece::Kept(0..len)] }], len, near: (0, 0) }
    }

    /// Returns the length of the current text in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the current text is the unchanged original.
    pub fn is_original(&self, original: &str) -> bool {
        match &self.groups[..] {
            [Group { pieces, .. }] => {
                matches!(&pieces[..], [Piece::Kept(kept)] if *kept == (0..original.len()))
            }
            _ => false,
        }
    }

    /// Returns the index of the group that `at` is in or at the end of, and the offset where it
    /// starts.
    fn group_at(&self, at: usize) -> (usize, usize) {
        let (mut index, mut start) = self.near;
        while index > 0 && at <= start {
            index -= 1;
            start -= self.groups[index].len;
        }
        while let Some(group) = self.groups.get(index) {
            if at <= start + group.len {
                return (index, start);
            }
            start += group.len;
            index += 1;
        }
        (self.groups.len().saturating_sub(1), start)
    }

    /// Applies `patch` to the current text.
    pub fn apply(&mut self, patch: &Patch) {
        let (first, first_start) = self.group_at(patch.at.start);
        let (last, _) = self.group_at(patch.at.end);
        let (mut pieces, mut after, mut at) = (Vec::new(), Vec::new(), first_start);
        for piece in self.groups[first..=last].iter().flat_map(|group| &group.pieces) {
            let (start, end) = (at, at + piece.len());
            at = end;
            if start < patch.at.start {
                pieces.push(piece.part(0, patch.at.start.min(end) - start));
            }
            if end > patch.at.end {
                after.push(piece.part(patch.at.end.max(start) - start, end - start));
            }
        }
        if !patch.new.is_empty() {
            pieces.push(Piece::New(patch.new.as_str().into(), 0..patch.new.len()));
        }
        pieces.append(&mut after);
        // A group that is too long is divided evenly, which leaves room for more pieces in each
        // part.
        let count = pieces.len().div_ceil(GROUP_MAX).max(1);
        let groups = pieces.chunks(pieces.len().div_ceil(count).max(1)).map(|pieces| Group {
            len: pieces.iter().map(Piece::len).sum(),
            pieces: pieces.to_vec(),
        });
        let groups: Vec<Group> = groups.collect();
        self.groups.splice(first..=last, groups);
        self.near = (first, first_start);
        self.len = self.len - patch.at.len() + patch.new.len();
    }

    /// Returns the bytes of the current text that lie in `range`, part by part. Some parts may be
    /// empty.
    fn parts<'t>(
        &'t self,
        original: &'t str,
        range: Range<usize>,
    ) -> impl Iterator<Item = &'t [u8]> {
        let (first, mut at) = self.group_at(range.start);
        let groups = self.groups.get(first..).unwrap_or_default();
        groups.iter().flat_map(|group| &group.pieces).map_while(move |piece| {
            let (start, end) = (at, at + piece.len());
            at = end;
            let (from, to) = (range.start.max(start), range.end.min(end));
            match from < to {
                true => Some(&piece.bytes(original)[from - start..to - start]),
                false if start >= range.end => None,
                false => Some(&[][..]),
            }
        })
    }

    /// Returns the bytes of the current text that lie in `range`, borrowed if they are contiguous.
    pub fn bytes<'t>(&'t self, original: &'t str, range: Range<usize>) -> Cow<'t, [u8]> {
        let mut parts = self.parts(original, range).filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or_default();
        let Some(second) = parts.next() else { return Cow::Borrowed(first) };
        let mut all = [first, second].concat();
        parts.for_each(|part| all.extend_from_slice(part));
        Cow::Owned(all)
    }

    /// Returns the current text in `range`, which must start and end between characters.
    pub fn text<'t>(&'t self, original: &'t str, range: Range<usize>) -> Cow<'t, str> {
        match self.bytes(original, range) {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        }
    }

    /// Returns the bytes of the current text, part by part.
    pub fn chunks<'t>(&'t self, original: &'t str) -> impl Iterator<Item = &'t [u8]> {
        self.parts(original, 0..self.len)
    }

    /// Returns the patches that turn the text `original` into the current text.
    pub fn patches(&self, original: &str) -> Vec<Patch> {
        let (mut patches, mut at, mut new) = (Vec::new(), 0, String::new());
        let end = Piece::Kept(original.len()..original.len());
        let pieces = self.groups.iter().flat_map(|group| &group.pieces);
        for piece in pieces.chain([&end]) {
            match piece {
                Piece::New(text, range) => new.push_str(&text[range.clone()]),
                Piece::Kept(range) if range.is_empty() && range.end != original.len() => {}
                Piece::Kept(range) => {
                    let patch = Patch { at: at..range.start, new: std::mem::take(&mut new) };
                    if original[patch.at.clone()] != *patch.new {
                        patches.push(patch);
                    }
                    at = range.end;
                }
            }
        }
        patches
    }
}
