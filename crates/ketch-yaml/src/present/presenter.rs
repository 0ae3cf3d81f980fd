//! The presenter and its public interface.

use super::core::Core;
use super::error::{PresentError, Result};
use super::options::PresentOptions;
use super::properties::{CollectionStyle, Properties, check_name};
use super::style::ScalarStyle;
use std::io::Write;

/// A presenter, which writes events as YAML text.
///
/// Either push nodes in document order, or push the events of a parser with
/// [`Parser::push_into`](crate::Parser::push_into). [`Presenter::finish`] writes the buffered text
/// and returns the underlying writer.
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
    /// Creates a presenter that writes to `out`, with default options.
    pub fn new(out: W) -> Presenter<W> {
        Presenter::with_options(out, &PresentOptions::default())
    }

    /// Creates a presenter that writes to `out`, with the options `options`.
    pub fn with_options(out: W, options: &PresentOptions) -> Presenter<W> {
        Presenter { out, core: Core::new(options) }
    }

    /// Adds a directive line, such as `%TAG !e! tag:example.com,2000:`, to the next document.
    pub fn directive(&mut self, line: &str) -> Result {
        if !line.starts_with('%') || line.contains(['\n', '\r']) {
            return Err(PresentError::Misplaced("a directive is one line that starts with `%`"));
        }
        self.core.directive(line.as_bytes());
        Ok(())
    }

    /// Starts a document; `is_explicit` requests a `---`.
    pub fn start_document(&mut self, is_explicit: bool) -> Result {
        self.core.start_document(is_explicit)
    }

    /// Ends a document; `is_explicit` requests a `...`.
    pub fn end_document(&mut self, is_explicit: bool) -> Result {
        self.core.end_document(is_explicit)?;
        self.flush_when_full()
    }

    /// Writes a scalar with the value `text`, which may contain any characters.
    pub fn scalar(&mut self, text: &str, style: ScalarStyle, properties: Properties<'_>) -> Result {
        self.core.properties(properties)?;
        self.core.scalar(text.as_bytes(), style)?;
        self.flush_when_full()
    }

    /// Writes a scalar without properties: in the most readable style if `style` is
    /// [`ScalarStyle::Text`], and otherwise plain text that needs no quotes anywhere. Takes the
    /// fast path if the text is simple.
    #[inline(always)]
    pub(crate) fn quick(&mut self, text: &str, style: ScalarStyle) -> Result {
        match self.core.quick_text(text.as_bytes(), style == ScalarStyle::Text) {
            true => Ok(()),
            false => self.general(text, style),
        }
    }

    /// Writes a scalar that [`Presenter::quick`] cannot write. This is a separate function so that
    /// it takes no registers there. Once the buffer is full, the next scalar is written here, which
    /// flushes the buffer.
    #[inline(never)]
    fn general(&mut self, text: &str, style: ScalarStyle) -> Result {
        self.core.scalar(text.as_bytes(), style)?;
        self.flush_when_full()
    }

    /// Writes an alias to the anchor `name`.
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

    /// Ends the innermost open sequence.
    pub fn end_sequence(&mut self) -> Result {
        self.core.end(false)
    }

    /// Starts a mapping. Its keys and values must be pushed in turn.
    #[inline]
    pub fn start_mapping(&mut self, style: CollectionStyle, properties: Properties<'_>) -> Result {
        self.core.properties(properties)?;
        self.core.start(true, style == CollectionStyle::Flow)
    }

    /// Ends the innermost open mapping.
    pub fn end_mapping(&mut self) -> Result {
        self.core.end(true)
    }

    /// Writes comment lines before the next entry or root, or at the end of the open collection.
    /// `text` contains no `#`; each of its lines becomes a comment line.
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
    /// Returns [`PresentError::Misplaced`] between a key and its value, inside brackets, or if
    /// `text` contains characters that are not printable. Returns [`PresentError::Write`] if the
    /// writer fails.
    pub fn comment(&mut self, text: &str) -> Result {
        self.core.comment(text)
    }

    /// Sets the comment for the line of the next node: after a scalar, an alias or a flow
    /// collection, after the header of a block scalar, or on the line before a block collection.
    /// The comment of a key is written after its value.
    ///
    /// # Errors
    ///
    /// Fails inside brackets, and if `text` has several lines or contains characters that are not
    /// printable.
    pub fn line_comment(&mut self, text: &str) -> Result {
        self.core.line_comment(text)
    }

    /// Continues a stream that already contains documents, so that the next document needs a `---`.
    pub fn continue_stream(&mut self) {
        self.core.continue_stream();
    }

    /// Writes the buffered text, and returns the underlying writer, which is not flushed.
    ///
    /// # Errors
    ///
    /// Fails if the writer fails, or if a document is still open.
    pub fn finish(mut self) -> Result<W> {
        if !self.core.is_between_documents() {
            return Err(PresentError::Misplaced("the document has not ended"));
        }
        self.out.write_all(self.core.out.written())?;
        Ok(self.out)
    }

    /// Writes all complete documents, and returns the underlying writer. This is for streams that
    /// end early. An incomplete last document is discarded, unless it is longer than
    /// [`PresentOptions::held_bytes`]; in that case, all of it so far is written.
    pub fn into_whole(mut self) -> Result<W> {
        let core = &self.core;
        if core.is_partly_flushed && !core.is_between_documents() {
            self.out.write_all(core.out.written())?;
            self.out.write_all(b"\n")?;
        } else {
            self.out.write_all(&core.out.written()[..core.complete_len])?;
        }
        Ok(self.out)
    }

    /// Writes all complete documents to the underlying writer, even if the buffer is not full.
    pub fn flush_documents(&mut self) -> Result {
        let core = &mut self.core;
        self.out.write_all(&core.out.written()[..core.complete_len])?;
        core.out.discard(core.complete_len);
        core.complete_len = 0;
        Ok(())
    }

    /// Returns the underlying writer, to which the buffered text has not been written yet.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// If the buffer is full, writes the complete documents in it and, if the open document is
    /// longer than the buffer, the buffered part of that one.
    #[inline(always)]
    pub(super) fn flush_when_full(&mut self) -> Result {
        if self.core.out.len() < self.core.options.held_bytes { Ok(()) } else { self.write_held() }
    }

    /// Writes the complete documents in the buffer. If the buffer is still full, also writes the
    /// part of the open document in it.
    #[cold]
    fn write_held(&mut self) -> Result {
        self.flush_documents()?;
        let core = &mut self.core;
        if core.out.len() >= core.options.held_bytes {
            core.note_column();
            self.out.write_all(core.out.written())?;
            core.out.clear();
            core.is_partly_flushed = true;
        }
        Ok(())
    }
}
