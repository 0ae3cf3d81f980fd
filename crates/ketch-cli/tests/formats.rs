//! Tests inputs and outputs in other formats than YAML, and how they are recognised.

mod common;

use common::Sandbox;

const TOML: &[u8] = b"title = \"a\"\nsize = 1.50\nday = 1979-05-27\n\n[server]\nport = 0x50\n";
const CSV: &[u8] = b"id,name\n1,Ada\n2,\n";

#[test]
fn the_extension_gives_the_format_in_every_subcommand() {
    let sandbox = Sandbox::with(&[
        ("a.toml", TOML),
        ("a.csv", CSV),
        ("a.tsv", b"id\tname\n1\tAda\n"),
        ("a.properties", b"a.b=1\n"),
        (".env", b"A=1\nB='x y'\n"),
        ("a.xml", b"<a><b>1</b></a>"),
        ("a.jsonl", b"{\"a\": 1}\n{\"a\": 2}\n"),
        ("a.ndjson", b"{\"a\": 3}\n"),
    ]);
    for (file, json) in [
        ("a.toml", r#"{"title":"a","size":1.50,"day":"1979-05-27","server":{"port":80}}"#),
        ("a.csv", r#"[{"id":1,"name":"Ada"},{"id":2,"name":null}]"#),
        ("a.tsv", r#"[{"id":1,"name":"Ada"}]"#),
        ("a.properties", r#"{"a.b":"1"}"#),
        (".env", r#"{"A":"1","B":"x y"}"#),
        ("a.xml", r#"{"a":{"b":"1"}}"#),
        ("a.jsonl", "{\"a\":1}\n{\"a\":2}"),
        ("a.ndjson", r#"{"a":3}"#),
    ] {
        sandbox.ketch(&["convert", file]).is(0, &format!("{json}\n"), "");
        sandbox.ketch(&["get", ".", "--to", "json", file]).is(0, &format!("{json}\n"), "");
        sandbox.ketch(&["check", file]).is(0, "", "");
    }
    sandbox.ketch(&["get", ".server.port", "a.toml", "--to", "raw"]).is(0, "0x50\n", "");
    sandbox.ketch(&["get", "@1.a", "a.jsonl", "--to", "raw"]).is(0, "2\n", "");
}

#[test]
fn other_formats_become_block_yaml() {
    let sandbox = Sandbox::with(&[("a.toml", TOML), ("a.json", b"{\"a\": [1, \"x\"]}")]);
    let yaml = "title: a\nsize: 1.50\nday: 1979-05-27\nserver:\n  port: 0x50\n";
    sandbox.ketch(&["convert", "--to", "yaml", "a.toml"]).is(0, yaml, "");
    sandbox.ketch(&["convert", "--to", "yaml", "a.json"]).is(0, "a:\n- 1\n- x\n", "");
    sandbox.ketch(&["convert", "-o", "yaml", "a.json"]).is(0, "a:\n- 1\n- x\n", "");
}

#[test]
fn toml_is_written_exactly() {
    let sandbox = Sandbox::with(&[("a.toml", TOML)]);
    let out = "title = \"a\"\nsize = 1.50\nday = 1979-05-27\n\n[server]\nport = 80\n";
    sandbox.ketch(&["convert", "--to", "toml", "a.toml"]).is(0, out, "");
    let yaml = b"a: {b c: [1, x, {d: 1}], e: {}}\nf: [{g: 1}, {g: '1'}]\nh: [.inf, -.INF, .nan]\ni: \"1979-05-27\"\nj: |\n  x\n  y\n";
    let toml = "h = [inf, -inf, nan]\ni = \"1979-05-27\"\nj = \"\"\"\nx\ny\n\"\"\"\n\n[a]\n\"b c\" = [1, \"x\", { d = 1 }]\n\n[a.e]\n\n[[f]]\ng = 1\n\n[[f]]\ng = \"1\"\n";
    sandbox.ketch_with(&["convert", "--to", "toml"], yaml).is(0, toml, "");
    let back =
        sandbox.ketch_with(&["convert", "--from", "toml", "--non-finite", "text"], toml.as_bytes());
    back.is(0, "{\"h\":[\".inf\",\"-.inf\",\".nan\"],\"i\":\"1979-05-27\",\"j\":\"x\\ny\\n\",\"a\":{\"b c\":[1,\"x\",{\"d\":1}],\"e\":{}},\"f\":[{\"g\":1},{\"g\":\"1\"}]}\n", "");
    for (yaml, message) in [
        ("a: ~\n", "TOML has no null"),
        ("[1]\n", "a file of TOML is a mapping"),
        ("a: 1\n---\na: 2\n", "TOML has one document only"),
        ("a: 12345678901234567890\n", "TOML has no integer as long as"),
    ] {
        let outcome = sandbox.ketch_with(&["convert", "--to", "toml"], yaml.as_bytes());
        assert!(outcome.exits_with(1).stderr.contains(message), "{outcome}");
    }
}

#[test]
fn tables_are_written_with_all_columns() {
    let sandbox = Sandbox::with(&[("a.csv", CSV), ("b.yaml", b"- {id: 3, note: 'a, \"b\"'}\n")]);
    sandbox.ketch(&["convert", "--to", "csv", "a.csv", "b.yaml"]).is(
        0,
        "id,name,note\n1,Ada,\n2,,\n3,,\"a, \"\"b\"\"\"\n",
        "",
    );
    let rows = b"{\"a\": 1.50}\n{\"b\": true}\n";
    sandbox.ketch_with(&["convert", "--from", "json", "--to", "tsv"], rows).is(
        0,
        "a\tb\n1.50\t\n\ttrue\n",
        "",
    );
    sandbox.ketch_with(&["convert", "--to", "csv"], b"[[a, b], [1]]").is(0, "a,b\n1,\n", "");
    let outcome = sandbox.ketch_with(&["convert", "--to", "csv"], b"- a: [1]\n");
    assert!(
        outcome.exits_with(1).stderr.contains("a sequence does not fit into a cell"),
        "{outcome}"
    );
    let outcome = sandbox.ketch_with(&["convert", "--to", "csv"], b"- text\n");
    assert!(
        outcome.exits_with(1).stderr.contains("a row must be a mapping or a sequence"),
        "{outcome}"
    );
}

#[test]
fn content_without_a_name_is_refused_with_the_option_to_give() {
    let sandbox = Sandbox::new();
    for (text, name) in [
        ("id,name\n1,Ada\n", "csv"),
        ("id\tname\n1\tAda\n", "tsv"),
        ("<a><b/></a>\n", "xml"),
        ("A=1\nB=2\n", "env"),
        ("a.b=1\nc.d=x\n", "properties"),
        ("[a]\nb = 1\n", "toml"),
    ] {
        for command in [&["convert"][..], &["get", "."], &["check", "-"]] {
            let outcome = sandbox.ketch_with(command, text.as_bytes());
            let shown = outcome.stderr.clone() + &outcome.stdout;
            assert!(
                outcome.exits_with(1).to_string().contains(&format!("`--from {name}`")),
                "{shown}"
            );
            let named = [command, &["--from", name]].concat();
            sandbox.ketch_with(&named, text.as_bytes()).exits_with(0);
        }
    }
    sandbox.ketch_with(&["convert", "--from", "yaml"], b"a,b\n1,2\n").is(0, "\"a,b 1,2\"\n", "");
    sandbox.ketch_with(&["convert"], b"one text\nover two lines\n").is(
        0,
        "\"one text over two lines\"\n",
        "",
    );
}

#[test]
fn content_without_a_name_may_have_any_encoding() {
    let text = "- {a: 1, b: 2}\n- {a: 3, b: 4}\n";
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let sandbox = Sandbox::new();
    sandbox.ketch_with(&["check", "-"], &wide(&format!("\u{feff}{text}"))).is(0, "", "");
    sandbox.ketch_with(&["get", "[1].b"], &wide(text)).is(0, "4\n", "");
    let table = sandbox.ketch_with(&["check", "-"], &wide("a,b\n1,2\n3,4\n"));
    assert!(table.exits_with(1).stdout.contains("looks like CSV"), "{table}");
}

#[test]
fn mistakes_show_the_line_of_the_file() {
    let sandbox = Sandbox::with(&[
        ("a.toml", b"a = 1\nb = [1\n"),
        ("a.csv", b"a,b\n1\n"),
        ("a.xml", b"<a>\n</b>"),
    ]);
    for (file, place) in [("a.toml", "a.toml:2:5"), ("a.csv", "a.csv:2:1"), ("a.xml", "a.xml:2:")] {
        let outcome = sandbox.ketch(&["check", file]);
        assert!(outcome.exits_with(1).stdout.contains(place), "{outcome}");
    }
}

#[test]
fn a_bare_name_of_a_format_is_the_output_format() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: 1\n"), ("a.json", b"{\"a\": 1}")]);
    sandbox.ketch(&["convert", "-o", "json", "a.yaml"]).is(0, "{\"a\":1}\n", "");
    assert_eq!(sandbox.count(), 2);
    sandbox.ketch(&["convert", "-o", "./json", "a.yaml"]).is(0, "", "");
    assert_eq!(sandbox.read("json"), "{\"a\":1}\n");
    sandbox.ketch(&["convert", "-o", "b.yaml", "a.json"]).is(0, "", "");
    assert_eq!(sandbox.read("b.yaml"), "a: 1\n");
    let outcome = sandbox.ketch(&["convert", "-o", "json", "--to", "yaml", "a.yaml"]);
    assert!(outcome.exits_with(2).stderr.contains("the file is `./json`"), "{outcome}");
}

#[test]
fn merge_keys_are_merged_or_named() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: &a {x: 1}\nb:\n  <<: *a\n  y: 2 # c\n")]);
    let yaml = "a: {x: 1}\nb:\n  x: 1\n  y: 2\n";
    sandbox.ketch(&["convert", "--merge", "--to", "yaml", "a.yaml"]).is(0, yaml, "");
    let outcome = sandbox.ketch(&["convert", "a.yaml"]);
    assert_eq!(outcome.stdout, "{\"a\":{\"x\":1},\"b\":{\"<<\":{\"x\":1},\"y\":2}}\n");
    assert!(
        outcome
            .exits_with(0)
            .stderr
            .contains("warning: `<<` is written as a key\n  --> a.yaml:3:3"),
        "{outcome}"
    );
    assert!(outcome.stderr.contains("`--merge` includes"), "{outcome}");
    for args in [&["-o", "json"][..], &["-r"], &["-o", "toml"]] {
        let outcome = sandbox.ketch(&[&["get", ".", "a.yaml"], args].concat());
        assert!(outcome.stderr.contains("`--merge` includes"), "{outcome}");
    }
    for args in
        [&["-o", "yaml"][..], &[], &["-o", "json", "--merge=off"], &["--keys"], &["-r", "--quiet"]]
    {
        let outcome = sandbox.ketch(&[&["get", ".", "a.yaml"], args].concat());
        assert_eq!(outcome.exits_with(0).stderr, "", "{outcome}");
    }
    for option in ["--merge", "--merge=off"] {
        assert_eq!(sandbox.ketch(&["convert", option, "a.yaml"]).stderr, "");
    }
    sandbox.ketch_with(&["convert"], b"a: '<<'\n\"<<\": {b: 1}\n").is(
        0,
        "{\"a\":\"<<\",\"<<\":{\"b\":1}}\n",
        "",
    );
}

#[test]
fn names_of_formats_that_are_only_read_are_no_outputs() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: 1\n")]);
    for (file, title) in [
        ("o.xml", "XML"),
        ("o.properties", "properties"),
        ("o.env", "environment variables"),
        (".env", "environment variables"),
        ("o.md", "Markdown"),
    ] {
        let run = sandbox.ketch(&["convert", "a.yaml", "-o", file]);
        for word in [title, "JSON, TOML, CSV or TSV", "`--to json`"] {
            assert!(run.exits_with(2).stderr.contains(word), "{run}");
        }
        assert!(!sandbox.path(file).exists(), "{file}");
    }
    sandbox.ketch(&["convert", "a.yaml", "-o", "o.xml", "--to", "json"]).is(0, "", "");
    assert_eq!(sandbox.read("o.xml"), "{\"a\":1}\n");
}

#[test]
fn nothing_is_an_empty_text_without_null() {
    let sandbox = Sandbox::with(&[
        ("a.csv", b"id,zip\n1,\n2,007\n,null\n"),
        ("a.tsv", b"id\tzip\n\t\n"),
        ("a.xml", b"<r><a/><a/><b/></r>"),
        ("a.env", b"A\n"),
    ]);
    let failsafe = |file| sandbox.ketch(&["convert", "--schema", "failsafe", file]);
    let rows = r#"[{"id":"1","zip":""},{"id":"2","zip":"007"},{"id":"","zip":"null"}]"#;
    failsafe("a.csv").is(0, &format!("{rows}\n"), "");
    failsafe("a.tsv").is(0, "[{\"id\":\"\",\"zip\":\"\"}]\n", "");
    failsafe("a.xml").is(0, "{\"r\":{\"a\":[\"\",\"\"],\"b\":\"\"}}\n", "");
    failsafe("a.env").is(0, "{\"A\":\"\"}\n", "");
    sandbox
        .ketch(&["get", ".[0].zip", "--schema", "failsafe", "-o", "json", "a.csv"])
        .is(0, "\"\"\n", "");
    sandbox.ketch(&["get", ".[0].zip", "-o", "json", "a.csv"]).is(0, "null\n", "");
}

#[test]
fn tags_are_dropped_from_values_only() {
    let sandbox = Sandbox::new();
    let text = b"cpus: !override 2\na: !x\n";
    sandbox.ketch_with(&["convert", "--unknown-tags", "drop"], text).is(
        0,
        "{\"cpus\":2,\"a\":null}\n",
        "",
    );
    let keys = b"E_ALL: 1\n!php/const E_ALL: 2\n";
    sandbox.ketch_with(&["get", ".E_ALL", "--to", "raw"], keys).is(0, "1\n", "");
    let outcome = sandbox.ketch_with(&["convert"], keys);
    assert!(outcome.exits_with(1).stderr.contains("duplicate"), "{outcome}");
    let tagged = b"log:\n  !php/const E_ALL: 2\n";
    for path in [".log.E_ALL", ".log[\"E_ALL\"]", ".log.*", "..E_ALL"] {
        sandbox.ketch_with(&["get", path, "--to", "raw"], tagged).is(0, "2\n", "");
    }
    sandbox.ketch_with(&["set", ".log.E_ALL", "3"], tagged).is(
        0,
        "log:\n  !php/const E_ALL: 3\n",
        "",
    );
    let python = b"a: !!python/name:x.y\n";
    sandbox.ketch_with(&["convert", "--unknown-tags", "error"], python).exits_with(1);
}

#[test]
fn an_unknown_option_is_not_a_pattern() {
    let sandbox = Sandbox::with(&[("a.log", b"--x\n")]);
    for command in [["match", "--ignorecase", "a.log"], ["grok", "--nosuch", "a.log"]] {
        let outcome = sandbox.ketch(&command);
        assert!(outcome.exits_with(2).stderr.contains(command[1]), "{outcome}");
    }
    sandbox.ketch(&["match", "--", "--x", "a.log"]).is(0, "--x\n", "");
}

#[test]
fn several_json_texts_without_a_name_are_refused() {
    let sandbox = Sandbox::new();
    let texts = b"{\"a\": 1}\n{\"a\": 2}\n";
    let outcome = sandbox.ketch_with(&["get", ".a"], texts);
    assert!(outcome.exits_with(1).stderr.contains("`--from json`"), "{outcome}");
    sandbox.ketch_with(&["get", ".a", "--from", "json"], texts).is(0, "1\n2\n", "");
}

#[test]
fn an_output_in_place_of_an_input_is_named() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: 1\n")]);
    let outcome = sandbox.ketch(&["convert", "a.yaml", "a.json"]);
    assert!(
        outcome.exits_with(2).stderr.contains("`ketch convert a.yaml -o a.json` writes one"),
        "{outcome}"
    );
    assert_eq!(outcome.stdout, "");
}

#[test]
fn a_list_becomes_lines_in_a_file_of_json_lines() {
    let sandbox = Sandbox::with(&[("a.csv", CSV), ("l.yaml", b"[]\n---\n[1, [2]]\n---\na: [3]\n")]);
    for (args, expected) in [
        (
            &["a.csv", "-o", "out.jsonl"][..],
            "{\"id\":1,\"name\":\"Ada\"}\n{\"id\":2,\"name\":null}\n",
        ),
        (&["l.yaml", "--to", "json", "-o", "out.NDJSON"], "1\n[2]\n{\"a\":[3]}\n"),
        (&["l.yaml", "-o", "out.json"], "[]\n[1,[2]]\n{\"a\":[3]}\n"),
    ] {
        sandbox.ketch(&[&["convert"], args].concat()).is(0, "", "");
        assert_eq!(sandbox.read(args[args.len() - 1]), expected);
    }
}

#[test]
fn edits_refuse_other_formats() {
    let sandbox = Sandbox::with(&[("a.csv", CSV), (".env", b"A=1\n")]);
    for (file, title) in [("a.csv", "CSV"), (".env", "environment variables")] {
        let outcome = sandbox.ketch(&["set", "-i", ".a", "1", file]);
        assert!(outcome.exits_with(1).stderr.contains(&format!("this is {title}")), "{outcome}");
    }
}

#[test]
fn json_lines_are_read_or_refused() {
    let text = b"{\"a\": 1}\n{\"a\": 2}\n";
    let sandbox = Sandbox::with(&[("a.jsonl", text), ("b.ndjson", text), ("c.toml", b"a = 1\n")]);
    for file in ["a.jsonl", "b.ndjson"] {
        sandbox.ketch(&["get", ".a", file]).is(0, "1\n2\n", "");
        sandbox.ketch(&["check", file]).is(0, "", "");
        sandbox.ketch(&["convert", file, "-o", "yaml"]).is(0, "a: 1\n---\na: 2\n", "");
        let run = sandbox.ketch(&["events", file]);
        assert_eq!(run.exits_with(0).stdout.matches("+DOC").count(), 2, "{run}");
        for args in [
            &["fmt", file][..],
            &["set", ".a", "3", "-i", file],
            &["split", file],
            &["collect", file, "x.yaml"],
        ] {
            let run = sandbox.ketch(args);
            assert!(run.exits_with(1).stderr.contains("this is several JSON texts"), "{run}");
            assert!(run.stderr.contains(&format!("`ketch convert {file} --to yaml`")), "{run}");
        }
        assert_eq!(sandbox.read(file).as_bytes(), text);
    }
    for args in [&["events", "c.toml"][..], &["split", "c.toml"], &["collect", "c.toml"]] {
        assert!(sandbox.ketch(args).exits_with(1).stderr.contains("this is TOML"), "{args:?}");
    }
}
