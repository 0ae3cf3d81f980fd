//! Errors in a schema, each with its file, line and column, the line with carets, and how to fix
//! it.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A range of a source file in bytes, with an exclusive end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The number of the file in [`Sources`].
    pub file: u32,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the range from the start of this span to the end of a later one in the same file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { end: other.end.max(self.start), ..self }
    }
}

/// A schema file with its name and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name for messages to users.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All files of a schema by number. The schema file itself has the number 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(pub Vec<Source>);

impl Sources {
    /// Returns the start of `span` as `file:line:column`. Lines and columns are counted from 1, and
    /// columns in characters.
    pub fn locate(&self, span: Span) -> String {
        let source = &self.0[span.file as usize];
        let (line, column) = line_column(&source.text, span.start as usize);
        format!("{}:{line}:{column}", source.name)
    }

    /// Returns the location at which `span` starts. The time is linear in the length of the text
    /// before it.
    ///
    /// ```
    /// use ketch_extprot::schema::{NoLoader, check_schema};
    ///
    /// let text = "message m = {\n  id : nothing\n}\n";
    /// let wrong = check_schema("m.proto", text, &mut NoLoader).unwrap_err();
    /// let location = wrong.sources.location(wrong.list[0].span);
    /// assert_eq!((location.line, location.column), (2, 8));
    /// assert_eq!(location.line_text, "  id : nothing");
    /// ```
    pub fn location(&self, span: Span) -> Location<'_> {
        let Source { name, text } = &self.0[span.file as usize];
        let offset = floor(text, span.start as usize);
        let (line, column) = line_column(text, offset);
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line_text = text[start..].split(['\n', '\r']).next().unwrap_or_default();
        Location { file: name, offset, line, column, line_text }
    }

    /// Returns the text of a span.
    pub fn text(&self, span: Span) -> &str {
        &self.0[span.file as usize].text[span.start as usize..span.end as usize]
    }
}

/// The location at which a span starts, and the text of its line, which messages can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location<'s> {
    /// The name of the file.
    pub file: &'s str,
    /// The offset in bytes.
    pub offset: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The text of the line.
    pub line_text: &'s str,
}

/// Returns the line and the column of the byte at `offset`, both counted from 1.
fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..floor(text, offset)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}

/// The offsets at which the lines of files start. Each file is searched only once, even if many of
/// its lines are shown.
#[derive(Default)]
struct Lines(HashMap<u32, Vec<usize>>);

impl Lines {
    /// Returns the number, counted from 1, of the line that contains `offset`, and the offset at
    /// which it starts.
    fn find(&mut self, sources: &Sources, file: u32, offset: usize) -> (usize, usize) {
        let starts = self.0.entry(file).or_insert_with(|| {
            let breaks = sources.0[file as usize].text.match_indices('\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        });
        let number = starts.partition_point(|start| *start <= offset);
        (number, starts[number - 1])
    }
}

/// Returns the offset at which the character that contains the byte at `offset` starts.
fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// The kind of a schema error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The text does not follow the grammar.
    Syntax,
    /// Two declarations, fields, constructors, cases or type variables have the same name.
    DuplicateName,
    /// A name that is not declared before its use.
    UnboundName,
    /// A wrong number of type arguments.
    Arity,
    /// A tuple of one element.
    TupleArity,
    /// A type or message inside itself, or a file that includes itself.
    Recursion,
    /// An option or annotation that does not exist.
    UnknownOption,
    /// A default value that is not valid for its type.
    DefaultValue,
    /// Something that is not a record is used where a record is needed.
    NotARecord,
    /// A subset of something that cannot have subsets.
    SubsetSource,
    /// A subset names a field that its source does not have.
    SubsetField,
    /// A subset without fields.
    SubsetEmpty,
    /// A file that cannot be read.
    IncludeFile,
    /// A malformed option for OCaml.
    OcamlOption,
    /// The schema is nested too deeply, is too long, or has too many types.
    Limit,
}

impl Rule {
    /// Returns the name of the rule, which programs can compare.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Syntax => "Syntax",
            Rule::DuplicateName => "DuplicateName",
            Rule::UnboundName => "UnboundName",
            Rule::Arity => "Arity",
            Rule::TupleArity => "TupleArity",
            Rule::Recursion => "Recursion",
            Rule::UnknownOption => "UnknownOption",
            Rule::DefaultValue => "DefaultValue",
            Rule::NotARecord => "NotARecord",
            Rule::SubsetSource => "SubsetSource",
            Rule::SubsetField => "SubsetField",
            Rule::SubsetEmpty => "SubsetEmpty",
            Rule::IncludeFile => "IncludeFile",
            Rule::OcamlOption => "OcamlOption",
            Rule::Limit => "Limit",
        }
    }
}

/// One error in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The rule that is broken.
    pub rule: Rule,
    /// The location.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: String,
    /// A related location, with its relation to the error.
    pub related: Option<(Span, String)>,
}

/// The errors of a schema, in the order in which they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostics {
    /// The errors, at least one.
    pub list: Vec<Diagnostic>,
    /// The files that the errors are in.
    pub sources: Arc<Sources>,
}

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines::default();
        for (i, diagnostic) in self.list.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write_at(f, &self.sources, &mut lines, diagnostic.span, &diagnostic.message)?;
            writeln!(f, "  help: {}", diagnostic.help)?;
            if let Some((span, reason)) = &diagnostic.related {
                write_at(f, &self.sources, &mut lines, *span, reason)?;
            }
        }
        Ok(())
    }
}

/// The maximum number of characters shown of a line, because a line can be as long as a whole file.
const LINE_SHOWN_MAX: usize = 120;

/// Writes `message` with the location of `span`, and the line on which the span starts, with carets
/// under the span.
fn write_at(
    f: &mut impl fmt::Write,
    sources: &Sources,
    lines: &mut Lines,
    span: Span,
    message: &str,
) -> fmt::Result {
    let Source { name, text } = &sources.0[span.file as usize];
    let start = floor(text, span.start as usize);
    let (number, line_start) = lines.find(sources, span.file, start);
    let line = text[line_start..].split(['\n', '\r']).next().unwrap_or("");
    let column = text[line_start..start].chars().count();
    let first = column.saturating_sub(LINE_SHOWN_MAX / 2);
    let shown: String = line.chars().skip(first).take(LINE_SHOWN_MAX).collect();
    let end = floor(text, span.end as usize).max(start);
    let width = text[start..end].split(['\n', '\r']).next().unwrap_or("").chars().count();
    let width = width.clamp(1, LINE_SHOWN_MAX / 2);
    let pad: String =
        shown.chars().take(column - first).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    writeln!(f, "{name}:{number}:{}: {message}", column + 1)?;
    writeln!(f, "{number:5} | {shown}")?;
    writeln!(f, "      | {pad}{}", "^".repeat(width))
}
