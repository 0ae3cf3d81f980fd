//! The presenter as its callers see it.

use super::core::Core;
use super::error::{PresentError, Result};
use super::options::PresentOptions;
use super::properties::{CollectionStyle, Properties, check_name};
use super::style::ScalarStyle;
use std::io::Write;

/// Writes events as YAML text.
///
/// Either push nodes in document order, or push a parser's events with
/// [`Parser::push_into`](crate::Parser::push_into). [`Presenter::finish`] writes what is still held
/// and gives the writer back.
///
/// ```
/// use ketch_yaml::present::{CollectionStyle, Presenter, Properties, ScalarStyle};
///
/// let mut yaml = Presenter::new(Vec::new());
/// let none = Properties::NONE;
/// yaml.start_document(false)?;
/// yaml.start_mapping(CollectionStyle::Block, none)?;
/// yaml.scalar("version", ScalarStyle::Text, none)?;
/// yaml.scalar("1.10", ScalarStyle::Text, none)?;
/// yaml.scalar("masts", ScalarStyle::Text, none)?;
/// yaml.start_sequence(CollectionStyle::Block, Properties::anchor("m"))?;
/// yaml.scalar("main", ScalarStyle::Text, none)?;
/// yaml.scalar("mizzen", ScalarStyle::Text, none)?;
/// yaml.end_sequence()?;
/// yaml.end_mapping()?;
/// yaml.end_document(false)?;
/// assert_eq!(yaml.finish()?, b"version: \"1.10\"\nmasts: &m\n- main\n- mizzen\n");
/// # Ok::<(), ketch_yaml::present::PresentError>(())
/// ```
#[derive(Debug)]
pub struct Presenter<W> {
    out: W,
    pub(super) core: Core,
}

impl<W: Write> Presenter<W> {
    /// A presenter with default options.
    pub fn new(out: W) -> Presenter<W> {
        Presenter::with_options(out, &PresentOptions::default())
    }

    /// A presenter.
    pub fn with_options(out: W, options: &PresentOptions) -> Presenter<W> {
        Presenter { out, core: Core::new(options) }
    }

    /// Takes a directive line of the next document, as in `%TAG !e! tag:example.com,2000:`.
    pub fn directive(&mut self, line: &str) -> Result {
        if !line.starts_with('%') || line.contains(['\n', '\r']) {
            return Err(PresentError::Misplaced("a directive is a line that starts with `%`"));
        }
        self.core.directive(line.as_bytes());
        Ok(())
    }

    /// Starts a document; `is_explicit` asks for a `---`.
    pub fn start_document(&mut self, is_explicit: bool) -> Result {
        self.core.start_document(is_explicit)
    }

    /// Ends a document; `is_explicit` asks for a `...`.
    pub fn end_document(&mut self, is_explicit: bool) -> Result {
        self.core.end_document(is_explicit)?;
        self.hand_over()
    }

    /// Writes a scalar. Its text may hold any characters.
    pub fn scalar(&mut self, text: &str, style: ScalarStyle, properties: Properties<'_>) -> Result {
        self.core.properties(properties)?;
        self.core.scalar(text.as_bytes(), style)?;
        self.hand_over()
    }

    /// Writes text in the style that reads best, or what may stand plain everywhere.
    #[inline(always)]
    pub(crate) fn quick(&mut self, text: &str, style: ScalarStyle) -> Result {
        match self.core.quick_text(text.as_bytes(), style == ScalarStyle::Text) {
            true => Ok(()),
            false => self.general(text, style),
        }
    }

    /// What is left of [`Presenter::quick`], as a call of its own that takes no registers there.
    /// Once enough is held, the next text comes here, and hands it over.
    #[inline(never)]
    fn general(&mut self, text: &str, style: ScalarStyle) -> Result {
        self.core.scalar(text.as_bytes(), style)?;
        self.hand_over()
    }

    /// Writes an alias of the anchor with that name.
    pub fn alias(&mut self, name: &str) -> Result {
        check_name(name)?;
        self.core.alias(&[b"*", name.as_bytes()].concat())
    }

    /// Starts a sequence.
    #[inline]
    pub fn start_sequence(&mut self, style: CollectionStyle, properties: Properties<'_>) -> Result {
        self.core.properties(properties)?;
        self.core.start(false, style == CollectionStyle::Flow)
    }

    /// Ends the sequence that was started last.
    pub fn end_sequence(&mut self) -> Result {
        self.core.end(false)
    }

    /// Starts a mapping; its keys and values come in turn.
    #[inline]
    pub fn start_mapping(&mut self, style: CollectionStyle, properties: Properties<'_>) -> Result {
        self.core.properties(properties)?;
        self.core.start(true, style == CollectionStyle::Flow)
    }

    /// Ends the mapping that was started last.
    pub fn end_mapping(&mut self) -> Result {
        self.core.end(true)
    }

    /// Writes lines of comment in front of the entry or the root that comes next, or at the end of
    /// what is open. `text` is without `#`; each of its lines becomes one.
    ///
    /// ```
    /// use ketch_yaml::present::{CollectionStyle, Presenter, Properties, ScalarStyle};
    ///
    /// let mut yaml = Presenter::new(Vec::new());
    /// yaml.start_document(false)?;
    /// yaml.start_mapping(CollectionStyle::Block, Properties::NONE)?;
    /// yaml.comment("As many as the pier has berths.")?;
    /// yaml.scalar("boats", ScalarStyle::Text, Properties::NONE)?;
    /// yaml.line_comment("may grow")?;
    /// yaml.scalar("12", ScalarStyle::Plain, Properties::NONE)?;
    /// yaml.end_mapping()?;
    /// yaml.end_document(false)?;
    /// assert_eq!(yaml.finish()?, b"# As many as the pier has berths.\nboats: 12 # may grow\n");
    /// # Ok::<(), ketch_yaml::present::PresentError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Between a key and its value and inside of brackets there is no place for lines of comment,
    /// and characters that are not printable cannot stand in one.
    pub fn comment(&mut self, text: &str) -> Result {
        self.core.comment(text)
    }

    /// Takes a comment for the line that the next node stands on: behind a scalar, an alias or
    /// brackets, behind the header of a block scalar, or on the line that leads to a block
    /// collection. A comment for a key stands behind its value.
    ///
    /// # Errors
    ///
    /// Inside of brackets there is no place for comments, this one has only one line, and all of its
    /// characters are printable.
    pub fn line_comment(&mut self, text: &str) -> Result {
        self.core.line_comment(text)
    }

    /// Says that the text comes behind other documents, so that the first of its own needs a `---`.
    pub fn continue_stream(&mut self) {
        self.core.continue_stream();
    }

    /// Writes what is held, and gives the writer back. It is not flushed.
    ///
    /// # Errors
    ///
    /// Besides those of the writer, that a document is open still.
    pub fn finish(mut self) -> Result<W> {
        if !self.core.is_between_documents() {
            return Err(PresentError::Misplaced("the document has not ended"));
        }
        self.out.write_all(self.core.out.written())?;
        Ok(self.out)
    }

    /// Writes all documents that are whole, and gives the writer back: for streams that break off.
    /// The last document is not seen at all, unless it was longer than
    /// [`PresentOptions::held_bytes`]; then all that there is of it is written.
    pub fn into_whole(mut self) -> Result<W> {
        let core = &self.core;
        if core.is_partly_out && !core.is_between_documents() {
            self.out.write_all(core.out.written())?;
            self.out.write_all(b"\n")?;
        } else {
            self.out.write_all(&core.out.written()[..core.whole_len])?;
        }
        Ok(self.out)
    }

    /// Hands all documents that are whole to the writer, however little that is.
    pub fn flush_documents(&mut self) -> Result {
        let core = &mut self.core;
        self.out.write_all(&core.out.written()[..core.whole_len])?;
        core.out.discard(core.whole_len);
        core.whole_len = 0;
        Ok(())
    }

    /// The writer. What is held has not reached it.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Hands over whole documents once enough is held, or part of one that is longer.
    #[inline(always)]
    pub(super) fn hand_over(&mut self) -> Result {
        if self.core.out.len() < self.core.options.held_bytes { Ok(()) } else { self.write_held() }
    }

    #[cold]
    fn write_held(&mut self) -> Result {
        self.flush_documents()?;
        let core = &mut self.core;
        if core.out.len() >= core.options.held_bytes {
            core.note_column();
            self.out.write_all(core.out.written())?;
            core.out.clear();
            core.is_partly_out = true;
        }
        Ok(())
    }
}
