//! Follows a path to the entries of a collection, which are read one by one.

use super::reader::{Reader, Result};
use super::steps::{Entry, Level, OTHERS_MAX, Step};
use crate::value::{CellKind, Entries, Value, shared_key, unescaped};
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::BuildHasher;

impl Reader {
    /// Starts following a path in the next document, after the rest of the one before. Returns whether there is one.
    pub fn start_entries(&mut self) -> Result<bool> {
        if self.is_broken {
            return Ok(false);
        }
        let started = self.find_document();
        self.is_broken = started.is_err();
        started
    }

    fn find_document(&mut self) -> Result<bool> {
        match self.walk.root.take() {
            Some(root) => self.skip(Some(root))?,
            None => self.leave_all()?,
        }
        self.walk.root = self.mark()?;
        Ok(self.walk.root.is_some())
    }

    /// Returns the next entry of the document, or `None` after the last one.
    pub fn next_entry(&mut self, path: &[Step]) -> Result<Option<Entry>> {
        if self.is_broken {
            return Ok(None);
        }
        let entry = self.find_entry(path);
        self.is_broken = entry.is_err();
        entry
    }

    fn find_entry(&mut self, path: &[Step]) -> Result<Option<Entry>> {
        if let Some(root) = self.walk.root.take()
            && let Some(entry) = self.enter(root, 0, path)?
        {
            return Ok(Some(entry));
        }
        while let Some(level) = self.walk.levels.last_mut() {
            let (is_object, is_new) = (level.is_object, std::mem::take(&mut level.is_new));
            let mut mark = self.inner_mark()?;
            match (self.buffer.bytes[mark], is_object) {
                (b']', false) | (b'}', true) => {
                    if let Some(missing) = self.leave(path) {
                        return Ok(Some(missing));
                    }
                    continue;
                }
                (b',', _) if !is_new => mark = self.inner_mark()?,
                _ if is_new => {}
                _ => return Err(self.problem(Some(mark), "Expected separator between values")),
            }
            let step = self.walk.levels.len();
            let is_on_path = !is_object || self.is_on_path(mark, &path[step - 1])?;
            if is_object {
                mark = self.colon()?;
            }
            if !is_on_path {
                self.skip(Some(mark))?;
            } else if let Some(entry) = self.enter(mark, step, path)? {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// Skips what is left of the collections on the path.
    fn leave_all(&mut self) -> Result<()> {
        if self.walk.levels.is_empty() {
            return Ok(());
        }
        for level in std::mem::take(&mut self.walk.levels) {
            self.reopen(level.is_object);
        }
        self.skip(None)
    }

    /// Enters the value at `mark` if the path leads on in it, or else reads it.
    fn enter(&mut self, mark: usize, steps: usize, path: &[Step]) -> Result<Option<Entry>> {
        let is_object = match (path.get(steps), self.buffer.bytes[mark]) {
            (Some(Step::Each), b'[') => false,
            (Some(_), b'{') => true,
            _ => return Ok(Some(Entry { value: self.read(mark)?, steps })),
        };
        self.buffer.start = mark;
        self.walk.levels.push(Level {
            is_object,
            is_new: true,
            is_found: false,
            others: Vec::new(),
            keys: HashSet::new(),
        });
        Ok(None)
    }

    /// Leaves the innermost collection. Returns the object, with its keys only, if the key of the step is missing.
    fn leave(&mut self, path: &[Step]) -> Option<Entry> {
        let level = self.walk.levels.pop()?;
        let steps = self.walk.levels.len();
        if level.is_found || path[steps] == Step::Each {
            return None;
        }
        let entries: Entries = level.others.into_iter().map(|key| (key, Value::Null)).collect();
        Some(Entry { value: Value::object(entries), steps })
    }

    /// Parses the key at `mark`, and returns whether the step goes to its value.
    fn is_on_path(&mut self, mark: usize, step: &Step) -> Result<bool> {
        self.buffer.start = mark;
        let (kind, range) = self.key(mark)?;
        let written = String::from_utf8_lossy(&self.buffer.bytes[self.buffer.start..][range]);
        let key = match kind {
            CellKind::Escaped => Cow::Owned(unescaped(&written)),
            _ => written,
        };
        let Some(level) = self.walk.levels.last_mut() else { return Ok(false) };
        let (is_on_path, is_repeated) = match step {
            Step::Each => {
                let (first, second) = &self.walk.hashers;
                (true, !level.keys.insert((first.hash_one(&*key), second.hash_one(&*key))))
            }
            Step::Key(name) if **name == *key => {
                (true, std::mem::replace(&mut level.is_found, true))
            }
            Step::Key(_) => {
                if level.others.len() < OTHERS_MAX {
                    level.others.push(shared_key(&key));
                }
                (false, false)
            }
        };
        if is_repeated {
            let problem = format!("Duplicate key {}", Value::text(key.into_owned()).to_json());
            return Err(self.problem(Some(self.buffer.start), &problem));
        }
        Ok(is_on_path)
    }
}
