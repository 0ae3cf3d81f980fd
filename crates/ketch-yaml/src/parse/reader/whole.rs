//! Parses a language other than YAML from a reader. Its parser needs the whole text of a document,
//! so the stream is read into memory first.

use super::{PendingProblem, READ_BYTES, ReadParser, STEP_BYTES, SourceError};
use crate::error::Error;
use crate::event::Chunk;
use crate::fault::Fault;
use crate::problem::Problem;
use std::io::Read;

impl<R: Read> ReadParser<R> {
    /// Parses the next document of another language as one chunk. Returns `None` at the end of the
    /// stream.
    pub(super) fn next_whole(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        if !self.source.is_at_end && self.pending_problem.is_none() && self.engine.fault.is_none() {
            self.read_whole();
        }
        let mut found = Ok(false);
        if let Some(other) = self.other.as_mut().filter(|_| !self.is_ended) {
            let text = &self.buffer[..self.filled];
            if self.engine.fault.is_none() {
                found = other.next_document(text, &self.engine.settings.limits, None);
            }
            self.engine.warnings.extend(other.take_warnings());
        }
        self.note_warnings();
        match found {
            Ok(true) => {}
            Ok(false) => {
                self.is_ended = true;
                if let Some(problem) = &self.pending_problem {
                    let problem = match problem {
                        PendingProblem::Text(problem) => *problem,
                        PendingProblem::Io(_) => Problem::Io,
                    };
                    self.engine.fail(problem, self.filled, 1);
                }
                return self.end();
            }
            Err(fault) => {
                self.is_ended = true;
                self.engine.fault = Some(fault);
                return self.end();
            }
        }
        let text = &self.buffer[..self.filled];
        Ok(self.other.as_ref().map(|other| other.chunk(text)))
    }

    /// Reads the rest of the stream into the buffer. An error is not returned but recorded, and is
    /// reported after the documents before it.
    fn read_whole(&mut self) {
        while !self.source.is_at_end {
            if self.filled > self.max_buffer_bytes.max(2 * READ_BYTES) {
                let problem = Problem::TokenTooLong(self.max_buffer_bytes as u64);
                let at = self.filled as u64;
                self.engine.fault = Some(Fault { problem, at, len: 1, related: None });
                return;
            }
            let end = self.filled + READ_BYTES.max(self.filled / 2).min(STEP_BYTES);
            if self.buffer.len() < end {
                self.buffer.resize(end, 0);
            }
            match self.source.read(&mut self.buffer[self.filled..end]) {
                Ok(count) => self.filled += count,
                Err(SourceError::Io(error)) => {
                    self.pending_problem = Some(PendingProblem::Io(error));
                    return;
                }
                Err(SourceError::Malformed) => {
                    let problem = Problem::Malformed(self.source.encoding());
                    self.pending_problem = Some(PendingProblem::Text(problem));
                    return;
                }
            }
        }
        self.checked = self.filled;
    }

    /// Makes the parser of another language, if there is one, continue at `start`, the start of a
    /// document.
    pub(super) fn restart(&mut self, start: usize) {
        if let Some(other) = &mut self.other {
            other.restart(start);
        }
    }
}
