//! Yecht in a separate process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that runs `Time.java` on a file.
pub struct Yecht {
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Yecht {
    /// Starts the process.
    pub fn start(class_path: &str, file: &str) -> Yecht {
        let mut process = Command::new("java")
            .args(["-cp", class_path, "Time", file])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("java runs");
        let stdin = process.stdin.take().expect("a pipe");
        let stdout = BufReader::new(process.stdout.take().expect("a pipe"));
        Yecht { process, stdin, stdout }
    }

    /// Returns how often Yecht calls its handler for the file.
    pub fn handler_calls(&mut self) -> u64 {
        self.run("count", 1)
    }

    /// Runs a task, and returns the nanoseconds of CPU time per document.
    pub fn time(&mut self, task: &str, times: u64) -> f64 {
        self.run(task, times) as f64 / times as f64
    }

    /// Sends a line to the process, and returns the number that it answers.
    fn run(&mut self, task: &str, times: u64) -> u64 {
        writeln!(self.stdin, "{task} {times}").expect("Yecht reads");
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("Yecht writes");
        line.trim().parse().expect("a number")
    }

    /// Ends the process.
    pub fn end(mut self) {
        drop(self.stdin);
        let _ = self.process.wait();
    }
}
