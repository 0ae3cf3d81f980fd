//! The arguments of `match`, `lines` and `regex`.

use clap::{Args, Subcommand};
use std::time::Duration;

/// Print the lines that match a regular expression.
///
/// Patterns are Ruby's. Each line is matched on its own, without its line feed. A search takes time
/// linear in the line, unless the pattern has back-references or recursion; see `ketch regex
/// explain`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch match 'error|warning' app.log
  ketch match -c '\\btimeout\\b' *.log
  ketch match -r -l 'unsafe' src
  ketch match -o '\\d+ms' app.log
  ketch match --json '(?<method>GET|POST) (?<path>\\S+)' access.log")]
pub struct MatchArgs {
    /// The regular expression. Put `--` before one that starts with a hyphen.
    pub pattern: String,
    /// The files to search: names, folders with everything in them, and patterns such as
    /// `'src/**/*.rs'`; `-` is standard input.
    #[arg(default_value = "-", value_name = "FILE")]
    pub files: Vec<String>,
    /// Print only the text of each match, on a line of its own.
    #[arg(short, long, conflicts_with_all = ["count", "invert_match", "files_with_matches"])]
    pub only_matching: bool,
    /// Print only the number of lines that match, for each file.
    #[arg(short, long, conflicts_with_all = ["files_with_matches", "line_number"])]
    pub count: bool,
    /// Print the lines that do not match.
    #[arg(short = 'v', long)]
    pub invert_match: bool,
    /// Print the number of each line.
    #[arg(short = 'n', long)]
    pub line_number: bool,
    /// Print only the names of files with a line that matches.
    #[arg(short = 'l', long, conflicts_with = "line_number")]
    pub files_with_matches: bool,
    /// Without FILE, search the current folder.
    #[arg(short, long)]
    pub recursive: bool,
    /// Ignore the case of letters.
    #[arg(short, long)]
    pub ignore_case: bool,
    /// Print each match as a line of JSON, with its position and groups.
    #[arg(long, conflicts_with_all = ["count", "invert_match", "files_with_matches", "only_matching", "yaml"])]
    pub json: bool,
    /// Print each match as an entry of a YAML list, with its position and groups.
    #[arg(long, conflicts_with_all = ["count", "invert_match", "files_with_matches", "only_matching"])]
    pub yaml: bool,
    /// The time limit of each search, in milliseconds [default: unlimited].
    #[arg(long, value_name = "MS", value_parser = parse_millis)]
    pub timeout: Option<Duration>,
}

/// Parses a duration in milliseconds. It is an error if it is 0.
fn parse_millis(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(millis) if millis > 0 => Ok(Duration::from_millis(millis)),
        _ => Err("expected a number of milliseconds above 0".to_owned()),
    }
}

/// Cut text into lines or records, and print, number or count them.
///
/// Holds one record in memory. Records are printed without their separators, one per line.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch lines --number app.log
  ketch lines --count app.log
  ketch lines --separator '\\0' names.txt
  ketch lines --pattern ';\\s*' list.txt
  ketch lines --paragraphs --json notes.txt")]
pub struct LinesArgs {
    /// The files to read: names, folders with everything in them, and patterns such as
    /// `'logs/**/*.log'`; `-` is standard input.
    #[arg(default_value = "-", value_name = "FILE")]
    pub files: Vec<String>,
    /// The text that ends a record. `\n`, `\r`, `\t`, `\0`, `\\` and `\xHH` are characters
    /// [default: \n].
    #[arg(long, value_name = "TEXT", group = "end", allow_hyphen_values = true)]
    pub separator: Option<String>,
    /// A regular expression: each match that is not empty ends a record.
    #[arg(long, value_name = "PATTERN", group = "end", allow_hyphen_values = true)]
    pub pattern: Option<String>,
    /// End a record at empty lines.
    #[arg(long, group = "end")]
    pub paragraphs: bool,
    /// Print the number of each record before it, as `cat -n` does.
    #[arg(short, long, conflicts_with_all = ["count", "json"])]
    pub number: bool,
    /// Print only the number of records, for each file.
    #[arg(short, long, conflicts_with = "json")]
    pub count: bool,
    /// Print each record as a line of JSON, with its number and position.
    #[arg(long)]
    pub json: bool,
    /// The maximum length of a record, in bytes [default: unlimited].
    #[arg(long, value_name = "BYTES", value_parser = super::parse_limit)]
    pub max_bytes: Option<u64>,
}

/// Parse lines into JSON with grok expressions.
///
/// Each line becomes an object with the fields of the first expression that matches. Lines that match
/// none have the tag `_grokparsefailure`, as in Logstash.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch grok --patterns names.grok '%{IP:client} %{WORD:[http][verb]} %{INT:status:int}' access.log
  ketch grok '%{N:n:int=[0-9]+} items' app.log
  ketch grok --matched '(?<user>\\w+) logged in' --or '(?<user>\\w+) left' app.log")]
pub struct GrokArgs {
    /// The expression: a regular expression with `%{NAME}`, `%{NAME:field}`, `%{NAME:field:int}`,
    /// `%{NAME:[a][b]}` and `%{NAME:field=definition}`. Put `--` before one that starts with a hyphen.
    pub expression: String,
    /// The files to read: names, folders with everything in them, and patterns such as
    /// `'logs/**/*.log'`; `-` is standard input.
    #[arg(default_value = "-", value_name = "FILE")]
    pub files: Vec<String>,
    /// Another expression, for lines that no earlier one matches. May be repeated.
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub or: Vec<String>,
    /// A file of patterns: a name, a blank and a pattern on each line. May be repeated.
    #[arg(short, long, value_name = "FILE")]
    pub patterns: Vec<String>,
    /// Skip lines that match no expression.
    #[arg(short, long)]
    pub matched: bool,
    /// The time limit of each search, in milliseconds [default: unlimited].
    #[arg(long, value_name = "MS", value_parser = parse_millis)]
    pub timeout: Option<Duration>,
}

/// Explain regular expressions, and find those that can take other engines very long.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch regex explain '(?<year>\\d{4})-(?<month>\\d\\d)'
  ketch regex explain '(a+)+\\1'
  ketch regex check rules.yaml patterns/*.grok")]
pub struct RegexArgs {
    #[command(subcommand)]
    pub command: RegexCommand,
}

#[derive(Debug, Subcommand)]
pub enum RegexCommand {
    Explain(ExplainArgs),
    Check(RegexCheckArgs),
}

/// Find patterns on which backtracking engines can take very long, each with a text that causes this.
///
/// Reads YAML files and grok files. Files whose names have the extension `.grok`, or no extension, are
/// grok files. For each pattern, `ketch` builds texts that may be slow to match, and counts the steps
/// that a backtracking engine takes. The pattern is reported if the number of steps grows exponentially,
/// or with the third or a higher power of the length of the text.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch regex check rules.yaml
  ketch regex check --key validate --key filter config.yaml
  ketch regex check --quadratic --format json patterns/*.grok")]
pub struct RegexCheckArgs {
    /// The files to read: names, patterns such as `'rules/**/*.yaml'`, and folders, in which files
    /// `.yaml`, `.yml` and `.grok` are read; `-` is standard input, which is YAML.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// A key of YAML whose value is a pattern, or a list of patterns. May be repeated
    /// [default: pattern, patterns, regex, regexp, match, begin, end, while].
    #[arg(short, long, value_name = "KEY")]
    pub key: Vec<String>,
    /// Treat all files as grok files.
    #[arg(long)]
    pub grok: bool,
    /// Also report patterns whose search time grows with the square of the length of the text.
    #[arg(long)]
    pub quadratic: bool,
    /// The output format: text or JSON.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: super::Format,
}

/// Show the cost of a pattern, what every match must contain, and the syntax tree.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch regex explain '^(a*)*$'
  ketch regex explain --format json '(\\w)\\1'")]
pub struct ExplainArgs {
    /// The regular expression. Put `--` before one that starts with a hyphen.
    pub pattern: String,
    /// Ignore the case of letters.
    #[arg(short, long)]
    pub ignore_case: bool,
    /// The output format: text or JSON.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: super::Format,
}
