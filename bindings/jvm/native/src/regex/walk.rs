//! Walks through a text: all matches, the parts between them, or the lines that end in them. The results are
//! offsets for Java, as numbers of 32 bits.

use super::failure;
use super::watch::{self, Stop};
use ketch_regex::{Captures, Error, Regex, Scan, Separator, Split, Template};
use std::ops::Range;
use std::time::Duration;

/// The offset of a group that is not set.
const UNSET: i32 = -1;

/// The number of matches between two checks for interrupts.
const CHECKED: usize = 256;

/// The lines of a text, each with and without its end.
type TextLines<'w> = Box<dyn Iterator<Item = Result<(Range<usize>, Range<usize>), Error>> + 'w>;

/// A walk.
pub enum Walk<'w> {
    /// Matches: the start and end of each group.
    Matches(Scan<'w, 'w>, Captures),
    /// Parts: start and end.
    Parts(Split<'w, 'w>, &'w [u8]),
    /// Lines: start, end, and end without the separator.
    Lines(TextLines<'w>),
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Walk::Matches(..) => "Matches",
            Walk::Parts(..) => "Parts",
            Walk::Lines(_) => "Lines",
        })
    }
}

impl<'w> Walk<'w> {
    /// Starts the walk that a number from Java stands for. `limit` is that of a split.
    pub fn new(which: i32, regex: &'w Regex, text: &'w [u8], limit: isize) -> Walk<'w> {
        match which {
            0 => Walk::Matches(regex.scan(text), Captures::new()),
            1 => Walk::Parts(regex.split(text, limit), text),
            _ => Walk::Lines(Box::new(ketch_regex::lines(text, Separator::Pattern(regex.clone())))),
        }
    }

    /// Appends the offsets of the next result. Returns whether there is one.
    pub fn advance(&mut self, out: &mut Vec<i32>, limit: Option<Duration>) -> Result<bool, Stop> {
        match self {
            Walk::Matches(scan, captures) => {
                let found = watch::watched(limit, || scan.next_captures(captures))?;
                if found {
                    push_groups(captures, out);
                }
                Ok(found)
            }
            Walk::Parts(split, text) => {
                let part = watch::watched(limit, || split.next().transpose())?;
                Ok(part.is_some_and(|part| {
                    let start = part.as_ptr() as usize - text.as_ptr() as usize;
                    out.extend([start as i32, (start + part.len()) as i32]);
                    true
                }))
            }
            Walk::Lines(lines) => {
                let line = watch::watched(limit, || lines.next().transpose())?;
                Ok(line.is_some_and(|(line, content)| {
                    out.extend([line.start, line.end, content.end].map(|at| at as i32));
                    true
                }))
            }
        }
    }
}

/// Appends the start and end of each group.
pub fn push_groups(captures: &Captures, out: &mut Vec<i32>) {
    for group in captures.iter() {
        out.extend(match group {
            Some(span) => [span.start as i32, span.end as i32],
            None => [UNSET; 2],
        });
    }
}

/// Replaces the first `most` matches in a text by a template. Returns the new text and the groups of the last match, or
/// `None` if there are no matches.
pub fn substitute(
    regex: &Regex,
    text: &[u8],
    template: &[u8],
    most: usize,
    limit: Option<Duration>,
) -> Result<Option<(Vec<u8>, Captures)>, Stop> {
    let mut scan = regex.scan(text);
    let mut next = Captures::new();
    if !watch::watched(limit, || scan.next_captures(&mut next))? {
        return Ok(None);
    }
    let template =
        Template::new(template, regex).map_err(|error| Stop::Failed(failure::template(&error)))?;
    let mut last = Captures::new();
    let mut out = Vec::new();
    let mut copied = 0;
    let mut count = 0;
    while let Some(span) = next.get(0) {
        out.extend_from_slice(text.get(copied..span.start).unwrap_or(&[]));
        template.expand(text, &next, &mut out);
        copied = span.end;
        count += 1;
        std::mem::swap(&mut last, &mut next);
        if count == most || !watch::watched(limit, || scan.next_captures(&mut next))? {
            break;
        }
        if count.is_multiple_of(CHECKED) {
            watch::check()?;
        }
    }
    out.extend_from_slice(&text[copied..]);
    Ok(Some((out, last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all offsets of a walk.
    fn offsets(which: i32, pattern: &str, text: &str) -> Vec<i32> {
        let regex = Regex::new(pattern, ketch_regex::Options::default()).unwrap();
        let mut walk = Walk::new(which, &regex, text.as_bytes(), 0);
        let mut out = Vec::new();
        while walk.advance(&mut out, None).unwrap() {}
        out
    }

    #[test]
    fn matches_parts_and_lines_become_offsets() {
        assert_eq!(offsets(0, "(a)|b", "xab"), [1, 2, 1, 2, 2, 3, UNSET, UNSET]);
        assert_eq!(offsets(1, ",", "a,bc,"), [0, 1, 2, 4]);
        assert_eq!(offsets(2, ";", "a;bc"), [0, 2, 1, 2, 4, 4]);
    }

    #[test]
    fn a_template_replaces_matches() {
        let regex = Regex::new("(\\w)-", ketch_regex::Options::default()).unwrap();
        let (text, last) = substitute(&regex, b"a-b-c", b"<\\1>", 9, None).unwrap().unwrap();
        assert_eq!((&text[..], last.get(1)), (&b"<a><b>c"[..], Some(2..3)));
        let (text, _) = substitute(&regex, b"a-b-c", b"", 1, None).unwrap().unwrap();
        assert_eq!(text, b"b-c");
        assert!(substitute(&regex, b"abc", b"", 1, None).unwrap().is_none());
    }
}
