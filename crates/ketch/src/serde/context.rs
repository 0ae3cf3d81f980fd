//! What all nodes of a document share while it is read.

use super::error::Error;
use super::errors::LeftOut;
use ketch_yaml::Limits;
use ketch_yaml::compose::{Document, Node};
use ketch_yaml::schema::Schema;
use std::cell::Cell;
use std::rc::Rc;

/// A key that is a collection is hashed as a whole, and what it holds once more for each level of
/// keys around it. So many nodes may be hashed, which no sensible document comes near to.
const HASHES_BASE: u64 = 1_000_000;
const HASHES_PER_NODE: u64 = 16;

/// What all nodes of a document share.
#[derive(Debug)]
pub(super) struct Context<'de> {
    /// The input, where text may be borrowed from it.
    input: Option<&'de str>,
    /// Where the document's text starts in it.
    start: usize,
    pub schema: Schema,
    pub merges: bool,
    /// The composer has seen to it that the keys of each mapping differ.
    pub are_keys_distinct: bool,
    /// The entries to pass over, when all errors are asked for.
    pub left_out: Option<Rc<LeftOut>>,
    /// How many more nodes may be visited.
    visits_left: Cell<u64>,
    /// How many more nodes of keys may be hashed.
    hashes_left: Cell<u64>,
    /// How many more levels may be entered.
    depth_left: Cell<usize>,
}

impl<'de> Context<'de> {
    pub fn new(
        input: Option<&'de str>,
        document: &Document<'_>,
        limits: &Limits,
        depth_max: usize,
        are_keys_distinct: bool,
    ) -> Context<'de> {
        let aliases = limits.max_alias_nodes.at(document.text().len() as u64);
        let visits = aliases.saturating_add(document.node_count() as u64);
        let start = input.and_then(|input| start_in(input, document.text()));
        Context {
            input: input.filter(|_| start.is_some()),
            start: start.unwrap_or_default(),
            schema: document.schema(),
            merges: document.merges(),
            are_keys_distinct,
            left_out: None,
            visits_left: Cell::new(visits),
            hashes_left: Cell::new(HASHES_BASE + HASHES_PER_NODE * document.node_count() as u64),
            depth_left: Cell::new(depth_max),
        }
    }

    /// Whether the entry is to be passed over.
    #[inline(always)]
    pub fn leaves_out(&self, node: Node<'_>) -> bool {
        self.left_out.as_ref().is_some_and(|left_out| left_out.contains(node))
    }

    /// An error has come out of an entry; with its key if it is a value.
    pub fn note_entry(&self, node: Node<'_>, key: Option<Node<'_>>, error: &Error) {
        if let Some(left_out) = &self.left_out {
            left_out.claim(node, key, error);
        }
    }

    /// Counts a visit, so that aliases cannot make more of a document than their budget.
    #[inline]
    pub fn visit(&self) -> Result<(), Error> {
        let left = self.visits_left.get();
        self.visits_left.set(left.saturating_sub(1));
        if left > 0 {
            return Ok(());
        }
        Err(Error::new(
            "the aliases stand for too many nodes; raise `max_alias_nodes` if the input is trusted",
        ))
    }

    /// Counts the nodes of a key that is to be hashed.
    pub fn hash_key(&self, nodes: usize) -> Result<(), Error> {
        let left = self.hashes_left.get().checked_sub(nodes as u64);
        self.hashes_left.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(Error::new("collections that are keys stand too deep in other keys")),
        }
    }

    /// Enters a collection: the types that are read recurse.
    pub fn enter(&self) -> Result<Entered<'_>, Error> {
        let left = self.depth_left.get();
        if left == 0 {
            return Err(Error::new(
                "nested too deeply for this type; raise `max_recursion`, or read a `Value`",
            ));
        }
        self.depth_left.set(left - 1);
        Ok(Entered(&self.depth_left))
    }

    /// The same text in the input, if it stands there.
    pub fn borrowed(&self, text: &str) -> Option<&'de str> {
        let input = self.input?;
        let start = start_in(input, text.as_bytes())?;
        input.get(start..start + text.len())
    }

    /// The text of a scalar without a tag that stands in the input as it is, and whether it is
    /// plain: what most scalars are. `None` says nothing of any other.
    #[inline(always)]
    pub fn verbatim(&self, node: Node<'_>) -> Option<(&'de str, bool)> {
        let (span, is_plain) = node.verbatim_span()?;
        let text = self.input?.get(self.start + span.start..self.start + span.end)?;
        Some((text, is_plain))
    }

    /// The pairs of a mapping, merged where the document was composed so.
    #[inline]
    pub fn pairs<'d>(&self, node: Node<'d>) -> Result<Pairs<'d>, Error> {
        if self.merges {
            return Ok(Pairs::Merged(node.merged_entries()?.into_iter()));
        }
        Ok(Pairs::Written(node.entries()))
    }
}

/// Where `part`, a part of the input, starts in it; `None` if it stands elsewhere.
fn start_in(input: &str, part: &[u8]) -> Option<usize> {
    let start = (part.as_ptr() as usize).checked_sub(input.as_ptr() as usize)?;
    (start + part.len() <= input.len()).then_some(start)
}

/// Leaves the collection when dropped.
pub(super) struct Entered<'c>(&'c Cell<usize>);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// The pairs of a mapping.
pub(super) enum Pairs<'d> {
    Written(ketch_yaml::compose::Entries<'d>),
    Merged(std::vec::IntoIter<(Node<'d>, Node<'d>)>),
}

impl<'d> Iterator for Pairs<'d> {
    type Item = (Node<'d>, Node<'d>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Pairs::Written(pairs) => pairs.next(),
            Pairs::Merged(pairs) => pairs.next(),
        }
    }
}
