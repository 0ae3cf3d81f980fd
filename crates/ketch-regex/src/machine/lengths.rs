//! Finds the bytes that a match, or the rest of one, may start with.

use super::code::{Inst, Program};

/// A set of bytes.
pub(crate) type Bytes = [u64; 4];

/// Returns whether the set `bytes` contains `byte`.
pub(crate) fn contains(bytes: &Bytes, byte: u8) -> bool {
    bytes[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
}

/// The bytes that each set of characters of a program may start with.
pub(crate) struct FirstBytes<'p> {
    program: &'p Program,
    sets: Vec<Bytes>,
}

impl<'p> FirstBytes<'p> {
    pub(crate) fn new(program: &'p Program) -> FirstBytes<'p> {
        let sets = program.sets.iter().map(|set| set.first_bytes(program.binary)).collect();
        FirstBytes { program, sets }
    }

    /// Returns the bytes with which a match may start, or `None` if a match may be empty or its
    /// start is not known.
    pub(crate) fn of_match(&self) -> Option<Box<[bool; 256]>> {
        let bytes = self.from(0, usize::MAX, true)?;
        let mut table = Box::new([false; 256]);
        for byte in 0..=255 {
            table[usize::from(byte)] = contains(&bytes, byte);
        }
        Some(table)
    }

    /// Returns the bytes with which a path from `pc` may continue. Returns `None` if the path may
    /// continue without a byte, or if this cannot be determined from `instructions` instructions.
    /// `leave` says whether paths may leave atomic groups. Otherwise, a path that leaves one is not
    /// known to fail here, because it drops the other paths of the group before it fails.
    pub(crate) fn from(&self, pc: u32, instructions: usize, leave: bool) -> Option<Bytes> {
        let program = self.program;
        let mut bytes = [0; 4];
        let mut seen = Seen::new(instructions, program.code.len());
        let mut todo = vec![pc];
        while let Some(pc) = todo.pop() {
            if !seen.add(pc)? {
                continue;
            }
            match &program.code[pc as usize] {
                Inst::Byte(byte) => bytes[usize::from(*byte) / 64] |= 1 << (byte % 64),
                Inst::Set(set) | Inst::Peek { set, behind: false, negative: false } => {
                    let first = self.sets[*set as usize];
                    bytes.iter_mut().zip(first).for_each(|(word, first)| *word |= first);
                }
                Inst::Jump(target) | Inst::Call(target) => todo.push(*target),
                Inst::Split { first, second, .. } => todo.extend([*first, *second]),
                Inst::LookBegin(look) => todo.push(program.looks[*look as usize].after),
                Inst::LoopCheck(_, target, _) | Inst::IfSet(_, target) => {
                    todo.extend([pc + 1, *target]);
                }
                Inst::AtomicEnd if !leave => return None,
                Inst::Save(_)
                | Inst::Assert(..)
                | Inst::Peek { .. }
                | Inst::Keep
                | Inst::Level(_)
                | Inst::AtomicBegin
                | Inst::AtomicEnd
                | Inst::LoopBegin(_)
                | Inst::LoopSkip(_) => todo.push(pc + 1),
                Inst::Grapheme => bytes = [u64::MAX; 4],
                Inst::LookEnd(_)
                | Inst::Back(_)
                | Inst::Reference(_)
                | Inst::Return
                | Inst::Absence(..)
                | Inst::Match => return None,
            }
        }
        Some(bytes)
    }
}

/// The instructions that were visited, as a list if there may be only a few of them.
enum Seen {
    Few(Vec<u32>, usize),
    Many(Vec<bool>),
}

impl Seen {
    fn new(max: usize, length: usize) -> Seen {
        match max < length {
            true => Seen::Few(Vec::with_capacity(max), max),
            false => Seen::Many(vec![false; length]),
        }
    }

    /// Adds the instruction `pc`, and returns whether it is new. Returns `None` if there are too
    /// many.
    fn add(&mut self, pc: u32) -> Option<bool> {
        match self {
            Seen::Few(list, _) if list.contains(&pc) => Some(false),
            Seen::Few(list, max) if list.len() == *max => None,
            Seen::Few(list, _) => {
                list.push(pc);
                Some(true)
            }
            Seen::Many(seen) => Some(!std::mem::replace(&mut seen[pc as usize], true)),
        }
    }
}
