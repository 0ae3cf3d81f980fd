//! The arguments of `ketch extprot` and its subcommands.

use super::{Format, parse_limit};
use clap::{Args, Subcommand, ValueEnum};

/// Works with extprot: checks, lays out, compares and compiles schemas, and dissects data.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  ketch extprot check schemas/*.proto
  ketch extprot compat released.proto user.proto
  ketch extprot inspect users.bin --schema user.proto"
)]
pub struct ExtprotArgs {
    #[command(subcommand)]
    pub command: ExtprotCommand,
}

#[derive(Debug, Subcommand)]
pub enum ExtprotCommand {
    Check(SchemaCheckArgs),
    Format(SchemaFormatArgs),
    Compat(CompatArgs),
    Generate(GenerateArgs),
    Inspect(InspectArgs),
}

/// Tells what is wrong with schemas: syntax, names, types, defaults, subsets.
///
/// What a schema includes is checked with it. Says nothing about schemas that are fine.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch extprot check user.proto
  ketch extprot check schemas/*.proto --format json
  git show HEAD:user.proto | ketch extprot check -")]
pub struct SchemaCheckArgs {
    /// The schemas to check; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// For people, or one JSON object a problem, each on its line.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

/// Lays schemas out: one layout for all, comments kept.
///
/// Prints the result, unless told to write it back or only to check. Formatting what is formatted
/// changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch extprot format user.proto
  ketch extprot format --write schemas/*.proto
  ketch extprot format --check schemas/*.proto")]
pub struct SchemaFormatArgs {
    /// The schemas to lay out; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Change nothing: print the names of files that are laid out otherwise, and end with code 1 if
    /// there are any.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Write back what changes; each file is replaced whole or not at all.
    #[arg(long)]
    pub write: bool,
    /// Write into existing files instead of replacing them. For files with several hard links, and
    /// those whose owner, ACL or set-id bits only root can restore.
    #[arg(long, requires = "write")]
    pub write_through: bool,
}

/// Tells whether new readers read old data, and old readers new data.
///
/// Compares the messages that both schemas have. Each finding shows the place in both files and,
/// where data cannot be read, bytes that show it. Ends with code 1 if data cannot be read in a
/// direction that is required.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch extprot compat released.proto user.proto
  ketch extprot compat --require backward released.proto user.proto
  ketch extprot compat released.proto user.proto --format json | jq -r .reason")]
pub struct CompatArgs {
    /// The schema of old data and old readers; `-` is standard input.
    pub old: String,
    /// The schema of new data and new readers; `-` is standard input.
    pub new: String,
    /// Who must be able to read.
    #[arg(long, value_enum, default_value_t, value_name = "WHO")]
    pub require: Require,
    /// Fail on warnings, too: messages that are gone, fields that changed places, roundings.
    #[arg(long)]
    pub strict: bool,
    /// For people, or one JSON object a finding, each on its line.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

/// Who must be able to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Require {
    /// New readers old data, and old readers new data.
    #[default]
    Both,
    /// New readers old data.
    Backward,
    /// Old readers new data.
    Forward,
}

/// Generates source code that reads and writes the messages of a schema.
///
/// Equal schemas give equal text. The code needs the crate `ketch-extprot`, or the gem `ketch`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch extprot generate user.proto
  ketch extprot generate --lang rust --strings utf8 user.proto -o src/user.rs
  ketch extprot generate --lang ruby --module Users user.proto -o lib/users.rb")]
pub struct GenerateArgs {
    /// The schema; `-` is standard input.
    pub file: String,
    /// The language.
    #[arg(long, value_enum, default_value_t, value_name = "LANGUAGE")]
    pub lang: Language,
    /// How strings look in Rust; extprot's are any bytes.
    #[arg(long, value_enum, default_value_t, value_name = "TYPE")]
    pub strings: StringType,
    /// Leave out the variants of Rust that borrow from the data.
    #[arg(long)]
    pub no_borrowed: bool,
    /// The module of Ruby around the classes [default: the file's name].
    #[arg(long, value_name = "NAME", value_parser = module_name)]
    pub module: Option<String>,
    /// Write to this file, which is replaced whole or, on any error, not at all.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// Write into the existing file instead of replacing it. For a file with several hard links, and
    /// one whose owner, ACL or set-id bits only root can restore.
    #[arg(long, requires = "output")]
    pub write_through: bool,
}

/// A name of Ruby, such as `Fleet::Wire`.
fn module_name(text: &str) -> Result<String, String> {
    let is_constant = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    match text.split("::").all(is_constant) {
        true => Ok(text.into()),
        false => Err(format!("{text} is no name of a module: write it like Fleet::Wire")),
    }
}

/// A language to generate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust: structs and enums.
    #[default]
    Rust,
    /// Ruby: classes for the gem `ketch`.
    Ruby,
}

/// How strings look in generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StringType {
    /// Bytes.
    #[default]
    Bytes,
    /// Text; reading anything else than UTF-8 fails.
    Utf8,
}

/// Prints a stream of extprot values as a tree, with the offset of everything.
///
/// Needs no schema; with one, fields and constructors have their names. Memory does not grow with
/// the input.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch extprot inspect users.bin | less
  ketch extprot inspect --schema user.proto --message user users.bin
  ketch convert config.yaml --to extprot | ketch extprot inspect")]
pub struct InspectArgs {
    /// The file to read; `-` is standard input.
    #[arg(default_value = "-")]
    pub file: String,
    /// The schema of the data.
    #[arg(long, value_name = "FILE")]
    pub schema: Option<String>,
    /// The message that the data holds [default: the only one of the schema].
    #[arg(long, value_name = "NAME", requires = "schema")]
    pub message: Option<String>,
    /// How many bytes of each string to show.
    #[arg(long, value_name = "BYTES", value_parser = parse_limit, default_value = "60")]
    pub max_shown_bytes: u64,
    /// How deep blocks may nest.
    #[arg(long, value_name = "LEVELS", value_parser = parse_limit, default_value = "10000")]
    pub max_depth: u64,
}
