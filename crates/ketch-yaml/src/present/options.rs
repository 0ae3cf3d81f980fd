//! The options of the presenter.

use crate::schema::Schema;
use ketch_bytes::Level;

/// The options of a [`Presenter`](super::Presenter).
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
    /// The number of columns by which blocks are indented, from 1 to 9. Other values are clamped.
    /// What follows a `-` on its line is always two columns after it. Default: 2.
    pub indent: usize,
    /// The indentation of block sequences that are values of a mapping. Default: flush.
    pub sequences: Sequences,
    /// The maximum line width in columns. Text and flow collections that are wider are broken where
    /// possible. Default: no limit.
    pub width: Option<usize>,
    /// The style of collections. Default: as given.
    pub collections: Collections,
    /// The style of scalars. Default: as given.
    pub scalars: Scalars,
    /// When to write `---` and `...`. Default: where given or required.
    pub markers: Markers,
    /// Whether to keep directives. Default: they are kept.
    pub directives: Directives,
    /// Whether to write characters outside ASCII as escapes in double quotes. Anchor names are not
    /// affected. Default: no.
    pub ascii: bool,
    /// The schema of plain scalars. With [`Schema::Syck`], a number loses its commas where plain
    /// text cannot contain them: `1,000` in brackets becomes `1000`. Default: core.
    pub schema: Schema,
    /// The size of the output buffer in bytes. As long as an incomplete document fits into the
    /// buffer, [`Presenter::into_whole`](super::Presenter::into_whole) can discard it. Default: 64
    /// KiB.
    pub held_bytes: usize,
    /// The vector instructions to use. Default: the fastest that the processor has.
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
    /// Dashes are indented like the entries of any other block.
    Indented,
}

/// The style of collections. Empty collections, and all collections inside a flow collection, are
/// always in flow style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Collections {
    /// In the style that is requested for each collection.
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
    /// In the style that is requested for each scalar.
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

/// When to write `---` and `...`. They are always written where they are required.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Markers {
    /// Where they are requested.
    #[default]
    AsGiven,
    /// Only where they are required.
    Needed,
    /// At the start of each document, `---` is written.
    Start,
}

/// Whether to keep directives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Directives {
    /// Directives are written, and their handles are used in tags.
    #[default]
    Keep,
    /// Directives are dropped, and tags are written in full.
    Drop,
}
