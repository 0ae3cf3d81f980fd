//! The path that a filter takes.

use crate::path::Link;
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
    /// Whether missing keys are created, so that they are no errors.
    pub creates: bool,
}

impl Tracked {
    /// Starts at `value`.
    pub fn at(value: Value, creates: bool) -> Tracked {
        Tracked { keys: None, reached: value, paused: 0, creates }
    }

    /// Adds a step.
    pub fn step(&mut self, key: Value, reached: Value) {
        self.keys = Link::after(self.keys.take(), key);
        self.reached = reached;
    }

    /// Returns the keys as an array.
    pub fn path(&self) -> Value {
        Value::array(Link::keys(&self.keys))
    }
}
