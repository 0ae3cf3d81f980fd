//! Checks spans and gaps: every byte of the input has to be in the span of exactly one event, or to
//! be trivia.
//!
//! Trivia are spaces, tabs and line breaks; byte order marks; comments, which begin at the start of
//! a line or after white space, and end with the line; the indicators `-`, `?`, `:` and `,`, which
//! show the structure of the events; and `...` where no document is open. In addition:
//!
//! * a block sequence has one `-` for each entry, and no `-` occurs elsewhere;
//! * a block mapping has a `?`, a `:` or both for each pair, and a flow mapping at most one of
//!   each;
//! * a flow collection has a `,` after each entry, which is optional after the last one.

use crate::run::Item;
use ketch_yaml::{EventKind, Flags};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The number of times that each indicator occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Indicators {
    dashes: usize,
    questions: usize,
    colons: usize,
    commas: usize,
}

/// Checks the spans of `events`, which are those of `text`. If `is_whole` is true, there was no
/// error, so the text after the last event has to be trivia as well.
///
/// # Errors
///
/// Returns a message that says what is wrong, and where.
pub fn check(text: &[u8], events: &[Item], is_whole: bool) -> Result<(), String> {
    let mut found = Indicators::default();
    let mut end = 0;
    let mut is_between = true;
    for (i, event) in events.iter().enumerate() {
        if event.start < end {
            return Err(format!("event {i}, {event:?}, starts before {end}, the end of the last"));
        }
        gap(text, end, event.start, is_between, &mut found)?;
        is_between = matches!(event.kind, EventKind::DocumentEnd);
        span(text, event).map_err(|what| format!("event {i}, {event:?}: {what}"))?;
        end = event.end();
    }
    if end > text.len() as u64 {
        return Err(format!("spans end at {end}, after the text"));
    }
    if is_whole {
        gap(text, end, text.len() as u64, is_between, &mut found)?;
        counts(found, events)?;
    }
    Ok(())
}

/// Checks that the text between `from` and `to` is trivia, and counts its indicators.
fn gap(
    text: &[u8],
    from: u64,
    to: u64,
    is_between: bool,
    found: &mut Indicators,
) -> Result<(), String> {
    let (mut at, to) = (from as usize, to as usize);
    let Some(gap) = text.get(..to) else {
        return Err(format!("a gap ends at {to}, after the text"));
    };
    while at < to {
        match gap[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'-' => found.dashes += 1,
            b'?' => found.questions += 1,
            b':' => found.colons += 1,
            b',' => found.commas += 1,
            b'#' if starts_comment(text, at) => {
                let rest = &gap[at..];
                let len = rest.iter().position(|&byte| is_break(byte)).unwrap_or(rest.len());
                if at + len == to && text.get(to).is_some_and(|&byte| !is_break(byte)) {
                    return Err(format!("an event starts inside the comment at {at}"));
                }
                at += len;
                continue;
            }
            b'.' if is_between && gap[at..].starts_with(b"...") && starts_line(text, at) => at += 2,
            _ if gap[at..].starts_with(BYTE_ORDER_MARK) => at += BYTE_ORDER_MARK.len() - 1,
            byte => return Err(format!("byte {:?} at {at} is in no span", byte as char)),
        }
        at += 1;
    }
    Ok(())
}

fn starts_comment(text: &[u8], at: usize) -> bool {
    starts_line(text, at) || is_white(text[at - 1])
}

fn starts_line(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    before.last().is_none_or(|&byte| is_break(byte)) || before.ends_with(BYTE_ORDER_MARK)
}

fn is_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

fn is_white(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Checks that the bytes of `event` are possible for its kind.
fn span(text: &[u8], event: &Item) -> Result<(), String> {
    use EventKind::*;
    if event.end() > text.len() as u64 {
        return Err("reaches beyond the text".to_owned());
    }
    let bytes = event.bytes(text);
    let has_break = bytes.iter().copied().any(is_break);
    let fine = match event.kind {
        Nop => false,
        DocumentStart => bytes == marker(event, b"---"),
        DocumentEnd => bytes == marker(event, b"..."),
        SequenceStart => bytes == if event.flags.has(Flags::FLOW) { &b"["[..] } else { b"" },
        SequenceEnd => bytes == if event.flags.has(Flags::FLOW) { &b"]"[..] } else { b"" },
        MappingStart => bytes.is_empty() || bytes == b"{",
        MappingEnd => bytes.is_empty() || bytes == b"}",
        Alias => is_word(bytes, b'*'),
        Anchor => is_word(bytes, b'&'),
        Tag => bytes.first() == Some(&b'!') && !has_break,
        Directive => bytes.first() == Some(&b'%') && !has_break,
        Plain => is_plain(bytes) && has_break == event.flags.has(Flags::MULTILINE),
        SingleQuoted => is_quoted(event, bytes, b'\''),
        DoubleQuoted => is_quoted(event, bytes, b'"'),
        Literal => bytes.first() == Some(&b'|'),
        Folded => bytes.first() == Some(&b'>'),
    };
    if fine { Ok(()) } else { Err(format!("its bytes are {:?}", String::from_utf8_lossy(bytes))) }
}

fn marker(event: &Item, written: &'static [u8]) -> &'static [u8] {
    if event.flags.has(Flags::EXPLICIT) { written } else { b"" }
}

fn is_word(bytes: &[u8], indicator: u8) -> bool {
    bytes.len() > 1
        && bytes[0] == indicator
        && !bytes.iter().any(|&byte| is_white(byte) || is_break(byte) || b",[]{}".contains(&byte))
}

/// Returns whether the bytes can be a plain scalar: they have no white space at either end, and
/// contain neither `: ` nor ` #`.
fn is_plain(bytes: &[u8]) -> bool {
    let is_blank = |byte: u8| is_white(byte) || is_break(byte);
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return true };
    let stops =
        |pair: &[u8]| pair[0] == b':' && is_blank(pair[1]) || is_blank(pair[0]) && pair[1] == b'#';
    !is_blank(first)
        && !is_blank(last)
        && !b"#,[]{}&*!|>'\"%@`".contains(&first)
        && !bytes.windows(2).any(stops)
}

/// Returns whether the bytes of an event are in quotes, and contain escapes and line breaks only if
/// the event's flags say so.
fn is_quoted(event: &Item, bytes: &[u8], quote: u8) -> bool {
    if bytes.len() < 2 || bytes[0] != quote || bytes[bytes.len() - 1] != quote {
        return false;
    }
    let inner = &bytes[1..bytes.len() - 1];
    let escape = if quote == b'"' { b'\\' } else { b'\'' };
    inner.contains(&escape) == event.flags.has(Flags::ESCAPES)
        && inner.iter().copied().any(is_break) == event.flags.has(Flags::MULTILINE)
}

/// A collection that is open while indicators are counted.
struct Open {
    is_flow: bool,
    is_sequence: bool,
    nodes: usize,
}

/// Checks that the numbers of the indicators in the gaps are possible for the structure of the
/// events.
fn counts(found: Indicators, events: &[Item]) -> Result<(), String> {
    let (mut entries, mut block_pairs, mut flow_pairs) = (0, 0, 0);
    let (mut commas_min, mut commas_max) = (0, 0);
    let mut open: Vec<Open> = Vec::new();
    for event in events {
        use EventKind::*;
        let is_flow = event.flags.has(Flags::FLOW);
        match event.kind {
            SequenceStart | MappingStart => {
                if let Some(parent) = open.last_mut() {
                    parent.nodes += 1;
                }
                open.push(Open { is_flow, is_sequence: event.kind == SequenceStart, nodes: 0 });
            }
            SequenceEnd | MappingEnd => {
                let Some(closed) = open.pop() else { return Err("unbalanced".to_owned()) };
                let of_collection =
                    if closed.is_sequence { closed.nodes } else { closed.nodes / 2 };
                match (closed.is_flow, closed.is_sequence) {
                    (false, true) => entries += closed.nodes,
                    (false, false) => block_pairs += of_collection,
                    (true, true) => {}
                    (true, false) => flow_pairs += of_collection,
                }
                if closed.is_flow && event.len > 0 {
                    commas_min += of_collection.saturating_sub(1);
                    commas_max += of_collection;
                }
            }
            Alias | Plain | SingleQuoted | DoubleQuoted | Literal | Folded => {
                if let Some(parent) = open.last_mut() {
                    parent.nodes += 1;
                }
            }
            _ => {}
        }
    }
    let pairs = block_pairs + flow_pairs;
    let fine = found.dashes == entries
        && found.questions <= pairs
        && found.colons <= pairs
        && found.questions + found.colons >= block_pairs
        && (commas_min..=commas_max).contains(&found.commas);
    if fine {
        return Ok(());
    }
    Err(format!(
        "{found:?} in the gaps for {entries} entries, {block_pairs} and {flow_pairs} pairs, \
         {commas_min} to {commas_max} commas"
    ))
}
