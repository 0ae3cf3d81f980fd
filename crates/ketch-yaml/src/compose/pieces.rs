//! Cuts a stream into pieces that can be read on their own, and composes their documents by several
//! threads.
//!
//! A `---` at the start of a line is never content (production c-forbidden), so a document starts
//! there whatever is before it, unless directives are. Threads never decide what an error is, nor
//! whether a limit of the whole stream is exceeded: where a piece has an error or is near such a limit,
//! the rest of the stream is read by one thread, from the start of that piece.

use super::document::Document;
use super::documents::Documents;
use super::options::ComposeOptions;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::parallel::in_order;
use crate::parse::{Options, Parser};
use crate::scan::text::whole_lines;
use ketch_bytes::encoding::Encoding;
use ketch_bytes::text::{Checked, check};
use std::ops::Range;
use std::sync::Mutex;

/// The minimum size of a piece in bytes. It takes far longer to read than to pass to a thread.
pub const PIECE_BYTES: usize = 256 * 1024;

/// Returns the offset of the first `---` at or after `from` in the UTF-8 text `text` at which a
/// document starts whatever is before it. There are no directives above this `---`, and `from` is not 0.
pub fn next_start(text: &[u8], from: usize) -> Option<usize> {
    let from = from.saturating_sub(1);
    memchr::memmem::find_iter(text.get(from..)?, b"\n---").map(|at| from + at + 1).find(|&at| {
        let is_marker = text.get(at + 3).is_none_or(u8::is_ascii_whitespace);
        is_marker && !has_directives(&text[..at])
    })
}

/// Returns whether directives, followed only by comments and empty lines, may be at the end of `text`.
fn has_directives(text: &[u8]) -> bool {
    for line in text.rsplit(|byte| matches!(byte, b'\n' | b'\r')) {
        let mut line = line.trim_ascii_start();
        while let Some(rest) = line.strip_prefix(b"\xef\xbb\xbf") {
            line = rest.trim_ascii_start();
        }
        match line.first() {
            None | Some(b'#') => {}
            Some(first) => return *first == b'%',
        }
    }
    false
}

/// The pieces of a text, each of at least `least` bytes but for the last.
struct Pieces<'t> {
    text: &'t [u8],
    start: usize,
    least: usize,
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let Pieces { text, start, least } = *self;
        if start == text.len() {
            return None;
        }
        let end = next_start(text, start.saturating_add(least.max(1))).unwrap_or(text.len());
        self.start = end;
        Some(start..end)
    }
}

/// Why the documents of the pieces are not received any more.
enum Stop<E> {
    Failed(E),
    /// The rest of the stream, from this offset on, is to be read by one thread.
    Rest(usize),
}

impl<'t> Documents<'t> {
    /// Composes the documents of `input` by `jobs` threads, and passes them to `receive` on this one, in
    /// order. Each can be taken out of its place. Documents, errors and limits are those of
    /// [`Documents::with_options`]; memory holds a few documents more per thread.
    ///
    /// The stream is cut at lines with a `---`. If it has an error, or a tag prefix of more than 256
    /// bytes, or is not UTF-8, one thread reads it from there on.
    ///
    /// ```
    /// use ketch_yaml::{ComposeOptions, Documents, Error, Options};
    ///
    /// let text = b"a: 1\n---\na: 2\n---\na: 3\n";
    /// let mut found = Vec::new();
    /// Documents::parallel(text, &Options::default(), &ComposeOptions::default(), 2, |document| {
    ///     found.push(document.root().get("a").unwrap().text().into_owned());
    ///     Ok::<(), Error>(())
    /// })?;
    /// assert_eq!(found, ["1", "2", "3"]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails at the first error in the input, after the documents before it, or if `receive` fails.
    pub fn parallel<E: From<Error>>(
        input: &'t [u8],
        options: &Options,
        compose: &ComposeOptions,
        jobs: usize,
        receive: impl FnMut(&mut Document<'t>) -> Result<(), E>,
    ) -> Result<(), E> {
        in_pieces(input, (options, compose), jobs, PIECE_BYTES, receive)
    }
}

/// Does what [`Documents::parallel`] does, in pieces of at least `least` bytes.
pub fn in_pieces<'t, E: From<Error>>(
    text: &'t [u8],
    (options, compose): (&Options, &ComposeOptions),
    jobs: usize,
    least: usize,
    mut receive: impl FnMut(&mut Document<'t>) -> Result<(), E>,
) -> Result<(), E> {
    let is_utf8 = Encoding::detect(text).0 == Encoding::Utf8;
    let is_one = jobs < 2 || text.len() <= least || next_start(text, least).is_none();
    if is_one || !is_utf8 || options.dialect != Dialect::Yaml {
        return pass(Documents::with_options(text, options, compose), receive);
    }
    // Documents that have been received, whose memory is reused.
    let used = Mutex::new(Vec::new());
    let work = |piece: Range<usize>| {
        let mut documents = used.lock().ok().and_then(|mut used| used.pop()).unwrap_or_default();
        let count = compose_piece(text, &piece, (options, compose), &mut documents);
        (piece.start, count, documents)
    };
    let pieces = Pieces { text, start: 0, least };
    let done = in_order(pieces, jobs, work, |(start, count, mut documents)| {
        let count = count.ok_or(Stop::Rest(start))?;
        documents[..count].iter_mut().try_for_each(&mut receive).map_err(Stop::Failed)?;
        if let Ok(mut used) = used.lock() {
            used.push(documents);
        }
        Ok(())
    });
    match done {
        Ok(()) => Ok(()),
        Err(Stop::Failed(error)) => Err(error),
        Err(Stop::Rest(start)) => {
            let parser = Parser::starting_at(text, start, options);
            pass(Documents::borrowing(text, parser, compose), receive)
        }
    }
}

/// Passes `documents` to `receive`, up to the first error.
fn pass<'t, E: From<Error>>(
    mut documents: Documents<'t>,
    mut receive: impl FnMut(&mut Document<'t>) -> Result<(), E>,
) -> Result<(), E> {
    let mut document = Document::new();
    while documents.next_into(&mut document)? {
        receive(&mut document)?;
    }
    Ok(())
}

/// Returns whether a parser reads the first line of `text`, if there is one. It does not if a character
/// of it is not allowed, and then does not end the document before it either.
fn is_line_read(text: &[u8], options: &Options) -> bool {
    let line_bytes = memchr::memchr2(b'\n', b'\r', text).map_or(text.len(), |at| at + 1);
    // A carriage return ends a line only if an allowed character, of at most 4 bytes, follows.
    let Checked { valid_bytes, .. } = check(options.level, &text[..text.len().min(line_bytes + 4)]);
    valid_bytes == text.len() || whole_lines(&text[..valid_bytes]) > 0
}

/// Composes the documents of `piece`, a piece of `text`, into the first of `documents`, and returns their
/// number. Returns `None` if one thread has to read the piece.
fn compose_piece<'t>(
    text: &'t [u8],
    piece: &Range<usize>,
    (options, compose): (&Options, &ComposeOptions),
    documents: &mut Vec<Document<'t>>,
) -> Option<usize> {
    let parser = Parser::starting_at(&text[..piece.end], piece.start, options);
    let mut all = Documents::borrowing(text, parser, compose);
    let mut count = 0;
    loop {
        if count == documents.len() {
            documents.push(Document::new());
        }
        if !all.next_into(&mut documents[count]).ok()? {
            // The uses of long prefixes in the whole stream are limited.
            let is_alone = !all.source().has_long_prefixes();
            return (is_alone && is_line_read(&text[piece.end..], options)).then_some(count);
        }
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_cut_at_markers_that_start_documents() {
        for (text, starts) in [
            ("a\n---\nb\n--- c\n---", &[2, 8, 14][..]),
            ("a\n---b\n----\n --- c\n", &[]),
            ("a\r\n---\r\nb\n---\tc\r---\n", &[3, 10]),
            ("a\n...\n%YAML 1.2\n---\nb\n---\nc\n", &[22]),
            ("a\n...\n%TAG ! x\n# c\n\n \t# d\n---\n", &[]),
            ("a\n...\n\u{feff}%TAG ! x\r\u{feff}# c\n---\n", &[]),
            ("# c\n---\na: |\n  %x\n---\n# d\n", &[4]),
            ("---\na\n...\n---\n", &[10]),
            ("", &[]),
        ] {
            let mut found = Vec::new();
            while let Some(at) = next_start(text.as_bytes(), found.last().map_or(1, |at| at + 1)) {
                found.push(at);
            }
            assert_eq!(found, starts, "{text:?}");
        }
    }
}
