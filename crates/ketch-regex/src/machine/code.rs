//! The program of the memo machine.

use std::ops::Range;

use regex_automata::nfa::thompson::NFA;
use regex_syntax::hir::ClassUnicode;

use crate::syntax::Assertion;

/// The target of a jump, which is a label while the program is being built, and an index
/// afterwards.
pub(crate) type Target = u32;

/// The value for no look-around, and of a slot or register that is not set.
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
    /// Starts an iteration of such a loop in which `LoopCheck` does nothing.
    LoopSkip(u32),
    /// Leaves the loop after an iteration that matched nothing.
    LoopCheck(u32, Target),
    /// Continues if the group is set, and otherwise jumps.
    IfSet(u32, Target),
    Reference(u32),
    Call(Target),
    Return,
    /// Records that a group that is also called starts or ends where it is written, for levels.
    Level(Event),
    /// `(?~x)`, and whether what follows depends only on the position.
    Absence(u32, bool),
    /// `\X`
    Grapheme,
    Match,
}

/// A call, a return, or an end of a capture, in the order in which they occurred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    Call,
    Return,
    Start(u32, u32),
    End(u32, u32),
}

/// A point where the paths of a match diverge. The memo records what is known about these points.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// Its first slot in the column of a position.
    pub(crate) slot: u32,
    /// The registers of the loops around it, in its look-around.
    pub(crate) loops: Range<u32>,
    /// Whether it is in a look-around or an atomic group, so that its result is only known later.
    pub(crate) scoped: bool,
    /// The look-around around it, or [`NONE`].
    pub(crate) look: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) negative: bool,
    /// Where its body starts.
    pub(crate) body: Target,
    /// Where matching continues.
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
    /// A regular pattern, whose shortest match at each position counts.
    Regular(NFA),
    /// Any other pattern, whose first match at each position counts.
    Irregular(Box<Program>),
}

/// A set of characters, or bytes.
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

    /// Returns whether the set contains this character.
    pub(crate) fn contains(&self, code: u32) -> bool {
        if code < 256 {
            return self.low[code as usize / 64] >> (code % 64) & 1 == 1;
        }
        let at = self.ranges.partition_point(|range| range.1 < code);
        self.ranges.get(at).is_some_and(|range| range.0 <= code)
    }

    /// Adds the bytes that the characters of the set may start with.
    pub(crate) fn first_bytes(&self, binary: bool, bytes: &mut [bool; 256]) {
        for &(first, last) in &self.ranges {
            let [first, last] = [first, last].map(|code| match char::from_u32(code) {
                Some(char) if !binary => char.encode_utf8(&mut [0; 4]).as_bytes()[0],
                _ => code as u8,
            });
            bytes[usize::from(first)..=usize::from(last)].fill(true);
        }
    }
}

impl Program {
    /// Returns the size of a table in bytes.
    pub(crate) fn table_bytes(&self, positions: usize) -> usize {
        (self.column as usize).saturating_mul(positions) / 2 + 1
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
    pub(crate) absences: Vec<Absent>,
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
    /// Whether the memo may be used. It may if what follows a branch depends only on its key.
    pub(crate) memo: bool,
    /// Whether a back-reference has a level.
    pub(crate) levels: bool,
    /// The bytes that a match may start with, if it cannot be empty.
    pub(crate) first: Option<Box<[bool; 256]>>,
    pub(crate) binary: bool,
}
