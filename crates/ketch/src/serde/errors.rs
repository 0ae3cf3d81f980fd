//! Collects all errors of reading a type.
//!
//! A type's visitor stops at the first error and loses what it was building. So after each error, the
//! document is read again without the invalid entry, until there are no more errors. This works because
//! the visitors of structs read all fields before they report a missing one. Errors that are only caused
//! by leaving entries out are not reported.

use super::error::Error;
use ketch_yaml::compose::{Node, NodeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;

/// The maximum number of errors reported.
pub(super) const ERRORS_MAX: usize = 100;

/// All errors of reading a type, in the order in which they were found.
///
/// `Display` prints one error per line.
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

/// The entries that are left out.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// The indices of their nodes, each with its key if it is a value.
    nodes: RefCell<HashMap<usize, Option<String>>>,
    /// The result of this pass, which is set as soon as the invalid entry is known. It is true if
    /// the entry may be invalid only because something in it was left out.
    claim: Cell<Option<IsDerived>>,
}

type IsDerived = bool;

impl LeftOut {
    /// Returns whether an entry is left out.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.borrow().contains_key(&node.index())
    }

    /// Records that an entry failed, so that it is left out from now on. Only the first call in a
    /// pass, which is for the innermost entry, has an effect.
    pub fn claim(&self, node: Node<'_>, key: Option<Node<'_>>, error: &Error) {
        if self.claim.get().is_none() {
            self.claim.set(Some(self.is_derived(node, error)));
            let key = key.map(|key| key.text().into_owned());
            self.nodes.borrow_mut().insert(node.id().index(), key);
        }
    }

    /// Ends a failed pass and returns its result, or `None` if the error was in the root itself.
    pub fn take_claim(&self) -> Option<IsDerived> {
        self.claim.take()
    }

    /// Returns whether the error may be caused by what was left out of `node`.
    pub fn is_derived(&self, node: Node<'_>, error: &Error) -> bool {
        let subtree = node.resolved().subtree();
        let nodes = self.nodes.borrow();
        let mut inside = nodes.iter().filter(|(node, _)| subtree.contains(node));
        match error.missing_field() {
            // The field is in the input, but reading skipped it because of an error.
            Some(field) => {
                inside.any(|(_, key)| key.as_deref().is_some_and(|k| is_similar(k, field)))
            }
            None => inside.next().is_some(),
        }
    }
}

/// Returns whether a key may be another name of a field, because most of these differ only in case
/// and separators.
fn is_similar(key: &str, field: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(key) == letters(field)
}
