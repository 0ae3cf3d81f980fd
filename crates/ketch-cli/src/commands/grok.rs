//! `ketch grok`: parses lines into fields with grok expressions.

use crate::args::GrokArgs;
use crate::commands::regex::{wrong_line, wrong_pattern, wrong_search};
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::file_name;
use crate::files;
use crate::input;
use crate::output::stdout_failed;
use crate::status::{Failure, Status};
use crate::stdout::{self, Stdout};
use ketch_regex::{
    Class, Error, Grok, GrokError, GrokFields, GrokPatterns, GrokValue, Limits, LineOptions, Lines,
    Options,
};
use serde_json::{Map, Value, json};
use std::io::{BufWriter, Write};

/// The size in bytes of the buffer for output.
const OUT_BYTES: usize = 64 << 10;

/// Parses the lines of each file. After an error in a file, continues with the next one.
pub fn run(args: GrokArgs) -> Result<Status, Failure> {
    let grok = compile(&args)?;
    let mut out = BufWriter::with_capacity(OUT_BYTES, stdout::lock());
    let mut status = Status::Missing;
    let mut failed = Status::Success;
    for file in &files::expand_all(&args.files)?.names {
        match one(file, &args, &grok, &mut out) {
            Ok(true) => status = Status::Success,
            Ok(false) => {}
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => {
                out.flush().map_err(stdout_failed)?;
                failed = failed.max(draw::failure(&failure));
            }
        }
    }
    out.flush().map_err(stdout_failed)?;
    Ok(if failed == Status::Success { status } else { failed })
}

/// Compiles the expressions of the arguments, with the patterns in the files of patterns.
fn compile(args: &GrokArgs) -> Result<Grok, Failure> {
    let mut patterns = GrokPatterns::new();
    for file in &args.patterns {
        let bytes = input::read(file)?;
        if let Err(line) = patterns.add_file(&String::from_utf8_lossy(&bytes)) {
            let message = format!("line {line} has a name, but no pattern");
            let mut diagnostic =
                Diagnostic::sentence(file_name::shown(file), "GrokPatterns", "syntax", message);
            diagnostic.help = Some("Write a name, a blank, and a pattern on each line.".to_owned());
            return Err(Failure::Input(Box::new(diagnostic)));
        }
    }
    let limits = Limits { time: args.timeout, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut expressions = vec![args.expression.as_str()];
    expressions.extend(args.or.iter().map(String::as_str));
    Grok::new(&patterns, &expressions, options).map_err(|error| match &error {
        GrokError::Pattern(_, error) => wrong_pattern(error.pattern(), error),
        _ => {
            let file = format!("expression {}", error.expression() + 1);
            let mut diagnostic = Diagnostic::sentence(&file, "Grok", "semantic", error.to_string());
            diagnostic.help = match &error {
                GrokError::Unknown(..) => Some(match args.patterns.is_empty() {
                    true => "Give a file of patterns: --patterns FILE.".to_owned(),
                    false => "Check the name, or give another file: --patterns FILE.".to_owned(),
                }),
                _ => None,
            };
            Failure::Argument(Box::new(diagnostic))
        }
    })
}

/// Prints an object for each line of `file`. Returns whether a line matched.
fn one(
    file: &str,
    args: &GrokArgs,
    grok: &Grok,
    out: &mut BufWriter<Stdout>,
) -> Result<bool, Failure> {
    let shown = file_name::shown(file);
    let options = LineOptions { chomp: true, ..LineOptions::default() };
    let mut lines = Lines::new(input::stream(file)?, options);
    let mut found = false;
    loop {
        let line = match lines.next_line() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(found),
            Err(error) => return Err(wrong_line(shown, error)),
        };
        let value = match grok.parse(line) {
            Ok(Some(fields)) => {
                found = true;
                as_json(&fields)
            }
            Ok(None) if args.matched => continue,
            Ok(None) => tagged(line, "_grokparsefailure"),
            Err(error) if is_timeout(&error) => tagged(line, "_groktimeout"),
            Err(error) => return Err(wrong_search(shown, &error)),
        };
        writeln!(out, "{value}").map_err(stdout_failed)?;
    }
}

/// Returns whether `error` means that a search took longer than the time limit.
fn is_timeout(error: &Error) -> bool {
    error.class() == Class::Limit && error.problem().setting() == Some("time")
}

/// Returns the object for a line that was not parsed into fields. `tag` says why.
fn tagged(line: &[u8], tag: &str) -> Value {
    json!({"message": String::from_utf8_lossy(line), "tags": [tag]})
}

/// Returns `fields` as a JSON object. A field with several values becomes an array.
fn as_json(fields: &GrokFields<'_, '_>) -> Value {
    let mut object = Map::new();
    for (path, value) in &fields.values {
        let value = match value {
            GrokValue::Text(text) => json!(String::from_utf8_lossy(text)),
            GrokValue::Int(int) => json!(int),
            GrokValue::Float(float) => json!(float),
        };
        put(&mut object, path, value);
    }
    Value::Object(object)
}

/// Adds `value` at `path` in `object`, creating the objects on the path. If there is already a
/// value, both become an array.
fn put(object: &mut Map<String, Value>, path: &[String], value: Value) {
    let Some((last, around)) = path.split_last() else { return };
    let mut object = object;
    for name in around {
        let inner = object.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
        // `Grok::new` rejects expressions in which a field is a value and also contains fields.
        let Value::Object(inner) = inner else { return };
        object = inner;
    }
    match object.get_mut(last) {
        None => {
            object.insert(last.clone(), value);
        }
        Some(Value::Array(values)) => values.push(value),
        Some(first) => {
            let one = first.take();
            *first = Value::Array(vec![one, value]);
        }
    }
}
