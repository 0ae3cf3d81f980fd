//! The instructions that are not in the inner loop of the machine.

use super::code::{Event, Inst, NONE};
use super::frame::Frame;
use super::search::{Next, Search};
use super::{grapheme, reference};
use crate::problem::Problem;
use crate::syntax::Assertion;
use crate::text::{is_word_after, is_word_before};

/// What an iteration of a loop has changed although it consumed no character.
enum Progress {
    None,
    /// A group was set that was not set before, or is not empty.
    New,
    /// A group is empty, but at another position.
    Moved,
}

impl Search<'_, '_> {
    /// Carries out the instruction at `pc`, and returns where matching continues.
    #[inline(never)]
    pub(super) fn instruction(&mut self, pc: u32, at: usize) -> Next {
        let next = Some((pc + 1, at as u32));
        match self.program.code[pc as usize] {
            Inst::Save(slot) => self.save(slot, at),
            Inst::Keep => {
                self.push(Frame::Keep(self.keep));
                self.keep = at as u32;
            }
            Inst::Back(n) => return self.back(pc, n, at),
            Inst::LoopSkip(register) => self.set_register(register, NONE),
            Inst::LoopCheck(register, exit, groups) => {
                let empty = self.cache.registers[register as usize] == at as u32;
                match empty
                    .then(|| if groups { self.progress(register, at) } else { Progress::None })
                {
                    None | Some(Progress::New) => {}
                    Some(Progress::None) => return Some((exit, at as u32)),
                    Some(Progress::Moved) => return self.backtrack(),
                }
            }
            Inst::Level(event) => self.trace(event),
            Inst::IfSet(group, no) => {
                let set = self.cache.slots[2 * group as usize + 1] != NONE;
                return if set { next } else { Some((no, at as u32)) };
            }
            Inst::Call(target) => {
                self.call(pc);
                return Some((target, at as u32));
            }
            Inst::Return => return Some((self.return_from_call(), at as u32)),
            Inst::Grapheme => {
                return match grapheme::length(self.text, at) {
                    Some(length) => Some((pc + 1, (at + length) as u32)),
                    None => self.backtrack(),
                };
            }
            _ => {}
        }
        next
    }

    /// Carries out the instruction at `pc`, which may take more than one step.
    #[inline(never)]
    pub(super) fn long_instruction(&mut self, pc: u32, at: usize) -> Result<Next, Problem> {
        match self.program.code[pc as usize] {
            Inst::Reference(index) => self.reference(pc, index, at),
            Inst::Absence(index, ends) => self.absence(pc, index, ends, at),
            _ => Ok(self.instruction(pc, at)),
        }
    }

    /// Saves the start or end of a group, in a pattern in which something depends on groups.
    fn save(&mut self, slot: u32, at: usize) {
        let group = slot / 2;
        if self.program.levels {
            let at = at as u32;
            self.trace(if slot.is_multiple_of(2) {
                Event::Start(group, at)
            } else {
                Event::End(group, at)
            });
        }
        if let Some(first) = self.program.open_groups {
            // A call of the group may have started it again in the meantime.
            if slot.is_multiple_of(2) {
                self.set_register(first + group, at as u32);
            } else {
                let start = self.cache.registers[(first + group) as usize];
                // `progress` would read another frame of the slot as the start of another capture.
                if self.cache.slots[slot as usize - 1] != start {
                    self.set_slot(slot - 1, start);
                }
            }
        }
        self.set_slot(slot, at as u32);
        if slot.is_multiple_of(2) {
            // References and conditionals find no value for a group that is open.
            self.set_slot(slot + 1, NONE);
        }
    }

    /// Records an event for references with levels.
    fn trace(&mut self, event: Event) {
        self.push(Frame::Trace(self.cache.trace.len() as u32));
        self.cache.trace.push(event);
    }

    /// Calls a group. The call returns to the instruction after `pc`.
    fn call(&mut self, pc: u32) {
        if self.program.levels {
            self.trace(Event::Call);
        }
        self.push(Frame::Call(self.call));
        let call = self.cache.calls.len() as u32;
        self.cache.calls.extend([pc + 1, self.call]);
        self.cache.calls.extend_from_slice(&self.cache.registers);
        self.call = call;
    }

    /// Ends the innermost call, and returns the instruction at which matching continues.
    fn return_from_call(&mut self) -> u32 {
        if self.program.levels {
            self.trace(Event::Return);
        }
        self.push(Frame::Return(self.call));
        let at = self.call as usize;
        let target = self.cache.calls[at];
        self.call = self.cache.calls[at + 1];
        for register in 0..self.cache.registers.len() {
            let old = self.cache.calls[at + 2 + register];
            if self.cache.registers[register] != old {
                self.set_register(register as u32, old);
            }
        }
        target
    }

    /// Returns what an iteration that consumed no character has changed. In patterns with
    /// back-references, Ruby repeats an iteration that sets a group for the first time, so that
    /// `(?:()|())*\2` matches.
    fn progress(&mut self, register: u32, at: usize) -> Progress {
        let began = self.cache.stack.iter().rposition(
            |frame| matches!((*frame).into(), Frame::Register(changed, _) if changed == register),
        );
        let began = began.unwrap_or(0);
        self.add_steps((self.cache.stack.len() - began) as u64);
        let mut found = Progress::None;
        let frames = &self.cache.stack[began..];
        for (index, frame) in frames.iter().enumerate() {
            let Frame::Slot(slot, start) = (*frame).into() else { continue };
            if !slot.is_multiple_of(2) {
                continue;
            }
            let end = frames[index..].iter().find_map(|frame| match (*frame).into() {
                Frame::Slot(other, end) if other == slot + 1 => Some(end),
                _ => None,
            });
            let end = end.unwrap_or(self.cache.slots[slot as usize + 1]);
            if end == NONE || start != end {
                return Progress::New;
            }
            if end != at as u32 {
                found = Progress::Moved;
            }
        }
        found
    }

    /// Goes back by `n` characters, or fails if there are not as many.
    fn back(&mut self, pc: u32, n: u32, at: usize) -> Next {
        let mut start = at;
        for _ in 0..n {
            if start == 0 {
                return self.backtrack();
            }
            start = self.text.previous_boundary(start);
        }
        Some((pc + 1, start as u32))
    }

    /// Returns whether an assertion holds, by Ruby's rules.
    #[inline]
    pub(super) fn holds(&self, assertion: Assertion, ascii: bool, at: usize) -> bool {
        let bytes = self.whole.bytes;
        let end = bytes.len();
        let is_word = |at: Option<usize>| {
            at.and_then(|at| bytes.get(at))
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let boundary = || match ascii {
            true => is_word(at.checked_sub(1)) != is_word(Some(at)),
            false => is_word_before(bytes, at) != is_word_after(bytes, at),
        };
        match assertion {
            Assertion::LineStart => at == 0 || (at < end && bytes[at - 1] == b'\n'),
            Assertion::LineEnd => at == end || bytes[at] == b'\n',
            Assertion::TextStart => at == 0,
            Assertion::TextEnd => at == end,
            Assertion::TextEndLine => at == end || (at + 1 == end && bytes[at] == b'\n'),
            Assertion::SearchStart => at == self.search_start,
            Assertion::Word => boundary(),
            Assertion::NotWord => !boundary(),
        }
    }

    /// Matches a back-reference, which is the text of a group again.
    fn reference(&mut self, pc: u32, index: u32, at: usize) -> Result<Next, Problem> {
        let reference = &self.program.references[index as usize];
        let end = match reference.level {
            Some(level) => self
                .group_at_level(&reference.groups, level)
                .and_then(|(start, end)| self.same(start, end, at, reference.ignore_case)),
            None => reference.groups.iter().find_map(|group| {
                let slot = 2 * *group as usize;
                let (start, end) = (self.cache.slots[slot], self.cache.slots[slot + 1]);
                if start == NONE || end == NONE {
                    return None;
                }
                self.same(start, end, at, reference.ignore_case)
            }),
        };
        // Comparisons also count as steps. Otherwise, long groups would cost nothing.
        self.add_steps(end.map_or(0, |end| (end - at) as u64 / 8));
        Ok(match end {
            Some(end) => Some((pc + 1, end as u32)),
            None => self.backtrack(),
        })
    }

    /// Returns the end of the text at `at` that equals the text from `start` to `end`, which is
    /// that of a group, or `None` if it differs.
    fn same(&self, start: u32, end: u32, at: usize, ignore_case: bool) -> Option<usize> {
        let group = self.text.bytes.get(start as usize..end as usize).unwrap_or(&[]);
        reference::same(self.text, group, at, ignore_case)
    }

    /// Returns the start and end of the last text that one of `groups` matched at the level
    /// `wanted`, which is relative to the current level of calls. Returns `None` if none of them
    /// has matched there.
    fn group_at_level(&self, groups: &[u32], wanted: i32) -> Option<(u32, u32)> {
        let mut level = 0;
        let mut last = None;
        for event in self.cache.trace.iter().rev() {
            match *event {
                Event::Call => level -= 1,
                Event::Return => level += 1,
                Event::Start(group, start) if level == wanted && groups.contains(&group) => {
                    if let Some(end) = last {
                        return Some((start, end));
                    }
                }
                Event::End(group, end) if level == wanted && groups.contains(&group) => {
                    last = Some(end);
                }
                _ => {}
            }
        }
        None
    }

    /// Starts an absence operator at the position `at`, and tries its greatest end first.
    fn absence(&mut self, pc: u32, index: u32, ends: u32, at: usize) -> Result<Next, Problem> {
        let limit = self.absence_limit(index as usize, at)?;
        let Some(limit) = limit.filter(|limit| *limit >= at) else { return Ok(self.backtrack()) };
        self.push(Frame::AbsenceLow(pc, at as u32));
        self.push(Frame::AbsenceHigh(pc, limit as u32));
        Ok(self.absence_end(pc, ends, (at, limit), Some(limit)))
    }

    /// Ends an absence operator at the greatest position up to `end` after which the rest of the
    /// pattern is not known to fail. `low` and `high` are the least and the greatest possible end.
    pub(super) fn absence_end(
        &mut self,
        pc: u32,
        ends: u32,
        (low, high): (usize, usize),
        end: Option<usize>,
    ) -> Next {
        // The rest of the pattern also depends on the tested groups. `forget` turns the memo off.
        let states = self.program.tested.len();
        let key = (ends != NONE && self.program.memo)
            .then(|| (ends as usize) << states | self.tested() as usize);
        let mut end = end;
        while let Some(at) = end.filter(|at| *at >= low) {
            let failed = key.and_then(|key| self.cache.failed.get(&key)?.start(at));
            let Some(first) = failed else {
                self.push(Frame::AbsenceAt(pc, at as u32));
                return Some((pc + 1, at as u32));
            };
            end = (first > 0).then(|| self.text.previous_boundary(first));
        }
        self.cache.stack.truncate(self.cache.stack.len() - 2);
        if let Some(key) = key {
            self.cache.failed.entry(key).or_default().add(low, high);
        }
        self.backtrack()
    }
}
