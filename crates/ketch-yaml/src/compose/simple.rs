//! A walk through trees without tags and aliases, as most documents are. Their nodes are stored in the
//! order of the walk, so it is a plain loop.

use super::node::{Packed, Shape};
use super::tree::View;
use super::view::Node;
use crate::scalar;
use ketch_bytes::string::Part;
use ketch_bytes::utf8;

/// A walk through a node and its descendants, in document order. It is not an `Iterator`, because a
/// step may borrow the buffer for decoded text.
///
/// ```
/// use ketch_yaml::compose::internal::SimpleStep;
/// use ketch_yaml::Documents;
///
/// let document = Documents::new(b"a: ['1', 2]").next().unwrap()?;
/// let mut walk = document.root().simple_walk().unwrap();
/// assert_eq!(walk.next(), Some(SimpleStep::Mapping));
/// assert_eq!(walk.next(), Some(SimpleStep::Plain("a".into())));
/// assert_eq!(walk.next(), Some(SimpleStep::Sequence));
/// assert_eq!(walk.next(), Some(SimpleStep::Text("1".into())));
/// assert_eq!(walk.next(), Some(SimpleStep::Plain("2".into())));
/// assert_eq!(walk.next(), Some(SimpleStep::End));
/// assert_eq!(walk.next(), Some(SimpleStep::End));
/// assert_eq!(walk.next(), None);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct SimpleWalk<'d> {
    view: View<'d>,
    /// The text of the walk's root, and its offset in the document's text.
    text: &'d str,
    start: usize,
    next: usize,
    /// The first node after the innermost open collection.
    end: usize,
    /// The ends of the collections around it, in the same form.
    ends: Vec<u32>,
    decoded: Vec<u8>,
}

/// A step of a [`SimpleWalk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimpleStep<'w> {
    /// A plain scalar; the schema decides its meaning.
    Plain(Part<'w>),
    /// A scalar in quotes or a block scalar.
    Text(Part<'w>),
    /// A sequence starts.
    Sequence,
    /// A mapping starts; keys and values follow in turn.
    Mapping,
    /// The innermost collection ends.
    End,
}

impl<'d> Node<'d> {
    /// Returns a walk through the node and its descendants. Returns `None` if the document has
    /// tags, aliases or overridden keys, if it was composed with merge keys, or if the node's text
    /// is not valid UTF-8, which is checked in one pass.
    #[doc(hidden)]
    #[must_use]
    pub fn simple_walk(self) -> Option<SimpleWalk<'d>> {
        let document = self.document();
        let view = document.view();
        let side = view.side;
        let is_simple = side.tags.is_empty() && side.aliases.is_empty() && !side.has_overridden;
        if !is_simple || document.merges() {
            return None;
        }
        let span = self.span();
        let text = utf8::checked(view.text.get(span.clone())?)?;
        let next = self.id().index();
        let end = self.subtree().end;
        let (ends, decoded) = (Vec::new(), Vec::new());
        Some(SimpleWalk { view, text, start: span.start, next, end, ends, decoded })
    }
}

impl SimpleWalk<'_> {
    /// Returns the next step.
    #[inline(always)]
    #[allow(clippy::should_implement_trait, reason = "it lends")]
    pub fn next(&mut self) -> Option<SimpleStep<'_>> {
        if self.next == self.end {
            self.end = self.ends.pop()? as usize;
            return Some(SimpleStep::End);
        }
        let at = self.next;
        self.next = at + 1;
        let node = self.view.nodes[at];
        match node.shape() {
            Shape::Sequence => {
                self.open(node);
                Some(SimpleStep::Sequence)
            }
            Shape::Mapping => {
                self.open(node);
                Some(SimpleStep::Mapping)
            }
            Shape::Plain => Some(SimpleStep::Plain(self.content(at, node))),
            _ => Some(SimpleStep::Text(self.content(at, node))),
        }
    }

    /// Enters the collection `node`.
    #[inline(always)]
    fn open(&mut self, node: Packed) {
        self.ends.push(self.end as u32);
        self.end = node.end();
    }

    /// Returns the content of the scalar `node`, which is at `at`: a slice of the text if possible,
    /// and otherwise decoded.
    #[inline(always)]
    fn content(&mut self, at: usize, node: Packed) -> Part<'_> {
        let found = self.view.verbatim_range(node).and_then(|(start, end)| {
            // This is `None` for an empty node after the end of `text`.
            Part::new(self.text, start.wrapping_sub(self.start), end.wrapping_sub(self.start))
        });
        match found {
            Some(text) => text,
            None => self.decoded(at).into(),
        }
    }

    /// Decodes the scalar at `at` into the buffer, which the next decoded scalar overwrites.
    #[inline(never)]
    fn decoded(&mut self, at: usize) -> &str {
        self.decoded.clear();
        scalar::decode(self.view.text, &self.view.event(at), &mut self.decoded);
        // The text of the root is valid UTF-8, and so is what is decoded from it.
        utf8::checked(&self.decoded).unwrap_or_default()
    }
}
