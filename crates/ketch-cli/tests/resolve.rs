//! Tests of `ketch resolve`.

mod common;

use common::Sandbox;
use serde_json::Value;
use std::os::unix::ffi::OsStrExt;

#[test]
fn all_schemas_are_shown_side_by_side() {
    let run = Sandbox::new().ketch(&["resolve", "NO", "0777", "", "--", "-.inf"]);
    let stdout: Vec<Vec<&str>> = run
        .exits_with(0)
        .stdout
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let unknown = "error: not valid in this schema";
    assert_eq!(
        stdout,
        [
            vec!["TEXT", "failsafe", "json", "core", "yaml11", "syck"],
            vec!["\"NO\"", "!!str \"NO\"", unknown, "!!str \"NO\"", "!!bool false", "!!bool false"],
            vec!["\"0777\"", "!!str \"0777\"", unknown, "!!int 777", "!!int 511", "!!int 511"],
            vec!["\"\"", "!!str \"\"", unknown, "!!null", "!!null", "!!null"],
            vec![
                "\"-.inf\"",
                "!!str \"-.inf\"",
                unknown,
                "!!float -.inf",
                "!!float -.inf",
                "!!float -.inf"
            ],
        ]
    );
}

#[test]
fn the_option_schema_shows_one_schema() {
    let run = Sandbox::new().ketch(&["resolve", "--schema", "yaml11", "12:30:45", "2001-12-14"]);
    run.is(
        0,
        "TEXT          yaml11\n\"12:30:45\"    !!int 45045\n\"2001-12-14\"  !!timestamp 2001-12-14\n",
        "",
    );
}

#[test]
fn json_keeps_every_digit() {
    let wide = "123456789012345678901234567890";
    let run = Sandbox::new()
        .ketch(&["resolve", "--format", "json", "--schema", "core", wide, "~", ".nan", "1e3"]);
    let lines: Vec<&str> = run.exits_with(0).stdout.lines().collect();
    assert_eq!(
        lines[0],
        format!(
            r#"{{"text":"{wide}","schema":"core","tag":"tag:yaml.org,2002:int","form":null,"value":{wide}}}"#
        )
    );
    let values: Vec<Value> = lines[1..]
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["value"].clone())
        .collect();
    assert_eq!(values, [Value::Null, ".nan".into(), 1000.0.into()]);
}

#[test]
fn texts_may_look_like_options() {
    let sandbox = Sandbox::new();
    let run =
        sandbox.ketch(&["resolve", "-1", "-1.5e3", "--schema", "core", "--", "-.inf", "--format"]);
    let cells: Vec<&str> =
        run.exits_with(0).stdout.lines().map(|line| line.split_at(12).1).collect();
    assert_eq!(
        cells,
        ["core", "!!int -1", "!!float -1500.0", "!!float -.inf", "!!str \"--format\""]
    );
    assert!(
        sandbox
            .ketch(&["resolve", "-.inf"])
            .exits_with(2)
            .stderr
            .contains("ketch resolve -- -.inf")
    );
    let mut command = sandbox.command(&["resolve"]);
    command.arg(std::ffi::OsStr::from_bytes(b"\xff")).arg("-.inf");
    let output = command.output().expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}
