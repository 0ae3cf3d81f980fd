//! Tests of the commands that edit: what each of them does, values, many files, and the shared
//! cases.

mod common;

use common::Sandbox;

const OLD: &[u8] = b"# head\nimage:\n  tag: '1.9'   # pinned\nhosts: [a,  b]\n";

#[test]
fn each_command_changes_its_entry() {
    let sandbox = Sandbox::with(&[("a", OLD), ("more", b"image: {name: x}\nnew: [1]\n")]);
    let tag = "# head\nimage:\n  tag: '1.9'   # pinned\n";
    for (args, expected) in [
        (&["append", ".hosts", "c", "a"][..], format!("{tag}hosts: [a,  b,  c]\n")),
        (
            &["append", "-e", ".hosts=c", "-e", ".hosts=-1", "a"],
            format!("{tag}hosts: [a,  b,  c,  -1]\n"),
        ),
        (&["insert", ".hosts", "c", "--first", "a"], format!("{tag}hosts: [c,  a,  b]\n")),
        (&["insert", ".hosts", "c", "--index", "1", "a"], format!("{tag}hosts: [a,  c,  b]\n")),
        (
            &["insert", ".image", "x", "--key", "name", "a"],
            format!("{tag}  name: x\nhosts: [a,  b]\n"),
        ),
        (&["rename", ".hosts", "names", "a"], format!("{tag}names: [a,  b]\n")),
        (&["move", ".hosts", ".image", "a"], format!("{tag}  hosts: [a,  b]\n")),
        (&["merge", ".image", "{name: x}", "a"], format!("{tag}  name: x\nhosts: [a,  b]\n")),
        (
            &["merge", ".", "--value-from", "more", "a"],
            format!("{tag}  name: x\nhosts: [a,  b]\nnew: [1]\n"),
        ),
        (&["comment", ".hosts", "all", "a"], format!("{tag}# all\nhosts: [a,  b]\n")),
        (&["comment", ".hosts", "all", "--trailing", "a"], format!("{tag}hosts: [a,  b] # all\n")),
        (
            &["comment", "--remove", "--trailing", ".image.tag", "a"],
            "# head\nimage:\n  tag: '1.9'\nhosts: [a,  b]\n".to_owned(),
        ),
        (&["del", "-e", ".image", "-e", ".hosts[0]", "a"], "hosts: [b]\n".to_owned()),
        (&["set", "-e", ".hosts[?. == a]=x=1", "a"], format!("{tag}hosts: [x=1,  b]\n")),
        (
            &["set", "--json", ".hosts[0]", "{\"k\": 1}", "a"],
            format!("{tag}hosts: [{{k: 1}},  b]\n"),
        ),
        (&["set", "--if-exists", ".none", "1", "a"], String::from_utf8_lossy(OLD).into_owned()),
        (&["del", "--if-exists", "..none", "a"], String::from_utf8_lossy(OLD).into_owned()),
    ] {
        let run = sandbox.ketch(args);
        assert_eq!(
            (run.exits_with(0).stdout.as_str(), run.stderr.as_str()),
            (&*expected, ""),
            "{args:?}"
        );
    }
    let sorted = sandbox.ketch_with(&["sort", "."], b"b: 1 # b\n# a\na: 2\n");
    sorted.is(0, "# a\na: 2\nb: 1 # b\n", "");
    let wide = b"\xFF\xFEa\0:\0 \x001\0";
    let run = sandbox.ketch_with(&["set", ".a", "2", "-"], wide);
    assert!(run.exits_with(0).stdout.ends_with("2\0"), "{run}");
}

#[test]
fn values_come_from_the_environment() {
    let sandbox = Sandbox::with(&[("a", OLD)]);
    let run = |args: &[&str]| {
        let output = sandbox.command(args).env("TAG", "1.10").output().expect("the command runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(run(&["set", ".image.tag", "--env", "TAG", "--yaml", "a"]).contains("tag: 1.10   #"));
    assert!(run(&["set", ".image.tag", "--env", "TAG", "a"]).contains("tag: '1.10'   #"));
    let run = sandbox.ketch(&["set", ".image.tag", "--env", "NO_SUCH_TAG", "a"]);
    assert!(run.exits_with(2).stderr.contains("NO_SUCH_TAG"), "{run}");
    for args in [
        &["set", "-e", ".image.tag", "a"][..],
        &["set", "--json", ".a", "{a: 1}", "a"],
        &["set", "--json", "--str", ".a", "1", "a"],
        &["rename", ".a"],
        &["move", ".a", ".b[*]", "a"],
        &["insert", ".hosts", "x", "--first", "--index", "1", "a"],
        &["set", ".a", "1", "none*.yaml"],
        &["set", "--atomic", ".a", "1", "a"],
    ] {
        sandbox.ketch(args).exits_with(2);
    }
}

#[test]
fn folders_patterns_and_lists_name_files() {
    let sandbox = Sandbox::new();
    for folder in ["c/d", "c/.git"] {
        std::fs::create_dir_all(sandbox.path(folder)).expect("a folder");
    }
    for (name, text) in [
        ("c/b.yaml", "v: 1\n"),
        ("c/d/a.yml", "v: 1\n"),
        ("c/.git/x.yaml", "v: 1\n"),
        ("c/a.txt", "v: 1\n"),
        ("list", "c/b.yaml\nc/d/a.yml\n"),
        ("page.md", "---\nv: 1  # x\n---\n# Title\n\nv: 1\n"),
        ("plain.md", "# Title\n"),
    ] {
        sandbox.write(name, text.as_bytes());
    }
    let both = "c/b.yaml\nc/d/a.yml\n";
    sandbox.ketch(&["set", "--check", ".v", "2", "c"]).is(1, both, "");
    sandbox.ketch(&["set", "--check", ".v", "2", "c/**/*.y*ml", "c/b.yaml"]).is(
        1,
        "c/b.yaml\nc/d/a.yml\n",
        "",
    );
    sandbox.ketch(&["set", "--check", ".v", "2", "--files-from", "list"]).is(1, both, "");
    let names =
        sandbox.ketch_with(&["set", "--check", ".v", "2", "--files-from", "-"], both.as_bytes());
    names.is(1, both, "");
    sandbox.ketch(&["set", ".v", "2", "page.md"]).is(
        0,
        "---\nv: 2  # x\n---\n# Title\n\nv: 1\n",
        "",
    );
    let run = sandbox.ketch(&["set", ".v", "2", "plain.md"]);
    assert!(run.exits_with(4).stderr.contains("no front matter"), "{run}");
    let run = sandbox.ketch(&["del", ".none", "page.md"]);
    assert!(run.exits_with(4).stderr.contains("page.md:2:1"), "{run}");
}

#[test]
fn all_files_change_or_none() {
    let files: &[(&str, &[u8])] = &[("a", b"v: 1\n"), ("b", b"v: [\n"), ("c", b"v: 1\n")];
    let sandbox = Sandbox::with(files);
    let run = sandbox.ketch(&["set", "-i", "--atomic", ".v", "2", "a", "b", "c"]);
    assert_eq!(run.exits_with(1).stdout, "not changed: a\nnot changed: c\n", "{run}");
    for (name, text) in files {
        assert_eq!(sandbox.read(name).as_bytes(), *text);
    }
    let run = sandbox.ketch(&["set", "-i", ".v", "2", "a", "b", "c"]);
    assert_eq!(run.exits_with(1).stdout, "changed: a\nchanged: c\n", "{run}");
    assert_eq!(sandbox.read("c"), "v: 2\n");
    assert_eq!(sandbox.count(), 3);
}

#[cfg(unix)]
#[test]
fn a_link_beside_its_file_is_the_same_file() {
    let sandbox = Sandbox::with(&[("a.yaml", b"v: 1\n")]);
    std::os::unix::fs::symlink("a.yaml", sandbox.path("b.yaml")).expect("a link");
    let run = sandbox.ketch(&["set", "-i", "--atomic", ".v", "2", "."]);
    run.is(0, "", "");
    assert_eq!(sandbox.read("a.yaml"), "v: 2\n");
}

#[cfg(unix)]
#[test]
fn nothing_is_reported_before_all_files_are_written() {
    let sandbox = Sandbox::with(&[("a", b"v: 1\n"), ("b", b"v: 1\n")]);
    std::fs::hard_link(sandbox.path("b"), sandbox.path("c")).expect("a link");
    let run = sandbox.ketch(&["set", "-i", "--atomic", ".v", "2", "a", "b"]);
    assert_eq!(run.stdout, "", "{run}");
    assert!(run.stderr.contains("--write-through"), "{run}");
    assert_eq!(sandbox.read("a"), "v: 1\n");
}

#[test]
fn an_item_gets_its_key_in_a_mapping() {
    let sandbox = Sandbox::with(&[("a.yaml", b"l: [1, 2]\nm: {a: 1}\n")]);
    let run = sandbox.ketch(&["move", "l[0]", "m", "a.yaml"]);
    assert!(run.exits_with(1).stderr.contains("needs `key`"), "{run}");
    let moved = "l: [2]\nm: {a: 1, k: 1}\n";
    sandbox.ketch(&["move", "l[0]", "m", "--key", "k", "a.yaml"]).is(0, moved, "");
}

/// Returns the cases in `file`, a file of `conformance/edit`.
fn cases(file: &str) -> Vec<toml::Table> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(file);
    let data: toml::Table =
        std::fs::read_to_string(page).expect("a readable file of cases").parse().expect("TOML");
    let cases = data["case"].as_array().expect("an array of cases");
    cases.iter().map(|case| case.as_table().expect("a case is a table").clone()).collect()
}

#[test]
fn the_command_passes_the_shared_edit_cases() {
    let (cases, sandbox) = (cases("edit.toml"), Sandbox::new());
    for case in &cases {
        let text = |key| case.get(key).and_then(toml::Value::as_str);
        sandbox.write("a.yaml", text("before").expect("a string").as_bytes());
        sandbox.write("ops", text("operations").expect("operations").as_bytes());
        sandbox.ketch(&["patch", "-i", "--ops", "ops", "a.yaml"]).is(0, "", "");
        assert_eq!(sandbox.read("a.yaml"), text("after").expect("a string"), "{:?}", text("name"));
    }
    assert!(cases.len() >= 60);
}

#[test]
fn rejected_edits_leave_the_file_unchanged() {
    let (cases, sandbox) = (cases("refusals.toml"), Sandbox::new());
    for case in &cases {
        let text = |key| case.get(key).and_then(toml::Value::as_str);
        let (name, before) = (text("name"), text("before").expect("a string"));
        sandbox.write("a.yaml", before.as_bytes());
        sandbox.write("ops", text("operations").expect("operations").as_bytes());
        let code = if text("error") == Some("not-found") { 4 } else { 1 };
        let run = sandbox.ketch(&["patch", "-i", "--ops", "ops", "a.yaml"]);
        assert!(run.exits_with(code).stderr.starts_with("error: "), "{name:?}: {run}");
        let at = text("at").map_or(String::new(), |at| format!("a.yaml:{at}"));
        assert!(run.stderr.contains(&at), "{name:?}: {run}");
        assert_eq!(sandbox.read("a.yaml"), before, "{name:?}");
    }
    assert!(cases.len() >= 30);
}

#[test]
fn typed_text_comes_back_as_typed() {
    let olds = [
        "v: old\n",
        "v: 'old'\n",
        "v: |\n  old\n\nw: 1\n",
        "{v: old, w: [1]}\n",
        "v:\n  - 1\n",
        "w: 1\n",
    ];
    for text in [
        "Fix issue #12",
        "Note: no users",
        "{{ stage }}",
        "a:",
        "? x",
        ">5",
        "|",
        "!important",
        "line1\nline2",
        "line1\nline2\n",
        "\nlead",
        " lead",
        "trail ",
        "-",
        "",
        " ",
        "a\tb",
        "\ta",
        "- x",
        "*x",
        "&x",
        "%x",
        "@x",
        "---",
        "...",
        "# x",
        "a # b",
        "x: y: z",
        "yes",
        "NO",
        "0o18",
        "1_000",
        "12:30",
        "2021-01-02",
        "1 # one",
        "C:\\Temp\\x",
        "^[a-z]+$",
        "p@ss: w\u{f6}rd #1!",
        "\u{a0}x",
        "\u{1F600}",
        "it's",
        "say \"hi\"",
        "$HOME/bin",
        "http://x.y/z?a=b#c",
        ">=1.2,<2",
        "~/x",
        "a\n\nb",
        "a\r\nb",
        "  a\n b",
        "a\n ",
        "\u{feff}",
        "\u{2028}",
        "=",
    ] {
        for old in olds {
            let sandbox = Sandbox::with(&[("a.yaml", old.as_bytes())]);
            let run = sandbox.ketch(&["set", "-i", "--", ".v", text, "a.yaml"]);
            assert_eq!(run.exits_with(0).stdout, "", "{old:?}");
            let read = sandbox.ketch(&["get", ".v", "--to", "raw", "a.yaml"]);
            assert_eq!(
                read.exits_with(0).stdout,
                format!("{text}\n"),
                "{old:?}: {}",
                sandbox.read("a.yaml")
            );
            sandbox.ketch(&["get", ".w", "a.yaml"]).exits_with(if old.contains('w') {
                0
            } else {
                4
            });
        }
    }
}

const PODS: &[u8] =
    b"# pods\npods:\n- name: web # one\n  image: 'a:1'\n- name: db\n  ports: [1,  2]\n";

#[test]
fn lists_are_merged_as_the_option_says() {
    let sandbox = Sandbox::with(&[
        ("a.yaml", PODS),
        ("more.yaml", b"pods:\n- name: db\n  ports: [3]\n# new\n- name: log\n"),
    ]);
    let merge = |options: &[&str], value: &str| {
        sandbox.ketch(&[&["merge"], options, &[".", value, "a.yaml"]].concat())
    };
    let old = String::from_utf8_lossy(PODS).into_owned();
    merge(&["--lists", "append"], "pods: [{name: x}]").is(0, &format!("{old}- name: x\n"), "");
    for options in [&[][..], &["--lists", "replace"]] {
        merge(options, "pods: [{name: x}]").is(0, "# pods\npods:\n- name: x # one\n", "");
    }
    let run =
        sandbox.ketch(&["merge", "--lists", "by=name", ".", "--value-from", "more.yaml", "a.yaml"]);
    run.is(0, &(old.replace("[1,  2]", "[3]") + "# new\n- name: log\n"), "");
    let run =
        sandbox.ketch(&["merge", ".pods", "[{name: web, image: b}]", "a.yaml", "--lists=by=name"]);
    run.is(0, &old.replace("'a:1'", "'b'"), "");
    let run = merge(&["--lists", "by=image"], "pods: [{image: x}]");
    assert!(run.exits_with(1).stderr.contains("item 1 of `pods` has no key `image`"), "{run}");
    assert!(run.stderr.contains("a.yaml:5:3"), "{run}");
    let run = merge(&["--lists", "by=name"], "pods: [{name: x}, {name: x}]");
    let message = "VALUE: items 0 and 1 of `pods` in the value have the same `name`";
    assert!(run.exits_with(1).stderr.contains(message), "{run}");
    let run = merge(&["--lists", "by"], "{}");
    assert!(run.exits_with(2).stderr.contains("`by=KEY`, such as `by=name`"), "{run}");
    let ops = b"[{op: merge, path: [pods], value: [{name: x}], lists: append}]";
    let run = sandbox.ketch_with(&["patch", "--ops", "-", "a.yaml"], ops);
    run.is(0, &format!("{old}- name: x\n"), "");
}

#[test]
fn errors_in_a_value_come_first_and_fit_the_command() {
    let sandbox = Sandbox::with(&[("a.yaml", b"b: 1\n---\nb: 2\n")]);
    let run = sandbox.ketch(&["set", "--yaml", ".a", "[", "a.yaml"]);
    assert!(run.exits_with(1).stderr.contains("a `[` is never closed"), "{run}");
    assert!(run.stderr.contains("--> VALUE:1:") && run.stderr.contains("`--str`"), "{run}");
    let run = sandbox.ketch(&["set", "-e", ".b=1", "-e", ".a=[", "--yaml", "a.yaml"]);
    assert!(run.exits_with(1).stderr.contains("edit 2 of 2"), "{run}");
    let run = sandbox.ketch(&["merge", ".", "[a", "a.yaml"]);
    assert!(run.exits_with(1).stderr.contains("--> VALUE:1:"), "{run}");
    assert!(!run.stderr.contains("--str") && !run.stderr.contains("--yaml"), "{run}");
    let run = sandbox.ketch(&["merge", ".", "text", "a.yaml"]);
    assert!(
        run.exits_with(1).stderr.contains("error: VALUE: only a mapping can be merged"),
        "{run}"
    );
    let help = sandbox.ketch(&["merge", "--help"]);
    assert!(!help.exits_with(0).stdout.contains("--str"), "{help}");
}

#[test]
fn direction_characters_are_masked_in_errors_of_edits() {
    let mut edit = ketch_edit::Edit::open("a: {\u{202e}b: 1}\n").expect("YAML");
    for path in ["a.\u{2066}x.y", "a.\u{202e}b.\u{200f}c"] {
        let operation =
            ketch_edit::Operation::at(ketch_edit::Action::Delete, &path.parse().expect("a path"));
        let error = edit.apply(&[operation]).expect_err("no such node");
        let is_plain =
            |text: &str| text.contains('\u{fffd}') && !text.contains(ketch_yaml::is_masked);
        assert!(is_plain(error.message()) && is_plain(&error.to_string()), "{error:?}");
    }
    let text = "[{op: delete, path: ['a'], \u{202e}x: 1}]";
    let error = ketch_edit::Operation::parse_all(text).expect_err("an unknown field");
    assert!(
        error.message().contains('\u{fffd}') && !error.message().contains('\u{202e}'),
        "{error}"
    );
}

#[test]
fn a_named_file_that_is_missing_stops_the_edit() {
    let text = "title: a\n";
    let sandbox = Sandbox::with(&[("values.yaml", text.as_bytes()), ("b.yaml", b"title: b\n")]);
    for (args, way) in [
        (
            &["set", "-i", ".title", "Fix", "issue", "values.yaml"][..],
            "`ketch set -i .title 'Fix issue' values.yaml`",
        ),
        (
            &["set", ".title", "Fix", "the", "issue", "values.yaml"],
            "`ketch set .title 'Fix the issue' values.yaml`",
        ),
        (
            &["del", "-i", ".a", ".title", "values.yaml"],
            "`ketch del -i -e .a -e .title values.yaml`",
        ),
        (&["set", "-i", ".title", "x", "values.yaml", "none.yaml"], "none.yaml: could not be read"),
        (&["set", "-i", "-e", ".title=x", "values.yaml", "none.yaml"], "none.yaml: could not"),
        (&["set", "-i", ".title", "x", "none.yaml"], "none.yaml: could not be read"),
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(3).stderr.contains(way), "{run}");
        assert_eq!((run.stdout.as_str(), &*sandbox.read("values.yaml")), ("", text), "{args:?}");
    }
}

#[test]
fn standard_input_is_read_once() {
    let sandbox = Sandbox::with(&[("a", b"a: 1\n"), ("ops", b"[]\n")]);
    for args in [
        &["merge", ".", "--value-from", "-", "-"][..],
        &["merge", ".", "--value-from", "-"],
        &["set", ".a", "--value-from", "-", "--files-from", "-", "-i"],
        &["patch", "--ops", "-", "--files-from", "-", "-i"],
        &["get", ".", "-", "-"],
        &["check", "-", "-"],
    ] {
        let run = sandbox.ketch_with(args, b"[]\n");
        assert!(run.exits_with(2).stderr.contains("standard input"), "{args:?} {run}");
    }
    sandbox.ketch_with(&["merge", ".", "--value-from", "-", "a"], b"b: 2\n").is(
        0,
        "a: 1\nb: 2\n",
        "",
    );
}

#[test]
fn split_names_files_as_they_are_spelled() {
    let sandbox = Sandbox::with(&[("s", b"name: 3.10\n---\nname: 0x1F\n"), ("n", b"name: ~\n")]);
    sandbox.ketch(&["split", "--name", ".name", "s"]).is(0, "./3.10.yaml\n./0x1F.yaml\n", "");
    let none = sandbox.ketch(&["split", "--name", ".name", "n"]);
    assert!(none.exits_with(1).stderr.contains("no text at"), "{none}");
}

#[test]
fn split_loses_no_comment() {
    let sandbox = Sandbox::with(&[
        ("marker", b"a: 1\n...\n# c\n---\nb: 2\n"),
        ("bare", b"a: 1\n... # c\n...\n# d\nb: 2\n"),
        ("directive", b"a: 1\n...\n# c\n%YAML 1.2\n---\nb: 2\n"),
        ("last", b"a: 1\n...\n# c\n"),
        ("dots", b"a: 1\n...\n---\nb: 2\n...\n"),
        ("helm", b"---\n# Source: a\n---\n# Source: b\nkind: B\n--- # empty\n"),
    ]);
    let cases: [(&str, &[&str]); 6] = [
        ("marker", &["a: 1\n", "# c\nb: 2\n"]),
        ("bare", &["a: 1\n", "# c\n...\n# d\nb: 2\n"]),
        ("directive", &["a: 1\n", "# c\n%YAML 1.2\n---\nb: 2\n"]),
        ("last", &["a: 1\n...\n# c\n"]),
        ("dots", &["a: 1\n", "b: 2\n"]),
        ("helm", &["---\n# Source: a\n", "# Source: b\nkind: B\n", "--- # empty\n"]),
    ];
    for (file, expected) in cases {
        sandbox.ketch(&["split", file]).exits_with(0);
        for (index, text) in expected.iter().enumerate() {
            let name = format!("{file}-{index}.yaml");
            assert_eq!(sandbox.read(&name), *text, "{name}");
        }
    }
    // A document that has only comments has no name.
    sandbox.ketch(&["split", "--name", ".kind", "helm"]).is(0, "./B.yaml\n", "");
    assert_eq!(sandbox.read("B.yaml"), "# Source: b\nkind: B\n");
}

#[test]
fn merge_reads_other_formats_by_name() {
    let sandbox = Sandbox::with(&[
        ("a.yaml", b"a: 1\nb: # c\n  x: 1\n"),
        ("m.toml", b"[b]\ny = \"2\"\nz = \"x\"\n"),
        ("m.json", b"{\"b\": {\"z\": \"x\", \"l\": [1, \"no\"]}}"),
        ("m.properties", b"b.y = 2\n"),
        ("bad.toml", b"[b\n"),
    ]);
    let merge = |file| sandbox.ketch(&["merge", ".", "--value-from", file, "a.yaml"]);
    merge("m.toml").is(0, "a: 1\nb: # c\n  x: 1\n  y: \"2\"\n  z: x\n", "");
    let json = "a: 1\nb: # c\n  x: 1\n  z: x\n  l:\n    - 1\n    - \"no\"\n";
    merge("m.json").is(0, json, "");
    merge("m.properties").is(0, "a: 1\nb: # c\n  x: 1\nb.y: \"2\"\n", "");
    assert!(merge("bad.toml").exits_with(1).stderr.contains("bad.toml:1:3"));
    // Elsewhere, a file is text.
    let run = sandbox.ketch(&["set", ".b.x", "--value-from", "m.toml", "a.yaml"]);
    run.is(0, "a: 1\nb: # c\n  x: |\n    [b]\n    y = \"2\"\n    z = \"x\"\n", "");
}

#[test]
fn a_document_is_deleted_by_its_kind() {
    let text = b"kind: A\n---\nkind: B\n---\nkind: A\n";
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("d")).expect("a folder");
    sandbox.write("d/a.yaml", text);
    sandbox.write("d/b.yaml", b"kind: C\n");
    let path = "@[?kind == \"A\"]";
    sandbox.ketch(&["del", path, "d/a.yaml"]).is(0, "---\nkind: B\n", "");
    sandbox.ketch(&["del", "-i", path, "d"]).exits_with(0);
    assert_eq!(sandbox.read("d/a.yaml"), "---\nkind: B\n");
    assert!(
        sandbox.ketch(&["del", "@0", "d/a.yaml"]).exits_with(1).stderr.contains("only document")
    );
}

/// Checks keys that are typed: they are text, but for integers, which are numbers in paths, too.
#[test]
fn typed_keys_are_text() {
    let sandbox = Sandbox::with(&[("a", b"m:\n  o: 1\nn: {}\n")]);
    for (key, written) in [
        ("K", "K"),
        ("a # b", "'a # b'"),
        ("a: b", "'a: b'"),
        ("{{ x }}", "'{{ x }}'"),
        ("x:", "'x:'"),
        ("? x", "'? x'"),
        ("[a]", "'[a]'"),
        ("", "''"),
        ("|", "'|'"),
        (" lead", "' lead'"),
        ("*.example.com", "'*.example.com'"),
        ("!x", "'!x'"),
        ("# b", "'# b'"),
        ("@types/node", "'@types/node'"),
        ("\"a b\"", "a b"),
        ("404", "404"),
        ("\"404\"", "'404'"),
        ("null", "'null'"),
        ("1.20", "'1.20'"),
    ] {
        let written = written.replace('\'', "\"");
        let new = format!("m:\n  o: 1\n  {written}: v\nn: {{}}\n");
        sandbox.ketch(&["insert", ".m", "v", "--key", key, "a"]).is(0, &new, "");
        let moved = format!("m: {{}}\nn:\n  {written}: 1\n");
        let run = sandbox.ketch(&["move", ".m.o", ".n", "--key", key, "a"]);
        assert_eq!(
            run.exits_with(0)
                .stdout
                .replace("n: {", "n:\n  ")
                .replace("}\n", "\n")
                .replace("m: {\n", "m: {}\n"),
            moved,
            "{run}"
        );
    }
}

#[test]
fn a_mapping_merges_only_into_a_mapping() {
    let sandbox = Sandbox::with(&[("a", b"l: [1, 2]\ns: text\nn:\n")]);
    for path in [".l", ".s"] {
        let run = sandbox.ketch(&["merge", path, "{a: 1}", "a"]);
        assert!(run.exits_with(1).stderr.contains("merged only into a mapping"), "{run}");
        assert!(run.stderr.contains("`set` replaces"), "{run}");
    }
    sandbox.ketch(&["merge", ".n", "{a: 1}", "a"]).is(0, "l: [1, 2]\ns: text\nn:\n  a: 1\n", "");
    // What is in the value replaces what has the same path.
    sandbox.ketch(&["merge", ".", "{s: {a: 1}}", "a"]).is(0, "l: [1, 2]\ns:\n  a: 1\nn:\n", "");
    for text in ["- a\n", "a: 1\n---\n- b\n", "[1, 2]"] {
        sandbox.ketch_with(&["merge", ".", "{k: 1}", "-"], text.as_bytes()).exits_with(1);
    }
}

#[test]
fn forgotten_words_are_noticed() {
    let sandbox = Sandbox::with(&[("a.yaml", b"v: 1\n"), ("b.yaml", b"v: 2\n")]);
    let run = sandbox.ketch(&["set", "-i", ".v", "a.yaml", "b.yaml"]);
    assert!(run.exits_with(0).stderr.contains("`a.yaml` is written as the value"), "{run}");
    sandbox.ketch(&["set", "--diff", ".v", "none.yaml", "b.yaml"]).exits_with(0);
    let run = sandbox.ketch(&["set", ".v", "-e VAR=1", "a.yaml"]);
    assert!(run.exits_with(3).stderr.contains("`ketch set -- PATH '-e x' FILE`"), "{run}");
    let run = sandbox.ketch(&["set", ".v=3", "a.yaml"]);
    assert!(run.exits_with(2).stderr.contains("`ketch set .v 3 a.yaml`"), "{run}");
    for text in ["# pinned", "#pinned", "pinned"] {
        sandbox.ketch(&["comment", "--trailing", ".v", text, "a.yaml"]).is(
            0,
            "v: 1 # pinned\n",
            "",
        );
    }
    let run = sandbox.ketch(&["rename", ".", "x", "a.yaml"]);
    assert!(run.exits_with(1).stderr.contains("only an entry of a mapping has a key"), "{run}");
    let run = sandbox.ketch(&["sort", ".v", "a.yaml"]);
    assert!(run.exits_with(1).stderr.contains("only a list or a mapping can be sorted"), "{run}");
}
