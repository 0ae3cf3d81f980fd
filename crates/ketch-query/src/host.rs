//! What programs get from outside: bounds, inputs and the environment.

use crate::error::Failure;
use crate::json::Entry;
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
    /// Whether numbers are computed in binary64, as jq does, instead of exactly.
    pub floats: bool,
    /// Called after every 65,536 instructions. If it returns true, the run ends with the error
    /// [`Interrupted`](crate::ErrorKind::Interrupted).
    pub interrupt: Option<fn() -> bool>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            frames: 1_000_000,
            digits: 100_000,
            text_bytes: 1 << 30,
            floats: false,
            interrupt: None,
        }
    }
}

/// What happens to missing values that no message handles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// They are errors.
    #[default]
    Error,
    /// They are null.
    Null,
    /// The element of a block, or the result, is left out.
    Skip,
}

/// How ratios are written that are no decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ratios {
    /// Not at all: they are errors.
    #[default]
    Error,
    /// As texts, such as `1/3`.
    Text,
    /// As decimals with this number of places.
    Places(u32),
}

/// Options of runs of messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageOptions {
    /// What happens to missing values.
    pub missing: Missing,
    /// How ratios are written.
    pub ratios: Ratios,
}

/// What programs get from outside while they run.
pub trait Host {
    /// Returns the next input, or `None` at the end.
    fn input(&mut self) -> Option<Result<Value, Failure>>;

    /// Returns the next entry of the input, for runs that read it [entry by entry](crate::Query::run_entries).
    fn entry(&mut self) -> Option<Result<Entry, Failure>> {
        None
    }

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
