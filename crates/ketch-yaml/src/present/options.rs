//! How text is to look.

use ketch_bytes::Level;

/// How to present events.
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
    /// Columns that a block is indented by, from 1 to 9; others count as the nearest of these. What
    /// follows a `-` on its line stands two columns behind it in any case. Default: 2.
    pub indent: usize,
    /// Where a block sequence stands that is a mapping's value. Default: flush.
    pub sequences: Sequences,
    /// Lines of text and of flow collections are broken, where they can be, before they are longer
    /// than so many columns. Default: never.
    pub width: Option<usize>,
    /// The style of collections. Default: as given.
    pub collections: Collections,
    /// The style of scalars. Default: as given.
    pub scalars: Scalars,
    /// Where `---` and `...` stand. Default: where they are given and where they must.
    pub markers: Markers,
    /// What becomes of directives. Default: they are kept.
    pub directives: Directives,
    /// Text beyond ASCII is written as escapes, in double quotes. Names of anchors stay. Default:
    /// off.
    pub ascii: bool,
    /// So many bytes of text are held before they are handed to the writer, and while they are,
    /// [`Presenter::into_whole`](super::Presenter::into_whole) can take a document back that breaks
    /// off. Default: 64 KiB.
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
            held_bytes: 64 * 1024,
            level: Level::detect(),
        }
    }
}

/// Where a block sequence stands that is a mapping's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sequences {
    /// Its dashes stand in the column of the mapping's keys.
    #[default]
    Flush,
    /// It is indented as any other block.
    Indented,
}

/// The style of collections. Empty ones, and all inside of a flow collection, are in flow style
/// whatever is asked for.
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
    /// What is given in another than plain style is text, in the style that
    /// [`ScalarStyle::Text`](super::ScalarStyle::Text) stands for. Plain floats get the dot and the
    /// sign in the exponent that YAML 1.1 wants: `1e5` becomes `1.0e+5`.
    Minimal,
    /// All scalars but plain ones in double quotes; floats as in [`Scalars::Minimal`].
    DoubleQuoted,
}

/// Where `---` and `...` stand. They are always written where a document could not do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Markers {
    /// Where they are given.
    #[default]
    AsGiven,
    /// Nowhere else.
    Needed,
    /// Each document starts with `---`.
    Start,
}

/// What becomes of directives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Directives {
    /// They are written, and tags use their handles.
    #[default]
    Keep,
    /// They are left out; tags are written in full.
    Drop,
}
