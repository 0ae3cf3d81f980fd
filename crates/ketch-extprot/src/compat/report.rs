//! What a comparison reports.

use crate::schema::Span;
use std::fmt;

/// The direction of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// New readers read old data: backward compatibility.
    Backward,
    /// Old readers read new data: forward compatibility.
    Forward,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// All data can be read, but some may have a different meaning.
    Warning,
    /// Some data cannot be read.
    Break,
}

/// One way in which a reader fails to read, or misreads, a writer's data.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The direction of the comparison that found it.
    pub direction: Direction,
    /// How serious it is.
    pub severity: Severity,
    /// The name of the message that the finding is about.
    pub message: String,
    /// The path from the message to the part that is affected, with the names of the writer's schema:
    /// `contacts[].email.Set[0]`.
    pub path: String,
    /// What happens, and why.
    pub reason: String,
    /// What to do about it.
    pub help: &'static str,
    /// The location in the old schema, as `file:line:column`.
    pub old_place: String,
    /// The location in the new schema, as `file:line:column`.
    pub new_place: String,
    /// The location in [`Schema::sources`](crate::schema::Schema::sources) of the old schema, or `None`
    /// if it is the whole file.
    pub old_span: Option<Span>,
    /// The location in the sources of the new schema, or `None` if it is the whole file.
    pub new_span: Option<Span>,
    /// For a break, bytes that the writer can write and the reader rejects. `None` for a warning.
    pub witness: Option<Vec<u8>>,
}

/// All findings about two schemas.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The findings, message by message.
    pub findings: Vec<Finding>,
    /// Whether findings were left out. At most 1,000 are listed for each direction of each message.
    pub truncated: bool,
}

impl Report {
    /// Returns whether all old data can be read by new readers.
    pub fn is_backward_compatible(&self) -> bool {
        !self.breaks(Direction::Backward)
    }

    /// Returns whether all new data can be read by old readers.
    pub fn is_forward_compatible(&self) -> bool {
        !self.breaks(Direction::Forward)
    }

    /// Returns whether there are no findings.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns a short text that says how much of the data can be read in this direction.
    pub fn verdict(&self, direction: Direction) -> String {
        let findings = self.findings.iter().filter(|finding| finding.direction == direction);
        match findings.count() {
            _ if self.breaks(direction) => "not all readable".to_owned(),
            0 => "all readable".to_owned(),
            1 => "all readable, with a warning".to_owned(),
            count => format!("all readable, with {count} warnings"),
        }
    }

    /// Returns whether some data cannot be read in this direction.
    fn breaks(&self, direction: Direction) -> bool {
        let broken = |f: &Finding| f.direction == direction && f.severity == Severity::Break;
        self.findings.iter().any(broken)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            let severity = match finding.severity {
                Severity::Break => "break",
                Severity::Warning => "warning",
            };
            let readers = match finding.direction {
                Direction::Backward => "new readers of old data",
                Direction::Forward => "old readers of new data",
            };
            let (message, path) = (&finding.message, &finding.path);
            writeln!(f, "{severity}: {readers}: {message}{path}: {}", finding.reason)?;
            writeln!(f, "  old {}, new {}", finding.old_place, finding.new_place)?;
            writeln!(f, "  help: {}", finding.help)?;
        }
        writeln!(f, "new readers of old data: {}", self.verdict(Direction::Backward))?;
        writeln!(f, "old readers of new data: {}", self.verdict(Direction::Forward))
    }
}
