//! Options of the formatter.

use ketch_yaml::Budget;
use ketch_yaml::present::Sequences;

/// Options of the formatter.
///
/// ```
/// use ketch_edit::format::{FormatOptions, format_with_options};
///
/// let mut options = FormatOptions::default();
/// options.indent = 4;
/// let formatted = format_with_options(b"a:\n  b:   1\n", &options)?;
/// assert_eq!(*formatted, *b"a:\n    b: 1\n");
/// # Ok::<(), ketch_edit::format::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FormatOptions {
    /// The number of columns by which blocks are indented, from 1 to 9. Default: 2.
    pub indent: usize,
    /// The indentation of sequences that are values of a mapping. With `None`, which is the
    /// default, each document keeps the style that most of its sequences have; if neither style
    /// prevails, sequences are flush.
    pub sequences: Option<Sequences>,
    /// The maximum line width in columns. Longer lines are broken after commas in flow collections,
    /// and at spaces in text that may span several lines. Lines are never joined. Default: no
    /// limit.
    pub width: Option<usize>,
    /// The maximum number of consecutive empty lines to keep. Default: 1.
    pub blank_lines: usize,
    /// The maximum size of the output in bytes. A limit is needed because indentation can make the
    /// output far longer than the input: a line of one byte may be nested as deeply as there are
    /// bytes before it. Default: 1 MiB, plus 64 KiB for each KiB of input.
    pub max_output_bytes: Budget,
    /// The options of the parser.
    pub read: ketch_yaml::Options,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions {
            indent: 2,
            sequences: None,
            width: None,
            blank_lines: 1,
            max_output_bytes: Budget { base: 1 << 20, per_kib: 64 << 10 },
            read: ketch_yaml::Options::default(),
        }
    }
}
