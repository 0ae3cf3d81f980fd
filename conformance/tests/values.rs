//! Values are the same regardless of how they are read: step by step from a composed document, or
//! with serde from a slice or a reader; and with any choice for duplicate keys.

use ketch::serde::DeOptions;
use ketch::value::ValueOptions;
use ketch::{Deserializer, Value};
use ketch_conformance::generate;
use ketch_conformance::suite::cases;
use ketch_yaml::schema::Schema;
use ketch_yaml::{ComposeOptions, Documents, DuplicateKeys, Options};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Debug;

const POLICIES: [DuplicateKeys; 3] =
    [DuplicateKeys::Error, DuplicateKeys::First, DuplicateKeys::Last];

/// The values of a stream up to the first error, and the message of the error.
type Values = (Vec<Value>, Option<String>);

fn collect(values: impl Iterator<Item = Result<Value, String>>) -> Values {
    let mut found = Vec::new();
    for value in values {
        match value {
            Ok(value) => found.push(value),
            Err(error) => return (found, Some(error)),
        }
    }
    (found, None)
}

fn step_by_step(text: &[u8], options: &DeOptions) -> Values {
    let mut compose = ComposeOptions::default();
    compose.schema = options.schema;
    compose.duplicate_keys = options.duplicate_keys;
    let mut value = ValueOptions::default();
    value.schema = options.schema;
    let documents = Documents::with_options(text, &Options::default(), &compose);
    collect(documents.map(|document| {
        let document = document.map_err(|error| error.problem().to_string())?;
        Value::from_document(&document, &value).map_err(|error| error.problem().to_string())
    }))
}

fn by_serde(stream: Deserializer<'_>) -> Values {
    let read = |document| Value::deserialize(document);
    collect(stream.map(|document| read(document).map_err(|error| error.message().to_owned())))
}

fn check(text: &str) -> Result<(), String> {
    for schema in Schema::ALL {
        for duplicate_keys in POLICIES {
            let mut options = DeOptions::default();
            (options.schema, options.duplicate_keys) = (schema, duplicate_keys);
            let expected = step_by_step(text.as_bytes(), &options);
            let slice = by_serde(Deserializer::with_options(text.as_bytes(), &options));
            let reader = by_serde(Deserializer::reader_with_options(text.as_bytes(), &options));
            if slice != reader {
                return Err(format!("{schema}: {slice:?} from the slice, {reader:?} read"));
            }
            // The error messages may differ, since the two ways search differently.
            let is_same = slice.0 == expected.0 && slice.1.is_some() == expected.1.is_some();
            if !is_same {
                return Err(format!("{schema}: {slice:?} by serde, {expected:?} step by step"));
            }
        }
    }
    Ok(())
}

/// Compares the calls that a type receives from a slice and from a reader: for a type that accepts
/// anything, and for one that accepts only text and options. From a slice, most scalars are
/// borrowed from the input; from a reader, none are.
fn check_types(text: &str) -> Result<(), String> {
    fn read<T: DeserializeOwned + Debug>(stream: Deserializer<'_>) -> Vec<String> {
        stream
            .map(|document| match T::deserialize(document) {
                Ok(value) => format!("{value:?}"),
                Err(error) => format!("{}: {}", error.path(), error.message()),
            })
            .collect()
    }
    fn same<T: DeserializeOwned + Debug>(text: &str, schema: Schema) -> Result<(), String> {
        let mut options = DeOptions::default();
        options.schema = schema;
        let slice = read::<T>(Deserializer::with_options(text.as_bytes(), &options));
        let reader = read::<T>(Deserializer::reader_with_options(text.as_bytes(), &options));
        if slice == reader { Ok(()) } else { Err(format!("{slice:?} and {reader:?}")) }
    }
    for schema in Schema::ALL {
        same::<serde_json::Value>(text, schema)?;
        same::<Vec<BTreeMap<Option<String>, Option<Vec<String>>>>>(text, schema)?;
        same::<BTreeMap<String, Option<f64>>>(text, schema)?;
        same::<Vec<(Option<bool>, char)>>(text, schema)?;
    }
    Ok(())
}

#[test]
fn values_of_the_suite_are_the_same_in_all_styles() {
    let mut count = 0;
    for case in cases() {
        check(&case.yaml).unwrap_or_else(|wrong| panic!("{}: {wrong}", case.id));
        check_types(&case.yaml).unwrap_or_else(|wrong| panic!("{}: {wrong}", case.id));
        count += 1;
    }
    assert_eq!(count, 402);
}

/// When a quote is not closed, a reader yields the events before it while it is still searching for
/// its end. It copies their text up to the end of its buffer, which is in the middle of a
/// character.
#[test]
fn errors_of_streams_give_advice_if_the_buffer_splits_a_character() {
    let letters = "\u{e9}".repeat(35);
    let text = format!(" {{ *a: \"\u{1f30a} ,*a : {}  {letters}\n", "x".repeat(30));
    check(&text).unwrap();
}

/// A slice is parsed without its byte order mark, a reader keeps it.
#[test]
fn errors_of_streams_give_advice_after_a_byte_order_mark() {
    check("\u{feff}{ \"a\": &a  , *b: a ,}: a\n").unwrap();
}

const CASES: u32 = if cfg!(debug_assertions) { 300 } else { 5_000 };

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn values_of_generated_documents_are_the_same_by_all_ways(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let text = generate::document(&bytes);
        let wrong = check(&text).and_then(|()| check_types(&text)).err();
        prop_assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
    }
}
