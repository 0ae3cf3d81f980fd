//! The instructions of the machine.

use super::stack::Held;
use super::{Machine, Result, Resume, STEPS_CHECKED, Stop};
use crate::builtins;
use crate::compile::op::{Op, Slot};
use crate::error::{Failure, Kind as ErrorKind, described};
use crate::host::Host;
use crate::syntax::tree::BinaryOp;
use crate::value::{Array, Number, Object, Value};
use std::sync::Arc;

impl Machine {
    /// Runs one instruction. Returns whether the program goes on; otherwise the top is an output.
    #[inline]
    pub(super) fn step(&mut self, host: &mut dyn Host) -> Result<bool> {
        self.count_step()?;
        let op = self.code.ops[self.at as usize];
        self.at += 1;
        match op {
            Op::Dup => self.values.push(self.values.peek().clone()),
            Op::Pop => drop(self.values.pop_item()),
            Op::Const(constant) => self.constant(constant),
            Op::Sub => self.sub(),
            Op::EndSub => self.end_sub(),
            Op::Untrack => self.pause(1),
            Op::Track => self.pause(-1),
            Op::Field { name, quiet } => self.field(name, quiet)?,
            Op::Index { quiet } => {
                let key = self.values.pop_below();
                self.index(key, quiet)?;
            }
            Op::Slice { quiet } => self.slice(quiet)?,
            Op::Each { quiet } => self.iterate(quiet)?,
            Op::Fork(at) => self.fork(Resume::At(at)),
            Op::ForkMissing(at, found) => self.fork(Resume::Missing(at, found)),
            Op::Jump(at) => self.at = at,
            Op::JumpIfFalse(at) if !self.values.pop_below().is_true() => self.at = at,
            Op::JumpIfTrue(at) if self.values.pop_below().is_true() => self.at = at,
            Op::JumpIfFalse(_) | Op::JumpIfTrue(_) => {}
            Op::BacktrackIfFalse if !self.values.pop_below().is_true() => {
                return Err(Stop::Backtrack);
            }
            Op::BacktrackIfFalse => {}
            Op::Backtrack => return Err(Stop::Backtrack),
            Op::Load(slot) => self.load(slot),
            Op::Take(Slot { out, index }) => {
                let value = self.take(out, index);
                self.values.replace(value);
            }
            Op::Store(slot) => {
                let value = self.values.pop();
                *self.frames.slot(0, slot) = Held::Value(value);
            }
            Op::Append(slot) => self.append(slot),
            Op::Binary(operator) => self.binary(operator)?,
            Op::BinaryConst(operator, constant) => self.binary_constant(operator, constant)?,
            Op::Call { function, out, args, count } => self.call(function, out, args, count)?,
            Op::TailCall { function, out, args, count } => {
                self.tail_call(function, out, args, count)?;
            }
            Op::CallParameter(slot) => self.call_parameter(slot, self.at)?,
            Op::Return => self.at = self.frames.leave(),
            Op::Native { native, count } => self.native(native, count, host)?,
            Op::Message { name, native, count, how } => {
                self.message(name, native, count, how, host)?;
            }
            Op::Access(absent) => self.access(absent)?,
            Op::End => return Ok(false),
            op => self.variable_step(op, host)?,
        }
        Ok(true)
    }

    /// Runs an instruction about variables and alternatives, or another one.
    fn variable_step(&mut self, op: Op, host: &mut dyn Host) -> Result<()> {
        match op {
            Op::Swap => self.swap(),
            Op::PushNull => self.values.push(Value::Null),
            Op::StoreBelow(slot) => {
                let value = self.values.pop_below();
                *self.frames.slot(0, slot) = Held::Value(value);
            }
            Op::Clear(slot) => *self.frames.slot(0, slot) = Held::Value(Value::Null),
            Op::NewArray(slot) => {
                *self.frames.slot(0, slot) = Held::Value(Value::array(Vec::new()));
            }
            Op::NewArrayFrom(slot) => {
                let origin = self.values.peek().source();
                let array = Array { entries: Vec::new(), origin };
                *self.frames.slot(0, slot) = Held::Value(Value::Array(Arc::new(array)));
            }
            Op::KeepTrue(slot) => self.keep_true(slot)?,
            Op::JumpUnless(slot, at) if !self.holds_true(slot) => self.at = at,
            Op::JumpUnless(..) => {}
            Op::Try(at) => {
                self.fork(Resume::Try(at));
                self.values.push_mark(self.forks.len() as u64 - 1);
            }
            Op::EndTry => {
                let of = self.values.pop_mark();
                self.fork(Resume::TryEnd(of as usize));
            }
            Op::TryAlternative(at) => self.fork(Resume::TryAlternative(at)),
            Op::Handle { at, all } => self.fork(Resume::Handle(at, all)),
            Op::Count(slot) => self.count(slot),
            Op::Label(slot) => {
                self.labels += 1;
                *self.frames.slot(0, slot) = Held::Mark(self.labels);
                self.fork(Resume::Label(self.labels));
            }
            Op::Break(slot) => return Err(self.break_to(slot)),
            Op::Mark(slot) => *self.frames.slot(0, slot) = Held::Mark(self.forks.len() as u64),
            Op::Cut(slot) => self.cut(slot),
            op => self.value_step(op, host)?,
        }
        Ok(())
    }

    /// Runs an instruction that makes a value, or follows a path.
    fn value_step(&mut self, op: Op, host: &mut dyn Host) -> Result<()> {
        match op {
            Op::Insert => self.insert()?,
            Op::AddTo(slot) => self.add_to(slot)?,
            Op::Truth => self.values.replace(Value::Bool(self.values.peek().is_true())),
            Op::Not => self.values.replace(Value::Bool(!self.values.peek().is_true())),
            Op::Negate => self.negate()?,
            Op::Join(count) => self.join(count),
            Op::Format(format) => {
                let value = self.values.pop();
                self.values.push(builtins::formatted(format, &value)?);
            }
            Op::UnknownFormat(name) => {
                let name = self.code.constants[name as usize].as_text().unwrap_or_default();
                return Err(builtins::unknown_format(&name).into());
            }
            Op::Range => self.start_range()?,
            Op::Path { creates } => self.start_path(creates),
            Op::EndPath => self.end_path()?,
            Op::LastPath(start) => self.last_path(start),
            Op::NextPath { start, end } => self.next_path(start, end)?,
            Op::GetPath => self.get_path()?,
            Op::TakeAt { state, path } => self.take_at(state, path)?,
            Op::PutAt { state, path } => self.put_at(state, path)?,
            Op::DeleteAll(slot) => self.delete_all(slot)?,
            Op::Input => self.input(host)?,
            Op::Entries { .. } => {
                self.fork(Resume::Entries);
                return Err(Stop::Backtrack);
            }
            Op::Error => {
                let value = self.values.pop();
                return Err(Failure::raised(ErrorKind::Raised, value).into());
            }
            _ => {}
        }
        Ok(())
    }

    /// Counts a step, and checks from time to time whether the program may go on.
    #[inline]
    fn count_step(&mut self) -> Result<()> {
        self.steps.count += 1;
        if self.steps.count <= self.steps.checked { Ok(()) } else { self.check_steps() }
    }

    /// Fails if the program has made all steps that it may, or if the host ends it.
    #[cold]
    fn check_steps(&mut self) -> Result<()> {
        self.steps.checked = (self.steps.count + STEPS_CHECKED).min(self.limits.steps);
        if self.steps.count <= self.limits.steps {
            return match self.limits.interrupt.is_some_and(|interrupt| interrupt()) {
                true => Err(Failure::new(ErrorKind::Interrupted, "interrupted").into()),
                false => Ok(()),
            };
        }
        let message = format!("more than {} steps (option --max-steps)", self.limits.steps);
        Err(Failure::new(ErrorKind::TooManySteps, message).into())
    }

    /// Replaces the top with a constant.
    #[inline]
    fn constant(&mut self, constant: u32) {
        let value = self.code.constants[constant as usize].clone();
        self.values.replace(value);
    }

    /// Starts a subexpression.
    #[inline]
    fn sub(&mut self) {
        self.values.push(self.values.peek().clone());
        self.pause(1);
    }

    /// Ends a subexpression.
    #[inline]
    fn end_sub(&mut self) {
        self.swap();
        self.pause(-1);
    }

    /// Exchanges the top and what is below it.
    #[inline]
    fn swap(&mut self) {
        let top = self.values.pop();
        let below = self.values.pop();
        self.values.push(top);
        self.values.push(below);
    }

    /// Replaces the top with the value of a variable.
    #[inline]
    fn load(&mut self, Slot { out, index }: Slot) {
        let value = match self.frames.slot(out, index) {
            Held::Value(value) => value.clone(),
            _ => Value::Null,
        };
        self.values.replace(value);
    }

    /// Appends the top to the array in a variable.
    #[inline]
    fn append(&mut self, slot: u16) {
        let value = self.values.pop();
        if let Held::Value(Value::Array(array)) = self.frames.slot(0, slot) {
            Array::make_mut(array).push(value.detached());
        }
    }

    /// Applies an operator to the top and what is below it.
    #[inline]
    fn binary(&mut self, operator: BinaryOp) -> Result<()> {
        let left = self.values.pop();
        let right = self.values.pop();
        let value = builtins::binary(operator, left, right, &self.limits)?;
        self.values.push(value);
        Ok(())
    }

    /// Applies an operator to the top and a constant.
    #[inline]
    fn binary_constant(&mut self, operator: BinaryOp, constant: u32) -> Result<()> {
        let left = self.values.pop();
        let right = self.code.constants[constant as usize].clone();
        let value = builtins::binary(operator, left, right, &self.limits)?;
        self.values.push(value);
        Ok(())
    }

    /// Backtracks unless the top is true, and notes that it is.
    fn keep_true(&mut self, slot: u16) -> Result<()> {
        if !self.values.peek().is_true() {
            return Err(Stop::Backtrack);
        }
        *self.frames.slot(0, slot) = Held::Value(Value::Bool(true));
        Ok(())
    }

    /// Returns whether a variable has a true value.
    pub(super) fn holds_true(&mut self, slot: u16) -> bool {
        matches!(self.frames.slot(0, slot), Held::Value(value) if value.is_true())
    }

    /// Returns what ends the label in a variable.
    fn break_to(&mut self, Slot { out, index }: Slot) -> Stop {
        let label = match self.frames.slot(out, index) {
            Held::Mark(label) => *label,
            _ => 0,
        };
        Failure::new(ErrorKind::Break(label), "break").into()
    }

    /// Drops the alternatives since a mark.
    fn cut(&mut self, slot: u16) {
        if let Held::Mark(forks) = *self.frames.slot(0, slot) {
            self.forks.truncate(forks as usize);
            self.set_floors();
        }
    }

    /// `-`.
    fn negate(&mut self) -> Result<()> {
        let value = self.values.pop();
        let Some(number) = value.as_number() else {
            let message = format!("{} cannot be negated", described(&value));
            return Err(Failure::new(ErrorKind::WrongKind, message).about(&value).into());
        };
        self.values.push(Value::Number(number.negate()));
        Ok(())
    }

    /// Starts a range, whose start, end and step are below the top.
    fn start_range(&mut self) -> Result<()> {
        drop(self.values.pop());
        let [by, to, from] = [self.values.pop(), self.values.pop(), self.values.pop()];
        let [Some(from), Some(to), Some(by)] = [from, to, by].map(|value| value.as_number()) else {
            let message = "Range bounds must be numeric";
            return Err(Failure::new(ErrorKind::WrongKind, message).into());
        };
        self.range(from, to, by).then_some(()).ok_or(Stop::Backtrack)
    }

    /// Replaces the top with the next input.
    fn input(&mut self, host: &mut dyn Host) -> Result<()> {
        match host.input() {
            Some(input) => self.values.replace(input?),
            None => return Err(Failure::new(ErrorKind::Raised, "break").into()),
        }
        Ok(())
    }

    /// Puts the next number of a range on the stack. Returns whether there is one.
    pub(super) fn range(&mut self, next: Number, to: Number, by: Number) -> bool {
        let order = next.compare(&to);
        let goes_on = match by.is_zero() {
            true => order.is_lt(),
            false if by.is_negative() => order.is_gt(),
            false => order.is_lt(),
        };
        if !goes_on || next.is_nan() {
            return false;
        }
        let after = match self.limits.floats {
            true => Ok(Number::from_f64(next.to_f64() + by.to_f64())),
            false => next.add(&by, self.limits.digits),
        };
        if let Ok(after) = after {
            self.fork(Resume::Range { next: after, to, by });
        }
        self.values.push(Value::Number(next));
        true
    }

    /// Changes the number of open subexpressions.
    #[inline]
    pub(super) fn pause(&mut self, by: i32) {
        if let Some(tracked) = &mut self.tracked {
            tracked.paused = tracked.paused.wrapping_add_signed(by);
        }
    }

    /// Takes the value of a variable.
    pub(super) fn take(&mut self, out: u16, index: u16) -> Value {
        match std::mem::replace(self.frames.slot(out, index), Held::Value(Value::Null)) {
            Held::Value(value) => value,
            Held::Text(text) => text.into(),
            _ => Value::Null,
        }
    }

    /// Adds the top to the value in a variable. Texts are added in place.
    fn add_to(&mut self, slot: u16) -> Result<()> {
        let value = self.values.pop();
        let held = self.frames.slot(0, slot);
        if let Some(more) = value.borrow_text() {
            if let Held::Value(sum) = held
                && let Some(text) = sum.borrow_text()
            {
                *held = Held::Text(text.into_owned());
            }
            if let Held::Text(sum) = held {
                sum.push_str(&more);
                return Ok(());
            }
        }
        let sum = self.take(0, slot);
        let sum = builtins::binary(BinaryOp::Add, sum, value, &self.limits)?;
        *self.frames.slot(0, slot) = Held::Value(sum.detached());
        Ok(())
    }

    /// Adds the key and the value below the top to the object below them.
    fn insert(&mut self) -> Result<()> {
        let input = self.values.pop();
        let value = self.values.pop();
        let key = self.values.pop();
        let object = self.values.pop();
        let Some(key) = key.as_text() else {
            let message = format!("Cannot use {} as object key", described(&key));
            return Err(Failure::new(ErrorKind::WrongKind, message).into());
        };
        if let Value::Object(mut object) = object {
            Object::make_mut(&mut object).insert(key, value.detached());
            self.values.push(Value::Object(object));
        }
        self.values.push(input);
        Ok(())
    }

    /// Joins texts from below the top.
    fn join(&mut self, count: u32) {
        drop(self.values.pop_item());
        let mut text = String::new();
        for _ in 0..count {
            text.push_str(&self.values.pop().as_text().unwrap_or_default());
        }
        self.values.push(text.into());
    }
}
