//! Tests of messages: what they say to do is what helps.

mod common;

use common::Sandbox;

#[test]
fn places_in_converted_text_are_not_shown() {
    let sandbox = Sandbox::with(&[
        ("n.toml", b"a = nan\n"),
        ("s.toml", b"[a]\nb = 1\n"),
        ("b.toml", b"a = = 1\n"),
        ("n.csv", b"a\n1\n"),
    ]);
    let nan = sandbox.ketch(&["convert", "n.toml"]);
    assert!(nan.exits_with(1).stderr.contains("n.toml: JSON cannot hold this value"), "{nan}");
    assert!(!nan.stderr.contains("-->"), "{nan}");
    let keys = sandbox.ketch(&["get", ".a.b", "--keys", "s.toml"]);
    assert!(!keys.exits_with(1).stderr.contains("-->"), "{keys}");
    // The place that the reader of the format finds is right.
    let bad = sandbox.ketch(&["get", ".", "b.toml"]);
    assert!(bad.exits_with(1).stderr.contains("b.toml:1:"), "{bad}");
}

#[test]
fn merge_of_files_names_the_option() {
    let sandbox = Sandbox::with(&[
        ("base.yaml", b"x: 1\n"),
        ("over.yaml", b"y: 2\n"),
        ("empty.yaml", b"# c\n"),
    ]);
    let way = "ketch merge . --value-from over.yaml base.yaml";
    for args in
        [&["merge", "base.yaml", "over.yaml"][..], &["merge", ".", "over.yaml", "base.yaml"]]
    {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(2).stderr.contains(way), "{run}");
    }
    let empty = ["merge", ".", "--value-from", "empty.yaml", "base.yaml"];
    sandbox.ketch(&empty).is(0, "x: 1\n", "");
}

#[test]
fn options_of_other_tools_are_translated() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: 1\nb: x\n")]);
    for (args, way) in [
        (&["get", ".", "--json", "a.yaml"][..], "'-o json'"),
        (&["get", ".", "--output", "json", "a.yaml"], "'-o FORMAT'"),
        (&["set", ".a", "2", "a.yaml", "--dry-run"], "'--diff'"),
        (&["set", ".a", "2", "--dry-run", "a.yaml"], "'--diff'"),
        (&["fmt", "-i", "a.yaml"], "writes the files anyway"),
        (&["convert", "-t", "yaml", "a.yaml"], "'--to FORMAT'"),
        (&["convert", "-f", "json", "a.yaml"], "'--from FORMAT'"),
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(2).stderr.contains(way), "{run}");
        assert!(!run.stderr.contains(" -- -"), "{run}");
    }
    let unknown = sandbox.ketch(&["set", "-i", ".a", "2", "a.yaml", "--backup"]);
    assert!(!unknown.exits_with(2).stderr.contains("-- --backup"), "{unknown}");
    let value = sandbox.ketch(&["set", ".a", "-Xmx1g", "a.yaml"]);
    assert!(value.exits_with(2).stderr.contains("ketch set .a -- -Xmx1g a.yaml"), "{value}");
    sandbox.ketch(&["get", "-rj", ".b", "a.yaml"]).is(0, "x", "");
    sandbox.ketch(&["get", "-o", "yml", ".b", "a.yaml"]).is(0, "x\n", "");
}

#[test]
fn refused_edits_name_the_way_out() {
    let text = "a: 1 # c\nb: 2\nl: [1]\nm:\n  x: 1\n";
    let sandbox = Sandbox::with(&[
        ("e", text.as_bytes()),
        ("q.csv", b"a,b\n\"1,2\n"),
        ("r.csv", b"a,b\n1,\"2\n"),
    ]);
    for (args, code, words) in [
        (&["comment", "--remove", ".a", "e"][..], 4, "`--trailing`"),
        (&["set", ".l[5]", "1", "e"], 4, "`ketch append`"),
        (&["append", ".m", "1", "e"], 1, "--key"),
        (&["insert", ".m", "1", "e"], 1, "--key"),
        (&["rename", ".a", "b", "e"], 1, "already has the key `b`"),
        (&["convert", "q.csv"], 1, "a quote in this record is never closed"),
        (&["convert", "r.csv"], 1, "a quote in this record is never closed"),
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(code).stderr.contains(words), "{args:?} {run}");
    }
    let trailing = sandbox.ketch(&["comment", "--remove", "--trailing", ".a", "e"]);
    trailing.is(0, &text.replace(" # c", ""), "");
    sandbox.ketch(&["comment", "--remove", ".b", "e"]).is(0, text, "");
}
