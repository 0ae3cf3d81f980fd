//! `ketch convert` to and from extprot.

mod common;

use common::Place;
use std::io::Write;
use std::process::{Command, Stdio};

/// What `ketch` prints, as bytes.
fn bytes(place: &Place, args: &[&str], input: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let mut command: Command = place.command(args);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command may end without reading all.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), output.stdout, stderr)
}

fn to_extprot(place: &Place, yaml: &[u8]) -> Vec<u8> {
    let (code, bytes, stderr) = bytes(place, &["convert", "--to", "extprot"], yaml);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    bytes
}

const YAML: &[u8] = b"a: [1, 0x1F, ~, 'x', 1.5]\n---\n!!str 2\n--- {1: &b {c: d}, e: *b}\n";
const JSON: &str =
    "{\"a\":[1,31,null,\"x\",1.5]}\n\"2\"\n{\"1\":{\"c\":\"d\"},\"e\":{\"c\":\"d\"}}\n";

#[test]
fn there_and_back() {
    let place = Place::new();
    let binary = to_extprot(&place, YAML);
    place.ketch_with(&["convert", "--from", "extprot"], &binary).is(0, JSON, "");
    // JSON is YAML, and gives the same bytes.
    let (code, from_json, stderr) =
        bytes(&place, &["convert", "--from", "json", "--to", "extprot"], JSON.as_bytes());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let back = place.ketch_with(&["convert", "--from", "extprot"], &from_json);
    back.is(0, JSON, "");
    // What is canonical stays as it is.
    let args = ["convert", "--from", "extprot", "--to", "extprot"];
    assert_eq!(bytes(&place, &args, &binary).1, binary);
}

#[test]
fn equal_values_give_equal_bytes() {
    let place = Place::new();
    let plain = to_extprot(&place, b"a: 31\nb: [x, y]\nc: {d: ~}\n");
    let other = to_extprot(&place, b"# c\n{\"a\": 0x1F, b: [&x x, 'y'], \"c\": {d: }}");
    assert_eq!(plain, other);
    assert_ne!(plain, to_extprot(&place, b"b: [x, y]\na: 31\nc: {d: ~}\n"));
}

#[test]
fn json_goes_by_its_own_schema() {
    let place = Place::with(&[("a", b"{\"a\": NO}")]);
    let ran = place.ketch(&["convert", "--from", "json", "--to", "extprot", "a", "-o", "out"]);
    assert!(ran.ends(1).stderr.contains("the schema knows no such plain text"), "{ran}");
    assert!(ran.stderr.contains("--> a:1:7\n"), "{ran}");
    place.ketch(&["convert", "--from", "json", "--schema", "core", "a"]).is(
        0,
        "{\"a\":\"NO\"}\n",
        "",
    );
}

#[test]
fn json_texts_follow_each_other() {
    let key = "k".repeat(5000);
    let texts = format!("1 [2]\n\n{{\"{key}\": 3}}\"4\"\n");
    let place = Place::with(&[("texts", texts.as_bytes()), ("bad", b"1\n  2 [\"a\",\n]]\n3")]);
    let ran = place.ketch(&["convert", "--from", "json", "texts"]);
    ran.is(0, &format!("1\n[2]\n{{\"{key}\":3}}\n\"4\"\n"), "");
    // Places are those in the whole input.
    let ran = place.ketch(&["convert", "--from", "json", "bad"]);
    assert_eq!(ran.ends(1).stdout, "1\n2\n[\"a\"]\n", "{ran}");
    assert!(ran.stderr.contains("--> bad:3:2\n"), "{ran}");
    let ran = place.ketch_with(&["convert", "--from", "json"], b"  1  2 [3, NO]");
    assert!(ran.ends(1).stderr.contains("--> <stdin>:1:12\n"), "{ran}");
}

#[test]
fn pretty_json_from_extprot_is_that_from_yaml() {
    let place = Place::with(&[("a.yaml", b"a: [1, {}]\nb: []\n--- 2\n")]);
    place.ketch(&["convert", "--to", "extprot", "a.yaml", "-o", "a.bin"]).is(0, "", "");
    let pretty = place.ketch(&["convert", "--pretty", "a.yaml"]).stdout;
    place.ketch(&["convert", "--pretty", "--from", "extprot", "a.bin"]).is(0, &pretty, "");
}

#[test]
fn what_json_cannot_hold() {
    let place = Place::new();
    let binary = to_extprot(&place, b"--- 1\n--- [0, .inf]\n--- !point [1]\n--- {[a]: b}\n");
    let from = ["convert", "--from", "extprot"];
    let ran = place.ketch_with(&from, &binary);
    // The value before stands, of the wrong one nothing is seen.
    assert_eq!(ran.ends(1).stdout, "1\n", "{ran}");
    assert!(
        ran.stderr.contains("JSON has no infinities and no not-a-number, at byte 7\n"),
        "{ran}"
    );
    let text = [&from[..], &["--non-finite", "text"]].concat();
    let ran = place.ketch_with(&text, &binary);
    assert_eq!(ran.ends(1).stdout, "1\n[0,\".inf\"]\n[1]\n", "{ran}");
    assert!(ran.stderr.contains("JSON has no collections as keys"), "{ran}");
    let strict = [&text[..], &["--unknown-tags", "error"]].concat();
    assert!(place.ketch_with(&strict, &binary).ends(1).stderr.contains("JSON has no tags"));
}

#[test]
fn every_whole_value_in_front_of_the_damage() {
    let place = Place::new();
    let one = to_extprot(&place, b"a: 1\n");
    let mut many = one.repeat(1000);
    many.extend(&one[..one.len() - 1]);
    for to in ["json", "extprot"] {
        let (code, out, stderr) =
            bytes(&place, &["convert", "--from", "extprot", "--to", to], &many);
        let whole = if to == "json" { "{\"a\":1}\n".repeat(1000).into() } else { one.repeat(1000) };
        assert_eq!((code, out), (Some(1), whole));
        assert!(stderr.contains(&format!("at byte {}", many.len())), "{stderr}");
    }
}

#[test]
fn data_of_a_schema_is_told_as_such() {
    let place = Place::with(&[("users", b"\x01\x08\x02\x00\x02\x03\x03Ann")]);
    let ran = place.ketch(&["convert", "--from", "extprot", "users"]);
    assert!(ran.ends(1).stderr.contains("Tuple of tag 0 with 2 elements is no value"), "{ran}");
    assert!(ran.stderr.contains("needs that schema"), "{ran}");
}

#[test]
fn depth_is_a_limit_and_no_danger() {
    let place = Place::new();
    let depth = 200_000;
    let yaml = [b"[".repeat(depth), b"]".repeat(depth)].concat();
    let args = ["convert", "--max-depth", "unlimited", "--to", "extprot"];
    let (code, binary, stderr) = bytes(&place, &args, &yaml);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let ran = place.ketch_with(&["convert", "--from", "extprot"], &binary);
    assert_eq!(ran.ends(0).stdout.trim_end().as_bytes(), yaml);
    let shallow = ["convert", "--from", "extprot", "--max-depth", "1000"];
    let ran = place.ketch_with(&shallow, &binary);
    assert!(ran.ends(1).stderr.contains("Raise `--max-depth`"), "{ran}");
}

#[test]
fn aliases_are_expanded_within_their_budget() {
    let mut laughs = "l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*l{}", level - 1); 9].join(", ");
        laughs += &format!("l{level}: &l{level} [{aliases}]\n");
    }
    let place = Place::with(&[("laughs", laughs.as_bytes())]);
    let ran = place.ketch(&["convert", "--to", "extprot", "laughs", "-o", "out"]);
    assert!(ran.ends(1).stderr.contains("Raise `--max-alias-nodes`"), "{ran}");
    assert_eq!(place.count(), 1);
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let place = Place::with(&[("good", b"1\n"), ("bad", b"]"), ("out", b"old")]);
    place.ketch(&["convert", "--to", "extprot", "good", "bad", "-o", "out"]).ends(1);
    assert_eq!(place.read("out"), "old");
    place.ketch(&["convert", "--to", "extprot", "good", "good", "-o", "out"]).is(0, "", "");
    assert_eq!(place.read("out").as_bytes(), b"\x00\x02\x00\x02");
    let ran = place.ketch(&["convert", "--from", "extprot", "--stats", "out"]);
    assert!(ran.ends(0).stderr.starts_with("1 file, 4 B, 2 documents, 2 nodes in "), "{ran}");
}

#[test]
fn extprot_has_no_events() {
    let place = Place::with(&[("a", b"\x00\x02")]);
    let ran = place.ketch(&["convert", "--from", "extprot", "--to", "events", "a"]);
    assert!(ran.ends(2).stderr.contains("extprot has no events"), "{ran}");
}
