//! Compares formatted texts with the originals: the events and styles have to be the same, and the
//! same comments have to be at the same nodes. Comments are found only by means of spans and gaps.

use crate::checks::Shown;
use crate::run::{self, Item, Outcome};
use ketch_edit::format::{FormatError, FormatOptions, format_with_options};
use ketch_yaml::present::Sequences;
use ketch_yaml::{EventKind, Flags, Options};

/// Returns sets of options that together reach every branch of the formatter, each with its name.
pub fn option_sets() -> Vec<(&'static str, FormatOptions)> {
    let set = |change: fn(&mut FormatOptions)| {
        let mut options = FormatOptions::default();
        change(&mut options);
        options
    };
    vec![
        ("default", set(|_| {})),
        ("indented", set(|options| options.sequences = Some(Sequences::Indented))),
        (
            "narrow",
            set(|options| {
                options.indent = 1;
                options.sequences = Some(Sequences::Indented);
                options.width = Some(1);
                options.blank_lines = 0;
            }),
        ),
        (
            "wide",
            set(|options| {
                options.indent = 9;
                options.width = Some(24);
                options.blank_lines = 3;
            }),
        ),
    ]
}

/// The position of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The comment is after something else on its line.
    SameLine,
    /// The comment is on a line of its own, and belongs to what follows.
    Before,
    /// The comment is on a line of its own, at the end of the block that has this nesting level.
    EndOf(usize),
}

/// A comment, its position, and the number of events before it whose spans are not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Comment<'t> {
    text: &'t [u8],
    after: usize,
    place: Place,
}

/// The column of an open block collection, or `None` for a flow collection.
type Open = Option<usize>;

/// Formats a valid `input`, checks the result, and returns the result.
///
/// # Errors
///
/// Returns a message that contains the input and says which guarantee the result violates.
pub fn checked(name: &str, input: &[u8], options: &FormatOptions) -> Result<Vec<u8>, String> {
    let failure = |what: &dyn std::fmt::Display| format!("{name}: {what}\n{}", Shown(input));
    let expected = run::slice(input, &Options::default());
    let text = match format_with_options(input, options) {
        Ok(text) => text.into_owned(),
        // The result may be longer than any multiple of a deeply nested text with many comments.
        Err(FormatError::TooLong(_)) => return Ok(Vec::new()),
        Err(error) => return Err(failure(&error)),
    };
    let failure = |what: &str| failure(&format_args!("{what}\n--- text\n{}", Shown(&text)));
    let found = run::slice(&text, &Options::default());
    if !found.is_fine() || expected.notation != found.notation {
        return Err(failure(&format!("{}--- found\n{}", expected.notation, found.notation)));
    }
    let is_exact = options.sequences == Some(Sequences::Indented);
    let (before, after) = (comments(input, &expected), comments(&text, &found));
    let same = |(a, b): (&Comment<'_>, &Comment<'_>)| {
        // A sequence in the column of its key can end in two ways, so these positions count as the
        // same.
        let is_same_place = a.place == b.place
            || !is_exact && a.place != Place::SameLine && b.place != Place::SameLine;
        a.text == b.text && a.after == b.after && is_same_place
    };
    if before.len() != after.len() || !before.iter().zip(&after).all(same) {
        return Err(failure(&format!("comments\n{before:?}\n{after:?}")));
    }
    let again = format_with_options(&text, options).map_err(|error| failure(&error.to_string()))?;
    if *again != text {
        return Err(failure(&format!("--- again\n{}", Shown(&again))));
    }
    Ok(text)
}

/// Returns the comments in the gaps of a text and after the headers of its block scalars.
fn comments<'t>(text: &'t [u8], outcome: &Outcome) -> Vec<Comment<'t>> {
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let (mut end, mut after) = (0, 0);
    for event in &outcome.events {
        gap(text, end..event.start as usize, after, &open, &mut found);
        end = event.end() as usize;
        if matches!(event.kind, EventKind::Literal | EventKind::Folded) {
            let line = lines(event.bytes(text));
            let header = line.iter().position(|&byte| byte == b'#');
            if let Some(at) = header {
                let text = line[at..].trim_ascii_end();
                found.push(Comment { text, after, place: Place::SameLine });
            }
        }
        after += usize::from(event.len > 0);
        match event.kind {
            EventKind::SequenceStart | EventKind::MappingStart => open.push(opened(text, event)),
            EventKind::SequenceEnd | EventKind::MappingEnd => drop(open.pop()),
            _ => {}
        }
    }
    gap(text, end..text.len(), after, &open, &mut found);
    found
}

fn opened(text: &[u8], event: &Item) -> Open {
    let is_block = !event.flags.has(Flags::FLOW);
    is_block.then(|| column(text, event.start as usize))
}

fn is_break(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns the first line of a text.
fn lines(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(is_break).unwrap_or(text.len())]
}

/// Returns the number of bytes before `at` on its line, without a byte order mark.
fn column(text: &[u8], at: usize) -> usize {
    let line = text[..at].iter().rposition(is_break).map_or(0, |last| last + 1);
    let mark = if text[line..].starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    (at - line).saturating_sub(mark)
}

/// Adds the comments in the gap `range`, which is after `after` events.
fn gap<'t>(
    text: &'t [u8],
    range: std::ops::Range<usize>,
    after: usize,
    open: &[Open],
    found: &mut Vec<Comment<'t>>,
) {
    let mut at = range.start;
    // A comment at the end of a block comes after everything that is nested more deeply.
    let mut deepest = open.len();
    while at < range.end {
        if text[at] != b'#' {
            // Anything other than a comment ends the block before it.
            if !text[at].is_ascii_whitespace() {
                deepest = open.len();
            }
            at += 1;
            continue;
        }
        let comment = lines(&text[at..]);
        let place = match is_alone(text, range.start, at) {
            true => place_of_alone(text, at, at + comment.len(), &open[..deepest]),
            false => Place::SameLine,
        };
        deepest = match place {
            Place::EndOf(depth) => depth + 1,
            Place::Before => 0,
            Place::SameLine => deepest,
        };
        found.push(Comment { text: comment.trim_ascii_end(), after, place });
        at += comment.len();
    }
}

/// Returns whether only white space and byte order marks precede a comment on its line. `gap` is
/// the start of its gap, after an event or at the start of a line.
fn is_alone(text: &[u8], gap: usize, comment: usize) -> bool {
    let line = text[..comment].iter().rposition(is_break).map_or(0, |last| last + 1);
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || b"\xEF\xBB\xBF".contains(byte);
    gap <= line && text[line..comment].iter().all(is_blank)
}

/// Returns the position of a comment that is on a line of its own.
fn place_of_alone(text: &[u8], start: usize, end: usize, open: &[Open]) -> Place {
    let own = column(text, start);
    if open.last().is_some_and(Option::is_none) {
        return Place::Before;
    }
    let next = next_column(text, end);
    let is_end = |column: usize| column <= own && next.is_none_or(|next| column > next);
    let depth = open.iter().rposition(|column| column.is_some_and(is_end));
    match (depth, next) {
        (Some(depth), _) => Place::EndOf(depth),
        // This is the end of a root collection that is indented.
        (None, None) if !open.is_empty() => Place::EndOf(0),
        _ => Place::Before,
    }
}

/// Returns the column of what follows `at`, apart from comments, or `None` if the document ends
/// there.
fn next_column(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += text[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        if text[at] != b'#' {
            break;
        }
        at += lines(&text[at..]).len();
    }
    let rest = &text[at..];
    let is_marker = column(text, at) == 0
        && (rest.starts_with(b"---") || rest.starts_with(b"..."))
        && rest.get(3).is_none_or(u8::is_ascii_whitespace);
    (!is_marker).then(|| column(text, at))
}
