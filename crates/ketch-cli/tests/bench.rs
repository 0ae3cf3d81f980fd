//! Tests of `ketch bench`.

mod common;

use common::Sandbox;
use serde_json::{Value, json};

#[test]
fn the_result_is_a_sentence_with_figures() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: [1, two]\nb: 'x: y'\n")]);
    for (stage, doing, counts) in [
        ("scan", "scanning", "2 line breaks, 3 colons before blanks, 3 flow indicators, 2 quotes"),
        ("tree", "composing", "7 nodes, 1 document"),
        ("parse", "parsing", "11 events, 5 scalars, 1 document"),
    ] {
        let run = sandbox.ketch(&["bench", stage, "a.yaml", "-n", "3"]);
        let lines: Vec<&str> = run.exits_with(0).stdout.lines().collect();
        assert!(lines[0].starts_with(&format!("{doing} a.yaml 3 times took ")), "{run}");
        assert!(lines[0].contains(" ms (") && lines[0].ends_with(" MB/s)"), "{run}");
        assert_eq!(lines[1..], [counts]);
    }
    let run = sandbox.ketch(&["bench", "resolve", "a.yaml"]);
    assert!(run.exits_with(0).stdout.contains("\n4 plain scalars, 1 not text, "), "{run}");
}

#[test]
fn json_has_counts_and_spread() {
    let sandbox = Sandbox::with(&[("a.yaml", b"- yes\n- 1\n- x\n")]);
    let args = ["bench", "resolve", "a.yaml", "-n", "5", "--schema", "yaml11", "--format", "json"];
    let run = sandbox.ketch(&args);
    let report: Value = serde_json::from_str(&run.exits_with(0).stdout).expect("JSON");
    assert_eq!(report["counts"], json!({"plain_scalars": 3, "not_text": 2}));
    assert_eq!((&report["stage"], &report["rounds"]), (&json!("resolve"), &json!(5)));
    assert_eq!((&report["bytes"], &report["file"]), (&json!(14), &json!("a.yaml")));
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{key} in {report}"));
    assert!(number("min_ms") <= number("median_ms") && number("median_ms") <= number("max_ms"));
    assert!(number("total_ms") >= 5.0 * number("min_ms"));
    assert!(number("ns_per_scalar") > 0.0);
}

#[test]
fn an_invalid_file_is_reported_before_timing() {
    let sandbox = Sandbox::with(&[("bad", b"a: ]\n")]);
    let run = sandbox.ketch(&["bench", "parse", "bad"]);
    assert!(run.exits_with(1).stdout.is_empty() && run.stderr.starts_with("error: "), "{run}");
}
