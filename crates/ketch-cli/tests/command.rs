//! Tests of the command as a whole: usage, exit codes, pipes, and unusual inputs.

mod common;

use common::Sandbox;
use std::io::Read;
use std::process::Stdio;

const SUBCOMMANDS: [&str; 23] = [
    "convert",
    "events",
    "check",
    "get",
    "set",
    "del",
    "append",
    "insert",
    "rename",
    "move",
    "merge",
    "sort",
    "comment",
    "patch",
    "fmt",
    "resolve",
    "bench",
    "extprot",
    "match",
    "lines",
    "grok",
    "regex",
    "completions",
];

#[test]
fn help_has_examples_and_the_exit_codes() {
    let sandbox = Sandbox::new();
    let run = sandbox.ketch(&["--help"]);
    assert!(run.exits_with(0).stdout.contains("Exit codes:\n  0  success\n"), "{run}");
    for subcommand in SUBCOMMANDS {
        assert!(run.stdout.contains(&format!("\n  {subcommand}")), "{run}");
        let help = sandbox.ketch(&[subcommand, "--help"]);
        let example = format!("Examples:\n  ketch {subcommand} ");
        let echo = "Examples:\n  echo";
        assert!(
            help.exits_with(0).stdout.contains(&example) || help.stdout.contains(echo),
            "{help}"
        );
    }
}

/// Without a minimum similarity, clap would suggest `bench` for `nosuch`, because they share three
/// letters.
#[test]
fn only_similar_names_are_suggested() {
    let sandbox = Sandbox::new();
    for (args, tip) in [
        (&["chek"][..], "'check'"),
        (&["converts"], "'convert'"),
        (&["convert", "--shema", "json"], "'--schema'"),
        (&["convert", "--to", "jsn"], "'json'"),
    ] {
        let run = sandbox.ketch(args);
        let tips = run.exits_with(2).stderr.lines().filter(|line| line.starts_with("  tip: "));
        let tips: Vec<&str> = tips.collect();
        assert!(matches!(tips[..], [one] if one.ends_with(tip)), "{run}");
    }
    for args in [&["nosuch"][..], &["convert", "--to", "xml"]] {
        let run = sandbox.ketch(args);
        assert!(!run.exits_with(2).stderr.contains("similar"), "{run}");
        assert!(run.stderr.contains("try '--help'"), "{run}");
    }
}

#[test]
fn the_version_is_printed() {
    let version = format!("ketch {}\n", env!("CARGO_PKG_VERSION"));
    Sandbox::new().ketch(&["--version"]).is(0, &version, "");
}

#[test]
fn wrong_usage_exits_with_code_2() {
    let sandbox = Sandbox::with(&[("a", b"1\n")]);
    for args in [
        &[][..],
        &["frobnicate"],
        &["check"],
        &["fmt"],
        &["fmt", "--indent", "0", "a"],
        &["get", "a"],
        &["get", "a", "b", "--to", "xml"],
        &["resolve"],
        &["resolve", "--schema", "yaml13", "x"],
        &["bench", "parse"],
        &["bench", "guess", "a"],
        &["bench", "parse", "a", "-n", "0"],
        &["convert", "--to", "xml", "a"],
        &["events", "--max-depth", "much", "a"],
        &["events", "a", "b"],
        &["completions", "tcl"],
        &["extprot"],
        &["extprot", "check"],
        &["extprot", "compat", "a"],
        &["extprot", "compat", "--require", "neither", "a", "a"],
        &["extprot", "format", "--check", "--write", "a"],
        &["extprot", "format", "--write", "-"],
        &["extprot", "generate", "--lang", "cobol", "a"],
        &["extprot", "inspect", "--message", "m", "a"],
    ] {
        let run = sandbox.ketch(args);
        assert!(run.exits_with(2).stdout.is_empty(), "{args:?}\n{run}");
        assert!(run.stderr.contains("Usage:") || run.stderr.contains("--help"), "{args:?}\n{run}");
    }
}

#[test]
fn completions_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = Sandbox::new().ketch(&["completions", shell]);
        for subcommand in SUBCOMMANDS {
            assert!(run.exits_with(0).stdout.contains(subcommand), "{shell}: {subcommand}");
        }
        // The other two shells do not complete values.
        if ["bash", "zsh", "fish"].contains(&shell) {
            assert!(run.stdout.contains("failsafe"), "{shell} knows the schemas");
        }
    }
}

/// Commands that read a file, whose name must be added at the end.
const READERS: [&[&str]; 13] = [
    &["convert"],
    &["convert", "--to", "events"],
    &["events"],
    &["check"],
    &["fmt", "--check"],
    &["bench", "scan"],
    &["bench", "parse"],
    &["bench", "tree"],
    &["bench", "resolve"],
    &["extprot", "check"],
    &["extprot", "format"],
    &["extprot", "generate"],
    &["extprot", "inspect"],
];

#[test]
fn unreadable_files_exit_with_code_3() {
    let sandbox = Sandbox::new();
    for reader in READERS {
        for (file, reason) in [("missing", "could not be read"), (".", "is a directory")] {
            let run = sandbox.ketch(&[reader, &[file]].concat());
            let output = run.exits_with(3).stdout.clone() + &run.stderr;
            assert!(
                output.contains(&format!("error: {file}: ")) && output.contains(reason),
                "{run}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn files_without_permission_exit_with_code_3() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(&[("secret", b"1\n")]);
    let nothing = std::fs::Permissions::from_mode(0o0);
    std::fs::set_permissions(sandbox.path("secret"), nothing).expect("permissions");
    // Root can read the file anyway.
    let code = if std::fs::read(sandbox.path("secret")).is_ok() { 0 } else { 3 };
    sandbox.ketch(&["events", "secret"]).exits_with(code);
    sandbox.ketch(&["check", "secret"]).exits_with(code);
}

#[test]
fn strange_inputs_never_panic() {
    let long_line = [b"x".repeat(3_000_000), b"\n".to_vec()].concat();
    let deep = b"[".repeat(200_000);
    let inputs: [(&str, &[u8], i32); 9] = [
        ("empty", b"", 0),
        ("mark", b"\xEF\xBB\xBF", 0),
        ("nul", b"\0", 1),
        ("nuls", &[0; 100_000], 1),
        ("cut", b"a: \xf0\x9f\x8c", 1),
        ("utf16", b"a\0:\0 \0\xC4\x30\n\0", 0),
        ("half", b"a\0:", 1),
        ("long", &long_line, 0),
        ("deep", &deep, 1),
    ];
    for (name, bytes, code) in inputs {
        let sandbox = Sandbox::with(&[("input", bytes)]);
        // Scanning finds no errors, and extprot reads texts, schemas and bytes in other ways.
        let is_yaml = |reader: &&&[&str]| !reader.contains(&"scan") && !reader.contains(&"extprot");
        for reader in READERS.iter().filter(is_yaml) {
            let run = sandbox.ketch(&[reader, &["input"][..]].concat());
            assert_eq!(run.code, Some(code), "{name} {reader:?} {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{name} {reader:?} {}", run.stderr);
        }
        let piped = sandbox.ketch_with(&["events"], bytes);
        assert_eq!(piped.code, Some(code), "{name} piped: {}", piped.stderr);
    }
}

/// Checks that the command ends without a message if its output is closed after a few bytes were
/// read.
#[track_caller]
fn a_closed_pipe_causes_no_message(args: &[&str], sandbox: &Sandbox) {
    let mut child = sandbox.command(args).stderr(Stdio::piped()).spawn().expect("the command runs");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut few = [0; 10];
    stdout.read_exact(&mut few).expect("some output");
    drop(stdout);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let sandbox = Sandbox::with(&[("a", "- some text\n".repeat(100_000).as_bytes())]);
    a_closed_pipe_causes_no_message(&["events", "a"], &sandbox);
    a_closed_pipe_causes_no_message(&["convert", "a"], &sandbox);
    a_closed_pipe_causes_no_message(&["convert", "--to", "events", "a", "a"], &sandbox);
    let bad = "%FOO\n--- 1\n";
    std::fs::write(sandbox.path("bad"), bad).expect("a writable file");
    let many = ["bad"; 2000];
    a_closed_pipe_causes_no_message(&[&["check"][..], &many].concat(), &sandbox);
    let texts = ["0x1F"; 5000];
    a_closed_pipe_causes_no_message(&[&["resolve"][..], &texts].concat(), &sandbox);
}

#[test]
fn no_colours_in_a_pipe_unless_asked_for() {
    let sandbox = Sandbox::with(&[("bad", b"a: ]\n")]);
    assert!(!sandbox.ketch(&["check", "bad"]).stdout.contains('\x1b'));
    let forced = sandbox
        .command(&["check", "bad"])
        .env("CLICOLOR_FORCE", "1")
        .output()
        .expect("the command runs");
    assert!(String::from_utf8_lossy(&forced.stdout).contains("\x1b["));
    let events = sandbox
        .command(&["events", "bad"])
        .env("CLICOLOR_FORCE", "1")
        .output()
        .expect("the command runs");
    assert!(String::from_utf8_lossy(&events.stderr).contains("\x1b["));
}
