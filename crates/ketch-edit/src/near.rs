//! Tables that contain only the entries near the way.
//!
//! For a single edit, a table of all entries of a long collection would take more memory than the
//! text. A window needs only the first entry, the one on the way, and the two before and after
//! that; if no entry is on the way, it needs the first and the last three entries. If a step counts
//! from the end, the entries that it counts and two more are kept until the end is known. An entry
//! that the table does not contain is treated as part of the entry before it.

use super::keys::Keys;
use super::lines::{is_set_apart, skip_trivia};
use super::shifted::Shifted;

/// The number of entries to keep on each side of the entry on the way.
const NEIGHBORS: usize = 2;

/// The maximum number of entries that a step may count back from the end. If it counts further, the
/// table has to contain all entries: keeping only the last n would take n moves for each entry.
const BACK_MAX: u64 = 64;

/// What is known of all entries of a collection if its table contains only some of them.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// The number of entries in the collection.
    pub count: usize,
    /// The index that the entry on the way has in the table.
    pub found: Option<usize>,
    /// The position, counted from the end, of the entry that the step leads to; 0 if the step
    /// counts from the start.
    back: usize,
    /// Whether more than one entry may be on the way.
    is_double: bool,
    /// Whether the step counts back further than `BACK_MAX`.
    is_far_back: bool,
    /// Whether there is a key without a hash, which the step may lead to.
    has_unknown_key: bool,
    /// Whether there is a key that is a dot and the name of the step, which a person may have meant.
    pub has_dotted_key: bool,
    /// Whether there is no blank line between two of the entries.
    pub is_dense: bool,
}

impl Near {
    /// Creates the state for a collection without entries. `index` is the index that the step
    /// stands for in a sequence.
    pub fn new(index: Option<i64>) -> Near {
        let back = index.filter(|index| *index < 0).map(i64::unsigned_abs);
        Near {
            back: back.filter(|back| *back <= BACK_MAX).unwrap_or_default() as usize,
            is_far_back: back.is_some_and(|back| back > BACK_MAX),
            ..Near::default()
        }
    }

    /// Records whether a blank line precedes the next entry, which follows the offset `cut`. Is called
    /// before the entry is added.
    pub fn look_above(&mut self, text: &[u8], cut: usize) {
        if self.count > 0 && !self.is_dense {
            self.is_dense = !is_set_apart(text, skip_trivia(text, cut));
        }
    }

    /// Adds the next entry of the collection to the table `cuts` and `keys`, unless it is too far
    /// after the entry on the way. Before that entry, removes one that is too far back. In a
    /// mapping, `hash` is the hash of the entry's key.
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
            None if cuts.len() > NEIGHBORS + 1 + self.back.saturating_sub(1) => {
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

    /// Ends the collection, whose table contains `len` entries.
    pub fn finish(&mut self, len: usize) {
        if self.back > 0 && self.back <= self.count {
            self.found = len.checked_sub(self.back);
        }
    }

    /// Returns whether the kept entries are not enough to find the one on the way.
    pub fn is_unclear(&self) -> bool {
        let is_unknown = self.found.is_none() && self.has_unknown_key;
        self.is_far_back || self.is_double || self.has_dotted_key || is_unknown
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Edit, EditErrorKind, Operation};
    use ketch_yaml::path::Path;

    fn outcome(mut edit: Edit, operation: &Operation) -> Result<String, EditErrorKind> {
        let done = edit.apply(std::slice::from_ref(operation));
        done.map(|()| edit.text().to_owned()).map_err(|error| error.kind())
    }

    /// Checks that an operation has the same result with a table of all entries and with one of few
    /// entries.
    fn assert_same(text: &str, operation: &Operation) {
        let full = outcome(Edit::open(text).expect("a text"), operation);
        let near = outcome(Edit::deferred(text.to_owned()), operation);
        assert_eq!(near, full, "{operation:?} {text}");
    }

    #[test]
    fn indices_from_the_end_lead_to_the_same_entries_in_a_table_of_few() {
        for len in [1, 2, 3, 4, 7, 70] {
            let text = format!("a:\n{}b: 1\n", "- x: 1\n  y: [2, 3]\n".repeat(len));
            for back in 1..=len + 1 {
                for rest in ["", ".x", ".y[-1]", ".new"] {
                    let path: Path = format!("a[-{back}]{rest}").parse().expect("a path");
                    assert_same(&text, &Operation::at(Action::set("7"), &path));
                    assert_same(&text, &Operation::at(Action::Delete, &path));
                    assert_same(&text, &Operation::at(Action::Append("7".into()), &path));
                }
            }
        }
    }

    #[test]
    fn edits_of_one_document_are_the_same_if_no_other_is_known() {
        let starts = ["---\n", "...\n# about a\n", "...\n%YAML 1.2\n---\n", "--- # one\n"];
        let path: Path = "a".parse().expect("a path");
        for second in 0..starts.len() {
            for third in 0..starts.len() {
                let doc = "a: {b: 1}\nc: |\n  x\n\n";
                let text = format!("# top\n{doc}{}{doc}{}{doc}", starts[second], starts[third]);
                for doc in 0..4 {
                    let at = |action| Operation { doc, ..Operation::at(action, &path) };
                    for operation in [at(Action::set("7")), at(Action::Delete)] {
                        assert_same(&text, &operation);
                        let mut edit = Edit::deferred(text.clone());
                        let is_done = edit.apply(std::slice::from_ref(&operation)).is_ok();
                        let count = edit.document_count().expect("a text");
                        assert_eq!((is_done, count), (doc < 3, 3), "{text}");
                        // The next edit finds the other documents.
                        let next = Operation { doc: (doc + 1) % 3, ..at(Action::set("8")) };
                        let mut whole = Edit::open(edit.text()).expect("a text").checking_whole();
                        edit.apply(std::slice::from_ref(&next)).expect("an edit");
                        whole.apply(std::slice::from_ref(&next)).expect("an edit");
                        assert_eq!(edit.text(), whole.text());
                    }
                }
            }
        }
    }

    #[test]
    fn a_window_is_enough_for_a_new_entry_that_may_be_set_apart() {
        let all: Vec<String> = (0..30).map(|at| format!("k{at}:\n  x: {at}\n")).collect();
        let apart = all.join("\n");
        // Only in the middle, which the window does not show, there is no blank line.
        let mixed = [all[..15].join("\n"), all[15..].join("\n")].concat();
        let commented = apart.replace("k7", "# seven\nk7");
        let new = Operation::at(Action::set("7"), &"new".parse().expect("a path"));
        let old = Operation::at(Action::set("0"), &"k0.x".parse().expect("a path"));
        for (text, is_apart) in [(&apart, true), (&mixed, false), (&commented, true)] {
            let expected = format!("{text}{}new: 7\n", if is_apart { "\n" } else { "" });
            assert_same(text, &new);
            assert_eq!(outcome(Edit::deferred(text.clone()), &new).as_ref(), Ok(&expected));
            let whole = Edit::open(text).expect("a text").checking_whole();
            assert_eq!(outcome(whole, &new).as_ref(), Ok(&expected));
            let mut edit = Edit::open(text).expect("a text");
            edit.apply(&[old.clone(), old.clone()]).expect("two edits");
            assert!(matches!(edit.run_in_window(&new), Some(Ok(()))), "{text}");
            assert_eq!(edit.text(), expected);
        }
    }
}
