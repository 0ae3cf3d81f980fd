//! Tests of `ketch convert --to yaml`.

mod common;

use common::Sandbox;

const TO_YAML: [&str; 3] = ["convert", "--to", "yaml"];

/// Returns the arguments of a conversion to YAML with the options `more`.
fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TO_YAML[..], more].concat()
}

#[test]
fn yaml_keeps_its_styles() {
    let yaml = b"# a comment\na:   'x'\nb: {c: [1,2]}\nd:\n  - |\n    text\n  - &e !f g\n  - *e\n";
    let expected = "a: 'x'\nb: {c: [1, 2]}\nd:\n- |\n  text\n- &e !f g\n- *e\n";
    let sandbox = Sandbox::with(&[("a.yaml", yaml)]);
    sandbox.ketch(&args(&["a.yaml"])).is(0, expected, "");
    sandbox.ketch_with(&TO_YAML, yaml).is(0, expected, "");
    let both = format!("{expected}---\n{expected}");
    sandbox.ketch(&args(&["a.yaml", "a.yaml"])).is(0, &both, "");
}

#[test]
fn syck_numbers_stay_numbers_in_brackets() {
    let sandbox = Sandbox::with(&[("a", b"- [1,2, 3]\n- 1,000\n- {a: 'x', b: -1,0:30}\n")]);
    let syck = ["--dialect", "syck", "a"];
    let yaml = "- [12, 3]\n- 1,000\n- {a: 'x', b: -10:30}\n";
    sandbox.ketch(&args(&syck)).is(0, yaml, "");
    sandbox.ketch(&args(&["--sort-keys", "--dialect", "syck", "a"])).is(0, yaml, "");
    sandbox.ketch(&["get", "--dialect", "syck", "[0]", "a"]).is(0, "[12, 3]\n", "");
}

#[test]
fn to_syck_writes_syck_form() {
    let text = b"a: [1_0, no, &x {b: null}, *x]\n'1:30': |\n  c\n  d\n---\n!t x\n";
    let sandbox = Sandbox::with(&[("a", text), ("json", b"{\"a\": [1e3, \"on\", [2]]}")]);
    let to_syck = ["convert", "--to", "syck"];
    let expected = "--- \na: \n- \"1_0\"\n- \"no\"\n- &id001 \n  b: \n- *id001\n\
        \"1:30\": |\n  c\n  d\n--- !!t x\n";
    sandbox.ketch(&[&to_syck[..], &["a"]].concat()).is(0, expected, "");
    let expected = "--- \na: \n  - 10\n  - false\n  - &id001 \n    b: \n  - *id001\n\
        \"1:30\": |\n  c\n  d\n--- !!t x\n";
    let options = ["--schema", "yaml11", "--sequences", "indented", "-o", "b", "a"];
    sandbox.ketch(&[&to_syck[..], &options].concat()).is(0, "", "");
    assert_eq!(sandbox.read("b"), expected);
    let back = "{\"a\":[10,false,{\"b\":null},{\"b\":null}],\"1:30\":\"c\\nd\\n\"}\n\"x\"\n";
    sandbox.ketch(&["convert", "--dialect", "syck", "b"]).is(0, back, "");
    let json = "--- \na: \n- 1000.0\n- \"on\"\n- - 2\n";
    sandbox.ketch(&[&to_syck[..], &["--from", "json", "json"]].concat()).is(0, json, "");

    let run = sandbox.ketch(&[&to_syck[..], &["--indent", "4", "a"]].concat());
    assert!(run.exits_with(2).stderr.contains("`--indent` is only for YAML"), "{run}");
    let run = sandbox.ketch(&[&to_syck[..], &["--from", "extprot", "a"]].concat());
    assert!(run.exits_with(2).stderr.contains("convert the values to YAML first"), "{run}");
    let run = sandbox.ketch_with(&to_syck, b"- 1\n- !<http:x> 2\n");
    assert!(run.exits_with(1).stderr.contains("<stdin>:2:3"), "{run}");
}

#[test]
fn options_change_the_layout() {
    let yaml = b"b: [x, {y: 'z w v'}]\na: \"NO\"\nc: \"\xc3\xa9\"\n";
    let sandbox = Sandbox::with(&[("a", yaml)]);
    let is = |options: &[&str], expected: &str| {
        sandbox.ketch(&args(&[options, &["a"]].concat())).is(0, expected, "");
    };
    is(&["--flow"], "{b: [x, {y: 'z w v'}], a: \"NO\", c: \"\u{e9}\"}\n");
    is(&["--flow=off"], "b:\n- x\n- y: 'z w v'\na: \"NO\"\nc: \"\u{e9}\"\n");
    is(
        &["--flow=off", "--indent", "4", "--sequences", "indented"],
        "b:\n    - x\n    - y: 'z w v'\na: \"NO\"\nc: \"\u{e9}\"\n",
    );
    is(
        &["--flow=off", "--width", "8", "--quotes", "minimal"],
        "b:\n- x\n- y: z w\n    v\na: \"NO\"\nc: \u{e9}\n",
    );
    is(
        &["--sort-keys", "--ascii", "--quotes", "double"],
        "a: \"NO\"\nb: [x, {y: \"z w v\"}]\nc: \"\\xE9\"\n",
    );
    sandbox.ketch(&args(&["--indent", "10", "a"])).exits_with(2);
}

#[test]
fn json_becomes_blocks_without_needless_quotes() {
    let json = b"{\"name\": \"Ketch\", \"on\": \"yes\", \"m\": [1, -2.5e3, null, true, []],\n\
        \"log\": \"one\\ntwo\\n\", \"e\": \"\\u00e9\\t\"}\n[\"1.10\"]\n7\n";
    let expected = "name: Ketch\n\"on\": \"yes\"\nm:\n- 1\n- -2.5e+3\n- null\n- true\n- []\n\
        log: |\n  one\n  two\ne: \"\u{e9}\\t\"\n---\n- \"1.10\"\n--- 7\n";
    let sandbox = Sandbox::with(&[("a.json", json)]);
    sandbox.ketch(&args(&["--from", "json", "a.json"])).is(0, expected, "");
    sandbox.ketch_with(&args(&["--from", "json"]), json).is(0, expected, "");
    let run = sandbox.ketch(&args(&["--from", "json", "--flow", "--quotes", "given", "a.json"]));
    assert!(run.exits_with(0).stdout.contains("\"log\": \"one\\ntwo\\n\""), "{run}");
}

#[test]
fn words_that_json_lacks_are_errors() {
    let sandbox = Sandbox::with(&[("a", b"[1]\n{\"a\":\n  yes}\n[2]")]);
    let run = sandbox.ketch(&args(&["--from", "json", "a"]));
    assert_eq!(run.exits_with(1).stdout, "- 1\n", "{run}");
    assert!(run.stderr.contains("--> a:3:3\n"), "{run}");
    let long = format!("[1]\n[{}yes]", "1,\n".repeat(1_000_000));
    let run = sandbox.ketch_with(&args(&["--from", "json"]), long.as_bytes());
    // The text is longer than the buffer.
    assert!(run.exits_with(1).stdout.starts_with("- 1\n---\n- 1\n- 1\n"), "{}", run.stderr);
    assert!(run.stderr.contains("the schema has no type for this plain text"), "{}", run.stderr);
}

#[test]
fn long_json_is_read_in_pieces() {
    let entry = "{\"id\": 7, \"text\": \"a \\\"quoted\\\" [word]\"}";
    let json = format!("{{}}[{}{entry}] {{}}", format!("{entry},\n").repeat(50_000));
    let run = Sandbox::new().ketch_with(&args(&["--from", "json"]), json.as_bytes());
    let yaml = "- id: 7\n  text: a \"quoted\" [word]\n".repeat(50_001);
    assert!(run.exits_with(0).stdout == format!("{{}}\n---\n{yaml}--- {{}}\n"), "{}", run.stderr);
}

/// Checks that values do not change if they are written and read again.
#[test]
fn written_values_read_back_unchanged() {
    let yaml = b"a: [0x1F, '0x1F', ~, .inf, \"tab\\there\"]\nb: |\n  one\n  two\n? c d\n: yes\n";
    let sandbox = Sandbox::with(&[("a", yaml)]);
    let json = |file: &str| {
        let run = sandbox.ketch(&["convert", "--non-finite", "text", "--schema", "yaml11", file]);
        run.exits_with(0).stdout.clone()
    };
    let expected = json("a");
    for options in [&["--flow"][..], &["--quotes", "minimal", "--flow=off"], &["--width", "1"]] {
        sandbox.ketch(&args(&[options, &["a", "-o", "b"]].concat())).is(0, "", "");
        assert_eq!(json("b"), expected, "{options:?}");
    }
    sandbox.ketch(&["convert", "--to", "extprot", "a", "-o", "c"]).is(0, "", "");
    let written = "a:\n- 31\n- \"0x1F\"\n- null\n- .inf\n- \"tab\\there\"\nb: |\n  one\n  two\nc d: \"yes\"\n";
    sandbox.ketch(&args(&["--from", "extprot", "c"])).is(0, written, "");
    let twice = format!("{written}---\n{written}");
    sandbox.ketch(&args(&["--from", "extprot", "c", "c"])).is(0, &twice, "");
}

#[test]
fn documents_before_an_error_are_written() {
    let yaml = [b"a: 1\n---\n".repeat(1000), b"b: [1, \"cut".to_vec()].concat();
    let sandbox = Sandbox::with(&[("a", &yaml), ("old", b"old")]);
    let expected = "a: 1\n---\n".repeat(1000);
    let expected = expected.strip_suffix("---\n").unwrap();
    sandbox.ketch(&args(&["a"])).exits_with(1);
    assert_eq!(sandbox.ketch_with(&TO_YAML, &yaml).exits_with(1).stdout, expected);
    sandbox.ketch(&args(&["a", "-o", "old"])).exits_with(1);
    assert_eq!(sandbox.read("old"), "old");
    let run = sandbox.ketch(&args(&["--sort-keys", "a"]));
    assert_eq!(run.exits_with(1).stdout, expected);
}

#[test]
fn statistics_count_events_or_nodes() {
    let sandbox = Sandbox::with(&[("a", b"- 1\n- 2\n")]);
    let run = sandbox.ketch(&args(&["--stats", "a"]));
    assert!(run.exits_with(0).stderr.starts_with("1 file, 8 B, 1 document, 6 events in "), "{run}");
    let run = sandbox.ketch(&args(&["--stats", "--sort-keys", "a"]));
    assert!(run.exits_with(0).stderr.starts_with("1 file, 8 B, 1 document, 3 nodes in "), "{run}");
}
