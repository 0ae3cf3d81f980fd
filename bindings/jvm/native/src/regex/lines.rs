//! Lines of a stream that end in the matches of a pattern.

use super::failure;
use super::watch::{self, Stop};
use crate::env::Pipe;
use ketch_regex::{LineError, LineOptions, Lines, Regex, Separator};
use std::time::Duration;

/// The lines of a stream.
pub struct StreamLines {
    lines: Lines<Pipe>,
    pipe: Pipe,
}

impl std::fmt::Debug for StreamLines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StreamLines").finish_non_exhaustive()
    }
}

impl StreamLines {
    /// Creates the lines, which read when `advance` is called.
    pub fn new(regex: Regex, max_line_bytes: usize, chomp: bool) -> StreamLines {
        let pipe = Pipe::new();
        let options = LineOptions { separator: Separator::Pattern(regex), chomp, max_line_bytes };
        StreamLines { lines: Lines::new(pipe.clone(), options), pipe }
    }

    /// Returns the pipe that the lines come from. `advance` has to run inside [`Pipe::with`].
    pub fn pipe(&self) -> Pipe {
        self.pipe.clone()
    }

    /// Returns the next line.
    pub fn advance(&mut self, limit: Option<Duration>) -> Result<Option<&[u8]>, Stop> {
        let lines = &mut self.lines;
        let mut failed = None;
        let reason = &mut failed;
        let line = watch::watched(limit, move || match lines.next_line() {
            Ok(line) => Ok(line),
            Err(LineError::Search(error)) => Err(error),
            Err(error) => {
                *reason = Some(error);
                Ok(None)
            }
        })?;
        match failed {
            None => Ok(line),
            Some(error @ LineError::TooLong(..)) => {
                Err(Stop::Failed(failure::too_long(&error.to_string())))
            }
            Some(error) => Err(Stop::Failed(failure::unreadable(&error.to_string()))),
        }
    }
}
