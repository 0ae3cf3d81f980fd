//! Reads TOML.

mod brackets;
mod mistakes;
mod statements;
mod values;

use super::flow::{Flow, Wrong};
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};
use toml::value::Datetime;

pub use mistakes::explain;

/// Converts `text` to YAML. The parser has a limit of the depth, so this may recurse.
pub fn convert(text: &str) -> Result<Flow, Wrong> {
    let table =
        DeTable::parse(text).map_err(|error| explain(text, error.message(), error.span()))?;
    let mut flow = Flow::default();
    write_table(&mut flow, table.get_ref())?;
    Ok(flow)
}

/// Returns `raw`, a number or boolean of TOML, as YAML.
pub fn token(raw: &str) -> String {
    let mut flow = Flow::default();
    match DeValue::parse(raw).map(|value| write_value(&mut flow, value.get_ref())) {
        Ok(Ok(())) => flow.out,
        _ => raw.to_owned(),
    }
}

fn write_table(flow: &mut Flow, table: &DeTable<'_>) -> Result<(), Wrong> {
    flow.each(['{', '}'], table.iter(), |flow, (key, value)| {
        flow.key(key.get_ref());
        write_value(flow, value.get_ref())
    })
}

fn write_value(flow: &mut Flow, value: &DeValue<'_>) -> Result<(), Wrong> {
    match value {
        DeValue::String(text) => flow.text(text),
        DeValue::Boolean(value) => flow.plain(if *value { "true" } else { "false" }),
        DeValue::Integer(integer) => write_integer(flow, integer),
        DeValue::Float(float) => write_float(flow, float),
        DeValue::Datetime(datetime) => write_datetime(flow, datetime),
        DeValue::Array(items) => {
            flow.each(['[', ']'], items.iter(), |flow, item| write_value(flow, item.get_ref()))?;
        }
        DeValue::Table(table) => write_table(flow, table)?,
    }
    Ok(())
}

/// Writes an integer in its base, or in decimal if YAML does not have the base.
fn write_integer(flow: &mut Flow, integer: &DeInteger<'_>) {
    let digits = integer.as_str();
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    match integer.radix() {
        16 => flow.plain(&format!("0x{digits}")),
        8 => flow.plain(&format!("0o{digits}")),
        2 => match i64::from_str_radix(digits, 2) {
            Ok(value) => flow.plain(&value.to_string()),
            Err(_) => flow.text(&format!("0b{digits}")),
        },
        _ => flow.plain(digits),
    }
}

fn write_float(flow: &mut Flow, float: &DeFloat<'_>) {
    let text = float.as_str();
    match text.strip_prefix('+').unwrap_or(text) {
        "inf" => flow.plain(".inf"),
        "-inf" => flow.plain("-.inf"),
        "nan" | "-nan" => flow.plain(".nan"),
        digits => flow.plain(digits),
    }
}

/// Writes a date, with or without a time, as YAML 1.1 has it. A time alone is text, because YAML 1.1
/// would read it as a number.
fn write_datetime(flow: &mut Flow, datetime: &Datetime) {
    match datetime.date {
        Some(_) => flow.plain(&datetime.to_string()),
        None => flow.text(&datetime.to_string()),
    }
}
