//! The program of the memo machine.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::nfa::thompson::NFA;
use regex_syntax::hir::ClassUnicode;

use crate::syntax::Assertion;

/// The target of a jump, which is a label while the program is being built, and an index
/// afterwards.
pub(crate) type Target = u32;

/// The value for no look-around or table, and for a slot or register that is not set.
pub(crate) const NONE: u32 = u32::MAX;

/// One instruction. Unless stated otherwise, matching continues with the next one.
#[derive(Clone, Debug)]
pub(crate) enum Inst {
    /// Matches one byte.
    Byte(u8),
    /// Matches one character of a set.
    Set(u32),
    Jump(Target),
    /// Tries `first`, then `second`.
    Split {
        first: Target,
        second: Target,
        branch: u32,
    },
    Save(u32),
    Assert(Assertion, bool),
    /// For a look-around of one character, looks at the next character or, if `behind` is set, at
    /// the previous one.
    Peek {
        set: u32,
        behind: bool,
        negative: bool,
    },
    /// `\K`
    Keep,
    LookBegin(u32),
    LookEnd(u32),
    /// Goes back by this number of characters.
    Back(u32),
    AtomicBegin,
    AtomicEnd,
    /// Starts an iteration of a loop that may match nothing.
    LoopBegin(u32),
    /// Starts an iteration of such a loop after which `LoopCheck` does nothing.
    LoopSkip(u32),
    /// Leaves the loop after an iteration that matched nothing, unless the iteration has set
    /// groups. The last field says whether groups count.
    LoopCheck(u32, Target, bool),
    /// Continues if the group is set; otherwise, jumps.
    IfSet(u32, Target),
    Reference(u32),
    Call(Target),
    Return,
    /// For levels, records that a group that is also called starts or ends where it is written.
    Level(Event),
    /// `(?~x)`: the index of x in [`Program::absences`], and the index of what is known about the
    /// ends at this instruction, or [`NONE`] if what follows does not only depend on the position
    /// and the tested groups.
    Absence(u32, u32),
    /// `\X`
    Grapheme,
    Match,
}

/// An event in the order in which events occurred: a call, a return, or the start or end of a
/// capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    Call,
    Return,
    Start(u32, u32),
    End(u32, u32),
}

/// The flags of the two alternatives of a branch in [`Program::tables`].
pub(crate) const FIRST: u8 = 1;
pub(crate) const SECOND: u8 = 2;

/// A point where the paths of a match diverge. The memo records what is known about these points.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// Whether the table records it.
    pub(crate) recorded: bool,
    /// The index of its first slot in the column of a position, if it is recorded.
    pub(crate) slot: u32,
    /// Its table in [`Program::tables`], or [`NONE`] if the next byte rules nothing out.
    pub(crate) table: u32,
    /// The flags of the alternatives that start with an instruction for one character. Such an
    /// instruction matches every ASCII character that the table does not rule out.
    pub(crate) direct: u8,
    /// The flag of the alternative that is such an instruction and then returns to this branch, or
    /// 0.
    pub(crate) runs: u8,
    /// Whether there is such a loop, and an atomic group ends after it.
    pub(crate) ends_atomic: bool,
    /// The registers of the loops around it that are in the same look-around.
    pub(crate) loops: Range<u32>,
    /// Whether it is in a look-around or an atomic group, so that its result is only known later.
    pub(crate) scoped: bool,
    /// The look-around around it, or [`NONE`].
    pub(crate) look: u32,
}

impl Branch {
    /// Returns the instruction and the position at which the alternative at `pc` continues if the
    /// next byte does not rule it out. An instruction that matches the byte for certain is skipped.
    #[inline(always)]
    pub(crate) fn enter(&self, pc: u32, flag: u8, byte: Option<u8>, at: u32) -> (u32, u32) {
        let direct = self.direct & flag != 0 && byte.is_some_and(|byte| byte.is_ascii());
        (pc + u32::from(direct), at + u32::from(direct))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) negative: bool,
    /// The instruction at which its body starts.
    pub(crate) body: Target,
    /// The instruction at which matching continues after it.
    pub(crate) after: Target,
    /// Whether its body captures, or moves the start of the match.
    pub(crate) captures: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct BackReference {
    /// The groups, in the order in which to try them.
    pub(crate) groups: Vec<u32>,
    pub(crate) level: Option<i32>,
    pub(crate) ignore_case: bool,
}

/// A pattern that must be absent.
#[derive(Debug)]
pub(crate) enum Absent {
    /// A regular pattern. Its shortest match at each position counts.
    Regular(NFA),
    /// Any other pattern. Its first match at each position counts.
    Irregular(Box<Program>),
}

impl Absent {
    /// Returns how many absence operators that are not regular are inside each other, including this
    /// one.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Absent::Regular(_) => 0,
            Absent::Irregular(program) => program.depth + 1,
        }
    }
}

/// A set of characters, which are bytes in a binary pattern.
#[derive(Clone, Debug)]
pub(crate) struct CharSet {
    low: [u64; 4],
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    /// Converts a set of characters.
    pub(crate) fn new(set: &ClassUnicode) -> CharSet {
        let ranges: Vec<(u32, u32)> = set
            .ranges()
            .iter()
            .map(|range| (u32::from(range.start()), u32::from(range.end())))
            .collect();
        let mut low = [0; 4];
        for &(first, last) in &ranges {
            for code in first..=last.min(255) {
                low[code as usize / 64] |= 1 << (code % 64);
            }
        }
        CharSet { low, ranges }
    }

    /// Returns whether the set contains the character `code`.
    pub(crate) fn contains(&self, code: u32) -> bool {
        if code < 256 {
            return self.low[code as usize / 64] >> (code % 64) & 1 == 1;
        }
        let at = self.ranges.partition_point(|range| range.1 < code);
        self.ranges.get(at).is_some_and(|range| range.0 <= code)
    }

    /// Returns the bytes with which a character of the set may start.
    pub(crate) fn first_bytes(&self, binary: bool) -> [u64; 4] {
        let mut bytes = [0; 4];
        for &(first, last) in &self.ranges {
            let [first, last] = [first, last].map(|code| match char::from_u32(code) {
                Some(char) if !binary => char.encode_utf8(&mut [0; 4]).as_bytes()[0],
                _ => code as u8,
            });
            for byte in first..=last {
                bytes[usize::from(byte) / 64] |= 1 << (byte % 64);
            }
        }
        bytes
    }
}

impl Program {
    /// Returns the size in bytes of a table for `positions` positions.
    pub(crate) fn table_bytes(&self, positions: usize) -> usize {
        (self.column as usize).saturating_mul(positions) / 2 + 1
    }

    /// Returns the flags of the alternatives of `branch` that the next byte does not rule out.
    #[inline]
    pub(crate) fn possible(&self, branch: &Branch, byte: Option<u8>) -> u8 {
        let Some(table) = self.tables.get(branch.table as usize) else { return FIRST | SECOND };
        table[byte.map_or(256, usize::from)]
    }

    /// Makes this an ordinary backtracking program, which tries every path.
    pub(crate) fn forget(&mut self) {
        (self.memo, self.plain_groups) = (false, false);
        for branch in &mut self.branches {
            (branch.recorded, branch.table) = (false, NONE);
            (branch.direct, branch.runs) = (0, 0);
        }
    }
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) code: Vec<Inst>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) looks: Vec<Look>,
    pub(crate) sets: Vec<CharSet>,
    pub(crate) references: Vec<BackReference>,
    /// The patterns that must be absent.
    pub(crate) absences: Vec<Arc<Absent>>,
    /// The number of instructions for absence operators that record which ends fail.
    pub(crate) ends: u32,
    /// The greatest number of irregular absence operators inside each other.
    pub(crate) depth: usize,
    /// The number of slots in the column of a position.
    pub(crate) column: u32,
    pub(crate) registers: u32,
    /// The number of groups of the whole pattern.
    pub(crate) groups: u32,
    /// The first of the registers that contain the starts of open groups, in programs with
    /// recursion.
    pub(crate) open_groups: Option<u32>,
    /// The groups that conditionals test. Whether they are set is part of the key of the memo.
    pub(crate) tested: Vec<u32>,
    /// Whether nothing in the pattern depends on the groups that are set.
    pub(crate) plain_groups: bool,
    /// Whether the memo may be used. It may be used if what follows a branch depends only on its
    /// key.
    pub(crate) memo: bool,
    /// Whether a back-reference has a level.
    pub(crate) levels: bool,
    /// The tables. Each has the flags of the alternatives that are possible before each byte, and
    /// at the end of the text.
    pub(crate) tables: Vec<[u8; 257]>,
    /// The bytes that a match may start with, if it cannot be empty.
    pub(crate) first: Option<Box<[bool; 256]>>,
    pub(crate) binary: bool,
}
