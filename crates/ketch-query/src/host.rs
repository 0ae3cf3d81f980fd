//! What programs get from outside: bounds, inputs and the environment.

use crate::error::Failure;
use crate::modules::{Modules, NoModules};
use crate::value::Value;
use std::sync::Arc;

/// Bounds of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of instructions of a run.
    pub steps: u64,
    /// The maximum number of calls in one another.
    pub frames: usize,
    /// The maximum number of digits of a number that is computed.
    pub digits: u64,
    /// The maximum number of bytes of a text that `*` repeats.
    pub text_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: u64::MAX, frames: 1_000_000, digits: 100_000, text_bytes: 1 << 30 }
    }
}

/// What programs get from outside while they run.
pub trait Host {
    /// Returns the next input, or `None` at the end.
    fn input(&mut self) -> Option<Result<Value, Failure>>;

    /// Takes a message of `debug`, `stderr` or `input_line_number`.
    fn message(&mut self, text: &str);

    /// Returns the name of the file that the last input came from.
    fn input_name(&self) -> Option<Arc<str>>;

    /// Returns the modules that `modulemeta` looks at.
    fn modules(&self) -> &dyn Modules {
        &NoModules
    }

    /// Returns the variables of the environment, if programs may see them.
    fn environment(&self) -> Option<Value>;
}

/// A host without inputs, environment and modules. It drops messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn input(&mut self) -> Option<Result<Value, Failure>> {
        None
    }

    fn message(&mut self, _: &str) {}

    fn input_name(&self) -> Option<Arc<str>> {
        None
    }

    fn environment(&self) -> Option<Value> {
        None
    }
}
