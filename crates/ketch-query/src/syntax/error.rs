//! What is wrong with a source.

use super::tree::Span;

/// Why a source is not a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The token that was not expected, or an empty span at the end of the source.
    pub span: Span,
    /// What is wrong, for people.
    pub message: String,
    /// What could be written instead.
    pub help: Option<String>,
}

impl std::fmt::Display for SyntaxError {
    /// Writes the message.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    /// An error without help.
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    /// The error, with help.
    pub(super) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
