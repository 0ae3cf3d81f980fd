//! Memory that runs out ends the command with a sentence and a code of its own.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output};

/// Runs the command with an address space of this many KiB.
fn with_memory(kib: u32, arguments: &[&str], folder: &Path) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v {kib}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_ketch")])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("a shell")
}

#[test]
fn memory_that_runs_out_is_an_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = format!("[{}]\n", "a, ".repeat(44_000_000));
    std::fs::write(folder.path().join("line.yaml"), line).expect("a file");
    std::fs::write(folder.path().join("out.json"), "old\n").expect("a file");
    let runs: [&[&str]; 5] = [
        &["convert", "line.yaml"],
        &["convert", "line.yaml", "-o", "out.json"],
        &["check", "line.yaml"],
        &["fmt", "line.yaml"],
        &["convert", "line.yaml", "--to", "yaml", "--sort-keys"],
    ];
    for run in runs {
        let output = with_memory(200_000, run, folder.path());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{run:?}: {message}");
        assert!(message.starts_with("error: out of memory: "), "{run:?}: {message}");
        assert_eq!(message.lines().count(), 2, "{run:?}: {message}");
    }
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["line.yaml", "out.json"]);
    let old = std::fs::read_to_string(folder.path().join("out.json")).expect("a file");
    assert_eq!(old, "old\n");
}
