//! Parsing the steps of paths.

use super::choices::{self, Wrong};
use super::problem::{YPathError, YPathProblem};
use super::segment::{Predicate, Segment, SegmentKind};

/// Returns the steps of each path that `text` stands for.
pub(super) fn routes(text: &str) -> Result<Vec<Vec<Segment>>, YPathError> {
    let wrong = |(problem, offset)| YPathError { text: text.to_owned(), problem, offset };
    let mut parsed = Vec::new();
    for route in choices::routes(text).map_err(wrong)? {
        let (spelled, offsets) = route.spelled(text);
        let in_text =
            |(problem, at): Wrong| (problem, offsets.get(at).copied().unwrap_or(text.len()));
        parsed.push(segments(&spelled).map_err(in_text).map_err(wrong)?);
    }
    Ok(parsed)
}

/// Parses `text`, which is a path without choices.
fn segments(text: &str) -> Result<Vec<Segment>, Wrong> {
    let mut segments = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let slashes = text[at..].bytes().take_while(|&byte| byte == b'/').count();
        if slashes == 0 && at > 0 {
            let is_bracket = text[at..].starts_with('[');
            let second = YPathProblem::SecondPredicate;
            return Err((if is_bracket { second } else { YPathProblem::ExpectedSlash }, at));
        }
        if slashes > 2 {
            return Err((YPathProblem::TooManySlashes, at + 2));
        }
        at += slashes;
        let end = text[at..].find(['/', '[']).map_or(text.len(), |end| at + end);
        if end == at {
            let is_bracket = text[at..].starts_with('[');
            let none = YPathProblem::PredicateWithoutStep;
            return Err(match is_bracket {
                true => (none, at),
                false => (YPathProblem::EmptyStep, at.saturating_sub(1)),
            });
        }
        let kind = kind(&text[at..end], at)?;
        let (predicate, next) = predicate(text, end)?;
        if predicate.is_some() && kind == SegmentKind::Up {
            return Err((YPathProblem::PredicateOfNothing, end));
        }
        segments.push(Segment { is_deep: slashes == 2, kind, predicate });
        at = next;
    }
    if segments.is_empty() {
        // The text is an empty choice.
        segments.push(Segment { is_deep: false, kind: SegmentKind::Here, predicate: None });
    }
    Ok(segments)
}

/// Parses the step `step`, which starts at the offset `at`.
fn kind(step: &str, at: usize) -> Result<SegmentKind, Wrong> {
    let first = step.as_bytes()[0];
    if first == b'"' || first == b'\'' {
        let Some(end) = step.rfind(first as char).filter(|&end| end > 0) else {
            return Err((YPathProblem::UnclosedQuote, at));
        };
        if end + 1 < step.len() {
            return Err((YPathProblem::ExpectedSlash, at + end + 1));
        }
        return Ok(SegmentKind::Name(step[1..end].to_owned()));
    }
    if let Some(bracket) = step.find(']') {
        return Err((YPathProblem::UnopenedPredicate, at + bracket));
    }
    Ok(match step {
        "." => SegmentKind::Here,
        ".." => SegmentKind::Up,
        "*" => SegmentKind::All,
        name => SegmentKind::Name(name.to_owned()),
    })
}

/// Parses the predicate at the offset `at`, if there is one. Also returns the offset after it.
fn predicate(text: &str, at: usize) -> Result<(Option<Predicate>, usize), Wrong> {
    let Some(inner) = text[at..].strip_prefix('[') else { return Ok((None, at)) };
    let Some(len) = inner.find(']') else { return Err((YPathProblem::UnclosedPredicate, at)) };
    let (inner, next) = (&inner[..len], at + len + 2);
    if inner.is_empty() {
        return Err((YPathProblem::EmptyPredicate, at));
    }
    if let Some(content) = inner.strip_prefix(".=") {
        return Ok((Some(Predicate::Is(content.to_owned())), next));
    }
    if let Some(bracket) = inner.find('[') {
        return Err((YPathProblem::BracketInPredicate, at + 1 + bracket));
    }
    Ok((Some(Predicate::Has(inner.to_owned())), next))
}
