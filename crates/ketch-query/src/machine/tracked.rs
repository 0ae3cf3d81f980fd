//! The path that a filter takes.

use crate::value::Value;
use std::sync::Arc;

/// The path that a filter has taken so far.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The keys, the last one first.
    pub keys: Option<Arc<Link>>,
    /// The value that the last step has reached.
    pub reached: Value,
    /// The number of open subexpressions, whose steps do not count.
    pub paused: u32,
}

/// A key of a path, after those before it.
#[derive(Debug)]
pub struct Link {
    key: Value,
    before: Option<Arc<Link>>,
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(link) = before {
            before = Arc::into_inner(link).and_then(|mut link| link.before.take());
        }
    }
}

impl Tracked {
    /// Starts at `value`.
    pub fn at(value: Value) -> Tracked {
        Tracked { keys: None, reached: value, paused: 0 }
    }

    /// Adds a step.
    pub fn step(&mut self, key: Value, reached: Value) {
        self.keys = Some(Arc::new(Link { key, before: self.keys.take() }));
        self.reached = reached;
    }

    /// Returns the keys as an array.
    pub fn path(&self) -> Value {
        let mut keys = Vec::new();
        let mut link = self.keys.as_ref();
        while let Some(at) = link {
            keys.push(at.key.clone());
            link = at.before.as_ref();
        }
        keys.reverse();
        Value::array(keys)
    }
}
