//! Diagnostics as data, which can be drawn as text or written as JSON.

use crate::{binary, file_name};
use ketch_extprot::schema::{self, Diagnostics, Rule, Sources, Span};
use ketch_yaml::Class;
use ketch_yaml::Problem;
use ketch_yaml::{Error, Location, Warning, is_masked};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input is invalid.
    Error,
    /// The input was read, but something in it is questionable.
    Warning,
}

/// A problem in a file. In JSON, it has the keys `file`, `severity`, `kind`, `class`, `message`,
/// `line`, `column`, `offset`, `length`, `help` and `related`. Missing values are `null`.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnostic {
    pub file: String,
    pub severity: Severity,
    /// A name that programs can compare, which is usually the name of a problem of the engine.
    /// Other names are, for example, `Binary`, `Io` and `MoreProblems`.
    pub kind: &'static str,
    pub class: &'static str,
    pub message: String,
    #[serde(flatten, serialize_with = "location_fields")]
    pub location: Option<Location>,
    pub help: Option<String>,
    pub related: Option<Related>,
    /// A few words that are shown after the caret.
    #[serde(skip)]
    pub label: Cow<'static, str>,
}

/// Another location that explains the problem.
#[derive(Clone, Debug, Serialize)]
pub struct Related {
    pub message: Cow<'static, str>,
    /// The file of this location, if it is not the file of the diagnostic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(flatten, serialize_with = "some_location_fields")]
    pub location: Location,
}

impl Diagnostic {
    /// Creates the diagnostic for an error of the YAML engine in `file`, whose content starts with
    /// `head`.
    pub fn error(file: &str, head: &[u8], error: &Error) -> Diagnostic {
        if let Some(what) = binary::describe(head) {
            return Self::binary(file, what);
        }
        let problem = error.problem();
        let related = error.related_label().zip(error.related());
        let related = related.map(|(label, location)| Related {
            message: label.to_owned().into(),
            file: None,
            location: location.clone(),
        });
        let location = error.location().clone();
        let general = Self::new(file, Severity::Error, problem, location);
        let help = match problem {
            // Which option helps depends on the value.
            Problem::NotJson if error.label().is_none() => general.help.clone(),
            _ => Some(in_words_of_the_command(error.help())),
        };
        Diagnostic {
            message: error.message().into_owned(),
            help,
            label: error.label().map_or(general.label, |label| label.to_owned().into()),
            related,
            ..general
        }
    }

    /// Creates the diagnostic for a warning of the YAML engine in `file`.
    pub fn warning(file: &str, warning: &Warning) -> Diagnostic {
        Self::new(file, Severity::Warning, warning.problem, warning.location.clone())
    }

    /// Creates a diagnostic about `problem` at `location`.
    fn new(file: &str, severity: Severity, problem: Problem, location: Location) -> Diagnostic {
        Diagnostic {
            file: file_name::shown(file).to_owned(),
            severity,
            kind: problem.name(),
            class: class_name(problem.class()),
            message: problem.to_string(),
            help: Some(help_of(problem, &location)),
            location: Some(location),
            related: None,
            label: label(problem).into(),
        }
    }

    /// Returns the diagnostic without characters that must not be printed, because they change the
    /// direction of text or control a terminal. Excerpts contain none.
    pub fn masked(&self) -> Diagnostic {
        let mask = |text: &str| -> String {
            let is_plain = |ch: char| matches!(ch, '\n' | '\t') || !is_masked(ch);
            text.chars().map(|ch| if is_plain(ch) { ch } else { '\u{fffd}' }).collect()
        };
        let mut masked = self.clone();
        masked.message = mask(&self.message);
        masked.help = self.help.as_deref().map(mask);
        masked.label = mask(&self.label).into();
        if let Some(related) = &mut masked.related {
            related.message = mask(&related.message).into();
        }
        masked
    }

    /// Sets the location to an offset in bytes, without a line. `None` removes the location.
    pub fn set_offset(&mut self, offset: Option<u64>) {
        self.location = offset.map(|offset| Location::at_offset(offset, 0));
    }

    /// Creates the diagnostic for `error`, one of the errors in a schema.
    pub fn schema(errors: &Diagnostics, error: &schema::Diagnostic) -> Diagnostic {
        let sources = &errors.sources;
        let source = &sources.0[error.span.file as usize];
        let related = error.related.as_ref().map(|(span, reason)| {
            let is_other = span.file != error.span.file;
            let file = is_other.then(|| sources.0[span.file as usize].name.clone());
            Related { message: reason.clone().into(), file, location: location(sources, *span) }
        });
        let class = match error.rule {
            Rule::Syntax => "syntax",
            Rule::Limit => "limit",
            _ => "semantic",
        };
        Diagnostic {
            location: Some(location(sources, error.span)),
            help: Some(as_sentence(&error.help)),
            related,
            ..Self::sentence(&source.name, error.rule.name(), class, error.message.clone())
        }
    }

    /// Creates the diagnostic for `file`, which is binary. `what` describes the kind of file.
    pub fn binary(file: &str, what: String) -> Diagnostic {
        Self::sentence(file, "Binary", "encoding", format!("expected text, found {what}"))
    }

    /// Creates the diagnostic for a system error. `failed` says what could not be done with `file`,
    /// as in "could not be read".
    pub fn io(file: &str, failed: &str, error: &io::Error) -> Diagnostic {
        let is_yaml =
            |path: &Path| path.extension().is_some_and(|end| end == "yaml" || end == "yml");
        let has_yaml = |folder: fs::ReadDir| folder.flatten().any(|entry| is_yaml(&entry.path()));
        let is_empty = error.kind() == io::ErrorKind::IsADirectory
            && failed.contains("read")
            && fs::read_dir(file).is_ok_and(|folder| !has_yaml(folder));
        if is_empty {
            let message = "the folder has no YAML files".to_owned();
            let folder = file.trim_end_matches('/');
            return Diagnostic {
                help: Some(format!(
                    "These are files `.yaml` and `.yml`; name others, as in `{folder}/*`."
                )),
                ..Self::sentence(file, "Io", "io", message)
            };
        }
        let message = format!("{failed}: {}", ketch_files::describe(error));
        Self::sentence(file, "Io", "io", message)
    }

    /// Creates the diagnostic for `file`, which could not be replaced and is unchanged.
    pub fn not_replaced(file: &str, error: &ketch_files::Error) -> Diagnostic {
        let in_place = "`--write-through` writes into the file in place: it keeps its owner, permissions and \
            links, but a crash while writing may leave a mixture of old and new content.";
        let help = match error {
            ketch_files::Error::Spool(..) => {
                Some("Set `TMPDIR` to a folder that you can write to.")
            }
            ketch_files::Error::Changed => Some("Run the command again: nothing was written."),
            error => error.is_avoided_in_place().then_some(in_place),
        };
        Diagnostic {
            help: help.map(str::to_owned),
            ..Self::sentence(file, "Io", "io", format!("could not be replaced: {error}"))
        }
    }

    /// Creates the diagnostic that ends a list of problems, because only the first `shown` are
    /// reported.
    pub fn more_problems(file: &str, shown: usize) -> Diagnostic {
        let message = format!("more than {shown} problems; only the first are shown");
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::sentence(file, "MoreProblems", "limit", message)
        }
    }

    /// Creates an error that has no location yet.
    pub fn sentence(
        file: &str,
        kind: &'static str,
        class: &'static str,
        message: String,
    ) -> Diagnostic {
        Diagnostic {
            file: file_name::shown(file).to_owned(),
            severity: Severity::Error,
            kind,
            class,
            message,
            location: None,
            help: None,
            related: None,
            label: "".into(),
        }
    }
}

/// Returns the location of `span`, which is in one of the schemas `sources`.
pub fn location(sources: &Sources, span: Span) -> Location {
    let text = sources.0[span.file as usize].text.as_bytes();
    Location::in_text(text, span.start.into(), (span.end - span.start) as usize)
}

/// Returns `phrase`, the help of a schema error, as a sentence.
fn as_sentence(phrase: &str) -> String {
    let mut letters = phrase.chars();
    let first = letters.next().map(|first| first.to_uppercase()).into_iter().flatten();
    first.chain(letters).chain(['.']).collect()
}

#[derive(Serialize)]
struct PlaceFields {
    line: Option<u64>,
    column: Option<u64>,
    offset: Option<u64>,
    length: Option<usize>,
}

/// Serializes a location as fields of the object that contains it. If there is none, the fields are
/// null.
fn location_fields<S: Serializer>(
    location: &Option<Location>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // Line 0 means that the line is not known.
    let counted = location.as_ref().filter(|location| location.line > 0);
    let fields = PlaceFields {
        line: counted.map(|location| location.line),
        column: counted.map(|location| location.column),
        offset: location.as_ref().map(|location| location.offset),
        length: location.as_ref().map(|location| location.len),
    };
    fields.serialize(serializer)
}

/// Does the same as [`location_fields`] for a location that is not optional.
fn some_location_fields<S: Serializer>(
    location: &Location,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    location_fields(&Some(location.clone()), serializer)
}

/// Returns the name that a class of problems has in JSON.
fn class_name(class: Class) -> &'static str {
    match class {
        Class::Syntax => "syntax",
        Class::Limit => "limit",
        Class::Semantic => "semantic",
        Class::Encoding => "encoding",
        Class::Io => "io",
        _ => "other",
    }
}

/// Returns the help for `problem`, in which options have their names on the command line.
fn help_of(problem: Problem, location: &Location) -> String {
    let at = location.text.char_indices().nth(location.text_column).map_or(0, |(at, _)| at);
    let value = &location.text[at..];
    if problem == Problem::BackslashInText {
        let line = location.text.get(..at).unwrap_or_default().trim();
        return format!(
            "Delete each `\\`, since the lines are joined with spaces: `{line}`. To keep the line breaks, write `|` and the text on the lines below it."
        );
    }
    let before = location.text.get(..at).unwrap_or_default().trim_end();
    // JSON, where keys have double quotes, has no single quotes.
    if problem == Problem::EscapeNotMeant && before.trim_end_matches([':', ' ']).ends_with('"') {
        let word = value.get(..location.len).unwrap_or(value);
        return format!("Write each backslash twice: `{}`.", doubled(word));
    }
    if problem != Problem::NotJson {
        let word = value.get(..location.len).unwrap_or(value);
        let help = help_of_word(problem, word);
        return help.unwrap_or_else(|| in_words_of_the_command(problem.help()));
    }
    let is_non_finite = value.trim_start_matches(['+', '-']).starts_with('.');
    let help = match value.as_bytes().first() {
        Some(b'!') => "JSON has no tags; `--unknown-tags drop` writes the value without its tag.",
        _ if is_non_finite => {
            "JSON has no infinities and no NaN; `--non-finite text` writes them as strings."
        }
        Some(b'[' | b'{' | b'-' | b'?') => "JSON keys must be strings: write this key as a string.",
        _ => problem.help(),
    };
    help.to_owned()
}

/// Returns `text`, which is in double quotes, with two backslashes for each single one.
fn doubled(text: &str) -> String {
    let pairs = text.split("\\\\").map(|part| part.replace('\\', "\\\\"));
    pairs.collect::<Vec<_>>().join("\\\\")
}

/// Returns the help for `problem` that shows `word`, the text that was probably meant differently.
fn help_of_word(problem: Problem, word: &str) -> Option<String> {
    match problem {
        Problem::ColonWithoutSpace => {
            let apart = |entry: &str| entry.replacen(':', ": ", 1);
            let entries: Vec<_> = word.split(',').map(apart).collect();
            match entries.len() {
                1 => Some(format!("Write `{}`, or quote the text: `\"{word}\"`.", entries[0])),
                _ => Some(format!("Write `{{{}}}`, or quote each text.", entries.join(","))),
            }
        }
        Problem::BlankNotSpace(_) if word.chars().count() > 1 => {
            let blanks = " ".repeat(word.chars().count());
            Some(format!(
                "Write spaces instead: `{blanks}`, or quote the text if these characters belong to it."
            ))
        }
        Problem::CurlyQuotes => {
            let is_curly = |ch| ('\u{2018}'..='\u{201f}').contains(&ch);
            let inner = word.trim_matches(is_curly);
            (!inner.contains(['"', '\\'])).then(|| format!("Write straight quotes: `\"{inner}\"`."))
        }
        _ => help_of_value(problem, word),
    }
}

/// Returns the help for `problem` about `word`, a value that is not what it looks like.
fn help_of_value(problem: Problem, word: &str) -> Option<String> {
    match problem {
        Problem::CommentAsValue => Some(format!(
            "Quote the text: `\"{word}\"`; or write a space after the `#` of a comment."
        )),
        Problem::DashInText(column) | Problem::EntryBesideKey(column) => {
            let blanks = " ".repeat(column.saturating_sub(1) as usize);
            let way = match problem {
                Problem::DashInText(_) => "Start the line in that column",
                _ => "If it belongs to the key, indent it, and those below that do",
            };
            Some(format!("{way}: `{blanks}{word}`."))
        }
        Problem::ColonInKey => {
            let key = word.strip_suffix(':')?;
            Some(format!("Write one colon: `{key}:`; or quote the key: `\"{word}\":`."))
        }
        Problem::EscapeNotMeant => {
            let inner = word.strip_prefix('"')?.strip_suffix('"')?;
            Some(format!("Write single quotes: `'{inner}'`."))
        }
        Problem::QuoteInKey | Problem::TagNotText | Problem::AnchorNotText => {
            Some(format!("Quote the whole text: `'{}'`.", word.replace('\'', "''")))
        }
        Problem::MarkAtEnd(mark) if mark != ']' => {
            let value = word.strip_suffix(mark)?;
            let quote = if mark == '"' { '\'' } else { '"' };
            Some(format!("Write `{value}`, or quote the text: `{quote}{word}{quote}`."))
        }
        Problem::NoSuchTag(intended) => Some(format!("Write `{intended}`.")),
        Problem::NumberLoses(_) | Problem::BracesNotText => {
            Some(format!("Quote the text: `\"{word}\"`."))
        }
        Problem::MergeValue if word.chars().all(|ch| ch.is_alphanumeric() || "_-".contains(ch)) => {
            Some(format!("Write `<<: *{word}`, or quote the key if it is meant as text."))
        }
        _ => help_of_form(problem, word),
    }
}

/// Returns the help for `problem` about `word`, which has a form of other languages.
fn help_of_form(problem: Problem, word: &str) -> Option<String> {
    match problem {
        Problem::MarkAtEnd(']') => {
            Some(format!("Write `[{word}`, or quote the text: `\"{word}\"`."))
        }
        Problem::CommentInText => {
            let (value, comment) = word.split_once("// ")?;
            let fixed = format!("{} # {comment}", value.trim_end());
            Some(format!("Write `{}`, or quote the text.", fixed.trim_start()))
        }
        Problem::OtherDash(dash) => {
            let entry = word.strip_prefix(dash)?.trim_start();
            Some(format!("Write `- {entry}`, or quote the text."))
        }
        Problem::DashesInText => Some(format!(
            "Write `- {word}:`, so that they are its value; or start them in the column of this `-`."
        )),
        Problem::ColonInTag => Some(format!("Write `{}`.", word.replacen(":", "", 1))),
        Problem::HtmlEntity if word.contains(' ') => {
            Some(format!("Quote the text: `'{}'`.", word.replace('\'', "''")))
        }
        _ => None,
    }
}

/// Returns `help` with the names that options have in the library replaced with those on the
/// command line.
pub fn in_words_of_the_command(help: &str) -> String {
    const OPTIONS: [&str; 11] = [
        "max_depth",
        "max_implicit_key_chars",
        "max_scalar_bytes",
        "max_buffer_bytes",
        "max_nodes",
        "max_alias_nodes",
        "max_tag_bytes",
        "max_tag_handles",
        "duplicate_keys",
        "non_finite",
        "lenient",
    ];
    OPTIONS.iter().fold(help.to_owned(), |help, option| {
        let flag = match *option {
            // For the other options, the user chooses the value.
            "non_finite" => "`--non-finite text`".to_owned(),
            option => format!("`--{}`", option.replace('_', "-")),
        };
        help.replace(&format!("`{option}`"), &flag)
    })
}

/// Returns what was expected at the caret, or an empty string if the message already says so.
fn label(problem: Problem) -> &'static str {
    match problem {
        Problem::TabIndentation => "expected spaces",
        Problem::BadIndentation => "expected the column of a sibling, or a deeper one",
        Problem::ExpectedEntry => "expected `- `",
        Problem::ExpectedKey => "expected `key: value`",
        Problem::ExpectedColon => "expected `:` after this",
        Problem::NoBlankAfterColon => "expected a space after the colon",
        Problem::MappingNotHere | Problem::SequenceNotHere => "expected the end of the line",
        Problem::MultilineKey => "this `:` makes it a key",
        Problem::CommentInPlain => "expected a key, an entry or a comment",
        Problem::CommentNotSeparated => "expected a space before this",
        Problem::ExpectedDocumentEnd => "expected `---`, `...` or the end",
        Problem::ReservedIndicator | Problem::IndicatorInFlow => "expected text or quotes",
        Problem::FlowIndicatorInBlock => "no bracket is open here",
        Problem::UnclosedQuote => "expected a closing quote",
        Problem::QuotedIndentation | Problem::FlowIndentation => "expected more spaces",
        Problem::FlowEndIndentation => "expected a space before this",
        Problem::UnclosedSequence => "expected `]`",
        Problem::UnclosedMapping => "expected a closing brace",
        Problem::MismatchedSequenceEnd => "expected a closing brace",
        Problem::MismatchedMappingEnd => "expected `]`",
        Problem::EmptyFlowEntry => "expected an entry before this",
        Problem::UnexpectedColon => "expected a key on this line",
        Problem::PropertyNotSeparated => "expected a space after it",
        Problem::TwoAnchors => "the second anchor",
        Problem::TwoTags => "the second tag",
        Problem::UnknownTagHandle => "declared nowhere",
        Problem::UnknownAlias => "no such anchor above",
        Problem::DuplicateKey => "the same key again",
        Problem::DuplicateJsonKey => "the same text as a string",
        Problem::MarkerInFlow | Problem::MarkerInQuotes => "ends the document",
        Problem::ByteOrderMark => "delete this",
        Problem::BlankNotSpace(_) => "expected spaces",
        Problem::CurlyQuotes => "expected straight quotes",
        Problem::DashWithoutSpace => "expected a space after this",
        Problem::MarkerWithoutSpace => "expected a line break after `---`",
        Problem::ColonWithoutSpace => "expected a space after the `:`",
        Problem::HtmlEntity => "expected quotes around this",
        Problem::UnquotedTemplate
        | Problem::CommentAsValue
        | Problem::QuoteInKey
        | Problem::NumberLoses(_)
        | Problem::TagNotText
        | Problem::AnchorNotText
        | Problem::BracesNotText => "expected quotes around this",
        Problem::NoSuchTag(_) => "not defined by YAML",
        Problem::DashInText(_) => "expected fewer spaces before this",
        Problem::ColonInKey => "expected one `:`",
        Problem::EscapeNotMeant => "each `\\` starts an escape",
        Problem::MarkAtEnd(_) => "expected no mark at the end",
        Problem::BackslashInText => "expected the end of the line",
        Problem::CommentInText => "expected ` # ` before the comment",
        Problem::OtherDash(_) => "expected `- `",
        Problem::DashesInText => "expected `:` after this",
        Problem::EntryBesideKey(_) => "expected more spaces before this",
        Problem::ColonInTag => "expected no `:` after the tag",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_command_line_flags() {
        let help = in_words_of_the_command(Problem::TooDeep(9).help());
        assert_eq!(help, "If you trust the input, raise `--max-depth`.");
        let help = in_words_of_the_command(Problem::FlowEndIndentation.help());
        assert!(help.contains("the option `--lenient`"), "{help}");
        let help = in_words_of_the_command("Choose `non_finite` to write them as text.");
        assert_eq!(help, "Choose `--non-finite text` to write them as text.");
    }

    #[test]
    fn json_has_all_keys() {
        let error = io::Error::from(io::ErrorKind::NotFound);
        let json = serde_json::to_value(Diagnostic::io("a", "could not be read", &error)).unwrap();
        let keys = [
            "file", "severity", "kind", "class", "message", "line", "column", "offset", "length",
            "help", "related",
        ];
        for key in keys {
            assert!(json.get(key).is_some(), "{key} in {json}");
        }
        assert_eq!(json.as_object().unwrap().len(), keys.len());
    }
}
