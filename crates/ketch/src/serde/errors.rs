//! Collects all errors that occur when a type is read.
//!
//! The visitor of a type stops at the first error and discards what it has built. So after each
//! error, the document is read again without the invalid entry, until there are no more errors.
//! This works because visitors of structs read all fields before they report that one is missing.
//! Errors that occur only because entries are left out are not reported.

use crate::serde_error::Error;
use ketch_yaml::compose::{Node, NodeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;

/// The maximum number of errors that are reported.
pub(super) const ERRORS_MAX: usize = 100;

/// All errors that occurred when a type was read, in the order in which they were found.
///
/// `Display` writes one error per line.
#[derive(Debug)]
pub struct Errors(pub(super) Vec<Error>);

impl std::ops::Deref for Errors {
    type Target = [Error];

    fn deref(&self) -> &[Error] {
        &self.0
    }
}

impl IntoIterator for Errors {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<Error> for Errors {
    fn from(error: Error) -> Errors {
        Errors(vec![error])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// The entries that are left out because they are invalid.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// The indices of their nodes. If the entry is the value of a mapping's entry, the text of its
    /// key is stored with it.
    nodes: RefCell<HashMap<usize, Option<String>>>,
    /// Set as soon as the invalid entry of this pass is known. It is true if the entry may be
    /// invalid only because something in it was left out.
    claim: Cell<Option<IsDerived>>,
}

type IsDerived = bool;

impl LeftOut {
    /// Returns whether the entry `node` is left out.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.borrow().contains_key(&node.index())
    }

    /// Records that the entry `node` failed with `error`, so that it is left out from now on. `key`
    /// is its key, if it has one. Only the first call in a pass, which is the one for the innermost
    /// entry, has an effect.
    pub fn claim(&self, node: Node<'_>, key: Option<Node<'_>>, error: &Error) {
        if self.claim.get().is_none() {
            self.claim.set(Some(self.is_derived(node, error)));
            let key = key.map(|key| key.text().into_owned());
            self.nodes.borrow_mut().insert(node.id().index(), key);
        }
    }

    /// Ends a failed pass. Returns whether the error may be caused by what was left out, or `None`
    /// if no entry failed, so that the error is in the root itself.
    pub fn take_claim(&self) -> Option<IsDerived> {
        self.claim.take()
    }

    /// Returns whether `error` may occur only because something in `node` was left out.
    pub fn is_derived(&self, node: Node<'_>, error: &Error) -> bool {
        let subtree = node.resolved().subtree();
        let nodes = self.nodes.borrow();
        let mut inside = nodes.iter().filter(|(node, _)| subtree.contains(node));
        match error.missing_field() {
            // The field may be in the input, under a key whose value was left out because of an
            // earlier error.
            Some(field) => {
                inside.any(|(_, key)| key.as_deref().is_some_and(|k| is_similar(k, field)))
            }
            None => inside.next().is_some(),
        }
    }
}

/// Returns whether `key` may be another name of `field`, because it differs at most in case and
/// separators, as most such names do.
fn is_similar(key: &str, field: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(key) == letters(field)
}
