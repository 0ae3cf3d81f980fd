//! Tests of small things that users notice.

mod common;

use common::Sandbox;
use std::process::Command;

#[test]
fn yaml_options_are_rejected_for_json() {
    let sandbox = Sandbox::with(&[("a", b"b: 1\n")]);
    for option in [["--indent", "4"].as_slice(), &["--sequences", "flush"], &["--sort-keys"]] {
        for command in [["convert", "a"].as_slice(), &["get", "b", "a", "--to", "json"]] {
            let run = sandbox.ketch(&[command, option].concat());
            let want = format!("`{}` is only for YAML", option[0]);
            assert!(run.exits_with(2).stderr.contains(&want), "{run}");
        }
        sandbox
            .ketch(&[["convert", "a", "--to", "yaml"].as_slice(), option].concat())
            .exits_with(0);
    }
}

#[test]
fn schemas_are_completed_and_files_are_taken() {
    let sandbox = Sandbox::new();
    let run = sandbox.ketch(&["completions", "bash"]);
    assert!(
        run.exits_with(0).stdout.contains("compgen -W \"failsafe json core yaml11 syck\""),
        "{run}"
    );
    let run = sandbox.ketch_with(&["convert", "--schema", "corre", "-"], b"a");
    assert!(run.exits_with(2).stderr.contains("expected failsafe, json"), "{run}");
    let run = sandbox.ketch_with(&["convert", "--schema", "a.proto", "-"], b"a");
    assert!(run.exits_with(3).stderr.contains("a.proto"), "{run}");
}

#[test]
fn the_path_comes_first() {
    let sandbox = Sandbox::with(&[("a.yaml", b"b: {<<: {c: 1}}\n")]);
    for (args, command) in [
        (&["get", "a.yaml", ".b"][..], "`ketch get .b a.yaml`"),
        (&["get", "a.yaml", "b[*]"], "`ketch get 'b[*]' a.yaml`"),
        (&["get", "a.yaml"], "`ketch get . a.yaml`"),
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(2).stderr.contains(command), "{run}");
    }
}

#[test]
fn a_key_that_only_a_merge_would_add_names_the_option() {
    let sandbox = Sandbox::with(&[("a.yaml", b"b: {<<: {c: 1}}\n")]);
    let run = sandbox.ketch(&["get", "b.c", "a.yaml"]);
    assert!(run.exits_with(4).stderr.contains("`--merge`"), "{run}");
    sandbox.ketch(&["get", "b.c", "a.yaml", "--merge"]).is(0, "1\n", "");
    let run = sandbox.ketch(&["get", "b.d", "a.yaml", "--merge"]);
    assert!(!run.exits_with(4).stderr.contains("`--merge`"), "{run}");
}

#[test]
fn an_empty_value_is_null() {
    let sandbox = Sandbox::with(&[("a.yaml", b"b:\nc: !!str\nd: \"\"\n")]);
    sandbox.ketch(&["get", "b", "a.yaml"]).is(0, "null\n", "");
    sandbox.ketch(&["get", "b", "a.yaml", "--to", "raw"]).is(0, "\n", "");
    sandbox.ketch(&["get", "c", "a.yaml", "--to", "yaml"]).is(0, "!!str\n", "");
    sandbox.ketch(&["get", "d", "a.yaml"]).is(0, "\n", "");
    sandbox.ketch(&["get", "x", "a.yaml", "--default", ""]).is(0, "\n", "");
}

#[test]
fn json_of_resolve_distinguishes_errors_from_null() {
    let sandbox = Sandbox::new();
    let run = sandbox.ketch(&["resolve", "--schema", "json", "--format", "json", "NO", "null"]);
    let (error, null) = run.exits_with(0).stdout.split_once('\n').unwrap();
    assert!(error.contains(r#""error":"not valid in this schema""#), "{run}");
    assert!(!error.contains("value") && null.contains(r#""value":null"#), "{run}");
    assert!(!null.contains("error"), "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_an_error() {
    let sandbox = Sandbox::with(&[("a", b"b: 1\n"), ("wrong", b"a: [\n")]);
    let ketch = env!("CARGO_BIN_EXE_ketch");
    for (command, code) in [
        ("convert a", 3),
        ("convert a --to yaml", 3),
        ("get b a", 3),
        ("events a", 3),
        ("resolve a", 3),
        ("check wrong", 3),
        ("check a", 0),
        ("fmt a", 0),
        ("convert a -o b", 0),
    ] {
        let script = format!("{ketch} {command} >&-");
        let run = Command::new("sh").args(["-c", &script]).current_dir(sandbox.path("")).output();
        let run = run.unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(code), "{command}: {stderr}");
        assert_eq!(stderr.contains("<stdout>: could not be written"), code == 3, "{stderr}");
    }
    let script = format!("{ketch} convert a > /dev/null && {ketch} convert a 1<> /dev/null");
    let run = Command::new("sh").args(["-c", &script]).current_dir(sandbox.path("")).status();
    assert!(run.unwrap().success());
}

#[test]
fn options_without_an_effect_are_rejected() {
    let sandbox = Sandbox::with(&[("a", b"a: 1\n")]);
    for args in [
        &["convert", "--to", "yaml", "--pretty", "a"][..],
        &["convert", "--to", "extprot", "-o", "b", "--non-finite", "text", "a"],
        &["convert", "--to", "events", "--unknown-tags", "error", "a"],
        &["get", "--pretty", "a", "a"],
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(2).stderr.contains("is only for JSON: add `--to json`"), "{run}");
    }
    let run = sandbox.ketch(&["fmt", "--indent", "0", "a"]);
    assert!(run.exits_with(2).stderr.contains("expected a number from 1 to 9"), "{run}");
}
