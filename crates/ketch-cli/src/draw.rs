//! Draws diagnostics as text: the source line, a caret, what was expected, and help.

use crate::args::{self, Format};
use crate::diagnostic::{Diagnostic, Severity};
use crate::output::stdout_failed;
use crate::quiet;
use crate::status::{Failure, Status};
use crate::stdout;
use clap::error::ErrorKind;
use codespan_reporting::diagnostic::{Diagnostic as Drawn, Label, LabelStyle};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{self, Chars, Config};
use ketch_yaml::Location;
use ketch_yaml::is_masked;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns `diagnostic` as text in color. If necessary, the stream that it is written to removes
/// the colors.
pub fn render(diagnostic: &Diagnostic) -> String {
    let diagnostic = &diagnostic.masked();
    let excerpts = Excerpts::new(diagnostic);
    let mut drawn = match diagnostic.severity {
        Severity::Error => Drawn::error(),
        Severity::Warning => Drawn::warning(),
    };
    // The name of the file is shown with the source line. If there is no such line, the name comes
    // before the message.
    let name = &excerpts.files[0].name;
    let is_sentence = excerpts.labels.is_empty();
    drawn = drawn.with_message(match is_sentence {
        false => diagnostic.message.clone(),
        true => format!("{name}: {}{}", diagnostic.message, location_in_words(diagnostic)),
    });
    drawn = drawn.with_labels(excerpts.labels.clone());
    if let Some(help) = &diagnostic.help {
        drawn = drawn.with_notes(vec![format!("help: {help}")]);
    }
    let mut buffer = Buffer::ansi();
    let config = Config { chars: Chars::ascii(), ..Config::default() };
    match term::emit_to_write_style(&mut buffer, &config, &excerpts, &drawn) {
        Ok(()) => {
            let text = String::from_utf8_lossy(buffer.as_slice()).trim_end().to_owned();
            // There is an empty line after each excerpt, but none between messages without an
            // excerpt.
            if is_sentence { text } else { text + "\n" }
        }
        // This does not happen, because all excerpts are in range. The message alone would be
        // sufficient.
        Err(_) => format!("error: {name}: {}", diagnostic.message),
    }
}

/// Whether messages on standard error are lines of JSON.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Sets the form of messages on standard error.
pub fn choose(format: Format) {
    IS_JSON.store(format == Format::Json, Ordering::Relaxed);
}

/// Prints `failure` on standard error, and returns its exit status.
pub fn failure(failure: &Failure) -> Status {
    if let Failure::Usage(message) = failure {
        // It is not an error if standard error is closed.
        let _ = subcommand().error(ErrorKind::ValueValidation, message).print();
    }
    match failure {
        // Wrong arguments are reported even if `--quiet` is given.
        Failure::Argument(diagnostic) => {
            let _ = write_message(diagnostic);
        }
        _ => failure.diagnostic().iter().for_each(to_stderr),
    }
    failure.status()
}

/// Returns the subcommand that was called, whose usage is shown with an error.
fn subcommand() -> clap::Command {
    let mut command = args::command();
    command.build();
    for name in std::env::args().skip(1) {
        match command.find_subcommand(&name) {
            Some(found) => command = found.clone(),
            None => break,
        }
    }
    command
}

/// Prints `diagnostic` on standard error, unless `--quiet` is given. It is not an error if standard
/// error is closed.
pub fn to_stderr(diagnostic: &Diagnostic) {
    if quiet::is_on() {
        return;
    }
    let _ = write_message(diagnostic);
}

/// Writes `diagnostic` to standard error.
fn write_message(diagnostic: &Diagnostic) -> io::Result<()> {
    match IS_JSON.load(Ordering::Relaxed) {
        false => write_to(&mut anstream::stderr(), diagnostic),
        true => write_json(&mut io::stderr(), diagnostic),
    }
}

/// Prints `diagnostic` as a result on standard output. The output is flushed, because checking may
/// take long, and the user may stop the command.
pub fn to_stdout(diagnostic: &Diagnostic, format: Format) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    stdout::check().map_err(stdout_failed)?;
    let printed = match format {
        Format::Text => write_to(&mut out, diagnostic),
        Format::Json => write_json(&mut out, diagnostic),
    };
    printed.and_then(|()| out.flush()).map_err(stdout_failed)
}

/// Writes `diagnostic` to `out` as a line of JSON.
fn write_json(out: &mut dyn Write, diagnostic: &Diagnostic) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &diagnostic.masked())?;
    writeln!(out)
}

/// Writes `diagnostic` to `out` as text.
fn write_to(out: &mut dyn Write, diagnostic: &Diagnostic) -> io::Result<()> {
    writeln!(out, "{}", render(diagnostic))
}

/// Returns words for the location of a diagnostic without an excerpt, of which only the offset is
/// known. They are empty if there is no location.
fn location_in_words(diagnostic: &Diagnostic) -> String {
    diagnostic
        .location
        .as_ref()
        .map_or(String::new(), |location| format!(", at byte {}", location.offset))
}

/// The lines that a diagnostic shows. Each is stored with its number and the column of its first
/// character, because only a part of a long line is stored.
struct Excerpts {
    /// The file of the diagnostic, and the file of the related location if that is a different one.
    files: Vec<Excerpt>,
    labels: Vec<Label<usize>>,
}

struct Excerpt {
    name: String,
    source: String,
    lines: Vec<Line>,
}

#[derive(Clone)]
struct Line {
    range: Range<usize>,
    number: u64,
    first_column: u64,
}

impl Excerpts {
    /// Creates the excerpts that `diagnostic` shows, for its own location and the related one.
    fn new(diagnostic: &Diagnostic) -> Excerpts {
        let mut files = vec![Excerpt::new(&diagnostic.file)];
        let location =
            diagnostic.location.as_ref().map(|location| (0, location, &diagnostic.label));
        let related = diagnostic.related.as_ref().map(|related| {
            if let Some(file) = &related.file {
                files.push(Excerpt::new(file));
            }
            (files.len() - 1, &related.location, &related.message)
        });
        let mut shown: Vec<_> = [(LabelStyle::Primary, location), (LabelStyle::Secondary, related)]
            .into_iter()
            .filter_map(|(style, location)| location.map(|location| (style, location)))
            .filter(|(_, (_, location, _))| location.line > 0)
            .collect();
        shown.sort_by_key(|(_, (file, location, _))| (*file, location.line));
        let mut labels = Vec::new();
        for (style, (file, location, words)) in shown {
            let range = files[file].show(location);
            labels.push(Label::new(style, file, range).with_message(words.as_ref()));
        }
        Excerpts { files, labels }
    }

    /// Returns the excerpt of the file with the index `id`.
    fn file(&self, id: usize) -> Result<&Excerpt, Error> {
        self.files.get(id).ok_or(Error::FileMissing)
    }
}

impl Excerpt {
    /// Creates an excerpt of `file` that has no lines yet.
    fn new(file: &str) -> Excerpt {
        let name = file.chars().map(visible).collect();
        Excerpt { name, source: String::new(), lines: Vec::new() }
    }

    /// Adds the line of `location`, and returns the range of bytes in the excerpt that the caret
    /// marks.
    fn show(&mut self, location: &Location) -> Range<usize> {
        let line = self.line_of(location).clone();
        let text = &self.source[line.range.clone()];
        let caret = caret(text, location.column - line.first_column, location.len);
        line.range.start + caret.start..line.range.start + caret.end
    }

    /// Returns the line of `location`, which is added unless it is the last line of the excerpt.
    fn line_of(&mut self, location: &Location) -> &Line {
        let first_column = location.column.saturating_sub(location.text_column as u64);
        if let Some(last) = self.lines.last() {
            let columns = self.source[last.range.clone()].chars().count() as u64;
            let shown = last.first_column..=last.first_column + columns;
            if last.number == location.line && shown.contains(&location.column) {
                return &self.lines[self.lines.len() - 1];
            }
            // The lines between the two are not available. Three empty lines are drawn as an
            // ellipsis, even if only one line is omitted.
            if last.number + 1 < location.line {
                (0..3).for_each(|_| {
                    self.add_line("", 0, 1);
                });
            }
        }
        self.add_line(&location.text, location.line, first_column)
    }

    /// Adds the line `number`, of which the text from `first_column` on is known.
    fn add_line(&mut self, text: &str, number: u64, first_column: u64) -> &Line {
        let range = self.source.len()..self.source.len() + text.len();
        self.source.push_str(text);
        self.source.push('\n');
        self.lines.push(Line { range, number, first_column });
        &self.lines[self.lines.len() - 1]
    }

    /// Returns the line with the index `index`.
    fn line(&self, index: usize) -> Result<&Line, Error> {
        let max = self.lines.len();
        self.lines.get(index).ok_or(Error::LineTooLarge { given: index, max })
    }
}

/// Returns the range of bytes in `text` that the caret marks. It starts after `columns` characters
/// and has `len` bytes, but does not go beyond the end of the text.
fn caret(text: &str, columns: u64, len: usize) -> Range<usize> {
    let start = text.char_indices().nth(columns as usize).map_or(text.len(), |(at, _)| at);
    let mut end = (start + len).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Returns `ch` or, if it is a control character, a visible character instead. This is for file
/// names, which must not move the cursor.
fn visible(ch: char) -> char {
    if is_masked(ch) { '\u{fffd}' } else { ch }
}

impl<'e> Files<'e> for Excerpts {
    type FileId = usize;
    type Name = &'e str;
    type Source = &'e str;

    fn name(&'e self, id: usize) -> Result<&'e str, Error> {
        Ok(&self.file(id)?.name)
    }

    fn source(&'e self, id: usize) -> Result<&'e str, Error> {
        Ok(&self.file(id)?.source)
    }

    fn line_index(&'e self, id: usize, byte_index: usize) -> Result<usize, Error> {
        let after = self.file(id)?.lines.partition_point(|line| line.range.start <= byte_index);
        Ok(after.saturating_sub(1))
    }

    fn line_number(&'e self, id: usize, line_index: usize) -> Result<usize, Error> {
        Ok(self.file(id)?.line(line_index)?.number as usize)
    }

    fn column_number(&'e self, id: usize, index: usize, byte_index: usize) -> Result<usize, Error> {
        let file = self.file(id)?;
        let line = file.line(index)?;
        let end = byte_index.clamp(line.range.start, line.range.end);
        let before = file.source[line.range.start..end].chars().count();
        Ok(line.first_column as usize + before)
    }

    fn line_range(&'e self, id: usize, line_index: usize) -> Result<Range<usize>, Error> {
        let range = &self.file(id)?.line(line_index)?.range;
        Ok(range.start..range.end + 1)
    }
}
