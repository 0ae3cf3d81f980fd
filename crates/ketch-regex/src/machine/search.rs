//! The machine that tries the paths of a program one after another. A table records for each branch
//! and position whether the rest of the path fails, so that it is tried only once and the time is
//! linear in the text. The table also records look-arounds that hold and atomic groups that have
//! ended: see [`Mark`].

use std::collections::HashMap;

use super::absence;
use super::code::{Branch, Event, FIRST, Inst, NONE, Program, SECOND};
use super::frame::{Frame, Packed};
use super::memo::{Mark, Memo};
use crate::budget::{Budget, EAGER, SLICE};
use crate::problem::Problem;
use crate::text::{Request, Text};
use crate::threads::UNSET;

/// The memory of the machine, which is reused between searches.
#[derive(Default)]
pub(crate) struct Cache {
    pub(super) stack: Vec<Packed>,
    pub(super) kept: Vec<Packed>,
    pub(super) slots: Vec<u32>,
    pub(super) registers: Vec<u32>,
    pub(super) memo: Memo,
    pub(super) absences: Vec<absence::Limits>,
    /// For each instruction for an absence operator and each state of the tested groups, the ends
    /// that fail.
    pub(super) failed: HashMap<usize, absence::Failed>,
    /// The memory of the machines that match what must be absent.
    pub(super) nested: Vec<Cache>,
    /// The open calls: for each, the instruction to return to, the call around it, and the
    /// registers.
    pub(super) calls: Vec<u32>,
    /// The calls and captures so far, for back-references with levels.
    pub(super) trace: Vec<Event>,
    /// The number of steps since the table was cleared.
    pub(crate) steps: u64,
}

impl Cache {
    /// Returns the number of bytes that the machine may use until the next check, without its table.
    /// A vector that is nearly full is about to double.
    fn bytes(&self) -> usize {
        let grown = |length: usize, capacity: usize| match length + 4 * SLICE as usize > capacity {
            true => 2 * capacity,
            false => capacity,
        };
        let frames = grown(self.stack.len(), self.stack.capacity()) + self.kept.capacity();
        let calls = grown(self.calls.len(), self.calls.capacity());
        let known: usize = self.absences.iter().map(absence::Limits::bytes).sum();
        let failed: usize = self.failed.values().map(absence::Failed::bytes).sum();
        size_of::<Packed>() * frames + size_of::<u32>() * calls + known + failed
    }

    /// Removes what is known about the last text.
    pub(crate) fn clear(&mut self) {
        self.clear_paths();
        self.absences.iter_mut().for_each(absence::Limits::clear);
        self.nested.iter_mut().for_each(Cache::clear);
    }

    /// Removes what is known about paths.
    pub(super) fn clear_paths(&mut self) {
        self.memo.clear();
        self.failed.clear();
        self.steps = 0;
    }
}

/// The point at which matching continues, or `None` if no path is left.
pub(super) type Next = Option<(u32, u32)>;

/// Returns the number of steps after which a table is worth its memory. A scan takes more steps than
/// one search.
fn pays(text: Text<'_>, shared: bool) -> u64 {
    let per_byte = if shared { 3 } else { 1 };
    if EAGER { 1 } else { per_byte * text.bytes.len() as u64 + 256 }
}

/// Which ends of a path are a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    First,
    /// The first end after the start of the match.
    NotEmpty,
    /// The end farthest from its start, of all starts. A path that ends counts as one that fails,
    /// because other paths from there would end in the same places. The fields say whether an empty
    /// match counts, and have the start and end of the longest match so far.
    Longest(bool, Option<(usize, usize)>),
    /// Only this end.
    Only(usize),
}

/// One search.
pub(crate) struct Search<'s, 'l> {
    pub(super) program: &'s Program,
    pub(super) text: Text<'s>,
    /// The text for assertions. It is longer if the match may not go beyond the end of `text`.
    pub(super) whole: Text<'s>,
    /// The position at which `\G` matches.
    pub(super) search_start: usize,
    from: usize,
    /// The position at which a match is being tried.
    start: usize,
    pub(crate) ends: Ends,
    /// The first position of the table.
    table_start: usize,
    /// Whether later searches use the same table. Then only failures are recorded.
    pub(super) shared: bool,
    pub(super) cache: &'s mut Cache,
    pub(super) budget: &'s mut Budget<'l>,
    pub(super) keep: u32,
    pub(super) call: u32,
    /// The number of steps at the next check, and the number of steps that are left until then.
    next_check: u64,
    left: u64,
    began: u64,
    last_check: u64,
    /// Whether the caller needs the groups.
    captures: bool,
    pub(super) shortcuts: bool,
    /// The look-around whose captures are being found.
    pub(super) replay: u32,
}

impl<'s, 'l> Search<'s, 'l> {
    /// Starts a search. If this is not inlined, the large result is copied.
    #[inline(always)]
    pub(crate) fn new(
        program: &'s Program,
        cache: &'s mut Cache,
        request: Request<'s>,
        budget: &'s mut Budget<'l>,
    ) -> Result<Search<'s, 'l>, Problem> {
        let Request { text, from, search_start, .. } = request;
        let shared = request.shared.is_some();
        if text.bytes.len() >= NONE as usize {
            return Err(budget.memory_problem());
        }
        if !shared {
            cache.clear();
        }
        cache.stack.clear();
        cache.registers.clear();
        cache.registers.resize(program.registers as usize, NONE);
        if cache.absences.len() != program.absences.len() {
            cache.absences.resize_with(program.absences.len(), Default::default);
        }
        let now = cache.steps;
        let active = cache.memo.is_active();
        let pays = pays(text, shared).saturating_sub(now);
        let left = if active { SLICE } else { pays.min(SLICE) };
        Ok(Search {
            program,
            text,
            whole: text,
            search_start,
            from,
            start: from,
            ends: Ends::First,
            table_start: request.shared.unwrap_or(from),
            shared: shared && program.memo,
            cache,
            budget,
            keep: NONE,
            call: NONE,
            next_check: now + left,
            left,
            began: now,
            last_check: now,
            captures: false,
            shortcuts: false,
            replay: NONE,
        })
    }

    /// Tries to match at the positions that `next` returns. It is passed a position, and returns the
    /// first position to try from there on. Stores the match in `slots`, and returns whether there
    /// is one.
    pub(crate) fn find(
        &mut self,
        groups: usize,
        slots: &mut [usize],
        mut next: impl FnMut(usize, &mut Budget<'l>) -> Result<Option<usize>, Problem>,
    ) -> Result<bool, Problem> {
        let mut at = self.from;
        self.reset(groups, slots);
        while let Some(start) = next(at, self.budget)? {
            // A path that fails undoes all its changes.
            self.start = start;
            if self.may_start(start)
                && let Some(end) = self.run(0, start)?
            {
                self.finish(start, end, slots)?;
                self.flush()?;
                return Ok(true);
            }
            self.step()?;
            at = self.text.next_boundary(start);
            if at > self.text.bytes.len() {
                break;
            }
        }
        self.longest(groups, slots)
    }

    /// Finds the groups of the longest match. Returns whether there is one.
    fn longest(&mut self, groups: usize, slots: &mut [usize]) -> Result<bool, Problem> {
        let Ends::Longest(_, Some((start, end))) = self.ends else {
            self.flush()?;
            return Ok(false);
        };
        self.ends = Ends::Only(end);
        self.cache.memo.clear();
        self.cache.failed.clear();
        self.reset(groups, slots);
        if let Some(end) = self.run(0, start)? {
            self.finish(start, end, slots)?;
        }
        self.flush()?;
        Ok(true)
    }

    /// Returns whether the match may end at `at`.
    fn ends_at(&mut self, at: usize) -> bool {
        match self.ends {
            Ends::First => true,
            Ends::NotEmpty => at != self.start,
            Ends::Only(end) => at == end,
            Ends::Longest(empty, longest) => {
                let length = at - self.start;
                let is_longer = longest.is_none_or(|(start, end)| length > end - start);
                if is_longer && (empty || length > 0) {
                    self.ends = Ends::Longest(empty, Some((self.start, at)));
                }
                false
            }
        }
    }

    /// Does what [`Search::find`] does, but tries all positions in turn.
    pub(crate) fn find_anywhere(
        &mut self,
        groups: usize,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        let bytes = self.text.bytes;
        let mut at = self.from;
        self.reset(groups, slots);
        while at <= bytes.len() {
            if let Some(first) = &self.program.first {
                let skipped = bytes[at..].iter().position(|byte| first[usize::from(*byte)]);
                let Some(skipped) = skipped else { break };
                self.add_steps(skipped as u64);
                at += skipped;
            }
            self.start = at;
            if self.text.is_boundary(at)
                && let Some(end) = self.run(0, at)?
            {
                self.finish(at, end, slots)?;
                self.flush()?;
                return Ok(true);
            }
            self.step()?;
            at += 1;
        }
        self.longest(groups, slots)
    }

    /// Returns whether a match may start at `at`, judged by the byte there.
    fn may_start(&self, at: usize) -> bool {
        let byte = self.text.bytes.get(at);
        self.program
            .first
            .as_ref()
            .is_none_or(|first| byte.is_some_and(|byte| first[usize::from(*byte)]))
    }

    /// Tries to match at `start`, and stores the match in `slots`. Returns whether there is one.
    pub(crate) fn match_at(
        &mut self,
        start: usize,
        groups: usize,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        self.reset(groups, slots);
        self.start = start;
        let end = match self.run(0, start)? {
            Some(end) => end,
            None if self.ends == Ends::First => return Ok(false),
            None => return self.longest(groups, slots),
        };
        self.finish(start, end, slots)?;
        Ok(true)
    }

    /// Prepares the memory for a new match.
    fn reset(&mut self, groups: usize, slots: &[usize]) {
        self.captures = slots.len() > 2;
        self.cache.stack.clear();
        self.cache.calls.clear();
        self.cache.trace.clear();
        self.cache.slots.clear();
        // If the groups are not asked for, and nothing depends on them, they are neither saved nor
        // tested.
        let groups = if self.captures || !self.program.plain_groups { groups } else { 0 };
        self.cache.slots.resize(2 * (groups + 1), NONE);
        self.keep = NONE;
        self.call = NONE;
        self.shortcuts = false;
    }

    /// Stores the match from `start` to `end` in `slots`, with its groups.
    fn finish(&mut self, start: usize, end: usize, slots: &mut [usize]) -> Result<(), Problem> {
        if self.shortcuts {
            self.take_captures()?;
        }
        // `\K` in a look-ahead may be after the end.
        let start = if self.keep == NONE { start } else { end.min(self.keep as usize) };
        for (slot, value) in slots.iter_mut().zip(&self.cache.slots) {
            *slot = if *value == NONE { UNSET } else { *value as usize };
        }
        (slots[0], slots[1]) = (start, end);
        Ok(())
    }

    /// Counts a step.
    #[inline(always)]
    fn step(&mut self) -> Result<(), Problem> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.check(),
        }
    }

    /// Counts `steps` steps, which are checked together with the next one.
    pub(super) fn add_steps(&mut self, steps: u64) {
        self.next_check += steps.saturating_sub(self.left);
        self.left = self.left.saturating_sub(steps);
    }

    /// Counts the steps since the last check, creates the table when it is worth it, and checks the
    /// limits.
    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Problem> {
        self.flush()?;
        let steps = self.cache.steps;
        (self.next_check, self.left) = (steps + SLICE, SLICE - 1);
        let length = self.text.bytes.len();
        let memory = self.cache.bytes();
        let program = self.program;
        let positions = length - self.table_start.min(length) + 1;
        let table = Memo::size(program.column, positions);
        let fits = program.memo && self.budget.memory(memory.saturating_add(table)).is_ok();
        if self.cache.memo.is_active() || !fits {
            self.budget.memory(memory)?;
        }
        if !self.cache.memo.is_active() && fits && steps >= pays(self.text, self.shared) {
            self.cache.memo.activate(program.column, self.table_start, positions);
            self.claim_path();
        }
        if fits || self.cache.memo.is_active() {
            return Ok(());
        }
        let problem =
            if program.memo { self.budget.memory_problem() } else { self.budget.fuel_problem() };
        if self.budget.has_fuel(steps - self.began) { Ok(()) } else { Err(problem) }
    }

    /// Counts the steps since the last check against the budget.
    pub(super) fn flush(&mut self) -> Result<(), Problem> {
        self.cache.steps = self.next_check - self.left;
        let steps = self.cache.steps - self.last_check;
        self.last_check = self.cache.steps;
        self.budget.take(steps)
    }

    /// Runs the program from the instruction `pc` at the position `at`. Returns the end of the
    /// match, or `None` if there is none.
    pub(super) fn run(&mut self, pc: u32, at: usize) -> Result<Option<usize>, Problem> {
        let (mut pc, mut at) = (pc, at);
        let program = self.program;
        loop {
            self.step()?;
            let next = match program.code[pc as usize] {
                Inst::Byte(byte) if self.text.bytes.get(at) == Some(&byte) => {
                    Some((pc + 1, at as u32 + 1))
                }
                Inst::Byte(_) => self.backtrack(),
                Inst::Set(set) => match self.text.char(at) {
                    Some((code, length)) if program.sets[set as usize].contains(code) => {
                        Some((pc + 1, (at + length) as u32))
                    }
                    _ => self.backtrack(),
                },
                Inst::Jump(target) => Some((target, at as u32)),
                Inst::Split { first, second, branch } => {
                    self.split(pc, (first, second), branch, at)
                }
                Inst::LookBegin(look) => {
                    self.push(Frame::Look(look, at as u32));
                    Some((pc + 1, at as u32))
                }
                Inst::LookEnd(look) if look == self.replay => return Ok(Some(at)),
                Inst::LookEnd(_) => self.look_holds(false),
                Inst::AtomicBegin => {
                    self.push(Frame::Atomic);
                    Some((pc + 1, at as u32))
                }
                Inst::AtomicEnd => {
                    self.end_atomic();
                    Some((pc + 1, at as u32))
                }
                Inst::Peek { set, behind, negative } => {
                    match self.peek(set, behind, at) != negative {
                        true => Some((pc + 1, at as u32)),
                        false => self.backtrack(),
                    }
                }
                Inst::Assert(assertion, ascii) if self.holds(assertion, ascii, at) => {
                    Some((pc + 1, at as u32))
                }
                Inst::Assert(..) => self.backtrack(),
                Inst::Save(slot) if program.plain_groups => {
                    if self.captures {
                        self.set_slot(slot, at as u32);
                    }
                    Some((pc + 1, at as u32))
                }
                Inst::LoopBegin(register) => {
                    self.set_register(register, at as u32);
                    Some((pc + 1, at as u32))
                }
                Inst::LoopCheck(register, ..)
                    if self.cache.registers[register as usize] != at as u32 =>
                {
                    Some((pc + 1, at as u32))
                }
                Inst::Match if self.ends_at(at) => return Ok(Some(at)),
                Inst::Match => self.backtrack(),
                Inst::Reference(_) | Inst::Absence(..) => self.long_instruction(pc, at)?,
                _ => self.instruction(pc, at),
            };
            match next {
                Some((next, place)) => (pc, at) = (next, place as usize),
                None if self.cache.stack.is_empty() => return Ok(None),
                // From here on, the captures of the path are already known.
                None => return Ok(Some(at)),
            }
        }
    }

    /// Returns whether the next character or, if `behind` is set, the previous one is in the set.
    #[inline]
    fn peek(&self, set: u32, behind: bool, at: usize) -> bool {
        let set = &self.program.sets[set as usize];
        let near = if behind { at.wrapping_sub(1) } else { at };
        match self.text.bytes.get(near) {
            None => false,
            Some(byte) if byte.is_ascii() => set.contains(u32::from(*byte)),
            Some(_) => {
                let start = if behind { self.text.previous_boundary(at) } else { at };
                self.text.char(start).is_some_and(|(code, _)| set.contains(code))
            }
        }
    }

    /// Takes the first alternative that the next byte does not rule out, unless the result of the
    /// branch is in the table.
    #[inline(always)]
    fn split(&mut self, pc: u32, (first, second): (u32, u32), branch: u32, at: usize) -> Next {
        let branch = &self.program.branches[branch as usize];
        let scoped = branch.scoped || self.shared;
        let active = branch.recorded && self.cache.memo.is_active();
        if active {
            let mark = match self.cell(branch, at) {
                None => Mark::Unknown,
                Some(cell) if scoped => self.cache.memo.get(cell),
                Some(cell) => self.cache.memo.claim(cell),
            };
            match mark {
                Mark::Unknown => {}
                Mark::Failed => return self.backtrack(),
                Mark::Cut(levels) => return self.cut(levels),
                Mark::Walked if branch.look == self.replay => return None,
                Mark::Holds if branch.look == self.replay => {}
                Mark::Holds | Mark::Walked => return self.look_holds(true),
            }
        }
        if branch.runs != 0 && !active {
            return self.repeat(pc, (first, second), branch, at);
        }
        let byte = self.text.bytes.get(at).copied();
        let possible = self.program.possible(branch, byte);
        if possible == FIRST | SECOND {
            self.push(Frame::Alternative(pc, at as u32));
        } else if possible == 0 {
            return self.backtrack();
        } else if active && scoped {
            self.push(Frame::Last(pc, at as u32));
        }
        let (target, flag) = if possible & FIRST == 0 { (second, SECOND) } else { (first, FIRST) };
        Some(branch.enter(target, flag, byte, at as u32))
    }

    /// Runs a loop over one character for as long as the alternative to take is the loop and the
    /// next byte is ASCII. This is used in a text for which there is no table yet.
    #[inline]
    fn repeat(&mut self, pc: u32, (first, second): (u32, u32), branch: &Branch, at: usize) -> Next {
        let mut at = at;
        loop {
            let byte = self.text.bytes.get(at).copied();
            let possible = self.program.possible(branch, byte);
            let ascii = byte.is_some_and(|byte| byte.is_ascii());
            if possible == FIRST | SECOND {
                // The end of the atomic group would drop this frame.
                if !(branch.ends_atomic && ascii) {
                    self.push(Frame::Alternative(pc, at as u32));
                }
            } else if possible == 0 {
                return self.backtrack();
            }
            let (target, flag) =
                if possible & FIRST == 0 { (second, SECOND) } else { (first, FIRST) };
            if flag != branch.runs || !ascii || self.left == 0 {
                return Some(branch.enter(target, flag, byte, at as u32));
            }
            self.left -= 1;
            at += 1;
        }
    }

    /// Returns the index of the cell of `branch` at the position `at`. A branch has one cell for
    /// each number of loops around it that have not consumed a character in this iteration, and for
    /// each combination of tested groups.
    #[inline]
    pub(super) fn cell(&self, branch: &Branch, at: usize) -> Option<usize> {
        let mut slot = branch.slot;
        let loops = branch.loops.len() as u32;
        if loops == 0 && self.program.tested.is_empty() {
            return self.cache.memo.cell(slot, at);
        }
        if loops > 0 {
            let started =
                &self.cache.registers[branch.loops.start as usize..branch.loops.end as usize];
            slot += started.iter().rev().take_while(|start| **start == at as u32).count() as u32;
        }
        self.cache.memo.cell(slot + (loops + 1) * self.tested(), at)
    }

    /// Returns which of the tested groups are set, with a bit for each.
    pub(super) fn tested(&self) -> u32 {
        let is_set = |group: &u32| self.cache.slots[2 * *group as usize + 1] != NONE;
        let groups = self.program.tested.iter().enumerate();
        groups.map(|(bit, group)| u32::from(is_set(group)) << bit).sum()
    }

    /// Pushes a frame, which is undone when the path fails.
    pub(super) fn push(&mut self, frame: Frame) {
        self.cache.stack.push(frame.into());
    }

    /// Sets a register, and pushes a frame with its old value.
    pub(super) fn set_register(&mut self, register: u32, value: u32) {
        let old = std::mem::replace(&mut self.cache.registers[register as usize], value);
        self.push(Frame::Register(register, old));
    }

    /// Sets a slot, and pushes a frame with its old value.
    pub(super) fn set_slot(&mut self, slot: u32, value: u32) {
        let old = std::mem::replace(&mut self.cache.slots[slot as usize], value);
        self.push(Frame::Slot(slot, old));
    }
}
