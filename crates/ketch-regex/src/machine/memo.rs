//! A table of what is known about each branch at each position, in four bits each.

/// What is known about a cell, which is a branch at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Unknown,
    /// No match follows.
    Failed,
    /// The look-around that contains the branch holds.
    Holds,
    /// The look-around that contains the branch holds, and its captures have been found.
    Walked,
    /// The path leaves this many atomic groups, and then fails.
    Cut(u8),
}

impl Mark {
    #[inline]
    fn new(bits: u8) -> Mark {
        match bits {
            0 => Mark::Unknown,
            1 => Mark::Failed,
            2 => Mark::Holds,
            3 => Mark::Walked,
            n => Mark::Cut(n - 3),
        }
    }
}

/// The greatest number of groups in a cut that fits in four bits. Deeper cuts are not recorded.
const CUT_MAX: u8 = 12;

/// The maximum number of bytes of the table that are kept for the next search.
const KEPT_MAX: usize = 1 << 20;

/// The table. It is empty until a search has taken enough steps to justify its memory.
#[derive(Default)]
pub(crate) struct Memo {
    cells: Vec<u8>,
    column: usize,
    start: usize,
    walked: Vec<usize>,
}

impl Memo {
    /// Empties the table.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        if self.cells.capacity() > KEPT_MAX {
            self.cells = Vec::new();
        }
        self.walked.clear();
    }

    /// Returns whether the table is in use.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        !self.cells.is_empty()
    }

    /// Returns the size in bytes of a table for `positions` positions.
    pub(crate) fn size(column: u32, positions: usize) -> usize {
        (column as usize).saturating_mul(positions) / 2 + 1
    }

    /// Creates a table for `positions` positions from `start` on.
    pub(crate) fn activate(&mut self, column: u32, start: usize, positions: usize) {
        self.column = column as usize;
        self.start = start;
        let size = Memo::size(column, positions);
        if size > self.cells.capacity() {
            // The system zeroes this memory, so pages that are never used cost nothing.
            self.cells = vec![0; size];
        } else {
            self.cells.resize(size, 0);
        }
    }

    /// Returns the index of the cell of `slot` at the position `at`, or `None` before the start of
    /// the table, where only look-behind reads.
    #[inline]
    pub(crate) fn cell(&self, slot: u32, at: usize) -> Option<usize> {
        Some(at.checked_sub(self.start)? * self.column + slot as usize)
    }

    /// Returns what is known about a cell.
    #[inline]
    pub(crate) fn get(&self, cell: usize) -> Mark {
        Mark::new(self.cells.get(cell / 2).map_or(0, |byte| byte >> (cell % 2 * 4) & 15))
    }

    /// Returns what was known about a cell. If nothing was known, records that the cell failed.
    #[inline]
    pub(crate) fn claim(&mut self, cell: usize) -> Mark {
        let Some(byte) = self.cells.get_mut(cell / 2) else { return Mark::Unknown };
        let shift = cell % 2 * 4;
        match *byte >> shift & 15 {
            0 => {
                *byte |= 1 << shift;
                Mark::Unknown
            }
            mark => Mark::new(mark),
        }
    }

    /// Records what is known about a cell.
    pub(crate) fn set(&mut self, cell: usize, mark: Mark) {
        let value = match mark {
            Mark::Unknown => 0,
            Mark::Failed => 1,
            Mark::Holds => 2,
            Mark::Walked => 3,
            Mark::Cut(level) if level <= CUT_MAX => level + 3,
            Mark::Cut(_) => 0,
        };
        if mark == Mark::Walked {
            self.walked.push(cell);
        }
        if let Some(byte) = self.cells.get_mut(cell / 2) {
            *byte = *byte & !(15 << (cell % 2 * 4)) | value << (cell % 2 * 4);
        }
    }

    /// Removes the records of which captures were found, because the next match has other captures.
    pub(crate) fn forget_walked(&mut self) {
        for cell in std::mem::take(&mut self.walked) {
            self.set(cell, Mark::Holds);
        }
    }
}
