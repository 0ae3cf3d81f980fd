//! The machine that runs compiled programs.
//!
//! It never recurses on the program or the data: values, frames and alternatives are on stacks of their own. A *fork*
//! notes the tops of the others, and backtracking returns to it, so both cost little however much is on the stacks.

mod access;
mod calls;
mod stack;
mod step;
mod tracked;

use crate::compile::Code;
use crate::error::{Failure, Kind as ErrorKind};
use crate::host::{Host, Limits};
use crate::value::{Number, Value};
use stack::{Frames, Held, Stack};
use std::sync::Arc;
use tracked::Tracked;

/// What backtracking to a fork does.
#[derive(Debug)]
enum Resume {
    /// Goes on at the address.
    At(u32),
    /// Puts the next entry of a collection on the stack.
    Each { value: Value, next: usize, quiet: bool },
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
    steps: u64,
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
            steps: 0,
            is_waiting: false,
            globals,
        }
    }

    /// Starts the program on an input. What an earlier run has left is dropped.
    pub fn start(&mut self, input: Value) {
        self.values = Stack::default();
        self.frames = Frames::default();
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
        if self.forks.is_empty() || std::mem::take(&mut self.is_waiting) && !self.backtrack() {
            return None;
        }
        loop {
            match self.step(host) {
                Ok(true) => {}
                Ok(false) => {
                    let value = self.values.pop();
                    self.is_waiting = true;
                    return Some(Ok(value));
                }
                Err(Stop::Backtrack) => {
                    if !self.backtrack() {
                        return None;
                    }
                }
                Err(Stop::Failure(failure)) => match self.unwind(*failure) {
                    Unwound::Caught => {}
                    Unwound::Ended => return None,
                    Unwound::Uncaught(failure) => {
                        self.forks.clear();
                        return Some(Err(failure));
                    }
                },
            }
        }
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
    fn backtrack(&mut self) -> bool {
        while let Some(resume) = self.pop_fork() {
            match resume {
                Resume::At(at) => {
                    self.at = at;
                    return true;
                }
                Resume::Each { value, next, quiet } => {
                    if self.each(value, next, quiet) {
                        return true;
                    }
                }
                Resume::Range { next, to, by } => {
                    if self.range(next, to, by) {
                        return true;
                    }
                }
                Resume::Try(_)
                | Resume::TryEnd(_)
                | Resume::TryAlternative(_)
                | Resume::Label(_) => {}
            }
        }
        false
    }

    /// Goes to the handler of an error, or to what comes after a `break`.
    fn unwind(&mut self, mut failure: Failure) -> Unwound {
        failure.at = failure.at.or(Some(self.at.wrapping_sub(1)));
        let mut ended = Vec::new();
        while let Some(resume) = self.pop_fork() {
            match resume {
                Resume::TryEnd(of) => ended.push(of),
                Resume::Label(label) if failure.kind == ErrorKind::Break(label) => {
                    return if self.backtrack() { Unwound::Caught } else { Unwound::Ended };
                }
                Resume::Try(at) if !failure.kind.is_final() => {
                    if ended.contains(&self.forks.len()) {
                        continue;
                    }
                    self.at = at;
                    self.values.replace(failure.value);
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
    /// There is no other alternative.
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
