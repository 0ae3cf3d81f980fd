//! `ketch resolve`: shows how schemas resolve plain scalars.

use crate::args::{Format, ResolveArgs};
use crate::output;
use crate::status::{Failure, Status};
use comfy_table::{Table, TableStyle};
use ketch_yaml::schema::{Scalar, Schema};
use ketch_yaml::tag::YAML_PREFIX;
use serde::Serialize;
use serde_json::value::RawValue;
use std::io::{self, Write};

const UNRESOLVED: &str = "not valid in this schema";

/// Prints the tag and value of each text, in each schema that the arguments choose.
pub fn run(args: ResolveArgs) -> Result<Status, Failure> {
    let schemas = args.schema.map_or(Schema::ALL.to_vec(), |schema| vec![schema]);
    output::print(|out| match args.format {
        Format::Text => writeln!(out, "{}", table(&args.texts, &schemas).trim_fmt()),
        Format::Json => json(&args.texts, &schemas, out),
    })?;
    Ok(Status::Success)
}

/// Returns a table of values with one row for each text and one column for each schema.
fn table(texts: &[String], schemas: &[Schema]) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_header(["TEXT"].into_iter().chain(schemas.iter().map(|schema| schema.name())));
    for text in texts {
        let cells = schemas.iter().map(|&schema| cell(schema, text));
        table.add_row([quoted(text)].into_iter().chain(cells));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table
}

/// Returns the tag and value of `text` in `schema`, such as `!!int 511`.
fn cell(schema: Schema, text: &str) -> String {
    let tag = schema.resolve(text.as_bytes()).uri();
    match schema.scalar(text) {
        Scalar::Unresolved(_) => format!("error: {UNRESOLVED}"),
        Scalar::Str(text) => format!("{} {}", shorthand(tag), quoted(text)),
        Scalar::Null | Scalar::Merge => shorthand(tag),
        value => format!("{} {}", shorthand(tag), plain(&value)),
    }
}

/// Returns the tag `tag` in its short form, such as `!!int`.
fn shorthand(tag: &str) -> String {
    tag.strip_prefix(YAML_PREFIX).map_or(tag.to_owned(), |name| format!("!!{name}"))
}

/// Returns `text` in quotes.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// Returns `value` as the core schema writes it. The result is empty for null, a merge key and a
/// binary.
fn plain(value: &Scalar<'_>) -> String {
    match value {
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::BigInt(value) => value.to_string(),
        Scalar::Float(value) if value.is_nan() => ".nan".to_owned(),
        Scalar::Float(value) if value.is_infinite() => {
            if *value > 0.0 { ".inf" } else { "-.inf" }.to_owned()
        }
        Scalar::Float(value) => format!("{value:?}"),
        Scalar::Timestamp(value) => value.to_string(),
        Scalar::Null | Scalar::Merge | Scalar::Binary(_) => String::new(),
        Scalar::Str(text) | Scalar::Unresolved(text) => (*text).to_owned(),
    }
}

/// The value of a text in a schema, as it is printed in JSON.
#[derive(Serialize)]
struct Answer<'a> {
    text: &'a str,
    schema: &'static str,
    tag: &'static str,
    /// The name that Syck has for the form of the text.
    form: Option<&'static str>,
    /// The value. Numbers have all their digits, and values that JSON cannot represent are strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    /// The reason why the text has no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

/// Prints a line of JSON for each text in each schema.
fn json(texts: &[String], schemas: &[Schema], out: &mut dyn Write) -> io::Result<()> {
    for text in texts {
        for &schema in schemas {
            let tag = schema.resolve(text.as_bytes());
            let value = schema.scalar(text.as_str());
            let error = matches!(value, Scalar::Unresolved(_)).then_some(UNRESOLVED);
            let value = error.is_none().then(|| RawValue::from_string(json_value(&value)));
            let answer = Answer {
                text,
                schema: schema.name(),
                tag: tag.uri(),
                form: tag.refinement(),
                value: value.transpose()?,
                error,
            };
            serde_json::to_writer(&mut *out, &answer)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Returns `value` as JSON. Values that JSON cannot represent become strings.
fn json_value(value: &Scalar<'_>) -> String {
    match value {
        Scalar::Null | Scalar::Unresolved(_) => "null".to_owned(),
        Scalar::Float(float) if !float.is_finite() => {
            serde_json::Value::from(plain(value)).to_string()
        }
        Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => plain(value),
        Scalar::BigInt(value) if value.is_decimal() => value.to_string(),
        Scalar::Merge => serde_json::Value::from("<<").to_string(),
        value => serde_json::Value::from(plain(value)).to_string(),
    }
}
