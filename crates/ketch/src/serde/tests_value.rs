//! Tests that read values as types: tags, enums, kinds and locations.

use super::*;
use crate::value::{Tag, TaggedValue};
use crate::{Mapping, Number, Sequence, Value};
use ::serde::de::DeserializeOwned;
use ::serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum E {
    Unit,
    B(i32),
    Float(f64),
    Flag(bool),
    Text(String),
    Maybe(Option<u8>),
    Pair(u8, String),
    Named { a: u8 },
    Any(Value),
}

/// Reads `text` with each kind of deserializer. Those that read from a `Value` come last.
fn read_all<T: DeserializeOwned + Debug>(text: &str) -> Vec<Result<T, Error>> {
    let value: Value = from_str(text).unwrap();
    let document = |text| T::deserialize(Deserializer::from_str(text).next().unwrap());
    let (reader, lent) = (from_reader(text.as_bytes()), T::deserialize(&value));
    vec![
        from_str(text),
        document(text),
        reader,
        lent,
        T::deserialize(value.clone()),
        from_value(value),
    ]
}

#[track_caller]
fn all_are<T: DeserializeOwned + PartialEq + Debug>(text: &str, expected: &T) {
    for found in read_all::<T>(text) {
        assert_eq!(found.as_ref().unwrap(), expected, "{text}");
    }
}

#[track_caller]
fn all_fail<T: DeserializeOwned + Debug>(text: &str, message: &str) {
    for found in read_all::<T>(text) {
        assert_eq!(found.unwrap_err().message(), message, "{text}");
    }
}

#[test]
fn enums_convert_to_a_value_and_back() {
    let enums = [
        (E::Unit, "Unit\n"),
        (E::B(3), "!B 3\n"),
        (E::Float(1.0), "!Float 1.0\n"),
        (E::Flag(true), "!Flag true\n"),
        (E::Text("3".to_owned()), "!Text \"3\"\n"),
        (E::Text("~".to_owned()), "!Text \"~\"\n"),
        (E::Text("a b".to_owned()), "!Text a b\n"),
        (E::Maybe(None), "!Maybe null\n"),
        (E::Maybe(Some(1)), "!Maybe 1\n"),
        (E::Pair(1, "2".to_owned()), "!Pair\n- 1\n- \"2\"\n"),
        (E::Named { a: 1 }, "!Named\n  a: 1\n"),
        (E::Any(1.into()), "!Any 1\n"),
    ];
    for (own, text) in enums {
        let text = text.replace("\n  a", "\na");
        let value = to_value(&own).unwrap();
        assert_eq!(from_value::<E>(value.clone()).unwrap(), own, "{text}");
        assert_eq!(to_string(&value).unwrap(), text);
        assert_eq!(value.to_yaml().unwrap(), text);
        assert_eq!(to_string(&own).unwrap(), text);
        assert_eq!(from_str::<Value>(&text).unwrap(), value);
        all_are(&text, &own);
        if text.lines().count() == 1 {
            all_are(&format!("[{}]", text.trim_end()), &vec![own.clone()]);
        }
        // Whether an `Option` is `None` depends on the tag, not on the content of the tagged node.
        all_are(&text, &Some(own));
    }
}

/// Checks that the type determines the content of a tagged plain scalar: a string is the original
/// spelling, and other types are the value in the schema.
#[test]
fn the_type_decides_between_spelling_and_value() {
    for text in ["007", "1.10", "true", "~", "0x1F", "1e3", "null", ".inf"] {
        all_are(&format!("!Text {text}"), &E::Text(text.to_owned()));
        let yaml = format!("!x {text}\n");
        let value: Value = from_str(&yaml).unwrap();
        assert_eq!(value.to_yaml().unwrap(), yaml);
        assert_eq!(to_string(&value).unwrap(), yaml);
        assert_eq!(to_string(&to_value(&value).unwrap()).unwrap(), yaml);
        assert_eq!(to_string(&value.clone()).unwrap(), yaml);
    }
    all_are("!B 0x1F", &E::B(31));
    all_are("!Text", &E::Text(String::new()));
    let mut value: Value = from_str("!x 007").unwrap();
    assert_eq!(value.as_i64(), Some(7));
    *value.untagged_mut() = 8.into();
    assert_eq!(value.to_yaml().unwrap(), "!x 8\n");
    // Quoted scalars are text.
    let value: Value = from_str("!x '007'").unwrap();
    assert_eq!((value.as_i64(), value.as_str()), (None, Some("007")));
    all_fail::<E>("!B '3'", "expected i32, found \"3\"");
}

#[test]
fn an_unknown_tag_does_not_hide_the_value() {
    all_are("!wat 0", &0_u64);
    all_are("!x true", &true);
    all_are("!x 1.5", &1.5);
    all_are("!x ~", &());
    all_are("[!x 1, !y a]", &(1, "a".to_owned()));
    all_are("{a: !x 1}", &BTreeMap::from([("a".to_owned(), 1)]));
    all_are("!x 1.10", &"1.10".to_owned());
    all_fail::<u64>("!x a", "expected u64, found \"a\"");
    all_fail::<u64>("!x '1'", "expected u64, found \"1\"");
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Number(u8),
        Text(String),
    }
    all_are("[!x 1, !x a]", &vec![Untagged::Number(1), Untagged::Text("a".to_owned())]);
}

#[test]
fn locations_match_the_values() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Fields {
        map: Option<Mapping>,
        seq: Option<Sequence>,
        number: Option<Number>,
        even: Option<Even>,
    }
    #[derive(Deserialize, Debug)]
    #[serde(try_from = "u8")]
    struct Even;
    impl TryFrom<u8> for Even {
        type Error = String;

        fn try_from(value: u8) -> Result<Even, String> {
            if value.is_multiple_of(2) { Ok(Even) } else { Err(format!("{value} is odd")) }
        }
    }
    let place = |error: Error| {
        let location = error.location().unwrap();
        (error.path(), location.line(), location.column())
    };
    for (text, path, column) in [
        ("\n\nmap: 7\n", "map", 6),
        ("\n\nmap: [7]\n", "map", 6),
        ("\n\nseq: {}\n", "seq", 6),
        ("\n\nnumber: x\n", "number", 9),
        ("\n\neven: 7\n", "even", 7),
        ("\n\neven: !t 7\n", "even", 10),
    ] {
        for error in [
            from_str::<Fields>(text).unwrap_err(),
            from_reader::<_, Fields>(text.as_bytes()).unwrap_err(),
        ] {
            assert_eq!(place(error), (path.to_owned(), 3, column), "{text:?}");
        }
    }
    let error = from_str::<Vec<Mapping>>("- {}\n- {a: 1}\n- 3\n").unwrap_err();
    assert_eq!(error.to_string(), "[2]: expected a mapping, found 3 at line 3 column 3");
    let error = from_str::<Vec<Even>>("- 2\n- 3\n").unwrap_err();
    assert_eq!(error.to_string(), "[1]: 3 is odd at line 2 column 3");
    let error = from_str::<BTreeMap<Number, u8>>("1: 1\na: 1\n").unwrap_err();
    assert_eq!(error.to_string(), "a: expected a number, found a at line 2 column 1");
    let error = from_str::<Mapping>("\n 7").unwrap_err();
    assert_eq!(error.to_string(), "expected a mapping, found 7 at line 2 column 2");
    let error = from_value::<Fields>(from_str("map: 7").unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "map: expected a mapping, found 7");
}

/// Checks that the span of a collection whose last value is empty ends with its last token.
#[test]
fn a_collection_ends_with_its_last_written_token() {
    for (text, end) in [
        ("? []\n ", 4),
        ("? []\n", 4),
        ("? a\n\n# b\n", 3),
        ("a:\n\n# c\n", 2),
        ("a: # c\n\n", 2),
        ("- a\n-   \n", 5),
        ("a: !t\n\n", 5),
        ("[a]\n\n", 3),
        ("? \"#\"\n ", 5),
    ] {
        let by_text: Spanned<Value> = from_str(text).unwrap();
        let by_reader: Spanned<Value> = from_reader(text.as_bytes()).unwrap();
        assert_eq!((by_text.start, by_text.end), (0, end), "{text:?}");
        assert_eq!((by_reader.start, by_reader.end), (0, end), "{text:?}");
    }
}

#[test]
fn values_that_do_not_fit_are_errors_as_in_serde_yaml() {
    all_fail::<(i32, i32)>("[1, 2, 3]", "expected a sequence of 2 entries, found 3");
    all_fail::<E>("!Pair [1, a, 2]", "expected a sequence of 2 entries, found 3");
    #[derive(Deserialize, PartialEq, Debug)]
    struct Struct {
        a: u8,
    }
    all_fail::<Struct>("[1]", "expected struct Struct, found a sequence");
    all_fail::<E>("!Named [1]", "expected struct variant E::Named, found a sequence");
    all_fail::<Vec<Struct>>("[[1]]", "expected struct Struct, found a sequence");
    for text in ["", "# nothing\n", " \n"] {
        for found in [from_str::<String>(text), from_reader(text.as_bytes())] {
            assert_eq!(found.unwrap_err().message(), "expected a value, found empty input");
        }
        assert!(from_str::<char>(text).is_err() && from_str::<E>(text).is_err());
        assert_eq!(from_str::<Option<String>>(text).unwrap(), None);
        assert_eq!(from_str::<Value>(text).unwrap(), Value::Null);
        assert_eq!(from_str::<Mapping>(text).unwrap(), Mapping::new());
        assert_eq!(from_str::<Vec<u8>>(text).unwrap(), [0; 0]);
    }
    assert_eq!(from_str::<String>("---").unwrap(), "");
    all_fail::<f64>("1e400", "expected f64, found \"1e400\"");
    all_fail::<f32>("[-1e999]".trim_matches(['[', ']']), "expected f32, found \"-1e999\"");
    all_are("1e400", &"1e400".to_owned());
    all_are("1e400", &Value::from("1e400"));
    all_are("[.inf, -.INF, 1e308]", &[f64::INFINITY, f64::NEG_INFINITY, 1e308]);
}

/// Checks that a `Value` is an error, too, because text cannot have this tag.
#[test]
fn a_tagged_float_beyond_the_range_is_an_error() {
    const MESSAGE: &str = "the number is too large for a 64-bit float";
    for text in ["!!float 1e400", "!!float '-1e400'", "!!float 1e99999999999999999999"] {
        assert_eq!(from_str::<Value>(text).unwrap_err().message(), MESSAGE);
        assert_eq!(from_reader::<_, Value>(text.as_bytes()).unwrap_err().message(), MESSAGE);
        let list = format!("[{text}]");
        assert_eq!(from_str::<Vec<Value>>(&list).unwrap_err().message(), MESSAGE);
        let pair = format!("{{a: {text}}}");
        assert_eq!(from_str::<Mapping>(&pair).unwrap_err().message(), MESSAGE);
        assert_eq!(from_str::<f64>(text).unwrap_err().message(), MESSAGE);
        assert!(
            from_str::<Option<f32>>(text).is_err()
                && from_reader::<_, f64>(text.as_bytes()).is_err()
        );
        let document = ketch_yaml::Documents::new(text.as_bytes()).next().unwrap().unwrap();
        let value = crate::ValueRef::from(document.root());
        let error = value.to_value().unwrap_err().to_string();
        assert!(error.contains(MESSAGE), "{error}");
        assert_eq!(value.as_f64(), None);
    }
    all_are("!!float .inf", &Value::from(f64::INFINITY));
    all_are("!!float 1e308", &Value::from(1e308));
}

#[test]
fn null_is_an_empty_collection_in_a_value() {
    let null = || Value::Null;
    assert_eq!(from_value::<Vec<u8>>(null()).unwrap(), [0; 0]);
    assert_eq!(from_value::<BTreeMap<u8, u8>>(null()).unwrap(), BTreeMap::new());
    assert_eq!(from_value::<Sequence>(null()).unwrap(), Sequence::new());
    all_are("a:", &BTreeMap::from([("a".to_owned(), Mapping::new())]));
    all_are("a:", &BTreeMap::from([("a".to_owned(), Sequence::new())]));
    all_are("a:", &BTreeMap::from([("a".to_owned(), Vec::<u8>::new())]));
    assert!(from_value::<(u8,)>(null()).is_err() && from_value::<u8>(null()).is_err());
}

#[test]
fn tagged_values_are_read_and_written() {
    let tagged = TaggedValue { tag: Tag::new("x"), value: vec![1].into() };
    all_are("!x [1]", &tagged);
    assert_eq!(to_string(&tagged).unwrap(), "!x\n- 1\n");
    all_fail::<TaggedValue>("[1]", "expected a value with a tag, found a sequence");
    let twice = Value::from(TaggedValue { tag: Tag::new("y"), value: tagged.into() });
    assert!(to_string(&twice).is_err() && to_value(&twice).is_err());
    assert_eq!(serde_json::to_string(&twice).unwrap(), "[1]");
}

/// Checks that `to_value` returns the same value as reading the text that `to_string` writes.
#[test]
fn to_value_equals_reading_the_written_text() {
    #[derive(Serialize)]
    struct All<'a> {
        small: f32,
        large: u128,
        least: i128,
        bytes: Bytes,
        unit: (),
        none: Option<u8>,
        texts: [&'a str; 4],
        letter: char,
        map: BTreeMap<u8, Vec<E>>,
    }
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&[255, 0])
        }
    }
    let all = All {
        small: 0.1,
        large: u128::MAX,
        least: i128::MIN,
        bytes: Bytes,
        unit: (),
        none: None,
        texts: ["NO", "1", "2001-01-01", "a\nb\n"],
        letter: '~',
        map: [(1, vec![E::B(-1), E::Unit, E::Named { a: 2 }])].into(),
    };
    let value = to_value(&all).unwrap();
    assert_eq!(value, from_str::<Value>(&to_string(&all).unwrap()).unwrap());
    let more: Value =
        from_str("[!!timestamp 2001-01-01, !!binary aGk=, !t {? [1] : 2}, 1e5]").unwrap();
    assert_eq!(to_value(&more).unwrap(), more);
}
