//! Calls of functions and builtins.

use super::stack::Held;
use super::{Machine, Result};
use crate::builtins::{self, Context};
use crate::compile::op::{Argument, Slot};
use crate::error::{Failure, Kind as ErrorKind};
use crate::host::Host;
use crate::value::Value;

impl Machine {
    /// Returns what a call passes on.
    fn arguments(&mut self, args: u32, count: u16) -> Vec<Held> {
        let code = self.code.clone();
        let given = &code.arguments[args as usize..args as usize + count as usize];
        let frame = self.frames.current;
        given
            .iter()
            .map(|argument| match *argument {
                Argument::Function(function) => Held::Closure { function, frame },
                Argument::Parameter(Slot { out, index }) => self.frames.slot(out, index).clone(),
            })
            .collect()
    }

    /// Calls a function.
    pub(super) fn call(&mut self, function: u32, out: u16, args: u32, count: u16) -> Result<()> {
        let given = self.arguments(args, count);
        let outer = self.frames.around(out);
        self.enter(function, outer, self.at, given)
    }

    /// Calls a function whose result is that of the current one, whose frame is not needed any more.
    pub(super) fn tail_call(
        &mut self,
        function: u32,
        out: u16,
        args: u32,
        count: u16,
    ) -> Result<()> {
        let given = self.arguments(args, count);
        let outer = self.frames.around(out);
        if outer == self.frames.current {
            return self.enter(function, outer, self.at, given);
        }
        let resume = self.frames.leave();
        self.enter(function, outer, resume, given)
    }

    /// Calls a parameter.
    pub(super) fn call_parameter(&mut self, slot: Slot, resume: u32) -> Result<()> {
        match *self.frames.slot(slot.out, slot.index) {
            Held::Closure { function, frame } => self.enter(function, frame, resume, Vec::new()),
            _ => Ok(()),
        }
    }

    /// Starts a function.
    fn enter(&mut self, function: u32, outer: u32, resume: u32, given: Vec<Held>) -> Result<()> {
        if self.frames.frames.len() >= self.limits.frames {
            let message = format!(
                "more than {} calls in one another (option --max-frames)",
                self.limits.frames
            );
            return Err(Failure::new(ErrorKind::TooManyFrames, message).into());
        }
        let entered = self.code.functions[function as usize];
        self.frames.enter(outer, resume, given.into_iter(), entered.slots);
        self.at = entered.entry;
        Ok(())
    }

    /// Calls a builtin.
    pub(super) fn native(&mut self, native: u16, count: u8, host: &mut dyn Host) -> Result<()> {
        let input = self.values.pop();
        let args: Vec<Value> = (0..count).map(|_| self.values.pop()).collect();
        let mut context = Context { limits: &self.limits, host, messages: self.messages };
        let value = builtins::call(native, input, args, &mut context)?;
        self.values.push(value);
        Ok(())
    }
}
