//! Access to the elements of values, and the path that it follows.

use super::each::{EachEntry, Entry};
use super::stack::{Held, Item};
use super::tracked::Tracked;
use super::{Machine, Result, Resume, Stop};
use crate::error::{Failure, Kind as ErrorKind, described, shown};
use crate::host::Host;
use crate::nearest::nearest;
use crate::path;
use crate::value::{Array, Entries, Kind, Value};
use std::sync::Arc;

impl Machine {
    /// `.[]`.
    pub(super) fn iterate(&mut self, quiet: bool) -> Result<()> {
        let value = self.values.pop();
        self.check_tracked(&value, "iterate through", None)?;
        if value.entry_count().is_none() {
            if quiet {
                return Err(Stop::Backtrack);
            }
            let message = format!("Cannot iterate over {}", described_null(&value));
            return Err(Failure::new(ErrorKind::WrongKind, message).about(&value).into());
        }
        self.each(value).then_some(()).ok_or(Stop::Backtrack)
    }

    /// Starts following the path of a filter.
    pub(super) fn start_path(&mut self, creates: bool) {
        let value = self.values.pop();
        let before = self.tracked.replace(Box::new(Tracked::at(value.clone(), creates)));
        self.values.push_item(Item::Tracked(before));
        self.values.push(value);
    }

    /// Replaces the result of a filter by its path.
    pub(super) fn end_path(&mut self) -> Result<()> {
        let value = self.values.pop();
        let path = match &self.tracked {
            Some(tracked) if tracked.reached.is_same(&value) => tracked.path(),
            _ => {
                let message = format!("Invalid path expression with result {}", shown(&value));
                return Err(Failure::new(ErrorKind::InvalidPath, message).into());
            }
        };
        if let Item::Tracked(before) = self.values.pop_item() {
            self.tracked = before;
        }
        self.values.push(path);
        Ok(())
    }

    /// Drops the fork after a mark, if it is the last one: the path has no alternatives.
    pub(super) fn last_path(&mut self, start: u16) {
        if let Held::Mark(start) = *self.frames.slot(0, start)
            && self.forks.len() as u64 == start + 1
        {
            self.forks.pop();
            self.set_floors();
            self.values.trim();
        }
    }

    /// Backtracks to the next path, or goes on at `end` with a new top if there is none.
    pub(super) fn next_path(&mut self, start: u16, end: u32) -> Result<()> {
        if let Held::Mark(start) = *self.frames.slot(0, start)
            && self.forks.len() as u64 > start
        {
            return Err(Stop::Backtrack);
        }
        self.values.push(Value::Null);
        self.at = end;
        Ok(())
    }

    /// Takes the value at a path out of a variable.
    pub(super) fn take_at(&mut self, state: u16, path: u16) -> Result<()> {
        let keys = self.keys(path)?;
        let mut value = self.take(0, state);
        let taken = path::take(&mut value, &keys.entries);
        *self.frames.slot(0, state) = Held::Value(value);
        self.values.push(taken?);
        Ok(())
    }

    /// Puts the top at a path of a variable.
    pub(super) fn put_at(&mut self, state: u16, path: u16) -> Result<()> {
        let keys = self.keys(path)?;
        let new = self.values.pop();
        let mut value = self.take(0, state);
        path::set(&mut value, &keys.entries, new.detached())?;
        *self.frames.slot(0, state) = Held::Value(value);
        Ok(())
    }

    /// Deletes the paths in a variable from the top.
    pub(super) fn delete_all(&mut self, slot: u16) -> Result<()> {
        if let Value::Array(paths) = self.take(0, slot)
            && !paths.entries.is_empty()
        {
            let mut value = self.values.pop();
            path::delete(&mut value, &paths.entries)?;
            self.values.push(value);
        }
        Ok(())
    }

    /// Returns the path in a variable.
    fn keys(&mut self, slot: u16) -> Result<Arc<Array>> {
        match self.frames.slot(0, slot) {
            Held::Value(Value::Array(keys)) => Ok(keys.clone()),
            _ => Err(path::not_an_array().into()),
        }
    }

    /// Fails if a path is followed and `value` is not what its last step has reached.
    pub(super) fn check_tracked(
        &self,
        value: &Value,
        what: &str,
        key: Option<&Value>,
    ) -> Result<()> {
        let Some(tracked) = &self.tracked else { return Ok(()) };
        if tracked.paused > 0 || tracked.reached.is_same(value) {
            return Ok(());
        }
        let target = match key {
            Some(key) => format!("access element {} of {}", shown(key), shown(value)),
            None => format!("{what} {}", shown(value)),
        };
        let message = format!("Invalid path expression near attempt to {target}");
        Err(Failure::new(ErrorKind::InvalidPath, message).into())
    }

    /// Adds a step to the path that is followed.
    #[inline]
    pub(super) fn follow(&mut self, key: impl FnOnce() -> Value, reached: &Value) {
        if let Some(tracked) = &mut self.tracked
            && tracked.paused == 0
        {
            tracked.step(key(), reached.clone());
        }
    }

    /// `.name`.
    #[inline]
    pub(super) fn field(&mut self, name: u32, quiet: bool) -> Result<()> {
        let is_plain = self.tracked.is_none();
        if is_plain
            && let Value::Text(name) = &self.code.constants[name as usize]
            && let Some(value) = self.values.peek().field(name)
        {
            self.values.replace(value);
            return Ok(());
        }
        let key = self.code.constants[name as usize].clone();
        self.index(key, quiet)
    }

    /// `.[key]`.
    pub(super) fn index(&mut self, key: Value, quiet: bool) -> Result<()> {
        let value = self.values.pop();
        self.check_tracked(&value, "access", Some(&key))?;
        match path::element(&value, &key) {
            Ok(found) => {
                if self.is_strict && !self.creates() {
                    match self.check_present(&value, &key) {
                        Err(_) if quiet => return Err(Stop::Backtrack),
                        checked => checked?,
                    }
                }
                self.follow(|| key, &found);
                self.values.push(found);
                Ok(())
            }
            Err(_) if quiet => Err(Stop::Backtrack),
            Err(failure) => Err(failure.about(&value).into()),
        }
    }

    /// Returns whether missing keys are created.
    fn creates(&self) -> bool {
        self.tracked.as_ref().is_some_and(|tracked| tracked.creates && tracked.paused == 0)
    }

    /// Fails if `value` has no element `key`.
    pub(super) fn check_present(&self, value: &Value, key: &Value) -> Result<()> {
        let (kind, is_present) = match (value.kind(), key.kind()) {
            (Kind::Object, Kind::Text) => {
                (ErrorKind::NoSuchKey, value.field(&key.as_text().unwrap_or_default()).is_some())
            }
            (Kind::Null, Kind::Text) => (ErrorKind::NoSuchKey, false),
            (Kind::Array, Kind::Number) => {
                let element = path::get(value, std::slice::from_ref(key));
                let is_null = element.is_ok_and(|value| value.kind() == Kind::Null);
                (ErrorKind::NoSuchIndex, !is_null || path::has_index(value, key))
            }
            (Kind::Null, Kind::Number) => (ErrorKind::NoSuchIndex, false),
            _ => return Ok(()),
        };
        if is_present {
            return Ok(());
        }
        let name = key.as_text().map_or_else(|| key.to_json(), |text| text.to_string());
        let message = match kind {
            ErrorKind::NoSuchKey => format!("no key `{name}`"),
            _ => format!("no index {name}"),
        };
        let mut failure = Failure::new(kind, message).about(value);
        if let Some(object) = value.as_object() {
            failure.nearest = nearest(&name, object.entries.keys().map(|key| &**key));
        }
        Err(failure.into())
    }

    /// `.[from:to]`.
    pub(super) fn slice(&mut self, quiet: bool) -> Result<()> {
        let value = self.values.pop();
        let to = self.values.pop();
        let from = self.values.pop();
        let key = || {
            let mut entries = Entries::new();
            entries.insert("start".into(), from.clone());
            entries.insert("end".into(), to.clone());
            Value::object(entries)
        };
        self.check_tracked(&value, "access", Some(&key()))?;
        let found = match value.kind() {
            Kind::Null | Kind::Array | Kind::Text => path::slice(&value, &from, &to),
            _ => path::element(&value, &key()),
        };
        match found {
            Ok(found) => {
                self.follow(key, &found);
                self.values.push(found);
                Ok(())
            }
            Err(_) if quiet => Err(Stop::Backtrack),
            Err(failure) => Err(failure.about(&value).into()),
        }
    }

    /// Puts the first entry of a collection on the stack. Returns whether there is one.
    pub(super) fn each(&mut self, value: Value) -> bool {
        // Without its document, so that the next entries are found fast.
        let value = if matches!(value, Value::Node(..)) { value.plain() } else { value };
        let mut entries = EachEntry::new(value);
        let Some(entry) = entries.next() else { return false };
        if entries.has_more() {
            self.fork(Resume::Each(entries));
        }
        self.put_entry(entry);
        true
    }

    /// Goes on with the next entry for the last fork, which is about the entries of a collection.
    pub(super) fn next_entry(&mut self) {
        let Some(fork) = self.forks.last_mut() else { return };
        let Resume::Each(entries) = &mut fork.resume else { return };
        let Some(entry) = entries.next() else { return };
        if entries.has_more() {
            self.resume_fork();
        } else {
            self.pop_fork();
        }
        self.put_entry(entry);
    }

    /// Replaces the top with the next entry of the input, for the last fork. Returns whether there is one.
    pub(super) fn next_input_entry(&mut self, host: &mut dyn Host) -> Result<bool> {
        self.resume_fork();
        match host.entry() {
            Some(Ok(entry)) => {
                self.at += entry.steps as u32;
                self.values.replace(entry.value);
                Ok(true)
            }
            Some(Err(failure)) => Err(failure.into()),
            None => Ok(false),
        }
    }

    /// Puts an entry of a collection on the stack.
    #[inline]
    fn put_entry(&mut self, entry: Entry) {
        if self.tracked.is_some() {
            self.follow(|| entry.key(), &entry.value);
        }
        self.values.push(entry.value);
    }

    /// `getpath`.
    pub(super) fn get_path(&mut self) -> Result<()> {
        let keys = self.values.pop_below();
        let value = self.values.pop();
        let Some(keys) = keys.as_array() else {
            return Err(path::not_an_array().into());
        };
        self.check_tracked(&value, "access", keys.entries.first())?;
        let found = path::get(&value, &keys.entries).map_err(|failure| failure.about(&value))?;
        if let Some(tracked) = &mut self.tracked
            && tracked.paused == 0
        {
            for key in &keys.entries {
                tracked.step(key.clone(), found.clone());
            }
            tracked.reached = found.clone();
        }
        self.values.push(found);
        Ok(())
    }
}

/// Returns the type and the start of a value, of which null has none.
fn described_null(value: &Value) -> String {
    match value.kind() {
        Kind::Null => "null (null)".to_owned(),
        _ => described(value),
    }
}
