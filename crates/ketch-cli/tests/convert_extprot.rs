//! Tests of `ketch convert` to and from extprot.

mod common;

use common::Sandbox;
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the command with `input` as its standard input. Returns the exit code, standard output as
/// bytes, and standard error.
fn bytes(sandbox: &Sandbox, args: &[&str], input: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let mut command: Command = sandbox.command(args);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command may end before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), output.stdout, stderr)
}

fn to_extprot(sandbox: &Sandbox, yaml: &[u8]) -> Vec<u8> {
    let (code, bytes, stderr) = bytes(sandbox, &["convert", "--to", "extprot"], yaml);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    bytes
}

const YAML: &[u8] = b"a: [1, 0x1F, ~, 'x', 1.5]\n---\n!!str 2\n--- {1: &b {c: d}, e: *b}\n";
const JSON: &str =
    "{\"a\":[1,31,null,\"x\",1.5]}\n\"2\"\n{\"1\":{\"c\":\"d\"},\"e\":{\"c\":\"d\"}}\n";

#[test]
fn yaml_converts_to_extprot_and_back() {
    let sandbox = Sandbox::new();
    let binary = to_extprot(&sandbox, YAML);
    sandbox.ketch_with(&["convert", "--from", "extprot"], &binary).is(0, JSON, "");
    // JSON is YAML, so it is converted to the same bytes.
    let (code, from_json, stderr) =
        bytes(&sandbox, &["convert", "--from", "json", "--to", "extprot"], JSON.as_bytes());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let back = sandbox.ketch_with(&["convert", "--from", "extprot"], &from_json);
    back.is(0, JSON, "");
    // If the bytes are in their canonical form, they do not change.
    let args = ["convert", "--from", "extprot", "--to", "extprot"];
    assert_eq!(bytes(&sandbox, &args, &binary).1, binary);
}

/// Checks numbers that are outside the range of floats, which have 64 bits in extprot. Such a
/// number is an error and never becomes an infinity. Other numbers are rounded to the nearest
/// float, and are written with the digits that identify it.
#[test]
fn numbers_beyond_the_range_of_floats_are_errors() {
    let sandbox = Sandbox::with(&[("m.proto", b"message m = { f : float }")]);
    let big = ["1e400", "-1e400", "!!float 1e400", "[.inf, 1.8e308]", "{1e999: a}"];
    for text in big {
        let (code, out, stderr) = bytes(&sandbox, &["convert", "--to", "extprot"], text.as_bytes());
        assert_eq!((code, out.len()), (Some(1), 0), "{text}");
        assert!(stderr.contains("error: the number is too large for a 64-bit float"), "{stderr}");
        assert!(stderr.contains("help: Quote it to keep its digits as text"), "{stderr}");
        assert!(stderr.contains("^^^^^"), "{stderr}");
    }
    let (code, _, stderr) =
        bytes(&sandbox, &["convert", "--from", "json", "--to", "extprot"], b"[1e400]");
    assert!(code == Some(1) && stderr.contains("too large for a 64-bit float"), "{stderr}");
    let typed = ["convert", "--schema", "m.proto", "--to", "extprot"];
    let (code, _, stderr) = bytes(&sandbox, &typed, b"f: 1e400\n");
    assert!(code == Some(1) && stderr.contains("this is out of range for a float"), "{stderr}");

    for (text, json) in [
        ("1e308", "1e+308"),
        ("1.50", "1.5"),
        ("1e-400", "0.0"),
        ("-0", "0"),
        ("-0.0", "-0.0"),
        ("100000000000000000000.5", "1e+20"),
        ("'1e400'", "\"1e400\""),
    ] {
        let binary = to_extprot(&sandbox, text.as_bytes());
        sandbox.ketch_with(&["convert", "--from", "extprot"], &binary).is(
            0,
            &format!("{json}\n"),
            "",
        );
    }
    let infinite = to_extprot(&sandbox, b".inf");
    sandbox
        .ketch_with(&["convert", "--from", "extprot", "--to", "yaml"], &infinite)
        .is(0, ".inf\n", "");
}

#[test]
fn equal_values_give_equal_bytes() {
    let sandbox = Sandbox::new();
    let plain = to_extprot(&sandbox, b"a: 31\nb: [x, y]\nc: {d: ~}\n");
    let other = to_extprot(&sandbox, b"# c\n{\"a\": 0x1F, b: [&x x, 'y'], \"c\": {d: }}");
    assert_eq!(plain, other);
    assert_ne!(plain, to_extprot(&sandbox, b"b: [x, y]\na: 31\nc: {d: ~}\n"));
}

#[test]
fn json_has_its_own_schema() {
    let sandbox = Sandbox::with(&[("a", b"{\"a\": NO}")]);
    let run = sandbox.ketch(&["convert", "--from", "json", "--to", "extprot", "a", "-o", "out"]);
    assert!(
        run.exits_with(1).stderr.contains("the schema does not allow this plain scalar"),
        "{run}"
    );
    assert!(run.stderr.contains("--> a:1:7\n"), "{run}");
    sandbox.ketch(&["convert", "--from", "json", "--schema", "core", "a"]).is(
        0,
        "{\"a\":\"NO\"}\n",
        "",
    );
}

#[test]
fn several_json_texts_become_several_values() {
    let key = "k".repeat(5000);
    let texts = format!("1 [2]\n\n{{\"{key}\": 3}}\"4\"\n");
    let sandbox = Sandbox::with(&[("texts", texts.as_bytes()), ("bad", b"1\n  2 [\"a\",\n]]\n3")]);
    let run = sandbox.ketch(&["convert", "--from", "json", "texts"]);
    run.is(0, &format!("1\n[2]\n{{\"{key}\":3}}\n\"4\"\n"), "");
    // Locations count from the start of the whole input.
    let run = sandbox.ketch(&["convert", "--from", "json", "bad"]);
    assert_eq!(run.exits_with(1).stdout, "1\n2\n[\"a\"]\n", "{run}");
    assert!(run.stderr.contains("--> bad:3:2\n"), "{run}");
    let run = sandbox.ketch_with(&["convert", "--from", "json"], b"  1  2 [3, NO]");
    assert!(run.exits_with(1).stderr.contains("--> <stdin>:1:12\n"), "{run}");
}

#[test]
fn pretty_json_from_extprot_is_that_from_yaml() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: [1, {}]\nb: []\n--- 2\n")]);
    sandbox.ketch(&["convert", "--to", "extprot", "a.yaml", "-o", "a.bin"]).is(0, "", "");
    let pretty = sandbox.ketch(&["convert", "--pretty", "a.yaml"]).stdout;
    sandbox.ketch(&["convert", "--pretty", "--from", "extprot", "a.bin"]).is(0, &pretty, "");
}

#[test]
fn values_that_json_lacks_follow_the_options() {
    let sandbox = Sandbox::new();
    let binary = to_extprot(&sandbox, b"--- 1\n--- [0, .inf]\n--- !point [1]\n--- {[a]: b}\n");
    let from = ["convert", "--from", "extprot"];
    let run = sandbox.ketch_with(&from, &binary);
    // The value before the invalid one is written, but nothing of the invalid one.
    assert_eq!(run.exits_with(1).stdout, "1\n", "{run}");
    assert!(run.stderr.contains("JSON has no infinity or not-a-number, at byte 7\n"), "{run}");
    let text = [&from[..], &["--non-finite", "text"]].concat();
    let run = sandbox.ketch_with(&text, &binary);
    assert_eq!(run.exits_with(1).stdout, "1\n[0,\".inf\"]\n[1]\n", "{run}");
    assert!(run.stderr.contains("JSON has no collections as keys"), "{run}");
    let strict = [&text[..], &["--unknown-tags", "error"]].concat();
    assert!(sandbox.ketch_with(&strict, &binary).exits_with(1).stderr.contains("JSON has no tags"));
}

#[test]
fn values_before_an_error_are_written() {
    let sandbox = Sandbox::new();
    let one = to_extprot(&sandbox, b"a: 1\n");
    let mut many = one.repeat(1000);
    many.extend(&one[..one.len() - 1]);
    for to in ["json", "extprot"] {
        let (code, out, stderr) =
            bytes(&sandbox, &["convert", "--from", "extprot", "--to", to], &many);
        let whole = if to == "json" { "{\"a\":1}\n".repeat(1000).into() } else { one.repeat(1000) };
        assert_eq!((code, out), (Some(1), whole));
        assert!(stderr.contains(&format!("at byte {}", many.len())), "{stderr}");
    }
}

#[test]
fn data_with_a_schema_is_recognized() {
    let sandbox = Sandbox::with(&[("users", b"\x01\x08\x02\x00\x02\x03\x03Ann")]);
    let run = sandbox.ketch(&["convert", "--from", "extprot", "users"]);
    assert!(
        run.exits_with(1).stderr.contains("Tuple of tag 0 with 2 elements is not a value"),
        "{run}"
    );
    assert!(run.stderr.contains("only with that schema"), "{run}");
}

#[test]
fn depth_is_limited_and_does_not_overflow_the_stack() {
    let sandbox = Sandbox::new();
    let depth = 200_000;
    let yaml = [b"[".repeat(depth), b"]".repeat(depth)].concat();
    let args = ["convert", "--max-depth", "unlimited", "--to", "extprot"];
    let (code, binary, stderr) = bytes(&sandbox, &args, &yaml);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let run = sandbox.ketch_with(&["convert", "--from", "extprot"], &binary);
    assert_eq!(run.exits_with(0).stdout.trim_end().as_bytes(), yaml);
    let shallow = ["convert", "--from", "extprot", "--max-depth", "1000"];
    let run = sandbox.ketch_with(&shallow, &binary);
    assert!(run.exits_with(1).stderr.contains("Raise `--max-depth`"), "{run}");
}

#[test]
fn aliases_are_expanded_within_their_budget() {
    let mut laughs = "l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*l{}", level - 1); 9].join(", ");
        laughs += &format!("l{level}: &l{level} [{aliases}]\n");
    }
    let sandbox = Sandbox::with(&[("laughs", laughs.as_bytes())]);
    let run = sandbox.ketch(&["convert", "--to", "extprot", "laughs", "-o", "out"]);
    assert!(run.exits_with(1).stderr.contains("raise `--max-alias-nodes`"), "{run}");
    assert_eq!(sandbox.count(), 1);
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let sandbox = Sandbox::with(&[("good", b"1\n"), ("bad", b"]"), ("out", b"old")]);
    sandbox.ketch(&["convert", "--to", "extprot", "good", "bad", "-o", "out"]).exits_with(1);
    assert_eq!(sandbox.read("out"), "old");
    sandbox.ketch(&["convert", "--to", "extprot", "good", "good", "-o", "out"]).is(0, "", "");
    assert_eq!(sandbox.read("out").as_bytes(), b"\x00\x02\x00\x02");
    let run = sandbox.ketch(&["convert", "--from", "extprot", "--stats", "out"]);
    assert!(run.exits_with(0).stderr.starts_with("1 file, 4 B, 2 documents, 2 nodes in "), "{run}");
}

#[test]
fn only_yaml_has_events() {
    let sandbox = Sandbox::with(&[("a", b"\x00\x02")]);
    for from in ["extprot", "json"] {
        let run = sandbox.ketch(&["convert", "--from", from, "--to", "events", "a"]);
        assert!(run.exits_with(2).stderr.contains("only YAML has events"), "{run}");
    }
}

#[test]
fn yaml_survives_the_round_trip() {
    let sandbox = Sandbox::new();
    let yaml =
        b"a: [0x1F, 'yes', ~, 1e3]\nb: !point {x: &v [1], y: *v}\n--- !!binary aGk=\n--- []\n";
    let binary = to_extprot(&sandbox, yaml);
    let back = "a:\n- 31\n- \"yes\"\n- null\n- 1000.0\nb: !point\n  x:\n  - 1\n  \"y\":\n  - 1\n\
        --- !!binary aGk=\n--- []\n";
    let run = sandbox.ketch_with(&["convert", "--from", "extprot", "--to", "yaml"], &binary);
    run.is(0, back, "");
    assert_eq!(to_extprot(&sandbox, back.as_bytes()), binary);
    // Several inputs are written as one stream.
    sandbox.write("v", &binary);
    let run = sandbox.ketch(&["convert", "--from", "extprot", "--to", "yaml", "v", "v"]);
    run.is(0, &format!("{back}---\n{back}"), "");
    let json = sandbox.ketch_with(&["convert", "--from", "json", "--to", "yaml"], b"{\"a\":[1]} 2");
    json.is(0, "a:\n- 1\n--- 2\n", "");
}

const USER: &[u8] = b"type contact = Email string | Phone int int | Nobody
message user = { id : int; name : string; contacts : [ contact ]; tags : [ string ] }
message other = { id : int }
";

const USERS: &[u8] = b"id: 1
name: Ann
contacts: [!Email a@b, !Phone [49, 30], Nobody]
--- {id: 2, name: '3', tags: [x]}
";

#[test]
fn typed_data_converts_both_ways() {
    let sandbox = Sandbox::with(&[("user.proto", USER), ("users.yaml", USERS)]);
    let with = |args: &[&str], input: &[u8]| {
        let typed = ["convert", "--schema", "user.proto", "--message", "user"];
        bytes(&sandbox, &[&typed[..], args].concat(), input)
    };
    let (code, binary, stderr) = with(&["--to", "extprot", "users.yaml"], b"");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(binary.starts_with(b"\x01\x1e\x04\x00\x02\x03\x03Ann\x05\x11"), "{binary:02x?}");
    let json = "{\"id\":1,\"name\":\"Ann\",\"contacts\":[{\"Email\":\"a@b\"},{\"Phone\":[49,30]},\
        \"Nobody\"],\"tags\":[]}\n{\"id\":2,\"name\":\"3\",\"contacts\":[],\"tags\":[\"x\"]}\n";
    let yaml = "id: 1\nname: Ann\ncontacts:\n- !Email a@b\n- !Phone\n  - 49\n  - 30\n- Nobody\n\
        tags: []\n---\nid: 2\nname: \"3\"\ncontacts: []\ntags:\n- x\n";
    for (to, text, from) in [("json", json, "json"), ("yaml", yaml, "yaml")] {
        let (code, out, stderr) = with(&["--from", "extprot", "--to", to], &binary);
        assert_eq!(
            (code, String::from_utf8_lossy(&out).as_ref(), stderr.as_str()),
            (Some(0), text, "")
        );
        let (_, again, stderr) = with(&["--from", from, "--to", "extprot"], text.as_bytes());
        assert_eq!((&again, stderr.as_str()), (&binary, ""));
        // Converting directly from YAML results in the same text.
        assert_eq!(with(&["--to", to, "users.yaml"], b"").1, text.as_bytes());
    }
}

#[test]
fn typed_errors_have_their_line() {
    let bad = b"id: 1\nname: Ann\n---\nid: 2\nname: 5\n";
    let sandbox = Sandbox::with(&[("user.proto", USER), ("bad.yaml", bad)]);
    let args = ["convert", "--schema", "user.proto", "--message", "user", "bad.yaml"];
    let run = sandbox.ketch(&args);
    assert_eq!(run.exits_with(1).stdout.lines().count(), 1, "{run}");
    let expected = "\
error: name: expected a string, found an integer
  --> bad.yaml:5:7
  |
5 | name: 5
  |       ^
  |
  = help: Put it in quotes.
";
    assert!(run.stderr.starts_with(expected), "{run}");
    // A schema for plain scalars may be given in addition to the extprot schema.
    sandbox.write("on.yaml", b"id: 0777\nname: x\n");
    let args = [&args[..5], &["--schema", "yaml11", "on.yaml"]].concat();
    let run = sandbox.ketch(&args);
    assert!(run.exits_with(0).stdout.starts_with("{\"id\":511,"), "{run}");
}

#[test]
fn typed_strings_and_floats_survive_json() {
    let schema = b"message m = { s : string; f : float }";
    let sandbox = Sandbox::with(&[("m.proto", schema)]);
    let typed = ["convert", "--schema", "m.proto", "--message", "m"];
    let yaml = b"s: !!binary /w==\nf: -.inf\n---\ns: \"/w==\"\nf: 0.1\n";
    let (_, binary, stderr) = bytes(&sandbox, &[&typed[..], &["--to", "extprot"]].concat(), yaml);
    assert_eq!(stderr, "");
    let to_json = [&typed[..], &["--from", "extprot", "--to", "json"]].concat();
    let (code, _, stderr) = bytes(&sandbox, &to_json, &binary);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("Choose `--non-finite text` to"), "{stderr}");
    let to_json = [&to_json[..], &["--non-finite", "text"]].concat();
    let (_, json, stderr) = bytes(&sandbox, &to_json, &binary);
    let expected = "{\"s\":{\"!!binary\":\"/w==\"},\"f\":\"-.inf\"}\n{\"s\":\"/w==\",\"f\":0.1}\n";
    assert_eq!((String::from_utf8_lossy(&json).as_ref(), stderr.as_str()), (expected, ""));
    let from_json = [&typed[..], &["--from", "json", "--to", "extprot"]].concat();
    assert_eq!(bytes(&sandbox, &from_json, &json).1, binary);
    let (code, _, stderr) = bytes(&sandbox, &from_json, b"{\"s\":{\"!!binary\":\"?\"},\"f\":1}");
    assert_eq!(code, Some(1));
    assert!(stderr.contains("s: the value of the key \"!!binary\" is not base 64"), "{stderr}");
}

#[test]
fn keys_that_are_the_same_in_json_are_an_error() {
    let sandbox = Sandbox::new();
    let expected = "error: duplicate key in JSON, where all keys are strings\n  --> <stdin>:1:8\n";
    let run = sandbox.ketch_with(&["convert"], b"{1: a, \"1\": b}\n");
    assert!(run.exits_with(1).stderr.starts_with(expected), "{run}");
    assert_eq!(run.stdout, "");
    let run = sandbox.ketch_with(&["get", "x", "-", "--to", "json"], b"x: {~: a, 'null': b}\n");
    assert!(run.exits_with(1).stderr.contains("duplicate key in JSON"), "{run}");
    let binary = to_extprot(&sandbox, b"{a: 1, '2': {3: x}, 2: c}\n");
    let run = sandbox.ketch_with(&["convert", "--from", "extprot"], &binary);
    assert!(run.exits_with(1).stderr.contains("duplicate key \"2\" in JSON"), "{run}");
    let binary = to_extprot(&sandbox, b"[{1: a}, {'1': b}, {1: {'1': x}, '3': [{1: c}]}]\n");
    let run = sandbox.ketch_with(&["convert", "--from", "extprot"], &binary);
    run.is(0, "[{\"1\":\"a\"},{\"1\":\"b\"},{\"1\":{\"1\":\"x\"},\"3\":[{\"1\":\"c\"}]}]\n", "");
}

#[test]
fn data_that_does_not_match_its_schema_is_an_error() {
    let sandbox = Sandbox::with(&[("user.proto", USER), ("data", b"\x01\x03\x01\x00\x02")]);
    let args = ["convert", "--from", "extprot", "--schema", "user.proto"];
    let run = sandbox.ketch(&[&args[..], &["--message", "user", "data"]].concat());
    assert!(run.exits_with(1).stderr.contains("user.name: a field is missing"), "{run}");
    let run = sandbox.ketch(&[&args[..], &["--message", "other", "data"]].concat());
    run.is(0, "{\"id\":1}\n", "");
    let run = sandbox.ketch(&[&args[..], &["data"]].concat());
    assert!(run.exits_with(2).stderr.contains("user.proto has: user, other"), "{run}");
    let run = sandbox.ketch(&["convert", "--message", "user", "data"]);
    assert!(run.exits_with(2).stderr.contains("--schema"), "{run}");
    let run = sandbox.ketch(&["convert", "--schema", "yaml", "data"]);
    assert!(run.exits_with(2).stderr.contains("or a file such as ./yaml"), "{run}");
}

/// Returns the peak of the command's memory in KiB, measured after `part` has been written to its
/// standard input `parts` times and before the input ends.
#[cfg(target_os = "linux")]
fn peak_kib(sandbox: &Sandbox, args: &[&str], part: &[u8], parts: usize) -> u64 {
    let mut command = sandbox.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::inherit());
    let mut child = command.spawn().expect("the command runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    for _ in 0..parts {
        stdin.write_all(part).expect("the command reads");
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()))
        .expect("the status of the command");
    drop(stdin);
    assert!(child.wait().expect("the command ends").success(), "{args:?}");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_stream() {
    let sandbox = Sandbox::with(&[("user.proto", USER), ("users.yaml", USERS)]);
    let typed = ["--schema", "user.proto", "--message", "user"];
    let to = [&["convert", "--to", "extprot", "users.yaml"][..], &typed].concat();
    let messages = bytes(&sandbox, &to, b"").1.repeat(10_000);
    let values = to_extprot(&sandbox, USERS).repeat(10_000);
    let from = ["convert", "--from", "extprot"];
    for (args, part) in [
        (vec!["extprot", "inspect"], &messages),
        ([&["extprot", "inspect"][..], &typed].concat(), &messages),
        ([&from[..], &["--to", "json"]].concat(), &values),
        ([&from[..], &["--to", "yaml"]].concat(), &values),
        ([&from[..], &["--to", "extprot"]].concat(), &values),
        ([&from[..], &["--to", "json"], &typed].concat(), &messages),
    ] {
        let parts = 8_000_000 / part.len();
        let peak = peak_kib(&sandbox, &args, part, parts);
        assert!(peak < 32 * 1024, "{args:?}: {peak} KiB");
    }
    let documents = [b"---\n", USERS].concat().repeat(10_000);
    let peak = peak_kib(&sandbox, &["convert", "--to", "extprot"], &documents, 8);
    assert!(peak < 32 * 1024, "{peak} KiB");
}
