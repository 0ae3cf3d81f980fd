//! Writes results as JSON, YAML or text.

use super::extprot;
use super::feed::Feed;
use crate::args::{QueryArgs, QueryNonFinite, QueryOutput, Results};
use crate::color;
use crate::commands::get;
use crate::output::{Out, stdout_failed};
use crate::status::Failure;
use ketch_query::{
    ErrorKind, Failure as Raised, Format, Indent, Number, Value, check_keys, set_path,
};
use std::io::Write;

/// Writes results to standard output.
pub struct Writer<'a> {
    args: &'a QueryArgs,
    form: Form,
}

enum Form {
    /// The first result decides.
    Unknown,
    /// JSON, with the text of a result.
    Json(Box<Out>, Format, String),
    Yaml(Box<get::writer::Writer>),
    Extprot(Box<Out>),
}

impl<'a> Writer<'a> {
    /// Creates a writer.
    pub fn new(args: &'a QueryArgs) -> Writer<'a> {
        Writer { args, form: Form::Unknown }
    }

    /// Chooses the format. `is_json` says that it is JSON if no option says otherwise, and `is_foreign` that the input
    /// has no styles of YAML.
    fn open(&self, is_json: bool, is_foreign: bool) -> Form {
        let (args, output) = (self.args, &self.args.output);
        let default = if is_json || output.has_json() { Results::Json } else { Results::Yaml };
        let results = output.to.unwrap_or(default);
        let is_json = results == Results::Json;
        let has_colors = output.color_output || !output.monochrome_output && color::is_on();
        let bytes_max = args.limits.max_output_bytes.unwrap_or(u64::MAX);
        let out = Out::new(has_colors && !is_json).with_bytes_max(bytes_max);
        if results == Results::Extprot {
            return Form::Extprot(Box::new(out));
        }
        if !is_json {
            let options = args.yaml.options(is_foreign, args.compose_options().schema);
            let yaml = get::writer::Writer::of_yaml(out, &args.yaml, &options, output.is_raw());
            return Form::Yaml(Box::new(yaml));
        }
        let indent = match args.yaml.indent {
            _ if output.compact_output => Indent::None,
            _ if output.tab => Indent::Tab,
            Some(0) => Indent::None,
            columns => Indent::Spaces(columns.unwrap_or(2)),
        };
        let (sorts, ascii) = (args.yaml.sort_keys, output.ascii_output);
        let format = Format { indent, sorts, ascii, colors: has_colors };
        Form::Json(Box::new(out), format, String::new())
    }

    /// Writes a result of the inputs of `feed`.
    pub fn write(&mut self, value: &Value, feed: &Feed<'_>) -> Result<Result<(), Raised>, Failure> {
        if let Form::Unknown = self.form {
            self.form = self.open(feed.is_json(), feed.is_converted());
        }
        match &mut self.form {
            Form::Json(out, format, text) => {
                text.clear();
                if let Err(failure) = write_json(self.args, value, *format, text) {
                    return Ok(Err(failure));
                }
                out.write_all(text.as_bytes()).map_err(stdout_failed)?;
            }
            Form::Yaml(yaml) => yaml.write_result(value)?,
            Form::Extprot(out) => {
                if let Err(failure) = extprot::write(out, value)? {
                    return Ok(Err(failure));
                }
            }
            Form::Unknown => {}
        }
        if self.args.output.unbuffered {
            self.flush()?;
        }
        Ok(Ok(()))
    }

    /// Writes what is still buffered.
    pub fn flush(&mut self) -> Result<(), Failure> {
        match &mut self.form {
            Form::Json(out, ..) | Form::Extprot(out) => out.flush().map_err(stdout_failed),
            Form::Yaml(yaml) => yaml.flush(),
            Form::Unknown => Ok(()),
        }
    }

    /// Writes what is still buffered, and ends the output.
    pub fn finish(self) -> Result<(), Failure> {
        match self.form {
            Form::Json(mut out, ..) | Form::Extprot(mut out) => out.flush().map_err(stdout_failed),
            Form::Yaml(yaml) => yaml.finish(),
            Form::Unknown => Ok(()),
        }
    }
}

/// Writes a result as a line of JSON, or as text, to `out`.
fn write_json(
    args: &QueryArgs,
    value: &Value,
    format: Format,
    out: &mut String,
) -> Result<(), Raised> {
    check_keys(value)?;
    let output: &QueryOutput = &args.output;
    if args.inputs.seq {
        out.push('\x1e');
    }
    match value.as_text().filter(|_| output.is_raw() && !output.ascii_output) {
        Some(text) if output.raw_output0 && text.contains('\0') => {
            let message = "Cannot dump a string containing NUL with --raw-output0 option";
            return Err(Raised::new(ErrorKind::InvalidArgument, message));
        }
        Some(text) => out.push_str(&text),
        None if output.non_finite == QueryNonFinite::Jq => value.write_json(out, format),
        None => finite(value, output.non_finite)?.write_json(out, format),
    }
    out.push_str(match (output.raw_output0, output.join_output) {
        (true, _) => "\0",
        (false, true) => "",
        (false, false) => "\n",
    });
    Ok(())
}

/// Returns the value with strings for infinity and NaN, or fails if they are errors.
fn finite(value: &Value, how: QueryNonFinite) -> Result<Value, Raised> {
    let (mut result, mut pending) = (value.clone(), vec![(Vec::new(), value.clone())]);
    while let Some((path, value)) = pending.pop() {
        let inner = |key: Value, entry: &Value| ([&path[..], &[key]].concat(), entry.clone());
        if let Some(array) = value.as_array() {
            let entries = array.entries.iter().enumerate();
            pending.extend(entries.map(|(at, entry)| inner(Value::count(at), entry)));
        } else if let Some(object) = value.as_object() {
            let entries = object.entries.iter();
            pending.extend(entries.map(|(key, entry)| inner(key.clone().into(), entry)));
        }
        // A number whose exponent is too large for a value is JSON by its spelling.
        let is_json = |number: &Number| number.is_spelled() && number.is_json_spelling();
        let number = value.as_number().filter(|it| !it.is_finite() && !is_json(it));
        let Some(number) = number else { continue };
        if how == QueryNonFinite::Error {
            let message = "infinity and NaN are no JSON: `--non-finite text` makes them strings";
            return Err(Raised::new(ErrorKind::NotFinite, message).about(&value));
        }
        let text = match (number.is_nan(), number.is_negative()) {
            (true, _) => ".nan",
            (false, true) => "-.inf",
            (false, false) => ".inf",
        };
        result = set_path(result, &path, text.into())?;
    }
    Ok(result)
}
