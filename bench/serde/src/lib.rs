//! The engines, the types, and the data to check them.

pub mod data;
pub mod emitter;
pub mod inputs;
pub mod types;
pub mod values;
pub mod writing;

#[path = "../../src/clock.rs"]
pub mod clock;
#[path = "../../src/generate/mod.rs"]
pub mod generate;
#[path = "../../src/stats.rs"]
pub mod stats;

/// A task of one engine on one input: it runs, and returns its result.
pub struct Task<'i, Made> {
    /// The engine.
    pub engine: &'static str,
    /// Runs it.
    pub run: Box<dyn Fn() -> Done<'i> + 'i>,
    /// Its result.
    pub made: Box<dyn Fn() -> Result<Made, String> + 'i>,
}

/// The result of a run.
pub struct Done<'i> {
    /// Its size: the same for each call.
    pub count: usize,
    /// The value itself, to be dropped by the harness.
    pub made: Box<dyn Anything + 'i>,
}

impl<'i> Done<'i> {
    /// Creates the result with a size.
    pub fn new(count: usize, made: impl Sized + 'i) -> Done<'i> {
        Done { count, made: Box::new(made) }
    }
}

/// Any value that can be dropped.
pub trait Anything {}

impl<T> Anything for T {}
