//! Tests what `ketch get` prints: text, other formats, and what is in a value.

mod common;

use common::Sandbox;

const YAML: &[u8] = b"image: {tag: '1.9', note: \"x\\ny\"}\nn: ~\ne:\nlist:\n- 1\n- {a.b: 2}\n- &c []\nalias: *c\n---\nimage: {tag: !v 2}\n";

#[test]
fn scalars_are_text_and_collections_are_yaml() {
    let sandbox = Sandbox::with(&[("a.yaml", YAML)]);
    sandbox.ketch(&["get", ".image.tag", "a.yaml"]).is(0, "1.9\n2\n", "");
    sandbox.ketch(&["get", ".image.note", "a.yaml"]).is(0, "x\ny\n", "");
    sandbox.ketch(&["get", ".n", "a.yaml"]).is(0, "~\n", "");
    sandbox.ketch(&["get", ".e", "a.yaml"]).is(0, "null\n", "");
    sandbox.ketch(&["get", ".list[*]", "a.yaml"]).is(0, "1\n--- {a.b: 2}\n--- []\n", "");
    sandbox.ketch(&["get", ".image", "a.yaml"]).is(
        0,
        "{tag: '1.9', note: \"x\\ny\"}\n--- {tag: !v 2}\n",
        "",
    );
    sandbox.ketch(&["get", "-p", ".list", "-p", ".n", "a.yaml"]).is(
        0,
        "- 1\n- {a.b: 2}\n- []\n---\n~\n",
        "",
    );
    sandbox.ketch(&["get", ".image.tag", "--to", "yaml", "a.yaml"]).is(0, "'1.9'\n--- !v 2\n", "");
    sandbox.ketch(&["get", ".x", "--default", "[1", "a.yaml"]).is(0, "[1\n", "");
}

#[test]
fn raw_and_json_are_as_in_jq() {
    let sandbox = Sandbox::with(&[("a.yaml", YAML)]);
    sandbox.ketch(&["get", "-r", ".list[*]", "a.yaml"]).is(0, "1\n{\"a.b\":2}\n[]\n", "");
    sandbox.ketch(&["get", "-j", ".image.tag", "a.yaml"]).is(0, "1.92", "");
    sandbox.ketch(&["get", ".image", "-o", "json", "--unknown-tags", "drop", "a.yaml"]).is(
        0,
        "{\"tag\":\"1.9\",\"note\":\"x\\ny\"}\n{\"tag\":2}\n",
        "",
    );
    sandbox.ketch(&["get", ".list[1:2]", "-o", "csv", "a.yaml"]).is(0, "a.b\n2\n", "");
    sandbox.ketch(&["get", "@0.image", "-o", "toml", "a.yaml"]).is(
        0,
        "tag = \"1.9\"\nnote = \"\"\"\nx\ny\"\"\"\n",
        "",
    );
}

#[test]
fn names_of_files_come_before_results() {
    let (a, b) = (&b"v: 1\nl: [1]\n"[..], &b"v: \"2\\n3\"\nl:\n- 2\n"[..]);
    let sandbox = Sandbox::with(&[("a.yaml", a), ("b.yaml", b)]);
    let get =
        |words: &[&str]| sandbox.ketch(&[&["get", "-H"], words, &["a.yaml", "b.yaml"]].concat());
    get(&[".v"]).is(0, "a.yaml: 1\nb.yaml: 2\n3\n", "");
    get(&["-r", ".l"]).is(0, "a.yaml: [1]\nb.yaml: [2]\n", "");
    get(&["--keys", "."]).is(0, "a.yaml: v\na.yaml: l\nb.yaml: v\nb.yaml: l\n", "");
    get(&[".l"]).is(0, "# a.yaml\n[1]\n# b.yaml\n---\n- 2\n", "");
    get(&["--to", "yaml", ".v"]).is(0, "# a.yaml\n1\n# b.yaml\n--- \"2\\n3\"\n", "");
    let refused = get(&[".v", "-o", "json"]);
    let message = "only text and YAML have a place";
    assert!(refused.exits_with(2).stderr.contains(message), "{refused}");
}

#[test]
fn json_is_joined_as_text_is() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: [1]\nb: {c: d}\n")]);
    sandbox.ketch(&["get", ".*", "-o", "json", "-j", "a.yaml"]).is(0, "[1]{\"c\":\"d\"}", "");
    sandbox.ketch(&["get", ".*", "--to", "raw", "--join", "a.yaml"]).is(0, "[1]{\"c\":\"d\"}", "");
    let refused = sandbox.ketch(&["get", ".", "-o", "yaml", "-j", "a.yaml"]);
    assert!(refused.exits_with(2).stderr.contains("`--join` is for text and JSON"), "{refused}");
    let unknown = sandbox.ketch(&["get", ".", "--json", "--join", "a.yaml"]);
    assert!(unknown.exits_with(2).stderr.contains("write '-o json'"), "{unknown}");
}

#[test]
fn several_paths_are_printed_for_each_document() {
    let sandbox = Sandbox::with(&[("a.yaml", b"kind: A\nname: a\n---\nkind: B\nname: b\nx: 1\n")]);
    sandbox.ketch(&["get", "-p", ".kind", "-p", ".name", "a.yaml"]).is(0, "A\na\nB\nb\n", "");
    sandbox.ketch(&["get", "-p", "@1.kind", "-p", ".x", "a.yaml"]).is(0, "B\n1\n", "");
    sandbox.ketch_with(&["get", "-p", ".a", "-p", ".b"], b"{a: 1, b: 2}").is(0, "1\n2\n", "");
    let outcome = sandbox.ketch(&["get", "-p", ".kind", "-p", ".none", "a.yaml"]);
    assert_eq!(outcome.stdout, "A\nB\n");
    assert!(outcome.exits_with(4).stderr.contains("nothing at this path"), "{outcome}");
    sandbox
        .ketch(&["get", "-p", ".none", "-p", ".x", "--default", "0", "a.yaml"])
        .is(0, "1\n0\n", "");
}

#[test]
fn keys_lengths_paths_and_outlines_are_printed() {
    let sandbox = Sandbox::with(&[("a.yaml", YAML)]);
    sandbox.ketch(&["get", "@0", "--keys", "a.yaml"]).is(0, "image\nn\ne\nlist\nalias\n", "");
    sandbox.ketch(&["get", ".list", "--keys", "a.yaml"]).is(0, "0\n1\n2\n", "");
    sandbox.ketch(&["get", ".list", "--length", "a.yaml"]).is(0, "3\n", "");
    sandbox.ketch(&["get", ".image.note", "--length", "a.yaml"]).is(0, "3\n", "");
    let outcome = sandbox.ketch(&["get", ".image.tag", "--keys", "a.yaml"]);
    assert!(outcome.exits_with(1).stderr.contains("a scalar has no keys"), "{outcome}");
    let paths = ".image.tag\n.image.note\n.n\n.e\n.list[0]\n.list[1][\"a.b\"]\n.list[2]\n.alias\n@1.image.tag\n";
    let outcome = sandbox.ketch(&["get", ".", "--paths", "a.yaml"]);
    outcome.is(0, paths, "");
    for path in paths.lines().filter(|path| !path.starts_with('@')) {
        sandbox.ketch(&["get", path, "a.yaml"]).exits_with(0);
    }
    let keys = b"1.5: a\n.inf: b\n'1.6': c\n-7: d\n";
    let shown = "[1.5]\n[.inf]\n[\"1.6\"]\n.-7\n";
    sandbox.ketch_with(&["get", ".", "--paths", "-"], keys).is(0, shown, "");
    for (path, value) in shown.lines().zip(["a\n", "b\n", "c\n", "d\n"]) {
        sandbox.ketch_with(&["get", path, "-"], keys).is(0, value, "");
    }
    sandbox.ketch(&["get", ".list[1]", "--paths", "a.yaml"]).is(0, ".list[1][\"a.b\"]\n", "");
    let tree = "image: 2 keys\n  tag: 1.9\n  note: x ...\nn: ~\ne: \nlist: 3 items\n  [0]: 1\n  [1]: 1 key\n    a.b: 2\n  [2]: 0 items\nalias: *c\n";
    sandbox.ketch(&["get", "@0", "--tree", "a.yaml"]).is(0, tree, "");
}

#[test]
fn merge_applies_to_every_output() {
    let text = b"base: &b {x: 1, z: {q: 5}}\nweb:\n  <<: *b\n  y: 2\n";
    let sandbox = Sandbox::with(&[("m", text), ("bad", b"a:\n  <<: 3\n  b: 1\n")]);
    for (args, expected) in [
        (&[".web"][..], "x: 1\nz: {q: 5}\ny: 2\n"),
        (&[".web", "-o", "yaml"], "x: 1\nz: {q: 5}\ny: 2\n"),
        (&[".web", "-o", "json"], "{\"x\":1,\"z\":{\"q\":5},\"y\":2}\n"),
        (&[".web", "--keys"], "x\nz\ny\n"),
        (&[".web", "--length"], "3\n"),
        (&[".web", "--tree"], "x: 1\nz: 1 key\n  q: 5\ny: 2\n"),
        (&[".web", "--paths"], ".web.x\n.web.z.q\n.web.y\n"),
        (&["-p", ".web.x", "-p", ".web"], "1\n---\nx: 1\nz: {q: 5}\ny: 2\n"),
        (&["..z", "-o", "json"], "{\"q\":5}\n{\"q\":5}\n"),
        (&[".*.z", "-o", "json"], "{\"q\":5}\n{\"q\":5}\n"),
        (&["..z", "-r"], "{\"q\":5}\n{\"q\":5}\n"),
        (&["..q"], "5\n5\n"),
    ] {
        sandbox.ketch(&[&["get", "--merge"], args, &["m"]].concat()).is(0, expected, "");
    }
    let wrong = sandbox.ketch(&["get", "--merge", ".a", "bad"]);
    assert!(wrong.exits_with(1).stderr.contains("bad:2:7"), "{wrong}");
}
