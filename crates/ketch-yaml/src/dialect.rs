//! Languages other than YAML 1.2, with parsers of their own.

use crate::event::{Chunk, Event};
use crate::fault::Fault;
use crate::limits::Limits;
use std::fmt::Debug;
use std::ops::Range;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::OnceLock;

/// The language to read.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// YAML 1.2.
    #[default]
    Yaml,
    /// Another language, such as that of Syck (`DIALECT` of the crate `ketch-syck`). A separate
    /// parser reads it, and yields events of the same form, one document at a time.
    Other(&'static dyn Language),
}

impl PartialEq for Dialect {
    #[inline]
    fn eq(&self, other: &Dialect) -> bool {
        match (self, other) {
            (Dialect::Yaml, Dialect::Yaml) => true,
            (Dialect::Other(one), Dialect::Other(other)) => one.name() == other.name(),
            _ => false,
        }
    }
}

impl Eq for Dialect {}

impl Dialect {
    /// Returns the name of the language.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Dialect::Yaml => "yaml",
            Dialect::Other(language) => language.name(),
        }
    }

    /// Creates the separate parser of the language, which starts at `offset`. Returns `None` for
    /// YAML, which the engine parses.
    #[inline]
    pub(crate) fn documents(self, offset: usize) -> Option<Box<dyn Documents>> {
        match self {
            Dialect::Yaml => None,
            Dialect::Other(language) => {
                OTHER.get_or_init(|| language);
                Some(language.documents(offset))
            }
        }
    }
}

/// The language other than YAML that this process reads. To decode a scalar, there are only the
/// text and the event, and an event has no space for a reference to its language.
static OTHER: OnceLock<&dyn Language> = OnceLock::new();

/// Returns the language other than YAML that this process reads, if there is one.
#[cold]
pub(crate) fn other() -> Option<&'static dyn Language> {
    OTHER.get().copied()
}

/// A language other than YAML 1.2, for `ketch-syck`. A process can read only one such language.
pub trait Language: Debug + Sync + UnwindSafe + RefUnwindSafe {
    /// Returns the name of the language.
    fn name(&self) -> &'static str;

    /// Creates a parser that starts at `offset` of a text, which must be the start of a line.
    fn documents(&self, offset: usize) -> Box<dyn Documents>;

    /// Appends the content of the scalar `event` to `out`, if it is marked as one of this language:
    /// a flow scalar with an indentation, or a block scalar with the flag of escapes. Returns false
    /// if it is decoded as in YAML 1.2.
    fn decode(&self, text: &[u8], event: &Event, out: &mut Vec<u8>) -> bool;

    /// Returns where the tag of the node at the offset `node` of `text` is written. The tag expands
    /// to `expanded`.
    fn written_tag(&self, text: &[u8], node: usize, expanded: &str) -> Option<Range<usize>>;
}

/// The documents of a text in a language other than YAML 1.2.
pub trait Documents: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Reads the next document of `text`. Returns false at the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails if the document is not valid, if it exceeds a limit, or if `interrupt` returns true.
    fn next_document(
        &mut self,
        text: &[u8],
        limits: &Limits,
        interrupt: Option<fn() -> bool>,
    ) -> Result<bool, Fault>;

    /// Returns the events of the last document. `text` is the text of the stream.
    fn chunk<'a>(&'a self, text: &'a [u8]) -> Chunk<'a, 'a>;

    /// Continues at `offset`, which must be the start of a line.
    fn restart(&mut self, offset: usize);

    /// Returns the warnings that were added since the last call.
    fn take_warnings(&mut self) -> Vec<Fault>;
}
