//! The engines: one small adapter each, all implementing [`Engine`].
//!
//! An adapter uses its engine the way its authors do when they want speed: parsers and buffers are
//! reused where possible, and anything that a user can prepare before the input arrives happens in
//! [`Engine::prepare`], which is not timed.

mod foreign;
mod granit;
mod ketch;
mod ketch_tree;
#[cfg(has_libfyaml)]
mod libfyaml;
#[cfg(has_libyaml)]
mod libyaml;
mod memcpy;
mod noyalib;
mod rapidyaml;
mod saphyr;
mod simdjson;
mod unsafe_libyaml;
mod yaml_rust2;

/// The amount of work that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Events with spans; scalars need not be decoded. Engines that always decode them do so.
    Events,
    /// Events, and the text of every scalar with folds and escapes resolved.
    Decoded,
    /// The engine's own document tree, built and released.
    Tree,
}

/// The counts of one parse. Engines must agree on them before they are timed.
///
/// `repr(C)`: the layout of `tally_t` in `tally.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Tally {
    /// Documents.
    pub documents: u64,
    /// Sequences.
    pub sequences: u64,
    /// Mappings.
    pub mappings: u64,
    /// Scalars: keys, values, and the empty ones.
    pub scalars: u64,
    /// Aliases.
    pub aliases: u64,
    /// FNV-1a over every scalar's text, each followed by the byte 0xFF.
    pub text: u64,
}

impl Default for Tally {
    fn default() -> Self {
        let (documents, sequences, mappings, scalars, aliases) = (0, 0, 0, 0, 0);
        Self { documents, sequences, mappings, scalars, aliases, text: 0xcbf2_9ce4_8422_2325 }
    }
}

impl Tally {
    /// Adds one scalar's text to the hash. 0xFF is never part of UTF-8, so it ends a text.
    pub fn add_text(&mut self, text: &[u8]) {
        for &byte in text.iter().chain(&[0xFF]) {
            self.text = (self.text ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The parts of a [`Tally`] that an engine knows at a level; only those are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reports {
    /// False if aliases are expanded or resolved to their nodes.
    pub aliases: bool,
    /// False if scalars are not decoded, or only converted values are kept.
    pub text: bool,
}

/// One engine, or one variant of it.
pub trait Engine {
    /// Short name, with the variant if an engine has several.
    fn name(&self) -> &'static str;

    /// The engine's version, from the engine itself or the lock file.
    fn version(&self) -> String;

    /// Returns what the engine counts at `level`, or `None` if it does not support that level.
    fn reports(&self, level: Level) -> Option<Reports>;

    /// Returns whether the engine reads files with this name. By default, it reads all.
    fn reads(&self, _file: &str) -> bool {
        true
    }

    /// Sizes buffers for `input`, and creates reusable parsers. This is not timed.
    fn prepare(&mut self, _level: Level, _input: &[u8]) {}

    /// Cleans up after the previous parses. This is called before each series of parses, and is not
    /// timed.
    fn reset(&mut self, _level: Level) {}

    /// Returns the largest number of parses between two calls of [`Engine::reset`]. By default,
    /// there is no limit.
    fn parses_per_reset(&self, _level: Level) -> usize {
        usize::MAX
    }

    /// Timed: parses `input`, the engine's own copy, which it may modify. The [`PADDING`] bytes
    /// after it may be read.
    ///
    /// Returns a number that is the same for every correct parse of this input (events, nodes,
    /// ...), so that timed runs are also checked.
    ///
    /// # Errors
    ///
    /// Returns the engine's error message if it rejects `input`.
    fn run(&mut self, level: Level, input: &mut [u8]) -> Result<u64, String>;

    /// Untimed: parses `input` and counts everything, hashing the text of scalars.
    ///
    /// # Errors
    ///
    /// Returns the engine's error message if it rejects `input`.
    fn tally(&mut self, level: Level, input: &mut [u8]) -> Result<Tally, String>;
}

/// Returns the check number of an engine that counts while it parses.
fn outcome(tally: &Tally) -> u64 {
    tally.documents + tally.sequences + tally.mappings + tally.scalars + tally.aliases
}

/// The readable bytes after each input, for engines that read a little past the end. `tally.h` has
/// the same number.
pub const PADDING: usize = 64;

/// Every engine: Ketch, its rivals, and floors.
#[must_use]
pub fn all() -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    engines.extend(ketch::engines());
    engines.extend(ketch_tree::engines());
    engines.extend(rapidyaml::engines());
    #[cfg(has_libfyaml)]
    engines.extend(libfyaml::engines());
    #[cfg(has_libyaml)]
    engines.extend(libyaml::engines());
    engines.extend(unsafe_libyaml::engines());
    engines.extend(saphyr::engines());
    engines.extend(granit::engines());
    engines.extend(yaml_rust2::engines());
    engines.extend(noyalib::engines());
    engines.extend(simdjson::engines());
    engines.extend(memcpy::engines());
    engines
}

/// Returns the input as text, for engines that only accept that. Checking UTF-8 is part of their
/// work, as in engines that accept bytes.
fn text_of(input: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(input).map_err(|error| error.to_string())
}
