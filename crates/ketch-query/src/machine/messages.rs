//! Messages to values, and access to elements that may be missing.

use super::{Machine, Result, Resume, Stop};
use crate::builtins::{Context, messages};
use crate::compile::op::{Absent, How};
use crate::error::Failure;
use crate::host::{Host, Missing};
use crate::path;
use crate::value::{Kind, Value};

impl Machine {
    /// Sends a message to what is below its arguments.
    pub(super) fn message(
        &mut self,
        name: u32,
        native: u16,
        count: u8,
        how: How,
        host: &mut dyn Host,
    ) -> Result<()> {
        let name = self.code.constants[name as usize].clone();
        let mut args: Vec<Value> = (0..count).map(|_| self.values.pop()).collect();
        args.reverse();
        let receiver = self.values.pop();
        let text = name.as_text().unwrap_or_default();
        let is_name = matches!(how, How::Name | How::OptionalName);
        let is_known = messages::is_understood(native, &receiver);
        if is_name && let Some(found) = receiver.field(&text) {
            if is_known && self.warned.insert(self.at) {
                host.message(&format!(
                    "warning: the key `{text}` hides a message: write `{text}()`\n"
                ));
            }
            self.values.push(found);
            return Ok(());
        }
        if is_name && &*text == "skip" {
            return Err(Stop::Backtrack);
        }
        let has_keys = matches!(receiver.kind(), Kind::Object | Kind::Null);
        let result = if is_name && has_keys && !is_known {
            self.check_present(&receiver, &name).map(|()| Value::Null)
        } else {
            let mut context = Context { limits: &self.limits, host, messages: self.messages };
            messages::send(native, &text, receiver, args, &mut context).map_err(Stop::from)
        };
        let is_optional = matches!(how, How::OptionalName | How::OptionalCall);
        match result {
            Err(Stop::Failure(failure)) if is_optional && failure.kind.is_missing() => {
                self.values.push(Value::Null);
            }
            result => self.values.push(result?),
        }
        Ok(())
    }

    /// Takes the element at the top of what is below it.
    pub(super) fn access(&mut self, absent: Absent) -> Result<()> {
        let mut key = self.values.pop();
        let value = self.values.pop();
        let found = (|| {
            if value.kind() == Kind::Object {
                key = Value::Text(messages::key_text(&key)?);
            }
            let found = path::element(&value, &key).map_err(|failure| failure.about(&value))?;
            self.check_present(&value, &key)?;
            Ok(found)
        })();
        match (found, absent) {
            (Ok(found), _) => self.values.push(found),
            (Err(Stop::Failure(_)), Absent::IsNull) => self.values.push(Value::Null),
            (Err(Stop::Failure(_)), Absent::Backtracks) => return Err(Stop::Backtrack),
            (Err(stop), _) => return Err(stop),
        }
        Ok(())
    }

    /// Returns what replaces a missing value that no handler takes, if there is something.
    pub(super) fn replaces(&self, failure: &Failure) -> Option<Missing> {
        let handles = |resume: &Resume| matches!(resume, Resume::Handle(..));
        let is_missing = failure.kind.is_missing() && self.messages.missing != Missing::Error;
        let is_handled = is_missing && self.forks.iter().any(|fork| handles(&fork.resume));
        (is_missing && !is_handled).then_some(self.messages.missing)
    }

    /// Adds one to the number in a variable.
    pub(super) fn count(&mut self, slot: u16) {
        let next = self.take(0, slot).as_number().map_or(0, |number| number.truncated_i64() + 1);
        *self.frames.slot(0, slot) = super::Held::Value(next.into());
    }
}
