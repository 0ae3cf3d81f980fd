//! The nodes at the end of a path, out of a stream of events: what is not on the path is passed by,
//! and nothing is composed but what is found.
//!
//! Pseudo code: for each node there is a role. The root is on the path, its first step to come; a
//! child of a collection on the path is so, too, with one step less, if its key or index is the one
//! that the step wants. A node with no step left is found: its events are kept until it ends, then
//! composed as a document of its own. All others are passed by, counting depth only.
//!
//! What goes beyond that:
//! - Anchored nodes are kept wherever they stand, since an alias may come ([`anchored`]). They are
//!   put in front of a node that needs them, both as entries of a sequence.
//! - An alias on the path is found with steps left, which are followed in its document.
//! - Where merge keys count, `<<` and its value are found as a mapping of their own, with the steps
//!   left; what is found there counts if no key of the mapping itself was the one.
//! - An index from the end, and keys of which the last one counts: what is found there is held until
//!   the collection ends.
//! - All values of a mapping, where keys may override others or merge: it is found as a whole.

mod anchored;
mod cut;
mod found;
mod frame;
mod make;
mod options;
#[cfg(test)]
mod tests;
mod walk;

use super::documents::Source;
use super::select::Reached;
use crate::error::Error;
use crate::path::Path;
use walk::Walker;

pub use found::Found;
pub use options::SelectionOptions;

/// The nodes at the end of a path in each document of a stream, in order, without composing what
/// does not lead there.
///
/// Memory holds what is found, the anchored nodes in front of it, and a chunk of events; with an
/// index from the end, so many entries. What is passed by is checked for syntax, but its keys may
/// stand twice, and its aliases may refer to nothing. Of a key on the path that stands twice,
/// [`ComposeOptions::duplicate_keys`](crate::ComposeOptions::duplicate_keys) says what to do. Nothing is read beyond what was asked for:
/// whoever does not ask for more after the first does not hear of errors behind it.
///
/// ```
/// use ketch_yaml::Parser;
/// use ketch_yaml::compose::Selection;
///
/// let path = "spec.containers[*].image".parse().unwrap();
/// let text = b"spec: {containers: [{image: a}, {image: b}]}\n";
/// let mut images = Vec::new();
/// for found in Selection::new(Parser::new(text), &path, &Default::default()) {
///     images.extend(found?.nodes().map(|node| node.text().into_owned()));
/// }
/// assert_eq!(images, ["a", "b"]);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct Selection<S> {
    source: S,
    walker: Walker,
    /// What ended the selection, to be told behind what was found before.
    error: Option<Error>,
    is_done: bool,
}

impl<S: Source> Selection<S> {
    /// What `path` leads to in the documents of `source`.
    pub fn new(source: S, path: &Path, options: &SelectionOptions) -> Selection<S> {
        Selection { source, walker: Walker::new(path, options), error: None, is_done: false }
    }

    /// The source, to ask it for warnings.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// How far the path came that came farthest, if nothing was found so far.
    #[must_use]
    pub fn reached(&self) -> Option<&Reached> {
        self.walker.reached()
    }

    /// Whether more has to be read to find the next.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.walker.found.is_empty()
    }

    /// Takes the memory of what was found back, to be used again.
    pub fn recycle(&mut self, found: Found) {
        self.walker.recycle(found.document);
    }

    /// The next nodes that are found; `None` at the end.
    fn advance(&mut self) -> Result<Option<Found>, Error> {
        loop {
            if let Some(found) = self.walker.found.pop_front() {
                return Ok(Some(found));
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.is_done || self.walker.is_done {
                return Ok(None);
            }
            let taken = match self.source.next_chunk() {
                Ok(Some(chunk)) => self.walker.take(&chunk),
                Ok(None) => {
                    self.is_done = true;
                    Ok(())
                }
                Err(error) => Err(error),
            };
            if let Err(error) = taken {
                self.is_done = true;
                self.error = Some(error);
            }
        }
    }
}

impl<S: Source> Iterator for Selection<S> {
    type Item = Result<Found, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}
