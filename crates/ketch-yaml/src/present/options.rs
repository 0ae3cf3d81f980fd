//! Options of the presenter.

use crate::schema::Schema;
use ketch_bytes::Level;

/// Options of a [`Presenter`](super::Presenter).
///
/// ```
/// use ketch_yaml::Parser;
/// use ketch_yaml::present::{Collections, PresentOptions, Presenter, Sequences};
///
/// let mut options = PresentOptions::default();
/// options.sequences = Sequences::Indented;
/// options.collections = Collections::Block;
/// let mut presenter = Presenter::with_options(Vec::new(), &options);
/// Parser::new(b"masts: [main, mizzen]").push_into(&mut presenter)?;
/// assert_eq!(presenter.finish()?, b"masts:\n  - main\n  - mizzen\n");
/// # Ok::<(), ketch_yaml::present::PresentError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PresentOptions {
    /// The indentation of blocks, from 1 to 9 columns. Other values are clamped. What follows a `-`
    /// on its line is always two columns after it. Default: 2.
    pub indent: usize,
    /// The indentation of block sequences that are values of a mapping. Default: flush.
    pub sequences: Sequences,
    /// The maximum line width in columns. Text and flow collections that exceed it are broken where
    /// possible. Default: no limit.
    pub width: Option<usize>,
    /// The style of collections. Default: as given.
    pub collections: Collections,
    /// The style of scalars. Default: as given.
    pub scalars: Scalars,
    /// When to write `---` and `...`. Default: where given and where required.
    pub markers: Markers,
    /// Whether to keep directives. Default: keep.
    pub directives: Directives,
    /// Whether to write characters beyond ASCII as escapes in double quotes. Anchor names are not
    /// affected. Default: off.
    pub ascii: bool,
    /// The schema of plain scalars. A number of [`Schema::Syck`] loses its commas where plain text
    /// cannot have them: `1,000` in brackets becomes `1000`. Default: core.
    pub schema: Schema,
    /// The size of the output buffer in bytes. While an incomplete document is still buffered,
    /// [`Presenter::into_whole`](super::Presenter::into_whole) can discard it. Default: 64 KiB.
    pub held_bytes: usize,
    /// The instruction set to use. Default: the fastest that the processor has.
    pub level: Level,
}

impl Default for PresentOptions {
    fn default() -> Self {
        PresentOptions {
            indent: 2,
            sequences: Sequences::Flush,
            width: None,
            collections: Collections::AsGiven,
            scalars: Scalars::AsGiven,
            markers: Markers::AsGiven,
            directives: Directives::Keep,
            ascii: false,
            schema: Schema::Core,
            held_bytes: 64 * 1024,
            level: Level::detect(),
        }
    }
}

/// The indentation of block sequences that are values of a mapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sequences {
    /// Dashes are in the column of the mapping's keys.
    #[default]
    Flush,
    /// Indented like any other block.
    Indented,
}

/// The style of collections. Empty collections, and all inside a flow collection, are always in
/// flow style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Collections {
    /// As given.
    #[default]
    AsGiven,
    /// All in block style.
    Block,
    /// All in flow style.
    Flow,
}

/// The style of scalars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scalars {
    /// As given.
    #[default]
    AsGiven,
    /// Scalars that are not plain are written as [`ScalarStyle::Text`](super::ScalarStyle::Text).
    /// Plain floats get the dot and the exponent sign that YAML 1.1 requires: `1e5` becomes
    /// `1.0e+5`.
    Minimal,
    /// All scalars except plain ones are written in double quotes. Plain floats are written as with
    /// [`Scalars::Minimal`].
    DoubleQuoted,
}

/// When to write `---` and `...`. They are always written where required.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Markers {
    /// Where given.
    #[default]
    AsGiven,
    /// Only where required.
    Needed,
    /// Each document starts with `---`.
    Start,
}

/// Whether to keep directives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Directives {
    /// Write them, and use their handles in tags.
    #[default]
    Keep,
    /// Drop them, and write tags in full.
    Drop,
}
