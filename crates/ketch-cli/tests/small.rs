//! Small things that a user notices.

mod common;

use common::Place;
use std::process::Command;

#[test]
fn yaml_options_are_rejected_for_json() {
    let place = Place::with(&[("a", b"b: 1\n")]);
    for option in [["--indent", "4"].as_slice(), &["--sequences", "flush"], &["--sort-keys"]] {
        for command in [["convert", "a"].as_slice(), &["get", "b", "a", "--to", "json"]] {
            let ran = place.ketch(&[command, option].concat());
            let want = format!("`{}` is only for YAML", option[0]);
            assert!(ran.ends(2).stderr.contains(&want), "{ran}");
        }
        place.ketch(&[["convert", "a", "--to", "yaml"].as_slice(), option].concat()).ends(0);
    }
}

#[test]
fn schemas_are_completed_and_files_are_taken() {
    let place = Place::new();
    let ran = place.ketch(&["completions", "bash"]);
    assert!(ran.ends(0).stdout.contains("compgen -W \"failsafe json core yaml11 syck\""), "{ran}");
    let ran = place.ketch_with(&["convert", "--schema", "corre", "-"], b"a");
    assert!(ran.ends(2).stderr.contains("expected failsafe, json"), "{ran}");
    let ran = place.ketch_with(&["convert", "--schema", "a.proto", "-"], b"a");
    assert!(ran.ends(3).stderr.contains("a.proto"), "{ran}");
}

#[test]
fn the_path_comes_first() {
    let place = Place::with(&[("a.yaml", b"b: {<<: {c: 1}}\n")]);
    for (args, command) in [
        (&["get", "a.yaml", ".b"][..], "`ketch get .b a.yaml`"),
        (&["get", "a.yaml", "b[*]"], "`ketch get 'b[*]' a.yaml`"),
        (&["get", "a.yaml"], "`ketch get . a.yaml`"),
    ] {
        let ran = place.ketch(args);
        assert!(ran.ends(2).stderr.contains(command), "{ran}");
    }
}

#[test]
fn a_key_that_only_a_merge_would_add_names_the_option() {
    let place = Place::with(&[("a.yaml", b"b: {<<: {c: 1}}\n")]);
    let ran = place.ketch(&["get", "b.c", "a.yaml"]);
    assert!(ran.ends(4).stderr.contains("`--merge`"), "{ran}");
    place.ketch(&["get", "b.c", "a.yaml", "--merge"]).is(0, "1\n", "");
    let ran = place.ketch(&["get", "b.d", "a.yaml", "--merge"]);
    assert!(!ran.ends(4).stderr.contains("`--merge`"), "{ran}");
}

#[test]
fn an_empty_value_is_null() {
    let place = Place::with(&[("a.yaml", b"b:\nc: !!str\nd: \"\"\n")]);
    place.ketch(&["get", "b", "a.yaml"]).is(0, "null\n", "");
    place.ketch(&["get", "b", "a.yaml", "--to", "raw"]).is(0, "\n", "");
    place.ketch(&["get", "c", "a.yaml"]).is(0, "!!str\n", "");
    place.ketch(&["get", "d", "a.yaml"]).is(0, "\"\"\n", "");
    place.ketch(&["get", "x", "a.yaml", "--default", ""]).is(0, "null\n", "");
}

#[test]
fn json_of_resolve_distinguishes_errors_from_null() {
    let place = Place::new();
    let ran = place.ketch(&["resolve", "--schema", "json", "--format", "json", "NO", "null"]);
    let (error, null) = ran.ends(0).stdout.split_once('\n').unwrap();
    assert!(error.contains(r#""error":"not valid in this schema""#), "{ran}");
    assert!(!error.contains("value") && null.contains(r#""value":null"#), "{ran}");
    assert!(!null.contains("error"), "{ran}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_an_error() {
    let place = Place::with(&[("a", b"b: 1\n"), ("wrong", b"a: [\n")]);
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
        let ran = Command::new("sh").args(["-c", &script]).current_dir(place.path("")).output();
        let ran = ran.unwrap();
        let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(code), "{command}: {stderr}");
        assert_eq!(stderr.contains("<stdout>: could not be written"), code == 3, "{stderr}");
    }
    let script = format!("{ketch} convert a > /dev/null && {ketch} convert a 1<> /dev/null");
    let ran = Command::new("sh").args(["-c", &script]).current_dir(place.path("")).status();
    assert!(ran.unwrap().success());
}

#[test]
fn options_without_an_effect_are_rejected() {
    let place = Place::with(&[("a", b"a: 1\n")]);
    for args in [
        &["convert", "--to", "yaml", "--pretty", "a"][..],
        &["convert", "--to", "extprot", "-o", "b", "--non-finite", "text", "a"],
        &["convert", "--to", "events", "--unknown-tags", "error", "a"],
        &["get", "--pretty", "a", "a"],
    ] {
        let ran = place.ketch(args);
        assert!(ran.ends(2).stderr.contains("is only for JSON: add `--to json`"), "{ran}");
    }
    let ran = place.ketch(&["fmt", "--indent", "0", "a"]);
    assert!(ran.ends(2).stderr.contains("expected a number from 1 to 9"), "{ran}");
}
