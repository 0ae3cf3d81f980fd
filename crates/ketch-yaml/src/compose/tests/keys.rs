//! Keys: equality, duplicates, lookup, merging.

use super::super::{Key, Node};
use super::{ComposeOptions, composed, document, json_with, with_duplicates};
use crate::limits::Limits;
use crate::problem::Problem;
use crate::schema::Schema;
use crate::{DuplicateKeys, FloatKeys};
use proptest::prelude::*;

fn problem(text: &str, options: &ComposeOptions) -> Option<(u64, u64)> {
    let error = composed(text, options).err()?;
    assert_eq!(error.problem(), Problem::DuplicateKey, "{text}");
    Some((error.offset(), error.related().expect("the first one").offset))
}

#[test]
fn keys_are_equal_when_their_values_are() {
    let core = ComposeOptions::default();
    let equal = [
        "{a: 1, b: 2, a: 3}",
        "{1: x, 0x1: y}",
        "{true: x, True: y}",
        "{~: x, : y}",
        "{null: x, \"b\": y, Null: z}",
        "{'a b': x, \"a\\x20b\": y}",
        "{!!str 1: x, '1': y}",
        "{1.0: x, 1e0: y}",
        "{[1e400]: x, [10e399]: y}",
        "{.nan: x, .NaN: y}",
        "{[a, {b: 1, c: 2}]: x, [a, {c: 2, b: 0x1}]: y}",
        "{&k a: x, *k : y}",
        "? &k [a]\n: x\n? *k\n: y\n",
        "{18446744073709551616: x, 0x10000000000000000: y}",
        "{!t a: x, !t a: y}",
        "<<: x\n<<: y\n",
    ];
    for text in equal {
        assert!(problem(text, &core).is_some(), "{text}");
    }
    let different = [
        "{1: x, '1': y, 1.0: z, !t 1: t, !u 1: u}",
        "{true: x, 'true': y, yes: z}",
        "{~: x, '': y}",
        "{[a, b]: x, [b, a]: y, {a: b}: z}",
        "{{a: 1}: x, {a: '1'}: y}",
        "{2: a, 3: b, 10: c, 100: d, 0: e}",
        "{[1e400]: x, [1e401]: y}",
    ];
    for text in different {
        assert_eq!(problem(text, &core), None, "{text}");
    }
    let yaml11 = ComposeOptions { schema: Schema::Yaml11, ..core };
    assert!(problem("{yes: x, true: y}", &yaml11).is_some());
    assert_eq!(problem("- &a {x: 1}\n- <<: *a\n  <<: *a\n", &yaml11), None);
}

#[test]
fn rounded_keys_merge_and_are_found_as_floats() {
    let text = "- &a {0.1: old, 1e400: c}\n- {<<: *a, 0.10000000000000001: new, .inf: d}\n";
    let merged = |float_keys| {
        let compose =
            ComposeOptions { float_keys, merge_keys: Some(true), ..ComposeOptions::default() };
        let document = composed(text, &compose).expect("a document");
        let root = document.root().get(1).expect("the second");
        let entries = root.merged_entries().expect("a mapping");
        entries.into_iter().map(|(_, value)| value.text().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(merged(FloatKeys::Exact), ["old", "c", "new", "d"]);
    assert_eq!(merged(FloatKeys::Finite), ["c", "new", "d"]);
    assert_eq!(merged(FloatKeys::Rounded), ["new", "d"]);
    let document = document("{1.5: a, 0.10000000000000001: b, 1e400: c}");
    let found = |key: f64| document.root().get(key).map(|node| node.text().into_owned());
    assert_eq!(found(0.1).as_deref(), Some("b"));
    assert_eq!(found(f64::INFINITY).as_deref(), Some("c"));
    assert_eq!(found(1.5).as_deref(), Some("a"));
    assert_eq!(found(2.5), None);
}

#[test]
fn duplicate_keys_report_both_locations() {
    assert_eq!(problem("a: 1\nb:\n  c: 1\n  'c': 2\n", &ComposeOptions::default()), Some((17, 10)));
    let error = composed("a: 1\na: 2\n", &ComposeOptions::default()).expect_err("a duplicate");
    let shown = error.to_string();
    assert!(shown.starts_with("2:1: duplicate key `a`"), "{shown}");
    assert!(shown.contains("first used here, line 1 column 1"), "{shown}");
}

#[test]
fn the_option_chooses_among_duplicate_keys() {
    let text = "{a: 1, b: 2, a: 3, c: {d: 4, d: 5}, a: 6}";
    let shown = |policy| json_with(text, &with_duplicates(policy), &Default::default());
    assert_eq!(shown(DuplicateKeys::First), r#"{"a":1,"b":2,"c":{"d":4}}"#);
    assert_eq!(shown(DuplicateKeys::Last), r#"{"b":2,"c":{"d":5},"a":6}"#);
    let document = composed(text, &with_duplicates(DuplicateKeys::Last)).expect("a document");
    assert_eq!(
        (document.root().len(), document.root().get("a").expect("a").text().as_ref()),
        (3, "6")
    );
}

proptest! {
    /// Checks that the duplicates found are those that [`Node::equals`] finds among all pairs of
    /// keys.
    #[test]
    fn duplicates_are_found_exactly(
        keys in prop::collection::vec(
            prop_oneof![
                3 => "[a-c]{1,2}",
                2 => "[0-9]{1,2}",
                1 => prop::sample::select(vec![
                    "'1'", "\"a\"", "0x1", "01", "1.0", "~", "null", "true", "TRUE", "[a]", "[ a ]",
                    "{a: 1}", "{a: 0x1}", "!t a", "!!str 1", "longer than eight a", "longer than eight b",
                ]).prop_map(str::to_owned),
            ],
            0..24,
        ),
    ) {
        let pairs: Vec<String> = keys.iter().map(|key| format!("? {key}\n: x\n")).collect();
        let text = pairs.concat();
        let off = with_duplicates(DuplicateKeys::Off);
        prop_assume!(!text.is_empty());
        let document = composed(&text, &off).expect("a document");
        let nodes: Vec<Node<'_>> = document.root().entries().map(|(key, _)| key).collect();
        let is_same = |a: Node<'_>, b: Node<'_>| {
            a.equals(b, Schema::Core, &Limits::default()).expect("no cycle")
        };
        let first = (0..nodes.len()).find_map(|at| {
            let before = (0..at).find(|&before| is_same(nodes[before], nodes[at]))?;
            Some((nodes[at].span().start as u64, nodes[before].span().start as u64))
        });
        prop_assert_eq!(problem(&text, &ComposeOptions::default()), first);
    }
}

#[test]
fn lookup_works_in_small_and_large_mappings() {
    for count in [1, 8, 9, 1000] {
        let text: String = (0..count).map(|i| format!("key{i}: v{i}\n{i}: w{i}\n")).collect();
        let document = document(&text);
        for i in 0..count {
            let by_name = document.root().get(format!("key{i}")).expect("a value");
            let by_number = document.root().get(i).expect("a value");
            assert_eq!(
                (by_name.text(), by_number.text()),
                (format!("v{i}").into(), format!("w{i}").into())
            );
            assert_eq!(document.pointer(&format!("/{i}")).expect("a value").id(), by_number.id());
        }
        assert!(document.root().get("key").is_none() && document.root().get(count).is_none());
    }
}

#[test]
fn keys_of_all_kinds_are_looked_up() {
    let document = document("~: n\ntrue: t\n2.5: f\n&a x: 1\ny: {*a : 2}\n? [c]\n: 3\n");
    let text = |key: Key<'_>| document.root().get(key).map(|node| node.text().into_owned());
    assert_eq!(text(().into()).as_deref(), Some("n"));
    assert_eq!(text(true.into()).as_deref(), Some("t"));
    assert_eq!(text(2.5.into()).as_deref(), Some("f"));
    assert_eq!(document.at_path(["y", "x"]).expect("through an alias").text(), "2");
    assert!(document.at_path(["y", "x", "z"]).is_none());
    assert!(document.pointer("y").is_none());
    assert_eq!(document.pointer("").expect("the root").id(), document.root().id());
}

#[test]
fn merge_keys_follow_the_yaml_type_repository() {
    let yaml11 = ComposeOptions { schema: Schema::Yaml11, ..ComposeOptions::default() };
    let options = super::JsonOptions { schema: Schema::Yaml11, ..Default::default() };
    let shown = |text: &str| json_with(text, &yaml11, &options);
    let base = "- &a {x: 1, y: 2}\n- &b {x: 3, z: 4}\n";
    let last = |text: &str| {
        let all = shown(&format!("{base}- {text}\n"));
        all.strip_prefix(r#"[{"x":1,"y":2},{"x":3,"z":4},"#)
            .unwrap_or(&all)
            .trim_end_matches(']')
            .to_owned()
    };
    // Own keys win wherever the merge key is, and earlier sources win over later ones.
    assert_eq!(last("{x: 0, <<: *a}"), r#"{"x":0,"y":2}"#);
    assert_eq!(last("{<<: *a, x: 0}"), r#"{"y":2,"x":0}"#);
    assert_eq!(last("{<<: [*b, *a], q: 5}"), r#"{"x":3,"z":4,"y":2,"q":5}"#);
    assert_eq!(last("{<<: *a, <<: *b}"), r#"{"x":1,"y":2,"z":4}"#);
    assert_eq!(last("{<<: {<<: *b, x: 9, w: 8}}"), r#"{"z":4,"x":9,"w":8}"#);
    assert_eq!(last("{'<<': *a}"), r#"{"<<":{"x":1,"y":2}}"#);
    assert_eq!(shown("{<<: 1}"), "MergeValue");
    assert_eq!(shown("{<<: [{a: 1}, b]}"), "MergeValue");
    assert_eq!(shown("&a {x: {<<: *a}}"), "AliasCycle");
    // Only the reader of a tag knows what it stands for, so such a pair is kept, and other merge keys
    // are applied.
    assert_eq!(shown("{<<: !include f, x: 1}"), r#"{"<<":"f","x":1}"#);
    assert_eq!(last("{<<: !include f, <<: *a}"), r#"{"<<":"f","x":1,"y":2}"#);
    assert_eq!(last("{<<: !f g, <<: {<<: !f h}}"), r#"{"<<":"g"}"#);
    assert_eq!(shown("{<<: !!str f}"), "MergeValue");
    assert_eq!(shown("{<<: ! f}"), "MergeValue");
    // Merging is off by default in the core schema, and an option turns it on.
    assert_eq!(super::json("{<<: {a: 1}}"), r#"{"<<":{"a":1}}"#);
    let merging = super::JsonOptions { merge_keys: Some(true), ..Default::default() };
    assert_eq!(json_with("{<<: {a: 1}}", &ComposeOptions::default(), &merging), r#"{"a":1}"#);
}
