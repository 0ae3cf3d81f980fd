//! The results of operations, both in a window and on the whole text.

use super::{Action, Edit, Field, IfAbsent, Operation, Position, Request, Style, Transfer};
use ketch_yaml::path::Path;

/// Applies an operation that must be refused, and returns the name of the error's kind.
fn refusal(text: &str, operation: Operation) -> &'static str {
    let mut edit = Edit::open(text).unwrap();
    let error = edit.apply(&[operation]).unwrap_err();
    assert_eq!(edit.text(), text);
    assert!(edit.patches().is_empty());
    error.kind().name()
}

fn at(action: Action, path: &str) -> Operation {
    Operation::new(action, path.parse::<Path>().unwrap().steps())
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
            let _ = edit.apply(&[at(Action::Delete, path)]);
            assert_eq!(edit.text(), expected, "{text:?} {path} {is_whole}");
        }
    }
}

#[test]
fn the_tag_of_a_value_is_a_whole_tag() {
    for tag in ["x", "!x y", "# no", "tag:x,2000:y", "!a\n!b"] {
        let mut operation = at(Action::set("2"), "a");
        if let Action::Set { value, .. } = &mut operation.action {
            value.tag = Some(tag.to_owned());
        }
        assert_eq!(refusal("a: 1\n", operation), "bad-operation", "{tag}");
    }
}

#[test]
fn a_part_is_found_after_an_edit_that_changes_what_is_before_it() {
    // The block scalar ends with a line break, and what replaces it ends before one.
    let text = "m:\n  k: |\n    t\nc:\n- x:\n    p: q\n    r: z\n- n\n";
    for (action, path) in
        [(Action::Delete, "m.k"), (Action::Delete, "m"), (Action::set("1"), "m.k")]
    {
        let mut edit = Edit::open(text).unwrap();
        let x: Path = "c[0].x".parse().unwrap();
        let before = edit.part(0, x.steps()).unwrap();
        edit.apply(&[at(action, path)]).unwrap();
        let after = edit.part(0, x.steps()).unwrap();
        assert!(before.text.contains("r: z") && after.text.contains("r: z"), "{path} {after:?}");
    }
}

/// Returns the text after an operation, or the name of the error's kind. Checks that the result is
/// the same in a window and on the whole text.
fn placed(operation: Operation, position: Position) -> Operation {
    Operation { action: operation.action.placed(position), ..operation }
}

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
    let first = |path| at(Action::insert("q").placed(Position::First), path);
    let rows = [
        ("a: [\n  y,\n  x, # x\n  z ]\n", at(Action::Delete, "a[2]"), "a: [\n  y,\n  x # x\n  ]\n"),
        (
            "a: [x, # x\n    y, # y\n    z]\n",
            at(Action::Delete, "a[2]"),
            "a: [x, # x\n    y # y\n    ]\n",
        ),
        (
            "a: [\n x # x\n , y # y\n , z # z\n ]\n",
            at(Action::Delete, "a[2]"),
            "a: [\n x # x\n , y # y\n ]\n",
        ),
        ("a: [\n x # x\n , y]\n", at(Action::Delete, "a[1]"), "a: [\n x # x\n ]\n"),
        ("a: [y, # y\n    x]\n", first("a"), "a: [q,\n    y, # y\n    x]\n"),
        (
            "a: [\n  # one\n ] # c\n",
            at(Action::Append("x".into()), "a"),
            "a: [\n  # one\n x] # c\n",
        ),
        ("a: { # c\n }\n", at(Action::set("1"), "a.x"), "a: { # c\n x: 1}\n"),
        ("a: [y, # y\n    x, # x\n   ]\n", at(Action::sort(), "a"), "kind-mismatch"),
        ("a: [\n  y # y\n  , x # x\n  ]\n", at(Action::sort(), "a"), "kind-mismatch"),
        ("a: [x, # x\n    y]\n", at(Action::sort(), "a"), "a: [x, # x\n    y]\n"),
        ("a: # c\n  x\nb: 1\n", at(Action::set("{q: 1}"), "a"), "a: # c\n  q: 1\nb: 1\n"),
        ("a:\n   # c\n   x\nb: 1\n", at(Action::set("[1]"), "a"), "a:\n   # c\n  - 1\nb: 1\n"),
    ];
    assert_results(&rows);
}

#[test]
fn comments_stay_with_entries_after_a_comma_or_a_bracket() {
    let commas = "a: [\n x # x\n , y # y\n , z # z\n ]\n";
    let line = "a: [y, # y\n    x, # x\n    z]\n";
    let a = "a".parse::<Path>().unwrap().steps().to_vec();
    let to = |path| at(Action::Move(Transfer::to(a.clone())), path);
    let first = |operation| placed(operation, Position::First);
    let insert = |index| at(Action::insert("q").placed(Position::Index(index)), "a");
    let rows = [
        (
            commas,
            at(Action::Append("q".into()), "a"),
            "a: [\n x # x\n , y # y\n , z # z\n , q\n ]\n",
        ),
        (commas, insert(0), "a: [\n q\n , x # x\n , y # y\n , z # z\n ]\n"),
        (commas, insert(1), "a: [\n x # x\n , q\n , y # y\n , z # z\n ]\n"),
        (commas, first(to("a[1]")), "a: [\n y # y\n , x # x\n , z # z\n ]\n"),
        (commas, to("a[0]"), "a: [\n y # y\n , z # z\n , x # x\n ]\n"),
        (line, first(to("a[1]")), "a: [x, # x\n    y, # y\n    z]\n"),
        (line, to("a[0]"), "a: [x, # x\n    z,\n    # y\n    y]\n"),
        ("a: [u, v,\n  w, # w\n  x]\n", first(to("a[2]")), "kind-mismatch"),
        ("a: [u, v, w]\nb: 1 # b\n", to("b"), "a: [u, v, w, 1]\n"),
        ("a: [\n  # u\n  u, v,\n  w\n  ]\n", to("a[0]"), "a: [\n  # u\n  v,\n  w,\n  u\n  ]\n"),
        ("a: [u\n , v # v\n ]\n", at(Action::Delete, "a[1]"), "a: [u\n ]\n"),
        ("a: [\n  u\n , v # v\n ]\n", first(to("a[1]")), "a: [\n  v, # v\n  u\n ]\n"),
        (line, first(to("a[0]")), line),
        (line, to("a[2]"), line),
        ("a: [ v\n  # w\n  , w\n ]\n", at(Action::Delete, "a[0]"), "a: [\n  # w\n  w\n ]\n"),
        (
            "a: [ u\n  # v\n  , v # v2\n  # w\n  , w\n ]\n",
            at(Action::Delete, "a[1]"),
            "a: [ u\n  # w\n  , w\n ]\n",
        ),
        ("a: [ u, v\n  # w\n  , w\n ]\n", at(Action::Delete, "a[1]"), "a: [ u\n  # w\n  , w\n ]\n"),
        ("a: [u,\n  # v\n  v]\n", at(Action::Delete, "a[1]"), "a: [u\n  ]\n"),
        ("a: [u # u\n  # v\n  , v]\n", at(Action::Delete, "a[1]"), "a: [u # u\n  ]\n"),
        (line, at(Action::Delete, "a[0]"), "a: [x, # x\n    z]\n"),
        ("a: [x, # x\n # y\n y]\n", at(Action::Delete, "a[0]"), "a: [\n # y\n y]\n"),
        ("a: [\n # x\n x,\n y\n ]\n", insert(0), "a: [\n q,\n # x\n x,\n y\n ]\n"),
    ];
    assert_results(&rows);
}

#[test]
fn comments_below_a_blank_line_stay_in_their_collection() {
    let text = "a:\n  b: 1\n\n  # c: 2\n\n    # d\n\n# end\n";
    let new = "a:\n  b: 1\n\n  # c: 2\n\n    # d\nq: 1\n\n# end\n";
    assert_eq!(edited(text, &at(Action::set("1"), "q")), new);
    let after = Action::insert("1").with_key(Some("q".into()));
    let after = at(after.placed(Position::After("a".into())), ".");
    assert_eq!(edited(text, &after), new);
    let flow = at(Action::Style(Style::Flow), "a");
    assert_eq!(edited("a:\n  # doc\n  b: 1\n", &flow), "kind-mismatch");
    assert_eq!(edited("a: # doc\n  b: 1\n", &flow), "a: {b: 1} # doc\n");
    assert_eq!(
        edited("#cloud-config\na: 1\nb: 2\n", &at(Action::Delete, "a")),
        "#cloud-config\nb: 2\n"
    );
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
        assert_eq!(edited(text, &at(Action::Delete, "c")), expected);
    }
    assert_read(&[
        ("b: |\n  t\na: 1", "{op: sort, path: []}", "a: 1\nb: |\n  t\n"),
        ("a: |\n  t\nb: 1", "{op: move, path: a, to: []}", "b: 1\na: |\n  t\n"),
        ("a: x", r#"{op: set, path: a, value: "t\nu\n"}"#, "a: |\n  t\n  u\n"),
        ("a: x", r#"{op: set, path: a, value: "t\nu"}"#, "a: |-\n  t\n  u"),
        ("a: |\n  x\n", r#"{op: set, path: a, value: "t\tu\n\tv\n"}"#, "a: |\n  t\tu\n  \tv\n"),
        ("a: >\n  x\n", r#"{op: set, path: a, value: "t\tu\n\nv\n"}"#, "a: >\n  t\tu\n\n\n  v\n"),
        ("a: x\n", r#"{op: set, path: a, value: "t\tu\nv\n"}"#, "a: |\n  t\tu\n  v\n"),
        ("a: |\n  x\n", r#"{op: set, path: a, value: "\tt\n"}"#, "a: |2\n  \tt\n"),
        // Some parsers lose blanks without other characters in a block.
        ("a: |\n  x\n", r#"{op: set, path: a, value: "  \n"}"#, "a: \"  \\n\"\n"),
        ("a: x\n", r#"{op: set, path: a, value: " t\nu"}"#, "a: \" t\\nu\"\n"),
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
        ("a: !!binary aGk=\n", "{op: set, path: a, value: hello}", "a: hello\n"),
        ("a: !!binary aGk=\n", "{op: set, path: a, value: eHk=}", "a: !!binary eHk=\n"),
        ("a: !!timestamp 2026-01-02\n", "{op: set, path: a, value: soon}", "a: soon\n"),
        ("a: !!python/tuple [1]\n", "{op: set, path: a, value: [2]}", "a: [2]\n"),
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
        ("a: !R x\n", at(Action::Test("!S x".into()), "a"), "test-failed"),
        ("{\"a\": 1}\n", at(Action::set("!R x"), "a"), "bad-operation"),
        ("a: &b 1\n", at(Action::set("*b"), "a"), "would-change-meaning"),
        ("a: 1\n", at(Action::Merge("5".into()), "."), "bad-operation"),
        ("a:\n- b\n- c # c\n", at(Action::Style(Style::Flow), "a"), "kind-mismatch"),
        ("- a: 1\n  b: 2 # c\n", at(Action::Style(Style::Flow), "[0]"), "kind-mismatch"),
    ];
    for (text, operation, kind) in rows {
        assert_eq!(refusal(text, operation.clone()), kind, "{text} {operation:?}");
    }
}

#[test]
fn a_collection_gets_another_tag_alone() {
    let set = "{op: tag, path: a, to: '!T'}";
    let removed = "{op: tag, path: a}";
    assert_read(&[
        (
            "a:   # c\n  # d\n  b: &x 1 # e\nc: *x\n",
            set,
            "a: !T   # c\n  # d\n  b: &x 1 # e\nc: *x\n",
        ),
        ("a:\n- x # c\n", set, "a: !T\n- x # c\n"),
        ("a: &x\n  b: 1\n", set, "a: &x !T\n  b: 1\n"),
        ("a: !R &x {b: 1} # c\n", set, "a: !T &x {b: 1} # c\n"),
        ("a: &x !R {b: 1} # c\n", removed, "a: &x {b: 1} # c\n"),
        ("a: !R   # c\n- b\n", removed, "a: # c\n- b\n"),
        ("a:\n  !R\n  - b\n", removed, "a:\n  - b\n"),
        ("a: &x\n  !R\n  - b\n", removed, "a: &x\n  - b\n"),
        ("a: {b: 1}\n", removed, "a: {b: 1}\n"),
        ("# c\na: 1\n", "{op: tag, path: [], to: '!T'}", "# c\n!T\na: 1\n"),
        ("--- !T\na: 1\n", "{op: tag, path: []}", "---\na: 1\n"),
        ("!T\na: 1\n", "{op: tag, path: []}", "a: 1\n"),
        ("a: &x !R\n  b: 1\n", "{op: replace, path: a, value: {c: 1}}", "a: &x\n  c: 1\n"),
    ]);
    let tag = |tag: &str| at(Action::Tag(Some(tag.to_owned())), "a");
    let rows = [
        ("a: 1\n", tag("!T"), "kind-mismatch"),
        ("a: [1]\n", tag("T"), "bad-operation"),
        ("{\"a\": [1]}\n", tag("!T"), "bad-operation"),
    ];
    for (text, operation, kind) in rows {
        assert_eq!(refusal(text, operation), kind, "{text}");
    }
}

#[test]
fn a_comment_that_would_become_text_is_named() {
    let mut edit = Edit::open("m:\n  t: |\n      text\n\n    # note\n   # more\n").unwrap();
    let error = edit.apply(&[at(Action::set(r#"{"a": "x\ny\n"}"#), "m")]).unwrap_err();
    assert_eq!(error.kind().name(), "would-change-meaning");
    assert!(error.message().starts_with("the comment below"), "{error}");
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
    let set = |value: &str| at(Action::set(value), "a");
    let rows = [
        ("{\"a\": 1}\n", set("010"), "{\"a\": 10}\n"),
        ("{\"a\": 1}\n", set("[0x1F, ~, +1, .5, 1.10]"), "{\"a\": [31, null, 1, 0.5, 1.10]}\n"),
        ("a: 2021-05-05\n", set("2021-05-06"), "a: 2021-05-06\n"),
        ("a: 2021-05-05\n", set("'2021-05-06'"), "a: \"2021-05-06\"\n"),
        ("a: x\n", set("2021-05-06"), "a: \"2021-05-06\"\n"),
        ("a: yes\n", set("no"), "a: no\n"),
        ("a: [x]\n", at(Action::Append("b/?q".into()), "a"), "a: [x, \"b/?q\"]\n"),
        ("", at(Action::set("x"), "."), "x\n"),
        ("b: 1\n", at(Action::set("1"), "a[0].x"), "b: 1\na:\n  - x: 1\n"),
        ("b: 1\n", at(Action::set("1"), "a[1].x"), "not-found"),
        ("a: [1.0]\n", at(Action::Test("[1]".into()), "a"), "a: [1.0]\n"),
        ("a: 1.5\n", at(Action::Test("1".into()), "a"), "test-failed"),
    ];
    assert_results(&rows);
}

#[test]
fn an_item_gets_a_key_in_a_mapping() {
    let m = "m".parse::<Path>().unwrap().steps().to_vec();
    let to = at(Action::Move(Transfer::to(m)), "l[0]");
    let keyed = Operation { action: to.action.clone().with_key(Some("k".into())), ..to.clone() };
    let text = "l:\n- 1\n- 2\nm:\n  a: 1\n";
    assert_eq!(edited(text, &to), "bad-operation");
    assert_eq!(edited(text, &keyed), "l:\n- 2\nm:\n  a: 1\n  k: 1\n");
}

#[test]
fn a_move_beside_itself_changes_nothing() {
    let to = |action: fn(Transfer) -> Action, path: &str| {
        let to_path = path.parse::<Path>().unwrap().steps()[..1].to_vec();
        at(action(Transfer::to(to_path)), path)
    };
    let after = |operation, name: &str| placed(operation, Position::After(name.to_owned()));
    let before = |operation, name: &str| placed(operation, Position::Before(name.to_owned()));
    let (list, map) = ("a: [x, y, z]\n", "a:\n  x: 1\n  y: 2\n");
    assert_results(&[
        (list, after(to(Action::Move, "a[1]"), "1"), list),
        (list, before(to(Action::Move, "a[1]"), "1"), list),
        (list, after(to(Action::Move, "a[1]"), "0"), list),
        (list, after(to(Action::Move, "a[1]"), "2"), "a: [x, z, y]\n"),
        (list, after(to(Action::Copy, "a[1]"), "1"), "a: [x, y, y, z]\n"),
        (map, after(to(Action::Move, "a.x"), "x"), map),
        (map, before(to(Action::Move, "a.x"), "x"), map),
        (map, after(to(Action::Move, "a.x"), "y"), "a:\n  y: 2\n  x: 1\n"),
        (map, after(to(Action::Move, "a.x"), "z"), "not-found"),
        (list, after(to(Action::Move, "a[1]"), "3"), "not-found"),
    ]);
}

#[test]
fn the_error_of_a_move_shows_the_text_as_it_is() {
    let message = |to_path: &str, neighbor: Option<&str>| {
        let to_path = to_path.parse::<Path>().unwrap().steps().to_vec();
        let position = neighbor.map_or(Position::Last, |key| Position::After(key.to_owned()));
        let moved = at(Action::Move(Transfer::to(to_path)).placed(position), "a");
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
    let add =
        |path| Operation { if_absent: IfAbsent::Skip, ..at(Action::Append("1".into()), path) };
    assert_eq!(edited("a: [0]\n", &add("a")), "a: [0, 1]\n");
    for path in ["b", "b.c", "a.b"] {
        assert_eq!(edited("a: {}\n", &add(path)), "a: {}\n");
    }
}

#[test]
fn white_space_that_is_not_yamls_is_text() {
    let set = at(Action::set("\u{a0}"), "a");
    assert_eq!(edited("a: 1\n", &set), "a: \u{a0}\n");
    assert_eq!(edited("a: 1\n", &at(Action::set(" \t\n"), "a")), "a: null\n");
}

#[test]
fn an_edit_that_fails_leaves_the_text_unchanged() {
    let rows = [
        ("a: 1\n", at(Action::Delete, "b"), "not-found"),
        ("a: [1]\n", at(Action::set("1"), "a[3]"), "not-found"),
        ("a: {b: 1}\n", at(Action::Delete, "a.c"), "not-found"),
        ("b: &b {x: 1}\na: {<<: *b}\n", at(Action::Delete, "a.x"), "not-owned"),
        ("b: &b {x: 1}\na:\n  <<: *b\n", at(Action::Delete, "a.x"), "not-owned"),
        ("b: &b {x: 1}\na: {<<: [*b]}\n", at(Action::Delete, "a.x"), "not-owned"),
        ("a: &a {x: 1}\nb: *a\n", at(Action::set("2"), "b.x"), "through-alias"),
        ("a: &a {x: 1}\nb: *a\n", at(Action::Delete, "b.x"), "through-alias"),
        ("a: &a [1]\nb: *a\n", at(Action::set("2"), "b[0]"), "through-alias"),
        ("a: &a 1\nb: *a\n", at(Action::Delete, "a"), "anchor-in-use"),
        ("a: {c: &a 1}\nb: *a\n", at(Action::Delete, "a"), "anchor-in-use"),
        ("- &a 1\n- *a\n", at(Action::Delete, "[0]"), "anchor-in-use"),
        ("a: 1\na: 2\n", at(Action::set("3"), "a"), "duplicate-key"),
        ("a: 1\na: 2\n", at(Action::Delete, "a"), "duplicate-key"),
        ("a: 1\nb: 2\n", at(Action::Rename("b".into()), "a"), "duplicate-key"),
        ("a: 1\n", at(Action::set("3"), "a.b"), "kind-mismatch"),
        ("a: x\n", at(Action::Append("3".into()), "a"), "kind-mismatch"),
        ("a: {b: 1}\n", at(Action::Append("3".into()), "a"), "kind-mismatch"),
        ("a: 1\n", at(Action::Test("2".into()), "a"), "test-failed"),
        ("a: 1\n", at(Action::Test("'1'".into()), "a"), "test-failed"),
        ("a: [1]\n", at(Action::Test("[2]".into()), "a"), "test-failed"),
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
        // Quoted text needs no tag.
        (
            json,
            "{op: set, path: a, value: {!!str '<<': !!str \"5\"}}",
            "{\"a\": {\"<<\": \"5\"}}\n",
        ),
        (json, "{op: set, path: a, value: !!str 5}", "bad-operation"),
        (json, "{op: set, path: a, value: [!!str '5', !x '5']}", "bad-operation"),
        ("a: {}\n", "{op: set, path: a.404, value: 1}", "a:\n  404: 1\n"),
    ]);
}

#[test]
fn entries_below_a_block_scalar_of_blanks_are_apart_in_windows() {
    let keep = "{op: insert, index: 1, path: ., value: {b: c}}, {op: insert, index: 1, path: ., value: null}";
    for (text, operations, expected) in [
        (
            "foo: |\n \t\nbar: 1\n",
            "[{op: insert, key: zz, value: 1, path: .}, {op: insert, key: x, value: {}, path: .}]",
            "foo: |\n \t\nbar: 1\n\nzz: 1\n\nx: {}\n",
        ),
        (
            "- |+\n   \n",
            &format!("[{keep}, {{op: copy, to: ., key: x, path: '[0]'}}]"),
            "- |+\n   \n- null\n\n- b: c\n\n- |+\n   \n",
        ),
    ] {
        let mut edit = Edit::open(text).unwrap();
        edit.apply(&Operation::parse_all(operations).unwrap()).unwrap();
        assert_eq!(edit.text(), expected);
    }
}

#[test]
fn a_number_is_a_text_key_beside_numbers_that_are() {
    let quoted = "'200':\n  a: 1\ndefault: 2\n";
    assert_read(&[
        (quoted, "{op: set, path: '404', value: 1}", &format!("{quoted}'404': 1\n")),
        (quoted, "{op: insert, path: ., key: 404, value: 1}", &format!("{quoted}404: 1\n")),
        ("'1': a\n2: b\n", "{op: set, path: '3', value: c}", "'1': a\n2: b\n3: c\n"),
        ("'a': 1\n", "{op: set, path: '3', value: c}", "'a': 1\n3: c\n"),
    ]);
    let mut operation =
        Operation::parse_all("[{op: insert, path: ., key: 404, value: 1}]").unwrap();
    operation[0].is_typed = true;
    let mut edit = Edit::open(quoted).unwrap();
    edit.apply(&operation).unwrap();
    assert_eq!(edit.text(), format!("{quoted}'404': 1\n"));
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
        let mut request = Request::new(op, 0, path.steps().to_vec());
        request.give("value", Field::Text(value.to_owned()));
        let operation = request.operation().expect("an operation");
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

#[test]
fn a_document_of_several_is_deleted_with_its_marker() {
    let three = "# head\na: 1\n---\n# b\nb: 2\n---\nc: 3\n";
    let dotted = "\u{feff}%YAML 1.2\n---\na: 1\n...\n# b\nb: 2\n...\n%TAG !e! !e\n---\n!e!c c: 3\n";
    for (text, path, expected) in [
        (three, "@0", "---\n# b\nb: 2\n---\nc: 3\n"),
        (three, "@1", "# head\na: 1\n---\nc: 3\n"),
        (three, "@[?b or c]", "# head\na: 1\n"),
        ("a: 1\n---\n---\nb: 1", "@1", "a: 1\n---\nb: 1"),
        ("a: 1\n---\n|\n x\n--- |\n y", "@1", "a: 1\n--- |\n y"),
        (dotted, "@0", "\u{feff}# b\nb: 2\n...\n%TAG !e! !e\n---\n!e!c c: 3\n"),
        (dotted, "@1", "\u{feff}%YAML 1.2\n---\na: 1\n...\n%TAG !e! !e\n---\n!e!c c: 3\n"),
        (dotted, "@2", "\u{feff}%YAML 1.2\n---\na: 1\n...\n# b\nb: 2\n...\n"),
    ] {
        let delete = Operation::at(Action::Delete, &path.parse().unwrap());
        assert_eq!(edited(text, &delete), expected, "{text:?} {path}");
    }
    let mut edit = Edit::open("a: 1\n---\nb: 1\n").unwrap();
    let all = Operation::at(Action::Delete, &"@*".parse().unwrap());
    let error = edit.apply(&[all]).unwrap_err();
    assert_eq!(error.message(), "the only document of a stream cannot be removed");
    assert_eq!(edit.text(), "a: 1\n---\nb: 1\n");
    // A session goes on with the documents that are left.
    edit.apply(&[at(Action::Delete, ""), at(Action::set("2"), "b")]).unwrap();
    assert_eq!(edit.text(), "---\nb: 2\n");
}

#[test]
fn items_are_matched_by_the_key_that_all_start_with() {
    let text = "env:\n- name: A\n  value: a   # keep\n- name: B # b\n  value: b\n";
    let rows = [
        (
            "[{name: B, value: bb}, {name: C, value: c}]",
            "- name: B # b\n  value: bb\n- name: C\n  value: c\n",
        ),
        (
            "[{name: Z, value: z}, {name: A, value: a}, {name: B, value: 1}]",
            "- name: Z\n  value: z\n- name: A\n  value: a   # keep\n- name: B # b\n  value: 1\n",
        ),
        // No name stays: by position.
        (
            "[{name: C, value: a}, {name: D, value: b}]",
            "- name: C\n  value: a   # keep\n- name: D # b\n  value: b\n",
        ),
        // A name twice is none.
        (
            "[{name: B, value: 1}, {name: B, value: 2}]",
            "- name: B\n  value: 1   # keep\n- name: B # b\n  value: 2\n",
        ),
        ("[{value: b, name: B}]", "- name: B # b\n  value: b\n"),
    ];
    for (value, expected) in rows {
        let new = edited(text, &at(Action::set(value), "env"));
        assert_eq!(new, format!("env:\n{expected}"), "{value}");
    }
    let numbers = "- port: 80 # a\n- port: 81 # b\n";
    assert_eq!(edited(numbers, &at(Action::set("[{port: 81}]"), "")), "- port: 81 # b\n");
}
