//! Reports the problems of many files: the first ones in full, and the others as a number.

use crate::draw;
use crate::files::Files;
use crate::quiet;
use crate::status::{Failure, Status};
use indicatif::HumanCount;
use std::io::{self, Write};

/// The number of problems of a folder or pattern that are shown in full.
const SHOWN_MAX: u64 = 10;

/// The problems of a run so far.
pub struct Reports {
    /// Whether the files were found in a folder or by a pattern, so that there may be many.
    is_group: bool,
    count: u64,
    status: Status,
}

impl Reports {
    /// Creates an empty list for `files`.
    pub fn new(files: &Files) -> Reports {
        Reports { is_group: files.is_group, count: 0, status: Status::Success }
    }

    /// Counts a problem, and returns whether it is to be shown.
    pub fn is_shown(&mut self) -> bool {
        self.count += 1;
        !(quiet::is_on() || self.is_group && self.count > SHOWN_MAX)
    }

    /// Includes `status` in the status of the run.
    pub fn status(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Prints `failure` on standard error if it is to be shown, and includes its status.
    pub fn failure(&mut self, failure: &Failure) {
        match self.is_shown() {
            true => self.status(draw::failure(failure)),
            false => self.status(failure.status()),
        }
    }

    /// Returns whether there may be many files.
    pub fn is_group(&self) -> bool {
        self.is_group
    }

    /// Returns the number of problems.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Prints `summary` and the number of problems that were not shown on standard error, if there
    /// may be many files. Returns the status of the run.
    pub fn finish(self, summary: Option<String>) -> Status {
        let hidden = self.count.saturating_sub(SHOWN_MAX);
        let more =
            (hidden > 0).then(|| format!("{} more problems are not shown", HumanCount(hidden)));
        let lines: Vec<String> = summary.into_iter().chain(more).collect();
        if self.is_group && !quiet::is_on() && !lines.is_empty() {
            // It is not an error if standard error is closed.
            let _ = writeln!(io::stderr(), "{}", lines.join("; "));
        }
        self.status
    }
}

/// Returns a count with its noun, such as `2,000 files`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", HumanCount(count), if count == 1 { "" } else { "s" })
}
