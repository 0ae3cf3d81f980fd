//! JSON, and walks with aliases expanded.

use super::super::{JsonOptions, NotInJson};
use super::{ComposeOptions, json, json_with};
use crate::schema::Schema;
use proptest::prelude::*;

#[test]
fn values_become_json() {
    let cases = [
        ("~", "null"),
        ("[true, False, 0o17, 0x1F, -0, 1e3, 450.00, .5]", "[true,false,15,31,-0,1e3,450.00,0.5]"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("-0xFFFFFFFFFFFFFFFFFF", "\"-0xFFFFFFFFFFFFFFFFFF\""),
        ("0xFFFFFFFFFFFFFFFFFF", "4722366482869645213695"),
        ("[]", "[]"),
        ("{}", "{}"),
        (
            "{a: , ? b, 1: x, 1.5: y, true: z, ~: n}",
            r#"{"a":null,"b":null,"1":"x","1.5":"y","true":"z","null":"n"}"#,
        ),
        (r#""\"\\\/\b\t\n\f\r\x01\u263A""#, "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\u{263A}\""),
        ("!!binary aGk=", "\"aGk=\""),
        ("!!binary a", "TagMismatch"),
        ("!!int x", "TagMismatch"),
        ("!t [1, !u 2]", "[1,2]"),
        ("{[a]: b}", "NotJson"),
        ("[.inf]", "NotJson"),
        ("{1: a, '1': b}", "DuplicateJsonKey"),
        ("{'1': a, 1: b}", "DuplicateJsonKey"),
        ("{null: a, ~: b}", "DuplicateKey"),
        ("{null: a, x: b, 'null': c}", "DuplicateJsonKey"),
        ("{'tru\\x65': a, \"tru\\x65\": b, true: c}", "DuplicateJsonKey"),
        ("{1.0: a, '1.0': b}", "DuplicateJsonKey"),
        ("{1.0: a, '1': b, 1: c}", "DuplicateJsonKey"),
        ("{1.0: a, 1: c}", r#"{"1.0":"a","1":"c"}"#),
        ("{0x1F: a, '31': c}", "DuplicateJsonKey"),
        ("{!!binary aGk=: a, aGk=: c}", "DuplicateJsonKey"),
        ("{.inf: a, '.inf': c}", "DuplicateJsonKey"),
        (
            "{1: {1: {2: a, 3: b}, 2: {4: c}}, 2: {1: d, 2: e}}",
            r#"{"1":{"1":{"2":"a","3":"b"},"2":{"4":"c"}},"2":{"1":"d","2":"e"}}"#,
        ),
        ("{1: {2: x}, 3: {'a': y}, '1': z}", "DuplicateJsonKey"),
        (
            "[{1: a}, {'1': a}, &m {2: b}, *m , *m ]",
            r#"[{"1":"a"},{"1":"a"},{"2":"b"},{"2":"b"},{"2":"b"}]"#,
        ),
        ("{&k 1: a, b: {*k : c, '1': d}}", "DuplicateJsonKey"),
        ("{1: a, [b]: c, '2': d}", "NotJson"),
        ("&a [*a]", "AliasCycle"),
        ("&a {k: [x, {y: *a}]}", "AliasCycle"),
        ("[&a {x: [1]}, *a, &b *a ]", "PropertiesOnAlias"),
        ("[&a {x: [1]}, *a]", r#"[{"x":[1]},{"x":[1]}]"#),
        ("{&k a: 1, b: {*k : 2}}", r#"{"a":1,"b":{"a":2}}"#),
    ];
    for (yaml, expected) in cases {
        assert_eq!(json(yaml), expected, "{yaml}");
    }
}

#[test]
fn options_convert_values_that_json_lacks() {
    let compose = ComposeOptions::default();
    let convert = JsonOptions { non_finite: NotInJson::Convert, ..JsonOptions::default() };
    assert_eq!(json_with("[.inf, -.INF, .nan]", &compose, &convert), r#"[".inf","-.inf",".nan"]"#);
    let strict = JsonOptions { unknown_tags: NotInJson::Error, ..JsonOptions::default() };
    assert_eq!(json_with("[!t 1]", &compose, &strict), "NotJson");
    assert_eq!(json_with("[!!str 1, ! 2]", &compose, &strict), r#"["1","2"]"#);
    let strict = JsonOptions { schema: Schema::Json, ..JsonOptions::default() };
    assert_eq!(json_with("[yes]", &compose, &strict), "UnresolvedScalar");
    let yaml11 = JsonOptions { schema: Schema::Yaml11, ..JsonOptions::default() };
    assert_eq!(
        json_with("[yes, 0777, 2001-12-14]", &compose, &yaml11),
        r#"[true,511,"2001-12-14"]"#
    );
}

#[test]
fn json_has_the_value_of_a_scalar_without_its_unknown_tag() {
    let cases = [
        (
            "{cpus: !override 2, a: !x , b: !x 'no', c: !x true}",
            r#"{"cpus":2,"a":null,"b":"no","c":true}"#,
        ),
        ("[!x 0x1F, !x 1.50, ! 2, !!str 3, !!python/name:x.y '']", r#"[31,1.50,"2","3",""]"#),
        ("{!x 1: a}", r#"{"1":"a"}"#),
        ("{E_ALL: 1, !php/const E_ALL: 2}", "DuplicateJsonKey"),
        ("{!php/const E_ALL: 1, !x E_ALL: 2}", "DuplicateJsonKey"),
        ("{!php/const E_ALL: 1, E_ALL: 2}", "DuplicateJsonKey"),
    ];
    for (yaml, expected) in cases {
        assert_eq!(json(yaml), expected, "{yaml}");
    }
    let strict = JsonOptions { unknown_tags: NotInJson::Error, ..JsonOptions::default() };
    for yaml in ["!!python/name:x.y ''", "[!!python/tuple [1]]", "{!!x a: 1}"] {
        assert_eq!(json_with(yaml, &ComposeOptions::default(), &strict), "NotJson", "{yaml}");
    }
    let known = "[!!set {a}, !!omap [b: 1], !!pairs [c: 2], !!binary aGk=, !!map {}]";
    let written = json_with(known, &ComposeOptions::default(), &strict);
    assert_eq!(written, r#"[{"a":null},[{"b":1}],[{"c":2}],"aGk=",{}]"#);
}

#[test]
fn the_items_of_a_list_are_lines_of_json() {
    let lines = JsonOptions { lines: true, ..JsonOptions::default() };
    for (yaml, expected) in [
        (
            "[&a [1, []], *a, {b: [2, 3]}, x, {b: 1}]",
            "[1,[]]\n[1,[]]\n{\"b\":[2,3]}\n\"x\"\n{\"b\":1}",
        ),
        ("[]", ""),
        ("{a: [1, 2]}", r#"{"a":[1,2]}"#),
        ("x", r#""x""#),
    ] {
        assert_eq!(json_with(yaml, &ComposeOptions::default(), &lines), expected);
    }
    let pretty = JsonOptions { pretty: true, ..lines };
    assert_eq!(json_with("[[1], 2]", &ComposeOptions::default(), &pretty), "[\n  1\n]\n2");
}

#[test]
fn pretty_json_is_indented_by_two_columns() {
    let pretty = JsonOptions { pretty: true, ..JsonOptions::default() };
    let shown = json_with("{a: [1, {b: []}], c: {}}", &ComposeOptions::default(), &pretty);
    let expected = "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}";
    assert_eq!(shown, expected);
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        // These are short enough that every JSON reader rounds them to the same value.
        any::<i32>().prop_map(|n| serde_json::Value::from(f64::from(n) / 64.0)),
        "[ -~\u{e9}\u{1F600}\n\t]{0,12}".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::btree_map("[a-z \"]{0,10}", inner, 0..12)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Checks that JSON input is converted to JSON with the same values.
    #[test]
    fn json_values_are_written_unchanged(value in any_json(), pretty: bool) {
        let text = value.to_string();
        let options = JsonOptions { pretty, ..JsonOptions::default() };
        let shown = json_with(&text, &ComposeOptions::default(), &options);
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).expect(&shown), value);
    }
}
