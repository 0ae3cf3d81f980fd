//! How a text is laid out anew.

use crate::limits::Budget;
use crate::present::Sequences;

/// How a text is laid out anew.
///
/// ```
/// use ketch_yaml::format::{FormatOptions, format_with_options};
///
/// let mut options = FormatOptions::default();
/// options.indent = 4;
/// let formatted = format_with_options(b"a:\n  b:   1\n", &options)?;
/// assert_eq!(*formatted, *b"a:\n    b: 1\n");
/// # Ok::<(), ketch_yaml::format::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FormatOptions {
    /// Columns that blocks are indented by, from 1 to 9. Default: 2.
    pub indent: usize,
    /// Where sequences go that are values of a mapping. Default, as `None`: in each document where
    /// most of its sequences are; flush if there are as many of both.
    pub sequences: Option<Sequences>,
    /// Lines are broken before they are longer than so many columns: flow collections behind commas,
    /// text that may stand on several lines at spaces. Lines are never joined. Default: never.
    pub width: Option<usize>,
    /// How many empty lines in a row are kept. Default: 1.
    pub blank_lines: usize,
    /// How many bytes may be written. Indentation may make a text longer than any factor: a line of
    /// one byte can stand as deep as there are bytes in front of it. Default: 1 MiB, and 64 KiB more
    /// for each KiB of input.
    pub max_output_bytes: Budget,
    /// How the text is read.
    pub read: crate::parse::Options,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions {
            indent: 2,
            sequences: None,
            width: None,
            blank_lines: 1,
            max_output_bytes: Budget { base: 1 << 20, per_kib: 64 << 10 },
            read: crate::parse::Options::default(),
        }
    }
}
