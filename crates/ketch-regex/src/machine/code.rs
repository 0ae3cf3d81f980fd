//! The program of the memo machine.

use std::ops::Range;

use regex_automata::nfa::thompson::NFA;
use regex_syntax::hir::ClassUnicode;

use crate::syntax::Assertion;

/// The target of a jump: a label while the program is being built, an index afterwards.
pub(crate) type Target = u32;

/// No look-around; a slot or register that is not set.
pub(crate) const NONE: u32 = u32::MAX;

/// One instruction. Unless stated otherwise, the next one follows.
#[derive(Clone, Debug)]
pub(crate) enum Inst {
    /// One byte.
    Byte(u8),
    /// One character of a set.
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
    /// Goes back by characters.
    Back(u32),
    AtomicBegin,
    AtomicEnd,
    /// An iteration of a loop that may match nothing starts.
    LoopBegin(u32),
    /// Leaves the loop after an iteration that matched nothing.
    LoopCheck(u32, Target),
    /// Goes on if the group is set, else jumps.
    IfSet(u32, Target),
    Reference(u32),
    Call(Target),
    Return,
    /// Records that a group that is also called starts or ends where it is written, for levels.
    Level(Event),
    /// `(?~x)`, and whether what follows depends on the position only.
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

/// A place where the paths of a match separate. The memo records what is known about these.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// Its first slot in a position's column.
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
    /// Where matching goes on.
    pub(crate) after: Target,
    /// Whether its body captures, or moves the start.
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
    /// A regular pattern: its shortest match at each position counts.
    Regular(NFA),
    /// Any other pattern: its first match at each position counts.
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

    /// Returns whether the set has this character.
    pub(crate) fn contains(&self, code: u32) -> bool {
        if code < 256 {
            return self.low[code as usize / 64] >> (code % 64) & 1 == 1;
        }
        let at = self.ranges.partition_point(|range| range.1 < code);
        self.ranges.get(at).is_some_and(|range| range.0 <= code)
    }

    /// The bytes that its characters may start with.
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
    /// Returns the bytes of a table.
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
    /// The slots of one position's column.
    pub(crate) column: u32,
    pub(crate) registers: u32,
    /// The number of groups of the whole pattern.
    pub(crate) groups: u32,
    /// The first of the registers that hold the starts of open groups, in programs with calls.
    pub(crate) open_groups: Option<u32>,
    /// The groups that conditionals test: their bits are part of the memo's key.
    pub(crate) tested: Vec<u32>,
    /// Whether the memo may be used. It may if what follows a branch depends only on its key.
    pub(crate) memo: bool,
    /// Whether some reference has a level.
    pub(crate) levels: bool,
    /// The bytes that a match may start with, if it cannot be empty.
    pub(crate) first: Option<Box<[bool; 256]>>,
    pub(crate) binary: bool,
}
