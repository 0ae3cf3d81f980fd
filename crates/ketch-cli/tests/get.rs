//! Tests of `ketch get`: results, errors, and that it does not read more than necessary.

mod common;

use common::Sandbox;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

const PODS: &[u8] = b"\
kind: Pod
metadata: {labels: {app.kubernetes.io/name: boat}}
spec:
  containers:
  - {name: a, image: \"x:1\", ports: [80, 443], env: !Env {A: 1.10}}
  - name: b
    image: y:2
    same: &a [1]
    again: *a
  replicas: 3
---
kind: Service
";

#[test]
fn results_come_in_order() {
    let sandbox = Sandbox::with(&[("pods", PODS)]);
    for (path, to, expected) in [
        ("kind", "yaml", "Pod\n--- Service\n"),
        ("kind", "json", "\"Pod\"\n\"Service\"\n"),
        ("kind", "raw", "Pod\nService\n"),
        ("spec.containers[*].image", "yaml", "\"x:1\"\n--- y:2\n"),
        ("spec.containers[*].image", "raw", "x:1\ny:2\n"),
        ("/spec/containers/1/image", "raw", "y:2\n"),
        ("spec.containers[-2].env", "yaml", "!Env {A: 1.10}\n"),
        ("spec.containers[0].env.*", "raw", "1.10\n"),
        ("spec.containers[1].again", "yaml", "[1]\n"),
        ("metadata.labels[\"app.kubernetes.io/name\"]", "raw", "boat\n"),
        ("spec.containers[0].ports.1", "yaml", "443\n"),
    ] {
        sandbox.ketch(&["get", path, "pods", "--to", to]).is(0, expected, "");
        sandbox.ketch_with(&["get", path, "-", "--to", to], PODS).is(0, expected, "");
    }
    sandbox.ketch(&["get", "kind", "pods", "--first"]).is(0, "Pod\n", "");
    sandbox.ketch(&["get", "kind", "pods", "--document", "1"]).is(0, "Service\n", "");
    sandbox.ketch(&["get", "spec.containers[0].ports", "pods", "--to", "json", "--pretty"]).is(
        0,
        "[\n  80,\n  443\n]\n",
        "",
    );
    let flat = ["get", "spec.containers[1].same", "pods", "--flow=off", "--indent", "4"];
    sandbox.ketch(&flat).is(0, "- 1\n", "");
    sandbox.ketch_with(&["get", "", "-", "--to", "json"], b"- 1\n").is(0, "[1]\n", "");
}

#[test]
fn a_missing_result_exits_with_four_unless_there_is_a_default() {
    let sandbox = Sandbox::with(&[("pods", PODS)]);
    for (path, caret, there) in [
        (
            "spec.contaners[0]",
            "^^^^^^^^^ `spec` has the keys containers, replicas",
            "`containers`?",
        ),
        ("[\"kinds\"]", "^^^^^^^^^ the document has the keys kind, metadata, spec", "`kind`?"),
        ("spec.containers[2]", "^^^ `spec.containers` is a sequence of 2 entries", "[-1]"),
        ("spec.containers.name", "^^^^ `spec.containers` is a sequence", "[0]"),
        ("kind.x", "^ `kind` is a scalar", ""),
        ("/spec/replica", "^^^^^^^ `/spec` has the keys", "`replicas`?"),
    ] {
        let run = sandbox.ketch(&["get", path, "pods"]);
        assert!(run.exits_with(4).stdout.is_empty(), "{run}");
        let message = "error: pods has nothing at this path\n";
        let parts = [message, caret, there];
        assert!(parts.iter().all(|part| run.stderr.contains(part)), "{path}\n{run}");
    }
    sandbox.ketch(&["get", "x", "pods", "--default", "a: b", "--to", "raw"]).is(0, "a: b\n", "");
    sandbox.ketch(&["get", "x", "pods", "--default", "[a]", "--to", "json"]).is(0, "[\"a\"]\n", "");
    sandbox.ketch(&["get", "x", "pods", "--default", "[a]"]).is(0, "[a]\n", "");
    sandbox.ketch(&["get", "kind", "pods", "--first", "--default", "x"]).is(0, "Pod\n", "");
    for (path, text, meant) in [
        (".x.y", ".x: {y: 1}\n", "[\".x\"]"),
        ("[\"1.5\"]", "1.5: a\n", "[1.5]"),
        ("[\"1.6\"]", "'1.5': a\n", "[\"1.5\"]"),
    ] {
        let run = sandbox.ketch_with(&["get", path, "-"], text.as_bytes());
        assert!(run.exits_with(4).stderr.contains(&format!("Did you mean `{meant}`?")), "{run}");
    }
    let run = sandbox.ketch(&["get", "kind", "pods", "--document", "2"]);
    run.is(4, "", "error: pods: there is no document 2, counted from 0\n");
    let run = sandbox.ketch_with(&["get", "a", "-"], b"# nothing\n");
    run.is(4, "", "error: <stdin>: there is no document\n");
}

#[test]
fn errors_are_reported() {
    let sandbox =
        Sandbox::with(&[("pods", PODS), ("bad", b"a: 1\nb: [2\n"), ("twice", b"a: 1\na: 2\n")]);
    let path = sandbox.ketch(&["get", "spec[x].y", "pods"]);
    let drawn = "1 | spec[x].y\n  |      ^\n";
    assert!(path.exits_with(2).stderr.contains(drawn), "{path}");
    let default = sandbox.ketch(&["get", "x", "pods", "--default", "[", "--to", "yaml"]);
    assert!(default.exits_with(2).stderr.contains("--default:1:2"), "{default}");
    let keys = sandbox.ketch(&["get", "spec.containers[1].name", "pods", "--keys"]);
    assert!(keys.exits_with(1).stderr.contains("a scalar has no keys\n  --> pods:6:11"), "{keys}");
    let bad = sandbox.ketch(&["get", "a", "bad"]);
    assert!(bad.exits_with(1).stderr.contains("a `[` is never closed"), "{bad}");
    assert_eq!(bad.stdout, "1\n");
    sandbox.ketch(&["get", "a", "bad", "--first"]).is(0, "1\n", "");
    let twice = sandbox.ketch(&["get", "a", "twice"]);
    assert!(twice.exits_with(1).stderr.contains("--> twice:2:1"), "{twice}");
    assert!(twice.stderr.contains("1 | a: 1\n  | - first used here"), "{twice}");
    sandbox.ketch(&["get", "a", "twice", "--duplicate-keys", "last"]).is(0, "2\n", "");
    sandbox.ketch(&["get", "a", "missing"]).exits_with(3);
    sandbox.ketch_with(&["get", "a.b", "-", "--to", "json"], b"a: {b: .inf}").exits_with(1);
}

#[test]
fn merge_keys_follow_the_schema() {
    let sandbox = Sandbox::with(&[("m", b"base: &b {x: 1, y: no}\none: {<<: *b, x: 2}\n")]);
    sandbox.ketch(&["get", "one.y", "m"]).exits_with(4);
    sandbox
        .ketch(&["get", "one.y", "m", "--schema", "yaml11", "--to", "json"])
        .is(0, "false\n", "");
    sandbox.ketch(&["get", "one.*", "m", "--merge", "--to", "json"]).is(0, "\"no\"\n2\n", "");
    // The value of a tag is not known, so it is kept.
    sandbox.write("i", b"<<: !include f\n<<: {b: 2}\na: 1\n");
    sandbox.ketch(&["get", "a", "i", "--merge"]).is(0, "1\n", "");
    sandbox.ketch(&["get", "b", "i", "--merge"]).is(0, "2\n", "");
    sandbox.ketch(&["get", "[\"<<\"]", "i", "--merge"]).is(0, "f\n", "");
}

/// Checks that the result appears and the command ends even if the writer never closes the pipe.
#[test]
fn first_ends_on_an_endless_pipe() {
    let sandbox = Sandbox::new();
    for (path, options, expected) in [
        ("spec[0].x", &["--first"][..], "1\n"),
        ("spec[0].x", &["--document", "0"], "1\n"),
        ("spec[*].x", &["--first", "--to", "json"], "1\n"),
    ] {
        let args = [&["get", path, "-"], options].concat();
        let mut child =
            sandbox.command(&args).stdin(Stdio::piped()).spawn().expect("the command runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || {
            let entry = "- {x: 1, y: [2, 3]}\n".repeat(1000);
            stdin.write_all(b"spec:\n").expect("the command reads its input");
            // This loop ends when the reader has closed the pipe.
            while stdin.write_all(entry.as_bytes()).is_ok() {}
        });
        let output = child.wait_with_output().expect("the command ends");
        writer.join().expect("the writer ends");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

/// Checks that results appear as soon as they are found, while the pipe is still open.
#[test]
fn results_do_not_wait_for_later_input() {
    let sandbox = Sandbox::new();
    for to in ["yaml", "json", "raw"] {
        let args = ["get", "[*].x", "-", "--to", to];
        let mut child =
            sandbox.command(&args).stdin(Stdio::piped()).spawn().expect("the command runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        stdin.write_all(b"- x: 1\n- x: 2\n- y").expect("the command reads its input");
        assert_eq!(lines.next().expect("a line").expect("UTF-8"), "1");
        drop(stdin);
        assert_eq!(lines.count(), 1);
        assert_eq!(child.wait().expect("the command ends").code(), Some(0));
    }
}

/// Checks that text that is skipped is not kept in memory. The input is much smaller than a
/// gigabyte, because that would take too long.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_skipped_text() {
    let sandbox = Sandbox::new();
    let peak = |entries: usize| {
        let args = ["get", "last.x", "-"];
        let mut child =
            sandbox.command(&args).stdin(Stdio::piped()).spawn().expect("the command runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let entry = "- {name: something, ports: [80, 443], text: \"a b c\"}\n".repeat(1000);
        stdin.write_all(b"items:\n").expect("the command reads its input");
        for _ in 0..entries / 1000 {
            stdin.write_all(entry.as_bytes()).expect("the command reads its input");
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()))
            .expect("the status of the command");
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak");
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        stdin.write_all(b"last: {x: 1}\n").expect("the command reads its input");
        drop(stdin);
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n");
        digits.parse::<u64>().expect("a number")
    };
    let (small, large) = (peak(10_000), peak(400_000));
    assert!(large < small + 4096, "{small} kB for 0.5 MB, {large} kB for 20 MB");
}

#[test]
fn excerpts_show_the_whole_line() {
    let sandbox = Sandbox::with(&[("a.yaml", b"x: 1\nb: [!x 1, 2] # c\n")]);
    let run = sandbox.ketch(&["get", "b[0]", "a.yaml", "--keys"]);
    let excerpt = "2 | b: [!x 1, 2] # c\n  |        ^\n";
    assert!(run.exits_with(1).stderr.contains(excerpt), "{run}");
    let args = ["get", "b", "-", "--to", "json", "--unknown-tags", "error"];
    let run = sandbox.ketch_with(&args, sandbox.read("a.yaml").as_bytes());
    let excerpt = "2 | b: [!x 1, 2] # c\n  |     ^^\n";
    assert!(run.exits_with(1).stderr.contains(excerpt), "{run}");
}

#[test]
fn a_default_value_is_an_option() {
    let sandbox = Sandbox::with(&[("a", b"a: 1\n")]);
    for (path, code, command) in [
        (".b // \"x y\"", 2, "`ketch get .b --default 'x y'`"),
        (".b.c // 5", 4, "`ketch get b.c --default 5`"),
    ] {
        let run = sandbox.ketch(&["get", path, "a"]);
        assert!(run.exits_with(code).stderr.contains(command), "{run}");
    }
}
