//! The results of operations, both in a window and on the whole text.

use super::{Edit, Operation};
use crate::path::Path;

/// Applies an operation that must be refused, and returns the name of the error's kind.
fn refusal(text: &str, operation: Operation) -> &'static str {
    let mut edit = Edit::open(text).unwrap();
    let error = edit.apply(&[operation]).unwrap_err();
    assert_eq!(edit.text(), text);
    assert!(edit.patches().is_empty());
    error.kind().name()
}

fn at(op: &str, path: &str) -> Operation {
    Operation::new(op, path.parse::<Path>().unwrap().steps())
}

#[test]
fn the_colon_after_a_key_without_a_value_may_be_of_another_entry() {
    let rows = [
        ("a:\n  ? x\n::b: 1\n", "a.x", "a: {}\n::b: 1\n"),
        ("? a\n:b: 1\n", "a", ":b: 1\n"),
        ("\u{feff}? a\n: b\nc: 1\n", "a", "\u{feff}c: 1\n"),
        ("- ? a\n  : b\n  c: 1\n", "[0].a", "- c: 1\n"),
    ];
    for (text, path, expected) in rows {
        for is_whole in [false, true] {
            let mut edit = Edit::open(text).unwrap();
            if is_whole {
                edit = edit.checking_whole();
            }
            let _ = edit.apply(&[at("delete", path)]);
            assert_eq!(edit.text(), expected, "{text:?} {path} {is_whole}");
        }
    }
}

/// Returns the text after an operation, or the name of the error's kind. Checks that the result is
/// the same in a window and on the whole text.
fn edited(text: &str, operation: &Operation) -> String {
    let [window, whole] = [false, true].map(|is_whole| {
        let edit = Edit::open(text).unwrap();
        let mut edit = if is_whole { edit.checking_whole() } else { edit };
        let done = edit.apply(std::slice::from_ref(operation)).map_err(|error| error.kind());
        done.map_or_else(|kind| kind.name().to_owned(), |()| edit.text().to_owned())
    });
    assert_eq!(window, whole, "{text:?} {operation:?}");
    window
}

/// Checks the text after each operation, or the name of its error's kind.
fn assert_results(rows: &[(&str, Operation, &str)]) {
    for (text, operation, expected) in rows {
        assert_eq!(edited(text, operation), *expected, "{text:?} {operation:?}");
    }
}

#[test]
fn comments_of_flow_collections_stay_with_their_entries() {
    let first = |path| Operation { first: true, ..at("insert", path).with_value("q") };
    let rows = [
        ("a: [\n  y,\n  x, # x\n  z ]\n", at("delete", "a[2]"), "a: [\n  y,\n  x # x\n  ]\n"),
        (
            "a: [x, # x\n    y, # y\n    z]\n",
            at("delete", "a[2]"),
            "a: [x, # x\n    y # y\n    ]\n",
        ),
        (
            "a: [\n x # x\n , y # y\n , z # z\n ]\n",
            at("delete", "a[2]"),
            "a: [\n x # x\n , y # y\n ]\n",
        ),
        ("a: [\n x # x\n , y]\n", at("delete", "a[1]"), "a: [\n x # x\n ]\n"),
        ("a: [y, # y\n    x]\n", first("a"), "a: [q,\n    y, # y\n    x]\n"),
        ("a: [\n  # one\n ] # c\n", at("append", "a").with_value("x"), "a: [\n  # one\n x] # c\n"),
        ("a: { # c\n }\n", at("set", "a.x").with_value("1"), "a: { # c\n x: 1}\n"),
        ("a: [y, # y\n    x, # x\n   ]\n", at("sort", "a"), "kind-mismatch"),
        ("a: [\n  y # y\n  , x # x\n  ]\n", at("sort", "a"), "kind-mismatch"),
        ("a: [x, # x\n    y]\n", at("sort", "a"), "a: [x, # x\n    y]\n"),
        ("a: # c\n  x\nb: 1\n", at("set", "a").with_value("{q: 1}"), "a: # c\n  q: 1\nb: 1\n"),
        ("a:\n   # c\n   x\nb: 1\n", at("set", "a").with_value("[1]"), "a:\n   # c\n  - 1\nb: 1\n"),
    ];
    assert_results(&rows);
}

#[test]
fn comments_stay_with_entries_after_a_comma_or_a_bracket() {
    let commas = "a: [\n x # x\n , y # y\n , z # z\n ]\n";
    let line = "a: [y, # y\n    x, # x\n    z]\n";
    let a = "a".parse::<Path>().unwrap().steps().to_vec();
    let to = |path| Operation { to_path: a.clone(), ..at("move", path) };
    let first = |operation| Operation { first: true, ..operation };
    let insert = |index| Operation { index: Some(index), ..at("insert", "a").with_value("q") };
    let rows = [
        (commas, at("append", "a").with_value("q"), "a: [\n x # x\n , y # y\n , z # z\n , q\n ]\n"),
        (commas, insert(0), "a: [\n q\n , x # x\n , y # y\n , z # z\n ]\n"),
        (commas, insert(1), "a: [\n x # x\n , q\n , y # y\n , z # z\n ]\n"),
        (commas, first(to("a[1]")), "a: [\n y # y\n , x # x\n , z # z\n ]\n"),
        (commas, to("a[0]"), "a: [\n y # y\n , z # z\n , x # x\n ]\n"),
        (line, first(to("a[1]")), "a: [x, # x\n    y, # y\n    z]\n"),
        (line, to("a[0]"), "a: [x, # x\n    z,\n    # y\n    y]\n"),
        ("a: [u, v,\n  w, # w\n  x]\n", first(to("a[2]")), "kind-mismatch"),
        ("a: [u, v, w]\nb: 1 # b\n", to("b"), "a: [u, v, w, 1]\n"),
        ("a: [\n  # u\n  u, v,\n  w\n  ]\n", to("a[0]"), "a: [\n  # u\n  v,\n  w,\n  u\n  ]\n"),
        ("a: [u\n , v # v\n ]\n", at("delete", "a[1]"), "a: [u\n ]\n"),
        ("a: [\n  u\n , v # v\n ]\n", first(to("a[1]")), "a: [\n  v, # v\n  u\n ]\n"),
        (line, first(to("a[0]")), line),
        (line, to("a[2]"), line),
        ("a: [ v\n  # w\n  , w\n ]\n", at("delete", "a[0]"), "a: [\n  # w\n  w\n ]\n"),
        (
            "a: [ u\n  # v\n  , v # v2\n  # w\n  , w\n ]\n",
            at("delete", "a[1]"),
            "a: [ u\n  # w\n  , w\n ]\n",
        ),
        ("a: [ u, v\n  # w\n  , w\n ]\n", at("delete", "a[1]"), "a: [ u\n  # w\n  , w\n ]\n"),
        ("a: [u,\n  # v\n  v]\n", at("delete", "a[1]"), "a: [u\n  ]\n"),
        ("a: [u # u\n  # v\n  , v]\n", at("delete", "a[1]"), "a: [u # u\n  ]\n"),
        (line, at("delete", "a[0]"), "a: [x, # x\n    z]\n"),
        ("a: [x, # x\n # y\n y]\n", at("delete", "a[0]"), "a: [\n # y\n y]\n"),
        ("a: [\n # x\n x,\n y\n ]\n", insert(0), "a: [\n q,\n # x\n x,\n y\n ]\n"),
    ];
    assert_results(&rows);
}

#[test]
fn comments_below_a_blank_line_stay_in_their_collection() {
    let text = "a:\n  b: 1\n\n  # c: 2\n\n    # d\n\n# end\n";
    let new = "a:\n  b: 1\n\n  # c: 2\n\n    # d\nq: 1\n\n# end\n";
    assert_eq!(edited(text, &at("set", "q").with_value("1")), new);
    let after = Operation { key: Some("q".into()), after: Some("a".into()), ..at("insert", ".") };
    assert_eq!(edited(text, &after.with_value("1")), new);
    let flow = Operation { to: Some("flow".into()), ..at("style", "a") };
    assert_eq!(edited("a:\n  # doc\n  b: 1\n", &flow), "kind-mismatch");
    assert_eq!(edited("a: # doc\n  b: 1\n", &flow), "a: {b: 1} # doc\n");
    assert_eq!(edited("#cloud-config\na: 1\nb: 2\n", &at("delete", "a")), "#cloud-config\nb: 2\n");
}

#[test]
fn a_block_scalar_that_becomes_the_last_value_ends_with_a_line_break() {
    let rows = [
        ("b: |\n  x\nc: 2", "b: |\n  x\n"),
        ("a:\n  b: |\n    x\nc: 2", "a:\n  b: |\n    x\n"),
        ("b: x\nc: 2", "b: x"),
        ("b: |-\n  x\nc: 2", "b: |-\n  x"),
    ];
    for (text, expected) in rows {
        assert_eq!(edited(text, &at("delete", "c")), expected);
    }
    assert_read(&[
        ("b: |\n  t\na: 1", "{op: sort, path: []}", "a: 1\nb: |\n  t\n"),
        ("a: |\n  t\nb: 1", "{op: move, path: a, to: []}", "b: 1\na: |\n  t\n"),
        ("a: x", r#"{op: set, path: a, value: "t\nu\n"}"#, "a: |\n  t\n  u\n"),
        ("a: x", r#"{op: set, path: a, value: "t\nu"}"#, "a: |-\n  t\n  u"),
        ("b: 1\na: |\n  t", "{op: set, path: b, value: 2}", "b: 2\na: |\n  t"),
    ]);
}

#[test]
fn a_value_may_have_tags() {
    assert_read(&[
        ("a: x # c\n", "{op: set, path: a, value: !Ref y}", "a: !Ref y # c\n"),
        ("a: !Sub 'x'\n", "{op: set, path: a, value: !Ref w}", "a: !Ref 'w'\n"),
        ("a: &a !Sub x\nb: *a\n", "{op: set, path: a, value: !Ref y}", "a: &a !Ref y\nb: *a\n"),
        ("a: !!int 3\n", "{op: set, path: a, value: !!str 4}", "a: !!str 4\n"),
        ("a:\n", "{op: set, path: a, value: !Ref 1.10}", "a: !Ref 1.10\n"),
        ("a: 1\n", "{op: set, path: b.c, value: !Ref x}", "a: 1\nb:\n  c: !Ref x\n"),
        (
            "- x: 1\n- 2\n",
            "{op: set, path: '[0]', value: !T {a: [!S b]}}",
            "- !T\n  a:\n    - !S b\n- 2\n",
        ),
        ("a: {x: 1}\n", "{op: set, path: a.x, value: !T {b: 2}}", "a: {x: !T {b: 2}}\n"),
        ("a: [x: 1, y]\n", "{op: set, path: a, value: !T [b]}", "a: !T [b]\n"),
        ("a: 1\n", "{op: set, path: [], value: !T {b: 2}}", "!T\nb: 2\n"),
        ("--- 1\n", "{op: set, path: [], value: !T {b: 2}}", "--- !T\nb: 2\n"),
        ("", "{op: set, path: [], value: !T {b: 2}}", "!T\nb: 2\n"),
        ("", "{op: set, path: [], value: !T 5}", "!T 5\n"),
        (
            "a: !T\n  b: 1\n  c: 2 # x\n",
            "{op: set, path: a, value: !T {b: 1, c: 3}}",
            "a: !T\n  b: 1\n  c: 3 # x\n",
        ),
        ("a:\n- 'x'\n", "{op: append, path: a, value: !Ref B}", "a:\n- 'x'\n- !Ref B\n"),
        ("a: ['x', y]\n", "{op: append, path: a, value: !Ref B}", "a: ['x', y, !Ref B]\n"),
        ("a: {b: !R x}\n", "{op: merge, path: [], value: {a: {b: !S y}}}", "a: {b: !S y}\n"),
        ("a: {b: 1}\n", "{op: merge, path: [], value: {a: !T {c: 2}}}", "a: !T {c: 2}\n"),
        ("a: !R x\nb: 1\n", "{op: copy, from: /a, path: /b}", "a: !R x\nb: !R x\n"),
        ("a: !R x\n", "{op: test, path: a, value: !R x}", "a: !R x\n"),
    ]);
    let rows = [
        ("a: !R x\n", at("test", "a").with_value("!S x"), "test-failed"),
        ("{\"a\": 1}\n", at("set", "a").with_value("!R x"), "bad-operation"),
        ("a: &b 1\n", at("set", "a").with_value("*b"), "would-change-meaning"),
        ("a: 1\n", at("merge", ".").with_value("5"), "bad-operation"),
        (
            "a:\n- b\n- c # c\n",
            Operation { to: Some("flow".into()), ..at("style", "a") },
            "kind-mismatch",
        ),
        (
            "- a: 1\n  b: 2 # c\n",
            Operation { to: Some("flow".into()), ..at("style", "[0]") },
            "kind-mismatch",
        ),
    ];
    for (text, operation, kind) in rows {
        assert_eq!(refusal(text, operation.clone()), kind, "{text} {operation:?}");
    }
}

#[test]
fn a_flow_collection_closes_up_after_a_removal() {
    assert_read(&[
        ("a: [x,\n    y,\n    z]\n", "{op: delete, path: 'a[0]'}", "a: [y,\n    z]\n"),
        ("a: [x\n    ,y\n    ,z]\n", "{op: delete, path: 'a[0]'}", "a: [y\n    ,z]\n"),
        ("{\n  a: 1,\n\n  b: 2\n}\n", "{op: delete, path: b}", "{\n  a: 1\n}\n"),
        ("{\n  a: 1,\n\n  b: 2\n}\n", "{op: delete, path: a}", "{\n  b: 2\n}\n"),
        ("{\n  a,\n\n  b,\n\n  c\n}\n", "{op: delete, path: b}", "{\n  a,\n\n  c\n}\n"),
        ("{\n  a,\n  b,\n\n  c\n}\n", "{op: delete, path: b}", "{\n  a,\n\n  c\n}\n"),
        ("- a: 1 # c\n", "{op: style, path: '[0]', to: flow}", "- {a: 1} # c\n"),
        ("a: 1\n", "{op: comment, path: a, where: trailing}", "a: 1\n"),
        ("- a: 1\n", "{op: comment, path: '[0].a'}", "- a: 1\n"),
    ]);
}

#[test]
fn a_new_scalar_fits_its_text() {
    let set = |value: &str| at("set", "a").with_value(value);
    let rows = [
        ("{\"a\": 1}\n", set("010"), "{\"a\": 10}\n"),
        ("{\"a\": 1}\n", set("[0x1F, ~, +1, .5, 1.10]"), "{\"a\": [31, null, 1, 0.5, 1.10]}\n"),
        ("a: 2021-05-05\n", set("2021-05-06"), "a: 2021-05-06\n"),
        ("a: 2021-05-05\n", set("'2021-05-06'"), "a: \"2021-05-06\"\n"),
        ("a: x\n", set("2021-05-06"), "a: \"2021-05-06\"\n"),
        ("a: yes\n", set("no"), "a: no\n"),
        ("a: [x]\n", at("append", "a").with_value("b/?q"), "a: [x, \"b/?q\"]\n"),
        ("", at("set", ".").with_value("x"), "x\n"),
        ("b: 1\n", at("set", "a[0].x").with_value("1"), "b: 1\na:\n  - x: 1\n"),
        ("b: 1\n", at("set", "a[1].x").with_value("1"), "not-found"),
        ("a: [1.0]\n", at("test", "a").with_value("[1]"), "a: [1.0]\n"),
        ("a: 1.5\n", at("test", "a").with_value("1"), "test-failed"),
    ];
    assert_results(&rows);
}

#[test]
fn an_item_gets_a_key_in_a_mapping() {
    let m = "m".parse::<Path>().unwrap().steps().to_vec();
    let to = Operation { to_path: m, ..at("move", "l[0]") };
    let keyed = Operation { key: Some("k".into()), ..to.clone() };
    let text = "l:\n- 1\n- 2\nm:\n  a: 1\n";
    assert_eq!(edited(text, &to), "bad-operation");
    assert_eq!(edited(text, &keyed), "l:\n- 2\nm:\n  a: 1\n  k: 1\n");
}

#[test]
fn a_move_beside_itself_changes_nothing() {
    let to = |op: &str, path: &str| {
        let to_path = path.parse::<Path>().unwrap().steps()[..1].to_vec();
        Operation { to_path, ..at(op, path) }
    };
    let after = |operation, name: &str| Operation { after: Some(name.to_owned()), ..operation };
    let before = |operation, name: &str| Operation { before: Some(name.to_owned()), ..operation };
    let (list, map) = ("a: [x, y, z]\n", "a:\n  x: 1\n  y: 2\n");
    assert_results(&[
        (list, after(to("move", "a[1]"), "1"), list),
        (list, before(to("move", "a[1]"), "1"), list),
        (list, after(to("move", "a[1]"), "0"), list),
        (list, after(to("move", "a[1]"), "2"), "a: [x, z, y]\n"),
        (list, after(to("copy", "a[1]"), "1"), "a: [x, y, y, z]\n"),
        (map, after(to("move", "a.x"), "x"), map),
        (map, before(to("move", "a.x"), "x"), map),
        (map, after(to("move", "a.x"), "y"), "a:\n  y: 2\n  x: 1\n"),
        (map, after(to("move", "a.x"), "z"), "not-found"),
        (list, after(to("move", "a[1]"), "3"), "not-found"),
    ]);
}

#[test]
fn the_error_of_a_move_shows_the_text_as_it_is() {
    let message = |to_path: &str, neighbor: Option<&str>| {
        let to_path = to_path.parse::<Path>().unwrap().steps().to_vec();
        let moved = Operation { to_path, after: neighbor.map(str::to_owned), ..at("move", "a") };
        let mut edit = Edit::open("a: 1\nb: {x: 1}\nc: []\n").unwrap();
        let error = edit.apply(&[moved]).unwrap_err();
        let place = error.location().unwrap();
        format!("{}:{}: {}", place.line, place.column, error.message())
    };
    assert_eq!(message("b", Some("y")), "2:4: there is no key `y`; the mapping has `x`");
    assert_eq!(message("c", Some("0")), "3:4: there is no item `0` in a sequence of 0");
    assert_eq!(message("d", None), "1:1: there is no key `d`; the mapping has `a`, `b`, `c`");
}

#[test]
fn an_edit_with_if_exists_adds_nothing_where_nothing_is() {
    let add = |path| Operation { if_exists: true, ..at("append", path).with_value("1") };
    assert_eq!(edited("a: [0]\n", &add("a")), "a: [0, 1]\n");
    for path in ["b", "b.c", "a.b"] {
        assert_eq!(edited("a: {}\n", &add(path)), "a: {}\n");
    }
}

#[test]
fn white_space_that_is_not_yamls_is_text() {
    let set = at("set", "a").with_value("\u{a0}");
    assert_eq!(edited("a: 1\n", &set), "a: \u{a0}\n");
    assert_eq!(edited("a: 1\n", &at("set", "a").with_value(" \t\n")), "a: null\n");
}

#[test]
fn an_edit_that_fails_leaves_the_text_unchanged() {
    let rows = [
        ("a: 1\n", at("delete", "b"), "not-found"),
        ("a: [1]\n", at("set", "a[3]").with_value("1"), "not-found"),
        ("a: {b: 1}\n", at("delete", "a.c"), "not-found"),
        ("b: &b {x: 1}\na: {<<: *b}\n", at("delete", "a.x"), "not-owned"),
        ("b: &b {x: 1}\na:\n  <<: *b\n", at("delete", "a.x"), "not-owned"),
        ("b: &b {x: 1}\na: {<<: [*b]}\n", at("delete", "a.x"), "not-owned"),
        ("a: &a {x: 1}\nb: *a\n", at("set", "b.x").with_value("2"), "through-alias"),
        ("a: &a {x: 1}\nb: *a\n", at("delete", "b.x"), "through-alias"),
        ("a: &a [1]\nb: *a\n", at("set", "b[0]").with_value("2"), "through-alias"),
        ("a: &a 1\nb: *a\n", at("delete", "a"), "anchor-in-use"),
        ("a: {c: &a 1}\nb: *a\n", at("delete", "a"), "anchor-in-use"),
        ("- &a 1\n- *a\n", at("delete", "[0]"), "anchor-in-use"),
        ("a: 1\na: 2\n", at("set", "a").with_value("3"), "duplicate-key"),
        ("a: 1\na: 2\n", at("delete", "a"), "duplicate-key"),
        ("a: 1\nb: 2\n", Operation { to: Some("b".into()), ..at("rename", "a") }, "duplicate-key"),
        ("a: 1\n", at("set", "a.b").with_value("3"), "kind-mismatch"),
        ("a: x\n", at("append", "a").with_value("3"), "kind-mismatch"),
        ("a: {b: 1}\n", at("append", "a").with_value("3"), "kind-mismatch"),
        ("a: 1\n", at("test", "a").with_value("2"), "test-failed"),
        ("a: 1\n", at("test", "a").with_value("'1'"), "test-failed"),
        ("a: [1]\n", at("test", "a").with_value("[2]"), "test-failed"),
        ("a: 1\n", at("set", "a"), "bad-operation"),
        ("a: 1\n", at("paint", "a"), "bad-operation"),
        ("a: 1\n", at("rename", "a"), "bad-operation"),
    ];
    for (text, operation, kind) in rows {
        assert_eq!(refusal(text, operation.clone()), kind, "{text} {operation:?}");
    }
}

/// Checks the text after each operation, which is read from YAML, or the name of its error's kind.
pub(super) fn assert_read(rows: &[(&str, &str, &str)]) {
    for (text, operation, expected) in rows {
        let operations = Operation::parse_all(&format!("[{operation}]")).unwrap();
        assert_eq!(edited(text, &operations[0]), *expected, "{text:?} {operation}");
    }
}

#[test]
fn a_destination_may_be_text() {
    let text = "jobs:\n  test: 1\n  b: 2\nz: {}\n";
    let moved = "jobs:\n  b: 2\nz:\n  test: 1\n";
    assert_read(&[
        (text, r#"{op: move, path: jobs.test, to: z}"#, moved),
        (text, r#"{op: move, path: jobs.test, to: .z}"#, moved),
        (text, r#"{op: move, path: jobs.test, to: [z]}"#, moved),
        (text, r#"{op: move, path: jobs.test, to: .}"#, "jobs:\n  b: 2\nz: {}\ntest: 1\n"),
    ]);
    let wrong = "[{op: move, path: a, to: '@1.b'}]";
    assert_eq!(Operation::parse_all(wrong).unwrap_err().kind().name(), "bad-operation");
    let from = &Operation::parse_all("[{op: move, from: '@1.a', path: /b}]").unwrap()[0];
    let mut edit = Edit::open("a: 1\n---\na: 2\n").unwrap();
    edit.apply(std::slice::from_ref(from)).unwrap();
    assert_eq!(edit.text(), "a: 1\n---\nb: 2\n");
}

#[test]
fn a_key_of_json_is_text() {
    let json = "{\"a\": {\"1\": 2}}\n";
    let added = "{\"a\": {\"1\": 2, \"404\": 1}}\n";
    assert_read(&[
        (json, "{op: add, path: /a/404, value: 1}", added),
        (json, "{op: set, path: a.404, value: 1}", added),
        (json, "{op: insert, path: a, key: 404, value: 1}", added),
        (json, "{op: merge, path: a, value: {404: 1}}", added),
        (json, "{op: insert, path: a, key: 1, value: 1}", "duplicate-key"),
        (json, "{op: set, path: a.x.5, value: 1}", "{\"a\": {\"1\": 2, \"x\": {\"5\": 1}}}\n"),
        ("a: {}\n", "{op: set, path: a.404, value: 1}", "a:\n  404: 1\n"),
    ]);
}

#[test]
fn a_moved_entry_keeps_the_kind_of_its_key() {
    let text = "a:\n  '200': x\n  300: y\nb:\n  c: z\n";
    assert_read(&[
        (text, "{op: move, path: a.200, to: b}", "a:\n  300: y\nb:\n  c: z\n  '200': x\n"),
        (text, "{op: move, path: a.300, to: b}", "a:\n  '200': x\nb:\n  c: z\n  300: y\n"),
        (text, "{op: move, from: /a/200, path: /a/404}", "a:\n  300: y\n  '404': x\nb:\n  c: z\n"),
        (text, "{op: move, from: /a/300, path: /a/404}", "a:\n  '200': x\n  404: y\nb:\n  c: z\n"),
    ]);
}

#[test]
fn a_new_collection_looks_like_its_siblings() {
    assert_read(&[
        (
            "a:\n  - {x: 1}\n  - {x: 2}\n",
            "{op: append, path: a, value: {x: 3}}",
            "a:\n  - {x: 1}\n  - {x: 2}\n  - {x: 3}\n",
        ),
        (
            "- { x: 1, y: [1,2] }\n",
            "{op: append, path: ., value: {x: 3, y: [4, 5]}}",
            "- { x: 1, y: [1,2] }\n- { x: 3, y: [4,5] }\n",
        ),
        (
            "- {x: 1}\n- [1]\n",
            "{op: append, path: ., value: {x: 3}}",
            "- {x: 1}\n- [1]\n- {x: 3}\n",
        ),
        (
            "- {x: 1}\n- x: 2\n",
            "{op: append, path: ., value: {x: 3}}",
            "- {x: 1}\n- x: 2\n- x: 3\n",
        ),
        ("a: {b: 2}\n", "{op: set, path: c, value: {d: 3}}", "a: {b: 2}\nc: {d: 3}\n"),
        ("a: {b: 2}\nb: 1\n", "{op: set, path: c, value: {d: 3}}", "a: {b: 2}\nb: 1\nc:\n  d: 3\n"),
        ("a: {b: 2}\n", "{op: set, path: a, value: {c: 3}}", "a: {c: 3}\n"),
        ("a: [ 1 ]\n", "{op: set, path: a, value: {c: [3, 4]}}", "a: {c: [ 3, 4 ]}\n"),
        ("a: {}\n", "{op: set, path: a, value: {c: 3}}", "a:\n  c: 3\n"),
        ("[[1,2],[3,4]]\n", "{op: append, path: ., value: [5, 6]}", "[[1,2],[3,4],[5,6]]\n"),
        (
            "[{\"a\":1},{\"a\":2}]\n",
            "{op: append, path: ., value: {a: 3, b: 4}}",
            "[{\"a\":1},{\"a\":2},{\"a\":3,\"b\":4}]\n",
        ),
        (
            "a: { b: { c: 1 } }\n",
            "{op: set, path: a.d, value: {e: 1}}",
            "a: { b: { c: 1 }, d: { e: 1 } }\n",
        ),
        (
            "[\n  { \"a\": 1 },\n  { \"a\": 2 }\n]\n",
            "{op: append, path: ., value: {a: 3}}",
            "[\n  { \"a\": 1 },\n  { \"a\": 2 },\n  { \"a\": 3 }\n]\n",
        ),
    ]);
}

#[test]
fn a_copy_without_anchors_keeps_its_layout() {
    assert_read(&[
        (
            "a:\n- n: &x v # c\n  # l\n  o: [1,2]\n",
            "{op: copy, path: 'a[0]', to: a}",
            "a:\n- n: &x v # c\n  # l\n  o: [1,2]\n- n: v # c\n  # l\n  o: [1,2]\n",
        ),
        (
            "a: &x   # c\n  b: &y # d\n    c: 1\nq: {}\n",
            "{op: copy, path: a, to: q}",
            "a: &x   # c\n  b: &y # d\n    c: 1\nq:\n  a:   # c\n    b: # d\n      c: 1\n",
        ),
        (
            "a: &x {k: [1,2]} # c\nb: *x\n",
            "{op: set, path: 'b.k[0]', value: 9, alias: detach}",
            "a: &x {k: [1,2]} # c\nb: {k: [9,2]}\n",
        ),
        (
            "a: &x [\n  1, # one\n  2\n  ]\nb: *x\n",
            "{op: delete, path: a, anchors: promote}",
            "b: &x [\n  1, # one\n  2\n  ]\n",
        ),
    ]);
}

#[test]
fn comments_and_blanks_of_replaced_nodes_are_right() {
    assert_read(&[
        (
            "k: !Sub # why\n  \"a\"\nz: 1\n",
            "{op: set, path: k, value: [a]}",
            "k: # why\n  - a\nz: 1\n",
        ),
        (
            "k: !Sub # why\n  \"a\"\nz: 1\n",
            "{op: set, path: k, value: [a], keep_tag: true}",
            "k: !Sub # why\n  - a\nz: 1\n",
        ),
        ("k: &a # why\n  b\n", "{op: set, path: k, value: {c: 1}}", "k: &a # why\n  c: 1\n"),
        ("k: !!str 123\nz: 1\n", "{op: set, path: k, value: [1]}", "k:\n  - 1\nz: 1\n"),
        ("# c", "{op: set, path: a, value: 1}", "# c\na: 1"),
        ("o: { a: 1,\n     b: 2 }\n", "{op: delete, path: o.a}", "o: { b: 2 }\n"),
        (
            "p:\n- {n: h, q: 80} # web\n",
            "{op: style, path: 'p[0]', to: block}",
            "p:\n- # web\n  n: h\n  q: 80\n",
        ),
        ("\u{feff}", "{op: set, path: a, value: 1}", "\u{feff}a: 1\n"),
        (
            "a:\n  x:\n    p: 1\n    # tp\n  # ta\nb: 2\n",
            "{op: set, path: a, value: {y: 1}}",
            "a:\n  y: 1\n  # ta\nb: 2\n",
        ),
    ]);
}

#[test]
fn folded_text_stays_folded() {
    let old = "d: >\n  Some text\n  here.\n";
    assert_read(&[
        (
            old,
            r#"{op: set, path: d, value: "Some text.\n\n  code\n\nEnd.\n"}"#,
            "d: >\n  Some text.\n\n    code\n\n  End.\n",
        ),
        (old, r#"{op: set, path: d, value: "a\nb\n\nc\n"}"#, "d: >\n  a\n\n  b\n\n\n  c\n"),
        (old, r#"{op: set, path: d, value: "a\nb\n\n"}"#, "d: >+\n  a\n\n  b\n\n"),
        (old, r#"{op: set, path: d, value: "\n\na\n \nb"}"#, "d: >-\n\n\n  a\n   \n  b\n"),
    ]);
}

#[test]
fn values_may_have_aliases() {
    let run = |text: &str, op: &str, path: &str, value: &str| {
        let path: Path = path.parse().expect("a path");
        let mut edit = Edit::open(text).expect("a text");
        let operation = Operation::at(op, &path).with_value(value);
        let done = edit.apply(std::slice::from_ref(&operation));
        done.map(|()| edit.text().to_owned()).map_err(|error| error.to_string())
    };
    let text = "a: &a {x: 1}\nb: 2\nl:\n- 1\n";
    let after = |old: &str, new: &str| Ok(text.replace(old, new));
    assert_eq!(run(text, "set", "b", "*a"), after("b: 2", "b: *a"));
    assert_eq!(run(text, "append", "l", "*a"), after("- 1", "- 1\n- *a"));
    assert_eq!(run(text, "set", "c", "[*a, {*a : 1}]"), Ok(format!("{text}c:\n- *a\n- *a : 1\n")));
    assert_eq!(run("a: &a 1\nb: *a\n", "set", "b", "*a"), Ok("a: &a 1\nb: *a\n".to_owned()));
    assert_eq!(run("{a: &a 1}\n", "set", "b", "*a"), Ok("{a: &a 1, b: *a}\n".to_owned()));
    for (path, value, words) in [
        ("b", "*none", "no anchor `&none`"),
        ("a.y", "*a", "inside the node that it refers to"),
        ("b", "&b 1", "cannot have anchors"),
    ] {
        let error = run(text, "set", path, value).expect_err("an error");
        assert!(error.contains(words), "{error}");
    }
    assert!(run("b: 1\na: &a 2\n", "set", "b", "*a").is_err());
}
