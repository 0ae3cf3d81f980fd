//! The test oracle: the schemas as regular expressions, taken from their definitions.
//!
//! It is slow, short and independent of the scanners. The order of the rows matters.

use regex::Regex;

use crate::schema::{FloatForm, IntForm, ScalarTag, Schema, TimestampForm};

/// The rules of one schema.
pub(super) struct Reference {
    rows: Vec<(Regex, ScalarTag)>,
    unmatched: ScalarTag,
    calendar: bool,
}

type Row = (&'static str, ScalarTag);

const NULL: Row = ("null|Null|NULL|~|", ScalarTag::Null);
const DECIMAL: ScalarTag = ScalarTag::Int(IntForm::Decimal);
const OCTAL: ScalarTag = ScalarTag::Int(IntForm::Octal);
const HEX: ScalarTag = ScalarTag::Int(IntForm::Hex);
const BINARY: ScalarTag = ScalarTag::Int(IntForm::Binary);
const INT60: ScalarTag = ScalarTag::Int(IntForm::Base60);
const FIXED: ScalarTag = ScalarTag::Float(FloatForm::Fixed);
const EXPONENT: ScalarTag = ScalarTag::Float(FloatForm::Exponent);
const FLOAT60: ScalarTag = ScalarTag::Float(FloatForm::Base60);
const DATE: ScalarTag = ScalarTag::Timestamp(TimestampForm::Date);
const ISO8601: ScalarTag = ScalarTag::Timestamp(TimestampForm::Iso8601);
const SPACED: ScalarTag = ScalarTag::Timestamp(TimestampForm::Spaced);

/// Infinities and not-a-number, which all schemas that have them share.
const SPECIAL: [Row; 3] = [
    (r"\+?\.(inf|Inf|INF)", ScalarTag::Float(FloatForm::Infinity)),
    (r"-\.(inf|Inf|INF)", ScalarTag::Float(FloatForm::NegInfinity)),
    (r"\.(nan|NaN|NAN)", ScalarTag::Float(FloatForm::Nan)),
];

/// YAML 1.2.2, section 10.2.2.
const JSON: [Row; 6] = [
    ("null", ScalarTag::Null),
    ("true", ScalarTag::Bool(true)),
    ("false", ScalarTag::Bool(false)),
    (r"-?(0|[1-9][0-9]*)", DECIMAL),
    (r"-?(0|[1-9][0-9]*)(\.[0-9]*)?", FIXED),
    (r"-?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?", EXPONENT),
];

/// YAML 1.2.2, section 10.3.2.
const CORE: [Row; 8] = [
    NULL,
    ("true|True|TRUE", ScalarTag::Bool(true)),
    ("false|False|FALSE", ScalarTag::Bool(false)),
    (r"[-+]?[0-9]+", DECIMAL),
    (r"0o[0-7]+", OCTAL),
    (r"0x[0-9a-fA-F]+", HEX),
    (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)", FIXED),
    (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", EXPONENT),
];

const YES: Row = ("yes|Yes|YES|true|True|TRUE|on|On|ON", ScalarTag::Bool(true));
const NO: Row = ("no|No|NO|false|False|FALSE|off|Off|OFF", ScalarTag::Bool(false));
const MERGE: Row = ("<<", ScalarTag::Merge);

/// The table in the documentation of [`crate::schema`].
const YAML11: [Row; 16] = [
    NULL,
    YES,
    NO,
    MERGE,
    ("=", ScalarTag::Value),
    (r"[-+]?0b_*[01][01_]*", BINARY),
    (r"[-+]?0[0-7_]+", OCTAL),
    (r"[-+]?(0|[1-9][0-9_]*)", DECIMAL),
    (r"[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*", HEX),
    (r"[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+", INT60),
    (r"[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)", FIXED),
    (r"[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)[eE][-+][0-9]+", EXPONENT),
    (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*", FLOAT60),
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2}", DATE),
    (
        r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[Tt][0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?",
        ISO8601,
    ),
    (
        r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[ \t]+[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?",
        SPACED,
    ),
];

/// The measured table of the Syck dialect.
const SYCK: [Row; 15] = [
    NULL,
    YES,
    NO,
    MERGE,
    ("=", ScalarTag::Default),
    (r"[-+]?0x[0-9a-fA-F,]+", HEX),
    (r"[-+]?0[0-7,]+", OCTAL),
    (r"[-+]?[0-9][0-9,]*(:[0-5]?[0-9])+", INT60),
    (r"[-+]?(0|[1-9][0-9,]*)", DECIMAL),
    (r"[-+]?[0-9][0-9,]*\.[0-9,]*", FIXED),
    (r"[-+]?[0-9][0-9,]*\.[0-9.]*[eE][-+][0-9]+", EXPONENT),
    (r"[-+]?[0-9][0-9,]*(:[0-5]?[0-9])+\.[0-9,]*", FLOAT60),
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2}", DATE),
    (
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?(Z|[-+][0-9]{2}(:[0-9]{2})?)",
        ISO8601,
    ),
    (
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ \t]+[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?[ \t]+(Z|[-+][0-9]{2}(:[0-9]{2})?)",
        SPACED,
    ),
];

impl Reference {
    pub(super) fn new(schema: Schema) -> Self {
        let rows: Vec<Row> = match schema {
            Schema::Failsafe => Vec::new(),
            Schema::Json => JSON.to_vec(),
            Schema::Core => [&CORE[..], &SPECIAL].concat(),
            Schema::Yaml11 => [&YAML11[..], &SPECIAL].concat(),
            Schema::Syck => [&SYCK[..], &SPECIAL].concat(),
        };
        let compile = |(pattern, tag): Row| {
            let whole = format!(r"\A(?:{pattern})\z");
            (Regex::new(&whole).expect("a valid pattern"), tag)
        };
        Self {
            rows: rows.into_iter().map(compile).collect(),
            unmatched: match schema {
                Schema::Json => ScalarTag::Unresolved,
                _ => ScalarTag::Str,
            },
            calendar: schema == Schema::Yaml11,
        }
    }

    pub(super) fn resolve(&self, text: &str) -> ScalarTag {
        let matched = self.rows.iter().find(|(pattern, _)| pattern.is_match(text));
        match matched {
            Some((_, ScalarTag::Timestamp(_))) if self.calendar && !exists(text) => self.unmatched,
            Some((_, tag)) => *tag,
            None => self.unmatched,
        }
    }
}

/// Returns whether `text`, which has the form of a timestamp, names an existing date and time.
fn exists(text: &str) -> bool {
    let (date, time) = text.split_at(text.find(['T', 't', ' ', '\t']).unwrap_or(text.len()));
    let date = numbers(date);
    let leap =
        date[0].is_multiple_of(400) || (date[0].is_multiple_of(4) && !date[0].is_multiple_of(100));
    let days = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let day_exists =
        (1..=12).contains(&date[1]) && (1..=days[date[1] as usize - 1]).contains(&date[2]);
    // Hour, minute, second, and then the fraction (if there is a dot) and the zone.
    let mut time: Vec<u64> = numbers(time);
    if text.contains('.') {
        let fraction_is_empty =
            !text.split('.').nth(1).unwrap_or("").starts_with(|c: char| c.is_ascii_digit());
        if !fraction_is_empty {
            time.remove(3);
        }
    }
    let maxima = [23, 59, 60, 23, 59];
    day_exists && time.iter().zip(maxima).all(|(value, max)| *value <= max)
}

/// Returns the values of all runs of digits in `text`. Runs of more than 19 digits occur only in
/// fractions.
fn numbers(text: &str) -> Vec<u64> {
    let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(|run| run.parse().unwrap_or(u64::MAX)).collect()
}
