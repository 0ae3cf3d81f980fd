//! The arguments of `ketch fmt`.

use super::{ReadArgs, parse_limit};
use clap::{Args, ValueEnum};
use ketch_edit::format::FormatOptions;
use ketch_yaml::Budget;
use ketch_yaml::present::Sequences;

/// Format YAML, keeping comments: indentation, spaces, empty lines.
///
/// Lines, styles, quotes, anchors, tags and markers are kept. Each file is replaced atomically, and
/// only if the result parses to the same events; standard input goes to standard output.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch fmt config.yaml
  ketch fmt --check .
  ketch fmt --diff --sequences indented values.yaml
  git show HEAD:config.yaml | ketch fmt -")]
pub struct FormatArgs {
    /// The files to format: names, folders, and patterns such as `'k8s/**/*.yaml'`; `-` is standard
    /// input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Change nothing: print the names of files that would change, and exit with code 1 if there
    /// are any.
    #[arg(long)]
    pub check: bool,
    /// Change nothing: print a unified diff of what would change.
    #[arg(long)]
    pub diff: bool,
    /// Format only the YAML between `---` at the start of the file, as is done for Markdown.
    #[arg(long)]
    pub front_matter: bool,
    /// Write into existing files instead of replacing them. This is for files that have several
    /// hard links, or an owner, ACL or set-ID bits that only root can restore.
    #[arg(long)]
    pub write_through: bool,
    #[command(flatten)]
    pub layout: LayoutArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// The layout options.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Layout")]
pub struct LayoutArgs {
    /// Columns per level of indentation, from 1 to 9.
    #[arg(long, value_name = "COLUMNS", default_value_t = 2)]
    #[arg(value_parser = super::yaml::columns)]
    pub indent: u8,
    /// How to indent sequences that are values of a mapping.
    #[arg(long, value_enum, value_name = "PLACE", default_value_t)]
    pub sequences: SequenceStyle,
    /// Break brackets and text at this line width [default: never].
    #[arg(long, value_name = "COLUMNS")]
    pub width: Option<usize>,
    /// The maximum number of consecutive empty lines.
    #[arg(long, value_name = "LINES", default_value_t = 1)]
    pub blank_lines: usize,
    /// The maximum size of a formatted file, in bytes [default: 1048576, plus 65536 per KiB of the
    /// original].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit)]
    pub max_output_bytes: Option<u64>,
}

/// How to indent sequences that are values of a mapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SequenceStyle {
    /// As most sequences in the document are.
    #[default]
    Keep,
    /// In the column of the key.
    Flush,
    /// Indented.
    Indented,
}

impl From<SequenceStyle> for Option<Sequences> {
    fn from(style: SequenceStyle) -> Option<Sequences> {
        match style {
            SequenceStyle::Keep => None,
            SequenceStyle::Flush => Some(Sequences::Flush),
            SequenceStyle::Indented => Some(Sequences::Indented),
        }
    }
}

impl FormatArgs {
    /// Returns the options of the formatter.
    pub fn options(&self) -> FormatOptions {
        let LayoutArgs { indent, sequences, width, blank_lines, max_output_bytes } = self.layout;
        let mut options = FormatOptions::default();
        options.indent = indent.into();
        options.sequences = sequences.into();
        options.width = width;
        options.blank_lines = blank_lines;
        options.read = self.read.options();
        super::set(&mut options.max_output_bytes, max_output_bytes.map(Budget::fixed));
        options
    }
}
