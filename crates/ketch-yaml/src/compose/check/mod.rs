//! Finds all problems of a stream without composing it.
//!
//! [`Checker`] pulls events from a reader and keeps only what checking needs: the text of the current
//! document, at most eight bytes per key of an open mapping, the names of anchors, and the distinct tags.
//! It finds the same problems as composing, by the same rules and with the same messages. Unlike
//! composing, it continues after a problem. After a syntax error, it continues at the next document
//! marker.

mod digest;
mod faults;
mod keys;
mod meaning;
mod runs;
mod unusual;
mod values;
mod walk;

use super::build::{Built, Run};
use super::options::ComposeOptions;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::event::{Chunk, Event};
use crate::location::LineCounter;
use crate::parse::{Options, Parser, ReadParser, Warning, Window};
use crate::problem::{Class, Problem};
use keys::Suspects;
use std::collections::VecDeque;
use std::io::Read;
use unusual::Unusual;
use walk::Walk;

/// The problems of a stream, in order of their locations.
///
/// The problems of a document are unknown aliases, duplicate keys, scalars that are not valid for
/// their tags, exceeded limits, and syntax errors. The check of a document ends at its first syntax
/// error or exceeded limit. It continues at the next `---` or `...` at the start of a line.
///
/// Memory holds the text of the current document and the keys of its open mappings: 8 bytes per key, or
/// 4.5 bytes if the mapping has more than 65,535 keys. If a mapping of that size has duplicate keys, its
/// document is parsed twice.
///
/// ```
/// use ketch_yaml::compose::Checker;
/// use ketch_yaml::ComposeOptions;
///
/// let text = "a: 1\na: 2\nb: *c\n---\nd: [\n---\n- *e\n";
/// let options = ketch_yaml::Options::default();
/// let checker = Checker::new(text.as_bytes(), &options, &ComposeOptions::default(), 100);
/// let lines: Vec<u64> = checker.map(|problem| problem.line()).collect();
/// assert_eq!(lines, [2, 3, 5, 7]);
/// ```
#[derive(Debug)]
pub struct Checker<R> {
    parser: ReadParser<R>,
    options: Options,
    compose: ComposeOptions,
    walk: Walk,
    unusual: Unusual,
    warnings: Vec<Warning>,
    /// The number of warnings of the parser that are in `warnings`.
    parser_warnings: usize,
    /// Where the open document starts in the stream.
    open: Option<u64>,
    ready: VecDeque<Error>,
    /// The number of problems that may still be yielded.
    left: usize,
    has_more: bool,
    is_ended: bool,
}

impl<R: Read> Checker<R> {
    /// Creates a checker of the stream of `reader` that yields at most `max` problems.
    pub fn new(reader: R, options: &Options, compose: &ComposeOptions, max: usize) -> Checker<R> {
        Checker {
            parser: ReadParser::with_options(reader, options),
            options: *options,
            compose: *compose,
            walk: Walk::new(compose, max.saturating_add(1)),
            unusual: Unusual::new(compose.merges()),
            warnings: Vec::new(),
            parser_warnings: 0,
            open: None,
            ready: VecDeque::new(),
            left: max,
            has_more: false,
            is_ended: false,
        }
    }

    /// Makes this a checker of the rest of a stream that starts with a document at `offset`, after `lines`,
    /// whose locations count from the start of the stream.
    #[doc(hidden)]
    pub fn after(mut self, offset: u64, lines: LineCounter) -> Checker<R> {
        self.parser.start_after(offset, lines);
        self.unusual.start_after(offset, lines);
        self
    }

    /// Returns whether tags so far have used prefixes of more than 256 bytes, of which a limit holds for
    /// the whole stream.
    #[doc(hidden)]
    pub fn has_long_prefixes(&self) -> bool {
        self.parser.has_long_prefixes()
    }

    /// Returns whether the stream has more problems than the maximum. This is known only after the
    /// iterator has ended.
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Returns the warnings so far: those of [`ReadParser::warnings`], and those about valid text that
    /// was probably meant differently, such as `-a` for `- a`. At most a thousand of each are kept.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns a reference to the reader.
    pub fn get_ref(&self) -> &R {
        self.parser.get_ref()
    }

    /// Reads the next chunk and checks its events. Problems of documents that end in it become ready.
    fn advance(&mut self) {
        let Checker { parser, options, walk, open, ready, .. } = self;
        let known = self.warnings.len();
        match parser.next_chunk() {
            Ok(Some(chunk)) => {
                let document = Document { options, compose: &self.compose, walk, open };
                document.check(&chunk, ready);
                let below = std::mem::take(&mut walk.keys.below);
                if options.dialect == Dialect::Yaml {
                    self.unusual.search(&chunk, &below, &mut self.warnings);
                }
                parser.retain(*open);
            }
            Ok(None) => self.is_ended = true,
            Err(error) => self.fail(error),
        }
        self.warnings.extend_from_slice(&self.parser.warnings()[self.parser_warnings..]);
        self.parser_warnings = self.parser.warnings().len();
        let known = known.min(self.warnings.len());
        self.warnings[known..].sort_by_key(|warning| warning.location.offset);
    }

    /// Handles `error`, an error of the parser: reports it together with the problems of the open
    /// document, and continues at the next document if there is one.
    fn fail(&mut self, error: Error) {
        let Checker { parser, options, walk, open, ready, .. } = self;
        let (offset, is_broken) = (error.noticed_at(), error.class() == Class::Io);
        let mut document = Document { options, compose: &self.compose, walk, open };
        document.abandon(parser.window());
        let mut errors = document.end(parser.window());
        // Warnings on the line of the error are about the same mistake, and so is text after an alias.
        self.warnings.retain(|warning| warning.location.line != error.line());
        let is_alias = |other: &Error| {
            other.problem() == Problem::UnknownAlias && other.line() == error.line()
        };
        if error.problem() != Problem::ExpectedLineEnd || !errors.iter().any(is_alias) {
            errors.push(error);
        }
        errors.sort_by_key(Error::offset);
        ready.extend(errors);
        self.is_ended = is_broken || !parser.resume(offset);
    }
}

impl<R: Read> Iterator for Checker<R> {
    type Item = Error;

    fn next(&mut self) -> Option<Error> {
        while self.ready.is_empty() && !self.is_ended {
            self.advance();
        }
        let problem = self.ready.pop_front()?;
        if self.left == 0 {
            self.has_more = true;
            self.is_ended = true;
            self.ready.clear();
            return None;
        }
        self.left -= 1;
        Some(problem)
    }
}

/// The document that is being read.
struct Document<'c> {
    options: &'c Options,
    compose: &'c ComposeOptions,
    walk: &'c mut Walk,
    open: &'c mut Option<u64>,
}

impl Document<'_> {
    /// Checks the events of `chunk`, which may hold several documents. Problems of documents that
    /// end in it are added to `ready`.
    fn check(mut self, chunk: &Chunk<'_, '_>, ready: &mut VecDeque<Error>) {
        let passed = chunk.passed().unwrap_or_default();
        let window = Window { text: chunk.text(), base: chunk.base(), passed };
        let mut words = chunk.words();
        while let Some(&first) = words.first() {
            let start = window.base + Event::unpack(first).start as u64;
            let base = *self.open.get_or_insert(start);
            let text = &window.text[(base - window.base) as usize..];
            let shift = window.base.wrapping_sub(base) as u32;
            let Built::Document { words: taken, .. } = self.walk.run(Run { words, text, shift })
            else {
                return;
            };
            words = &words[taken..];
            ready.extend(self.end(window));
        }
    }

    /// Checks what is known of the open document, which ends here because of an error of the
    /// parser.
    fn abandon(&mut self, window: Window<'_>) {
        if let Some(base) = *self.open {
            self.walk.abandon(&window.text[(base - window.base) as usize..]);
        }
    }

    /// Ends the open document, whose text is in `window`, and returns its problems.
    fn end(&mut self, window: Window<'_>) -> Vec<Error> {
        let Some(base) = self.open.take() else { return Vec::new() };
        let suspects = self.walk.take_suspects();
        if !suspects.is_empty() {
            self.read_again(suspects, base, window);
        }
        let errors = self.walk.faults.take(base, window);
        self.walk.start();
        errors
    }

    /// Reads the document that starts at `base` a second time, to compare the keys of large
    /// mappings whose fingerprints are in `suspects`.
    fn read_again(&mut self, suspects: Suspects, base: u64, window: Window<'_>) {
        let text = &window.text[(base - window.base) as usize..];
        let mut second = Walk::new(self.compose, self.walk.faults.max());
        second.know(suspects);
        let mut parser = Parser::of_document(text, base, self.options);
        while let Ok(Some(chunk)) = parser.next_chunk() {
            let run = Run { words: chunk.words(), text, shift: chunk.base() as u32 };
            if let Built::Document { .. } = second.run(run) {
                break;
            }
        }
        second.abandon(text);
        std::mem::swap(&mut self.walk.faults, &mut second.faults);
    }
}
