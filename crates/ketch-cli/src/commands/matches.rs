//! `ketch match`: prints the lines that match a regular expression.

use crate::args::MatchArgs;
use crate::commands::regex::{compile, wrong_line, wrong_search};
use crate::draw;
use crate::file_name;
use crate::files;
use crate::input;
use crate::output::stdout_failed;
use crate::quiet;
use crate::status::{Failure, Status};
use crate::stdout::{self, Stdout};
use ketch_regex::{Captures, Limits, LineOptions, Lines, Options, Regex};
use serde_json::{Map, Value, json};
use std::io::{self, BufWriter, Write};

/// The size in bytes of the buffer for output.
const OUT_BYTES: usize = 64 << 10;

/// Searches each file. After an error in a file, continues with the next one.
pub fn run(args: MatchArgs) -> Result<Status, Failure> {
    let limits = Limits { time: args.timeout, ..Limits::default() };
    let options = Options { ignore_case: args.ignore_case, limits, ..Options::default() };
    let regex = compile(&args.pattern, options)?;
    let mut status = Status::Missing;
    let mut failed = Status::Success;
    let mut named = args.files.clone();
    if args.recursive && args.files == ["-"] {
        named = vec![".".to_owned()];
    }
    let files = files::expand_all(&named)?;
    let mut search = Search {
        named: args.recursive || files.is_group || files.names.len() > 1,
        args: &args,
        regex: &regex,
        captures: Captures::new(),
        out: BufWriter::with_capacity(OUT_BYTES, stdout::lock()),
    };
    for file in &files.names {
        match search.file(file) {
            Ok(true) => status = Status::Success,
            Ok(false) => {}
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => {
                search.out.flush().map_err(stdout_failed)?;
                failed = failed.max(draw::failure(&failure));
            }
        }
    }
    search.out.flush().map_err(stdout_failed)?;
    Ok(if failed == Status::Success { status } else { failed })
}

struct Search<'a> {
    args: &'a MatchArgs,
    regex: &'a Regex,
    /// Whether the names of files are printed with their lines.
    named: bool,
    captures: Captures,
    out: BufWriter<Stdout>,
}

/// A line and its location. `number` counts lines from 1, and `offset` counts bytes.
struct Line<'t> {
    file: &'t str,
    number: u64,
    offset: u64,
    text: &'t [u8],
}

impl Search<'_> {
    /// Searches `file`, and prints what the options select. Returns whether a line was selected.
    fn file(&mut self, file: &str) -> Result<bool, Failure> {
        let shown = file_name::shown(file);
        let mut lines = Lines::new(input::stream(file)?, LineOptions::default());
        let mut number = 0;
        let mut count = 0u64;
        loop {
            let (offset, text) = match lines.next_at() {
                Ok(Some(found)) => found,
                Ok(None) => break,
                Err(error) => return Err(wrong_line(shown, error)),
            };
            number += 1;
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            let found = self.regex.is_match(text).map_err(|error| wrong_search(shown, &error))?;
            if found == self.args.invert_match {
                continue;
            }
            count += 1;
            if quiet::is_on() {
                return Ok(true);
            }
            if !self.args.count && self.selected(&Line { file: shown, number, offset, text })? {
                return Ok(true);
            }
        }
        if self.args.count && !quiet::is_on() {
            let written = match self.named {
                true => writeln!(self.out, "{shown}:{count}"),
                false => writeln!(self.out, "{count}"),
            };
            written.map_err(stdout_failed)?;
        }
        Ok(count > 0)
    }

    /// Prints what the options select of `line`, which has been selected. Returns whether the rest
    /// of the file can be skipped.
    fn selected(&mut self, line: &Line<'_>) -> Result<bool, Failure> {
        let data = self.args.json || self.args.yaml;
        if self.args.files_with_matches {
            writeln!(self.out, "{}", line.file).map_err(stdout_failed)?;
            return Ok(true);
        }
        if memchr::memchr(0, line.text).is_some() && !data {
            writeln!(self.out, "{}: a binary file matches", line.file).map_err(stdout_failed)?;
            return Ok(true);
        }
        match self.args.only_matching || data {
            true => self.matches(line)?,
            false => self.write(line, line.text).map_err(stdout_failed)?,
        }
        Ok(false)
    }

    /// Prints each match in `line`.
    fn matches(&mut self, line: &Line<'_>) -> Result<(), Failure> {
        let mut scan = self.regex.scan(line.text);
        loop {
            let found = scan.next_captures(&mut self.captures);
            if !found.map_err(|error| wrong_search(line.file, &error))? {
                return Ok(());
            }
            let Some(span) = self.captures.get(0) else { return Ok(()) };
            let text = line.text.get(span.clone()).unwrap_or(&[]);
            if self.args.only_matching {
                if !text.is_empty() {
                    self.write(line, text).map_err(stdout_failed)?;
                }
                continue;
            }
            let value = self.value(line, span.start, text);
            self.write_value(&value)?;
        }
    }

    /// Prints `text`, a part of `line`, after the name of the file and the number of the line if
    /// these are wanted.
    fn write(&mut self, line: &Line<'_>, text: &[u8]) -> io::Result<()> {
        if self.named {
            write!(self.out, "{}:", line.file)?;
        }
        if self.args.line_number {
            write!(self.out, "{}:", line.number)?;
        }
        self.out.write_all(text)?;
        self.out.write_all(b"\n")
    }

    /// Returns a match as JSON. It starts at offset `start` of `line` and consists of `text`.
    fn value(&self, line: &Line<'_>, start: usize, text: &[u8]) -> Value {
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let group =
            |group: usize| self.captures.get(group).and_then(|span| line.text.get(span)).map(shown);
        let groups = if self.regex.names().is_empty() {
            json!((1..self.captures.len()).map(group).collect::<Vec<_>>())
        } else {
            // If several groups have the same name, its value is the last group that is set, as in
            // Ruby's `named_captures`.
            let named = self.regex.names().iter().map(|name| {
                let last = name.groups.iter().rev().find_map(|number| group(*number as usize));
                (name.name.clone(), json!(last))
            });
            Value::Object(named.collect::<Map<String, Value>>())
        };
        let column = String::from_utf8_lossy(&line.text[..start.min(line.text.len())]);
        json!({
            "file": line.file,
            "line": line.number,
            "column": column.chars().count() + 1,
            "offset": line.offset + start as u64,
            "match": shown(text),
            "groups": groups,
        })
    }

    /// Prints a match as a line of JSON or as an item of a YAML sequence.
    fn write_value(&mut self, value: &Value) -> Result<(), Failure> {
        if self.args.json {
            return writeln!(self.out, "{value}").map_err(stdout_failed);
        }
        let entry = ketch::to_string(&[value]).map_err(io::Error::other).map_err(stdout_failed)?;
        self.out.write_all(entry.as_bytes()).map_err(stdout_failed)
    }
}
