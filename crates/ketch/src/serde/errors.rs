//! All that does not fit a type, in one call.
//!
//! A type's visitor gives up at the first error, and what it was building is gone. So the document
//! is read again without the entry that was wrong, until nothing more is: the visitors of structs
//! ask for all of their fields before they miss one. What is wrong only since something was left out
//! is not told.

use super::error::Error;
use ketch_yaml::compose::{Node, NodeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;

/// So many errors are told.
pub(super) const ERRORS_MAX: usize = 100;

/// What does not fit a type, in the order of the text.
///
/// Shown, it is one error a line.
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
    /// By the number of the node, with the key if it is a value.
    nodes: RefCell<HashMap<usize, Option<String>>>,
    /// What this reading came to: the entry that was wrong is known, and whether it may be wrong only
    /// since something in it was left out.
    claim: Cell<Option<IsDerived>>,
}

type IsDerived = bool;

impl LeftOut {
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.borrow().contains_key(&node.index())
    }

    /// An error has come out of an entry that can be left out. The innermost one counts.
    pub fn claim(&self, node: Node<'_>, key: Option<Node<'_>>, error: &Error) {
        if self.claim.get().is_none() {
            self.claim.set(Some(self.is_derived(node, error)));
            let key = key.map(|key| key.text().into_owned());
            self.nodes.borrow_mut().insert(node.id().index(), key);
        }
    }

    /// Ends a reading that failed. `None`: no entry was to blame but the root.
    pub fn take_claim(&self) -> Option<IsDerived> {
        self.claim.take()
    }

    /// Whether the error may come of what was left out of `node`.
    pub fn is_derived(&self, node: Node<'_>, error: &Error) -> bool {
        let subtree = node.resolved().subtree();
        let nodes = self.nodes.borrow();
        let mut inside = nodes.iter().filter(|(node, _)| subtree.contains(node));
        match error.missing_field() {
            // A field that is there, but was left out.
            Some(field) => {
                inside.any(|(_, key)| key.as_deref().is_some_and(|k| is_alike(k, field)))
            }
            None => inside.next().is_some(),
        }
    }
}

/// Whether a key may be that of a field: aliases differ by case and separators most often.
fn is_alike(key: &str, field: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|ch| ch.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(key) == letters(field)
}
