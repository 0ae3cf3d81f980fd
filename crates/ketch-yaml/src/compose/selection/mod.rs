//! Finds the nodes at the end of a path in a stream of events. Nodes that are not on the path are
//! skipped, and only results are composed.
//!
//! The algorithm gives each node a role. The root is on the path, with all steps left. A child of a
//! collection on the path is on the path if its key or index matches the next step, and then has
//! one step fewer left. A node with no steps left is a result: its events are kept until it ends,
//! and then composed as a separate document. All other nodes are skipped by counting depth.
//!
//! Some nodes need more than that. They are composed with steps left, and the remaining steps are
//! followed in the composed document:
//!
//! - An alias on the path.
//! - A merge key with its value, as a mapping of one pair. Its result is used if the mapping around it
//!   has no matching key of its own.
//! - A collection whose matching children are known only at its end. This is so for all values of a
//!   mapping whose keys may be overridden or merged, for a filter of a mapping's values, and for a
//!   slice that counts from the end.
//! - The node before `..`.
//! - Each entry of a sequence with a filter. It is dropped if the filter does not accept it.
//!
//! Results are held until the collection ends if the step is an index from the end, and if the last of
//! duplicate keys wins.
//!
//! Anchored nodes are kept wherever they are, because an alias may follow ([`anchored`]). A node that
//! needs some of them is composed as the last entry of a sequence, after the nodes that it needs.

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

use super::document::Document;
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
/// Memory holds a chunk of events, the anchored nodes so far, and the results that were not yielded
/// yet. An index from the end also needs that many entries, and a filter in a sequence needs one entry.
/// A filter in a mapping, a slice from the end and `..` need the whole collection.
///
/// Skipped text is checked for syntax, but not for duplicate keys or unknown aliases. On the path,
/// [`ComposeOptions::duplicate_keys`](crate::ComposeOptions::duplicate_keys) applies. The iterator
/// reads no further than it has to: if you stop after the first result, errors after it are not found.
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
    /// Selects the nodes that `path` leads to in the documents of `source`.
    pub fn new(source: S, path: &Path, options: &SelectionOptions) -> Selection<S> {
        Selection { source, walker: Walker::new(path, options), error: None, is_done: false }
    }

    /// Returns the source, for example to read its warnings.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Returns how far the path has led in the documents so far, or `None` once something was
    /// found.
    #[must_use]
    pub fn reached(&self) -> Option<&Reached> {
        self.walker.reached()
    }

    /// Returns whether more must be read to find the next result.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.walker.found.is_empty()
    }

    /// Takes the document of a result back, to reuse its memory for a later one.
    pub fn recycle(&mut self, document: Box<Document<'static>>) {
        self.walker.recycle(document);
    }

    /// Returns the next result, or `None` at the end. An error is returned after all results before
    /// it.
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
