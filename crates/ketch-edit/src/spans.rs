//! Finds the documents in a stream.

use ketch_yaml::{Error, EventKind, Flags, Parser};
use std::ops::Range;

/// The location of a document in a text.
#[derive(Debug)]
pub struct DocumentSpan {
    /// The range from the document's directives, marker or content up to the start of the next
    /// document, or up to the document end marker. Comments after that marker are in the range of
    /// the next document or, if there is none, of this one.
    pub range: Range<usize>,
    /// The line with the marker `---`, if nothing else is on it and there are no directives before
    /// it.
    pub marker: Option<Range<usize>>,
    /// Whether the document has directives.
    pub has_directives: bool,
    /// Whether the document has a marker `---`.
    pub has_marker: bool,
}

/// Returns the locations of the documents in `text`. Anything before the first document is included
/// in it.
///
/// # Errors
///
/// Fails if the text is not valid.
pub fn document_spans(text: &str) -> Result<Vec<DocumentSpan>, Error> {
    let mut spans: Vec<DocumentSpan> = Vec::new();
    let (mut directive, mut dots) = (None, None);
    let mut parser = Parser::new(text.as_bytes());
    while let Some(chunk) = parser.next_chunk()? {
        let base = chunk.base() as usize;
        for event in chunk.events() {
            let at = base + event.start;
            match event.kind {
                EventKind::Directive => {
                    directive.get_or_insert(at);
                }
                EventKind::DocumentEnd if event.flags.has(Flags::EXPLICIT) => dots = Some(at),
                EventKind::DocumentStart => {
                    let has_directives = directive.is_some();
                    let mut start = match directive.take() {
                        _ if spans.is_empty() => 0,
                        Some(start) => start,
                        None => at,
                    };
                    if let Some(last) = spans.last_mut() {
                        let end = dots.take();
                        last.range.end = end.unwrap_or(start);
                        start = end.and_then(|end| comment(text, end..start)).unwrap_or(start);
                    }
                    let has_marker = event.flags.has(Flags::EXPLICIT);
                    let marker = if has_marker && !has_directives { bare(text, at) } else { None };
                    let range = start..text.len();
                    spans.push(DocumentSpan { range, marker, has_directives, has_marker });
                }
                _ => {}
            }
        }
    }
    let end = dots.filter(|&end| comment(text, end..text.len()).is_none());
    if let (Some(last), Some(end)) = (spans.last_mut(), end) {
        last.range.end = end;
    }
    Ok(spans)
}

/// Returns the start of the first comment in `range`, which has only comments and markers.
fn comment(text: &str, range: Range<usize>) -> Option<usize> {
    text[range.clone()].find('#').map(|at| range.start + at)
}

/// Returns the line of the marker at offset `at`, if nothing else is on it.
fn bare(text: &str, at: usize) -> Option<Range<usize>> {
    let line = text[at..].split_inclusive('\n').next()?;
    (line.trim_end() == "---").then(|| at..at + line.len())
}
