//! Changes the stack when a path fails, and when an atomic group or a look-around ends.

use super::code::{Inst, SECOND};
use super::frame::{CUT_MAX, Frame, Packed};
use super::memo::Mark;
use super::search::{Next, Search};

impl Search<'_, '_> {
    /// Removes the top frame and returns it.
    pub(super) fn pop(&mut self) -> Option<Frame> {
        self.cache.stack.pop().map(Frame::from)
    }

    /// Undoes frames up to one that has another path to try, and returns where that path starts, or
    /// `None` if there is no such frame.
    #[inline(never)]
    pub(super) fn backtrack(&mut self) -> Next {
        while let Some(frame) = self.pop() {
            match frame {
                Frame::Alternative(pc, at) => {
                    let Inst::Split { second, branch, .. } = self.program.code[pc as usize] else {
                        continue;
                    };
                    let branch = &self.program.branches[branch as usize];
                    if branch.recorded && (branch.scoped || self.shared) {
                        self.push(Frame::Last(pc, at));
                    }
                    let byte = self.text.bytes.get(at as usize).copied();
                    return Some(branch.enter(second, SECOND, byte, at));
                }
                Frame::Last(pc, at) => self.mark(pc, at, Mark::Failed),
                Frame::Cut(level, pc, at) => self.mark(pc, at, Mark::Cut(level)),
                Frame::Look(look, at) => {
                    let look = &self.program.looks[look as usize];
                    if look.negative {
                        return Some((look.after, at));
                    }
                }
                Frame::Slot(slot, old) => self.cache.slots[slot as usize] = old,
                Frame::Register(register, old) => self.cache.registers[register as usize] = old,
                Frame::AbsenceAt(pc, at) => return self.shorter_absence(pc, at as usize),
                frame => self.undo(frame),
            }
        }
        None
    }

    /// Tries the next shorter end of an absence operator.
    fn shorter_absence(&mut self, pc: u32, at: usize) -> Next {
        let stack = &self.cache.stack;
        let frames = [2, 1].map(|below| stack.len().checked_sub(below).map(|at| stack[at].into()));
        if let [Some(Frame::AbsenceLow(_, low)), Some(Frame::AbsenceHigh(_, high))] = frames
            && let Inst::Absence(_, ends) = self.program.code[pc as usize]
        {
            let end = (at > low as usize).then(|| self.text.previous_boundary(at));
            return self.absence_end(pc, ends, (low as usize, high as usize), end);
        }
        self.backtrack()
    }

    /// Restores the state that a frame recorded.
    pub(super) fn undo(&mut self, frame: Frame) {
        match frame {
            Frame::Slot(slot, old) => self.cache.slots[slot as usize] = old,
            Frame::Register(register, old) => self.cache.registers[register as usize] = old,
            Frame::Keep(old) => self.keep = old,
            Frame::Trace(length) => self.cache.trace.truncate(length as usize),
            Frame::Call(old) => {
                self.cache.calls.truncate(self.call as usize);
                self.call = old;
            }
            Frame::Return(old) => self.call = old,
            _ => {}
        }
    }

    /// Records `mark` for the `Split` at `pc` and the position `at`. The registers must be those
    /// with which it was reached.
    pub(super) fn mark(&mut self, pc: u32, at: u32, mark: Mark) {
        if !self.cache.memo.is_active() {
            return;
        }
        let Inst::Split { branch, .. } = self.program.code[pc as usize] else { return };
        let branch = &self.program.branches[branch as usize];
        if branch.recorded
            && let Some(cell) = self.cell(branch, at as usize)
        {
            self.cache.memo.set(cell, mark);
        }
    }

    /// Records the branches of the current path in a new table. Their second alternatives will all
    /// be tried before another path gets there.
    pub(super) fn claim_path(&mut self) {
        let (registers, slots) = (self.cache.registers.clone(), self.cache.slots.clone());
        for index in (0..self.cache.stack.len()).rev() {
            match self.cache.stack[index].into() {
                frame @ (Frame::Slot(..) | Frame::Register(..)) => self.undo(frame),
                Frame::Alternative(pc, at) => {
                    let Inst::Split { branch, .. } = self.program.code[pc as usize] else {
                        continue;
                    };
                    if !self.shared && !self.program.branches[branch as usize].scoped {
                        self.mark(pc, at, Mark::Failed);
                    }
                }
                _ => {}
            }
        }
        (self.cache.registers, self.cache.slots) = (registers, slots);
    }

    /// Ends the innermost atomic group. Drops its other paths, and keeps the branches of this path,
    /// which are marked if what follows fails.
    #[inline(never)]
    pub(super) fn end_atomic(&mut self) {
        let open = self.cache.stack.iter().rposition(|frame| Frame::from(*frame) == Frame::Atomic);
        let Some(open) = open else { return };
        // Marks are made only in the table.
        let memo = self.program.memo && self.cache.memo.is_active();
        let mut kept = open;
        for index in open + 1..self.cache.stack.len() {
            let frame = match self.cache.stack[index].into() {
                Frame::Alternative(pc, at) | Frame::Last(pc, at) if memo => Frame::Cut(1, pc, at),
                Frame::Cut(level, pc, at) if memo => Frame::Cut((level + 1).min(CUT_MAX), pc, at),
                Frame::Alternative(..) | Frame::Last(..) | Frame::Cut(..) => continue,
                Frame::AbsenceLow(..) | Frame::AbsenceHigh(..) | Frame::AbsenceAt(..) => continue,
                frame => frame,
            };
            self.cache.stack[kept] = Packed::from(frame);
            kept += 1;
        }
        self.cache.stack.truncate(kept);
    }

    /// Fails as a previous path did, which reached this branch, left `level` atomic groups, and
    /// then failed.
    #[inline(never)]
    pub(super) fn cut(&mut self, mut level: u8) -> Next {
        while level > 0
            && let Some(frame) = self.pop()
        {
            match frame {
                Frame::Alternative(pc, at) | Frame::Last(pc, at) => {
                    self.mark(pc, at, Mark::Cut(level));
                }
                Frame::Cut(inner, pc, at) => {
                    self.mark(pc, at, Mark::Cut(inner.saturating_add(level)));
                }
                Frame::Atomic => level -= 1,
                frame => self.undo(frame),
            }
        }
        self.backtrack()
    }

    /// Ends the innermost look-around, whose body has matched or, if `known` is set, is known to
    /// match.
    #[inline(never)]
    pub(super) fn look_holds(&mut self, known: bool) -> Next {
        self.cache.kept.clear();
        let (look, at) = loop {
            match self.pop()? {
                Frame::Alternative(pc, at) | Frame::Last(pc, at) | Frame::Cut(_, pc, at) => {
                    self.mark(pc, at, Mark::Holds);
                }
                Frame::Look(look, at) => break (look, at),
                frame @ Frame::Register(..) => self.undo(frame),
                frame @ (Frame::Slot(..)
                | Frame::Keep(_)
                | Frame::Shortcut(..)
                | Frame::Trace(_)) => {
                    self.cache.kept.push(frame.into());
                }
                frame @ (Frame::Call(_) | Frame::Return(_)) => self.undo(frame),
                _ => {}
            }
        };
        let shape = &self.program.looks[look as usize];
        let kept = std::mem::take(&mut self.cache.kept);
        if shape.negative {
            for frame in &kept {
                self.undo((*frame).into());
            }
            self.cache.kept = kept;
            return self.backtrack();
        }
        self.cache.stack.extend(kept.iter().rev());
        self.cache.kept = kept;
        if known && shape.captures {
            self.push(Frame::Shortcut(look, at));
            self.shortcuts = true;
        }
        Some((shape.after, at))
    }
}
