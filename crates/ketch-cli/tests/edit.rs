//! `ketch set`, `ketch del` and `ketch patch`.

mod common;

use common::Place;

const OLD: &[u8] = b"# head\nimage:\n  tag: '1.9'   # pinned\nhosts: [a,  b]\n";

#[test]
fn one_file_goes_to_standard_output() {
    let place = Place::with(&[("a", OLD)]);
    let new = "# head\nimage:\n  tag: '1.10'   # pinned\nhosts: [a,  b]\n";
    place.ketch(&["set", "--str", "image.tag", "1.10", "a"]).is(0, new, "");
    let number = "# head\nimage:\n  tag: 1.10   # pinned\nhosts: [a,  b]\n";
    place.ketch(&["set", ".image.tag", "1.10", "a"]).is(0, number, "");
    place.ketch_with(&["set", "hosts[1]", "-1", "-"], OLD).is(
        0,
        "# head\nimage:\n  tag: '1.9'   # pinned\nhosts: [a,  -1]\n",
        "",
    );
    place.ketch(&["del", "hosts", "a"]).is(0, "# head\nimage:\n  tag: '1.9'   # pinned\n", "");
    assert_eq!(place.read("a").as_bytes(), OLD);
}

#[test]
fn values_keep_the_spelling_of_the_argument() {
    let place = Place::with(&[("a", b"v: 1.9  # one\nl: [1.9, 2]\n")]);
    for value in ["1.10", "0x1F", "1e3", "010", "+7", ".5", "~", "True", ".inf", "0o17"] {
        let new = format!("v: {value}  # one\nl: [1.9, 2]\n");
        place.ketch(&["set", ".v", value, "a"]).is(0, &new, "");
        let new = format!("v: 1.9  # one\nl: [{value}, 2]\n");
        place.ketch(&["set", ".l[0]", value, "a"]).is(0, &new, "");
        place.ketch(&["set", "-e", &format!(".l[0]={value}"), "a"]).is(0, &new, "");
    }
    // An equal value keeps the old spelling.
    place.ketch(&["set", ".v", "1.90", "a"]).is(0, "v: 1.9  # one\nl: [1.9, 2]\n", "");
    place.ketch(&["set", "--str", ".v", "1.10", "a"]).is(
        0,
        "v: \"1.10\"  # one\nl: [1.9, 2]\n",
        "",
    );
}

#[test]
fn files_are_replaced_in_place_if_they_change() {
    let place =
        Place::with(&[("a", OLD), ("b", b"image: {tag: 2}\n"), ("c", b"image: {tag: 3}\n")]);
    place.ketch(&["set", "--check", "image.tag", "2", "a", "b", "c"]).is(1, "a\nc\n", "");
    let before = std::fs::metadata(place.path("b")).expect("a file").modified().expect("a time");
    let report = "changed: a\nunchanged: b\nchanged: c\n";
    place.ketch(&["set", "-i", "image.tag", "2", "a", "b", "c"]).is(0, report, "");
    assert_eq!(place.read("a"), "# head\nimage:\n  tag: 2   # pinned\nhosts: [a,  b]\n");
    assert_eq!(place.read("c"), "image: {tag: 2}\n");
    let after = std::fs::metadata(place.path("b")).expect("a file").modified().expect("a time");
    assert_eq!(before, after, "an equal value writes nothing");
    let ran = place.ketch(&["set", "--diff", "hosts", "[]", "a"]);
    assert!(ran.ends(0).stdout.contains("-hosts: [a,  b]\n+hosts: []\n"), "{ran}");
}

#[test]
fn lists_of_edits_are_applied_as_a_whole() {
    let ops = b"- {op: append, path: [hosts], value: c}\n- {op: delete, path: [image, tag]}\n";
    let bad = b"- {op: append, path: [hosts], value: c}\n- {op: delete, path: [nothing]}\n";
    let place = Place::with(&[("a", OLD), ("ops", ops), ("bad", bad)]);
    let new = "# head\nimage: {}\nhosts: [a,  b,  c]\n";
    place.ketch(&["patch", "--ops", "ops", "a"]).is(0, new, "");
    place.ketch_with(&["patch", "--ops", "-", "a"], ops).is(0, new, "");
    let ran = place.ketch(&["patch", "-i", "--ops", "bad", "a"]);
    assert!(ran.ends(4).stderr.contains("edit 2 of 2: there is no key `nothing`"), "{ran}");
    assert_eq!(place.read("a").as_bytes(), OLD);
}

#[test]
fn operations_need_their_fields() {
    let place = Place::with(&[("a", OLD)]);
    let by_text = "[{op: set, path: image.tag, value: 2}]";
    let new = "# head\nimage:\n  tag: 2   # pinned\nhosts: [a,  b]\n";
    place.ketch_with(&["patch", "--ops", "-", "a"], by_text.as_bytes()).is(0, new, "");
    for (ops, message) in [
        ("[{op: set, value: A}]", "`set` needs `path`"),
        ("[{op: set, path: hosts}]", "`set` needs `value`"),
        ("[{op: rename, path: hosts}]", "`rename` needs `to`"),
        ("[{path: hosts}]", "the operation has no `op`"),
        ("[{op: sett, path: hosts}]", "there is no operation `sett`"),
        ("[set]", "expected an operation"),
        ("{op: set}", "expected a list of operations"),
        ("[{op: set, path: 'hosts[', value: 1}]", "wrong path `hosts[`"),
        ("[{op: set, path: [[a]], value: 1}]", "a step of a path is a key or an index"),
        ("[{op: set, path: 3, value: 1}]", "expected a list of keys and indices"),
        ("[{op: set, path: [a], value: 1, doc: x}]", "expected a number for `doc`"),
        ("[{op: insert, path: [hosts], value: 1, index: x}]", "expected a number for `index`"),
        ("[{op: insert, path: [hosts], value: 1, first: x}]", "expected true or false"),
        ("[{op: comment, path: [hosts], where: x}]", "expected `leading` or `trailing`"),
        ("[{op: set, path: [a], valu: 1}]", "no operation has a field `valu`"),
        ("[{op: [a], path: [a]}]", "expected text for `op`"),
    ] {
        let ran = place.ketch_with(&["patch", "-i", "--ops", "-", "a"], ops.as_bytes());
        assert!(ran.ends(1).stderr.contains(message), "{ops}: {ran}");
        assert!(ran.stderr.contains("<stdin>:1:"), "{ops}: {ran}");
    }
    assert_eq!(place.read("a").as_bytes(), OLD);
}

#[test]
fn errors_name_the_problem() {
    let place = Place::with(&[("a", OLD)]);
    for (args, code, message) in [
        (&["set", "image", "[x", "a"][..], 1, "VALUE:1:3"),
        (
            &["del", "nothing", "a"],
            4,
            "there is no key `nothing`; the mapping has `image`, `hosts`",
        ),
        (&["del", "hosts[7]", "a"], 4, "there is no item `7` in a sequence of 2"),
        (&["set", "--document", "3", "image", "x", "a"], 4, "there is no document 3"),
        (&["set", "a", "image", "x"], 2, "`ketch set image x a`"),
        (&["del", "a", "image"], 2, "`ketch del image a`"),
    ] {
        let ran = place.ketch(args);
        assert!(ran.ends(code).stderr.contains(message), "{args:?}: {ran}");
    }
}

#[test]
fn rejected_edits_come_with_help() {
    let place = Place::with(&[
        ("a", OLD),
        ("alias", b"a: &x {k: 1}\nb: *x\n"),
        ("broken", b"a: [1\nb: 2\n"),
        ("bytes", b"a: \xFF\n"),
    ]);
    let ran = place.ketch(&["set", "b.k", "2", "alias"]);
    assert!(ran.ends(1).stderr.contains("--alias through"), "{ran}");
    assert!(ran.stderr.contains("alias:2:4"), "{ran}");
    let through = ["set", "--alias", "through", "b.k", "2", "alias"];
    place.ketch(&through).is(0, "a: &x {k: 2}\nb: *x\n", "");
    let detach = ["set", "--alias", "detach", "b.k", "2", "alias"];
    place.ketch(&detach).is(0, "a: &x {k: 1}\nb: {k: 2}\n", "");
    for (file, code) in [("broken", 1), ("bytes", 1), ("missing", 3)] {
        let ran = place.ketch(&["set", "-i", "k", "2", file]);
        assert!(ran.ends(code).stderr.starts_with("error: "), "{ran}");
    }
    place.ketch(&["del", "image.none", "a"]).ends(4);
    place.ketch(&["set", "image[", "1", "a"]).ends(2);
    for args in [
        &["set", "a"][..],
        &["set", "hosts", "1", "a", "alias"],
        &["set", "-i", "hosts", "1", "-"],
        &["patch", "--ops", "-", "-"],
        &["del", "-i", "--diff", "hosts", "a"],
    ] {
        assert!(place.ketch(args).ends(2).stdout.is_empty(), "{args:?}");
    }
}
