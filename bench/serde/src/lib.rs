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
    /// Does it, and drops what it has made. What it returns has to be the same each time.
    pub run: Box<dyn Fn() -> usize + 'i>,
    /// What it makes.
    pub made: Box<dyn Fn() -> Result<Made, String> + 'i>,
}
