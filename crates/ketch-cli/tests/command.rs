//! Tests of the command as a whole: usage, exit codes, pipes, and unusual inputs.

mod common;

use common::Sandbox;
use std::io::Read;
use std::process::Stdio;

const SUBCOMMANDS: [&str; 27] = [
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
    "split",
    "collect",
    "man",
    "help",
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
                output.contains(&format!("error: {file}: "))
                    && (output.contains(reason) || output.contains("the folder has no YAML files")),
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

/// Returns the lines of `text`.
fn count(text: &str) -> usize {
    text.lines().count()
}

#[test]
fn help_is_in_groups_and_fits_a_screen() {
    let sandbox = Sandbox::new();
    let help = sandbox.ketch(&["-h"]);
    for group in ["Look:", "Edit:", "Files:", "Text:", "Binary:", "Inspect:"] {
        assert!(help.stdout.contains(&format!("\n{group}\n  ")), "{help}");
    }
    for subcommand in SUBCOMMANDS {
        let short = sandbox.ketch(&[subcommand, "-h"]);
        assert!(count(&short.exits_with(0).stdout) <= 50, "{subcommand}: {short}");
        assert!(!short.stdout.contains("--max-nodes"), "{short}");
        let long = sandbox.ketch(&["help", subcommand]);
        assert_eq!(long.stdout, sandbox.ketch(&[subcommand, "--help"]).stdout, "{subcommand}");
    }
}

#[test]
fn limits_paths_and_formats_have_pages() {
    let sandbox = Sandbox::new();
    for (topic, word) in
        [("limits", "--max-depth"), ("paths", "[?name == \"web\"]"), ("formats", "toml")]
    {
        let page = sandbox.ketch(&["help", topic]);
        assert!(page.exits_with(0).stdout.contains(word), "{page}");
        assert!(sandbox.ketch(&["help"]).stdout.contains(&format!("ketch help {topic}")));
    }
    let outcome = sandbox.ketch(&["help", "nosuch"]);
    assert!(
        outcome.exits_with(2).stderr.contains("topics are formats, limits, paths"),
        "{outcome}"
    );
}

#[test]
fn common_words_are_names_of_subcommands() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a: 1\nb:   2\n")]);
    for word in ["delete", "rm", "remove", "unset"] {
        sandbox.ketch(&[word, ".a", "a.yaml"]).is(0, "b:   2\n", "");
    }
    for word in ["view", "query", "read", "show", "print"] {
        sandbox.ketch(&[word, ".a", "a.yaml"]).is(0, "1\n", "");
    }
    sandbox.ketch(&["join", "a.yaml"]).is(0, "a: 1\nb:   2\n", "");
    sandbox.ketch(&["format", "--check", "a.yaml"]).is(1, "a.yaml\n", "");
    sandbox.ketch(&["version"]).is(0, &format!("ketch {}\n", env!("CARGO_PKG_VERSION")), "");
}

#[test]
fn no_typo_suggests_what_changes_files() {
    let sandbox = Sandbox::new();
    for typo in ["fnt", "fmtt", "fm", "form", "fromat", "formt", "splt", "spit", "splitt", "sp"] {
        let outcome = sandbox.ketch(&[typo, "a.yaml"]);
        let tips: Vec<&str> =
            outcome.exits_with(2).stderr.lines().filter(|line| line.contains("tip:")).collect();
        let is_wrong = |tip: &&str| {
            ["fmt", "format", "split"].iter().any(|name| tip.contains(&format!("'{name}'")))
        };
        assert!(!tips.iter().any(is_wrong), "{outcome}");
    }
}

#[test]
fn manual_pages_are_printed_and_written() {
    let sandbox = Sandbox::new();
    let page = sandbox.ketch(&["man", "get"]);
    assert!(page.exits_with(0).stdout.contains(".TH ketch-get 1"), "{page}");
    assert!(page.stdout.contains("\\-\\-default"), "{page}");
    sandbox.ketch(&["man", "--output", "out"]).is(0, "", "");
    for name in ["ketch.1", "ketch-set.1", "ketch-extprot-inspect.1"] {
        assert!(sandbox.read(&format!("out/{name}")).contains(".TH"), "{name}");
    }
    sandbox.ketch(&["man", "nosuch"]).exits_with(2);
}

#[test]
fn colors_are_as_asked_for() {
    let sandbox = Sandbox::with(&[("a.yaml", b"a:   {b: 1}\n")]);
    let has_color = |args: &[&str], name: &str| {
        let output = sandbox.command(args).env_remove("NO_COLOR").env(name, "1").output().unwrap();
        String::from_utf8_lossy(&output.stdout).contains('\x1b')
    };
    for args in [
        &["get", ".a", "a.yaml"][..],
        &["get", ".a", "-o", "json", "a.yaml"],
        &["fmt", "--diff", "a.yaml"],
        &["set", "--diff", ".a.b", "2", "a.yaml"],
    ] {
        assert!(!has_color(args, "X"), "{args:?}");
        assert!(has_color(args, "FORCE_COLOR"), "{args:?}");
        assert!(has_color(&[args, &["--color", "always"]].concat(), "NO_COLOR"), "{args:?}");
        assert!(!has_color(&[args, &["--color", "never"]].concat(), "FORCE_COLOR"), "{args:?}");
        assert!(!has_color(args, "NO_COLOR"), "{args:?}");
    }
    assert!(!has_color(&["get", ".a.b", "a.yaml"], "FORCE_COLOR"));
}

#[test]
fn a_file_without_a_subcommand_gets_the_commands_to_run() {
    let sandbox = Sandbox::with(&[("my values.yaml", b"a: 1\n")]);
    let run = sandbox.ketch(&["my values.yaml"]);
    let command =
        "`my values.yaml` is no subcommand, but a file: `ketch get . 'my values.yaml'` prints it";
    assert!(run.exits_with(2).stderr.contains(command), "{run}");
    let run = sandbox.ketch(&["."]);
    assert!(run.exits_with(2).stderr.contains("`ketch check .` checks it"), "{run}");
    let run = sandbox.ketch(&["none.yaml"]);
    assert!(!run.exits_with(2).stderr.contains("checks it"), "{run}");
}
