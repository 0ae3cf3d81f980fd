//! Tests of composed documents that are written again.

use super::{KeyOrder, Native};
use crate::present::{CollectionStyle, PresentOptions, Presenter, Properties, ScalarStyle};
use crate::{ComposeOptions, Documents, DuplicateKeys, Options};
use ketch_bytes::Level;

/// Composes the documents of `input`, and returns them as they are written again.
fn represented(input: &str, order: KeyOrder, duplicate_keys: DuplicateKeys) -> String {
    let compose = ComposeOptions { duplicate_keys, ..ComposeOptions::default() };
    let mut yaml = Presenter::new(Vec::new());
    for document in Documents::with_options(input.as_bytes(), &Options::default(), &compose) {
        yaml.document(&document.expect("valid YAML"), order).expect("writing to memory");
    }
    String::from_utf8(yaml.finish().expect("writing to memory")).expect("UTF-8")
}

#[track_caller]
fn sorted(input: &str, expected: &str) {
    assert_eq!(represented(input, KeyOrder::Sorted, DuplicateKeys::Error), expected, "{input:?}");
}

#[test]
fn documents_are_written_unchanged() {
    let input = "%TAG !e! tag:e.org,2000:\n--- &a !e!x\nb: 'c'\n? [d]\n: |\n  e\nf: *a\n...\n\
        --- {&k a: b, *k : c}\n--- \"x\"\n";
    assert_eq!(represented(input, KeyOrder::AsGiven, DuplicateKeys::Off), input);
    let names = "- &a 1\n- *a\n- &a 2\n- *a\n";
    assert_eq!(represented(names, KeyOrder::AsGiven, DuplicateKeys::Error), names);
}

#[test]
fn keys_are_sorted_at_every_level() {
    sorted("b: {z: 1, y: 2}\na: [{d: 1, c: 2}]\n", "a: [{c: 2, d: 1}]\nb: {y: 2, z: 1}\n");
    sorted("? [x]\n: 1\nb: 2\n'a': 3\n", "'a': 3\nb: 2\n? [x]\n: 1\n");
}

#[test]
fn an_anchor_comes_before_its_alias() {
    sorted("b: &x [1]\na: *x\nc: *x\n", "a: &x [1]\nb: *x\nc: *x\n");
    sorted("b: &x {z: &y 1}\na: *x\nA: *y\n", "A: &y 1\na: &x {z: *y}\nb: *x\n");
    sorted("b: &x 1\na: *x\nd: &x 2\nc: *x\n", "a: &x 1\nb: *x\nc: &x-2 2\nd: *x-2\n");
    sorted("b: &x-2 0\na: &x 1\nd: &x 2\n", "a: &x 1\nb: &x-2 0\nd: &x-3 2\n");
    sorted("b: &x\n  c: *x\n", "b: &x\n  c: *x\n");
}

#[test]
fn aliases_to_overridden_values_are_kept() {
    let input = "a: &x [1]\nb: *x\na: &x [2]\nc: *x\n";
    let expected = "b: &x [1]\na: &x-2 [2]\nc: *x-2\n";
    assert_eq!(represented(input, KeyOrder::AsGiven, DuplicateKeys::Last), expected);
}

/// Returns a stream in which `write` has written each text as an entry, as a key and as a value.
fn presented(
    texts: &[String],
    is_flow: bool,
    options: &PresentOptions,
    write: impl Fn(&mut Presenter<Vec<u8>>, &str),
) -> String {
    let style = if is_flow { CollectionStyle::Flow } else { CollectionStyle::Block };
    let mut yaml = Presenter::with_options(Vec::new(), options);
    yaml.start_document(false).unwrap();
    yaml.start_sequence(style, Properties::NONE).unwrap();
    for text in texts {
        write(&mut yaml, text);
        yaml.start_mapping(style, Properties::NONE).unwrap();
        write(&mut yaml, text);
        write(&mut yaml, text);
        yaml.end_mapping().unwrap();
    }
    yaml.end_sequence().unwrap();
    yaml.end_document(false).unwrap();
    String::from_utf8(yaml.finish().unwrap()).unwrap()
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(5_000))]

    /// Checks that the fast path, which text without properties takes, writes the same as the slow
    /// path.
    #[test]
    fn fast_and_slow_path_write_the_same(
        texts in proptest::collection::vec(
            "[ -~]?[-?:.#'\" ,\\[\\]{}a-zA-Z0-9\\\\\t\n\\u{e9}\\u{85}\\u{2028}\\u{feff}]{0,6}[a-z :#]{0,70}",
            1..4,
        ),
        is_flow in proptest::bool::ANY,
        level in proptest::sample::select(Level::available().collect::<Vec<_>>()),
    ) {
        let options = PresentOptions { level, ..PresentOptions::default() };
        let quick = presented(&texts, is_flow, &options, |yaml, text| {
            yaml.native(Native::Str(text), Properties::NONE).unwrap();
        });
        let general = presented(&texts, is_flow, &options, |yaml, text| {
            yaml.scalar(text, ScalarStyle::Text, Properties::NONE).unwrap();
        });
        proptest::prop_assert_eq!(quick, general);
    }
}

#[test]
fn fast_and_slow_path_write_the_same_words() {
    let options = PresentOptions::default();
    for is_flow in [false, true] {
        for (value, text) in [
            (Native::Null, "null"),
            (Native::Bool(true), "true"),
            (Native::Bool(false), "false"),
            (Native::Int(i64::MIN), "-9223372036854775808"),
            (Native::Float(-1e16), "-1.0e+16"),
        ] {
            let texts = [text.to_owned()];
            let quick = presented(&texts, is_flow, &options, |yaml, _| {
                yaml.native(value, Properties::NONE).unwrap();
            });
            let general = presented(&texts, is_flow, &options, |yaml, text| {
                yaml.scalar(text, ScalarStyle::Plain, Properties::NONE).unwrap();
            });
            assert_eq!(quick, general);
        }
    }
}

/// Checks that each node of `input` to which `path` leads is written as a document, and that
/// `expected` contains these.
#[track_caller]
fn node_is(input: &str, path: &str, order: KeyOrder, expected: &str) {
    let compose = ComposeOptions::default();
    let documents = Documents::with_options(input.as_bytes(), &Options::default(), &compose);
    let mut yaml = Presenter::new(Vec::new());
    for document in documents {
        let document = document.expect("valid YAML");
        for node in
            document.root().select(&path.parse().expect("a valid path")).expect("no alias cycle")
        {
            yaml.node(node, order).expect("writing to memory");
        }
    }
    assert_eq!(String::from_utf8_lossy(&yaml.finish().unwrap()), expected, "{path} of {input}");
}

#[test]
fn a_node_can_be_written_without_its_document() {
    let boats = "a: &a {b: &b [1, &c 2], d: !t 3}\ne: [*a, *b, *c]\nf: [*b]\ng: &g [*g, *c, *c]\n";
    node_is(boats, "a", KeyOrder::AsGiven, "{b: [1, 2], d: !t 3}\n");
    node_is(boats, "a.d", KeyOrder::AsGiven, "!t 3\n");
    node_is(boats, "e", KeyOrder::AsGiven, "[{b: &b [1, &c 2], d: !t 3}, *b, *c]\n");
    node_is(boats, "e[*]", KeyOrder::AsGiven, "{b: [1, 2], d: !t 3}\n--- [1, 2]\n--- 2\n");
    node_is(boats, "f", KeyOrder::AsGiven, "[[1, 2]]\n");
    node_is(boats, "g", KeyOrder::AsGiven, "&g [*g, &c 2, *c]\n");
    node_is("- &a [&x 1]\n- [*x, *a]\n", "[1]", KeyOrder::AsGiven, "[&x 1, [*x]]\n");
    node_is(
        "- &a 1\n- &b [*a]\n- &a 2\n- {c: *a, b: *b, a: *a}\n",
        "[3]",
        KeyOrder::Sorted,
        "{a: &a 2, b: [1], c: *a}\n",
    );
    node_is(
        "- &a 1\n- &b [*a, *a]\n- &a 2\n- {c: *a, b: *b, a: *a}\n",
        "[3]",
        KeyOrder::Sorted,
        "{a: &a-2 2, b: [&a 1, *a], c: *a-2}\n",
    );
    node_is(
        "%TAG !e! tag:e.org,2000:\n--- [!e!x 1]\n...\n",
        "[0]",
        KeyOrder::AsGiven,
        "!<tag:e.org,2000:x> 1\n",
    );
}
