//! Tests of what people type for the subcommands that edit: the spelling of values, tags,
//! documents, paths and missing words.

mod common;

use common::Sandbox;

#[test]
fn the_typed_spelling_wins() {
    for (old, args, new) in [
        ("v: 3.1 # c\n", &["set", ".v", "3.10"][..], "v: 3.10 # c\n"),
        ("v: 644\n", &["set", ".v", "0644"], "v: 0644\n"),
        ("v: 0x50\n", &["set", ".v", "80"], "v: 80\n"),
        ("v: NO\n", &["set", ".v", "\"NO\""], "v: \"NO\"\n"),
        ("v: NO\n", &["set", "--str", ".v", "NO"], "v: \"NO\"\n"),
        ("v: NO\n", &["set", ".v", "NO"], "v: NO\n"),
        ("v: \"web\"\n", &["set", ".v", "web"], "v: \"web\"\n"),
        ("v: \"web\"\n", &["set", ".v", "'web'"], "v: 'web'\n"),
        ("v: web\n", &["set", "-s", ".v", "web"], "v: web\n"),
        ("v: 2021-05-05\n", &["set", ".v", "2021-05-06"], "v: 2021-05-06\n"),
        ("v: x\n", &["set", ".v", "|\n a\n b"], "v: |\n  a\n  b\n"),
        ("l: [a]\n", &["append", ".l", "\"b\""], "l: [a, \"b\"]\n"),
        ("v: 0x50\n", &["set", "-e", ".v=80"], "v: 80\n"),
    ] {
        let sandbox = Sandbox::with(&[("a", old.as_bytes())]);
        sandbox.ketch(&[args, &["a"]].concat()).is(0, new, "");
    }
}

#[test]
fn text_that_becomes_a_number_is_named() {
    let sandbox = Sandbox::with(&[("a", b"v: \"3.9\"\n")]);
    let run = sandbox.ketch(&["set", ".v", "3.10", "a"]);
    let warning = "warning: a: the text \"3.9\" is now 3.10, which is no text\n = help: `--str` writes it as text.\n";
    run.is(0, "v: 3.10\n", warning);
    sandbox.ketch(&["set", "--str", ".v", "3.10", "a"]).is(0, "v: \"3.10\"\n", "");
    sandbox.ketch(&["set", "--json", ".v", "3.10", "a"]).is(0, "v: 3.10\n", "");
}

#[test]
fn zeros_that_json_and_toml_lack_are_named() {
    let files: [(&str, &[u8]); 3] =
        [("a.json", b"{\"n\": 1}\n"), ("a.toml", b"n = 1\n"), ("a.yaml", b"n: 1\n")];
    let sandbox = Sandbox::with(&files);
    let warning = |file: &str| {
        format!(
            "warning: {file}: this format has no numbers with zeros in front, so `01234` is written \
             without them\n = help: `--str` writes it as text.\n"
        )
    };
    let run = |file: &str, value: &str| sandbox.ketch(&["set", "n", value, file]);
    run("a.json", "01234").is(0, "{\"n\": 1234}\n", &warning("a.json"));
    run("a.toml", "01234").is(0, "n = 1234\n", &warning("a.toml"));
    let number = "warning: a.yaml: `01234` is a number, so its zeros do not count\n = help: `--str` \
                  writes it as text.\n";
    run("a.yaml", "01234").is(0, "n: 01234\n", number);
    run("a.yaml", "0755").is(0, "n: 0755\n", "");
    run("a.json", "0.5").is(0, "{\"n\": 0.5}\n", "");
    run("a.json", "0x1F").is(0, "{\"n\": 31}\n", "");
    let run = sandbox.ketch(&["set", "--str", "n", "01234", "a.json"]);
    run.is(0, "{\"n\": \"01234\"}\n", "");
}

#[test]
fn a_number_that_should_probably_be_text_is_named() {
    let sandbox = Sandbox::with(&[("a", b"v: 1.9.1\nl: [\"3.8\", \"3.9\"]\n")]);
    let run = sandbox.ketch(&["set", ".v", "1.10", "a"]);
    let warning = "warning: a: the text 1.9.1 is now 1.10, which is no text\n = help: `--str` writes it as text.\n";
    run.is(0, "v: 1.10\nl: [\"3.8\", \"3.9\"]\n", warning);
    for command in ["append", "insert"] {
        let run = sandbox.ketch(&[command, ".l", "3.10", "a"]);
        let warning = "warning: a: the other items are text such as \"3.9\", and 3.10 is no text\n = help: `--str` writes it as text.\n";
        run.is(0, "v: 1.9.1\nl: [\"3.8\", \"3.9\", 3.10]\n", warning);
    }
    let text = "v: 1.9.1\nl: [\"3.8\", \"3.9\", \"3.10\"]\n";
    sandbox.ketch(&["append", "-s", ".l", "3.10", "a"]).is(0, text, "");
    sandbox.ketch(&["set", ".v", "1.9.2", "a"]).is(0, "v: 1.9.2\nl: [\"3.8\", \"3.9\"]\n", "");
}

#[test]
fn tags_that_yaml_does_not_define_are_dropped_and_named() {
    let sandbox = Sandbox::with(&[("a", b"v: !Ref N # c\np: !reset []\n")]);
    let run = sandbox.ketch(&["set", ".v", "2", "a"]);
    assert_eq!(run.exits_with(0).stdout, "v: 2 # c\np: !reset []\n");
    for word in ["`!Ref`", "--keep-tag", "--tag"] {
        assert!(run.stderr.contains(word), "{run}");
    }
    let keep = sandbox.ketch(&["set", "--keep-tag", ".v", "2", "a"]);
    keep.is(0, "v: !Ref 2 # c\np: !reset []\n", "");
    let tag = sandbox.ketch(&["set", "--tag", "!Sub", ".v", "2", "a"]);
    tag.is(0, "v: !Sub 2 # c\np: !reset []\n", "");
    let item = sandbox.ketch(&["append", ".p", "80", "a"]);
    item.is(0, "v: !Ref N # c\np: !reset\n  - 80\n", "");
    let name = Sandbox::with(&[("a", b"v: !!python/name:x.y\n")]);
    let text = name.ketch(&["set", ".v", "!!python/name:z", "a"]);
    assert_eq!(text.exits_with(0).stdout, "v: \"!!python/name:z\"\n");
    assert!(
        text.stderr.contains("`!!python/name:x.y`") && text.stderr.contains("--yaml"),
        "{text}"
    );
    let alone = name.ketch(&["set", "--yaml", ".v", "!!python/name:z", "a"]);
    alone.is(0, "v: !!python/name:z\n", "");
    let wrong = sandbox.ketch(&["set", "--tag", "Ref", ".v", "2", "a"]);
    assert!(wrong.exits_with(2).stderr.contains("--tag '!Ref'"), "{wrong}");
}

#[test]
fn each_document_with_the_path_is_edited() {
    let stream = b"kind: A\nv: 1\n---\nkind: B\n---\nkind: C\nv: 3\n";
    let sandbox = Sandbox::with(&[("a", stream), ("one", b"x: 1\n")]);
    let all = "kind: A\nv: 0\n---\nkind: B\n---\nkind: C\nv: 0\n";
    sandbox.ketch(&["set", ".v", "0", "a"]).is(0, all, "");
    let first = "kind: A\nv: 0\n---\nkind: B\n---\nkind: C\nv: 3\n";
    sandbox.ketch(&["set", "--document", "0", ".v", "0", "a"]).is(0, first, "");
    sandbox.ketch(&["set", "@0.v", "0", "a"]).is(0, first, "");
    let none = "kind: A\n---\nkind: B\n---\nkind: C\n";
    sandbox.ketch(&["del", ".v", "a"]).is(0, none, "");
    sandbox.ketch(&["set", ".w", "0", "one"]).is(0, "x: 1\nw: 0\n", "");
    let unclear = sandbox.ketch(&["set", ".w", "0", "a"]);
    for way in ["`@0.w`", "`@*.w`", "`@[?kind == \"Service\"].w`", "--document"] {
        assert!(unclear.exits_with(4).stderr.contains(way), "{unclear}");
    }
    let missing = sandbox.ketch(&["del", ".w", "a"]);
    assert!(missing.exits_with(4).stderr.contains("there is nothing at `w`"), "{missing}");
}

#[test]
fn strange_paths_and_keys_are_refused_with_the_quoted_form() {
    let text = b"metadata:\n  labels:\n    app.kubernetes.io/name: web\nspec:\n  replicas: 1\n";
    let sandbox = Sandbox::with(&[("a", text)]);
    for (path, quoted) in [
        (".spec | .replicas", "[\"spec | \"].replicas"),
        (".spec.replicas + 1", "spec[\"replicas + 1\"]"),
        ("{.a}", "[\"{\"][\"a}\"]"),
        (".a:", "[\"a:\"]"),
        (".metadata.labels.app.kubernetes.io/name", "metadata.labels[\"app.kubernetes.io/name\"]"),
        (
            ".metadata.labels.app.kubernetes.io/part",
            "metadata.labels[\"app\"][\"kubernetes\"][\"io/part\"]",
        ),
    ] {
        let run = sandbox.ketch(&["set", path, "2", "a"]);
        assert!(run.exits_with(1).stderr.contains(quoted), "{path}: {run}");
    }
    let root = sandbox.ketch(&["set", "$.spec.replicas", "2", "a"]);
    assert!(root.exits_with(0).stdout.ends_with("  replicas: 2\n"), "{root}");
    let named = sandbox.ketch(&["rename", ".spec", ".specs", "a"]);
    assert!(named.exits_with(2).stderr.contains("write `specs`, or `'\".specs\"'`"), "{named}");
    let quoted = sandbox.ketch(&["rename", ".spec", "\".specs\"", "a"]);
    assert!(quoted.exits_with(0).stdout.contains("\n.specs:\n"), "{quoted}");
    let assigned = sandbox.ketch_with(&["set", ".spec.replicas=2"], b"");
    assert!(assigned.exits_with(2).stderr.contains("`ketch set .spec.replicas 2`"), "{assigned}");
    assert!(assigned.stderr.contains("-e PATH=VALUE"), "{assigned}");
}

#[test]
fn a_forgotten_word_is_named() {
    let sandbox = Sandbox::with(&[("values.yaml", b"replicas: 1\n"), ("list", b"values.yaml\n")]);
    let run = sandbox.ketch_with(&["set", ".replicas", "values.yaml"], b"");
    for way in ["`ketch set .replicas VALUE values.yaml`", "`ketch set .replicas values.yaml -`"] {
        assert!(run.exits_with(2).stderr.contains(way), "{run}");
    }
    assert!(
        sandbox
            .ketch_with(&["rename", ".a", "values.yaml"], b"a: 1\n")
            .exits_with(2)
            .stderr
            .contains("KEY")
    );
    sandbox.ketch_with(&["set", ".a", "values.yaml", "-"], b"a: 1\n").is(0, "a: values.yaml\n", "");
    let listed = sandbox.ketch(&["set", ".replicas", "values.yaml", "--files-from", "list"]);
    listed.is(0, "replicas: values.yaml\n", "");
}

#[test]
fn a_value_like_an_option_is_shown_as_a_word() {
    let sandbox = Sandbox::with(&[("a", b"v: 1\n")]);
    for (args, command) in [
        (&["set", ".v", "-x", "a"][..], "ketch set .v -- -x a"),
        (&["set", ".v", "--port=1", "a", "--diff"], "ketch set --diff .v -- --port=1 a"),
        (&["set", ".v", "-Xmx1g", "a"], "ketch set .v -- -Xmx1g a"),
        (&["append", ".v", "--verbose", "a"], "ketch append .v -- --verbose a"),
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(2).stderr.contains(command), "{args:?}: {run}");
    }
    sandbox.ketch(&["set", ".v", "--", "-x", "a"]).is(0, "v: -x\n", "");
}

#[test]
fn errors_of_values_name_the_argument_and_the_ways_out() {
    let sandbox = Sandbox::with(&[("a", b"v: 1\n")]);
    for (args, code) in
        [(&["set", ".v", "[x", "a"][..], 2), (&["set", "--yaml", ".v", "[x", "a"], 1)]
    {
        let run = sandbox.ketch(args);
        for word in ["VALUE", "--str", "--yaml"] {
            assert!(run.exits_with(code).stderr.contains(word), "{run}");
        }
        assert!(!run.stderr.contains(" a:1"), "{run}");
    }
}

#[test]
fn lists_of_mappings_are_sorted_by_a_value() {
    let list = b"l:\n- name: b # b\n- name: a\nm:\n  z: 1\n  # y\n  y: 2\n";
    let sandbox = Sandbox::with(&[("a", list)]);
    let run = sandbox.ketch(&["sort", ".l", "a"]);
    assert!(run.exits_with(1).stderr.contains("--by"), "{run}");
    let sorted = "l:\n- name: a\n- name: b # b\nm:\n  z: 1\n  # y\n  y: 2\n";
    sandbox.ketch(&["sort", "--by", ".name", ".l", "a"]).is(0, sorted, "");
    let all = "l:\n- name: b # b\n- name: a\nm:\n  # y\n  y: 2\n  z: 1\n";
    sandbox.ketch(&["sort", "--recursive", ".", "a"]).is(0, all, "");
}

#[test]
fn a_comment_of_the_root_is_at_the_head() {
    let sandbox = Sandbox::with(&[("a", b"# about v\nv: 1\n")]);
    let new = "# made by hand\n\n# about v\nv: 1\n";
    sandbox.ketch(&["comment", ".", "made by hand", "a"]).is(0, new, "");
    let run = sandbox.ketch(&["comment", "--remove", ".", "a"]);
    assert!(run.exits_with(1).stderr.contains("no empty line follows it"), "{run}");
    assert!(run.stderr.contains("`ketch comment --remove PATH`"), "{run}");
    let run = sandbox.ketch_with(&["comment", "--remove", ".", "-"], new.as_bytes());
    run.is(0, "# about v\nv: 1\n", "");
    sandbox.ketch_with(&["comment", "--remove", ".", "-"], b"v: 1\n").is(0, "v: 1\n", "");
}

#[test]
fn comments_styles_and_anchors_of_other_files_come_along() {
    let overlay = b"image:\n  # newer\n  tag: '1.9' # pinned\nbase: &b {x: 1}\nuse: *b\n";
    let sandbox =
        Sandbox::with(&[("a", b"image:\n  name: web # n\nold: &b 1\n"), ("more", overlay)]);
    let new = "image:\n  name: web # n\n  # newer\n  tag: '1.9' # pinned\nold: &b 1\nbase: &b2 {x: 1}\nuse: *b2\n";
    sandbox.ketch(&["merge", ".", "--value-from", "more", "a"]).is(0, new, "");
    let set = "image:\n  # newer\n  tag: '1.9' # pinned\nold: &b 1\n";
    let value = "# newer\ntag: '1.9' # pinned\n";
    sandbox.ketch(&["set", "--yaml", ".image", value, "a"]).is(0, set, "");
    let typed = "image:\n  name: web # n\n  tag:\n    a: 1\nold: &b 1\n";
    sandbox.ketch(&["merge", ".image", "{tag: {a: 1}}", "a"]).is(0, typed, "");
}

#[test]
fn what_a_value_replaces_is_named() {
    let files: [(&str, &[u8]); 2] = [("a", b"m: {a: 1, b: 2}\ns: [1]\n"), ("t.toml", b"n = 1\n")];
    let sandbox = Sandbox::with(&files);
    let help = " = help: `ketch set PATH.KEY VALUE` sets one entry, and `ketch append` adds one.\n";
    let what = "the new value replaces a collection with all its entries";
    let warning = format!("warning: a: {what}\n{help}");
    let run = |path: &str, value: &str| sandbox.ketch(&["set", path, value, "a"]);
    run(".m", "x").is(0, "m: x\ns: [1]\n", &warning);
    run(".s", "1").is(0, "m: {a: 1, b: 2}\ns: 1\n", &warning);
    run(".m", "null").is(0, "m: null\ns: [1]\n", "");
    run(".m", "[1]").is(0, "m: [1]\ns: [1]\n", "");
    for typed in ["{ v = \"2\" }", "[{ v = 2 }]"] {
        let run = sandbox.ketch(&["set", "d", typed, "t.toml"]);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("Write `{key: value}` for a table"), "{}", run.stderr);
    }
    sandbox.ketch(&["set", "-s", "d", "{ v = 2 }", "t.toml"]).is(
        0,
        "n = 1\nd = \"{ v = 2 }\"\n",
        "",
    );
}

#[test]
fn keys_that_differ_only_in_their_type_are_not_added() {
    for (text, path, meant) in [
        ("r:\n  '200': x\n", ".r[200]", ".r[\"200\"]"),
        ("r:\n  200: x\n", ".r[\"200\"]", ".r[200]"),
        ("r: {null: x}\n", ".r[\"null\"]", ".r[null]"),
        ("'1.5': x\n", "[1.5]", "[\"1.5\"]"),
    ] {
        let sandbox = Sandbox::with(&[("a", text.as_bytes())]);
        let run = sandbox.ketch(&["set", path, "y", "a"]);
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{text}");
        assert!(
            run.stderr
                .contains(&format!("another type: write `{}`", meant.trim_start_matches('.'))),
            "{}",
            run.stderr
        );
    }
    let sandbox = Sandbox::with(&[("a", b"r:\n  '200': x\n")]);
    let run = sandbox.ketch(&["get", ".r[200]", "a"]);
    assert!(run.stderr.contains("This key is text: `[\"200\"]`."), "{}", run.stderr);
    let run = sandbox.ketch(&["insert", ".r", "y", "--key", "200", "a"]);
    assert!(run.stderr.contains("`ketch set` changes that entry"), "{}", run.stderr);
}
