//! Equality of documents and nodes.

use super::digest::Digests;
use super::document::Document;
use super::duplicates::{KeyCheck, duplicate_key};
use super::key::TagKey;
use super::node::Shape;
use super::options::{ComposeOptions, FloatKeys};
use super::view::Node;
use crate::error::Error;
use crate::limits::Limits;
use crate::schema::Schema;

/// Two documents are equal if they have the same nodes in the same order. Nodes must have the same
/// kind, tag and content. Two scalars must also be both plain or both not plain, and two aliases
/// must refer to the same node. Other differences of style, anchor names, comments and locations
/// are ignored. `0x1` and `1` differ, and so do mappings with the same pairs in a different order.
/// A comparison takes one pass over the nodes.
///
/// For equality of meaning, see [`Node::equals`].
impl PartialEq<Document<'_>> for Document<'_> {
    fn eq(&self, other: &Document<'_>) -> bool {
        let (left, right) = (self.view(), other.view());
        let is_same = |at: usize| {
            let (a, b) = (left.nodes[at], right.nodes[at]);
            if a.end() != b.end() || TagKey::of(left, at) != TagKey::of(right, at) {
                return false;
            }
            match (a.shape(), b.shape()) {
                (Shape::Alias, Shape::Alias) => left.target(a) == right.target(b),
                _ if a.is_scalar() && b.is_scalar() => {
                    // Plain and quoted differ: a schema may give a plain scalar a different
                    // meaning.
                    let is_plain = |shape| shape == Shape::Plain;
                    is_plain(a.shape()) == is_plain(b.shape())
                        && left.content(at) == right.content(at)
                }
                (a, b) => a == b,
            }
        };
        left.nodes.len() == right.nodes.len() && (0..left.nodes.len()).all(is_same)
    }
}

impl Eq for Document<'_> {}

impl<'d> Node<'d> {
    /// Returns whether this node equals `other`, which may be in another document (YAML 1.2.2,
    /// section 3.2.1.3). Nodes are equal if their kinds, tags and contents are. Scalars are
    /// compared by their values under `schema`, mappings without regard to order, and aliases by
    /// their targets.
    ///
    /// # Errors
    ///
    /// Returns [`Problem::AliasCycle`](crate::Problem::AliasCycle) if an alias is inside its own
    /// target, and [`Problem::TooManyAliasNodes`](crate::Problem::TooManyAliasNodes) if more nodes
    /// would have to be compared than `limits` allows.
    ///
    /// ```
    /// use ketch_yaml::schema::Schema;
    /// use ketch_yaml::Documents;
    ///
    /// let left = Documents::new(b"{a: 0x1F, b: &x [y], c: *x}").next().unwrap()?;
    /// let right = Documents::new(b"b: ['y']\nc: [y]\na: 31\n").next().unwrap()?;
    /// let limits = ketch_yaml::Limits::default();
    /// assert!(left.root().equals(right.root(), Schema::Core, &limits)?);
    /// assert!(left != right);
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn equals(self, other: Node<'_>, schema: Schema, limits: &Limits) -> Result<bool, Error> {
        let views = [self.document().view(), other.document().view()];
        let mut digests = Digests::new(schema.into(), limits);
        let result = digests.are_same(views, self.id().index(), other.id().index());
        result.map_err(|fault| match digests.side {
            0 => self.document().error(fault),
            _ => other.document().error(fault),
        })
    }

    /// Fails if two keys of a mapping in this node are equal when their floats are compared as
    /// `float_keys` says, although the document was composed by another rule. This is for readers
    /// that convert keys. It takes no time unless several keys of a mapping are numbers.
    ///
    /// # Errors
    ///
    /// Returns [`Problem::DuplicateKey`](crate::Problem::DuplicateKey).
    ///
    /// ```
    /// use ketch_yaml::{Documents, FloatKeys};
    ///
    /// let document = Documents::new(b"{1e400: a, 1e401: b}").next().unwrap()?;
    /// assert!(document.root().check_keys(FloatKeys::Finite).is_ok());
    /// let error = document.root().check_keys(FloatKeys::Rounded).unwrap_err();
    /// assert_eq!(error.location().column, 12);
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn check_keys(self, float_keys: FloatKeys) -> Result<(), Error> {
        let (document, view) = (self.document(), self.document().view());
        if !view.side.has_float_keys || document.head.equality.floats == float_keys {
            return Ok(());
        }
        let mut options = ComposeOptions { float_keys, ..ComposeOptions::default() };
        (options.schema, options.merge_keys) = (document.schema(), Some(document.merges()));
        let mut keys = KeyCheck::new(&options);
        let start = self.resolved().id().index();
        let mappings = start..view.nodes[start].end();
        let mut mappings = mappings.filter(|&at| view.nodes[at].shape() == Shape::Mapping);
        mappings.try_for_each(|at| keys.check(view, at)).map_err(|fault| document.error(fault))
    }

    /// Returns the error that this key of a mapping repeats the key `first`, for readers in whose
    /// language the two are equal.
    #[must_use]
    pub fn repeats(self, first: Node<'_>) -> Error {
        let at = |node: Node<'_>| self.document().view().span(node.id().index());
        self.document().error(duplicate_key(at(self), at(first).start))
    }
}
