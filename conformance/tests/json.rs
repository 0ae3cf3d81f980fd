//! The JSON values of yaml-test-suite (279 of 279), at every level and with every chunk size.

use ketch_conformance::checks::{CHUNK_WORDS, Failures};
use ketch_conformance::generate::{self, Random};
use ketch_conformance::run::{Pieces, chunked};
use ketch_conformance::suite::{Case, cases};
use ketch_conformance::targets;
use ketch_yaml::compose::{JsonOptions, JsonWriter, Source};
use ketch_yaml::{ComposeOptions, Document, Documents, DuplicateKeys, Level, Options, ReadParser};
use serde_json::Value;

/// The number of generated documents.
const DOCUMENTS: u64 = if cfg!(debug_assertions) { 2_000 } else { 50_000 };

/// Returns the values of a stream of JSON texts. Numbers keep their digits.
fn values(json: &[u8]) -> Result<Vec<Value>, String> {
    let texts = serde_json::Deserializer::from_slice(json).into_iter::<Value>();
    texts.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Returns whether two values are equal in JSON, which has only one kind of number (`450` is
/// `450.0`), and in which the order of keys does not matter.
fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same_entry = |(key, a)| b.get(key).is_some_and(|b| same_value(a, b));
            a.len() == b.len() && a.iter().all(same_entry)
        }
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// Returns the documents of `source` as JSON texts, one after another.
fn converted<S: Source>(mut documents: Documents<'_, S>) -> Result<Vec<u8>, String> {
    let mut writer = JsonWriter::new(&JsonOptions::default());
    let mut document = Document::new();
    let mut out = Vec::new();
    while documents.next_into(&mut document).map_err(|error| error.to_string())? {
        writer.write(&document, &mut out).map_err(|error| error.to_string())?;
        out.push(b'\n');
    }
    Ok(out)
}

/// Returns the options for a case. Two cases contain duplicate keys on purpose; their JSON has the
/// value of the last one.
fn compose_options(case: &Case) -> ComposeOptions {
    let mut options = ComposeOptions::default();
    if case.id == "2JQS" || case.id == "X38W" {
        options.duplicate_keys = DuplicateKeys::Last;
    }
    options
}

fn judge(case: &Case, json: &[u8]) -> Result<(), String> {
    let expected = values(case.json.as_deref().unwrap_or_default().as_bytes())?;
    let found = values(json)?;
    if expected.len() == found.len() && expected.iter().zip(&found).all(|(a, b)| same_value(a, b)) {
        return Ok(());
    }
    Err(format!("{:?}\n--- expected\n{expected:?}\n--- found\n{found:?}", case.yaml))
}

#[test]
fn values_equal_the_json_of_the_suite() {
    let mut failures = Failures::default();
    let mut judged = 0;
    for case in cases().iter().filter(|case| !case.fail && case.json.is_some()) {
        judged += 1;
        let compose = compose_options(case);
        for level in Level::available() {
            for words in CHUNK_WORDS {
                let mut options = chunked(words);
                options.level = level;
                let documents = Documents::with_options(case.yaml.as_bytes(), &options, &compose);
                let result = converted(documents).and_then(|json| judge(case, &json));
                failures
                    .note(format_args!("{}, level {level}, chunks of {words}", case.id), result);
            }
        }
    }
    assert_eq!(judged, 279);
    failures.finish();
}

#[test]
fn readers_cut_at_every_byte_return_the_same_json() {
    let mut failures = Failures::default();
    for case in cases().iter().filter(|case| !case.fail && case.json.is_some()) {
        let compose = compose_options(case);
        for cut in 1..=case.yaml.len() {
            for (pieces, words) in [([cut, usize::MAX], 4096), ([cut, 1], 1)] {
                let mut options = Options::default();
                options.chunk_words = words;
                let reader = Pieces::new(case.yaml.as_bytes(), &pieces);
                let parser = ReadParser::with_options(reader, &options);
                let documents = Documents::from_source(parser, &compose);
                let result = converted(documents).and_then(|json| judge(case, &json));
                failures.note(format_args!("{}, cut {pieces:?}", case.id), result);
            }
        }
    }
    failures.finish();
}

/// Invalid input has no value, and composing it never panics.
#[test]
fn invalid_input_has_no_value() {
    let mut failures = Failures::default();
    for case in cases().iter().filter(|case| case.fail) {
        let result = match converted(Documents::new(case.yaml.as_bytes())) {
            Ok(json) => Err(format!("taken as {}", String::from_utf8_lossy(&json))),
            Err(_) => Ok(()),
        };
        failures.note(&case.id, result);
    }
    failures.finish();
}

/// Documents of any length are written from events if they need no tree.
#[test]
fn json_of_events_equals_that_of_trees() {
    let mut failures = Failures::default();
    for case in cases() {
        failures.note(&case.id, targets::compose(case.yaml.as_bytes()));
    }
    for seed in 0..DOCUMENTS {
        let mut random = Random::new(seed);
        let bytes = random.bytes(20 + (seed % 300) as usize);
        let mut text = generate::document(&bytes).into_bytes();
        if seed % 3 == 0 {
            generate::mutate(&mut text, &mut random);
        }
        failures.note(seed, targets::compose(&text));
    }
    failures.finish();
}
