//! Tests of `ketch get --ypath`: what the paths in `ypath.yml` find in its documents, and errors.

mod common;

use common::Sandbox;
use serde_json::Value;

/// Returns the groups of cases: those with documents, and then the group of paths that are not
/// valid.
fn groups() -> Vec<Value> {
    let sandbox = Sandbox::with(&[("cases", include_bytes!("ypath.yml"))]);
    let json = sandbox.ketch(&["convert", "cases"]);
    let cases: Value = serde_json::from_str(&json.exits_with(0).stdout).unwrap();
    cases.as_array().unwrap().clone()
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

#[test]
fn the_listed_paths_have_their_results() {
    let (mut documents, mut paths) = (0, 0);
    for group in groups().iter().filter(|group| group["text"].is_string()) {
        let sandbox = Sandbox::with(&[("old.yml", group["text"].as_str().unwrap().as_bytes())]);
        documents += 1;
        for case in list(group, "paths") {
            paths += 1;
            let path = case["path"].as_str().unwrap();
            let args = [
                "get",
                "--dialect",
                "syck",
                "--ypath",
                path,
                "--to",
                "json",
                "--merge=off",
                "old.yml",
            ];
            let run = sandbox.ketch(&args);
            let expected: String =
                list(case, "select").iter().map(|value| format!("{value}\n")).collect();
            assert_eq!(run.stdout, expected, "{path}\n{run}");
            assert_eq!(run.code, Some(if expected.is_empty() { 4 } else { 0 }), "{path}\n{run}");
        }
    }
    assert!(documents >= 25 && paths >= 70, "{documents} documents, {paths} paths");
}

#[test]
fn invalid_paths_are_shown_with_a_caret() {
    let sandbox = Sandbox::with(&[("a.yml", b"a: 1\n")]);
    let mut count = 0;
    for group in &groups() {
        for case in list(group, "wrong") {
            count += 1;
            let (path, column) = (case["path"].as_str().unwrap(), case["column"].as_u64().unwrap());
            let run = sandbox.ketch(&["get", "--ypath", path, "a.yml"]);
            assert!(run.exits_with(2).stdout.is_empty(), "{path}\n{run}");
            let place_line = format!("--> YPATH:1:{column}\n");
            let parts = [place_line.as_str(), "error: ", "^", "= help: "];
            assert!(parts.iter().all(|part| run.stderr.contains(part)), "{path}\n{run}");
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn leading_steps_are_selected_while_reading() {
    let text = b"web: {port: 80, text: |\n  a\n  b\n  }\ndb:\n- port: 1\n- port: 2\n";
    let valid = b"web: {port: 80}\ndb:\n- port: 1\n- port: 2\n---\ndb: [{port: 3}]\n";
    let sandbox = Sandbox::with(&[("a.yml", valid), ("wrong.yml", text)]);
    sandbox.ketch(&["get", "--ypath", "/db/*/port", "a.yml"]).is(0, "1\n2\n3\n", "");
    sandbox.ketch(&["get", "--ypath", "/db/1/port", "a.yml"]).is(0, "2\n", "");
    sandbox.ketch(&["get", "--ypath", "//port", "a.yml", "--first"]).is(0, "80\n", "");
    sandbox.ketch(&["get", "--ypath", "/web/..", "a.yml"]).is(0, "null\n", "");
    sandbox.ketch(&["get", "--ypath", "/web/..", "a.yml", "--to", "raw"]).is(0, "\n", "");
    sandbox.ketch(&["get", "--ypath", "db", "a.yml", "--document", "1", "--to", "json"]).is(
        0,
        "[{\"port\":3}]\n",
        "",
    );
    sandbox.ketch_with(&["get", "--ypath", "/1"], b"1: a\n'1': b\n").is(0, "b\n", "");
    sandbox.ketch(&["get", "--ypath", "x", "a.yml", "--default", "none"]).is(0, "none\n", "");
    sandbox
        .ketch_with(&["get", "--ypath", "a/*", "--to", "raw"], b"a: [1, 2]\n")
        .is(0, "1\n2\n", "");
    let run = sandbox.ketch(&["get", "--ypath", "/x", "a.yml"]);
    assert!(run.exits_with(4).stderr.contains("there is nothing at the YPath `/x`"), "{run}");
    sandbox.ketch(&["get", "--ypath", "/db", "wrong.yml"]).exits_with(1);
    let long = format!("[{}]\n", "&a [x, x], ".repeat(2) + &"*a, ".repeat(5) + "z");
    sandbox.ketch_with(&["get", "--ypath", "//0", "--keys"], long.as_bytes()).exits_with(1);
}
