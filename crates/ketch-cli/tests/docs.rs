//! Runs the console examples of `README.md`, and of `cli.md`, `formats.md`, `from-yq.md` and `query.md` in `docs`, as
//! they are written.
#![cfg(unix)]

mod common;

use common::Sandbox;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A fenced code block of a page.
struct Block<'p> {
    language: &'p str,
    /// The name of the file whose content the block shows, which is the second word of its fence.
    file: Option<&'p str>,
    lines: Vec<&'p str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(_), true) => is_open = false,
            (Some(fence), false) => {
                let mut words = fence.split(' ');
                let language = words.next().unwrap_or_default();
                blocks.push(Block { language, file: words.next(), lines: Vec::new() });
                is_open = true;
            }
            (None, true) => blocks.last_mut().expect("an open block").lines.push(line),
            (None, false) => {}
        }
    }
    blocks
}

/// Runs `command` in a shell. Returns what it writes to both streams, without blanks at the ends of
/// lines.
fn run(command: &str, sandbox: &Sandbox) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_ketch")).parent().expect("a directory");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(sandbox.path(""))
        .env("PATH", path)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// Returns whether `line` matches `pattern`, in which `…` stands for a number.
fn matches(line: &str, pattern: &str) -> bool {
    let mut rest = line;
    let mut parts = pattern.split('…');
    let Some(tail) = parts.next().and_then(|first| rest.strip_prefix(first)) else { return false };
    rest = tail;
    parts.all(|part| {
        let number = rest.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
        let found = number.len() < rest.len() && number.starts_with(part);
        rest = number.strip_prefix(part).unwrap_or(number);
        found
    }) && rest.is_empty()
}

/// Runs all examples of `page`, and returns the number of commands.
fn run_page(page: &str) -> usize {
    // The pages are symbolic links here, so that the package contains them.
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(page);
    let page = fs::read_to_string(page).expect("the page");
    let sandbox = Sandbox::new();
    let mut commands = 0;
    for Block { language, file, lines } in blocks(&page) {
        if let Some(name) = file {
            let text = lines.join("\n") + "\n";
            fs::write(sandbox.path(name), text).expect("a writable file");
        }
        if language != "console" {
            continue;
        }
        for example in lines.join("\n").split("$ ").skip(1) {
            let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
            let got = run(command, &sandbox);
            let expected: Vec<&str> = expected.trim_end().lines().map(str::trim_end).collect();
            let got = got.trim_end();
            let is_same = expected.len() == got.lines().count()
                && got.lines().zip(&expected).all(|(line, pattern)| matches(line, pattern));
            assert!(is_same, "$ {command}\n{got}\n--- the page says\n{}", expected.join("\n"));
            commands += 1;
        }
    }
    commands
}

#[test]
fn the_examples_of_the_page_run() {
    assert!(run_page("cli.md") >= 8, "the page has examples");
    assert!(run_page("formats.md") >= 6, "the page has examples");
    assert!(run_page("query.md") >= 80, "the page has examples");
}

#[test]
fn the_examples_of_the_readme_run() {
    assert!(run_page("README.md") >= 4, "the page has examples");
}

#[test]
fn the_examples_of_the_page_for_users_of_yq_run() {
    assert!(run_page("from-yq.md") >= 5, "the page has examples");
}

/// Tasks for which people often use yq, each with the arguments of yq for it.
const EVERYDAY: [(&str, &str); 25] = [
    ("path", "'.image.name' values.yaml"),
    ("index", "'.hosts[0]' values.yaml"),
    ("splat", "'.hosts[]' values.yaml"),
    ("negative index", "'.hosts[-1]' values.yaml"),
    ("quoted key", r#"'.["a.b"]' values.yaml"#),
    ("default", r#"'.none // "x"' values.yaml"#),
    ("n-th document", "'select(di == 1) | .name' all.yaml"),
    ("raw", "-r '.image.tag' values.yaml"),
    ("exit code", "-e '.image' values.yaml"),
    ("convert", "-o=json '.' values.yaml"),
    ("validate", "'.' values.yaml"),
    ("set", "'.replicas = 4' values.yaml"),
    ("set from the environment", "'.image.tag = strenv(HOME)' values.yaml"),
    ("delete", "'del(.labels.zone)' values.yaml"),
    ("append", r#"'.hosts += ["c.example"]' values.yaml"#),
    ("merge files", r#"'. *= load("more.yaml")' values.yaml"#),
    ("select", r#"'.ports[] | select(.name == "ssh") | .port' values.yaml"#),
    ("slice", "'.ports | .[0:1] | .[]' values.yaml"),
    ("any depth", r#"'.. | select(has("port")) | .port' values.yaml"#),
    ("split documents", "-s '.name' all.yaml"),
    ("collect documents", "eval-all '.' values.yaml more.yaml"),
    ("keys", "'.labels | keys' values.yaml"),
    ("length", "'.hosts | length' values.yaml"),
    ("sort by a field", "'.ports | sort_by(.port)' values.yaml"),
    ("pairs", "'.labels | to_entries' values.yaml"),
];

/// Checks that `ketch` names a command for each of the tasks, and that the command works.
#[test]
fn everyday_commands_of_yq_work() {
    let sandbox = Sandbox::new();
    write_files_of("from-yq.md", &sandbox);
    for (name, arguments) in EVERYDAY {
        let said = run(&format!("ketch {arguments}"), &sandbox);
        let said = said.lines().next().unwrap_or_default();
        let instead = said.rsplit_once("run this instead: ").map(|(_, command)| command);
        let command = instead.unwrap_or_else(|| panic!("{name}: {said}"));
        let outcome = run(&format!("{command} && echo done"), &sandbox);
        assert!(outcome.ends_with("done\n"), "{name}: {outcome}");
    }
}

/// Writes the files that `page` shows to the sandbox, and returns the text of the page.
fn write_files_of(page: &str, sandbox: &Sandbox) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages").join(page);
    let page = fs::read_to_string(page).expect("the page");
    for Block { file, lines, .. } in blocks(&page) {
        if let Some(name) = file {
            fs::write(sandbox.path(name), lines.join("\n") + "\n").expect("a writable file");
        }
    }
    page
}

/// Checks each row of the tables: for the yq arguments in it, `ketch` names the `ketch` command in
/// it. Also checks that the `ketch` commands of both tables work.
#[test]
fn yq_commands_are_translated_to_commands_that_work() {
    let sandbox = Sandbox::new();
    let page = write_files_of("from-yq.md", &sandbox);
    let mut rows = 0;
    for line in page.lines().filter(|line| line.starts_with("| ") && line.contains("`ketch ")) {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split('|').map(|cell| cell.replace('\u{1}', "|")).collect();
        let code = |cell: &str| cell.trim().trim_matches('`').to_owned();
        let (yq, ours) = (code(&cells[2]), code(&cells[3]));
        if yq.starts_with("yq ") {
            let said = run(&format!("ketch {yq}"), &sandbox);
            let expected = format!("error: these are yq arguments; run this instead: {ours}");
            assert_eq!(said.lines().next(), Some(&*expected));
        }
        let outcome = run(&format!("{ours} && echo done"), &sandbox);
        assert!(outcome.ends_with("done\n"), "{ours}\n{outcome}");
        assert!(yq.is_empty() || outcome != "done\n", "{ours} prints something");
        rows += 1;
    }
    assert!(rows >= 45, "{rows}");
}
