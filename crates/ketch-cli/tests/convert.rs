//! Tests of `ketch convert`: outputs, files, and statistics.

mod common;

use common::Sandbox;
use std::fs;
use std::io::Read;
use std::process::Stdio;

#[test]
fn each_input_is_a_stream_of_events() {
    let sandbox = Sandbox::with(&[("a", b"1\n"), ("b", b"2\n")]);
    let stream = |value| format!("+STR\n+DOC\n=VAL :{value}\n-DOC\n-STR\n");
    let both = stream(1) + &stream(2);
    sandbox.ketch(&["convert", "--to", "events", "a", "b"]).is(0, &both, "");
    sandbox.ketch_with(&["convert", "--to", "events", "a", "-"], b"2\n").is(0, &both, "");
    sandbox.ketch_with(&["convert", "--to", "events"], b"2\n").is(0, &stream(2), "");
}

#[test]
fn valid_inputs_are_converted_despite_an_invalid_one() {
    let sandbox = Sandbox::with(&[("bad", b"]"), ("good", b"2\n")]);
    let run = sandbox.ketch(&["convert", "--to", "events", "bad", "good"]);
    assert_eq!(run.exits_with(1).stdout, "+STR\n+DOC\n+STR\n+DOC\n=VAL :2\n-DOC\n-STR\n", "{run}");
    assert_eq!(run.stderr.matches("error:").count(), 1, "{run}");
    let run = sandbox.ketch(&["convert", "--to", "events", "missing", "good", "bad"]);
    assert_eq!(run.exits_with(3).stderr.matches("error:").count(), 2, "{run}");
}

#[test]
fn statistics_count_documents_and_bytes() {
    let sandbox = Sandbox::with(&[("a", b"- 1\n- 2\n"), ("b", b"--- 1\n--- 2\n")]);
    let run = sandbox.ketch(&["convert", "--to", "events", "--stats", "a", "b"]);
    let start = "2 files, 20 B, 3 documents, 12 events in ";
    assert!(run.exits_with(0).stderr.starts_with(start), "{run}");
    assert!(run.stderr.ends_with(" MB/s)\n"), "{run}");
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let sandbox = Sandbox::with(&[("good", b"1\n"), ("bad", b"]"), ("out", b"old")]);
    sandbox.ketch(&["convert", "--to", "events", "good", "bad", "-o", "out"]).exits_with(1);
    assert_eq!((sandbox.read("out").as_str(), sandbox.count()), ("old", 3));
    sandbox.ketch(&["convert", "--to", "events", "good", "-o", "out"]).is(0, "", "");
    assert_eq!(sandbox.read("out"), "+STR\n+DOC\n=VAL :1\n-DOC\n-STR\n");
    // The output may also be the input itself, or a new file.
    sandbox.ketch(&["convert", "--to", "events", "good", "-o", "good"]).is(0, "", "");
    assert_eq!(sandbox.read("good"), "+STR\n+DOC\n=VAL :1\n-DOC\n-STR\n");
    sandbox.ketch(&["convert", "--to", "events", "out", "-o", "new"]).exits_with(0);
    assert_eq!(sandbox.count(), 4);
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let sandbox = Sandbox::with(&[("a", b"1\n")]);
    let run = sandbox.ketch(&["convert", "--to", "events", "a", "-o", "no/such/directory"]);
    assert!(run.exits_with(3).stderr.contains("no/such/directory: could not be written"), "{run}");
    let run = sandbox.ketch(&["convert", "--to", "events", "a", "-o", "."]);
    assert!(run.exits_with(3).stderr.contains(".: could not be written: is a directory"), "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let sandbox = Sandbox::with(&[("a", b"1\n")]);
    let mut command = sandbox.command(&["convert", "--to", "events", "a"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = command.stdout(full).output().expect("the command runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.starts_with("error: <stdout>: could not be written: "), "{stderr}");
    let run = sandbox.ketch(&["convert", "--to", "events", "a", "-o", "/dev/full"]);
    assert!(run.exits_with(3).stderr.contains("/dev/full: could not be written"), "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let sandbox = Sandbox::new();
    for args in [&["--help"][..], &["--version"], &["get", "--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let output = sandbox.command(args).stdout(full).output().expect("the command runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: <stdout>: could not be written: "), "{stderr}");
        assert_eq!(sandbox.ketch(args).exits_with(0).stderr, "");
    }
}

#[test]
fn at_most_one_schema_of_each_kind_is_accepted() {
    let schema = b"message m = { a : int }";
    let sandbox = Sandbox::with(&[("a", b"a: 0x1F\n"), ("m.proto", schema), ("n.proto", schema)]);
    for two in [["core", "yaml11"], ["m.proto", "n.proto"], ["m.proto", "m.proto"]] {
        let run = sandbox.ketch(&["convert", "a", "--schema", two[0], "--schema", two[1]]);
        assert!(run.exits_with(2).stderr.contains("not two of a kind"), "{run}");
    }
    for two in [["core", "m.proto"], ["m.proto", "core"]] {
        let run = sandbox.ketch(&["convert", "a", "--schema", two[0], "--schema", two[1]]);
        assert_eq!(run.exits_with(0).stdout, "{\"a\":31}\n");
    }
}

#[test]
fn a_template_that_reads_as_yaml_is_named() {
    let sandbox = Sandbox::new();
    let cases = [
        ("{\"a\": {{ x }}}", "`{{ x }}` is a template expression", "`{\"a\": \"{{ x }}\"}`"),
        ("[{{ x }}, 1]", "`{{ x }}` is a template expression", "`[\"{{ x }}\", 1]`"),
        ("{\"a\": <%= x %>}", "`<%= x %>` is ERB template code", "`{\"a\": \"<%= x %>\"}`"),
    ];
    for (text, message, help) in cases {
        let run = sandbox.ketch_with(&["convert", "--from", "json"], text.as_bytes());
        assert!(
            run.exits_with(1).stderr.starts_with(&format!("error: {message}, not YAML\n")),
            "{run}"
        );
        assert!(run.stderr.contains(&format!("quotes: {help}.")), "{run}");
    }
    // A template may also be the value of a key.
    let run = sandbox.ketch_with(&["convert"], b"a: 1\nb: {{ x }}\n").exits_with(1).stderr.clone();
    assert!(run.contains("`b: \"{{ x }}\"`"), "{run}");
    // This key is a mapping, but does not look like a template.
    let run = sandbox.ketch_with(&["convert"], b"{{a: b}: c}\n").exits_with(1).stderr.clone();
    assert!(run.starts_with("error: JSON cannot hold this value\n"), "{run}");
    assert!(run.contains("JSON keys must be strings"), "{run}");
}

#[test]
fn json_has_one_document_per_line() {
    let yaml = b"a: [1, 0x1F, ~, 'x']\n---\n!!str 2\n--- \n...\n--- {b: c}\n";
    let json = "{\"a\":[1,31,null,\"x\"]}\n\"2\"\nnull\n{\"b\":\"c\"}\n";
    let sandbox = Sandbox::with(&[("a.yaml", yaml), ("empty", b"# nothing\n")]);
    sandbox.ketch(&["convert", "a.yaml"]).is(0, json, "");
    sandbox.ketch(&["convert", "--to", "json", "a.yaml", "empty", "a.yaml"]).is(
        0,
        &json.repeat(2),
        "",
    );
    sandbox.ketch_with(&["convert"], yaml).is(0, json, "");
}

#[test]
fn pretty_json_is_indented() {
    let sandbox = Sandbox::with(&[("a", b"a: [1, {}]\nb: []\n--- 2\n")]);
    let json = "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}\n2\n";
    sandbox.ketch(&["convert", "--pretty", "a"]).is(0, json, "");
}

#[test]
fn schemas_merging_and_duplicate_keys_are_options() {
    let sandbox = Sandbox::with(&[
        ("no", b"- NO\n- 0777\n"),
        ("merge", b"a: &a {x: 1}\nb: {<<: *a, y: 2}\n"),
        ("twice", b"a: 1\na: 2\n"),
    ]);
    sandbox.ketch(&["convert", "no"]).is(0, "[\"NO\",777]\n", "");
    sandbox.ketch(&["convert", "--schema", "yaml11", "no"]).is(0, "[false,511]\n", "");
    sandbox.ketch(&["convert", "--schema", "failsafe", "no"]).is(0, "[\"NO\",\"0777\"]\n", "");
    let plain = "{\"a\":{\"x\":1},\"b\":{\"<<\":{\"x\":1},\"y\":2}}\n";
    sandbox.ketch(&["convert", "--merge=off", "merge"]).is(0, plain, "");
    sandbox.ketch(&["convert", "--schema", "yaml11", "--merge=off", "merge"]).is(0, plain, "");
    for args in [&["--merge"][..], &["--merge=on"], &["--schema", "yaml11"]] {
        let run = sandbox.ketch(&[&["convert"], args, &["merge"]].concat());
        assert!(
            run.exits_with(0).stdout.contains("\"x\":1") && !run.stdout.contains("<<"),
            "{run}"
        );
    }
    sandbox.ketch(&["convert", "--duplicate-keys", "first", "twice"]).is(0, "{\"a\":1}\n", "");
    sandbox.ketch(&["convert", "--duplicate-keys", "last", "twice"]).is(0, "{\"a\":2}\n", "");
    let run = sandbox.ketch(&["convert", "twice"]);
    assert!(run.exits_with(1).stderr.contains("with the option `--duplicate-keys`"), "{run}");
}

#[test]
fn values_that_json_lacks_follow_the_options() {
    let sandbox =
        Sandbox::with(&[("inf", b"--- 1\n--- [0, .inf]\n--- 2\n"), ("tag", b"!point [1, 2]\n")]);
    let run = sandbox.ketch(&["convert", "inf"]);
    // The document before the invalid one is written, but nothing of the invalid one.
    assert_eq!(run.exits_with(1).stdout, "1\n", "{run}");
    assert!(run.stderr.contains("--> inf:2:9\n"), "{run}");
    sandbox.ketch(&["convert", "--non-finite", "text", "inf"]).is(0, "1\n[0,\".inf\"]\n2\n", "");
    sandbox.ketch(&["convert", "--unknown-tags", "drop", "tag"]).is(0, "[1,2]\n", "");
    sandbox.ketch(&["convert", "--unknown-tags", "error", "tag"]).exits_with(1);
}

#[test]
fn documents_before_an_error_are_written() {
    let yaml = [b"a: 1\n---\n".repeat(1000), b"b: \"cut".to_vec()].concat();
    let sandbox = Sandbox::with(&[("a", &yaml)]);
    for run in [sandbox.ketch(&["convert", "a"]), sandbox.ketch_with(&["convert"], &yaml)] {
        assert_eq!(run.exits_with(1).stdout, "{\"a\":1}\n".repeat(1000));
        assert!(run.stderr.contains(":2001:"), "{}", run.stderr);
    }
}

#[test]
fn expansion_of_aliases_is_limited() {
    let mut laughs = "l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*l{}", level - 1); 9].join(", ");
        laughs += &format!("l{level}: &l{level} [{aliases}]\n");
    }
    let sandbox = Sandbox::with(&[("laughs", laughs.as_bytes()), ("two", b"[&a [1], *a]")]);
    let run = sandbox.ketch(&["convert", "laughs"]);
    assert!(run.exits_with(1).stderr.contains("raise `--max-alias-nodes`"), "{run}");
    sandbox.ketch(&["convert", "two"]).is(0, "[[1],[1]]\n", "");
    sandbox.ketch(&["convert", "--max-alias-nodes", "1", "two"]).exits_with(1);
    let many = sandbox.ketch_with(&["convert", "--max-nodes", "1000"], &b"- 1\n".repeat(100_000));
    assert!(many.exits_with(1).stderr.contains("Raise `--max-nodes`"), "{many}");
}

#[test]
fn numbers_keep_all_their_digits() {
    let sandbox = Sandbox::new();
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
        sandbox.ketch_with(&options, text.as_bytes()).is(0, &format!("{want}\n"), "");
    }
    for text in [long, "1e400", "-0", "1.50"] {
        let json = ["convert", "--from", "json"];
        sandbox.ketch_with(&json, text.as_bytes()).is(0, &format!("{text}\n"), "");
    }
    let yaml = ["convert", "--from", "json", "--to", "yaml"];
    sandbox.ketch_with(&yaml, long.as_bytes()).is(0, &format!("{long}\n"), "");
    // The number is written with the point and the sign that readers of YAML 1.1 need.
    sandbox.ketch_with(&yaml, b"1e400").is(0, "1.0e+400\n", "");
    let run = sandbox.ketch_with(&["convert", "-"], b".inf");
    assert!(run.exits_with(1).stderr.contains("`--non-finite text`"), "{run}");
    let run = sandbox.ketch_with(&["convert", "--unknown-tags", "error", "-"], b"!a b");
    assert!(run.exits_with(1).stderr.contains("`--unknown-tags drop`"), "{run}");
    let run = sandbox.ketch_with(&["convert", "-"], b"? [a]\n: b");
    assert!(run.exits_with(1).stderr.contains("key") && !run.stderr.contains("option"), "{run}");
}

#[test]
fn errors_in_pipes_show_the_whole_line() {
    let sandbox = Sandbox::new();
    let cases: [&[u8]; 5] = [
        b"a: [\n",
        b"ok: 1\n---\n  deep: {b: [1, 2\n",
        b"x: 1\n---\n  a: 1\n  a: 2\n",
        b"x: 1\n--- \n  first: *none\n",
        b"- - key: !!int x\n",
    ];
    for text in cases {
        sandbox.write("file", text);
        for command in ["check", "convert", "events", "fmt"] {
            let from = |name| vec![command, name];
            let (file, pipe) = (sandbox.ketch(&from("file")), sandbox.ketch_with(&from("-"), text));
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
    let sandbox =
        Sandbox::with(&[("a.json", b"{\"a\": 1}\n   {\"b\" 2}\n"), ("b.json", b"[1] \t[2 3]\n")]);
    let run = sandbox.ketch(&["convert", "--from", "json", "a.json"]);
    assert!(run.exits_with(1).stderr.contains("\n2 |    {\"b\" 2}\n  |     --- ^"), "{run}");
    let run = sandbox.ketch(&["convert", "--from", "json", "b.json"]);
    assert!(run.exits_with(1).stderr.contains("1 | [1]     [2 3]\n"), "{run}");
    assert!(run.stderr.contains("b.json:1:7"), "{run}");
}

/// A long document in a file is converted while it is read, and one from a pipe is not.
#[test]
fn long_documents_become_the_same_json_in_files_and_pipes() {
    let sandbox = Sandbox::new();
    let start: String = (0..3000).map(|i| format!("key {i}: [{i}, 'x', {{a: b}}]\n")).collect();
    let ends = [
        "end: |\n  text\n",
        "7: a\n8: b\n",
        "7: a\n'7': b\n",
        "7: a\n0x7: b\n",
        "key 7: 1\n",
        "a: &a [1]\nb: 1\n",
        "a: &a [1]\nb: *a\n",
        "a: &a {b: c}\n<<: *a\n",
        "a: !t 1\n",
        "a: !!int x\n",
        "a: .inf\n",
        "? [a]\n: b\n",
        "a: *b\n",
        "a: [\n",
        "a: 1\n---\nb: c\n",
        "a: 1\n---\nb: *c\n",
        "a: 1\n---\nb: !t 2\n---\n- c\n",
    ];
    let options: [&[&str]; 5] = [
        &[],
        &["--pretty", "--non-finite", "text"],
        &["--duplicate-keys", "first"],
        &["--duplicate-keys", "last", "--schema", "yaml11"],
        &["--from", "json"],
    ];
    for end in ends {
        let text = format!("{start}{end}");
        sandbox.write("long.yaml", text.as_bytes());
        for options in options {
            let run = |file| [&["convert", "--to", "json"], options, &[file]].concat();
            let file = sandbox.ketch(&run("long.yaml"));
            let pipe = sandbox.ketch_with(&run("-"), text.as_bytes());
            let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
            assert_eq!(file.stdout, pipe.stdout, "{end} {options:?}");
            assert_eq!(first(&file.stderr), first(&pipe.stderr), "{end} {options:?}");
            assert_eq!(file.code, pipe.code, "{end} {options:?}\n{}", file.stderr);
            let [code, output] =
                [file.code, sandbox.ketch(&[&run("long.yaml")[..], &["-o", "out"]].concat()).code];
            assert_eq!((code, sandbox.path("out").exists()), (output, code == Some(0)), "{end}");
            let _ = fs::remove_file(sandbox.path("out"));
        }
    }
}

/// A long document with a merge key at its end is read twice, after its start has been written.
#[test]
fn a_file_that_changes_before_it_is_read_again_is_an_error() {
    let text = "- key: value of some length\n".repeat(200_000) + "- <<: {y: 1}\n";
    for (is_there, reason) in [(true, "it was changed while it was read"), (false, "")] {
        let sandbox = Sandbox::with(&[("a.yaml", text.as_bytes()), ("b.yaml", b"z: 1\n")]);
        let mut command = sandbox.command(&["convert", "--to", "json", "a.yaml"]);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command");
        // It has written its first part, and waits until there is room for the rest.
        let mut out = child.stdout.take().unwrap();
        let mut written = vec![0; 1];
        out.read_exact(&mut written).unwrap();
        match is_there {
            true => fs::rename(sandbox.path("b.yaml"), sandbox.path("a.yaml")).unwrap(),
            false => fs::remove_file(sandbox.path("a.yaml")).unwrap(),
        }
        out.read_to_end(&mut written).unwrap();
        let ended = child.wait_with_output().unwrap();
        let message = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(3), "{message}");
        assert!(message.contains("a.yaml") && message.contains(reason), "{message}");
        assert!(written.ends_with(b"\n") && !written.ends_with(b"]\n"));
    }
}
