//! Tests that write types as text and read them back.

use super::*;
use crate::Value;
use ::serde::de::DeserializeOwned;
use ::serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

#[track_caller]
fn both_ways<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, text: &str) {
    assert_eq!(to_string(&value).unwrap(), text);
    assert_eq!(from_str::<T>(text).unwrap(), value, "{text}");
    assert_eq!(from_reader::<_, T>(text.as_bytes()).unwrap(), value, "{text}");
    assert_eq!(from_slice::<T>(text.as_bytes()).unwrap(), value, "{text}");
    assert_eq!(from_value::<T>(to_value(&value).unwrap()).unwrap(), value, "{text}");
}

#[track_caller]
fn fails<T: DeserializeOwned + Debug>(text: &str, message: &str) {
    assert_eq!(from_str::<T>(text).unwrap_err().to_string(), message, "{text}");
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Boat {
    name: String,
    masts: Vec<Mast>,
    #[serde(default)]
    crew: Option<BTreeMap<String, u8>>,
    rig: Rig,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Mast(String, f32);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Rig {
    Ketch,
    Other(String),
    Sails(u8, u8),
    Plan { jib: bool },
}

#[test]
fn structs_and_enums_are_read_and_written() {
    both_ways(
        Boat {
            name: "NO".to_owned(),
            masts: vec![Mast("main".to_owned(), 14.1)],
            crew: Some([("Ada".to_owned(), 1)].into()),
            rig: Rig::Plan { jib: true },
        },
        "name: \"NO\"\nmasts:\n- - main\n  - 14.1\ncrew:\n  Ada: 1\nrig: !Plan\n  jib: true\n",
    );
    both_ways(
        vec![Rig::Ketch, Rig::Other("x y".to_owned()), Rig::Sails(1, 2)],
        "- Ketch\n- !Other x y\n- !Sails\n  - 1\n  - 2\n",
    );
    both_ways((1, 'x', Some(2), None::<u8>, [true]), "- 1\n- x\n- 2\n- null\n- - true\n");
}

#[test]
fn numbers_of_all_sizes_are_read_and_written() {
    both_ways(u64::MAX, "18446744073709551615\n");
    both_ways(i128::MIN, "-170141183460469231731687303715884105728\n");
    both_ways(u128::MAX, "340282366920938463463374607431768211455\n");
    both_ways(0.1_f32, "0.1\n");
    both_ways(1e300, "1.0e+300\n");
    both_ways(f64::INFINITY, ".inf\n");
    fails::<u8>("256", "expected u8, found 256 at line 1 column 1");
    fails::<i64>("1.5", "expected i64, found 1.5 at line 1 column 1");
    assert_eq!(from_str::<f64>("3").unwrap(), 3.0);
}

/// Checks that plain text is read as a string if the declared type is a string.
#[test]
fn plain_scalars_are_read_as_strings_if_the_type_is_a_string() {
    for text in ["NO", "1.10", "0777", "~", "null", "true", "0x1F", "2001-01-01", "1_000"] {
        assert_eq!(from_str::<String>(text).unwrap(), text);
        assert_eq!(
            from_str::<BTreeMap<String, String>>(&format!("{text}: {text}")).unwrap()[text],
            text
        );
    }
    fails::<u8>("'80'", "expected u8, found \"80\" at line 1 column 1");
    fails::<bool>("yes", "expected a boolean, found \"yes\" at line 1 column 1");
    let schema = ketch_yaml::schema::Schema::Yaml11;
    let options = DeOptions { schema, ..DeOptions::default() };
    assert!(bool::deserialize(Deserializer::with_options(b"yes", &options)).unwrap());
    assert_eq!(from_str::<Option<String>>("~").unwrap(), None);
    assert_eq!(from_str::<Option<String>>("'~'").unwrap().as_deref(), Some("~"));
}

#[test]
fn verbatim_text_is_borrowed() {
    #[derive(Deserialize)]
    struct Borrowing<'t> {
        plain: &'t str,
        quoted: &'t str,
        #[serde(borrow)]
        escaped: Cow<'t, str>,
    }
    let text = "plain: a b\nquoted: 'c'\nescaped: \"\\t\"\n".to_owned();
    let found: Borrowing<'_> = from_str(&text).unwrap();
    assert_eq!((found.plain, found.quoted, &*found.escaped), ("a b", "c", "\t"));
    assert!(text.as_bytes().as_ptr_range().contains(&found.plain.as_ptr()));
    let error = from_str::<&str>("\"\\t\"").unwrap_err();
    assert!(error.to_string().starts_with("expected a borrowed string"), "{error}");
}

#[test]
fn enums_are_read_in_all_representations() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Internal {
        Dot,
        Circle { r: u8 },
    }
    both_ways(
        vec![Internal::Dot, Internal::Circle { r: 2 }],
        "- kind: dot\n- kind: circle\n  r: 2\n",
    );
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Number(u8),
        Text(String),
        Many(Vec<Untagged>),
    }
    both_ways(
        Untagged::Many(vec![Untagged::Number(1), Untagged::Text("x".to_owned())]),
        "- 1\n- x\n",
    );
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        One(u8),
    }
    both_ways(Adjacent::One(1), "t: One\nc: 1\n");
    assert_eq!(from_str::<Rig>("{Other: 7}").unwrap(), Rig::Other("7".to_owned()));
    assert_eq!(from_str::<Rig>("!Ketch").unwrap(), Rig::Ketch);
    fails::<Rig>(
        "!None 1",
        "unknown variant `None`, expected one of `Ketch`, `Other`, `Sails`, `Plan` at line 1 column 7",
    );
    fails::<Rig>(
        "Other",
        "the variant `Other` has content: write `!Other content` at line 1 column 1",
    );
    let nested = to_string(&Some(Rig::Other("x".to_owned()))).unwrap();
    assert_eq!(nested, "!Other x\n");
    #[derive(Serialize)]
    enum Outer {
        Inner(Rig),
    }
    assert!(to_string(&Outer::Inner(Rig::Other("x".to_owned()))).is_err());
    assert_eq!(to_string(&Outer::Inner(Rig::Ketch)).unwrap(), "!Inner Ketch\n");
}

#[test]
fn flatten_collects_the_remaining_keys() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let rest = [("b".to_owned(), Value::from(vec![1, 2])), ("c".to_owned(), "x".into())].into();
    both_ways(Flat { a: 1, rest }, "a: 1\nb:\n- 1\n- 2\nc: x\n");
}

#[test]
fn errors_have_path_line_and_column() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Container {
        name: String,
        ports: Vec<u16>,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Spec {
        containers: Vec<Container>,
    }
    let text = "spec:\n  containers:\n  - name: a\n    ports: [80]\n  - name: b\n    ports: [80, eighty]\n";
    let message = "spec.containers[1].ports[1]: expected u16, found \"eighty\" at line 6 column 17";
    fails::<HashMap<String, Spec>>(text, message);
    let error = from_str::<HashMap<String, Spec>>(text).unwrap_err();
    assert_eq!(error.path(), "spec.containers[1].ports[1]");
    assert_eq!(error.message(), "expected u16, found \"eighty\"");
    let location = error.location().unwrap();
    assert_eq!((location.index(), location.line(), location.column()), (76, 6, 17));
    fails::<Spec>("{}", "missing field `containers` at line 1 column 1");
    fails::<Spec>(
        "containers: [{name: a}]",
        "containers[0]: missing field `ports` at line 1 column 14",
    );
    fails::<(u8, u8)>("[1, 2, 3]", "expected a sequence of 2 entries, found 3 at line 1 column 1");
    fails::<Spec>("containers: 7", "containers: expected a sequence, found 7 at line 1 column 13");
    let error = from_str::<Value>("a: [1\n").unwrap_err();
    assert_eq!(error.location().unwrap().line(), 1);
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_stream_is_read_one_document_at_a_time() {
    let text = "--- 1\n--- [\n";
    let mut documents = Deserializer::from_str(text);
    assert_eq!(u8::deserialize(documents.next().unwrap()).unwrap(), 1);
    assert!(u8::deserialize(documents.next().unwrap()).is_err());
    assert!(documents.next().is_none());
    let numbers: Vec<u8> = Deserializer::from_reader(&b"1\n--- 2\n--- 3\n"[..])
        .map(|document| u8::deserialize(document).unwrap())
        .collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert!(from_str::<u8>("--- 1\n--- 2\n").unwrap_err().to_string().contains("more than one"));
    assert_eq!(from_str::<Option<u8>>("").unwrap(), None);
    assert_eq!(from_str::<Vec<u8>>("").unwrap(), [0; 0]);
    let mut yaml = Serializer::new(Vec::new());
    for value in ["a", "b: c"] {
        value.serialize(&mut yaml).unwrap();
    }
    assert_eq!(yaml.finish().unwrap(), b"a\n--- \"b: c\"\n");
}

#[test]
fn spanned_values_have_their_location() {
    let found: BTreeMap<String, Vec<Spanned<Value>>> = from_str("a:\n- x\n- [1,\n  2]\n").unwrap();
    let [x, list] = &found["a"][..] else { panic!("two entries") };
    assert_eq!((x.line, x.column, x.span()), (2, 3, 5..6));
    assert_eq!((list.line, list.column, list.value.clone()), (3, 3, vec![1, 2].into()));
    assert_eq!(to_string(x).unwrap(), "x\n");
}

#[test]
fn types_that_nest_too_deep_are_an_error() {
    #[derive(Serialize, Deserialize, Debug)]
    struct Nested(Vec<Nested>);
    let text = "[".repeat(1000) + &"]".repeat(1000);
    let error = from_str::<Nested>(&text).unwrap_err();
    assert!(error.to_string().contains("max_recursion"), "{error}");
    assert!(from_str::<Value>(&text).is_ok());
    let deep = (0..1000).fold(Nested(Vec::new()), |inner, _| Nested(vec![inner]));
    assert!(to_string(&deep).unwrap_err().to_string().contains("nested too deeply"));
}

#[test]
fn values_convert_to_and_from_json() {
    let value: Value =
        from_str("{a: [1, !t x], b: !!timestamp 2001-01-01, c: 99999999999999999999}").unwrap();
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, r#"{"a":[1,"x"],"b":"2001-01-01","c":"99999999999999999999"}"#);
    let back: Value = serde_json::from_str(r#"{"a":[1,-1.5,null,true,"x"]}"#).unwrap();
    assert_eq!(back, from_str::<Value>("a: [1, -1.5, ~, true, x]").unwrap());
}

#[test]
fn merge_keys_are_applied_if_enabled() {
    let text = "base: &b {x: 1, y: 2}\nboat: {<<: *b, y: 3}\n";
    let options = DeOptions { merge_keys: Some(true), ..DeOptions::default() };
    let read = |options: &DeOptions| {
        Value::deserialize(Deserializer::with_options(text.as_bytes(), options)).unwrap()
    };
    assert_eq!(read(&options)["boat"], from_str::<Value>("{x: 1, y: 3}").unwrap());
    assert!(read(&DeOptions::default())["boat"].get("<<").is_some());
    let typed: BTreeMap<String, BTreeMap<String, u8>> =
        Deserialize::deserialize(Deserializer::with_options(text.as_bytes(), &options)).unwrap();
    assert_eq!(typed["boat"], BTreeMap::from([("x".to_owned(), 1), ("y".to_owned(), 3)]));
}

proptest::proptest! {
    #[test]
    fn values_written_by_serde_read_back_unchanged(value in crate::value::tests::any_value()) {
        let text = to_string(&value).unwrap();
        proptest::prop_assert_eq!(&text, &value.to_yaml().unwrap());
        let found: Value = from_str(&text).unwrap();
        proptest::prop_assert_eq!(found, value);
    }
}

#[track_caller]
fn fails_with<T: DeserializeOwned + Debug>(text: &str, messages: &[&str]) {
    let errors = Deserializer::from_str(text).all_errors::<T>().unwrap_err();
    let found: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(found, messages, "{text}");
}

#[test]
fn all_errors_returns_every_type_error() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Fleet {
        boats: Vec<Boat>,
        berths: HashMap<String, (u8, String)>,
        #[serde(alias = "maxSpeed")]
        max_speed: u8,
        depth: u8,
    }
    fails_with::<Fleet>(
        "boats:\n- {name: a, masts: [[main, x], [mizzen, 1], []], rig: Yawl}\n- {masts: 1, rig: !Sails [1, x]}\n- {name: b, masts: [], rig: Ketch}\n\
         berths: {a: [x, b], b: [1, c], c: 7, ? [d] : [1, d]}\nmaxSpeed: fast\n",
        &[
            "boats[0].masts[0][1]: expected f32, found \"x\" at line 2 column 28",
            "boats[0].masts[2]: invalid length 0, expected tuple struct Mast with 2 elements \
             at line 2 column 45",
            "boats[0].rig: unknown variant `Yawl`, expected one of `Ketch`, `Other`, `Sails`, `Plan` \
             at line 2 column 55",
            "boats[1].masts: expected a sequence, found 1 at line 3 column 11",
            "boats[1].rig[1]: expected u8, found \"x\" at line 3 column 30",
            "boats[1]: missing field `name` at line 3 column 3",
            "berths.a[0]: expected u8, found \"x\" at line 5 column 14",
            "berths.c: expected a tuple of size 2, found 7 at line 5 column 35",
            "berths.: expected a string, found a sequence at line 5 column 40",
            // The field is in the text, so it is not reported as missing.
            "maxSpeed: expected u8, found \"fast\" at line 6 column 11",
        ],
    );
}

#[test]
fn the_list_of_errors_may_be_empty_and_is_limited() {
    let numbers = Deserializer::from_str("[1, 2]").all_errors::<Vec<u8>>();
    assert_eq!(numbers.unwrap(), [1, 2]);
    fails_with::<Vec<u8>>("[1, 2", &["a `[` is never closed at line 1 column 6"]);
    fails_with::<u8>("x", &["expected u8, found \"x\" at line 1 column 1"]);
    let many = "x, ".repeat(1000);
    let errors = Deserializer::from_str(&format!("[{many}]")).all_errors::<Vec<u8>>();
    assert_eq!(errors.unwrap_err().len(), 100);
}

/// Appends 20 levels, each of which is the result of `level`. If each level has two aliases of the
/// previous one, the last one stands for a million numbers.
fn doubling(start: &str, level: impl Fn(usize) -> String) -> String {
    (1..=20).fold(start.to_owned(), |text, n| text + &level(n))
}

#[test]
fn aliases_and_merges_are_limited() {
    #[derive(Deserialize, Debug)]
    struct Last {
        #[serde(rename = "a20")]
        _last: Nested,
    }
    #[derive(Deserialize, Debug)]
    #[serde(untagged)]
    enum Nested {
        Number(#[allow(dead_code)] u8),
        Two(#[allow(dead_code)] Vec<Nested>),
    }
    let level = |n| format!("a{n}: &a{n} [*a{0}, *a{0}]\n", n - 1);
    let text = doubling("a0: &a0 1\n", level);
    let error = from_str::<Last>(&text).unwrap_err().to_string();
    assert!(error.contains("raise `max_alias_nodes`"), "{error}");

    let level = |n| format!("a{n}: &a{n} {{k: {{<<: *a{0}}}, l: {{<<: *a{0}}}}}\n", n - 1);
    let text = doubling("a0: &a0 {k: 1}\n", level);
    let options = DeOptions { merge_keys: Some(true), ..DeOptions::default() };
    let read = |text: &str| {
        HashMap::<String, Value>::deserialize(Deserializer::with_options(text.as_bytes(), &options))
    };
    let error = read(&text).unwrap_err().to_string();
    assert!(error.contains("raise `max_alias_nodes`"), "{error}");
    let few = read("a: &a {k: 1}\nb: {<<: *a, l: 2}\n").unwrap();
    assert_eq!(few["b"], from_str::<Value>("{k: 1, l: 2}").unwrap());
}

#[test]
fn text_of_several_lines_is_not_null() {
    let text: Vec<Option<String>> =
        from_str("[a\n  b, 'c\n  d', !!null '', !!str null, null, \"\\n\"]").unwrap();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(text, [some("a b"), some("c d"), None, some("null"), None, some("\n")]);
    let long = "word ".repeat(2000);
    let folded: String =
        from_str(&format!(">-\n  {}\n", long.replace(" word", "\n  word"))).unwrap();
    assert_eq!(folded, long);
}

#[test]
fn only_the_ends_of_a_long_path_are_shown() {
    #[derive(Deserialize, Debug)]
    struct Tree {
        #[allow(dead_code, reason = "only errors are looked at")]
        a: Vec<Tree>,
    }
    let text = format!("{}x{}", "{a: [".repeat(20), "]}".repeat(20));
    let error = from_str::<Tree>(&text).unwrap_err();
    assert_eq!(error.path(), "a[0].".repeat(20).trim_end_matches('.'));
    let shown = "a[0].a[0].a[0]…(28 more)….a[0].a[0].a[0]: ";
    assert!(error.to_string().starts_with(shown), "{error}");
}
