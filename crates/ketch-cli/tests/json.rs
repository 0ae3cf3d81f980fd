//! Tests of JSON: what is not JSON is an error, and edits of JSON leave JSON.

mod common;

use common::Sandbox;

#[test]
fn check_reports_what_is_not_json() {
    for (text, place, message) in [
        ("{\"a\": 1,}", "1:8", "JSON has no comma after the last entry"),
        ("{a: 1}", "1:2", "the key `a` is not in double quotes"),
        ("'a'", "1:1", "JSON has no text in single quotes"),
        ("a: 1\n", "1:1", "the key `a` is not in double quotes"),
        ("{\"a\":\n NaN}", "2:2", "expected a JSON value, found `NaN`"),
        ("[01]", "1:2", "`01` is not a number in JSON"),
        ("[1] # c\n", "1:5", "JSON has no comments"),
        ("[\"a\tb\"]", "1:4", "a text in JSON has no tabs"),
        ("&a [*a]", "1:1", "JSON has no anchors and aliases"),
        ("{}\n{}\n", "2:1", "a JSON file has one value, and this is the second"),
        ("", "1:1", "there is no JSON text"),
    ] {
        let sandbox = Sandbox::with(&[("x.json", text.as_bytes()), ("x", text.as_bytes())]);
        let run = sandbox.ketch(&["check", "x.json"]);
        assert!(run.exits_with(1).stdout.contains(message), "{text:?} {run}");
        assert!(run.stdout.contains(&format!("x.json:{place}\n")), "{text:?} {run}");
        // What starts as JSON is meant as JSON.
        let is_json = text.starts_with(['{', '[', '\'']);
        assert_eq!(run.stdout.contains("`--from yaml`"), !is_json, "{run}");
        if !text.trim().is_empty() && !text.starts_with("{}") {
            let run = sandbox.ketch(&["check", "--from", "json", "x"]);
            assert!(run.exits_with(1).stdout.contains(message), "{text:?} {run}");
            sandbox.ketch(&["check", "--from", "yaml", "x.json"]).exits_with(0);
        }
    }
}

#[test]
fn check_accepts_json() {
    let stream = b"{\"a\": 1}\n[2]\n\n3\n";
    let utf16: Vec<u8> = "\u{feff}[1]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let deep = "[".repeat(500) + &"]".repeat(500);
    let sandbox = Sandbox::with(&[
        ("a.json", b"{\"a\": [1, -0.5e3, \"\\u00e9\"]}\n"),
        ("a.jsonl", stream),
        ("a.ndjson", b""),
        ("utf16.json", &utf16),
        ("deep.json", deep.as_bytes()),
    ]);
    for name in ["a.json", "a.jsonl", "a.ndjson", "utf16.json", "deep.json"] {
        sandbox.ketch(&["check", name]).is(0, "", "");
    }
    sandbox.ketch_with(&["check", "--from", "json", "-"], stream).is(0, "", "");
    sandbox.write("b.jsonl", b"{\"a\": 1}\n{b: 1}\n");
    let run = sandbox.ketch(&["check", "b.jsonl"]);
    assert!(run.exits_with(1).stdout.contains("b.jsonl:2:2"), "{run}");
}

#[test]
fn each_mistake_is_reported_once() {
    for (text, message) in [
        ("{\"a\": 1, \"a\": 2, b: 3}\n", "the key `b` is not in double quotes"),
        ("{\u{201c}a\u{201d}: 1}\n", "curly quotes are not quotes in JSON"),
        ("{\"a\": \"C:\\Users\"}\n", "JSON has no such escape"),
        ("{\"a\": [1, 2}\n", "does not close the `[`"),
    ] {
        let sandbox = Sandbox::with(&[("x.json", text.as_bytes())]);
        let run = sandbox.ketch(&["check", "x.json"]);
        assert!(run.exits_with(1).stdout.contains(message), "{run}");
        assert_eq!(run.stdout.matches("-->").count(), 1, "{run}");
    }
}

/// Checks that the words that JSON does not have are errors wherever values get their types.
#[test]
fn words_without_quotes_are_no_values() {
    let sandbox = Sandbox::with(&[("x.json", b"{\"a\": undefined, \"b\": [1,],}\n")]);
    for args in [
        &["get", "."][..],
        &["get", ".a"],
        &["get", "-o", "json", "."],
        &["get", "-r", ".a"],
        &["get", "-p", ".b", "-p", ".a"],
        &["convert"],
        &["convert", "--to", "yaml"],
    ] {
        let run = sandbox.ketch(&[args, &["x.json"]].concat());
        assert!(run.exits_with(1).stderr.contains("the schema has no type"), "{args:?} {run}");
        assert!(run.stderr.contains("x.json:1:7"), "{args:?} {run}");
    }
    // These are extensions of JSON, which only `check` rejects.
    sandbox.ketch(&["get", "-o", "json", ".b", "x.json"]).is(0, "[1]\n", "");
    sandbox.ketch(&["get", "--schema", "core", ".a", "x.json"]).is(0, "undefined\n", "");
}

#[test]
fn edits_of_json_leave_json() {
    let text = "{\n  \"a\": 1,\n  \"l\": [1]\n}\n";
    let sandbox = Sandbox::with(&[("z.json", text.as_bytes())]);
    for args in [
        &["set", ".a", ".inf"][..],
        &["set", ".a", ".nan"],
        &["set", ".a", "~"],
        &["set", ".a", "0x1F"],
        &["set", ".a", "012"],
        &["set", ".a", "!x 1"],
        &["set", ".a", "True"],
        &["set", "--yaml", ".a", "&x 1"],
        &["set", "--yaml", ".a", "1 # c"],
        &["append", ".l", ".5"],
        &["comment", ".a", "c"],
        &["comment", "--trailing", ".a", "c"],
    ] {
        let run = sandbox.ketch(&[args, &["-i", "z.json"]].concat());
        if run.code == Some(0) {
            // The value was written in a spelling that JSON has.
            let new = sandbox.read("z.json");
            assert!(serde_json::from_str::<serde_json::Value>(&new).is_ok(), "{args:?}: {new}");
            sandbox.write("z.json", text.as_bytes());
            continue;
        }
        assert!(run.exits_with(1).stderr.contains("JSON"), "{args:?} {run}");
        assert_eq!(sandbox.read("z.json"), text, "{args:?}");
    }
    for op in ["style, path: [], to: block", "anchor, path: [a], to: x"] {
        sandbox.write("ops", format!("[{{op: {op}}}]").as_bytes());
        let run = sandbox.ketch(&["patch", "--ops", "ops", "z.json"]);
        assert!(run.exits_with(1).stderr.contains("JSON"), "{op} {run}");
    }
    let run = sandbox.ketch(&["set", ".a", ".inf", "z.json"]);
    for word in ["`.inf` is not a number in JSON", "--str", "ketch convert z.json --to yaml"] {
        assert!(run.exits_with(1).stderr.contains(word), "{run}");
    }
    sandbox.ketch(&["set", "-s", ".a", ".inf", "z.json"]).exits_with(0);
    // Text that is not JSON before the edit may have what it wants.
    sandbox.write("y.json", b"{a: 1}\n");
    sandbox.ketch(&["set", ".a", ".inf", "y.json"]).is(0, "{a: .inf}\n", "");
}

#[test]
fn dropped_tags_are_named_once() {
    let sandbox = Sandbox::with(&[
        ("a.yaml", b"a: !!int 1\nb: [!Ref x, !Sub y]\n---\nc: !Ref z\n"),
        ("one.yaml", b"b: !Ref x\n"),
        ("none.yaml", b"a: !!int 1\nb: ! 2\nc: !!set {x}\nd: !!omap []\n"),
    ]);
    for args in [&["convert", "a.yaml"][..], &["get", ".", "-o", "json", "a.yaml"]] {
        let run = sandbox.ketch(args);
        assert_eq!(run.exits_with(0).stderr.matches("warning").count(), 2, "{run}");
        for word in ["`!Ref`", "a.yaml:2:5", "`!Sub`", "a.yaml:2:13", "--unknown-tags error"] {
            assert!(run.stderr.contains(word), "{run}");
        }
    }
    let toml = sandbox.ketch(&["convert", "--to", "toml", "one.yaml"]);
    assert!(toml.exits_with(0).stderr.contains("the tag `!Ref` is not written"), "{toml}");
    for tag in ["!!python/name:x.y", "!!python/object:m.C", "!!python/tuple", "!!foo"] {
        let run = sandbox.ketch_with(&["convert"], format!("b: {tag} x\n").as_bytes());
        let message = format!("the tag `{tag}` is not written");
        assert!(run.exits_with(0).stderr.contains(&message), "{run}");
    }
    let many: String = (1..=12).map(|n| format!("- !t{n} x\n- !t{n} y\n")).collect();
    let run = sandbox.ketch_with(&["convert"], many.as_bytes());
    assert_eq!(run.exits_with(0).stderr.matches("warning").count(), 11, "{run}");
    assert!(run.stderr.contains(": 2 more tags are not written"), "{run}");
    let silent = [
        &["get", ".", "-o", "json", "none.yaml"][..],
        &["convert", "none.yaml"],
        &["convert", "--unknown-tags", "drop", "a.yaml"],
        &["convert", "--to", "yaml", "a.yaml"],
        &["get", ".b", "one.yaml"],
        &["get", ".b", "-r", "one.yaml"],
    ];
    for args in silent {
        let run = sandbox.ketch(args);
        assert_eq!(run.exits_with(0).stderr, "", "{args:?}");
    }
}
