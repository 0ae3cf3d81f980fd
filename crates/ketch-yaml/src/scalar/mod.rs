//! Scalar content, which is decoded from a scalar's presentation (YAML 1.2.2, chapters 7 and 8).
//!
//! The content of most scalars is borrowed from the input. Scalars with escapes, folded lines or
//! indented lines are decoded on demand. All clients share one decoder per style.

mod block;
mod flow;
mod lines;
mod quoted;
mod split;
mod target;

use crate::dialect::other;
use crate::event::{Event, EventKind, Flags};
use ketch_bytes::BLOCK_BYTES;
use std::borrow::Cow;

/// Returns the content of a scalar event as UTF-8, with all line breaks normalized to line feeds.
/// `text` is the text that the event's offsets refer to.
///
/// The content is borrowed if it appears verbatim in the text. Otherwise, this takes one allocation
/// and one pass. For events that are not scalars, the content is empty.
///
/// ```
/// use ketch_yaml::{Parser, scalar};
///
/// let mut parser = Parser::new(b"\"tab\\there\"");
/// let chunk = parser.next_chunk()?.unwrap();
/// let event = chunk.events().find(|event| event.kind.is_scalar()).unwrap();
/// assert_eq!(*scalar::content(chunk.text(), &event), *b"tab\there");
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[inline]
pub fn content<'t>(text: &'t [u8], event: &Event) -> Cow<'t, [u8]> {
    match verbatim(text, event) {
        Some(bytes) => Cow::Borrowed(bytes),
        None => {
            let mut out = Vec::new();
            decode(text, event, &mut out);
            Cow::Owned(out)
        }
    }
}

/// Returns the content of the scalar `event` if it appears verbatim in `text`, or `None` if it has
/// to be decoded. For events that are not scalars, the content is empty.
#[inline(always)]
pub fn verbatim<'t>(text: &'t [u8], event: &Event) -> Option<&'t [u8]> {
    let is_decoded = event.flags.intersects(Flags::MULTILINE.with(Flags::ESCAPES));
    if is_decoded || matches!(event.kind, EventKind::Literal | EventKind::Folded) {
        return None;
    }
    if !event.kind.is_scalar() {
        return Some(&[]);
    }
    // This has no branch, because whether a scalar is quoted is unpredictable.
    let is_quoted = matches!(event.kind, EventKind::SingleQuoted | EventKind::DoubleQuoted);
    let quote = usize::from(is_quoted);
    Some(&text[event.start + quote..event.start + event.len - quote])
}

/// Returns whether `event` has the mark of a scalar in another language than YAML.
fn is_foreign(event: &Event) -> bool {
    match event.kind {
        EventKind::Literal | EventKind::Folded => event.flags.has(Flags::ESCAPES),
        _ => event.indent > 0,
    }
}

/// Appends the content of the scalar `event` to `out`. `text` is the text that the event's offsets
/// refer to.
#[inline(never)]
pub fn decode(text: &[u8], event: &Event, out: &mut Vec<u8>) {
    if let Some(bytes) = verbatim(text, event) {
        out.extend_from_slice(bytes);
        return;
    }
    if is_foreign(event) && other().is_some_and(|other| other.decode(text, event, out)) {
        return;
    }
    let span = &text[event.range()];
    // Content is almost never longer than its presentation, but it may be copied in whole blocks.
    out.reserve(span.len() + BLOCK_BYTES);
    match event.kind {
        EventKind::Plain => flow::fold(span, out),
        EventKind::SingleQuoted | EventKind::DoubleQuoted => {
            let inner = event.start + 1..event.start + event.len - 1;
            quoted::decode(text, inner, event.kind == EventKind::DoubleQuoted, out);
        }
        EventKind::Literal | EventKind::Folded => {
            let is_unbroken = event.flags.has(Flags::UNBROKEN);
            block::decode(text, event.range(), event.indent as usize, is_unbroken, out);
        }
        _ => {}
    }
}
