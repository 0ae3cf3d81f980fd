//! Tests of edits of TOML.

mod common;

use common::Sandbox;

const BOAT: &str = "\
# A licence

[package]
name = \"boat\"
version = \"0.1.0\"  # bump
edition = '2021'
keywords = [\"a\", \"b\"]
authors = [
    \"Ada\", # first
    \"Bo\", # second
]
released = 2021-01-02
at = 07:32:00
size = 0x10

# how it is built
[profile.release]
lto = true

[dependencies]
serde = { version = \"1\", features = [\"derive\"] }
# a comment on toml
toml = \"1\"
log.version = \"0.4\"

# free

[[bin]]
name = \"one\"

# the second
[[bin]]
name = \"two\"
# end
";

/// Runs `ketch` with `args` on `old`, and fails unless the result is `old` with each pair of texts in
/// `changes` replaced.
fn changes(old: &str, args: &[&str], changes: &[(&str, &str)]) {
    let sandbox = Sandbox::with(&[("a.toml", old.as_bytes())]);
    let expected = changes.iter().fold(old.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from:?}");
        text.replace(from, to)
    });
    let run = sandbox.ketch(&[args, &["a.toml"]].concat());
    assert_eq!(run.exits_with(0).stdout, expected, "{args:?}");
}

#[test]
fn values_are_set() {
    for (args, from, to) in [
        (&["set", ".package.version", "9.9.9"][..], "0.1.0", "9.9.9"),
        (&["set", ".package.edition", "2024", "-s"], "'2021'", "'2024'"),
        (&["set", ".package.edition", "it's"], "'2021'", "\"it's\""),
        (&["set", ".package.size", "0x1F"], "0x10", "0x1F"),
        (&["set", ".package.size", "16"], "0x10", "16"),
        (&["set", ".package.size", ".5"], "0x10", "0.5"),
        (&["set", ".package.size", "-01.e3"], "0x10", "-1.0e3"),
        (&["set", ".package.size", "1.50"], "0x10", "1.50"),
        (&["set", ".package.size", "+1"], "0x10", "+1"),
        (&["set", ".package.size", "007"], "0x10", "7"),
        (&["set", "--", ".package.size", "-.inf"], "0x10", "-inf"),
        (&["set", ".package.size", "True"], "0x10", "true"),
        (&["set", ".package.size", "1_000"], "0x10", "\"1_000\""),
        (&["set", ".package.size", "a\nb"], "0x10", "\"\"\"\na\nb\"\"\""),
        (&["set", ".package.size", "[1, {a: b}]"], "0x10", "[1, { a = \"b\" }]"),
        (&["set", ".bin[*].name", "x", "--document", "0", "--if-exists"], "\"two\"", "\"x\""),
    ] {
        match args[1].starts_with(".bin") {
            true => changes(BOAT, args, &[(from, to), ("\"one\"", "\"x\"")]),
            false => changes(BOAT, args, &[(from, to)]),
        }
    }
    let both = ["set", "-e", ".package.name=x", "-e", "..lto=false"];
    changes(BOAT, &both, &[("\"boat\"", "\"x\""), ("lto = true", "lto = false")]);
}

#[test]
fn a_date_stays_a_date() {
    for (args, from, to) in [
        (&["set", ".package.released", "2022-03-04"][..], "2021-01-02", "2022-03-04"),
        (
            &["set", ".package.released", "2022-03-04 05:06:07Z"],
            "2021-01-02",
            "2022-03-04 05:06:07Z",
        ),
        (&["set", ".package.released", "2022-03-04", "-s"], "2021-01-02", "\"2022-03-04\""),
        (&["set", ".package.released", "soon"], "2021-01-02", "\"soon\""),
        (&["set", ".package.at", "18:00:00"], "07:32:00", "18:00:00"),
        (&["set", ".package.size", "2022-03-04"], "0x10", "\"2022-03-04\""),
        (&["set", ".package.size", "2022-03-04", "--yaml"], "0x10", "2022-03-04"),
        (&["set", ".package.name", "2022-03-04"], "\"boat\"", "\"2022-03-04\""),
    ] {
        changes(BOAT, args, &[(from, to)]);
    }
}

#[test]
fn a_date_from_a_file_stays_a_date() {
    let new =
        b"[t]\nd = 2025-01-01\nl = [2025-01-01T10:00:00Z]\ns = \"2025-01-01\"\nat = 10:00:00\n";
    let old = b"[t]\ns = 2024-01-01\nx = 1\n";
    let sandbox =
        Sandbox::with(&[("new.toml", new), ("a.toml", old), ("b.yaml", b""), ("c.json", b"{}")]);
    let merged = |file| sandbox.ketch(&["merge", ".", "--value-from", "new.toml", file]);
    merged("a.toml").is(0, "[t]\ns = \"2025-01-01\"\nx = 1\nd = 2025-01-01\nl = [2025-01-01T10:00:00Z]\nat = \"10:00:00\"\n", "");
    let yaml = ["convert", "new.toml", "--to", "yaml", "--sequences", "indented"];
    merged("b.yaml").is(0, &sandbox.ketch(&yaml).stdout, "");
    let json = r#"{"t": {"d": "2025-01-01", "l": ["2025-01-01T10:00:00Z"], "s": "2025-01-01", "at": "10:00:00"}}"#;
    merged("c.json").is(0, json, "");
}

#[test]
fn new_entries_go_into_their_table() {
    for (args, from, to) in [
        (&["set", ".package.new", "2"][..], "0x10\n", "0x10\nnew = 2\n"),
        (
            &["insert", ".package", "5", "--key", "k", "--first"],
            "name = \"boat\"",
            "k = 5\nname = \"boat\"",
        ),
        (
            &["set", ".dependencies.serde.optional", "true"],
            "\"derive\"]",
            "\"derive\"], optional = true",
        ),
        (
            &["set", ".dependencies.log.optional", "true"],
            "\"0.4\"\n",
            "\"0.4\"\nlog.optional = true\n",
        ),
        (
            &["set", ".dependencies.x", "{version: \"1\"}"],
            "\"0.4\"\n",
            "\"0.4\"\nx = { version = \"1\" }\n",
        ),
        (
            &["set", ".profile.dev.lto", "1"],
            "lto = true\n",
            "lto = true\n\n[profile.dev]\nlto = 1\n",
        ),
        (&["set", ".tool[\"a b\"]", "1"], "# end\n", "# end\n\n[tool]\n\"a b\" = 1\n"),
        (&["set", ".edition", "3"], "[package]", "edition = 3\n\n[package]"),
        (&["append", ".bin", "{name: x}"], "# end\n", "# end\n\n[[bin]]\nname = \"x\"\n"),
        (&["append", ".package.keywords", "c"], "\"b\"]", "\"b\", \"c\"]"),
        (&["append", ".package.authors", "Cy"], "# second\n", "# second\n    \"Cy\",\n"),
        (
            &["insert", ".package.authors", "Cy", "--first"],
            "    \"Ada\"",
            "    \"Cy\",\n    \"Ada\"",
        ),
        (&["merge", ".package", "{size: 3, more: x}"], "0x10\n", "3\nmore = \"x\"\n"),
    ] {
        changes(BOAT, args, &[(from, to)]);
    }
}

#[test]
fn entries_are_deleted_with_their_comments() {
    let package = &BOAT[BOAT.find("[package]").unwrap()..BOAT.find("# how").unwrap()];
    for (path, from) in [
        (".package", package),
        (".package.authors[0]", "    \"Ada\", # first\n"),
        (".package.authors[1]", "    \"Bo\", # second\n"),
        (".package.keywords[0]", "\"a\", "),
        (".dependencies.toml", "# a comment on toml\ntoml = \"1\"\n"),
        (".dependencies.serde.version", "version = \"1\", "),
        (".bin[0]", "[[bin]]\nname = \"one\"\n\n"),
        (".bin[1]", "\n# the second\n[[bin]]\nname = \"two\"\n"),
    ] {
        changes(BOAT, &["del", path], &[(from, "")]);
    }
    changes("[a.b]\nc = 1\n", &["del", ".a.b"], &[("[a.b]\nc = 1\n", "[a]\n")]);
    changes("a.b = 1\nc = 2\n", &["del", ".a.b"], &[("a.b = 1", "a = {}")]);
    changes("a = 1\n[[b]]\n", &["del", ".b[0]"], &[("[[b]]", "b = []")]);
}

#[test]
fn entries_are_renamed_moved_and_sorted() {
    for (args, pairs) in [
        (&["rename", ".package.name", "title"][..], &[("name = \"boat\"", "title = \"boat\"")][..]),
        (&["rename", ".dependencies", "a.b"], &[("[dependencies]", "[\"a.b\"]")]),
        (
            &["move", ".package.keywords", ".dependencies"],
            &[
                ("keywords = [\"a\", \"b\"]\n", ""),
                ("\"0.4\"\n", "\"0.4\"\nkeywords = [\"a\", \"b\"]\n"),
            ],
        ),
        (
            &["sort", ".dependencies"],
            &[("log.version = \"0.4\"\n", ""), ("serde =", "log.version = \"0.4\"\nserde =")],
        ),
    ] {
        changes(BOAT, args, pairs);
    }
    changes(
        "[b]\nx = 1\n\n# on a\n[a]\n",
        &["sort", "."],
        &[("[b]\nx = 1\n\n", ""), ("[a]\n", "[a]\n\n[b]\nx = 1\n")],
    );
    changes("# head\n\n[b]\n\n[a]\n", &["sort", "."], &[("[b]\n\n[a]", "[a]\n\n[b]")]);
    changes("a = [3, 1,  2] # c\n", &["sort", ".a"], &[("[3, 1,  2]", "[1, 2, 3]")]);
    changes("a = {x=1,\"y\"=2}\n", &["rename", ".a.x", "z"], &[("x=", "z=")]);
}

#[test]
fn line_ends_and_other_bytes_stay() {
    for (old, args, from, to) in [
        (
            "a = 1\r\n[b]\r\nc = [\r\n  1\r\n]\r\n",
            &["append", ".b.c", "2"][..],
            "  1\r\n",
            "  1,\r\n  2\r\n",
        ),
        ("a = 1\r\n[b]\r\nc = \"\"\"x\r\ny\"\"\"", &["set", ".a", "2"], "a = 1", "a = 2"),
        ("\u{feff}a = 1\nb = 2", &["set", ".a", "3"], "= 1", "= 3"),
        ("\u{feff}a = 1\nb = 2", &["del", ".a"], "a = 1\n", ""),
        ("a = 1\r\nb = 2", &["set", ".c", "3"], "b = 2", "b = 2\r\nc = 3"),
        ("a\t=  1_0  # x\n  b=2\r\n", &["set", ".b", "3"], "b=2", "b=3"),
        ("a = '''\n# x\n\ny'''\n", &["set", ".a", "y"], "'''\n# x\n\ny'''", "'y'"),
        ("", &["set", ".a.b", "y"], "", "[a]\nb = \"y\"\n"),
    ] {
        match from {
            "" => {
                Sandbox::with(&[("a.toml", b"")]).ketch(&[args, &["a.toml"]].concat()).is(0, to, "")
            }
            _ => changes(old, args, &[(from, to)]),
        }
    }
    for args in [
        &["set", ".package.size", "0x10"][..],
        &["set", ".package.name", "boat"],
        &["set", ".package.released", "2021-01-02"],
        &["sort", ".package.keywords"],
        &["del", ".nothing", "--if-exists"],
    ] {
        changes(BOAT, args, &[]);
    }
}

#[test]
fn what_toml_lacks_is_refused() {
    let sandbox = Sandbox::with(&[
        ("a.toml", BOAT.as_bytes()),
        ("dotted.toml", b"a.x = 1\nb = 2\na.y = 3\n"),
        ("wrong.toml", b"a = 1\na = 2\n"),
    ]);
    for (args, message) in [
        (
            &["set", ".package.size", "null", "a.toml"][..],
            "error: a.toml: TOML has no null\n = help: `ketch del` deletes an entry, and `--str` writes the value as text.\n",
        ),
        (
            &["set", ".package.size", "!x 1", "a.toml"],
            "error: a.toml: TOML has no tags\n = help: Write the value without its tag; `--str` takes it as text.\n",
        ),
        (&["set", ".n", "a: &x 1\nb: 2", "--yaml", "a.toml"], "error: a.toml: TOML has no anchors"),
        (
            &["set", ".package.size", "99999999999999999999", "a.toml"],
            "error: a.toml: TOML has no integer as long as `99999999999999999999`\n",
        ),
        (&["set", ".", "[1]", "a.toml"], "error: a.toml: a file of TOML is a mapping\n"),
        (
            &["append", ".bin", "3", "a.toml"],
            "error: a.toml: an array of tables has no other values\n",
        ),
        (
            &["comment", ".package", "x", "a.toml"],
            "error: a.toml: `comment` edits only YAML, and this is TOML\n = help: Write the line `# text` above the key by hand",
        ),
        (
            &["set", ".b", "3", "dotted.toml"],
            "error: dotted.toml: a table has dotted keys with other keys between them",
        ),
        (
            &["set", ".a", "3", "wrong.toml"],
            "error: duplicate key `a`\n  --> wrong.toml:2:1\n  |\n1 | a = 1\n  | - first used here\n2 | a = 2\n  | ^\n",
        ),
        (&["rename", ".package", "bin", "a.toml"], "error: a.toml: "),
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(1).stderr.starts_with(message), "{args:?}\n{run}");
        assert_eq!(run.stdout, "");
    }
    let run = sandbox.ketch(&["del", ".none", "a.toml"]);
    assert!(run.exits_with(4).stderr.starts_with("error: a.toml: there is no key `none`"), "{run}");
}

/// Checks that a comment that cannot be written is refused with a way out, and that the way works.
#[test]
fn refused_comments_have_a_way_out() {
    let sandbox = Sandbox::with(&[
        ("a.yaml", b"a: [1, 2]\n"),
        ("a.json", b"{\"a\": 1}\n"),
        ("a.toml", b"a = 1\n"),
    ]);
    for (args, way) in [
        (["comment", ".a[1]", "hi", "a.yaml"], "`--trailing` writes it at the end of that line"),
        (["comment", ".a", "hi", "a.json"], "`ketch convert FILE --to yaml` makes YAML of it"),
        (["comment", ".a", "hi", "a.toml"], "Write the line `# text` above the key by hand"),
    ] {
        let run = sandbox.ketch(&args);
        assert!(run.exits_with(1).stderr.contains(way), "{run}");
    }
    sandbox.ketch(&["comment", "--trailing", ".a[1]", "hi", "a.yaml"]).is(
        0,
        "a: [1, 2] # hi\n",
        "",
    );
    sandbox.ketch(&["comment", ".a", "hi", "a.yaml"]).is(0, "# hi\na: [1, 2]\n", "");
}

#[test]
fn options_and_other_inputs_work_as_for_yaml() {
    let sandbox =
        Sandbox::with(&[("a.toml", b"a = \"1\" # x\n"), ("b.toml", b"[n]\nd = 2021-01-02\n")]);
    let warning = "warning: a.toml: the text \"1\" is now 2, which is no text\n = help: `--str` writes it as text.\n";
    let diff = "--- a.toml\n+++ a.toml\n@@ -1 +1 @@\n-a = \"1\" # x\n+a = 2 # x\n";
    sandbox.ketch(&["set", "--diff", ".a", "2", "a.toml"]).is(0, diff, warning);
    sandbox.ketch(&["set", "--check", ".a", "2", "a.toml"]).is(1, "a.toml\n", warning);
    sandbox.ketch(&["set", "-i", "-s", ".a", "2", "a.toml", "b.toml"]).is(
        0,
        "changed: a.toml\nchanged: b.toml\n",
        "",
    );
    assert_eq!(sandbox.read("a.toml"), "a = \"2\" # x\n");
    let set = ["set", ".a", "2", "--from"];
    sandbox.ketch_with(&[&set[..], &["toml"]].concat(), b"a = 1").is(0, "a = 2", "");
    sandbox.ketch_with(&[&set[..], &["json"]].concat(), b"{\"a\": 0x1}").is(0, "{\"a\": 2}", "");
    let run = sandbox.ketch_with(&[&set[..], &["csv"]].concat(), b"a\n1\n");
    assert!(
        run.exits_with(1).stderr.contains("edits change TOML, YAML and JSON, and this is CSV"),
        "{run}"
    );
}
