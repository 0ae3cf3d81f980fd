//! The documents of a stream, one after another.

use super::build::{KIND_DOCUMENT_END, kind};
use super::composer::{Composer, Part, Progress, extent};
use super::document::{Counted, Document};
use super::options::ComposeOptions;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::event::{Chunk, Event, Flags};
use crate::location::{line_end, line_start};
use crate::parse::{Options, Parser, ReadParser};
use ketch_bytes::encoding::Encoding;
use std::io::Read;

/// A source of chunks of events, such as a parser.
pub trait Source {
    /// Returns the next chunk, or `None` at the end of the stream.
    fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error>;
}

impl Source for Parser<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        Parser::next_chunk(self)
    }
}

impl<R: Read> Source for ReadParser<R> {
    fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        ReadParser::next_chunk(self)
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        (**self).next_chunk()
    }
}

/// The documents of a stream.
///
/// As an iterator, it creates a new [`Document`] each time. [`Documents::next_into`] reuses the memory
/// of one document. All documents before an error are yielded, and none after it.
///
/// ```
/// use ketch_yaml::{Document, Documents};
///
/// let mut documents = Documents::new(b"a: 1\n---\nb: 2\n...\n");
/// let mut document = Document::new();
/// let mut keys = Vec::new();
/// while documents.next_into(&mut document)? {
///     keys.push(document.root().entries().next().unwrap().0.text().into_owned());
/// }
/// assert_eq!(keys, ["a", "b"]);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct Documents<'t, S = Parser<'t>> {
    source: S,
    /// The input, if documents may borrow from it.
    stream: Option<&'t [u8]>,
    composer: Composer,
    rest: Rest,
    /// The lines counted by [`Documents::next_owned`].
    counted: Counted,
    is_done: bool,
}

/// The rest of a chunk after the end of a document.
#[derive(Debug, Default)]
struct Rest {
    words: Vec<u64>,
    /// The number of consumed words.
    taken: usize,
    words_base: u64,
    text: Vec<u8>,
    text_base: u64,
}

impl<'t> Documents<'t> {
    /// Returns the documents of `input`, with default options.
    pub fn new(input: &'t [u8]) -> Documents<'t> {
        Documents::with_options(input, &Options::default(), &ComposeOptions::default())
    }

    /// Returns the documents of `input`.
    ///
    /// If the input is UTF-8, the documents borrow from it. If it is UTF-16 or UTF-32, they own their
    /// text.
    pub fn with_options(
        input: &'t [u8],
        options: &Options,
        compose: &ComposeOptions,
    ) -> Documents<'t> {
        let is_utf8 = Encoding::detect(input).0 == Encoding::Utf8;
        // In another language, the text of a document may differ from the input.
        let borrows = is_utf8 && options.dialect == Dialect::Yaml;
        Documents {
            stream: borrows.then_some(input),
            ..Documents::from_source(Parser::with_options(input, options), compose)
        }
    }
}

/// A part of a document's events, with their text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    /// The events, with offsets in `text`.
    pub words: &'a [u64],
    pub text: &'a [u8],
    /// The offset of `text` in the stream.
    pub base: u64,
}

/// How much of a piece was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// All of it; the document goes on.
    All,
    /// The words up to the end of the document.
    Words(usize),
    /// Nothing more is taken of the document, nor of the stream.
    Rare,
}

/// Functions for [`Pull`](super::Pull), which reads the events itself.
impl<'t> Documents<'t> {
    /// Returns the documents that `parser` finds in `stream`, which must be UTF-8.
    pub(super) fn borrowing(
        stream: &'t [u8],
        parser: Parser<'t>,
        compose: &ComposeOptions,
    ) -> Documents<'t> {
        Documents { stream: Some(stream), ..Documents::from_source(parser, compose) }
    }

    /// Appends the words of the next chunk to `words`, with offsets relative to the stream. Returns
    /// false at the end of the stream.
    pub(super) fn next_words(&mut self, words: &mut Vec<u64>) -> Result<bool, Error> {
        let Some(chunk) = self.source.next_chunk()? else { return Ok(false) };
        add_words(words, chunk.words(), chunk.base());
        Ok(true)
    }

    /// Puts back `words`, whose offsets are relative to the stream. The next document starts after
    /// the first `taken` of them.
    pub(super) fn put_back(&mut self, words: Vec<u64>, taken: usize) {
        self.rest = Rest { words, taken, ..Rest::default() };
    }

    /// Takes the words that are left of the last chunk. Returns them with offsets relative to the
    /// stream, and the number of words at their start that have been consumed.
    pub(super) fn take_rest(&mut self) -> (Vec<u64>, usize) {
        let Rest { words, taken, words_base, .. } = std::mem::take(&mut self.rest);
        if words_base == 0 {
            return (words, taken);
        }
        let mut moved = Vec::with_capacity(words.len() - taken);
        add_words(&mut moved, &words[taken..], words_base);
        (moved, 0)
    }
}

/// Appends the words `more` to `words`, converting their offsets, which are relative to `base`, to
/// offsets relative to the stream.
fn add_words(words: &mut Vec<u64>, more: &[u64], base: u64) {
    let from = words.len();
    words.extend_from_slice(more);
    if base == 0 {
        return;
    }
    let mut at = from;
    while let Some(word) = words.get_mut(at) {
        let is_long = Event::unpack(*word).flags.has(Flags::EXTENDED);
        *word = word.wrapping_add(base);
        at += if is_long { 2 } else { 1 };
    }
}

impl<'t, S: Source> Documents<'t, S> {
    /// Returns the documents of `source`, which may be any source of chunks. They own a copy of the
    /// text.
    pub fn from_source(source: S, compose: &ComposeOptions) -> Documents<'t, S> {
        let composer = Composer::new(compose);
        Documents {
            source,
            stream: None,
            composer,
            rest: Rest::default(),
            counted: Counted::default(),
            is_done: false,
        }
    }

    /// Returns the source of the events, for example to read its warnings.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Composes the next document into `document`, reusing its memory. At the end of the stream, it
    /// returns false and leaves an empty document.
    ///
    /// # Errors
    ///
    /// Fails if the input is invalid. Then `document` is empty.
    pub fn next_into(&mut self, document: &mut Document<'t>) -> Result<bool, Error> {
        if self.is_done {
            document.tree.reset();
            return Ok(false);
        }
        let result = self.compose(document);
        if !matches!(result, Ok(true)) {
            self.is_done = true;
            document.tree.reset();
        }
        result
    }

    /// Returns the next document with a copy of its text, as [`Document::into_owned`] does. If all
    /// documents are read in this way, lines are counted only once for the whole stream.
    ///
    /// ```
    /// use ketch_yaml::{Document, Documents};
    ///
    /// let text = String::from("a: 1\n---\nb: [2]\n");
    /// let mut documents = Documents::new(text.as_bytes());
    /// let kept: Vec<Document<'static>> =
    ///     std::iter::from_fn(|| documents.next_owned()).collect::<Result<_, _>>()?;
    /// drop(text);
    /// assert_eq!(kept[1].root().get("b").unwrap().location().line, 3);
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn next_owned(&mut self) -> Option<Result<Document<'static>, Error>> {
        let document = self.next()?;
        Some(document.map(|document| document.into_owned_after(&mut self.counted)))
    }

    /// Composes the next document into `document` if a single chunk has all of it, and returns
    /// [`Taken::All`]. Passes the events of any other document to `receive`, and returns what it took
    /// last. Returns `None` at the end of the stream.
    pub(super) fn next_or_pieces<E: From<Error>>(
        &mut self,
        document: &mut Document<'t>,
        receive: impl FnMut(Piece<'_>) -> Result<Taken, E>,
    ) -> Result<Option<Taken>, E> {
        if self.is_done {
            return Ok(None);
        }
        let result = self.compose_or_pass(document, receive);
        if !matches!(result, Ok(Some(Taken::All | Taken::Words(_)))) {
            self.is_done = true;
            document.tree.reset();
        }
        result
    }

    /// Does what [`Documents::next_or_pieces`] does, but for the state after the end.
    fn compose_or_pass<E: From<Error>>(
        &mut self,
        document: &mut Document<'t>,
        mut receive: impl FnMut(Piece<'_>) -> Result<Taken, E>,
    ) -> Result<Option<Taken>, E> {
        let is_whole = |words: &[u64]| words.iter().any(|&word| kind(word) == KIND_DOCUMENT_END);
        let mut is_composed = None;
        if !self.rest.part().words.is_empty() {
            if is_whole(self.rest.part().words) {
                return Ok(self.compose(document)?.then_some(Taken::All));
            }
            let (words, text, base) = self.rest.take_piece(self.stream);
            let text = self.stream.map_or(&text[..], |stream| &stream[base as usize..]);
            if receive(Piece { words: &words, text, base })? != Taken::All {
                return Ok(Some(Taken::Rare));
            }
            is_composed = Some(false);
        }
        let Documents { source, stream, composer, rest, .. } = self;
        while let Some(chunk) = source.next_chunk()? {
            let part = Part::of(&chunk);
            // Without the lines of its chunks, a later document cannot be located.
            let is_lost = stream.is_none() && chunk.passed().is_none();
            if *is_composed.get_or_insert(is_lost || is_whole(part.words)) {
                if advance(composer, rest, part, document, *stream)? {
                    return Ok(Some(Taken::All));
                }
                continue;
            }
            let Part { words, words_base: base, text, .. } = part;
            match receive(Piece { words, text, base })? {
                Taken::All => {}
                Taken::Words(count) => {
                    keep_rest(composer, rest, part.skip_words(count), stream.is_none());
                    return Ok(Some(Taken::Words(count)));
                }
                Taken::Rare => return Ok(Some(Taken::Rare)),
            }
        }
        Ok(None)
    }

    /// Composes the next document into `document`, first from the rest of the last chunk and then
    /// from new ones. Returns false at the end of the stream.
    fn compose(&mut self, document: &mut Document<'t>) -> Result<bool, Error> {
        let Documents { source, stream, composer, rest, .. } = self;
        if let Progress::Document(words) = composer.advance(rest.part(), document, *stream)? {
            rest.taken += words;
            return Ok(true);
        }
        rest.clear();
        while let Some(chunk) = source.next_chunk()? {
            if advance(composer, rest, Part::of(&chunk), document, *stream)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Composes the events of `part` into `document`, up to its end, and keeps the others as `rest`. Returns
/// whether the document has ended.
fn advance<'t>(
    composer: &mut Composer,
    rest: &mut Rest,
    part: Part<'_>,
    document: &mut Document<'t>,
    stream: Option<&'t [u8]>,
) -> Result<bool, Error> {
    let Progress::Document(words) = composer.advance(part, document, stream)? else {
        return Ok(false);
    };
    keep_rest(composer, rest, part.skip_words(words), stream.is_none());
    Ok(true)
}

/// Keeps `part`, the events after a document, as `rest`, and its text if `with_text`.
fn keep_rest(composer: &mut Composer, rest: &mut Rest, part: Part<'_>, with_text: bool) {
    if with_text {
        composer.pass(part);
    }
    rest.keep(part, with_text);
}

impl<'t, S: Source> Iterator for Documents<'t, S> {
    type Item = Result<Document<'t>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut document = Document::new();
        match self.next_into(&mut document) {
            Ok(true) => Some(Ok(document)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl Rest {
    /// Returns the events that are not consumed yet.
    fn part(&self) -> Part<'_> {
        Part {
            words: &self.words[self.taken..],
            words_base: self.words_base,
            text: &self.text,
            text_base: self.text_base,
            passed: None,
        }
    }

    /// Takes the events that are not consumed yet. Returns them with their text and its offset. If
    /// documents borrow from `stream`, the text is there.
    fn take_piece(&mut self, stream: Option<&[u8]>) -> (Vec<u64>, Vec<u8>, u64) {
        let Rest { words, taken, words_base, text, text_base } = std::mem::take(self);
        let base = if stream.is_some() { words_base } else { text_base };
        let mut moved = Vec::with_capacity(words.len() - taken);
        add_words(&mut moved, &words[taken..], words_base.wrapping_sub(base));
        (moved, text, base)
    }

    /// Drops the events that are left.
    fn clear(&mut self) {
        self.words.clear();
        self.taken = 0;
        self.text.clear();
    }

    /// Copies `part`, the rest of a chunk, which the next call to the parser invalidates.
    /// `with_text` says whether to copy the text too, which is needed only if documents do not
    /// borrow from the input.
    fn keep(&mut self, part: Part<'_>, with_text: bool) {
        self.clear();
        self.words.extend_from_slice(part.words);
        self.words_base = part.words_base;
        let Some(&first) = part.words.first().filter(|_| with_text) else { return };
        let start = Event::unpack(first).start;
        let mut end = start;
        let mut at = 0;
        while at < part.words.len() {
            let extent = extent(&part.words[at..]);
            at += extent.words;
            end = extent.end.max(end);
        }
        let from = (part.words_base - part.text_base) as usize;
        // The rest of the first and the last line is kept too, because errors show it.
        let first = line_start(part.text, from + start);
        self.text.extend_from_slice(&part.text[first..line_end(part.text, from + end)]);
        self.text_base = part.text_base + first as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// Returns the text of each document's scalars, and the line of each.
    fn scalars<S: Source>(documents: Documents<'_, S>) -> Vec<(String, u64)> {
        let mut found = Vec::new();
        for document in documents {
            let document = document.expect("valid YAML");
            let nodes = document.nodes().filter(|node| node.kind() == crate::compose::Kind::Scalar);
            found.extend(nodes.map(|node| (node.text().into_owned(), node.location().line)));
        }
        found
    }

    #[test]
    fn readers_and_slices_yield_the_same_documents() {
        let text = "---\n- a\n--- &x b\n...\n# more\n---\nc: [d, e]\n".repeat(3);
        let slice = scalars(Documents::new(text.as_bytes()));
        assert_eq!(slice.len(), 15);
        for chunk_words in [1, 4, 4096] {
            let options = Options { chunk_words, ..Options::default() };
            let parser = ReadParser::with_options(Cursor::new(&text), &options);
            let compose = ComposeOptions::default();
            assert_eq!(scalars(Documents::from_source(parser, &compose)), slice, "{chunk_words}");
        }
    }

    #[test]
    fn owned_documents_keep_their_locations() {
        let text = "---\n- a\r\n---\r- \u{e9}\n- b\r\n--- [c,\n d]\n".repeat(3);
        let borrowed: Vec<_> = Documents::new(text.as_bytes()).map(Result::unwrap).collect();
        let mut documents = Documents::new(text.as_bytes());
        let owned = std::iter::from_fn(|| documents.next_owned()).map(Result::unwrap);
        let owned: Vec<Document<'static>> = owned.collect();
        assert_eq!(owned.len(), borrowed.len());
        for (owned, borrowed) in owned.iter().zip(&borrowed) {
            assert!(owned.is_contiguous() && borrowed.is_contiguous());
            let places = |document: &Document<'_>| -> Vec<_> {
                document
                    .nodes()
                    .map(|node| (node.location().line, node.location().column))
                    .collect()
            };
            assert_eq!(places(owned), places(borrowed));
        }
    }

    #[test]
    fn a_document_in_pieces_is_not_contiguous() {
        let options = Options { chunk_words: 1, ..Options::default() };
        let parser = ReadParser::with_options(Cursor::new("- a\n- [b, c]\n- d\n"), &options);
        let mut documents = Documents::from_source(parser, &ComposeOptions::default());
        let document = documents.next_owned().expect("a document").expect("valid YAML");
        assert!(!document.is_contiguous());
        assert_eq!(document.root().get(2).expect("an entry").location().line, 3);
    }
}
