//! Tests of values: equality, depth, lookup and round trips.

use super::*;
use crate::from_str;
use ketch_yaml::{Budget, Documents};
use proptest::prelude::*;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

fn value(text: &str) -> Value {
    from_str(text).unwrap_or_else(|error| panic!("{error}: {text:?}"))
}

#[test]
fn every_row_of_the_data_model_is_read() {
    let cases: [(&str, Value); 16] = [
        ("~", Value::Null),
        ("true", true.into()),
        ("-0x1F", "-0x1F".into()),
        ("0x1F", 31.into()),
        ("9223372036854775807", i64::MAX.into()),
        ("9223372036854775808", (1_u64 << 63).into()),
        ("-9223372036854775809", (i128::from(i64::MIN) - 1).into()),
        ("1.5", 1.5.into()),
        ("-.inf", f64::NEG_INFINITY.into()),
        (".nan", (-f64::NAN).into()),
        ("NO", "NO".into()),
        ("'1'", "1".into()),
        ("!!binary /wA=", Value::Bytes(vec![255, 0])),
        ("[1, a]", vec![Value::from(1), "a".into()].into()),
        ("{1: a}", Value::Mapping([(1.into(), "a".into())].into_iter().collect())),
        ("!x a", TaggedValue { tag: Tag::new("x"), value: "a".into() }.into()),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
        // The value does not change if it is written and read again.
        assert_eq!(value(&expected.to_yaml().unwrap()), expected, "{text}");
    }
    let time = value("!!timestamp 2001-12-14T21:59:43.1-05:00");
    assert_eq!(time.as_timestamp().unwrap().offset_minutes, Some(-300));
    assert_eq!(time.to_yaml().unwrap(), "!!timestamp 2001-12-14T21:59:43.1-05:00\n");
}

#[test]
fn equality_compares_the_meaning_of_values() {
    assert_eq!(value("{a: 1, b: [2, {c: 3}]}"), value("b: [2, {c: 3}]\na: 1"));
    assert_eq!(value("{{a: 1, b: 2}: x, [y]: z}"), value("{[y]: z, {b: 2, a: 1}: x}"));
    let different = [
        "1",
        "1.0",
        "'1'",
        "0.0",
        "-0.0",
        "~",
        "''",
        "[]",
        "{}",
        "[1]",
        "[1, 2]",
        "[2, 1]",
        "{a: 1}",
        "{a: 2}",
        "{b: 1}",
        "{a: 1, b: 1}",
        "!x 1",
        "!y 1",
        "{[1]: 1}",
        "{[2]: 1}",
        "!!binary MQ==",
        "true",
        "99999999999999999999",
        "[[1]]",
        "[[1], []]",
        "!!timestamp 2001-01-01",
    ];
    let values: Vec<Value> = different.iter().map(|text| value(text)).collect();
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate() {
            assert_eq!(a == b, i == j, "{a:?} {b:?}");
        }
    }
    assert_eq!(values.iter().collect::<HashSet<_>>().len(), values.len());
}

#[test]
fn lookup_by_key_index_and_pointer() {
    let mut boat = value("name: Ketch\nmasts: [main, mizzen]\n'a/b': {m~n: 0}\n7: seven\n");
    assert_eq!(boat["masts"][1], "mizzen");
    assert_eq!(boat["none"]["of"][3], Value::Null);
    assert_eq!(boat[7], "seven");
    assert_eq!(boat.get(String::from("name")).and_then(Value::as_str), Some("Ketch"));
    assert_eq!(*boat.get(value("7")).unwrap(), "seven");
    assert_eq!(*boat.pointer("/masts/0").unwrap(), "main");
    assert_eq!(*boat.pointer("/a~1b/m~0n").unwrap(), 0);
    assert_eq!(boat.pointer(""), Some(&boat));
    for wrong in ["masts", "/masts/00", "/masts/2", "/masts/-", "/none"] {
        assert_eq!(boat.pointer(wrong), None, "{wrong}");
    }
    boat["crew"]["skipper"] = "Ada".into();
    boat["masts"][0] = Value::Null;
    assert_eq!(boat["crew"], value("{skipper: Ada}"));
    assert_eq!(boat["masts"], value("[~, mizzen]"));
    let pairs = boat.as_mapping_mut().unwrap();
    assert_eq!(pairs.remove("name"), Some("Ketch".into()));
    assert!(!pairs.contains_key("name") && pairs.contains_key("crew"));
    let keys: Vec<String> = pairs.keys().map(|key| format!("{key:?}")).collect();
    assert_eq!(keys, ["masts", "a/b", "7", "crew"]);
}

#[test]
fn aliases_are_expanded_within_their_budget() {
    assert_eq!(value("[&a {b: [1]}, *a]"), value("[{b: [1]}, {b: [1]}]"));
    let mut laughs = "- &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
    for level in 1..9 {
        let before = format!("*a{}", level - 1);
        laughs += &format!("- &a{level} [{}]\n", vec![before; 10].join(", "));
    }
    let error = from_str::<Value>(&laughs).unwrap_err();
    assert!(error.to_string().contains("max_alias_nodes"), "{error}");
    let error = from_str::<Value>("&a [*a]").unwrap_err();
    assert!(error.to_string().contains("alias"), "{error}");
    let document = Documents::new(b"[&a 1, *a]").next().unwrap().unwrap();
    let found = Value::from_document(&document, &ValueOptions::default()).unwrap();
    assert_eq!(found, value("[1, 1]"));
}

/// Checks values with 100,000 levels of sequences and mappings. There are fewer levels of keys,
/// because keys are hashed at each level.
#[test]
fn values_may_have_any_depth() {
    let deep = || {
        let mut value = Value::Null;
        for level in 0..100_000 {
            value = match level % 3 {
                _ if level < 1000 => Value::Mapping([(value, 1.into())].into_iter().collect()),
                0 => vec![value].into(),
                1 => Value::Mapping([("k".into(), value)].into_iter().collect()),
                _ => vec![1.into(), value].into(),
            };
        }
        value
    };
    let tagged = || {
        (0..100_000).fold(Value::Null, |value, _| TaggedValue { tag: Tag::new("t"), value }.into())
    };
    for make in [&deep as &dyn Fn() -> Value, &tagged] {
        let (a, b) = (make(), make());
        let state = RandomState::new();
        let copy = a.clone();
        assert_eq!(state.hash_one(&a), state.hash_one(&copy));
        drop(copy);
        drop(b);
    }
    let nested = || (0..100_000).fold(Value::Null, |value, _| vec![value].into());
    assert!(nested() == nested());
    let text = nested().to_yaml().unwrap();
    let mut options = crate::serde::DeOptions::default();
    options.limits.max_depth = Budget::UNLIMITED;
    let read = crate::Deserializer::with_options(text.as_bytes(), &options);
    let found: Value = ::serde::Deserialize::deserialize(read).unwrap();
    assert!(found == nested());
}

#[test]
fn hashing_of_nested_keys_is_limited() {
    let nested = |depth: usize| "{".repeat(depth) + "1" + &": 1}".repeat(depth);
    let read = |text: &str| {
        let mut options = crate::serde::DeOptions::default();
        options.limits.max_depth = Budget::UNLIMITED;
        let read = crate::Deserializer::with_options(text.as_bytes(), &options);
        <Value as ::serde::Deserialize>::deserialize(read)
    };
    assert!(read(&nested(500)).is_ok());
    let error = read(&nested(5000)).unwrap_err();
    assert!(error.to_string().contains("keys"), "{error}");
}

pub(crate) fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ -~\n\t]{0,12}",
        prop::sample::select(vec![
            "", "~", "no", "1", "1e3", "0x1", "<<", "- a", "a: b", "a #b", "\n"
        ])
        .prop_map(str::to_owned),
    ]
}

/// Generates any value that YAML can represent. Only some kinds of scalars get a tag: bytes, for
/// example, need the tag `!!binary`.
pub(crate) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i128>().prop_map(Value::from),
        any::<u64>().prop_map(|bits| Value::from(f64::from_bits(bits))),
        any_text().prop_map(Value::from),
        any_text().prop_map(Value::from),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(Value::Bytes),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        let sequence = prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from);
        let mapping = prop::collection::vec((inner.clone(), inner), 0..6)
            .prop_map(|pairs| Value::Mapping(pairs.into_iter().collect()));
        let scalar = prop_oneof![
            any_text().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(|bits| Value::from(f64::from_bits(bits))),
            any::<Option<bool>>().prop_map(Value::from),
        ];
        let tagged = (prop_oneof![sequence.clone(), mapping.clone(), scalar], "[!-~]{1,9}")
            .prop_map(|(value, tag)| {
                TaggedValue { tag: Tag::new(format!("!{tag}")), value }.into()
            });
        prop_oneof![sequence, mapping, tagged]
    })
}

/// Returns the settings for tests with random values. The environment variable
/// `KETCH_RANDOM_VALUES` sets the number of values.
fn random_values() -> ProptestConfig {
    let wanted = std::env::var("KETCH_RANDOM_VALUES").ok().and_then(|n| n.parse().ok());
    ProptestConfig::with_cases(wanted.unwrap_or(if cfg!(debug_assertions) { 500 } else { 10_000 }))
}

proptest! {
    #![proptest_config(random_values())]

    #[test]
    fn values_survive_a_round_trip(value in any_value()) {
        let text = value.to_yaml().unwrap();
        let found: Value = from_str(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&found, &value, "{}", text);
        prop_assert_eq!(&value.clone(), &value);
        let state = RandomState::new();
        prop_assert_eq!(state.hash_one(&found), state.hash_one(&value));
    }
}

#[test]
fn methods_of_serde_yaml_behave_the_same() {
    let value: Value = from_str("[~, true, 1, -1, 1.5, x, [], {}, !t 1]").unwrap();
    let kinds = |value: &Value| {
        [
            value.is_null(),
            value.is_bool(),
            value.is_number(),
            value.is_i64(),
            value.is_u64(),
            value.is_f64(),
            value.is_string(),
            value.is_sequence(),
            value.is_mapping(),
        ]
        .map(|is_kind| if is_kind { 'x' } else { '.' })
        .iter()
        .collect::<String>()
    };
    let found: Vec<_> = value.as_sequence().unwrap().iter().map(kinds).collect();
    let expected = [
        "x........",
        ".x.......",
        "..xxx....",
        "..xx.....",
        "..x..x...",
        "......x..",
        ".......x.",
        "........x",
        "..xxx....",
    ];
    assert_eq!(found, expected);
    assert_eq!((value[0].as_null(), value[1].as_null()), (Some(()), None));
    for (text, is) in [("1", [true, true, false]), ("-1", [true, false, false])] {
        let number: Number = text.parse().unwrap();
        assert_eq!([number.is_i64(), number.is_u64(), number.is_f64()], is);
        assert!(number.is_finite() && !number.is_nan() && !number.is_infinite());
    }
    assert!(".nan".parse::<Number>().unwrap().is_nan());
    assert!("-.inf".parse::<Number>().unwrap().is_infinite());
    for text in ["", "null", " 1", "1 ", "x", "1e400", "'1'"] {
        assert!(text.parse::<Number>().is_err(), "{text}");
    }
    let error: crate::Error = "x".parse::<Number>().unwrap_err();
    let result: crate::Result<Value> = Err(error);
    assert!(result.is_err());
}

/// Checks that pairs are removed from small and large mappings as from a vector of pairs.
#[test]
fn removing_pairs_keeps_or_swaps_the_rest() {
    for count in [0, 1, 5, 8, 9, 40] {
        let pairs = || (0..count).map(|key| (Value::from(key), Value::from(-key)));
        for key in 0..=count {
            let (mut shifted, mut swapped): (Mapping, Mapping) =
                (pairs().collect(), pairs().collect());
            // Test the removal both with and without an index; a lookup builds the index.
            if key % 2 == 0 {
                assert!(!swapped.contains_key(Value::from("x")));
            }
            let mut model: Vec<_> = pairs().collect();
            let place = model.iter().position(|(own, _)| *own == key);
            let pair = place.map(|at| model[at].clone());
            assert_eq!(shifted.shift_remove_entry(Value::from(key)), pair);
            assert_eq!(swapped.swap_remove_entry(Value::from(key)), pair);
            assert_eq!(shifted.remove_entry(Value::from(key)), None);
            let mut other = model.clone();
            if let Some(at) = place {
                model.remove(at);
                other.swap_remove(at);
            }
            assert!(shifted.iter().eq(model.iter().map(|(key, value)| (key, value))));
            assert!(swapped.iter().eq(other.iter().map(|(key, value)| (key, value))));
            for (own, value) in model {
                assert_eq!(swapped.get(&own), Some(&value));
                assert_eq!(shifted.swap_remove(&own), Some(value));
            }
            assert!(shifted.is_empty());
        }
        let mut kept: Mapping = pairs().collect();
        kept.retain(|key, value| {
            *value = 7.into();
            key.as_i64().unwrap() % 2 == 0
        });
        assert_eq!(kept.len(), usize::try_from(count).unwrap().div_ceil(2));
        assert!(kept.values().all(|value| *value == 7));
        kept.reserve(100);
        assert!(kept.capacity() >= kept.len() + 100);
        kept.shrink_to_fit();
        assert!(kept.capacity() < kept.len() + 100);
        assert_eq!(kept.clone().into_keys().len(), kept.into_values().len());
    }
}

#[test]
fn entries_insert_and_modify_values() {
    for count in [3, 30] {
        let mut pairs: Mapping = (0..count).map(|key| (Value::from(key), Value::Null)).collect();
        *pairs.entry("a".into()).or_insert(1.into()) = 2.into();
        assert_eq!(pairs.entry("a".into()).or_insert(1.into()), &2);
        let _ = pairs.entry("a".into()).and_modify(|value| *value = 3.into());
        assert_eq!(pairs["a"], 3);
        let mapping::Entry::Occupied(mut entry) = pairs.entry("a".into()) else { panic!("a") };
        assert_eq!((entry.insert(4.into()), entry.get().clone()), (3.into(), 4.into()));
        assert_eq!(entry.remove_entry(), ("a".into(), 4.into()));
        let mapping::Entry::Vacant(entry) = pairs.entry("a".into()) else { panic!("a") };
        assert_eq!(entry.into_key(), "a");
        assert_eq!(pairs.len(), usize::try_from(count).unwrap());
    }
}

#[test]
fn merge_keys_are_applied() {
    let merged = |text: &str| {
        let mut value: Value = from_str(text).unwrap();
        value.apply_merge().map(|()| value).map_err(|error| error.to_string())
    };
    let is = |text: &str, expected: &str| {
        assert_eq!(merged(text).unwrap(), from_str::<Value>(expected).unwrap(), "{text}");
    };
    is("{<<: {a: 1, b: 2}, b: 3}", "{a: 1, b: 3}");
    is("{<<: [{a: 1}, {a: 2, b: 2}], c: 3}", "{a: 1, b: 2, c: 3}");
    is("{<<: {a: 1, <<: {a: 2, b: 2, <<: {c: 4}}}}", "{a: 1, b: 2, c: 4}");
    // What is merged into the first mapping takes precedence over the second mapping.
    is("{<<: [{<<: {a: 1}}, {a: 2}]}", "{a: 1}");
    is("[!t {<<: {x: {<<: {y: 1}}}}]", "[!t {x: {y: 1}}]");
    is("{<<: []}", "{}");
    for text in ["{<<: 1}", "{<<: [[]]}", "{<<: !t {a: 1}}", "[{a: {<<: ~}}]"] {
        assert!(merged(text).unwrap_err().starts_with("`<<` merges a mapping"), "{text}");
    }
    let mut deep = (0..20_000).fold(Value::Null, |inner, _| {
        Value::Mapping(Mapping::from_iter([(
            "<<".into(),
            Mapping::from_iter([("a".into(), inner)]).into(),
        )]))
    });
    deep.apply_merge().unwrap();
    assert_eq!(deep.as_mapping().unwrap().keys().next().unwrap(), "a");
}

#[test]
fn alternate_debug_output_is_a_tree() {
    let value: Value = from_str("{a: [1, {}, []], b: !t {c: x}, 1: !!binary aGk=}").unwrap();
    let expected = "Mapping {\n    \"a\": Sequence [\n        Number(1),\n        Mapping {},\n        \
         Sequence [],\n    ],\n    \"b\": TaggedValue {\n        tag: !t,\n        value: Mapping {\n            \
         \"c\": String(\"x\"),\n        },\n    },\n    Number(1): Bytes([104, 105]),\n}";
    assert_eq!(format!("{value:#?}"), expected);
    assert_eq!(format!("{:#?}", value.as_mapping().unwrap()), expected);
    assert_eq!(format!("{:#?}", Some(Value::Null)), "Some(\n    Null,\n)");
}
