//! Tables that have only the entries near the way.
//!
//! For a single edit, a table of all entries of a long collection would take more memory than the
//! text. A window needs only the first entry, the one on the way, and the two before and after it; if
//! no entry is on the way, the first and the last three. An entry that the table lacks counts as part
//! of the entry before it.

use super::keys::Keys;
use super::shifted::Shifted;

/// The number of entries that are kept before and after the one on the way.
const NEIGHBORS: usize = 2;

/// What is known of all entries of a collection whose table has only some of them.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// The number of entries of the collection.
    pub count: usize,
    /// The index, in the table, of the entry on the way.
    pub found: Option<usize>,
    /// Whether several entries are on the way.
    is_double: bool,
    /// Whether a key may be one that the scan did not recognize.
    has_unknown_key: bool,
}

impl Near {
    /// Adds the next entry of the collection to the table, unless it is too far after the one on the
    /// way, and removes one that is too far before it. A mapping's entry has the hash of its key.
    pub fn push(
        &mut self,
        (cuts, keys): (&mut Shifted<u32>, &mut Keys),
        (cut, hash): (u32, Option<u32>),
        is_on_way: bool,
    ) {
        self.count += 1;
        self.has_unknown_key |= hash == Some(0);
        self.is_double |= is_on_way && self.found.is_some();
        match self.found {
            Some(found) if cuts.len() > found + NEIGHBORS => return,
            None if cuts.len() > NEIGHBORS + 1 => {
                cuts.remove(1);
                if hash.is_some() {
                    keys.remove(1);
                }
            }
            _ => {}
        }
        if is_on_way && self.found.is_none() {
            self.found = Some(cuts.len());
        }
        cuts.push(cut);
        hash.into_iter().for_each(|hash| keys.push(hash));
    }

    /// Returns whether all entries are needed to find the one on the way.
    pub fn is_unclear(&self) -> bool {
        self.is_double || self.found.is_none() && self.has_unknown_key
    }
}
