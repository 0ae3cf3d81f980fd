//! `ketch lines`: splits text into lines or other records.

use crate::args::LinesArgs;
use crate::commands::regex::{compile, wrong_line};
use crate::draw;
use crate::file_name;
use crate::files;
use crate::input;
use crate::output::stdout_failed;
use crate::status::{Failure, Status};
use crate::stdout::{self, Stdout};
use ketch_regex::{LineOptions, Lines, Options, Separator};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// The size in bytes of the buffer for output.
const OUT_BYTES: usize = 64 << 10;

/// Splits each file into records. After an error in a file, continues with the next one.
pub fn run(args: LinesArgs) -> Result<Status, Failure> {
    let options = LineOptions {
        separator: separator(&args)?,
        chomp: true,
        max_line_bytes: args.max_bytes.map_or(usize::MAX, |bytes| bytes as usize),
    };
    let mut out = BufWriter::with_capacity(OUT_BYTES, stdout::lock());
    let mut status = Status::Success;
    let mut number = 0;
    let files = files::expand_all(&args.files)?;
    let is_named = files.is_group || files.names.len() > 1;
    for file in &files.names {
        let done = one((file, is_named), &args, options.clone(), &mut number, &mut out);
        if let Err(failure) = done {
            out.flush().map_err(stdout_failed)?;
            if matches!(failure, Failure::Closed) {
                return Err(failure);
            }
            status = status.max(draw::failure(&failure));
        }
    }
    out.flush().map_err(stdout_failed)?;
    Ok(status)
}

/// Returns what ends a record, as given by the arguments.
fn separator(args: &LinesArgs) -> Result<Separator, Failure> {
    if args.paragraphs {
        return Ok(Separator::Paragraphs);
    }
    if let Some(pattern) = &args.pattern {
        return Ok(Separator::Pattern(compile(pattern, Options::default())?));
    }
    let Some(text) = &args.separator else { return Ok(Separator::default()) };
    match unescaped(text) {
        Some(text) if !text.is_empty() => Ok(Separator::Text(text)),
        Some(_) => {
            Err(Failure::Usage("--separator is empty: give a text, or --paragraphs".to_owned()))
        }
        None => Err(Failure::Usage(format!(
            "--separator {text}: expected one of \\n, \\r, \\t, \\0, \\\\ and \\xHH after the backslash"
        ))),
    }
}

/// Returns `text` with its escapes replaced, or `None` if it has an unknown escape.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'0' => 0,
            b'\\' => b'\\',
            b'x' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

/// A record as it is printed in JSON.
#[derive(Serialize)]
struct Record<'r> {
    file: &'r str,
    number: u64,
    offset: u64,
    text: String,
}

/// Prints or counts the records of `file`; `is_named` says whether its name is printed before their
/// count. `number` is the number of the last record that was printed.
fn one(
    (file, is_named): (&str, bool),
    args: &LinesArgs,
    options: LineOptions,
    number: &mut u64,
    out: &mut BufWriter<Stdout>,
) -> Result<(), Failure> {
    let shown = file_name::shown(file);
    let mut lines = Lines::new(input::stream(file)?, options);
    if args.count {
        let count = lines.count_lines().map_err(|error| wrong_line(shown, error))?;
        let name = if is_named { format!("{shown}:") } else { String::new() };
        return writeln!(out, "{name}{count}").map_err(stdout_failed);
    }
    loop {
        let (offset, line) = match lines.next_at() {
            Ok(Some(found)) => found,
            Ok(None) => break,
            Err(error) => return Err(wrong_line(shown, error)),
        };
        *number += 1;
        let written = if args.json {
            let text = String::from_utf8_lossy(line).into_owned();
            let record = Record { file: shown, number: *number, offset, text };
            serde_json::to_writer(&mut *out, &record).map_err(io::Error::from)
        } else if args.number {
            numbered(*number, out).and_then(|()| out.write_all(line))
        } else {
            out.write_all(line)
        };
        written.and_then(|()| out.write_all(b"\n")).map_err(stdout_failed)?;
    }
    Ok(())
}

/// Writes `number`, padded with spaces to at least six columns, and a tab.
fn numbered(number: u64, out: &mut impl Write) -> io::Result<()> {
    let mut digits = [b' '; 21];
    digits[20] = b'\t';
    let mut at = 20;
    let mut rest = number;
    while rest > 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.write_all(&digits[at.min(14)..])
}
