//! The machine that tries the paths of a program one after another. A table records for each branch
//! and position whether the rest of the path fails, so that it is tried only once and the time is
//! linear in the text. The table also records look-arounds that hold and atomic groups that have
//! ended: see [`Mark`].

use super::absence;
use super::code::{Branch, Event, Inst, NONE, Program};
use super::frame::{Frame, Packed};
use super::memo::{Mark, Memo};
use super::{grapheme, reference};
use crate::budget::{Budget, EAGER, SLICE};
use crate::problem::Problem;
use crate::syntax::Assertion;
use crate::text::{Request, Text, is_word_after, is_word_before};
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
    /// The memory of the machines that match what must be absent.
    pub(super) nested: Vec<Cache>,
    /// The open calls. Each has the instruction to return to, the call around it, and the
    /// registers.
    pub(super) calls: Vec<u32>,
    /// The calls and captures so far, for references with levels.
    pub(super) trace: Vec<Event>,
    /// The number of steps since the table was cleared.
    pub(crate) steps: u64,
}

impl Cache {
    /// Removes what is known about a text.
    pub(crate) fn clear(&mut self) {
        self.memo.clear();
        self.steps = 0;
        self.absences.iter_mut().for_each(absence::Limits::clear);
        self.nested.iter_mut().for_each(Cache::clear);
    }
}

/// The changes of an iteration that consumed no character.
enum Progress {
    None,
    /// A group was set that was not set before, or is not empty.
    New,
    /// A group is empty, but at another position.
    Moved,
}

/// The point at which matching continues, or `None` if no path is left.
pub(super) type Next = Option<(u32, usize)>;

/// Returns the number of steps after which a table is worth its memory.
fn pays(text: Text<'_>) -> u64 {
    if EAGER { 1 } else { 8 * text.bytes.len() as u64 + 256 }
}

/// One search.
pub(crate) struct Search<'s, 'l> {
    pub(super) program: &'s Program,
    pub(super) text: Text<'s>,
    /// The position at which `\G` matches.
    pub(super) search_start: usize,
    from: usize,
    /// The first position of the table.
    table_start: usize,
    /// Whether later searches use the same table. Then only failures are recorded.
    shared: bool,
    pub(super) cache: &'s mut Cache,
    pub(super) budget: &'s mut Budget<'l>,
    pub(super) keep: u32,
    pub(super) call: u32,
    next_check: u64,
    began: u64,
    last_check: u64,
    pub(super) shortcuts: bool,
    /// The look-around whose captures are being found.
    pub(super) replay: u32,
}

impl<'s, 'l> Search<'s, 'l> {
    /// Starts a search.
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
        cache.absences.resize_with(program.absences.len(), Default::default);
        let now = cache.steps;
        let active = cache.memo.is_active();
        let pays = pays(text).saturating_sub(now);
        Ok(Search {
            program,
            text,
            search_start,
            from,
            table_start: request.shared.unwrap_or(from),
            shared,
            cache,
            budget,
            keep: NONE,
            call: NONE,
            next_check: now + if active { SLICE } else { pays.min(SLICE) },
            began: now,
            last_check: now,
            shortcuts: false,
            replay: NONE,
        })
    }

    /// Tries the positions that `next` returns. `next` is passed a position, and returns the first
    /// one to try from there on. Stores the match in `slots`, and returns whether there is one.
    pub(crate) fn find(
        &mut self,
        groups: usize,
        slots: &mut [usize],
        mut next: impl FnMut(usize, &mut Budget<'l>) -> Result<Option<usize>, Problem>,
    ) -> Result<bool, Problem> {
        let mut at = self.from;
        while let Some(start) = next(at, self.budget)? {
            if self.may_start(start) && self.match_at(start, groups, slots)? {
                self.flush()?;
                return Ok(true);
            }
            self.step()?;
            at = self.text.next_boundary(start);
            if at > self.text.bytes.len() {
                break;
            }
        }
        self.flush()?;
        Ok(false)
    }

    /// Returns whether a match may start at a position, judged by the byte there.
    fn may_start(&self, at: usize) -> bool {
        let byte = self.text.bytes.get(at);
        self.program
            .first
            .as_ref()
            .is_none_or(|first| byte.is_some_and(|byte| first[usize::from(*byte)]))
    }

    /// Tries to match at one position, and stores the match in `slots`. Returns whether there is
    /// one.
    pub(crate) fn match_at(
        &mut self,
        start: usize,
        groups: usize,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        self.cache.stack.clear();
        self.cache.calls.clear();
        self.cache.trace.clear();
        self.cache.slots.clear();
        self.cache.slots.resize(2 * (groups + 1), NONE);
        self.keep = NONE;
        self.call = NONE;
        self.shortcuts = false;
        let Some(end) = self.run(0, start)? else { return Ok(false) };
        if self.shortcuts {
            self.take_captures()?;
        }
        // `\K` in a look-ahead may be after the end.
        let start = if self.keep == NONE { start } else { end.min(self.keep as usize) };
        for (slot, value) in slots.iter_mut().zip(&self.cache.slots) {
            *slot = if *value == NONE { UNSET } else { *value as usize };
        }
        (slots[0], slots[1]) = (start, end);
        Ok(true)
    }

    /// Counts a step.
    #[inline]
    fn step(&mut self) -> Result<(), Problem> {
        self.cache.steps += 1;
        if self.cache.steps >= self.next_check { self.check() } else { Ok(()) }
    }

    /// Counts the steps since the last check, creates the table when it is worth it, and checks the
    /// limits.
    #[cold]
    fn check(&mut self) -> Result<(), Problem> {
        self.flush()?;
        let steps = self.cache.steps;
        self.next_check = steps + SLICE;
        let length = self.text.bytes.len();
        let memory = 8 * self.cache.stack.capacity() + 4 * self.cache.calls.capacity();
        let program = self.program;
        let positions = length - self.table_start.min(length) + 1;
        let table = Memo::size(program.column, positions);
        let fits = program.memo && self.budget.memory(memory.saturating_add(table)).is_ok();
        if self.cache.memo.is_active() || !fits {
            self.budget.memory(memory)?;
        }
        if !self.cache.memo.is_active() && fits && steps >= pays(self.text) {
            self.cache.memo.activate(program.column, self.table_start, positions);
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
        let steps = self.cache.steps - self.last_check;
        self.last_check = self.cache.steps;
        self.budget.take(steps)
    }

    /// Runs the program from `pc`. Returns the end of the match, or `None` if there is none.
    pub(super) fn run(&mut self, pc: u32, at: usize) -> Result<Option<usize>, Problem> {
        let (mut pc, mut at) = (pc, at);
        let program = self.program;
        loop {
            self.step()?;
            let next = match &program.code[pc as usize] {
                Inst::Byte(byte) if self.text.bytes.get(at) == Some(byte) => Some((pc + 1, at + 1)),
                Inst::Set(set) => match self.text.char(at) {
                    Some((code, length)) if program.sets[*set as usize].contains(code) => {
                        Some((pc + 1, at + length))
                    }
                    _ => self.backtrack(),
                },
                Inst::Jump(target) => Some((*target, at)),
                Inst::Split { first, branch, .. } => self.split(pc, *first, *branch, at),
                Inst::Save(slot) => {
                    self.save(*slot, at);
                    Some((pc + 1, at))
                }
                Inst::Assert(assertion, ascii) if self.holds(*assertion, *ascii, at) => {
                    Some((pc + 1, at))
                }
                Inst::Keep => {
                    self.push(Frame::Keep(self.keep));
                    self.keep = at as u32;
                    Some((pc + 1, at))
                }
                Inst::LookBegin(look) => {
                    self.push(Frame::Look(*look, at as u32));
                    Some((pc + 1, at))
                }
                Inst::LookEnd(look) if *look == self.replay => return Ok(Some(at)),
                Inst::LookEnd(_) => self.look_holds(false),
                Inst::Back(n) => self.back(pc, *n, at),
                Inst::AtomicBegin => {
                    self.push(Frame::Atomic);
                    Some((pc + 1, at))
                }
                Inst::AtomicEnd => {
                    self.end_atomic();
                    Some((pc + 1, at))
                }
                Inst::LoopBegin(register) => {
                    self.set_register(*register, at as u32);
                    Some((pc + 1, at))
                }
                Inst::LoopSkip(register) => {
                    self.set_register(*register, NONE);
                    Some((pc + 1, at))
                }
                Inst::LoopCheck(register, exit) => {
                    let empty = self.cache.registers[*register as usize] == at as u32;
                    match empty.then(|| self.progress(*register, at)) {
                        None | Some(Progress::New) => Some((pc + 1, at)),
                        Some(Progress::None) => Some((*exit, at)),
                        Some(Progress::Moved) => self.backtrack(),
                    }
                }
                Inst::Level(event) => {
                    self.trace(*event);
                    Some((pc + 1, at))
                }
                Inst::IfSet(group, no) => {
                    let set = self.cache.slots[2 * *group as usize + 1] != NONE;
                    Some((if set { pc + 1 } else { *no }, at))
                }
                Inst::Reference(index) => self.reference(pc, *index, at)?,
                Inst::Call(target) => {
                    self.call(pc);
                    Some((*target, at))
                }
                Inst::Return => Some((self.return_from_call(), at)),
                Inst::Absence(index, plain) => self.absence(pc, *index, *plain, at)?,
                Inst::Grapheme => match grapheme::length(self.text, at) {
                    Some(length) => Some((pc + 1, at + length)),
                    None => self.backtrack(),
                },
                Inst::Match => return Ok(Some(at)),
                Inst::Byte(_) | Inst::Assert(..) => self.backtrack(),
            };
            match next {
                Some(next) => (pc, at) = next,
                None if self.cache.stack.is_empty() => return Ok(None),
                // From here on, the captures of the path are already known.
                None => return Ok(Some(at)),
            }
        }
    }

    /// Takes the first alternative, unless the table contains the result.
    #[inline]
    fn split(&mut self, pc: u32, first: u32, branch: u32, at: usize) -> Next {
        let branch = &self.program.branches[branch as usize];
        if self.cache.memo.is_active() {
            let cell = self.cell(branch, at);
            match cell.map_or(Mark::Unknown, |cell| self.cache.memo.get(cell)) {
                Mark::Unknown => {}
                Mark::Failed => return self.backtrack(),
                Mark::Cut(levels) => return self.cut(levels),
                Mark::Walked if branch.look == self.replay => return None,
                Mark::Holds if branch.look == self.replay => {}
                Mark::Holds | Mark::Walked => return self.look_holds(true),
            }
            if !self.is_scoped(branch)
                && let Some(cell) = cell
            {
                self.cache.memo.set(cell, Mark::Failed);
            }
        }
        self.push(Frame::Alternative(pc, at as u32));
        Some((first, at))
    }

    /// Returns whether the result of a branch is known only after its last alternative was left.
    pub(super) fn is_scoped(&self, branch: &Branch) -> bool {
        self.program.memo && (branch.scoped || self.shared)
    }

    /// Returns the cell of a branch. There is one for each number of loops around it that have not
    /// consumed a character in this iteration, and for each combination of tested groups.
    pub(super) fn cell(&self, branch: &Branch, at: usize) -> Option<usize> {
        let mut slot = branch.slot;
        let loops = branch.loops.len() as u32;
        if loops > 0 {
            let started =
                &self.cache.registers[branch.loops.start as usize..branch.loops.end as usize];
            slot += started.iter().rev().take_while(|start| **start == at as u32).count() as u32;
        }
        let mut step = loops + 1;
        for group in &self.program.tested {
            if self.cache.slots[2 * *group as usize + 1] != NONE {
                slot += step;
            }
            step *= 2;
        }
        self.cache.memo.cell(slot, at)
    }

    /// Pushes a frame, which is undone when the path fails.
    pub(super) fn push(&mut self, frame: Frame) {
        self.cache.stack.push(frame.into());
    }

    /// Sets a register.
    pub(super) fn set_register(&mut self, register: u32, value: u32) {
        let old = std::mem::replace(&mut self.cache.registers[register as usize], value);
        self.push(Frame::Register(register, old));
    }

    /// Sets a slot.
    fn set_slot(&mut self, slot: u32, value: u32) {
        let old = std::mem::replace(&mut self.cache.slots[slot as usize], value);
        self.push(Frame::Slot(slot, old));
    }

    /// Saves the start or end of a group.
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
            // A call of the group may have started it again in between.
            if slot.is_multiple_of(2) {
                self.set_register(first + group, at as u32);
            } else {
                let start = self.cache.registers[(first + group) as usize];
                self.set_slot(slot - 1, start);
            }
        }
        self.set_slot(slot, at as u32);
        if slot.is_multiple_of(2) && !(self.program.memo && self.program.tested.is_empty()) {
            // References and conditionals find no value of a group that is open.
            self.set_slot(slot + 1, NONE);
        }
    }

    /// Records an event for references with levels.
    fn trace(&mut self, event: Event) {
        self.push(Frame::Trace(self.cache.trace.len() as u32));
        self.cache.trace.push(event);
    }

    /// Calls a group.
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

    /// Ends a call, and returns the instruction where matching continues.
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
        if self.program.memo {
            return Progress::None;
        }
        let stack = &self.cache.stack;
        let began = stack.iter().rposition(
            |frame| matches!((*frame).into(), Frame::Register(changed, _) if changed == register),
        );
        let mut found = Progress::None;
        let frames = &stack[began.unwrap_or(0)..];
        self.cache.steps += frames.len() as u64;
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

    /// Goes back by `n` characters.
    fn back(&mut self, pc: u32, n: u32, at: usize) -> Next {
        let mut start = at;
        for _ in 0..n {
            if start == 0 {
                return self.backtrack();
            }
            start = self.text.previous_boundary(start);
        }
        Some((pc + 1, start))
    }

    /// Returns whether an assertion holds, by Ruby's rules.
    fn holds(&self, assertion: Assertion, ascii: bool, at: usize) -> bool {
        let bytes = self.text.bytes;
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

    /// Matches the text of a group again.
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
        self.cache.steps += end.map_or(0, |end| (end - at) as u64 / 8);
        Ok(match end {
            Some(end) => Some((pc + 1, end)),
            None => self.backtrack(),
        })
    }

    /// Returns the end of the text at `at` if it equals that of a group.
    fn same(&self, start: u32, end: u32, at: usize, ignore_case: bool) -> Option<usize> {
        let group = self.text.bytes.get(start as usize..end as usize).unwrap_or(&[]);
        reference::same(self.text, group, at, ignore_case)
    }

    /// Returns the last text of one of these groups at a level of calls relative to this one, as
    /// its start and end. Returns `None` if none of them has matched there.
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

    /// Starts an absence operator, and tries its greatest end first.
    fn absence(&mut self, pc: u32, index: u32, plain: bool, at: usize) -> Result<Next, Problem> {
        let limit = self.absence_limit(index as usize, at)?;
        let Some(limit) = limit.filter(|limit| *limit >= at) else { return Ok(self.backtrack()) };
        self.push(Frame::AbsenceLow(pc, at as u32));
        self.push(Frame::AbsenceHigh(pc, limit as u32));
        Ok(self.absence_end(pc, index, plain, (at, limit), Some(limit)))
    }

    /// Tries the greatest end of an absence operator, up to `end`, after which the rest is not
    /// known to fail.
    pub(super) fn absence_end(
        &mut self,
        pc: u32,
        index: u32,
        plain: bool,
        (low, high): (usize, usize),
        end: Option<usize>,
    ) -> Next {
        let plain = plain && self.program.memo;
        let mut end = end;
        while let Some(at) = end.filter(|at| *at >= low) {
            let failed = self.cache.absences[index as usize].failed_from(at).filter(|_| plain);
            let Some(first) = failed else {
                self.push(Frame::AbsenceAt(pc, at as u32));
                return Some((pc + 1, at));
            };
            end = (first > 0).then(|| self.text.previous_boundary(first));
        }
        self.cache.stack.truncate(self.cache.stack.len() - 2);
        if plain {
            self.cache.absences[index as usize].fail(low, high);
        }
        self.backtrack()
    }
}
