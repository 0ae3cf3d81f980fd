//! What is read and written by whom: the engines, the types, and the data that they are checked by.

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

/// What one engine does with one input: it runs, and it tells what it has made of it.
pub struct Task<'i, Made> {
    /// The engine.
    pub engine: &'static str,
    /// Does it.
    pub run: Box<dyn Fn() -> Done<'i> + 'i>,
    /// What it makes.
    pub made: Box<dyn Fn() -> Result<Made, String> + 'i>,
}

/// What comes out of a run.
pub struct Done<'i> {
    /// How much it is: the same each time.
    pub count: usize,
    /// The thing itself, for whoever measures to drop.
    pub made: Box<dyn Anything + 'i>,
}

impl<'i> Done<'i> {
    /// So much of a thing.
    pub fn new(count: usize, made: impl Sized + 'i) -> Done<'i> {
        Done { count, made: Box::new(made) }
    }
}

/// What can be dropped.
pub trait Anything {}

impl<T> Anything for T {}
