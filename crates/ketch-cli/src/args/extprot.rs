//! The arguments of `ketch extprot` and its subcommands.

use super::{Format, parse_limit};
use crate::status::Failure;
use clap::{Args, Subcommand, ValueEnum};

/// Check, format, compare and compile extprot schemas, and inspect data.
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

/// Check schemas: syntax, names, types, defaults, subsets.
///
/// Included files are checked, too. Prints nothing for valid schemas.
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
    /// The output format: text, or one line of JSON per problem.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

/// Format schemas, keeping comments.
///
/// Prints the result, unless `--write` or `--check` is given. Formatting twice changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch extprot format user.proto
  ketch extprot format --write schemas/*.proto
  ketch extprot format --check schemas/*.proto")]
pub struct SchemaFormatArgs {
    /// The schemas to format; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Change nothing: print the names of files that are not formatted, and exit with code 1 if
    /// there are any.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Write changed files back, replacing each atomically.
    #[arg(long)]
    pub write: bool,
    /// Write into existing files instead of replacing them. This is for files that have several
    /// hard links, or an owner, ACL or set-ID bits that only root can restore.
    #[arg(long, requires = "write")]
    pub write_through: bool,
}

/// Check that new readers can read old data, and old readers new data.
///
/// Compares the messages that both schemas have. Each finding has its location in both files and,
/// for a break, example bytes. Exits with code 1 if data cannot be read in a required direction.
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
    /// The required directions.
    #[arg(long, value_enum, default_value_t, value_name = "WHO")]
    pub require: Require,
    /// Fail on warnings, too: removed messages, swapped fields, rounding.
    #[arg(long)]
    pub strict: bool,
    /// The output format: text, or one line of JSON per finding.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

/// The required directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Require {
    /// New readers read old data, and old readers read new data.
    #[default]
    Both,
    /// New readers read old data.
    Backward,
    /// Old readers read new data.
    Forward,
}

/// Generate code that reads and writes the messages of a schema.
///
/// Equal schemas give equal code. It needs the crate `ketch-extprot`, the gem `ketch`, the Java
/// module `dev.ketch`, or the Python package `ketch`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch extprot generate user.proto
  ketch extprot generate --lang rust --strings utf8 user.proto -o src/user.rs
  ketch extprot generate --lang ruby --module Users user.proto -o lib/users.rb
  ketch extprot generate --lang java --class fleet.Users user.proto -o fleet/Users.java
  ketch extprot generate --lang python --strings utf8 user.proto -o users.py")]
pub struct GenerateArgs {
    /// The schema; `-` is standard input.
    pub file: String,
    /// The language.
    #[arg(long, value_enum, default_value_t, value_name = "LANGUAGE")]
    pub lang: Language,
    /// The type of strings in Rust, Java and Python, which may be any bytes in extprot [default: bytes].
    #[arg(long, value_enum, value_name = "TYPE")]
    pub strings: Option<StringType>,
    /// Omit the Rust types that borrow from the data.
    #[arg(long)]
    pub no_borrowed: bool,
    /// The Ruby module that contains the classes [default: from the file's name].
    #[arg(long, value_name = "NAME", value_parser = module_name)]
    pub module: Option<String>,
    /// The Java class that contains the types, such as `fleet.Users` [default: from the file's name].
    #[arg(long, value_name = "NAME", value_parser = class_name)]
    pub class: Option<String>,
    /// Write the output to this file. It is replaced atomically, and only if there is no error.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// Write into the existing file instead of replacing it. This is for files that have several
    /// hard links, or an owner, ACL or set-ID bits that only root can restore.
    #[arg(long, requires = "output")]
    pub write_through: bool,
}

/// Checks that `text` is the name of a Ruby module, such as `Fleet::Wire`, and returns it.
fn module_name(text: &str) -> Result<String, String> {
    let is_constant = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    match text.split("::").all(is_constant) {
        true => Ok(text.into()),
        false => Err(format!("{text} is not a module name: write it like Fleet::Wire")),
    }
}

/// Checks that `text` is the name of a Java class, such as `fleet.wire.Users`, and returns it.
fn class_name(text: &str) -> Result<String, String> {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    match text.split('.').all(is_name) {
        true => Ok(text.into()),
        false => Err(format!("{text} is not a class name: write it like fleet.wire.Users")),
    }
}

/// A language for generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust: structs and enums.
    #[default]
    Rust,
    /// Ruby: classes for the gem `ketch`.
    Ruby,
    /// Java: records for the module `dev.ketch`.
    Java,
    /// Python: dataclasses for the package `ketch`.
    Python,
}

impl GenerateArgs {
    /// Fails if an option is given that does not apply to the chosen language.
    pub fn refuse_for_language(&self) -> Result<(), Failure> {
        use Language::{Java, Python, Ruby, Rust};
        let given = [
            (
                "strings",
                self.strings.is_some(),
                &[Rust, Java, Python][..],
                "--lang rust`, `--lang java` or `--lang python",
            ),
            ("no-borrowed", self.no_borrowed, &[Rust], "--lang rust"),
            ("module", self.module.is_some(), &[Ruby], "--lang ruby"),
            ("class", self.class.is_some(), &[Java], "--lang java"),
        ];
        let wrong = given.iter().find(|(_, given, langs, _)| *given && !langs.contains(&self.lang));
        wrong.map_or(Ok(()), |(name, _, _, langs)| {
            let message = format!("`--{name}` is only for `{langs}`: add that, or leave it out");
            Err(Failure::Usage(message))
        })
    }
}

/// The type that strings have in generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StringType {
    /// Bytes.
    #[default]
    Bytes,
    /// Text; reading invalid UTF-8 fails.
    Utf8,
}

/// Print a stream of extprot values as a tree, with offsets.
///
/// A schema is optional and adds the names of fields and constructors. Memory does not grow with
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
    /// The message type of the data [default: the only one in the schema].
    #[arg(long, value_name = "NAME", requires = "schema")]
    pub message: Option<String>,
    /// The number of bytes to show of each string.
    #[arg(long, value_name = "BYTES", value_parser = parse_limit, default_value = "60")]
    pub max_shown_bytes: u64,
    /// The maximum depth of nested blocks.
    #[arg(long, value_name = "LEVELS", value_parser = parse_limit, default_value = "10000")]
    pub max_depth: u64,
}
