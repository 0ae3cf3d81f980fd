//! The problems that a path can have.

use ketch_yaml::path::internal::write_problem;
use std::fmt;

/// The error of a text that is not a path, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YPathError {
    pub(super) text: String,
    pub(super) problem: YPathProblem,
    pub(super) offset: usize,
}

/// The kinds of problems that a path can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum YPathProblem {
    /// The text is empty.
    Empty,
    /// No step follows a `/`.
    EmptyStep,
    /// There are more than two slashes in a row.
    TooManySlashes,
    /// A parenthesis is never closed.
    UnclosedChoice,
    /// A closing parenthesis closes nothing.
    UnopenedChoice,
    /// One of the choices other than the first is empty.
    EmptyChoice,
    /// There is a `|` in a predicate and not in parentheses.
    ChoiceInPredicate,
    /// The choices stand for too many paths.
    TooManyChoices,
    /// A bracket is never closed.
    UnclosedPredicate,
    /// A closing bracket closes nothing.
    UnopenedPredicate,
    /// The predicate in the brackets is empty.
    EmptyPredicate,
    /// No step precedes a predicate.
    PredicateWithoutStep,
    /// A step has a second predicate.
    SecondPredicate,
    /// A predicate contains a bracket.
    BracketInPredicate,
    /// The step `..`, which leads to no node, has a predicate.
    PredicateOfNothing,
    /// Nothing separates a step from the one before it.
    ExpectedSlash,
    /// A quote is not closed in its step.
    UnclosedQuote,
    /// The path contains a line break.
    LineBreak,
}

impl YPathProblem {
    /// Returns a sentence that says how to fix the path.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            YPathProblem::Empty => "The whole document is `.`.",
            YPathProblem::EmptyStep => {
                "Write a name, an index, `*` or `.` after the `/`, or leave the `/` out."
            }
            YPathProblem::TooManySlashes => "`/` separates steps, and `//` stands for any depth.",
            YPathProblem::UnclosedChoice => "Close it with `)`.",
            YPathProblem::UnopenedChoice => "Choices are written (a|b).",
            YPathProblem::EmptyChoice => "Only the first choice may be empty: (|s).",
            YPathProblem::ChoiceInPredicate => "Put the choices in parentheses: [(a|b)].",
            YPathProblem::TooManyChoices => "Split it into several paths.",
            YPathProblem::UnclosedPredicate => "Close it with `]`.",
            YPathProblem::UnopenedPredicate => "A predicate is written [key] or [.=text].",
            YPathProblem::EmptyPredicate => "Write [key], or [.=] for an empty text.",
            YPathProblem::PredicateWithoutStep => "Write `*[key]` for any node with the key.",
            YPathProblem::SecondPredicate => "Go on with `/.` and the second: a[b]/.[c].",
            YPathProblem::BracketInPredicate => "Only [.=text] may contain a bracket.",
            YPathProblem::PredicateOfNothing => "Leave the predicate out.",
            YPathProblem::ExpectedSlash => "Go on with `/` and the next step.",
            YPathProblem::UnclosedQuote => {
                "Close the quote. Quotes do not protect `/`, `[`, `(`, `|` and `)`."
            }
            YPathProblem::LineBreak => "A path cannot select a key with a line break.",
        }
    }
}

impl fmt::Display for YPathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            YPathProblem::Empty => "the path is empty",
            YPathProblem::EmptyStep => "expected a step after `/`",
            YPathProblem::TooManySlashes => "expected a step after `//`",
            YPathProblem::UnclosedChoice => "the parenthesis is never closed",
            YPathProblem::UnopenedChoice => "this parenthesis closes nothing",
            YPathProblem::EmptyChoice => "this choice is empty",
            YPathProblem::ChoiceInPredicate => {
                "`|` separates whole paths, not parts of a predicate"
            }
            YPathProblem::TooManyChoices => "the choices stand for more than 1,000 paths",
            YPathProblem::UnclosedPredicate => "the bracket is never closed",
            YPathProblem::UnopenedPredicate => "this bracket closes nothing",
            YPathProblem::EmptyPredicate => "the predicate is empty",
            YPathProblem::PredicateWithoutStep => "a predicate needs a step before it",
            YPathProblem::SecondPredicate => "a step can have only one predicate",
            YPathProblem::BracketInPredicate => "a predicate cannot contain `[`",
            YPathProblem::PredicateOfNothing => "`..` leads to no node, so it has no predicate",
            YPathProblem::ExpectedSlash => "expected `/` or the end of the path",
            YPathProblem::UnclosedQuote => "the quote is not closed in its step",
            YPathProblem::LineBreak => "a path cannot contain a line break",
        })
    }
}

impl YPathError {
    /// Returns the kind of problem.
    #[must_use]
    pub fn problem(&self) -> YPathProblem {
        self.problem
    }

    /// Returns the location of the problem, as an offset in bytes from the start of the path.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for YPathError {
    /// Writes the message, the path with a caret below the location, and the help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_problem(f, &self.problem, self.problem.help(), &self.text, self.offset)
    }
}

impl std::error::Error for YPathError {}
