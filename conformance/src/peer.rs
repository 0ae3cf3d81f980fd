//! Other parsers, which run as processes and answer requests in frames (`differential/frames.h`).

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};

/// The result of a parser for an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the input was accepted.
    pub taken: bool,
    /// The events in the notation of yaml-test-suite or, if the input was rejected, the error
    /// message.
    pub notation: String,
}

/// A parser that runs in another process.
#[derive(Debug)]
pub struct Peer {
    /// The name of the library.
    pub name: String,
    program: String,
    child: Option<Child>,
    /// The number of crashes and hangs.
    pub crashes: usize,
}

impl Peer {
    /// Creates a peer called `name`, which is run by `program`.
    pub fn new(name: &str, program: &str) -> Peer {
        Peer { name: name.to_owned(), program: program.to_owned(), child: None, crashes: 0 }
    }

    /// Returns the peer's result for `input`, or `None` if it has crashed or does not respond.
    ///
    /// # Panics
    ///
    /// Panics if the program cannot be started.
    pub fn ask(&mut self, input: &[u8]) -> Option<Answer> {
        let answer = self.exchange(input);
        if answer.is_err() {
            self.crashes += 1;
            if let Some(mut child) = self.child.take() {
                // The process has already ended, or is about to.
                let _ = child.kill();
                let _ = child.wait();
            }
        }
        answer.ok()
    }

    /// Sends an input to the program, after starting it if necessary, and returns its answer.
    fn exchange(&mut self, input: &[u8]) -> io::Result<Answer> {
        if self.child.is_none() {
            let mut command = Command::new(&self.program);
            let command =
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            self.child = Some(command.spawn().unwrap_or_else(|error| {
                panic!("{} does not start: {error}; see conformance/differential/run", self.program)
            }));
        }
        let Some(child) = &mut self.child else { return Err(io::ErrorKind::NotFound.into()) };
        let (Some(stdin), Some(stdout)) = (&mut child.stdin, &mut child.stdout) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        stdin.write_all(&(input.len() as u32).to_le_bytes())?;
        stdin.write_all(input)?;
        stdin.flush()?;
        let mut head = [0; 4];
        stdout.read_exact(&mut head)?;
        let mut answer = vec![0; u32::from_le_bytes(head) as usize];
        stdout.read_exact(&mut answer)?;
        let notation = String::from_utf8_lossy(answer.get(1..).unwrap_or(&[])).into_owned();
        Ok(Answer { taken: answer.first() == Some(&b'T'), notation })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}
