//! Tests that no depth of a text, value or type ends the process.

use super::*;
use crate::value::{Tag, TaggedValue};
use crate::{Mapping, Value};
use ::serde::de::{DeserializeOwned, IgnoredAny};
use ::serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The size of a stack that must suffice for a debug build to read and write 128 levels.
const STACK_BYTES: usize = 2 << 20;

fn in_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    thread.expect("a thread").join().expect("no panic")
}

#[derive(Serialize, Deserialize, Debug)]
struct List(Vec<List>);

#[derive(Serialize, Deserialize, Debug)]
struct Chain {
    next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, Debug)]
struct Endless(Option<Box<Endless>>);

#[derive(Serialize, Deserialize, Debug)]
enum Variants {
    Next(Box<Variants>),
    Last,
}

#[derive(Deserialize, Debug)]
#[serde(transparent)]
struct Places {
    _next: Spanned<Box<Option<Places>>>,
}

/// Returns a value of sequences that are nested `levels` deep.
fn deep_value(levels: usize) -> Value {
    (0..levels).fold(Value::from(Vec::<Value>::new()), |inner, _| vec![inner].into())
}

fn deep_map(levels: usize) -> Value {
    (0..levels)
        .fold(Value::Null, |inner, _| Value::Mapping(Mapping::from_iter([("next".into(), inner)])))
}

fn flow(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[track_caller]
fn is_too_deep<T: Debug>(result: Result<T, Error>) {
    let error = result.unwrap_err();
    assert!(error.message().contains("nested too deeply"), "{error}");
}

/// Returns a text with 20,000 levels. The comment in it makes it so long that the budget allows
/// this depth.
fn deep_text() -> String {
    format!("# {}\n{}", "x".repeat(4_000_000), flow(20_000))
}

#[test]
fn a_value_too_deep_for_a_recursive_type_is_an_error() {
    in_a_small_stack(|| {
        let value: Value = from_str(&deep_text()).unwrap();
        is_too_deep(from_value::<List>(value.clone()));
        is_too_deep(List::deserialize(&value));
        is_too_deep(List::deserialize(value));
        is_too_deep(from_value::<Chain>(deep_map(20_000)));
        assert!(from_value::<IgnoredAny>(deep_map(20_000)).is_ok());
    });
}

#[test]
fn a_text_too_deep_for_a_recursive_type_is_an_error() {
    in_a_small_stack(|| {
        let text = deep_text();
        is_too_deep(from_str::<List>(&text));
        is_too_deep(from_reader::<_, List>(text.as_bytes()));
        is_too_deep(List::deserialize(Deserializer::from_str(&text)));
        is_too_deep(Elements::<List>::from_reader(text.as_bytes()).next().unwrap());
        assert!(Deserializer::from_str(&text).all_errors::<List>().is_err());
    });
}

#[test]
fn a_value_too_deep_for_json_is_an_error() {
    in_a_small_stack(|| {
        let error = serde_json::to_string(&deep_value(20_000)).unwrap_err();
        assert!(error.to_string().contains("nested too deeply"), "{error}");
        assert!(serde_json::to_value(deep_map(20_000)).is_err());
        assert!(serde_json::to_string(deep_value(20_000).as_sequence().unwrap()).is_err());
        assert!(serde_json::to_string(deep_map(20_000).as_mapping().unwrap()).is_err());
    });
}

#[test]
fn types_without_recursion_accept_any_depth() {
    in_a_small_stack(|| {
        for value in [deep_value(20_000), deep_map(20_000)] {
            let text = to_string(&value).unwrap();
            assert_eq!(text, value.to_yaml().unwrap());
            assert_eq!(to_value(&value).unwrap(), value);
            assert_eq!(from_value::<Value>(value.clone()).unwrap(), value);
            assert_eq!(to_value(&BTreeMap::from([("a", &value)])).unwrap()["a"], value);
            assert!(format!("{value:?}{value:#?}").len() > 20_000);
        }
    });
}

#[test]
fn a_deep_value_with_a_tag_is_written_unchanged() {
    let tagged = |value| Value::Tagged(Box::new(TaggedValue { tag: Tag::new("t"), value }));
    for levels in [0, 1, 126, 127, 128, 129, 500] {
        let inside = (0..levels).fold(tagged(vec![1].into()), |inner, _| vec![inner].into());
        for value in [inside, tagged(deep_value(levels)), tagged(deep_map(levels))] {
            let text = to_string(&value).unwrap();
            assert_eq!(text, value.to_yaml().unwrap());
            assert_eq!(to_value(&value).unwrap(), value);
            assert_eq!(from_str::<Value>(&text).unwrap(), value);
        }
    }
}

/// Reads `text` with each kind of deserializer.
fn read_all<T: DeserializeOwned + Debug>(text: &str) -> Vec<Result<T, Error>> {
    let mut results = vec![
        from_str(text),
        from_reader(text.as_bytes()),
        T::deserialize(Deserializer::from_str(text).next().unwrap()),
        Deserializer::from_str(text)
            .all_errors()
            .map_err(|errors| errors.into_iter().next().unwrap()),
        from_value(from_str(text).unwrap()),
    ];
    results.extend(Elements::<T>::from_reader(format!("- {text}").as_bytes()));
    results
}

#[test]
fn types_that_nest_without_collections_have_a_limit() {
    in_a_small_stack(|| {
        for text in ["1", "{a: 1}", "!x 1", "*", "[]"] {
            let text = text.replace('*', "[&a 1, *a]");
            read_all::<Endless>(&text).into_iter().for_each(is_too_deep);
            read_all::<Option<Endless>>(&text).into_iter().for_each(is_too_deep);
        }
        for found in read_all::<Endless>("~") {
            assert!(found.is_ok());
        }
        let chain = "{Next: ".repeat(1000) + "Last" + &"}".repeat(1000);
        read_all::<Variants>(&chain).into_iter().for_each(is_too_deep);
        is_too_deep(from_str::<Places>("1"));
    });
}

#[test]
fn types_of_128_levels_are_read() {
    in_a_small_stack(|| {
        let chain = |levels: usize| "{next: ".repeat(levels) + "~" + &"}".repeat(levels);
        for found in read_all::<Chain>(&chain(128)) {
            found.unwrap();
        }
        read_all::<Chain>(&chain(129)).into_iter().for_each(is_too_deep);
        for found in read_all::<List>(&flow(128)) {
            found.unwrap();
        }
        read_all::<List>(&flow(129)).into_iter().for_each(is_too_deep);
        let options = DeOptions { max_recursion: 3, ..DeOptions::default() };
        let read =
            |text: &str| Chain::deserialize(Deserializer::with_options(text.as_bytes(), &options));
        assert!(read(&chain(3)).is_ok());
        is_too_deep(read(&chain(4)));
    });
}

#[test]
fn writing_of_recursive_types_has_a_limit() {
    in_a_small_stack(|| {
        let list = |levels| (0..levels).fold(List(Vec::new()), |inner, _| List(vec![inner]));
        assert!(to_string(&list(128)).is_ok() && to_value(&list(128)).is_ok());
        let variants = (0..300).fold(Variants::Last, |inner, _| Variants::Next(Box::new(inner)));
        assert!(to_string(&variants).is_err());
        is_too_deep(to_string(&list(300)));
        is_too_deep(to_value(&list(300)));
        let endless = (0..600).fold(Endless(None), |inner, _| Endless(Some(Box::new(inner))));
        is_too_deep(to_string(&endless));
        is_too_deep(to_value(&endless));
    });
}
