//! The text as the original with patches.

use std::ops::Range;

/// A change of the original text: the bytes at `at` become `new`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Where, in bytes of the text that the patch applies to.
    pub at: Range<usize>,
    /// What is there afterwards.
    pub new: String,
}

/// Applies patches, which are sorted and do not overlap.
///
/// ```
/// use ketch_yaml::edit::{Patch, apply_patches};
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

/// Patches that turn the result back into the original.
pub(super) fn inverse(original: &str, patches: &[Patch]) -> Vec<Patch> {
    let mut shift = 0isize;
    let back = patches.iter().map(|patch| {
        let start = patch.at.start.wrapping_add_signed(shift);
        shift += patch.new.len() as isize - patch.at.len() as isize;
        Patch { at: start..start + patch.new.len(), new: original[patch.at.clone()].to_owned() }
    });
    back.collect()
}

/// A part of the current text.
#[derive(Clone, Debug)]
enum Piece {
    Kept(Range<usize>),
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Kept(range) => range.len(),
            Piece::New(text) => text.len(),
        }
    }

    fn part(&self, range: Range<usize>) -> Piece {
        match self {
            Piece::Kept(kept) => Piece::Kept(kept.start + range.start..kept.start + range.end),
            Piece::New(text) => Piece::New(text[range].to_owned()),
        }
    }
}

/// What the current text is made of.
#[derive(Clone, Debug)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    pub fn new(len: usize) -> Pieces {
        Pieces(vec![Piece::Kept(0..len)])
    }

    /// Applies one patch to the current text.
    pub fn apply(&mut self, patch: &Patch) {
        let (mut before, mut after, mut at) = (Vec::new(), Vec::new(), 0);
        for piece in self.0.drain(..) {
            let (start, end) = (at, at + piece.len());
            at = end;
            if start < patch.at.start {
                before.push(piece.part(0..patch.at.start.min(end) - start));
            }
            if end > patch.at.end {
                after.push(piece.part(patch.at.end.max(start) - start..end - start));
            }
        }
        before.push(Piece::New(patch.new.clone()));
        before.append(&mut after);
        self.0 = before;
    }

    /// The patches on the original that make the current text.
    pub fn patches(&self, original: &str) -> Vec<Patch> {
        let (mut patches, mut at, mut new) = (Vec::new(), 0, String::new());
        let end = Piece::Kept(original.len()..original.len());
        for piece in self.0.iter().chain([&end]) {
            match piece {
                Piece::New(text) => new.push_str(text),
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
