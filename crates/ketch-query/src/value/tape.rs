//! A JSON text as a row of cells, one per value and key, in the order of the text.
//!
//! | value | cells |
//! |---|---|
//! | scalar, key | kind, length and offset of its text, without quotes; a long one has its length in a second cell |
//! | array, object | kind and the number of entries; the number of all its cells, these two included |

/// What a cell describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    Null,
    False,
    True,
    /// A number, or a word that stands for one, such as `nan`.
    Number,
    /// A text without escapes.
    Text,
    /// A text with escapes.
    Escaped,
    Array,
    Object,
}

/// The kinds by their numbers.
const KINDS: [CellKind; 8] = [
    CellKind::Null,
    CellKind::False,
    CellKind::True,
    CellKind::Number,
    CellKind::Text,
    CellKind::Escaped,
    CellKind::Array,
    CellKind::Object,
];
const KIND_SHIFT: u32 = 60;
/// The bits of the number of entries of a collection.
const COUNT_MASK: u64 = (1 << KIND_SHIFT) - 1;
const OFFSET_BITS: u32 = 40;
const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;
const LENGTH_MASK: u64 = (1 << (KIND_SHIFT - OFFSET_BITS)) - 1;
/// The length that says that the next cell has it.
const LONG: u64 = LENGTH_MASK;

/// The cells of a text.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    cells: Vec<u64>,
}

impl Tape {
    /// Returns the kind of the cell `at`.
    #[inline]
    pub fn kind(&self, at: usize) -> CellKind {
        KINDS[(self.cells[at] >> KIND_SHIFT) as usize & 7]
    }

    /// Returns the cell after the value at `at`.
    #[inline]
    pub fn after(&self, at: usize) -> usize {
        let cell = self.cells[at];
        if cell >> KIND_SHIFT >= CellKind::Array as u64 {
            return at + self.cells[at + 1] as usize;
        }
        at + 1 + usize::from(cell >> OFFSET_BITS & LENGTH_MASK == LONG)
    }

    /// Returns where the text of a scalar is.
    #[inline]
    pub fn range(&self, at: usize) -> std::ops::Range<usize> {
        let cell = self.cells[at];
        let start = (cell & OFFSET_MASK) as usize;
        start..start + self.length(at)
    }

    /// Returns the number of bytes of the text of a scalar.
    #[inline]
    pub fn length(&self, at: usize) -> usize {
        match self.cells[at] >> OFFSET_BITS & LENGTH_MASK {
            LONG => self.cells[at + 1] as usize,
            length => length as usize,
        }
    }

    /// Returns the number of entries of a collection.
    #[inline]
    pub fn count(&self, at: usize) -> usize {
        (self.cells[at] & COUNT_MASK) as usize
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Removes all cells.
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    /// Appends a scalar whose text is at `start`.
    #[inline]
    pub fn scalar(&mut self, kind: CellKind, start: usize, length: usize) {
        let cell = (kind as u64) << KIND_SHIFT | start as u64 & OFFSET_MASK;
        if (length as u64) < LONG {
            self.cells.push(cell | (length as u64) << OFFSET_BITS);
        } else {
            self.cells.extend([cell | LONG << OFFSET_BITS, length as u64]);
        }
    }

    /// Appends the start of a collection, and returns its cell.
    #[inline]
    pub fn open(&mut self, kind: CellKind) -> usize {
        self.cells.extend([(kind as u64) << KIND_SHIFT, 0]);
        self.cells.len() - 2
    }

    /// Counts an entry of the collection at `at`.
    #[inline]
    pub fn add_entry(&mut self, at: usize) {
        self.cells[at] += 1;
    }

    /// Ends the collection at `at`.
    #[inline]
    pub fn close(&mut self, at: usize) {
        self.cells[at + 1] = (self.cells.len() - at) as u64;
    }

    /// Replaces the entries of the object at `at`, which is the last value, by the cells at `pairs`.
    pub fn replace_entries(&mut self, at: usize, pairs: &[[std::ops::Range<usize>; 2]]) {
        let cells: Vec<u64> =
            pairs.iter().flatten().flat_map(|cells| &self.cells[cells.clone()]).copied().collect();
        self.cells.truncate(at);
        self.cells.extend([(CellKind::Object as u64) << KIND_SHIFT | pairs.len() as u64, 0]);
        self.cells.extend(cells);
        self.close(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_what_was_appended() {
        let mut tape = Tape::default();
        let array = tape.open(CellKind::Array);
        tape.scalar(CellKind::Text, 7, 3);
        tape.scalar(CellKind::Escaped, 1 << 35, (1 << 20) - 1);
        let inner = tape.open(CellKind::Object);
        tape.close(inner);
        (0..3).for_each(|_| tape.add_entry(array));
        tape.close(array);
        assert_eq!((tape.kind(0), tape.count(0), tape.after(0)), (CellKind::Array, 3, 7));
        assert_eq!((tape.kind(2), tape.range(2), tape.after(2)), (CellKind::Text, 7..10, 3));
        let long = (1 << 35)..(1 << 35) + (1 << 20) - 1;
        assert_eq!((tape.kind(3), tape.range(3), tape.after(3)), (CellKind::Escaped, long, 5));
        assert_eq!((tape.kind(5), tape.count(5), tape.after(5)), (CellKind::Object, 0, 7));
    }
}
