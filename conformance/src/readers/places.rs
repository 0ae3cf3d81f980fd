//! The contexts and styles in which a value is written.

use super::Case;
use super::notation::Host;
use ketch::{Mapping, Value};
use ketch_yaml::Parser;
use ketch_yaml::present::{
    CollectionStyle, Collections, PresentError, PresentOptions, Presenter, Properties, ScalarStyle,
    Scalars, Sequences,
};
use ketch_yaml::represent::Native;
use std::collections::HashSet;
use std::fmt::Write;

/// A way in which values are written.
#[derive(Clone, Debug)]
pub struct Way {
    source: Source,
    options: PresentOptions,
    is_everyday: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// Values, as `to_string` writes them.
    Values,
    /// The events of JSON, as `ketch convert --from json` writes them.
    Json,
    /// Values whose text is in this style.
    Style(ScalarStyle),
}

/// Returns all ways in which values are written.
pub fn ways() -> Vec<Way> {
    let way = |source, change: fn(&mut PresentOptions)| {
        let mut options = PresentOptions::default();
        if source == Source::Json {
            options.collections = Collections::Block;
            options.scalars = Scalars::Minimal;
        }
        change(&mut options);
        Way { source, options, is_everyday: false }
    };
    let everyday = |way| Way { is_everyday: true, ..way };
    let narrow: fn(&mut PresentOptions) = |options| {
        options.width = Some(12);
        options.indent = 1;
    };
    let flow: fn(&mut PresentOptions) = |options| options.collections = Collections::Flow;
    let mut ways = Vec::new();
    for source in [Source::Values, Source::Json] {
        ways.push(everyday(way(source, |_| {})));
        ways.push(everyday(way(source, flow)));
        ways.push(way(source, narrow));
        ways.push(way(source, |options| {
            options.width = Some(20);
            options.collections = Collections::Flow;
        }));
        ways.push(way(source, |options| {
            options.indent = 4;
            options.sequences = Sequences::Indented;
            options.ascii = true;
        }));
        ways.push(way(source, |options| {
            options.scalars = Scalars::DoubleQuoted;
            options.width = Some(30);
        }));
    }
    let quotes = [ScalarStyle::SingleQuoted, ScalarStyle::DoubleQuoted].map(Source::Style);
    let blocks = [ScalarStyle::Literal, ScalarStyle::Folded].map(Source::Style);
    for source in quotes {
        ways.push(way(source, |_| {}));
        ways.push(way(source, flow));
        ways.push(way(source, narrow));
    }
    for source in blocks {
        ways.push(way(source, |_| {}));
        ways.push(way(source, narrow));
        ways.push(way(source, |options| {
            options.indent = 9;
            options.width = Some(30);
            options.sequences = Sequences::Indented;
        }));
    }
    ways
}

/// The texts beside a value, which are written in any style.
const WORDS: [&str; 2] = ["ketch", "yawl"];

/// Returns documents that contain a value in different contexts.
pub fn places(value: &Value) -> Vec<Vec<Value>> {
    let [ketch, yawl] = WORDS.map(Value::from);
    let item = || value.clone();
    let list = |items: &[Value]| Value::from(items.to_vec());
    let map = |pairs: &[(Value, Value)]| Value::Mapping(Mapping::from_iter(pairs.iter().cloned()));
    let other = || (yawl.clone(), 2.into());
    let mut places = vec![
        vec![item()],
        vec![item(), item()],
        vec![list(&[item(), yawl.clone()])],
        vec![list(&[list(&[item()]), list(&[item(), item()]), item()])],
        vec![map(&[(ketch.clone(), item()), other()])],
        vec![map(&[(ketch.clone(), map(&[(ketch.clone(), item())])), other()])],
        vec![map(&[(ketch.clone(), list(&[item(), item()])), other()])],
        vec![map(&[(item(), 1.into()), other()])],
        vec![list(&[map(&[(item(), item()), other()]), 1.into()])],
        vec![map(&[(item(), list(&[item()])), other()])],
        vec![map(&[(item(), map(&[(item(), Value::Null)])), other()])],
    ];
    if value.as_str().is_none() {
        let text = value.to_yaml().expect("a value").trim_end().into();
        places.push(vec![map(&[(item(), 1.into()), (text, 2.into())])]);
    }
    places
}

/// Returns each distinct text that contains one of the values, for all contexts and ways. If
/// `share` is above 1, only every `share`-th of the uncommon ways is used, in rotation.
pub fn cases<'v>(values: impl IntoIterator<Item = &'v Value>, share: usize) -> Vec<Case> {
    let ways = ways();
    let mut turn = 0;
    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    for value in values {
        for documents in places(value) {
            for way in &ways {
                turn += 1;
                if !way.is_everyday && turn % share != 0 {
                    continue;
                }
                let Some(text) = way.written(&documents) else { continue };
                let case = Case { text, documents: documents.clone() };
                if seen.insert((case.text.clone(), case.written(Host::EXACT))) {
                    cases.push(case);
                }
            }
        }
    }
    cases
}

impl Way {
    /// Returns the text of the documents, or `None` if they cannot be written in this way.
    pub fn written(&self, documents: &[Value]) -> Option<String> {
        let mut yaml = Presenter::with_options(Vec::new(), &self.options);
        for document in documents {
            match self.source {
                Source::Values => document.write_document(&mut yaml).expect("a value"),
                Source::Style(style) => {
                    styled_document(&mut yaml, document, style).expect("a value");
                }
                Source::Json => {
                    let mut json = String::new();
                    put_json(&mut json, document)?;
                    let mut one = Presenter::with_options(Vec::new(), &self.options);
                    if !yaml.get_mut().is_empty() {
                        one.continue_stream();
                    }
                    Parser::new(json.as_bytes()).push_into(&mut one).expect("JSON is YAML");
                    let text = one.finish().expect("a whole document");
                    yaml.get_mut().extend(text);
                }
            }
        }
        let text = match self.source {
            Source::Json => std::mem::take(yaml.get_mut()),
            _ => yaml.finish().expect("whole documents"),
        };
        Some(String::from_utf8(text).expect("UTF-8"))
    }
}

/// Writes a document whose scalars have this style.
fn styled_document(
    yaml: &mut Presenter<Vec<u8>>,
    value: &Value,
    style: ScalarStyle,
) -> Result<(), PresentError> {
    yaml.start_document(false)?;
    styled(yaml, value, style)?;
    yaml.end_document(false)
}

/// Writes a value whose strings have this style. This function is recursive, since the values are
/// not deeply nested.
fn styled(
    yaml: &mut Presenter<Vec<u8>>,
    value: &Value,
    style: ScalarStyle,
) -> Result<(), PresentError> {
    const NONE: Properties<'_> = Properties::NONE;
    match value {
        Value::Null => yaml.native(Native::Null, NONE),
        Value::Bool(value) => yaml.native(Native::Bool(*value), NONE),
        Value::Number(value) => match value.to_big_int() {
            Some(value) => yaml.native(Native::BigInt(&value.to_string()), NONE),
            None => yaml.native(Native::Float(value.as_f64().unwrap_or(f64::NAN)), NONE),
        },
        Value::String(text) if WORDS.contains(&text.as_str()) => {
            yaml.native(Native::Str(text), NONE)
        }
        Value::String(text) => yaml.scalar(text, style, NONE),
        Value::Sequence(items) => {
            yaml.start_sequence(CollectionStyle::Block, NONE)?;
            items.iter().try_for_each(|item| styled(yaml, item, style))?;
            yaml.end_sequence()
        }
        Value::Mapping(pairs) => {
            yaml.start_mapping(CollectionStyle::Block, NONE)?;
            for (key, value) in pairs {
                styled(yaml, key, style)?;
                styled(yaml, value, style)?;
            }
            yaml.end_mapping()
        }
        other => unreachable!("no case holds {other:?}"),
    }
}

/// Appends a value as JSON, with floats in the form that JSON writers use, such as `1e300`. Returns
/// `None` if JSON cannot express the value.
fn put_json(out: &mut String, value: &Value) -> Option<()> {
    match value {
        Value::String(text) => out.push_str(&serde_json::to_string(text.as_str()).ok()?),
        Value::Number(value) => match (value.to_big_int(), value.as_f64()) {
            (Some(value), _) => write!(out, "{value}").ok()?,
            (None, Some(value)) if value.is_finite() => write!(out, "{value:?}").ok()?,
            _ => return None,
        },
        Value::Sequence(items) => {
            let mut before = '[';
            for item in items {
                out.push(before);
                put_json(out, item)?;
                before = ',';
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Value::Mapping(pairs) => {
            let mut before = '{';
            for (key, value) in pairs {
                out.push(before);
                put_json(out, &Value::from(key.as_str()?))?;
                out.push(':');
                put_json(out, value)?;
                before = ',';
            }
            out.push_str(if pairs.is_empty() { "{}" } else { "}" });
        }
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        other => unreachable!("no case holds {other:?}"),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_styles_have_the_same_value() {
        let values =
            ["NO", "", " a\nb\n\n", "- a: b #c, [d]", "\u{85}\u{1F600}", "one two three four five"];
        for value in values.map(Value::from).into_iter().chain([1e300.into(), 7.into()]) {
            for case in cases([&value], 1) {
                let found: Vec<Value> = ketch::Deserializer::from_str(&case.text)
                    .map(|document| serde::Deserialize::deserialize(document).expect("YAML"))
                    .collect();
                assert_eq!(found, case.documents, "{}", case.text);
            }
        }
    }

    #[test]
    fn cases_cover_every_way_and_position() {
        let texts: Vec<String> =
            cases([&"a\nb".into()], 1).into_iter().map(|case| case.text).collect();
        for part in ["|-\n", ">-\n", "\"a\\nb\"", "'a\n", "{\"a\\nb\": ", "? |-\n", "\n---"] {
            assert!(texts.iter().any(|text| text.contains(part)), "{part:?}: {texts:?}");
        }
        assert!(texts.len() > 60, "{}", texts.len());
        assert!(cases([&"a\nb".into()], 4).len() < texts.len() / 2);
    }
}
