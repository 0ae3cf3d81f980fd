//! Values and paths that a person typed: tags, spelling, remarks, and keys that are refused.

use super::tests::assert_read;
use super::{Action, Edit, NewValue, Operation, Remark, Spelling};
use ketch_yaml::path::Path;

#[test]
fn a_tag_that_yaml_does_not_define_goes_with_its_value() {
    assert_read(&[
        ("n: !Ref N # c\n", "{op: set, path: n, value: 2}", "n: 2 # c\n"),
        ("n: !Ref N\n", "{op: replace, path: n, value: M}", "n: M\n"),
        ("n: !Ref N\n", "{op: set, path: n, value: N}", "n: !Ref N\n"),
        ("n: !Ref N\n", "{op: set, path: n, value: 2, keep_tag: true}", "n: !Ref 2\n"),
        ("n: !Ref N\n", "{op: set, path: n, value: 2, tag: !x}", "n: 2\n"),
        ("n: &a !Ref N\n", "{op: set, path: n, value: 2}", "n: &a 2\n"),
        ("p: !reset []\n", "{op: set, path: p, value: [80]}", "p:\n  - 80\n"),
        ("p: !reset [70]\n", "{op: set, path: p, value: [80]}", "p: [80]\n"),
        (
            "p: !x\n- 70 # a\n- 80 # b\n",
            "{op: set, path: p, value: [70, 81]}",
            "p:\n- 70 # a\n- 81 # b\n",
        ),
        (
            "p: !x # c\n  a: 1 # a\n  b: 2\n",
            "{op: set, path: p, value: {a: 1, b: 3}}",
            "p: # c\n  a: 1 # a\n  b: 3\n",
        ),
        ("s: !vault |\n  12\n", "{op: set, path: s, value: text}", "s: |-\n  text\n"),
        ("- !x 1\n- 2\n", "{op: set, path: '[0]', value: 3}", "- 3\n- 2\n"),
        // An edit inside of the node keeps its tag.
        ("p: !reset []\n", "{op: append, path: p, value: 80}", "p: !reset\n  - 80\n"),
        ("p: !x {a: 1}\n", "{op: merge, path: p, value: {a: 2}}", "p: !x {a: 2}\n"),
        ("p: !x {a: 1}\n", "{op: set, path: p.a, value: 2}", "p: !x {a: 2}\n"),
        ("p: !x [1]\n", "{op: delete, path: 'p[0]'}", "p: !x []\n"),
        ("p: {a: !x 1}\n", "{op: merge, path: p, value: {a: 2}}", "p: {a: 2}\n"),
        ("n: 1\n", "{op: set, path: n, value: 2, tag: '!x'}", "n: !x 2\n"),
        ("n: !y [1]\n", "{op: set, path: n, value: [2], tag: '!x'}", "n: !x [2]\n"),
        ("l:\n- 1\n", "{op: append, path: l, value: {a: 1}, tag: '!x'}", "l:\n- 1\n- !x\n  a: 1\n"),
    ]);
}

/// Returns `text` with the value at `path` set to `value`, which is spelled as `spelling` says.
fn spelled(text: &str, path: &str, value: &str, spelling: Spelling) -> String {
    let path: Path = path.parse().expect("a path");
    let mut edit = Edit::open(text).expect("a text");
    let value = NewValue { spelling, ..value.into() };
    let operation = Operation::at(Action::set(value), &path);
    edit.apply(std::slice::from_ref(&operation)).expect("an edit");
    edit.text().to_owned()
}

#[test]
fn the_typed_spelling_wins() {
    for (text, value, expected) in [
        ("a: 3.1 # c\n", "3.10", "a: 3.10 # c\n"),
        ("a: 644\n", "0644", "a: 0644\n"),
        ("a: 0x50\n", "80", "a: 80\n"),
        ("a: NO\n", "\"NO\"", "a: \"NO\"\n"),
        ("a: 'x'\n", "\"x\"", "a: \"x\"\n"),
        ("a: \"x\"\n", "'x'", "a: 'x'\n"),
        ("a:\n", "null", "a: null\n"),
        ("a: ~\n", "null", "a: null\n"),
        ("a: \"\\u0041\"\n", "'\\x'", "a: '\\x'\n"),
        ("a: x\n", "|\n text\n", "a: |\n  text\n"),
        ("a: |\n  text\n", ">\n text\n", "a: >\n  text\n"),
        ("a: \"b\"\n", "[1, 'x', y]", "a:\n  - 1\n  - 'x'\n  - y\n"),
        ("a: [0x1, \"x\", \"y\"]\n", "[1, 'x', y]", "a: [1, 'x', \"y\"]\n"),
        ("{\"a\": \"x\"}\n", "'y'", "{\"a\": \"y\"}\n"),
        ("a: 1\n", "!x 'b'", "a: !x 'b'\n"),
    ] {
        assert_eq!(spelled(text, "a", value, Spelling::Typed), expected, "{text:?} {value:?}");
    }
    assert_eq!(spelled("x: 'y'\n", "a.b", "\"z\"", Spelling::Typed), "x: 'y'\na:\n  b: \"z\"\n");
    assert_eq!(spelled("x: 1\n", "a.b", "|\n t\n", Spelling::Typed), "x: 1\na:\n  b: |\n    t\n");
}

#[test]
fn text_that_must_be_text_is_quoted() {
    for (text, value, expected) in [
        ("a: NO\n", "NO", "a: \"NO\"\n"),
        ("a: 'x'\n", "NO", "a: 'NO'\n"),
        ("a: y\n", "y", "a: \"y\"\n"),
        ("a: 2021-01-02\n", "2021-01-03", "a: \"2021-01-03\"\n"),
        ("a: web # c\n", "web", "a: web # c\n"),
        ("a: \"web\"\n", "web", "a: \"web\"\n"),
        ("a: 1\n", "1.10", "a: \"1.10\"\n"),
    ] {
        let value = format!("\"{value}\"");
        assert_eq!(spelled(text, "a", &value, Spelling::Safe), expected, "{text:?} {value:?}");
    }
    let free = spelled("a: 2021-01-02\n", "a", "2021-01-03", Spelling::Free);
    assert_eq!(free, "a: 2021-01-03\n");
}

#[test]
fn remarks_name_what_may_not_have_been_intended() {
    let remarks = |text: &str, value: &str| {
        let mut edit = Edit::open(text).expect("a text");
        let value = NewValue { spelling: Spelling::Typed, ..value.into() };
        let operation = Operation::at(Action::set(value), &"a".parse().expect("a path"));
        edit.apply(std::slice::from_ref(&operation)).expect("an edit");
        edit.remarks().to_vec()
    };
    let replaced =
        |old: &str, new: &str| vec![Remark::TextReplaced { old: old.into(), new: new.into() }];
    assert_eq!(remarks("a: \"3.9\"\n", "3.10"), replaced("\"3.9\"", "3.10"));
    assert_eq!(remarks("a: 'x'\n", "null"), replaced("'x'", "null"));
    assert_eq!(remarks("a: 1.9.1\n", "1.10"), replaced("1.9.1", "1.10"));
    assert_eq!(remarks("a: abcdef0\n", "0x10"), replaced("abcdef0", "0x10"));
    assert_eq!(remarks("a: latest\n", "1.10"), replaced("latest", "1.10"));
    assert_eq!(remarks("a: !!str 123\n", "0123"), replaced("!!str 123", "0123"));
    assert_eq!(remarks("a: 12345\n", "01234"), [Remark::LeadingZeros("01234".into())]);
    assert_eq!(remarks("a: !x 'x'\n", "1"), [Remark::TagDropped("!x".into())]);
    assert_eq!(remarks("a: !x [1]\n", "[2]"), [Remark::TagDropped("!x".into())]);
    for (text, value) in [
        ("a: x\n", "true"),
        ("a: 644\n", "0644"),
        ("a: 'x'\n", "'1'"),
        ("a: !!str x\n", "y"),
        ("a: !x 1\n", "!y 2"),
        ("a: v1\n", "null"),
        ("a: 1.9.1\n", "1.10.1"),
    ] {
        assert_eq!(remarks(text, value), [], "{text} {value}");
    }
}

#[test]
fn a_number_among_quoted_texts_is_named() {
    let remarks = |text: &str, action: fn(NewValue) -> Action, value: &str| {
        let mut edit = Edit::open(text).expect("a text");
        let value = NewValue { spelling: Spelling::Typed, ..value.into() };
        let operation = Operation::at(action(value), &"a".parse().expect("a path"));
        edit.apply(std::slice::from_ref(&operation)).expect("an edit");
        edit.remarks().to_vec()
    };
    let expected = [Remark::TextExpected { sibling: "'3.9'".into(), new: "3.10".into() }];
    for text in ["a: [\"3.8\", '3.9']\n", "a:\n- \"3.8\"\n- '3.9'\n", "a: [{b: 1}, '3.9']\n"] {
        assert_eq!(remarks(text, Action::Append, "3.10"), expected, "{text}");
        assert_eq!(remarks(text, Action::insert, "3.10"), expected, "{text}");
        assert_eq!(remarks(text, Action::Append, "'3.10'"), [], "{text}");
        assert_eq!(remarks(text, Action::Append, "[1]"), [], "{text}");
    }
    for text in ["a: [\"3.8\", 3.9]\n", "a: []\n", "a: [{b: '1'}]\n", "a: [x]\n"] {
        assert_eq!(remarks(text, Action::Append, "3.10"), [], "{text}");
    }
}

#[test]
fn typed_paths_do_not_add_strange_keys() {
    let run = |text: &str, path: &str| {
        let operation = Operation::at(Action::set("1"), &path.parse().expect("a path"));
        let operation = Operation { is_typed: true, ..operation };
        // With tables of all entries, and of those near the way.
        let all = [Edit::open(text).expect("a text"), Edit::deferred(text.to_owned())];
        let [all, near] = all.map(|mut edit| {
            let done = edit.apply(std::slice::from_ref(&operation));
            done.map(|()| edit.text().to_owned()).map_err(|error| error.message().to_owned())
        });
        assert_eq!(near, all, "{path}");
        all
    };
    for (path, quoted) in [
        (".spec | .replicas", "[\"spec | \"].replicas"),
        (".spec.replicas + 1", "spec[\"replicas + 1\"]"),
        ("{.a}", "[\"{\"][\"a}\"]"),
        (".a:", "[\"a:\"]"),
        (".${x}", "[\"${x}\"]"),
        (".a=b", "[\"a=b\"]"),
        (".labels.app.kubernetes.io/name", "labels[\"app.kubernetes.io/name\"]"),
        (".labels.app.kubernetes.io/name", "labels[\"app\"][\"kubernetes\"][\"io/name\"]"),
        (".new.app.io/name", "new[\"app.io/name\"]"),
        (".labels.x.y", "labels[\"x.y\"]"),
        (".base", "[\".base\"]"),
        (".base", "[\"base\"]"),
        (".base.image", "[\".base\"].image"),
        (".base.image", "[\"base\"][\"image\"]"),
    ] {
        let text = "labels:\n  app.kubernetes.io/name: web\n  b: 1\n  c: 1\n  x.y: 2\nspec: {}\n\
                    .base: {}\n";
        let text = if path.starts_with(".new") { "new: {}\n" } else { text };
        let error = run(text, path).expect_err(path);
        let is_named = error.contains(&format!("`{quoted}`"))
            || error.contains(&quoted.replacen('[', "`[", 1));
        assert!(is_named, "{path}: {error}");
    }
    assert_eq!(run("\"a b\": 0\na=b: 0\n", ".a b").expect("it exists"), "\"a b\": 1\na=b: 0\n");
    let keys: String = (0..3000).map(|at| format!("k{at}: {at}\n")).collect();
    let long = format!(".base: {{}}\n{keys}");
    assert!(run(&long, ".base").expect_err("a window").contains("[\".base\"]"));
    assert!(run(&long, ".other").expect("a window").ends_with("\nother: 1\n"));
    let far = format!("{keys}.base: {{}}\nbase: {{x: 1, .k: 2, k: 3}}\n");
    assert!(run(&far, ".base.x").expect("a window").ends_with("{x: 1, .k: 2, k: 3}\n"));
    assert!(run(&far, ".base.k").expect("a window").ends_with("{x: 1, .k: 2, k: 1}\n"));
    assert_eq!(run("a: 0\n", "$.a").expect("the root"), "a: 1\n");
    assert_eq!(run("a: 0\n", ".b.c").expect("new"), "a: 0\nb:\n  c: 1\n");
    assert_eq!(run("a: 0\n", ".\"b c\"").expect("quoted"), "a: 0\nb c: 1\n");
}

#[test]
fn a_typed_edit_of_a_long_text_needs_no_tree_of_it() {
    let items = "- name: x\n  image: {tag: 1}\n".repeat(50);
    let text = format!("version: 1\nitems:\n{items}last: 2\n");
    for path in [".version", ".items[30].image.tag", ".items[-1].name", ".last"] {
        let operation = Operation::at(Action::set("7"), &path.parse().expect("a path"));
        let mut edit = Edit::deferred(text.clone());
        edit.apply(&[Operation { is_typed: true, ..operation }]).expect("an edit");
        // After an edit on the whole text, the documents are not known.
        assert!(!edit.docs.is_empty(), "{path}");
    }
}

#[test]
fn a_comment_of_the_root_is_at_the_head() {
    assert_read(&[
        ("a: 1\n", "{op: comment, path: [], text: x}", "# x\n\na: 1\n"),
        ("# a\na: 1\n", "{op: comment, path: [], text: x}", "# x\n\n# a\na: 1\n"),
        ("# old\n\na: 1\n", "{op: comment, path: [], text: \"x\\ny\"}", "# x\n# y\n\na: 1\n"),
        ("# old\n\na: 1\n", "{op: comment, path: []}", "a: 1\n"),
        ("# a\na: 1\n", "{op: comment, path: []}", "# a\na: 1\n"),
        (
            "#cloud-config\na: 1\n",
            "{op: comment, path: [], text: x}",
            "#cloud-config\n# x\n\na: 1\n",
        ),
        (
            "---\na: 1\n---\nb: 1\n",
            "{op: comment, path: [], doc: 1, text: x}",
            "---\na: 1\n---\n# x\n\nb: 1\n",
        ),
        ("\u{feff}a: 1\n", "{op: comment, path: [], text: x}", "\u{feff}# x\n\na: 1\n"),
    ]);
}

#[test]
fn items_are_sorted_by_one_of_their_values() {
    let list = "l:\n# second\n- name: b # b\n  n: {x: 1}\n- name: a\n  n: {x: 2}\n";
    let sorted = "l:\n- name: a\n  n: {x: 2}\n# second\n- name: b # b\n  n: {x: 1}\n";
    assert_read(&[
        (list, "{op: sort, path: l, by: name}", sorted),
        (sorted, "{op: sort, path: l, by: n.x}", list),
        (
            "b: 1 # b\na:\n  d: 1\n  # c\n  c: 2\n",
            "{op: sort, path: [], recursive: true}",
            "a:\n  # c\n  c: 2\n  d: 1\nb: 1 # b\n",
        ),
        (
            "l:\n- b: {d: 1, c: 2}\n  a: 1\n- 1\n",
            "{op: sort, path: l, recursive: true}",
            "l:\n- a: 1\n  b: {c: 2, d: 1}\n- 1\n",
        ),
    ]);
    for (operation, words) in [
        ("[{op: sort, path: l}]", "say by which of their values"),
        ("[{op: sort, path: l, by: nothing}]", "no item has the value to sort by"),
        ("[{op: sort, path: l, by: n}]", "say by which of their values"),
    ] {
        let mut edit = Edit::open(list).expect("a text");
        let error =
            edit.apply(&Operation::parse_all(operation).expect("operations")).expect_err("refused");
        assert!(error.message().contains(words), "{error}");
    }
}

/// Returns `text` with the operation `op` on `path`, whose value is the text of the file `value`.
fn with_file(text: &str, op: &str, path: &str, value: &str) -> String {
    let path: Path = path.parse().expect("a path");
    let mut edit = Edit::open(text).expect("a text");
    let value = NewValue { spelling: Spelling::Whole, ..value.into() };
    let action = match op {
        "set" => Action::set(value),
        "append" => Action::Append(value),
        "merge" => Action::Merge(value),
        _ => Action::insert(value),
    };
    let operation = Operation::at(action, &path);
    match edit.apply(std::slice::from_ref(&operation)) {
        Ok(()) => edit.text().to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn comments_and_styles_of_other_files_come_along() {
    for (text, op, path, value, expected) in [
        (
            "a: 1 # a\n",
            "merge",
            ".",
            "# overlay\n\n# about b\nb: 'x' # b\nc:\n  # d\n  d: |\n    text\n  e: {f: 1} # e\n",
            "a: 1 # a\n# about b\nb: 'x' # b\nc:\n  # d\n  d: |\n    text\n  e: {f: 1} # e\n",
        ),
        (
            "m:\n    a: 1\n",
            "merge",
            ".",
            "---\nm:\n  # new\n  b: \"y\" # b\n  c:\n  - 1 # one\n",
            "m:\n    a: 1\n    # new\n    b: \"y\" # b\n    c:\n        - 1 # one\n",
        ),
        (
            "x: 1\n",
            "set",
            "y.z",
            "# a\na: 'b' # c\nd: 0x1\n",
            "x: 1\ny:\n  z:\n    # a\n    a: 'b' # c\n    d: 0x1\n",
        ),
        (
            "x: 1 # x\nz: 2\n",
            "set",
            "x",
            "a: 'b' # c\nd: 0x1\n",
            "x: # x\n  a: 'b' # c\n  d: 0x1\nz: 2\n",
        ),
        ("x: 1 # x\n", "set", "x", "'2'", "x: '2' # x\n"),
        ("x: 1\n", "set", "x", "|\ntext\n", "x: |\n  text\n"),
        (
            "l:\n- a\n",
            "append",
            "l",
            "b: 1 # b\n# c\nc: 'x'\n",
            "l:\n- a\n- b: 1 # b\n  # c\n  c: 'x'\n",
        ),
        (
            "l: []\n",
            "append",
            "l",
            "b: 1 # b\n# c\nc: 'x'\n",
            "l:\n  - b: 1 # b\n    # c\n    c: 'x'\n",
        ),
        ("l:\n- a # a\n", "set", "l", "- a\n- 'b' # b\n", "l:\n- a # a\n- 'b' # b\n"),
        ("{\"a\": 1}\n", "merge", ".", "b: 'x' # b\n", "{\"a\": 1, \"b\": \"x\"}\n"),
    ] {
        assert_eq!(with_file(text, op, path, value), expected, "{text:?} {op} {value:?}");
    }
}

#[test]
fn anchors_of_other_files_come_along() {
    for (text, value, expected) in [
        ("a: 1\n", "d: &d {x: 1}\ne: *d\n", "a: 1\nd: &d {x: 1}\ne: *d\n"),
        // Both nodes are merged, so the anchor is that of the text.
        ("d: &d\n  x: 1\n", "d: &d\n  y: 2\ne: *d\n", "d: &d\n  x: 1\n  y: 2\ne: *d\n"),
        ("d: &m\n  x: 1\n", "d: &d\n  y: 2\ne: *d\n", "d: &m\n  x: 1\n  y: 2\ne: *m\n"),
        ("d:\n  x: 1\n", "d: &d\n  y: 2\ne: *d\n", "d: &d\n  x: 1\n  y: 2\ne: *d\n"),
        // The name is taken by another node.
        ("a: &d 1\nb: *d\n", "d: &d 2\ne: *d\n", "a: &d 1\nb: *d\nd: &d2 2\ne: *d2\n"),
        ("a: &d 1\nb: *d\nc: 3\n", "c: &d 2\ne: *d\n", "a: &d 1\nb: *d\nc: &d2 2\ne: *d2\n"),
        ("a: &d 1\nl: []\n", "l:\n- &d 2\n- *d\n", "a: &d 1\nl:\n  - &d2 2\n  - *d2\n"),
        ("a: &d 1\n", "e: *d\n", "a: &d 1\ne: *d\n"),
    ] {
        assert_eq!(with_file(text, "merge", ".", value), expected, "{text:?} {value:?}");
    }
}
