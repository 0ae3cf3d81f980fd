//! Runs the command in tests as a user does.
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The exit code and the output of a run.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// A temporary folder in which the command runs. It is removed at the end of the test.
pub struct Sandbox {
    directory: TempDir,
}

impl Sandbox {
    /// Creates an empty folder.
    pub fn new() -> Sandbox {
        Sandbox { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    /// Creates a folder with `files`, each with its name and content.
    pub fn with(files: &[(&str, &[u8])]) -> Sandbox {
        let sandbox = Sandbox::new();
        for (name, bytes) in files {
            fs::write(sandbox.path(name), bytes).expect("a writable file");
        }
        sandbox
    }

    /// Returns the path of the file `name` in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes `bytes` to the file `name`.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a writable file");
    }

    /// Returns the text of the file `name`.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file of text")
    }

    /// Returns the number of files and folders in the folder.
    pub fn count(&self) -> usize {
        fs::read_dir(self.directory.path()).expect("a directory").count()
    }

    /// Returns the command with the arguments `args`. It has no input, and its output is captured.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ketch"));
        command.args(args).current_dir(self.directory.path()).env_remove("CLICOLOR_FORCE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the command with the arguments `args` and without input.
    pub fn ketch(&self, args: &[&str]) -> Outcome {
        let output = self.command(args).output().expect("the command runs");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs the command with the arguments `args`, and `input` as its standard input.
    pub fn ketch_with(&self, args: &[&str], input: &[u8]) -> Outcome {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().expect("the command runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_vec();
        let writer = std::thread::spawn(move || {
            // The command may end before it has read everything.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().expect("the command ends");
        writer.join().expect("the writer ends");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Outcome {
    /// Asserts that the exit code and the output are exactly these.
    #[track_caller]
    pub fn is(&self, code: i32, stdout: &str, stderr: &str) {
        let want = (Some(code), stdout, stderr);
        assert_eq!((self.code, self.stdout.as_str(), self.stderr.as_str()), want, "\n{self}");
    }

    /// Asserts that the exit code is `code`, and that nothing panicked.
    #[track_caller]
    pub fn exits_with(&self, code: i32) -> &Outcome {
        assert!(!self.stderr.contains("panicked"), "\n{self}");
        assert_eq!(self.code, Some(code), "\n{self}");
        self
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Outcome { code, stdout, stderr } = self;
        write!(f, "exit code {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}

/// Returns whether the tests run as root. Only root can run the command as another user.
#[cfg(unix)]
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs the command as the user `nobody`.
#[cfg(unix)]
pub fn as_nobody(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    as_nobody_with(sandbox, "/tmp", args)
}

/// Runs the command as the user `nobody`, with `folder` as the folder for temporary files.
pub fn as_nobody_with(sandbox: &Sandbox, folder: &str, args: &[&str]) -> Outcome {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    // Other users may not have access to the folder of the binary.
    let binary = sandbox.path("ketch-as-nobody");
    // `fs::copy` is not used: a child process that another test starts in the meantime would
    // inherit the open file, and Linux does not run a file that a process has open for writing.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_ketch")).arg(&binary).status().unwrap();
    assert!(copied.success());
    command.arg(&binary).args(args).current_dir(sandbox.path("")).env("TMPDIR", folder);
    let output = command.output().unwrap();
    fs::remove_file(binary).unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
