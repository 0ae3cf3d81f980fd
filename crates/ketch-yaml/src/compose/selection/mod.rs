//! Finds the nodes at the end of a path in a stream of events: whatever is not on the path is
//! skipped, and only results are composed.
//!
//! Pseudo code: each node has a role. The root is on the path, with all steps left; a child of a
//! collection on the path is on it, too, with one step less, if its key or index is the one of the
//! step. A node with no step left is a result: its events are kept until it ends, then composed as
//! a document of its own. All other nodes are skipped by counting depth.
//!
//! Beyond that:
//! - Anchored nodes are kept everywhere, since an alias may follow ([`anchored`]). They are put
//!   before a node that needs them, both as entries of a sequence.
//! - An alias on the path is a result with steps left, which are followed in its document.
//! - With merge keys, `<<` and its value are a result as a mapping of their own, with the steps
//!   left; it counts if the mapping itself has no such key.
//! - For an index from the end, and if the last of duplicate keys wins, results are held until the
//!   collection ends.
//! - All values of a mapping, if keys may be overridden or merge, the values that a filter accepts,
//!   and a slice that counts from the end: the collection is a result as a whole. So is the node
//!   before `..`.
//! - Each entry that a filter may accept is a result; it is dropped if the filter does not accept it.

mod anchored;
mod at;
mod cut;
mod found;
mod frame;
mod make;
mod options;
mod results;
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

/// Iterates over the nodes at the end of a path in each document of a stream, without composing the
/// rest.
///
/// Memory holds the results, the anchored nodes before them, and a chunk of events; for an index
/// from the end, also that many entries; for a filter in a sequence, one entry; for one in a
/// mapping, a slice from the end and `..`, the whole collection. Skipped text is checked for syntax, but not for duplicate
/// keys or unknown aliases.
/// [`ComposeOptions::duplicate_keys`](crate::ComposeOptions::duplicate_keys) says what to do with
/// duplicate keys on the path. Nothing is read beyond the requested results: if you stop after the
/// first, errors after it are not reported.
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
    /// The error that ended the selection, reported after the results before it.
    error: Option<Error>,
    is_done: bool,
}

impl<S: Source> Selection<S> {
    /// Selects what `path` leads to in the documents of `source`.
    pub fn new(source: S, path: &Path, options: &SelectionOptions) -> Selection<S> {
        Selection { source, walker: Walker::new(path, options), error: None, is_done: false }
    }

    /// Returns the source, which has the warnings.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Returns how far the path got at most, if nothing was found so far.
    #[must_use]
    pub fn reached(&self) -> Option<&Reached> {
        self.walker.reached()
    }

    /// Returns whether more must be read to find the next result.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.walker.found.is_empty()
    }

    /// Takes back a result to reuse its memory.
    pub fn recycle(&mut self, found: Found) {
        self.walker.recycle(found.document);
    }

    /// Returns the next result; `None` at the end.
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
