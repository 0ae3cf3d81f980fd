//! `ketch convert`: outputs, files, statistics.

mod common;

use common::Place;
use std::fs;

#[test]
fn each_input_is_a_stream_of_events() {
    let place = Place::with(&[("a", b"1\n"), ("b", b"2\n")]);
    let stream = |value| format!("+STR\n+DOC\n=VAL :{value}\n-DOC\n-STR\n");
    let both = stream(1) + &stream(2);
    place.ketch(&["convert", "--to", "events", "a", "b"]).is(0, &both, "");
    place.ketch_with(&["convert", "--to", "events", "a", "-"], b"2\n").is(0, &both, "");
    place.ketch_with(&["convert", "--to", "events"], b"2\n").is(0, &stream(2), "");
}

#[test]
fn valid_inputs_are_converted_despite_an_invalid_one() {
    let place = Place::with(&[("bad", b"]"), ("good", b"2\n")]);
    let ran = place.ketch(&["convert", "--to", "events", "bad", "good"]);
    assert_eq!(ran.ends(1).stdout, "+STR\n+DOC\n+STR\n+DOC\n=VAL :2\n-DOC\n-STR\n", "{ran}");
    assert_eq!(ran.stderr.matches("error:").count(), 1, "{ran}");
    let ran = place.ketch(&["convert", "--to", "events", "missing", "good", "bad"]);
    assert_eq!(ran.ends(3).stderr.matches("error:").count(), 2, "{ran}");
}

#[test]
fn statistics_count_documents_and_bytes() {
    let place = Place::with(&[("a", b"- 1\n- 2\n"), ("b", b"--- 1\n--- 2\n")]);
    let ran = place.ketch(&["convert", "--to", "events", "--stats", "a", "b"]);
    let start = "2 files, 20 B, 3 documents, 12 events in ";
    assert!(ran.ends(0).stderr.starts_with(start), "{ran}");
    assert!(ran.stderr.ends_with(" MB/s)\n"), "{ran}");
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let place = Place::with(&[("good", b"1\n"), ("bad", b"]"), ("out", b"old")]);
    place.ketch(&["convert", "--to", "events", "good", "bad", "-o", "out"]).ends(1);
    assert_eq!((place.read("out").as_str(), place.count()), ("old", 3));
    place.ketch(&["convert", "--to", "events", "good", "-o", "out"]).is(0, "", "");
    assert_eq!(place.read("out"), "+STR\n+DOC\n=VAL :1\n-DOC\n-STR\n");
    // The output may also replace its own input, or be a new file.
    place.ketch(&["convert", "--to", "events", "good", "-o", "good"]).is(0, "", "");
    assert_eq!(place.read("good"), "+STR\n+DOC\n=VAL :1\n-DOC\n-STR\n");
    place.ketch(&["convert", "--to", "events", "out", "-o", "new"]).ends(0);
    assert_eq!(place.count(), 4);
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let place = Place::with(&[("a", b"1\n")]);
    let ran = place.ketch(&["convert", "--to", "events", "a", "-o", "no/such/directory"]);
    assert!(ran.ends(3).stderr.contains("no/such/directory: could not be written"), "{ran}");
    let ran = place.ketch(&["convert", "--to", "events", "a", "-o", "."]);
    assert!(ran.ends(3).stderr.contains(".: could not be written: is a directory"), "{ran}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = Place::with(&[("a", b"1\n")]);
    let mut command = place.command(&["convert", "--to", "events", "a"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = command.stdout(full).output().expect("the command runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.starts_with("error: <stdout>: could not be written: "), "{stderr}");
    let ran = place.ketch(&["convert", "--to", "events", "a", "-o", "/dev/full"]);
    assert!(ran.ends(3).stderr.contains("/dev/full: could not be written"), "{ran}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    for args in [&["--help"][..], &["--version"], &["get", "--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let output = place.command(args).stdout(full).output().expect("the command runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: <stdout>: could not be written: "), "{stderr}");
        assert_eq!(place.ketch(args).ends(0).stderr, "");
    }
}

#[test]
fn at_most_one_schema_of_each_kind_is_accepted() {
    let schema = b"message m = { a : int }";
    let place = Place::with(&[("a", b"a: 0x1F\n"), ("m.proto", schema), ("n.proto", schema)]);
    for two in [["core", "yaml11"], ["m.proto", "n.proto"], ["m.proto", "m.proto"]] {
        let ran = place.ketch(&["convert", "a", "--schema", two[0], "--schema", two[1]]);
        assert!(ran.ends(2).stderr.contains("not two of a kind"), "{ran}");
    }
    for two in [["core", "m.proto"], ["m.proto", "core"]] {
        let ran = place.ketch(&["convert", "a", "--schema", two[0], "--schema", two[1]]);
        assert_eq!(ran.ends(0).stdout, "{\"a\":31}\n");
    }
}

#[test]
fn a_template_that_reads_as_yaml_is_named() {
    let place = Place::new();
    let cases = [
        ("{\"a\": {{ x }}}", "`{{ x }}` is a template expression", "`{\"a\": \"{{ x }}\"}`"),
        ("[{{ x }}, 1]", "`{{ x }}` is a template expression", "`[\"{{ x }}\", 1]`"),
        ("{\"a\": <%= x %>}", "`<%= x %>` is ERB template code", "`{\"a\": \"<%= x %>\"}`"),
    ];
    for (text, message, help) in cases {
        let ran = place.ketch_with(&["convert", "--from", "json"], text.as_bytes());
        assert!(ran.ends(1).stderr.starts_with(&format!("error: {message}, not YAML\n")), "{ran}");
        assert!(ran.stderr.contains(&format!("quotes: {help}.")), "{ran}");
    }
    // A template may also be the value of a key.
    let ran = place.ketch_with(&["convert"], b"a: 1\nb: {{ x }}\n").ends(1).stderr.clone();
    assert!(ran.contains("`b: \"{{ x }}\"`"), "{ran}");
    // A mapping as a key that nobody takes for a template.
    let ran = place.ketch_with(&["convert"], b"{{a: b}: c}\n").ends(1).stderr.clone();
    assert!(ran.starts_with("error: JSON cannot hold this value\n"), "{ran}");
    assert!(ran.contains("JSON keys must be strings"), "{ran}");
}

#[test]
fn json_has_one_document_per_line() {
    let yaml = b"a: [1, 0x1F, ~, 'x']\n---\n!!str 2\n--- \n...\n--- {b: c}\n";
    let json = "{\"a\":[1,31,null,\"x\"]}\n\"2\"\nnull\n{\"b\":\"c\"}\n";
    let place = Place::with(&[("a.yaml", yaml), ("empty", b"# nothing\n")]);
    place.ketch(&["convert", "a.yaml"]).is(0, json, "");
    place.ketch(&["convert", "--to", "json", "a.yaml", "empty", "a.yaml"]).is(
        0,
        &json.repeat(2),
        "",
    );
    place.ketch_with(&["convert"], yaml).is(0, json, "");
}

#[test]
fn pretty_json_is_indented() {
    let place = Place::with(&[("a", b"a: [1, {}]\nb: []\n--- 2\n")]);
    let json = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}\n2\n";
    place.ketch(&["convert", "--pretty", "a"]).is(0, json, "");
}

#[test]
fn schemas_merging_and_duplicate_keys_are_options() {
    let place = Place::with(&[
        ("no", b"- NO\n- 0777\n"),
        ("merge", b"a: &a {x: 1}\nb: {<<: *a, y: 2}\n"),
        ("twice", b"a: 1\na: 2\n"),
    ]);
    place.ketch(&["convert", "no"]).is(0, "[\"NO\",777]\n", "");
    place.ketch(&["convert", "--schema", "yaml11", "no"]).is(0, "[false,511]\n", "");
    place.ketch(&["convert", "--schema", "failsafe", "no"]).is(0, "[\"NO\",\"0777\"]\n", "");
    let plain = "{\"a\":{\"x\":1},\"b\":{\"<<\":{\"x\":1},\"y\":2}}\n";
    place.ketch(&["convert", "merge"]).is(0, plain, "");
    place.ketch(&["convert", "--schema", "yaml11", "--merge=off", "merge"]).is(0, plain, "");
    for args in [&["--merge"][..], &["--merge=on"], &["--schema", "yaml11"]] {
        let ran = place.ketch(&[&["convert"], args, &["merge"]].concat());
        assert!(ran.ends(0).stdout.contains("\"x\":1") && !ran.stdout.contains("<<"), "{ran}");
    }
    place.ketch(&["convert", "--duplicate-keys", "first", "twice"]).is(0, "{\"a\":1}\n", "");
    place.ketch(&["convert", "--duplicate-keys", "last", "twice"]).is(0, "{\"a\":2}\n", "");
    let ran = place.ketch(&["convert", "twice"]);
    assert!(ran.ends(1).stderr.contains("with the option `--duplicate-keys`"), "{ran}");
}

#[test]
fn values_that_json_lacks_follow_the_options() {
    let place =
        Place::with(&[("inf", b"--- 1\n--- [0, .inf]\n--- 2\n"), ("tag", b"!point [1, 2]\n")]);
    let ran = place.ketch(&["convert", "inf"]);
    // The document before it is written, and nothing of the invalid one.
    assert_eq!(ran.ends(1).stdout, "1\n", "{ran}");
    assert!(ran.stderr.contains("--> inf:2:9\n"), "{ran}");
    place.ketch(&["convert", "--non-finite", "text", "inf"]).is(0, "1\n[0,\".inf\"]\n2\n", "");
    place.ketch(&["convert", "tag"]).is(0, "[1,2]\n", "");
    place.ketch(&["convert", "--unknown-tags", "error", "tag"]).ends(1);
}

#[test]
fn documents_before_an_error_are_written() {
    let yaml = [b"a: 1\n---\n".repeat(1000), b"b: \"cut".to_vec()].concat();
    let place = Place::with(&[("a", &yaml)]);
    for ran in [place.ketch(&["convert", "a"]), place.ketch_with(&["convert"], &yaml)] {
        assert_eq!(ran.ends(1).stdout, "{\"a\":1}\n".repeat(1000));
        assert!(ran.stderr.contains(":2001:"), "{}", ran.stderr);
    }
}

#[test]
fn expansion_of_aliases_is_limited() {
    let mut laughs = "l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*l{}", level - 1); 9].join(", ");
        laughs += &format!("l{level}: &l{level} [{aliases}]\n");
    }
    let place = Place::with(&[("laughs", laughs.as_bytes()), ("two", b"[&a [1], *a]")]);
    let ran = place.ketch(&["convert", "laughs"]);
    assert!(ran.ends(1).stderr.contains("raise `--max-alias-nodes`"), "{ran}");
    place.ketch(&["convert", "two"]).is(0, "[[1],[1]]\n", "");
    place.ketch(&["convert", "--max-alias-nodes", "1", "two"]).ends(1);
    let many = place.ketch_with(&["convert", "--max-nodes", "1000"], &b"- 1\n".repeat(100_000));
    assert!(many.ends(1).stderr.contains("Raise `--max-nodes`"), "{many}");
}

#[test]
fn numbers_keep_all_their_digits() {
    let place = Place::new();
    let long = "0.1234567890123456789012345";
    for (text, schema, want) in [
        (long, "core", long),
        ("1e400", "core", "1e400"),
        ("-1E+3", "core", "-1E+3"),
        ("1.50", "core", "1.50"),
        ("-0", "core", "-0"),
        ("+1", "core", "1"),
        (".5", "core", "0.5"),
        ("1.", "core", "1.0"),
        ("0x10", "core", "16"),
        ("0o7", "core", "7"),
        ("1_000", "yaml11", "1000"),
        ("1_000.5_0", "yaml11", "1000.50"),
        ("190:20:30.15", "yaml11", "685230.15"),
        ("{1.50: 1e999}", "core", "{\"1.50\":1e999}"),
    ] {
        let options = ["convert", "--schema", schema, "-"];
        place.ketch_with(&options, text.as_bytes()).is(0, &format!("{want}\n"), "");
    }
    for text in [long, "1e400", "-0", "1.50"] {
        let json = ["convert", "--from", "json"];
        place.ketch_with(&json, text.as_bytes()).is(0, &format!("{text}\n"), "");
    }
    let yaml = ["convert", "--from", "json", "--to", "yaml"];
    place.ketch_with(&yaml, long.as_bytes()).is(0, &format!("{long}\n"), "");
    // The number gets the dot and the sign that readers of YAML 1.1 need.
    place.ketch_with(&yaml, b"1e400").is(0, "1.0e+400\n", "");
    let ran = place.ketch_with(&["convert", "-"], b".inf");
    assert!(ran.ends(1).stderr.contains("`--non-finite text`"), "{ran}");
    let ran = place.ketch_with(&["convert", "--unknown-tags", "error", "-"], b"!a b");
    assert!(ran.ends(1).stderr.contains("`--unknown-tags drop`"), "{ran}");
    let ran = place.ketch_with(&["convert", "-"], b"? [a]\n: b");
    assert!(ran.ends(1).stderr.contains("key") && !ran.stderr.contains("option"), "{ran}");
}

#[test]
fn errors_in_pipes_show_the_whole_line() {
    let place = Place::new();
    let cases: [&[u8]; 5] = [
        b"a: [\n",
        b"ok: 1\n---\n  deep: {b: [1, 2\n",
        b"x: 1\n---\n  a: 1\n  a: 2\n",
        b"x: 1\n--- \n  first: *none\n",
        b"- - key: !!int x\n",
    ];
    for text in cases {
        place.write("file", text);
        for command in ["check", "convert", "events", "fmt"] {
            let from = |name| vec![command, name];
            let (file, pipe) = (place.ketch(&from("file")), place.ketch_with(&from("-"), text));
            let of_file = format!("{}{}", file.stdout, file.stderr).replace("file:", "<stdin>:");
            let of_pipe = format!("{}{}", pipe.stdout, pipe.stderr);
            if command != "fmt" || file.code != Some(0) {
                assert_eq!(of_pipe, of_file, "{command} {}", String::from_utf8_lossy(text));
            }
        }
    }
}

#[test]
fn an_error_in_json_shows_the_unchanged_line() {
    let place =
        Place::with(&[("a.json", b"{\"a\": 1}\n   {\"b\" 2}\n"), ("b.json", b"[1] \t[2 3]\n")]);
    let ran = place.ketch(&["convert", "--from", "json", "a.json"]);
    assert!(ran.ends(1).stderr.contains("\n2 |    {\"b\" 2}\n  |     --- ^"), "{ran}");
    let ran = place.ketch(&["convert", "--from", "json", "b.json"]);
    assert!(ran.ends(1).stderr.contains("1 | [1]     [2 3]\n"), "{ran}");
    assert!(ran.stderr.contains("b.json:1:7"), "{ran}");
}
