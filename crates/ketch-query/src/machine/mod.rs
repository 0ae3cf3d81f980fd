//! The machine that runs compiled programs.
//!
//! It never recurses on the program or the data: values, frames and alternatives are on stacks of their own. A *fork*
//! notes the tops of the others, and backtracking returns to it, so both cost little however much is on the stacks.

mod access;
mod calls;
mod each;
mod messages;
mod stack;
mod step;
mod tracked;

use crate::compile::Code;
use crate::error::{Failure, Kind as ErrorKind};
use crate::host::{Host, Limits, MessageOptions, Missing};
use crate::value::{Number, Value};
use each::EachEntry;
use stack::{Frames, Held, Stack};
use std::collections::HashSet;
use std::sync::Arc;
use tracked::Tracked;

/// The number of steps between two checks.
const STEPS_CHECKED: u64 = 1 << 16;

/// What backtracking to a fork does.
#[derive(Debug)]
enum Resume {
    /// Goes on at the address.
    At(u32),
    /// Goes on at the address, also after an error about a missing key, unless the variable is true.
    Missing(u32, u16),
    /// Puts the next entry of a collection on the stack.
    Each(EachEntry),
    /// Puts the next entry of the input on the stack.
    Entries,
    /// Puts the next number on the stack.
    Range { next: Number, to: Number, by: Number },
    /// Nothing; errors go to the address.
    Try(u32),
    /// Nothing; the `try` with this number of a fork does not catch errors any more.
    TryEnd(usize),
    /// Nothing; errors, also later ones, go to the address.
    TryAlternative(u32),
    /// Nothing; `break` ends here.
    Label(u64),
    /// Nothing; what is missing goes to the address and, if it is set, other errors but limits.
    Handle(u32, bool),
}

#[derive(Debug)]
struct Fork {
    resume: Resume,
    /// The instruction after the one that made the fork.
    at: u32,
    values: (u32, u32),
    frames: (u32, u32, u32),
    tracked: Option<Box<Tracked>>,
}

/// The steps of a run.
struct Steps {
    count: u64,
    /// The number up to which nothing has to be checked.
    checked: u64,
}

/// A run of a program.
pub struct Machine {
    code: Arc<Code>,
    values: Stack,
    frames: Frames,
    forks: Vec<Fork>,
    tracked: Option<Box<Tracked>>,
    at: u32,
    labels: u64,
    pub limits: Limits,
    pub is_strict: bool,
    pub messages: MessageOptions,
    /// The instructions whose messages a key has hidden, of which the host knows.
    warned: HashSet<u32>,
    steps: Steps,
    /// Whether an output was returned, so that the next alternative comes next.
    is_waiting: bool,
    globals: Vec<Value>,
}

impl Machine {
    /// Creates a machine for `code`, with the values of its globals.
    pub fn new(code: Arc<Code>, globals: Vec<Value>, limits: Limits) -> Machine {
        Machine {
            code,
            values: Stack::default(),
            frames: Frames::default(),
            forks: Vec::new(),
            tracked: None,
            at: 0,
            labels: 0,
            limits,
            is_strict: false,
            messages: MessageOptions::default(),
            warned: HashSet::new(),
            steps: Steps { count: 0, checked: limits.steps.min(STEPS_CHECKED) },
            is_waiting: false,
            globals,
        }
    }

    /// Creates another machine for the same program, with a limit of steps.
    pub fn another(&self, steps_max: u64) -> Machine {
        let limits = Limits { steps: self.limits.steps.min(steps_max), ..self.limits };
        let mut machine = Machine::new(self.code.clone(), self.globals.clone(), limits);
        (machine.is_strict, machine.messages) = (self.is_strict, self.messages);
        machine
    }

    /// Starts the program on an input. What an earlier run has left is dropped.
    pub fn start(&mut self, input: Value) {
        self.values.clear();
        self.frames.clear();
        self.forks.clear();
        self.tracked = None;
        self.is_waiting = false;
        self.values.push(input);
        let slots = self.code.functions[0].slots;
        self.frames.enter(0, 0, self.globals.iter().cloned().map(Held::Value), slots);
        self.at = self.code.functions[0].entry;
        // Backtracking beyond the first fork ends the run.
        self.fork(Resume::Label(u64::MAX));
    }

    /// Returns the next output.
    pub fn next(&mut self, host: &mut dyn Host) -> Option<std::result::Result<Value, Failure>> {
        if self.forks.is_empty() {
            return None;
        }
        let mut is_waiting = std::mem::take(&mut self.is_waiting);
        loop {
            let step = match std::mem::take(&mut is_waiting) {
                true => Err(Stop::Backtrack),
                false => self.step(host),
            };
            match step {
                Ok(true) => {}
                Ok(false) => {
                    let value = self.values.pop();
                    self.is_waiting = true;
                    return Some(Ok(value));
                }
                Err(stop) => match self.go_back(stop, host) {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(failure) => {
                        self.forks.clear();
                        return Some(Err(*failure));
                    }
                },
            }
        }
    }

    /// Goes to the newest alternative or, for an error, to its handler. Returns whether there is one.
    fn go_back(
        &mut self,
        stop: Stop,
        host: &mut dyn Host,
    ) -> std::result::Result<bool, Box<Failure>> {
        let mut stop = Some(stop);
        while let Some(last) = stop.take() {
            let gone = match last {
                Stop::Backtrack => self.backtrack(host),
                Stop::Failure(failure) => match self.recover(*failure) {
                    Unwound::Caught => return Ok(true),
                    Unwound::Ended => self.backtrack(host),
                    Unwound::Uncaught(failure) => return Err(Box::new(failure)),
                },
            };
            match gone {
                Ok(is_found) => return Ok(is_found),
                Err(failure) => stop = Some(failure),
            }
        }
        Ok(false)
    }

    /// Adds a fork.
    fn fork(&mut self, resume: Resume) {
        self.forks.push(Fork {
            resume,
            at: self.at,
            values: self.values.note(),
            frames: self.frames.note(),
            tracked: self.tracked.clone(),
        });
    }

    /// Sets the floors of the stacks to those of the last fork.
    fn set_floors(&mut self) {
        let (values, frames) = match self.forks.last() {
            Some(fork) => (fork.values.1, fork.frames.1),
            None => (0, 0),
        };
        self.values.set_floor(values);
        self.frames.set_floor(frames);
    }

    /// Returns to the state of the last fork, which stays.
    fn resume_fork(&mut self) {
        if let Some(fork) = self.forks.last() {
            self.values.restore(fork.values, fork.values.1);
            self.frames.restore(fork.frames, fork.frames.1);
            self.tracked = fork.tracked.clone();
            self.at = fork.at;
        }
    }

    /// Takes the last fork, and returns to its state.
    fn pop_fork(&mut self) -> Option<Resume> {
        let fork = self.forks.pop()?;
        self.values.restore(fork.values, 0);
        self.frames.restore(fork.frames, 0);
        self.set_floors();
        self.tracked = fork.tracked;
        self.at = fork.at;
        Some(fork.resume)
    }

    /// Goes on with the newest alternative. Returns whether there is one.
    fn backtrack(&mut self, host: &mut dyn Host) -> Result<bool> {
        while let Some(last) = self.forks.last() {
            if matches!(last.resume, Resume::Each(_)) {
                self.next_entry();
                return Ok(true);
            }
            if matches!(last.resume, Resume::Entries) && self.next_input_entry(host)? {
                return Ok(true);
            }
            let Some(resume) = self.pop_fork() else { return Ok(false) };
            match resume {
                Resume::At(at) | Resume::Missing(at, _) => {
                    self.at = at;
                    return Ok(true);
                }
                Resume::Range { next, to, by } => {
                    if self.range(next, to, by) {
                        return Ok(true);
                    }
                }
                Resume::Each(_)
                | Resume::Entries
                | Resume::Try(_)
                | Resume::TryEnd(_)
                | Resume::TryAlternative(_)
                | Resume::Handle(..)
                | Resume::Label(_) => {}
            }
        }
        Ok(false)
    }

    /// Returns the number of the current instruction or, if that is in a builtin, of the one in the program that calls it.
    fn at_in_program(&self) -> u32 {
        let mut at = self.at.wrapping_sub(1);
        let mut frame = self.frames.current;
        while let Some((0, _)) = self.code.spans.get(at as usize)
            && let Some(found) = self.frames.frames.get(frame as usize).filter(|_| frame > 0)
        {
            at = found.resume.wrapping_sub(1);
            frame = found.caller;
        }
        at
    }

    /// Goes on with what replaces a missing value, or to the handler of an error.
    fn recover(&mut self, failure: Failure) -> Unwound {
        match self.replaces(&failure) {
            Some(Missing::Null) => {
                self.values.push(Value::Null);
                Unwound::Caught
            }
            Some(_) => Unwound::Ended,
            None => self.unwind(failure),
        }
    }

    /// Goes to the handler of an error, or to what comes after a `break`.
    fn unwind(&mut self, mut failure: Failure) -> Unwound {
        failure.at = failure.at.or_else(|| Some(self.at_in_program()));
        let mut ended = Vec::new();
        while let Some(resume) = self.pop_fork() {
            match resume {
                Resume::TryEnd(of) => ended.push(of),
                Resume::Label(label) if failure.kind == ErrorKind::Break(label) => {
                    return Unwound::Ended;
                }
                Resume::Try(at) if !failure.kind.is_final() => {
                    if ended.contains(&self.forks.len()) {
                        continue;
                    }
                    self.at = at;
                    self.values.replace(failure.value);
                    return Unwound::Caught;
                }
                Resume::Missing(at, found)
                    if failure.kind.is_missing() && !self.holds_true(found) =>
                {
                    self.at = at;
                    return Unwound::Caught;
                }
                Resume::Handle(at, all) if failure.kind.is_handled(all) => {
                    self.at = at;
                    return Unwound::Caught;
                }
                Resume::TryAlternative(at) if !failure.kind.is_final() => {
                    self.at = at;
                    return Unwound::Caught;
                }
                _ => {}
            }
        }
        Unwound::Uncaught(failure)
    }
}

/// What an error leads to.
enum Unwound {
    /// The program goes on.
    Caught,
    /// The program goes on with the newest alternative.
    Ended,
    Uncaught(Failure),
}

/// What an instruction results in.
type Result<T> = std::result::Result<T, Stop>;

/// Why an instruction does not go on to the next.
enum Stop {
    Backtrack,
    Failure(Box<Failure>),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(Box::new(failure))
    }
}
