//! Finds the captures of look-arounds that were known to hold, and so were not matched again. Their bodies
//! are now followed, at most once per branch and position.

use super::code::{Inst, NONE};
use super::frame::Frame;
use super::memo::Mark;
use super::search::Search;
use crate::problem::Problem;

impl Search<'_, '_> {
    /// Finds the captures by going through the path from its end. The last value of a capture
    /// counts, so the walk through a body can stop at a branch that was already followed, which is
    /// later in the path.
    pub(super) fn take_captures(&mut self) -> Result<(), Problem> {
        let mut found: Vec<Option<u32>> = vec![None; self.cache.slots.len()];
        let mut keep = None;
        let mut work = std::mem::take(&mut self.cache.stack);
        while let Some(frame) = work.pop() {
            match frame.into() {
                Frame::Slot(slot, old) => {
                    let value = std::mem::replace(&mut self.cache.slots[slot as usize], old);
                    found[slot as usize].get_or_insert(value);
                }
                Frame::Keep(old) => {
                    keep.get_or_insert(self.keep);
                    self.keep = old;
                }
                Frame::Shortcut(look, at) => {
                    self.follow(look, at)?;
                    work.append(&mut self.cache.stack);
                }
                _ => {}
            }
        }
        self.cache.stack = work;
        for (slot, value) in self.cache.slots.iter_mut().zip(found) {
            *slot = value.unwrap_or(NONE);
        }
        self.keep = keep.unwrap_or(NONE);
        self.cache.memo.forget_walked();
        Ok(())
    }

    /// Follows the body of the look-around `look` at the position `at`, and leaves its frames on the
    /// stack.
    fn follow(&mut self, look: u32, at: u32) -> Result<(), Problem> {
        self.cache.stack.clear();
        self.push(Frame::Look(look, at));
        self.replay = look;
        let body = self.program.looks[look as usize].body;
        let followed = self.run(body, at as usize);
        self.replay = NONE;
        followed?;
        // This goes backwards from the last frame, because undoing later changes restores the registers
        // with which each branch was reached.
        for index in (0..self.cache.stack.len()).rev() {
            match self.cache.stack[index].into() {
                frame @ Frame::Register(..) => self.undo(frame),
                Frame::Alternative(pc, at) | Frame::Last(pc, at) | Frame::Cut(_, pc, at) => {
                    if let Inst::Split { branch, .. } = self.program.code[pc as usize]
                        && self.program.branches[branch as usize].look == look
                    {
                        self.mark(pc, at, Mark::Walked);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
