//! A program that answers questions. Each question and each answer is preceded by its length, four
//! bytes in network order.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

/// A program that answers questions.
#[derive(Debug)]
pub struct Oracle {
    questions: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts a shell command.
    ///
    /// # Errors
    ///
    /// Fails if the command cannot be started.
    pub fn start(command: &str) -> io::Result<Oracle> {
        let mut shell = Command::new("sh");
        let child = shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.spawn()?;
        let missing = || io::Error::other("the oracle has no pipes");
        let questions = BufWriter::new(child.stdin.take().ok_or_else(missing)?);
        let answers = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Oracle { questions, answers })
    }

    /// Sends the parts of a question, and returns the bytes of the answer.
    ///
    /// # Errors
    ///
    /// Fails if the program has ended.
    pub fn ask(&mut self, parts: &[&[u8]]) -> io::Result<Vec<u8>> {
        for part in parts {
            self.questions.write_all(&(part.len() as u32).to_be_bytes())?;
            self.questions.write_all(part)?;
        }
        self.questions.flush()?;
        let mut len = [0; 4];
        self.answers.read_exact(&mut len)?;
        let mut answer = vec![0; u32::from_be_bytes(len) as usize];
        self.answers.read_exact(&mut answer)?;
        Ok(answer)
    }
}
