//! Tests of `ketch set`, `ketch del` and `ketch patch`.

mod common;

use common::Sandbox;

const OLD: &[u8] = b"# head\nimage:\n  tag: '1.9'   # pinned\nhosts: [a,  b]\n";

#[test]
fn one_file_goes_to_standard_output() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    let new = "# head\nimage:\n  tag: '1.10'   # pinned\nhosts: [a,  b]\n";
    sandbox.ketch(&["set", "--str", "image.tag", "1.10", "a"]).is(0, new, "");
    let number = "# head\nimage:\n  tag: 1.10   # pinned\nhosts: [a,  b]\n";
    let note = "warning: a: the text '1.9' is now 1.10, which is no text\n = help: `--str` writes it as text.\n";
    sandbox.ketch(&["set", ".image.tag", "1.10", "a"]).is(0, number, note);
    sandbox.ketch_with(&["set", "hosts[1]", "-1", "-"], OLD).is(
        0,
        "# head\nimage:\n  tag: '1.9'   # pinned\nhosts: [a,  -1]\n",
        "",
    );
    sandbox.ketch(&["del", "hosts", "a"]).is(0, "# head\nimage:\n  tag: '1.9'   # pinned\n", "");
    assert_eq!(sandbox.read("a").as_bytes(), OLD);
}

#[test]
fn values_keep_the_spelling_of_the_argument() {
    let sandbox = Sandbox::with(&[("a", b"v: 1.9  # one\nl: [1.9, 2]\n")]);
    for value in ["1.10", "0x1F", "1e3", "010", "+7", ".5", "~", "True", ".inf", "0o17"] {
        let new = format!("v: {value}  # one\nl: [1.9, 2]\n");
        sandbox.ketch(&["set", ".v", value, "a"]).is(0, &new, "");
        let new = format!("v: 1.9  # one\nl: [{value}, 2]\n");
        sandbox.ketch(&["set", ".l[0]", value, "a"]).is(0, &new, "");
        sandbox.ketch(&["set", "-e", &format!(".l[0]={value}"), "a"]).is(0, &new, "");
    }
    // Even if the new value equals the old one, it is written as typed.
    sandbox.ketch(&["set", ".v", "1.90", "a"]).is(0, "v: 1.90  # one\nl: [1.9, 2]\n", "");
    sandbox.ketch(&["set", "--str", ".v", "1.10", "a"]).is(
        0,
        "v: \"1.10\"  # one\nl: [1.9, 2]\n",
        "",
    );
}

#[test]
fn files_are_replaced_in_place_if_they_change() {
    let sandbox =
        Sandbox::with(&[("a", OLD), ("b", b"image: {tag: 2}\n"), ("c", b"image: {tag: 3}\n")]);
    let run = sandbox.ketch(&["set", "--check", "image.tag", "2", "a", "b", "c"]);
    assert_eq!(run.exits_with(1).stdout, "a\nc\n");
    let before = std::fs::metadata(sandbox.path("b"))
        .expect("a file")
        .modified()
        .expect("a modification time");
    let report = "changed: a\nunchanged: b\nchanged: c\n";
    let run = sandbox.ketch(&["set", "-i", "image.tag", "2", "a", "b", "c"]);
    assert_eq!(run.exits_with(0).stdout, report);
    assert_eq!(sandbox.read("a"), "# head\nimage:\n  tag: 2   # pinned\nhosts: [a,  b]\n");
    assert_eq!(sandbox.read("c"), "image: {tag: 2}\n");
    let after = std::fs::metadata(sandbox.path("b"))
        .expect("a file")
        .modified()
        .expect("a modification time");
    assert_eq!(before, after, "an equal value writes nothing");
    let run = sandbox.ketch(&["set", "--diff", "hosts", "[]", "a"]);
    assert!(run.exits_with(0).stdout.contains("-hosts: [a,  b]\n+hosts: []\n"), "{run}");
    assert!(sandbox.read("a").contains("hosts: [a,  b]"), "a diff alone changes nothing");
    let bad = sandbox.ketch(&["set", "-i", "--atomic", "--diff", "hosts", "[]", "a", "none"]);
    assert!(!bad.exits_with(3).stdout.contains("+hosts"), "{bad}");
    let run = sandbox.ketch(&["set", "-i", "--diff", "hosts", "[]", "a", "c"]);
    assert!(run.exits_with(0).stdout.contains("-hosts: [a,  b]\n+hosts: []\n"), "{run}");
    assert!(run.stdout.contains("+++ b/c") || run.stdout.contains("+++ c"), "{run}");
    assert!(sandbox.read("a").contains("hosts: []"), "{run}");
}

#[test]
fn lists_of_edits_are_applied_as_a_whole() {
    let ops = b"- {op: append, path: [hosts], value: c}\n- {op: delete, path: [image, tag]}\n";
    let bad = b"- {op: append, path: [hosts], value: c}\n- {op: delete, path: [nothing]}\n";
    let sandbox = Sandbox::with(&[("a", OLD), ("ops", ops), ("bad", bad)]);
    let new = "# head\nimage: {}\nhosts: [a,  b,  c]\n";
    sandbox.ketch(&["patch", "--ops", "ops", "a"]).is(0, new, "");
    sandbox.ketch_with(&["patch", "--ops", "-", "a"], ops).is(0, new, "");
    let run = sandbox.ketch(&["patch", "-i", "--ops", "bad", "a"]);
    assert!(run.exits_with(4).stderr.contains("edit 2 of 2: there is no key `nothing`"), "{run}");
    assert_eq!(sandbox.read("a").as_bytes(), OLD);
}

#[test]
fn operations_need_their_fields() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    let by_text = "[{op: set, path: image.tag, value: 2}]";
    let new = "# head\nimage:\n  tag: 2   # pinned\nhosts: [a,  b]\n";
    sandbox.ketch_with(&["patch", "--ops", "-", "a"], by_text.as_bytes()).is(0, new, "");
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
        let run = sandbox.ketch_with(&["patch", "-i", "--ops", "-", "a"], ops.as_bytes());
        assert!(run.exits_with(1).stderr.contains(message), "{ops}: {run}");
        assert!(run.stderr.contains("<stdin>:1:"), "{ops}: {run}");
    }
    assert_eq!(sandbox.read("a").as_bytes(), OLD);
}

#[test]
fn errors_name_the_problem() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    for (args, code, message) in [
        (&["set", "image", "[x", "a"][..], 2, "`[x` is not complete YAML"),
        (&["set", "image", "--yaml", "[x", "a"], 1, "VALUE:1:3"),
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
        let run = sandbox.ketch(args);
        assert!(run.exits_with(code).stderr.contains(message), "{args:?}: {run}");
    }
}

#[test]
fn rejected_edits_come_with_help() {
    let sandbox = Sandbox::with(&[
        ("a", OLD),
        ("alias", b"a: &x {k: 1}\nb: *x\n"),
        ("broken", b"a: [1\nb: 2\n"),
        ("bytes", b"a: \xFF\n"),
    ]);
    let run = sandbox.ketch(&["set", "b.k", "2", "alias"]);
    assert!(run.exits_with(1).stderr.contains("--alias through"), "{run}");
    assert!(run.stderr.contains("alias:2:4"), "{run}");
    let through = ["set", "--alias", "through", "b.k", "2", "alias"];
    sandbox.ketch(&through).is(0, "a: &x {k: 2}\nb: *x\n", "");
    let detach = ["set", "--alias", "detach", "b.k", "2", "alias"];
    sandbox.ketch(&detach).is(0, "a: &x {k: 1}\nb: {k: 2}\n", "");
    for (file, code) in [("broken", 1), ("bytes", 1), ("missing", 3)] {
        let run = sandbox.ketch(&["set", "-i", "k", "2", file]);
        assert!(run.exits_with(code).stderr.starts_with("error: "), "{run}");
    }
    sandbox.ketch(&["del", "image.none", "a"]).exits_with(4);
    sandbox.ketch(&["set", "image[", "1", "a"]).exits_with(2);
    for args in [
        &["set", "a"][..],
        &["set", "hosts", "1", "a", "alias"],
        &["set", "-i", "hosts", "1", "-"],
        &["patch", "--ops", "-", "-"],
        &["del", "-i", "--check", "hosts", "a"],
    ] {
        assert!(sandbox.ketch(args).exits_with(2).stdout.is_empty(), "{args:?}");
    }
}
