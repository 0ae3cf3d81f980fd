//! Tests of `ketch events`.

mod common;

use common::Sandbox;

#[test]
fn events_come_from_a_file_or_standard_input() {
    let yaml = b"a: [1, 'two']\n--- |\n text\n";
    let events = "+STR\n+DOC\n+MAP\n=VAL :a\n+SEQ []\n=VAL :1\n=VAL 'two\n-SEQ\n-MAP\n-DOC\n\
        +DOC ---\n=VAL |text\\n\n-DOC\n-STR\n";
    let sandbox = Sandbox::with(&[("a.yaml", yaml)]);
    sandbox.ketch(&["events", "a.yaml"]).is(0, events, "");
    sandbox.ketch_with(&["events"], yaml).is(0, events, "");
    sandbox.ketch_with(&["events", "-"], yaml).is(0, events, "");
}

#[test]
fn an_empty_input_is_an_empty_stream() {
    let sandbox = Sandbox::with(&[("empty", b"")]);
    sandbox.ketch(&["events", "empty"]).is(0, "+STR\n-STR\n", "");
    sandbox.ketch_with(&["events"], b"").is(0, "+STR\n-STR\n", "");
}

#[test]
fn events_before_an_error_are_printed() {
    let sandbox = Sandbox::with(&[("bad.yaml", b"ok: 1\nbad: \"never closed\n")]);
    let error = r#"error: a `"` is never closed
  --> bad.yaml:2:6
  |
2 | bad: "never closed
  |      ^ the quote opens here
3 | 
  | - expected the closing quote before the end
  |
  = help: Close it on line 2: `bad: "never closed"`.

"#;
    let events = "+STR\n+DOC\n+MAP\n=VAL :ok\n=VAL :1\n=VAL :bad\n";
    sandbox.ketch(&["events", "bad.yaml"]).is(1, events, error);
}

#[test]
fn options_reach_the_engine() {
    let sandbox = Sandbox::with(&[("a", b"k: [\n  1\n]\n"), ("deep", b"[[[1]]]\n")]);
    assert!(sandbox.ketch(&["events", "a"]).exits_with(1).stderr.contains("`--lenient`"));
    sandbox.ketch(&["events", "--lenient", "a"]).exits_with(0);
    let run = sandbox.ketch(&["events", "--max-depth", "2", "deep"]);
    assert!(run.exits_with(1).stderr.contains("raise `--max-depth`"), "{run}");
    sandbox.ketch(&["events", "--max-depth", "3", "deep"]).exits_with(0);
    sandbox.ketch(&["events", "--max-depth", "unlimited", "deep"]).exits_with(0);
    for level in ["scalar", "sse2", "avx2", "avx512", "neon"] {
        let run = sandbox.ketch(&["events", "--simd", level, "deep"]);
        match run.code {
            Some(0) => assert!(run.stdout.ends_with("-STR\n")),
            _ => assert!(run.exits_with(2).stderr.contains("this processor has scalar"), "{run}"),
        }
    }
}

#[test]
fn input_in_pieces_has_the_same_events() {
    // The input is longer than one read, and a scalar crosses each boundary.
    let line = "- {key: value, 'other key': \"some more text\", list: [1, 2.5, ~]}\n";
    let yaml = line.repeat(5000);
    let sandbox = Sandbox::with(&[("a.yaml", yaml.as_bytes())]);
    let whole = sandbox.ketch(&["events", "a.yaml"]);
    let piped = sandbox.ketch_with(&["events"], yaml.as_bytes());
    assert_eq!(whole.exits_with(0).stdout.len(), piped.exits_with(0).stdout.len());
    assert!(whole.stdout == piped.stdout);
}
